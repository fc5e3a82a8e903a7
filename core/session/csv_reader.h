// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to core/session: what the readers of tables share. Only .cpp files of this folder include it.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint::detail {

struct CsvRecord {
    std::size_t line = 0; ///< where it begins, from 1
    std::vector<std::string> fields;
    bool unclosed = false; ///< a quote that never ends
};

/// RFC 4180, with LF, CRLF or CR between records.
class CsvReader {
public:
    CsvReader(std::string_view text, char separator) : m_text(text), m_separator(separator) {}

    bool next(CsvRecord &record); ///< false at the end

private:
    std::string_view m_text;
    char m_separator;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
};

std::string trimmed(const std::string &text);
/// For a sentence: the first `most` bytes, no half a character, control characters as '?'.
std::string shortened(const std::string &text, std::size_t most = 40);
/// The first `most` bytes of UTF-8 text, less what would be half a character.
std::string cut(const std::string &text, std::size_t most);
bool isUtf8(std::string_view text);             ///< and holds no NUL
/// A finite number; nothing for anything else.
std::optional<double> numberOf(const std::string &text);
bool hasDecimalComma(std::string text); ///< "6,122": a number but for its comma
/// ';' where the first line that is neither empty nor a comment has one and no comma, else ','.
char separatorOf(std::string_view text);

} // namespace ridgepoint::detail
