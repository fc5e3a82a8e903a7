// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/step_parts.h"
#include "core/session/plan.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ridgepoint {

/// One kernel (on the CPU: one operation) of a traced step.
struct TracedKernel {
    std::string name;         ///< demangled, template arguments cut short
    double startSeconds = 0;  ///< since the first kernel of the step
    double seconds = 0;       ///< by the tracer's clock
    int stream = 0;           ///< of the device; 0 on the CPU
    StepPart part = StepPart::Other;
    int layer = -1; ///< -1: outside the layers or not known
};

/// What one part of the model took, summed over the layers, in a pass that timed parts apart.
struct PartTiming {
    StepPart part = StepPart::Other;
    double seconds = 0; ///< median over the timed steps
    double bytes = 0;   ///< of the model, exact accounting
    double flop = 0;
};

/// One decode step taken apart: a trace of its kernels, and the time of its parts. Each is a pass of its own; neither is
/// the timed measurement, whose seconds stand beside them so that the tracer's own cost shows.
struct StepAnatomy {
    std::string runId;
    DecodeMode mode = DecodeMode::Eager;
    double batch = 0;
    double context = 0;
    double untracedSeconds = std::numeric_limits<double>::quiet_NaN(); ///< median step without any tracer, device time where there is one
    double tracedSeconds = std::numeric_limits<double>::quiet_NaN();   ///< from the first kernel's start to the last one's end
    double busySeconds = std::numeric_limits<double>::quiet_NaN();     ///< union of the kernels' intervals
    double wallSeconds = std::numeric_limits<double>::quiet_NaN();     ///< of the traced step by the host's clock
    std::string tracer;  ///< "CUPTI 13.0"; empty: no trace, `note` says why
    std::string note;    ///< what a reader must know: why there is no trace, how parts were told apart
    std::vector<TracedKernel> kernels; ///< in order of start
    std::vector<PartTiming> parts;     ///< empty: no part-timed pass
    std::string partsBy;               ///< "device events around each part, eager"

    double gapSeconds() const { return tracedSeconds - busySeconds; }
};

/// The name of a kernel for a table: without its return type, anonymous namespaces and parameters, long template arguments
/// cut short. "void a::(anonymous namespace)::f<float, 8>(float*)" -> "a::f<float, 8>".
std::string shortKernelName(const std::string &demangled);

/// Gives the kernels of `trace` the parts and layers of `marked`, a trace of the same step issued another way. True where
/// both hold the same names in the same order; else nothing is given: every part of `trace` becomes Other.
bool adoptParts(std::vector<TracedKernel> &trace, const std::vector<TracedKernel> &marked);

/// True for a step that is one kernel (mode fused) whose parts are known by its own clock: a trace tells nothing of them then.
bool isOneKernel(const StepAnatomy &anatomy);

/// How much an anatomy tells: the parts that it tells apart, then its kernels.
std::pair<std::size_t, std::size_t> detailOf(const StepAnatomy &anatomy);

/// Length of the union of the kernels' intervals, in seconds.
double busyUnion(const std::vector<TracedKernel> &kernels);

/// Kernels by total time, greatest first.
struct KernelTotal {
    std::string name;
    StepPart part = StepPart::Other;
    int calls = 0;
    double seconds = 0;
    double share = 0; ///< of the busy time
};
std::vector<KernelTotal> kernelTotals(const StepAnatomy &anatomy);
/// Traced seconds of each part, in the order of StepPart; parts without a kernel are left out.
std::vector<PartTiming> tracedParts(const StepAnatomy &anatomy);

/// The step in the JSON Trace Event Format that Perfetto and chrome://tracing open: one complete event ("ph": "X", times in
/// microseconds) a kernel, parts as a track of their own, metadata with the program's names.
std::string chromeTrace(const StepAnatomy &anatomy, const std::string &title);

} // namespace ridgepoint
