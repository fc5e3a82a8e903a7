// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/hardware.h"
#include "core/analytic/model_shape.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// The devices and models the program knows: JSON files, one device or model each, read from the resources folder that
/// ships with the program and then from the user's folders, where a file of the same id replaces the shipped one.
class Catalog {
public:
    /// Reads `hardware/*.json` and `models/*.json` below each folder, in order; later folders override.
    /// A file that cannot be read or does not hold together is left out and its sentence is kept in problems().
    static Catalog load(const std::vector<std::filesystem::path> &folders);
    /// The shipped folder (found beside the executable, in the install prefix or in the source tree; RIDGEPOINT_RESOURCES
    /// overrides) and the user's (XDG_DATA_HOME/ridgepoint). Throws Error (Failure) when the shipped folder is missing.
    static Catalog loadDefault();
    /// The folders that loadDefault() reads, in order.
    static std::vector<std::filesystem::path> defaultFolders();

    const std::vector<HardwareProfile> &hardware() const { return m_hardware; } ///< sorted by id
    const std::vector<ModelShape> &models() const { return m_models; }         ///< sorted by id
    const std::vector<std::string> &problems() const { return m_problems; }

    /// Throws Error (Usage) that names the id, the nearest known ids and how to list them.
    const HardwareProfile &hardwareById(std::string_view id) const;
    const ModelShape &modelById(std::string_view id) const;
    /// The profile whose name or aliases match what a driver calls the device ("Tesla T4", "NVIDIA H200"); null: none.
    const HardwareProfile *hardwareByDeviceName(std::string_view deviceName) const;

private:
    std::vector<HardwareProfile> m_hardware;
    std::vector<ModelShape> m_models;
    std::vector<std::string> m_problems;
    std::vector<std::pair<std::string, std::string>> m_aliases; // device name, id
};

/// Closest known names to a mistyped one, best first, at most three.
std::vector<std::string> nearestNames(std::string_view wanted, const std::vector<std::string> &known);

} // namespace ridgepoint
