// SPDX-License-Identifier: GPL-3.0-or-later
// The decoder in libtorch's own operations: what runs on a GPU, and what the CPU's kernels are tested against.
#include "core/base/format.h"
#include "core/torch/decoder_torch.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/cuda.h>

#include <cmath>

namespace ridgepoint {

namespace {

/// Attention scores of a prefill piece that are held at once, in bytes.
constexpr double kScoreBytes = 256e6;

class AtenDecoder final : public DecoderBase {
public:
    AtenDecoder(ModelShape shape, DecoderWeights weights, DType dtype, const at::Device &device)
        : DecoderBase(std::move(shape), std::move(weights), dtype), m_device(device),
          m_options(at::TensorOptions().dtype(scalarType(dtype)).device(device))
    {
        // Biases join products of the run's dtype.
        for (LayerWeights &layer : m_weights.layers) {
            for (at::Tensor *bias : {&layer.qkvBias, &layer.oBias, &layer.gateUpBias, &layer.downBias}) {
                if (!bias->defined())
                    continue;
                m_weights.bytes -= double(bias->nbytes());
                *bias = bias->to(scalarType(dtype));
                m_weights.bytes += double(bias->nbytes());
            }
        }
    }

    double kvBytes() const override
    {
        double bytes = 0;
        for (const auto *side : {&m_keys, &m_values})
            for (const at::Tensor &layer : *side)
                bytes += double(layer.nbytes());
        return bytes;
    }

protected:
    void allocate() override
    {
        const ModelShape &s = m_shape;
        const double needed = DecoderBase::kvBytes();
        if (needed > 1e15)
            throw OutOfMemory(fmt::format("The KV cache of {} sequences x {} tokens would take {}; choose a smaller "
                                          "batch or context.",
                                          m_batch, m_maxContext, format::bytes(needed)));
        // Zeroed: what lies beyond the context is never read, and the pages are present before a step is timed.
        for (std::int64_t layer = 0; layer < s.layers; ++layer) {
            m_keys.push_back(at::zeros({m_batch, s.kvHeads, m_maxContext, s.headDim}, m_options));
            m_values.push_back(at::zeros({m_batch, s.kvHeads, m_maxContext, s.headDim}, m_options));
        }
        const std::int64_t half = s.headDim / 2;
        const auto table = [&](std::vector<float> &values) {
            if (values.empty())
                return at::Tensor();
            const at::Tensor one = at::from_blob(values.data(), {m_maxContext, half}, at::kFloat);
            return at::cat({one, one}, 1).to(m_device);
        };
        m_cos = table(m_cosine);
        m_sin = table(m_sine);
        m_localCos = table(m_localCosine);
        m_localSin = table(m_localSine);
        m_logits = at::zeros({m_batch, s.vocab}, at::TensorOptions().dtype(at::kFloat).device(m_device));
        m_newest = at::zeros({m_batch}, at::TensorOptions().dtype(at::kLong).device(m_device));
    }

    void release() override
    {
        m_keys.clear();
        m_values.clear();
        m_cos = m_sin = m_localCos = m_localSin = m_logits = m_newest = at::Tensor();
    }

    void forward(const Slice &slice) override
    {
        const ModelShape &s = m_shape;
        const std::int64_t b = slice.sequences, t = slice.tokens;
        mark(StepPart::Embed);
        at::Tensor ids;
        if (slice.ids)
            ids = at::from_blob(const_cast<std::int64_t *>(slice.ids), {1, t}, at::kLong).to(m_device).expand({b, t});
        else
            ids = m_newest.narrow(0, slice.firstSequence, b).unsqueeze(1);
        at::Tensor x = at::embedding(m_weights.embedding, ids); // [b, t, hidden]
        if (needsWideResidual())
            x = x.to(at::kFloat);
        if (embeddingScale() != 1)
            x = x * embeddingScale();
        for (std::int64_t index = 0; index < s.layers; ++index) {
            mark(StepPart::Norms, index);
            const bool local = usesLocalRope(index);
            const at::Tensor cos = (local ? m_localCos : m_cos).narrow(0, slice.firstPosition, t).unsqueeze(0).unsqueeze(0);
            const at::Tensor sin = (local ? m_localSin : m_sin).narrow(0, slice.firstPosition, t).unsqueeze(0).unsqueeze(0);
            const LayerWeights &w = m_weights.layers[std::size_t(index)];
            const at::Tensor normed = norm(x, w.inputNorm);
            mark(StepPart::Qkv, index);
            const at::Tensor qkv = at::linear(normed, w.qkv, w.qkvBias)
                                       .view({b, t, s.heads + 2 * s.kvHeads, s.headDim})
                                       .transpose(1, 2); // [b, heads, t, headDim]
            mark(StepPart::Rope, index);
            at::Tensor q = qkv.narrow(1, 0, s.heads), k = qkv.narrow(1, s.heads, s.kvHeads);
            if (w.qNorm.defined()) {
                q = norm(q, w.qNorm);
                k = norm(k, w.kNorm);
            }
            at::Tensor keys = m_keys[std::size_t(index)].narrow(0, slice.firstSequence, b);
            at::Tensor values = m_values[std::size_t(index)].narrow(0, slice.firstSequence, b);
            keys.narrow(2, slice.firstPosition, t).copy_(rotate(k, cos, sin));
            values.narrow(2, slice.firstPosition, t).copy_(qkv.narrow(1, s.heads + s.kvHeads, s.kvHeads));
            const at::Tensor rotated = rotate(q, cos, sin);
            mark(StepPart::Attention, index);
            const at::Tensor mixed = attend(rotated, keys, values, slice, windowOf(index));
            mark(StepPart::Output, index);
            const at::Tensor attended = at::linear(mixed, w.o, w.oBias);
            mark(StepPart::Norms, index);
            x = join(x, attended, w.postAttentionNorm);
            const at::Tensor feed = norm(x, w.postNorm);
            mark(StepPart::GateUp, index);
            const at::Tensor gateUp = at::linear(feed, w.gateUp, w.gateUpBias);
            mark(StepPart::Activation, index);
            const at::Tensor gate = gateUp.narrow(2, 0, s.ffn);
            const at::Tensor active = s.activation == Activation::GeluTanh ? at::gelu(gate, "tanh") : at::silu(gate);
            const at::Tensor gated = active * gateUp.narrow(2, s.ffn, s.ffn);
            mark(StepPart::Down, index);
            const at::Tensor fed = at::linear(gated, w.down, w.downBias);
            mark(StepPart::Norms, index);
            x = join(x, fed, w.postFeedforwardNorm);
        }
        if (!slice.last)
            return;
        mark(StepPart::Norms);
        const at::Tensor last = norm(x.narrow(1, t - 1, 1), m_weights.finalNorm);
        mark(StepPart::Head);
        const at::Tensor logits = at::linear(last, m_weights.head).view({b, s.vocab});
        mark(StepPart::Pick);
        m_logits.narrow(0, slice.firstSequence, b).copy_(logits);
        m_newest.narrow(0, slice.firstSequence, b).copy_(at::argmax(logits, 1));
        markEnd();
    }

    void copyFirstSequence(std::int64_t tokens) override
    {
        const auto spread = [&](at::Tensor &tensor) {
            tensor.narrow(0, 1, m_batch - 1).copy_(tensor.narrow(0, 0, 1).expand_as(tensor.narrow(0, 1, m_batch - 1)));
        };
        for (auto *side : {&m_keys, &m_values}) {
            for (at::Tensor &layer : *side) {
                at::Tensor used = layer.narrow(2, 0, tokens);
                spread(used);
            }
        }
        spread(m_logits);
        spread(m_newest);
    }

    std::string attentionPath() const override { return "matrix products of libtorch"; }

    void synchronise() override
    {
        if (m_device.is_cuda())
            torch::cuda::synchronize(m_device.index());
    }

    std::vector<std::int64_t> picked() const override
    {
        const at::Tensor host = m_newest.to(at::kCPU);
        return std::vector<std::int64_t>(host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + m_batch);
    }
    void setNewest(const std::vector<std::int64_t> &tokens) override
    {
        m_newest.copy_(at::from_blob(const_cast<std::int64_t *>(tokens.data()), {m_batch}, at::kLong));
    }
    std::vector<float> logits(std::int64_t sequence) const override
    {
        const at::Tensor host = m_logits.select(0, sequence).to(at::kCPU);
        return std::vector<float>(host.data_ptr<float>(), host.data_ptr<float>() + m_shape.vocab);
    }

private:
    /// In fp32.
    at::Tensor wideNorm(const at::Tensor &x, const at::Tensor &weight) const
    {
        const at::Tensor wide = x.to(at::kFloat);
        return wide * at::rsqrt(wide.square().mean(-1, true) + m_shape.rmsNormEps) * weight;
    }
    at::Tensor norm(const at::Tensor &x, const at::Tensor &weight) const
    {
        return wideNorm(x, weight).to(scalarType(m_dtype));
    }

    /// The residual stream `x` with `y`, normed first where the shape has `post`.
    at::Tensor join(const at::Tensor &x, const at::Tensor &y, const at::Tensor &post) const
    {
        return x + (post.defined() ? wideNorm(y, post).to(x.scalar_type()) : y);
    }

    /// Half-split rotation: pairs are (i, i + headDim / 2).
    at::Tensor rotate(const at::Tensor &x, const at::Tensor &cos, const at::Tensor &sin) const
    {
        const std::int64_t half = m_shape.headDim / 2;
        const at::Tensor wide = x.to(at::kFloat);
        const at::Tensor turned = at::cat({-wide.narrow(-1, half, half), wide.narrow(-1, 0, half)}, -1);
        return (wide * cos + turned * sin).to(x.scalar_type());
    }

    /// q [b, heads, t, headDim] over the cache; the heads of a group become rows of one product with their kv head, so
    /// that K and V are used where they lie. Returns [b, t, heads * headDim].
    at::Tensor attend(const at::Tensor &q, const at::Tensor &keys, const at::Tensor &values, const Slice &slice,
                      std::int64_t window) const
    {
        const ModelShape &s = m_shape;
        const std::int64_t b = slice.sequences, t = slice.tokens, group = s.heads / s.kvHeads;
        const double perToken = double(b) * double(s.heads) * double(slice.firstPosition + t) * 8.0;
        const std::int64_t piece = std::max<std::int64_t>(1, std::min(t, std::int64_t(kScoreBytes / perToken)));
        const double scale = attentionScale();
        std::vector<at::Tensor> outputs;
        for (std::int64_t first = 0; first < t; first += piece) {
            const std::int64_t count = std::min(piece, t - first);
            const std::int64_t position = slice.firstPosition + first;
            const std::int64_t end = position + count;
            const std::int64_t begin = window > 0 ? std::max<std::int64_t>(0, position + 1 - window) : 0;
            const at::Tensor k = keys.narrow(2, begin, end - begin), v = values.narrow(2, begin, end - begin);
            const at::Tensor rows = q.narrow(2, first, count).reshape({b, s.kvHeads, group * count, s.headDim});
            at::Tensor scores = at::matmul(rows, k.transpose(2, 3)).to(at::kFloat).mul_(scale);
            if (count > 1) {
                const at::Tensor at = at::arange(position, end, m_options.dtype(at::kLong)).unsqueeze(1);
                const at::Tensor seen = at::arange(begin, end, m_options.dtype(at::kLong)).unsqueeze(0);
                at::Tensor hidden = seen.gt(at);
                if (window > 0)
                    hidden = hidden.logical_or(seen.le(at - window));
                scores.view({b, s.kvHeads, group, count, end - begin})
                    .masked_fill_(hidden, -std::numeric_limits<float>::infinity());
            }
            const at::Tensor weights = at::softmax(scores, -1).to(q.scalar_type());
            outputs.push_back(at::matmul(weights, v)
                                  .view({b, s.heads, count, s.headDim})
                                  .transpose(1, 2)
                                  .reshape({b, count, s.heads * s.headDim}));
        }
        return outputs.size() == 1 ? outputs.front() : at::cat(outputs, 1);
    }

    at::Device m_device;
    at::TensorOptions m_options;
    std::vector<at::Tensor> m_keys, m_values; ///< a layer each: [batch, kvHeads, maxContext, headDim]
    at::Tensor m_cos, m_sin;                  ///< [maxContext, headDim], fp32
    at::Tensor m_localCos, m_localSin;        ///< those of sliding layers with a base of their own
    at::Tensor m_logits;                      ///< [batch, vocab], fp32
    at::Tensor m_newest;                      ///< [batch], on the device: no step waits for a copy
};

} // namespace

std::unique_ptr<Decoder> makeAtenDecoder(ModelShape shape, DecoderWeights weights, DType dtype, const at::Device &device)
{
    return std::make_unique<AtenDecoder>(std::move(shape), std::move(weights), dtype, device);
}

} // namespace ridgepoint
