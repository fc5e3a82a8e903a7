// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments.h"
#include "core/catalog/catalog.h"
#include "core/session/plan.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace ridgepoint {

/// What the verbs calibrate, ttft, sweep and line were asked to do.
struct MeasureRequest {
    RunPlan plan;
    bool deviceChosen = false;  ///< --device was given; else the first GPU that works, else the CPU
    bool dtypeChosen = false;   ///< --dtype was given; else the device's first
    std::string hardwareId;     ///< --hardware; empty: the profile that the device's name matches
    std::vector<DecodeMode> modes{DecodeMode::Eager}; ///< one run each, in this order, into one session
    bool isDefaultModel = false;   ///< --model was not given
    bool limitChosen = false;   ///< --memory-limit was given
    std::filesystem::path out;  ///< session file; empty: results are printed only
    arguments::Format format = arguments::Format::Table;
    std::filesystem::path folder;    ///< anatomy: session.json, report.md, trace.json, ... go here; empty: none
    std::filesystem::path traceFile; ///< anatomy: trace for Perfetto; empty: none
    bool markdown = false;           ///< anatomy: tables as Markdown, whatever `format` says
    bool quiet = false;
    bool keepProfile = false; ///< a finished calibration becomes the device's measured profile
};

/// Loads the engine, runs the plan once a mode, keeps the journal, prints the result to standard output and saves the
/// session. Returns the exit code. Throws Error.
int measure(MeasureRequest request, const Catalog &catalog);

} // namespace ridgepoint
