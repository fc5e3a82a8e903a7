// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/model_shape.h"

#include <optional>
#include <string_view>
#include <vector>

/// A decode step taken apart: what each part of the model streams and multiplies.
namespace ridgepoint {

/// The parts of a step, in the order in which a layer runs them; Embed before the layers, Head and Pick after them.
enum class StepPart { Embed, Norms, Qkv, Rope, Attention, Output, GateUp, Activation, Down, Head, Pick, Other };
std::string_view stepPartName(StepPart part); ///< "embed", "norms", "qkv", "rope", "attention", "o", "gate_up", "activation", "down", "head", "pick", "other"
std::optional<StepPart> parseStepPart(std::string_view text);

/// Bytes and FLOP of one part, summed over all layers, exact accounting (spec section 2): weights streamed, K and V read and
/// written. Activations that stay in caches are not counted, as everywhere in the model. Their sums over the parts are the
/// step's. A bias counts with its matrix, the norms of q and k and the writing of K and V with Rope; Embed (a gather), Activation
/// and Pick have no bytes and FLOP of their own in that accounting.
struct PartWork {
    StepPart part = StepPart::Other;
    double bytes = 0;
    double flop = 0;
    bool operator==(const PartWork &) const = default;
};
/// Parts that move or multiply anything, in order. Throws Error (Usage) like makeWorkload and predictStep.
std::vector<PartWork> partWork(const ModelShape &shape, DType dtype, double batch, double context);

} // namespace ridgepoint
