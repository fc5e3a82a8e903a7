// SPDX-License-Identifier: GPL-3.0-or-later
// An engine module of another interface version, which the loader must refuse.
#include "core/engine/engine.h"

extern "C" int ridgepoint_engine_abi()
{
    return ridgepoint::kEngineAbi + 1;
}

extern "C" ridgepoint::Engine *ridgepoint_engine_create()
{
    return nullptr;
}
