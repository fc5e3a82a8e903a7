// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/kernels.h"

#include <cstdint>
#include <vector>

namespace ridgepoint {

/// Attention of `tokens` new positions of `sequences` sequences over one layer's cache, on the CPU. Each group of query
/// heads reads its kv head's keys and values once; nothing is repeated in memory.
template <typename T>
struct AttentionArgs {
    const T *q = nullptr; ///< [sequences, tokens, heads, headDim], rotated
    const T *k = nullptr; ///< first sequence's keys: [kvHeads, maxContext, headDim]
    const T *v = nullptr; ///< likewise its values
    T *out = nullptr;     ///< [sequences, tokens, heads, headDim]
    std::int64_t sequences = 0;
    std::int64_t tokens = 0;
    std::int64_t firstPosition = 0; ///< of the first of `tokens`; the cache already holds all of them
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t maxContext = 0;
    std::int64_t window = 0; ///< 0: the whole context
    float scale = 1;         ///< of the scores, above zero
};

/// Working memory that is kept between calls, so that a step allocates nothing once it has grown.
template <typename T>
struct AttentionScratch {
    std::vector<T> q;
    std::vector<float> values;
    std::vector<float> parts;
};

template <typename T>
void attention(const kernels::Ops<T> &ops, const AttentionArgs<T> &args, AttentionScratch<T> &scratch);

extern template void attention<float>(const kernels::Ops<float> &, const AttentionArgs<float> &,
                                      AttentionScratch<float> &);
extern template void attention<kernels::Bf16>(const kernels::Ops<kernels::Bf16> &,
                                              const AttentionArgs<kernels::Bf16> &, AttentionScratch<kernels::Bf16> &);

} // namespace ridgepoint
