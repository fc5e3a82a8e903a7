// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/report.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace ridgepoint {

/// What the command line borrows from the window build.
struct CliHooks {
    /// Renders the session's charts into `folder` and returns them; empty in a build without Qt (the report then holds
    /// tables only, and says so).
    std::function<std::vector<ReportPicture>(const Session &session, const std::filesystem::path &folder)> renderCharts;
    /// Writes report.pdf of the session into `folder`, where its pictures lie, and returns its path; empty in a build without Qt.
    std::function<std::filesystem::path(const Session &session, const std::filesystem::path &folder,
                                        const std::vector<ReportPicture> &pictures, const Catalog *catalog, const ReportTranslation &translate)>
        writePdf;
    /// Makes the charts and the report speak a language ("zh_CN") from now on; empty in a build without Qt. Throws Error (Usage)
    /// where there is no translation.
    std::function<ReportTranslation(const std::string &language)> speak;
};

/// True when the arguments ask for the command line: a verb, --help or --version. A session file or no argument means
/// the window.
bool isCommandLine(int argc, char **argv);

/// Runs one verb: predict, calibrate, ttft, sweep, line, report, errors, explain, import, compare, hardware, models, samples. Results go to standard output,
/// progress and faults to standard error. Returns the exit code: 0 done, 1 failed, 2 bad usage, 3 compare
/// found something slower, 130 interrupted. Never
/// throws.
int runCommandLine(int argc, char **argv, const CliHooks &hooks);

} // namespace ridgepoint
