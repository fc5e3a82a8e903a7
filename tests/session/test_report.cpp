// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include "core/base/atomic_file.h"
#include "core/session/profile_match.h"
#include "core/session/report.h"
#include "core/session/report_html.h"

#include <QTemporaryDir>
#include <functional>
#include <QtTest>

using namespace ridgepoint;
namespace fs = std::filesystem;

class TestReport : public QObject {
    Q_OBJECT
private slots:
    void isDeterministic();
    void tellsWhatWasRunOnWhat();
    void mentionsEveryPoint();
    void showsMeasuredBesidePredicted();
    void namesTheThreeShares();
    void saysWhatLimitsEachPoint();
    void saysWhatWasNotMeasured();
    void foreignTextIsNoMarkup();
    void picturesHaveCaptions();
    void picturesSayWhichRunTheyShow();
    void longTextsAreCutAndItIsSaid();
    void formulasAreFilledIn();
    void formulasSayNever();
    void exactFormulasAddUp();
    void formulasSayWhatIsUnknown();
    void capacityStandsOnTheMemoryThatIsKnown_data();
    void capacityStandsOnTheMemoryThatIsKnown();
    void folderHoldsWhatHasRows();
    void faultsOfTheFolderAreNamed();
    void unfinishedRunsAreReported();
    void theDeviceHasASectionOfItsOwn();
    void anotherDeviceIsSaid_data();
    void anotherDeviceIsSaid();
    void htmlHoldsWhatTheMarkdownHolds();
    void htmlStandsAlone();
    void htmlEscapesForeignText();
    void base64IsRfc4648_data();
    void base64IsRfc4648();
    void theFormatsAskedForAreWritten();
    void anotherLanguageChangesTextsAndNothingElse();
};

static QString report(const Session &session, const std::vector<ReportPicture> &pictures = {})
{
    return QString::fromStdString(reportMarkdown(session, pictures));
}

static Session sessionOf(const RunRecord &run)
{
    Session s = samples::session();
    s.runs = {run};
    return s;
}

void TestReport::isDeterministic()
{
    const Session session = samples::session();
    QCOMPARE(report(session), report(session));
    QCOMPARE(report(sessionFromJson(toJson(session), "mine.json")), report(session));
}

void TestReport::tellsWhatWasRunOnWhat()
{
    const QString text = report(samples::session());
    for (const char *part : {"NVIDIA T4", "TinyLlama 1.1B", "fp16", "engine 1.2.3", "0.1.0 (abc1234)", "a CPU", "an OS",
                             "ridgepoint sweep --model tinyllama-1.1b", "2 (as given)", "550.1", "random, seed",
                             "1, 4, 16, 64, 128", "failed: The device vanished.", "2026-01-31T12:01:00Z"})
        QVERIFY2(text.contains(part), part);
}

void TestReport::mentionsEveryPoint()
{
    const RunRecord run = samples::sweepRun(true);
    const QStringList lines = report(sessionOf(run)).split('\n');
    for (const SweepPoint &p : run.points) {
        const QString start =
            QString("| %1 | %2 | ").arg(p.prompt == 2048 ? QString("2,048") : QString::number(p.prompt)).arg(p.batch);
        const QString status = p.status == PointStatus::Ok ? "| ok |" : "| oom: needs 20.1 GB";
        bool found = false;
        for (const QString &line : lines)
            found = found || (line.startsWith(start) && line.contains(status));
        QVERIFY2(found, qPrintable(start + status));
    }
    QVERIFY(lines.contains("- batch 128, prompt 2,048: oom, needs 20.1 GB, the device has 16.0 GB"));
}

void TestReport::showsMeasuredBesidePredicted()
{
    const QString text = report(sessionOf(samples::sweepRun()));
    QVERIFY(text.contains("| 256 | 16.8 % | 16.8 % | batch 64 | batch 64 |"));
    QVERIFY(text.contains("| batch 16 | batch 16 |"));
    QVERIFY(text.contains("| bandwidth, read only | 320 GB/s | 270 GB/s | bytes read |"));
    QVERIFY(text.contains("| matrix products, fp16 | 65.0 TFLOP/s | 50.0 TFLOP/s |"));
}

void TestReport::namesTheThreeShares()
{
    const QString text = report(sessionOf(samples::sweepRun(true)));
    QVERIFY(text.contains("what the KV bytes explain"));
    QVERIFY(text.contains("what memory capacity cut off: batch 128 of prompt 2,048 (not measured"));
    QVERIFY(text.contains("what is left to kernels"));
    // The times follow the formula, so the KV bytes explain what was lost, all but the rounding of 22,528 to 22,500 and the one
    // token that a step writes: 22,528 x 257 / (22,500 x 256).
    int rows = 0;
    for (const QString &line : text.split('\n'))
        if (line.startsWith("| 256 | 128 | ") && line.contains("100.5 %") && line.contains("-0.5 %"))
            ++rows;
    QCOMPARE(rows, 1);
}

void TestReport::saysWhatLimitsEachPoint()
{
    RunRecord run = samples::sweepRun();
    run.plan.expectation.tpotSeconds = 20e-3;
    const QString text = report(sessionOf(run));
    for (const char *part : {"### What limits each point", "The evidence at prompt 256, batch 1:", "The evidence at prompt 2,048, batch 128:",
                             "Easily misread:", "### The largest batch that fits", "10 of 10 tried points",
                             "### What was expected", "| TPOT, batch 1 | 256 | 20.0 ms |", "## Steps split by regression",
                             "add another model or dtype"})
        QVERIFY2(text.contains(part), part);
    QCOMPARE(text.count("which does not make it compute-bound"), 1); // a caution is said once
    QVERIFY(!text.contains("nan"));
    run.plan.expectation = {};
    QVERIFY(!report(sessionOf(run)).contains("What was expected"));
}

void TestReport::saysWhatWasNotMeasured()
{
    RunRecord run = samples::sweepRun();
    run.plan.measured.reset();
    for (SweepPoint &p : run.points) {
        p.forecast.predicted.reset();
        p.forecast.floorMeasured.reset();
        p.peakBytes = kMissing;
    }
    const QString text = report(sessionOf(run));
    QVERIFY(text.contains("| bandwidth, read only | 320 GB/s | not measured |"));
    QVERIFY(text.contains("Not measured: without a calibrated read bandwidth"));
    QVERIFY(text.contains("B and P are the nominal ones"));
    QVERIFY(!text.contains("nan"));
    QVERIFY(report(sessionOf(samples::calibrationRun())).contains("bytes read + bytes written"));
}

void TestReport::foreignTextIsNoMarkup()
{
    Session session = samples::session();
    session.title = "<script>x</script>\n# heading";
    session.runs[2].plan.model.shape.name = "a|b [link](http://x) `c`";
    session.runs[2].points[9].reason = "![i](j)\n\n# big";
    session.runs[1].ttft->text = "one\n# two\n\n```\n<b>three</b>";
    const QString text = report(session, {{"a b(c).png", "*bold*"}});
    QVERIFY(!text.contains("<script>"));
    QVERIFY(text.contains("\\<script\\>"));
    QVERIFY(text.contains("a\\|b \\[link\\](http://x) \\`c\\`"));
    QVERIFY(text.contains("\\!\\[i\\](j)"));
    QVERIFY(text.contains("(a%20b%28c%29.png)"));
    QVERIFY(text.contains("\\*bold\\*"));
    for (const QString &line : text.split('\n')) {
        QVERIFY2(line != "# two" && line != "# big" && line != "# heading" && line != "```", qPrintable(line));
        if (line.contains("<b>three"))
            QVERIFY(line.startsWith("    "));
    }
}

void TestReport::picturesHaveCaptions()
{
    const QString text = report(samples::session(), {{"roofline.png", "Roofline of the sweep"}});
    QVERIFY(text.contains("![Roofline of the sweep](roofline.png)\n\nRoofline of the sweep\n"));
    QVERIFY(!report(samples::session()).contains("## Pictures"));
}

void TestReport::picturesSayWhichRunTheyShow()
{
    Session session = samples::session();
    QVERIFY(session.runs.size() > 1);
    QVERIFY(report(session, {{"roofline.png", "Roofline"}}).contains("shows the newest run"));
    session.runs = {samples::sweepRun()};
    QVERIFY(!report(session, {{"roofline.png", "Roofline"}}).contains("shows the newest run"));
}

/// Laying out a line of a megabyte takes minutes: each free text of a session is bounded in the report.
void TestReport::longTextsAreCutAndItIsSaid()
{
    const std::string endless(200'000, 'x');
    QVERIFY(!report(samples::session()).contains("texts are cut"));
    const std::vector<std::function<void(Session &)>> edits{
        [&](Session &s) { s.title = endless; },
        [&](Session &s) { s.id = endless; },
        [&](Session &s) { s.runs[2].plan.model.shape.name = endless; },
        [&](Session &s) { s.runs[2].plan.device = endless; },
        [&](Session &s) { s.runs[2].provenance.deviceName = endless; },
        [&](Session &s) { s.runs[2].provenance.extra["driver"] = endless; },
        [&](Session &s) { s.runs[2].provenance.extra[endless] = "x"; },
        [&](Session &s) { s.runs[2].provenance.commandLine = endless; },
        [&](Session &s) { s.runs[2].state = RunRecord::State::Failed, s.runs[2].sentence = endless; },
        [&](Session &s) { s.runs[2].points[9].reason = endless; },
        [&](Session &s) { s.runs[2].points[1].attention = endless; },
        [&](Session &s) { s.runs[1].ttft->text = endless; },
        [&](Session &s) { s.runs[1].ttft->promptText = endless; },
        [&](Session &s) { s.runs[0].calibration->samples[0].what = endless; },
        [&](Session &s) { s.runs[2].plan.batches.assign(100'000, 4); },
    };
    for (std::size_t i = 0; i < edits.size(); ++i) {
        Session session = samples::session();
        edits[i](session);
        const QString text = report(session);
        QVERIFY2(text.contains("texts are cut"), qPrintable(QString::number(i)));
        for (const QString &line : text.split('\n'))
            QVERIFY2(line.size() < 6000, qPrintable(QString("%1: %2").arg(i).arg(line.left(200))));
        QVERIFY2(text.size() < 100'000, qPrintable(QString::number(i)));
    }
}

static QString resultOf(const std::vector<FilledFormula> &lines, const char *name)
{
    for (const FilledFormula &line : lines)
        if (line.name == name)
            return QString::fromStdString(line.filled + " = " + line.result);
    return "absent";
}

void TestReport::formulasAreFilledIn()
{
    const auto lines = explainStep(samples::publishedWorkload(), samples::published(), 16, 2048, 0.0189);
    QCOMPARE(resultOf(lines, "bytes of a step"), QString("2.20 GB + 16 x 2048 x 22.5 KB = 2.94 GB"));
    QCOMPARE(resultOf(lines, "FLOP of a step"), QString("2 x 1,100,000,000 x 16 = 35.2 GFLOP"));
    QCOMPARE(resultOf(lines, "arithmetic intensity"), QString("35.2 GFLOP / 2.94 GB = 12.0 FLOP/B"));
    QCOMPARE(resultOf(lines, "ridge"), QString("50.0 TFLOP/s / 270 GB/s = 185 FLOP/B"));
    QCOMPARE(resultOf(lines, "bound"), QString("12.0 FLOP/B < 185 FLOP/B = memory-bound"));
    QCOMPARE(resultOf(lines, "memory time"), QString("2.94 GB / 270 GB/s = 10.9 ms"));
    QCOMPARE(resultOf(lines, "compute time"), QString("35.2 GFLOP / 50.0 TFLOP/s = 704 us"));
    QCOMPARE(resultOf(lines, "floor"), QString("max(10.9 ms, 704 us) = 10.9 ms"));
    QCOMPARE(resultOf(lines, "predicted step"), QString("10.9 ms + 8.00 ms = 18.9 ms"));
    QCOMPARE(resultOf(lines, "predicted tokens a second"), QString("16 / 18.9 ms = 848 tok/s"));
    QVERIFY(resultOf(lines, "measured / floor").startsWith("18.9 ms / 10.9 ms = 1.74. Memory-bound holds"));
    QCOMPARE(resultOf(lines, "measured / predicted"), QString("18.9 ms / 18.9 ms = 1.00"));
    QCOMPARE(resultOf(lines, "effective bytes"), QString("18.9 ms x 270 GB/s = 5.10 GB"));
    QCOMPARE(resultOf(lines, "effective bytes less W"), QString("5.10 GB - 2.20 GB = 2.90 GB against 737 MB"));
    QVERIFY(resultOf(lines, "AI_max").endsWith("= 47.7 FLOP/B"));
    QCOMPARE(resultOf(lines, "capacity"), QString("(16.0 GB - 2.20 GB) / 46.1 MB = 299 sequences"));
}

void TestReport::formulasSayNever()
{
    const auto far = explainStep(samples::publishedWorkload(), samples::published(), 1, 2048);
    QVERIFY(resultOf(far, "b*, the batch that reaches the roof").endsWith("= never: AI_max 47.7 < ridge 185"));
    QCOMPARE(resultOf(far, "measured / floor"), QString("absent"));
    const auto near = explainStep(samples::publishedWorkload(), samples::published(), 1, 256);
    const QString roof = resultOf(near, "b*, the batch that reaches the roof");
    const double batch = roof.mid(roof.lastIndexOf("= ") + 2).toDouble();
    QVERIFY2(batch > 350 && batch < 370, qPrintable(roof)); // published as about 360
}

void TestReport::exactFormulasAddUp()
{
    const Workload exact = makeWorkload(samples::tinyLlama(), DType::F16, Accounting::Exact);
    const auto lines = explainStep(exact, samples::published(), 16, 2048, 0.02);
    QCOMPARE(resultOf(lines, "bytes of a step"), QString("2.07 GB + 16 x 2048 x 22.5 KB + 16 x 22.5 KB = 2.81 GB"));
    QCOMPARE(resultOf(lines, "FLOP of a step"),
             QString("2 x 1,034,420,224 x 16 + 4 x 16 x 2048 x 2,048 x 22 = 39.0 GFLOP"));
    Workload windowed = exact;
    windowed.slidingLayers = 11;
    windowed.fullLayers = 11;
    windowed.slidingWindow = 512;
    // Half of the layers read 512 of 2048 tokens: 0.5 x 46.1 MB + 0.5 x 11.5 MB
    QVERIFY(resultOf(explainStep(windowed, samples::published(), 1, 2048), "bytes of a step")
                .startsWith("2.07 GB + 1 x 28.8 MB + 1 x 22.5 KB"));
}

void TestReport::formulasSayWhatIsUnknown()
{
    Ceilings noMemory = samples::published();
    noMemory.memory = 0;
    const auto lines = explainStep(samples::publishedWorkload(), noMemory, 1, 256);
    QCOMPARE(resultOf(lines, "capacity"), QString("the device's memory is not known = not known"));
    QVERIFY(samples::sentenceOf(ErrorKind::Usage,
                                [] { explainStep(samples::publishedWorkload(), samples::published(), 0, 256); }));
}

void TestReport::capacityStandsOnTheMemoryThatIsKnown_data()
{
    QTest::addColumn<double>("limit");
    QTest::addColumn<double>("datasheet");
    QTest::addColumn<double>("device");
    QTest::addColumn<QString>("part");
    QTest::newRow("a limit of the plan") << 9e9 << 16e9 << 24e9 << "(9.00 GB - ";
    QTest::newRow("the datasheet") << 0.0 << 16e9 << 24e9 << "(16.0 GB - ";
    QTest::newRow("the machine's own") << 0.0 << 0.0 << 24e9 << "(24.0 GB - ";
    QTest::newRow("none") << 0.0 << 0.0 << kMissing << "the device's memory is not known";
}

void TestReport::capacityStandsOnTheMemoryThatIsKnown()
{
    QFETCH(double, limit);
    QFETCH(double, datasheet);
    QFETCH(double, device);
    QFETCH(QString, part);
    RunRecord run = samples::sweepRun();
    run.plan.memoryLimitBytes = limit;
    run.plan.nominal.memory = datasheet;
    run.provenance.deviceMemoryBytes = device;
    const QString text = report(sessionOf(run));
    const QString line = text.mid(text.indexOf("| capacity | floor")).section('\n', 0, 0);
    QVERIFY2(line.contains(part), qPrintable(line));
}

void TestReport::folderHoldsWhatHasRows()
{
    QTemporaryDir dir;
    const fs::path folder = fs::path(dir.path().toStdString()) / "new" / "report";
    const auto names = [](const std::vector<fs::path> &paths) {
        QStringList list;
        for (const fs::path &path : paths) {
            list << QString::fromStdString(path.filename().string());
            if (!fs::exists(path))
                list << "missing";
        }
        return list;
    };
    QCOMPARE(names(writeReport(samples::session(), folder, {})),
             QStringList({"session.json", "sweep.csv", "steps.csv", "ttft.csv", "calibration.csv", "report.md"}));
    QCOMPARE(toJson(loadSession(folder / "session.json")), toJson(samples::session()));
    QCOMPARE(QString::fromStdString(readWholeFile(folder / "report.md")), report(samples::session()));
    QCOMPARE(names(writeReport(sessionOf(samples::calibrationRun()), folder / "two", {})),
             QStringList({"session.json", "calibration.csv", "report.md"}));
}

void TestReport::faultsOfTheFolderAreNamed()
{
    QTemporaryDir dir;
    const fs::path file = fs::path(dir.path().toStdString()) / "in the way";
    writeFileAtomically(file, "x");
    const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { writeReport(samples::session(), file, {}); });
    QVERIFY(sentence && sentence->contains("in the way"));
}

void TestReport::unfinishedRunsAreReported()
{
    RunRecord ttft = samples::ttftRun();
    ttft.ttft.reset();
    ttft.state = RunRecord::State::Interrupted;
    RunRecord sweep = samples::sweepRun();
    sweep.points.clear();
    sweep.state = RunRecord::State::Cancelled;
    Session session = sessionOf(ttft);
    session.runs.push_back(sweep);
    const QString text = report(session);
    QVERIFY(text.contains("The run ended before its result."));
    QVERIFY(text.contains("interrupted: the program ended"));
    QVERIFY(text.contains("No point finished."));
    QVERIFY(text.contains("stopped by the user"));
}

void TestReport::theDeviceHasASectionOfItsOwn()
{
    RunRecord run = samples::sweepRun();
    QVERIFY(report(sessionOf(run)).contains("the device's driver told none of them"));
    auto &steps = run.points[0].steps;
    for (StepSample &s : steps)
        s.smClockHz = 1980e6;
    steps[1].smClockHz = 1200e6;
    steps[1].throttle = "power_cap";
    steps[2].powerWatts = 498;
    run.points[0].backToBackSeconds = run.points[0].stepSeconds * 0.9;
    run.points[0].backToBackSteps = 64;
    run.plan.measured->graphStepOverhead = 0.25e-3;
    run.plan.measured->deviceName = "NVIDIA T4";
    run.plan.measured->driver = "550.1";
    run.plan.measured->clocks = "SM 1590 MHz";
    const QString text = report(sessionOf(run));
    const QString device = text.mid(text.indexOf("### Device")).section("###", 0, 1);
    for (const char *part : {"| Name | NVIDIA T4 (cuda:0) |", "| driver | 550.1 |", "| Engine | engine 1.2.3 |",
                             "Read beside 5 of 50 steps: SM clock 1200 to 1980 MHz, power 498 W.",
                             "1 of them throttled (20.0 %): power\\_cap. They are marked, and counted"})
        QVERIFY2(device.contains(part), qPrintable(QString(part) + "\n" + device));
    QVERIFY(text.contains("Every timed step is waited for"));
    QVERIFY(text.contains("The host gap is wall less device time"));
    QVERIFY(text.contains("| fixed cost of a step as a graph | - | 250 us |"));
    QVERIFY(text.contains("Measured on NVIDIA T4, driver 550.1, at SM 1590 MHz, 2026-01-31T12:00:00Z."));
    run.plan.telemetry = false;
    QVERIFY(report(sessionOf(run)).contains("telemetry was switched off"));
    run.plan.device = "cpu";
    QVERIFY(!report(sessionOf(run)).contains("telemetry was"));
}

void TestReport::anotherDeviceIsSaid_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("profile");
    QTest::addColumn<QString>("said"); // empty: they agree
    QTest::newRow("the card") << "cuda:0"
                              << "Tesla T4"
                              << "t4"
                              << "";
    QTest::newRow("its catalogue name") << "cuda:0"
                                        << "NVIDIA H200"
                                        << "h200"
                                        << "";
    QTest::newRow("another card") << "cuda:0"
                                  << "NVIDIA H200"
                                  << "t4"
                                  << "(--hardware h200)";
    QTest::newRow("an unknown card") << "cuda:0"
                                     << "NVIDIA Z9000"
                                     << "t4"
                                     << "does not know by that name";
    QTest::newRow("both unknown") << "cuda:0"
                                  << "NVIDIA Z9000"
                                  << "z9"
                                  << "cannot be told";
    QTest::newRow("no profile") << "cuda:0"
                                << "NVIDIA Z9000"
                                << ""
                                << "";
    QTest::newRow("no name") << "cuda:0"
                             << ""
                             << "t4"
                             << "";
    QTest::newRow("any CPU") << "cpu"
                             << "Some CPU"
                             << "cpu"
                             << "";
    QTest::newRow("a CPU as a GPU") << "cpu"
                                    << "Some CPU"
                                    << "t4"
                                    << "does not know by that name";
    QTest::newRow("a GPU as the CPU") << "cuda:0"
                                      << "Tesla T4"
                                      << "cpu"
                                      << "(--hardware t4)";
}

void TestReport::anotherDeviceIsSaid()
{
    QFETCH(QString, device);
    QFETCH(QString, name);
    QFETCH(QString, profile);
    QFETCH(QString, said);
    const Catalog catalog = Catalog::load({fs::path(RIDGEPOINT_SOURCE_DIR) / "resources"});
    RunRecord run = samples::sweepRun();
    run.plan.device = device.toStdString();
    run.provenance.deviceName = name.toStdString();
    run.plan.hardwareId = profile.toStdString();
    const QString sentence = QString::fromStdString(profileMismatch(run, catalog));
    QCOMPARE(sentence.isEmpty(), said.isEmpty());
    QVERIFY2(sentence.contains(said), qPrintable(sentence));
    const QString text = QString::fromStdString(reportMarkdown(sessionOf(run), {}, &catalog));
    QCOMPARE(text.contains("**Another device.**"), !said.isEmpty());
    QVERIFY(!report(sessionOf(run)).contains("Another device")); // nothing to compare with
}

void TestReport::htmlHoldsWhatTheMarkdownHolds()
{
    const std::string markdown = reportMarkdown(samples::session(), {{"a b.png", "Roofline"}});
    const QString html = QString::fromStdString(reportToHtml(markdown, {}));
    QCOMPARE(html, QString::fromStdString(reportToHtml(markdown, {})));
    int rows = 0, parts = 0, items = 0;
    for (const QString &line : QString::fromStdString(markdown).split('\n')) {
        rows += line.startsWith('|') && !line.startsWith("| ---") && !line.startsWith("| ---:");
        parts += line.startsWith("## ") || line.startsWith("### ");
        items += line.startsWith("- ");
    }
    QVERIFY(rows > 20 && parts > 8 && items > 3);
    QCOMPARE(html.count("<tr>"), rows);
    QCOMPARE(html.count("<a href=\"#part-"), parts);
    QCOMPARE(html.count(" id=\"part-"), parts);
    QCOMPARE(html.count("<li"), parts + items);
    QCOMPARE(html.count("</table>"), html.count("<table"));
    QVERIFY(html.contains("src=\"a b.png\" alt=\"Roofline\""));
    QCOMPARE(html.count(">Roofline<"), 1); // the caption once
    QVERIFY(html.contains("class=\"figure\""));
    QString prose = html; // a code block holds what it holds
    prose.remove(QRegularExpression("<pre>.*?</pre>", QRegularExpression::DotMatchesEverythingOption));
    for (const char *markup : {"\n| ", "**", "\\"}) // the title itself holds a bar
        QVERIFY2(!prose.contains(markup), qPrintable(prose.mid(std::max<qsizetype>(0, prose.indexOf(markup) - 60), 120)));
    // The contents of paper carry the pages that they are given.
    HtmlOptions paper;
    paper.paper = true;
    paper.pages.assign(std::size_t(parts), 4711);
    QCOMPARE(QString::fromStdString(reportToHtml(markdown, paper)).count("4711"), parts);
}

void TestReport::htmlStandsAlone()
{
    QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    writeFileAtomically(folder / "roofline.png", std::string("\x89PNG", 4));
    const QString html =
        QString::fromStdString(reportHtml(samples::session(), folder, {{"roofline.png", "Roofline of the sweep"}}));
    QVERIFY(html.contains("src=\"data:image/png;base64,iVBORw==\""));
    QVERIFY(!html.contains("http") && !html.contains("<script") && !html.contains("<link") && !html.contains("url("));
    const auto missing = samples::sentenceOf(ErrorKind::Failure, [&] { reportHtml(samples::session(), folder, {{"no.png", "x"}}); });
    QVERIFY(missing && missing->contains("no.png"));
}

void TestReport::htmlEscapesForeignText()
{
    Session session = samples::session();
    session.title = "<script>x</script>";
    session.runs[2].plan.model.shape.name = "a|b \"q\" & **c**";
    session.runs[1].ttft->text = "one\n# two\n- three\n| four |\n<b>five</b>";
    const QString html = QString::fromStdString(reportToHtml(reportMarkdown(session, {{"x\".png", "\" onload=\"y"}}), {}));
    QVERIFY(!html.contains("<script") && !html.contains("<b>five"));
    QVERIFY(html.contains("&lt;script&gt;x&lt;/script&gt;"));
    QVERIFY(html.contains("a|b &quot;q&quot; &amp; **c**"));
    QVERIFY(html.contains("# two\n- three\n| four |\n&lt;b&gt;five&lt;/b&gt;\n</pre>"));
    QVERIFY(!html.contains("\" onload"));
}

void TestReport::base64IsRfc4648_data()
{
    QTest::addColumn<QByteArray>("bytes");
    for (int length = 0; length < 8; ++length)
        QTest::addRow("%d bytes", length) << QByteArray("\xff\x00\x10\x83\x7f\xfe\x01", 7).left(length);
}

void TestReport::base64IsRfc4648()
{
    QFETCH(QByteArray, bytes);
    QCOMPARE(QByteArray::fromStdString(base64(bytes.toStdString())), bytes.toBase64());
}

void TestReport::theFormatsAskedForAreWritten()
{
    QTemporaryDir dir;
    const fs::path folder = dir.path().toStdString();
    writeReport(samples::session(), folder, {}, nullptr, {ReportFormat::Html});
    QVERIFY(fs::exists(folder / "report.html") && !fs::exists(folder / "report.md"));
    writeReport(samples::session(), folder, {}, nullptr, {ReportFormat::Html, ReportFormat::Markdown});
    QVERIFY(fs::exists(folder / "report.md"));
}

/// Texts are given as plain text and come back escaped; code, addresses and the shape of the document stay.
void TestReport::anotherLanguageChangesTextsAndNothingElse()
{
    QStringList seen;
    const ReportTranslation upper = [&seen](const std::string &english) {
        seen << QString::fromStdString(english);
        return english == "keep" ? english : QString::fromStdString(english).toUpper().toStdString();
    };
    const std::string markdown = "# A title\n\nsome *text*\n\n| a | keep |\n| --- | ---: |\n| x \\| y | |\n\n- one \\_ two\n\n    code | stays\n\n"
                                 "![a caption](file.png)\n\n**Look.** Then this.\n";
    QCOMPARE(QString::fromStdString(translatedReport(markdown, upper)),
             QStringLiteral("# A TITLE\n\nSOME \\*TEXT\\*\n\n| A | keep |\n| --- | ---: |\n| X \\| Y |  |\n\n- ONE \\_ TWO\n\n    code | stays\n\n"
                            "![A CAPTION](file.png)\n\n**LOOK.** THEN THIS.\n"));
    QVERIFY(seen.contains(QStringLiteral("x | y")) && seen.contains(QStringLiteral("one _ two")));
    QCOMPARE(translatedReport(markdown, {}), markdown);
    const std::string whole = reportMarkdown(samples::session(), {{"roofline.png", "Roofline"}});
    QCOMPARE(QString::fromStdString(translatedReport(whole, [](const std::string &text) { return text; })).simplified(),
             QString::fromStdString(whole).simplified());
}

QTEST_APPLESS_MAIN(TestReport)
#include "test_report.moc"
