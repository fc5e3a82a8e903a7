// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cuda/fused_kernels.h"

#include <vector>

/// The products of LinearArgs for batches up to 128 by the warpgroup instructions of compute capability 9.0, which other cards do
/// not have: sequences are the 64 or 128 rows of an instruction, up to 256 rows of weights its columns. Both come through a ring in
/// shared memory in boxes of 64 columns (tensor maps). A block has one width of weight rows, and either all columns of them or a
/// part; then the blocks of a cluster, which have the other parts, add up over each other's shared memory in a fixed order.
namespace ridgepoint::cuda {

/// How a product is dealt out.
struct WarpgroupPlan {
    int width = 0;  ///< rows of weights of a block: one of kWarpgroupWidths
    int splits = 1; ///< blocks that share the columns of a width, up to 8
};
inline constexpr int kWarpgroupWidths[] = {32, 64, 96, 128, 160, 176, 192, 256};
inline constexpr std::int64_t kWarpgroupBatch = 128;

/// Whether this build, card and product are served: built for compute capability 9.0 and run there, fp16 or bf16, no norm within,
/// columns a multiple of 8, at most kWarpgroupBatch sequences, matrices at multiples of 16 bytes.
bool warpgroupSupports(DType dtype, const LinearArgs &args, int computeCapability, std::int64_t sharedLimit);
/// Those worth trying for these sizes, a dozen or two; at least one for what is served.
std::vector<WarpgroupPlan> warpgroupPlans(const LinearArgs &args, std::int64_t sharedLimit);
/// Returns the status of the launch; cudaErrorInvalidValue for what warpgroupSupports() does not accept and for a plan that shared
/// memory does not hold, cudaErrorNotSupported where the driver makes no tensor maps.
cudaError_t warpgroupLinear(DType dtype, const LinearArgs &args, WarpgroupPlan plan, std::int64_t sharedLimit, cudaStream_t stream);

} // namespace ridgepoint::cuda
