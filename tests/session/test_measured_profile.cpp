// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/session/measured_profile.h"
#include "core/session/session.h"
#include "tests/session/samples.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ridgepoint;
namespace fs = std::filesystem;

namespace {

CalibrationResult calibrationOf(const std::string &name, const std::string &hash, const std::string &date, int threads = 0)
{
    CalibrationResult c = *samples::calibrationRun().calibration;
    c.ceilings.deviceName = name;
    c.ceilings.deviceHash = hash;
    c.ceilings.dateUtc = date;
    c.ceilings.threads = threads;
    return c;
}

} // namespace

class TestMeasuredProfile : public QObject {
    Q_OBJECT
private slots:
    void whatIsSavedIsLoaded();
    void aNewerOneReplacesTheOlder();
    void newestOfTheSameDevice();
    void aCpuIsKnownByItsThreads();
    void badFilesAreToldAndLeftOut_data();
    void badFilesAreToldAndLeftOut();
    void noFolderIsNoProfile();
    void aDeviceWithoutNameIsNotKept();
    void theFolderFollowsTheEnvironment();
    void ceilingsComeFromProfilesAndSessions();

private:
    fs::path folder(const char *name) const { return fs::path(m_folder.path().toStdString()) / name; }
    QTemporaryDir m_folder;
};

void TestMeasuredProfile::whatIsSavedIsLoaded()
{
    const CalibrationResult saved = calibrationOf("NVIDIA H200", "00ff00ff00ff00ff", "2026-02-01T10:00:00Z");
    const fs::path file = saveMeasuredProfile(saved, folder("round"));
    QCOMPARE(file.filename().string(), std::string("nvidia-h200-00ff00ff00ff00ff.json"));
    const MeasuredProfile loaded = loadMeasuredProfile(file);
    QVERIFY(loaded.file == file);
    QVERIFY(loaded.calibration.ceilings == saved.ceilings);
    QCOMPARE(loaded.calibration.samples.size(), saved.samples.size());
    QCOMPARE(loaded.calibration.samples[0].what, saved.samples[0].what);
    QCOMPARE(loaded.calibration.samples[0].value, saved.samples[0].value);
}

void TestMeasuredProfile::aNewerOneReplacesTheOlder()
{
    const fs::path in = folder("replaced");
    const fs::path first = saveMeasuredProfile(calibrationOf("NVIDIA H200", "a1", "2026-02-01T10:00:00Z"), in);
    const fs::path second = saveMeasuredProfile(calibrationOf("NVIDIA H200", "a1", "2026-02-02T10:00:00Z"), in);
    QVERIFY(first == second);
    const MeasuredProfiles all = loadMeasuredProfiles(in);
    QCOMPARE(all.profiles.size(), std::size_t(1));
    QCOMPARE(all.profiles[0].calibration.ceilings.dateUtc, std::string("2026-02-02T10:00:00Z"));
}

void TestMeasuredProfile::newestOfTheSameDevice()
{
    const fs::path in = folder("several");
    const fs::path one = saveMeasuredProfile(calibrationOf("Tesla T4", "a1", "2026-02-01T10:00:00Z"), in);
    fs::rename(one, in / "kept by hand.json");
    saveMeasuredProfile(calibrationOf("Tesla T4", "a1", "2026-02-03T10:00:00Z"), in);
    saveMeasuredProfile(calibrationOf("Tesla T4", "b2", "2026-02-05T10:00:00Z"), in);
    const MeasuredProfiles all = loadMeasuredProfiles(in);
    QCOMPARE(all.profiles.size(), std::size_t(3));
    QVERIFY2(all.problems.empty(), all.problems.empty() ? "" : all.problems[0].c_str());
    QCOMPARE(all.profiles[0].calibration.ceilings.deviceHash, std::string("b2")); // the newest of all
    const MeasuredProfile *found = all.of("Tesla T4", "a1", 0);
    QVERIFY(found);
    QCOMPARE(found->calibration.ceilings.dateUtc, std::string("2026-02-03T10:00:00Z"));
    QVERIFY(!all.of("Tesla T4", "c3", 0));    // another card of the name
    QVERIFY(!all.of("NVIDIA H200", "a1", 0)); // another name
}

void TestMeasuredProfile::aCpuIsKnownByItsThreads()
{
    const fs::path in = folder("cpu");
    const fs::path two = saveMeasuredProfile(calibrationOf("AMD EPYC 9654", "", "2026-02-01T10:00:00Z", 2), in);
    QCOMPARE(two.filename().string(), std::string("amd-epyc-9654-2-threads.json"));
    saveMeasuredProfile(calibrationOf("AMD EPYC 9654", "", "2026-02-02T10:00:00Z", 8), in);
    const MeasuredProfiles all = loadMeasuredProfiles(in);
    QCOMPARE(all.of("AMD EPYC 9654", "", 2)->calibration.ceilings.threads, 2);
    QCOMPARE(all.of("AMD EPYC 9654", "", 0)->calibration.ceilings.threads, 8);
    QVERIFY(!all.of("AMD EPYC 9654", "", 4));
}

void TestMeasuredProfile::badFilesAreToldAndLeftOut_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("told");
    QTest::newRow("no JSON") << QByteArray("{") << "broken.json";
    QTest::newRow("a session") << QByteArray(R"({"format": "ridgepoint-session"})") << "ridgepoint-measured";
    QTest::newRow("newer") << QByteArray(R"({"format": "ridgepoint-measured", "version": 2})") << "newer version";
    QTest::newRow("no device") << QByteArray(R"({"format": "ridgepoint-measured", "version": 1, "calibration":
        {"run_id": "", "ceilings": {"matmul_flops": {}, "overhead_shape": "", "overhead_layers": 0, "threads": 0,
        "date_utc": ""}, "samples": []}})") << "device_name";
    QTest::newRow("no ceilings") << QByteArray(R"({"format": "ridgepoint-measured", "version": 1, "device_name": "x",
        "calibration": {"run_id": "", "samples": []}})") << "ceilings";
    QTest::newRow("array") << QByteArray("[]") << "ridgepoint-measured";
}

void TestMeasuredProfile::badFilesAreToldAndLeftOut()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, told);
    const fs::path in = folder("bad") / QTest::currentDataTag();
    saveMeasuredProfile(calibrationOf("Tesla T4", "a1", "2026-02-01T10:00:00Z"), in);
    writeFileAtomically(in / "broken.json", text.toStdString());
    const MeasuredProfiles all = loadMeasuredProfiles(in);
    QCOMPARE(all.profiles.size(), std::size_t(1));
    QCOMPARE(all.problems.size(), std::size_t(1));
    QVERIFY2(all.problems[0].find("broken.json") != std::string::npos, all.problems[0].c_str());
    QVERIFY2(all.problems[0].find(told.toStdString()) != std::string::npos, all.problems[0].c_str());
}

void TestMeasuredProfile::noFolderIsNoProfile()
{
    const MeasuredProfiles none = loadMeasuredProfiles(folder("nowhere"));
    QVERIFY(none.profiles.empty());
    QVERIFY(none.problems.empty());
}

void TestMeasuredProfile::aDeviceWithoutNameIsNotKept()
{
    const auto told = samples::sentenceOf(ErrorKind::Failure, [&] {
        saveMeasuredProfile(calibrationOf("", "", "2026-02-01T10:00:00Z"), folder("nameless"));
    });
    QVERIFY(told);
    QVERIFY(!fs::exists(folder("nameless")));
}

void TestMeasuredProfile::theFolderFollowsTheEnvironment()
{
    const QByteArray data = qgetenv("XDG_DATA_HOME"), home = qgetenv("HOME");
    qputenv("XDG_DATA_HOME", "/data");
    QCOMPARE(measuredProfileFolder().string(), std::string("/data/ridgepoint/measured"));
    qputenv("XDG_DATA_HOME", "relative");
    qputenv("HOME", "/home/me");
    QCOMPARE(measuredProfileFolder().string(), std::string("/home/me/.local/share/ridgepoint/measured"));
    qunsetenv("XDG_DATA_HOME");
    qunsetenv("HOME");
    QVERIFY(samples::sentenceOf(ErrorKind::Failure, [] { measuredProfileFolder(); }));
    if (!data.isNull())
        qputenv("XDG_DATA_HOME", data);
    qputenv("HOME", home);
}

void TestMeasuredProfile::ceilingsComeFromProfilesAndSessions()
{
    const CalibrationResult saved = calibrationOf("NVIDIA H200", "a1", "2026-02-01T10:00:00Z");
    QVERIFY(loadCeilings(saveMeasuredProfile(saved, folder("either"))) == saved.ceilings);
    Session session = samples::session();
    const fs::path file = folder("either") / "session.json";
    saveSession(session, file);
    QVERIFY(loadCeilings(file) == *session.ceilings());
    session.runs.clear();
    saveSession(session, file);
    const auto told = samples::sentenceOf(ErrorKind::Failure, [&] { loadCeilings(file); });
    QVERIFY(told && told->contains("holds no calibration"));
    writeFileAtomically(file, "{\"format\": 3}");
    QVERIFY(samples::sentenceOf(ErrorKind::Failure, [&] { loadCeilings(file); }));
}

QTEST_GUILESS_MAIN(TestMeasuredProfile)
#include "test_measured_profile.moc"
