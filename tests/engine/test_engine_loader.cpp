// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace ridgepoint;

class TestEngineLoader : public QObject {
    Q_OBJECT
private slots:
    void init() { qunsetenv("RIDGEPOINT_ENGINE"); }
    void refusesWhatIsNoEngine_data();
    void refusesWhatIsNoEngine();
    void looksBesideTheProgramAndInThePrefix();
    void namesEveryPlaceWhereNoModuleIs();
    void theVariableIsFinal();
    void loadsTheModuleOfThisBuild();
};

void TestEngineLoader::refusesWhatIsNoEngine_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("told");
    const QString modules = TEST_MODULES;
    QTest::newRow("missing file") << modules + "/nowhere.so"
                                  << QStringList{modules + "/nowhere.so", "RIDGEPOINT_ENGINE", "unset it"};
    QTest::newRow("folder") << modules << QStringList{modules, "is not a file"};
    QTest::newRow("text file") << QString("text.so") << QStringList{"text.so", "could not be loaded", "libtorch-dev"};
    QTest::newRow("empty file") << QString("empty.so") << QStringList{"empty.so", "could not be loaded"};
    QTest::newRow("other interface version")
        << modules + "/wrong_abi.so"
        << QStringList{"wrong_abi.so", QString("version %1").arg(kEngineAbi + 1), QString("needs %1").arg(kEngineAbi),
                       "same source"};
    QTest::newRow("no engine") << modules + "/no_engine.so"
                               << QStringList{"no_engine.so", "ridgepoint_engine_abi", "no engine of this program"};
    QTest::newRow("missing library") << modules + "/needs_absent.so"
                                     << QStringList{"needs_absent.so", "libridgepoint_test_absent.so", "install"};
    QTest::newRow("CPU-only libtorch") << modules + "/needs_cuda.so"
                                       << QStringList{"needs_cuda.so", "libridgepoint_test_c10_cuda.so", "CPU alone",
                                                      "LD_LIBRARY_PATH"};
}

void TestEngineLoader::refusesWhatIsNoEngine()
{
    QFETCH(QString, file);
    QFETCH(QStringList, told);
    QTemporaryDir folder;
    if (!file.contains('/')) {
        const QString path = folder.filePath(file);
        std::ofstream(path.toStdString()) << (file == "text.so" ? "this is no library\n" : "");
        file = path;
    }
    qputenv("RIDGEPOINT_ENGINE", file.toUtf8());
    try {
        loadEngine();
        QFAIL("an unusable module was taken");
    } catch (const Error &error) {
        QCOMPARE(error.exitCode(), 1);
        for (const QString &part : told)
            QVERIFY2(QString::fromStdString(error.what()).contains(part), error.what());
    }
}

void TestEngineLoader::looksBesideTheProgramAndInThePrefix()
{
    const auto places = engineCandidates();
    const std::filesystem::path program = QCoreApplication::applicationDirPath().toStdString();
    QVERIFY(places.size() == 4);
    QCOMPARE(places[0], program / "ridgepoint-engine.so");
    QCOMPARE(places[1], program / "engine" / "ridgepoint-engine.so");
    QCOMPARE(places[2], program.parent_path() / "lib" / "ridgepoint" / "ridgepoint-engine.so");
    QVERIFY(places[3].is_absolute());
}

void TestEngineLoader::namesEveryPlaceWhereNoModuleIs()
{
    if (!findEngineModule().empty())
        QSKIP("an engine is installed on this machine");
    try {
        loadEngine();
        QFAIL("an engine was loaded from nowhere");
    } catch (const Error &error) {
        const std::string sentence = error.what();
        for (const auto &place : engineCandidates())
            QVERIFY2(sentence.find(place.string()) != std::string::npos, error.what());
        QVERIFY2(sentence.find("install libtorch") != std::string::npos, error.what());
    }
}

void TestEngineLoader::theVariableIsFinal()
{
    qputenv("RIDGEPOINT_ENGINE", TEST_MODULES "/no_engine.so");
    QCOMPARE(engineCandidates().size(), std::size_t(1));
    QCOMPARE(findEngineModule(), std::filesystem::path(TEST_MODULES "/no_engine.so"));
    qputenv("RIDGEPOINT_ENGINE", TEST_MODULES "/nowhere.so");
    QVERIFY(findEngineModule().empty());
    qputenv("RIDGEPOINT_ENGINE", "");
    QVERIFY(engineCandidates().size() > 1);
}

void TestEngineLoader::loadsTheModuleOfThisBuild()
{
    if (QByteArray(ENGINE_MODULE).isEmpty())
        QSKIP("built without the engine");
    qputenv("RIDGEPOINT_ENGINE", ENGINE_MODULE);
    const auto engine = loadEngine();
    QVERIFY(engine->version().starts_with("libtorch "));
    const auto devices = engine->devices();
    QVERIFY(!devices.empty());
    QCOMPARE(devices.front().id, std::string("cpu"));
    QVERIFY(!devices.front().name.empty());
    QVERIFY(devices.front().memoryBytes > 0);
    QVERIFY(devices.front().freeBytes > 0 && devices.front().freeBytes <= devices.front().memoryBytes);

    // Faults come back across the module's border as events, never as exceptions.
    RunPlan plan;
    plan.runId = newId();
    plan.device = "tpu:0";
    std::vector<Event> events;
    engine->run(plan, [&](const Event &event) { events.push_back(event); }, {});
    QCOMPARE(events.size(), std::size_t(1));
    const auto *end = std::get_if<RunEnded>(&events.front());
    QVERIFY(end);
    QCOMPARE(end->runId, plan.runId);
    QVERIFY(end->how == RunEnded::How::Failed);
    QVERIFY(end->errorKind == ErrorKind::Usage);
    QVERIFY2(end->sentence.find("tpu:0") != std::string::npos, end->sentence.c_str());
}

QTEST_GUILESS_MAIN(TestEngineLoader)
#include "test_engine_loader.moc"
