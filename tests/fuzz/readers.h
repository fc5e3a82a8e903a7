// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// One function a reader: hands it the bytes as if they were a file, then does with what was read what the program does
/// with it (saves and reads it again, reports, judges, compares, predicts). A ridgepoint::Error is what a reader owes
/// to bad bytes; anything else (another exception, a sanitizer's finding, a sentence that is no text) ends the program.
namespace fuzz {

void session(const std::uint8_t *data, std::size_t size);
void json(const std::uint8_t *data,
          std::size_t size); ///< the parser of session, journal and imports, beside nlohmann's
void journal(const std::uint8_t *data, std::size_t size);
void import(const std::uint8_t *data, std::size_t size); ///< with no option
void import_options(const std::uint8_t *data,
                    std::size_t size); ///< with every option, and names of columns that are the user's own
void line(const std::uint8_t *data, std::size_t size);
void config(const std::uint8_t *data, std::size_t size);
void safetensors(const std::uint8_t *data, std::size_t size);
void checkpoint(const std::uint8_t *data, std::size_t size); ///< model.safetensors.index.json over sound shards
void tokenizer(const std::uint8_t *data, std::size_t size);
void sentencepiece(const std::uint8_t *data, std::size_t size);
void catalog(const std::uint8_t *data, std::size_t size);
void profile(const std::uint8_t *data, std::size_t size); ///< a measured hardware profile
void lesson(const std::uint8_t *data, std::size_t size);
void glossary(const std::uint8_t *data, std::size_t size);

} // namespace fuzz
