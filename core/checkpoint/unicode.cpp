// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/unicode.h"

#include <algorithm>
#include <iterator>

namespace ridgepoint {

namespace {

struct CodeRange {
    char32_t first;
    char32_t last;
};

#include "core/checkpoint/unicode_ranges.inc"

template <std::size_t size>
bool within(const CodeRange (&ranges)[size], char32_t code)
{
    const auto next = std::upper_bound(std::begin(ranges), std::end(ranges), code,
                                       [](char32_t value, const CodeRange &range) { return value < range.first; });
    return next != std::begin(ranges) && code <= std::prev(next)->last;
}

} // namespace

bool isLetter(char32_t code)
{
    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    return within(kLetterRanges, code);
}

bool isNumber(char32_t code)
{
    if (code < 0x80)
        return code >= '0' && code <= '9';
    return within(kNumberRanges, code);
}

bool isWhiteSpace(char32_t code)
{
    return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 || code == 0xA0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
           code == 0x3000;
}

void appendUtf8(std::string &out, char32_t code)
{
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        out += char(0xC0 | (code >> 6));
        out += char(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += char(0xE0 | (code >> 12));
        out += char(0x80 | ((code >> 6) & 0x3F));
        out += char(0x80 | (code & 0x3F));
    } else {
        out += char(0xF0 | (code >> 18));
        out += char(0x80 | ((code >> 12) & 0x3F));
        out += char(0x80 | ((code >> 6) & 0x3F));
        out += char(0x80 | (code & 0x3F));
    }
}

Utf8Step readUtf8(std::string_view text)
{
    constexpr char32_t replacement = 0xFFFD;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {lead, 1, true, false};
    // The bounds of the second byte keep out overlong forms, surrogates and values above U+10FFFF.
    std::size_t length = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        low = lead == 0xE0 ? 0xA0 : 0x80;
        high = lead == 0xED ? 0x9F : 0xBF;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        low = lead == 0xF0 ? 0x90 : 0x80;
        high = lead == 0xF4 ? 0x8F : 0xBF;
    } else {
        return {replacement, 1, false, false};
    }
    char32_t code = lead & (0xFF >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if (i == text.size())
            return {replacement, i, false, true};
        if (byte(i) < low || byte(i) > high)
            return {replacement, i, false, false};
        code = (code << 6) | (byte(i) & 0x3F);
        low = 0x80;
        high = 0xBF;
    }
    return {code, length, true, false};
}

std::string validUtf8(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Step step = readUtf8(text);
        if (step.valid)
            out.append(text.substr(0, step.length));
        else
            appendUtf8(out, step.code);
        text.remove_prefix(step.length);
    }
    return out;
}

std::u32string codePoints(std::string_view text)
{
    std::u32string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Utf8Step step = readUtf8(text);
        out += step.code;
        text.remove_prefix(step.length);
    }
    return out;
}

} // namespace ridgepoint
