// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/attention.h"

#include "core/torch/parallel_torch.h"

#include <cmath>
#include <cstring>

namespace ridgepoint {

namespace {

/// Query rows (tokens x group) that pass over the keys together in a prefill: enough to use each key many times while the
/// rows' scores stay in the second-level cache.
constexpr std::int64_t kPrefillRows = 32;
/// A decode step's context is cut into parts of at least this many positions where there are too few kv heads to keep
/// every thread busy.
constexpr std::int64_t kSmallestPart = 256;
constexpr std::int64_t kTasksPerThread = 3;

template <typename V>
void growTo(V &vector, std::int64_t size)
{
    if (std::int64_t(vector.size()) < size)
        vector.resize(std::size_t(size));
}

} // namespace

template <typename T>
void attention(const kernels::Ops<T> &ops, const AttentionArgs<T> &a, AttentionScratch<T> &scratch)
{
    const std::int64_t group = a.heads / a.kvHeads;
    const std::int64_t blockTokens = std::min(a.tokens, std::max<std::int64_t>(1, kPrefillRows / group));
    const std::int64_t blocks = (a.tokens + blockTokens - 1) / blockTokens;
    const std::int64_t pairs = a.sequences * a.kvHeads;
    const std::int64_t threads = at::get_num_threads();
    const std::int64_t context = a.firstPosition + a.tokens;
    std::int64_t parts = 1;
    if (threads > 1 && pairs * blocks < threads * kTasksPerThread)
        parts = std::max<std::int64_t>(1, std::min((threads * kTasksPerThread + pairs * blocks - 1) / (pairs * blocks),
                                                   context / kSmallestPart));
    const std::int64_t rows = blockTokens * group;
    const std::int64_t partSize = rows * (a.headDim + 2);
    growTo(scratch.q, threads * rows * a.headDim);
    growTo(scratch.values, threads * rows * kernels::kAttendBlock);
    growTo(scratch.parts, (parts > 1 ? pairs * blocks * parts : threads) * partSize);
    const std::int64_t tokenStride = a.heads * a.headDim;

    const auto finish = [&](std::int64_t sequence, std::int64_t head, std::int64_t firstToken,
                            std::int64_t row, const float *acc, float sum) {
        T *out = a.out + (sequence * a.tokens + firstToken + row / group) * tokenStride +
                 (head * group + row % group) * a.headDim;
        ops.scaleInto(acc, 1.0f / sum, out, a.headDim);
    };

    parallelTasks(pairs * blocks * parts, [&](std::int64_t task, std::int64_t worker) {
        const std::int64_t part = task % parts;
        const std::int64_t pair = task / parts % pairs;
        const std::int64_t block = blocks - 1 - task / parts / pairs; // the longest contexts first
        const std::int64_t sequence = pair / a.kvHeads, head = pair % a.kvHeads;
        const std::int64_t firstToken = block * blockTokens;
        const std::int64_t tokens = std::min(blockTokens, a.tokens - firstToken);
        const std::int64_t first = a.firstPosition + firstToken;
        T *q = scratch.q.data() + worker * rows * a.headDim;
        for (std::int64_t token = 0; token < tokens; ++token)
            std::memcpy(q + token * group * a.headDim,
                        a.q + (sequence * a.tokens + firstToken + token) * tokenStride + head * group * a.headDim,
                        std::size_t(group * a.headDim) * sizeof(T));
        float *own = scratch.parts.data() + (parts > 1 ? (pair * blocks + block) * parts + part : worker) * partSize;
        kernels::AttendArgs<T> args;
        args.q = q;
        args.rows = tokens * group;
        args.group = group;
        args.firstPosition = first;
        args.window = a.window;
        args.k = a.k + pair * a.maxContext * a.headDim;
        args.v = a.v + pair * a.maxContext * a.headDim;
        const std::int64_t begin = a.window > 0 ? std::max<std::int64_t>(0, first + 1 - a.window) : 0;
        const std::int64_t end = first + tokens;
        args.begin = begin + (end - begin) * part / parts;
        args.end = begin + (end - begin) * (part + 1) / parts;
        args.headDim = a.headDim;
        args.scale = a.scale;
        args.maximum = own;
        args.sum = own + rows;
        args.acc = own + 2 * rows;
        args.scores = scratch.values.data() + worker * rows * kernels::kAttendBlock;
        ops.attend(args);
        if (parts == 1)
            for (std::int64_t row = 0; row < args.rows; ++row)
                finish(sequence, head, firstToken, row, args.acc + row * a.headDim, args.sum[row]);
    });
    if (parts == 1)
        return;
    // Join the parts: each was summed against its own maximum.
    parallelTasks(pairs * blocks, [&](std::int64_t task, std::int64_t) {
        const std::int64_t pair = task / blocks, block = task % blocks;
        float *own = scratch.parts.data() + task * parts * partSize;
        const std::int64_t firstToken = block * blockTokens;
        const std::int64_t used = std::min(blockTokens, a.tokens - firstToken) * group;
        for (std::int64_t row = 0; row < used; ++row) {
            float highest = own[row];
            for (std::int64_t part = 1; part < parts; ++part)
                highest = std::max(highest, own[part * partSize + row]);
            float sum = 0;
            float *acc = own + 2 * rows + row * a.headDim;
            for (std::int64_t part = 0; part < parts; ++part) {
                const float *other = own + part * partSize;
                const float factor = std::exp(other[row] - highest); // exp(-infinity) = 0 for a part out of sight
                sum += factor * other[rows + row];
                const float *values = other + 2 * rows + row * a.headDim;
                for (std::int64_t d = 0; d < a.headDim; ++d)
                    acc[d] = (part ? acc[d] : 0.0f) + factor * values[d];
            }
            finish(pair / a.kvHeads, pair % a.kvHeads, firstToken, row, acc, sum);
        }
    });
}

template void attention<float>(const kernels::Ops<float> &, const AttentionArgs<float> &, AttentionScratch<float> &);
template void attention<kernels::Bf16>(const kernels::Ops<kernels::Bf16> &, const AttentionArgs<kernels::Bf16> &,
                                       AttentionScratch<kernels::Bf16> &);

} // namespace ridgepoint
