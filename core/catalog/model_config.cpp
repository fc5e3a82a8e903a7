// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_config.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/catalog/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace ridgepoint
{

using nlohmann::json;

namespace
{

constexpr std::int64_t maxLayers = 65536;
constexpr double maxParameters = 0x1p50;
constexpr std::size_t maxConfigBytes = std::size_t(16) << 20;

/// What the reference implementation (the configuration classes of transformers) takes for a field that a config.json
/// leaves out. Sizes that make up the network have no entry here: a file without them is refused.
struct FamilyTraits {
    Family family;
    std::string_view architecture;
    std::string_view modelType;
    std::string_view activationField;
    std::string_view activation;
    std::int64_t kvHeads; ///< 0: as many as heads
    std::int64_t headDim; ///< 0: hidden / heads
    std::int64_t maxPositions;
    std::int64_t slidingWindow; ///< 0: the family has none
    double ropeTheta;
    bool tied;
    std::int64_t bosToken; ///< -1: none
    std::int64_t eosToken;
};

constexpr std::array<FamilyTraits, 5> families{{
    {Family::Llama, "LlamaForCausalLM", "llama", "hidden_act", "silu", 0, 0, 2048, 0, 1e4, false, 1, 2},
    {Family::Mistral, "MistralForCausalLM", "mistral", "hidden_act", "silu", 8, 0, 131072, 4096, 1e4, false, 1, 2},
    {Family::Qwen2, "Qwen2ForCausalLM", "qwen2", "hidden_act", "silu", 32, 0, 32768, 4096, 1e4, false, -1, -1},
    {Family::Qwen3, "Qwen3ForCausalLM", "qwen3", "hidden_act", "silu", 32, 128, 32768, 4096, 1e4, false, -1, -1},
    {Family::Gemma3, "Gemma3ForCausalLM", "gemma3_text", "hidden_activation", "gelu_pytorch_tanh", 4, 256, 131072, 4096,
     1e6, true, 2, 1},
}};

std::string knownArchitectures()
{
    std::vector<std::string_view> names;
    for (const FamilyTraits &traits : families)
        names.push_back(traits.architecture);
    return fmt::format("{}", fmt::join(names, ", "));
}

const FamilyTraits &familyOf(const JsonFields &config)
{
    const std::vector<std::string> architectures = config.texts("architectures");
    const auto refuse = [&](const std::string &what) {
        throw Error(ErrorKind::Failure,
                    fmt::format("{}: the {} is not one that Ridgepoint knows. Choose a model of one of "
                                "these architectures: {}.",
                                config.origin(), what, knownArchitectures()));
    };
    if (!architectures.empty()) {
        for (const FamilyTraits &traits : families) {
            if (traits.architecture == architectures.front())
                return traits;
        }
        refuse("architecture " + quotedForSentence(architectures.front()));
    }
    // A configuration written without its model class names the family by model_type alone.
    if (!config.has("model_type"))
        config.fail("architectures", "is missing, and so is \"model_type\": the family of the model is unknown");
    const std::string type = config.text("model_type");
    for (const FamilyTraits &traits : families) {
        if (traits.modelType == type)
            return traits;
    }
    refuse("model type " + quotedForSentence(type));
    return families.front(); // not reached: refuse throws
}

void readRopeScaling(const JsonFields &scaling, ModelShape &shape)
{
    const std::string type = scaling.has("rope_type") ? scaling.text("rope_type") : scaling.textOr("type", "");
    if (type.empty()) {
        if (scaling.has("factor"))
            scaling.fail("rope_type", "is missing although a factor is given");
        return;
    }
    if (type == "default")
        return;
    if (type != "llama3" && type != "linear")
        scaling.fail("rope_type", fmt::format("is {}; Ridgepoint knows the scalings llama3 and linear only",
                                              quotedForSentence(type)));
    shape.ropeScalingType = type;
    shape.ropeScalingFactor = scaling.number("factor", 1e-3, 1e6);
    if (type == "linear")
        return;
    shape.ropeLowFreqFactor = scaling.number("low_freq_factor", 1e-6, 1e6);
    shape.ropeHighFreqFactor = scaling.number("high_freq_factor", 1e-6, 1e6);
    if (shape.ropeHighFreqFactor <= shape.ropeLowFreqFactor)
        scaling.fail("high_freq_factor", "must be greater than low_freq_factor");
    shape.ropeOriginalMaxPositions = scaling.count("original_max_position_embeddings");
}

constexpr double leastTheta = 1, mostTheta = 1e12;

void expectWholeHead(const JsonFields &fields)
{
    if (fields.numberOr("partial_rotary_factor", 1, 0, 1) != 1)
        fields.fail("partial_rotary_factor", "must be 1: Ridgepoint turns the whole head");
}

/// The newer spelling: one object, which Gemma 3 splits by the kind of layer.
void readRopeParameters(const JsonFields &parameters, const FamilyTraits &traits, ModelShape &shape)
{
    const auto readFull = [&](const JsonFields &full) {
        shape.ropeTheta = full.numberOr("rope_theta", shape.ropeTheta, leastTheta, mostTheta);
        expectWholeHead(full);
        readRopeScaling(full, shape);
    };
    if (traits.family != Family::Gemma3) {
        for (const std::string_view key : {"full_attention", "sliding_attention"}) {
            if (parameters.has(key))
                parameters.fail(key, fmt::format("splits the rotary embedding by the kind of layer, which the family {} "
                                                 "does not do",
                                                 familyName(traits.family)));
        }
        readFull(parameters);
        return;
    }
    // The reference takes no notice of a field beside the two objects: that would silently be its default.
    parameters.onlyKeys({"full_attention", "sliding_attention"});
    if (parameters.has("full_attention"))
        readFull(parameters.object("full_attention"));
    if (parameters.has("sliding_attention")) {
        const JsonFields sliding = parameters.object("sliding_attention");
        if (sliding.textOr("rope_type", "default") != "default")
            sliding.fail("rope_type", "must be \"default\" for sliding layers");
        shape.ropeLocalTheta = sliding.numberOr("rope_theta", shape.ropeLocalTheta, leastTheta, mostTheta);
        expectWholeHead(sliding);
    }
}

void readRope(const JsonFields &config, const FamilyTraits &traits, ModelShape &shape)
{
    shape.ropeTheta = config.numberOr("rope_theta", traits.ropeTheta, leastTheta, mostTheta);
    if (traits.family == Family::Gemma3)
        shape.ropeLocalTheta = config.numberOr("rope_local_base_freq", shape.ropeLocalTheta, leastTheta, mostTheta);
    expectWholeHead(config);
    if (config.has("rope_parameters"))
        readRopeParameters(config.object("rope_parameters"), traits, shape);
    if (!config.has("rope_scaling"))
        return;
    ModelShape scaled = shape;
    scaled.ropeScalingType.clear();
    readRopeScaling(config.object("rope_scaling"), scaled);
    if (config.has("rope_parameters") && scaled != shape)
        config.fail("rope_scaling", "says otherwise than \"rope_parameters\"; remove the one that does not hold");
    shape = scaled;
}

/// Which layers attend to the window only: a list by name where the file has one, else the family's own rule.
void readSlidingLayers(const JsonFields &config, const FamilyTraits &traits, ModelShape &shape)
{
    if (traits.slidingWindow == 0)
        return;
    const bool qwen = traits.family == Family::Qwen2 || traits.family == Family::Qwen3;
    // Here alone null and absent differ: null says "no window", absent leaves the reference's own.
    const auto given = config.raw().find("sliding_window");
    const bool none = (qwen && !config.flagOr("use_sliding_window", false)) ||
                      (given != config.raw().end() && given->is_null());
    if (none) {
        // Gemma 3 turns sliding layers otherwise than full ones, so that its pattern has a meaning without a window; the
        // reference refuses both.
        const std::vector<std::string> types =
            config.has("layer_types") ? config.texts("layer_types") : std::vector<std::string>();
        if ((traits.family == Family::Gemma3 && types.empty()) ||
            (traits.family != Family::Mistral &&
             std::find(types.begin(), types.end(), "sliding_attention") != types.end()))
            config.fail(qwen ? "use_sliding_window" : "sliding_window",
                        "gives no window, and yet some layers are sliding ones");
        return;
    }
    const std::int64_t window = config.countOr("sliding_window", traits.slidingWindow);
    if (traits.family == Family::Mistral) {
        shape.slidingWindow = window;
        return;
    }

    std::vector<bool> sliding(std::size_t(shape.layers), false);
    if (config.has("layer_types")) {
        const std::vector<std::string> types = config.texts("layer_types");
        if (std::int64_t(types.size()) != shape.layers)
            config.fail("layer_types", fmt::format("must name {} layers, and names {}", shape.layers, types.size()));
        for (std::size_t i = 0; i < types.size(); ++i) {
            if (types[i] != "sliding_attention" && types[i] != "full_attention")
                config.fail("layer_types", fmt::format("may hold sliding_attention and full_attention, and holds {}",
                                                       quotedForSentence(types[i])));
            sliding[i] = types[i] == "sliding_attention";
        }
    } else if (traits.family == Family::Gemma3) {
        const std::int64_t pattern = config.countOr(
            config.has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern", 6);
        for (std::int64_t i = 0; i < shape.layers; ++i)
            sliding[std::size_t(i)] = (i + 1) % pattern != 0;
    } else {
        const std::int64_t first = config.countOr("max_window_layers", 28, 0);
        for (std::int64_t i = first; i < shape.layers; ++i)
            sliding[std::size_t(i)] = true;
    }
    if (std::find(sliding.begin(), sliding.end(), true) == sliding.end())
        return;
    shape.slidingWindow = window;
    shape.slidingLayers = std::move(sliding);
}

std::int64_t tokenId(const JsonFields &config, std::string_view key, const json &value, std::int64_t vocab)
{
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= std::uint64_t(vocab))
        config.fail(key, fmt::format("must be a token id below vocab_size ({})", vocab));
    return value.get<std::int64_t>();
}

void readTokens(const JsonFields &config, const FamilyTraits &traits, ModelShape &shape)
{
    const json &all = config.raw();
    if (const json *bos = config.find("bos_token_id"))
        shape.bosToken = tokenId(config, "bos_token_id", *bos, shape.vocab);
    else if (!all.contains("bos_token_id") && traits.bosToken < shape.vocab)
        shape.bosToken = traits.bosToken;

    if (const json *eos = config.find("eos_token_id")) {
        if (eos->is_array()) {
            for (const json &entry : *eos)
                shape.eosTokens.push_back(tokenId(config, "eos_token_id", entry, shape.vocab));
        } else {
            shape.eosTokens = {tokenId(config, "eos_token_id", *eos, shape.vocab)};
        }
    } else if (!all.contains("eos_token_id") && traits.eosToken >= 0 && traits.eosToken < shape.vocab) {
        shape.eosTokens = {traits.eosToken};
    }
}

/// Fields that change what the network computes and that no family here implements in another way.
void refuseUnknownArithmetic(const JsonFields &config, const FamilyTraits &traits)
{
    if (config.has("quantization_config"))
        config.fail("quantization_config",
                    "says that the weights are quantized; Ridgepoint reads fp32, fp16 and bf16 weights, so choose the "
                    "unquantized model");
    const std::string activation = config.textOr(traits.activationField, std::string(traits.activation));
    if (activation != traits.activation && !(traits.activation == "silu" && activation == "swish"))
        config.fail(traits.activationField,
                    fmt::format("is {}; the family {} computes with {}", quotedForSentence(activation),
                                familyName(traits.family), traits.activation));
    if (traits.family != Family::Gemma3)
        return;
    for (const std::string_view key : {"attn_logit_softcapping", "final_logit_softcapping"}) {
        if (config.has(key))
            config.fail(key, "must be null: Gemma 3 does not cap its logits");
    }
    if (config.flagOr("use_bidirectional_attention", false))
        config.fail("use_bidirectional_attention", "must be false: decode attends to the past only");
}

void readShape(const JsonFields &config, const FamilyTraits &traits, ModelShape &shape)
{
    shape.layers = config.count("num_hidden_layers", 1, maxLayers);
    shape.hidden = config.count("hidden_size");
    shape.heads = config.count("num_attention_heads");
    shape.ffn = config.count("intermediate_size");
    shape.vocab = config.count("vocab_size");
    shape.maxPositions = config.countOr("max_position_embeddings", traits.maxPositions);

    // An explicit null means "as many as heads" in every family, an absent field the class's own default.
    const bool kvNull = config.raw().contains("num_key_value_heads") && !config.has("num_key_value_heads");
    shape.kvHeads = config.countOr("num_key_value_heads", kvNull || traits.kvHeads == 0 ? shape.heads : traits.kvHeads);
    if (shape.heads % shape.kvHeads != 0)
        config.fail("num_key_value_heads",
                    fmt::format("must divide num_attention_heads ({}), and is {}", shape.heads, shape.kvHeads));
    if (!config.has("head_dim") && traits.headDim == 0 && shape.hidden % shape.heads != 0)
        config.fail("hidden_size", fmt::format("must be a multiple of num_attention_heads ({}) where head_dim is not "
                                               "given, and is {}",
                                               shape.heads, shape.hidden));
    shape.headDim = config.countOr("head_dim", traits.headDim == 0 ? shape.hidden / shape.heads : traits.headDim);
    if (shape.headDim % 2 != 0)
        config.fail("head_dim", fmt::format("must be even, as rotary embedding turns pairs, and is {}", shape.headDim));

    // In floating point, because the whole-number products of a hostile file overflow.
    const double hidden = double(shape.hidden), headDim = double(shape.headDim);
    const double attention = 2 * hidden * headDim * (double(shape.heads) + double(shape.kvHeads));
    const double total =
        2 * double(shape.vocab) * hidden + double(shape.layers) * (attention + 3 * hidden * double(shape.ffn));
    if (!(total <= maxParameters))
        throw Error(ErrorKind::Failure,
                    fmt::format("{}: its sizes multiply to {:.3g} parameters, more than any model has "
                                "(at most {:.3g} are read). Correct the file.",
                                config.origin(), total, maxParameters));
}

} // namespace

ModelShape modelShapeFromConfig(std::string_view text, const std::string &origin)
{
    const json document = parseJsonObject(text, origin);
    const JsonFields config(document, origin);
    const FamilyTraits &traits = familyOf(config);

    ModelShape shape;
    shape.architecture = traits.architecture;
    readShape(config, traits, shape);
    refuseUnknownArithmetic(config, traits);
    shape.tiedEmbeddings = config.flagOr("tie_word_embeddings", traits.tied);
    shape.rmsNormEps = config.numberOr("rms_norm_eps", 1e-6, 0, 1);

    applyFamily(shape, traits.family);
    // Mistral has no bias and Qwen2 those of its family, whatever the file says.
    if (traits.family != Family::Mistral && traits.family != Family::Qwen2)
        shape.qkvBias = shape.outputBias = config.flagOr("attention_bias", false);
    if (traits.family == Family::Llama)
        shape.mlpBias = config.flagOr("mlp_bias", false);
    if (traits.family == Family::Gemma3)
        shape.queryScalar = config.numberOr("query_pre_attn_scalar", shape.queryScalar, 1e-3, 1e6);
    readRope(config, traits, shape);
    readSlidingLayers(config, traits, shape);
    readTokens(config, traits, shape);
    return shape;
}

ModelShape modelShapeFromFolder(const std::filesystem::path &folder)
{
    std::error_code ignored;
    const std::filesystem::path file = folder / "config.json";
    if (!std::filesystem::is_directory(folder, ignored))
        throw Error(
            ErrorKind::Failure,
            fmt::format("There is no folder {}. Give a folder that holds config.json and the model's safetensors, "
                        "or a name of the catalogue (`ridgepoint models` lists them).",
                        folder.string()));
    if (!std::filesystem::exists(file, ignored))
        throw Error(ErrorKind::Failure,
                    fmt::format("The folder {} holds no config.json. Give the folder of a model as it "
                                "was downloaded, with config.json beside its safetensors.",
                                folder.string()));
    ModelShape shape = modelShapeFromConfig(readWholeFile(file, maxConfigBytes), file.string());
    const std::filesystem::path whole = std::filesystem::absolute(folder, ignored).lexically_normal();
    shape.id = (whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string();
    shape.name = shape.id;
    return shape;
}

} // namespace ridgepoint
