// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/torch_engine.h"

// What the loader looks up by name; nothing else of the module needs to be seen from outside.
#define RIDGEPOINT_EXPORT extern "C" __attribute__((visibility("default")))

RIDGEPOINT_EXPORT int ridgepoint_engine_abi()
{
    return ridgepoint::kEngineAbi;
}

/// Null when there is no memory: an exception must not cross a C function.
RIDGEPOINT_EXPORT ridgepoint::Engine *ridgepoint_engine_create()
{
    try {
        return ridgepoint::makeTorchEngine().release();
    } catch (...) {
        return nullptr;
    }
}
