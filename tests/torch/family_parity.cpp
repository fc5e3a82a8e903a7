// SPDX-License-Identifier: GPL-3.0-or-later
#include "family_parity.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/checkpoint/mapped_file.h"
#include "core/checkpoint/safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace ridgepoint::test {

std::vector<std::filesystem::path> familyFolders(const std::filesystem::path &root)
{
    std::vector<std::filesystem::path> folders;
    std::error_code code;
    for (const auto &entry : std::filesystem::directory_iterator(root, code))
        if (std::filesystem::exists(entry.path() / "reference.json"))
            folders.push_back(entry.path());
    if (folders.empty())
        throw Error(ErrorKind::Failure, root.string() + " holds no folder with a reference.json; give tests/fixtures/families.");
    std::sort(folders.begin(), folders.end());
    return folders;
}

FamilyFixture readFamilyFixture(const std::filesystem::path &folder)
{
    FamilyFixture fixture;
    fixture.folder = folder;
    const auto values = nlohmann::json::parse(readWholeFile(folder / "reference.json", 1 << 20));
    fixture.prompt = values.at("prompt").get<std::vector<std::int64_t>>();
    fixture.tokens = values.at("tokens").get<std::vector<std::int64_t>>();
    fixture.bf16Error = values.at("bf16_error");
    fixture.fp16Error = values.at("fp16_error");
    const std::string file = (folder / "reference.safetensors").string();
    const auto mapping = MappedFile::open(file);
    const auto tensors = parseSafetensors(mapping->bytes(), file);
    if (tensors.size() != 1 || tensors[0].type != StoredType::F32 || tensors[0].shape.size() != 2 ||
        tensors[0].shape[0] != std::int64_t(fixture.tokens.size()))
        throw Error(ErrorKind::Failure, file + " does not hold one row of fp32 logits a token.");
    const std::size_t vocab = std::size_t(tensors[0].shape[1]);
    for (std::size_t i = 0; i < fixture.tokens.size(); ++i) {
        fixture.logits.emplace_back(vocab);
        std::memcpy(fixture.logits.back().data(), tensors[0].data + i * vocab * sizeof(float), vocab * sizeof(float));
    }
    return fixture;
}

Parity parityOf(Decoder &decoder, const FamilyFixture &fixture, std::int64_t batch, bool prefillOnly)
{
    Parity parity;
    parity.steps = std::int64_t(fixture.tokens.size());
    std::vector<std::int64_t> text = fixture.prompt;
    decoder.allocateCache(batch, std::int64_t(fixture.prompt.size() + fixture.tokens.size()));
    decoder.prefill(text, Decoder::PrefillMode::EverySequence);
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < fixture.tokens.size(); ++i) {
        for (const std::int64_t sequence : {std::int64_t(0), batch - 1}) {
            const std::vector<float> got = decoder.lastLogits(sequence);
            const std::vector<float> &wanted = fixture.logits[i];
            for (std::size_t j = 0; j < wanted.size(); ++j) {
                const double apart = std::abs(double(got.at(j)) - double(wanted[j]));
                difference = std::isnan(apart) ? std::numeric_limits<double>::infinity() : std::max(difference, apart);
                largest = std::max(largest, std::abs(double(wanted[j])));
            }
        }
        const auto tokens = decoder.lastTokens();
        const bool equal = std::all_of(tokens.begin(), tokens.end(), [&](auto id) { return id == fixture.tokens[i]; });
        parity.equalTokens += equal;
        if (i + 1 == fixture.tokens.size())
            break;
        text.push_back(fixture.tokens[i]);
        if (equal && !prefillOnly) {
            decoder.step();
        } else {
            decoder.rewind(0);
            decoder.prefill(text, Decoder::PrefillMode::EverySequence);
        }
    }
    parity.error = difference / largest;
    return parity;
}

double allowedError(const FamilyFixture &fixture, DType dtype)
{
    constexpr double slack = 3;
    switch (dtype) {
    case DType::F32:
        break;
    case DType::F16:
        return slack * fixture.fp16Error;
    case DType::BF16:
        return slack * fixture.bf16Error;
    }
    return 1e-4;
}

} // namespace ridgepoint::test
