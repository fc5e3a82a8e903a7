// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include "core/base/atomic_file.h"
#include "core/session/journal.h"

#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ridgepoint;
namespace fs = std::filesystem;

class TestJournal : public QObject {
    Q_OBJECT
private slots:
    void init();
    void everyResultIsOnDiskAtOnce();
    void aLostDeviceIsWrittenDown();
    void killedProcessLosesNothingFinished();
    void heldJournalsAreNotOffered();
    void journalsWithoutResultsAreRemoved();
    void earlierResultsAreOfferedToo();
    void newestComesFirst();
    void cutLastLinesAreIgnored();
    void rubbishInTheLastLineIsIgnored();
    void rubbishBeforeTheLastLineIsNamed();
    void mutationsNeverCrash();
    void newerVersionsAreRefused();
    void otherFilesAreLeftAlone();
    void discardRemovesTheFile();
    void faultsOfTheFolderAreNamed();
    void noSpaceLeavesWholeLines();
    void folderFollowsTheEnvironment();

private:
    fs::path folder() const { return fs::path(m_dir->path().toStdString()) / "journal"; }
    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestJournal::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
}

namespace {

Session empty()
{
    Session s;
    s.id = "a-session";
    s.createdUtc = "2026-01-31T12:00:00Z";
    return s;
}

std::vector<Event> sweepEvents()
{
    const RunRecord run = samples::sweepRun(true);
    std::vector<Event> events{RunStarted{"run-sweep", run.plan, run.provenance}};
    for (const SweepPoint &p : run.points)
        events.push_back(PointFinished{"run-sweep", p});
    events.push_back(RunEnded{"run-sweep", RunEnded::How::Done, ErrorKind::Failure, {}});
    return events;
}

Session applied(const std::vector<Event> &events)
{
    Session s = empty();
    for (const Event &e : events)
        applyEvent(s, e);
    return s;
}

/// A journal of the whole sweep that nobody holds any more.
fs::path wholeSweep(const fs::path &folder)
{
    const auto journal = Journal::create(folder, empty());
    for (const Event &e : sweepEvents())
        journal->append(e);
    return journal->path();
}

} // namespace

void TestJournal::everyResultIsOnDiskAtOnce()
{
    const auto journal = Journal::create(folder(), empty());
    Session expected = empty();
    for (const Event &e : sweepEvents()) {
        journal->append(e);
        applyEvent(expected, e);
        Session now = Journal::recover(journal->path());
        for (RunRecord &run : now.runs)
            if (run.state == RunRecord::State::Interrupted)
                run.state = RunRecord::State::Running;
        QCOMPARE(toJson(now), toJson(expected));
    }
    const auto size = fs::file_size(journal->path());
    journal->append(Progress{"run-sweep", "on it", 0.5, 1, 1});
    journal->append(StepTimed{"run-sweep", 0, {}});
    QCOMPARE(fs::file_size(journal->path()), size);
}

void TestJournal::aLostDeviceIsWrittenDown()
{
    std::vector<Event> events = sweepEvents();
    std::get<RunEnded>(events.back()) = {"run-sweep", RunEnded::How::Failed, ErrorKind::Failure, "It is gone.", true};
    const auto journal = Journal::create(folder(), empty());
    for (const Event &e : events)
        journal->append(e);
    const std::string text = readWholeFile(journal->path());
    QVERIFY(text.find("\"device_lost\":true") != std::string::npos);
    const Session back = Journal::recover(journal->path());
    QVERIFY(back.runs[0].state == RunRecord::State::Failed);
    QCOMPARE(back.runs[0].sentence, std::string("It is gone."));
    // Of another fault nothing is said, so that older programs' journals keep their bytes.
    const auto usual = Journal::create(folder(), empty());
    for (const Event &e : sweepEvents())
        usual->append(e);
    QVERIFY(readWholeFile(usual->path()).find("device_lost") == std::string::npos);
}

void TestJournal::killedProcessLosesNothingFinished()
{
    int ready[2];
    QCOMPARE(::pipe(ready), 0);
    const std::vector<Event> events = sweepEvents();
    const std::size_t appended = 7; // the start and six points
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            const auto journal = Journal::create(folder(), empty());
            for (std::size_t i = 0; i < appended; ++i)
                journal->append(events[i]);
            (void)!::write(ready[1], "x", 1);
            while (true)
                ::pause();
        } catch (...) {
        }
        ::_exit(1);
    }
    QVERIFY(child > 0);
    ::close(ready[1]);
    char told = 0;
    QCOMPARE(::read(ready[0], &told, 1), ssize_t(1));
    ::close(ready[0]);
    QVERIFY(Journal::recoverable(folder()).empty()); // still running, so not offered
    QCOMPARE(::kill(child, SIGKILL), 0);
    QCOMPARE(::waitpid(child, nullptr, 0), child);

    const auto offered = Journal::recoverable(folder());
    QCOMPARE(offered.size(), std::size_t(1));
    const Session recovered = Journal::recover(offered[0]);
    Session expected = applied({events.begin(), events.begin() + appended});
    QVERIFY(expected.runs.at(0).state == RunRecord::State::Running);
    expected.runs[0].state = RunRecord::State::Interrupted;
    QCOMPARE(recovered.runs.at(0).points.size(), std::size_t(6));
    QCOMPARE(toJson(recovered), toJson(expected));
}

void TestJournal::heldJournalsAreNotOffered()
{
    auto journal = Journal::create(folder(), empty());
    for (const Event &e : sweepEvents())
        journal->append(e);
    const fs::path path = journal->path();
    QVERIFY(Journal::recoverable(folder()).empty());
    QVERIFY(fs::exists(path));
    journal.reset();
    QCOMPARE(Journal::recoverable(folder()), std::vector<fs::path>{path});
}

void TestJournal::journalsWithoutResultsAreRemoved()
{
    auto journal = Journal::create(folder(), empty());
    journal->append(sweepEvents().front());
    const fs::path path = journal->path();
    QVERIFY(Journal::recoverable(folder()).empty());
    QVERIFY(fs::exists(path)); // held
    journal.reset();
    QVERIFY(Journal::recoverable(folder()).empty());
    QVERIFY(!fs::exists(path));
}

void TestJournal::earlierResultsAreOfferedToo()
{
    // A recovered session goes into a new journal; a second crash before the next result must not lose it.
    const Session before = applied(sweepEvents());
    const fs::path path = Journal::create(folder(), before)->path();
    QCOMPARE(Journal::recoverable(folder()), std::vector<fs::path>{path});
    QCOMPARE(toJson(Journal::recover(path)), toJson(before));
}

void TestJournal::newestComesFirst()
{
    const fs::path first = wholeSweep(folder()), second = wholeSweep(folder());
    fs::last_write_time(first, fs::last_write_time(second) + std::chrono::hours(1));
    QCOMPARE(Journal::recoverable(folder()), (std::vector<fs::path>{first, second}));
    fs::last_write_time(first, fs::last_write_time(second) - std::chrono::hours(1));
    QCOMPARE(Journal::recoverable(folder()), (std::vector<fs::path>{second, first}));
    QVERIFY(Journal::recoverable(folder() / "none").empty());
}

void TestJournal::cutLastLinesAreIgnored()
{
    const std::string whole = readWholeFile(wholeSweep(folder()));
    const fs::path cut = folder() / "cut.ndjson";
    const std::size_t header = whole.find('\n', whole.find('\n') + 1) + 1;
    for (std::size_t i = 1; i <= 50; ++i) {
        const std::size_t size = header + (whole.size() - header) * i / 50;
        writeFileAtomically(cut, whole.substr(0, size));
        const Session session = Journal::recover(cut);
        const auto lines = static_cast<std::size_t>(
            std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
        const std::size_t events = lines - 2; // the header and the session
        const std::size_t points = session.runs.empty() ? 0 : session.runs[0].points.size();
        QCOMPARE(points, events == 0 ? 0 : std::min<std::size_t>(events - 1, 10));
    }
}

void TestJournal::rubbishInTheLastLineIsIgnored()
{
    const fs::path path = wholeSweep(folder());
    const std::string expected = toJson(Journal::recover(path));
    for (const std::string &rubbish :
         {std::string(4096, '\0') + "\n", std::string("{\"event\":\n"), std::string("{}\n"), std::string("[[[[\n"),
          std::string("\xff\xfe\n"), std::string("no end")}) {
        const fs::path copy = folder() / "copy.ndjson";
        writeFileAtomically(copy, readWholeFile(path) + rubbish);
        QCOMPARE(toJson(Journal::recover(copy)), expected);
    }
}

void TestJournal::rubbishBeforeTheLastLineIsNamed()
{
    const fs::path path = wholeSweep(folder());
    std::string text = readWholeFile(path);
    std::size_t at = 0;
    for (int line = 1; line < 5; ++line)
        at = text.find('\n', at) + 1;
    text[at] = '#';
    writeFileAtomically(path, text);
    const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { Journal::recover(path); });
    QVERIFY(sentence);
    QVERIFY2(sentence->contains("line 5") && sentence->contains(QString::fromStdString(path.filename().string())),
             qPrintable(*sentence));
}

void TestJournal::mutationsNeverCrash()
{
    const std::string whole = readWholeFile(wholeSweep(folder()));
    const fs::path path = folder() / "mutant.ndjson";
    std::mt19937 random(7);
    int recovered = 0, refused = 0;
    for (int i = 0; i < 300; ++i) {
        std::string text = whole;
        text[random() % text.size()] = static_cast<char>(random() % 256);
        {
            std::ofstream out(path, std::ios::binary | std::ios::trunc);
            out << text;
        }
        Journal::recoverable(folder());
        if (!fs::exists(path))
            continue;
        try {
            Journal::recover(path);
            ++recovered;
        } catch (const Error &e) {
            QVERIFY(e.kind() == ErrorKind::Failure);
            ++refused;
        }
    }
    QVERIFY(recovered > 0);
    QVERIFY(refused > 0);
}

void TestJournal::newerVersionsAreRefused()
{
    const fs::path path = wholeSweep(folder());
    std::string text = readWholeFile(path);
    const std::size_t at = text.find("\"version\":1");
    text.replace(at, 11, "\"version\":2");
    writeFileAtomically(path, text);
    const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { Journal::recover(path); });
    QVERIFY(sentence && sentence->contains("newer Ridgepoint"));
}

void TestJournal::otherFilesAreLeftAlone()
{
    fs::create_directories(folder() / "folder.ndjson");
    for (const char *name : {"notes.txt", "other.ndjson", "empty.ndjson", "new.ndjson.part"})
        std::ofstream(folder() / name) << (std::string_view(name) == "empty.ndjson" ? "" : "{\"mine\":true}\n");
    fs::create_symlink(folder() / "notes.txt", folder() / "link.ndjson");
    QVERIFY(Journal::recoverable(folder()).empty());
    for (const char *name : {"notes.txt", "other.ndjson", "empty.ndjson", "new.ndjson.part", "link.ndjson"})
        QVERIFY2(fs::exists(folder() / name), name);
    fs::last_write_time(folder() / "new.ndjson.part", fs::file_time_type::clock::now() - std::chrono::hours(2));
    QVERIFY(Journal::recoverable(folder()).empty());
    QVERIFY(!fs::exists(folder() / "new.ndjson.part")); // what a kill during creation leaves
    const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { Journal::recover(folder() / "other.ndjson"); });
    QVERIFY(sentence && sentence->contains("'format' is missing"));
    QVERIFY(samples::sentenceOf(ErrorKind::Failure, [&] { Journal::recover(folder() / "empty.ndjson"); }));
}

void TestJournal::discardRemovesTheFile()
{
    const auto journal = Journal::create(folder(), empty());
    const fs::path path = journal->path();
    QVERIFY(fs::exists(path));
    journal->discard();
    QVERIFY(!fs::exists(path));
    journal->discard();
    const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { journal->append(sweepEvents().front()); });
    QVERIFY(sentence && sentence->contains("let go"));
}

void TestJournal::faultsOfTheFolderAreNamed()
{
    const fs::path file = folder().parent_path() / "a file";
    std::ofstream(file) << "x";
    const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { Journal::create(file / "journal", empty()); });
    QVERIFY(sentence);
    QVERIFY2(sentence->contains("a file/journal") && sentence->contains("XDG_STATE_HOME"), qPrintable(*sentence));
}

void TestJournal::noSpaceLeavesWholeLines()
{
    // A limit on the file's size is the full disk that a test can make.
    const pid_t child = ::fork();
    if (child == 0) {
        int code = 1;
        try {
            ::signal(SIGXFSZ, SIG_IGN);
            const auto journal = Journal::create(folder(), empty());
            const std::vector<Event> events = sweepEvents();
            journal->append(events[0]);
            journal->append(events[1]);
            const auto size = fs::file_size(journal->path());
            const rlimit limit{static_cast<rlim_t>(size) + 100, RLIM_INFINITY};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { journal->append(events[2]); });
            const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
            ::setrlimit(RLIMIT_FSIZE, &none);
            const bool named = sentence && sentence->contains("cannot be written");
            const bool whole = fs::file_size(journal->path()) == size;
            journal->append(events[3]); // space was made
            code = named && whole ? 0 : 2;
        } catch (...) {
        }
        ::_exit(code);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
    const auto offered = Journal::recoverable(folder());
    QCOMPARE(offered.size(), std::size_t(1));
    QCOMPARE(Journal::recover(offered[0]).runs.at(0).points.size(), std::size_t(2));
}

void TestJournal::folderFollowsTheEnvironment()
{
    const QByteArray state = qgetenv("XDG_STATE_HOME"), home = qgetenv("HOME");
    qputenv("XDG_STATE_HOME", "/somewhere/state");
    QCOMPARE(Journal::defaultFolder(), fs::path("/somewhere/state/ridgepoint/journal"));
    qputenv("XDG_STATE_HOME", "relative");
    qputenv("HOME", "/somewhere/home");
    QCOMPARE(Journal::defaultFolder(), fs::path("/somewhere/home/.local/state/ridgepoint/journal"));
    qunsetenv("HOME");
    QVERIFY(samples::sentenceOf(ErrorKind::Failure, [] { Journal::defaultFolder(); }));
    state.isNull() ? (void)qunsetenv("XDG_STATE_HOME") : (void)qputenv("XDG_STATE_HOME", state);
    if (!home.isNull())
        qputenv("HOME", home);
}

QTEST_APPLESS_MAIN(TestJournal)
#include "test_journal.moc"
