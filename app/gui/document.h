// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/run_controller.h"
#include "core/session/journal.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace ridgepoint {

/// What tells a file from a later one of the same name.
struct FileState {
    bool exists = false;
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written{};
    bool operator==(const FileState &) const = default;
};
FileState fileState(const QString &path);

/// The session that the window edits, its file, and the journal that guards what is not saved yet.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(std::filesystem::path journalFolder, QObject *parent = nullptr);
    /// Keeps the journal of unsaved results.
    ~Document() override;

    /// An immutable copy; the same pointer until the document changes.
    const SessionPtr &snapshot() const { return m_snapshot; }
    const QString &path() const { return m_path; } ///< empty: never saved
    QString name() const;                          ///< file name, or "Untitled"
    bool isModified() const { return m_modified; }
    bool hasResults() const; ///< some run has a calibration, a TTFT record, an anatomy, a point or a row of a line

    void startNew(); ///< an empty session; the old one's journal is discarded
    /// Throws Error and leaves everything as it is when the file cannot be opened.
    void open(const QString &path);
    /// Takes a session as it was read from `path`, whose state was `read` before that; empty: a copy, and what is saved later
    /// needs a name of its own.
    void show(Session session, const QString &path, FileState read = {});
    /// Whether another program (or window) wrote to the file, or replaced it, since it was read or saved here.
    bool isChangedOnDisk() const;
    /// Takes a session that was made of other programs' results: unsaved, without a file, kept in a journal. Throws Error
    /// when that cannot be written; the session is taken all the same.
    void openImported(Session session);
    /// Throws Error. Afterwards nothing is unsaved; the journal goes, unless `keepJournal` (a run is going).
    void save(const QString &path, bool keepJournal);
    /// Takes over an interrupted session's journal as unsaved results, under the path that the document has; the old journal goes once a new one holds the same.
    /// Throws Error and leaves everything as it is.
    void recover(const std::filesystem::path &journal);

    /// Writes to this document's journal, to be called on the worker thread. Throws Error when none can be made.
    RunController::Recorder recorder();
    /// Applies events to the document. True when it changed.
    bool apply(const std::vector<Event> &events);
    /// Lets go of unsaved results for good.
    void discardJournal();
    const std::filesystem::path &journalFolder() const { return m_journalFolder; }

signals:
    void changed(); ///< snapshot, path or modified

private:
    void replace(Session session, const QString &path, bool modified);

    std::filesystem::path m_journalFolder;
    Session m_session;
    SessionPtr m_snapshot;
    QString m_path;
    FileState m_file; ///< as it was read or saved last
    bool m_modified = false;
    std::shared_ptr<Journal> m_journal;
    std::shared_ptr<std::atomic<bool>> m_journalBroken =
        std::make_shared<std::atomic<bool>>(false); ///< set by the worker
};

} // namespace ridgepoint
