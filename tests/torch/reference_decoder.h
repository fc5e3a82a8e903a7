// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/model_shape.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ridgepoint::test {

/// A model small enough to be worked out in plain loops: its shape and its fp32 tensors under their Hugging Face names.
struct TinyModel {
    ModelShape shape;
    std::map<std::string, std::vector<float>> tensors;
    std::map<std::string, std::vector<std::int64_t>> sizes;
};

/// Random weights, large enough that attention is far from even and every part shows in the logits.
TinyModel makeTinyModel(const ModelShape &shape, unsigned seed);
/// Writes config.json and model.safetensors (F32).
void writeCheckpoint(const TinyModel &model, const std::filesystem::path &folder);

/// Logits after the last of `tokens`, in double, by the definition: every position from the beginning, no cache, no
/// product that is not a loop.
std::vector<double> referenceLogits(const TinyModel &model, const std::vector<std::int64_t> &tokens);

} // namespace ridgepoint::test
