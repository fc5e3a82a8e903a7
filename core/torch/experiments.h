// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/memory_need.h"
#include "core/checkpoint/tokenizer.h"
#include "core/torch/run_context.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

/// The batch sweep (spec section 4): PointStarted, StepTimed..., PointFinished for each prompt and each batch.
/// A point that does not fit, runs out of memory or fails is a row, and the sweep goes on; a device that no longer works,
/// or a model that cannot be built, ends it with an Error. Throws Error (Cancelled) when stopped.
void runSweep(RunContext &context);

/// TTFT and TPOT by the methods of the plan: StepTimed for each step of method 3 and TtftFinished at the end. The index of
/// a step counts the timed repeats of the run over all methods. The text is sent (TextArrived) during the first untimed
/// generation, so that telling it costs no timed step anything.
void runTtft(RunContext &context);

/// The line over models (spec section 4): every model in every dtype of the plan at batch 1, each with an untimed
/// generation or more and then `repeats` timed ones; PointStarted, StepTimed... and LineRowFinished for each. A dtype that
/// the device lacks, a model that does not fit or cannot be built, and a row that fails are rows with a reason; the
/// weights of one are released before those of the next are made. A device that no longer works ends it with DeviceLost.
void runLine(RunContext &context);

/// What the device was doing beside the step that just ended; nothing is known without telemetry.
void addState(StepSample &sample, const Telemetry *telemetry);

/// Bytes that weights, cache and workspace of the run may take together: what the device has free plus the `heldBytes` that the
/// run holds already, or the memory limit of the plan where that is smaller. NaN: not known.
double usableBytes(const RunPlan &plan, const DeviceProbe &device, double heldBytes);

/// Why a point cannot fit, as a sentence with the arithmetic; nothing when it does, or when the plan tries all.
/// `heldBytes`: weights that are there already, NaN: none are.
std::optional<std::string> whyItDoesNotFit(const RunPlan &plan, const DeviceProbe &device, double heldBytes,
                                           std::int64_t batch, std::int64_t tokens, std::int64_t prefillRows);

/// The forecast of one decode step of `plan`, exact accounting: floors of the datasheet and of the measured ceilings, and
/// the prediction with the measured step overhead. A part whose ceilings are not known is left out (the nominal one: all 0).
PointForecast forecastStep(const RunPlan &plan, std::int64_t batch, double context);

/// The prompt's token ids: `text` (or, without one, English of the program's own) by the tokenizer; without a tokenizer a
/// fixed sequence of valid ids that leaves out the special ones. Cut or repeated to `length`; 0: the text's own length.
/// Throws Error for a text without a tokenizer, one that gives no token, or an id beyond the model's vocabulary.
std::vector<std::int64_t> promptTokens(const ModelShape &shape, const Tokenizer *tokenizer, const std::string &text,
                                       std::int64_t length);

} // namespace ridgepoint
