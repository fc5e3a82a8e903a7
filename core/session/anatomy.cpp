// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/anatomy.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace ridgepoint {

namespace {

/// Template arguments beyond this are cut.
constexpr std::size_t kLongestArguments = 64;

} // namespace

std::string shortKernelName(const std::string &demangled)
{
    std::string name = demangled;
    for (const std::string_view noise : {"(anonymous namespace)::", "<unnamed>::"})
        for (auto at = name.find(noise); at != std::string::npos; at = name.find(noise))
            name.erase(at, noise.size());
    if (name.rfind("void ", 0) == 0)
        name.erase(0, 5);
    std::size_t open = std::string::npos, close = std::string::npos, end = name.size();
    int depth = 0;
    for (std::size_t i = 0; i < name.size() && end == name.size(); ++i) {
        if (name[i] == '<' && depth++ == 0 && open == std::string::npos)
            open = i;
        else if (name[i] == '>' && --depth == 0 && close == std::string::npos)
            close = i;
        else if (name[i] == '(' && depth <= 0 && i > 0)
            end = i; // parameters
    }
    name.resize(end);
    if (open != std::string::npos && close != std::string::npos && close < end && close - open - 1 > kLongestArguments)
        name.replace(open + 1 + kLongestArguments, close - open - 1 - kLongestArguments, "...");
    return name;
}

bool adoptParts(std::vector<TracedKernel> &trace, const std::vector<TracedKernel> &marked)
{
    const bool same = trace.size() == marked.size() &&
                      std::equal(trace.begin(), trace.end(), marked.begin(),
                                 [](const TracedKernel &a, const TracedKernel &b) { return a.name == b.name; });
    for (std::size_t i = 0; i < trace.size(); ++i) {
        trace[i].part = same ? marked[i].part : StepPart::Other;
        trace[i].layer = same ? marked[i].layer : -1;
    }
    return same;
}

bool isOneKernel(const StepAnatomy &anatomy)
{
    return anatomy.kernels.size() == 1 && anatomy.kernels.front().part == StepPart::Other && anatomy.parts.size() > 1;
}

std::pair<std::size_t, std::size_t> detailOf(const StepAnatomy &anatomy)
{
    return {std::max(anatomy.parts.size(), tracedParts(anatomy).size()), anatomy.kernels.size()};
}

double busyUnion(const std::vector<TracedKernel> &kernels)
{
    std::vector<std::pair<double, double>> spans;
    for (const TracedKernel &kernel : kernels)
        spans.emplace_back(kernel.startSeconds, kernel.startSeconds + kernel.seconds);
    std::sort(spans.begin(), spans.end());
    double busy = 0, reached = -1;
    for (const auto &[from, to] : spans) {
        if (to <= reached)
            continue;
        busy += to - std::max(from, reached);
        reached = to;
    }
    return busy;
}

std::vector<KernelTotal> kernelTotals(const StepAnatomy &anatomy)
{
    std::map<std::pair<std::string, StepPart>, KernelTotal> totals;
    for (const TracedKernel &kernel : anatomy.kernels) {
        KernelTotal &total = totals[{kernel.name, kernel.part}];
        total.name = kernel.name;
        total.part = kernel.part;
        ++total.calls;
        total.seconds += kernel.seconds;
    }
    const double busy = busyUnion(anatomy.kernels);
    std::vector<KernelTotal> result;
    for (auto &[key, total] : totals) {
        total.share = busy > 0 ? total.seconds / busy : 0;
        result.push_back(std::move(total));
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const KernelTotal &a, const KernelTotal &b) { return a.seconds > b.seconds; });
    return result;
}

std::vector<PartTiming> tracedParts(const StepAnatomy &anatomy)
{
    std::map<StepPart, PartTiming> parts;
    for (const TracedKernel &kernel : anatomy.kernels) {
        parts[kernel.part].part = kernel.part;
        parts[kernel.part].seconds += kernel.seconds;
    }
    std::vector<PartTiming> result;
    for (auto &[part, timing] : parts) {
        for (const PartTiming &timed : anatomy.parts) {
            if (timed.part == part) {
                timing.bytes = timed.bytes;
                timing.flop = timed.flop;
            }
        }
        result.push_back(timing);
    }
    return result;
}

std::string chromeTrace(const StepAnatomy &anatomy, const std::string &title)
{
    using nlohmann::ordered_json;
    // Neither zero nor the process's own number, which viewers take for an idle and a main thread.
    constexpr int kProcess = 1, kPartsTrack = 10;
    ordered_json events = ordered_json::array();
    const auto named = [&](const char *what, int track, const std::string &name) {
        events.push_back({{"name", what}, {"ph", "M"}, {"pid", kProcess}, {"tid", track}, {"args", {{"name", name}}}});
    };
    const auto ordered = [&](int track) {
        events.push_back({{"name", "thread_sort_index"},
                          {"ph", "M"},
                          {"pid", kProcess},
                          {"tid", track},
                          {"args", {{"sort_index", track}}}});
    };
    const auto micro = [](double seconds) { return std::round(seconds * 1e9) / 1e3; }; // a tracer's clock counts nanoseconds
    const auto complete = [&](const std::string &name, const char *category, int track, double from, double to,
                              ordered_json args) {
        events.push_back({{"name", name},
                          {"cat", category},
                          {"ph", "X"},
                          {"ts", micro(from)},
                          {"dur", micro(to) - micro(from)},
                          {"pid", kProcess},
                          {"tid", track},
                          {"args", std::move(args)}});
    };
    named("process_name", kPartsTrack, title);
    named("thread_name", kPartsTrack, "parts of the model");
    ordered(kPartsTrack);
    std::map<int, int> trackOf; // of a stream
    for (const TracedKernel &kernel : anatomy.kernels) {
        const auto [at, added] = trackOf.emplace(kernel.stream, kPartsTrack + static_cast<int>(trackOf.size()) + 1);
        if (added) {
            named("thread_name", at->second, "stream " + std::to_string(kernel.stream));
            ordered(at->second);
        }
    }
    // Neighbouring kernels of one part and layer are one piece of the parts' track.
    for (std::size_t i = 0; i < anatomy.kernels.size();) {
        const TracedKernel &first = anatomy.kernels[i];
        double end = first.startSeconds + first.seconds;
        std::size_t next = i + 1;
        for (; next < anatomy.kernels.size() && anatomy.kernels[next].part == first.part &&
               anatomy.kernels[next].layer == first.layer;
             ++next)
            end = std::max(end, anatomy.kernels[next].startSeconds + anatomy.kernels[next].seconds);
        // Kernels of two streams may overlap, pieces of one track may not.
        if (next < anatomy.kernels.size())
            end = std::min(end, anatomy.kernels[next].startSeconds);
        ordered_json args = ordered_json::object();
        if (first.layer >= 0)
            args["layer"] = first.layer;
        complete(std::string(stepPartName(first.part)), "part", kPartsTrack, first.startSeconds, end, std::move(args));
        i = next;
    }
    for (const TracedKernel &kernel : anatomy.kernels) {
        ordered_json args{{"part", stepPartName(kernel.part)}};
        if (kernel.layer >= 0)
            args["layer"] = kernel.layer;
        complete(kernel.name, "kernel", trackOf.at(kernel.stream), kernel.startSeconds,
                 kernel.startSeconds + kernel.seconds, std::move(args));
    }
    const ordered_json trace{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return trace.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace ridgepoint
