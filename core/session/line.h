// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/line_fit.h"
#include "core/session/tables.h"

#include <string>
#include <string_view>
#include <vector>

/// The line over models of one run: its fit, what it says, its table and CSV, and the import of a table measured
/// elsewhere.
namespace ridgepoint {

/// A run's rows read as a line.
struct LineReading {
    ModelLine fit;
    std::vector<std::size_t> used;        ///< index into RunRecord::line of each row of the fit
    double nominalCeiling = kMissing;     ///< B/s, of the datasheet; missing: not known
    double measuredCeiling = kMissing;    ///< B/s, read-only, of a calibration; missing: not measured
    double cacheBytes = kMissing;         ///< last-level cache of the device
    std::vector<BandwidthFlag> flags;     ///< against the measured ceiling, else the nominal one
    std::vector<std::size_t> maybeCached; ///< index into RunRecord::line

    double ceiling() const { return measuredCeiling > 0 ? measuredCeiling : nominalCeiling; }
    /// What the overall line says of a row of the run; null where the row has no time.
    const LineRowFigures *figuresOf(std::size_t row) const;
    bool isMaybeCached(std::size_t row) const;
};
LineReading readLine(const RunRecord &run);

/// True for a run whose rows all come from a table.
bool isImportedLine(const RunRecord &run);

/// "6.122 ms/GB", "6.122 ms/GB (5.73 to 6.51)": a slope in s/B.
std::string slopeText(double slope);
/// What an estimate says, in a sentence: slope, implied bandwidth, fixed cost and R^2 with their 95 % intervals, or why
/// there is none.
std::string estimateSentence(const LineEstimate &line);
/// "The line of Gemma 3 270M (2 rows) implies 255 GB/s, above the 200 GB/s of the datasheet: ..."
std::string flagSentence(const BandwidthFlag &flag, const LineReading &reading);
/// The overall line, the range of the shares, the flags, the rows that may be cached: one sentence each.
std::vector<std::string> lineSentences(const RunRecord &run, const LineReading &reading);

/// The rows, rounded for reading; columns that no row has a value for are left out.
TextTable lineTable(const RunRecord &run, const LineReading &reading);
/// The lines: all rows, each family, each model with several weights.
TextTable lineFitTable(const LineReading &reading);
/// model,family,dtype,status,weight_bytes,...: full precision, gaps empty. importLine() reads it back.
std::string lineCsv(const std::vector<RunRecord> &runs);

/// A line of a CSV that could not be used.
struct LineImportProblem {
    std::size_t line = 0; ///< from 1
    std::string sentence;
};
struct LineImport {
    std::vector<LineRow> rows; ///< imported, ok; indices from 0
    std::vector<LineImportProblem> problems;
};
/// Reads rows measured elsewhere out of a CSV: columns by the names of its header, in any order: `model`; `weight_gb` or
/// `weight_bytes`; `tpot_ms` or `tpot_s`; and where they are there `family`, `dtype`, `name`, `prompt`, `new_tokens`,
/// `mode`, `device`, `tpot_min_ms`, `tpot_max_ms`, `status`. UTF-8 with or without its mark, LF or CRLF, quoted fields,
/// ',' or ';' between fields; lines that begin with '#' are comments. A row that cannot be used is left out and told.
/// Throws Error (Failure) naming `origin` for a text without header or without any usable row, and for one that is no
/// UTF-8 text.
LineImport importLine(std::string_view text, const std::string &origin);
/// A finished run of the imported rows. `nominal`: the ceilings of the device that they were measured on (zeros: not
/// known); `hardware`: its profile, or null.
RunRecord importedRun(LineImport import, const std::string &origin, const Ceilings &nominal,
                      const HardwareProfile *hardware);

} // namespace ridgepoint
