// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/journal.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/session/json_values.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ridgepoint {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kJournalVersion = 1;
constexpr const char *kSuffix = ".ndjson";
constexpr const char *kUnfinished = ".part"; ///< a journal that has no header yet
constexpr std::time_t kUnfinishedAge = 3600; // seconds
constexpr std::string_view kHeaderStart = "{\"format\":\"ridgepoint-journal\"";

[[noreturn]] void failure(const fs::path &path, std::string_view what, int error, std::string_view remedy)
{
    throw Error(ErrorKind::Failure,
                fmt::format("The journal '{}' {}: {}. {}", path.string(), what, std::strerror(error), remedy));
}

/// A file descriptor that closes itself (and with it gives up its lock).
class File {
public:
    explicit File(int descriptor = -1) : m_descriptor(descriptor) {}
    ~File()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    File(File &&other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    File &operator=(File &&other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    int get() const { return m_descriptor; }
    bool isOpen() const { return m_descriptor >= 0; }
    /// False when another process (or another journal of this one) holds the file.
    bool tryLock() const { return ::flock(m_descriptor, LOCK_EX | LOCK_NB) == 0; }

private:
    int m_descriptor;
};

std::string line(const char *event, const std::string &runId, json value)
{
    // "event" sorts first: recoverable() reads the beginning of a line only.
    return detail::dump({{"event", event}, {"run", runId}, {"value", std::move(value)}}) + "\n";
}

bool isResultLine(std::string_view text)
{
    for (const std::string_view start :
         {R"({"event":"point_finished")", R"({"event":"ttft_finished")", R"({"event":"calibration_finished")",
          R"({"event":"line_row_finished")", R"({"event":"anatomy_finished")"})
        if (text.substr(0, start.size()) == start)
            return true;
    return false;
}

std::string_view howName(RunEnded::How how)
{
    switch (how) {
    case RunEnded::How::Done:
        return "done";
    case RunEnded::How::Cancelled:
        return "cancelled";
    case RunEnded::How::Failed:
        return "failed";
    }
    return {};
}

std::optional<RunEnded::How> parseHow(std::string_view text)
{
    for (const auto how : {RunEnded::How::Done, RunEnded::How::Cancelled, RunEnded::How::Failed})
        if (howName(how) == text)
            return how;
    return std::nullopt;
}

std::string_view kindName(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Usage:
        return "usage";
    case ErrorKind::Failure:
        return "failure";
    case ErrorKind::Cancelled:
        return "cancelled";
    }
    return {};
}

std::optional<ErrorKind> parseKind(std::string_view text)
{
    for (const ErrorKind kind : {ErrorKind::Usage, ErrorKind::Failure, ErrorKind::Cancelled})
        if (kindName(kind) == text)
            return kind;
    return std::nullopt;
}

/// The line of an event that changes the document; empty for the rest.
struct LineOf {
    std::string operator()(const RunStarted &e) const
    {
        return line("run_started", e.runId,
                    {{"plan", detail::toValue(e.plan)}, {"provenance", detail::toValue(e.provenance)}});
    }
    std::string operator()(const PointFinished &e) const
    {
        return line("point_finished", e.runId, detail::toValue(e.point));
    }
    std::string operator()(const TtftFinished &e) const
    {
        return line("ttft_finished", e.runId, detail::toValue(e.result));
    }
    std::string operator()(const CalibrationFinished &e) const
    {
        return line("calibration_finished", e.runId, detail::toValue(e.result));
    }
    std::string operator()(const LineRowFinished &e) const
    {
        return line("line_row_finished", e.runId, detail::toValue(e.row));
    }
    std::string operator()(const AnatomyFinished &e) const
    {
        return line("anatomy_finished", e.runId, detail::toValue(e.anatomy));
    }
    std::string operator()(const RunEnded &e) const
    {
        nlohmann::json value{{"how", howName(e.how)}, {"kind", kindName(e.errorKind)}, {"sentence", e.sentence}};
        if (e.deviceLost)
            value["device_lost"] = true;
        return line("run_ended", e.runId, value);
    }
    template <typename Passing>
    std::string operator()(const Passing &) const
    {
        return {};
    }
};

void applyLine(Session &session, const detail::Node &node)
{
    const std::string event = node.at("event").text();
    const std::string run = node.at("run").text();
    const detail::Node value = node.at("value");
    if (event == "session") {
        session = detail::readSession(value);
    } else if (event == "run_started") {
        applyEvent(session,
                   RunStarted{run, detail::readPlan(value.at("plan")), detail::readProvenance(value.at("provenance"))});
    } else if (event == "point_finished") {
        applyEvent(session, PointFinished{run, detail::readPoint(value)});
    } else if (event == "ttft_finished") {
        applyEvent(session, TtftFinished{run, detail::readTtft(value)});
    } else if (event == "calibration_finished") {
        applyEvent(session, CalibrationFinished{run, detail::readCalibration(value)});
    } else if (event == "line_row_finished") {
        applyEvent(session, LineRowFinished{run, detail::readLineRow(value)});
    } else if (event == "anatomy_finished") {
        applyEvent(session, AnatomyFinished{run, detail::readAnatomy(value)});
    } else if (event == "run_ended") {
        RunEnded ended{run, value.at("how").name(parseHow), value.at("kind").name(parseKind),
                       value.at("sentence").text()};
        value.optional("device_lost", [&](const detail::Node &v) { ended.deviceLost = v.boolean(); });
        applyEvent(session, ended);
    } // a kind of line that a later program adds changes nothing that this one knows
}

int resultCount(const Session &session)
{
    std::size_t count = 0;
    for (const RunRecord &run : session.runs)
        count += run.points.size() + run.line.size() + (run.ttft ? 1 : 0) + (run.anatomy ? 1 : 0) + (run.calibration ? 1 : 0);
    return static_cast<int>(std::min<std::size_t>(count, 1'000'000'000));
}

/// What recoverable() needs to know of a file, read in blocks: whether it starts as a journal, and whether a complete
/// line holds a result.
struct Glance {
    bool journal = false;
    bool results = false;
};
Glance glance(int descriptor)
{
    Glance seen;
    std::string start; // the first bytes of the line being read
    std::size_t lineNumber = 0;
    constexpr std::size_t kStart = 512;
    std::vector<char> block(1 << 16);
    off_t offset = 0;
    while (true) {
        const ssize_t got = ::pread(descriptor, block.data(), block.size(), offset);
        if (got <= 0)
            break;
        offset += got;
        for (const char *at = block.data(), *end = at + got; at < end;) {
            const char *stop = static_cast<const char *>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
            const char *upTo = stop ? stop : end;
            if (start.size() < kStart)
                start.append(at, std::min<std::size_t>(static_cast<std::size_t>(upTo - at), kStart - start.size()));
            if (!stop)
                break;
            if (lineNumber == 0) {
                seen.journal = start.substr(0, kHeaderStart.size()) == kHeaderStart;
                if (!seen.journal)
                    return seen;
                // Results that the session had when the journal began: a recovered session is not lost by a second
                // crash.
                seen.results = start.find("\"results\":0,") == std::string::npos;
            } else {
                seen.results = seen.results || isResultLine(start);
            }
            if (seen.results)
                return seen;
            ++lineNumber;
            start.clear();
            at = stop + 1;
        }
    }
    return seen;
}

} // namespace

struct Journal::Private {
    fs::path path;
    File file;
    off_t size = 0; ///< of complete lines

    void write(const std::string &text)
    {
        std::size_t done = 0;
        while (done < text.size()) {
            const ssize_t wrote = ::write(file.get(), text.data() + done, text.size() - done);
            if (wrote < 0 && errno == EINTR)
                continue;
            if (wrote <= 0) {
                const int error = wrote == 0 ? ENOSPC : errno;
                // Half a line in the middle would cost everything after it.
                if (::ftruncate(file.get(), size) != 0)
                    failure(path, "cannot be written or repaired", errno, "Save the session to another disk now.");
                failure(path, "cannot be written", error,
                        "Free some space there, or set XDG_STATE_HOME to a folder with space; the session itself is "
                        "still in memory and can be saved elsewhere.");
            }
            done += static_cast<std::size_t>(wrote);
        }
        if (::fdatasync(file.get()) != 0 && errno != EINVAL && errno != EROFS)
            failure(path, "did not reach the disk", errno, "Save the session to another disk.");
        size += static_cast<off_t>(text.size());
    }
};

Journal::Journal() : d(std::make_unique<Private>()) {}
Journal::~Journal() = default;

std::unique_ptr<Journal> Journal::create(const fs::path &folder, const Session &session)
{
    constexpr std::string_view remedy = "Set XDG_STATE_HOME to a folder on a local disk that you may write to.";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw Error(ErrorKind::Failure, fmt::format("The journal folder '{}' cannot be created: {}. {}",
                                                    folder.string(), error.message(), remedy));
    std::string stamp = utcNow();
    std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
    const std::string name = stamp + "-" + newId() + kSuffix;

    std::unique_ptr<Journal> journal(new Journal);
    Private &d = *journal->d;
    // Locked and given its header under another name: nobody ever sees a journal that is neither held nor whole.
    d.path = folder / (name + kUnfinished);
    d.file = File(::open(d.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
    if (!d.file.isOpen())
        failure(d.path, "cannot be created", errno, remedy);
    try {
        if (!d.file.tryLock())
            failure(d.path, "cannot be locked", errno, remedy);
        d.write(detail::dump({{"format", "ridgepoint-journal"},
                              {"pid", static_cast<std::int64_t>(::getpid())},
                              {"results", resultCount(session)},
                              {"session_id", session.id},
                              {"version", kJournalVersion}}) +
                "\n" + line("session", "", detail::toValue(session)));
        const fs::path final = folder / name;
        if (::rename(d.path.c_str(), final.c_str()) != 0)
            failure(d.path, "cannot be renamed", errno, remedy);
        d.path = final;
    } catch (const Error &) {
        ::unlink(d.path.c_str());
        throw;
    }
    // The name itself must survive a power cut as well; a file system that cannot sync a folder is left as it is.
    const File folderHandle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folderHandle.isOpen())
        (void)::fsync(folderHandle.get());
    return journal;
}

void Journal::append(const Event &event)
{
    const std::string text = std::visit(LineOf{}, event);
    if (text.empty())
        return;
    if (!d->file.isOpen())
        throw Error(ErrorKind::Failure, fmt::format("The journal '{}' was let go and takes no more results. Start a "
                                                    "new one for this session.",
                                                    d->path.string()));
    d->write(text);
}

const fs::path &Journal::path() const
{
    return d->path;
}

void Journal::discard()
{
    if (!d->file.isOpen())
        return;
    if (::unlink(d->path.c_str()) != 0 && errno != ENOENT)
        failure(d->path, "cannot be removed", errno, "Remove it by hand.");
    d->file = File();
}

std::vector<fs::path> Journal::recoverable(const fs::path &folder)
{
    struct Found {
        fs::path path;
        timespec time;
    };
    std::vector<Found> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const fs::path path = at->path();
        const std::string name = path.filename().string();
        const auto endsWith = [&name](std::string_view suffix) {
            return name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
        };
        const bool unfinished = endsWith(std::string(kSuffix) + kUnfinished);
        if (!unfinished && !endsWith(kSuffix))
            continue;
        const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
        struct stat status {};
        if (!file.isOpen() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !file.tryLock())
            continue;
        // Held by nobody: its program has gone, and this look at it is the only one that may remove it.
        if (unfinished) {
            if (std::time(nullptr) - status.st_mtim.tv_sec > kUnfinishedAge)
                ::unlink(path.c_str());
            continue;
        }
        const Glance seen = glance(file.get());
        if (seen.results)
            found.push_back({path, status.st_mtim});
        else if (seen.journal)
            ::unlink(path.c_str());
    }
    std::sort(found.begin(), found.end(), [](const Found &a, const Found &b) {
        if (a.time.tv_sec != b.time.tv_sec)
            return a.time.tv_sec > b.time.tv_sec;
        if (a.time.tv_nsec != b.time.tv_nsec)
            return a.time.tv_nsec > b.time.tv_nsec;
        return a.path > b.path;
    });
    std::vector<fs::path> paths;
    for (Found &f : found)
        paths.push_back(std::move(f.path));
    return paths;
}

Session Journal::recover(const fs::path &path)
{
    const std::string bytes = readWholeFile(path);
    const std::string file = "The journal '" + path.string() + "'";
    Session session;
    bool haveSession = false;
    std::size_t number = 0;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t stop = bytes.find('\n', at);
        if (stop == std::string::npos)
            break; // cut off by a kill: the point in flight
        const std::string_view text = std::string_view(bytes).substr(at, stop - at);
        const bool last = stop + 1 >= bytes.size();
        at = stop + 1;
        ++number;
        try {
            const std::string what = fmt::format("{}, line {},", file, number);
            const json value = detail::parseBounded(text, what);
            const detail::Node node(value, what);
            if (number == 1) {
                if (node.at("format").text() != "ridgepoint-journal")
                    node.at("format").fail("does not say 'ridgepoint-journal'");
                const std::int64_t version = node.at("version").integer(1, 2'000'000'000);
                if (version > kJournalVersion)
                    throw Error(ErrorKind::Failure,
                                fmt::format("{} has version {}: it was written by a newer Ridgepoint than this one, "
                                            "which reads up to version {}. Update Ridgepoint to recover it.",
                                            file, version, kJournalVersion));
            } else {
                applyLine(session, node);
                haveSession = haveSession || number == 2;
            }
        } catch (const Error &) {
            // A power cut can leave a last line of rubbish; rubbish before it means that the file was damaged.
            if (!last || !haveSession)
                throw;
        }
    }
    if (!haveSession)
        throw Error(ErrorKind::Failure, file + " ends before its session begins: nothing can be recovered from it. "
                                               "Remove it.");
    for (RunRecord &run : session.runs)
        if (run.state == RunRecord::State::Running)
            run.state = RunRecord::State::Interrupted;
    return session;
}

fs::path Journal::defaultFolder()
{
    // The base-directory specification ignores relative paths.
    if (const char *state = std::getenv("XDG_STATE_HOME"); state && *state == '/')
        return fs::path(state) / "ridgepoint" / "journal";
    if (const char *home = std::getenv("HOME"); home && *home)
        return fs::path(home) / ".local" / "state" / "ridgepoint" / "journal";
    throw Error(ErrorKind::Failure, "Neither XDG_STATE_HOME nor HOME is set, so there is no place for the journal. Set "
                                    "XDG_STATE_HOME to a folder that you may write to.");
}

} // namespace ridgepoint
