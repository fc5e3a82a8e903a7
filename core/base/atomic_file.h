// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace ridgepoint {

/// Replaces the file at `path` by `bytes` so that a reader sees the old content or the new one, never a part:
/// writes a sibling temporary file, syncs it, renames it over `path`. Creates missing parent folders.
/// A symbolic link stays a link: the file it points to is replaced. An existing file keeps its permission bits, a new
/// one gets those of the umask. A device or pipe ("/dev/stdout") has nothing to replace and is written to as it stands.
/// Throws Error (Failure) naming the path and the system's reason (no space, no permission, a folder in the way);
/// the old file is then untouched and the temporary one is gone.
void writeFileAtomically(const std::filesystem::path &path, std::string_view bytes);

/// Throws the Error that writeFileAtomically(path, ...) would throw now, and leaves nothing behind: missing folders are not made
/// (one is tried, and removed, in the nearest that exists). A disk that fills up later is not foreseen.
void checkFileCanBeWritten(const std::filesystem::path &path);

/// The whole content of `path`. Throws Error (Failure) when it cannot be read, is no regular file (a folder, a named
/// pipe, a device: reading might never end) or is larger than `maxBytes`. `first` is given the file's beginning (64 KB, or
/// all) before the rest is read, and may throw: a file of another kind then costs neither time nor memory.
std::string readWholeFile(const std::filesystem::path &path, std::size_t maxBytes = std::size_t(1) << 30,
                          const std::function<void(std::string_view)> &first = {});

} // namespace ridgepoint
