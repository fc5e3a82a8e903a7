// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace ridgepoint {

/// Parses a JSON text that may be hostile. Throws Error (Failure) naming `origin` when it is not valid JSON or nested
/// deeper than 64 (no file of a checkpoint comes near).
nlohmann::json parseUntrustedJson(std::string_view text, const std::string &origin);

} // namespace ridgepoint
