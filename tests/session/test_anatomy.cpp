// SPDX-License-Identifier: GPL-3.0-or-later
// A step taken apart: what its parts move, what a trace adds up to, the file for Perfetto, tables and report.
#include "samples.h"

#include "core/analytic/decode_model.h"
#include "core/catalog/catalog.h"
#include "core/session/report.h"
#include "core/session/tables.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <set>

using namespace ridgepoint;

namespace {

bool close(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Two streams; the second kernel of stream 7 overlaps the one of stream 13 by 2 us.
StepAnatomy sample()
{
    StepAnatomy a;
    a.runId = "run-anatomy";
    a.mode = DecodeMode::Graph;
    a.batch = 4;
    a.context = 300;
    a.untracedSeconds = 20e-6;
    a.tracedSeconds = 25e-6;
    a.busySeconds = 18e-6;
    a.wallSeconds = 40e-6;
    a.tracer = "CUPTI 13.0";
    a.note = "Made up | for a test.";
    a.partsBy = "a made-up clock";
    a.kernels = {{"embed", 0, 2e-6, 7, StepPart::Embed, -1},
                 {"gemm<bf16>", 4e-6, 6e-6, 7, StepPart::Qkv, 0},
                 {"reduce", 8e-6, 4e-6, 13, StepPart::Qkv, 0},
                 {"gemm<bf16>", 14e-6, 3e-6, 7, StepPart::Head, -1},
                 {"pick \"best\"", 20e-6, 5e-6, 7, StepPart::Pick, -1}};
    a.parts = {{StepPart::Qkv, 9e-6, 18e3, 36e3}, {StepPart::Head, 3e-6, 6e3, 12e3}};
    return a;
}

RunRecord record()
{
    RunRecord run;
    run.plan = samples::sweepPlan();
    run.plan.runId = "run-anatomy";
    run.plan.experiment = Experiment::Anatomy;
    run.plan.batches = {4};
    run.plan.prompts = {300};
    run.provenance = samples::provenance();
    run.anatomy = sample();
    run.state = RunRecord::State::Done;
    return run;
}

} // namespace

class TestAnatomy : public QObject {
    Q_OBJECT
private slots:
    void partsAddUpToTheStep_data();
    void partsAddUpToTheStep();
    void partsRefuseWhatAStepRefuses();
    void partsByHand();
    void partNamesReadBack();
    void kernelsAreTotalledByNameAndPart();
    void tracedPartsFollowTheStep();
    void busyTimeCountsOverlapsOnce();
    void partsAreAdoptedOnlyFromTheSameKernels();
    void kernelNamesAreShort_data();
    void kernelNamesAreShort();
    void theTraceOpensInPerfetto();
    void jsonReadsBack();
    void tablesHoldBothPasses();
    void theReportTellsTheStepApart();
};

void TestAnatomy::partsAddUpToTheStep_data()
{
    QTest::addColumn<QString>("model");
    const Catalog catalog = Catalog::load({RIDGEPOINT_RESOURCES});
    QVERIFY(catalog.models().size() > 5);
    for (const ModelShape &shape : catalog.models())
        QTest::newRow(shape.id.c_str()) << QString::fromStdString(shape.id);
}

void TestAnatomy::partsAddUpToTheStep()
{
    QFETCH(QString, model);
    static const Catalog catalog = Catalog::load({RIDGEPOINT_RESOURCES});
    const ModelShape &shape = catalog.modelById(model.toStdString());
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
        for (const double batch : {1.0, 7.0, 128.0}) {
            for (const double context : {1.0, 512.0, 5000.0}) {
                const StepPrediction step =
                    predictStep(makeWorkload(shape, dtype, Accounting::Exact), {1, 1, 0, 0}, batch, context);
                double bytes = 0, flop = 0;
                int last = -1;
                for (const PartWork &part : partWork(shape, dtype, batch, context)) {
                    QVERIFY(static_cast<int>(part.part) > last);
                    last = static_cast<int>(part.part);
                    QVERIFY(part.bytes > 0 || part.flop > 0);
                    bytes += part.bytes;
                    flop += part.flop;
                }
                QVERIFY2(close(bytes, step.bytes), qPrintable(QString("%1 against %2").arg(bytes).arg(step.bytes)));
                QVERIFY2(close(flop, step.flop), qPrintable(QString("%1 against %2").arg(flop).arg(step.flop)));
            }
        }
    }
}

void TestAnatomy::partsRefuseWhatAStepRefuses()
{
    const ModelShape shape = samples::tinyLlama();
    QVERIFY(samples::sentenceOf(ErrorKind::Usage, [&] { partWork(shape, DType::F16, 0, 10); }));
    QVERIFY(samples::sentenceOf(ErrorKind::Usage, [&] { partWork(shape, DType::F16, 1, std::nan("")); }));
    ModelShape broken = shape;
    broken.heads = 0;
    QVERIFY(samples::sentenceOf(ErrorKind::Usage, [&] { partWork(broken, DType::F16, 1, 10); }));
}

void TestAnatomy::partsByHand()
{
    // TinyLlama: hidden 2048, 22 layers, 32 heads of 64, 4 kv heads, ffn 5632, vocab 32000, untied.
    std::map<StepPart, PartWork> parts;
    for (const PartWork &part : partWork(samples::tinyLlama(), DType::F16, 2, 100))
        parts[part.part] = part;
    QCOMPARE(parts[StepPart::Qkv].bytes, 22.0 * 2048 * (2048 + 512) * 2);
    QCOMPARE(parts[StepPart::Qkv].flop, 22.0 * 2048 * (2048 + 512) * 2 * 2);
    QCOMPARE(parts[StepPart::Output].bytes, 22.0 * 2048 * 2048 * 2);
    QCOMPARE(parts[StepPart::GateUp].bytes, 22.0 * 2 * 5632 * 2048 * 2);
    QCOMPARE(parts[StepPart::Down].flop, 22.0 * 5632 * 2048 * 2 * 2);
    QCOMPARE(parts[StepPart::Norms].bytes, (22.0 * 2 * 2048 + 2048) * 2);
    QCOMPARE(parts[StepPart::Rope].bytes, 2 * 22.0 * 2 * 256 * 2);            // K and V of two sequences
    QCOMPARE(parts[StepPart::Attention].bytes, 2 * 100 * 22.0 * 2 * 256 * 2); // those of 100 tokens each
    QCOMPARE(parts[StepPart::Attention].flop, 2 * 4 * 2048 * 100 * 22.0);
    QCOMPARE(parts[StepPart::Head].bytes, 32000.0 * 2048 * 2);
    QVERIFY(!parts.count(StepPart::Embed) && !parts.count(StepPart::Pick)); // gathered, no product
}

void TestAnatomy::partNamesReadBack()
{
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(StepPart::Other); ++i) {
        const auto part = static_cast<StepPart>(i);
        QVERIFY(parseStepPart(stepPartName(part)) == part);
        names.insert(stepPartName(part));
    }
    QCOMPARE(names.size(), std::size_t(12));
    QVERIFY(!parseStepPart("gate"));
}

void TestAnatomy::kernelsAreTotalledByNameAndPart()
{
    const std::vector<KernelTotal> totals = kernelTotals(sample());
    QCOMPARE(totals.size(), std::size_t(5)); // the two gemm belong to different parts
    for (std::size_t i = 1; i < totals.size(); ++i)
        QVERIFY(totals[i - 1].seconds >= totals[i].seconds);
    QCOMPARE(totals[0].name, std::string("gemm<bf16>"));
    QVERIFY(totals[0].part == StepPart::Qkv);
    QCOMPARE(totals[0].calls, 1);
    QVERIFY(close(totals[0].share, 6.0 / 18.0));
    StepAnatomy twice = sample();
    twice.kernels.push_back({"embed", 30e-6, 9e-6, 7, StepPart::Embed, -1});
    QCOMPARE(kernelTotals(twice)[0].name, std::string("embed"));
    QCOMPARE(kernelTotals(twice)[0].calls, 2);
    QVERIFY(kernelTotals(StepAnatomy()).empty());
}

void TestAnatomy::tracedPartsFollowTheStep()
{
    const std::vector<PartTiming> parts = tracedParts(sample());
    QCOMPARE(parts.size(), std::size_t(4));
    QVERIFY(parts[0].part == StepPart::Embed && close(parts[0].seconds, 2e-6));
    QVERIFY(parts[1].part == StepPart::Qkv && close(parts[1].seconds, 10e-6));
    QCOMPARE(parts[1].bytes, 18e3); // of the timed pass, which knows them
    QVERIFY(parts[2].part == StepPart::Head && close(parts[2].seconds, 3e-6));
    QVERIFY(parts[3].part == StepPart::Pick && close(parts[3].seconds, 5e-6));
}

void TestAnatomy::busyTimeCountsOverlapsOnce()
{
    QVERIFY(close(busyUnion(sample().kernels), 18e-6)); // 20 us of kernels, 2 us of them side by side
    QCOMPARE(busyUnion({}), 0.0);
}

void TestAnatomy::partsAreAdoptedOnlyFromTheSameKernels()
{
    const std::vector<TracedKernel> marked = sample().kernels;
    std::vector<TracedKernel> trace = marked;
    for (TracedKernel &kernel : trace) {
        kernel.part = StepPart::Other;
        kernel.layer = -1;
        kernel.seconds *= 2;
    }
    std::vector<TracedKernel> same = trace;
    QVERIFY(adoptParts(same, marked));
    QVERIFY(same[1].part == StepPart::Qkv && same[1].layer == 0 && same[1].seconds == trace[1].seconds);
    std::vector<TracedKernel> swapped = same;
    std::swap(swapped[1], swapped[2]);
    QVERIFY(!adoptParts(swapped, marked));
    for (const TracedKernel &kernel : swapped)
        QVERIFY(kernel.part == StepPart::Other && kernel.layer == -1); // none, rather than some by chance
    std::vector<TracedKernel> longer = same;
    longer.push_back(longer.back());
    QVERIFY(!adoptParts(longer, marked));
}

void TestAnatomy::kernelNamesAreShort_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("expected");
    QTest::newRow("own") << "void ridgepoint::cuda::(anonymous namespace)::attend<__nv_bfloat16, 128>(ridgepoint::Args)"
                         << "ridgepoint::cuda::attend<__nv_bfloat16, 128>";
    QTest::newRow("plain") << "nvjet_tst_64x8_64x16_4x1_v_bz_TNT" << "nvjet_tst_64x8_64x16_4x1_v_bz_TNT";
    QTest::newRow("long arguments") << QString("void f<%1>(float*)").arg(QString("int, ").repeated(40) + "int")
                                    << QString("f<%1...>").arg((QString("int, ").repeated(13)).left(64));
    QTest::newRow("a cast in the arguments") << "void g<(bool)1, (int)2>(int)" << "g<(bool)1, (int)2>";
    QTest::newRow("member of a template") << "void A<int>::run(int)" << "A<int>::run";
    QTest::newRow("empty") << "" << "";
    QTest::newRow("unbalanced") << "a > b<" << "a > b<";
}

void TestAnatomy::kernelNamesAreShort()
{
    QFETCH(QString, name);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(shortKernelName(name.toStdString())), expected);
}

void TestAnatomy::theTraceOpensInPerfetto()
{
    const StepAnatomy anatomy = sample();
    const std::string text = chromeTrace(anatomy, "A \"title\"");
    QJsonParseError fault;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &fault);
    QVERIFY2(fault.error == QJsonParseError::NoError, qPrintable(fault.errorString()));
    std::size_t kernels = 0;
    std::map<int, double> reached; // end of the last event of a track
    std::map<int, QString> tracks;
    QString process;
    for (const QJsonValue &value : document.object()["traceEvents"].toArray()) {
        const QJsonObject event = value.toObject();
        QVERIFY(event["pid"].isDouble() && event["tid"].isDouble());
        const int track = event["tid"].toInt();
        if (event["ph"].toString() == "M") {
            if (event["name"].toString() == "thread_name")
                tracks[track] = event["args"].toObject()["name"].toString();
            if (event["name"].toString() == "process_name")
                process = event["args"].toObject()["name"].toString();
            continue;
        }
        QCOMPARE(event["ph"].toString(), QString("X"));
        const double from = event["ts"].toDouble(-1), length = event["dur"].toDouble(-1);
        QVERIFY(from >= 0 && length >= 0);
        QVERIFY2(from >= reached[track] - 1e-9, "events of a track overlap");
        reached[track] = from + length;
        if (event["cat"].toString() == "kernel") {
            const TracedKernel &kernel = anatomy.kernels[kernels++];
            QCOMPARE(event["name"].toString(), QString::fromStdString(kernel.name));
            QVERIFY(std::abs(from - kernel.startSeconds * 1e6) < 1e-3);
            QVERIFY(std::abs(length - kernel.seconds * 1e6) < 1e-3);
            QCOMPARE(event["args"].toObject()["part"].toString().toStdString(), std::string(stepPartName(kernel.part)));
            QVERIFY(track > 10);
        } else {
            QCOMPARE(track, 10); // the parts stand above the kernels
        }
    }
    QCOMPARE(kernels, anatomy.kernels.size());
    QCOMPARE(tracks.size(), std::size_t(3)); // parts, two streams
    QCOMPARE(process, QString("A \"title\""));
    QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(chromeTrace(StepAnatomy(), ""))).isObject());
}

void TestAnatomy::jsonReadsBack()
{
    Session session = samples::session();
    session.runs.push_back(record());
    RunRecord untraced = record();
    untraced.plan.runId = untraced.anatomy->runId = "run-untraced";
    untraced.anatomy->kernels.clear();
    untraced.anatomy->tracer.clear();
    untraced.anatomy->tracedSeconds = untraced.anatomy->busySeconds = kMissing;
    session.runs.push_back(untraced);
    const std::string text = toJson(session);
    const Session read = sessionFromJson(text, "test");
    QCOMPARE(toJson(read), text);
    const StepAnatomy &a = *read.runs[3].anatomy, wanted = sample();
    QCOMPARE(a.kernels.size(), wanted.kernels.size());
    for (std::size_t i = 0; i < wanted.kernels.size(); ++i) {
        QCOMPARE(a.kernels[i].name, wanted.kernels[i].name);
        QCOMPARE(a.kernels[i].startSeconds, wanted.kernels[i].startSeconds);
        QCOMPARE(a.kernels[i].seconds, wanted.kernels[i].seconds);
        QCOMPARE(a.kernels[i].stream, wanted.kernels[i].stream);
        QVERIFY(a.kernels[i].part == wanted.kernels[i].part);
        QCOMPARE(a.kernels[i].layer, wanted.kernels[i].layer);
    }
    QCOMPARE(a.parts.size(), wanted.parts.size());
    QCOMPARE(a.parts[0].bytes, wanted.parts[0].bytes);
    QCOMPARE(a.partsBy, wanted.partsBy);
    QVERIFY(std::isnan(read.runs[4].anatomy->tracedSeconds));
}

void TestAnatomy::tablesHoldBothPasses()
{
    const TextTable parts = anatomyPartsTable(sample());
    QCOMPARE(parts.rows.size(), std::size_t(5)); // embed, qkv, head, pick, their sum
    QCOMPARE(parts.rows[0][0], std::string("embed"));
    QCOMPARE(parts.rows[0][1], std::string("-")); // traced, not timed
    QCOMPARE(parts.rows[1][0], std::string("qkv"));
    QCOMPARE(parts.rows[1][1], std::string("9.00 us"));
    QCOMPARE(parts.rows[1][4], std::string("2.00 GB/s"));
    QCOMPARE(parts.rows[1][6], std::string("10.0 us"));
    QCOMPARE(parts.rows.back()[0], std::string("sum"));
    QCOMPARE(parts.rows.back()[1], std::string("12.0 us"));
    QCOMPARE(parts.header[2], std::string("share"));
    QCOMPARE(parts.rows[0][2], std::string("-")); // a traced part is no share of what was timed
    QCOMPARE(parts.rows[1][2], std::string("75.0 %"));
    QCOMPARE(parts.rows.back()[2], std::string("100.0 %"));
    StepAnatomy traced = sample();
    traced.parts.clear();
    const TextTable ofTrace = anatomyPartsTable(traced);
    QCOMPARE(ofTrace.header[2], std::string("share of traced"));
    QCOMPARE(ofTrace.rows[1][2], std::string("50.0 %")); // 10 of 20 us
    StepAnatomy zero = sample(); // what no file can hold any more, a program could still make
    zero.tracedSeconds = zero.untracedSeconds = zero.wallSeconds = 0;
    for (const std::string &sentence : anatomySentences(zero))
        QVERIFY2(sentence.find("inf") == std::string::npos && sentence.find("nan") == std::string::npos, sentence.c_str());
    QCOMPARE(anatomyKernelsTable(sample(), 2).rows.size(), std::size_t(2));
    QVERIFY(anatomyPartsTable(StepAnatomy()).rows.empty());
    const QString csv = QString::fromStdString(anatomyCsv({record()}));
    QCOMPARE(csv.count('\n'), 5);
    QVERIFY(csv.contains("qkv,9e-06,"));
    QCOMPARE(QString::fromStdString(kernelsCsv({record()})).count('\n'), 6);
    QCOMPARE(QString::fromStdString(kernelsCsv({samples::sweepRun()})).count('\n'), 1);
}

void TestAnatomy::theReportTellsTheStepApart()
{
    Session session = samples::session();
    session.runs = {record()};
    const QString text = QString::fromStdString(reportMarkdown(session, {}));
    for (const char *words : {"Anatomy of a step", "mode graph, batch 4, context 300", "| qkv |", "25.0 us", "1.25 times",
                              "Made up \\| for a test", "gemm"})
        QVERIFY2(text.contains(words), words);
    QTemporaryDir folder;
    const auto files = writeReport(session, folder.path().toStdString(), {});
    std::set<std::string> names;
    for (const auto &file : files)
        names.insert(file.filename().string());
    for (const char *name : {"session.json", "report.md", "trace.json", "anatomy.csv", "kernels.csv"})
        QVERIFY2(names.count(name), name);
    RunRecord other = record();
    other.plan.runId = other.anatomy->runId = "run-other";
    session.runs.push_back(other);
    QCOMPARE(traceFiles(session).size(), std::size_t(2));
    QCOMPARE(traceFiles(session)[1].first, std::string("trace-2.json"));
    session.runs[0].anatomy.reset();
    QVERIFY(QString::fromStdString(reportMarkdown(session, {})).contains("ended before its result"));
}

QTEST_GUILESS_MAIN(TestAnatomy)
#include "test_anatomy.moc"
