// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "core/session/session.h"

#include <string>

namespace ridgepoint {

/// A sentence where the card that ran is not the one whose datasheet the run was predicted with: a rented machine can
/// hand out another card tomorrow. Empty where they agree, where no profile was chosen, and where the run did not say
/// on what it ran. Any CPU agrees with the profile "cpu", whose figures are nobody's in particular.
std::string profileMismatch(const RunRecord &run, const Catalog &catalog);

} // namespace ridgepoint
