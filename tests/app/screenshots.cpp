// SPDX-License-Identifier: GPL-3.0-or-later
// screenshots FOLDER [SESSION [SECOND]]: drives the real window with the real engine and writes PNGs of what it looks
// like, for the README and for the eye. Sizes 1280x800, 2560x1440 and 1024x700, light and dark. Without SESSION the first
// plan of the window is run and then TTFT and TPOT; what they measured is kept as FOLDER/session.json. With SECOND the two
// sessions stand in tabs, at 1024x700, 1280x800 and 2560x1080, in each theme and language.
#include "app/gui/chart_grid.h"
#include "app/gui/main_window.h"
#include "core/session/tables.h"
#include "widgets/lesson_panel.h"
#include "widgets/panels.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLocale>
#include <QTemporaryDir>
#include <QThread>

#include <algorithm>
#include <cstdio>

using namespace ridgepoint;

namespace {

/// Lets the window work until `done` holds. False after `seconds`.
bool waitFor(const std::function<bool()> &done, double seconds)
{
    QElapsedTimer timer;
    timer.start();
    while (!done()) {
        if (timer.elapsed() > seconds * 1000)
            return false;
        QApplication::processEvents();
        QThread::msleep(15); // a loop that only asks would take one of the cores that are being timed
    }
    return true;
}

void settle()
{
    QElapsedTimer timer;
    timer.start();
    waitFor([&] { return timer.elapsed() > 250; }, 1);
}

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir home; // the pictures show a first start
    for (const char *name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"})
        qputenv(name, home.path().toLocal8Bit());
    QApplication application(argc, argv);
    QLocale::setDefault(QLocale::c());
    QApplication::setApplicationName(QStringLiteral("Ridgepoint"));
    if (argc < 2 || argc > 4) {
        std::fprintf(stderr, "usage: screenshots FOLDER [SESSION [SECOND]]\n");
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[1]);
    if (!QDir().mkpath(folder)) {
        std::fprintf(stderr, "The folder %s could not be made.\n", argv[1]);
        return 1;
    }
    try {
        WindowServices services;
        services.engine = loadEngine;
        services.catalog = std::make_shared<const Catalog>(Catalog::loadDefault());
        services.prompts.unsaved = [](QWidget *, const QString &) { return Prompts::Unsaved::Discard; };
        MainWindow window(services);
        bool ok = true;
        const auto shoot = [&](const QString &name) {
            settle();
            const QString path = folder + QLatin1Char('/') + name + QStringLiteral(".png");
            if (!window.grab().save(path)) {
                std::fprintf(stderr, "%s could not be written.\n", qPrintable(path));
                ok = false;
            }
        };
        const auto atSizes = [&](const QString &name) {
            for (const QSize &size : {QSize(1280, 800), QSize(2560, 1440), QSize(1024, 700)}) {
                window.resize(size);
                settle();
                window.resetLayout();
                settle(); // docks are moved in steps
                shoot(QStringLiteral("%1-%2x%3").arg(name).arg(size.width()).arg(size.height()));
            }
            window.resize(1280, 800);
            settle();
            window.resetLayout();
            settle();
        };
        window.setThemeMode(ThemeMode::Light);
        window.resize(1280, 800);
        window.show();
        if (argc == 4) { // two tabs, in every size, theme and language
            settle();
            bool opened = window.openSession(QString::fromLocal8Bit(argv[2]));
            opened = window.openSession(QString::fromLocal8Bit(argv[3])) && opened;
            window.showTab(0);
            for (const QString &language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
                window.setLanguage(language);
                for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
                    window.setThemeMode(theme);
                    for (const QSize &size : {QSize(1024, 700), QSize(1280, 800), QSize(2560, 1080)}) {
                        window.resize(size);
                        settle();
                        window.resetLayout();
                        settle();
                        const QString name = QStringLiteral("%1-%2-%3x%4")
                                                 .arg(language, theme == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light"))
                                                 .arg(size.width())
                                                 .arg(size.height());
                        shoot(QStringLiteral("tabs-") + name);
                        window.showLessons();
                        window.lessons()->open(QStringLiteral("06-ceiling"), 1);
                        settle();
                        shoot(QStringLiteral("lesson-") + name);
                    }
                }
            }
            window.findChild<QAction *>(QStringLiteral("actionPalette"))->trigger();
            settle();
            if (auto *palette = window.findChild<QDialog *>(QStringLiteral("commandPalette")))
                ok = palette->grab().save(folder + QStringLiteral("/palette.png")) && ok;
            return ok && opened ? 0 : 1;
        }
        auto *device = window.findChild<QLabel *>(QStringLiteral("statusDevice"));
        const QString before = device->text();
        waitFor([&] { return device->text() != before; }, 30); // the engine has listed its devices, or said why not
        settle();
        atSizes(QStringLiteral("idle"));

        const auto idle = [&] { return !window.controller()->isRunning(); };
        if (argc == 3) {
            window.openSession(QString::fromLocal8Bit(argv[2]));
        } else {
            const RunPlan sweep = window.experimentPanel()->plan().value();
            window.startRun(sweep);
            // In the middle of the second prompt, with steps of a point on the way.
            if (!waitFor(
                    [&] {
                        const RunRecord *run = window.model()->currentRun();
                        return idle() || (run && run->points.size() >= 6 && window.model()->live() &&
                                          window.model()->live()->steps.size() > 15);
                    },
                    600) ||
                idle())
                std::fprintf(stderr, "The run was not seen half-way.\n");
            shoot(QStringLiteral("running-1280x800"));
            waitFor(idle, 900);
            window.experimentPanel()->setExperiment(Experiment::Ttft);
            window.startRun(window.experimentPanel()->plan().value());
            waitFor(idle, 600);
            ok = window.saveTo(folder + QStringLiteral("/session.json")) && ok;
        }
        for (const QString &text : window.messages()->texts())
            std::fprintf(stderr, "message: %s\n", qPrintable(text));
        const auto look = [&](Experiment experiment) {
            for (const RunRecord &run : window.model()->session()->runs) {
                if (run.plan.experiment == experiment) {
                    window.model()->select(std::nullopt);
                    window.model()->setCurrentRun(run.plan.runId);
                    return true;
                }
            }
            return false;
        };
        if (look(Experiment::Ttft))
            atSizes(QStringLiteral("ttft"));
        look(Experiment::Sweep);
        atSizes(QStringLiteral("finished"));
        if (const RunRecord *run = window.model()->currentRun(); run && run->points.size() > 2) {
            window.model()->select(PointKey{run->plan.runId, run->points[2].index});
            atSizes(QStringLiteral("selected"));
            window.charts()->showSingle(QStringLiteral("throughput"));
            shoot(QStringLiteral("single-1280x800"));
            window.charts()->showAll();
        }
        window.charts()->showPage(1);
        atSizes(QStringLiteral("frontier"));
        window.charts()->showPage(0);
        // What a GPU tells: coloured by clock and by throttling, wall time beside device time.
        const bool clocks = std::any_of(window.model()->session()->runs.begin(), window.model()->session()->runs.end(),
                                        [](const RunRecord &run) { return telemetryOf(run).sampled > 0; });
        if (clocks) {
            window.model()->setView({ViewOptions::Colour::Clock, true});
            shoot(QStringLiteral("clock-1280x800"));
            window.model()->setView({ViewOptions::Colour::Throttle, false});
            shoot(QStringLiteral("throttle-1280x800"));
        }
        window.setThemeMode(ThemeMode::Dark);
        if (clocks) {
            window.model()->setView({ViewOptions::Colour::Clock, true});
            shoot(QStringLiteral("dark-clock-1280x800"));
            window.model()->setView({});
        }
        atSizes(QStringLiteral("dark"));
        return ok ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
