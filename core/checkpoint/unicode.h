// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgepoint {

/// General category L (letter), N (number); the property White_Space. Of code points.
bool isLetter(char32_t code);
bool isNumber(char32_t code);
bool isWhiteSpace(char32_t code);

void appendUtf8(std::string &out, char32_t code);

/// One step of a UTF-8 reader.
struct Utf8Step {
    char32_t code = 0;      ///< the character, U+FFFD for an ill-formed sequence
    std::size_t length = 0; ///< bytes that it takes; of an ill-formed sequence its longest well-begun part, at least 1
    bool valid = false;
    bool incomplete = false; ///< the text ends within a sequence that more bytes could still complete
};
/// Reads the character at the front of `text`, which must not be empty.
Utf8Step readUtf8(std::string_view text);

/// `text` with every ill-formed sequence replaced by U+FFFD.
std::string validUtf8(std::string_view text);
/// The code points of `text`, ill-formed sequences as U+FFFD.
std::u32string codePoints(std::string_view text);

} // namespace ridgepoint
