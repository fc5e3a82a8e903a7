// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/hardware.h"

namespace ridgepoint {

double HardwareProfile::peak(DType dtype) const
{
    for (const DType candidate : {dtype, DType::F32}) {
        if (const auto found = peakFlops.find(candidate); found != peakFlops.end())
            return found->second;
    }
    return 0;
}

std::optional<double> MeasuredCeilings::stepOverheadFor(std::int64_t layers, bool graph) const
{
    const std::optional<double> &overhead = graph ? graphStepOverhead : stepOverhead;
    if (!overhead || layers <= 0 || overheadLayers <= 0)
        return overhead;
    return *overhead * static_cast<double>(layers) / static_cast<double>(overheadLayers);
}

Ceilings nominalCeilings(const HardwareProfile &hardware, DType dtype)
{
    Ceilings ceilings;
    ceilings.bandwidth = hardware.memoryBandwidth;
    ceilings.flops = hardware.peak(dtype);
    ceilings.memory = hardware.memoryBytes;
    return ceilings;
}

Ceilings measuredCeilings(const HardwareProfile &hardware, const MeasuredCeilings &measured, DType dtype,
                          std::int64_t layers, bool graph)
{
    Ceilings ceilings = nominalCeilings(hardware, dtype);
    if (measured.readBandwidth)
        ceilings.bandwidth = *measured.readBandwidth;
    if (const auto found = measured.matmulFlops.find(dtype); found != measured.matmulFlops.end())
        ceilings.flops = found->second;
    if (const auto overhead = measured.stepOverheadFor(layers, graph))
        ceilings.overhead = *overhead;
    return ceilings;
}

} // namespace ridgepoint
