// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy tokens of a checkpoint in several modes, over the same texts: where two modes part, how near the two greatest logits lay. Ends
// with 1 when they part where it was no near-tie.
#include "core/base/error.h"
#include "core/checkpoint/tokenizer.h"
#include "core/torch/decoder.h"
#include "core/torch/device.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace ridgepoint;

namespace {

/// One text's tokens, and before each the logits' greatest and the next.
struct Run {
    std::vector<std::int64_t> tokens;
    std::vector<double> margins; ///< of the greatest over the next, in the greatest size of a logit
    std::vector<float> first;    ///< logits of the prompt's last position
};

Run run(Decoder &decoder, const std::vector<std::int64_t> &prompt, std::int64_t batch, int steps)
{
    Run r;
    decoder.allocateCache(batch, std::int64_t(prompt.size()) + steps + 1);
    decoder.prefill(prompt, Decoder::PrefillMode::EverySequence);
    for (int i = 0; i <= steps; ++i) {
        const std::vector<float> logits = decoder.lastLogits(batch - 1);
        std::vector<float> sorted = logits;
        std::nth_element(sorted.begin(), sorted.begin() + 1, sorted.end(), std::greater<>());
        double size = 0;
        for (const float x : logits)
            size = std::max(size, double(std::abs(x)));
        r.tokens.push_back(decoder.lastTokens().back());
        r.margins.push_back((double(sorted[0]) - sorted[1]) / size);
        if (i == 1)
            r.first = logits;
        if (i < steps)
            decoder.step();
    }
    return r;
}

} // namespace

int main(int count, char **arguments)
{
    CLI::App app("Greedy tokens in several modes, held against each other");
    std::string folder, dtypeText = "fp16", device = "cuda:0";
    std::vector<std::string> modes{"graph", "fused"}, texts{"The capital of France is", "Once upon a time, in a small village by the sea,",
                                                            "def fibonacci(n):\n    "};
    std::vector<std::int64_t> batches{1};
    int steps = 64;
    app.add_option("folder", folder, "checkpoint")->required();
    app.add_option("--dtype", dtypeText);
    app.add_option("--device", device);
    app.add_option("--modes", modes)->delimiter(',');
    app.add_option("--batch", batches)->delimiter(',');
    app.add_option("--steps", steps);
    app.add_option("--text", texts);
    CLI11_PARSE(app, count, arguments);
    try {
        const DType dtype = parseDType(dtypeText).value();
        const double nearTie = dtype == DType::BF16 ? 1.0 / 128 : dtype == DType::F16 ? 1.0 / 1024 : 1e-5; // one rounding of the greatest logit
        const auto tokenizer = Tokenizer::open(folder);
        if (!tokenizer)
            throw Error(ErrorKind::Failure, folder + " has no tokenizer");
        std::vector<std::unique_ptr<Decoder>> decoders;
        for (const std::string &mode : modes)
            decoders.push_back(Decoder::create({{}, folder}, dtype, device, parseMode(mode).value(), 1, {}, {}));
        bool sound = true;
        for (const std::int64_t batch : batches)
            for (const std::string &text : texts) {
                std::vector<std::int64_t> prompt = tokenizer->promptPrefix();
                for (const std::int64_t id : tokenizer->encode(text))
                    prompt.push_back(id);
                std::vector<Run> runs;
                for (const auto &decoder : decoders)
                    runs.push_back(run(*decoder, prompt, batch, steps));
                for (std::size_t m = 1; m < runs.size(); ++m) {
                    const auto parting = std::mismatch(runs[0].tokens.begin(), runs[0].tokens.end(), runs[m].tokens.begin()).first;
                    const auto at = std::size_t(parting - runs[0].tokens.begin());
                    double difference = 0, size = 0;
                    for (std::size_t i = 0; i < runs[0].first.size(); ++i) {
                        difference = std::max(difference, double(std::abs(runs[0].first[i] - runs[m].first[i])));
                        size = std::max(size, double(std::abs(runs[0].first[i])));
                    }
                    const bool same = parting == runs[0].tokens.end();
                    const bool near = !same && std::min(runs[0].margins[at], runs[m].margins[at]) < nearTie;
                    sound = sound && (same || near);
                    fmt::print("{} batch {} {} and {}: {}; first step's logits {:.1e} apart; {}\n", dtypeText, batch, modes[0], modes[m],
                               same ? fmt::format("{} tokens the same", steps)
                                    : fmt::format("part at token {} with margins {:.1e} and {:.1e}{}", at, runs[0].margins[at], runs[m].margins[at],
                                                  near ? ", a near-tie" : ", NO near-tie"),
                               difference / size, decoders[m]->attentionPath().substr(0, 60));
                }
                fmt::print("    {}\n", text + tokenizer->decode(runs.back().tokens).substr(0, 120));
                std::fflush(stdout);
            }
        return sound ? 0 : 1;
    } catch (const std::exception &error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
