// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/results.h"

#include <filesystem>
#include <string>
#include <vector>

/// Measured hardware profiles: the calibration of one device, kept as a file beside the user's catalogue so that later
/// predictions can start from it. docs/catalogue.md describes the format.
namespace ridgepoint {

struct MeasuredProfile {
    std::filesystem::path file;
    CalibrationResult calibration;
};

struct MeasuredProfiles {
    std::vector<MeasuredProfile> profiles; ///< newest first
    std::vector<std::string> problems;     ///< a sentence for each file that was left out

    /// The newest one of this device: the same name and, of a GPU, the same hash of its UUID (another card of the name has
    /// clocks and cooling of its own); of a CPU (no hash) the same thread count, 0 standing for any. Null: none.
    const MeasuredProfile *of(const std::string &deviceName, const std::string &deviceHash, int threads) const;
};

/// XDG_DATA_HOME/ridgepoint/measured, without that variable ~/.local/share/ridgepoint/measured. Throws Error (Failure) where
/// neither it nor HOME is set.
std::filesystem::path measuredProfileFolder();

/// Writes the calibration as the profile of its device into `folder` and returns the file; an older one of that device is
/// replaced. Throws Error (Failure) naming the file, or when the calibration does not say of which device it is.
std::filesystem::path saveMeasuredProfile(const CalibrationResult &calibration, const std::filesystem::path &folder);

/// Throws Error (Failure) naming the file and the field at fault.
MeasuredProfile loadMeasuredProfile(const std::filesystem::path &file);
/// Every profile in `folder` (empty where there is no such folder); files that do not hold together are told as problems.
MeasuredProfiles loadMeasuredProfiles(const std::filesystem::path &folder);

/// The ceilings in a profile or in a session that holds a calibration. Throws Error (Failure).
MeasuredCeilings loadCeilings(const std::filesystem::path &file);

} // namespace ridgepoint
