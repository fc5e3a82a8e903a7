// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/verdict.h"

#include "core/base/format.h"
#include "samples.h"

#include <QtTest>

#include <cmath>
#include <functional>

using namespace ridgepoint;

namespace {

/// One point of a made run on the samples' T4 (270 GB/s, 50 TFLOP/s measured; 320 GB/s, 65 TFLOP/s nominal), and what else the
/// session knows. Times and costs as multiples of the floor at the measured ceilings.
struct Made {
    std::int64_t batch = 1;
    double context = 256;
    double step = 1.2;
    double spread = 0;        ///< (p90 - p10) / median
    double fixed = kMissing;  ///< measured cost of a step without weights, in the point's own mode
    double fixedGraph = kMissing;
    double twin = kMissing; ///< the step in the other mode
    double busy = kMissing; ///< kernels of an anatomy
    double wall = kMissing; ///< by the host's clock
    double backToBack = kMissing;
    double smallest = kMissing; ///< step of batch 1 in the same run
    bool measured = true, nominal = true;
    DecodeMode mode = DecodeMode::Eager;
    const char *device = "cuda:0";
    DType dtype = DType::F16;
    const char *throttle = "";
};

void fill(SweepPoint &p, double seconds, double spread, double wall, const char *throttle)
{
    p.steps.clear();
    for (int i = 0; i < 11; ++i) {
        StepSample s;
        s.step = i;
        s.context = static_cast<std::int64_t>(p.context);
        s.deviceSeconds = seconds * (1 + spread * (i - 5) / 8.0); // p10 and p90 are the samples 1 and 9
        s.wallSeconds = wall;
        s.throttle = throttle;
        p.steps.push_back(s);
    }
    summariseSteps(p);
}

Verdict verdictOf(const Made &made)
{
    Session session = newSession();
    RunRecord run;
    run.plan = samples::sweepPlan();
    run.plan.mode = made.mode;
    run.plan.device = made.device;
    run.plan.dtype = made.dtype;
    run.plan.measured->matmulFlops[made.dtype] = 50e12;
    run.provenance = samples::provenance();
    const Workload workload = makeWorkload(run.plan.model.shape, made.dtype, Accounting::Exact);
    const double floor =
        predictStep(workload, {270e9, 50e12, 0, 0}, static_cast<double>(made.batch), made.context).floorSeconds();
    const auto cost = [&](double multiple) {
        return std::isnan(multiple) ? std::optional<double>() : std::optional<double>(multiple * floor);
    };
    MeasuredCeilings &m = *run.plan.measured;
    (made.mode == DecodeMode::Graph ? m.graphStepOverhead : m.stepOverhead) = cost(made.fixed);
    if (made.mode == DecodeMode::Graph)
        m.stepOverhead.reset();
    else
        m.graphStepOverhead = cost(made.fixedGraph);
    if (!made.measured)
        run.plan.measured.reset();
    if (!made.nominal)
        run.plan.nominal = {};
    const auto point = [&](std::int64_t batch, double multiple, DecodeMode mode) {
        SweepPoint p;
        p.batch = batch;
        p.prompt = 128;
        p.context = made.context;
        p.mode = mode;
        fill(p, multiple * floor, mode == made.mode ? made.spread : 0, made.wall * floor, made.throttle);
        return p;
    };
    if (!std::isnan(made.smallest))
        run.points.push_back(point(1, made.smallest, made.mode));
    run.points.push_back(point(made.batch, made.step, made.mode));
    run.points.back().backToBackSeconds = made.backToBack * floor;
    session.runs.push_back(run);
    if (!std::isnan(made.twin)) {
        RunRecord other = run;
        other.plan.runId = "other";
        const DecodeMode mode = made.mode == DecodeMode::Eager ? DecodeMode::Graph : DecodeMode::Eager;
        other.plan.mode = mode;
        other.points = {point(made.batch, made.twin, mode)};
        session.runs.push_back(other);
    }
    if (!std::isnan(made.busy)) {
        RunRecord taken = run;
        taken.plan.runId = "anatomy";
        taken.points.clear();
        StepAnatomy a;
        a.mode = made.mode;
        a.batch = static_cast<double>(made.batch);
        a.context = made.context * 1.02;
        a.untracedSeconds = made.step * floor;
        a.tracedSeconds = made.step * floor * 1.3;
        a.busySeconds = made.busy * floor;
        taken.anatomy = a;
        session.runs.push_back(taken);
    }
    return judge(session, session.runs.front(), session.runs.front().points.back());
}

QString said(const std::vector<Message> &messages)
{
    QString text;
    for (const Message &m : messages)
        text += QString::fromStdString(m.english()) + "\n";
    return text;
}

QString evidenceOf(const Verdict &v)
{
    QString text;
    for (const Evidence &e : v.evidence)
        text += QString::fromStdString(e.text.english()) + "\n";
    return text;
}

} // namespace

Q_DECLARE_METATYPE(Made)

class TestVerdict : public QObject
{
    Q_OBJECT
private slots:
    void everyKindByItsRule_data()
    {
        QTest::addColumn<Made>("made");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("because"); ///< in the sentence
        const auto row = [](const char *name, const Made &made, const char *kind, const char *because) {
            QTest::newRow(name) << made << kind << because;
        };
        row("nearly at the bandwidth", {.step = 1.2}, "memory-bound", "83.3 %");
        row("a ratio under 3 alone", {.step = 2.5}, "memory-bound", "40.0 %");
        row("launching hides behind the device", {.step = 1.6, .fixed = 0.6}, "memory-bound", "62.5 %");
        row("compute", {.batch = 2000, .context = 16, .step = 1.3}, "compute-bound", "arithmetic alone would take 76.9 %");
        row("at the ridge", {.batch = 200, .context = 16, .step = 1.3}, "mixed", "at the ridge");
        row("launches by the bare step", {.step = 4, .fixed = 2.4}, "launch-bound", "60.0 %");
        row("launches by the graph beside it", {.step = 4, .fixedGraph = 1.2, .twin = 2.8}, "launch-bound", "60.0 %");
        row("launches by an anatomy", {.step = 4, .busy = 1.6}, "launch-bound", "60.0 %");
        row("launches by the host's clock", {.step = 4, .wall = 10}, "launch-bound", "60.0 %");
        row("fixed cost on the CPU", {.step = 4, .fixed = 2.4, .device = "cpu"}, "launch-bound", "60.0 %");
        row("a graph beats the upper bound of the bare step",
            {.step = 2.5, .fixed = 2.4, .fixedGraph = 0.1, .twin = 2.45}, "memory-bound", "40.0 %");
        row("bytes and launches", {.step = 2.5, .fixed = 1.0}, "mixed", "launches and the fixed cost of kernels 40.0 %");
        row("bytes and as many launches", {.step = 1.8, .fixed = 1.0}, "mixed", "55.6 %");
        row("kernels below both roofs", {.step = 4, .fixed = 0.4, .mode = DecodeMode::Graph}, "mixed", "neither bytes");
        row("nothing known but a ratio over 3", {.step = 4}, "cannot tell", "nothing that was measured says");
        row("nothing known but a ratio over 6", {.step = 7}, "cannot tell", "nothing that was measured says");
        row("a bare step longer than the step", {.step = 4, .fixed = 4.4}, "cannot tell", "nothing that was measured says");
        row("faster than the floor", {.step = 0.5}, "cannot tell", "impossible");
        row("faster than the calibration", {.step = 0.95}, "cannot tell", "underrates");
        row("steps too far apart", {.step = 1.3, .spread = 0.3}, "cannot tell", "30.0 %");
        row("no ceilings", {.measured = false, .nominal = false}, "cannot tell", "no ceilings");
        row("no step time", {.step = std::nan("")}, "cannot tell", "no step time");
        row("the datasheet alone", {.step = 1.2, .measured = false}, "memory-bound", "70.3 %");
    }
    void everyKindByItsRule()
    {
        QFETCH(Made, made);
        QFETCH(QString, kind);
        QFETCH(QString, because);
        const Verdict v = verdictOf(made);
        const QString sentence = QString::fromStdString(v.sentence.english());
        QVERIFY2(QString::fromStdString(std::string(verdictName(v.kind))) == kind, qPrintable(sentence));
        QVERIFY2(sentence.startsWith(kind, Qt::CaseInsensitive), qPrintable(sentence));
        QVERIFY2(sentence.contains(because), qPrintable(sentence));
        QVERIFY(!v.next.empty());
        for (const QString &text : {sentence, evidenceOf(v), said(v.next), said(v.cautions)})
            QVERIFY2(!text.contains('%' + QString("1")) && !text.contains("nan"), qPrintable(text));
    }

    void evidenceIsNamed_data()
    {
        QTest::addColumn<Made>("made");
        QTest::addColumn<QString>("evidence");
        QTest::newRow("ratio") << Made{.step = 4} << "4.00 times its floor";
        QTest::newRow("band") << Made{.step = 4} << "3 to 6";
        QTest::newRow("intensity") << Made{} << "below the ridge of 185 FLOP/B";
        QTest::newRow("above the ridge") << Made{.batch = 2000, .context = 16} << "above the ridge of 185 FLOP/B";
        QTest::newRow("anatomy") << Made{.step = 4, .busy = 1.6} << "for 60.0 % of the step the device had nothing to do";
        QTest::newRow("anatomy that contradicts") << Made{.step = 1.2, .busy = 1.6} << "contradict each other";
        QTest::newRow("graph") << Made{.step = 4, .twin = 2} << "launching is 50.0 % of it";
        QTest::newRow("eager beside a graph")
            << Made{.step = 2, .twin = 4, .mode = DecodeMode::Graph} << "50.0 % of the eager step was launching";
        QTest::newRow("graph slower") << Made{.step = 2, .twin = 3} << "not measured under the same conditions";
        QTest::newRow("bare step longer") << Made{.step = 2, .fixed = 2.2} << "longer than this step";
        QTest::newRow("host gap") << Made{.step = 2, .wall = 2.5} << "did not run for";
        QTest::newRow("back to back") << Made{.step = 2, .wall = 2.5, .backToBack = 2} << "waiting costs 20.0 %";
        QTest::newRow("back to back, longer") << Made{.step = 2, .wall = 2, .backToBack = 2.4} << "the cost of waiting is not known";
        QTest::newRow("throttling") << Made{.throttle = "power cap"} << "11 of 11 steps ran while the device reported throttling (power cap)";
        QTest::newRow("datasheet only") << Made{.measured = false} << "nothing was calibrated";
    }
    void evidenceIsNamed()
    {
        QFETCH(Made, made);
        QFETCH(QString, evidence);
        const QString text = evidenceOf(verdictOf(made));
        QVERIFY2(text.contains(evidence), qPrintable(text));
    }

    void nextThingToTry_data()
    {
        QTest::addColumn<Made>("made");
        QTest::addColumn<QString>("next");
        QTest::newRow("graph") << Made{.step = 4, .fixed = 2.4} << "Try --mode graph";
        QTest::newRow("graph that is there") << Made{.step = 4, .fixedGraph = 1.2, .twin = 2.8} << "Use --mode graph";
        QTest::newRow("larger batch") << Made{} << "A larger batch: weights are read";
        QTest::newRow("KV rules") << Made{.batch = 128, .context = 8192} << "A shorter context";
        QTest::newRow("narrower dtype") << Made{.dtype = DType::F32} << "half the bytes";
        QTest::newRow("compute") << Made{.batch = 2000, .context = 16} << "gains no more tokens a second";
        QTest::newRow("anatomy") << Made{.step = 2} << "Take a step apart";
        QTest::newRow("calibrate") << Made{.measured = false} << "Calibrate";
        QTest::newRow("synchronisation") << Made{.step = 2, .wall = 4, .backToBack = 2} << "Look at the synchronisation";
        QTest::newRow("what decides") << Made{.step = 4} << "Measure the same point with --mode graph";
        QTest::newRow("spread") << Made{.spread = 0.5} << "Measure again with more steps";
        QTest::newRow("fault") << Made{.step = 0.5} << "Check that every timed step waits";
    }
    void nextThingToTry()
    {
        QFETCH(Made, made);
        QFETCH(QString, next);
        const QString text = said(verdictOf(made).next);
        QVERIFY2(text.contains(next), qPrintable(text));
    }

    /// A misreading is put right where the figures invite it, and nowhere else.
    void cautionsStandWhereTheyBelong_data()
    {
        QTest::addColumn<Made>("made");
        QTest::addColumn<QString>("caution");
        QTest::addColumn<bool>("there");
        QTest::newRow("a ratio of 4") << Made{.step = 4} << "A ratio of 4.00 does not mean that 25.0 % of the bandwidth" << true;
        QTest::newRow("a ratio of 4, kernels known")
            << Made{.step = 4, .busy = 2} << "in which kernels ran, bytes moved at 135 GB/s" << true;
        QTest::newRow("a ratio of 2") << Made{.step = 2} << "does not mean that" << false;
        QTest::newRow("a ratio of compute") << Made{.batch = 2000, .context = 16, .step = 4} << "of the bandwidth" << false;
        QTest::newRow("bent by KV") << Made{.batch = 64, .context = 2048, .smallest = 0.5} << "does not make it compute-bound" << true;
        QTest::newRow("bent by compute")
            << Made{.batch = 2000, .context = 16, .smallest = 0.3} << "does not make it compute-bound" << false;
        QTest::newRow("not bent") << Made{.batch = 64, .context = 2048, .smallest = 1.2} << "does not make it compute-bound" << false;
        QTest::newRow("intensity below the batch") << Made{.batch = 64, .context = 2048} << "Arithmetic intensity is not the batch: at batch 64 it is" << true;
        QTest::newRow("intensity near the batch") << Made{.batch = 64, .context = 16} << "is not the batch" << false;
        QTest::newRow("one sequence") << Made{.context = 1e6} << "is not the batch" << false;
    }
    /// Bytes alone and launches alone may come to more than the step: the reader is told why.
    void overlappingSharesAreExplained()
    {
        int overlapping = 0, plain = 0;
        for (const char *name : {"h200-sweep-tinyllama-fp16.json", "h200-sweep-qwen2.5-1.5b-fp16.json"}) {
            const Session session = loadSession(std::string(RIDGEPOINT_SOURCE_DIR "/resources/samples/") + name);
            for (const RunRecord &run : session.runs) {
                for (const SweepPoint &point : run.points) {
                    const Verdict verdict = judge(session, run, point);
                    const double sum = std::max(verdict.memoryShare, verdict.computeShare) + verdict.launchShare;
                    const bool told = said(verdict.cautions).contains("overlap");
                    QCOMPARE(told, sum > 1.05);
                    (told ? overlapping : plain) += 1;
                }
            }
        }
        QVERIFY2(overlapping > 0 && plain > 0, qPrintable(QStringLiteral("%1 %2").arg(overlapping).arg(plain)));
    }
    void cautionsStandWhereTheyBelong()
    {
        QFETCH(Made, made);
        QFETCH(QString, caution);
        QFETCH(bool, there);
        const QString text = said(verdictOf(made).cautions);
        QVERIFY2(text.contains(caution) == there, qPrintable(text));
    }

    void otherDevicesAndContextsAreNoEvidence()
    {
        Session session = newSession();
        RunRecord run = samples::sweepRun();
        session.runs.push_back(run);
        RunRecord other = run;
        other.plan.runId = "other";
        for (SweepPoint &p : other.points) {
            p.mode = DecodeMode::Graph;
            p.stepSeconds /= 2;
        }
        const auto graphTold = [&] {
            const Verdict v = judge(session, session.runs.front(), session.runs.front().points.front());
            return evidenceOf(v).contains("replayed from a graph");
        };
        session.runs.push_back(other);
        QVERIFY(graphTold());
        session.runs.back().provenance.deviceName = "another card";
        QVERIFY(!graphTold());
        session.runs.back() = other;
        session.runs.back().plan.dtype = DType::BF16;
        QVERIFY(!graphTold());
        session.runs.back() = other;
        for (SweepPoint &p : session.runs.back().points)
            p.context *= 1.5;
        QVERIFY(!graphTold());
    }

    void aTtftRecordIsJudgedByItsTpot()
    {
        Session session = newSession();
        session.runs.push_back(samples::ttftRun());
        const Verdict v = judgeTtft(session, session.runs.front());
        QVERIFY(v.ratio > 1.9 && v.ratio < 2.2); // 16 ms over a floor of 7.7 ms
        session.runs.front().ttft.reset();
        QCOMPARE(judgeTtft(session, session.runs.front()).kind, VerdictKind::CannotTell);
    }

    /// Recorded on an H200: what the shipped sessions say.
    void recordedSessions_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("run");
        QTest::addColumn<int>("point");
        QTest::addColumn<QString>("kind");
        QTest::newRow("TinyLlama, eager, b = 1") << "tinyllama" << 0 << 0 << "launch-bound";
        QTest::newRow("TinyLlama, graph, b = 1") << "tinyllama" << 1 << 0 << "mixed";
        QTest::newRow("TinyLlama, graph, b = 128, n = 2078") << "tinyllama" << 1 << 9 << "memory-bound";
        QTest::newRow("Llama-2-7B, graph, b = 1") << "llama-2-7b" << 1 << 0 << "memory-bound";
        QTest::newRow("Llama-2-7B, graph, b = 128") << "llama-2-7b" << 1 << 4 << "memory-bound";
    }
    void recordedSessions()
    {
        QFETCH(QString, file);
        QFETCH(int, run);
        QFETCH(int, point);
        QFETCH(QString, kind);
        const Session session = loadSession(
            (QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-sweep-%1-fp16.json").arg(file)).toStdString());
        const RunRecord &r = session.runs.at(std::size_t(run));
        const Verdict v = judge(session, r, r.points.at(std::size_t(point)));
        QCOMPARE(QString::fromStdString(std::string(verdictName(v.kind))), kind);
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "test_verdict.moc"
