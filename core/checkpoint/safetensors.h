// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <span>
#include <string>
#include <vector>

namespace ridgepoint {

/// Largest header that is read, as in the reference implementation of the format.
inline constexpr std::size_t kSafetensorsHeaderLimit = 100'000'000;

/// The tensors of one safetensors file held in `file` (8 bytes little-endian header length, JSON header, data), in the
/// order of their data. `origin` names the file in error sentences. The tensors point into `file`; their data may be
/// less aligned than their type (the format does not ask for it).
/// Accepts what the format accepts: tensors that tile the data without hole or overlap, empty tensors, scalars,
/// "__metadata__" of strings. Throws Error (Failure) for anything else.
std::vector<StoredTensor> parseSafetensors(std::span<const std::byte> file, const std::string &origin);

/// "[2048, 64]"
std::string shapeText(const std::vector<std::int64_t> &shape);

} // namespace ridgepoint
