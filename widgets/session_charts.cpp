// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/session/line.h"
#include "widgets/chart_view.h"
#include "widgets/core_text.h"

#include <QCoreApplication>
#include <QDir>

#include <algorithm>
#include <cmath>
#include <set>

namespace ridgepoint {

namespace {

class SessionCharts {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::SessionCharts)
};

bool hasPoints(const RunRecord &run)
{
    return std::any_of(run.points.begin(), run.points.end(), [](const SweepPoint &point) {
        return point.status == PointStatus::Ok && std::isfinite(point.stepSeconds);
    });
}

bool hasTpot(const RunRecord &run)
{
    return run.ttft && std::any_of(run.ttft->methods.begin(), run.ttft->methods.end(),
                                   [](const TtftMethodResult &method) { return std::isfinite(method.tpotSeconds); });
}

bool hasSteps(const RunRecord &run)
{
    return std::any_of(run.points.begin(), run.points.end(),
                       [](const SweepPoint &point) { return !point.steps.empty(); }) ||
           (run.ttft &&
            std::any_of(run.ttft->methods.begin(), run.ttft->methods.end(), [](const TtftMethodResult &method) {
                return method.method != TtftMethod::Subtraction && !method.steps.empty();
            }));
}

/// The newest run that `wanted` holds for; null: none.
template <typename Predicate>
const RunRecord *newest(const Session &session, Predicate wanted)
{
    const auto found = std::find_if(session.runs.rbegin(), session.runs.rend(), wanted);
    return found != session.runs.rend() ? &*found : nullptr;
}

} // namespace

WhatIf whatIfOfRun(const RunRecord &run)
{
    const RunPlan &plan = run.plan;
    WhatIf whatIf;
    whatIf.shape = plan.model.shape;
    whatIf.dtype = plan.dtype;
    whatIf.accounting = Accounting::Exact;
    whatIf.mode = plan.mode;
    whatIf.nominal = plan.nominal;
    whatIf.nominal.overhead = 0;
    // The profile that the plan was made with, as far as the plan keeps it.
    whatIf.hardware.id = plan.hardwareId;
    whatIf.hardware.name = run.provenance.deviceName.empty() ? plan.hardwareId : run.provenance.deviceName;
    whatIf.hardware.kind = plan.device == "cpu" ? DeviceKind::Cpu : DeviceKind::Gpu;
    whatIf.hardware.memoryBandwidth = plan.nominal.bandwidth;
    whatIf.hardware.peakFlops[plan.dtype] = plan.nominal.flops;
    whatIf.nominal.memory = memoryOf(run);
    whatIf.hardware.memoryBytes = whatIf.nominal.memory;
    whatIf.measured = plan.measured;
    if (!whatIf.measured && run.calibration)
        whatIf.measured = run.calibration->ceilings;
    whatIf.ceilings = whatIf.measured ? measuredCeilings(whatIf.hardware, *whatIf.measured, plan.dtype,
                                                         plan.model.shape.layers, isReplayed(whatIf.mode))
                                      : whatIf.nominal;
    if (!plan.batches.empty()) {
        whatIf.batches =
            plan.experiment == Experiment::Ttft || plan.experiment == Experiment::Anatomy
                ? std::vector<std::int64_t>{plan.batches.front()}
                : plan.batches;
        whatIf.batch = static_cast<double>(plan.batches.front());
    }
    if (!plan.prompts.empty()) {
        whatIf.prompt = static_cast<double>(plan.prompts.front());
        const std::int64_t ahead =
            plan.experiment == Experiment::Ttft || plan.experiment == Experiment::Line ? plan.newTokens / 2
                                                                                       : plan.warmup + plan.steps / 2;
        whatIf.context = whatIf.prompt + static_cast<double>(ahead);
    }
    if (run.provenance.imported) { // its plan is empty: what was measured is in the points alone
        std::set<std::int64_t> batches;
        const SweepPoint *first = nullptr;
        for (const SweepPoint &point : run.points) {
            if (point.status != PointStatus::Ok || point.batch < 1)
                continue;
            first = first ? first : &point;
            if (batches.size() < 64) // a table can have very many
                batches.insert(point.batch);
        }
        if (first) {
            whatIf.batches.assign(batches.begin(), batches.end());
            whatIf.batch = static_cast<double>(first->batch);
            if (first->prompt > 0)
                whatIf.prompt = static_cast<double>(first->prompt);
            if (std::isfinite(first->context) && first->context > 0)
                whatIf.context = first->context;
        }
    }
    followTimings(whatIf);
    return whatIf;
}

std::vector<std::pair<QString, QString>> renderSessionCharts(const Session &session, const QString &folder,
                                                             const QSize &size, double scale, const ChartTheme &theme)
{
    const RunRecord *sweep = newest(session, hasPoints);
    const RunRecord *either = sweep ? sweep : newest(session, hasTpot);
    const RunRecord *stepped = sweep && hasSteps(*sweep) ? sweep : newest(session, hasSteps);
    // A frontier is worth a picture where the memory is known.
    const RunRecord *withMemory = newest(session, [](const RunRecord &run) {
        return run.plan.experiment == Experiment::Sweep && !run.points.empty() &&
               (run.plan.memoryLimitBytes > 0 || run.provenance.usableBytes > 0 || memoryOf(run) > 0);
    });
    struct Wanted {
        ChartView *(*make)(WorkbenchModel *, QWidget *);
        const RunRecord *run;
    };
    const Wanted charts[] = {{makeRooflineChart, either},
                             {makeThroughputChart, sweep},
                             {makeLatencyChart, stepped},
                             {makeTimeAccountChart, either},
                             {makeFrontierChart, withMemory},
                             {makeAnatomyChart, newest(session, [](const RunRecord &run) { return run.anatomy.has_value(); })},
                             {makeLineChart, newest(session, [](const RunRecord &run) { return !run.line.empty(); })}};

    // A copy that the model can share; the caller keeps the original.
    const auto shared = std::make_shared<const Session>(session);
    std::vector<std::pair<QString, QString>> pictures;
    for (const Wanted &wanted : charts) {
        if (!wanted.run)
            continue;
        WorkbenchModel model;
        model.setSession(shared);
        model.setCurrentRun(wanted.run->plan.runId);
        model.setWhatIf(whatIfOfRun(*wanted.run));
        const std::unique_ptr<ChartView> chart(wanted.make(&model, nullptr));
        chart->setTheme(theme);
        const QString name = chart->id() + QStringLiteral(".png");
        const QString problem = chart->exportTo(QDir(folder).filePath(name), size, scale);
        if (!problem.isEmpty())
            throw Error(ErrorKind::Failure, problem.toStdString());
        const RunPlan &plan = wanted.run->plan;
        const QString device = coreText(shownDevice(*wanted.run));
        if (wanted.make == makeLineChart) {
            const auto from = wanted.run->provenance.extra.find("imported from");
            pictures.emplace_back(name, isImportedLine(*wanted.run) && from != wanted.run->provenance.extra.end()
                                            ? SessionCharts::tr("%1, imported from %2")
                                                  .arg(chart->title(), QString::fromStdString(from->second))
                                            : SessionCharts::tr("%1 on %2").arg(chart->title(), device));
            continue;
        }
        const std::string &modelName = plan.model.shape.name.empty() ? plan.model.shape.id : plan.model.shape.name;
        pictures.emplace_back(name, SessionCharts::tr("%1: %2 in %3 on %4")
                                        .arg(chart->title(), QString::fromStdString(modelName),
                                             QString::fromUtf8(dtypeName(plan.dtype).data(),
                                                               static_cast<qsizetype>(dtypeName(plan.dtype).size())),
                                             device));
    }
    return pictures;
}

} // namespace ridgepoint
