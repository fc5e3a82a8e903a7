// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// The ways in which the known byte-level vocabularies cut text before they merge. Each is a scanner over code points
/// that gives what the regular expression in tokenizer.json gives.
enum class SplitRule {
    Digits,           ///< runs of numbers apart from the rest
    IndividualDigits, ///< every number alone (SmolLM2)
    Gpt2,             ///< the pattern built into the ByteLevel step
    Llama3,           ///< case-insensitive contractions, up to three numbers together
    Qwen2,            ///< the same with every number alone
};

/// The rule that a regular expression of tokenizer.json stands for; absent when it is none of the known ones.
std::optional<SplitRule> splitRuleFromPattern(std::string_view pattern);

/// Cuts `text` into pieces that together are `text`; no piece is empty.
std::vector<std::u32string_view> splitText(SplitRule rule, std::u32string_view text);

} // namespace ridgepoint
