// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapes.h"

using namespace ridgepoint;

namespace shapes {

namespace {

struct Sizes {
    std::int64_t layers, hidden, heads, kvHeads, headDim, ffn, vocab;
    bool tied;
};

ModelShape shape(const char *id, Family family, const Sizes &sizes)
{
    ModelShape result;
    result.id = id;
    result.layers = sizes.layers;
    result.hidden = sizes.hidden;
    result.heads = sizes.heads;
    result.kvHeads = sizes.kvHeads;
    result.headDim = sizes.headDim;
    result.ffn = sizes.ffn;
    result.vocab = sizes.vocab;
    result.tiedEmbeddings = sizes.tied;
    applyFamily(result, family);
    return result;
}

/// Gemma 3: of every six layers five attend to a window of 512 tokens.
ModelShape gemma(const char *id, const Sizes &sizes)
{
    ModelShape result = shape(id, Family::Gemma3, sizes);
    result.slidingWindow = 512;
    for (std::int64_t layer = 0; layer < sizes.layers; ++layer)
        result.slidingLayers.push_back((layer + 1) % 6 != 0);
    return result;
}

} // namespace

ModelShape tinyLlama()
{
    return shape("tinyllama-1.1b", Family::Llama, {22, 2048, 32, 4, 64, 5632, 32000, false});
}
ModelShape llama2_7b()
{
    return shape("llama-2-7b", Family::Llama, {32, 4096, 32, 32, 128, 11008, 32000, false});
}
ModelShape llama31_8b()
{
    return shape("llama-3.1-8b", Family::Llama, {32, 4096, 32, 8, 128, 14336, 128256, false});
}
ModelShape llama32_1b()
{
    return shape("llama-3.2-1b", Family::Llama, {16, 2048, 32, 8, 64, 8192, 128256, true});
}
ModelShape mistral7b()
{
    return shape("mistral-7b", Family::Mistral, {32, 4096, 32, 8, 128, 14336, 32000, false});
}
ModelShape qwen25_05b()
{
    return shape("qwen2.5-0.5b", Family::Qwen2, {24, 896, 14, 2, 64, 4864, 151936, true});
}
ModelShape qwen25_15b()
{
    return shape("qwen2.5-1.5b", Family::Qwen2, {28, 1536, 12, 2, 128, 8960, 151936, true});
}
ModelShape qwen25_7b()
{
    return shape("qwen2.5-7b", Family::Qwen2, {28, 3584, 28, 4, 128, 18944, 152064, false});
}
ModelShape qwen3_06b()
{
    return shape("qwen3-0.6b", Family::Qwen3, {28, 1024, 16, 8, 128, 3072, 151936, true});
}
ModelShape qwen3_17b()
{
    return shape("qwen3-1.7b", Family::Qwen3, {28, 2048, 16, 8, 128, 6144, 151936, true});
}
ModelShape gemma3_270m()
{
    return gemma("gemma-3-270m", {18, 640, 4, 1, 256, 2048, 262144, true});
}
ModelShape gemma3_1b()
{
    return gemma("gemma-3-1b", {26, 1152, 4, 1, 256, 6912, 262144, true});
}
ModelShape smolLm2_135m()
{
    return shape("smollm2-135m", Family::Llama, {30, 576, 9, 3, 64, 1536, 49152, true});
}

} // namespace shapes
