// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session.h"

#include "core/session/journal.h"
#include "core/session/line.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/format.h>
#include <utility>

namespace ridgepoint {

double memoryOf(const RunRecord &run)
{
    if (run.plan.memoryLimitBytes > 0)
        return run.plan.memoryLimitBytes;
    if (run.plan.nominal.memory > 0)
        return run.plan.nominal.memory;
    return std::isfinite(run.provenance.deviceMemoryBytes) ? run.provenance.deviceMemoryBytes : 0;
}

bool isImported(const RunRecord &run)
{
    return run.provenance.imported || isImportedLine(run);
}

std::string shownDevice(const RunRecord &run)
{
    const std::string &name = run.provenance.deviceName;
    if (isImported(run))
        return name.empty() ? "unknown device (imported)" : name + " (imported)";
    return name.empty() ? run.plan.device : name;
}

Workload runWorkload(const RunRecord &run)
{
    WorkloadOverrides overrides;
    if (const auto &imported = run.provenance.imported) {
        if (imported->weightBytes > 0)
            overrides.weightBytes = imported->weightBytes;
        if (imported->kvBytesPerToken > 0)
            overrides.kvBytesPerToken = imported->kvBytesPerToken;
    }
    return makeWorkload(run.plan.model.shape, run.plan.dtype, Accounting::Exact, overrides);
}

const RunRecord *Session::run(std::string_view runId) const
{
    const auto found =
        std::find_if(runs.begin(), runs.end(), [&](const RunRecord &r) { return r.plan.runId == runId; });
    return found == runs.end() ? nullptr : &*found;
}

RunRecord *Session::run(std::string_view runId)
{
    return const_cast<RunRecord *>(std::as_const(*this).run(runId));
}

std::optional<MeasuredCeilings> Session::ceilings() const
{
    for (auto r = runs.rbegin(); r != runs.rend(); ++r)
        if (r->calibration)
            return r->calibration->ceilings;
    for (auto r = runs.rbegin(); r != runs.rend(); ++r)
        if (r->plan.measured)
            return r->plan.measured;
    return std::nullopt;
}

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                       utc.tm_hour, utc.tm_min, utc.tm_sec);
}

Session newSession()
{
    Session session;
    session.id = newId();
    session.createdUtc = utcNow();
    return session;
}

namespace {

/// Results name their run themselves; one that names another is not this run's.
bool adopt(std::string &resultRunId, const std::string &runId)
{
    if (resultRunId.empty())
        resultRunId = runId;
    return resultRunId == runId;
}

struct Applier {
    Session &session;

    RunRecord *running(const std::string &runId) const
    {
        RunRecord *run = session.run(runId);
        return run && run->state == RunRecord::State::Running ? run : nullptr;
    }

    bool operator()(const RunStarted &e) const
    {
        if (e.runId.empty() || e.plan.runId != e.runId)
            return false;
        if (session.run(e.runId) && !running(e.runId))
            return false;
        RunRecord *run = running(e.runId);
        if (!run)
            run = &session.runs.emplace_back();
        run->plan = e.plan;
        run->provenance = e.provenance;
        return true;
    }
    bool operator()(const PointFinished &e) const
    {
        RunRecord *run = running(e.runId);
        SweepPoint point = e.point;
        if (!run || !adopt(point.runId, e.runId))
            return false;
        for (const SweepPoint &p : run->points)
            if (p.index == point.index)
                return false; // a point is immutable once finished
        run->points.push_back(std::move(point));
        return true;
    }
    bool operator()(const LineRowFinished &e) const
    {
        RunRecord *run = running(e.runId);
        LineRow row = e.row;
        if (!run || !adopt(row.runId, e.runId))
            return false;
        for (const LineRow &r : run->line)
            if (r.index == row.index)
                return false; // a row is immutable once finished
        run->line.push_back(std::move(row));
        return true;
    }
    bool operator()(const TtftFinished &e) const
    {
        RunRecord *run = running(e.runId);
        TtftResult result = e.result;
        if (!run || !adopt(result.runId, e.runId))
            return false;
        run->ttft = std::move(result);
        return true;
    }
    bool operator()(const AnatomyFinished &e) const
    {
        RunRecord *run = running(e.runId);
        StepAnatomy anatomy = e.anatomy;
        if (!run || !adopt(anatomy.runId, e.runId))
            return false;
        run->anatomy = std::move(anatomy);
        return true;
    }
    bool operator()(const CalibrationFinished &e) const
    {
        RunRecord *run = running(e.runId);
        CalibrationResult result = e.result;
        if (!run || !adopt(result.runId, e.runId))
            return false;
        run->calibration = std::move(result);
        return true;
    }
    bool operator()(const RunEnded &e) const
    {
        RunRecord *run = running(e.runId);
        if (!run)
            return false;
        switch (e.how) {
        case RunEnded::How::Done:
            run->state = RunRecord::State::Done;
            break;
        case RunEnded::How::Cancelled:
            run->state = RunRecord::State::Cancelled;
            break;
        case RunEnded::How::Failed:
            run->state = RunRecord::State::Failed;
            break;
        }
        run->sentence = e.sentence;
        return true;
    }
    /// The rest is shown while it happens and leaves no trace in the document.
    template <typename Passing>
    bool operator()(const Passing &e) const
    {
        return running(e.runId) != nullptr;
    }
};

} // namespace

bool applyEvent(Session &session, const Event &event)
{
    return std::visit(Applier{session}, event);
}

} // namespace ridgepoint
