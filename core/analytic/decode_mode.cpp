// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/decode_mode.h"

namespace ridgepoint {

std::string_view modeName(DecodeMode mode)
{
    switch (mode) {
    case DecodeMode::Eager:
        return "eager";
    case DecodeMode::Graph:
        return "graph";
    case DecodeMode::Fused:
        return "fused";
    }
    return {};
}

std::optional<DecodeMode> parseMode(std::string_view text)
{
    for (const DecodeMode m : {DecodeMode::Eager, DecodeMode::Graph, DecodeMode::Fused})
        if (modeName(m) == text)
            return m;
    return std::nullopt;
}

} // namespace ridgepoint
