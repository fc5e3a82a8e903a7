// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/calibrate.h"

#include "core/base/format.h"
#include "core/torch/bandwidth.h"
#include "core/torch/host.h"
#include "core/torch/linear.h"
#ifdef RIDGEPOINT_WITH_CUDA
#include "core/cuda/bandwidth_cuda.h"
#include "core/cuda/device_cuda.h"
#endif

#include <ATen/ATen.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>

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
        MeasuredCeilings &ceilings = m_result.ceilings;
        ceilings.threads = m_device.is_cpu() ? threads : 0;
        ceilings.deviceName = m_info.name;
        const DeviceProbe::Identity identity = context.device.identity();
        ceilings.deviceHash = identity.hash;
        ceilings.driver = identity.driver;
    }

    CalibrationResult run()
    {
        part([this] { bandwidth(); });
        m_context.device.releaseCached(); // the buffers' memory: products need it in pieces of another size
        part([this] { products(); });
        part([this] { launch(); });
        part([this] { step(); });
        m_context.device.releaseCached();
        tell("done", 1, true);
        return std::move(m_result);
    }

private:
    /// A brief calibration goes on without what memory did not allow: the run's own points then say that they do not fit.
    template <typename Work>
    void part(Work &&work)
    {
        try {
            work();
        } catch (...) {
            if (m_full || !currentFault().outOfMemory)
                throw;
            m_context.device.releaseCached();
        }
    }

    void tell(const std::string &what, double fraction, bool always = false)
    {
        m_context.checkStop();
        m_context.progress("Calibration: " + what, fraction, kMissing, always);
    }

    /// Long enough for a dozen of the largest products that are timed, short enough to end before the power limit acts.
    static constexpr double kBurstSeconds = 0.03;

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

    /// Seconds of `group` calls of `work` on the device, by its own timer where it has one, else by the wall clock.
    template <typename Work>
    double timed(int group, Work &&work)
    {
        const Clock::time_point from = Clock::now();
        m_context.device.startTimer();
        for (int i = 0; i < group; ++i)
            work();
        const double seconds = m_context.device.stopTimer();
        return std::isfinite(seconds) ? seconds : secondsBetween(from, Clock::now());
    }

    /// Seconds of each call of `work` until the budget is spent; each value is the mean of `group` calls between two readings
    /// of the timer.
    template <typename Work>
    std::vector<double> repeat(PassBudget budget, Work &&work, int group = 1)
    {
        std::vector<double> seconds;
        const Clock::time_point began = Clock::now();
        for (;;) {
            m_context.checkStop();
            seconds.push_back(timed(group, work) / group);
            const int passes = static_cast<int>(seconds.size());
            if (passes >= 3 && (passes >= budget.passes || secondsBetween(began, Clock::now()) >= budget.seconds))
                return seconds;
        }
    }

    /// Calls between two readings of a GPU's timer, so that its resolution and the launch before it do not count. Each pass of
    /// the CPU is a sample of its own.
    int groupFor(double seconds) const
    {
        if (!m_context.device.asynchronous() || !(seconds > 0))
            return 1;
        constexpr double longEnough = 2e-3;
        return static_cast<int>(std::clamp(std::ceil(longEnough / seconds), 1.0, 1000.0));
    }

    double cacheBytes() const
    {
        constexpr double unknownCache = 64.0 * 1024 * 1024;
        return m_info.lastLevelCacheBytes > 0 ? m_info.lastLevelCacheBytes : unknownCache;
    }

    /// Memory that the calibration may use of what is free and allowed.
    double allowedBytes(double share) const
    {
        double allowed = m_context.device.freeBytes() * share;
        if (m_context.plan.memoryLimitBytes > 0)
            allowed = std::min(allowed, m_context.plan.memoryLimitBytes * share);
        return allowed;
    }

    /// Bytes of a buffer that the last-level cache can hold only a small part of. The host: 16 times its size where a quarter of
    /// the free memory allows it. A GPU: 8 GiB or half of the free memory, so that its cache keeps less than one part in a
    /// hundred from one pass to the next. 4 times the cache at least; 0: not even that fits.
    double bufferBytes() const
    {
        const double cache = cacheBytes();
        const double allowed = allowedBytes(m_device.is_cpu() ? 0.25 : 0.5);
        if (!(allowed >= 4 * cache))
            return 0;
        if (!m_device.is_cpu())
            return std::min(8.0 * 1024 * 1024 * 1024, allowed);
        // 512 MB at least, because a virtual machine may not be told of all the cache that it shares.
        return std::min(std::max(16 * cache, 512.0 * 1024 * 1024), allowed);
    }

    std::string noBufferSentence() const
    {
        if (m_device.is_cpu())
            return fmt::format("The bandwidth of {} cannot be measured: a buffer of four times the last-level cache must fit into "
                               "a quarter of the free memory (and of the run's memory limit). Close other programs or raise the "
                               "limit.",
                               m_context.plan.device);
        const double used = m_context.device.deviceUsedBytes();
        return fmt::format("The bandwidth of {} ({}) cannot be measured: a buffer of four times its cache ({}) must fit into half "
                           "of the free memory (and of the run's memory limit), but {} is free and {} is in use by all processes. "
                           "nvidia-smi lists them: close others, or raise the limit.",
                           m_context.plan.device, m_info.name, format::bytes(4 * cacheBytes()),
                           format::bytes(m_context.device.freeBytes()), format::bytes(used));
    }

    void bandwidth()
    {
        const double bytes = bufferBytes();
        if (bytes <= 0) {
            if (m_full)
                throw Error(ErrorKind::Failure, noBufferSentence());
            return;
        }
        if (m_device.is_cpu())
            hostBandwidth(bytes);
        else
            deviceBandwidth(bytes);
        if (m_full && !m_result.ceilings.readBandwidth)
            throw Error(ErrorKind::Failure, "The memory for measuring the bandwidth could not be had: close other "
                                            "programs and calibrate again.");
    }

    void hostBandwidth(double bytes)
    {
        tell("read bandwidth", 0.02);
        const PassBudget budget{m_full ? 1.5 : 0.6, m_full ? 60 : 24};
        const std::vector<double> reads =
            measureHostReads(static_cast<std::size_t>(bytes), m_threads, budget, m_context.stop);
        if (!reads.empty())
            m_result.ceilings.readBandwidth = keep("read", "B/s", reads);
        tell("copy bandwidth", 0.2);
        const PassBudget copyBudget{m_full ? 1.0 : 0.3, m_full ? 40 : 12};
        const std::vector<double> copies =
            measureHostCopies(static_cast<std::size_t>(bytes), m_threads, copyBudget, m_context.stop);
        if (!copies.empty())
            m_result.ceilings.copyBandwidth = keep("copy", "B/s", copies);
    }

#ifdef RIDGEPOINT_WITH_CUDA
    /// A buffer on the device of at most `bytes`: half as much, and half again, where another process was faster to take the
    /// memory. Undefined: not even four times the cache was to be had.
    at::Tensor deviceBuffer(double bytes)
    {
        constexpr double grain = 4096;
        const auto options = at::TensorOptions().dtype(at::kByte).device(m_device);
        for (; bytes >= 4 * cacheBytes(); bytes /= 2) {
            try {
                return at::empty({static_cast<std::int64_t>(std::floor(bytes / grain) * grain)}, options);
            } catch (const c10::Error &) {
                if (!currentFault().outOfMemory)
                    throw;
                m_context.device.releaseCached();
            }
        }
        return {};
    }

    void deviceBandwidth(double wanted)
    {
        tell("read bandwidth", 0.02);
        const at::Tensor buffer = deviceBuffer(wanted);
        if (!buffer.defined())
            return;
        const at::Tensor sink = at::zeros({1}, at::TensorOptions().dtype(at::kInt).device(m_device));
        const auto bytes = static_cast<std::size_t>(buffer.nbytes());
        auto *const data = static_cast<char *>(buffer.data_ptr());
        const int multiprocessors = multiprocessorCount();
        CUstream_st *const stream = currentStream();
        fillRandom(data, bytes, stream);
        const auto rates = [](double size, std::vector<double> seconds) {
            for (double &value : seconds)
                value = size / value;
            return seconds;
        };

        // An idle GPU has lowered its clocks and takes a while to raise them.
        const ReadLaunch usual{1024, 16, 8, false};
        repeat({m_full ? 1.0 : 0.4, 1'000'000}, [&] { readAll(data, bytes, usual, multiprocessors, sink.data_ptr(), stream); });

        // Every configuration over a part that the cache cannot hold, then the best few over the whole, then the best of them for
        // long enough to say how it spreads.
        const std::size_t part = std::min<std::size_t>(bytes, std::size_t(2) << 30);
        struct Tried {
            ReadLaunch launch;
            double rate = 0;
        };
        std::vector<Tried> tried;
        for (const ReadLaunch &launch : readLaunches()) {
            tell("read bandwidth, " + describe(launch), 0.05);
            const auto passes = rates(double(part), repeat({0, 3}, [&] {
                                          readAll(data, part, launch, multiprocessors, sink.data_ptr(), stream);
                                      }));
            tried.push_back({launch, median(passes)});
            if (m_full)
                keep(fmt::format("read of {}, {}", format::bytes(double(part)), describe(launch)), "B/s", passes);
        }
        std::stable_sort(tried.begin(), tried.end(), [](const Tried &a, const Tried &b) { return a.rate > b.rate; });
        constexpr std::size_t finalists = 4;
        tried.resize(std::min(tried.size(), finalists));
        for (Tried &one : tried)
            one.rate = median(rates(double(bytes), repeat({0.05, 5}, [&] {
                                        readAll(data, bytes, one.launch, multiprocessors, sink.data_ptr(), stream);
                                    })));
        const Tried &best =
            *std::max_element(tried.begin(), tried.end(), [](const Tried &a, const Tried &b) { return a.rate < b.rate; });
        const std::vector<double> reads = repeat({m_full ? 1.0 : 0.3, m_full ? 200 : 60}, [&] {
            readAll(data, bytes, best.launch, multiprocessors, sink.data_ptr(), stream);
        });
        m_result.ceilings.readBandwidth = keep(fmt::format("read of {}, best: {}", format::bytes(double(bytes)),
                                                           describe(best.launch)),
                                               "B/s", rates(double(bytes), reads));

        tell("copy bandwidth", 0.2);
        const std::size_t half = bytes / 2;
        repeat({0, 3}, [&] { copyOnDevice(data + half, data, half, stream); });
        const std::vector<double> copies = repeat({m_full ? 1.0 : 0.3, m_full ? 100 : 40},
                                                  [&] { copyOnDevice(data + half, data, half, stream); });
        m_result.ceilings.copyBandwidth =
            keep(fmt::format("copy of {}", format::bytes(double(half))), "B/s", rates(2 * double(half), copies));
    }
#else
    void deviceBandwidth(double) {} // no device but the CPU can be opened
#endif

    /// Square products of each dtype. Large ones come nearest to the peak, so sizes grow until the time is spent.
    void products()
    {
        std::vector<DType> dtypes = m_full ? m_info.dtypes : std::vector<DType>{m_context.plan.dtype};
        if (!m_full && m_context.plan.experiment == Experiment::Line) { // every dtype that its rows will use
            dtypes = m_context.plan.dtypes;
            std::erase_if(dtypes, [this](DType dtype) {
                return std::find(m_info.dtypes.begin(), m_info.dtypes.end(), dtype) == m_info.dtypes.end();
            });
        }
        std::vector<std::int64_t> sizes = m_full ? std::vector<std::int64_t>{512, 1024, 2048}
                                                 : std::vector<std::int64_t>{512, 1024};
        if (!m_device.is_cpu()) {
            // A GPU is not filled by less.
            sizes = m_full ? std::vector<std::int64_t>{1024, 2048, 4096, 8192, 16384} : std::vector<std::int64_t>{4096, 8192};
        }
        const double each = m_full ? 0.6 : 0.3;
        const double room = allowedBytes(0.5);
        double part = 0;
        for (const DType dtype : dtypes) {
            double best = 0;
            double lastSeconds = 0;
            std::int64_t lastSize = 0;
            for (const std::int64_t size : sizes) {
                const std::string what = fmt::format("matmul {} {}", dtypeName(dtype), size);
                tell(what, 0.35 + 0.45 * part++ / static_cast<double>(dtypes.size() * sizes.size()));
                // The work grows with the cube of the size: no pass of it may outlast the budget.
                const double cells = static_cast<double>(size) * static_cast<double>(size);
                if (lastSize > 0 && lastSeconds * std::pow(double(size) / double(lastSize), 3) > each)
                    break;
                if (!m_device.is_cpu() && 3 * cells * bytesPerElement(dtype) > room)
                    break;
                const auto options = at::TensorOptions().dtype(scalarType(dtype)).device(m_device);
                const at::Tensor left = at::randn({size, size}, options);
                const at::Tensor right = at::randn({size, size}, options).t(); // as weights are stored
                at::Tensor product = at::mm(left, right);
                m_context.device.synchronise();
                const auto multiply = [&] { at::mm_out(product, left, right); };
                int group = 1;
                if (m_context.device.asynchronous())
                    group = groupFor(median(repeat({0, 3}, multiply)));
                const auto rates = [&](std::vector<double> seconds) {
                    for (double &value : seconds)
                        value = 2 * std::pow(static_cast<double>(size), 3) / value;
                    return seconds;
                };
                // A GPU at full load reaches its power limit within a tenth of a second and lowers its clocks. A prefill is
                // shorter than that, so that what counts is a burst after a pause; what it falls to is kept beside it.
                const PassBudget budget = m_context.device.asynchronous() ? PassBudget{kBurstSeconds, 200} : PassBudget{each, 200};
                rest();
                const std::vector<double> seconds = repeat(budget, multiply, group);
                lastSeconds = median(seconds);
                lastSize = size;
                keep(what, "FLOP/s", rates(seconds));
                if (!m_context.device.asynchronous()) {
                    best = std::max(best, m_result.samples.back().value);
                    continue;
                }
                best = std::max(best, m_result.samples.back().median);
                if (m_full && size == 8192)
                    keep(what + ", sustained", "FLOP/s", rates(repeat({each, 1000}, multiply, group)));
                clocksWhile(multiply, lastSeconds);
            }
            if (m_device.is_cpu() && dtype == DType::F32)
                best = std::max(best, ownProduct<float>(dtype, at::kFloat, each));
            if (m_device.is_cpu() && dtype == DType::BF16)
                best = std::max(best, ownProduct<kernels::Bf16>(dtype, at::kBFloat16, each));
            if (best > 0)
                m_result.ceilings.matmulFlops[dtype] = best;
        }
    }

    /// Lets a GPU fall back from its power limit.
    void rest()
    {
        if (!m_context.device.asynchronous())
            return;
        m_context.device.synchronise();
        std::this_thread::sleep_for(std::chrono::milliseconds(m_full ? 300 : 100));
    }

    /// Notes the clocks while the device is at work on `work`, right after it was timed: those at which the rates hold. The last
    /// product of a calibration is the largest, so that its note stays.
    template <typename Work>
    void clocksWhile(Work &&work, double secondsEach)
    {
        constexpr double busy = 30e-3; // longer than the driver takes to answer
        const int calls = static_cast<int>(std::clamp(std::ceil(busy / std::max(secondsEach, 1e-6)), 1.0, 500.0));
        for (int i = 0; i < calls; ++i)
            work();
        if (std::string clocks = m_context.device.identity().clocks; !clocks.empty())
            m_result.ceilings.clocks = std::move(clocks);
        m_context.device.synchronise();
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
        if (m_device.is_cpu())
            hostOperation();
        else
            deviceLaunch();
    }

    void hostOperation()
    {
        tell("one trivial operation", 0.8);
        at::Tensor one = at::ones({1}, at::TensorOptions().dtype(at::kFloat).device(m_device));
        // Many in a row: what a queue of launches costs each, without the wait at its end.
        constexpr int row = 100;
        repeat({0, 3}, [&] { one.add_(1); });
        m_result.ceilings.launchOverhead = keep("one operation", "s", repeat({0.1, 50}, [&] { one.add_(1); }, row));
    }

#ifdef RIDGEPOINT_WITH_CUDA
    void deviceLaunch()
    {
        tell("one empty kernel", 0.8);
        constexpr int row = 1000; // back to back: what a queue of launches costs each, without the wait at its end
        CUstream_st *const stream = currentStream();
        const auto empty = [&] { launchEmpty(stream); };
        repeat({0, 3}, empty, row);
        m_result.ceilings.launchOverhead = keep("empty kernel, launched", "s", repeat({0.15, 30}, empty, row));
        const EmptyGraph graph(row);
        const auto replay = [&] { graph.launch(stream); };
        repeat({0, 3}, replay);
        std::vector<double> seconds = repeat({0.15, 60}, replay);
        for (double &value : seconds)
            value /= row;
        m_result.ceilings.graphNodeOverhead = keep("empty kernel, node of a graph", "s", seconds);
    }
#else
    void deviceLaunch() {} // no device but the CPU can be opened
#endif

    void step()
    {
        MeasuredCeilings &ceilings = m_result.ceilings;
        const ModelShape &model = m_context.plan.model.shape;
        ModelSource source;
        source.shape = overheadShape(model);
        ceilings.overheadLayers = source.shape.layers;
        ceilings.overheadShape = model.layers > 0 && !model.id.empty() ? model.id : source.shape.id;
        tell("fixed cost of a step", 0.85);
        ceilings.stepOverhead = stepOf(source, DecodeMode::Eager, "step overhead");
        if (std::find(m_info.modes.begin(), m_info.modes.end(), DecodeMode::Graph) == m_info.modes.end())
            return;
        tell("fixed cost of a step in a graph", 0.92);
        ceilings.graphStepOverhead = stepOf(source, DecodeMode::Graph, "step overhead, graph");
    }

    /// Steps of a shape with almost no weights, timed as the sweep times a step.
    double stepOf(const ModelSource &source, DecodeMode mode, const std::string &what)
    {
        constexpr int untimed = 10, least = 50, most = 200;
        const std::unique_ptr<Decoder> decoder = m_context.createDecoder(
            source, m_context.plan.dtype, m_context.plan.device, mode, 1, [](double) {}, m_context.stop);
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
            m_context.device.startTimer();
            decoder->issueStep();
            const double device = m_context.device.stopTimer();
            decoder->wait();
            seconds.push_back(std::isfinite(device) ? device : secondsBetween(from, Clock::now()));
        }
        return keep(what, "s", seconds);
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
