// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace ridgepoint::output {

namespace {

[[noreturn]] void fail(int code)
{
    throw Error(ErrorKind::Failure,
                fmt::format("The results could not be written to standard output: {}. {}", std::generic_category().message(code),
                            code == EPIPE    ? "Whoever read them has stopped; send them to a file to keep them."
                            : code == ENOSPC ? "Free some space or send them elsewhere."
                                             : "Send them to a file or a terminal."));
}

} // namespace

void claimStreams()
{
    std::signal(SIGPIPE, SIG_IGN);
    bool closed = false;
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) >= 0)
            continue;
        closed = closed || stream == STDOUT_FILENO;
        if (::open("/dev/null", O_RDWR) < 0) // takes the lowest number that is free: this one
            break;
    }
    if (closed)
        fail(EBADF);
}

void print(std::string_view text)
{
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        fail(errno ? errno : EIO);
}

void say(std::string_view text)
{
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

void flush()
{
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        fail(errno ? errno : EIO);
}

} // namespace ridgepoint::output
