// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the decoder against transformers over the checkpoints of tests/fixtures/families and prints one line a checkpoint and
// dtype: the largest difference of a logit over the largest logit, what it may be, and how many greedy tokens are equal.
// Exits with 1 where an error is above what it may be, or where fp32 picks another token.
//
//   parity_table FIXTURES_DIR [--device cpu|cuda:0] [--mode eager|graph] [--dtype fp32,bf16,fp16] [--batch 1] [--aten]
//
// Without --dtype: what the device can run. The bound of a two-byte dtype is three times transformers' own error in it.
#include "core/torch/aten_decoder.h"
#include "core/torch/decoder.h"
#include "core/torch/threads.h"
#include "tests/torch/family_parity.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <exception>

using namespace ridgepoint;
using namespace ridgepoint::test;

int main(int argc, char **argv)
{
    CLI::App app("Holds the decoder against transformers over the fixtures of the families.");
    std::string root, device = "cpu", modeText = "eager";
    std::vector<std::string> dtypes;
    std::int64_t batch = 1;
    bool aten = false;
    app.add_option("fixtures", root, "tests/fixtures/families")->required();
    app.add_option("--device", device);
    app.add_option("--mode", modeText)->check(CLI::IsMember({"eager", "graph"}));
    app.add_option("--dtype", dtypes)->delimiter(',')->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
    app.add_option("--batch", batch)->check(CLI::Range(1, 4096));
    app.add_flag("--aten", aten, "libtorch's own operations");
    CLI11_PARSE(app, argc, argv);
    try {
        const DecodeMode mode = modeText == "graph" ? DecodeMode::Graph : DecodeMode::Eager;
        if (dtypes.empty())
            dtypes = device == "cpu" ? std::vector<std::string>{"fp32", "bf16"}
                                     : std::vector<std::string>{"fp32", "bf16", "fp16"};
        bool good = true;
        fmt::print("{:20} {:20} {:5} {:>10} {:>10} {:>8}\n", "checkpoint", "architecture", "dtype", "max error", "allowed",
                   "tokens");
        for (const auto &folder : familyFolders(root)) {
            const FamilyFixture fixture = readFamilyFixture(folder);
            for (const std::string &name : dtypes) {
                const DType dtype = *parseDType(name);
                const auto decoder = aten ? createAtenDecoder({{}, folder}, dtype, device, 1)
                                          : Decoder::create({{}, folder}, dtype, device, mode, 1, {}, {});
                const Parity parity = parityOf(*decoder, fixture, batch);
                const double allowed = allowedError(fixture, dtype);
                const bool fine = parity.error < allowed &&
                                  (dtype != DType::F32 || parity.equalTokens == parity.steps);
                good = good && fine;
                fmt::print("{:20} {:20} {:5} {:10.2e} {:10.2e} {:>8}{}\n", folder.filename().string(),
                           decoder->shape().architecture, name, parity.error, allowed,
                           fmt::format("{}/{}", parity.equalTokens, parity.steps), fine ? "" : "  FAILED");
                std::fflush(stdout);
            }
        }
        return good ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "parity_table: %s\n", error.what());
        return 2;
    }
}
