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
    int normsPerLayer = 2;          ///< 4 in Gemma 3
    std::int64_t slidingWindow = 0; ///< tokens; 0: every layer attends to the whole context
    /// One entry a layer, true where the layer attends only to the window; empty: none does (or, for slidingWindow > 0
    /// without a pattern, all do).
    std::vector<bool> slidingLayers;
    double rmsNormEps = 1e-5;
    double ropeTheta = 10000.0;
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
};

/// Counts the parameters of `shape`. Throws Error (Usage) for a shape with a non-positive size, heads that kvHeads do
/// not divide, or a sliding pattern that has not one entry a layer.
ParameterCount countParameters(const ModelShape &shape);

/// True where layer `layer` (from 0) attends to the sliding window only. Throws Error (Usage) for a layer that the
/// shape does not have.
bool isSlidingLayer(const ModelShape &shape, std::int64_t layer);

/// KV-cache bytes that one more token adds over all layers: 2 x layers x kv_heads x head_dim x bytes (spec: kv).
double kvBytesPerToken(const ModelShape &shape, DType dtype);

} // namespace ridgepoint
