// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference_decoder.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

namespace ridgepoint::test {

namespace {

using Vector = std::vector<double>;

Vector multiply(const TinyModel &m, const std::string &name, const Vector &x)
{
    const auto &w = m.tensors.at(name + ".weight");
    const auto rows = std::size_t(m.sizes.at(name + ".weight")[0]);
    Vector y(rows, 0.0);
    const auto bias = m.tensors.find(name + ".bias");
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < x.size(); ++c)
            y[r] += double(w[r * x.size() + c]) * x[c];
        if (bias != m.tensors.end())
            y[r] += double(bias->second[r]);
    }
    return y;
}

Vector normalise(const TinyModel &m, const std::string &name, const Vector &x)
{
    const auto &w = m.tensors.at(name + ".weight");
    double squares = 0;
    for (const double v : x)
        squares += v * v;
    const double factor = 1.0 / std::sqrt(squares / double(x.size()) + m.shape.rmsNormEps);
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        y[i] = x[i] * factor * (double(w[i]) + (m.shape.normPlusOne ? 1 : 0));
    return y;
}

double frequency(const ModelShape &s, std::int64_t i, bool sliding)
{
    if (sliding && s.ropeLocalTheta > 0)
        return 1.0 / std::pow(s.ropeLocalTheta, double(2 * i) / double(s.headDim));
    const double f = 1.0 / std::pow(s.ropeTheta, double(2 * i) / double(s.headDim));
    if (s.ropeScalingType == "linear")
        return f / s.ropeScalingFactor;
    if (s.ropeScalingType != "llama3")
        return f;
    const double wave = 2 * std::numbers::pi / f;
    const double lowWave = double(s.ropeOriginalMaxPositions) / s.ropeLowFreqFactor;
    const double highWave = double(s.ropeOriginalMaxPositions) / s.ropeHighFreqFactor;
    if (wave < highWave)
        return f;
    if (wave > lowWave)
        return f / s.ropeScalingFactor;
    const double smooth = (double(s.ropeOriginalMaxPositions) / wave - s.ropeLowFreqFactor) /
                          (s.ropeHighFreqFactor - s.ropeLowFreqFactor);
    return (1 - smooth) * f / s.ropeScalingFactor + smooth * f;
}

/// One head of a projection, normalised where the shape says so and rotated to `position`.
Vector head(const TinyModel &m, const Vector &all, std::int64_t index, std::int64_t position, const std::string &norm,
            bool sliding)
{
    const std::int64_t d = m.shape.headDim;
    Vector x(all.begin() + index * d, all.begin() + (index + 1) * d);
    if (m.shape.qkNorm)
        x = normalise(m, norm, x);
    Vector y(x);
    for (std::int64_t i = 0; i < d / 2; ++i) {
        const double angle = double(position) * frequency(m.shape, i, sliding);
        y[i] = x[i] * std::cos(angle) - x[i + d / 2] * std::sin(angle);
        y[i + d / 2] = x[i + d / 2] * std::cos(angle) + x[i] * std::sin(angle);
    }
    return y;
}

double activated(const ModelShape &s, double x)
{
    if (s.activation == Activation::Silu)
        return x / (1 + std::exp(-x));
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

} // namespace

TinyModel makeTinyModel(const ModelShape &shape, unsigned seed)
{
    TinyModel model;
    model.shape = shape;
    std::mt19937 random(seed);
    const auto add = [&](const std::string &name, std::vector<std::int64_t> sizes, float middle, float spread) {
        std::int64_t count = 1;
        for (const auto size : sizes)
            count *= size;
        std::vector<float> values(static_cast<std::size_t>(count));
        std::uniform_real_distribution<float> any(middle - spread, middle + spread);
        for (float &value : values)
            value = any(random);
        model.sizes[name] = std::move(sizes);
        model.tensors[name] = std::move(values);
    };
    const std::int64_t q = shape.heads * shape.headDim, kv = shape.kvHeads * shape.headDim;
    add("model.embed_tokens.weight", {shape.vocab, shape.hidden}, 0, 1.0f);
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        const std::string layer = fmt::format("model.layers.{}.", i);
        const auto project = [&](const std::string &name, std::int64_t out, std::int64_t in, bool bias) {
            add(layer + name + ".weight", {out, in}, 0, 0.4f);
            if (bias)
                add(layer + name + ".bias", {out}, 0, 0.5f);
        };
        const auto norm = [&](const std::string &name, std::int64_t size) {
            add(layer + name + ".weight", {size}, shape.normPlusOne ? 0 : 1, 0.5f);
        };
        norm("input_layernorm", shape.hidden);
        norm("post_attention_layernorm", shape.hidden);
        if (shape.normsPerLayer == 4) {
            norm("pre_feedforward_layernorm", shape.hidden);
            norm("post_feedforward_layernorm", shape.hidden);
        }
        project("self_attn.q_proj", q, shape.hidden, shape.qkvBias);
        project("self_attn.k_proj", kv, shape.hidden, shape.qkvBias);
        project("self_attn.v_proj", kv, shape.hidden, shape.qkvBias);
        project("self_attn.o_proj", shape.hidden, q, shape.outputBias);
        project("mlp.gate_proj", shape.ffn, shape.hidden, shape.mlpBias);
        project("mlp.up_proj", shape.ffn, shape.hidden, shape.mlpBias);
        project("mlp.down_proj", shape.hidden, shape.ffn, shape.mlpBias);
        if (shape.qkNorm) {
            norm("self_attn.q_norm", shape.headDim);
            norm("self_attn.k_norm", shape.headDim);
        }
    }
    add("model.norm.weight", {shape.hidden}, shape.normPlusOne ? 0 : 1, 0.5f);
    if (!shape.tiedEmbeddings)
        add("lm_head.weight", {shape.vocab, shape.hidden}, 0, 0.4f);
    return model;
}

void writeCheckpoint(const TinyModel &model, const std::filesystem::path &folder)
{
    const ModelShape &s = model.shape;
    std::string config = fmt::format(
        R"({{"architectures":["{}"],"hidden_size":{},"num_hidden_layers":{},"num_attention_heads":{},)"
        R"("num_key_value_heads":{},"head_dim":{},"intermediate_size":{},"vocab_size":{},)"
        R"("max_position_embeddings":{},"rms_norm_eps":{},"rope_theta":{},"tie_word_embeddings":{},)"
        R"("attention_bias":{},"mlp_bias":{})",
        s.architecture, s.hidden, s.layers, s.heads, s.kvHeads, s.headDim, s.ffn, s.vocab, s.maxPositions, s.rmsNormEps,
        s.ropeTheta, s.tiedEmbeddings, s.outputBias, s.mlpBias);
    if (!s.ropeScalingType.empty())
        config += fmt::format(R"(,"rope_scaling":{{"rope_type":"{}","factor":{},"low_freq_factor":{},)"
                              R"("high_freq_factor":{},"original_max_position_embeddings":{}}})",
                              s.ropeScalingType, s.ropeScalingFactor, s.ropeLowFreqFactor, s.ropeHighFreqFactor,
                              s.ropeOriginalMaxPositions);
    if (s.slidingWindow > 0)
        config += fmt::format(R"(,"sliding_window":{})", s.slidingWindow);
    else
        config += R"(,"sliding_window":null)";
    if (s.family == Family::Gemma3) {
        std::string types;
        for (std::int64_t i = 0; i < s.layers; ++i)
            types += fmt::format(R"({}"{}_attention")", i ? "," : "", isSlidingLayer(s, i) ? "sliding" : "full");
        config += fmt::format(R"(,"layer_types":[{}],"query_pre_attn_scalar":{},"rope_local_base_freq":{})", types,
                              s.queryScalar, s.ropeLocalTheta);
    }
    config += "}";
    std::ofstream(folder / "config.json") << config;

    std::string header, data;
    for (const auto &[name, values] : model.tensors) {
        const std::size_t begin = data.size();
        data.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(float));
        std::string sizes;
        for (const auto size : model.sizes.at(name))
            sizes += fmt::format("{}{}", sizes.empty() ? "" : ",", size);
        header += fmt::format(R"({}"{}":{{"dtype":"F32","shape":[{}],"data_offsets":[{},{}]}})",
                              header.empty() ? "" : ",", name, sizes, begin, data.size());
    }
    header = "{" + header + "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    const std::uint64_t length = header.size();
    std::ofstream file(folder / "model.safetensors", std::ios::binary);
    file.write(reinterpret_cast<const char *>(&length), 8);
    file << header << data;
}

std::vector<double> referenceLogits(const TinyModel &m, const std::vector<std::int64_t> &tokens)
{
    const ModelShape &s = m.shape;
    std::vector<Vector> xs;
    for (const auto token : tokens) {
        const auto &table = m.tensors.at("model.embed_tokens.weight");
        xs.emplace_back(table.begin() + token * s.hidden, table.begin() + (token + 1) * s.hidden);
        for (double &x : xs.back())
            x *= double(float(s.embeddingScale));
    }
    // With four norms a layer, what attention and the MLP give has one of its own.
    const bool post = s.normsPerLayer == 4;
    const double queryScalar = s.queryScalar > 0 ? s.queryScalar : double(s.headDim);
    for (std::int64_t i = 0; i < s.layers; ++i) {
        const std::string layer = fmt::format("model.layers.{}.", i);
        const bool sliding = isSlidingLayer(s, i);
        std::vector<Vector> qs, ks, vs;
        for (const Vector &x : xs) {
            const Vector n = normalise(m, layer + "input_layernorm", x);
            qs.push_back(multiply(m, layer + "self_attn.q_proj", n));
            ks.push_back(multiply(m, layer + "self_attn.k_proj", n));
            vs.push_back(multiply(m, layer + "self_attn.v_proj", n));
        }
        for (std::int64_t t = 0; t < std::int64_t(xs.size()); ++t) {
            Vector mixed;
            for (std::int64_t h = 0; h < s.heads; ++h) {
                const std::int64_t kv = h / (s.heads / s.kvHeads);
                const Vector q = head(m, qs[t], h, t, layer + "self_attn.q_norm", sliding);
                const std::int64_t first = sliding ? std::max<std::int64_t>(0, t + 1 - s.slidingWindow) : 0;
                Vector weights;
                double sum = 0;
                for (std::int64_t j = first; j <= t; ++j) {
                    const Vector k = head(m, ks[j], kv, j, layer + "self_attn.k_norm", sliding);
                    double dot = 0;
                    for (std::int64_t d = 0; d < s.headDim; ++d)
                        dot += q[d] * k[d];
                    weights.push_back(std::exp(dot / std::sqrt(queryScalar)));
                    sum += weights.back();
                }
                for (std::int64_t d = 0; d < s.headDim; ++d) {
                    double value = 0;
                    for (std::int64_t j = first; j <= t; ++j)
                        value += weights[j - first] / sum * vs[j][kv * s.headDim + d];
                    mixed.push_back(value);
                }
            }
            Vector attention = multiply(m, layer + "self_attn.o_proj", mixed);
            if (post)
                attention = normalise(m, layer + "post_attention_layernorm", attention);
            Vector &x = xs[t];
            for (std::int64_t d = 0; d < s.hidden; ++d)
                x[d] += attention[d];
            const Vector n =
                normalise(m, layer + (post ? "pre_feedforward_layernorm" : "post_attention_layernorm"), x);
            Vector gate = multiply(m, layer + "mlp.gate_proj", n);
            const Vector up = multiply(m, layer + "mlp.up_proj", n);
            for (std::size_t f = 0; f < gate.size(); ++f)
                gate[f] = activated(s, gate[f]) * up[f];
            Vector down = multiply(m, layer + "mlp.down_proj", gate);
            if (post)
                down = normalise(m, layer + "post_feedforward_layernorm", down);
            for (std::int64_t d = 0; d < s.hidden; ++d)
                x[d] += down[d];
        }
    }
    const Vector n = normalise(m, "model.norm", xs.back());
    return multiply(m, s.tiedEmbeddings ? "model.embed_tokens" : "lm_head", n);
}

} // namespace ridgepoint::test
