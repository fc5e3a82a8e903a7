// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/weights_torch.h"

#include "core/base/format.h"
#include "core/torch/host_memory.h"
#include "core/torch/kernels.h"
#include "core/torch/parallel_torch.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <set>

namespace ridgepoint {

namespace {

using kernels::Bf16;

/// Standard deviation of random weights: what the families initialise with.
constexpr float kSpread = 0.02f;

enum class Part { Matrix, Norm, Bias };

/// One tensor to be filled. `fused` of a group of neighbours is one tensor over all of them.
struct Item {
    std::string name;
    std::vector<std::int64_t> sizes;
    Part part;
    at::Tensor *target;
    at::Tensor *fused; ///< null: stands alone; items of one group name the same tensor and follow one another
};

std::int64_t elements(const Item &item)
{
    std::int64_t n = 1;
    for (const auto size : item.sizes)
        n *= size;
    return n;
}

/// The tensors of a Llama-like decoder under their Hugging Face names: the parts that `shape` says it has, no others.
std::vector<Item> itemsOf(const ModelShape &s, DecoderWeights &w, std::vector<at::Tensor> &biasSlices)
{
    std::vector<Item> items;
    const auto add = [&](std::string name, std::vector<std::int64_t> sizes, Part part, at::Tensor &target,
                         at::Tensor *fused = nullptr) {
        items.push_back({std::move(name), std::move(sizes), part, &target, fused});
    };
    const std::int64_t q = s.heads * s.headDim, kv = s.kvHeads * s.headDim;
    w.layers.resize(std::size_t(s.layers));
    biasSlices.resize(std::size_t(s.layers) * 5);
    add("model.embed_tokens.weight", {s.vocab, s.hidden}, Part::Matrix, w.embedding);
    for (std::int64_t i = 0; i < s.layers; ++i) {
        LayerWeights &l = w.layers[std::size_t(i)];
        at::Tensor *slices = &biasSlices[std::size_t(i) * 5];
        const std::string layer = fmt::format("model.layers.{}.", i);
        const std::string attention = layer + "self_attn.", mlp = layer + "mlp.";
        add(layer + "input_layernorm.weight", {s.hidden}, Part::Norm, l.inputNorm);
        add(attention + "q_proj.weight", {q, s.hidden}, Part::Matrix, l.q, &l.qkv);
        add(attention + "k_proj.weight", {kv, s.hidden}, Part::Matrix, l.k, &l.qkv);
        add(attention + "v_proj.weight", {kv, s.hidden}, Part::Matrix, l.v, &l.qkv);
        if (s.qkvBias) {
            add(attention + "q_proj.bias", {q}, Part::Bias, slices[0], &l.qkvBias);
            add(attention + "k_proj.bias", {kv}, Part::Bias, slices[1], &l.qkvBias);
            add(attention + "v_proj.bias", {kv}, Part::Bias, slices[2], &l.qkvBias);
        }
        if (s.qkNorm) {
            add(attention + "q_norm.weight", {s.headDim}, Part::Norm, l.qNorm);
            add(attention + "k_norm.weight", {s.headDim}, Part::Norm, l.kNorm);
        }
        add(attention + "o_proj.weight", {s.hidden, q}, Part::Matrix, l.o);
        if (s.outputBias)
            add(attention + "o_proj.bias", {s.hidden}, Part::Bias, l.oBias);
        // With four norms the name that stands before the MLP elsewhere is that of attention's own result.
        if (hasPostNorms(s)) {
            add(layer + "post_attention_layernorm.weight", {s.hidden}, Part::Norm, l.postAttentionNorm);
            add(layer + "pre_feedforward_layernorm.weight", {s.hidden}, Part::Norm, l.postNorm);
        } else {
            add(layer + "post_attention_layernorm.weight", {s.hidden}, Part::Norm, l.postNorm);
        }
        add(mlp + "gate_proj.weight", {s.ffn, s.hidden}, Part::Matrix, l.gate, &l.gateUp);
        add(mlp + "up_proj.weight", {s.ffn, s.hidden}, Part::Matrix, l.up, &l.gateUp);
        if (s.mlpBias) {
            add(mlp + "gate_proj.bias", {s.ffn}, Part::Bias, slices[3], &l.gateUpBias);
            add(mlp + "up_proj.bias", {s.ffn}, Part::Bias, slices[4], &l.gateUpBias);
        }
        add(mlp + "down_proj.weight", {s.hidden, s.ffn}, Part::Matrix, l.down);
        if (s.mlpBias)
            add(mlp + "down_proj.bias", {s.hidden}, Part::Bias, l.downBias);
        if (hasPostNorms(s))
            add(layer + "post_feedforward_layernorm.weight", {s.hidden}, Part::Norm, l.postFeedforwardNorm);
    }
    add("model.norm.weight", {s.hidden}, Part::Norm, w.finalNorm);
    if (!s.tiedEmbeddings)
        add("lm_head.weight", {s.vocab, s.hidden}, Part::Matrix, w.head);
    return items;
}

/// A tensor that the decoder would silently leave out would make its output wrong: refuse it by name. Known leftovers that
/// carry no weight are passed over.
void refuseUnknownTensors(const Checkpoint &checkpoint, const std::vector<Item> &items)
{
    std::set<std::string> known;
    for (const Item &item : items)
        known.insert(item.name);
    for (const std::string &name : checkpoint.names()) {
        if (known.count(name))
            continue;
        if (name.ends_with("rotary_emb.inv_freq") || name.ends_with("attn.masked_bias") ||
            (name == "lm_head.weight" && checkpoint.shape().tiedEmbeddings))
            continue;
        throw Error(ErrorKind::Failure,
                    fmt::format("The tensor '{}' in {} is no part of {} as its config.json describes it, and leaving it "
                                "out would change the results; check that config.json belongs to these weights.",
                                name, checkpoint.folder().string(), checkpoint.shape().architecture));
    }
}

at::ScalarType storedScalar(StoredType type)
{
    return type == StoredType::F32 ? at::kFloat : type == StoredType::F16 ? at::kHalf : at::kBFloat16;
}

/// Enters the pages of a mapped file into the page table at once: faults, one a 64 KiB, cost more than the copy itself. A
/// wish: where the system does not know it, the faults come.
void populate(const std::byte *data, std::size_t bytes)
{
#if defined(MADV_POPULATE_READ)
    const std::uintptr_t page = std::uintptr_t(sysconf(_SC_PAGESIZE));
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(data) / page * page;
    madvise(reinterpret_cast<void *>(from), reinterpret_cast<std::uintptr_t>(data) + bytes - from, MADV_POPULATE_READ);
#else
    (void)data, (void)bytes;
#endif
}

template <typename T>
void convertOnCpu(const StoredTensor &from, T *to, std::int64_t count)
{
    const auto &ops = kernels::bestOps<T>();
    constexpr std::int64_t kChunk = 1 << 20; // 2 MB of a two-byte dtype
    const std::int64_t stored = from.type == StoredType::F32 ? 4 : 2;
    parallelTasks((count + kChunk - 1) / kChunk, [&](std::int64_t task, std::int64_t) {
        const std::int64_t first = task * kChunk, n = std::min(kChunk, count - first);
        populate(from.data + first * stored, std::size_t(n * stored));
        if (from.type == (std::is_same_v<T, float> ? StoredType::F32 : StoredType::BF16)) {
            std::memcpy(to + first, from.data + first * std::int64_t(sizeof(T)), std::size_t(n) * sizeof(T));
        } else if (from.type == StoredType::F16) {
            ops.fromHalf(reinterpret_cast<const std::uint16_t *>(from.data) + first, to + first, n);
        } else if constexpr (std::is_same_v<T, float>) {
            kernels::bestOps<Bf16>().toFloat(reinterpret_cast<const Bf16 *>(from.data) + first, to + first, n);
        } else {
            ops.fromFloat(reinterpret_cast<const float *>(from.data) + first, to + first, n);
        }
    });
}

template <typename T>
void randomOnCpu(T *to, std::int64_t count, std::uint32_t seed, Part part)
{
    if (part == Part::Norm) {
        std::fill(to, to + count, T(1));
        return;
    }
    const auto &ops = kernels::bestOps<T>();
    constexpr std::int64_t kChunk = 1 << 18;
    parallelTasks((count + kChunk - 1) / kChunk, [&](std::int64_t task, std::int64_t) {
        const std::int64_t first = task * kChunk;
        ops.fillUniform(to + first, std::min(kChunk, count - first), seed, std::uint32_t(first),
                        kSpread * std::sqrt(3.0f));
    });
}
template <>
void randomOnCpu<Bf16>(Bf16 *to, std::int64_t count, std::uint32_t seed, Part)
{
    const auto &ops = kernels::bestOps<Bf16>();
    constexpr std::int64_t kChunk = 1 << 18;
    parallelTasks((count + kChunk - 1) / kChunk, [&](std::int64_t task, std::int64_t) {
        const std::int64_t first = task * kChunk;
        ops.fillUniform(to + first, std::min(kChunk, count - first), seed, std::uint32_t(first),
                        kSpread * std::sqrt(3.0f));
    });
}

/// Rows of the items of one fused group together.
std::int64_t groupRows(const std::vector<Item> &items, std::size_t first)
{
    std::int64_t rows = 0;
    for (std::size_t i = first; i < items.size() && items[i].fused == items[first].fused; ++i)
        rows += items[i].sizes[0];
    return rows;
}

} // namespace

at::ScalarType scalarType(DType dtype)
{
    return dtype == DType::F32 ? at::kFloat : dtype == DType::F16 ? at::kHalf : at::kBFloat16;
}

DecoderWeights loadWeights(const ModelShape &shape, const Checkpoint *checkpoint, DType dtype, const at::Device &device,
                           std::uint64_t seed, const std::function<void(double)> &progress, std::stop_token stop)
{
    DecoderWeights weights;
    std::vector<at::Tensor> biasSlices;
    const std::vector<Item> items = itemsOf(shape, weights, biasSlices);
    if (checkpoint)
        refuseUnknownTensors(*checkpoint, items);
    const auto typeOf = [&](const Item &item) { return item.part == Part::Matrix ? scalarType(dtype) : at::kFloat; };
    const auto bytesOf = [&](const Item &item) {
        return elements(item) * (item.part == Part::Matrix ? std::int64_t(bytesPerElement(dtype)) : 4);
    };
    // Groups start on a cache line; their members touch, so that they are one matrix as well.
    constexpr std::int64_t kAlign = 64;
    const auto startsGroup = [&](std::size_t i) {
        return i == 0 || !items[i].fused || items[i - 1].fused != items[i].fused;
    };
    std::int64_t total = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (startsGroup(i))
            total = (total + kAlign - 1) / kAlign * kAlign;
        total += bytesOf(items[i]);
        weights.bytes += double(bytesOf(items[i]));
    }
    std::shared_ptr<std::byte> block;
    if (device.is_cpu())
        block = allocateHost(std::size_t(total), fmt::format("The weights of {} in {}",
                                                             shape.name.empty() ? shape.id : shape.name,
                                                             dtypeName(dtype)),
                             false);
    else
        at::manual_seed(seed);

    std::int64_t offset = 0;
    std::int64_t fusedRow = 0;
    double done = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Item &item = items[i];
        if (stop.stop_requested())
            throw Error(ErrorKind::Cancelled, "Building the weights was stopped.");
        const auto options = at::TensorOptions().dtype(typeOf(item)).device(device);
        const bool first = startsGroup(i);
        std::vector<std::int64_t> fusedSizes = item.sizes;
        if (first && item.fused)
            fusedSizes[0] = groupRows(items, i);
        if (first)
            fusedRow = 0;
        if (device.is_cpu()) {
            if (first)
                offset = (offset + kAlign - 1) / kAlign * kAlign;
            std::byte *at = block.get() + offset;
            const auto keep = [block](void *) {};
            if (first && item.fused)
                *item.fused = at::from_blob(at, fusedSizes, keep, options);
            *item.target = at::from_blob(at, item.sizes, keep, options);
            offset += bytesOf(item);
        } else if (item.fused) {
            if (first)
                *item.fused = at::empty(fusedSizes, options);
            *item.target = item.fused->narrow(0, fusedRow, item.sizes[0]);
        } else {
            *item.target = at::empty(item.sizes, options);
        }
        fusedRow += item.sizes[0];

        const std::int64_t count = elements(item);
        if (checkpoint) {
            const StoredTensor stored = checkpoint->tensor(item.name, item.sizes);
            if (!device.is_cpu())
                item.target->copy_(at::from_blob(const_cast<std::byte *>(stored.data), item.sizes,
                                                 at::TensorOptions().dtype(storedScalar(stored.type))));
            else if (item.target->scalar_type() == at::kFloat)
                convertOnCpu(stored, item.target->data_ptr<float>(), count);
            else
                convertOnCpu(stored, static_cast<Bf16 *>(item.target->data_ptr()), count);
            if (item.part == Part::Norm && shape.normPlusOne)
                item.target->add_(1);
        } else if (!device.is_cpu()) {
            if (item.part == Part::Norm)
                item.target->fill_(1);
            else
                item.target->uniform_(-kSpread * std::sqrt(3.0), kSpread * std::sqrt(3.0));
        } else {
            const std::uint32_t own = std::uint32_t(seed ^ (seed >> 32)) * 0x9e3779b9u + std::uint32_t(i) * 0x85ebca77u;
            if (item.target->scalar_type() == at::kFloat)
                randomOnCpu(item.target->data_ptr<float>(), count, own, item.part);
            else
                randomOnCpu(static_cast<Bf16 *>(item.target->data_ptr()), count, own, item.part);
        }
        done += double(bytesOf(item));
        if (progress)
            progress(done / weights.bytes);
    }
    if (shape.tiedEmbeddings)
        weights.head = weights.embedding;
    return weights;
}

} // namespace ridgepoint
