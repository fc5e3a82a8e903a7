// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/decoder.h"
#include "core/torch/device.h"
#include "core/torch/device_faults.h"

#include <QtTest>

#include <new>
#include <stdexcept>

using namespace ridgepoint;

class TestDeviceFaults : public QObject {
    Q_OBJECT
private slots:
    void whyAGpuCannotBeUsed_data();
    void whyAGpuCannotBeUsed();
    void aLostDeviceIsKnown_data();
    void aLostDeviceIsKnown();
    void whatWasCaughtIsDescribed();
    void oldCards();
    void dtypesAndModesOfADevice();
    void devicesThatAreNone_data();
    void devicesThatAreNone();
    void driverVersionInText();
    void hashes();
};

void TestDeviceFaults::whyAGpuCannotBeUsed_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("driver");
    QTest::addColumn<QStringList>("told");
    QTest::newRow("no driver") << 35 << 0 << QStringList{"No NVIDIA driver", "device cpu"};
    QTest::newRow("old driver") << 35 << 12020 << QStringList{"CUDA up to 12.2", "CUDA 13.0", "update the driver"};
    QTest::newRow("stub") << 34 << 0 << QStringList{"stub", "LD_LIBRARY_PATH"};
    QTest::newRow("no device") << 100 << 13000 << QStringList{"shows no GPU", "CUDA_VISIBLE_DEVICES is \"7\"", "nvidia-smi"};
    QTest::newRow("exclusive") << 46 << 13000 << QStringList{"cuda:1", "compute mode", "nvidia-smi -c 0"};
    QTest::newRow("memory") << 2 << 13000 << QStringList{"cuda:1", "other processes", "nvidia-smi"};
    QTest::newRow("no code") << 209 << 13000 << QStringList{"cuda:1", "CMAKE_CUDA_ARCHITECTURES"};
    QTest::newRow("newer code") << 222 << 13000 << QStringList{"cuda:1", "CMAKE_CUDA_ARCHITECTURES"};
    QTest::newRow("fabric") << 802 << 13000 << QStringList{"nvidia-fabricmanager"};
    QTest::newRow("driver replaced") << 803 << 13000 << QStringList{"different versions", "restart the machine"};
    QTest::newRow("compatibility") << 804 << 13000 << QStringList{"LD_LIBRARY_PATH"};
    QTest::newRow("other") << 999 << 13000 << QStringList{"cuda:1", "words of CUDA", "nvidia-smi"};
}

void TestDeviceFaults::whyAGpuCannotBeUsed()
{
    QFETCH(int, code);
    QFETCH(int, driver);
    QFETCH(QStringList, told);
    const QString sentence =
        QString::fromStdString(cudaStartSentence({code, "words of CUDA", "cuda:1", driver, 13000, "7", true}));
    for (const QString &part : told)
        QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY2(sentence.endsWith('.'), qPrintable(sentence));
}

void TestDeviceFaults::aLostDeviceIsKnown_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("told"); // empty: not lost
    QTest::newRow("access") << "CUDA error: an illegal memory access was encountered\nSearch for `cudaErrorIllegalAddress' in"
                            << "(CUDA error: an illegal memory access was encountered)";
    QTest::newRow("launch") << "CUDA error: unspecified launch failure" << "(CUDA error: unspecified launch failure)";
    QTest::newRow("assert") << "CUDA error: device-side assert triggered" << "device-side assert triggered";
    QTest::newRow("ECC") << "CUDA error: uncorrectable ECC error encountered" << "nvidia-smi -q -d ECC";
    QTest::newRow("within a sentence")
        << "The decode step failed in libtorch: CUDA error: misaligned address" << "misaligned address";
    QTest::newRow("memory") << "CUDA out of memory. Tried to allocate 2.00 GiB." << "";
    QTest::newRow("argument") << "CUDA error: invalid argument" << "";
    QTest::newRow("cuBLAS") << "CUDA error: CUBLAS_STATUS_NOT_SUPPORTED when calling `cublasGemmEx`" << "";
}

void TestDeviceFaults::aLostDeviceIsKnown()
{
    QFETCH(QString, text);
    QFETCH(QString, told);
    const auto sentence = lostDeviceSentence(text.toStdString());
    QCOMPARE(sentence.has_value(), !told.isEmpty());
    if (told.isEmpty())
        return;
    const QString shown = QString::fromStdString(*sentence);
    QVERIFY2(shown.contains(told), qPrintable(shown));
    QVERIFY2(shown.contains("Results so far are kept") && shown.contains("start the program again"), qPrintable(shown));
    QVERIFY2(!shown.contains('\n'), qPrintable(shown));
    QCOMPARE(lostDeviceSentence(*sentence), sentence); // told once, however many layers pass it on
}

void TestDeviceFaults::whatWasCaughtIsDescribed()
{
    const auto describe = [](auto thrown) {
        try {
            throw thrown;
        } catch (...) {
            return currentFault();
        }
    };
    const Fault lost = describe(std::runtime_error("CUDA error: an illegal memory access was encountered"));
    QVERIFY(lost.deviceLost && !lost.outOfMemory);
    const Fault passedOn = describe(Error(ErrorKind::Failure, "The step failed: CUDA error: unspecified launch failure"));
    QVERIFY(passedOn.deviceLost);
    QVERIFY2(passedOn.sentence.find("start the program again") != std::string::npos, passedOn.sentence.c_str());
    const Fault memory = describe(std::runtime_error("CUDA out of memory. Tried to allocate 20 GiB"));
    QVERIFY(memory.outOfMemory && !memory.deviceLost);
    QVERIFY(describe(std::runtime_error("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`")).outOfMemory);
    const Fault own = describe(Error(ErrorKind::Usage, "Choose another batch."));
    QVERIFY(!own.deviceLost && own.kind == ErrorKind::Usage);
    QCOMPARE(own.sentence, std::string("Choose another batch."));
    QVERIFY(describe(OutOfMemory("No room.")).outOfMemory);
}

void TestDeviceFaults::oldCards()
{
    QVERIFY(oldCardSentence("cuda:0", "Tesla T4", 7, 5, 75).empty());
    QVERIFY(oldCardSentence("cuda:0", "NVIDIA H200", 9, 0, 75).empty());
    QVERIFY(oldCardSentence("cuda:0", "a card of tomorrow", 13, 0, 90).empty()); // by PTX
    QVERIFY(oldCardSentence("cuda:0", "Tesla T4", 7, 5, 0).empty());             // the compiler did not say
    const std::string volta = oldCardSentence("cuda:0", "Tesla V100", 7, 0, 75);
    QVERIFY2(volta.find("7.0") != std::string::npos && volta.find("7.5") != std::string::npos, volta.c_str());
    const std::string built = oldCardSentence("cuda:0", "Tesla T4", 7, 5, 90);
    QVERIFY2(built.find("9.0") != std::string::npos && built.find("CMAKE_CUDA_ARCHITECTURES=75") != std::string::npos,
             built.c_str());
}

void TestDeviceFaults::dtypesAndModesOfADevice()
{
    DeviceInfo t4;
    t4.id = "cuda:0";
    t4.name = "Tesla T4";
    t4.computeCapability = "7.5";
    t4.dtypes = {DType::F16, DType::F32};
    t4.modes = {DecodeMode::Eager};
    const auto told = [](const DeviceInfo &device, DType dtype, DecodeMode mode) {
        RunPlan plan;
        plan.dtype = dtype;
        plan.mode = mode;
        try {
            checkDevice(device, plan);
        } catch (const Error &fault) {
            return QString::fromUtf8(fault.what());
        }
        return QString();
    };
    QCOMPARE(told(t4, DType::F16, DecodeMode::Eager), QString());
    const QString bf16 = told(t4, DType::BF16, DecodeMode::Eager);
    QVERIFY2(bf16.contains("7.5") && bf16.contains("no fast bf16") && bf16.contains("Choose fp16"), qPrintable(bf16));
    const QString graph = told(t4, DType::F16, DecodeMode::Graph);
    QVERIFY2(graph.contains("graph") && graph.contains("eager"), qPrintable(graph));
    DeviceInfo cpu = DeviceProbe::open("cpu")->info();
    const QString fp16 = told(cpu, DType::F16, DecodeMode::Eager);
    QVERIFY2(fp16.contains("fp16 cannot be run") && fp16.contains("fp32"), qPrintable(fp16));
    cpu.problem = "It is not there.";
    QCOMPARE(told(cpu, DType::F32, DecodeMode::Eager), QString("It is not there."));
}

void TestDeviceFaults::devicesThatAreNone_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<bool>("usage");
    for (const char *text : {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CPU"})
        QTest::newRow(*text ? text : "empty") << text << true;
    QTest::newRow("far beyond") << "cuda:4000" << false;
}

void TestDeviceFaults::devicesThatAreNone()
{
    QFETCH(QString, device);
    QFETCH(bool, usage);
    try {
        DeviceProbe::open(device.toStdString());
        QFAIL("opened");
    } catch (const Error &fault) {
        QVERIFY(fault.kind() == (usage ? ErrorKind::Usage : ErrorKind::Failure));
        QVERIFY2(QString(fault.what()).endsWith('.'), fault.what());
    }
}

void TestDeviceFaults::driverVersionInText()
{
    QCOMPARE(driverVersionIn("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n"
                             "GCC version:  gcc version 12.3.0\n"),
             std::string("550.54.15"));
    QCOMPARE(driverVersionIn("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.10  Release Build"),
             std::string("570.86.10"));
    QCOMPARE(driverVersionIn(""), std::string());
    QCOMPARE(driverVersionIn("GCC 12 only"), std::string());
}

void TestDeviceFaults::hashes()
{
    // Published test vectors of FNV-1a, 64 bit.
    QCOMPARE(hashOf(""), std::string("cbf29ce484222325"));
    QCOMPARE(hashOf("a"), std::string("af63dc4c8601ec8c"));
    QCOMPARE(hashOf("foobar"), std::string("85944171f73967e8"));
}

QTEST_GUILESS_MAIN(TestDeviceFaults)
#include "test_device_faults.moc"
