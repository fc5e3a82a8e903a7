// SPDX-License-Identifier: GPL-3.0-or-later
// Times what the window promises of its charts, on the screen at hand or offscreen:
// - a slider's move redrawn on all four charts of 700 x 400 (goal: under 16 ms in all),
// - every curve of one slider's move worked out, without painting (goal: under 1 ms),
// - a pan over 200,000 step points (goal: 30 frames a second or better).
#include "tests/benchmarks/pan.h"
#include "tests/widgets/charts_fixture.h"
#include "widgets/chart_parts.h"

#include <QApplication>
#include <QElapsedTimer>

#include <qcustomplot.h>

#include <algorithm>
#include <cstdio>

using namespace ridgepoint;

namespace {

double ms(qint64 nanoseconds)
{
    return static_cast<double>(nanoseconds) * 1e-6;
}

struct Charts4 {
    explicit Charts4(WorkbenchModel &model)
    {
        for (const auto make : {makeRooflineChart, makeThroughputChart, makeLatencyChart, makeTimeAccountChart}) {
            charts.emplace_back(make(&model, nullptr));
            charts.back()->resize(700, 400);
            charts.back()->show();
        }
        QCoreApplication::processEvents();
    }
    std::vector<std::unique_ptr<ChartView>> charts;
};

void redraw(const char *what, WorkbenchModel &model, int moves)
{
    Charts4 four(model);
    std::vector<double> total;
    std::vector<double> each(four.charts.size(), 0);
    const WhatIf start = model.whatIf();
    for (int i = 0; i < moves; ++i) {
        WhatIf moved = start;
        moved.ceilings.bandwidth *= 1 + 0.002 * (i % 200);
        moved.batch = 1 + i % 64;
        moved.context = 256 + 8 * (i % 100);
        QElapsedTimer timer;
        timer.start();
        model.setWhatIf(moved);
        qint64 before = timer.nsecsElapsed();
        for (std::size_t c = 0; c < four.charts.size(); ++c) {
            four.charts[c]->flush();
            four.charts[c]->plot()->repaint();
            const qint64 now = timer.nsecsElapsed();
            each[c] += ms(now - before);
            before = now;
        }
        total.push_back(ms(timer.nsecsElapsed()));
        QCoreApplication::processEvents(); // outside the timing: posted updates of the frames
    }
    model.setWhatIf(start);
    std::printf("four charts, %s, what-if change: median %.2f ms, p95 %.2f ms (%d moves;", what, median(total),
                percentile(total, 0.95), moves);
    for (std::size_t c = 0; c < four.charts.size(); ++c)
        std::printf(" %s %.2f", qPrintable(four.charts[c]->id()), each[c] / moves);
    std::printf(")\n");
}

void recompute(const char *what, WorkbenchModel &model, int moves)
{
    std::vector<double> times;
    const WhatIf start = model.whatIf();
    std::size_t predicted = 0;
    for (int i = 0; i < moves; ++i) {
        WhatIf moved = start;
        moved.batch = 1 + i % 64;
        moved.context = 256 + 8 * (i % 100);
        QElapsedTimer timer;
        timer.start();
        model.setWhatIf(moved);
        predicted = recomputeCurves(model);
        times.push_back(ms(timer.nsecsElapsed()));
    }
    model.setWhatIf(start);
    std::printf("every curve, %s, %zu predicted steps: median %.3f ms, p95 %.3f ms (%d moves)\n", what, predicted,
                median(times), percentile(times, 0.95), moves);
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    if (!fixture::pinFont())
        std::fprintf(stderr, "The font DejaVu Sans is missing: times are those of the default font.\n");

    {
        WorkbenchModel model;
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        model.setWhatIf(fixture::whatIf(true));
        recompute("floor + overhead", model, 400);
        WhatIf timed = fixture::whatIf(true);
        timed.measured = fixture::t4Timed();
        model.setWhatIf(timed);
        recompute("timed steps", model, 400);
    }
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        redraw("nothing run", model, 300);
    }
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
        redraw("sweep of 10 points", model, 300);
    }
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(std::make_shared<const Session>(fixture::sweepSession(25000)));
        redraw("200,000 steps", model, 60);

        const std::unique_ptr<ChartView> chart(makeLatencyChart(&model, nullptr));
        chart->resize(700, 400);
        chart->show();
        QCoreApplication::processEvents();
        printPans(*chart);
    }
    return 0;
}
