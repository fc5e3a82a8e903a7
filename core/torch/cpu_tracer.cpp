// SPDX-License-Identifier: GPL-3.0-or-later
// What a step does on the CPU: operations of libtorch as its own profiler sees them, the decoder's own code by its marks.
#include "core/torch/step_tracer.h"

#include <ATen/record_function.h>

#include <chrono>
#include <utility>

namespace ridgepoint {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point from, Clock::time_point to)
{
    return std::chrono::duration<double>(to - from).count();
}

class CpuTracer final : public StepTracer, private PartMarks {
public:
    ~CpuTracer() override { stop(); }

    std::string name() const override { return "wall clock at the parts, libtorch's RecordFunction"; }
    std::string note() const override
    {
        return "On the CPU an operation is the decoder's own code between two marks, or an outermost operation of libtorch on "
               "the thread that issues the step; operations inside it are not listed.";
    }
    PartMarks *marks() override { return this; }
    bool needsMarks() const override { return true; }

    void start(bool) override
    {
        stop();
        s_active = this;
        m_handle = at::addThreadLocalCallback(
            at::RecordFunctionCallback(&CpuTracer::entered, &CpuTracer::left).scopes({at::RecordScope::FUNCTION}));
        m_started = true;
        reset();
    }

    std::vector<TracedKernel> take() override
    {
        end();
        std::vector<TracedKernel> kernels = std::move(m_kernels);
        reset();
        return kernels;
    }

    void stop() override
    {
        if (!m_started)
            return;
        at::removeCallback(m_handle);
        m_started = false;
        s_active = nullptr;
    }

private:
    void reset()
    {
        m_kernels.clear();
        m_own = nullptr;
        m_part = StepPart::Other;
        m_layer = -1;
        m_depth = 0;
        m_any = false;
    }

    void begin(StepPart part, int layer, const char *own) override
    {
        closeOwn(Clock::now());
        m_part = part;
        m_layer = layer;
        m_own = own;
        m_from = Clock::now(); // without the cost of keeping what came before
    }
    void end() override
    {
        closeOwn(Clock::now());
        m_part = StepPart::Other;
        m_layer = -1;
        m_own = nullptr;
    }

    /// The decoder's own code ran since m_from, where it said that it has any.
    void closeOwn(Clock::time_point to)
    {
        if (m_own)
            add(m_own, m_from, to);
    }

    void add(std::string name, Clock::time_point from, Clock::time_point to)
    {
        if (!m_started)
            return;
        if (!m_any)
            m_origin = from;
        m_any = true;
        m_kernels.push_back({std::move(name), since(m_origin, from), since(from, to), 0, m_part, m_layer});
    }

    static std::unique_ptr<at::ObserverContext> entered(const at::RecordFunction &function)
    {
        if (s_active && s_active->m_depth++ == 0) {
            s_active->m_opName = function.name();
            s_active->m_opFrom = Clock::now();
            s_active->closeOwn(s_active->m_opFrom);
        }
        return nullptr;
    }
    static void left(const at::RecordFunction &, at::ObserverContext *)
    {
        if (s_active && s_active->m_depth > 0 && --s_active->m_depth == 0) {
            const Clock::time_point now = Clock::now();
            s_active->add(s_active->m_opName, s_active->m_opFrom, now);
            s_active->m_from = now;
        }
    }

    inline static thread_local CpuTracer *s_active = nullptr;
    at::CallbackHandle m_handle = 0;
    bool m_started = false;
    std::vector<TracedKernel> m_kernels;
    const char *m_own = nullptr;
    StepPart m_part = StepPart::Other;
    int m_layer = -1;
    int m_depth = 0; ///< operations of libtorch that are under way
    bool m_any = false;
    std::string m_opName;
    Clock::time_point m_origin{}, m_from{}, m_opFrom{};
};

class CpuPartTimer final : public PartTimer {
public:
    std::string name() const override { return "wall clock at the beginning of each part"; }
    void startStep() override
    {
        m_seconds.clear();
        m_open = false;
    }
    void begin(StepPart part, int, const char *) override
    {
        end();
        m_part = part;
        m_open = true;
    }
    void end() override
    {
        const Clock::time_point now = Clock::now();
        if (m_open)
            m_seconds[m_part] += since(m_from, now);
        m_open = false;
        m_from = now;
    }
    std::map<StepPart, double> finishStep() override
    {
        if (m_open)
            throw Error(ErrorKind::Failure, "The decoder did not tell where the last part of its step ends.");
        return m_seconds;
    }

private:
    std::map<StepPart, double> m_seconds;
    StepPart m_part = StepPart::Other;
    bool m_open = false;
    Clock::time_point m_from{};
};

} // namespace

std::unique_ptr<StepTracer> makeCpuTracer()
{
    return std::make_unique<CpuTracer>();
}

std::unique_ptr<PartTimer> makeCpuPartTimer()
{
    return std::make_unique<CpuPartTimer>();
}

} // namespace ridgepoint
