// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "core/catalog/catalog.h"
#include "core/session/session.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace ridgepoint {

/// A line over models as JSON: slope_s_per_byte, bandwidth_bytes_per_s, intercept_s and r2, each with its 95 % interval
/// beside it (slope_s_per_byte_interval, ...: [low, high], null where there is none, an end null where it has no limit),
/// then rows, families, models, flags. SI units, full precision.
nlohmann::ordered_json lineJson(const RunRecord &run);
/// Rows, lines and what they say, for a terminal.
std::string lineText(const RunRecord &run);

/// What `line --import` was asked to do.
struct LineImportRequest {
    std::filesystem::path file;
    double bandwidth = 0;           ///< B/s, the ceiling; 0: that of the profile
    std::string hardwareId;         ///< empty: none
    std::filesystem::path out;      ///< session file; empty: none
    arguments::Format format = arguments::Format::Table;
};
/// Reads the table, prints its line, and saves it as a session. Lines that cannot be used are told on standard error.
/// Returns the exit code. Throws Error.
int importLineVerb(const LineImportRequest &request, const Catalog &catalog);

} // namespace ridgepoint
