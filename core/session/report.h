// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "core/session/report_translation.h"
#include "core/session/session.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ridgepoint {

/// A picture that the report refers to; made by the window's charts, absent in a build without Qt.
struct ReportPicture {
    std::string fileName; ///< "roofline.png"
    std::string caption;
};

/// Text of report.md: what was run on what, the record tables, predicted against measured, the formulas filled in for
/// the session's points, versions. Markdown; reads well as plain text. Deterministic. With a `catalog` it also says
/// where a run was predicted with another device's datasheet.
std::string reportMarkdown(const Session &session, const std::vector<ReportPicture> &pictures,
                           const Catalog *catalog = nullptr);

/// The forms of the report's text; all of them are made from the same Markdown.
enum class ReportFormat { Markdown, Html, Pdf };

/// The traces of a session's anatomies as files for Perfetto, name and text: "trace.json", or "trace-1.json", ... of several.
std::vector<std::pair<std::string, std::string>> traceFiles(const Session &session);
/// What a trace is of, for its title.
std::string traceTitle(const RunRecord &run);

/// Writes session.json, sweep.csv, steps.csv, ttft.csv, line.csv, calibration.csv, anatomy.csv, kernels.csv (those that have
/// rows), the traces and, for the formats that are asked for, report.md and report.html into
/// `folder` (created), in the language of `translate`; tables as CSV are the same in every language. Pictures must already lie there. report.pdf is the window build's (app/gui/report_pdf.h). Returns the
/// files written. Throws Error (Failure).
std::vector<std::filesystem::path> writeReport(const Session &session, const std::filesystem::path &folder,
                                               const std::vector<ReportPicture> &pictures,
                                               const Catalog *catalog = nullptr,
                                               const std::vector<ReportFormat> &formats = {ReportFormat::Markdown},
                                               const ReportTranslation &translate = {});

/// One formula with the numbers of a point filled in.
struct FilledFormula {
    std::string name;    ///< "bytes of a step"
    std::string formula; ///< "W + b n kv + b kv"
    std::string filled;  ///< "269 MB + 16 x 158 x 23.0 KB + ..."
    std::string result;  ///< "328 MB"
};
/// The explanation of one sweep point: bytes, FLOP, intensity against ridge, floor, prediction, measurement, ratio and
/// band, effective bytes, AI_max, b* or "never", capacity.
std::vector<FilledFormula> explainStep(const Workload &workload, const Ceilings &ceilings, double batch, double context,
                                       double measuredSeconds = kMissing);

} // namespace ridgepoint
