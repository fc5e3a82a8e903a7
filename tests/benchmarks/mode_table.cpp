// SPDX-License-Identifier: GPL-3.0-or-later
// A decode step in every mode of a GPU, side by side in one process: median of 100 steps one by one (device events), of as
// many back to back, the floor of the bytes at the read-only bandwidth that is measured first, and how far the logits of
// graph and fused lie from each other after the same prompt. Random weights.
#include "core/analytic/decode_model.h"
#include "core/catalog/catalog.h"
#include "core/torch/bandwidth.h"
#include "core/torch/decoder.h"
#include "core/torch/device.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace ridgepoint;

namespace {

struct Row {
    std::string shape;
    std::int64_t batch, context;
};

double stepSeconds(Decoder &decoder, DeviceProbe &device, std::int64_t context, int steps)
{
    decoder.holdContext(context - steps / 2);
    std::vector<double> seconds;
    for (int i = 0; i < steps; ++i) {
        device.startTimer();
        decoder.issueStep();
        seconds.push_back(device.stopTimer());
    }
    decoder.wait();
    return median(seconds);
}

double backToBackSeconds(Decoder &decoder, DeviceProbe &device, std::int64_t context, int steps)
{
    decoder.holdContext(context - steps / 2);
    device.startTimer();
    for (int i = 0; i < steps; ++i)
        decoder.issueStep();
    const double seconds = device.stopTimer();
    decoder.wait();
    return seconds / steps;
}

} // namespace

int main(int count, char **arguments)
{
    CLI::App app("A decode step in every mode, side by side");
    std::string dtypeText = "fp16", device = "cuda:0";
    std::vector<std::string> rowTexts{"tinyllama-1.1b:1:264",    "tinyllama-1.1b:16:264",    "tinyllama-1.1b:128:264",
                                      "qwen2.5-0.5b:1:264", "qwen2.5-1.5b:1:264", "qwen3-0.6b:1:264",
                                      "llama-2-7b:1:264",   "tinyllama-1.1b:128:2048"};
    std::vector<std::string> modes{"eager", "graph", "fused"};
    int steps = 100;
    app.add_option("--rows", rowTexts, "shape:batch:context ...")->delimiter(',');
    app.add_option("--dtype", dtypeText);
    app.add_option("--device", device);
    app.add_option("--modes", modes)->delimiter(',');
    app.add_option("--steps", steps);
    CLI11_PARSE(app, count, arguments);
    try {
        const DType dtype = parseDType(dtypeText).value();
        const auto probe = DeviceProbe::open(device);
        const Catalog catalog = Catalog::loadDefault();
        fmt::print("{} on {}\n", dtypeText, probe->info().name);
        for (const std::string &text : rowTexts) {
            const auto first = text.find(':'), second = text.rfind(':');
            const ModelShape shape = catalog.modelById(text.substr(0, first));
            const std::int64_t batch = std::stoll(text.substr(first + 1)), context = std::stoll(text.substr(second + 1));
            const Workload workload = makeWorkload(shape, dtype, Accounting::Exact);
            const double bytes =
                workload.weightBytes + double(batch) * (workload.kvReadBytes(double(context)) + workload.kvWriteBytes());
            fmt::print("{} b={} n={}: {:.3f} GB a step, {:.3f} ms at 4.67 TB/s\n", shape.id, batch, context, bytes / 1e9,
                       bytes / 4.67e12 * 1e3);
            std::vector<float> reference;
            std::vector<std::int64_t> referenceTokens;
            for (const std::string &modeText : modes) {
                const DecodeMode mode = parseMode(modeText).value();
                const auto decoder = Decoder::create({shape, {}}, dtype, device, mode, 1, {}, {});
                decoder->allocateCache(batch, context + steps + 8);
                std::vector<std::int64_t> prompt;
                for (std::int64_t i = 0; i < context - steps / 2 - 4; ++i)
                    prompt.push_back(3 + i * 37 % (shape.vocab - 3));
                decoder->prefill(prompt, Decoder::PrefillMode::OnceCopied);
                std::vector<std::int64_t> tokens;
                for (int i = 0; i < 8; ++i) {
                    decoder->step();
                    tokens.push_back(decoder->lastTokens().front());
                    if (i == 0) {
                        const std::vector<float> logits = decoder->lastLogits(batch - 1);
                        if (reference.empty()) {
                            reference = logits;
                        } else {
                            double worst = 0, largest = 0;
                            for (std::size_t k = 0; k < logits.size(); ++k) {
                                worst = std::max(worst, double(std::abs(logits[k] - reference[k])));
                                largest = std::max(largest, double(std::abs(reference[k])));
                            }
                            fmt::print("  {}: first step's logits differ by {:.2e} of the largest\n", modeText, worst / largest);
                        }
                    }
                }
                if (referenceTokens.empty())
                    referenceTokens = tokens;
                const double each = stepSeconds(*decoder, *probe, context, steps);
                const double together = backToBackSeconds(*decoder, *probe, context, steps);
                fmt::print("  {:6} {:8.4f} ms a step, {:8.4f} ms back to back, {:.2f} times the bytes at 4.67 TB/s; {} nodes; "
                           "tokens {}; {}\n",
                           modeText, each * 1e3, together * 1e3, together / (bytes / 4.67e12), decoder->graphNodes(),
                           tokens == referenceTokens ? "as the first mode's" : "other", decoder->attentionPath());
                std::fflush(stdout);
            }
            probe->releaseCached();
        }
    } catch (const std::exception &error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
