// SPDX-License-Identifier: GPL-3.0-or-later
// A step on a GPU taken apart: whole runs of the experiment. Skips itself without a GPU.
#include "core/cuda/cupti_trace.h"
#include "core/torch/torch_engine.h"
#include "tests/torch/experiment_plans.h"

#include <QtTest>

#include <cuda_runtime_api.h>

#include <cmath>
#include <map>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

StepAnatomy anatomyOf(const RunPlan &plan)
{
    std::vector<Event> events;
    makeTorchEngine()->run(plan, [&](const Event &event) { events.push_back(event); }, {});
    const auto end = eventsOf<RunEnded>(events);
    if (end.size() != 1 || end[0].how != RunEnded::How::Done)
        throw Error(ErrorKind::Failure, end.empty() ? "no end" : end[0].sentence);
    return eventsOf<AnatomyFinished>(events).at(0).anatomy;
}

RunPlan plan(DecodeMode mode)
{
    RunPlan plan = tinyPlan(Experiment::Anatomy);
    plan.device = "cuda:0";
    plan.dtype = DType::F16;
    plan.mode = mode;
    plan.model.shape.layers = 4;
    plan.model.shape.headDim = 64;
    plan.batches = {2};
    plan.prompts = {50};
    plan.telemetry = false;
    return plan;
}

} // namespace

class TestCudaAnatomy : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
            QSKIP("No GPU here.");
    }

    void partsAreTimed_data() { modes(); }
    void partsAreTimed()
    {
        QFETCH(int, mode);
        const RunPlan wanted = plan(DecodeMode(mode));
        const StepAnatomy a = anatomyOf(wanted);
        QVERIFY(a.mode == wanted.mode);
        QVERIFY(a.untracedSeconds > 0);
        std::map<StepPart, double> seconds;
        for (const PartTiming &part : a.parts)
            seconds[part.part] = part.seconds;
        for (const PartWork &work : partWork(wanted.model.shape, wanted.dtype, 2, 50))
            QVERIFY2(seconds[work.part] > 0, std::string(stepPartName(work.part)).c_str());
        for (const StepPart part : {StepPart::Embed, StepPart::Activation, StepPart::Pick})
            QVERIFY2(seconds[part] > 0, std::string(stepPartName(part)).c_str());
        QVERIFY(!a.partsBy.empty());
    }

    void theTraceHoldsEveryKernelWithItsPart_data() { modes(); }
    void theTraceHoldsEveryKernelWithItsPart()
    {
        QFETCH(int, mode);
        std::string why;
        if (!openCuptiTracer(why))
            QSKIP(why.c_str());
        const RunPlan wanted = plan(DecodeMode(mode));
        const StepAnatomy a = anatomyOf(wanted);
        QVERIFY2(!a.kernels.empty(), a.note.c_str());
        QVERIFY2(QString::fromStdString(a.tracer).startsWith("CUPTI"), a.tracer.c_str());
        // Nine operations a layer, five outside; a product may take two kernels.
        QVERIFY2(a.kernels.size() >= 4 * 9 + 4, qPrintable(QString::number(a.kernels.size())));
        QVERIFY(a.busySeconds > 0 && a.busySeconds <= a.tracedSeconds * (1 + 1e-9));
        QVERIFY(a.tracedSeconds <= a.wallSeconds);
        QCOMPARE(a.kernels.front().startSeconds, 0.0);
        QVERIFY(a.kernels.front().part == StepPart::Embed);
        QVERIFY(a.kernels.back().part == StepPart::Pick);
        std::map<StepPart, int> calls;
        double reached = 0;
        for (const TracedKernel &kernel : a.kernels) {
            QVERIFY2(kernel.part != StepPart::Other, kernel.name.c_str());
            QVERIFY(kernel.startSeconds >= reached - 1e-6);
            reached = kernel.startSeconds;
            ++calls[kernel.part];
        }
        QCOMPARE(calls[StepPart::Attention], 4); // own kernels: one call each
        QCOMPARE(calls[StepPart::Rope], 4);
        QCOMPARE(calls[StepPart::Norms], 2 * 4 + 1);
        QCOMPARE(calls[StepPart::Activation], 4);
    }

    void aRunAfterATraceIsUntouched()
    {
        // Tracing leaves nothing switched on: a second anatomy and a sweep in the same process work.
        anatomyOf(plan(DecodeMode::Graph));
        anatomyOf(plan(DecodeMode::Eager));
        RunPlan sweep = plan(DecodeMode::Graph);
        sweep.experiment = Experiment::Sweep;
        std::vector<Event> events;
        makeTorchEngine()->run(sweep, [&](const Event &event) { events.push_back(event); }, {});
        for (const SweepPoint &point : [&] {
                 std::vector<SweepPoint> points;
                 for (const PointFinished &finished : eventsOf<PointFinished>(events))
                     points.push_back(finished.point);
                 return points;
             }())
            QVERIFY2(point.status == PointStatus::Ok, point.reason.c_str());
        QVERIFY(!eventsOf<PointFinished>(events).empty());
    }

private:
    static void modes()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("eager") << int(DecodeMode::Eager);
        QTest::newRow("graph") << int(DecodeMode::Graph);
    }
};

QTEST_GUILESS_MAIN(TestCudaAnatomy)
#include "test_cuda_anatomy.moc"
