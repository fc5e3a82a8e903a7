// SPDX-License-Identifier: GPL-3.0-or-later
// screenshots FOLDER [SESSION [SECOND]]: drives the real window with the real engine and writes PNGs of what it looks
// like, for the README and for the eye. Sizes 1280x800, 2560x1440 and 1024x700, light and dark. Without SESSION the first
// plan of the window is run and then TTFT and TPOT; what they measured is kept as FOLDER/session.json. With SECOND the two
// sessions stand in tabs, at 1024x700, 1280x800 and 2560x1080, in each theme and language.
// screenshots FOLDER --states [IMPORT]: every state of the window, made of the samples that ship with the program, in each theme
// and language: first start, sessions, dialogs, lesson, replay, presenter mode, a small and a wide window. IMPORT is a file that
// another program wrote.
#include "app/gui/chart_grid.h"
#include "app/gui/column_dialog.h"
#include "app/gui/compare_dialog.h"
#include "app/gui/main_window.h"
#include "app/gui/visible_boxes.h"
#include "core/session/sample_sessions.h"
#include "core/session/tables.h"
#include "widgets/lesson_panel.h"
#include "widgets/panels.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <string_view>

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

/// Calls `then` on the modal dialog that `open` brings up, and closes it.
void withDialog(QAction *open, const std::function<void(QWidget *)> &then)
{
    QTimer::singleShot(400, [&] {
        if (QWidget *dialog = QApplication::activeModalWidget()) {
            then(dialog);
            dialog->close();
        }
    });
    open->trigger();
}

/// The sample as another day might have measured it: steps that take longer, less long or as long, in turn, and too few of every
/// seventh point to judge by. Written to `path`.
void saveChanged(const QString &sample, const QString &path)
{
    Session session = loadSession(sample.toStdString());
    const double factors[] = {1.12, 1, 0.86, 1.004, 0.93, 1.3};
    std::size_t turn = 0;
    for (RunRecord &run : session.runs) {
        for (SweepPoint &point : run.points) {
            for (StepSample &step : point.steps) {
                step.deviceSeconds *= factors[turn % std::size(factors)];
                step.wallSeconds *= factors[turn % std::size(factors)];
            }
            if (++turn % 7 == 0 && point.steps.size() > 3)
                point.steps.resize(3);
            summariseSteps(point);
        }
    }
    saveSession(session, path.toStdString());
}

bool shootStates(MainWindow &window, const QString &folder, const QString &import, const QTemporaryDir &home)
{
    bool ok = true;
    const std::vector<SampleSession> samples = sampleSessions();
    const auto sample = [&](const char *stem) {
        for (const SampleSession &one : samples) {
            if (one.path.stem() == stem)
                return QString::fromStdString(one.path.string());
        }
        return QString();
    };
    const auto action = [&](const char *name) { return window.findChild<QAction *>(QLatin1String(name)); };
    for (const QString &language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
        for (const ThemeMode theme : {ThemeMode::Light, ThemeMode::Dark}) {
            const QString suffix = QStringLiteral("-%1-%2.png").arg(theme == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                                                    language == QLatin1String("en") ? language : QStringLiteral("zh"));
            const auto shoot = [&](const char *name, QWidget *what = nullptr) {
                settle();
                ok = (what ? what : &window)->grab().save(folder + QLatin1Char('/') + QLatin1String(name) + suffix) && ok;
            };
            const auto size = [&](int width, int height) {
                window.resize(width, height);
                settle();
                window.resetLayout();
                settle();
            };
            const auto open = [&](const char *stem) { ok = window.openSample(sample(stem)) && ok; };
            const auto alone = [&] {
                while (window.tabCount() > 1)
                    window.closeTab(window.tabCount() - 1);
                window.closeTab(0);
            };
            window.setLanguage(language);
            window.setThemeMode(theme);
            alone();
            size(1280, 800);
            shoot("first-start");
            open("h200-sweep-llama-2-7b-fp16");
            size(1280, 800);
            shoot("sweep");
            if (const RunRecord *run = window.model()->currentRun())
                window.model()->select(PointKey{run->plan.runId, run->points.front().index});
            shoot("sweep-point");
            window.charts()->showPage(1);
            shoot("frontier");
            window.charts()->showPage(0);
            size(1024, 700);
            shoot("sweep-1024x700");
            size(2560, 1080);
            shoot("sweep-2560x1080");
            size(1280, 800);
            window.setPresenterMode(true);
            shoot("presenter");
            window.charts()->showSingle(QStringLiteral("throughput"));
            shoot("presenter-one");
            window.charts()->showAll();
            window.setPresenterMode(false);
            settle();
            open("h200-memory-llama-2-7b-fp16");
            size(1280, 800);
            shoot("two-sessions");
            withDialog(action("actionExportReport"), [&](QWidget *dialog) { shoot("report-dialog", dialog); });
            withDialog(action("actionExportChart"), [&](QWidget *dialog) { shoot("chart-dialog", dialog); });
            alone();
            open("h200-anatomy-tinyllama-fp16");
            size(1280, 800);
            window.charts()->showPage(1);
            shoot("anatomy");
            size(1024, 700);
            window.charts()->showPage(1);
            shoot("anatomy-1024x700");
            alone();
            open("h200-line");
            size(1280, 800);
            window.charts()->showSingle(QStringLiteral("line"));
            shoot("line");
            alone();
            open("h200-ttft-tinyllama-fp16");
            size(1280, 800);
            shoot("ttft");
            alone();
            open("h200-calibrate");
            size(1280, 800);
            shoot("calibration");
            alone();
            if (!import.isEmpty()) {
                ok = window.openSession(import) && ok;
                size(1280, 800);
                shoot("import");
                alone();
            }
            size(1280, 800);
            window.showLessons();
            window.lessons()->open(QStringLiteral("06-ceiling"), 1);
            shoot("lesson");
            alone();
            size(1280, 800);
            ok = window.replaySession(sample("h200-sweep-tinyllama-fp16"), 16) && ok;
            QElapsedTimer going;
            going.start();
            waitFor([&] { return going.elapsed() > 2500; }, 4);
            shoot("replay");
            window.controller()->stop();
            waitFor([&] { return !window.controller()->isRunning(); }, 20);
            settle();
            alone();
            const auto compared = [&](const char *name, const QString &base, const QString &other) {
                ok = window.openSession(other) && window.openSession(base) && ok; // the base in front
                action("actionCompare")->trigger();
                if (auto *compare = window.findChild<CompareDialog *>()) {
                    shoot(name, compare);
                    compare->close();
                }
                alone();
            };
            const QString tinyllama = sample("h200-sweep-tinyllama-fp16"), llama = sample("h200-sweep-llama-2-7b-fp16");
            const QString changed = home.filePath(QStringLiteral("changed.json"));
            saveChanged(tinyllama, changed);
            compared("compare-nothing", tinyllama, llama);
            compared("compare", llama, sample("h200-memory-llama-2-7b-fp16"));
            compared("compare-changed", tinyllama, changed);
            {
                const auto catalog = Catalog::loadDefault();
                ColumnDialog columns({"seqs,toks_in,lat,vram\n1,128,7.5,3.1\n4,128,8.0,3.3\n16,128,oops,3.9\n", QStringLiteral("bench.csv"), &catalog}, &window);
                columns.show();
                shoot("columns-first", &columns);
                for (const auto &[box, index] : {std::pair{"columnBatch", 1}, {"columnPrompt", 2}, {"columnTime", 3}, {"columnPeak", 4}})
                    columns.findChild<QComboBox *>(QLatin1String(box))->setCurrentIndex(index);
                shoot("columns", &columns);
            }
            window.showGlossary({});
            if (auto *glossary = window.findChild<GlossaryDialog *>()) {
                shoot("glossary", glossary);
                glossary->hide();
            }
            action("actionPalette")->trigger();
            if (auto *palette = window.findChild<QDialog *>(QStringLiteral("commandPalette"))) {
                palette->findChild<QLineEdit *>()->setText(language == QLatin1String("en") ? QStringLiteral("export") : QStringLiteral("导出"));
                shoot("palette", palette);
                palette->close();
            }
            for (const char *menu : {"menuFile", "menuView", "menuSamples"}) {
                auto *shown = window.findChild<QMenu *>(QLatin1String(menu));
                shown->popup(window.mapToGlobal(QPoint(20, 40)));
                shoot(menu, shown);
                shown->close();
            }
        }
    }
    return ok;
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
    const bool states = argc > 2 && std::string_view(argv[2]) == "--states";
    if (argc < 2 || argc > 4) {
        std::fprintf(stderr, "usage: screenshots FOLDER [SESSION [SECOND]]\n       screenshots FOLDER --states [IMPORT]\n");
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
        if (states) {
            QApplication::setStyle(new VisibleBoxes);
            return shootStates(window, folder, argc == 4 ? QString::fromLocal8Bit(argv[3]) : QString(), home) ? 0 : 1;
        }
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
