// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/csv_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ridgepoint::detail {

bool CsvReader::next(CsvRecord &record)
{
    record = CsvRecord{m_line, {}, false};
    if (m_at >= m_text.size())
        return false;
    std::string field;
    bool quoted = false;
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (quoted) {
            if (c == '"' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '"') {
                field += '"';
                ++m_at;
            } else if (c == '"') {
                quoted = false;
            } else {
                m_line += c == '\n';
                field += c;
            }
        } else if (c == '"' && field.find_first_not_of(' ') == std::string::npos) {
            field.clear();
            quoted = true;
        } else if (c == m_separator) {
            record.fields.push_back(std::move(field));
            field.clear();
        } else if (c == '\n' || c == '\r') {
            m_at += c == '\r' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n' ? 2 : 1;
            ++m_line;
            record.fields.push_back(std::move(field));
            return true;
        } else {
            field += c;
        }
        ++m_at;
    }
    record.unclosed = quoted;
    record.fields.push_back(std::move(field));
    return true;
}

std::string trimmed(const std::string &text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string cut(const std::string &text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80)
        --most;
    return text.substr(0, most);
}

std::string shortened(const std::string &text, std::size_t most)
{
    std::string plain;
    for (const char c : cut(text, most))
        plain += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    if (!isUtf8(plain)) // a file that was not looked at as text yet
        for (char &c : plain)
            c = static_cast<unsigned char>(c) < 0x80 ? c : '?';
    return plain;
}

bool isUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == 0)
            return false; // UTF-16, or no text at all
        const std::size_t more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 9;
        if (more == 9 || i + more >= text.size())
            return false;
        for (std::size_t k = 1; k <= more; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xc0) != 0x80)
                return false;
        if (more >= 2) { // longer than need be, half of a pair of UTF-16, beyond Unicode
            const auto next = static_cast<unsigned char>(text[i + 1]);
            if ((c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) || (c == 0xf0 && next < 0x90) || (c == 0xf4 && next > 0x8f))
                return false;
        }
        i += more + 1;
    }
    return true;
}

std::optional<double> numberOf(const std::string &text)
{
    double value = 0;
    const char *from = text.data() + (!text.empty() && text.front() == '+');
    const auto [end, fault] = std::from_chars(from, text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

bool hasDecimalComma(std::string text)
{
    const auto comma = text.find(',');
    if (comma == std::string::npos)
        return false;
    text[comma] = '.';
    return numberOf(text).has_value();
}

char separatorOf(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        const std::string_view line = text.substr(at, end - at);
        if (!line.empty() && line.front() != '#')
            return line.find(',') == std::string_view::npos && line.find(';') != std::string_view::npos ? ';' : ',';
        at = end + 1;
    }
    return ',';
}

} // namespace ridgepoint::detail
