// SPDX-License-Identifier: GPL-3.0-or-later
// Times the loading of a checkpoint into CPU memory, as a run does it, and prints one line a round.
//
//   load_bench FOLDER [--dtype bf16] [--rounds 5] [--threads 0]
//
// Compare with `cat FOLDER/*.safetensors > /dev/null`, both with the files in the system's cache. RssAnon, read while the
// weights are held, shows whether there is a second copy of them: the mapped file counts as RssFile. The last figure is what
// as much fresh memory took by itself, allocated and zeroed by all threads: a load cannot be faster.
#include "core/base/error.h"
#include "core/torch/decoder.h"
#include "core/torch/host_memory.h"
#include "core/torch/threads.h"
#include "tests/benchmarks/process_memory.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

using namespace ridgepoint;

int main(int argc, char **argv)
{
    CLI::App app("Times the loading of a checkpoint into CPU memory.");
    std::string folder, dtypeText = "bf16";
    int rounds = 5, threads = 0;
    app.add_option("folder", folder)->required();
    app.add_option("--dtype", dtypeText)->check(CLI::IsMember({"fp32", "bf16"}));
    app.add_option("--rounds", rounds)->check(CLI::Range(1, 1000));
    app.add_option("--threads", threads);
    CLI11_PARSE(app, argc, argv);
    try {
        setThreads(threads);
        for (int round = 0; round < rounds; ++round) {
            double anonymous = 0;
            const auto start = std::chrono::steady_clock::now();
            const auto decoder = Decoder::create({{}, folder}, *parseDType(dtypeText), "cpu", DecodeMode::Eager, 1,
                                                 [&](double) { anonymous = std::max(anonymous, statusBytes("RssAnon")); },
                                                 {});
            const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            const auto again = std::chrono::steady_clock::now();
            allocateHost(std::size_t(decoder->weightBytes()), "As much memory as the weights take");
            const double memory = std::chrono::duration<double>(std::chrono::steady_clock::now() - again).count();
            fmt::print("{:.3f} s  {:.2f} GB/s  weights {:.3f} GB  greatest RssAnon {:.3f} GB  memory alone {:.3f} s\n", took,
                       decoder->weightBytes() / took / 1e9, decoder->weightBytes() / 1e9, anonymous / 1e9, memory);
            std::fflush(stdout);
        }
    } catch (const std::exception &error) {
        std::fprintf(stderr, "load_bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
