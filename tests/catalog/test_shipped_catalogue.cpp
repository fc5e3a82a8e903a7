// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/hardware.h"
#include "core/analytic/model_shape.h"
#include "core/catalog/catalog.h"

#include <QDir>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>
#include <string>

using namespace ridgepoint;

namespace
{

const QString resources = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources");

QJsonObject readObject(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

void addFiles(const QString &part)
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("id");
    const QDir folder(resources + QLatin1Char('/') + part);
    for (const QFileInfo &file : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files))
        QTest::newRow(qPrintable(file.completeBaseName())) << file.filePath() << file.completeBaseName();
}

} // namespace

class TestShippedCatalogue : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void holdsNoProblem();
    void holdsEnough();
    void deviceFileHolds_data() { addFiles(QStringLiteral("hardware")); }
    void deviceFileHolds();
    void everyFigureHasItsSource_data() { addFiles(QStringLiteral("hardware")); }
    void everyFigureHasItsSource();
    void peakIsTheDenseOne_data();
    void peakIsTheDenseOne();
    void namedDeviceIsThere_data();
    void namedDeviceIsThere();
    void ridgeOfTheTextbookDevices();
    void aliasesBelongToOneDevice();
    void modelFileHolds_data() { addFiles(QStringLiteral("models")); }
    void modelFileHolds();
    void parametersAreThePublishedCount_data();
    void parametersAreThePublishedCount();
    void slidingWindowsAreAsPublished_data();
    void slidingWindowsAreAsPublished();

private:
    Catalog m_catalog;
};

void TestShippedCatalogue::initTestCase()
{
    m_catalog = Catalog::load({resources.toStdString()});
}

void TestShippedCatalogue::holdsNoProblem()
{
    for (const std::string &problem : m_catalog.problems())
        qWarning("%s", problem.c_str());
    QVERIFY(m_catalog.problems().empty());
}

void TestShippedCatalogue::holdsEnough()
{
    QVERIFY(m_catalog.hardware().size() >= 20);
    QVERIFY(m_catalog.models().size() >= 18);
    const auto byId = [](const auto &a, const auto &b) { return a.id < b.id; };
    QVERIFY(std::is_sorted(m_catalog.hardware().begin(), m_catalog.hardware().end(), byId));
    QVERIFY(std::is_sorted(m_catalog.models().begin(), m_catalog.models().end(), byId));
}

void TestShippedCatalogue::deviceFileHolds()
{
    QFETCH(QString, path);
    QFETCH(QString, id);
    const QJsonObject file = readObject(path);
    QCOMPARE(file.value(QStringLiteral("id")).toString(), id);
    const HardwareProfile &device = m_catalog.hardwareById(id.toStdString());
    QCOMPARE(device.memoryBandwidth, file.value(QStringLiteral("memory_bandwidth")).toDouble());

    // Ranges that a figure in another unit, or with one digit too many, leaves.
    QVERIFY(device.memoryBandwidth >= 40e9 && device.memoryBandwidth <= 9e12);
    QVERIFY(device.peakFlops.contains(DType::F32));
    for (const auto &[dtype, flops] : device.peakFlops) {
        QVERIFY(flops >= 0.5e12 && flops <= 2.5e15);
        QVERIFY2(flops >= device.peakFlops.at(DType::F32), "a half-precision path slower than fp32 is none");
        const double ridge = flops / device.memoryBandwidth;
        QVERIFY2(ridge > 2 && ridge < 450, "a ridge beyond 450 is the mark of a sparse or low-precision figure");
        QCOMPARE(device.peak(dtype), flops);
    }
    if (device.kind == DeviceKind::Cpu)
        QCOMPARE(device.memoryBytes, 0.0);
    else
        QVERIFY(device.memoryBytes >= 8e9 && device.memoryBytes <= 200e9);
    if (device.lastLevelCacheBytes != 0)
        QVERIFY(device.lastLevelCacheBytes >= 2e6 && device.lastLevelCacheBytes <= 300e6);
    QCOMPARE(device.computeCapability.empty(), device.vendor != "NVIDIA");
    QCOMPARE(device.deviceCount, 1);
    if (device.vendor == "NVIDIA") {
        // Tensor cores multiply bf16 from compute capability 8.0 on.
        const double capability = std::stod(device.computeCapability);
        QCOMPARE(device.peakFlops.contains(DType::BF16), capability >= 8.0);
    }
}

void TestShippedCatalogue::everyFigureHasItsSource()
{
    QFETCH(QString, path);
    QFETCH(QString, id);
    const QJsonObject file = readObject(path);
    QSet<QString> figures{QStringLiteral("memory_bandwidth")};
    for (const QString &dtype : file.value(QStringLiteral("peak_flops")).toObject().keys())
        figures.insert(QStringLiteral("peak_") + dtype);
    for (const QString &figure : {QStringLiteral("memory_bytes"), QStringLiteral("last_level_cache_bytes")}) {
        if (file.contains(figure))
            figures.insert(figure);
    }
    QSet<QString> sourced;
    for (const FigureSource &source : m_catalog.hardwareById(id.toStdString()).sources) {
        QVERIFY(source.source.size() > 10);
        QVERIFY(!sourced.contains(QString::fromStdString(source.figure)));
        sourced.insert(QString::fromStdString(source.figure));
    }
    QCOMPARE(sourced, figures);
}

void TestShippedCatalogue::peakIsTheDenseOne_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<double>("dense");
    QTest::addColumn<double>("bandwidth");
    QTest::newRow("T4") << "t4" << 65e12 << 320e9;
    QTest::newRow("V100 SXM2") << "v100-16gb-sxm" << 125e12 << 900e9;
    QTest::newRow("A10, 250 is sparse") << "a10" << 125e12 << 600e9;
    QTest::newRow("A10G, 140 is sparse") << "a10g" << 70e12 << 600e9;
    QTest::newRow("L4, 242 is sparse") << "l4" << 121e12 << 300e9;
    QTest::newRow("L40S, 733 is sparse") << "l40s" << 362e12 << 864e9;
    QTest::newRow("A100 40 GB, 624 is sparse") << "a100-40gb-sxm" << 312e12 << 1555e9;
    QTest::newRow("A100 80 GB SXM") << "a100-80gb-sxm" << 312e12 << 2039e9;
    QTest::newRow("A100 80 GB PCIe") << "a100-80gb-pcie" << 312e12 << 1935e9;
    QTest::newRow("H100 PCIe, 1513 is sparse") << "h100-pcie" << 756e12 << 2000e9;
    QTest::newRow("H100 SXM, 1979 is sparse") << "h100-sxm" << 989.4e12 << 3350e9;
    QTest::newRow("H100 NVL, 1671 is sparse") << "h100-nvl" << 835.5e12 << 3900e9;
    QTest::newRow("H200, 1979 is sparse") << "h200" << 989.4e12 << 4800e9;
    QTest::newRow("B200, 4500 is sparse") << "b200" << 2250e12 << 8000e9;
    QTest::newRow("RTX 3090, 142 is fp16 accumulate") << "rtx-3090" << 71e12 << 936e9;
    QTest::newRow("RTX 4090, 330 is fp16 accumulate") << "rtx-4090" << 165.2e12 << 1008e9;
    QTest::newRow("RTX 5090, 419 is fp16 accumulate") << "rtx-5090" << 209.5e12 << 1792e9;
}

void TestShippedCatalogue::peakIsTheDenseOne()
{
    QFETCH(QString, id);
    QFETCH(double, dense);
    QFETCH(double, bandwidth);
    const HardwareProfile &device = m_catalog.hardwareById(id.toStdString());
    QCOMPARE(device.peak(DType::F16), dense);
    QCOMPARE(device.memoryBandwidth, bandwidth);
}

void TestShippedCatalogue::namedDeviceIsThere_data()
{
    QTest::addColumn<QString>("id");
    for (const char *id : {"t4",
                           "v100-16gb-sxm",
                           "a10",
                           "a10g",
                           "l4",
                           "l40s",
                           "a100-40gb-sxm",
                           "a100-80gb-sxm",
                           "a100-80gb-pcie",
                           "h100-pcie",
                           "h100-sxm",
                           "h100-nvl",
                           "h200",
                           "b200",
                           "rtx-3060",
                           "rtx-3090",
                           "rtx-4090",
                           "rtx-5090",
                           "jetson-agx-orin",
                           "jetson-orin-nano",
                           "apple-m1-pro",
                           "apple-m1-max",
                           "apple-m2",
                           "apple-m3",
                           "apple-m4",
                           "cpu"})
        QTest::newRow(id) << id;
}

void TestShippedCatalogue::namedDeviceIsThere()
{
    QFETCH(QString, id);
    QCOMPARE(QString::fromStdString(m_catalog.hardwareById(id.toStdString()).id), id);
}

void TestShippedCatalogue::ridgeOfTheTextbookDevices()
{
    QCOMPARE(qRound(nominalCeilings(m_catalog.hardwareById("t4"), DType::F16).ridge()), 203);
    QCOMPARE(qRound(nominalCeilings(m_catalog.hardwareById("a100-80gb-sxm"), DType::F16).ridge()), 153);
}

void TestShippedCatalogue::aliasesBelongToOneDevice()
{
    QHash<QString, QString> owners;
    const QDir folder(resources + QStringLiteral("/hardware"));
    for (const QFileInfo &info : folder.entryInfoList({QStringLiteral("*.json")}, QDir::Files)) {
        const QJsonObject file = readObject(info.filePath());
        const QString id = file.value(QStringLiteral("id")).toString();
        for (const QJsonValue &alias : file.value(QStringLiteral("aliases")).toArray()) {
            const QString name = alias.toString().toLower();
            QVERIFY2(!owners.contains(name), qPrintable(name));
            owners.insert(name, id);
            const HardwareProfile *found = m_catalog.hardwareByDeviceName(alias.toString().toStdString());
            QVERIFY2(found, qPrintable(name));
            QCOMPARE(QString::fromStdString(found->id), id);
        }
    }
    QVERIFY(owners.size() >= 20);
}

void TestShippedCatalogue::modelFileHolds()
{
    QFETCH(QString, path);
    QFETCH(QString, id);
    const QJsonObject file = readObject(path);
    QCOMPARE(file.value(QStringLiteral("id")).toString(), id);
    QVERIFY(file.value(QStringLiteral("source")).toString().startsWith(QStringLiteral("config.json of ")));
    const ModelShape &shape = m_catalog.modelById(id.toStdString());
    QVERIFY(!shape.name.empty());
    QVERIFY(shape.layers >= 12 && shape.layers <= 100);
    QVERIFY(shape.hidden >= 256 && shape.hidden <= 16384);
    QVERIFY(shape.maxPositions >= 2048 && shape.maxPositions <= 262144);
    QVERIFY(shape.bosToken >= 0);
    QVERIFY(!shape.eosTokens.empty());
    QVERIFY(shape.slidingLayers.empty() || std::int64_t(shape.slidingLayers.size()) == shape.layers);

    // The size in the id is the size of the model: "qwen2.5-1.5b", "smollm2-135m".
    const QRegularExpression pattern(QStringLiteral("-([0-9.]+)([mb])(-v[0-9.]+)?$"));
    const QRegularExpressionMatch match = pattern.match(id);
    QVERIFY(match.hasMatch());
    const double named = match.captured(1).toDouble() * (match.captured(2) == QLatin1String("b") ? 1e9 : 1e6);
    const double counted = countParameters(shape).total;
    QVERIFY2(counted > 0.8 * named && counted < 1.25 * named, qPrintable(QString::number(counted)));
}

void TestShippedCatalogue::parametersAreThePublishedCount_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<double>("parameters");
    QTest::newRow("TinyLlama 1.1B") << "tinyllama-1.1b" << 1100048384.0;
    QTest::newRow("Llama 2 7B") << "llama-2-7b" << 6738415616.0;
    QTest::newRow("Llama 2 13B") << "llama-2-13b" << 13015864320.0;
    QTest::newRow("Llama 2 70B") << "llama-2-70b" << 68976648192.0;
    QTest::newRow("Llama 3 8B") << "llama-3-8b" << 8030261248.0;
    QTest::newRow("Llama 3.1 8B") << "llama-3.1-8b" << 8030261248.0;
    QTest::newRow("Llama 3.1 70B") << "llama-3.1-70b" << 70553706496.0;
    QTest::newRow("Llama 3.2 1B") << "llama-3.2-1b" << 1235814400.0;
    QTest::newRow("Llama 3.2 3B") << "llama-3.2-3b" << 3212749824.0;
    QTest::newRow("Qwen2.5 0.5B") << "qwen2.5-0.5b" << 494032768.0;
    QTest::newRow("Qwen2.5 1.5B") << "qwen2.5-1.5b" << 1543714304.0;
    QTest::newRow("Qwen2.5 3B") << "qwen2.5-3b" << 3085938688.0;
    QTest::newRow("Qwen2.5 7B") << "qwen2.5-7b" << 7615616512.0;
    QTest::newRow("Qwen2.5 14B") << "qwen2.5-14b" << 14770033664.0;
    QTest::newRow("Qwen3 0.6B") << "qwen3-0.6b" << 596049920.0;
    QTest::newRow("Qwen3 1.7B") << "qwen3-1.7b" << 1720574976.0;
    QTest::newRow("Qwen3 4B") << "qwen3-4b" << 4022468096.0;
    QTest::newRow("Qwen3 8B") << "qwen3-8b" << 8190735360.0;
    QTest::newRow("Gemma 3 270M") << "gemma-3-270m" << 268098176.0;
    QTest::newRow("Gemma 3 1B") << "gemma-3-1b" << 999885952.0;
    QTest::newRow("SmolLM2 135M") << "smollm2-135m" << 134515008.0;
    QTest::newRow("SmolLM2 360M") << "smollm2-360m" << 361821120.0;
    QTest::newRow("SmolLM2 1.7B") << "smollm2-1.7b" << 1711376384.0;
    QTest::newRow("Mistral 7B v0.1") << "mistral-7b" << 7241732096.0;
    QTest::newRow("Mistral 7B v0.3") << "mistral-7b-v0.3" << 7248023552.0;
    QTest::newRow("Mistral Nemo 12B") << "mistral-nemo-12b" << 12247782400.0;
}

void TestShippedCatalogue::parametersAreThePublishedCount()
{
    QFETCH(QString, id);
    QFETCH(double, parameters);
    QCOMPARE(countParameters(m_catalog.modelById(id.toStdString())).total, parameters);
}

void TestShippedCatalogue::slidingWindowsAreAsPublished_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<qint64>("window");
    QTest::addColumn<qint64>("slidingLayers");
    QTest::newRow("Mistral v0.1: all 32 layers") << "mistral-7b" << qint64(4096) << qint64(32);
    QTest::newRow("Mistral v0.3: none") << "mistral-7b-v0.3" << qint64(0) << qint64(0);
    QTest::newRow("Gemma 3 270M: 15 of 18") << "gemma-3-270m" << qint64(512) << qint64(15);
    QTest::newRow("Gemma 3 1B: 22 of 26") << "gemma-3-1b" << qint64(512) << qint64(22);
    QTest::newRow("Gemma 3 4B: 29 of 34") << "gemma-3-4b" << qint64(1024) << qint64(29);
    QTest::newRow("Qwen2.5: not used") << "qwen2.5-7b" << qint64(0) << qint64(0);
    QTest::newRow("Llama 2: none") << "llama-2-7b" << qint64(0) << qint64(0);
}

void TestShippedCatalogue::slidingWindowsAreAsPublished()
{
    QFETCH(QString, id);
    QFETCH(qint64, window);
    QFETCH(qint64, slidingLayers);
    const ModelShape &shape = m_catalog.modelById(id.toStdString());
    QCOMPARE(qint64(shape.slidingWindow), window);
    qint64 counted = 0;
    for (std::int64_t layer = 0; layer < shape.layers; ++layer)
        counted += isSlidingLayer(shape, layer) ? 1 : 0;
    QCOMPARE(counted, slidingLayers);
}

QTEST_GUILESS_MAIN(TestShippedCatalogue)
#include "test_shipped_catalogue.moc"
