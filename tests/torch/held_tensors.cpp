// SPDX-License-Identifier: GPL-3.0-or-later
#include "held_tensors.h"

#include "core/torch/weights_torch.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

namespace ridgepoint::test {

HeldTensors heldTensors(const Checkpoint &checkpoint, DType dtype)
{
    c10::InferenceMode inference;
    const ModelShape &shape = checkpoint.shape();
    const DecoderWeights weights = loadWeights(shape, &checkpoint, dtype, at::Device(at::kCPU), 1, {}, {});
    HeldTensors held;
    held.claimedBytes = weights.bytes;
    const auto matrix = [&](const at::Tensor &tensor) {
        held.bytes += double(tensor.nbytes());
        held.multiplied += double(tensor.numel());
    };
    const auto vector = [&](const at::Tensor &tensor) {
        if (!tensor.defined())
            return;
        held.bytes += double(tensor.nbytes());
        held.vectorElements += double(tensor.numel());
    };
    const auto within = [&](const at::Tensor &group, std::initializer_list<at::Tensor> slices) {
        const char *at = static_cast<const char *>(group.data_ptr());
        for (const at::Tensor &slice : slices) {
            held.slicesLieInTheirGroups = held.slicesLieInTheirGroups && slice.data_ptr() == at;
            at += slice.nbytes();
        }
        held.slicesLieInTheirGroups =
            held.slicesLieInTheirGroups && at == static_cast<const char *>(group.data_ptr()) + group.nbytes();
    };
    matrix(weights.head);
    if (weights.head.data_ptr() != weights.embedding.data_ptr()) {
        held.gatheredBytes = double(weights.embedding.nbytes());
        held.bytes += held.gatheredBytes;
    }
    vector(weights.finalNorm);
    for (const LayerWeights &layer : weights.layers) {
        for (const at::Tensor *m : {&layer.qkv, &layer.o, &layer.gateUp, &layer.down})
            matrix(*m);
        for (const at::Tensor *v :
             {&layer.inputNorm, &layer.postNorm, &layer.postAttentionNorm, &layer.postFeedforwardNorm, &layer.qNorm,
              &layer.kNorm, &layer.qkvBias, &layer.oBias, &layer.gateUpBias, &layer.downBias})
            vector(*v);
        within(layer.qkv, {layer.q, layer.k, layer.v});
        within(layer.gateUp, {layer.gate, layer.up});
    }
    return held;
}

} // namespace ridgepoint::test
