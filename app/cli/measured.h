// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "core/session/measured_profile.h"

#include <string>

namespace ridgepoint {

/// Keeps a calibration as the measured profile of its device and says on standard error where; a fault is told there too, since
/// the result itself is not lost by it.
void keepProfile(const CalibrationResult &calibration);

/// What `predict --measured` predicts with.
struct MeasuredHardware {
    HardwareProfile hardware;  ///< of the catalogue where the device is known there, else its name alone
    MeasuredCeilings measured;
};
/// `which`: a file (measured profile or session), or "saved": the newest saved profile, of `hardwareId` where that is not empty.
/// Throws Error naming what is missing; files that were left out are told on standard error.
MeasuredHardware measuredHardware(const std::string &which, const std::string &hardwareId, const Catalog &catalog);

} // namespace ridgepoint
