// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tokenizer.h"

#include "core/base/atomic_file.h"
#include "core/checkpoint/tokenizer_parts.h"
#include "core/checkpoint/unicode.h"

#include <charconv>

namespace ridgepoint {

namespace fs = std::filesystem;

std::unique_ptr<Tokenizer> Tokenizer::open(const fs::path &folder)
{
    constexpr std::size_t limit = std::size_t(256) << 20; // the largest published one has 35 MB
    std::error_code code;
    // symlink_status: a link into nowhere is a damaged download, which reading it reports.
    if (const fs::path json = folder / "tokenizer.json"; fs::exists(fs::symlink_status(json, code)))
        return tokenizerFromJson(readWholeFile(json, limit), json.string());
    if (const fs::path model = folder / "tokenizer.model"; fs::exists(fs::symlink_status(model, code)))
        return tokenizerFromSentencePiece(model);
    return nullptr;
}

std::optional<unsigned char> byteOfPiece(std::string_view piece)
{
    if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>')
        return std::nullopt;
    unsigned char byte = 0;
    const char *end = piece.data() + 5;
    const auto [stop, code] = std::from_chars(piece.data() + 3, end, byte, 16);
    if (code != std::errc() || stop != end)
        return std::nullopt;
    return byte;
}

std::string withSpaces(std::string_view piece)
{
    constexpr std::string_view mark = "\xE2\x96\x81";
    std::string out;
    while (!piece.empty()) {
        const bool isMark = piece.starts_with(mark);
        out += isMark ? ' ' : piece.front();
        piece.remove_prefix(isMark ? mark.size() : 1);
    }
    return out;
}

std::string Tokenizer::decode(const std::vector<std::int64_t> &ids) const
{
    std::string bytes;
    for (const std::int64_t id : ids)
        bytes += bytesOf(id);
    if (addsLeadingSpace() && bytes.starts_with(' '))
        bytes.erase(0, 1);
    return validUtf8(bytes);
}

std::string StreamDecoder::push(std::int64_t id)
{
    m_pending += m_tokenizer->bytesOf(id);
    std::string out;
    std::string_view rest = m_pending;
    while (!rest.empty()) {
        const Utf8Step step = readUtf8(rest);
        if (step.incomplete)
            break;
        if (step.valid)
            out.append(rest.substr(0, step.length));
        else
            appendUtf8(out, step.code);
        rest.remove_prefix(step.length);
    }
    m_pending.erase(0, m_pending.size() - rest.size());
    return out;
}

std::string StreamDecoder::flush()
{
    std::string out = validUtf8(m_pending);
    m_pending.clear();
    return out;
}

} // namespace ridgepoint
