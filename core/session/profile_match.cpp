// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/profile_match.h"

#include <algorithm>
#include <fmt/format.h>

namespace ridgepoint {

std::string profileMismatch(const RunRecord &run, const Catalog &catalog)
{
    const std::string &device = run.provenance.deviceName;
    const std::string &chosen = run.plan.hardwareId;
    if (device.empty() || chosen.empty())
        return {};
    const auto found = std::find_if(catalog.hardware().begin(), catalog.hardware().end(),
                                    [&](const HardwareProfile &h) { return h.id == chosen; });
    const HardwareProfile *profile = found != catalog.hardware().end() ? &*found : nullptr;
    const HardwareProfile *own = catalog.hardwareByDeviceName(device);
    if (own ? own->id == chosen : run.plan.device == "cpu" && chosen == "cpu")
        return {};
    const bool cpu = run.plan.device == "cpu";
    if (cpu && profile && profile->kind == DeviceKind::Cpu && (!own || chosen == "cpu"))
        return {};
    const std::string name = profile ? fmt::format("'{}' ({})", profile->name, chosen) : fmt::format("'{}'", chosen);
    if (own)
        return fmt::format("The run was on '{}', but it was predicted with the datasheet of {}: the nominal floor, the "
                           "ridge and the capacity are those of another device. Choose the profile {} (--hardware {}) "
                           "and run again.",
                           device, name, own->id, own->id);
    if (!profile)
        return fmt::format(
            "The run was on '{}' and predicted with the datasheet of {}, neither of which this catalogue "
            "knows: whether they are the same device cannot be told. Add the profile to the catalogue.",
            device, name);
    return fmt::format("The run was on '{}', which the catalogue does not know by that name, but it was predicted with "
                       "the datasheet of {}: the nominal floor, the ridge and the capacity may be those of another "
                       "device. Add the name to that profile's aliases if it is the same, else choose another profile.",
                       device, name);
}

} // namespace ridgepoint
