// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/calibrate.h"

#include "core/torch/bandwidth.h"
#include "core/torch/host.h"
#include "core/torch/linear.h"

#include <ATen/ATen.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace ridgepoint {

namespace {

at::ScalarType scalarType(DType dtype)
{
    switch (dtype) {
    case DType::F32:
        return at::kFloat;
    case DType::F16:
        return at::kHalf;
    case DType::BF16:
        return at::kBFloat16;
    }
    return at::kFloat;
}

class Calibration {
public:
    Calibration(RunContext &context, CalibrationDepth depth, int threads)
        : m_context(context), m_full(depth == CalibrationDepth::Full), m_threads(threads),
          m_device(context.plan.device), m_info(context.device.info())
    {
        m_result.runId = context.plan.runId;
        m_result.ceilings.dateUtc = host::utcNow();
        m_result.ceilings.threads = m_device.is_cpu() ? threads : 0;
    }

    CalibrationResult run()
    {
        bandwidth();
        products();
        launch();
        step();
        tell("done", 1, true);
        return std::move(m_result);
    }

private:
    void tell(const std::string &what, double fraction, bool always = false)
    {
        m_context.checkStop();
        m_context.progress("Calibration: " + what, fraction, kMissing, always);
    }

    /// Keeps the samples of one figure: best of a rate, median of a time.
    double keep(const std::string &what, const std::string &unit, const std::vector<double> &values)
    {
        CalibrationSample sample;
        sample.what = what;
        sample.unit = unit;
        sample.median = median(values);
        sample.value = unit == "s" ? sample.median : *std::max_element(values.begin(), values.end());
        sample.spread = (percentile(values, 0.9) - percentile(values, 0.1)) / sample.median;
        m_result.samples.push_back(sample);
        return sample.value;
    }

    /// Seconds of each call of `work`, the device's wait included, until the budget is spent.
    template <typename Work>
    std::vector<double> repeat(PassBudget budget, Work &&work)
    {
        std::vector<double> seconds;
        const Clock::time_point began = Clock::now();
        for (;;) {
            m_context.checkStop();
            const Clock::time_point from = Clock::now();
            work();
            m_context.device.synchronise();
            const Clock::time_point to = Clock::now();
            seconds.push_back(secondsBetween(from, to));
            const int passes = static_cast<int>(seconds.size());
            if (passes >= 3 && (passes >= budget.passes || secondsBetween(began, to) >= budget.seconds))
                return seconds;
        }
    }

    /// Bytes of a buffer that the last-level cache can hold only a small part of: 16 times its size where a quarter of the
    /// free memory allows it, 4 times at least. 0: not even that fits.
    double bufferBytes() const
    {
        constexpr double unknownCache = 64.0 * 1024 * 1024;
        const double cache = m_info.lastLevelCacheBytes > 0 ? m_info.lastLevelCacheBytes : unknownCache;
        double allowed = m_context.device.freeBytes() / 4;
        if (m_context.plan.memoryLimitBytes > 0)
            allowed = std::min(allowed, m_context.plan.memoryLimitBytes / 4);
        if (!(allowed >= 4 * cache))
            return 0;
        // 512 MB at least, because a virtual machine may not be told of all the cache that it shares.
        return std::min(std::max(16 * cache, 512.0 * 1024 * 1024), allowed);
    }

    void bandwidth()
    {
        const double bytes = bufferBytes();
        if (bytes <= 0) {
            if (m_full)
                throw Error(ErrorKind::Failure,
                            fmt::format("The bandwidth of {} cannot be measured: a buffer of four times the last-level "
                                        "cache must fit into a quarter of the free memory (and of the run's memory "
                                        "limit). Close other programs or raise the limit.",
                                        m_context.plan.device));
            return;
        }
        tell("read bandwidth", 0.02);
        const PassBudget budget{m_full ? 1.5 : 0.6, m_full ? 60 : 24};
        const std::vector<double> reads = m_device.is_cpu()
                                              ? measureHostReads(static_cast<std::size_t>(bytes), m_threads, budget,
                                                                 m_context.stop)
                                              : deviceReads(bytes, budget);
        if (!reads.empty())
            m_result.ceilings.readBandwidth = keep("read", "B/s", reads);
        tell("copy bandwidth", 0.2);
        const PassBudget copyBudget{m_full ? 1.0 : 0.3, m_full ? 40 : 12};
        const std::vector<double> copies = m_device.is_cpu()
                                               ? measureHostCopies(static_cast<std::size_t>(bytes), m_threads,
                                                                   copyBudget, m_context.stop)
                                               : deviceCopies(bytes, copyBudget);
        if (!copies.empty())
            m_result.ceilings.copyBandwidth = keep("copy", "B/s", copies);
        if (m_full && !m_result.ceilings.readBandwidth)
            throw Error(ErrorKind::Failure, "The memory for measuring the bandwidth could not be had: close other "
                                            "programs and calibrate again.");
    }

    at::Tensor randomBuffer(double bytes) const
    {
        const auto elements = static_cast<std::int64_t>(bytes / 4);
        return at::randn({elements}, at::TensorOptions().dtype(at::kFloat).device(m_device));
    }

    std::vector<double> deviceReads(double bytes, PassBudget budget)
    {
        const at::Tensor buffer = randomBuffer(bytes);
        repeat({0, 3}, [&] { at::sum(buffer); });
        std::vector<double> rates = repeat(budget, [&] { at::sum(buffer); });
        for (double &rate : rates)
            rate = static_cast<double>(buffer.nbytes()) / rate;
        return rates;
    }

    std::vector<double> deviceCopies(double bytes, PassBudget budget)
    {
        const at::Tensor from = randomBuffer(bytes / 2);
        at::Tensor to = at::empty_like(from);
        repeat({0, 3}, [&] { to.copy_(from); });
        std::vector<double> rates = repeat(budget, [&] { to.copy_(from); });
        for (double &rate : rates)
            rate = 2 * static_cast<double>(from.nbytes()) / rate;
        return rates;
    }

    /// Square products of each dtype. Large ones come nearest to the peak, so sizes grow until the time is spent.
    void products()
    {
        std::vector<DType> dtypes = m_full ? m_info.dtypes : std::vector<DType>{m_context.plan.dtype};
        std::vector<std::int64_t> sizes = m_full ? std::vector<std::int64_t>{512, 1024, 2048}
                                                 : std::vector<std::int64_t>{512, 1024};
        if (!m_device.is_cpu())
            sizes.insert(sizes.end(), {4096, 8192}); // a GPU is not filled by less
        const double each = m_full ? 0.6 : 0.3;
        double part = 0;
        for (const DType dtype : dtypes) {
            double best = 0;
            double lastSeconds = 0;
            for (const std::int64_t size : sizes) {
                const std::string what = fmt::format("matmul {} {}", dtypeName(dtype), size);
                tell(what, 0.35 + 0.45 * part++ / static_cast<double>(dtypes.size() * sizes.size()));
                // Each size has eight times the work of the one before: no pass of it may outlast the budget.
                if (lastSeconds * 8 > each)
                    break;
                const auto options = at::TensorOptions().dtype(scalarType(dtype)).device(m_device);
                const at::Tensor left = at::randn({size, size}, options);
                const at::Tensor right = at::randn({size, size}, options).t(); // as weights are stored
                at::Tensor product = at::mm(left, right);
                m_context.device.synchronise();
                std::vector<double> rates = repeat({each, 200}, [&] { at::mm_out(product, left, right); });
                lastSeconds = median(rates);
                for (double &rate : rates)
                    rate = 2 * std::pow(static_cast<double>(size), 3) / rate;
                best = std::max(best, keep(what, "FLOP/s", rates));
            }
            if (m_device.is_cpu() && dtype == DType::F32)
                best = std::max(best, ownProduct<float>(dtype, at::kFloat, each));
            if (m_device.is_cpu() && dtype == DType::BF16)
                best = std::max(best, ownProduct<kernels::Bf16>(dtype, at::kBFloat16, each));
            if (best > 0)
                m_result.ceilings.matmulFlops[dtype] = best;
        }
    }

    /// The rate of the product that decoding itself uses, which can lie above that of libtorch: a roof that leaves it out
    /// would be beaten by a measured step.
    template <typename T>
    double ownProduct(DType dtype, at::ScalarType type, double budget)
    {
        constexpr std::int64_t size = 1024, tokens = 64; // 64 sequences a step: compute-bound, and x stays cached
        const std::string what = fmt::format("decode product {} {} x {}", dtypeName(dtype), tokens, size);
        tell(what, 0.8);
        const at::Tensor x = at::randn({tokens, size}, at::kFloat).to(type);
        const at::Tensor weight = at::randn({size, size}, at::kFloat).to(type);
        at::Tensor y = at::empty({tokens, size}, at::kFloat);
        LinearWeights<T> weights;
        weights.in = size;
        weights.pieces.push_back({static_cast<const T *>(weight.data_ptr()), size, nullptr});
        const kernels::Ops<T> &ops = kernels::bestOps<T>();
        std::vector<double> rates = repeat({budget, 400}, [&] {
            linear(ops, weights, static_cast<const T *>(x.data_ptr()), tokens, y.data_ptr<float>(), false);
        });
        for (double &rate : rates)
            rate = 2.0 * double(tokens) * double(size) * double(size) / rate;
        return keep(what, "FLOP/s", rates);
    }

    void launch()
    {
        tell("one trivial operation", 0.8);
        at::Tensor one = at::ones({1}, at::TensorOptions().dtype(at::kFloat).device(m_device));
        // Many in a row: what a queue of launches costs each, without the wait at its end.
        constexpr int row = 100;
        repeat({0, 3}, [&] { one.add_(1); });
        std::vector<double> seconds = repeat({0.1, 50}, [&] {
            for (int i = 0; i < row; ++i)
                one.add_(1);
        });
        for (double &value : seconds)
            value /= row;
        m_result.ceilings.launchOverhead = keep("one operation", "s", seconds);
    }

    void step()
    {
        tell("fixed cost of a step", 0.85);
        const ModelShape &model = m_context.plan.model.shape;
        ModelSource source;
        source.shape = overheadShape(model);
        constexpr int untimed = 10, least = 50, most = 200;
        const std::unique_ptr<Decoder> decoder =
            m_context.createDecoder(source, m_context.plan.dtype, m_context.plan.device, DecodeMode::Eager, 1,
                                    [](double) {}, m_context.stop);
        constexpr std::int64_t prompt = 4;
        decoder->allocateCache(1, prompt + untimed + most);
        decoder->prefill(std::vector<std::int64_t>(prompt, 1), Decoder::PrefillMode::EverySequence);
        for (int i = 0; i < untimed; ++i)
            decoder->step();
        std::vector<double> seconds;
        const Clock::time_point began = Clock::now();
        const double budget = m_full ? 1.5 : 0.5;
        while (static_cast<int>(seconds.size()) < least ||
               (static_cast<int>(seconds.size()) < most && secondsBetween(began, Clock::now()) < budget)) {
            m_context.checkStop();
            const Clock::time_point from = Clock::now();
            decoder->step();
            seconds.push_back(secondsBetween(from, Clock::now()));
        }
        MeasuredCeilings &ceilings = m_result.ceilings;
        ceilings.stepOverhead = keep("step overhead", "s", seconds);
        ceilings.overheadLayers = source.shape.layers;
        ceilings.overheadShape = model.layers > 0 && !model.id.empty() ? model.id : source.shape.id;
    }

    RunContext &m_context;
    bool m_full;
    int m_threads;
    at::Device m_device;
    DeviceInfo m_info;
    CalibrationResult m_result;
};

} // namespace

ModelShape overheadShape(const ModelShape &shape)
{
    ModelShape small = shape;
    if (small.layers <= 0) {
        small = ModelShape{};
        small.architecture = "LlamaForCausalLM";
        small.layers = 22;
        small.heads = 8;
        small.kvHeads = 1;
    }
    const std::int64_t group = small.kvHeads > 0 ? std::max<std::int64_t>(1, small.heads / small.kvHeads) : 1;
    small.id = fmt::format("{} layers", small.layers);
    small.name = small.id;
    small.kvHeads = std::clamp<std::int64_t>(small.kvHeads, 1, 2);
    small.heads = small.kvHeads * group;
    small.headDim = 16;
    small.hidden = 64;
    small.ffn = 64;
    small.vocab = 256;
    small.maxPositions = 4096;
    small.bosToken = -1;
    small.eosTokens.clear();
    return small;
}

CalibrationResult calibrate(RunContext &context, CalibrationDepth depth, int threads)
{
    return Calibration(context, depth, threads).run();
}

} // namespace ridgepoint
