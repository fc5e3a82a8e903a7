// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <memory>

namespace ridgepoint {

/// The engine on libtorch: what the module hands to the loader, reachable without it for tests.
std::unique_ptr<Engine> makeTorchEngine();

} // namespace ridgepoint
