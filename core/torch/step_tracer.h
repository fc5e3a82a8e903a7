// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/anatomy.h"
#include "core/torch/decoder.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ridgepoint {

/// Records what a device does: kernels and copies on a GPU, operations on the CPU. One at a time; used on the engine's thread.
class StepTracer {
public:
    virtual ~StepTracer() = default;
    virtual std::string name() const = 0; ///< "CUPTI 13.0"
    /// What a reader must know of its records, as a sentence; empty: nothing.
    virtual std::string note() const { return {}; }
    /// For the decoder of a step whose records are to know their parts.
    virtual PartMarks *marks() = 0;
    /// True where the decoder's own code is recorded by its marks alone, so that no step is traced without them.
    virtual bool needsMarks() const = 0;
    /// Begins to record; `marked`: together with what ties records to the marks, which costs the host more. Throws Error
    /// (Failure) with the tracer's own words.
    virtual void start(bool marked) = 0;
    /// What was done since start() or the last take(), in order of start and counted from the first. The device must be idle.
    /// Throws Error (Failure) where records are missing.
    virtual std::vector<TracedKernel> take() = 0;
    virtual void stop() = 0; ///< throws nothing
};

/// Times the parts of steps apart.
class PartTimer : public PartMarks {
public:
    virtual std::string name() const = 0; ///< "device events around each part, ..."
    /// Before a step is issued.
    virtual void startStep() = 0;
    /// After it was issued: waits for it. Seconds of each part, summed over the layers. Throws Error (Failure).
    virtual std::map<StepPart, double> finishStep() = 0;
};

/// libtorch's operations by its RecordFunction, the decoder's own code by the wall clock at its marks.
std::unique_ptr<StepTracer> makeCpuTracer();
/// Wall clock at the marks.
std::unique_ptr<PartTimer> makeCpuPartTimer();

} // namespace ridgepoint
