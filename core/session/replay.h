// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

namespace ridgepoint {

/// Key in Provenance::extra by which a replayed run is known; its value says what was replayed.
inline constexpr const char *kReplayKey = "replay of";

/// True for a run that is a recording played again: its figures were measured earlier, not by that run.
inline bool isReplay(const RunRecord &run)
{
    return run.provenance.extra.count(kReplayKey) > 0;
}

} // namespace ridgepoint
