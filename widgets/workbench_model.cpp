// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/workbench_model.h"

#include "core/analytic/forecast.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

WorkbenchModel::WorkbenchModel(QObject *parent)
    : QObject(parent), m_session(std::make_shared<const Session>(newSession()))
{
}

void WorkbenchModel::setSession(SessionPtr session)
{
    m_figures.clear(); // its keys live in the session that goes
    m_session = session ? std::move(session) : std::make_shared<const Session>(newSession());
    if (!m_currentRun.empty() && !m_session->run(m_currentRun))
        m_currentRun.clear();
    emit sessionChanged();
    const bool inFlight = m_selection && m_live && m_live->runId == m_selection->runId;
    if (m_selection && !inFlight && !m_session->run(m_selection->runId))
        select(std::nullopt);
}

const RunRecord *WorkbenchModel::currentRun() const
{
    if (!m_currentRun.empty()) {
        if (const RunRecord *run = m_session->run(m_currentRun))
            return run;
    }
    if (m_live)
        return m_session->run(m_live->runId); // null until its first result: an older run must not stand in for it
    const auto &runs = m_session->runs;
    const auto charted =
        std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord &run) {
            return !run.points.empty() || run.ttft || !run.line.empty();
        });
    if (charted != runs.rend())
        return &*charted;
    const auto anatomy =
        std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord &run) { return run.anatomy.has_value(); });
    if (anatomy != runs.rend())
        return &*anatomy;
    const auto calibrated =
        std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord &run) { return run.calibration.has_value(); });
    return calibrated != runs.rend() ? &*calibrated : nullptr;
}

void WorkbenchModel::setCurrentRun(const std::string &runId)
{
    if (runId == m_currentRun)
        return;
    m_currentRun = runId;
    emit sessionChanged();
}

void WorkbenchModel::setLive(std::optional<LivePoint> live)
{
    if (!live && !m_live)
        return;
    const RunRecord *before = currentRun();
    m_live = std::move(live);
    if (currentRun() != before) // a run begins or ends: another one is shown from now on
        emit sessionChanged();
    emit liveChanged();
}

void WorkbenchModel::appendLiveSteps(const std::vector<StepSample> &steps)
{
    if (!m_live || steps.empty())
        return;
    m_live->steps.insert(m_live->steps.end(), steps.begin(), steps.end());
    emit liveChanged();
}

void WorkbenchModel::select(std::optional<PointKey> key)
{
    if (key == m_selection)
        return;
    m_selection = std::move(key);
    emit selectionChanged();
}

const SweepPoint *WorkbenchModel::selectedPoint() const
{
    if (!m_selection)
        return nullptr;
    const RunRecord *run = m_session->run(m_selection->runId);
    if (!run)
        return nullptr;
    const auto point = std::find_if(run->points.begin(), run->points.end(),
                                    [this](const SweepPoint &p) { return p.index == m_selection->index; });
    return point != run->points.end() ? &*point : nullptr;
}

PredictionBasis basisOf(const WhatIf &whatIf)
{
    const Ceilings &used = whatIf.ceilings;
    if (whatIf.measured) {
        Ceilings measured =
            measuredCeilings(whatIf.hardware, *whatIf.measured, whatIf.dtype, whatIf.shape.layers, isReplayed(whatIf.mode));
        if (!whatIf.measured->readBandwidth && whatIf.nominal.bandwidth > 0)
            measured.bandwidth = whatIf.nominal.bandwidth;
        if (used.bandwidth == measured.bandwidth && used.flops == measured.flops &&
            (used.overhead == measured.overhead || used.overhead == whatIf.timedOverhead))
            return hasTimings(*whatIf.measured, whatIf.shape.id, whatIf.dtype, whatIf.mode)
                       ? PredictionBasis::Timings
                       : PredictionBasis::StepOverhead;
    }
    return used.bandwidth == whatIf.nominal.bandwidth && used.flops == whatIf.nominal.flops && used.overhead == 0
               ? PredictionBasis::Datasheet
               : PredictionBasis::WhatIf;
}

void followTimings(WhatIf &whatIf)
{
    if (basisOf(whatIf) != PredictionBasis::Timings)
        return;
    try {
        const Workload workload = makeWorkload(whatIf.shape, whatIf.dtype, whatIf.accounting);
        if (const auto step =
                forecastStep(*whatIf.measured->timings, workload, whatIf.ceilings, whatIf.batch, whatIf.context))
            whatIf.ceilings.overhead = step->overheadSeconds;
        whatIf.timedOverhead = whatIf.ceilings.overhead;
    } catch (const Error &) {
        // No prediction can be made of these values; whoever makes it says why.
    }
}

void WorkbenchModel::setWhatIf(WhatIf whatIf)
{
    followTimings(whatIf);
    if (whatIf == m_whatIf)
        return;
    m_whatIf = std::move(whatIf);
    emit whatIfChanged();
}

StepFigures stepFigures(const std::vector<StepSample> &steps)
{
    std::vector<double> gaps, clocks;
    StepFigures figures;
    for (const StepSample &step : steps) {
        if (const double gap = step.hostGapSeconds(); std::isfinite(gap))
            gaps.push_back(gap);
        if (std::isfinite(step.smClockHz))
            clocks.push_back(step.smClockHz);
        figures.throttled += step.throttle.empty() ? 0 : 1;
    }
    if (!gaps.empty())
        figures.hostGapSeconds = median(std::move(gaps));
    if (!clocks.empty())
        figures.smClockHz = median(std::move(clocks));
    return figures;
}

const StepFigures &WorkbenchModel::figuresOf(const std::vector<StepSample> &steps) const
{
    const auto found = m_figures.find(&steps);
    return found != m_figures.end() ? found->second : m_figures.emplace(&steps, stepFigures(steps)).first->second;
}

void WorkbenchModel::setView(const ViewOptions &view)
{
    if (view == m_view)
        return;
    m_view = view;
    emit viewChanged();
}

WorkbenchModel::State WorkbenchModel::state() const
{
    return {m_session, m_currentRun, m_live, m_selection, m_whatIf, m_view};
}

void WorkbenchModel::setState(State state)
{
    m_figures.clear();
    m_session = state.session ? std::move(state.session) : std::make_shared<const Session>(newSession());
    m_currentRun = std::move(state.currentRun);
    m_live = std::move(state.live);
    m_selection = std::move(state.selection);
    m_whatIf = std::move(state.whatIf);
    m_view = state.view;
    emit viewChanged();
    emit whatIfChanged();
    emit sessionChanged();
    emit liveChanged();
    emit selectionChanged();
}

const RunRecord *anatomyRun(const WorkbenchModel &model)
{
    const RunRecord *current = model.currentRun();
    if (current && current->anatomy)
        return current;
    const auto &runs = model.session()->runs;
    const auto found = std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord &run) { return run.anatomy.has_value(); });
    return found != runs.rend() ? &*found : nullptr;
}

const StepAnatomy *shownAnatomy(const WorkbenchModel &model)
{
    const RunRecord *run = anatomyRun(model);
    return run ? &*run->anatomy : nullptr;
}

Workload WorkbenchModel::workload() const
{
    return makeWorkload(m_whatIf.shape, m_whatIf.dtype, m_whatIf.accounting);
}

} // namespace ridgepoint
