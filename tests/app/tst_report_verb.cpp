// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalog.h"
#include "core/session/journal.h"
#include "core/session/session.h"
#include "tests/app/fake_engine.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace ridgepoint;
using namespace ridgepoint::test;

/// The report verb draws charts without a display; it is run as a program on a bare machine.
class TestReportVerb : public QObject {
    Q_OBJECT

private slots:
    void chartsAreDrawnAndStandardErrorIsTheVerbsOwn();
    void theSameSessionGivesTheSameBytes();
    void onlyTheFormatsAskedForAreWritten();
    void theReportSpeaksTheLanguageAskedFor();
    void theManualHoldsEveryVerbAndOption();
    void withoutADisplayTheNearerFaultIsSaid();
};

/// A session of a small sweep in `path`.
static void writeSession(const QString &path)
{
    Session session = newSession();
    RunPlan plan = smallPlan();
    plan.model.shape = Catalog::loadDefault().modelById("smollm2-135m");
    plan.runId = newId();
    applyEvent(session, started(plan));
    applyEvent(session, PointFinished{plan.runId, point(plan, 0, 1)});
    applyEvent(session, PointFinished{plan.runId, point(plan, 1, 4)});
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    saveSession(session, path.toStdString());
}

/// Runs the program in `dir` on a bare machine: its exit code, and what it wrote to standard error.
static int runProgram(const QTemporaryDir &dir, const QStringList &arguments, QByteArray *error)
{
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
                             "QT_QPA_PLATFORM", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
        environment.remove(QLatin1String(name));
    environment.insert("HOME", dir.path());
    program.setProcessEnvironment(environment);
    program.setWorkingDirectory(dir.path());
    program.start(RIDGEPOINT_PROGRAM, arguments);
    if (!program.waitForFinished(60'000))
        return -1;
    *error = program.readAllStandardError();
    return program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -1;
}

void TestReportVerb::chartsAreDrawnAndStandardErrorIsTheVerbsOwn()
{
    QTemporaryDir dir;
    writeSession(dir.filePath("a.json"));
    QByteArray error;
    QVERIFY2(runProgram(dir, {"report", "a.json", "--out", "report", "--quiet"}, &error) == 0, error.constData());
    QCOMPARE(error, QByteArray());
    for (const char *name : {"roofline", "throughput", "latency", "time-account"}) {
        const QImage image(dir.filePath(QStringLiteral("report/%1.png").arg(QLatin1String(name))));
        QVERIFY2(!image.isNull() && image.width() > 900, name);
    }
}

void TestReportVerb::withoutADisplayTheNearerFaultIsSaid()
{
    QTemporaryDir dir;
    QByteArray error;
    QCOMPARE(runProgram(dir, {"nosuch.json"}, &error), 1);
    QVERIFY2(error.contains("nosuch.json") && error.contains("No such file") && !error.contains("there is no display"), error.constData());
    writeSession(dir.filePath("a.json"));
    QCOMPARE(runProgram(dir, {"a.json"}, &error), 1);
    QVERIFY2(error.contains("there is no display") && error.contains("ridgepoint report a.json"), error.constData());
}

void TestReportVerb::theSameSessionGivesTheSameBytes()
{
    // From copies in two folders, a second apart: neither the place nor the moment is in a file.
    QTemporaryDir first, second;
    writeSession(first.filePath("a.json"));
    QVERIFY(QDir(second.path()).mkpath("elsewhere"));
    QVERIFY(QFile::copy(first.filePath("a.json"), second.filePath("elsewhere/a.json")));
    QByteArray error;
    QVERIFY2(runProgram(first, {"report", "a.json", "--out", "one", "--format", "markdown,html,pdf"}, &error) == 0, error.constData());
    QTest::qSleep(1100); // a second time stamp would differ
    QVERIFY2(runProgram(second, {"report", "elsewhere/a.json", "--out", "two", "--format", "pdf,html,markdown"}, &error) == 0,
             error.constData());
    QCOMPARE(error, QByteArray());
    const auto content = [](const QString &name) {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QDir one(first.filePath("one")), two(second.filePath("two"));
    const QStringList files = one.entryList(QDir::Files, QDir::Name);
    QCOMPARE(two.entryList(QDir::Files, QDir::Name), files);
    for (const char *suffix : {".md", ".html", ".pdf", ".csv", ".png"})
        QVERIFY2(!files.filter(QLatin1String(suffix)).isEmpty(), suffix);
    for (const QString &name : files) {
        QVERIFY2(!content(one.filePath(name)).isEmpty(), qPrintable(name));
        QVERIFY2(content(one.filePath(name)) == content(two.filePath(name)), qPrintable(name));
    }
    const QByteArray html = content(one.filePath("report.html")), pdf = content(one.filePath("report.pdf"));
    QVERIFY(html.contains("data:image/png;base64,") && html.contains("Roofline"));
    QVERIFY(pdf.startsWith("%PDF") && pdf.count("/Type /Page\n") >= 4);
}

void TestReportVerb::onlyTheFormatsAskedForAreWritten()
{
    QTemporaryDir dir;
    writeSession(dir.filePath("a.json"));
    QByteArray error;
    QVERIFY2(runProgram(dir, {"report", "a.json", "--out", "one", "--format", "html"}, &error) == 0, error.constData());
    QVERIFY(QFile::exists(dir.filePath("one/report.html")));
    QVERIFY(!QFile::exists(dir.filePath("one/report.md")));
    QVERIFY(runProgram(dir, {"report", "a.json", "--format", "docx"}, &error) == 2);
    QVERIFY2(error.contains("docx"), error.constData());
}

void TestReportVerb::theReportSpeaksTheLanguageAskedFor()
{
    QTemporaryDir dir;
    writeSession(dir.filePath("a.json"));
    QByteArray error;
    QVERIFY2(runProgram(dir, {"report", "a.json", "--out", "zh", "--format", "html,markdown,pdf", "--language", "zh_CN"}, &error) == 0, error.constData());
    QFile html(dir.filePath("zh/report.html")), markdown(dir.filePath("zh/report.md"));
    QVERIFY(html.open(QIODevice::ReadOnly) && markdown.open(QIODevice::ReadOnly) && QFile::exists(dir.filePath("zh/report.pdf")));
    const QByteArray page = html.readAll(), text = markdown.readAll();
    for (const char *there : {"lang=\"zh-CN\"", "目录", "用语"})
        QVERIFY2(page.contains(there), there);
    QVERIFY(text.contains("# Ridgepoint 报告") && !text.contains("Every time is measured"));
    QVERIFY(runProgram(dir, {"report", "a.json", "--language", "tlh"}, &error) == 2);
    QVERIFY2(error.contains("tlh") && error.contains("zh_CN"), error.constData());
}

void TestReportVerb::theManualHoldsEveryVerbAndOption()
{
    QProcess manual;
    manual.start("sh", {QStringLiteral(RIDGEPOINT_SOURCE_DIR "/packaging/manual.sh"), RIDGEPOINT_PROGRAM, "1.2.3"});
    QVERIFY(manual.waitForFinished(60'000));
    QVERIFY2(manual.exitCode() == 0, manual.readAllStandardError().constData());
    const QByteArray page = manual.readAllStandardOutput();
    QVERIFY(page.contains("Ridgepoint 1.2.3"));
    for (const char *verb : {"predict", "calibrate", "ttft", "sweep", "line", "anatomy", "report", "errors", "explain", "hardware",
                             "models", "samples"}) {
        const qsizetype at = page.indexOf(QByteArray("\n.SS ") + verb + '\n');
        QVERIFY2(at > 0, verb);
        QProcess help;
        help.start(RIDGEPOINT_PROGRAM, {verb, "--help"});
        QVERIFY(help.waitForFinished(60'000));
        const QByteArray section = page.mid(at, page.indexOf("\n.S", at + 1) - at);
        int options = 0;
        for (const QByteArray &line : help.readAllStandardOutput().split('\n')) {
            if (!line.startsWith("  --"))
                continue;
            QByteArray name = line.mid(2).split(' ').front();
            name.replace("-", "\\-");
            QVERIFY2(section.contains("\n.B " + name + '\n'), name.constData());
            ++options;
        }
        QCOMPARE(section.count("\n.TP\n") >= options, true);
    }
}

QTEST_GUILESS_MAIN(TestReportVerb)
#include "tst_report_verb.moc"
