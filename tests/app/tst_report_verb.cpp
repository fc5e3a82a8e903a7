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
};

void TestReportVerb::chartsAreDrawnAndStandardErrorIsTheVerbsOwn()
{
    QTemporaryDir dir;
    Session session = newSession();
    RunPlan plan = smallPlan();
    plan.model.shape = Catalog::loadDefault().modelById("smollm2-135m");
    plan.runId = newId();
    applyEvent(session, started(plan));
    applyEvent(session, PointFinished{plan.runId, point(plan, 0, 1)});
    applyEvent(session, PointFinished{plan.runId, point(plan, 1, 4)});
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    saveSession(session, dir.filePath("a.json").toStdString());

    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
                             "QT_QPA_PLATFORM", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
        environment.remove(QLatin1String(name));
    environment.insert("HOME", dir.path());
    program.setProcessEnvironment(environment);
    program.setWorkingDirectory(dir.path());
    program.start(RIDGEPOINT_PROGRAM, {"report", "a.json", "--out", "report", "--quiet"});
    QVERIFY(program.waitForFinished(60'000));
    const QByteArray error = program.readAllStandardError();
    QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, error.constData());
    QCOMPARE(error, QByteArray());
    for (const char *name : {"roofline", "throughput", "latency", "time-account"}) {
        const QImage image(dir.filePath(QStringLiteral("report/%1.png").arg(QLatin1String(name))));
        QVERIFY2(!image.isNull() && image.width() > 900, name);
    }
}

QTEST_GUILESS_MAIN(TestReportVerb)
#include "tst_report_verb.moc"
