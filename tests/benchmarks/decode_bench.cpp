// SPDX-License-Identifier: GPL-3.0-or-later
// Times decode steps of a catalogue shape with random weights, or of a checkpoint folder, and prints one JSON line a
// point: what a step took beside what its bytes would take at the read bandwidth measured just before.
//
//   decode_bench [--model ID|DIR] [--dtype bf16|fp32] [--batch 1,4,16] [--prompt 128] [--steps 40] [--warmup 5]
//                [--rounds 1] [--threads 0] [--device cpu] [--aten] [--prefill] [--tokens N]
//
// Every round measures the read bandwidth, then the steps of every batch: on a shared host the memory's rate changes from
// minute to minute, so only figures of one round belong together. After several rounds the median of each batch's ratio and
// its range follow.
// --aten uses libtorch's own operations on the CPU too; --prefill times the prompt instead of steps; --tokens prints the
// first N greedy tokens after the prompt of --ids.
#include "core/analytic/decode_model.h"
#include "core/catalog/catalog.h"
#include "core/catalog/model_config.h"
#include "core/torch/aten_decoder.h"
#include "core/torch/bandwidth.h"
#include "core/torch/decoder.h"
#include "core/torch/threads.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <map>
#include <vector>

using namespace ridgepoint;

namespace {

double seconds(std::chrono::steady_clock::time_point from)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

} // namespace

int main(int argc, char **argv)
{
    std::string model = "smollm2-135m", dtypeText = "bf16", device = "cpu";
    std::vector<std::int64_t> batches{1}, ids;
    std::int64_t prompt = 128, tokens = 0;
    int steps = 40, warmup = 5, threads = 0, rounds = 1;
    bool aten = false, timePrefill = false;
    CLI::App app("Decode steps against the memory's bandwidth");
    app.add_option("--model", model);
    app.add_option("--dtype", dtypeText);
    app.add_option("--batch", batches)->delimiter(',');
    app.add_option("--prompt", prompt);
    app.add_option("--steps", steps);
    app.add_option("--warmup", warmup);
    app.add_option("--rounds", rounds)->check(CLI::Range(1, 1000));
    app.add_option("--threads", threads);
    app.add_option("--device", device);
    app.add_flag("--aten", aten);
    app.add_flag("--prefill", timePrefill);
    app.add_option("--ids", ids, "prompt tokens")->delimiter(',');
    app.add_option("--tokens", tokens);
    CLI11_PARSE(app, argc, argv);
    try {
        const auto dtype = parseDType(dtypeText);
        if (!dtype)
            throw Error(ErrorKind::Usage, "The dtype '" + dtypeText + "' is unknown; use bf16 or fp32.");
        const ThreadSetup setup = setThreads(threads);
        ModelSource source;
        if (std::filesystem::is_directory(model)) {
            source.folder = model;
            source.shape = modelShapeFromFolder(model);
        } else {
            source.shape = Catalog::loadDefault().modelById(model);
        }
        const auto built = std::chrono::steady_clock::now();
        const std::unique_ptr<Decoder> decoder = aten ? createAtenDecoder(source, *dtype, device, 1)
                                                      : Decoder::create(source, *dtype, device, DecodeMode::Eager, 1, {}, {});
        const double buildSeconds = seconds(built);
        if (ids.empty())
            for (std::int64_t i = 0; i < prompt; ++i)
                ids.push_back((i * 7919 + 11) % source.shape.vocab);
        prompt = std::int64_t(ids.size());
        if (tokens > 0) {
            decoder->allocateCache(1, prompt + tokens);
            decoder->prefill(ids, Decoder::PrefillMode::EverySequence);
            for (std::int64_t i = 0; i < tokens; ++i) {
                fmt::print("{}{}", i ? "," : "", decoder->lastTokens().front());
                if (i + 1 < tokens)
                    decoder->step();
            }
            fmt::print("\n");
            return 0;
        }
        const Workload workload = makeWorkload(source.shape, *dtype, Accounting::Exact);
        std::map<std::int64_t, std::vector<double>> ratios;
        double bandwidth = std::numeric_limits<double>::quiet_NaN();
        for (std::size_t point = 0; point < std::size_t(rounds) * batches.size(); ++point) {
            const std::int64_t batch = batches[point % batches.size()];
            if (device == "cpu" && !timePrefill && point % batches.size() == 0)
                bandwidth = median(measureHostReads(std::size_t(1) << 30, setup.threads, {0.6, 24}, {}));
            decoder->allocateCache(batch, prompt + warmup + steps);
            std::vector<double> times;
            if (timePrefill) {
                for (int i = 0; i < 3; ++i) {
                    decoder->rewind(0);
                    const auto from = std::chrono::steady_clock::now();
                    decoder->prefill(ids, Decoder::PrefillMode::EverySequence);
                    times.push_back(seconds(from));
                }
                fmt::print("{{\"model\":\"{}\",\"dtype\":\"{}\",\"batch\":{},\"prompt\":{},\"threads\":{},"
                           "\"prefill_s\":{:.4f},\"build_s\":{:.2f}}}\n",
                           source.shape.id, dtypeText, batch, prompt, setup.threads, median(times), buildSeconds);
                std::fflush(stdout);
                continue;
            }
            decoder->prefill(ids, Decoder::PrefillMode::OnceCopied);
            for (int i = 0; i < warmup; ++i)
                decoder->step();
            for (int i = 0; i < steps; ++i) {
                const auto from = std::chrono::steady_clock::now();
                decoder->step();
                times.push_back(seconds(from));
            }
            const double context = double(prompt + warmup) + steps / 2.0;
            const double bytes =
                workload.weightBytes + double(batch) * (workload.kvReadBytes(context) + workload.kvWriteBytes());
            const double step = median(times);
            fmt::print("{{\"model\":\"{}\",\"dtype\":\"{}\",\"batch\":{},\"context\":{},\"threads\":{},\"step_s\":{:.6f},"
                       "\"min_s\":{:.6f},\"bytes\":{:.0f},\"bytes_per_s\":{:.4g},\"read_bytes_per_s\":{:.4g},"
                       "\"ratio\":{:.3f},\"build_s\":{:.2f}}}\n",
                       source.shape.id, dtypeText, batch, context, setup.threads, step,
                       *std::min_element(times.begin(), times.end()), bytes, bytes / step, bandwidth,
                       step * bandwidth / bytes, buildSeconds);
            std::fflush(stdout);
            ratios[batch].push_back(step * bandwidth / bytes);
        }
        for (const auto &[batch, all] : ratios) {
            if (rounds > 1)
                fmt::print("{{\"model\":\"{}\",\"dtype\":\"{}\",\"batch\":{},\"rounds\":{},\"ratio_median\":{:.3f},"
                           "\"ratio_min\":{:.3f},\"ratio_max\":{:.3f}}}\n",
                           source.shape.id, dtypeText, batch, rounds, median(all), *std::min_element(all.begin(), all.end()),
                           *std::max_element(all.begin(), all.end()));
        }
    } catch (const Error &error) {
        fmt::print(stderr, "{}\n", error.what());
        return error.exitCode();
    } catch (const std::exception &error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
