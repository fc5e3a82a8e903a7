// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

namespace ridgepoint {

std::string Message::filled(const std::string &translated) const
{
    std::string text;
    for (std::size_t at = 0; at < translated.size(); ++at) {
        const char digit = translated[at] == '%' && at + 1 < translated.size() ? translated[at + 1] : '\0';
        if (digit >= '1' && digit <= '9' && static_cast<std::size_t>(digit - '1') < arguments.size()) {
            text += arguments[static_cast<std::size_t>(digit - '1')];
            ++at;
        } else {
            text += translated[at];
        }
    }
    return text;
}

std::optional<Message> takenApart(std::string_view text, std::string_view pattern)
{
    Message message{std::string(pattern), {}};
    std::size_t at = 0, from = 0; // in the text, in the pattern
    std::size_t open = std::string_view::npos; // number of the argument that goes on until the next words are found
    while (true) {
        std::size_t end = from; // of the pattern's next words
        const auto argument = [&] {
            return pattern[end] == '%' && end + 1 < pattern.size() && pattern[end + 1] >= '1' && pattern[end + 1] <= '9';
        };
        while (end < pattern.size() && !argument())
            ++end;
        const std::string_view words = pattern.substr(from, end - from);
        const bool last = end == pattern.size();
        std::size_t found = at;
        if (open == std::string_view::npos) {
            if (text.substr(at, words.size()) != words)
                return std::nullopt;
        } else {
            if (last)
                found = text.size() >= words.size() && text.size() - words.size() > at ? text.size() - words.size()
                                                                                     : std::string_view::npos;
            else
                found = words.empty() ? std::string_view::npos : text.find(words, at + 1);
            if (found == std::string_view::npos || text.substr(found, words.size()) != words)
                return std::nullopt;
            message.arguments[open] = std::string(text.substr(at, found - at));
        }
        at = found + words.size();
        if (last)
            break;
        open = static_cast<std::size_t>(pattern[end + 1] - '1');
        if (message.arguments.size() <= open)
            message.arguments.resize(open + 1);
        from = end + 2;
    }
    if (at != text.size())
        return std::nullopt;
    return message;
}

} // namespace ridgepoint
