// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/run_controller.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace ridgepoint {

namespace {

std::atomic<bool> g_leftBehind{false};

QString sentenceOf(const std::exception &error)
{
    return QString::fromUtf8(error.what());
}

} // namespace

/// What both threads see. It outlives the controller when the worker hangs, hence the shared ownership.
struct RunController::Shared {
    // Jobs for the worker.
    std::mutex jobMutex;
    std::condition_variable jobReady;
    std::condition_variable finished;
    std::deque<std::function<void()>> jobs;
    bool quit = false;
    bool done = false;

    // Touched on the worker thread only.
    EngineFactory factory;
    std::unique_ptr<Engine> engine;

    // Events on their way to the window.
    std::mutex queueMutex;
    std::vector<Event> queue;
    bool takePending = false; ///< the window has been told and has not yet taken the queue
    RunController *owner = nullptr;

    std::thread thread;

    void post(std::function<void()> job)
    {
        {
            std::lock_guard lock(jobMutex);
            jobs.push_back(std::move(job));
        }
        jobReady.notify_one();
    }

    void work()
    {
        for (;;) {
            std::function<void()> job;
            {
                std::unique_lock lock(jobMutex);
                jobReady.wait(lock, [this] { return quit || !jobs.empty(); });
                if (quit)
                    break;
                job = std::move(jobs.front());
                jobs.pop_front();
            }
            job();
        }
        engine.reset(); // on the thread that it lives on
        {
            std::lock_guard lock(jobMutex);
            done = true;
        }
        finished.notify_all();
    }

    /// Runs `call` on the GUI thread unless the controller is gone. Any thread.
    template <typename Call>
    void toWindow(Call call)
    {
        std::lock_guard lock(queueMutex);
        if (owner)
            QMetaObject::invokeMethod(
                owner, [call = std::move(call), controller = owner] { call(*controller); }, Qt::QueuedConnection);
    }

    /// Any thread; never waits for the window.
    void push(const Event &event)
    {
        std::lock_guard lock(queueMutex);
        if (!owner)
            return;
        // Only the newest of consecutive progress reports matters.
        if (std::holds_alternative<Progress>(event) && !queue.empty() && std::holds_alternative<Progress>(queue.back()))
            queue.back() = event;
        else
            queue.push_back(event);
        if (!takePending) {
            takePending = true;
            QMetaObject::invokeMethod(
                owner, [controller = owner] { controller->scheduleTake(); }, Qt::QueuedConnection);
        }
    }

    /// The engine, loaded on first need; throws what the factory throws.
    Engine &loadedEngine()
    {
        if (!engine) {
            engine = factory();
            if (!engine)
                throw Error(ErrorKind::Failure, "The engine module gave no engine. Install it again.");
        }
        return *engine;
    }
};

RunController::RunController(EngineFactory factory, QObject *parent)
    : QObject(parent), m_shared(std::make_shared<Shared>())
{
    m_shared->factory = std::move(factory);
    m_shared->owner = this;
    m_shared->thread = std::thread([shared = m_shared] { shared->work(); });
    m_frame.setSingleShot(true);
    m_frame.setTimerType(Qt::PreciseTimer);
    connect(&m_frame, &QTimer::timeout, this, &RunController::takeQueue);
}

RunController::~RunController()
{
    m_stop.request_stop();
    {
        std::lock_guard lock(m_shared->queueMutex);
        m_shared->owner = nullptr;
    }
    bool done = false;
    {
        std::unique_lock lock(m_shared->jobMutex);
        m_shared->quit = true;
        m_shared->jobReady.notify_all();
        done = m_shared->finished.wait_for(lock, std::chrono::seconds(10), [this] { return m_shared->done; });
    }
    if (done) {
        m_shared->thread.join();
    } else {
        g_leftBehind = true;
        m_shared->thread.detach();
    }
}

bool RunController::workerLeftBehind()
{
    return g_leftBehind;
}

void RunController::loadDevices()
{
    m_shared->post([shared = m_shared.get()] {
        QString problem;
        try {
            Engine &engine = shared->loadedEngine();
            shared->toWindow([version = QString::fromStdString(engine.version()), devices = engine.devices()](
                                 RunController &controller) { emit controller.engineReady(version, devices); });
        } catch (const std::exception &error) {
            problem = sentenceOf(error);
        }
        if (!problem.isEmpty())
            shared->toWindow([problem](RunController &controller) { emit controller.engineUnavailable(problem); });
    });
}

std::string RunController::start(RunPlan plan, Recorder record, std::shared_ptr<Engine> instead)
{
    if (m_running)
        return {};
    plan.runId = newId();
    m_runId = plan.runId;
    m_stop = std::stop_source();
    m_running = true;
    m_frameMs = plan.device == "cpu" && !instead ? kCpuFrameMs : kFrameMs;
    {
        std::lock_guard lock(m_shared->queueMutex);
        m_shared->queue.clear();
    }
    emit runningChanged(true);
    m_shared->post([shared = m_shared.get(), plan = std::move(plan), record = std::move(record),
                    instead = std::move(instead), stop = m_stop.get_token()] {
        bool recording = bool(record);
        bool ended = false;
        const auto deliver = [&](const Event &event) {
            if (runIdOf(event) != plan.runId || ended)
                return;
            ended = std::holds_alternative<RunEnded>(event);
            if (recording) {
                QString problem;
                try {
                    record(event);
                } catch (const std::exception &error) {
                    problem = sentenceOf(error);
                }
                if (!problem.isEmpty()) {
                    recording = false;
                    shared->toWindow(
                        [problem](RunController &controller) { emit controller.recordingFailed(problem); });
                }
            }
            shared->push(event);
        };
        const auto fail = [&](ErrorKind kind, const std::string &sentence) {
            deliver(RunEnded{plan.runId, RunEnded::How::Failed, kind, sentence});
        };
        try {
            (instead ? *instead : shared->loadedEngine()).run(plan, deliver, stop);
            fail(ErrorKind::Failure, "The engine came back without an end of the run; its results so far are kept.");
        } catch (const Error &error) {
            fail(error.kind(), error.what());
        } catch (const std::exception &error) {
            fail(ErrorKind::Failure, error.what());
        }
    });
    return m_runId;
}

void RunController::stop()
{
    m_stop.request_stop();
}

void RunController::scheduleTake()
{
    const qint64 since = m_sinceTake.isValid() ? m_sinceTake.elapsed() : m_frameMs;
    if (since >= m_frameMs)
        takeQueue();
    else if (!m_frame.isActive())
        m_frame.start(int(m_frameMs - since));
}

void RunController::takeQueue()
{
    std::vector<Event> events;
    {
        std::lock_guard lock(m_shared->queueMutex);
        m_shared->takePending = false;
        events.swap(m_shared->queue);
    }
    m_sinceTake.start();
    // A run that was given up may still have had events under way.
    std::erase_if(events, [this](const Event &event) { return runIdOf(event) != m_runId; });
    if (events.empty())
        return;
    const bool ended = std::holds_alternative<RunEnded>(events.back());
    if (ended)
        m_running = false;
    emit eventsArrived(events);
    if (ended)
        emit runningChanged(false);
}

} // namespace ridgepoint
