// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_title.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ridgepoint {

namespace {

struct Held {
    std::vector<std::string> models, devices, modes; ///< each once, in order of appearance
    std::set<Experiment> kinds;
    std::set<std::int64_t> batches, prompts;
    std::size_t lineModels = 0;
    std::size_t runs = 0;
};

void addOnce(std::vector<std::string> &to, const std::string &what)
{
    if (!what.empty() && std::find(to.begin(), to.end(), what) == to.end())
        to.push_back(what);
}

Held heldBy(const Session &session, bool dtypes)
{
    Held held;
    for (const RunRecord &run : session.runs) {
        const RunPlan &plan = run.plan;
        ++held.runs;
        held.kinds.insert(plan.experiment);
        addOnce(held.devices, shownDevice(run));
        addOnce(held.modes, std::string(modeName(plan.mode)));
        if (plan.experiment == Experiment::Line) {
            held.lineModels = std::max(held.lineModels, plan.models.size());
            continue;
        }
        const std::string &name = plan.model.shape.name.empty() ? plan.model.shape.id : plan.model.shape.name;
        if (!name.empty() && plan.experiment != Experiment::Calibrate)
            addOnce(held.models, dtypes ? fmt::format("{} {}", name, dtypeName(plan.dtype)) : name);
        if (plan.experiment != Experiment::Calibrate) {
            held.batches.insert(plan.batches.begin(), plan.batches.end());
            held.prompts.insert(plan.prompts.begin(), plan.prompts.end());
        }
    }
    return held;
}

std::string joined(const std::vector<std::string> &parts, std::string_view between, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size() && i < most; ++i)
        text += (i ? std::string(between) : std::string()) + parts[i];
    return parts.size() > most ? text + fmt::format(" +{}", parts.size() - most) : text;
}

std::string range(std::string_view letter, const std::set<std::int64_t> &values)
{
    if (values.empty())
        return {};
    if (values.size() == 1)
        return fmt::format(", {}={}", letter, *values.begin());
    return fmt::format(", {}={}..{}", letter, *values.begin(), *values.rbegin());
}

/// Without the maker's name: "H200".
std::string shortDevice(std::string name)
{
    for (const std::string_view maker : {"NVIDIA GeForce ", "NVIDIA ", "AMD ", "Intel(R) "}) {
        if (name.rfind(maker, 0) == 0 && name.size() > maker.size())
            return name.substr(maker.size());
    }
    return name;
}

} // namespace

Message sessionTitle(const Session &session)
{
    const Held held = heldBy(session, true);
    if (held.runs == 0)
        return {};
    const std::string device = joined(held.devices, ", ", 2);
    const std::string model = held.models.empty() && held.lineModels > 0 ? fmt::format("{} models", held.lineModels)
                                                                         : joined(held.models, ", ", 2);
    const std::string how = joined(held.modes, ", ", 4) + range("b", held.batches) + range("p", held.prompts);
    if (model.empty())
        return {QT_TRANSLATE_NOOP("core", "%2: calibration"), {model, device}};
    std::set<Experiment> kinds = held.kinds;
    if (kinds.size() > 1)
        kinds.erase(Experiment::Calibrate); // made for the others
    if (kinds.size() > 1)
        return {QT_TRANSLATE_NOOP("core", "%1 on %2: several experiments, %3"), {model, device, how}};
    switch (*kinds.begin()) {
    case Experiment::Sweep:
        return {QT_TRANSLATE_NOOP("core", "%1 on %2: batch sweep, %3"), {model, device, how}};
    case Experiment::Ttft:
        return {QT_TRANSLATE_NOOP("core", "%1 on %2: TTFT and TPOT, %3"), {model, device, how}};
    case Experiment::Line:
        return {QT_TRANSLATE_NOOP("core", "%1 on %2: line over models, %3"), {model, device, joined(held.modes, ", ", 4)}};
    case Experiment::Anatomy:
        return {QT_TRANSLATE_NOOP("core", "%1 on %2: anatomy of a step, %3"), {model, device, how}};
    case Experiment::Calibrate:
        break;
    }
    return {QT_TRANSLATE_NOOP("core", "%2: calibration"), {model, device}};
}

bool hasOwnTitle(const Session &session)
{
    if (session.title.empty() || session.title == sessionTitle(session).english())
        return false;
    return std::none_of(session.runs.begin(), session.runs.end(), [&](const RunRecord &run) {
        const std::string begin = fmt::format("{} ", experimentName(run.plan.experiment));
        return session.title.rfind(begin, 0) == 0 && session.title.find(" " + run.plan.device, begin.size()) != std::string::npos;
    });
}

std::string shownTitle(const Session &session)
{
    if (hasOwnTitle(session))
        return session.title;
    const Message title = sessionTitle(session);
    return title.empty() ? session.title : title.english();
}

Message sessionShortTitle(const Session &session)
{
    const Held held = heldBy(session, false);
    if (held.runs == 0)
        return {};
    const std::string device = held.devices.size() == 1 ? shortDevice(held.devices.front()) : fmt::format("{} +{}", shortDevice(held.devices.front()), held.devices.size() - 1);
    const std::string model = held.models.empty() && held.lineModels > 0 ? fmt::format("{} models", held.lineModels)
                                                                         : joined(held.models, ", ", 1);
    const std::string how = joined(held.modes, "+", 4);
    if (model.empty())
        return {QT_TRANSLATE_NOOP("core", "%2 · calibration"), {model, device}};
    std::set<Experiment> kinds = held.kinds;
    if (kinds.size() > 1)
        kinds.erase(Experiment::Calibrate);
    if (kinds.size() == 1) {
        switch (*kinds.begin()) {
        case Experiment::Sweep:
            return {QT_TRANSLATE_NOOP("core", "%1 · %2 · sweep %3"), {model, device, how}};
        case Experiment::Ttft:
            return {QT_TRANSLATE_NOOP("core", "%1 · %2 · TTFT %3"), {model, device, how}};
        case Experiment::Line:
            return {QT_TRANSLATE_NOOP("core", "%1 · %2 · line %3"), {model, device, how}};
        case Experiment::Anatomy:
            return {QT_TRANSLATE_NOOP("core", "%1 · %2 · anatomy %3"), {model, device, how}};
        case Experiment::Calibrate:
            return {QT_TRANSLATE_NOOP("core", "%2 · calibration"), {model, device}};
        }
    }
    return {QT_TRANSLATE_NOOP("core", "%1 · %2 · several, %3"), {model, device, how}};
}

} // namespace ridgepoint
