// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cuda/cuda_decoder.h"

#include "core/base/format.h"
#include "core/cuda/decode_kernels.h"
#include "core/cuda/fused_kernels.h"
#include "core/cuda/persistent_kernel.h"
#include "core/cuda/warpgroup_products.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/version.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

// scaled_dot_product_attention with fewer kv heads than query heads came with libtorch 2.5.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 5)
#define RIDGEPOINT_GQA_ATTENTION 1
#endif

namespace ridgepoint {

namespace {

/// Attention scores of a prefill piece that are held at once where libtorch has no fused kernel, in bytes.
constexpr double kScoreBytes = 256e6;

/// A captured step.
class StepGraph {
public:
    StepGraph() = default;
    StepGraph(const StepGraph &) = delete;
    StepGraph &operator=(const StepGraph &) = delete;
    ~StepGraph() { reset(); }

    bool captured() const { return m_executable != nullptr; }
    std::int64_t nodes() const { return m_nodes; }

    void reset()
    {
        // After a fault of the device these fail; there is nothing left to free then.
        if (m_executable)
            cudaGraphExecDestroy(m_executable);
        m_executable = nullptr;
        m_nodes = 0;
    }

    template <typename Work>
    void capture(cudaStream_t stream, Work &&work)
    {
        cudaGraph_t graph = nullptr;
        C10_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        try {
            work();
        } catch (...) {
            cudaStreamEndCapture(stream, &graph);
            if (graph)
                cudaGraphDestroy(graph);
            cudaGetLastError();
            throw;
        }
        C10_CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
        std::size_t nodes = 0;
        cudaError_t status = cudaGraphGetNodes(graph, nullptr, &nodes);
        if (status == cudaSuccess)
            status = cudaGraphInstantiateWithFlags(&m_executable, graph, 0);
        cudaGraphDestroy(graph);
        C10_CUDA_CHECK(status);
        m_nodes = static_cast<std::int64_t>(nodes);
        C10_CUDA_CHECK(cudaGraphUpload(m_executable, stream));
    }

    void replay(cudaStream_t stream) { C10_CUDA_CHECK(cudaGraphLaunch(m_executable, stream)); }

    void swap(StepGraph &other)
    {
        std::swap(m_executable, other.m_executable);
        std::swap(m_nodes, other.m_nodes);
    }

private:
    cudaGraphExec_t m_executable = nullptr;
    std::int64_t m_nodes = 0;
};

template <typename T = void>
T *data(const at::Tensor &tensor)
{
    return tensor.defined() ? static_cast<T *>(tensor.data_ptr()) : nullptr;
}

class CudaDecoder final : public DecoderBase {
public:
    CudaDecoder(ModelShape shape, DecoderWeights weights, DType dtype, const at::Device &device, DecodeMode mode)
        : DecoderBase(std::move(shape), std::move(weights), dtype), m_device(device), m_mode(mode),
          m_options(at::TensorOptions().dtype(scalarType(dtype)).device(device))
    {
        const cudaDeviceProp *properties = at::cuda::getDeviceProperties(device.index());
        m_multiprocessors = properties->multiProcessorCount;
        m_computeCapability = properties->major * 10 + properties->minor;
        m_sharedLimit = std::int64_t(properties->sharedMemPerBlockOptin);
        m_tensorCores = properties->major >= 8;
#ifdef RIDGEPOINT_GQA_ATTENTION
        // libtorch's fused attention needs compute capability 8.0 and a two-byte dtype. Elsewhere (a T4) asking for it with
        // shared heads would fall back to expanding K and V.
        m_fusedPrefill = properties->major >= 8 && dtype != DType::F32;
#endif
        // The transposed views that the products take, made once: a step then only launches.
        for (LayerWeights &layer : m_weights.layers)
            for (at::Tensor *matrix : {&layer.qkv, &layer.o, &layer.gateUp, &layer.down})
                m_transposed.push_back(matrix->t());
        m_headTransposed = m_weights.head.t();
    }

    std::string attentionPath() const override
    {
        return fmt::format("{}decode: {}{}, K and V read once a group; prefill: {}", m_productsChoice,
                           m_kind.stream ? "own context-by-context kernel" : "own split-context kernel",
                           m_tensorCores && cuda::attendUsesTensorCores(m_dtype, m_shape.headDim) ? " on tensor cores" : "",
                           m_fusedPrefill ? "libtorch's fused attention" : "matrix products of libtorch");
    }
    std::int64_t graphNodes() const override { return m_graph.nodes(); }

    void issueStep() override
    {
        needStep();
        guarded("The decode step", [&] {
            c10::InferenceMode inference;
            const cudaStream_t stream = at::cuda::getCurrentCUDAStream(m_device.index());
            if (m_marks)
                launchStep(stream);
            else if (m_mode != DecodeMode::Eager && !m_graph.captured())
                prepareGraph(stream);
            else if (m_graph.captured())
                m_graph.replay(stream);
            else
                launchStep(stream);
        });
        ++m_stepsRun;
        ++m_context;
    }

    void holdContext(std::int64_t context) override
    {
        needRoom(context);
        guarded("Setting the context", [&] { movePosition(context); });
        m_context = context;
    }

    void rewind(std::int64_t context) override
    {
        needRewind(context);
        guarded("Rewinding the cache", [&] { movePosition(context); });
        m_context = context;
    }

    std::vector<std::int64_t> lastTokens() const override
    {
        needCache();
        if (m_stepsRun == 0 && m_context == 0)
            return DecoderBase::lastTokens(); // which says what is missing
        std::vector<std::int64_t> tokens;
        guarded("Reading the tokens", [&] { tokens = row(m_context); });
        return tokens;
    }

protected:
    std::int64_t rowLimit() const override
    {
        return std::max(m_batch, std::min(kCudaPrefillRows, m_batch * m_maxContext));
    }

    void allocate() override
    {
        const ModelShape &s = m_shape;
        if (kvBytes() > 1e15)
            throw OutOfMemory(fmt::format("The KV cache of {} sequences x {} tokens would take {}; choose a smaller "
                                          "batch or context.",
                                          m_batch, m_maxContext, format::bytes(kvBytes())));
        for (std::int64_t layer = 0; layer < s.layers; ++layer) {
            m_keys.push_back(at::zeros({m_batch, s.kvHeads, m_maxContext, s.headDim}, m_options));
            m_values.push_back(at::zeros({m_batch, s.kvHeads, m_maxContext, s.headDim}, m_options));
        }
        const auto table = [&](std::vector<float> &values) {
            return at::from_blob(values.data(), {m_maxContext, s.headDim / 2}, at::kFloat).to(m_device);
        };
        m_cos = table(m_cosine);
        m_sin = table(m_sine);
        if (!m_localCosine.empty()) {
            m_localCos = table(m_localCosine);
            m_localSin = table(m_localSine);
        }
        const auto whole = m_options.dtype(at::kLong);
        m_tokens = at::zeros({m_maxContext + 1, m_batch}, whole);
        m_position = at::zeros({1}, whole);
        m_splits = cuda::attendSplits(m_batch, s.heads, s.kvHeads, s.headDim, m_maxContext, m_multiprocessors);
        m_partial = at::empty({std::max<std::int64_t>(1, cuda::attendPartialFloats(m_batch, s.heads, s.headDim, m_splits))},
                              m_options.dtype(at::kFloat));
        m_counters = at::zeros({cuda::attendCounters(m_batch, s.heads)}, m_options.dtype(at::kInt));
        m_pickPartial = at::empty({cuda::pickPartialBytes(m_batch)}, m_options.dtype(at::kByte));
        m_pickCounters = at::zeros({m_batch + 1}, m_options.dtype(at::kInt));
        m_logits = at::zeros({m_batch, s.vocab}, m_options);
        m_step = buffers(m_batch);
        if (m_mode == DecodeMode::Fused)
            m_residual = at::empty({m_batch, s.hidden}, m_options.dtype(at::kFloat));
        if (m_mode == DecodeMode::Fused)
            preparePersistent();
        m_stepsRun = 0;
    }

    void release() override
    {
        m_graph.reset();
        m_keys.clear();
        m_values.clear();
        for (at::Tensor *tensor : {&m_cos, &m_sin, &m_localCos, &m_localSin, &m_tokens, &m_position, &m_partial, &m_counters,
                                   &m_pickPartial, &m_pickCounters, &m_logits, &m_residual, &m_persistentLayers, &m_exchange, &m_clock})
            *tensor = at::Tensor();
        m_step = Buffers();
        m_stepsRun = 0;
    }

    /// A piece of a prompt.
    void forward(const Slice &slice) override
    {
        const ModelShape &s = m_shape;
        const std::int64_t b = slice.sequences, t = slice.tokens, rows = b * t;
        const cudaStream_t stream = at::cuda::getCurrentCUDAStream(m_device.index());
        Buffers work = buffers(rows);
        const at::Tensor ids =
            at::from_blob(const_cast<std::int64_t *>(slice.ids), {t}, at::kLong).to(m_device); // the same for all
        m_tokens.narrow(0, slice.firstPosition, t)
            .narrow(1, slice.firstSequence, b)
            .copy_(ids.unsqueeze(1).expand({t, b}));
        at::Tensor embedded = at::embedding(m_weights.embedding, ids);
        if (embeddingScale() != 1.0f)
            embedded = embedded * embeddingScale(); // rounded to the dtype
        work.x.view({b, t, s.hidden}).copy_(embedded.unsqueeze(0).expand({b, t, s.hidden}));
        layers(work, stream, &slice);
        if (!slice.last)
            return;
        const auto lastOf = [&](const at::Tensor &tensor) {
            return tensor.view({b, t, s.hidden}).select(1, t - 1).contiguous();
        };
        at::Tensor x = lastOf(work.x), y = lastOf(work.y), normed = at::empty_like(y);
        at::Tensor logits = m_logits.narrow(0, slice.firstSequence, b);
        head(x, y, normed, logits, stream);
        // The prompt's last token is at position p - 1, so that the pick lands at p.
        movePosition(slice.firstPosition + t - 1);
        pick(logits, slice.firstSequence, false, stream);
        movePosition(slice.firstPosition + t);
    }

    void copyFirstSequence(std::int64_t tokens) override
    {
        const auto spread = [&](const at::Tensor &tensor) {
            tensor.narrow(0, 1, m_batch - 1).copy_(tensor.narrow(0, 0, 1).expand_as(tensor.narrow(0, 1, m_batch - 1)));
        };
        for (auto *side : {&m_keys, &m_values})
            for (const at::Tensor &layer : *side)
                spread(layer.narrow(2, 0, tokens));
        spread(m_logits);
        spread(m_tokens.narrow(0, 0, tokens + 1).t());
    }

    void synchronise() override { C10_CUDA_CHECK(cudaStreamSynchronize(at::cuda::getCurrentCUDAStream(m_device.index()))); }

    /// After a prefill, whose own count of tokens the base class sets only then.
    std::vector<std::int64_t> picked() const override { return {}; }
    void setNewest(const std::vector<std::int64_t> &) override {}

    std::vector<float> logits(std::int64_t sequence) const override
    {
        const at::Tensor host = m_logits.select(0, sequence).to(at::kFloat).to(at::kCPU);
        return std::vector<float>(host.data_ptr<float>(), host.data_ptr<float>() + m_shape.vocab);
    }

private:
    /// Working memory of `rows` rows, a tensor [rows, width] each.
    struct Buffers {
        at::Tensor x, normed, qkv, q, mixed, y, gateUp, active;
    };
    Buffers buffers(std::int64_t rows) const
    {
        const ModelShape &s = m_shape;
        const auto make = [&](std::int64_t width) { return at::empty({rows, width}, m_options); };
        const std::int64_t queries = s.heads * s.headDim;
        const at::Tensor x = needsWideResidual() ? at::empty({rows, s.hidden}, m_options.dtype(at::kFloat)) : make(s.hidden);
        return {x,
                make(s.hidden),
                make(queries + 2 * s.kvHeads * s.headDim),
                make(queries),
                make(queries),
                make(s.hidden),
                make(2 * s.ffn),
                make(s.ffn)};
    }

    static void check(cudaError_t status) { C10_CUDA_CHECK(status); }

    void movePosition(std::int64_t position)
    {
        movePositionOn(position, at::cuda::getCurrentCUDAStream(m_device.index()));
    }
    void movePositionOn(std::int64_t position, cudaStream_t stream)
    {
        check(cuda::setPosition(data<std::int64_t>(m_position), position, stream));
    }

    std::vector<std::int64_t> row(std::int64_t position) const
    {
        const at::Tensor host = m_tokens.select(0, position).to(at::kCPU);
        return std::vector<std::int64_t>(host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + m_batch);
    }

    /// x += y with its bias, normed first where `yWeight` is defined; out = norm of x.
    void norm(at::Tensor &x, const at::Tensor *y, const at::Tensor &bias, const at::Tensor &yWeight, const at::Tensor &weight,
              at::Tensor &out, cudaStream_t stream)
    {
        cuda::AddNormArgs args{};
        args.x = data(x);
        args.y = y ? data(*y) : nullptr;
        args.bias = y ? data<float>(bias) : nullptr;
        args.yWeight = y ? data<float>(yWeight) : nullptr;
        args.wideX = needsWideResidual();
        args.weight = data<float>(weight);
        args.out = data(out);
        args.rows = x.size(0);
        args.hidden = m_shape.hidden;
        args.eps = static_cast<float>(m_shape.rmsNormEps);
        check(cuda::addNorm(m_dtype, args, stream));
    }

    /// All layers over work.x. What the last layer adds is left in work.y: the next norm adds it. `slice` null: a decode
    /// step, whose position is on the device.
    void layers(Buffers &work, cudaStream_t stream, const Slice *slice)
    {
        const ModelShape &s = m_shape;
        const std::int64_t rows = work.x.size(0);
        for (std::int64_t index = 0; index < s.layers; ++index) {
            const LayerWeights &w = m_weights.layers[std::size_t(index)];
            const at::Tensor *matrices = &m_transposed[std::size_t(index) * 4];
            const bool first = index == 0;
            const LayerWeights &before = m_weights.layers[std::size_t(first ? index : index - 1)];
            mark(StepPart::Norms, index);
            norm(work.x, first ? nullptr : &work.y, before.downBias, before.postFeedforwardNorm, w.inputNorm, work.normed,
                 stream);
            mark(StepPart::Qkv, index);
            at::mm_out(work.qkv, work.normed, matrices[0]);

            mark(StepPart::Rope, index);
            cuda::RopeAppendArgs rope{};
            rope.qkv = data(work.qkv);
            rope.bias = data<float>(w.qkvBias);
            rope.qNorm = data<float>(w.qNorm);
            rope.kNorm = data<float>(w.kNorm);
            const bool local = usesLocalRope(index);
            rope.cosine = data<float>(local ? m_localCos : m_cos);
            rope.sine = data<float>(local ? m_localSin : m_sin);
            rope.position = slice ? nullptr : data<std::int64_t>(m_position);
            rope.firstPosition = slice ? slice->firstPosition : 0;
            rope.q = data(work.q);
            const std::int64_t firstSequence = slice ? slice->firstSequence : 0;
            rope.keys = data(m_keys[std::size_t(index)].select(0, firstSequence));
            rope.values = data(m_values[std::size_t(index)].select(0, firstSequence));
            rope.rows = rows;
            rope.tokens = slice ? slice->tokens : 1;
            rope.heads = s.heads;
            rope.kvHeads = s.kvHeads;
            rope.headDim = s.headDim;
            rope.maxContext = m_maxContext;
            rope.eps = static_cast<float>(s.rmsNormEps);
            check(cuda::ropeAppend(m_dtype, rope, stream));

            mark(StepPart::Attention, index);
            if (slice)
                attendPrompt(work, *slice, index);
            else
                attendStep(work, index, stream);
            mark(StepPart::Output, index);
            at::mm_out(work.y, work.mixed, matrices[1]);
            mark(StepPart::Norms, index);
            norm(work.x, &work.y, w.oBias, w.postAttentionNorm, w.postNorm, work.normed, stream);
            mark(StepPart::GateUp, index);
            at::mm_out(work.gateUp, work.normed, matrices[2]);

            mark(StepPart::Activation, index);
            cuda::ActivateArgs activate{};
            activate.gateUp = data(work.gateUp);
            activate.bias = data<float>(w.gateUpBias);
            activate.out = data(work.active);
            activate.rows = rows;
            activate.ffn = s.ffn;
            activate.gelu = s.activation == Activation::GeluTanh;
            check(cuda::activate(m_dtype, activate, stream));
            mark(StepPart::Down, index);
            at::mm_out(work.y, work.active, matrices[3]);
        }
    }

    void head(at::Tensor &x, const at::Tensor &y, at::Tensor &normed, at::Tensor &logits, cudaStream_t stream)
    {
        const LayerWeights &last = m_weights.layers.back();
        mark(StepPart::Norms);
        norm(x, &y, last.downBias, last.postFeedforwardNorm, m_weights.finalNorm, normed, stream);
        mark(StepPart::Head);
        at::mm_out(logits, normed, m_headTransposed);
    }

    void pick(const at::Tensor &logits, std::int64_t firstSequence, bool advance, cudaStream_t stream, bool overlap = false)
    {
        cuda::PickArgs args{};
        args.logits = data(logits);
        args.tokens = data<std::int64_t>(m_tokens);
        args.position = data<std::int64_t>(m_position);
        args.partial = data(m_pickPartial);
        args.counters = data<unsigned>(m_pickCounters);
        args.sequences = logits.size(0);
        args.firstSequence = firstSequence;
        args.batch = m_batch;
        args.vocab = m_shape.vocab;
        args.advance = advance;
        args.overlap = overlap;
        check(cuda::pick(m_dtype, args, stream));
    }

    /// Runs a step on a side stream, which sets up there what a capture must not (library handles, their working memory,
    /// kernels loaded at first use), then captures one on that stream: a capture does not run.
    void prepareGraph(cudaStream_t stream)
    {
        // One for all decoders: libtorch's matrix library keeps working memory for each stream that it was used on.
        static std::map<int, c10::cuda::CUDAStream> sides;
        const auto found = sides.find(m_device.index());
        const c10::cuda::CUDAStream side =
            found != sides.end()
                ? found->second
                : sides.emplace(m_device.index(), c10::cuda::getStreamFromPool(false, m_device.index())).first->second;
        const c10::cuda::CUDAStreamGuard guard(side);
        check(cudaStreamSynchronize(stream));
        if (m_mode == DecodeMode::Fused) {
            chooseProducts(side.stream());
            return;
        }
        launchStep(side.stream());
        check(cudaStreamSynchronize(side.stream()));
        m_graph.capture(side.stream(), [&] { launchStep(side.stream()); });
        check(cudaStreamSynchronize(side.stream()));
    }

    /// How the products of a fused step are made.
    enum class Products {
        OneKernel, ///< the whole step is one kernel
        OwnNormed, ///< own kernels with the norm within
        Own,       ///< own kernels behind a kernel that norms
        Warpgroup, ///< likewise, each by what was fastest for it: own kernels or those of warpgroup instructions
        Library    ///< libtorch's
    };
    static const char *productsName(Products products)
    {
        return products == Products::OneKernel   ? "one kernel"
               : products == Products::OwnNormed ? "own with norm"
               : products == Products::Own       ? "own"
               : products == Products::Warpgroup ? "warpgroups"
                                                 : "libtorch";
    }

    /// A kind of fused step.
    struct Candidate {
        Products products = Products::Library;
        bool early = false;  ///< the product after attention may start to fetch while the one before it ends
        bool stream = false; ///< attention by blocks that go from context to context
        std::string name() const { return fmt::format("{}{}{}", productsName(products), early ? " early" : "", stream ? " streamed" : ""); }
    };

    bool ownProducts(std::int64_t columns, bool normed) const
    {
        return cuda::linearSupports(m_dtype, columns, m_batch, normed, m_computeCapability, m_sharedLimit);
    }

    /// Captures a fused step with each kind of product that this batch can have, times each and keeps the fastest. Leaves
    /// one step done, as prepareGraph() promises. The trials write the same positions again and again.
    void chooseProducts(cudaStream_t stream)
    {
        constexpr int replays = 5;
        std::vector<Candidate> candidates;
        const auto add = [&](Products products) {
            candidates.push_back({products, false, false});
            if (!overlaps())
                return;
            candidates.push_back({products, false, true});
            if (products != Products::Library)
                candidates.push_back({products, true, false}), candidates.push_back({products, true, true});
        };
        add(Products::Library);
        const bool own = ownProducts(m_shape.heads * m_shape.headDim, false) && ownProducts(m_shape.ffn, false);
        if (own && ownProducts(m_shape.hidden, false))
            add(Products::Own);
        if (own && ownProducts(m_shape.hidden, true))
            add(Products::OwnNormed);
        if (m_persistent.blocks > 0)
            candidates.push_back({Products::OneKernel, false, false});
        // For tests and for whoever wants to see the others: one kind, where this batch can have it.
        const char *variable = std::getenv("RIDGEPOINT_FUSED_PRODUCTS");
        const std::string wanted = variable ? variable : "";
        // Tuning takes a second, which one kernel has no need of.
        if ((wanted.starts_with(productsName(Products::Warpgroup)) || m_persistent.blocks == 0) && tunePlans(stream))
            add(Products::Warpgroup);
        std::vector<Candidate> those;
        for (const Candidate &candidate : candidates)
            if (wanted == candidate.name() || wanted == productsName(candidate.products))
                those.push_back(candidate);
        if (!those.empty())
            candidates = those;
        float best = 0;
        std::string told;
        Candidate chosen = candidates.front();
        for (const Candidate &candidate : candidates) {
            m_kind = candidate;
            StepGraph graph;
            const float ms = timedStep(graph, replays, stream);
            told += fmt::format("{}{} {:.3f} ms", told.empty() ? "" : ", ", candidate.name(), ms);
            if (!m_graph.captured() || ms < best) {
                best = ms;
                chosen = candidate;
                m_graph.swap(graph);
            }
        }
        // The step that counts is one of the chosen kind.
        movePositionOn(m_context, stream);
        m_graph.replay(stream);
        check(cudaStreamSynchronize(stream));
        m_kind = chosen;
        m_productsChoice = fmt::format("products: {}{} (tried: {}); ", m_kind.name(),
                                       m_kind.products == Products::Warpgroup ? fmt::format(" ({})", m_plansText) : "", told);
    }

    /// Captures a step of the kind that is set and times it: the median of its replays, ms. They write the same position again and again.
    float timedStep(StepGraph &graph, int replays, cudaStream_t stream)
    {
        movePositionOn(m_context, stream);
        launchFused(stream);
        check(cudaStreamSynchronize(stream));
        graph.capture(stream, [&] { launchFused(stream); });
        return timed(graph, replays, stream, [&] { movePositionOn(m_context, stream); });
    }
    template <typename Before>
    float timed(StepGraph &graph, int replays, cudaStream_t stream, Before &&before) const
    {
        cudaEvent_t from = nullptr, to = nullptr;
        check(cudaEventCreate(&from));
        check(cudaEventCreate(&to));
        std::vector<float> times;
        for (int i = 0; i < replays; ++i) {
            before();
            check(cudaEventRecord(from, stream));
            graph.replay(stream);
            check(cudaEventRecord(to, stream));
            check(cudaEventSynchronize(to));
            float ms = 0;
            check(cudaEventElapsedTime(&ms, from, to));
            times.push_back(ms);
        }
        check(cudaEventDestroy(from));
        check(cudaEventDestroy(to));
        std::nth_element(times.begin(), times.begin() + replays / 2, times.end());
        return times[std::size_t(replays / 2)];
    }

    bool overlaps() const { return m_computeCapability >= 90; }

    /// Cycles that the first block of a marked step spent on each part. A product's share lasts until its result is there for the
    /// next, with the norm or the activation between them.
    std::map<StepPart, double> partsOfOneKernel() const
    {
        const at::Tensor host = m_clock.to(at::kCPU);
        const std::int64_t *ticks = host.data_ptr<std::int64_t>();
        constexpr StepPart of[] = {StepPart::Qkv, StepPart::Attention, StepPart::Output, StepPart::GateUp, StepPart::Down};
        std::map<StepPart, double> cycles;
        cycles[StepPart::Embed] = double(ticks[1] - ticks[0]);
        for (std::int64_t i = 0; i < 5 * m_shape.layers; ++i)
            cycles[of[i % 5]] += double(ticks[i + 2] - ticks[i + 1]);
        cycles[StepPart::Head] = double(ticks[5 * m_shape.layers + 2] - ticks[5 * m_shape.layers + 1]);
        return cycles;
    }

    /// What the kernel of a whole step needs, where it serves this model, batch and context; m_persistent.blocks is 0 otherwise.
    void preparePersistent()
    {
        const ModelShape &s = m_shape;
        m_persistent = {};
        if (m_batch != 1 || embeddingScale() != 1.0f || m_localCos.defined())
            return;
        cuda::PersistentArgs args{};
        args.layerCount = int(s.layers);
        args.hidden = int(s.hidden);
        args.heads = int(s.heads);
        args.kvHeads = int(s.kvHeads);
        args.headDim = int(s.headDim);
        args.ffn = int(s.ffn);
        args.vocab = int(s.vocab);
        args.maxContext = int(std::min<std::int64_t>(m_maxContext, std::numeric_limits<int>::max()));
        args.eps = float(s.rmsNormEps);
        args.scale = float(attentionScale());
        args.gelu = s.activation == Activation::GeluTanh;
        args.blocks = m_multiprocessors;
        if (!cuda::persistentSupports(m_dtype, args, m_computeCapability, m_sharedLimit))
            return;
        std::vector<cuda::PersistentLayer> layers;
        for (std::int64_t index = 0; index < s.layers; ++index) {
            const LayerWeights &w = m_weights.layers[std::size_t(index)];
            if (w.postAttentionNorm.defined() || w.postFeedforwardNorm.defined())
                return; // norms of a whole output, which no block has
            cuda::PersistentLayer layer{};
            layer.qkv = data(w.qkv);
            layer.o = data(w.o);
            layer.gateUp = data(w.gateUp);
            layer.down = data(w.down);
            layer.qkvBias = data<float>(w.qkvBias);
            layer.oBias = data<float>(w.oBias);
            layer.gateUpBias = data<float>(w.gateUpBias);
            layer.downBias = data<float>(w.downBias);
            layer.inputNorm = data<float>(w.inputNorm);
            layer.postNorm = data<float>(w.postNorm);
            layer.qNorm = data<float>(w.qNorm);
            layer.kNorm = data<float>(w.kNorm);
            layer.keys = data(m_keys[std::size_t(index)]);
            layer.values = data(m_values[std::size_t(index)]);
            layer.window = windowOf(index);
            for (const void *matrix : {layer.qkv, layer.o, layer.gateUp, layer.down})
                if (reinterpret_cast<std::uintptr_t>(matrix) % 16 != 0)
                    return; // a bulk copy takes it no other way
            layers.push_back(layer);
        }
        const auto bytes = m_options.dtype(at::kByte);
        m_persistentLayers = at::from_blob(layers.data(), {std::int64_t(layers.size() * sizeof(layers[0]))}, at::kByte).to(m_device);
        m_exchange = at::zeros({cuda::persistentExchangeBytes(args)}, bytes);
        args.layers = static_cast<const cuda::PersistentLayer *>(m_persistentLayers.data_ptr());
        args.embedding = data(m_weights.embedding);
        args.head = data(m_weights.head);
        args.finalNorm = data<float>(m_weights.finalNorm);
        args.cosine = data<float>(m_cos);
        args.sine = data<float>(m_sin);
        args.tokens = data<std::int64_t>(m_tokens);
        args.position = data<std::int64_t>(m_position);
        args.logits = data(m_logits);
        args.exchange = data(m_exchange);
        m_clock = at::zeros({cuda::persistentTicks(args.layerCount)}, m_options.dtype(at::kLong));
        m_persistent = args;
    }

    /// The products of a step, in their order within a layer.
    enum Product { Qkv, Output, GateUp, Down, Head, kProducts };
    static cuda::LinearEnd endOf(Product product)
    {
        return product == GateUp                       ? cuda::LinearEnd::Activate
               : product == Output || product == Down ? cuda::LinearEnd::Add
                                                       : cuda::LinearEnd::Store;
    }
    const at::Tensor &weightOf(Product product, std::int64_t layer) const
    {
        if (product == Head)
            return m_weights.head;
        const LayerWeights &w = m_weights.layers[std::size_t(layer)];
        return product == Qkv ? w.qkv : product == Output ? w.o : product == GateUp ? w.gateUp : w.down;
    }

    cuda::LinearArgs linearArgs(const at::Tensor &weight, const at::Tensor &in, const float *normWeight, const float *bias, const at::Tensor &out,
                                cuda::LinearEnd end) const
    {
        cuda::LinearArgs args{};
        args.weight = data(weight);
        args.bias = bias;
        args.in = data(in);
        args.norm = normWeight;
        args.out = data(out);
        args.rows = end == cuda::LinearEnd::Activate ? weight.size(0) / 2 : weight.size(0);
        args.columns = weight.size(1);
        args.batch = m_batch;
        args.eps = static_cast<float>(m_shape.rmsNormEps);
        args.end = end;
        args.gelu = m_shape.activation == Activation::GeluTanh;
        args.overlap = overlaps();
        args.blocks = m_multiprocessors;
        return args;
    }
    void runLinear(const cuda::LinearArgs &args, const cuda::WarpgroupPlan &plan, cudaStream_t stream) const
    {
        check(plan.width > 0 ? cuda::warpgroupLinear(m_dtype, args, plan, m_sharedLimit, stream) : cuda::linear(m_dtype, args, stream));
    }
    /// in [batch, weight columns] times a weight, by own kernels. `out` of T, or the residual stream.
    void ownLinear(Product product, const at::Tensor &weight, const at::Tensor &in, const float *normWeight, const float *bias, at::Tensor &out,
                   cuda::LinearEnd end, cudaStream_t stream)
    {
        runLinear(linearArgs(weight, in, normWeight, bias, out, end), m_kind.products == Products::Warpgroup ? m_plans[product] : cuda::WarpgroupPlan{}, stream);
    }

    /// Times each product of a step in the ways that the warpgroup instructions and this card allow, over the weights of some layers; then
    /// the whole step with each of the best, since kernels that follow each other get on more or less well. Keeps the fastest in m_plans.
    /// False where one of them can't be had. Leaves nothing that a step reads.
    bool tunePlans(cudaStream_t stream)
    {
        constexpr int replays = 3;
        constexpr std::size_t finalists = 6;
        constexpr std::int64_t enough = 256 << 20; // bytes of weights that no cache keeps
        struct Timed {
            cuda::WarpgroupPlan plan;
            float ms;
        };
        std::vector<Timed> ranked[kProducts];
        for (int p = 0; p < kProducts; ++p) {
            const Product product = Product(p);
            const auto argsOf = [&](std::int64_t layer) {
                const at::Tensor &in = product == Output ? m_step.mixed : product == Down ? m_step.active : m_step.normed;
                const at::Tensor &out = product == Qkv      ? m_step.qkv
                                        : product == GateUp ? m_step.active
                                        : product == Head   ? m_logits
                                                            : m_residual;
                return linearArgs(weightOf(product, layer), in, nullptr, nullptr, out, endOf(product));
            };
            const cuda::LinearArgs sample = argsOf(0);
            if (!cuda::warpgroupSupports(m_dtype, sample, m_computeCapability, m_sharedLimit))
                return false;
            std::vector<cuda::WarpgroupPlan> plans = cuda::warpgroupPlans(sample, m_sharedLimit);
            if (ownProducts(sample.columns, false))
                plans.push_back({});
            const std::int64_t each = weightOf(product, 0).numel() * 2;
            const std::int64_t launches = product == Head ? 2 : std::min<std::int64_t>(m_shape.layers, enough / each + 2);
            for (const cuda::WarpgroupPlan &plan : plans) {
                StepGraph graph;
                try {
                    graph.capture(stream, [&] {
                        for (std::int64_t i = 0; i < launches; ++i) {
                            cuda::LinearArgs args = argsOf(product == Head ? 0 : i);
                            args.overlap = args.overlap && i > 0;
                            runLinear(args, plan, stream);
                        }
                    });
                } catch (const c10::Error &) {
                    continue; // a plan that this card's shared memory or clusters do not take
                }
                ranked[p].push_back({plan, timed(graph, replays, stream, [] {})});
            }
            if (ranked[p].empty())
                return false;
            std::sort(ranked[p].begin(), ranked[p].end(), [](const Timed &a, const Timed &b) { return a.ms < b.ms; });
            ranked[p].resize(std::min(ranked[p].size(), finalists));
            m_plans[p] = ranked[p].front().plan;
        }
        m_kind = {Products::Warpgroup, false, true};
        const auto step = [&] {
            StepGraph graph;
            return timedStep(graph, replays, stream);
        };
        float least = step();
        for (const Product product : {GateUp, Down, Qkv, Output, Head})
            for (std::size_t i = 1; i < ranked[product].size(); ++i) {
                const cuda::WarpgroupPlan kept = std::exchange(m_plans[product], ranked[product][i].plan);
                const float ms = step();
                if (ms < least)
                    least = ms;
                else
                    m_plans[product] = kept;
            }
        const char *const names[kProducts] = {"q/k/v", "output", "gate/up", "down", "head"};
        m_plansText.clear();
        for (int p = 0; p < kProducts; ++p)
            m_plansText += fmt::format("{}{} {}", p == 0 ? "" : ", ", names[p],
                                       m_plans[p].width == 0 ? "own" : fmt::format("{} rows x {}", m_plans[p].width, m_plans[p].splits));
        return true;
    }

    /// A product whose input is the normed residual stream, after what still waits to be added to it.
    struct Waiting {
        bool any = false; ///< m_step.y
        const at::Tensor *bias = nullptr, *norm = nullptr;
    };
    void fusedNormed(Product product, StepPart part, std::int64_t layer, const at::Tensor &weight, const at::Tensor &transposed,
                     const at::Tensor &normWeight, Waiting &waiting, at::Tensor &out, cuda::LinearEnd end, const float *bias,
                     cudaStream_t stream)
    {
        if (!waiting.any && m_kind.products == Products::OwnNormed) {
            mark(part, layer);
            ownLinear(product, weight, m_residual, data<float>(normWeight), bias, out, end, stream);
            return;
        }
        mark(StepPart::Norms, layer);
        cuda::AddNormArgs norm{};
        norm.x = data(m_residual);
        norm.y = waiting.any ? data(m_step.y) : nullptr;
        norm.bias = waiting.any && waiting.bias ? data<float>(*waiting.bias) : nullptr;
        norm.yWeight = waiting.any && waiting.norm ? data<float>(*waiting.norm) : nullptr;
        norm.wideX = true;
        norm.weight = data<float>(normWeight);
        norm.out = data(m_step.normed);
        norm.rows = m_batch;
        norm.hidden = m_shape.hidden;
        norm.eps = static_cast<float>(m_shape.rmsNormEps);
        norm.overlap = overlaps();
        check(cuda::addNorm(m_dtype, norm, stream));
        waiting = {};
        mark(part, layer);
        if (m_kind.products != Products::Library) {
            ownLinear(product, weight, m_step.normed, nullptr, bias, out, end, stream);
        } else if (end == cuda::LinearEnd::Activate) {
            at::mm_out(m_step.gateUp, m_step.normed, transposed);
            mark(StepPart::Activation, layer);
            cuda::ActivateArgs activate{};
            activate.gateUp = data(m_step.gateUp);
            activate.bias = bias;
            activate.out = data(out);
            activate.rows = m_batch;
            activate.ffn = m_shape.ffn;
            activate.gelu = m_shape.activation == Activation::GeluTanh;
            check(cuda::activate(m_dtype, activate, stream));
        } else {
            at::mm_out(out, m_step.normed, transposed);
        }
    }

    /// A product that is added to the residual stream: at once by own kernels, by the next norm otherwise.
    void fusedAdded(Product product, const at::Tensor &weight, const at::Tensor &transposed, const at::Tensor &in, const at::Tensor &bias,
                    const at::Tensor &norm, Waiting &waiting, cudaStream_t stream)
    {
        if (m_kind.products != Products::Library && !norm.defined()) {
            ownLinear(product, weight, in, nullptr, data<float>(bias), m_residual, cuda::LinearEnd::Add, stream);
            return;
        }
        if (m_kind.products != Products::Library)
            ownLinear(product, weight, in, nullptr, nullptr, m_step.y, cuda::LinearEnd::Store, stream);
        else
            at::mm_out(m_step.y, in, transposed);
        waiting = {true, &bias, &norm};
    }

    void launchFused(cudaStream_t stream)
    {
        const ModelShape &s = m_shape;
        if (m_kind.products == Products::OneKernel) {
            mark(StepPart::Other);
            cuda::PersistentArgs args = m_persistent;
            if (m_marks) {
                m_marks->within([this] { return partsOfOneKernel(); });
                args.clock = data<long long>(m_clock);
            }
            check(cuda::persistentStep(m_dtype, args, m_sharedLimit, stream));
            markEnd();
            return;
        }
        mark(StepPart::Embed);
        cuda::EmbedArgs embed{};
        embed.embedding = data(m_weights.embedding);
        embed.tokens = data<std::int64_t>(m_tokens);
        embed.position = data<std::int64_t>(m_position);
        embed.x = data(m_residual);
        embed.batch = m_batch;
        embed.hidden = s.hidden;
        embed.scale = embeddingScale();
        embed.wideX = true;
        embed.overlap = false; // behind the last kernel of the step before, which others may have issued
        check(cuda::embed(m_dtype, embed, stream));
        Waiting waiting;
        for (std::int64_t index = 0; index < s.layers; ++index) {
            const LayerWeights &w = m_weights.layers[std::size_t(index)];
            const at::Tensor *transposed = &m_transposed[std::size_t(index) * 4];
            fusedNormed(Qkv, StepPart::Qkv, index, w.qkv, transposed[0], w.inputNorm, waiting, m_step.qkv, cuda::LinearEnd::Store, nullptr, stream);
            mark(StepPart::Attention, index);
            attendStep(m_step, index, stream);
            mark(StepPart::Output, index);
            fusedAdded(Output, w.o, transposed[1], m_step.mixed, w.oBias, w.postAttentionNorm, waiting, stream);
            fusedNormed(GateUp, StepPart::GateUp, index, w.gateUp, transposed[2], w.postNorm, waiting, m_step.active, cuda::LinearEnd::Activate,
                        data<float>(w.gateUpBias), stream);
            mark(StepPart::Down, index);
            fusedAdded(Down, w.down, transposed[3], m_step.active, w.downBias, w.postFeedforwardNorm, waiting, stream);
        }
        fusedNormed(Head, StepPart::Head, -1, m_weights.head, m_headTransposed, m_weights.finalNorm, waiting, m_logits, cuda::LinearEnd::Store, nullptr,
                    stream);
        mark(StepPart::Pick);
        pick(m_logits, 0, true, stream, m_kind.products != Products::Library && overlaps());
        markEnd();
    }

    void launchStep(cudaStream_t stream)
    {
        if (m_mode == DecodeMode::Fused) {
            launchFused(stream);
            return;
        }
        mark(StepPart::Embed);
        cuda::EmbedArgs embed{};
        embed.embedding = data(m_weights.embedding);
        embed.tokens = data<std::int64_t>(m_tokens);
        embed.position = data<std::int64_t>(m_position);
        embed.x = data(m_step.x);
        embed.batch = m_batch;
        embed.hidden = m_shape.hidden;
        embed.scale = embeddingScale();
        embed.wideX = needsWideResidual();
        check(cuda::embed(m_dtype, embed, stream));
        layers(m_step, stream, nullptr);
        head(m_step.x, m_step.y, m_step.normed, m_logits, stream);
        mark(StepPart::Pick);
        pick(m_logits, 0, true, stream);
        markEnd();
    }

    void attendStep(Buffers &work, std::int64_t layer, cudaStream_t stream)
    {
        const ModelShape &s = m_shape;
        cuda::AttendArgs args{};
        args.q = data(work.q);
        args.keys = data(m_keys[std::size_t(layer)]);
        args.values = data(m_values[std::size_t(layer)]);
        args.position = data<std::int64_t>(m_position);
        args.out = data(work.mixed);
        args.partial = data<float>(m_partial);
        args.counters = data<unsigned>(m_counters);
        args.batch = m_batch;
        args.heads = s.heads;
        args.kvHeads = s.kvHeads;
        args.headDim = s.headDim;
        args.maxContext = m_maxContext;
        args.window = windowOf(layer);
        args.scale = static_cast<float>(attentionScale());
        args.splits = m_splits;
        args.tensorCores = m_tensorCores;
        if (m_mode == DecodeMode::Fused) {
            const LayerWeights &w = m_weights.layers[std::size_t(layer)];
            const bool local = usesLocalRope(layer);
            args.raw.qkv = data(work.qkv);
            args.raw.bias = data<float>(w.qkvBias);
            args.raw.qNorm = data<float>(w.qNorm);
            args.raw.kNorm = data<float>(w.kNorm);
            args.raw.cosine = data<float>(local ? m_localCos : m_cos);
            args.raw.sine = data<float>(local ? m_localSin : m_sin);
            args.raw.eps = static_cast<float>(s.rmsNormEps);
            args.overlap = overlaps();
            args.early = m_kind.early;
            args.stream = m_kind.stream;
        }
        check(cuda::attend(m_dtype, args, stream));
    }

    void attendPrompt(Buffers &work, const Slice &slice, std::int64_t layer)
    {
        const ModelShape &s = m_shape;
        const std::int64_t b = slice.sequences, t = slice.tokens, end = slice.firstPosition + t;
        const std::int64_t window = windowOf(layer);
        const at::Tensor q = work.q.view({b, t, s.heads, s.headDim}).transpose(1, 2);
        const at::Tensor k = m_keys[std::size_t(layer)].narrow(0, slice.firstSequence, b).narrow(2, 0, end);
        const at::Tensor v = m_values[std::size_t(layer)].narrow(0, slice.firstSequence, b).narrow(2, 0, end);
        at::Tensor mixed = work.mixed.view({b, t, s.heads, s.headDim});
#ifdef RIDGEPOINT_GQA_ATTENTION
        if (m_fusedPrefill && slice.firstPosition == 0 && (window == 0 || t <= window)) {
            mixed.copy_(at::scaled_dot_product_attention(q, k, v, {}, 0.0, true, attentionScale(), true)
                            .transpose(1, 2));
            return;
        }
#endif
        attendByProducts(q, k, v, slice.firstPosition, window, mixed);
    }

    /// The heads of a group become rows of one product with their kv head, so that K and V are used where they lie; scores
    /// of a piece of the prompt at a time. q [b, heads, t, headDim]; k, v [b, kvHeads, end, headDim]; out [b, t, heads,
    /// headDim].
    void attendByProducts(const at::Tensor &q, const at::Tensor &keys, const at::Tensor &values, std::int64_t firstPosition,
                          std::int64_t window, at::Tensor &out) const
    {
        const ModelShape &s = m_shape;
        const std::int64_t b = q.size(0), t = q.size(2), group = s.heads / s.kvHeads;
        const double perToken = double(b) * double(s.heads) * double(firstPosition + t) * 8.0;
        const std::int64_t piece = std::max<std::int64_t>(1, std::min(t, std::int64_t(kScoreBytes / perToken)));
        const double scale = attentionScale();
        for (std::int64_t first = 0; first < t; first += piece) {
            const std::int64_t count = std::min(piece, t - first);
            const std::int64_t position = firstPosition + first, end = position + count;
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
            out.narrow(1, first, count)
                .copy_(at::matmul(weights, v).view({b, s.heads, count, s.headDim}).transpose(1, 2));
        }
    }

    at::Device m_device;
    DecodeMode m_mode;
    at::TensorOptions m_options;
    int m_multiprocessors = 1;
    bool m_tensorCores = false;
    bool m_fusedPrefill = false;
    std::vector<at::Tensor> m_transposed; ///< four a layer: qkv, o, gateUp, down
    at::Tensor m_headTransposed;
    std::vector<at::Tensor> m_keys, m_values; ///< a layer each: [batch, kvHeads, maxContext, headDim]
    at::Tensor m_cos, m_sin;                  ///< [maxContext, headDim / 2], fp32
    at::Tensor m_localCos, m_localSin;        ///< those of the sliding layers where they have a base of their own
    at::Tensor m_tokens;                      ///< [maxContext + 1, batch]: the token at each position
    at::Tensor m_position;                    ///< [1]: tokens in the cache
    at::Tensor m_logits;                      ///< [batch, vocab]
    at::Tensor m_residual;                    ///< mode fused: [batch, hidden], fp32
    Candidate m_kind;
    cuda::WarpgroupPlan m_plans[kProducts]; ///< width 0: the own kernel
    std::string m_plansText;
    cuda::PersistentArgs m_persistent{};        ///< blocks 0: this batch and shape are not served by one kernel
    at::Tensor m_persistentLayers, m_exchange, m_clock;
    std::string m_productsChoice; ///< for the record
    int m_computeCapability = 0;  ///< 75, 90
    std::int64_t m_sharedLimit = 0; ///< shared memory that a block may have, B
    at::Tensor m_partial, m_counters, m_pickPartial, m_pickCounters;
    int m_splits = 1;
    Buffers m_step;
    std::int64_t m_stepsRun = 0; ///< since the cache was allocated
    StepGraph m_graph;
};

} // namespace

std::string whyNotOnCuda(const ModelShape &shape)
{
    if (cuda::kernelsSupport(shape.hidden, shape.ffn, shape.headDim))
        return {};
    return fmt::format("{} has sizes that the GPU kernels do not take (hidden {}, ffn {}, head dimension {}: multiples of 8, "
                       "a head of at most 256).",
                       shape.id, shape.hidden, shape.ffn, shape.headDim);
}

std::unique_ptr<Decoder> makeCudaDecoder(ModelShape shape, DecoderWeights weights, DType dtype, const at::Device &device,
                                         DecodeMode mode)
{
    return std::make_unique<CudaDecoder>(std::move(shape), std::move(weights), dtype, device, mode);
}

} // namespace ridgepoint
