// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

namespace ridgepoint::cuda {

/// Keeps `stream` busy for `seconds` (at most a second) without touching memory.
cudaError_t delay(double seconds, cudaStream_t stream);

} // namespace ridgepoint::cuda
