// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tokenizer.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ridgepoint {

/// The tokenizer described by the text of a tokenizer.json. Throws Error (Failure) naming `origin` when it is unusable.
std::unique_ptr<Tokenizer> tokenizerFromJson(std::string_view json, const std::string &origin);

/// The tokenizer in a SentencePiece tokenizer.model. Throws Error (Failure) naming the file when it is unusable, or
/// when the program was built without SentencePiece.
std::unique_ptr<Tokenizer> tokenizerFromSentencePiece(const std::filesystem::path &file);

/// The byte that a piece like "<0x0A>" stands for; absent for any other piece.
std::optional<unsigned char> byteOfPiece(std::string_view piece);
/// `piece` with U+2581, the mark of SentencePiece vocabularies, as a space.
std::string withSpaces(std::string_view piece);

} // namespace ridgepoint
