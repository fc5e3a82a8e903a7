// SPDX-License-Identifier: GPL-3.0-or-later
#include "made_files.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <numeric>

std::string safetensorsFile(std::string_view header, std::string_view data)
{
    std::string file;
    for (int i = 0; i < 8; ++i)
        file += char((std::uint64_t(header.size()) >> (8 * i)) & 0xFF);
    return file.append(header).append(data);
}

std::string safetensorsFile(const std::vector<MadeTensor> &tensors)
{
    nlohmann::json header = nlohmann::json::object();
    std::uint64_t position = 0;
    for (const MadeTensor &tensor : tensors) {
        const std::uint64_t bytes =
            std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::uint64_t(tensor.type == "F32" ? 4 : 2),
                            [](std::uint64_t a, std::int64_t b) { return a * std::uint64_t(b); });
        header[tensor.name] = {
            {"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {position, position + bytes}}};
        position += bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string data(position, '\0');
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = char(i % 251);
    return safetensorsFile(text, data);
}

std::string smallConfig()
{
    return R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_act":"silu","hidden_size":8,
               "intermediate_size":16,"num_attention_heads":2,"num_key_value_heads":1,"num_hidden_layers":1,"head_dim":4,
               "vocab_size":32,"max_position_embeddings":64,"rms_norm_eps":1e-5,"rope_theta":10000.0,
               "tie_word_embeddings":true,"bos_token_id":1,"eos_token_id":2})";
}

std::string byteLevelName(std::string_view bytes)
{
    std::string name;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        unsigned code = byte;
        if (byte <= 0x20)
            code = 0x100 + byte;
        else if (byte >= 0x7F && byte <= 0xA0)
            code = 0x121 + (byte - 0x7F);
        else if (byte == 0xAD)
            code = 0x143;
        if (code < 0x80) {
            name += char(code);
        } else {
            name += char(0xC0 | (code >> 6));
            name += char(0x80 | (code & 0x3F));
        }
    }
    return name;
}

std::string byteLevelTokenizer(std::string_view preTokenizer)
{
    nlohmann::json vocab = nlohmann::json::object();
    for (int byte = 0; byte < 256; ++byte)
        vocab[byteLevelName(std::string(1, char(byte)))] = byte;
    int id = 256;
    for (const char *token : {"he", "ll", "hell", "hello", " w"})
        vocab[byteLevelName(token)] = id++;
    const nlohmann::json merges = {"h e", "l l", "he ll", "hell o", byteLevelName(" ") + " w"};
    const nlohmann::json added = {{{"id", 261}, {"content", "<|end|>"}, {"special", true}, {"normalized", false}},
                                  {{"id", 262}, {"content", "<|pad|>"}, {"special", true}, {"normalized", false}}};
    const nlohmann::json root = {{"version", "1.0"},
                                 {"added_tokens", added},
                                 {"normalizer", nullptr},
                                 {"pre_tokenizer", nlohmann::json::parse(preTokenizer)},
                                 {"post_processor", nullptr},
                                 {"decoder", {{"type", "ByteLevel"}}},
                                 {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", merges}}}};
    return root.dump();
}

void writeBytes(const std::filesystem::path &path, std::string_view bytes)
{
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), std::streamsize(bytes.size()));
    if (!file.flush())
        throw std::runtime_error("cannot write " + path.string());
}
