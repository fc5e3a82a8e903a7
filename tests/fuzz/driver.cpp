// SPDX-License-Identifier: GPL-3.0-or-later
// Where the compiler has no libFuzzer: mutates the files of a corpus folder for a number of seconds.
// Usage: PROGRAM CORPUS SECONDS [SEED]. What ends the program, or takes it over 20 s, is left in crash-PROGRAM.
#include "tests/fuzz/mutate.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);
extern "C" void __sanitizer_set_death_callback(void (*callback)());

namespace {

std::string current, crashFile;

constexpr unsigned kLongest = 20; ///< seconds of one input

void keep()
{
    std::ofstream(crashFile, std::ios::binary).write(current.data(), static_cast<std::streamsize>(current.size()));
    std::fprintf(stderr, "The input is in %s\n", crashFile.c_str());
}

void tooLong(int)
{
    std::fprintf(stderr, "ERROR: one input took more than %u s\n", kLongest);
    keep();
    _exit(1);
}

std::string mutated(const std::vector<std::string> &corpus, std::mt19937_64 &random)
{
    const auto below = [&](std::size_t n) { return n ? static_cast<std::size_t>(random() % n) : 0; };
    static const char *const tokens[] = {
        "NaN", "null", "-1", "0",    "1e999",   "1e300",   "9223372036854775808", "\"",   "{",    "}", "[", "]", ",",
        ":",   "|",    "\n", "\r\n", "\\u0000", "\\ud800", "\xef\xbb\xbf",        "\xff", "true", ";", "\t"};
    std::string text = corpus[below(corpus.size())];
    if (below(2)) {
        std::string changed = below(4) ? fuzz::changedJson(text, random()) : fuzz::changedNumber(text, random());
        if (!changed.empty())
            return changed;
    }
    for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
        const std::size_t at = below(text.size() + 1);
        switch (below(7)) {
        case 0:
            if (at < text.size())
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
            break;
        case 1:
            if (at < text.size())
                text[at] = static_cast<char>(random());
            break;
        case 2:
            text.erase(at, below(1 + below(64)));
            break;
        case 3:
            text.insert(at, tokens[below(std::size(tokens))]);
            break;
        case 4:
            text.resize(at);
            break;
        case 5: { // a piece of itself, elsewhere
            const std::string piece = text.substr(below(text.size() + 1), below(200));
            text.insert(at, piece);
            break;
        }
        default: { // a number becomes another
            const auto digit = text.find_first_of("0123456789", at);
            if (digit != std::string::npos) {
                const auto end = text.find_first_not_of("0123456789.eE+-", digit);
                text.replace(digit, (end == std::string::npos ? text.size() : end) - digit, tokens[below(7)]);
            }
        }
        }
    }
    return text;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "Usage: %s CORPUS SECONDS [SEED]\n", argv[0]);
        return 2;
    }
    crashFile = "crash-" + std::filesystem::path(argv[0]).filename().string();
    __sanitizer_set_death_callback(keep);
    std::set_terminate([] {
        keep();
        std::abort();
    });
    std::signal(SIGALRM, tooLong);
    std::signal(SIGABRT, [](int) {
        keep();
        _exit(1);
    });
    std::vector<std::string> corpus;
    for (const auto &entry : std::filesystem::directory_iterator(argv[1])) {
        std::ifstream file(entry.path(), std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    if (corpus.empty()) {
        std::fprintf(stderr, "The corpus folder %s is empty.\n", argv[1]);
        return 2;
    }
    std::mt19937_64 random(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : std::random_device{}());
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(argv[2]));
    std::size_t runs = 0;
    const auto run = [&] {
        alarm(kLongest);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t *>(current.data()), current.size());
        ++runs;
    };
    for (const std::string &text : corpus) {
        current = text;
        run();
    }
    while (std::chrono::steady_clock::now() < end) {
        current = mutated(corpus, random);
        run();
    }
    alarm(0);
    std::printf("%zu inputs, no finding\n", runs);
    return 0;
}
