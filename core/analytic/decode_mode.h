// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace ridgepoint {

/// How a step is issued. The CPU knows eager only.
enum class DecodeMode {
    Eager, ///< an operation at a time
    Graph, ///< the same operations, captured once and replayed
    Fused  ///< own kernels for whole parts of a layer, captured and replayed
};
std::string_view modeName(DecodeMode mode); ///< "eager", "graph", "fused"
std::optional<DecodeMode> parseMode(std::string_view text);
/// Whether a step is one replay of a graph.
inline bool isReplayed(DecodeMode mode) { return mode != DecodeMode::Eager; }

} // namespace ridgepoint
