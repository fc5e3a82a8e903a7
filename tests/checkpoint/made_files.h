// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// A safetensors file: the length of `header`, `header`, `data`.
std::string safetensorsFile(std::string_view header, std::string_view data = {});

struct MadeTensor {
    std::string name;
    std::string type; ///< "F32", "F16", "BF16"
    std::vector<std::int64_t> shape;
};
/// A well-formed file of these tensors; every byte of the data is its position modulo 251.
std::string safetensorsFile(const std::vector<MadeTensor> &tensors);

/// A config.json of a very small Llama: 1 layer, hidden 8, 2 heads, 1 kv head, head_dim 4, ffn 16, vocab 32.
std::string smallConfig();

/// A tokenizer.json of byte-level BPE: all bytes (ids 0 to 255), "he", "ll", "hell", "hello", " w" (256 to 260), and
/// the special tokens <|end|> (261) and <|pad|> (262). `preTokenizer` is a JSON value.
std::string
byteLevelTokenizer(std::string_view preTokenizer = R"({"type":"ByteLevel","add_prefix_space":false,"use_regex":true})");

/// The name in a byte-level vocabulary of `bytes`.
std::string byteLevelName(std::string_view bytes);

void writeBytes(const std::filesystem::path &path, std::string_view bytes);

/// The sentence of the Error that `action` throws, or "" when it throws none. Any other exception passes.
template <typename Action>
std::string sentenceOf(Action action)
{
    try {
        action();
    } catch (const ridgepoint::Error &error) {
        return error.kind() == ridgepoint::ErrorKind::Failure ? error.what()
                                                              : std::string("not a Failure: ") + error.what();
    }
    return {};
}
