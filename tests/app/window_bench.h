// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/chart_grid.h"
#include "app/gui/main_window.h"
#include "tests/app/fake_engine.h"
#include "widgets/panels.h"

#include <QAction>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

/// The window under test, and what its tests do to it.
namespace ridgepoint::test {

/// A window on scripted answers, with its settings and journals in a folder of its own.
struct Bench {
    QTemporaryDir dir;
    Prompts::Unsaved unsavedAnswer = Prompts::Unsaved::Cancel;
    int unsavedAsked = 0;
    Prompts::Changed changedAnswer = Prompts::Changed::Cancel;
    int changedAsked = 0;
    bool confirmAnswer = true;
    QStringList confirmAsked;
    std::optional<double> numberAnswer = 200;
    QStringList numberAsked;
    std::optional<ImportOptions> columnsAnswer;
    int columnsAsked = 0;
    QString saveAnswer;
    std::function<bool(const QString &)> restart = [](const QString &) { return false; };
    std::vector<SampleSession> samples;
    std::function<std::vector<MeasuredCeilings>(const std::string &)> saved;
    std::vector<CalibrationResult> kept;
    QString chosen; ///< the item that is chosen of a list
    std::shared_ptr<const Catalog> catalog = std::make_shared<const Catalog>(Catalog::loadDefault());

    QString path(const char *name) const { return dir.filePath(QString::fromUtf8(name)); }
    std::filesystem::path journals() const { return path("journal").toStdString(); }

    std::unique_ptr<MainWindow> window(RunController::EngineFactory engine = factory(scriptedSweep), bool load = false)
    {
        WindowServices services;
        services.engine = std::move(engine);
        services.catalog = catalog;
        services.settingsFile = path("settings.conf");
        services.journalFolder = journals();
        services.loadEngineInBackground = load;
        services.restart = [this](const QString &session) { return restart(session); };
        services.savedCeilings = saved;
        services.keepCalibration = [this](const CalibrationResult &calibration) { kept.push_back(calibration); };
        services.samples = [this] { return samples; };
        services.prompts.unsaved = [this](QWidget *, const QString &) {
            ++unsavedAsked;
            return unsavedAnswer;
        };
        services.prompts.changed = [this](QWidget *, const QString &) {
            ++changedAsked;
            return changedAnswer;
        };
        services.prompts.confirm = [this](QWidget *, const QString &question, const QString &) {
            confirmAsked << question;
            return confirmAnswer;
        };
        services.prompts.openFile = [](QWidget *, const QString &, const QString &, const QString &) {
            return QString();
        };
        services.prompts.saveFile = [this](QWidget *, const QString &, const QString &, const QString &) {
            return saveAnswer;
        };
        services.prompts.number = [this](QWidget *, const QString &, const QString &question, double, double) {
            numberAsked << question;
            return numberAnswer;
        };
        services.prompts.choose = [this](QWidget *, const QString &, const QString &, const QStringList &items) {
            const qsizetype at = items.indexOf(chosen);
            return at < 0 ? std::nullopt : std::optional<int>(int(at));
        };
        services.prompts.columns = [this](QWidget *, const ColumnQuestion &) {
            ++columnsAsked;
            return columnsAnswer;
        };
        services.prompts.folder = [](QWidget *, const QString &, const QString &) { return QString(); };
        auto result = std::make_unique<MainWindow>(std::move(services));
        result->resize(1280, 800);
        result->show();
        return result;
    }
};

/// For initTestCase(): nothing of the user's own is read or written, and figures are written with '.'.
inline void useHomeOfItsOwn()
{
    static QTemporaryDir home;
    for (const char *name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(name, home.path().toLocal8Bit());
    QLocale::setDefault(QLocale::c());
}

inline RunPlan catalogPlan(const Bench &bench)
{
    RunPlan plan = smallPlan();
    plan.model.shape = bench.catalog->modelById("smollm2-135m");
    return plan;
}

inline void runToTheEnd(MainWindow &window, const RunPlan &plan)
{
    window.startRun(plan);
    QVERIFY2(window.controller()->isRunning(), qPrintable(window.messages()->texts().join(QLatin1Char('\n'))));
    QTRY_VERIFY(!window.controller()->isRunning());
}

inline QAction *action(const MainWindow &window, const char *name)
{
    return window.findChild<QAction *>(QString::fromLatin1(name));
}

inline QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Session of two points, written the way the window writes it.
inline QString sessionFile(Bench &bench, const char *name)
{
    Session session = newSession();
    RunPlan plan = catalogPlan(bench);
    plan.runId = newId();
    applyEvent(session, started(plan));
    applyEvent(session, PointFinished{plan.runId, point(plan, 0, 1)});
    applyEvent(session, PointFinished{plan.runId, point(plan, 1, 4)});
    applyEvent(session, RunEnded{plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
    saveSession(session, bench.path(name).toStdString());
    return bench.path(name);
}

} // namespace ridgepoint::test
