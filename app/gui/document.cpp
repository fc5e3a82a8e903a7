// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document.h"

#include "core/session/replay.h"

#include <QFileInfo>

namespace ridgepoint {

namespace {

std::filesystem::path toPath(const QString &text)
{
    return std::filesystem::path(text.toStdString());
}

} // namespace

FileState fileState(const QString &path)
{
    FileState state;
    std::error_code problem;
    const std::filesystem::path file = toPath(path);
    if (!std::filesystem::is_regular_file(file, problem) || problem)
        return {};
    state.size = std::filesystem::file_size(file, problem);
    if (!problem)
        state.written = std::filesystem::last_write_time(file, problem);
    state.exists = !problem;
    return problem ? FileState() : state;
}

Document::Document(std::filesystem::path journalFolder, QObject *parent)
    : QObject(parent), m_journalFolder(std::move(journalFolder)), m_session(newSession()),
      m_snapshot(std::make_shared<const Session>(m_session))
{
}

Document::~Document() = default;

QString Document::name() const
{
    return m_path.isEmpty() ? tr("Untitled") : QFileInfo(m_path).fileName();
}

bool Document::hasResults() const
{
    for (const RunRecord &run : m_session.runs) {
        if (run.calibration || run.ttft || run.anatomy || !run.points.empty() || !run.line.empty())
            return true;
    }
    return false;
}

void Document::replace(Session session, const QString &path, bool modified)
{
    m_session = std::move(session);
    m_snapshot = std::make_shared<const Session>(m_session);
    m_path = path;
    m_modified = modified;
    emit changed();
}

void Document::startNew()
{
    discardJournal();
    replace(newSession(), {}, false);
}

void Document::open(const QString &path)
{
    const FileState before = fileState(path);
    show(loadSession(toPath(path)), path, before);
}

bool Document::isChangedOnDisk() const
{
    if (m_path.isEmpty())
        return false;
    const FileState now = fileState(m_path);
    return now.exists && now != m_file; // a file that is gone takes nothing with it when it is written anew
}

void Document::show(Session session, const QString &path, FileState read)
{
    discardJournal();
    m_file = read;
    replace(std::move(session), path, false);
}

void Document::openImported(Session session)
{
    discardJournal();
    replace(std::move(session), {}, true);
    recorder(); // makes the journal
}

void Document::save(const QString &path, bool keepJournal)
{
    saveSession(m_session, toPath(path));
    if (!keepJournal)
        discardJournal();
    m_file = fileState(path);
    m_path = path;
    m_modified = false;
    emit changed();
}

void Document::recover(const std::filesystem::path &journal)
{
    Session session = Journal::recover(journal);
    // The old file goes only when the new journal is known to give the same back.
    std::shared_ptr<Journal> successor = Journal::create(m_journalFolder, session);
    bool same = false;
    try {
        same = toJson(Journal::recover(successor->path())) == toJson(session);
    } catch (const Error &) {
        same = false;
    }
    discardJournal();
    if (same) {
        std::error_code ignored;
        std::filesystem::remove(journal, ignored);
        m_journal = std::move(successor);
    } else {
        // The file just read stays, and is offered again until these results are saved.
        try {
            successor->discard();
        } catch (const Error &) {
        }
    }
    replace(std::move(session), m_path, true);
}

RunController::Recorder Document::recorder()
{
    if (!m_journal || *m_journalBroken) {
        // A journal that missed an event is followed by a fresh one, which holds the whole session from its first line.
        std::shared_ptr<Journal> fresh = Journal::create(m_journalFolder, m_session);
        discardJournal();
        m_journal = std::move(fresh);
        m_journalBroken = std::make_shared<std::atomic<bool>>(false);
    }
    return [journal = m_journal, broken = m_journalBroken](const Event &event) {
        try {
            journal->append(event);
        } catch (...) {
            *broken = true;
            throw;
        }
    };
}

bool Document::apply(const std::vector<Event> &events)
{
    bool any = false;
    for (const Event &event : events) {
        if (std::holds_alternative<StepTimed>(event) || std::holds_alternative<Progress>(event) ||
            std::holds_alternative<PointStarted>(event) || std::holds_alternative<TextArrived>(event))
            continue; // nothing in them that the document keeps
        if (!applyEvent(m_session, event))
            continue;
        any = true;
        if (std::holds_alternative<PointFinished>(event) || std::holds_alternative<TtftFinished>(event) ||
            std::holds_alternative<CalibrationFinished>(event) || std::holds_alternative<LineRowFinished>(event) ||
            std::holds_alternative<AnatomyFinished>(event)) {
            const RunRecord *run = m_session.run(runIdOf(event));
            m_modified = m_modified || !run || !isReplay(*run); // a recording has its file already
        }
    }
    if (any) {
        m_snapshot = std::make_shared<const Session>(m_session);
        emit changed();
    }
    return any;
}

void Document::discardJournal()
{
    if (m_journal) {
        try {
            m_journal->discard();
        } catch (const Error &) {
            // It stays on disk and is offered at the next start: a nuisance, no loss.
        }
    }
    m_journal.reset();
}

} // namespace ridgepoint
