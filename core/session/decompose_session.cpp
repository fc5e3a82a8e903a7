// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/decompose_session.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/bend.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

std::vector<SessionDecomposition> decomposeSession(const Session &session)
{
    std::vector<SessionDecomposition> groups;
    for (const RunRecord &run : session.runs) {
        if (run.points.empty() || isImported(run)) // another program's steps have another fixed cost
            continue;
        std::optional<Workload> workload;
        try {
            workload = runWorkload(run);
        } catch (const Error &) {
            continue; // no model, so no bytes
        }
        const std::string device =
            run.provenance.deviceName.empty() ? run.plan.device : run.provenance.deviceName;
        const std::string &model = run.plan.model.shape.id;
        for (const SweepPoint &p : run.points) {
            if (p.status != PointStatus::Ok || !(p.stepSeconds > 0) || !std::isfinite(p.stepSeconds) || !(p.context > 0))
                continue;
            auto group = std::find_if(groups.begin(), groups.end(), [&](const SessionDecomposition &g) {
                return g.device == device && g.dtype == run.plan.dtype && g.mode == p.mode;
            });
            if (group == groups.end()) {
                groups.emplace_back();
                group = std::prev(groups.end());
                group->device = device;
                group->dtype = run.plan.dtype;
                group->mode = p.mode;
            }
            if (std::find(group->models.begin(), group->models.end(), model) == group->models.end())
                group->models.push_back(model);
            if (const MeasuredCeilings *m = measuredCeilingsOf(run)) {
                group->readBandwidth = m->readBandwidth.value_or(group->readBandwidth);
                if (const auto rate = m->matmulFlops.find(run.plan.dtype); rate != m->matmulFlops.end())
                    group->matmulRate = rate->second;
            }
            const double batch = static_cast<double>(p.batch);
            StepObservation o;
            o.weightBytes = workload->weightBytes;
            o.kvBytes = batch * (workload->kvReadBytes(p.context) + workload->kvWriteBytes());
            o.flop = batch * workload->flopPerSequence(p.context);
            o.seconds = p.stepSeconds;
            o.name = fmt::format("{} {} {} b={} n={}", model, dtypeName(run.plan.dtype), modeName(p.mode), p.batch,
                                 format::exact(p.context));
            group->observations.push_back(std::move(o));
        }
    }
    for (SessionDecomposition &group : groups)
        group.result = decompose(group.observations);
    return groups;
}

} // namespace ridgepoint
