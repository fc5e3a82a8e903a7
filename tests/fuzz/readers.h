// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// One function a reader: hands it the bytes as if they were a file. A ridgepoint::Error is what a reader owes to bad bytes;
/// anything else (another exception, a sanitizer's finding) ends the program.
namespace fuzz {

void session(const std::uint8_t *data, std::size_t size);
void journal(const std::uint8_t *data, std::size_t size);
void import(const std::uint8_t *data, std::size_t size);
void line(const std::uint8_t *data, std::size_t size);
void config(const std::uint8_t *data, std::size_t size);
void safetensors(const std::uint8_t *data, std::size_t size);
void tokenizer(const std::uint8_t *data, std::size_t size);
void catalog(const std::uint8_t *data, std::size_t size);

} // namespace fuzz
