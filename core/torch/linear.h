// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/kernels.h"

#include <cstdint>
#include <vector>

namespace ridgepoint {

/// One weight matrix, [rows, in] row-major, with its bias (null: none).
template <typename T>
struct LinearPiece {
    const T *weight = nullptr;
    std::int64_t rows = 0;
    const float *bias = nullptr;
};

/// Matrices that are multiplied with the same input, their outputs side by side (q, k, v; gate, up).
template <typename T>
struct LinearWeights {
    std::vector<LinearPiece<T>> pieces;
    std::int64_t in = 0;
    std::int64_t out() const
    {
        std::int64_t sum = 0;
        for (const auto &piece : pieces)
            sum += piece.rows;
        return sum;
    }
};

/// y[m, out] (+)= x[m, in] * weights^T + bias, in fp32 sums, over libtorch's threads; rows of y are out() apart.
template <typename T>
void linear(const kernels::Ops<T> &ops, const LinearWeights<T> &weights, const T *x, std::int64_t m, float *y,
            bool accumulate);

extern template void linear<float>(const kernels::Ops<float> &, const LinearWeights<float> &, const float *,
                                   std::int64_t, float *, bool);
extern template void linear<kernels::Bf16>(const kernels::Ops<kernels::Bf16> &, const LinearWeights<kernels::Bf16> &,
                                           const kernels::Bf16 *, std::int64_t, float *, bool);

} // namespace ridgepoint
