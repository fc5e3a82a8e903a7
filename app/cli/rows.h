// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

/// Results as rows of named values: one list of fields that is printed as a table, as JSON or as CSV.
namespace ridgepoint {

using Row = std::vector<std::pair<std::string, nlohmann::ordered_json>>;

/// JSON array with one object a row; numbers at full precision, missing ones null.
std::string rowsToJson(const std::vector<Row> &rows);
/// CSV with the names of the first row as header; missing values empty.
std::string rowsToCsv(const std::vector<Row> &rows);
/// Aligned columns, numbers at `digits` significant digits.
std::string rowsToTable(const std::vector<Row> &rows, int digits = 4);
/// NaN and infinities become null.
nlohmann::ordered_json jsonNumber(double value);

} // namespace ridgepoint
