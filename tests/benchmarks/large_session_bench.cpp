// SPDX-License-Identifier: GPL-3.0-or-later
// A session of a million steps in the window: opened (goal: under 2 s), panned (goal: 30 frames a second or better),
// and how much memory that takes at its peak (goal: under 1 GB).
//
//   large_session_bench [STEPS]
#include "tests/app/window_bench.h"
#include "tests/benchmarks/pan.h"
#include "tests/benchmarks/process_memory.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>

using namespace ridgepoint;

namespace {

/// A sweep of ten points as a GPU records them: device and wall time, clocks, temperature and power beside every step.
Session largeSession(const test::Bench &bench, std::size_t steps)
{
    constexpr int kPoints = 10;
    Session session = newSession();
    RunPlan plan = test::catalogPlan(bench);
    plan.runId = newId();
    applyEvent(session, test::started(plan));
    for (int i = 0; i < kPoints; ++i) {
        SweepPoint point = test::point(plan, i, 1 << i);
        point.steps.resize(steps / kPoints);
        for (std::size_t k = 0; k < point.steps.size(); ++k) {
            StepSample &step = point.steps[k];
            const double wave = std::sin(static_cast<double>(k) * 0.37) + std::sin(static_cast<double>(k) * 0.0113);
            step.step = static_cast<std::int64_t>(k);
            step.context = point.prompt + static_cast<std::int64_t>(k);
            step.deviceSeconds = (1 + 0.02 * wave) * 1e-3 * (1 + i) * (1 + 1e-6 * static_cast<double>(k));
            step.wallSeconds = step.deviceSeconds + 2.13e-5;
            step.smClockHz = 1.98e9 - 1.5e7 * (k % 7 == 0);
            step.memoryClockHz = 3.201e9;
            step.temperatureC = 41 + std::floor(5 * wave);
            step.powerWatts = 312.5 + std::floor(40 * wave);
        }
        summariseSteps(point);
        applyEvent(session, PointFinished{plan.runId, point});
    }
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    return session;
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    test::Bench bench;
    const std::size_t steps = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    const QString path = bench.path("large.json");
    saveSession(largeSession(bench, steps), path.toStdString());
    malloc_trim(0);
    forgetPeakMemory();
    std::printf("session of %zu steps, a file of %.0f MB; the process holds %.0f MB before\n", steps,
                static_cast<double>(QFileInfo(path).size()) * 1e-6, statusBytes("VmHWM") * 1e-6);
    QElapsedTimer timer;
    {
        timer.start();
        const Session read = loadSession(path.toStdString());
        std::printf("read without a window: %.2f s, peak memory %.0f MB\n",
                    static_cast<double>(timer.nsecsElapsed()) * 1e-9, statusBytes("VmHWM") * 1e-6);
    }
    malloc_trim(0);
    const auto window = bench.window();
    QCoreApplication::processEvents();
    forgetPeakMemory();
    timer.restart();
    if (!window->openSession(path)) {
        std::fprintf(stderr, "%s\n", qPrintable(window->messages()->texts().join('\n')));
        return 1;
    }
    QCoreApplication::processEvents();
    std::printf("opened in the window and painted: %.2f s, peak memory %.0f MB\n",
                static_cast<double>(timer.nsecsElapsed()) * 1e-9, statusBytes("VmHWM") * 1e-6);
    for (ChartView *chart : window->findChildren<ChartView *>())
        if (chart->id() == QLatin1String("latency")) {
            chart->flush();
            printPans(*chart);
        }
    std::printf("peak memory after that: %.0f MB\n", statusBytes("VmHWM") * 1e-6);
    return 0;
}
