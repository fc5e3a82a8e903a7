// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Changes that leave the grammar whole, so that they reach what stands behind the parser: bytes flipped at random
/// hardly ever do.
namespace fuzz {

/// `text` with a value of its JSON replaced, moved, removed or doubled: of the whole text, of one of its lines, or of
/// the header of a safetensors file (whose length is put right). Empty: there is no JSON in it, or it nests too deep.
std::string changedJson(std::string_view text, std::uint64_t seed);
/// `text` with one of its numbers replaced by one that is seldom seen. Empty: it holds no number.
std::string changedNumber(std::string_view text, std::uint64_t seed);

} // namespace fuzz
