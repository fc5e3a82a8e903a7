// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// What the explain verb says of the sessions' runs, judged together: a verdict with its evidence for every finished point,
/// why each curve bends, the frontier against what was tried, and the steps split by regression. Runs that several files
/// hold count once. `format`: table, markdown, json or csv (one row a point). Throws Error (Usage) for another format, Error
/// (Failure) where nothing was measured.
std::string explainText(const std::vector<Session> &sessions, const std::string &format);

} // namespace ridgepoint
