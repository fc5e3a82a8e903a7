// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measured.h"

#include "app/cli/output.h"
#include "core/base/error.h"

#include <fmt/format.h>

#include <cstdio>

namespace ridgepoint {

namespace {

/// The catalogue's profile of the device that was measured; null: the catalogue does not know it.
const HardwareProfile *hardwareOf(const MeasuredCeilings &measured, const Catalog &catalog)
{
    if (measured.threads > 0) // a CPU
        return &catalog.hardwareById("cpu");
    return measured.deviceName.empty() ? nullptr : catalog.hardwareByDeviceName(measured.deviceName);
}

MeasuredHardware withHardware(const MeasuredCeilings &measured, const std::string &hardwareId, const Catalog &catalog)
{
    if (!hardwareId.empty()) {
        const HardwareProfile &wanted = catalog.hardwareById(hardwareId);
        if (const HardwareProfile *known = hardwareOf(measured, catalog); known && known->id != wanted.id)
            throw Error(ErrorKind::Usage, fmt::format("--measured holds what was measured on {}, not on {}. Leave out --hardware, or give a calibration of "
                                                      "that device.",
                                                      known->name, wanted.name));
        return {wanted, measured};
    }
    if (const HardwareProfile *known = hardwareOf(measured, catalog))
        return {*known, measured};
    MeasuredHardware result{{}, measured};
    result.hardware.id = "measured";
    result.hardware.name = measured.deviceName.empty() ? "measured device" : measured.deviceName;
    return result;
}

} // namespace

void keepProfile(const CalibrationResult &calibration)
{
    try {
        const auto file = saveMeasuredProfile(calibration, measuredProfileFolder());
        output::say(fmt::format("Kept as the measured profile of {}: {}\n", calibration.ceilings.deviceName, file.string()));
    } catch (const Error &fault) {
        output::say(fmt::format("The measured profile was not kept. {}\n", fault.what()));
    }
}

MeasuredHardware measuredHardware(const std::string &which, const std::string &hardwareId, const Catalog &catalog)
{
    if (which != "saved")
        return withHardware(loadCeilings(which), hardwareId, catalog);
    if (!hardwareId.empty())
        catalog.hardwareById(hardwareId); // a mistyped id is told as such
    const auto folder = measuredProfileFolder();
    const MeasuredProfiles saved = loadMeasuredProfiles(folder);
    for (const auto &problem : saved.problems)
        output::say(fmt::format("{}\n", problem));
    for (const auto &profile : saved.profiles) {
        const MeasuredCeilings &measured = profile.calibration.ceilings;
        const HardwareProfile *known = hardwareOf(measured, catalog);
        if (hardwareId.empty() || (known && known->id == hardwareId))
            return withHardware(measured, hardwareId, catalog);
    }
    throw Error(ErrorKind::Failure,
                fmt::format("No measured profile{} is saved in {}; run ridgepoint calibrate on the device, or give a file.",
                            hardwareId.empty() ? "" : " of " + hardwareId, folder.string()));
}

} // namespace ridgepoint
