// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rows.h"

#include "core/base/format.h"
#include "core/session/tables.h"

#include <cmath>

namespace ridgepoint {

namespace {

std::string cell(const nlohmann::ordered_json &value, int digits)
{
    if (value.is_null())
        return "";
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number_integer())
        return std::to_string(value.get<std::int64_t>());
    return digits > 0 ? format::significant(value.get<double>(), digits) : format::exact(value.get<double>());
}

} // namespace

nlohmann::ordered_json jsonNumber(double value)
{
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

std::string rowsToJson(const std::vector<Row> &rows)
{
    auto array = nlohmann::ordered_json::array();
    for (const auto &row : rows) {
        auto object = nlohmann::ordered_json::object();
        for (const auto &[name, value] : row)
            object[name] = value;
        array.push_back(std::move(object));
    }
    return array.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string rowsToCsv(const std::vector<Row> &rows)
{
    std::string text;
    if (rows.empty())
        return text;
    const auto line = [&text](const Row &row, auto field) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i ? "," : "") + csvField(field(row[i]));
        text += "\n";
    };
    line(rows.front(), [](const auto &entry) { return entry.first; });
    for (const auto &row : rows)
        line(row, [](const auto &entry) { return cell(entry.second, 0); });
    return text;
}

std::string rowsToTable(const std::vector<Row> &rows, int digits)
{
    TextTable table;
    if (rows.empty())
        return "";
    for (const auto &entry : rows.front())
        table.header.push_back(entry.first);
    for (const auto &row : rows) {
        auto &cells = table.rows.emplace_back();
        for (const auto &entry : row)
            cells.push_back(entry.second.is_null() ? "-" : cell(entry.second, digits));
    }
    return toText(table);
}

} // namespace ridgepoint
