// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/decoder.h"

#include "core/torch/decoder_torch.h"
#ifdef RIDGEPOINT_WITH_CUDA
#include "core/cuda/cuda_decoder.h"
#endif

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>
#include <fmt/format.h>

#include <cmath>
#include <new>
#include <numbers>

namespace ridgepoint {

namespace {

/// Rows that one forward() of a prompt holds at most: enough for matrix products to run at full rate, few enough that the
/// working memory of a layer stays small (a gate and up row of TinyLlama is 45 kB).
constexpr std::int64_t kPrefillRows = 512;

/// Everything that the decoder cannot do, said before memory is taken.
void refuseUnsupported(const ModelShape &shape, DType dtype, const at::Device &device)
{
    if (device.is_cpu() && dtype == DType::F16)
        throw Error(ErrorKind::Usage, "fp16 cannot be run on the CPU, which has no arithmetic for it; choose bf16 or fp32.");
    countParameters(shape); // its sizes
    if (shape.normsPerLayer != 2 && shape.normsPerLayer != 4)
        throw Error(ErrorKind::Failure, fmt::format("{} has {} norms a layer, which cannot be run; the engine knows 2 and 4.",
                                                    shape.id, shape.normsPerLayer));
    if (shape.headDim % 2 != 0)
        throw Error(ErrorKind::Failure, fmt::format("{} has an odd head dimension ({}), which rotary positions cannot "
                                                    "pair; check head_dim in config.json.",
                                                    shape.id, shape.headDim));
    ropeFrequencies(shape);
}

at::Device parseDevice(const std::string &text)
{
    if (text == "cpu")
        return at::Device(at::kCPU);
    if (text.rfind("cuda:", 0) == 0 && text.size() > 5 && text.find_first_not_of("0123456789", 5) == std::string::npos &&
        text.size() < 9) {
        const int index = std::stoi(text.substr(5));
        if (!at::hasCUDA())
            throw Error(ErrorKind::Failure, fmt::format("The device {} cannot be used: this libtorch has no CUDA, or no "
                                                        "driver was found. Use cpu, or build with a CUDA libtorch.",
                                                        text));
        return at::Device(at::kCUDA, c10::DeviceIndex(index));
    }
    throw Error(ErrorKind::Usage, fmt::format("The device '{}' is unknown; use cpu or cuda:0, cuda:1, ...", text));
}

struct Made {
    ModelShape shape;
    DecoderWeights weights;
};

Made make(const ModelSource &source, DType dtype, const at::Device &device, std::uint64_t seed,
          const std::function<void(double)> &progress, std::stop_token stop)
{
    Made made;
    std::shared_ptr<const Checkpoint> checkpoint;
    if (!source.folder.empty()) {
        checkpoint = Checkpoint::open(source.folder);
        made.shape = checkpoint->shape();
    } else {
        made.shape = source.shape;
    }
    refuseUnsupported(made.shape, dtype, device);
    guarded("Building the weights", [&] {
        c10::InferenceMode inference;
        made.weights = loadWeights(made.shape, checkpoint.get(), dtype, device, seed, progress, stop);
    });
    return made;
}

} // namespace

void guarded(const std::string &what, const std::function<void()> &body)
{
    const auto isMemory = [](const std::string &text) {
        return text.find("out of memory") != std::string::npos || text.find("not enough memory") != std::string::npos ||
               text.find("can't allocate memory") != std::string::npos || text.find("ALLOC_FAILED") != std::string::npos;
    };
    const auto remedy = [](const std::string &text) {
        const bool gpu = text.find("CUDA") != std::string::npos || text.find("CUBLAS") != std::string::npos;
        return std::string("choose a smaller batch, context or model") +
               (gpu ? ", or close what else uses the GPU (nvidia-smi lists it)." : ".");
    };
    try {
        body();
    } catch (const Error &) {
        throw;
    } catch (const std::bad_alloc &) {
        throw OutOfMemory(what + " ran out of memory; choose a smaller batch, context or model.");
    } catch (const c10::Error &error) {
        const std::string text = error.what_without_backtrace();
        const std::string line = text.substr(0, text.find('\n'));
        if (isMemory(text)) {
            // libtorch goes on to explain its allocator's settings; what was wanted and what was free is what matters here.
            throw OutOfMemory(fmt::format("{} ran out of memory ({}); {}", what,
                                          line.substr(0, line.find(" Including non-PyTorch memory")), remedy(text)));
        }
        throw Error(ErrorKind::Failure, fmt::format("{} failed in libtorch: {}", what, line));
    } catch (const std::exception &error) {
        const std::string text = error.what();
        const std::string line = text.substr(0, text.find('\n'));
        if (isMemory(text))
            throw OutOfMemory(fmt::format("{} ran out of memory ({}); {}", what, line, remedy(text)));
        throw Error(ErrorKind::Failure, fmt::format("{} failed: {}", what, line));
    }
}

namespace {

std::vector<double> plainFrequencies(double theta, std::int64_t headDim)
{
    std::vector<double> frequencies;
    for (std::int64_t i = 0; i < headDim / 2; ++i)
        frequencies.push_back(std::pow(theta, -2.0 * double(i) / double(headDim)));
    return frequencies;
}

float roundedTo(DType dtype, double value)
{
    switch (dtype) {
    case DType::F32:
        break;
    case DType::F16:
        return float(c10::Half(float(value)));
    case DType::BF16:
        return float(c10::BFloat16(float(value)));
    }
    return float(value);
}

} // namespace

std::vector<double> localRopeFrequencies(const ModelShape &shape)
{
    return shape.ropeLocalTheta > 0 ? plainFrequencies(shape.ropeLocalTheta, shape.headDim) : std::vector<double>();
}

std::vector<double> ropeFrequencies(const ModelShape &shape)
{
    std::vector<double> frequencies = plainFrequencies(shape.ropeTheta, shape.headDim);
    if (shape.ropeScalingType.empty())
        return frequencies;
    if (shape.ropeScalingType == "linear") {
        for (double &f : frequencies)
            f /= shape.ropeScalingFactor;
        return frequencies;
    }
    if (shape.ropeScalingType == "llama3") {
        // Long waves are stretched by the factor, short ones kept, those between blended (Llama 3.1's published rule).
        const double original = double(shape.ropeOriginalMaxPositions);
        for (double &f : frequencies) {
            const double wavelength = 2.0 * std::numbers::pi / f;
            if (wavelength > original / shape.ropeLowFreqFactor) {
                f /= shape.ropeScalingFactor;
            } else if (wavelength > original / shape.ropeHighFreqFactor) {
                const double keep = (original / wavelength - shape.ropeLowFreqFactor) /
                                    (shape.ropeHighFreqFactor - shape.ropeLowFreqFactor);
                f = (1.0 - keep) * f / shape.ropeScalingFactor + keep * f;
            }
        }
        return frequencies;
    }
    throw Error(ErrorKind::Failure,
                fmt::format("The RoPE scaling '{}' of {} cannot be run; the engine knows none, linear and llama3.",
                            shape.ropeScalingType, shape.id));
}

std::unique_ptr<Decoder> Decoder::create(const ModelSource &source, DType dtype, const std::string &device,
                                         DecodeMode mode, std::uint64_t seed,
                                         const std::function<void(double)> &progress, std::stop_token stop)
{
    const at::Device where = parseDevice(device);
    if (mode != DecodeMode::Eager && where.is_cpu())
        throw Error(ErrorKind::Usage, fmt::format("The mode {} cannot be run on {}; choose eager.", modeName(mode), device));
    Made made = make(source, dtype, where, seed, progress, stop);
    if (where.is_cpu())
        return makeCpuDecoder(std::move(made.shape), std::move(made.weights), dtype);
#ifdef RIDGEPOINT_WITH_CUDA
    const std::string whyNot = whyNotOnCuda(made.shape);
    if (whyNot.empty())
        return makeCudaDecoder(std::move(made.shape), std::move(made.weights), dtype, where, mode);
    if (mode != DecodeMode::Eager)
        throw Error(ErrorKind::Failure, fmt::format("{} The mode {} needs them; choose eager, which then runs libtorch's own "
                                                    "operations.",
                                                    whyNot, modeName(mode)));
#endif
    return makeAtenDecoder(std::move(made.shape), std::move(made.weights), dtype, where);
}

std::unique_ptr<Decoder> createAtenDecoder(const ModelSource &source, DType dtype, const std::string &device,
                                           std::uint64_t seed)
{
    const at::Device where = parseDevice(device);
    Made made = make(source, dtype, where, seed, {}, {});
    return makeAtenDecoder(std::move(made.shape), std::move(made.weights), dtype, where);
}

DecoderBase::DecoderBase(ModelShape shape, DecoderWeights weights, DType dtype)
    : m_shape(std::move(shape)), m_weights(std::move(weights)), m_dtype(dtype),
      m_embeddingScale(roundedTo(dtype, m_shape.embeddingScale))
{
}

std::int64_t DecoderBase::rowLimit() const { return std::max(m_batch, std::min(kPrefillRows, m_batch * m_maxContext)); }

std::int64_t DecoderBase::windowOf(std::int64_t layer) const
{
    return isSlidingLayer(m_shape, layer) ? m_shape.slidingWindow : 0;
}

bool DecoderBase::usesLocalRope(std::int64_t layer) const
{
    return m_shape.ropeLocalTheta > 0 && isSlidingLayer(m_shape, layer);
}

double DecoderBase::attentionScale() const
{
    return 1.0 / std::sqrt(m_shape.queryScalar > 0 ? m_shape.queryScalar : double(m_shape.headDim));
}

void DecoderBase::allocateCache(std::int64_t batch, std::int64_t maxContext)
{
    if (batch < 1 || batch > 65536)
        throw Error(ErrorKind::Usage, fmt::format("The batch {} is outside 1..65536.", batch));
    if (maxContext < 1 || maxContext > 16'000'000)
        throw Error(ErrorKind::Usage, fmt::format("The context {} is outside 1..16000000.", maxContext));
    releaseCache();
    m_batch = batch;
    m_maxContext = maxContext;
    try {
        guarded("Allocating the KV cache", [&] {
            c10::InferenceMode inference;
            const auto fill = [maxContext](const std::vector<double> &frequencies, std::vector<float> &cosine,
                                           std::vector<float> &sine) {
                cosine.clear();
                sine.clear();
                cosine.reserve(std::size_t(maxContext) * frequencies.size());
                sine.reserve(std::size_t(maxContext) * frequencies.size());
                for (std::int64_t position = 0; position < maxContext; ++position) {
                    for (const double f : frequencies) {
                        cosine.push_back(float(std::cos(double(position) * f)));
                        sine.push_back(float(std::sin(double(position) * f)));
                    }
                }
            };
            fill(ropeFrequencies(m_shape), m_cosine, m_sine);
            fill(localRopeFrequencies(m_shape), m_localCosine, m_localSine);
            allocate();
        });
    } catch (...) {
        releaseCache();
        throw;
    }
}

void DecoderBase::releaseCache()
{
    m_batch = m_maxContext = m_context = 0;
    m_prompt.clear();
    m_decoded.clear();
    release();
}

double DecoderBase::kvBytes() const
{
    return double(m_batch) * double(m_maxContext) * kvBytesPerToken(m_shape, m_dtype);
}

void DecoderBase::needCache() const
{
    if (m_batch == 0)
        throw Error(ErrorKind::Usage, "The decoder has no cache yet: allocateCache() comes first.");
}

void DecoderBase::prefill(const std::vector<std::int64_t> &prompt, PrefillMode mode)
{
    needCache();
    const std::int64_t tokens = std::int64_t(prompt.size());
    if (m_context != 0)
        throw Error(ErrorKind::Usage, fmt::format("The cache already holds {} tokens; rewind(0) empties it.", m_context));
    if (tokens < 1 || tokens > m_maxContext)
        throw Error(ErrorKind::Usage, fmt::format("A prompt of {} tokens does not fit the cache, which was allocated for "
                                                  "1 to {}.",
                                                  tokens, m_maxContext));
    for (const std::int64_t id : prompt)
        if (id < 0 || id >= m_shape.vocab)
            throw Error(ErrorKind::Failure, fmt::format("The prompt's token {} is outside the vocabulary of {} ({} entries).",
                                                        id, m_shape.id, m_shape.vocab));
    m_prompt = prompt;
    m_decoded.clear();
    guarded("The prefill", [&] {
        c10::InferenceMode inference;
        const std::int64_t wanted = mode == PrefillMode::OnceCopied ? 1 : m_batch;
        const std::int64_t piece = std::min(tokens, rowLimit());
        const std::int64_t together = std::max<std::int64_t>(1, rowLimit() / piece);
        for (std::int64_t sequence = 0; sequence < wanted; sequence += together) {
            for (std::int64_t position = 0; position < tokens; position += piece) {
                Slice slice;
                slice.firstSequence = sequence;
                slice.sequences = std::min(together, wanted - sequence);
                slice.firstPosition = position;
                slice.tokens = std::min(piece, tokens - position);
                slice.ids = prompt.data() + position;
                slice.last = position + slice.tokens == tokens;
                forward(slice);
            }
        }
        if (wanted < m_batch)
            copyFirstSequence(tokens);
        synchronise();
        m_decoded.push_back(picked());
    });
    m_context = tokens;
}

void DecoderBase::issueStep()
{
    needStep();
    guarded("The decode step", [&] {
        c10::InferenceMode inference;
        Slice slice;
        slice.sequences = m_batch;
        slice.firstPosition = m_context;
        slice.tokens = 1;
        slice.last = true;
        forward(slice);
        m_decoded.push_back(picked());
    });
    ++m_context;
}

void DecoderBase::needStep() const
{
    needCache();
    if (m_context < 1)
        throw Error(ErrorKind::Usage, "The cache is empty: prefill() comes before step().");
    if (m_context >= m_maxContext)
        throw Error(ErrorKind::Usage, fmt::format("The cache is full: it was allocated for {} tokens.", m_maxContext));
}

void DecoderBase::needRoom(std::int64_t context) const
{
    needCache();
    if (context < 1 || context >= m_maxContext)
        throw Error(ErrorKind::Usage, fmt::format("A context of {} tokens is outside 1 to {}, which the cache has room for.",
                                                  context, m_maxContext - 1));
}

void DecoderBase::holdContext(std::int64_t context)
{
    needRoom(context);
    m_prompt.assign(std::size_t(context), 0);
    m_decoded.assign(1, std::vector<std::int64_t>(std::size_t(m_batch), 0));
    m_context = context;
    guarded("Setting the context", [&] {
        c10::InferenceMode inference;
        setNewest(m_decoded.back());
    });
}

void DecoderBase::needRewind(std::int64_t context) const
{
    needCache();
    if (context < 0 || context > m_context)
        throw Error(ErrorKind::Usage,
                    fmt::format("Cannot rewind to {} tokens: the cache holds {}.", context, m_context));
}

void DecoderBase::rewind(std::int64_t context)
{
    needRewind(context);
    if (context == m_context)
        return;
    m_context = context;
    const std::int64_t prompt = std::int64_t(m_prompt.size());
    if (context >= prompt) {
        // m_decoded[i] sits at position prompt + i; the newest token is the one at `context`, not yet in the cache.
        m_decoded.resize(std::size_t(context - prompt + 1));
    } else {
        m_decoded.assign(1, std::vector<std::int64_t>(std::size_t(m_batch), m_prompt[std::size_t(context)]));
        m_prompt.resize(std::size_t(context));
    }
    guarded("Rewinding the cache", [&] {
        c10::InferenceMode inference;
        setNewest(m_decoded.back());
    });
}

std::vector<std::int64_t> DecoderBase::lastTokens() const
{
    if (m_decoded.empty())
        throw Error(ErrorKind::Usage, "No token has been picked yet: prefill() comes first.");
    return m_decoded.back();
}

std::vector<float> DecoderBase::lastLogits(std::int64_t sequence) const
{
    if (m_decoded.empty() || sequence < 0 || sequence >= m_batch)
        throw Error(ErrorKind::Usage, fmt::format("There are no logits of sequence {}.", sequence));
    std::vector<float> values;
    guarded("Reading the logits", [&] {
        c10::InferenceMode inference;
        values = logits(sequence);
    });
    return values;
}

} // namespace ridgepoint
