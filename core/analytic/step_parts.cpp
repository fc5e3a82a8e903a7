// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/step_parts.h"

#include <array>

namespace ridgepoint {

namespace {

constexpr std::array<std::string_view, 12> kNames{"embed", "norms",   "qkv",        "rope", "attention", "o",
                                                  "gate_up", "activation", "down", "head", "pick",      "other"};

} // namespace

std::string_view stepPartName(StepPart part)
{
    return kNames[static_cast<std::size_t>(part)];
}

std::optional<StepPart> parseStepPart(std::string_view text)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == text)
            return static_cast<StepPart>(i);
    return std::nullopt;
}

} // namespace ridgepoint
