// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/line.h"

#include "core/base/error.h"
#include "core/session/csv_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace ridgepoint {

namespace {

constexpr std::size_t kMaxBytes = 64'000'000;
constexpr std::size_t kMaxRows = 100'000;
constexpr double kMostBytes = 1e16, kMostSeconds = 1e5; // as of an import of points
constexpr std::size_t kMaxProblems = 1000; // of a file that is something else altogether
constexpr std::size_t kMaxText = 200;      // bytes of a name

using namespace detail;

class Importer {
public:
    Importer(std::string_view text, const std::string &origin) : m_text(text), m_origin(origin) {}

    LineImport run()
    {
        if (m_text.substr(0, 3) == "\xef\xbb\xbf")
            m_text.remove_prefix(3);
        if (m_text.size() > kMaxBytes)
            fail(fmt::format("has {} bytes, more than a table of measured rows; open the table itself.", m_text.size()));
        if (!isUtf8(m_text))
            fail("is no UTF-8 text. Save it as CSV in UTF-8 and import it again.");
        m_separator = separatorOf(m_text); // the header tells which one it is
        CsvReader reader(m_text, m_separator);
        CsvRecord record;
        while (reader.next(record)) {
            if (isComment(record))
                continue;
            if (m_columns.empty())
                readHeader(record);
            else
                readRow(record);
        }
        if (m_columns.empty())
            fail("holds no header. Its first line must name the columns: model, weight_gb, tpot_ms (and family, dtype).");
        if (m_import.rows.empty())
            fail(m_import.problems.empty() ? std::string("holds a header and no rows.") : eachProblem());
        return std::move(m_import);
    }

private:
    [[noreturn]] void fail(const std::string &what) const
    {
        throw Error(ErrorKind::Failure, fmt::format("The table '{}' {}", m_origin, what));
    }

    static bool isComment(const CsvRecord &record)
    {
        const std::string first = trimmed(record.fields.front());
        return (record.fields.size() == 1 && first.empty()) || (!first.empty() && first.front() == '#');
    }

    void readHeader(const CsvRecord &record)
    {
        for (const std::string &field : record.fields) {
            std::string name = trimmed(field);
            std::transform(name.begin(), name.end(), name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
            if (!name.empty() && std::find(m_columns.begin(), m_columns.end(), name) != m_columns.end())
                fail(fmt::format("names the column '{}' twice in its header. Remove one of them.", shortened(name)));
            m_columns.push_back(std::move(name));
        }
        const auto need = [this](std::initializer_list<const char *> either, const char *told) {
            for (const char *name : either)
                if (has(name))
                    return;
            std::string given;
            constexpr std::size_t kMostNamed = 40;
            for (std::size_t i = 0; i < m_columns.size() && i < kMostNamed; ++i)
                given += fmt::format("{}'{}'", i ? ", " : "", shortened(m_columns[i]));
            fail(fmt::format("has no column {}; its header names: {}{}.", told, given, m_columns.size() > kMostNamed ? " (and more)" : ""));
        };
        need({"model"}, "model");
        need({"weight_bytes", "weight_gb"}, "weight_gb or weight_bytes");
        need({"tpot_s", "tpot_ms"}, "tpot_ms or tpot_s");
    }

    bool has(const char *name) const { return std::find(m_columns.begin(), m_columns.end(), name) != m_columns.end(); }

    std::string cell(const CsvRecord &record, const char *name) const
    {
        const auto found = std::find(m_columns.begin(), m_columns.end(), name);
        const auto at = static_cast<std::size_t>(found - m_columns.begin());
        return found != m_columns.end() && at < record.fields.size() ? trimmed(record.fields[at]) : std::string();
    }

    std::string eachProblem() const
    {
        constexpr std::size_t kMost = 10;
        std::string text = "has no row that can be used:";
        for (std::size_t i = 0; i < m_import.problems.size() && i < kMost; ++i)
            text += fmt::format("\n  line {}: {}", m_import.problems[i].line, m_import.problems[i].sentence);
        if (m_import.problems.size() > kMost)
            text += fmt::format("\n  and {} more lines that cannot be used.", m_import.problems.size() - kMost);
        return text;
    }

    void refuse(const CsvRecord &record, const std::string &sentence)
    {
        if (m_import.problems.size() < kMaxProblems)
            m_import.problems.push_back({record.line, sentence});
        else if (m_import.problems.size() == kMaxProblems)
            m_import.problems.push_back({record.line, "further lines cannot be used either; they are not listed."});
    }

    /// One of two columns of a quantity, in SI, up to `most`; NaN once it was refused.
    double quantity(const CsvRecord &record, const char *si, const char *scaled, double unit, double most)
    {
        const bool plain = has(si) && !cell(record, si).empty();
        const char *name = plain || !has(scaled) ? si : scaled;
        const std::string text = cell(record, name);
        const std::optional<double> value = numberOf(text);
        const double number = value ? *value * (plain || !has(scaled) ? 1 : unit) : kMissing;
        if (text.empty())
            refuse(record, fmt::format("{} is empty; the row was left out.", name));
        else if (!value)
            refuse(record, fmt::format("'{}' in {} is not a number{}; the row was left out.", shortened(text), name,
                                       hasDecimalComma(text) ? " (write a point before the decimals, not a comma)" : ""));
        else if (!(number > 0) || !std::isfinite(number))
            refuse(record, fmt::format("{} is {}, and only a number above zero can be used; the row was left out.", name,
                                       shortened(text)));
        else if (number > most)
            refuse(record, fmt::format("{} is {}, more than anything that can be measured; the row was left out.", name, shortened(text)));
        else
            return number;
        return kMissing;
    }

    double optionalMilli(const CsvRecord &record, const char *name) const
    {
        const std::optional<double> value = numberOf(cell(record, name));
        return value && *value > 0 && *value * 1e-3 <= kMostSeconds ? *value * 1e-3 : kMissing;
    }

    std::int64_t optionalCount(const CsvRecord &record, const char *name) const
    {
        const std::optional<double> value = numberOf(cell(record, name));
        return value && *value >= 1 && *value <= 1e9 ? static_cast<std::int64_t>(std::llround(*value)) : 0;
    }

    void readRow(const CsvRecord &record)
    {
        if (record.unclosed)
            return refuse(record, "a quotation mark is never closed; this row and all after it were left out.");
        if (record.fields.size() != m_columns.size())
            return refuse(record, fmt::format("{} fields where the header names {}{}; the row was left out.",
                                              record.fields.size(), m_columns.size(),
                                              m_separator == ',' && record.fields.size() > m_columns.size()
                                                  ? " (a comma before decimals looks like a further field: write a point)"
                                                  : ""));
        if (m_import.rows.size() >= kMaxRows)
            return refuse(record, fmt::format("more than {} rows; the row was left out.", kMaxRows));
        std::vector<std::string> fields;
        for (const std::string &field : record.fields)
            fields.push_back(trimmed(field));
        if (const auto [first, fresh] = m_seen.emplace(std::move(fields), record.line); !fresh)
            return refuse(record, fmt::format("it repeats line {} word for word; the row was left out, lest it count twice.",
                                              first->second));
        LineRow row;
        row.model = cell(record, "model");
        if (row.model.empty())
            return refuse(record, "the model has no name; the row was left out.");
        row.name = cell(record, "name");
        row.family = cell(record, "family");
        row.dtype = cell(record, "dtype");
        if (const std::optional<DType> dtype = parseDType(row.dtype))
            row.dtype = dtypeName(*dtype);
        for (const std::string *text : {&row.model, &row.name, &row.family, &row.dtype})
            if (text->size() > kMaxText)
                return refuse(record, fmt::format("'{}...' is too long for a name; the row was left out.",
                                                  shortened(*text)));
        if (const std::string status = cell(record, "status"); !status.empty() && status != "ok")
            return refuse(record, fmt::format("its status is '{}', so that it has no time; the row was left out.",
                                              shortened(status)));
        row.weightBytes = quantity(record, "weight_bytes", "weight_gb", 1e9, kMostBytes);
        if (std::isnan(row.weightBytes))
            return;
        row.tpotSeconds = quantity(record, "tpot_s", "tpot_ms", 1e-3, kMostSeconds);
        if (std::isnan(row.tpotSeconds))
            return;
        row.tpotMinSeconds = optionalMilli(record, "tpot_min_ms");
        row.tpotMaxSeconds = optionalMilli(record, "tpot_max_ms");
        row.prompt = optionalCount(record, "prompt");
        row.newTokens = optionalCount(record, "new_tokens");
        row.device = cut(cell(record, "device"), kMaxText);
        if (const auto mode = parseMode(cell(record, "mode")))
            row.mode = *mode;
        row.imported = true;
        row.index = static_cast<int>(m_import.rows.size());
        m_import.rows.push_back(std::move(row));
    }

    std::string_view m_text;
    const std::string &m_origin;
    char m_separator = ',';
    std::vector<std::string> m_columns;
    std::map<std::vector<std::string>, std::size_t> m_seen; ///< rows read so far, and their lines
    LineImport m_import;
};

} // namespace

LineImport importLine(std::string_view text, const std::string &origin)
{
    return Importer(text, origin).run();
}

RunRecord importedRun(LineImport import, const std::string &origin, const Ceilings &nominal,
                      const HardwareProfile *hardware)
{
    RunRecord run;
    run.plan.runId = newId();
    run.plan.experiment = Experiment::Line;
    run.plan.device = "imported";
    run.plan.nominal = nominal;
    run.plan.telemetry = false;
    run.plan.repeats = 0; // not told
    if (hardware) {
        run.plan.hardwareId = hardware->id;
        run.provenance.deviceName = hardware->name;
        if (hardware->lastLevelCacheBytes > 0)
            run.provenance.lastLevelCacheBytes = hardware->lastLevelCacheBytes;
    } else if (!import.rows.empty() && !import.rows.front().device.empty() &&
               std::all_of(import.rows.begin(), import.rows.end(),
                           [&](const LineRow &row) { return row.device == import.rows.front().device; })) {
        run.provenance.deviceName = import.rows.front().device;
    }
    run.provenance.startedUtc = utcNow();
    run.provenance.extra["imported from"] = origin;
    run.line = std::move(import.rows);
    if (!run.line.empty()) {
        run.plan.prompts = {run.line.front().prompt};
        run.plan.newTokens = run.line.front().newTokens;
        run.plan.mode = run.line.front().mode;
    }
    for (LineRow &row : run.line)
        row.runId = run.plan.runId;
    run.state = RunRecord::State::Done;
    return run;
}

} // namespace ridgepoint
