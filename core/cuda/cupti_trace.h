// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/step_tracer.h"

#include <memory>
#include <string>

namespace ridgepoint {

/// The tracer by CUPTI's activity records. CUPTI is loaded when it is asked for: the engine has no link to it, and records
/// are read only where the library is of the major version that the engine was built for, since their layout is part of it.
/// Null where there is none; `why` is then a sentence.
std::unique_ptr<StepTracer> openCuptiTracer(std::string &why);

/// Device events at the marks, on the stream that libtorch works on. Each step is queued behind a kernel that only waits, so
/// that the device has all of it before it begins and an event's distance to the next is the device's time alone.
std::unique_ptr<PartTimer> makeCudaPartTimer();

} // namespace ridgepoint
