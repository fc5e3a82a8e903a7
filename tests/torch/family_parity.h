// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/torch/decoder.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ridgepoint::test {

/// A folder of tests/fixtures/families: a checkpoint and what transformers computes from it (make_family_fixtures.py).
struct FamilyFixture {
    std::filesystem::path folder;
    std::vector<std::int64_t> prompt;
    std::vector<std::int64_t> tokens;       ///< greedy, after the prompt and after each step
    std::vector<std::vector<float>> logits; ///< as many rows, fp32
    double bf16Error = 0, fp16Error = 0;    ///< of transformers in that dtype against its fp32: largest difference / logit
};

/// Folders with a reference.json, by name. Throws Error (Failure) where there is none.
std::vector<std::filesystem::path> familyFolders(const std::filesystem::path &root);
FamilyFixture readFamilyFixture(const std::filesystem::path &folder);

/// A decoder held against the fixture over all its steps.
struct Parity {
    double error = 0;           ///< largest difference over largest logit, first and last sequence, all steps
    std::int64_t equalTokens = 0; ///< steps that pick the reference's token in every sequence
    std::int64_t steps = 0;
};

/// Steps with the cache as long as the decoder picks the reference's tokens; where it does not, the reference's text so far is
/// run anew as a prompt, so that every step is compared over the same tokens. `prefillOnly` runs every step like that: the
/// same logits without the cache.
Parity parityOf(Decoder &decoder, const FamilyFixture &fixture, std::int64_t batch, bool prefillOnly = false);

/// What the error may be: 1e-4 in fp32; in a two-byte dtype three times what transformers itself loses in it: the two round
/// at other places but about as often, and the largest of 4000 roundings has a spread of its own.
double allowedError(const FamilyFixture &fixture, DType dtype);

} // namespace ridgepoint::test
