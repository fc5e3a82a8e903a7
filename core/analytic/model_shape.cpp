// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/model_shape.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace ridgepoint {

namespace {

std::string label(const ModelShape &shape)
{
    return shape.id.empty() ? std::string("The model shape") : fmt::format("The model shape \"{}\"", shape.id);
}

void requireSoundShape(const ModelShape &shape)
{
    const std::pair<const char *, std::int64_t> sizes[] = {
        {"layers", shape.layers},    {"hidden size", shape.hidden}, {"heads", shape.heads},
        {"kv heads", shape.kvHeads}, {"head_dim", shape.headDim},   {"ffn size", shape.ffn},
        {"vocabulary", shape.vocab},
    };
    for (const auto &[name, size] : sizes) {
        if (size <= 0)
            throw Error(ErrorKind::Usage,
                        fmt::format("{} has {} = {}; give a number above zero.", label(shape), name, size));
    }
    if (shape.heads % shape.kvHeads != 0)
        throw Error(ErrorKind::Usage,
                    fmt::format("{} has {} heads, which its {} kv heads do not divide; give a kv head count that does.",
                                label(shape), shape.heads, shape.kvHeads));
    if (shape.normsPerLayer < 0)
        throw Error(ErrorKind::Usage,
                    fmt::format("{} has {} norms a layer; give zero or more.", label(shape), shape.normsPerLayer));
    if (shape.slidingWindow < 0)
        throw Error(ErrorKind::Usage,
                    fmt::format("{} has a sliding window of {} tokens; give zero (no window) or more.", label(shape),
                                shape.slidingWindow));
    if (!shape.slidingLayers.empty() && static_cast<std::int64_t>(shape.slidingLayers.size()) != shape.layers)
        throw Error(ErrorKind::Usage,
                    fmt::format("{} has {} layers but a sliding pattern of {} entries; give one entry a layer.",
                                label(shape), shape.layers, shape.slidingLayers.size()));
}

} // namespace

std::string_view familyName(Family family)
{
    switch (family) {
    case Family::Llama:
        return "llama";
    case Family::Mistral:
        return "mistral";
    case Family::Qwen2:
        return "qwen2";
    case Family::Qwen3:
        return "qwen3";
    case Family::Gemma3:
        return "gemma3";
    }
    return {};
}

std::string_view activationName(Activation activation)
{
    return activation == Activation::Silu ? "silu" : "gelu_tanh";
}

void applyFamily(ModelShape &shape, Family family)
{
    const bool gemma = family == Family::Gemma3;
    shape.family = family;
    shape.qkvBias = family == Family::Qwen2;
    shape.outputBias = shape.mlpBias = false;
    shape.qkNorm = gemma || family == Family::Qwen3;
    shape.normsPerLayer = gemma ? 4 : 2;
    shape.normPlusOne = gemma;
    shape.activation = gemma ? Activation::GeluTanh : Activation::Silu;
    shape.embeddingScale = gemma ? std::sqrt(static_cast<double>(shape.hidden)) : 1;
    shape.queryScalar = gemma ? 256 : 0;
    shape.ropeLocalTheta = gemma ? 1e4 : 0;
}

ParameterCount countParameters(const ModelShape &shape)
{
    requireSoundShape(shape);
    // Products in double: exact up to 2^53, and a hostile size cannot overflow an integer.
    const double layers = static_cast<double>(shape.layers);
    const double hidden = static_cast<double>(shape.hidden);
    const double headDim = static_cast<double>(shape.headDim);
    const double qWidth = static_cast<double>(shape.heads) * headDim;
    const double kvWidth = static_cast<double>(shape.kvHeads) * headDim;
    const double ffn = static_cast<double>(shape.ffn);
    const double table = static_cast<double>(shape.vocab) * hidden;

    const double attentionMatrices = layers * hidden * (2 * qWidth + 2 * kvWidth);
    const double attentionBiases =
        layers * ((shape.qkvBias ? qWidth + 2 * kvWidth : 0) + (shape.outputBias ? hidden : 0));
    const double mlpMatrices = layers * 3 * hidden * ffn;
    const double mlpBiases = shape.mlpBias ? layers * (2 * ffn + hidden) : 0;

    ParameterCount count;
    count.embedding = table;
    count.head = shape.tiedEmbeddings ? 0 : table;
    count.attention = attentionMatrices + attentionBiases;
    count.mlp = mlpMatrices + mlpBiases;
    count.norms = layers * (shape.normsPerLayer * hidden + (shape.qkNorm ? 2 * headDim : 0)) + hidden;
    count.total = count.embedding + count.head + count.attention + count.mlp + count.norms;
    count.streamed = count.total - (shape.tiedEmbeddings ? 0 : count.embedding);
    count.multiplied = attentionMatrices + mlpMatrices + table;
    count.vectors = attentionBiases + mlpBiases + count.norms;
    return count;
}

double heldWeightBytes(const ModelShape &shape, DType dtype)
{
    const ParameterCount count = countParameters(shape);
    return (count.total - count.vectors) * bytesPerElement(dtype) + count.vectors * bytesPerElement(DType::F32);
}

bool isSlidingLayer(const ModelShape &shape, std::int64_t layer)
{
    if (layer < 0 || layer >= shape.layers)
        throw Error(ErrorKind::Usage, fmt::format("{} has {} layers, none of them with number {}; count from zero.",
                                                  label(shape), shape.layers, layer));
    if (shape.slidingWindow <= 0)
        return false;
    if (shape.slidingLayers.empty())
        return true;
    requireSoundShape(shape); // the pattern must have an entry for this layer
    return shape.slidingLayers[static_cast<std::size_t>(layer)];
}

double kvBytesPerToken(const ModelShape &shape, DType dtype)
{
    requireSoundShape(shape);
    return 2.0 * static_cast<double>(shape.layers) * static_cast<double>(shape.kvHeads) *
           static_cast<double>(shape.headDim) * bytesPerElement(dtype);
}

} // namespace ridgepoint
