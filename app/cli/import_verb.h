// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/compare.h"
#include "core/session/import.h"

#include <string>
#include <vector>

namespace ridgepoint {

/// What the import verb prints of imported runs. `format`: table, json, csv or markdown. Throws Error (Usage) for another one.
std::string importText(const Import &import, const std::string &format);
/// What the compare verb prints; `names` are the sessions' files, the baseline first. Formats as importText().
std::string compareText(const Comparison &comparison, const std::vector<std::string> &names, const std::string &format);

} // namespace ridgepoint
