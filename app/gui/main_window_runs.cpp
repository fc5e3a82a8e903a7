// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/session_tab.h"
#include "core/analytic/forecast.h"
#include "core/base/format.h"
#include "core/engine/replay_engine.h"
#include "core/session/line.h"
#include "core/session/replay.h"
#include "widgets/panels.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QScrollBar>
#include <QTextCursor>
#include <QTime>
#include <QTimer>

#include <algorithm>
#include <cmath>

// Runs in the window: starting them, showing their events, and what the prediction takes from them.
namespace ridgepoint {

namespace {

QString qs(const std::string &text)
{
    return QString::fromStdString(text);
}

const QString kLogTime = QStringLiteral("HH:mm:ss  ");
constexpr int kMostLogLines = 5000;

QString timeLeft(double seconds)
{
    if (!(seconds >= 0) || seconds > 360000)
        return {};
    const int whole = int(seconds + 0.5);
    const QString clock = whole >= 3600
                              ? QStringLiteral("%1:%2:%3")
                                    .arg(whole / 3600)
                                    .arg(whole / 60 % 60, 2, 10, QLatin1Char('0'))
                                    .arg(whole % 60, 2, 10, QLatin1Char('0'))
                              : QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    return MainWindow::tr("%1 left").arg(clock);
}

} // namespace

void MainWindow::startExperiment(std::optional<Experiment> experiment)
{
    if (experiment) // its own fields: a prompt of the sweep is none of TTFT's
        m_experiment->setExperiment(*experiment);
    const std::optional<RunPlan> plan = m_experiment->plan();
    if (!plan) {
        say(QStringLiteral("run"), [=, this] { m_messages->show(MessageBar::Severity::Warning, QStringLiteral("run"),
                         tr("A field of the experiment is wrong; the panel says which. Correct it and run again.")); });
        return;
    }
    startRun(*plan);
}

/// One run at a time: two would be in each other's times.
void MainWindow::refuseRun()
{
    if (m_runTab == m_tab || !m_runTab) {
        say(QStringLiteral("run"), [=, this] { m_messages->show(MessageBar::Severity::Warning, QStringLiteral("run"),
                         tr("A run is going already. Stop it first, or wait for its end.")); });
        return;
    }
    say(QStringLiteral("run"), [=, this] { m_messages->show(MessageBar::Severity::Warning, QStringLiteral("run"),
                     tr("A run is going in “%1”: two at a time would be in each other's times. Stop it first, or wait for "
                        "its end.")
                         .arg(tabName(*m_runTab)),
                     {{tr("Show it"), [this] { showTab(indexOf(m_runTab)); }}}); });
}

void MainWindow::startRun(RunPlan plan)
{
    if (m_controller->isRunning()) {
        refuseRun();
        return;
    }
    if (const HardwareProfile *profile = profileOf(plan.device)) {
        if (plan.hardwareId.empty())
            plan.hardwareId = profile->id;
        if (plan.hardwareId == profile->id) {
            plan.nominal = nominalCeilings(*profile, plan.dtype);
            for (const DType dtype : plan.dtypes)
                plan.nominalFlops[dtype] = nominalCeilings(*profile, dtype).flops;
            if (plan.nominal.memory <= 0) {
                for (const DeviceInfo &device : m_devices) {
                    if (device.id == plan.device && device.memoryBytes > 0)
                        plan.nominal.memory = device.memoryBytes;
                }
            }
        }
    }
    if (m_lostDevices.contains(plan.device)) {
        say(QStringLiteral("run"), [=, this] { m_messages->show(MessageBar::Severity::Error, QStringLiteral("run"),
                         tr("This process can no longer use %1. Restart the program, or choose another device.")
                             .arg(qs(plan.device))); });
        return;
    }
    if (!plan.measured)
        plan.measured = measuredOn(plan);
    try {
        validatePlan(plan);
    } catch (const std::exception &error) {
        sayFault(QStringLiteral("run"), error.what());
        return;
    }
    m_messages->dismiss(QStringLiteral("run"));
    m_settings.setLastPlan(plan);

    RunController::Recorder record;
    try {
        record = m_document->recorder();
    } catch (const std::exception &error) {
        say(QStringLiteral("journal"), [this, sentence = std::string(error.what())] {
            m_messages->show(MessageBar::Severity::Warning, QStringLiteral("journal"),
                             tr("%1\nThe run goes on without a journal and its results are kept in memory: save the "
                                "session before you quit.")
                                 .arg(coreText(sentence)),
                             {{tr("Save as…"), [this] { saveAs(); }}});
        });
    }
    // A prediction of what another program measured, or one made by hand beside it, is not of the run that begins.
    if (const RunRecord *shown = m_model->currentRun(); shown && shown->provenance.imported)
        m_tab->look.handHardware = m_tab->look.handModel = m_tab->look.handDtype = false;
    ++m_quiet;
    m_model->setLive(std::nullopt);
    m_model->select(std::nullopt);
    --m_quiet;
    m_runTab = m_tab;
    m_controller->start(std::move(plan), std::move(record));
}

void MainWindow::buildReplayMenu(QMenu *run)
{
    QMenu *menu = run->addMenu(tr("Re&play recording"));
    menu->setObjectName(QStringLiteral("menuReplay"));
    const std::pair<QString, double> paces[] = {{tr("At its own &pace…"), 1.0},
                                                {tr("&4 times as fast…"), 4.0},
                                                {tr("&16 times as fast…"), 16.0},
                                                {tr("At &once…"), 0.0}};
    for (const auto &[text, speed] : paces) {
        QAction *item = menu->addAction(text, this, [this, speed = speed] {
            const QString path = m_services.prompts.openFile(this, tr("Replay recording"), m_settings.exportFolder(),
                                                             tr("Sessions (*.json);;All files (*)"));
            if (!path.isEmpty())
                replaySession(path, speed);
        });
        item->setObjectName(QStringLiteral("actionReplay%1").arg(speed));
    }
}

bool MainWindow::replaySession(const QString &path, double speed)
{
    if (m_controller->isRunning()) {
        refuseRun();
        return false;
    }
    const QString name = QFileInfo(path).fileName();
    std::deque<RunRecord> recorded;
    try {
        for (RunRecord &run : loadSession(path.toStdString()).runs)
            if (run.calibration || run.ttft || run.anatomy || !run.points.empty() || !run.line.empty())
                recorded.push_back(std::move(run));
    } catch (const std::exception &error) {
        sayFault(QStringLiteral("open"), error.what());
        return false;
    }
    if (recorded.empty()) {
        say(QStringLiteral("open"), [=, this] { m_messages->show(MessageBar::Severity::Warning, QStringLiteral("open"),
                         tr("%1 holds no results that could be replayed.").arg(name)); });
        return false;
    }
    m_messages->dismiss(QStringLiteral("open"));
    m_runTab = freeTab();
    documentReplaced();
    m_replayQueue = std::move(recorded);
    m_replaySpeed = speed;
    say(QStringLiteral("replay"), [=, this] { m_messages->show(MessageBar::Severity::Info, QStringLiteral("replay"),
                     tr("Recording: %1 is played again, %2. Nothing is measured now.")
                         .arg(name, speed > 0 ? tr("%1× its pace").arg(speed) : tr("at once"))); });
    replayNext();
    return true;
}

void MainWindow::replayNext()
{
    if (m_replayQueue.empty() || m_controller->isRunning() || !m_runTab)
        return;
    RunRecord recorded = std::move(m_replayQueue.front());
    m_replayQueue.pop_front();
    setLive(std::nullopt);
    if (m_runTab == m_tab) {
        ++m_quiet;
        m_model->select(std::nullopt);
        --m_quiet;
    }
    RunPlan plan = recorded.plan;
    // No journal: its file is the recording itself.
    m_controller->start(std::move(plan), {}, std::make_shared<ReplayEngine>(std::move(recorded), m_replaySpeed));
}

void MainWindow::runningChanged(bool running)
{
    m_experiment->setRunning(hasRunInFront());
    if (m_runTab)
        updateTab(*m_runTab);
    m_progress->setVisible(running);
    if (running) {
        m_progress->setRange(0, 0);
        m_statusText->setText(m_engineVersion.isEmpty() ? tr("Loading the engine…") : tr("Starting…"));
    } else {
        m_statusTime->clear();
        m_statusMemory->clear();
        m_statusTelemetry->clear();
    }
    updateActions();
    if (!running && m_controller->stopRequested())
        m_replayQueue.clear();
    else if (!running && !m_replayQueue.empty())
        QTimer::singleShot(0, this, [this] { replayNext(); });
    if (!running && m_afterRun) {
        // Out of the controller's own signal before anything is replaced or closed.
        QTimer::singleShot(0, this, [then = std::exchange(m_afterRun, nullptr)] { then(); });
    }
}

void MainWindow::setLive(std::optional<LivePoint> live)
{
    if (m_runTab == m_tab)
        m_model->setLive(std::move(live));
    else if (m_runTab)
        m_runTab->state.live = std::move(live);
}

void MainWindow::appendLiveSteps(const std::vector<StepSample> &steps)
{
    if (m_runTab == m_tab) {
        m_model->appendLiveSteps(steps);
    } else if (m_runTab && m_runTab->state.live) {
        std::vector<StepSample> &all = m_runTab->state.live->steps;
        all.insert(all.end(), steps.begin(), steps.end());
    }
}

void MainWindow::takeEvents(const std::vector<Event> &events)
{
    if (!m_runTab)
        return;
    SessionTab &tab = *m_runTab;
    const Document *document = tab.document.get();
    const int id = tab.id;
    tab.document->apply(events); // one snapshot for all of them
    const auto live = [&]() -> const std::optional<LivePoint> & {
        return &tab == m_tab ? m_model->live() : tab.state.live;
    };

    const Progress *newest = nullptr;
    const StepSample *newestStep = nullptr;
    std::vector<StepSample> steps; // of the live point, gathered so that the model changes once
    const auto flush = [&] {
        if (!steps.empty())
            appendLiveSteps(steps);
        steps.clear();
    };
    for (const Event &event : events) {
        if (const auto *started = std::get_if<RunStarted>(&event)) {
            const RunRecord *replayed = document->snapshot()->run(started->runId);
            if (replayed && !isReplay(*replayed))
                replayed = nullptr;
            if (!replayed) {
                m_engineProblem.clear();
                m_messages->dismiss(QStringLiteral("engine"));
            }
            if (&tab == m_tab) {
                ++m_quiet;
                m_model->setCurrentRun(started->runId);
                --m_quiet;
            } else {
                tab.state.currentRun = started->runId;
            }
            tab.look.run = started->runId;
            m_statusDevice->setText(qs(started->provenance.deviceName));
            if (m_engineVersion.isEmpty() && !replayed)
                m_engineVersion = qs(started->provenance.engineVersion);
            log([replay = replayed != nullptr,
                 device = qs(started->provenance.deviceName.empty() ? started->plan.device : started->provenance.deviceName),
                 version = started->provenance.engineVersion] {
                return (replay ? tr("A recording from %1 with %2, played again.") : tr("Started on %1 with %2."))
                    .arg(device, coreText(version));
            });
            tab.look.followed.reset();
            if (&tab != m_tab) {
                if (!replayed && started->plan.measured)
                    tab.calibrated = {*started->plan.measured, started->plan};
            } else if (replayed) {
                followRun(*replayed);
            } else if (started->plan.measured) {
                layMeasuredCeilings(*started->plan.measured, started->plan);
            } else {
                followExperiment();
            }
        } else if (const auto *progress = std::get_if<Progress>(&event)) {
            newest = progress;
        } else if (const auto *point = std::get_if<PointStarted>(&event)) {
            flush();
            LivePoint next;
            next.runId = point->runId;
            next.index = point->index;
            next.batch = point->batch;
            next.prompt = point->prompt;
            next.context = point->context;
            next.forecast = point->forecast;
            setLive(std::move(next));
        } else if (const auto *step = std::get_if<StepTimed>(&event)) {
            if (!live() || live()->runId != step->runId || live()->index != step->index) {
                flush();
                LivePoint next;
                next.runId = step->runId;
                next.index = step->index;
                if (const RunRecord *run = document->snapshot()->run(step->runId)) {
                    next.batch = run->plan.batches.empty() ? 1 : run->plan.batches.front();
                    next.prompt = run->plan.prompts.empty() ? 0 : run->plan.prompts.front();
                    next.context = double(step->sample.context);
                }
                setLive(std::move(next));
            }
            steps.push_back(step->sample);
            newestStep = &step->sample;
        } else if (const auto *finished = std::get_if<PointFinished>(&event)) {
            const SweepPoint &result = finished->point;
            // Its steps are in the document now.
            if (live() && live()->index == result.index) {
                steps.clear();
                setLive(std::nullopt);
            }
            log([status = result.status, reason = result.reason, batch = result.batch, prompt = result.prompt,
                 seconds = result.stepSeconds] {
                if (status == PointStatus::Ok)
                    return tr("Batch %1, prompt %2: %3 a step, %4.")
                        .arg(batch)
                        .arg(prompt)
                        .arg(qs(format::seconds(seconds)), qs(format::tokensPerSecond(double(batch) / seconds)));
                return tr("Batch %1, prompt %2: %3. %4")
                    .arg(batch)
                    .arg(prompt)
                    .arg(coreText(std::string(statusName(status))), coreText(reason));
            });
        } else if (const auto *line = std::get_if<LineRowFinished>(&event)) {
            const LineRow &row = line->row;
            if (live() && live()->index == row.index) {
                steps.clear();
                setLive(std::nullopt);
            }
            const QString what = qs((row.name.empty() ? row.model : row.name) + " " + row.dtype);
            log([what, status = row.status, reason = row.reason, weights = row.weightBytes, tpot = row.tpotSeconds] {
                if (status == PointStatus::Ok)
                    return tr("%1: weights %2, TPOT %3.").arg(what, qs(format::bytes(weights)), qs(format::seconds(tpot)));
                return tr("%1: %2. %3").arg(what, coreText(std::string(statusName(status))), coreText(reason));
            });
        } else if (const auto *token = std::get_if<TextArrived>(&event)) {
            logText(qs(token->text));
        } else if (const auto *ttft = std::get_if<TtftFinished>(&event)) {
            steps.clear();
            setLive(std::nullopt);
            logCore(crossCheck(ttft->result).text);
        } else if (const auto *calibration = std::get_if<CalibrationFinished>(&event)) {
            const MeasuredCeilings &ceilings = calibration->result.ceilings;
            log([read = ceilings.readBandwidth.value_or(kMissing), fixed = ceilings.stepOverhead] {
                return tr("Calibrated: %1 read%2.")
                    .arg(qs(format::bandwidth(read)),
                         fixed ? tr(", %1 fixed cost a step").arg(qs(format::seconds(*fixed))) : QString());
            });
            if (const RunRecord *run = document->snapshot()->run(calibration->runId)) {
                if (&tab == m_tab)
                    layMeasuredCeilings(ceilings, run->plan);
                else
                    tab.calibrated = {ceilings, run->plan};
                // The brief one before a sweep is for that sweep; the experiment of its own is for later sessions too.
                if (m_services.keepCalibration && run->plan.experiment == Experiment::Calibrate &&
                    !isReplay(*run)) {
                    try {
                        m_services.keepCalibration(calibration->result);
                    } catch (const std::exception &error) {
                        logCore(error.what());
                    }
                }
            }
        } else if (const auto *anatomy = std::get_if<AnatomyFinished>(&event)) {
            for (const std::string &sentence : anatomySentences(anatomy->anatomy))
                logCore(sentence);
        } else if (const auto *end = std::get_if<RunEnded>(&event)) {
            steps.clear();
            setLive(std::nullopt);
            const RunRecord *run = document->snapshot()->run(end->runId);
            const bool kept = run && (run->calibration || run->ttft || !run->points.empty() || !run->line.empty() ||
                                      run->anatomy);
            if (run && !run->line.empty())
                logCore(estimateSentence(readLine(*run).fit.all));
            if (end->how == RunEnded::How::Failed) {
                if (end->deviceLost && run)
                    loseDevice(run->plan.device, end->sentence);
                else
                    say(QStringLiteral("run"), [this, kept, id, sentence = end->sentence] {
                        m_messages->show(MessageBar::Severity::Error, QStringLiteral("run"),
                                         kept ? tr("%1\nThe results up to here are kept.").arg(coreText(sentence))
                                              : coreText(sentence),
                                         {}, id);
                    }, id);
            }
            const auto told = [how = end->how, kept, sentence = end->sentence] {
                switch (how) {
                case RunEnded::How::Done:
                    return tr("Done.");
                case RunEnded::How::Cancelled:
                    return kept ? tr("Stopped; the finished results are kept.") : tr("Stopped.");
                case RunEnded::How::Failed:
                    break;
                }
                return tr("Failed: %1").arg(coreText(sentence));
            };
            log(told);
            m_statusText->setText(told().section(QLatin1Char('\n'), 0, 0));
            newest = nullptr;
        }
    }
    flush();
    if (newest)
        showProgress(*newest);
    if (newestStep && m_controller->isRunning())
        showTelemetry(*newestStep);
}

/// "1980 MHz . 38 C . 498 W": what the device tells, and nothing in place of what it does not.
void MainWindow::showTelemetry(const StepSample &step)
{
    QStringList parts;
    if (std::isfinite(step.smClockHz))
        parts << tr("%1 MHz").arg(step.smClockHz / 1e6, 0, 'f', 0);
    if (std::isfinite(step.temperatureC))
        parts << tr("%1 °C").arg(step.temperatureC, 0, 'f', 0);
    if (std::isfinite(step.powerWatts))
        parts << tr("%1 W").arg(step.powerWatts, 0, 'f', 0);
    if (!step.throttle.empty())
        parts << tr("throttled: %1").arg(coreText(step.throttle));
    m_statusTelemetry->setText(parts.join(QStringLiteral(" \u00b7 ")));
}

/// A sticky fault of the device: results stay, the CPU goes on, and a new process can use the device again.
void MainWindow::loseDevice(const std::string &deviceId, const std::string &sentence)
{
    m_lostDevices.insert(deviceId);
    say(QStringLiteral("device"), [=, this] { m_messages->show(
        MessageBar::Severity::Error, QStringLiteral("device"),
        tr("%1\nThe results up to here are kept. This process can no longer use %2: restart the program to "
           "use it again, or go on with another device.")
            .arg(coreText(sentence), qs(deviceId)),
        {{tr("Restart"), [this] { restartProgram(); }}}, MessageBar::kEveryTab); });
    offerDevices();
    followExperiment();
}

void MainWindow::showProgress(const Progress &progress)
{
    m_progress->setRange(0, 1000);
    m_progress->setValue(int(qBound(0.0, progress.fraction, 1.0) * 1000));
    m_statusText->setText(m_controller->isStopping() ? tr("Stopping… %1").arg(coreText(progress.what)) : coreText(progress.what));
    m_statusTime->setText(timeLeft(progress.secondsLeft));
    if (progress.memoryBytes > 0) {
        QString memory = qs(format::bytes(progress.memoryBytes));
        for (const DeviceInfo &device : m_devices) {
            const RunRecord *run = m_runTab ? m_runTab->document->snapshot()->run(progress.runId) : nullptr;
            if (run && device.id == run->plan.device && device.memoryBytes > 0)
                memory = tr("%1 of %2").arg(memory, qs(format::bytes(device.memoryBytes)));
        }
        m_statusMemory->setText(memory);
    }
}

void MainWindow::takeDevices(const QString &version, const std::vector<DeviceInfo> &devices)
{
    m_engineVersion = version;
    m_engineProblem.clear();
    m_messages->dismiss(QStringLiteral("engine"));
    m_devices = devices;
    offerDevices();
    m_statusDevice->setText(devices.empty() ? tr("No device") : qs(devices.front().name));
    m_statusDevice->setToolTip(version);
    log([version] { return tr("Engine: %1.").arg(coreText(version.toStdString())); });
    for (const DeviceInfo &device : devices) {
        log([id = qs(device.id), name = qs(device.name), problem = device.problem] {
            return tr("Device %1: %2%3").arg(id, name, problem.empty() ? QString() : QStringLiteral(". ") + coreText(problem));
        });
    }
    followExperiment();
    // The device may have been chosen before its name was known (the CPU is): what is kept under that name serves now.
    const std::optional<RunPlan> plan = m_experiment->plan();
    if (plan && !m_model->whatIf().measured && !m_model->currentRun() && !m_tab->look.handHardware) {
        if (const std::optional<MeasuredCeilings> saved = savedOn(*plan))
            layMeasuredCeilings(*saved, *plan);
    }
    updateActions();
}

std::vector<DeviceChoice> MainWindow::deviceChoices() const
{
    std::vector<DeviceChoice> choices;
    for (const DeviceInfo &device : m_devices) {
        DeviceChoice choice;
        choice.id = qs(device.id);
        choice.name = qs(device.name);
        choice.problem = coreText(device.problem);
        if (m_lostDevices.contains(device.id))
            choice.problem = tr("This process can no longer use %1. Restart the program, or choose another device.")
                                 .arg(qs(device.id));
        choice.dtypes = device.dtypes;
        choice.modes = device.modes;
        choice.memoryBytes = device.memoryBytes;
        choices.push_back(std::move(choice));
    }
    return choices;
}

void MainWindow::offerDevices()
{
    ++m_quiet;
    m_experiment->setDevices(deviceChoices());
    --m_quiet;
}

/// The fields and the prediction of a first start: what a session that was looked at had set stays with it.
void MainWindow::resetExperiment()
{
    ++m_quiet;
    ExperimentPanel first(m_services.catalog);
    if (!m_devices.empty())
        first.setDevices(deviceChoices());
    m_experiment->setFields(first.fields());
    WhatIf whatIf;
    whatIf.accounting = m_model->whatIf().accounting; // how one counts is the user's own, no session's
    setWhatIf(whatIf);
    --m_quiet;
}

/// Generated text as it arrives, on lines of its own. The reader's selection stays as it is.
void MainWindow::logText(const QString &text)
{
    if (!m_logHoldsText)
        m_log->appendPlainText(QString());
    m_logHoldsText = true;
    m_logLines.push_back({QTime(), [text] { return text; }});
    trimLog();
    QTextCursor end(m_log->document());
    end.movePosition(QTextCursor::End);
    end.insertText(text);
    m_log->verticalScrollBar()->setValue(m_log->verticalScrollBar()->maximum());
}

/// `line` makes the text, now and again in another language.
void MainWindow::log(std::function<QString()> line)
{
    m_logHoldsText = false;
    const QTime now = QTime::currentTime();
    m_log->appendPlainText(now.toString(kLogTime) + line());
    m_logLines.push_back({now, std::move(line)});
    trimLog();
}

void MainWindow::logCore(const std::string &english)
{
    log([english] { return coreText(english); });
}

void MainWindow::trimLog()
{
    while (m_logLines.size() > std::size_t(kMostLogLines))
        m_logLines.pop_front();
}

void MainWindow::retranslateLog()
{
    const QScrollBar *bar = m_log->verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    QString text;
    bool generated = false;
    for (const LogLine &line : m_logLines) {
        const bool own = line.time.isValid();
        if (!text.isEmpty() && (own || !generated))
            text += QLatin1Char('\n');
        text += (own ? line.time.toString(kLogTime) : QString()) + line.say();
        generated = !own;
    }
    m_log->setPlainText(text);
    if (atEnd)
        m_log->verticalScrollBar()->setValue(m_log->verticalScrollBar()->maximum());
}

const HardwareProfile *MainWindow::profileOf(const std::string &deviceId) const
{
    const Catalog &catalog = *m_services.catalog;
    for (const DeviceInfo &device : m_devices) {
        if (device.id == deviceId) {
            if (const HardwareProfile *profile = catalog.hardwareByDeviceName(device.name))
                return profile;
        }
    }
    if (deviceId == "cpu") {
        for (const HardwareProfile &profile : catalog.hardware()) {
            if (profile.id == "cpu")
                return &profile;
        }
    }
    return nullptr;
}

/// Ceilings of the session's newest calibration that hold for `plan`: same device, same threads, its dtype measured.
std::optional<MeasuredCeilings> MainWindow::measuredOn(const RunPlan &plan) const
{
    const Session &session = *m_document->snapshot();
    for (auto run = session.runs.rbegin(); run != session.runs.rend(); ++run) {
        if (!run->calibration || run->plan.device != plan.device)
            continue;
        const MeasuredCeilings &ceilings = run->calibration->ceilings;
        const bool threads =
            plan.device != "cpu" || run->plan.threads == plan.threads || ceilings.threads == plan.threads;
        if (threads && ceilings.readBandwidth && ceilings.matmulFlops.contains(plan.dtype) &&
            ceilings.stepOverheadFor(plan.model.shape.layers, isReplayed(plan.mode)))
            return ceilings;
    }
    return std::nullopt;
}

/// What an earlier calibration of the plan's device left behind, for a prediction before this session has one. A run
/// measures its own.
std::optional<MeasuredCeilings> MainWindow::savedOn(const RunPlan &plan)
{
    const auto device = std::find_if(m_devices.begin(), m_devices.end(),
                                     [&plan](const DeviceInfo &known) { return known.id == plan.device; });
    if (!m_services.savedCeilings || device == m_devices.end())
        return std::nullopt;
    std::vector<MeasuredCeilings> saved;
    try {
        saved = m_services.savedCeilings(device->name);
    } catch (const std::exception &error) {
        logCore(error.what());
    }
    for (const MeasuredCeilings &ceilings : saved) {
        const bool threads = plan.device != "cpu" || plan.threads == 0 || ceilings.threads == plan.threads;
        if (!threads || !ceilings.readBandwidth || !ceilings.matmulFlops.contains(plan.dtype))
            continue;
        if (m_saidSaved != device->name + ceilings.dateUtc) {
            m_saidSaved = device->name + ceilings.dateUtc;
            log([name = qs(device->name), date = qs(ceilings.dateUtc)] {
                return tr("The prediction uses the ceilings that were measured on %1 on %2; Calibrate measures them anew.")
                    .arg(name, date);
            });
        }
        return ceilings;
    }
    return std::nullopt;
}

void MainWindow::setWhatIf(const WhatIf &whatIf)
{
    m_settingWhatIf = true;
    m_model->setWhatIf(whatIf);
    m_settingWhatIf = false;
    checkAccounting();
}

void MainWindow::checkAccounting()
{
    const auto actions = m_accountingActions->actions();
    for (QAction *action : actions)
        action->setChecked(action->data().toInt() == int(m_model->whatIf().accounting));
}

void MainWindow::followExperiment()
{
    const std::optional<RunPlan> plan = m_experiment->plan();
    if (!plan)
        return;
    // Beneath what another program measured lies its own prediction or none: the experiment is of the next run.
    if (const RunRecord *shown = m_model->currentRun(); shown && shown->provenance.imported && !hasRunInFront())
        return;
    WhatIf whatIf = m_model->whatIf();
    const HardwareProfile *profile = profileOf(plan->device);
    bool changed = false;
    // A run that is looked at lays its own prediction; only a choice that is made anew takes its place.
    const bool newProfile = profile && (!m_tab->look.followed || m_tab->look.followed->profile != profile->id);
    const bool newShape = !m_tab->look.followed || m_tab->look.followed->shape != plan->model.shape;
    const bool newDtype = !m_tab->look.followed || m_tab->look.followed->dtype != plan->dtype;
    const DecodeMode mode = plan->mode;
    const bool newMode = m_tab->look.followed && m_tab->look.followed->mode != mode;
    m_tab->look.followed = Followed{profile ? profile->id : std::string(), plan->model.shape, plan->dtype, mode};
    if (newMode && whatIf.mode != mode) {
        whatIf.mode = mode;
        changed = true;
    }
    if (newProfile && !m_tab->look.handHardware && whatIf.hardware != *profile) {
        whatIf.hardware = *profile;
        changed = true;
    }
    if (whatIf.hardware.id.empty()) { // no profile of this device: some known device is better than an empty axis
        if (m_services.catalog->hardware().empty())
            return;
        whatIf.hardware = m_services.catalog->hardware().front();
        changed = true;
    }
    if (newShape && !m_tab->look.handModel && whatIf.shape != plan->model.shape) {
        whatIf.shape = plan->model.shape;
        changed = true;
    }
    if (newDtype && !m_tab->look.handDtype && whatIf.dtype != plan->dtype) {
        whatIf.dtype = plan->dtype;
        changed = true;
    }
    // A profile of no fixed memory (a CPU's) has the machine's own, known once the engine has listed the devices.
    const bool ownHardware = profile && whatIf.hardware.id == profile->id;
    double deviceMemory = 0;
    for (const DeviceInfo &device : m_devices) {
        if (ownHardware && device.id == plan->device && device.memoryBytes > 0)
            deviceMemory = device.memoryBytes;
    }
    // The batches and the memory alone move predicted points and limits; ceilings that were set by hand stay.
    const bool batches = !plan->batches.empty() && whatIf.batches != plan->batches;
    if (batches)
        whatIf.batches = plan->batches;
    const bool memory = deviceMemory > 0 && whatIf.nominal.memory <= 0;
    if (memory) {
        whatIf.nominal.memory = deviceMemory;
        if (whatIf.ceilings.memory <= 0)
            whatIf.ceilings.memory = deviceMemory;
    }
    if (!changed) {
        if (batches || memory)
            setWhatIf(whatIf);
        return;
    }
    // A run's plan keeps the figures of its own number format alone; the catalogue knows the others.
    for (const HardwareProfile &known : m_services.catalog->hardware()) {
        if (known.id == whatIf.hardware.id)
            whatIf.hardware = known;
    }
    whatIf.measured = ownHardware ? measuredOn(*plan) : std::nullopt;
    if (!whatIf.measured && ownHardware)
        whatIf.measured = savedOn(*plan);
    whatIf.nominal = nominalCeilings(whatIf.hardware, whatIf.dtype);
    if (whatIf.nominal.memory <= 0)
        whatIf.nominal.memory = deviceMemory;
    whatIf.ceilings = whatIf.measured ? measuredCeilings(whatIf.hardware, *whatIf.measured, whatIf.dtype,
                                                         whatIf.shape.layers, isReplayed(whatIf.mode))
                                      : whatIf.nominal;
    if (whatIf.ceilings.memory <= 0)
        whatIf.ceilings.memory = whatIf.nominal.memory;
    setWhatIf(whatIf);
}

void MainWindow::layMeasuredCeilings(const MeasuredCeilings &measured, const RunPlan &plan)
{
    WhatIf whatIf = m_model->whatIf();
    const HardwareProfile *profile = profileOf(plan.device);
    if (!m_tab->look.handHardware && profile)
        whatIf.hardware = *profile;
    if (profile && whatIf.hardware.id != profile->id)
        return; // another card was chosen by hand: these ceilings are not its
    if (!m_tab->look.handModel)
        whatIf.shape = plan.model.shape;
    if (!m_tab->look.handDtype)
        whatIf.dtype = plan.dtype;
    whatIf.measured = measured;
    const double memory = whatIf.nominal.memory;
    whatIf.nominal = nominalCeilings(whatIf.hardware, whatIf.dtype);
    if (whatIf.nominal.memory <= 0)
        whatIf.nominal.memory = plan.nominal.memory > 0 ? plan.nominal.memory : memory;
    whatIf.mode = plan.mode;
    whatIf.ceilings = measuredCeilings(whatIf.hardware, measured, whatIf.dtype, whatIf.shape.layers, isReplayed(whatIf.mode));
    if (whatIf.ceilings.memory <= 0)
        whatIf.ceilings.memory = whatIf.nominal.memory;
    setWhatIf(whatIf);
}

void MainWindow::setAccounting(Accounting accounting)
{
    WhatIf whatIf = m_model->whatIf();
    whatIf.accounting = accounting;
    m_model->setWhatIf(whatIf); // a choice by hand
    checkAccounting();
}

} // namespace ridgepoint
