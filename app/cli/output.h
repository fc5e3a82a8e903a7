// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// Standard output of the verbs: what cannot be written there ends in a sentence, whatever the verb.
namespace ridgepoint::output {

/// Before anything is opened: a standard stream that came closed is replaced by /dev/null, so that no file of the program's
/// own takes its number, and a pipe that nobody reads any more gives an error and not the end of the process. Throws Error
/// (Failure) where standard output came closed.
void claimStreams();

/// Writes to standard output. Throws Error (Failure) that says why it could not.
void print(std::string_view text);

/// Writes to standard error, as far as that is possible: what is said there never ends the work.
void say(std::string_view text);

/// Hands over what was printed so far. Throws like print().
void flush();

} // namespace ridgepoint::output
