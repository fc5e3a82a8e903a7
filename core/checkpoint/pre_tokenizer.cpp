// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pre_tokenizer.h"

#include "core/checkpoint/unicode.h"

#include <algorithm>
#include <array>

namespace ridgepoint {

namespace {

using Text = std::u32string_view;

template <typename Predicate>
std::size_t runEnd(Text text, std::size_t from, Predicate predicate)
{
    while (from < text.size() && predicate(text[from]))
        ++from;
    return from;
}

bool isNewline(char32_t c)
{
    return c == U'\r' || c == U'\n';
}
bool isOther(char32_t c)
{
    return !isWhiteSpace(c) && !isLetter(c) && !isNumber(c);
}

char32_t folded(char32_t c)
{
    if (c >= U'A' && c <= U'Z')
        return c + 0x20;
    return c == 0x17F ? U's' : c; // the long s folds to s
}

/// 's 't 're 've 'm 'll 'd at `from`: its end, or `from` when there is none.
std::size_t contractionEnd(Text text, std::size_t from, bool anyCase)
{
    static constexpr std::array<Text, 7> endings = {U"s", U"t", U"re", U"ve", U"m", U"ll", U"d"};
    if (text[from] != U'\'')
        return from;
    for (const Text ending : endings) {
        if (text.size() - from - 1 < ending.size())
            continue;
        const Text found = text.substr(from + 1, ending.size());
        if (std::equal(found.begin(), found.end(), ending.begin(),
                       [&](char32_t a, char32_t b) { return (anyCase ? folded(a) : a) == b; }))
            return from + 1 + ending.size();
    }
    return from;
}

/// \s+(?!\S)|\s+ : all of the white space but the last, which goes with the word after it.
std::size_t spaceEnd(Text text, std::size_t from)
{
    const std::size_t end = runEnd(text, from, isWhiteSpace);
    return end == text.size() || end - from == 1 ? end : end - 1;
}

/// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::size_t gpt2End(Text text, std::size_t from)
{
    if (const std::size_t end = contractionEnd(text, from, false); end > from)
        return end;
    const std::size_t word = text[from] == U' ' && from + 1 < text.size() ? from + 1 : from;
    const char32_t c = text[word];
    if (isLetter(c))
        return runEnd(text, word, isLetter);
    if (isNumber(c))
        return runEnd(text, word, isNumber);
    if (isOther(c))
        return runEnd(text, word, isOther);
    return spaceEnd(text, from);
}

/// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,digits}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|
/// \s+(?!\S)|\s+
std::size_t llamaEnd(Text text, std::size_t from, std::size_t digits)
{
    if (const std::size_t end = contractionEnd(text, from, true); end > from)
        return end;
    const char32_t c = text[from];
    if (isLetter(c))
        return runEnd(text, from, isLetter);
    if (!isNewline(c) && !isNumber(c) && from + 1 < text.size() && isLetter(text[from + 1]))
        return runEnd(text, from + 1, isLetter);
    if (isNumber(c))
        return std::min(runEnd(text, from, isNumber), from + digits);
    const std::size_t mark = c == U' ' && from + 1 < text.size() ? from + 1 : from;
    if (isOther(text[mark]))
        return runEnd(text, runEnd(text, mark, isOther), isNewline);
    const std::size_t end = runEnd(text, from, isWhiteSpace);
    for (std::size_t last = end; last > from; --last)
        if (isNewline(text[last - 1]))
            return last;
    return spaceEnd(text, from);
}

} // namespace

std::optional<SplitRule> splitRuleFromPattern(std::string_view pattern)
{
    if (pattern == R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")
        return SplitRule::Gpt2;
    constexpr std::string_view head = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)";
    constexpr std::string_view tail = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    if (pattern.size() < head.size() + tail.size() || !pattern.starts_with(head) || !pattern.ends_with(tail))
        return std::nullopt;
    const std::string_view numbers = pattern.substr(head.size(), pattern.size() - head.size() - tail.size());
    if (numbers == R"(\p{N}{1,3})")
        return SplitRule::Llama3;
    if (numbers == R"(\p{N})")
        return SplitRule::Qwen2;
    return std::nullopt;
}

std::vector<std::u32string_view> splitText(SplitRule rule, std::u32string_view text)
{
    std::vector<Text> pieces;
    std::size_t from = 0;
    while (from < text.size()) {
        std::size_t end = from;
        switch (rule) {
        case SplitRule::Digits:
        case SplitRule::IndividualDigits:
            if (!isNumber(text[from]))
                end = runEnd(text, from, [](char32_t c) { return !isNumber(c); });
            else
                end = rule == SplitRule::Digits ? runEnd(text, from, isNumber) : from + 1;
            break;
        case SplitRule::Gpt2:
            end = gpt2End(text, from);
            break;
        case SplitRule::Llama3:
            end = llamaEnd(text, from, 3);
            break;
        case SplitRule::Qwen2:
            end = llamaEnd(text, from, 1);
            break;
        }
        pieces.push_back(text.substr(from, end - from));
        from = end;
    }
    return pieces;
}

} // namespace ridgepoint
