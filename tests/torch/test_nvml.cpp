// SPDX-License-Identifier: GPL-3.0-or-later
// The management library is loaded at run time, so a library of known figures can stand in for the driver's.
#include "core/cuda/nvml.h"

#include <QtTest>

#include <cmath>
#include <dlfcn.h>

using namespace ridgepoint;

namespace {

const std::string kUuid = "00010203-0405-0607-0809-0a0b0c0d0e0f";

int counted(const char *name)
{
    void *const library = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    const auto function = reinterpret_cast<int (*)()>(dlsym(library, name));
    return function();
}

} // namespace

class TestNvml : public QObject {
    Q_OBJECT
private slots:
    void throttleReasonsHaveNames_data();
    void throttleReasonsHaveNames();
    void figuresOfTheGpu();
    void aSliceOfAGpuIsFound();
    void whatTheDriverDoesNotSayIsMissing();
    void whyThereIsNone_data();
    void whyThereIsNone();
    void samplingGoesOnWhileTheObjectLives();
};

void TestNvml::throttleReasonsHaveNames_data()
{
    QTest::addColumn<quint64>("reasons");
    QTest::addColumn<QString>("names");
    QTest::newRow("none") << quint64(0) << "";
    QTest::newRow("idle") << quint64(0x1) << "";
    QTest::newRow("applications clocks") << quint64(0x2) << "applications clocks";
    QTest::newRow("power cap") << quint64(0x4) << "power cap";
    QTest::newRow("idle under a cap") << quint64(0x5) << "power cap";
    QTest::newRow("hardware slowdown") << quint64(0x8) << "hardware slowdown";
    QTest::newRow("sync boost") << quint64(0x10) << "sync boost";
    QTest::newRow("thermal, software") << quint64(0x20) << "thermal";
    QTest::newRow("thermal, hardware") << quint64(0x40) << "thermal";
    QTest::newRow("thermal, both") << quint64(0x60) << "thermal";
    QTest::newRow("power brake") << quint64(0x80) << "power brake";
    QTest::newRow("display clocks") << quint64(0x100) << "display clocks";
    QTest::newRow("cap and heat") << quint64(0x24) << "power cap, thermal";
    QTest::newRow("of a newer driver") << quint64(0x4000) << "other";
    QTest::newRow("known and newer") << quint64(0x4004) << "power cap, other";
}

void TestNvml::throttleReasonsHaveNames()
{
    QFETCH(quint64, reasons);
    QFETCH(QString, names);
    QCOMPARE(QString::fromStdString(throttleNames(reasons)), names);
}

void TestNvml::figuresOfTheGpu()
{
    std::string why;
    {
        const auto device = NvmlDevice::open(kUuid, why, FAKE_NVML);
        QVERIFY2(device, why.c_str());
        QVERIFY(why.empty());
        const DeviceState state = device->state();
        QCOMPARE(state.smClockHz, 1980e6);
        QCOMPARE(state.memoryClockHz, 3201e6);
        QCOMPARE(state.temperatureC, 41.0);
        QCOMPARE(state.powerWatts, 651.5);
        QCOMPARE(state.throttle, std::string("power cap, thermal"));
        QCOMPARE(device->driverVersion(), std::string("550.54.15"));
        const auto facts = device->facts();
        QCOMPARE(facts.at("clocks at start"), std::string("SM 1980 MHz, memory 3201 MHz"));
        QCOMPARE(facts.at("highest clocks"), std::string("SM 2000 MHz, memory 3300 MHz"));
        QCOMPARE(facts.at("power limit"), std::string("700 W"));
        QCOMPARE(facts.at("ECC"), std::string("on"));
        QVERIFY(!facts.count("persistence mode")); // this library has no such function
        QCOMPARE(counted("fake_nvml_users"), 1);
    }
    QCOMPARE(counted("fake_nvml_users"), 0);
}

void TestNvml::aSliceOfAGpuIsFound()
{
    std::string why;
    QVERIFY2(NvmlDevice::open("11111111-0405-0607-0809-0a0b0c0d0e0f", why, FAKE_NVML), why.c_str());
}

void TestNvml::whatTheDriverDoesNotSayIsMissing()
{
    qputenv("FAKE_NVML_NO_POWER", "1");
    std::string why;
    const DeviceState state = NvmlDevice::open(kUuid, why, FAKE_NVML)->state();
    qunsetenv("FAKE_NVML_NO_POWER");
    QVERIFY(std::isnan(state.powerWatts));
    QCOMPARE(state.smClockHz, 1980e6);
    QCOMPARE(clocksText(kMissing, kMissing), std::string());
    QCOMPARE(clocksText(kMissing, 5e9), std::string("memory 5000 MHz"));
}

void TestNvml::whyThereIsNone_data()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("uuid");
    QTest::addColumn<bool>("driver");
    QTest::addColumn<QString>("told");
    QTest::newRow("no library") << "libridgepoint-there-is-no-such.so" << "x" << true << "could not be loaded";
    QTest::newRow("another library") << "libm.so.6" << "x" << true << "lacks functions";
    QTest::newRow("no driver") << FAKE_NVML << QString::fromStdString(kUuid) << false << "Driver Not Loaded";
    QTest::newRow("another GPU") << FAKE_NVML << "ffffffff-0405-0607-0809-0a0b0c0d0e0f" << true << "Not Found";
}

void TestNvml::whyThereIsNone()
{
    QFETCH(QString, library);
    QFETCH(QString, uuid);
    QFETCH(bool, driver);
    QFETCH(QString, told);
    if (!driver)
        qputenv("FAKE_NVML_NO_DRIVER", "1");
    std::string why;
    const auto device = NvmlDevice::open(uuid.toStdString(), why, library.toStdString());
    qunsetenv("FAKE_NVML_NO_DRIVER");
    QVERIFY(!device);
    QVERIFY2(why.find(told.toStdString()) != std::string::npos, why.c_str());
    QCOMPARE(counted("fake_nvml_users"), 0); // what was started is ended again
}

void TestNvml::samplingGoesOnWhileTheObjectLives()
{
    std::string why;
    auto telemetry = sampleNvml(NvmlDevice::open(kUuid, why, FAKE_NVML));
    QCOMPARE(telemetry->latest().smClockHz, 1980e6); // from the start on, not only after the first period
    const int before = counted("fake_nvml_samples");
    QTRY_VERIFY(counted("fake_nvml_samples") >= before + 4);
    QCOMPARE(telemetry->latest().throttle, std::string("power cap, thermal"));
    QCOMPARE(counted("fake_nvml_users"), 1); // the sampler alone keeps the library open
    telemetry.reset();
    QCOMPARE(counted("fake_nvml_users"), 0);
    const int after = counted("fake_nvml_samples");
    QTest::qWait(60);
    QCOMPARE(counted("fake_nvml_samples"), after);
}

QTEST_GUILESS_MAIN(TestNvml)
#include "test_nvml.moc"
