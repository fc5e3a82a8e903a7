// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/step_parts.h"

#include "core/analytic/decode_model.h"

#include <array>

namespace ridgepoint {

namespace {

constexpr std::array<std::string_view, 12> kNames{"embed", "norms",   "qkv",        "rope", "attention", "o",
                                                  "gate_up", "activation", "down", "head", "pick",      "other"};

} // namespace

std::string_view stepPartName(StepPart part)
{
    return kNames[static_cast<std::size_t>(part)];
}

std::optional<StepPart> parseStepPart(std::string_view text)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (kNames[i] == text)
            return static_cast<StepPart>(i);
    return std::nullopt;
}

std::vector<PartWork> partWork(const ModelShape &shape, DType dtype, double batch, double context)
{
    const Workload workload = makeWorkload(shape, dtype, Accounting::Exact);
    predictStep(workload, {1, 1, 0, 0}, batch, context); // for its sentence about a batch or context that is none

    const double layers = static_cast<double>(shape.layers), hidden = static_cast<double>(shape.hidden);
    const double headDim = static_cast<double>(shape.headDim), ffn = static_cast<double>(shape.ffn);
    const double queries = static_cast<double>(shape.heads) * headDim;
    const double widthKv = static_cast<double>(shape.kvHeads) * headDim;
    const double element = bytesPerElement(dtype);
    std::array<PartWork, kNames.size()> work;
    const auto at = [&](StepPart part) -> PartWork & { return work[static_cast<std::size_t>(part)]; };
    // A matrix of each layer with its bias: read once, multiplied with every sequence.
    const auto product = [&](StepPart part, double matrix, double bias) {
        at(part).bytes += layers * (matrix + bias) * element;
        at(part).flop += layers * 2 * matrix * batch;
    };
    product(StepPart::Qkv, hidden * (queries + 2 * widthKv), shape.qkvBias ? queries + 2 * widthKv : 0);
    product(StepPart::Output, queries * hidden, shape.outputBias ? hidden : 0);
    product(StepPart::GateUp, hidden * 2 * ffn, shape.mlpBias ? 2 * ffn : 0);
    product(StepPart::Down, ffn * hidden, shape.mlpBias ? hidden : 0);
    at(StepPart::Norms).bytes = (layers * shape.normsPerLayer * hidden + hidden) * element;
    // The norms of q and k are a part of the kernel that turns them and writes K and V.
    at(StepPart::Rope).bytes =
        (shape.qkNorm ? layers * 2 * headDim * element : 0) + batch * workload.kvWriteBytes();
    at(StepPart::Attention).bytes = batch * workload.kvReadBytes(context);
    at(StepPart::Attention).flop = batch * (workload.flopPerSequence(context) - 2 * workload.parameters);
    at(StepPart::Head).bytes = workload.headParameters * element;
    at(StepPart::Head).flop = 2 * workload.headParameters * batch;

    std::vector<PartWork> parts;
    for (std::size_t i = 0; i < work.size(); ++i) {
        work[i].part = static_cast<StepPart>(i);
        if (work[i].bytes > 0 || work[i].flop > 0)
            parts.push_back(work[i]);
    }
    return parts;
}

} // namespace ridgepoint
