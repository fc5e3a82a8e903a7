// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every chart in every state, theme and size into a folder, for people to look at:
//   QT_QPA_PLATFORM=offscreen charts_gallery FOLDER [TRANSLATION.qm]
#include "tests/widgets/charts_fixture.h"

#include <QApplication>
#include <QDir>
#include <QTranslator>

#include <cstdio>

using namespace ridgepoint;

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    if (argc < 2 || argc > 3 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fprintf(stderr, "usage: charts_gallery FOLDER [TRANSLATION.qm]\n");
        return 2;
    }
    if (!fixture::pinFont()) {
        std::fprintf(stderr, "The font DejaVu Sans is missing; install fonts-dejavu-core.\n");
        return 1;
    }
    QTranslator translation;
    if (argc == 3) {
        if (!translation.load(QString::fromLocal8Bit(argv[2]))) {
            std::fprintf(stderr, "%s is no translation; build the target release_translations.\n", argv[2]);
            return 2;
        }
        QApplication::installTranslator(&translation);
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    int failures = 0;
    for (const char *state : {"empty", "sweep", "live", "ttft", "line", "imported", "anatomy", "timed", "asked", "modes"}) {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(qstrcmp(state, "empty") != 0));
        if (qstrcmp(state, "sweep") == 0) {
            model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
            model.select(PointKey{fixture::plan().runId, 2});
        } else if (qstrcmp(state, "live") == 0) {
            fixture::makeLive(model);
        } else if (qstrcmp(state, "ttft") == 0) {
            model.setSession(std::make_shared<const Session>(fixture::ttftSession()));
        } else if (qstrcmp(state, "line") == 0) {
            model.setSession(std::make_shared<const Session>(fixture::lineSession()));
            model.setView({ViewOptions::Colour::Series, false, true});
        } else if (qstrcmp(state, "imported") == 0) {
            model.setSession(std::make_shared<const Session>(fixture::importedSession()));
        }
        if (qstrcmp(state, "modes") == 0) {
            model.setSession(std::make_shared<const Session>(fixture::modesSession()));
            model.setCurrentRun(fixture::plan().runId);
        }
        if (qstrcmp(state, "anatomy") == 0)
            model.setSession(std::make_shared<const Session>(fixture::anatomySession()));
        if (qstrcmp(state, "timed") == 0 || qstrcmp(state, "asked") == 0) {
            WhatIf values = fixture::whatIf(true);
            values.measured = fixture::t4Timed();
            if (qstrcmp(state, "asked") == 0) {
                model.setSession(std::make_shared<const Session>(fixture::sweepSession()));
                values.ceilings.bandwidth *= 1.5;
                values.ceilings.memory = 40e9;
            }
            model.setWhatIf(values);
        }
        for (const auto make : {makeRooflineChart, makeThroughputChart, makeLatencyChart, makeTimeAccountChart, makeLineChart,
                                makeFrontierChart, makeAnatomyChart}) {
            const std::unique_ptr<ChartView> chart(make(&model, nullptr));
            for (const bool dark : {false, true}) {
                chart->setTheme(dark ? ChartTheme::darkTheme() : ChartTheme::light());
                for (const QSize &size : {QSize(360, 240), QSize(700, 400), QSize(1600, 1000)}) {
                    const QString name = QStringLiteral("%1-%2-%3-%4x%5.png")
                                             .arg(chart->id(), QLatin1String(state),
                                                  dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                             .arg(size.width())
                                             .arg(size.height());
                    const QString problem = chart->exportTo(folder.filePath(name), size, 1);
                    if (!problem.isEmpty()) {
                        std::fprintf(stderr, "%s\n", qPrintable(problem));
                        ++failures;
                    }
                }
            }
        }
    }
    return failures ? 1 : 0;
}
