// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/events.h"
#include "core/session/session.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

/// What each finished point is written to before anybody sees it: one JSON object a line, appended and synced.
/// A line that a kill cut off is ignored on reading.
class Journal {
public:
    /// Opens a new journal in `folder` (created), locked for this process so that another running program does not
    /// offer it for recovery. Throws Error (Failure).
    static std::unique_ptr<Journal> create(const std::filesystem::path &folder, const Session &session);
    ~Journal(); ///< keeps the file
    Journal(const Journal &) = delete;
    Journal &operator=(const Journal &) = delete;

    /// Appends what changes the document (RunStarted, PointFinished, TtftFinished, CalibrationFinished,
    /// LineRowFinished, RunEnded) and
    /// syncs; ignores the rest. Throws Error (Failure), no space among the causes.
    void append(const Event &event);
    const std::filesystem::path &path() const;
    /// Removes the file: the session is safe elsewhere (saved), or the user let it go.
    void discard();

    /// Journals in `folder` that no living process holds and that contain at least one result, newest first.
    static std::vector<std::filesystem::path> recoverable(const std::filesystem::path &folder);
    /// Rebuilds the session; runs that had not ended get the state Interrupted.
    static Session recover(const std::filesystem::path &path);
    /// $XDG_STATE_HOME/ridgepoint/journal, by default below ~/.local/state.
    static std::filesystem::path defaultFolder();

private:
    Journal();
    struct Private;
    std::unique_ptr<Private> d;
};

/// Applies an event to the document. False when the event belongs to no run of it (a late result: dropped).
bool applyEvent(Session &session, const Event &event);

} // namespace ridgepoint
