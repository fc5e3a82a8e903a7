// SPDX-License-Identifier: GPL-3.0-or-later
// The decoder on the CPU. The residual stream, the products' results and all sums are fp32; what enters a product and what
// lies in the cache is the run's dtype.
#include "core/torch/attention.h"
#include "core/torch/decoder_torch.h"
#include "core/torch/host_memory.h"
#include "core/torch/linear.h"
#include "core/torch/parallel_torch.h"

#include <fmt/format.h>

#include <cstring>

namespace ridgepoint {

namespace {

/// Rows below which an elementwise part is done by the calling thread: handing it out costs more than it saves.
constexpr std::int64_t kSerialRows = 8;

template <typename Body>
void rowsInParallel(std::int64_t rows, const Body &body)
{
    if (rows < kSerialRows) {
        for (std::int64_t row = 0; row < rows; ++row)
            body(row);
        return;
    }
    const std::int64_t share = std::max<std::int64_t>(1, rows / (at::get_num_threads() * 4));
    parallelTasks((rows + share - 1) / share, [&](std::int64_t task, std::int64_t) {
        for (std::int64_t row = task * share; row < std::min(rows, (task + 1) * share); ++row)
            body(row);
    });
}

const float *floats(const at::Tensor &tensor) { return tensor.defined() ? tensor.data_ptr<float>() : nullptr; }

template <typename T>
class CpuDecoder final : public DecoderBase {
public:
    CpuDecoder(ModelShape shape, DecoderWeights weights, DType dtype)
        : DecoderBase(std::move(shape), std::move(weights), dtype), m_ops(kernels::bestOps<T>())
    {
        const ModelShape &s = m_shape;
        for (const LayerWeights &w : m_weights.layers) {
            Layer layer;
            layer.inputNorm = floats(w.inputNorm);
            layer.postNorm = floats(w.postNorm);
            layer.postAttentionNorm = floats(w.postAttentionNorm);
            layer.postFeedforwardNorm = floats(w.postFeedforwardNorm);
            layer.qNorm = floats(w.qNorm);
            layer.kNorm = floats(w.kNorm);
            layer.qkv = one(w.qkv, w.qkvBias);
            layer.o = one(w.o, w.oBias);
            layer.gateUp = one(w.gateUp, w.gateUpBias);
            layer.down = one(w.down, w.downBias);
            m_layers.push_back(std::move(layer));
        }
        m_head = one(m_weights.head, {});
        m_qkvWidth = (s.heads + 2 * s.kvHeads) * s.headDim;
        m_qWidth = s.heads * s.headDim;
        m_activate = s.activation == Activation::GeluTanh ? m_ops.geluMultiply : m_ops.siluMultiply;
    }

    double kvBytes() const override
    {
        return m_cache ? 2.0 * double(m_shape.layers) * double(m_kvElements * sizeof(T)) : 0.0;
    }

protected:
    void allocate() override
    {
        const ModelShape &s = m_shape;
        const std::int64_t rows = rowLimit();
        m_kvElements = std::size_t(m_batch * s.kvHeads * m_maxContext * s.headDim);
        // One block for the cache and the working memory, so that its sum is checked before any of it is taken.
        const double needed = 2.0 * double(s.layers) * double(m_batch) * double(s.kvHeads) * double(m_maxContext) *
                              double(s.headDim) * sizeof(T);
        const auto rounded = [](double bytes) { return (std::size_t(bytes) + 63) / 64 * 64; };
        if (needed > 1e15)
            throw OutOfMemory(fmt::format("The KV cache of {} sequences x {} tokens would take {:.3g} bytes; choose a "
                                          "smaller batch or context.",
                                          m_batch, m_maxContext, needed));
        const std::size_t kv = rounded(needed);
        const std::size_t x = rounded(4.0 * double(rows * s.hidden));
        const std::size_t in = rounded(double(sizeof(T)) * double(rows * std::max({s.hidden, s.ffn, m_qWidth})));
        const std::size_t q = rounded(double(sizeof(T)) * double(rows * m_qWidth));
        const std::size_t wide = rounded(4.0 * double(rows * std::max({2 * s.ffn, m_qkvWidth, s.hidden})));
        const std::size_t logitBytes = rounded(4.0 * double(m_batch) * double(s.vocab));
        m_block = allocateHost(kv + x + in + q + wide + logitBytes,
                               fmt::format("The KV cache of {} sequences x {} tokens with the working memory of a step",
                                           m_batch, m_maxContext));
        std::byte *at = m_block.get();
        const auto take = [&at](std::size_t bytes) {
            std::byte *start = at;
            at += bytes;
            return start;
        };
        m_cache = reinterpret_cast<T *>(take(kv));
        m_x = reinterpret_cast<float *>(take(x));
        m_in = reinterpret_cast<T *>(take(in));
        m_q = reinterpret_cast<T *>(take(q));
        m_wide = reinterpret_cast<float *>(take(wide));
        m_logits = reinterpret_cast<float *>(take(logitBytes));
        m_newest.assign(std::size_t(m_batch), 0);
    }

    std::string attentionPath() const override { return "own kernel, K and V read once a group of heads"; }

    void release() override
    {
        m_block.reset();
        m_cache = nullptr;
        m_newest.clear();
    }

    void forward(const Slice &slice) override
    {
        const ModelShape &s = m_shape;
        const std::int64_t rows = slice.sequences * slice.tokens;
        mark(StepPart::Embed, -1, "gather");
        const T *embedding = static_cast<const T *>(m_weights.embedding.data_ptr());
        rowsInParallel(rows, [&](std::int64_t row) {
            const std::int64_t id = slice.ids ? slice.ids[row % slice.tokens]
                                              : m_newest[std::size_t(slice.firstSequence + row)];
            float *x = m_x + row * s.hidden;
            m_ops.toFloat(embedding + id * s.hidden, x, s.hidden);
            if (embeddingScale() != 1)
                for (std::int64_t i = 0; i < s.hidden; ++i)
                    x[i] *= embeddingScale();
        });
        const float eps = float(s.rmsNormEps);
        for (std::int64_t index = 0; index < s.layers; ++index) {
            const Layer &layer = m_layers[std::size_t(index)];
            mark(StepPart::Norms, index, "rmsNorm");
            norm(m_x, layer.inputNorm, rows);
            mark(StepPart::Qkv, index, "matrix product");
            linear(m_ops, layer.qkv, m_in, rows, m_wide, false);
            mark(StepPart::Rope, index, "rotate and append");
            const bool local = usesLocalRope(index);
            const float *cosines = (local ? m_localCosine : m_cosine).data();
            const float *sines = (local ? m_localSine : m_sine).data();
            T *keys = cacheOf(index, 0) + sequenceStride() * slice.firstSequence;
            T *values = cacheOf(index, 1) + sequenceStride() * slice.firstSequence;
            rowsInParallel(rows, [&](std::int64_t row) {
                const std::int64_t sequence = row / slice.tokens;
                const std::int64_t position = slice.firstPosition + row % slice.tokens;
                const std::int64_t half = s.headDim / 2;
                const float *cosine = cosines + position * half, *sine = sines + position * half;
                float *head = m_wide + row * m_qkvWidth;
                for (std::int64_t h = 0; h < s.heads; ++h, head += s.headDim) {
                    if (layer.qNorm)
                        m_ops.rmsNormInPlace(head, layer.qNorm, eps, s.headDim);
                    m_ops.rope(head, cosine, sine, half, m_q + row * m_qWidth + h * s.headDim);
                }
                for (std::int64_t h = 0; h < s.kvHeads; ++h, head += s.headDim) {
                    if (layer.kNorm)
                        m_ops.rmsNormInPlace(head, layer.kNorm, eps, s.headDim);
                    m_ops.rope(head, cosine, sine, half,
                               keys + sequence * sequenceStride() + (h * m_maxContext + position) * s.headDim);
                }
                for (std::int64_t h = 0; h < s.kvHeads; ++h, head += s.headDim)
                    m_ops.fromFloat(head, values + sequence * sequenceStride() + (h * m_maxContext + position) * s.headDim,
                                    s.headDim);
            });
            mark(StepPart::Attention, index, "attention");
            AttentionArgs<T> attend;
            attend.q = m_q;
            attend.k = keys;
            attend.v = values;
            attend.out = m_in;
            attend.sequences = slice.sequences;
            attend.tokens = slice.tokens;
            attend.firstPosition = slice.firstPosition;
            attend.heads = s.heads;
            attend.kvHeads = s.kvHeads;
            attend.headDim = s.headDim;
            attend.maxContext = m_maxContext;
            attend.window = windowOf(index);
            attend.scale = float(attentionScale());
            attention(m_ops, attend, m_scratch);
            mark(StepPart::Output, index, "matrix product");
            join(layer.o, layer.postAttentionNorm, rows, index);
            mark(StepPart::Norms, index, "rmsNorm");
            norm(m_x, layer.postNorm, rows);
            mark(StepPart::GateUp, index, "matrix product");
            linear(m_ops, layer.gateUp, m_in, rows, m_wide, false);
            mark(StepPart::Activation, index, "gate");
            rowsInParallel(rows, [&](std::int64_t row) {
                const float *gate = m_wide + row * 2 * s.ffn;
                m_activate(gate, gate + s.ffn, m_in + row * s.ffn, s.ffn);
            });
            mark(StepPart::Down, index, "matrix product");
            join(layer.down, layer.postFeedforwardNorm, rows, index);
        }
        if (!slice.last)
            return;
        mark(StepPart::Norms, -1, "rmsNorm");
        // Only the last position of each sequence goes through the head.
        for (std::int64_t i = 0; i < slice.sequences; ++i)
            m_ops.rmsNorm(m_x + ((i + 1) * slice.tokens - 1) * s.hidden, floats(m_weights.finalNorm), eps,
                          m_in + i * s.hidden, s.hidden);
        float *logits = m_logits + slice.firstSequence * s.vocab;
        mark(StepPart::Head, -1, "matrix product");
        linear(m_ops, m_head, m_in, slice.sequences, logits, false);
        mark(StepPart::Pick, -1, "argmax");
        rowsInParallel(slice.sequences, [&](std::int64_t i) {
            m_newest[std::size_t(slice.firstSequence + i)] = m_ops.argmax(logits + i * s.vocab, s.vocab);
        });
        markEnd();
    }

    void copyFirstSequence(std::int64_t tokens) override
    {
        const ModelShape &s = m_shape;
        parallelTasks(2 * s.layers * s.kvHeads, [&](std::int64_t task, std::int64_t) {
            T *from = cacheOf(task / s.kvHeads / 2, task / s.kvHeads % 2) + task % s.kvHeads * m_maxContext * s.headDim;
            for (std::int64_t sequence = 1; sequence < m_batch; ++sequence)
                std::memcpy(from + sequence * sequenceStride(), from, std::size_t(tokens * s.headDim) * sizeof(T));
        });
        for (std::int64_t sequence = 1; sequence < m_batch; ++sequence) {
            std::memcpy(m_logits + sequence * s.vocab, m_logits, std::size_t(s.vocab) * sizeof(float));
            m_newest[std::size_t(sequence)] = m_newest[0];
        }
    }

    std::vector<std::int64_t> picked() const override { return m_newest; }
    void setNewest(const std::vector<std::int64_t> &tokens) override { m_newest = tokens; }
    std::vector<float> logits(std::int64_t sequence) const override
    {
        const float *row = m_logits + sequence * m_shape.vocab;
        return std::vector<float>(row, row + m_shape.vocab);
    }

private:
    struct Layer {
        const float *inputNorm, *postNorm, *postAttentionNorm, *postFeedforwardNorm, *qNorm, *kNorm;
        LinearWeights<T> qkv, o, gateUp, down;
    };

    static LinearWeights<T> one(const at::Tensor &weight, const at::Tensor &bias)
    {
        LinearWeights<T> linear;
        linear.in = weight.size(1);
        linear.pieces.push_back({static_cast<const T *>(weight.data_ptr()), weight.size(0), floats(bias)});
        return linear;
    }
    /// Keys (0) or values (1) of a layer: [batch, kvHeads, maxContext, headDim].
    T *cacheOf(std::int64_t layer, std::int64_t which) { return m_cache + std::size_t(2 * layer + which) * m_kvElements; }
    std::int64_t sequenceStride() const { return m_shape.kvHeads * m_maxContext * m_shape.headDim; }
    void norm(const float *x, const float *weight, std::int64_t rows)
    {
        rowsInParallel(rows, [&](std::int64_t row) {
            m_ops.rmsNorm(x + row * m_shape.hidden, weight, float(m_shape.rmsNormEps), m_in + row * m_shape.hidden,
                          m_shape.hidden);
        });
    }

    /// Adds the product of m_in to the residual stream, normed first where the shape has `post`.
    void join(const LinearWeights<T> &weights, const float *post, std::int64_t rows, std::int64_t index)
    {
        if (!post) {
            linear(m_ops, weights, m_in, rows, m_x, true);
            return;
        }
        linear(m_ops, weights, m_in, rows, m_wide, false);
        mark(StepPart::Norms, index, "rmsNorm");
        rowsInParallel(rows, [&](std::int64_t row) {
            m_ops.rmsNormAdd(m_wide + row * m_shape.hidden, post, float(m_shape.rmsNormEps), m_x + row * m_shape.hidden,
                             m_shape.hidden);
        });
    }

    const kernels::Ops<T> &m_ops;
    void (*m_activate)(const float *gate, const float *up, T *out, std::int64_t n) = nullptr;
    std::vector<Layer> m_layers;
    LinearWeights<T> m_head;
    std::int64_t m_qkvWidth = 0, m_qWidth = 0;
    std::size_t m_kvElements = 0; ///< of one layer's keys
    std::shared_ptr<std::byte> m_block;
    T *m_cache = nullptr;      ///< [layers, 2, batch, kvHeads, maxContext, headDim]
    float *m_x = nullptr;      ///< residual stream, [rows, hidden]
    T *m_in = nullptr;         ///< what enters a product, [rows, widest]
    T *m_q = nullptr;          ///< rotated queries, [rows, heads, headDim]
    float *m_wide = nullptr;   ///< q, k, v or gate, up of a row side by side
    float *m_logits = nullptr; ///< [batch, vocab]
    std::vector<std::int64_t> m_newest;
    AttentionScratch<T> m_scratch;
};

} // namespace

std::unique_ptr<Decoder> makeCpuDecoder(ModelShape shape, DecoderWeights weights, DType dtype)
{
    if (dtype == DType::F32)
        return std::make_unique<CpuDecoder<float>>(std::move(shape), std::move(weights), dtype);
    return std::make_unique<CpuDecoder<kernels::Bf16>>(std::move(shape), std::move(weights), dtype);
}

} // namespace ridgepoint
