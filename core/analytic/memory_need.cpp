// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/memory_need.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

MemoryNeed memoryNeed(const ModelShape &shape, DType dtype, std::int64_t batch, std::int64_t tokens,
                      std::int64_t prefillRows, double weightBytes, const DeviceWorkspace &device)
{
    const double element = bytesPerElement(dtype);
    MemoryNeed need;
    need.batch = batch;
    need.tokens = tokens;
    need.kvPerToken = kvBytesPerToken(shape, dtype);
    need.weights = std::isnan(weightBytes) ? countParameters(shape).total * element : weightBytes;
    need.kv = static_cast<double>(batch) * static_cast<double>(tokens) * need.kvPerToken;
    const double batchRows = static_cast<double>(batch);
    const double rows = std::min(static_cast<double>(prefillRows), static_cast<double>(device.rowsAtOnce));
    const double hidden = static_cast<double>(shape.hidden);
    const double ffn = static_cast<double>(shape.ffn);
    const double queries = static_cast<double>(shape.heads * shape.headDim);
    const double projected = static_cast<double>((shape.heads + 2 * shape.kvHeads) * shape.headDim);
    const double logits = batchRows * static_cast<double>(shape.vocab);
    if (device.keepsStepBuffers) {
        // A row in the dtype: residual stream, what enters a product, what leaves one; q, k, v; queries and their mix; gate,
        // up and their product. The step's rows stay allocated while a prompt's are added, for which attention and the
        // embedding make two copies more. The tables of cosines and sines are fp32.
        const double row = element * (3 * hidden + projected + 2 * queries + 3 * ffn);
        need.workspace = (batchRows + rows) * row + rows * element * (2 * queries + 2 * hidden) + element * logits +
                         4.0 * static_cast<double>(tokens * shape.headDim) + device.libraryBytes;
        return need;
    }
    // Per row the residual stream in fp32, what enters a product and the queries in the dtype, and the widest result of a
    // product in fp32; logits in fp32.
    const double row = 4 * hidden + element * (std::max({hidden, ffn, queries}) + queries) + 4 * std::max(2 * ffn, projected);
    need.workspace = std::max(batchRows, rows) * row + 4.0 * logits;
    return need;
}

std::string memorySentence(const MemoryNeed &need, double limit, const std::string &limitName)
{
    return fmt::format("weights {} + KV {} x {} x {} = {} + workspace {} = {} > {}, {}.", format::bytes(need.weights),
                       need.batch, format::count(static_cast<double>(need.tokens)), format::bytes(need.kvPerToken),
                       format::bytes(need.kv), format::bytes(need.workspace), format::bytes(need.total()),
                       format::bytes(limit), limitName);
}

} // namespace ridgepoint
