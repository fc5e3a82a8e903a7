// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ridgepoint {

/// Owns the worker thread on which the engine is loaded and runs, and brings its events to the GUI thread.
///
/// The way of an event: the recorder (the journal) gets it on the worker thread, then it is queued, then the window
/// takes the whole queue at once, at most 30 times a second. The worker never waits for the window. GUI thread only,
/// except where said.
class RunController : public QObject {
    Q_OBJECT

public:
    /// Makes the engine; called on the worker thread, on first need. May throw Error.
    using EngineFactory = std::function<std::unique_ptr<Engine>()>;
    /// Called on the worker thread with each event before the window hears of it. May throw Error: the run then goes on
    /// with its results in memory and recordingFailed() tells it, once a run.
    using Recorder = std::function<void(const Event &)>;

    /// Least time between two deliveries to the window, in milliseconds.
    static constexpr int kFrameMs = 34;
    /// The same while the CPU itself is what is measured: the window then draws with the very cores that are timed, and
    /// thirty pictures a second would show in the medians of a small machine.
    static constexpr int kCpuFrameMs = 200;

    explicit RunController(EngineFactory factory, QObject *parent = nullptr);
    /// Asks a run to stop and waits for the worker. A worker that does not come back (a driver that hangs) is left
    /// behind after some seconds; see workerLeftBehind().
    ~RunController() override;

    /// Loads the engine in the background and answers with engineReady() or engineUnavailable().
    void loadDevices();
    /// Begins `plan` under a new run id, which is returned; empty when a run is already going.
    /// `instead`: runs it in place of the engine, as a recording does.
    std::string start(RunPlan plan, Recorder record = {}, std::shared_ptr<Engine> instead = {});
    /// Asks the run to stop; it ends within one step.
    void stop();

    bool isRunning() const { return m_running; }
    bool isStopping() const { return m_running && m_stop.stop_requested(); }
    bool stopRequested() const { return m_stop.stop_requested(); } ///< of the run that goes or went last
    const std::string &runId() const { return m_runId; }

    /// True when a worker of this process could not be joined: leave through std::_Exit.
    static bool workerLeftBehind();

signals:
    void engineReady(const QString &version, const std::vector<ridgepoint::DeviceInfo> &devices);
    void engineUnavailable(const QString &sentence);
    /// Events of the current run in their order, runs of Progress thinned to the newest.
    void eventsArrived(const std::vector<ridgepoint::Event> &events);
    void recordingFailed(const QString &sentence);
    void runningChanged(bool running);

private:
    struct Shared;
    void takeQueue();
    void scheduleTake();

    std::shared_ptr<Shared> m_shared;
    std::stop_source m_stop;
    std::string m_runId;
    bool m_running = false;
    QTimer m_frame;
    QElapsedTimer m_sinceTake;
    int m_frameMs = kFrameMs; ///< of the run in progress
};

} // namespace ridgepoint
