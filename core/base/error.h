// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace ridgepoint {

/// What kind of fault an Error reports; it decides the exit code of the command line.
enum class ErrorKind {
    Usage,     ///< The caller asked for something that makes no sense (exit code 2).
    Failure,   ///< The request was sound but could not be carried out (exit code 1).
    Cancelled, ///< The user stopped it (exit code 130).
};

/// The one exception type of the project.
/// what() is a full sentence that names the file or value at fault and says what to do about it.
/// It is shown to the user as it stands, on standard error or in the message bar.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string &sentence) : std::runtime_error(sentence), m_kind(kind) {}

    ErrorKind kind() const noexcept { return m_kind; }
    /// 2 for Usage, 1 for Failure, 130 for Cancelled.
    int exitCode() const noexcept { return m_kind == ErrorKind::Usage ? 2 : m_kind == ErrorKind::Cancelled ? 130 : 1; }

private:
    ErrorKind m_kind;
};

} // namespace ridgepoint
