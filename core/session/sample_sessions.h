// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ridgepoint {

/// A session that ships with the program: recorded on real hardware, to be looked at where there is none.
struct SampleSession {
    std::filesystem::path path;
    std::string title;   ///< the session's own, else what it holds (sessionTitle), else the file's name
    std::string problem; ///< a sentence where the file cannot be read; empty: fine
    Message about = {};  ///< what it holds, where `title` says that; a window translates it
};

/// Every samples/*.json below the folders of Catalog::defaultFolders(), by title. Reads the files. Never throws for a
/// file; throws Error (Failure) as defaultFolders() does.
std::vector<SampleSession> sampleSessions();
std::vector<SampleSession> sampleSessions(const std::vector<std::filesystem::path> &folders);

} // namespace ridgepoint
