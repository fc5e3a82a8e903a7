// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/decode_model.h"
#include "widgets/chart_view.h"

#include <QElapsedTimer>

#include <qcustomplot.h>

#include <cstdio>
#include <vector>

/// Moves the chart to and fro with all, a quarter and a fiftieth of its steps in sight and prints frames a second.
inline void printPans(ridgepoint::ChartView &chart)
{
    const auto ms = [](qint64 nanoseconds) { return static_cast<double>(nanoseconds) * 1e-6; };
    int points = 0;
    for (int i = 0; i < chart.plot()->graphCount(); ++i)
        if (chart.plot()->graph(i)->lineStyle() == QCPGraph::lsNone)
            points += chart.plot()->graph(i)->dataCount();
    QCPAxis *axis = chart.plot()->xAxis;
    const QCPRange full = axis->range();
    for (const double share : {1.0, 0.25, 0.02}) {
        axis->setRange(full.lower, full.lower + full.size() * share);
        const int frames = 120;
        std::vector<double> times;
        QElapsedTimer all;
        all.start();
        for (int i = 0; i < frames; ++i) {
            QElapsedTimer timer;
            timer.start();
            axis->moveRange(full.size() * share * (i % 40 < 20 ? 0.01 : -0.01));
            chart.plot()->replot(QCustomPlot::rpImmediateRefresh);
            times.push_back(ms(timer.nsecsElapsed()));
        }
        std::printf("pan of %d step points, %3.0f %% in sight: %.0f frames/s (frame median %.2f ms, p95 %.2f ms)\n",
                    points, share * 100, frames / (ms(all.nsecsElapsed()) * 1e-3), ridgepoint::median(times),
                    ridgepoint::percentile(times, 0.95));
    }
    axis->setRange(full);
}
