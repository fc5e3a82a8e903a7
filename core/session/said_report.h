// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <span>

namespace ridgepoint {

/// Patterns of what a report says, for saidPatterns().
std::span<const char *const> reportPatterns();

} // namespace ridgepoint
