// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/model_shape.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace ridgepoint {

/// Reads the fields of a Hugging Face config.json. `origin` names the file in error sentences.
/// Nothing is guessed: a missing field that has no default in the reference implementation, a wrong type, a size that is
/// not positive, heads that kv heads do not divide, or an architecture outside the known families throws
/// Error (Failure) that names the field and the file.
ModelShape modelShapeFromConfig(std::string_view json, const std::string &origin);
/// The shape in `folder`/config.json; id and name are the folder's.
ModelShape modelShapeFromFolder(const std::filesystem::path &folder);

} // namespace ridgepoint
