// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include <QtTest>

#include <functional>
#include <set>

using namespace ridgepoint;

using Change = std::function<void(RunPlan &)>;
Q_DECLARE_METATYPE(Change)

class TestPlan : public QObject {
    Q_OBJECT
private slots:
    void soundPlansPass_data();
    void soundPlansPass();
    void unsoundPlansAreNamed_data();
    void unsoundPlansAreNamed();
    void namesReadBack();
    void idsAreRandomUuids();
};

void TestPlan::soundPlansPass_data()
{
    QTest::addColumn<Change>("change");
    QTest::newRow("as it is") << Change([](RunPlan &) {});
    QTest::newRow("a batch twice") << Change([](RunPlan &p) { p.batches = {4, 4}; });
    QTest::newRow("largest batch") << Change([](RunPlan &p) { p.batches = {65536}; });
    QTest::newRow("no warm-up") << Change([](RunPlan &p) { p.warmup = 0; });
    QTest::newRow("random weights beyond the positions") << Change([](RunPlan &p) { p.prompts = {4096}; });
    QTest::newRow("checkpoint, the last position") << Change([](RunPlan &p) {
        p.model.folder = "some/folder";
        p.prompts = {2048 - 7};
    });
    QTest::newRow("graph on a GPU") << Change([](RunPlan &p) { p.mode = DecodeMode::Graph; });
    QTest::newRow("bf16 on the CPU") << Change([](RunPlan &p) {
        p.device = "cpu";
        p.dtype = DType::BF16;
    });
    QTest::newRow("calibration without a model") << Change([](RunPlan &p) {
        p = RunPlan();
        p.experiment = Experiment::Calibrate;
    });
    QTest::newRow("anatomy") << Change([](RunPlan &p) {
        p.experiment = Experiment::Anatomy;
        p.newTokens = 0; // not used
        p.methods.clear();
    });
    QTest::newRow("anatomy at the last position") << Change([](RunPlan &p) {
        p.experiment = Experiment::Anatomy;
        p.model.folder = "some/folder";
        p.prompts = {2047};
    });
    QTest::newRow("ttft of two tokens") << Change([](RunPlan &p) {
        p.experiment = Experiment::Ttft;
        p.newTokens = 2;
    });
}

void TestPlan::soundPlansPass()
{
    QFETCH(Change, change);
    RunPlan plan = samples::sweepPlan();
    change(plan);
    try {
        validatePlan(plan);
    } catch (const Error &e) {
        QFAIL(e.what());
    }
}

void TestPlan::unsoundPlansAreNamed_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QStringList>("named");
    const auto row = [](const char *name, Change change, QStringList named) { QTest::newRow(name) << change << named; };
    const auto ttft = [](RunPlan &p) { p.experiment = Experiment::Ttft; };
    row("batch 0", [](RunPlan &p) { p.batches = {1, 0}; }, {"0", "batches", "65536"});
    row("a trillion", [](RunPlan &p) { p.batches = {1'000'000'000'000}; }, {"1000000000000", "batches", "65536"});
    row("negative batch", [](RunPlan &p) { p.batches = {-4}; }, {"-4", "batches"});
    row("no batches", [](RunPlan &p) { p.batches.clear(); }, {"batches", "empty"});
    row("too many batches", [](RunPlan &p) { p.batches.assign(1001, 1); }, {"1001", "batches"});
    row("prompt 0", [](RunPlan &p) { p.prompts = {0}; }, {"0", "prompt"});
    row("prompt too long", [](RunPlan &p) { p.prompts = {10'000'001}; }, {"10000001", "prompt"});
    row("no prompts", [](RunPlan &p) { p.prompts.clear(); }, {"prompt", "empty"});
    row("no steps", [](RunPlan &p) { p.steps = 0; }, {"steps", "is 0", "1000000"});
    row("too many steps", [](RunPlan &p) { p.steps = 1'000'001; }, {"steps", "1000001"});
    row("negative warm-up", [](RunPlan &p) { p.warmup = -1; }, {"untimed", "-1"});
    row("beyond a checkpoint's positions",
        [](RunPlan &p) {
            p.model.folder = "some/folder";
            p.prompts = {128, 2042};
        },
        {"2042", "2049", "2048", "2041"});
    row("one new token", [ttft](RunPlan &p) { ttft(p), p.newTokens = 1; }, {"is 1", "at least 2"});
    row("too many new tokens", [ttft](RunPlan &p) { ttft(p), p.newTokens = 1'000'001; }, {"1000001"});
    row("no repeats", [ttft](RunPlan &p) { ttft(p), p.repeats = 0; }, {"repeats", "is 0"});
    row("no methods", [ttft](RunPlan &p) { ttft(p), p.methods.clear(); }, {"method"});
    row("method 4", [ttft](RunPlan &p) { ttft(p), p.methods = {static_cast<TtftMethod>(4)}; }, {"4", "method"});
    row("new tokens beyond the positions",
        [ttft](RunPlan &p) {
            ttft(p);
            p.model.folder = "some/folder";
            p.prompts = {2000};
            p.newTokens = 49;
        },
        {"2000", "2048", "1999"});
    const auto anatomy = [](RunPlan &p) { p.experiment = Experiment::Anatomy; };
    row("anatomy of no steps", [anatomy](RunPlan &p) { anatomy(p), p.steps = 0; }, {"steps", "is 0"});
    row("anatomy without a batch", [anatomy](RunPlan &p) { anatomy(p), p.batches.clear(); }, {"batches", "empty"});
    row("anatomy without a context", [anatomy](RunPlan &p) { anatomy(p), p.prompts.clear(); }, {"prompt", "empty"});
    row("anatomy of a negative warm-up", [anatomy](RunPlan &p) { anatomy(p), p.warmup = -1; }, {"untimed", "-1"});
    row("anatomy beyond the positions",
        [anatomy](RunPlan &p) {
            anatomy(p);
            p.model.folder = "some/folder";
            p.prompts = {2048};
        },
        {"2048", "2047"});
    row("threads", [](RunPlan &p) { p.threads = 1025; }, {"threads", "1025"});
    row("negative threads", [](RunPlan &p) { p.threads = -1; }, {"threads", "-1"});
    row("unknown device", [](RunPlan &p) { p.device = "tpu"; }, {"'tpu'", "cpu"});
    row("GPU without a number", [](RunPlan &p) { p.device = "cuda:"; }, {"'cuda:'"});
    row("GPU of a negative number", [](RunPlan &p) { p.device = "cuda:-1"; }, {"'cuda:-1'"});
    row("graph on the CPU",
        [](RunPlan &p) {
            p.device = "cpu";
            p.dtype = DType::BF16;
            p.mode = DecodeMode::Graph;
        },
        {"'graph'", "eager"});
    row("fused on the CPU",
        [](RunPlan &p) {
            p.device = "cpu";
            p.dtype = DType::F32;
            p.mode = DecodeMode::Fused;
        },
        {"'fused'", "eager"});
    row("fp16 on the CPU", [](RunPlan &p) { p.device = "cpu"; }, {"fp16", "bf16"});
    row("infinite bandwidth", [](RunPlan &p) { p.nominal.bandwidth = INFINITY; }, {"bandwidth", "inf"});
    row("missing memory limit", [](RunPlan &p) { p.memoryLimitBytes = kMissing; }, {"memory limit", "nan"});
    row("a shape without layers", [](RunPlan &p) { p.model.shape.layers = 0; }, {"layers"});
    row("text for random weights", [](RunPlan &p) { p.promptText = "Hello"; }, {"tokenizer", "tinyllama-1.1b"});
}

void TestPlan::unsoundPlansAreNamed()
{
    QFETCH(Change, change);
    QFETCH(QStringList, named);
    RunPlan plan = samples::sweepPlan();
    change(plan);
    const auto sentence = samples::sentenceOf(ErrorKind::Usage, [&] { validatePlan(plan); });
    QVERIFY(sentence);
    for (const QString &word : named)
        QVERIFY2(sentence->contains(word), qPrintable("'" + word + "' is not in: " + *sentence));
    QVERIFY2(sentence->endsWith('.'), qPrintable(*sentence));
}

void TestPlan::namesReadBack()
{
    for (const Experiment e : {Experiment::Calibrate, Experiment::Ttft, Experiment::Sweep})
        QVERIFY(parseExperiment(experimentName(e)) == e);
    for (const DecodeMode m : {DecodeMode::Eager, DecodeMode::Graph, DecodeMode::Fused})
        QVERIFY(parseMode(modeName(m)) == m);
    for (const PointStatus s : {PointStatus::Ok, PointStatus::OutOfMemory, PointStatus::Skipped, PointStatus::Failed})
        QVERIFY(parseStatus(statusName(s)) == s);
    QVERIFY(!parseExperiment("Sweep") && !parseMode("") && !parseStatus("out of memory"));
}

void TestPlan::idsAreRandomUuids()
{
    const QRegularExpression uuid("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
    std::set<std::string> seen;
    for (int i = 0; i < 200; ++i) {
        const std::string id = newId();
        QVERIFY2(uuid.match(QString::fromStdString(id)).hasMatch(), id.c_str());
        QVERIFY(seen.insert(id).second);
    }
}

QTEST_APPLESS_MAIN(TestPlan)
#include "test_plan.moc"
