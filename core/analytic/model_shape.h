// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/dtype.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Families of decoder that the program knows by name; each differs in a few small parts only.
enum class Family { Llama, Mistral, Qwen2, Qwen3, Gemma3 };

std::string_view familyName(Family family); ///< "llama", "mistral", "qwen2", "qwen3", "gemma3"

/// What the gate of the MLP goes through. GeluTanh is the tanh approximation: x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715
/// x^3))).
enum class Activation { Silu, GeluTanh };

std::string_view activationName(Activation activation); ///< "silu", "gelu_tanh"

/// The shape of a decoder-only transformer: the fields of its public config.json, no more. Counts of parameters are
/// derived from them, never typed in. Plain value; all sizes are element counts.
struct ModelShape {
    std::string id;           ///< catalogue name ("tinyllama-1.1b") or the folder's name
    std::string name;         ///< for people: "TinyLlama 1.1B"
    std::string architecture; ///< as in config.json: "LlamaForCausalLM"
    Family family = Family::Llama;
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t ffn = 0;
    std::int64_t vocab = 0;
    std::int64_t maxPositions = 0;
    bool tiedEmbeddings = false;
    bool qkvBias = false;           ///< q, k and v projections carry a bias (Qwen2)
    bool outputBias = false;        ///< the o projection carries a bias
    bool mlpBias = false;           ///< gate, up and down carry a bias
    bool qkNorm = false;            ///< RMSNorm over head_dim on q and k (Qwen3, Gemma 3)
    /// 2: before attention and before the MLP. 4: what each of the two gives is normed as well before it joins the
    /// residual stream (Gemma 3).
    int normsPerLayer = 2;
    bool normPlusOne = false; ///< every RMSNorm multiplies by 1 + w, in fp32 (Gemma 3)
    Activation activation = Activation::Silu;
    double embeddingScale = 1; ///< what a token's embedding is multiplied by, rounded to the weights' dtype first
    double queryScalar = 0;    ///< attention scores are divided by its square root; 0: by that of head_dim
    std::int64_t slidingWindow = 0; ///< tokens; 0: every layer attends to the whole context
    /// One entry a layer, true where the layer attends only to the window; empty: none does (or, for slidingWindow > 0
    /// without a pattern, all do).
    std::vector<bool> slidingLayers;
    double rmsNormEps = 1e-5;
    double ropeTheta = 10000.0;
    double ropeLocalTheta = 0; ///< base of the sliding layers, which no scaling touches; 0: they turn as the others do
    /// RoPE scaling of Llama 3 ("llama3") or "linear"; empty when none.
    std::string ropeScalingType;
    double ropeScalingFactor = 1.0;
    double ropeLowFreqFactor = 1.0;
    double ropeHighFreqFactor = 4.0;
    std::int64_t ropeOriginalMaxPositions = 0;
    std::int64_t bosToken = -1;
    std::vector<std::int64_t> eosTokens;

    bool operator==(const ModelShape &) const = default;
};

/// Sets the parts that are fixed in a family, no field of a config.json: norms, activation, scale of the embedding, biases of
/// Qwen2. Sizes must be set already. What config.json may set otherwise (queryScalar, ropeLocalTheta, attention biases) gets
/// the family's own value.
void applyFamily(ModelShape &shape, Family family);

/// True where what attention and MLP give is normed before it joins the residual stream.
inline bool hasPostNorms(const ModelShape &shape) { return shape.normsPerLayer == 4; }

/// Parameters by part, derived from the shape. Sums to the count of tensors in the published checkpoint.
struct ParameterCount {
    double embedding = 0; ///< vocab x hidden
    double head = 0;      ///< vocab x hidden when untied, else 0
    double attention = 0; ///< q, k, v, o of all layers, biases included
    double mlp = 0;       ///< gate, up, down of all layers, biases included
    double norms = 0;     ///< all norms, the final one included
    double total = 0;     ///< everything that is stored
    /// What a decode step streams: an untied input embedding is gathered (left out), a tied one is streamed by the
    /// head.
    double streamed = 0;
    /// Elements of the matrices that a token is multiplied with (no norms, no biases, no gathered embedding): FLOP = 2
    /// x this.
    double multiplied = 0;
    double vectors = 0; ///< norms and biases: what is no matrix
};

/// Counts the parameters of `shape`. Throws Error (Usage) for a shape with a non-positive size, heads that kvHeads do
/// not divide, or a sliding pattern that has not one entry a layer.
ParameterCount countParameters(const ModelShape &shape);

/// Bytes of the tensors that the engine holds: matrices in `dtype`, norms and biases in fp32, as they enter the arithmetic.
/// A prediction's W counts all of them in `dtype`, as they are published: in two-byte dtypes the engine holds and reads 2
/// bytes more for each norm and bias (TinyLlama: 0.2 MB of 2.2 GB).
double heldWeightBytes(const ModelShape &shape, DType dtype);

/// True where layer `layer` (from 0) attends to the sliding window only. Throws Error (Usage) for a layer that the
/// shape does not have.
bool isSlidingLayer(const ModelShape &shape, std::int64_t layer);

/// KV-cache bytes that one more token adds over all layers: 2 x layers x kv_heads x head_dim x bytes (spec: kv).
double kvBytesPerToken(const ModelShape &shape, DType dtype);

} // namespace ridgepoint
