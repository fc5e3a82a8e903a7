// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/dtype.h"

#include <cuda_runtime_api.h>

#include <cstdint>

/// The matrix products of a fused decode step: few rows of activations against weights that are streamed once, with the norm
/// before and the addition or activation after them in the same kernel. Device pointers, no torch type; fp16 and bf16 with
/// fp32 sums and an fp32 residual stream.
///
/// Each block takes a run of neighbouring output rows and starts to fetch its weights before it waits for the kernel ahead of
/// it (programmatic dependent launch, compute capability 9.0): weights depend on nothing, so memory need not rest while a
/// kernel drains. Elsewhere the same kernels run one after the other.
namespace ridgepoint::cuda {

/// What a linear kernel does with its sums.
enum class LinearEnd {
    Store,    ///< out[row] = sum + bias, in T
    Add,      ///< out[row] += sum + bias, out is fp32: the residual stream
    Activate, ///< weight holds gate rows, then up rows; out[row] = act(gate) x up, in T
};

/// out [batch, rows] = in [batch, columns] x weight^T.
struct LinearArgs {
    const void *weight;  ///< [rows, columns]; LinearEnd::Activate: [2 x rows, columns]
    const float *bias;   ///< as many as weight has rows, or null
    const void *in;      ///< T [batch, columns]; with `norm` the residual stream, fp32 [batch, columns]
    const float *norm;   ///< RMS norm weights [columns], taken into the kernel: in is normed first; null: none
    void *out;           ///< [batch, rows]; fp32 for LinearEnd::Add
    std::int64_t rows;   ///< of the result
    std::int64_t columns;
    std::int64_t batch;
    float eps;
    LinearEnd end;
    bool gelu;     ///< tanh approximation instead of SiLU
    bool overlap;  ///< launched behind a kernel that lets it start early
    int blocks;    ///< of the grid: multiprocessors
};
/// Greatest batch that linear() takes, with a norm within and without.
inline constexpr std::int64_t kLinearBatch = 16;
inline constexpr std::int64_t kLinearNormBatch = 8;
/// Whether this card and these sizes are served: fp16 from compute capability 7.5, bf16 from 8.0, columns a multiple of 8,
/// shared memory enough.
bool linearSupports(DType dtype, std::int64_t columns, std::int64_t batch, bool norm, int computeCapability,
                    std::int64_t sharedBytes);
/// Returns the status of the launch; cudaErrorInvalidValue for what linearSupports() does not accept.
cudaError_t linear(DType dtype, const LinearArgs &args, cudaStream_t stream);

} // namespace ridgepoint::cuda
