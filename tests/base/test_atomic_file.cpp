// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/error.h"

#include <QtTest>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <sys/resource.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ridgepoint;
namespace fs = std::filesystem;

namespace {

/// Limits the size of the files this process writes: a write fails midway, for root as well.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    rlimit m_before = {};
    void (*m_handler)(int) = nullptr;
};

QStringList namesIn(const fs::path &folder)
{
    QStringList names;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
        names << QString::fromStdString(entry.path().filename().string());
    names.sort();
    return names;
}

mode_t modeOf(const fs::path &path)
{
    struct stat info = {};
    return ::stat(path.c_str(), &info) == 0 ? (info.st_mode & 07777) : 0;
}

/// The sentence of the Error that writing throws; empty when nothing is thrown.
QString writeError(const fs::path &path, std::string_view bytes)
{
    try {
        writeFileAtomically(path, bytes);
    } catch (const Error &error) {
        return error.kind() == ErrorKind::Failure ? QString::fromUtf8(error.what()) : QStringLiteral("wrong kind");
    }
    return {};
}

QString readError(const fs::path &path, std::size_t maxBytes)
{
    try {
        (void)readWholeFile(path, maxBytes);
    } catch (const Error &error) {
        return error.kind() == ErrorKind::Failure ? QString::fromUtf8(error.what()) : QStringLiteral("wrong kind");
    }
    return {};
}

} // namespace

class TestAtomicFile : public QObject {
    Q_OBJECT
private slots:
    void init();
    void writesAndReadsBack_data();
    void writesAndReadsBack();
    void replacesAndLeavesNothingElse();
    void createsMissingFolders();
    void newFileFollowsUmask();
    void replacedFileKeepsItsMode();
    void readOnlyFileIsNotReplaced();
    void linkStaysALink();
    void danglingLinkCreatesItsTarget();
    void longestNameIsWritten();
    void failureIsASentence_data();
    void failureIsASentence();
    void aSoundPathPassesTheCheckAndStaysAsItIs_data();
    void aSoundPathPassesTheCheckAndStaysAsItIs();
    void aPlaceThatTakesNoFilesIsFoundOut();
    void failureMidwayKeepsTheOldFile();
    void failureMidwayLeavesNoNewFile();
    void fullDeviceIsReported();
    void readerNeverSeesAPart();
    void readRefuses_data();
    void readRefuses();
    void aPipeThatNobodyReadsIsRefused();
    void readTakesExactlyTheLimit();
    void readsFilesWithoutASize();

private:
    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_folder;
};

void TestAtomicFile::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    QVERIFY(m_dir->isValid());
    m_folder = m_dir->path().toStdString();
}

void TestAtomicFile::writesAndReadsBack_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("a,b\n1,2\n");
    QTest::newRow("with zero bytes") << QByteArray("a\0b\0", 4);
    QTest::newRow("larger than a block") << QByteArray(300001, 'x');
}

void TestAtomicFile::writesAndReadsBack()
{
    QFETCH(QByteArray, bytes);
    const fs::path path = m_folder / "out.bin";
    writeFileAtomically(path, bytes.toStdString());
    QCOMPARE(QByteArray::fromStdString(readWholeFile(path)), bytes);
}

void TestAtomicFile::replacesAndLeavesNothingElse()
{
    const fs::path path = m_folder / "out.txt";
    writeFileAtomically(path, "a longer old content");
    writeFileAtomically(path, "new");
    QCOMPARE(readWholeFile(path), std::string("new"));
    QCOMPARE(namesIn(m_folder), QStringList{"out.txt"});
}

void TestAtomicFile::createsMissingFolders()
{
    const fs::path path = m_folder / "a" / "b" / "out.txt";
    writeFileAtomically(path, "x");
    QCOMPARE(readWholeFile(path), std::string("x"));
}

void TestAtomicFile::newFileFollowsUmask()
{
    const mode_t before = ::umask(027);
    writeFileAtomically(m_folder / "out.txt", "x");
    ::umask(before);
    QCOMPARE(modeOf(m_folder / "out.txt"), mode_t(0640));
}

void TestAtomicFile::replacedFileKeepsItsMode()
{
    const fs::path path = m_folder / "out.txt";
    writeFileAtomically(path, "x");
    QCOMPARE(::chmod(path.c_str(), 0600), 0);
    writeFileAtomically(path, "y");
    QCOMPARE(modeOf(path), mode_t(0600));
}

void TestAtomicFile::readOnlyFileIsNotReplaced()
{
    if (::geteuid() == 0)
        QSKIP("Root may write to everything.");
    const fs::path path = m_folder / "out.txt";
    writeFileAtomically(path, "kept");
    QCOMPARE(::chmod(path.c_str(), 0400), 0);
    QVERIFY(writeError(path, "x").contains("Permission denied"));
    QCOMPARE(readWholeFile(path), std::string("kept"));
    QCOMPARE(namesIn(m_folder), QStringList{"out.txt"});

    fs::create_directory(m_folder / "closed");
    QCOMPARE(::chmod((m_folder / "closed").c_str(), 0500), 0);
    QVERIFY(writeError(m_folder / "closed" / "out.txt", "x").contains("Permission denied"));
}

void TestAtomicFile::linkStaysALink()
{
    fs::create_directory(m_folder / "real");
    const fs::path target = m_folder / "real" / "out.txt";
    const fs::path link = m_folder / "link.txt";
    writeFileAtomically(target, "old");
    fs::create_symlink("real/out.txt", link);
    writeFileAtomically(link, "new");
    QVERIFY(fs::is_symlink(link));
    QCOMPARE(readWholeFile(target), std::string("new"));
    QCOMPARE(namesIn(m_folder / "real"), QStringList{"out.txt"});
}

void TestAtomicFile::danglingLinkCreatesItsTarget()
{
    const fs::path link = m_folder / "link.txt";
    fs::create_symlink("later.txt", link);
    writeFileAtomically(link, "x");
    QVERIFY(fs::is_symlink(link));
    QCOMPARE(readWholeFile(m_folder / "later.txt"), std::string("x"));
}

void TestAtomicFile::longestNameIsWritten()
{
    const fs::path path = m_folder / std::string(255, 'n');
    writeFileAtomically(path, "x");
    QCOMPARE(readWholeFile(path), std::string("x"));
}

void TestAtomicFile::failureIsASentence_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("reason");
    QTest::newRow("folder at the target") << "folder"
                                          << "Is a directory";
    QTest::newRow("file as parent") << "file/out.txt"
                                    << "Not a directory";
    QTest::newRow("file as grandparent") << "file/deeper/out.txt"
                                         << "Not a directory";
    QTest::newRow("name too long") << QString(256, 'n') << "File name too long";
    QTest::newRow("links in a circle") << "circle"
                                       << "Too many levels of symbolic links";
    QTest::newRow("no file name") << "folder/"
                                  << "names no file";
    QTest::newRow("no file name in a missing folder") << "missing/"
                                                      << "names no file";
}

void TestAtomicFile::failureIsASentence()
{
    QFETCH(QString, name);
    QFETCH(QString, reason);
    fs::create_directory(m_folder / "folder");
    writeFileAtomically(m_folder / "file", "kept");
    fs::create_symlink("circle", m_folder / "circle");
    const QStringList before = namesIn(m_folder);

    const fs::path path = m_folder / name.toStdString();
    const QString sentence = writeError(path, "x");
    QVERIFY2(sentence.contains(QString::fromStdString(path.string())), qPrintable(sentence));
    QVERIFY2(sentence.contains(reason), qPrintable(sentence));
    QVERIFY2(sentence.endsWith('.'), qPrintable(sentence));
    QCOMPARE(namesIn(m_folder), before);
    QCOMPARE(readWholeFile(m_folder / "file"), std::string("kept"));
    // It can be known before: in the same words, with nothing left behind.
    try {
        checkFileCanBeWritten(path);
        QFAIL("nothing was found wrong");
    } catch (const Error &error) {
        QCOMPARE(QString(error.what()), sentence);
    }
    QCOMPARE(namesIn(m_folder), before);
}

void TestAtomicFile::aSoundPathPassesTheCheckAndStaysAsItIs_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"new.txt", "file", "link", "missing/deeper/out.txt"})
        QTest::newRow(name) << name;
}

void TestAtomicFile::aSoundPathPassesTheCheckAndStaysAsItIs()
{
    QFETCH(QString, name);
    writeFileAtomically(m_folder / "file", "kept");
    fs::create_symlink("later", m_folder / "link");
    const QStringList before = namesIn(m_folder);
    checkFileCanBeWritten(m_folder / name.toStdString());
    QCOMPARE(namesIn(m_folder), before);
    QCOMPARE(readWholeFile(m_folder / "file"), std::string("kept"));
    checkFileCanBeWritten("/dev/null"); // a device is written to as it stands
}

/// /proc takes no files, whatever its permissions say, and a full device no byte.
void TestAtomicFile::aPlaceThatTakesNoFilesIsFoundOut()
{
    if (!fs::is_directory("/proc/self"))
        QSKIP("This system has no /proc.");
    for (const char *path : {"/proc/x.json", "/proc/x/y.json", "/dev/full"})
        try {
            checkFileCanBeWritten(path);
            QFAIL(path);
        } catch (const Error &error) {
            QVERIFY2(QString(error.what()).contains(path), error.what());
        }
}

void TestAtomicFile::failureMidwayKeepsTheOldFile()
{
    const fs::path path = m_folder / "out.txt";
    writeFileAtomically(path, "old");
    QString sentence;
    {
        const FileSizeLimit limit(1000);
        sentence = writeError(path, std::string(5000, 'n'));
    }
    QVERIFY2(sentence.contains("File too large"), qPrintable(sentence));
    QVERIFY2(sentence.contains(QString::fromStdString(path.string())), qPrintable(sentence));
    QCOMPARE(readWholeFile(path), std::string("old"));
    QCOMPARE(namesIn(m_folder), QStringList{"out.txt"});
}

void TestAtomicFile::failureMidwayLeavesNoNewFile()
{
    QString sentence;
    {
        const FileSizeLimit limit(1000);
        sentence = writeError(m_folder / "out.txt", std::string(5000, 'n'));
    }
    QVERIFY(!sentence.isEmpty());
    QCOMPARE(namesIn(m_folder), QStringList());
}

void TestAtomicFile::fullDeviceIsReported()
{
    if (!fs::is_character_file("/dev/full"))
        QSKIP("This system has no /dev/full.");
    const QString sentence = writeError("/dev/full", "x");
    QVERIFY2(sentence.contains("/dev/full") && sentence.contains("No space left on device"), qPrintable(sentence));
    QVERIFY(fs::is_character_file("/dev/full"));
}

void TestAtomicFile::readerNeverSeesAPart()
{
    const fs::path path = m_folder / "out.txt";
    const std::string a(200000, 'a');
    const std::string b(150000, 'b');
    writeFileAtomically(path, a);
    std::atomic<bool> done{false};
    std::thread writer([&] {
        for (int i = 0; i < 20; ++i)
            writeFileAtomically(path, i % 2 == 0 ? b : a);
        done = true;
    });
    int torn = 0;
    do {
        const std::string seen = readWholeFile(path);
        torn += seen != a && seen != b;
    } while (!done);
    writer.join();
    QCOMPARE(torn, 0);
}

void TestAtomicFile::readRefuses_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("reason");
    QTest::newRow("missing") << "missing.txt"
                             << "No such file or directory";
    QTest::newRow("folder") << "folder"
                            << "Is a directory";
    QTest::newRow("too large") << "large.txt"
                               << "larger than 10 bytes";
    QTest::newRow("pipe that nobody writes to") << "pipe"
                                                << "it is a named pipe, not a file";
    QTest::newRow("link to a device without an end") << "zero"
                                                     << "it is a device, not a file";
}

void TestAtomicFile::readRefuses()
{
    QFETCH(QString, name);
    QFETCH(QString, reason);
    fs::create_directory(m_folder / "folder");
    writeFileAtomically(m_folder / "large.txt", "01234567890");
    QCOMPARE(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", m_folder / "zero");
    const QString sentence = readError(m_folder / name.toStdString(), 10);
    QVERIFY2(sentence.contains(name) && sentence.contains(reason), qPrintable(sentence));
}

void TestAtomicFile::aPipeThatNobodyReadsIsRefused()
{
    QCOMPARE(::mkfifo((m_folder / "pipe").c_str(), 0600), 0);
    QString sentence;
    try {
        writeFileAtomically(m_folder / "pipe", "x");
    } catch (const Error &error) {
        sentence = QString::fromUtf8(error.what());
    }
    QVERIFY2(sentence.contains("named pipe that nobody reads"), qPrintable(sentence));
    const int reader = ::open((m_folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
    QVERIFY(reader >= 0);
    writeFileAtomically(m_folder / "pipe", "to a reader");
    char got[32] = {};
    QCOMPARE(::read(reader, got, sizeof got), ssize_t(11));
    ::close(reader);
    QCOMPARE(QByteArray(got), QByteArray("to a reader"));
}

void TestAtomicFile::readTakesExactlyTheLimit()
{
    writeFileAtomically(m_folder / "out.txt", "0123456789");
    QCOMPARE(readWholeFile(m_folder / "out.txt", 10), std::string("0123456789"));
}

void TestAtomicFile::readsFilesWithoutASize()
{
    if (!fs::exists("/proc/self/status"))
        QSKIP("This system has no /proc.");
    QVERIFY(readWholeFile("/proc/self/status").find("Pid:") != std::string::npos);
    QVERIFY(readError("/proc/self/status", 8).contains("larger than 8 bytes"));
}

QTEST_APPLESS_MAIN(TestAtomicFile)
#include "test_atomic_file.moc"
