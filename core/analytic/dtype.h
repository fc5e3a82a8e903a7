// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace ridgepoint {

/// Number format of weights, KV cache and products in one run.
enum class DType { F32, F16, BF16 };

/// Bytes of one element: 4, 2, 2.
double bytesPerElement(DType dtype);
/// "fp32", "fp16", "bf16".
std::string_view dtypeName(DType dtype);
/// Reads the names above and their usual spellings (float32, f32, float16, half, bfloat16); nothing otherwise.
std::optional<DType> parseDType(std::string_view text);

} // namespace ridgepoint
