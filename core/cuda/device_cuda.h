// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/device.h"

#include <memory>
#include <string>
#include <vector>

struct CUstream_st; // a CUDA stream, as CUDA's own headers declare it

namespace ridgepoint {

/// GPU `index` of this process. Throws Error (Failure) when there is no such GPU or its driver cannot be used.
std::unique_ptr<DeviceProbe> openCudaProbe(int index);
/// Every GPU that CUDA shows; one that cannot be used carries its problem. Where there is none, cuda:0 with the reason as its
/// problem.
std::vector<DeviceInfo> listCudaDevices();
/// Multiprocessors of the current device.
int multiprocessorCount();
/// The stream that libtorch works on in this thread.
CUstream_st *currentStream();
/// Of the toolkit that the engine was built with: "13.0".
std::string cudaVersion();

} // namespace ridgepoint
