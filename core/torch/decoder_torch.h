// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/aten_decoder.h"
#include "core/torch/weights_torch.h"

namespace ridgepoint {

/// Runs `body`; an allocation that failed in it comes out as OutOfMemory, any other fault of libtorch as Error (Failure).
/// `what` begins the sentence: "The decode step".
void guarded(const std::string &what, const std::function<void()> &body);

/// The bookkeeping that every decoder shares: what is in the cache, which tokens were picked, in which pieces a prompt is
/// run. A backend adds the arithmetic.
class DecoderBase : public Decoder {
public:
    const ModelShape &shape() const override { return m_shape; }
    double weightBytes() const override { return m_weights.bytes; }
    void allocateCache(std::int64_t batch, std::int64_t maxContext) override;
    void releaseCache() override;
    double kvBytes() const override;
    void prefill(const std::vector<std::int64_t> &prompt, PrefillMode mode) override;
    void issueStep() override;
    void wait() override
    {
        guarded("Waiting for the device", [&] { synchronise(); });
    }
    void setPartMarks(PartMarks *marks) override { m_marks = marks; }
    std::int64_t context() const override { return m_context; }
    void holdContext(std::int64_t context) override;
    void rewind(std::int64_t context) override;
    std::vector<std::int64_t> lastTokens() const override;
    std::vector<float> lastLogits(std::int64_t sequence) const override;

protected:
    DecoderBase(ModelShape shape, DecoderWeights weights, DType dtype);

    /// New positions of neighbouring sequences that are run together.
    struct Slice {
        std::int64_t firstSequence = 0;
        std::int64_t sequences = 0;
        std::int64_t firstPosition = 0;
        std::int64_t tokens = 0;
        /// `tokens` ids, the same for every sequence; null: the newest token of each (tokens is 1).
        const std::int64_t *ids = nullptr;
        bool last = false; ///< logits of the last position are wanted, and the token they pick
    };
    virtual void forward(const Slice &slice) = 0;
    void mark(StepPart part, std::int64_t layer = -1, const char *own = nullptr) const
    {
        if (m_marks)
            m_marks->begin(part, static_cast<int>(layer), own);
    }
    void markEnd() const
    {
        if (m_marks)
            m_marks->end();
    }
    virtual void allocate() = 0; ///< cache and working memory for m_batch and m_maxContext
    virtual void release() = 0;
    /// Copies the first sequence's cache of `tokens` positions, its logits and its picked token to all others.
    virtual void copyFirstSequence(std::int64_t tokens) = 0;
    /// Throws Error (Usage) unless a step can be taken: a prompt is in the cache and there is room for one more token.
    void needStep() const;
    /// Throws Error (Usage) unless the cache holds `context` tokens at least.
    void needRewind(std::int64_t context) const;
    /// Throws Error (Usage) unless the cache was allocated for more than `context` tokens.
    void needRoom(std::int64_t context) const;
    /// Throws Error (Usage) without a cache.
    void needCache() const;
    virtual void synchronise() {}
    /// The tokens picked by the last forward() with `last`, of all sequences.
    virtual std::vector<std::int64_t> picked() const = 0;
    /// Makes these the newest tokens again.
    virtual void setNewest(const std::vector<std::int64_t> &tokens) = 0;
    virtual std::vector<float> logits(std::int64_t sequence) const = 0;
    /// Rows (sequences x tokens) that one forward() may hold.
    virtual std::int64_t rowLimit() const;
    /// Positions that layer `layer` looks back over; 0: all.
    std::int64_t windowOf(std::int64_t layer) const;
    /// True where the layer turns by m_localCosine and m_localSine.
    bool usesLocalRope(std::int64_t layer) const;
    /// What scores are multiplied by before the softmax.
    double attentionScale() const;
    /// What embeddings are multiplied by, rounded to the weights' dtype.
    float embeddingScale() const { return m_embeddingScale; }
    /// True where the residual stream outgrows the run's dtype and must be kept in fp32: with four norms a layer nothing
    /// bounds it, and fp16 ends at 65504.
    bool needsWideResidual() const { return m_dtype == DType::F16 && hasPostNorms(m_shape); }

    ModelShape m_shape;
    DecoderWeights m_weights;
    DType m_dtype;
    std::int64_t m_batch = 0;
    std::int64_t m_maxContext = 0;
    std::int64_t m_context = 0;
    /// cos and sin of position x frequency, [maxContext, headDim / 2], in fp32 (worked out in double).
    std::vector<float> m_cosine, m_sine;
    /// Those of the sliding layers where they have a base of their own, else empty.
    std::vector<float> m_localCosine, m_localSine;

    PartMarks *m_marks = nullptr;

private:
    float m_embeddingScale = 1;
    std::vector<std::int64_t> m_prompt;               ///< tokens of positions below its size
    std::vector<std::vector<std::int64_t>> m_decoded; ///< those of the positions after it, one value a sequence
};

/// Rotations a position turns each pair by: theta^(-2i/headDim), scaled as the shape says. Throws Error (Failure) naming a
/// scaling type that is not known.
std::vector<double> ropeFrequencies(const ModelShape &shape);
/// Those of the sliding layers: ropeLocalTheta^(-2i/headDim), which no scaling touches. Empty where they have no own base.
std::vector<double> localRopeFrequencies(const ModelShape &shape);

/// fp32 or bf16 on the CPU by the kernels of kernels.h.
std::unique_ptr<Decoder> makeCpuDecoder(ModelShape shape, DecoderWeights weights, DType dtype);
/// Any device and dtype that libtorch knows, by its own operations.
std::unique_ptr<Decoder> makeAtenDecoder(ModelShape shape, DecoderWeights weights, DType dtype, const at::Device &device);

} // namespace ridgepoint
