// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/readers.h"

#include <cstring>
#include <string>
#include <string_view>

/// libFuzzer's entry, and driver.cpp's where the compiler has no libFuzzer. RIDGEPOINT_FUZZ_READER: the reader's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    fuzz::RIDGEPOINT_FUZZ_READER(data, size);
    return 0;
}

#ifdef RIDGEPOINT_LIBFUZZER
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t maxSize);

/// libFuzzer's own changes and those of mutate.h by turns.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t maxSize, unsigned seed)
{
    if (seed % 2) {
        const std::string_view text(reinterpret_cast<const char *>(data), size);
        const std::string changed = seed % 8 == 1 ? fuzz::changedNumber(text, seed) : fuzz::changedJson(text, seed);
        if (!changed.empty() && changed.size() <= maxSize) {
            std::memcpy(data, changed.data(), changed.size());
            return changed.size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}
#endif
