// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/dtype.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace ridgepoint {

double bytesPerElement(DType dtype)
{
    return dtype == DType::F32 ? 4 : 2;
}

std::string_view dtypeName(DType dtype)
{
    switch (dtype) {
    case DType::F32:
        return "fp32";
    case DType::F16:
        return "fp16";
    case DType::BF16:
        return "bf16";
    }
    return {};
}

std::optional<DType> parseDType(std::string_view text)
{
    std::string lower;
    std::transform(text.begin(), text.end(), std::back_inserter(lower),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (lower == "fp32" || lower == "float32" || lower == "f32" || lower == "float")
        return DType::F32;
    if (lower == "fp16" || lower == "float16" || lower == "f16" || lower == "half")
        return DType::F16;
    if (lower == "bf16" || lower == "bfloat16")
        return DType::BF16;
    return std::nullopt;
}

} // namespace ridgepoint
