// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/linear.h"

#include "core/torch/parallel_torch.h"

#include <algorithm>

namespace ridgepoint {

namespace {

/// Bytes of weights in one share of work: a third of a megabyte-sized second-level cache, so that a share stays there
/// while all tokens pass over it, and long enough (10 us at 25 GB/s) that handing it out costs nothing.
constexpr std::int64_t kShareBytes = 256 * 1024;
/// At least this many shares a thread, so that the last one is not waited for long.
constexpr std::int64_t kSharesPerThread = 4;
/// Rows of a share are a multiple of every kernel's tile.
constexpr std::int64_t kRowStep = 8;

} // namespace

template <typename T>
void linear(const kernels::Ops<T> &ops, const LinearWeights<T> &weights, const T *x, std::int64_t m, float *y,
            bool accumulate)
{
    const std::int64_t out = weights.out();
    const std::int64_t rowBytes = std::max<std::int64_t>(1, weights.in * std::int64_t(sizeof(T)));
    std::int64_t share = std::min(kShareBytes / rowBytes, out / (at::get_num_threads() * kSharesPerThread));
    share = std::max(kRowStep, share / kRowStep * kRowStep);
    std::int64_t tasks = 0;
    for (const auto &piece : weights.pieces)
        tasks += (piece.rows + share - 1) / share;
    parallelTasks(tasks, [&](std::int64_t task, std::int64_t) {
        std::int64_t column = 0;
        for (const auto &piece : weights.pieces) {
            const std::int64_t shares = (piece.rows + share - 1) / share;
            if (task < shares) {
                const std::int64_t first = task * share;
                kernels::GemmArgs<T> args;
                args.x = x;
                args.ldx = weights.in;
                args.m = m;
                args.w = piece.weight + first * weights.in;
                args.ldw = weights.in;
                args.n = std::min(share, piece.rows - first);
                args.k = weights.in;
                args.bias = piece.bias ? piece.bias + first : nullptr;
                args.y = y + column + first;
                args.ldy = out;
                args.accumulate = accumulate;
                ops.gemm(args);
                return;
            }
            task -= shares;
            column += piece.rows;
        }
    });
}

template void linear<float>(const kernels::Ops<float> &, const LinearWeights<float> &, const float *, std::int64_t,
                            float *, bool);
template void linear<kernels::Bf16>(const kernels::Ops<kernels::Bf16> &, const LinearWeights<kernels::Bf16> &,
                                    const kernels::Bf16 *, std::int64_t, float *, bool);

} // namespace ridgepoint
