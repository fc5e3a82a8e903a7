// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/session/csv_reader.h"
#include "core/session/json_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace ridgepoint::detail {

using nlohmann::json;

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kLongestNumber = 1000; // bytes
constexpr std::size_t kLongestText = 16'000'000;

/// Values that the text can hold at most, by the signs that part them; a text or a list counts as four, which is what
/// it takes of memory.
std::size_t mostValues(std::string_view text)
{
    static constexpr auto halves = [] {
        std::array<unsigned char, 256> weights{};
        weights[','] = 2;
        weights['"'] = 3; // at either end
        weights['['] = weights['{'] = 8;
        return weights;
    }();
    std::size_t sum = 2;
    for (const char c : text)
        sum += halves[static_cast<unsigned char>(c)];
    return sum / 2;
}

/// RFC 8259, into the values of nlohmann::json. Two to three times as fast as its own parser: a session of a million
/// steps is numbers almost alone, and those it copies into a text and gives to strtod.
class Parser {
public:
    Parser(std::string_view text, const std::string &what)
        : m_begin(text.data()), m_end(text.data() + text.size()), m_what(what)
    {
        m_at = m_begin + (text.starts_with("\xef\xbb\xbf") ? 3 : 0);
    }

    json document()
    {
        json value = this->value(0);
        blanks();
        if (m_at != m_end)
            fault();
        return value;
    }

private:
    [[noreturn]] void fail(const std::string &problem) const
    {
        throw Error(ErrorKind::Failure, m_what + " " + problem);
    }
    /// What stands at m_at cannot stand there.
    [[noreturn]] void fault() const
    {
        if (m_at >= m_end)
            fail(fmt::format("ends in the middle, after {} bytes: it was cut off. Use a complete copy.",
                             m_end - m_begin));
        fail(fmt::format("is not JSON: the fault is at byte {} of {}. Use an undamaged copy.", m_at - m_begin + 1,
                         m_end - m_begin));
    }

    void blanks()
    {
        while (m_at != m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t'))
            ++m_at;
    }
    /// What follows the blanks, and goes over it.
    char next()
    {
        blanks();
        if (m_at == m_end)
            fault();
        return *m_at++;
    }
    bool rest(std::string_view word) const
    {
        return std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).starts_with(word);
    }

    void word(std::string_view expected)
    {
        for (const char c : expected) {
            if (m_at == m_end || *m_at != c)
                fault();
            ++m_at;
        }
    }

    json value(int depth)
    {
        blanks();
        if (m_at == m_end)
            fault();
        switch (*m_at) {
        case '{':
            return object(depth + 1);
        case '[':
            return array(depth + 1);
        case '"':
            return text();
        case 't':
            word("true");
            return true;
        case 'f':
            word("false");
            return false;
        case 'n':
            word("null");
            return nullptr;
        default:
            return number();
        }
    }

    void checkDepth(int depth) const
    {
        if (depth > kMaxDepth)
            fail(fmt::format("nests values more than {} deep, which no file of this program does. It is damaged or not "
                             "a session; open "
                             "another file.",
                             kMaxDepth));
    }

    json array(int depth)
    {
        checkDepth(depth);
        json result = json::array();
        auto &list = result.get_ref<json::array_t &>();
        ++m_at;
        blanks();
        if (m_at != m_end && *m_at == ']') {
            ++m_at;
            return result;
        }
        while (true) {
            list.push_back(value(depth));
            const char c = next();
            if (c == ']')
                return result;
            if (c != ',') {
                --m_at;
                fault();
            }
        }
    }

    json object(int depth)
    {
        checkDepth(depth);
        json result = json::object();
        auto &fields = result.get_ref<json::object_t &>();
        ++m_at;
        blanks();
        if (m_at != m_end && *m_at == '}') {
            ++m_at;
            return result;
        }
        while (true) {
            blanks();
            if (m_at == m_end || *m_at != '"')
                fault();
            const char *const open = m_at + 1;
            std::string key = text();
            m_name = std::string_view(open, static_cast<std::size_t>(m_at - 1 - open));
            if (next() != ':') {
                --m_at;
                fault();
            }
            json held = value(depth);
            // Keys are in order in a file of this program; of a key that stands twice the last counts.
            const auto at = fields.empty() || fields.rbegin()->first < key ? fields.end() : fields.lower_bound(key);
            if (at != fields.end() && at->first == key)
                at->second = std::move(held);
            else
                fields.emplace_hint(at, std::move(key), std::move(held));
            const char c = next();
            if (c == '}')
                return result;
            if (c != ',') {
                --m_at;
                fault();
            }
        }
    }

    std::string text()
    {
        const char *const open = m_at++;
        std::string result;
        const char *run = m_at; // since what was copied last
        while (true) {
            if (m_at - open > static_cast<std::ptrdiff_t>(kLongestText))
                fail(fmt::format("holds a text of over {} bytes from byte {} on, more than this program opens. Use an "
                                 "undamaged copy.",
                                 kLongestText, open - m_begin + 1));
            if (m_at == m_end)
                fault();
            const auto c = static_cast<unsigned char>(*m_at);
            if (c == '"') {
                result.append(run, m_at++);
                return result;
            }
            if (c == '\\') {
                result.append(run, m_at++);
                escape(result);
                run = m_at;
            } else if (c < 0x20) {
                fault();
            } else if (c < 0x80) {
                do
                    ++m_at;
                while (m_at != m_end && isPlain(*m_at));
            } else {
                letter(c);
            }
        }
    }

    static bool isPlain(char c) { return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; }

    /// Goes over a letter of several bytes; those of the second byte's range are the well-formed ones of the Unicode
    /// standard.
    void letter(unsigned char first)
    {
        const int more = first >= 0xc2 && first < 0xe0   ? 1
                         : first >= 0xe0 && first < 0xf0 ? 2
                         : first >= 0xf0 && first < 0xf5 ? 3
                                                         : 0;
        if (more == 0)
            fault();
        for (int i = 1; i <= more; ++i) {
            ++m_at;
            if (m_at == m_end)
                fault();
            const auto c = static_cast<unsigned char>(*m_at);
            const unsigned char least = i == 1 && first == 0xe0 ? 0xa0 : i == 1 && first == 0xf0 ? 0x90 : 0x80;
            const unsigned char most = i == 1 && first == 0xed ? 0x9f : i == 1 && first == 0xf4 ? 0x8f : 0xbf;
            if (c < least || c > most)
                fault();
        }
        ++m_at;
    }

    unsigned hex()
    {
        unsigned code = 0;
        for (int i = 0; i < 4; ++i, ++m_at) {
            if (m_at == m_end)
                fault();
            const char c = *m_at;
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0)
                fault();
            code = code * 16 + static_cast<unsigned>(digit);
        }
        return code;
    }

    void escape(std::string &out)
    {
        if (m_at == m_end)
            fault();
        switch (*m_at++) {
        case '"':
            out += '"';
            return;
        case '\\':
            out += '\\';
            return;
        case '/':
            out += '/';
            return;
        case 'b':
            out += '\b';
            return;
        case 'f':
            out += '\f';
            return;
        case 'n':
            out += '\n';
            return;
        case 'r':
            out += '\r';
            return;
        case 't':
            out += '\t';
            return;
        case 'u':
            break;
        default:
            --m_at;
            fault();
        }
        unsigned code = hex();
        if (code >= 0xdc00 && code < 0xe000)
            fault(); // the second half of a pair without the first
        if (code >= 0xd800 && code < 0xdc00) {
            word("\\u");
            const unsigned low = hex();
            if (low < 0xdc00 || low >= 0xe000)
                fault();
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xc0 | code >> 6);
            put(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            put(0xe0 | code >> 12);
            put(0x80 | (code >> 6 & 0x3f));
            put(0x80 | (code & 0x3f));
        } else {
            put(0xf0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3f));
            put(0x80 | (code >> 6 & 0x3f));
            put(0x80 | (code & 0x3f));
        }
    }

    void digits(const char *first)
    {
        if (m_at == m_end || *m_at < '0' || *m_at > '9')
            fault();
        while (m_at != m_end && *m_at >= '0' && *m_at <= '9')
            ++m_at;
        if (m_at - first > static_cast<std::ptrdiff_t>(kLongestNumber))
            fail(fmt::format("is not JSON: from byte {} on stands a number of over {} digits. Use an undamaged copy.",
                             first - m_begin + 1, kLongestNumber));
    }

    json number()
    {
        const char *const first = m_at;
        const bool negative = *m_at == '-';
        m_at += negative;
        for (const std::string_view none : {"NaN", "Infinity"})
            if (rest(none))
                fail(fmt::format("has {} at byte {}{}; JSON has no such number. Write null for what was not measured.",
                                 none, m_at - m_begin + 1,
                                 m_name.empty() ? std::string()
                                                : fmt::format(", in '{}'", shortened(std::string(m_name)))));
        if (m_at != m_end && *m_at == '0')
            ++m_at; // nothing but a fraction may follow
        else
            digits(first);
        bool whole = true;
        if (m_at != m_end && *m_at == '.') {
            whole = false;
            ++m_at;
            digits(first);
        }
        if (m_at != m_end && (*m_at == 'e' || *m_at == 'E')) {
            whole = false;
            ++m_at;
            if (m_at != m_end && (*m_at == '+' || *m_at == '-'))
                ++m_at;
            digits(first);
        }
        if (whole && negative) {
            std::int64_t value = 0;
            if (std::from_chars(first, m_at, value).ec == std::errc())
                return value;
        } else if (whole) {
            std::uint64_t value = 0;
            if (std::from_chars(first, m_at, value).ec == std::errc())
                return value;
        }
        double value = 0;
        if (std::from_chars(first, m_at, value).ec != std::errc()) // too large, or so small that it is zero or nearly
            value = std::strtod(std::string(first, m_at).c_str(), nullptr);
        if (!std::isfinite(value))
            fail("holds a number that is too large to read. Use an undamaged copy.");
        return value;
    }

    const char *m_begin, *m_end, *m_at = nullptr;
    const std::string &m_what;
    std::string_view m_name; ///< of the field, or of the field whose list this is
};

} // namespace

json parseBounded(std::string_view text, const std::string &what, std::size_t maxValues)
{
    if (mostValues(text) > maxValues)
        throw Error(
            ErrorKind::Failure,
            fmt::format("{} holds more than {} values, more than this program opens. Split the runs over several "
                        "sessions.",
                        what, maxValues));
    return Parser(text, what).document();
}

} // namespace ridgepoint::detail
