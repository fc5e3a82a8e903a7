// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/sample_sessions.h"

#include "core/base/error.h"
#include "core/catalog/catalog.h"
#include "core/session/session_title.h"

#include <algorithm>

namespace ridgepoint {

std::vector<SampleSession> sampleSessions()
{
    return sampleSessions(Catalog::defaultFolders());
}

std::vector<SampleSession> sampleSessions(const std::vector<std::filesystem::path> &folders)
{
    std::vector<SampleSession> found;
    for (const std::filesystem::path &folder : folders) {
        std::error_code fault;
        for (std::filesystem::directory_iterator it(folder / "samples", fault), end; !fault && it != end;
             it.increment(fault)) {
            if (it->path().extension() != ".json")
                continue;
            SampleSession &sample = found.emplace_back();
            sample.path = it->path();
            sample.title = it->path().stem().string();
            try {
                const Session session = loadSession(sample.path);
                if (hasOwnTitle(session))
                    sample.title = session.title;
                else if (sample.about = sessionTitle(session); !sample.about.empty())
                    sample.title = sample.about.english();
            } catch (const Error &problem) {
                sample.problem = problem.what();
            }
        }
    }
    std::sort(found.begin(), found.end(), [](const SampleSession &a, const SampleSession &b) {
        return a.title != b.title ? a.title < b.title : a.path < b.path;
    });
    return found;
}

} // namespace ridgepoint
