// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

/// libFuzzer's entry, and driver.cpp's where the compiler has no libFuzzer. RIDGEPOINT_FUZZ_READER: the reader's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    fuzz::RIDGEPOINT_FUZZ_READER(data, size);
    return 0;
}
