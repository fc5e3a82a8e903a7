// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/verdict.h"

#include "core/analytic/line_fit.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/bend.h"
#include "core/session/tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

namespace {

// The header says where these come from.
constexpr double kHalf = 0.5;
constexpr double kThird = 1.0 / 3;
constexpr double kNormal = 0.2;       ///< measurements that agree within it are normal (spec section 4)
constexpr double kSameContext = 0.1;  ///< contexts this near count as one: the KV bytes of a step differ by no more
constexpr double kSameStep = kDepartureThreshold; ///< steps nearer than this are called equal

bool known(double value)
{
    return std::isfinite(value);
}

bool onGpu(const RunRecord &run)
{
    return run.plan.device != "cpu";
}


std::optional<SweepPoint> pointOfTtft(const RunRecord &run)
{
    if (!run.ttft)
        return std::nullopt;
    const TtftMethodResult *best = recordMethod(*run.ttft);
    if (!best)
        return std::nullopt;
    SweepPoint p;
    p.batch = run.ttft->batch;
    p.prompt = run.ttft->prompt;
    p.mode = run.plan.mode;
    p.context = run.ttft->forecast.floorNominal.context;
    if (!(p.context > 0))
        p.context = static_cast<double>(run.ttft->prompt) + static_cast<double>(run.ttft->newTokens) / 2;
    p.steps = best->steps;
    summariseSteps(p);
    p.stepSeconds = best->tpotSeconds;
    p.forecast = run.ttft->forecast;
    return p;
}

bool sameSubject(const RunRecord &a, const RunRecord &b)
{
    return a.provenance.deviceName == b.provenance.deviceName && a.plan.dtype == b.plan.dtype &&
           a.plan.model.shape == b.plan.model.shape && a.plan.device == b.plan.device;
}

bool sameContext(double a, double b)
{
    return a > 0 && b > 0 && std::abs(a - b) <= kSameContext * std::max(a, b);
}

/// The same batch and context in the other mode, the nearest context first; null step: none.
std::optional<SweepPoint> twinOf(const Session &session, const RunRecord &run, const SweepPoint &point)
{
    if (point.mode == DecodeMode::Fused)
        return std::nullopt;
    const DecodeMode other = point.mode == DecodeMode::Eager ? DecodeMode::Graph : DecodeMode::Eager;
    std::optional<SweepPoint> found;
    const auto consider = [&](const SweepPoint &p) {
        if (p.mode == other && p.batch == point.batch && p.status == PointStatus::Ok && p.stepSeconds > 0 &&
            sameContext(p.context, point.context) &&
            (!found || std::abs(p.context - point.context) < std::abs(found->context - point.context)))
            found = p;
    };
    for (const RunRecord &r : session.runs) {
        if (&r == &run || !sameSubject(r, run))
            continue;
        for (const SweepPoint &p : r.points)
            consider(p);
        if (const auto p = pointOfTtft(r))
            consider(*p);
    }
    return found;
}

const StepAnatomy *anatomyOf(const Session &session, const RunRecord &run, const SweepPoint &point)
{
    const auto fits = [&](const RunRecord &r) {
        return r.anatomy && r.anatomy->mode == point.mode && r.anatomy->batch == static_cast<double>(point.batch) &&
               sameContext(r.anatomy->context, point.context) && r.anatomy->busySeconds > 0 && sameSubject(r, run);
    };
    for (auto r = session.runs.rbegin(); r != session.runs.rend(); ++r) // the newest
        if (fits(*r))
            return &*r->anatomy;
    return nullptr;
}

double medianOf(const SweepPoint &point, double (*value)(const StepSample &))
{
    std::vector<double> values;
    for (const StepSample &s : point.steps)
        if (const double v = value(s); known(v))
            values.push_back(v);
    return values.empty() ? kMissing : median(std::move(values));
}

std::string batchText(std::int64_t batch)
{
    return format::count(static_cast<double>(batch));
}

class Judge {
public:
    Judge(const Session &session, const RunRecord &run, const SweepPoint &point)
        : m_session(session), m_run(run), m_point(point)
    {
    }

    Verdict judge()
    {
        if (m_point.status != PointStatus::Ok || !(m_point.stepSeconds > 0) || !known(m_point.stepSeconds))
            return cannotTell({QT_TRANSLATE_NOOP("core", "Cannot tell: the point has no step time."), {}},
                              {QT_TRANSLATE_NOOP("core", "Measure the point again, with a smaller batch or prompt where memory was short."), {}});
        m_t = m_point.stepSeconds;
        const Ceilings ceilings = bestCeilingsOf(m_run);
        const MeasuredCeilings *measured = measuredCeilingsOf(m_run);
        m_v.measuredCeilings = measured && measured->readBandwidth;
        try {
            m_workload = runWorkload(m_run);
            m_step = predictStep(*m_workload, ceilings, static_cast<double>(m_point.batch), m_point.context);
        } catch (const Error &) {
            return cannotTell({QT_TRANSLATE_NOOP("core", "Cannot tell: no ceilings are known that the step could be held against."), {}},
                              {QT_TRANSLATE_NOOP("core", "Calibrate the device, or choose its profile from the catalogue."), {}});
        }
        m_ceilings = ceilings;
        m_v.ratio = m_t / m_step.floorSeconds();
        m_v.memoryShare = m_step.memorySeconds / m_t;
        m_v.computeShare = m_step.computeSeconds / m_t;
        tellRatio();
        tellRoofs();
        tellLaunches(measured);
        tellClocks();
        decide();
        warn();
        return std::move(m_v);
    }

private:
    Verdict cannotTell(Message sentence, Message next)
    {
        m_v.kind = VerdictKind::CannotTell;
        m_v.sentence = std::move(sentence);
        m_v.next.push_back(std::move(next));
        return std::move(m_v);
    }
    void tell(VerdictKind toward, Message text) { m_v.evidence.push_back({std::move(text), toward}); }
    void suggest(const char *pattern, std::vector<std::string> arguments = {})
    {
        m_v.next.push_back({pattern, std::move(arguments)});
    }
    bool memorySide() const { return m_step.bound == Bound::Memory; }
    VerdictKind side() const { return memorySide() ? VerdictKind::MemoryBound : VerdictKind::ComputeBound; }

    void tellRatio()
    {
        const RatioBand band = ratioBand(m_v.ratio);
        const VerdictKind toward = band == RatioBand::Impossible      ? VerdictKind::CannotTell
                                   : band <= RatioBand::MemoryBound   ? side()
                                   : band == RatioBand::OverheadRules ? VerdictKind::LaunchBound
                                                                      : VerdictKind::Mixed;
        const std::vector<std::string> figures{format::seconds(m_t), format::ratio(m_v.ratio),
                                               format::seconds(m_step.floorSeconds())};
        tell(toward, m_v.measuredCeilings
                         ? Message{QT_TRANSLATE_NOOP("core", "The step of %1 takes %2 times its floor of %3 at the measured ceilings."), figures}
                         : Message{QT_TRANSLATE_NOOP("core", "The step of %1 takes %2 times its floor of %3 at the datasheet's ceilings; nothing was calibrated."), figures});
        switch (band) {
        case RatioBand::Impossible:
            tell(toward, {QT_TRANSLATE_NOOP("core", "A ratio under 1 is impossible: something in the measurement or the ceilings is wrong."), {}});
            break;
        case RatioBand::NearBandwidth:
            tell(toward, memorySide()
                             ? Message{QT_TRANSLATE_NOOP("core", "1.0 to 1.5: nearly at the bandwidth."), {}}
                             : Message{QT_TRANSLATE_NOOP("core", "1.0 to 1.5: nearly at the arithmetic rate."), {}});
            break;
        case RatioBand::MemoryBound:
            tell(toward, memorySide()
                             ? Message{QT_TRANSLATE_NOOP("core", "1.5 to 3: memory-bound holds, a third of the step or more."), {}}
                             : Message{QT_TRANSLATE_NOOP("core", "1.5 to 3: the floor, here arithmetic, is a third of the step or more."), {}});
            break;
        case RatioBand::PartlyElsewhere:
            tell(toward, {QT_TRANSLATE_NOOP("core", "3 to 6: a clear part of the time goes elsewhere than into the floor."), {}});
            break;
        case RatioBand::OverheadRules:
            tell(toward, {QT_TRANSLATE_NOOP("core", "Over 6: by the ratio alone overhead rules."), {}});
            break;
        }
        const double spread = (m_point.p90Seconds - m_point.p10Seconds) / m_t;
        if (known(spread))
            tell(VerdictKind::CannotTell, {QT_TRANSLATE_NOOP("core", "Its steps lie within %1 of the median from p10 to p90."), {format::percent(spread)}});
    }

    void tellRoofs()
    {
        tell(m_v.memoryShare >= kThird ? VerdictKind::MemoryBound : VerdictKind::CannotTell,
             {QT_TRANSLATE_NOOP("core", "Its bytes, %1, would take %2 at %3: %4 of the step. Over the whole step, idle time included, it read at %5."),
              {format::bytes(m_step.bytes), format::seconds(m_step.memorySeconds), format::bandwidth(m_ceilings.bandwidth),
               format::percent(m_v.memoryShare), format::bandwidth(m_step.bytes / m_t)}});
        tell(m_v.computeShare >= kThird ? VerdictKind::ComputeBound : VerdictKind::CannotTell,
             {QT_TRANSLATE_NOOP("core", "Its arithmetic, %1, would take %2 at %3: %4 of the step. It achieved %5."),
              {format::flop(m_step.flop), format::seconds(m_step.computeSeconds), format::flops(m_ceilings.flops),
               format::percent(m_v.computeShare), format::flops(m_step.flop / m_t)}});
        const std::vector<std::string> figures{format::intensity(m_step.intensity), format::intensity(m_ceilings.ridge())};
        if (memorySide())
            tell(VerdictKind::MemoryBound,
                 {QT_TRANSLATE_NOOP("core", "Its intensity of %1 lies below the ridge of %2: the bytes take longer than the arithmetic."), figures});
        else
            tell(VerdictKind::ComputeBound,
                 {QT_TRANSLATE_NOOP("core", "Its intensity of %1 lies above the ridge of %2: the arithmetic takes longer than the bytes."), figures});
        if (mayBeCached(m_workload->weightBytes, m_run.provenance.lastLevelCacheBytes))
            tell(VerdictKind::CannotTell,
                 {QT_TRANSLATE_NOOP("core", "Its weights of %1 may partly be read from the last-level cache of %2, which is faster than memory."),
                  {format::bytes(m_workload->weightBytes), format::bytes(m_run.provenance.lastLevelCacheBytes)}});
    }

    /// A direct observation of the launch share; the greatest counts.
    void launch(double share)
    {
        if (!(m_v.launchShare >= share))
            m_v.launchShare = std::clamp(share, 0.0, 1.0);
    }
    VerdictKind towardLaunch(double share) const
    {
        return share >= kThird ? VerdictKind::LaunchBound : VerdictKind::CannotTell;
    }

    void tellLaunches(const MeasuredCeilings *measured)
    {
        const bool graph = isReplayed(m_point.mode);
        const auto fixedCost = [&](bool replayed) {
            const std::optional<double> cost =
                measured ? measured->stepOverheadFor(m_run.plan.model.shape.layers, replayed) : std::nullopt;
            return cost && *cost > 0 ? *cost : kMissing;
        };

        m_anatomy = anatomyOf(m_session, m_run, m_point);
        if (m_anatomy) {
            const double whole =
                m_anatomy->untracedSeconds > 0 ? m_anatomy->untracedSeconds : m_anatomy->tracedSeconds;
            const double idle = 1 - m_anatomy->busySeconds / whole;
            if (idle >= -kSameStep) {
                m_busy = m_anatomy->busySeconds;
                launch(std::max(0.0, idle));
                tell(idle >= kThird ? VerdictKind::LaunchBound : idle < kNormal ? side() : VerdictKind::CannotTell,
                     {QT_TRANSLATE_NOOP("core", "The anatomy of such a step shows a kernel running for %1 of %2; for %3 of the step the device had nothing to do."),
                      {format::seconds(m_anatomy->busySeconds), format::seconds(whole), format::percent(std::max(0.0, idle))}});
            } else {
                tell(VerdictKind::CannotTell,
                     {QT_TRANSLATE_NOOP("core", "The anatomy of such a step has kernels running for %1, longer than the step of %2 without the tracer: the two contradict each other."),
                      {format::seconds(m_anatomy->busySeconds), format::seconds(whole)}});
            }
        }

        m_twin = twinOf(m_session, m_run, m_point);
        if (m_twin) {
            const double eager = graph ? m_twin->stepSeconds : m_t, replayed = graph ? m_t : m_twin->stepSeconds;
            const double saved = 1 - replayed / eager;
            const std::vector<std::string> figures{format::seconds(eager), format::seconds(replayed), format::percent(saved)};
            if (saved < -kSameStep) {
                tell(VerdictKind::CannotTell,
                     {QT_TRANSLATE_NOOP("core", "Launched one by one the step takes %1, replayed from a graph %2, which is longer: the two were not measured under the same conditions."), figures});
            } else if (graph) {
                tell(VerdictKind::CannotTell,
                     {QT_TRANSLATE_NOOP("core", "Launched one by one the step takes %1, replayed from a graph %2: %3 of the eager step was launching, and is gone here."), figures});
            } else {
                const double fixed = fixedCost(true);
                if (known(fixed)) {
                    const double share = (std::max(0.0, eager - replayed) + fixed) / m_t;
                    launch(share);
                    tell(towardLaunch(share),
                         {QT_TRANSLATE_NOOP("core", "Launched one by one the step takes %1, replayed from a graph %2 (%3 less). With the %4 that a replayed step of as many layers costs without weights, launches and fixed cost are %5 of this step."),
                          {figures[0], figures[1], figures[2], format::seconds(fixed), format::percent(share)}});
                } else {
                    launch(std::max(0.0, saved));
                    tell(towardLaunch(saved),
                         {QT_TRANSLATE_NOOP("core", "Launched one by one the step takes %1, replayed from a graph %2: launching is %3 of it."), figures});
                }
            }
        }

        const double gap = medianOf(m_point, [](const StepSample &s) { return s.hostGapSeconds(); });
        const double wall = medianOf(m_point, [](const StepSample &s) { return s.wallSeconds; });
        if (known(gap) && wall > 0) {
            // Outside of the device's own timer, so it tells launch-bound from not only where it is large.
            const double share = std::max(0.0, gap / wall);
            if (share >= kThird)
                launch(share);
            tell(towardLaunch(share),
                 {QT_TRANSLATE_NOOP("core", "By the host's clock a step takes %1, of which the device's timer did not run for %2 (%3)."),
                  {format::seconds(wall), format::seconds(std::max(0.0, gap)), format::percent(share)}});
        }
        if (wall > 0 && m_point.backToBackSeconds > 0) {
            constexpr double kApart = 1.02; // what two medians of the same step differ by on a quiet machine
            m_waiting = std::max(0.0, 1 - m_point.backToBackSeconds / wall);
            if (m_point.backToBackSeconds > kApart * wall)
                tell(VerdictKind::CannotTell,
                     {QT_TRANSLATE_NOOP("core", "Steps that follow one another without a wait took %1 each, longer than waited for one by one (%2): something else held them up, so that the cost of waiting is not known."),
                      {format::seconds(m_point.backToBackSeconds), format::seconds(wall)}});
            else
                tell(towardLaunch(m_waiting),
                     {QT_TRANSLATE_NOOP("core", "Steps that follow one another without a wait take %1 each, waited for one by one %2: waiting costs %3."),
                      {format::seconds(m_point.backToBackSeconds), format::seconds(wall), format::percent(m_waiting)}});
        }

        const double fixed = fixedCost(graph);
        if (known(fixed)) {
            const double share = fixed / m_t;
            const std::vector<std::string> figures{format::seconds(fixed), format::percent(share)};
            if (share > 1) { // a part cannot exceed the whole
                tell(VerdictKind::CannotTell,
                     {QT_TRANSLATE_NOOP("core", "A step of as many layers with almost no weights took %1, longer than this step: the two were not measured under the same conditions, and it does not count."), {figures[0]}});
            } else if (graph || !onGpu(m_run)) {
                launch(share); // one after another: nothing hides
                tell(towardLaunch(share),
                     {QT_TRANSLATE_NOOP("core", "A step of as many layers with almost no weights takes %1, %2 of this step: the fixed cost of its operations."), figures});
            } else {
                const bool direct = known(m_v.launchShare);
                if (!direct)
                    launch(share);
                tell(direct ? VerdictKind::CannotTell : towardLaunch(share),
                     {QT_TRANSLATE_NOOP("core", "A step of as many layers with almost no weights takes %1 to launch and run, %2 of this step; part of that may hide behind the device's work."), figures});
            }
        }
    }

    void tellClocks()
    {
        const TelemetrySummary t = telemetryOf(m_point.steps);
        if (t.smClockHz.known()) {
            const std::string low = fmt::format("{:.0f}", t.smClockHz.least / 1e6),
                              high = fmt::format("{:.0f}", t.smClockHz.greatest / 1e6);
            tell(VerdictKind::CannotTell,
                 low == high ? Message{QT_TRANSLATE_NOOP("core", "The SM clock read %1 MHz beside its steps."), {low}}
                             : Message{QT_TRANSLATE_NOOP("core", "The SM clock read %1 to %2 MHz beside its steps."), {low, high}});
        }
        if (t.throttled > 0) {
            std::string reasons;
            for (const std::string &r : t.reasons)
                reasons += (reasons.empty() ? "" : ", ") + r;
            tell(VerdictKind::CannotTell,
                 {QT_TRANSLATE_NOOP("core", "%1 of %2 steps ran while the device reported throttling (%3)."),
                  {std::to_string(t.throttled), std::to_string(t.steps), reasons}});
            m_throttled = 2 * t.throttled >= t.steps;
        } else if (t.sampled > 0) {
            tell(VerdictKind::CannotTell, {QT_TRANSLATE_NOOP("core", "No step was throttled."), {}});
        }
    }

    void decide()
    {
        const double spread = (m_point.p90Seconds - m_point.p10Seconds) / m_t;
        const double floor = std::max(m_v.memoryShare, m_v.computeShare), launch = m_v.launchShare;
        const std::string memory = format::percent(m_v.memoryShare), compute = format::percent(m_v.computeShare),
                          launches = format::percent(launch);
        if (m_v.ratio < 1) {
            const Ceilings &nominal = m_run.plan.nominal;
            if (m_v.measuredCeilings && nominal.bandwidth > m_ceilings.bandwidth && m_t * nominal.bandwidth >= m_step.bytes) {
                m_v.sentence = {QT_TRANSLATE_NOOP("core", "Cannot tell: the step is faster than the measured ceilings allow (ratio %1), though not than the datasheet's; the calibration underrates the device."), {format::ratio(m_v.ratio)}};
                suggest(QT_TRANSLATE_NOOP("core", "Calibrate again on an idle device, then measure the point again."));
            } else {
                m_v.sentence = {QT_TRANSLATE_NOOP("core", "Cannot tell: the step is faster than its floor (ratio %1), which is impossible; find the fault first."), {format::ratio(m_v.ratio)}};
                suggest(QT_TRANSLATE_NOOP("core", "Check that every timed step waits for the device, that the weights are far larger than the cache, and that card and dtype are those of the ceilings."));
            }
            return;
        }
        if (spread > kNormal) {
            m_v.sentence = {QT_TRANSLATE_NOOP("core", "Cannot tell: its steps differ by %1 from p10 to p90, more than the 20 % that are normal."), {format::percent(spread)}};
            suggest(QT_TRANSLATE_NOOP("core", "Measure again with more steps on an idle machine, and look at the per-step chart for what varies."));
            return;
        }
        const double lesser = std::min(m_v.memoryShare, m_v.computeShare);
        if (lesser >= kThird && lesser >= (1 - kNormal) * floor) {
            m_v.kind = VerdictKind::Mixed;
            m_v.sentence = {QT_TRANSLATE_NOOP("core", "Mixed, at the ridge: the bytes alone would take %1 of the step and the arithmetic %2."), {memory, compute}};
            suggest(QT_TRANSLATE_NOOP("core", "A larger batch gains little more here: both roofs are near."));
        } else if (launch >= kHalf && floor < kHalf) {
            m_v.kind = VerdictKind::LaunchBound;
            m_v.sentence = {QT_TRANSLATE_NOOP("core", "Launch-bound: launches and the fixed cost of kernels take %1 of the step, the bytes alone would take %2."), {launches, memory}};
        } else if (floor >= kThird && !(launch >= (floor >= kHalf ? kHalf : kThird))) {
            m_v.kind = side();
            m_v.sentence = memorySide()
                ? Message{QT_TRANSLATE_NOOP("core", "Memory-bound: the bytes alone would take %1 of the step, the arithmetic %2."), {memory, compute}}
                : Message{QT_TRANSLATE_NOOP("core", "Compute-bound: the arithmetic alone would take %1 of the step, the bytes %2."), {compute, memory}};
        } else if (known(launch)) {
            m_v.kind = VerdictKind::Mixed;
            if (launch < kThird)
                m_v.sentence = {QT_TRANSLATE_NOOP("core", "Mixed: neither bytes (%1 of the step) nor arithmetic (%2) nor launches (%3) explain it; its kernels stay below both roofs."), {memory, compute, launches}};
            else if (memorySide())
                m_v.sentence = {QT_TRANSLATE_NOOP("core", "Mixed: the bytes alone would take %1 of the step, launches and the fixed cost of kernels %2."), {memory, launches}};
            else
                m_v.sentence = {QT_TRANSLATE_NOOP("core", "Mixed: the arithmetic alone would take %1 of the step, launches and the fixed cost of kernels %2."), {compute, launches}};
        } else {
            m_v.sentence = {QT_TRANSLATE_NOOP("core", "Cannot tell: the floor is %1 of the step, and nothing that was measured says where the rest goes."), {format::percent(floor)}};
        }
        suggestNext();
    }

    void suggestNext()
    {
        const bool graph = isReplayed(m_point.mode), gpu = onGpu(m_run);
        const bool launches = m_v.kind == VerdictKind::LaunchBound || m_v.launchShare >= kThird;
        if (m_v.kind == VerdictKind::CannotTell) {
            if (!m_v.measuredCeilings)
                suggest(QT_TRANSLATE_NOOP("core", "Calibrate: the measured fixed cost of a step says how much of it launches take."));
            if (gpu && !m_twin)
                suggest(graph ? QT_TRANSLATE_NOOP("core", "Measure the same point with --mode eager: the difference is what launching costs.")
                              : QT_TRANSLATE_NOOP("core", "Measure the same point with --mode graph: the difference is what launching costs."));
            if (!m_anatomy)
                suggest(QT_TRANSLATE_NOOP("core", "Take a step apart (anatomy): it shows how long the device had nothing to do."));
            return;
        }
        if (launches && gpu && !graph) {
            if (!m_twin)
                suggest(QT_TRANSLATE_NOOP("core", "Try --mode graph: a replayed step needs one launch."));
            else if (m_twin->stepSeconds < m_t * (1 - kSameStep))
                suggest(QT_TRANSLATE_NOOP("core", "Use --mode graph: the same step takes %1 there."), {format::seconds(m_twin->stepSeconds)});
        }
        const double kvPart = 1 - m_workload->weightBytes / m_step.bytes;
        if (m_v.kind != VerdictKind::ComputeBound) {
            if (launches || kvPart < kHalf)
                suggest(QT_TRANSLATE_NOOP("core", "A larger batch: weights are read and kernels launched once for all sequences."));
            else
                suggest(QT_TRANSLATE_NOOP("core", "A shorter context or a model with fewer KV heads: the KV cache is %1 of the bytes, and a larger batch does not amortise it."), {format::percent(kvPart)});
        }
        if (m_v.kind == VerdictKind::MemoryBound && m_run.plan.dtype == DType::F32)
            suggest(QT_TRANSLATE_NOOP("core", "bf16 or fp16: half the bytes a step."));
        if (m_v.kind == VerdictKind::ComputeBound) {
            suggest(QT_TRANSLATE_NOOP("core", "A larger batch gains no more tokens a second; only a faster arithmetic rate does."));
            if (m_run.plan.dtype == DType::F32)
                suggest(QT_TRANSLATE_NOOP("core", "bf16 or fp16, where the device multiplies them faster."));
        }
        if (!m_anatomy && m_v.ratio >= 1.5) // nearly at the roof there is nothing to look for
            suggest(QT_TRANSLATE_NOOP("core", "Take a step apart (anatomy) to see which kernels stay below the roof."));
        if (!m_v.measuredCeilings)
            suggest(QT_TRANSLATE_NOOP("core", "Calibrate: these shares are of the datasheet's ceilings, which nothing reaches."));
        if (m_waiting >= kThird)
            suggest(QT_TRANSLATE_NOOP("core", "Look at the synchronisation: waiting for each step costs %1."), {format::percent(m_waiting)});
        if (m_throttled)
            suggest(QT_TRANSLATE_NOOP("core", "Look at power limit and cooling: half of the steps or more were throttled."));
    }

    void warn()
    {
        // Each is said only where these figures invite the misreading.
        if (m_v.ratio >= 3 && memorySide()) {
            const std::string share = format::percent(1 / m_v.ratio);
            if (known(m_busy))
                m_v.cautions.push_back(
                    {QT_TRANSLATE_NOOP("core", "A ratio of %1 does not mean that %2 of the bandwidth was used: in the %3 in which kernels ran, bytes moved at %4."),
                     {format::ratio(m_v.ratio), share, format::seconds(m_busy), format::bandwidth(m_step.bytes / m_busy)}});
            else
                m_v.cautions.push_back(
                    {QT_TRANSLATE_NOOP("core", "A ratio of %1 does not mean that %2 of the bandwidth was used: for part of the step the device may have been waiting for launches. Only the time in which kernels run says how fast they read."),
                     {format::ratio(m_v.ratio), share}});
        }
        if (const double floor = std::max(m_v.memoryShare, m_v.computeShare); floor + m_v.launchShare > 1.05)
            m_v.cautions.push_back(
                {QT_TRANSLATE_NOOP("core", "The shares overlap and do not sum to one (%1 and %2): each is worked out as if it were alone, while launches run beside the device's work and the fixed cost is that of a step with almost no weights."),
                 {format::percent(floor), format::percent(m_v.launchShare)}});
        const SweepPoint *smallest = nullptr;
        for (const SweepPoint &p : m_run.points)
            if (p.prompt == m_point.prompt && p.status == PointStatus::Ok && p.stepSeconds > 0 &&
                (!smallest || p.batch < smallest->batch))
                smallest = &p;
        if (smallest && smallest->batch < m_point.batch && memorySide()) {
            const double departs = 1 - smallest->stepSeconds / m_t;
            if (departs > kDepartureThreshold)
                m_v.cautions.push_back(
                    {QT_TRANSLATE_NOOP("core", "The curve bends (%1 below linear at batch %2), which does not make it compute-bound: the arithmetic would take %3, the bytes %4."),
                     {format::percent(departs), batchText(m_point.batch), format::seconds(m_step.computeSeconds),
                      format::seconds(m_step.memorySeconds)}});
        }
        // Without KV bytes and attention the intensity would be batch x 2 N / W: the batch itself for two-byte weights.
        const double alone = 2 * m_workload->parameters * static_cast<double>(m_point.batch) / m_workload->weightBytes;
        if (m_point.batch > 1 && m_step.intensity < (1 - kNormal) * alone)
            m_v.cautions.push_back(
                {QT_TRANSLATE_NOOP("core", "Arithmetic intensity is not the batch: at batch %1 it is %2, since KV bytes grow with the batch too. At this context no batch brings it over %3."),
                 {batchText(m_point.batch), format::intensity(m_step.intensity),
                  format::intensity(maxIntensity(*m_workload, m_point.context))}});
    }

    const Session &m_session;
    const RunRecord &m_run;
    const SweepPoint &m_point;
    Verdict m_v;
    double m_t = kMissing;
    std::optional<Workload> m_workload;
    Ceilings m_ceilings;
    StepPrediction m_step;
    const StepAnatomy *m_anatomy = nullptr;
    std::optional<SweepPoint> m_twin;
    double m_busy = kMissing, m_waiting = kMissing;
    bool m_throttled = false;
};

} // namespace

std::string_view verdictName(VerdictKind kind)
{
    switch (kind) {
    case VerdictKind::MemoryBound:
        return "memory-bound";
    case VerdictKind::ComputeBound:
        return "compute-bound";
    case VerdictKind::LaunchBound:
        return "launch-bound";
    case VerdictKind::Mixed:
        return "mixed";
    case VerdictKind::CannotTell:
        return "cannot tell";
    }
    return {};
}

Verdict judge(const Session &session, const RunRecord &run, const SweepPoint &point)
{
    return Judge(session, run, point).judge();
}

Verdict judgeTtft(const Session &session, const RunRecord &run)
{
    const std::optional<SweepPoint> point = pointOfTtft(run);
    return Judge(session, run, point.value_or(SweepPoint{})).judge();
}

} // namespace ridgepoint
