// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ridgepoint {

namespace fs = std::filesystem;

namespace {

/// Closes on every way out.
class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    int get() const { return m_fd; }
    /// 0, or the errno of close (a network file system may report a lost write only here).
    int close()
    {
        if (m_fd < 0)
            return 0;
        const int result = ::close(m_fd);
        m_fd = -1;
        return result == 0 || errno == EINTR ? 0 : errno;
    }

private:
    int m_fd;
};

/// Removes the temporary file unless it was renamed into place.
class TemporaryName {
public:
    explicit TemporaryName(fs::path path) : m_path(std::move(path)) {}
    ~TemporaryName()
    {
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }
    TemporaryName(const TemporaryName &) = delete;
    TemporaryName &operator=(const TemporaryName &) = delete;
    void release() { m_path.clear(); }

private:
    fs::path m_path;
};

std::string_view remedy(int code)
{
    switch (code) {
    case ENOSPC:
    case EDQUOT:
        return "Free some space or choose another folder.";
    case EFBIG:
        return "The file size limit of this process or file system was reached; choose another folder.";
    case EACCES:
    case EPERM:
        return "Choose a folder you may write to, or change its permissions.";
    case EROFS:
        return "The file system is read-only; choose another folder.";
    case EISDIR:
        return "A folder of that name is in the way; choose another file name.";
    case ENOTDIR:
    case EEXIST:
        return "A part of the path is a file, not a folder; choose another folder.";
    case ENAMETOOLONG:
        return "Choose a shorter name.";
    case ELOOP:
        return "The symbolic links lead in a circle; choose another path.";
    default:
        return "Choose another path or check the disk.";
    }
}

[[noreturn]] void throwWrite(const fs::path &path, int code)
{
    throw Error(ErrorKind::Failure, fmt::format("Could not write \"{}\": {}. {}", path.string(),
                                                std::generic_category().message(code), remedy(code)));
}

[[noreturn]] void throwRead(const fs::path &path, int code)
{
    throw Error(ErrorKind::Failure, fmt::format("Could not read \"{}\": {}. Check the path and its permissions.",
                                                path.string(), std::generic_category().message(code)));
}

const char *kindName(mode_t mode)
{
    return S_ISFIFO(mode) ? "named pipe" : S_ISSOCK(mode) ? "socket" : "device";
}

/// 0 or an errno.
int writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR)
                continue;
            return errno;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// Follows symbolic links by hand, so that a link to a file that does not exist yet creates that file.
fs::path resolveLinks(const fs::path &path)
{
    fs::path current = path;
    for (int hop = 0; hop < 40; ++hop) {
        std::error_code ec;
        if (!fs::is_symlink(fs::symlink_status(current, ec)))
            return current;
        const fs::path target = fs::read_symlink(current, ec);
        if (ec)
            throwWrite(path, ec.value());
        current = target.is_absolute() ? target : current.parent_path() / target;
    }
    throwWrite(path, ELOOP);
}

/// Opens a new file in `folder`; the name does not grow with the target's, which may be as long as the system allows.
/// open() rather than mkstemp(): the kernel then applies the umask, which cannot be read without a race between
/// threads.
int openTemporary(const fs::path &folder, fs::path &name)
{
    static std::atomic<unsigned> counter{0};
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = folder / fmt::format(".ridgepoint-{}-{}-{:08x}.tmp", ::getpid(), counter.fetch_add(1), random());
        const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    errno = EEXIST;
    return -1;
}

void writeThrough(const fs::path &path, std::string_view bytes)
{
    // A named pipe that nobody reads would block for ever: asked not to, it says so at once.
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0 && errno == ENXIO)
        throw Error(ErrorKind::Failure,
                    fmt::format("Could not write \"{}\": it is a named pipe that nobody reads. Choose a file.", path.string()));
    if (file.get() < 0)
        throwWrite(path, errno);
    if (const int flags = ::fcntl(file.get(), F_GETFL); flags < 0 || ::fcntl(file.get(), F_SETFL, flags & ~O_NONBLOCK) != 0)
        throwWrite(path, errno);
    if (const int code = writeAll(file.get(), bytes))
        throwWrite(path, code);
    if (const int code = file.close())
        throwWrite(path, code);
}

} // namespace

void writeFileAtomically(const fs::path &path, std::string_view bytes)
{
    if (path.empty() || path.filename().empty())
        throw Error(ErrorKind::Failure,
                    fmt::format("Could not write \"{}\": the path names no file. Give a file name.", path.string()));

    struct stat existing = {};
    const bool exists = ::stat(path.c_str(), &existing) == 0;
    if (exists && S_ISDIR(existing.st_mode))
        throwWrite(path, EISDIR);
    if (exists && !S_ISREG(existing.st_mode)) {
        writeThrough(path, bytes);
        return;
    }
    // A rename would replace a file that its owner made read-only.
    if (exists && ::access(path.c_str(), W_OK) != 0)
        throwWrite(path, errno);

    const fs::path target = resolveLinks(path);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    std::error_code ec;
    fs::create_directories(folder, ec);
    if (ec)
        throwWrite(path, ec.value());

    fs::path name;
    Descriptor file(openTemporary(folder, name));
    if (file.get() < 0)
        throwWrite(path, errno);
    TemporaryName temporary(name);
    if (const int code = writeAll(file.get(), bytes))
        throwWrite(path, code);
    if (exists && ::fchmod(file.get(), existing.st_mode & 07777) != 0)
        throwWrite(path, errno);
    // Some file systems cannot sync; the rename is still all or nothing for readers.
    if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP)
        throwWrite(path, errno);
    if (const int code = file.close())
        throwWrite(path, code);
    if (::rename(name.c_str(), target.c_str()) != 0)
        throwWrite(path, errno);
    temporary.release();

    // The new file is in place by now; a folder that cannot be synced is no reason to report a failed write.
    Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0)
        (void)::fsync(directory.get());
}

void checkFileCanBeWritten(const fs::path &path)
{
    if (path.empty() || path.filename().empty())
        throw Error(ErrorKind::Failure,
                    fmt::format("Could not write \"{}\": the path names no file. Give a file name.", path.string()));
    struct stat existing = {};
    const bool exists = ::stat(path.c_str(), &existing) == 0;
    if (!exists && errno != ENOENT)
        throwWrite(path, errno);
    if (exists && S_ISDIR(existing.st_mode))
        throwWrite(path, EISDIR);
    if (exists && ::access(path.c_str(), W_OK) != 0)
        throwWrite(path, errno);
    if (exists && S_ISCHR(existing.st_mode)) {
        // Only a write tells of a device that is full. A blank line harms no reader; a terminal is spared it.
        Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        if (device.get() < 0)
            throwWrite(path, errno);
        if (::isatty(device.get()) == 0 && ::write(device.get(), "\n", 1) < 0 && errno != EAGAIN)
            throwWrite(path, errno);
        return;
    }
    if (exists && !S_ISREG(existing.st_mode))
        return;
    const fs::path target = resolveLinks(path);
    fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    bool missing = false;
    struct stat info = {};
    while (::stat(folder.c_str(), &info) != 0) {
        if (errno != ENOENT)
            throwWrite(path, errno);
        missing = true;
        folder = folder.has_parent_path() && folder != folder.parent_path() ? folder.parent_path() : fs::path(".");
    }
    if (!S_ISDIR(info.st_mode))
        throwWrite(path, ENOTDIR);
    // Permissions alone do not tell: root may write anywhere, and yet not into /proc or a read-only file system.
    fs::path name;
    Descriptor file(openTemporary(folder, name));
    if (file.get() < 0)
        throwWrite(path, errno);
    TemporaryName temporary(name);
    if (!missing)
        return;
    const fs::path inner = name.string() + ".d";
    if (::mkdir(inner.c_str(), 0777) != 0)
        throwWrite(path, errno);
    ::rmdir(inner.c_str());
}

std::string readWholeFile(const fs::path &path, std::size_t maxBytes, const std::function<void(std::string_view)> &first)
{
    // O_NONBLOCK: a pipe that nobody writes to would hold open() for ever, and with it the window. It changes nothing
    // for a file.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        throwRead(path, errno);
    struct stat info = {};
    if (::fstat(file.get(), &info) != 0)
        throwRead(path, errno);
    if (S_ISDIR(info.st_mode))
        throwRead(path, EISDIR);
    if (!S_ISREG(info.st_mode))
        throw Error(ErrorKind::Failure,
                    fmt::format("Could not read \"{}\": it is a {}, not a file. Name a file that is stored on a disk.",
                                path.string(), kindName(info.st_mode)));

    const auto tooLarge = [&] {
        throw Error(
            ErrorKind::Failure,
            fmt::format("Could not read \"{}\": it is larger than {} bytes, the most that is read of such a file. "
                        "Check that it is the right file.",
                        path.string(), maxBytes));
    };
    if (static_cast<std::uintmax_t>(info.st_size) > maxBytes)
        tooLarge();
    std::string content;
    content.reserve(static_cast<std::size_t>(info.st_size) + 1);
    // Read to the end, whatever the size said: files of /proc report none.
    std::string block(std::size_t(64) << 10, '\0');
    for (;;) {
        const ssize_t got = ::read(file.get(), block.data(), block.size());
        if (got < 0) {
            if (errno == EINTR)
                continue;
            throwRead(path, errno);
        }
        if (got == 0)
            return content;
        if (static_cast<std::size_t>(got) > maxBytes - content.size())
            tooLarge();
        content.append(block.data(), static_cast<std::size_t>(got));
        if (first && content.size() == static_cast<std::size_t>(got))
            first(content);
    }
}

} // namespace ridgepoint
