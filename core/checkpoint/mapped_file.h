// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace ridgepoint {

/// A regular file mapped read-only and privately (MAP_PRIVATE, PROT_READ); unmapped when the last owner goes.
/// A file that another process shortens while it is mapped makes the lost pages fault (SIGBUS): that cannot be caught
/// here without a signal handler for the whole process, so it is outside what this class promises. Replacing the file
/// by a rename, as downloaders do, is harmless: the mapping keeps the old one.
class MappedFile {
public:
    /// Throws Error (Failure) naming the path and the reason: missing, unreadable, not a regular file, empty.
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path &path);
    ~MappedFile();
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    explicit MappedFile(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    std::span<const std::byte> m_bytes;
};

} // namespace ridgepoint
