// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <span>

namespace ridgepoint {

/// Patterns of what goes wrong with files, plans, devices and the engine, for saidPatterns().
std::span<const char *const> faultPatterns();

} // namespace ridgepoint
