// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/catalog/catalog.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <functional>
#include <optional>

using namespace ridgepoint;

namespace
{

const QString resources = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources");

const QByteArray ownT4 = R"({"id":"t4","name":"My T4","vendor":"NVIDIA","kind":"gpu","memory_bandwidth":300e9,
    "peak_flops":{"fp16":60e12,"fp32":8e12},"aliases":["My very own card"]})";
const QByteArray ownModel = R"({"id":"my-model","name":"My model","config":{"architectures":["LlamaForCausalLM"],
    "hidden_size":512,"intermediate_size":1024,"num_hidden_layers":2,"num_attention_heads":8,"vocab_size":1000}})";

void writeFile(const QString &path, const QByteArray &content)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
}

QString sentenceOf(const std::function<void()> &call, ErrorKind kind)
{
    try {
        call();
    } catch (const Error &error) {
        return error.kind() == kind ? QString::fromUtf8(error.what()) : QStringLiteral("wrong kind");
    }
    return QStringLiteral("nothing thrown");
}

/// Sets an environment variable and puts the old value back.
class ScopedVariable
{
public:
    ScopedVariable(const char *name, const std::optional<QByteArray> &value) : m_name(name)
    {
        if (qEnvironmentVariableIsSet(name))
            m_old = qgetenv(name);
        set(value);
    }
    ~ScopedVariable() { set(m_old); }

private:
    void set(const std::optional<QByteArray> &value)
    {
        if (value)
            qputenv(m_name, *value);
        else
            qunsetenv(m_name);
    }
    const char *m_name;
    std::optional<QByteArray> m_old;
};

} // namespace

class TestCatalogueLookup : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void userFileReplacesShippedOne();
    void userFileIsAdded();
    void brokenFileIsLeftOutAndNamed_data();
    void brokenFileIsLeftOutAndNamed();
    void secondFileOfOneIdIsLeftOut();
    void missingFoldersAreEmpty();
    void environmentChoosesTheShippedFolder();
    void shippedFolderIsFoundWithoutEnvironment();
    void userFolder_data();
    void userFolder();
    void missingShippedFolderIsAFailure();
    void unknownIdNamesTheNearest_data();
    void unknownIdNamesTheNearest();
    void deviceName_data();
    void deviceName();
    void nearest_data();
    void nearest();

private:
    Catalog m_catalog;
};

void TestCatalogueLookup::initTestCase()
{
    m_catalog = Catalog::load({resources.toStdString()});
}

void TestCatalogueLookup::userFileReplacesShippedOne()
{
    QTemporaryDir user;
    writeFile(user.filePath(QStringLiteral("hardware/anything.json")), ownT4);
    const Catalog catalog = Catalog::load({resources.toStdString(), user.path().toStdString()});
    QVERIFY(catalog.problems().empty());
    QCOMPARE(catalog.hardware().size(), m_catalog.hardware().size());
    const HardwareProfile &device = catalog.hardwareById("t4");
    QCOMPARE(device.name, std::string("My T4"));
    QCOMPARE(device.memoryBandwidth, 300e9);
    QCOMPARE(device.memoryBytes, 0.0);
    // The names that the replaced file answered to went with it.
    QVERIFY(!catalog.hardwareByDeviceName("Tesla T4"));
    QCOMPARE(catalog.hardwareByDeviceName("my very own card"), &device);
}

void TestCatalogueLookup::userFileIsAdded()
{
    QTemporaryDir user;
    writeFile(user.filePath(QStringLiteral("models/my-model.json")), ownModel);
    writeFile(user.filePath(QStringLiteral("models/notes.txt")), "no JSON, and not read");
    const Catalog catalog = Catalog::load({resources.toStdString(), user.path().toStdString()});
    QVERIFY(catalog.problems().empty());
    QCOMPARE(catalog.models().size(), m_catalog.models().size() + 1);
    QCOMPARE(catalog.modelById("my-model").name, std::string("My model"));
    QCOMPARE(catalog.modelById("my-model").kvHeads, std::int64_t(8));
}

void TestCatalogueLookup::brokenFileIsLeftOutAndNamed_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("named");
    const auto device = [](const char *name, const char *from, const char *to, const char *named) {
        QByteArray content = ownT4;
        content.replace(from, to);
        if (content == ownT4)
            qFatal("row %s changes nothing", name);
        QTest::newRow(name) << "hardware/own.json" << content << QString::fromLatin1(named);
    };
    device("no JSON", "{\"id\"", "\"id\"", "not valid JSON");
    device("mistyped field", "memory_bandwidth", "memory_bandwith", "Is \"memory_bandwidth\" meant?");
    device("unknown field", "\"vendor\"", "\"zzzzzz\":1,\"vendor\"", "\"zzzzzz\" is unknown");
    device("GB/s for B/s", "300e9", "300", "\"memory_bandwidth\" must be a number from 1e+08");
    device("TFLOP/s for FLOP/s", "60e12", "60", "\"peak_flops.fp16\"");
    device("negative bandwidth", "300e9", "-300e9", "\"memory_bandwidth\"");
    device("bandwidth as text", "300e9", "\"300e9\"", "\"memory_bandwidth\"");
    device("unknown dtype", "\"fp32\"", "\"fp8\"", "\"peak_flops.fp8\"");
    device("no peak", R"({"fp16":60e12,"fp32":8e12})", "{}", "\"peak_flops\" must hold");
    device("unknown kind", "\"gpu\"", "\"tpu\"", "\"kind\" must be gpu, cpu or integrated");
    device("id with a slash", "\"t4\"", "\"../t4\"", "\"id\"");
    device("id in capitals", "\"t4\"", "\"T4\"", "\"id\"");
    device("no name", "\"My T4\"", "\"\"", "\"name\" is empty");
    device("alias no text", "\"My very own card\"", "4", "\"aliases\"");
    device("source without figure", "\"vendor\"", "\"sources\":[{\"source\":\"a book\"}],\"vendor\"",
           "\"sources[0].figure\" is missing");
    const auto model = [](const char *name, const char *from, const char *to, const char *named) {
        QByteArray content = ownModel;
        content.replace(from, to);
        if (content == ownModel)
            qFatal("row %s changes nothing", name);
        QTest::newRow(name) << "models/own.json" << content << QString::fromLatin1(named);
    };
    model("model: unknown architecture", "LlamaForCausalLM", "FalconForCausalLM", "FalconForCausalLM");
    model("model: parameters typed in", "\"name\"", "\"parameters\":7e9,\"name\"", "\"parameters\" is unknown");
    model("model: size of text", "\"hidden_size\":512", "\"hidden_size\":\"512\"", "\"hidden_size\"");
    QTest::newRow("model: no config") << "models/own.json" << QByteArray(R"({"id":"x","name":"X"})")
                                      << "\"config\" is missing";
    QTest::newRow("empty file") << "models/own.json" << QByteArray() << "not valid JSON";
    QTest::newRow("too large a file") << "hardware/own.json" << QByteArray((1 << 20) + 1, ' ') << "own.json";
}

void TestCatalogueLookup::brokenFileIsLeftOutAndNamed()
{
    QFETCH(QString, file);
    QFETCH(QByteArray, content);
    QFETCH(QString, named);
    QTemporaryDir user;
    writeFile(user.filePath(file), content);
    const Catalog catalog = Catalog::load({resources.toStdString(), user.path().toStdString()});
    QCOMPARE(catalog.problems().size(), std::size_t(1));
    const QString problem = QString::fromStdString(catalog.problems().front());
    QVERIFY2(problem.contains(user.filePath(file)), qPrintable(problem));
    QVERIFY2(problem.contains(named), qPrintable(problem));
    // What was shipped is still whole.
    QCOMPARE(catalog.hardware(), m_catalog.hardware());
    QCOMPARE(catalog.models(), m_catalog.models());
}

void TestCatalogueLookup::secondFileOfOneIdIsLeftOut()
{
    QTemporaryDir user;
    writeFile(user.filePath(QStringLiteral("hardware/a.json")), ownT4);
    QByteArray second = ownT4;
    second.replace("300e9", "100e9");
    writeFile(user.filePath(QStringLiteral("hardware/b.json")), second);
    const Catalog catalog = Catalog::load({user.path().toStdString()});
    QCOMPARE(catalog.hardwareById("t4").memoryBandwidth, 300e9);
    QCOMPARE(catalog.problems().size(), std::size_t(1));
    QVERIFY(QString::fromStdString(catalog.problems().front()).contains(QStringLiteral("b.json")));
    QVERIFY(QString::fromStdString(catalog.problems().front()).contains(QStringLiteral("a.json")));
}

void TestCatalogueLookup::missingFoldersAreEmpty()
{
    QTemporaryDir user;
    const Catalog catalog =
        Catalog::load({user.path().toStdString(), user.filePath(QStringLiteral("nowhere")).toStdString()});
    QVERIFY(catalog.hardware().empty() && catalog.models().empty() && catalog.problems().empty());
}

void TestCatalogueLookup::environmentChoosesTheShippedFolder()
{
    QTemporaryDir shipped;
    QTemporaryDir home;
    writeFile(shipped.filePath(QStringLiteral("hardware/own.json")), ownT4);
    writeFile(shipped.filePath(QStringLiteral("models/own.json")), ownModel);
    const ScopedVariable chosen("RIDGEPOINT_RESOURCES", shipped.path().toUtf8());
    const ScopedVariable data("XDG_DATA_HOME", home.path().toUtf8());
    const Catalog catalog = Catalog::loadDefault();
    QCOMPARE(catalog.hardware().size(), std::size_t(1));
    QCOMPARE(catalog.models().size(), std::size_t(1));
    QCOMPARE(catalog.hardwareById("t4").name, std::string("My T4"));
}

void TestCatalogueLookup::shippedFolderIsFoundWithoutEnvironment()
{
    QTemporaryDir home;
    const ScopedVariable chosen("RIDGEPOINT_RESOURCES", std::nullopt);
    const ScopedVariable data("XDG_DATA_HOME", home.path().toUtf8());
    const std::vector<std::filesystem::path> folders = Catalog::defaultFolders();
    QCOMPARE(folders.size(), std::size_t(2));
    QVERIFY(std::filesystem::exists(folders[0] / "hardware" / "t4.json"));
    QCOMPARE(Catalog::loadDefault().modelById("smollm2-135m").layers, std::int64_t(30));
}

void TestCatalogueLookup::userFolder_data()
{
    QTest::addColumn<QByteArray>("dataHome");
    QTest::addColumn<QByteArray>("home");
    QTest::addColumn<QString>("expected");
    QTest::newRow("XDG_DATA_HOME") << QByteArray("/data") << QByteArray("/home/me") << "/data/ridgepoint";
    QTest::newRow("HOME") << QByteArray("") << QByteArray("/home/me") << "/home/me/.local/share/ridgepoint";
    QTest::newRow("relative XDG_DATA_HOME is ignored")
        << QByteArray("data") << QByteArray("/home/me") << "/home/me/.local/share/ridgepoint";
    QTest::newRow("neither") << QByteArray("") << QByteArray("") << "";
}

void TestCatalogueLookup::userFolder()
{
    QFETCH(QByteArray, dataHome);
    QFETCH(QByteArray, home);
    QFETCH(QString, expected);
    const ScopedVariable chosen("RIDGEPOINT_RESOURCES", resources.toUtf8());
    const ScopedVariable data("XDG_DATA_HOME", dataHome);
    const ScopedVariable homeVariable("HOME", home);
    const std::vector<std::filesystem::path> folders = Catalog::defaultFolders();
    QCOMPARE(folders.front(), std::filesystem::path(resources.toStdString()));
    QCOMPARE(folders.size(), std::size_t(expected.isEmpty() ? 1 : 2));
    if (!expected.isEmpty())
        QCOMPARE(folders.back(), std::filesystem::path(expected.toStdString()));
}

void TestCatalogueLookup::missingShippedFolderIsAFailure()
{
    QTemporaryDir empty;
    const ScopedVariable chosen("RIDGEPOINT_RESOURCES", empty.path().toUtf8());
    const QString sentence = sentenceOf([] { Catalog::loadDefault(); }, ErrorKind::Failure);
    QVERIFY2(sentence.contains(empty.path()), qPrintable(sentence));
    QVERIFY2(sentence.contains(QStringLiteral("RIDGEPOINT_RESOURCES")), qPrintable(sentence));
}

void TestCatalogueLookup::unknownIdNamesTheNearest_data()
{
    QTest::addColumn<bool>("device");
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QStringList>("named");
    QTest::newRow("device") << true << QByteArray("rtx4090")
                            << QStringList{"\"rtx4090\"", "rtx-4090", "`ridgepoint hardware`"};
    QTest::newRow("model") << false << QByteArray("tinyllama")
                           << QStringList{"\"tinyllama\"", "tinyllama-1.1b", "`ridgepoint models`"};
    QTest::newRow("nothing near") << false << QByteArray("zzzzzzzzz")
                                  << QStringList{"\"zzzzzzzzz\"", "`ridgepoint models`"};
    QTest::newRow("empty") << true << QByteArray("") << QStringList{"\"\"", "`ridgepoint hardware`"};
    QTest::newRow("control characters") << true << QByteArray("t4\x1b[2J\n") << QStringList{"\"t4?[2J?\""};
    QTest::newRow("a million letters") << true << QByteArray(1000000, 'a') << QStringList{"aaa...\""};
}

void TestCatalogueLookup::unknownIdNamesTheNearest()
{
    QFETCH(bool, device);
    QFETCH(QByteArray, id);
    QFETCH(QStringList, named);
    const std::string wanted = id.toStdString();
    const QString sentence = sentenceOf(
        [&] {
            if (device)
                m_catalog.hardwareById(wanted);
            else
                m_catalog.modelById(wanted);
        },
        ErrorKind::Usage);
    for (const QString &part : named)
        QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY(sentence.size() < 300);
}

void TestCatalogueLookup::deviceName_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("id");
    const auto row = [](const char *name, const char *id) { QTest::newRow(name) << name << id; };
    row("Tesla T4", "t4");
    row("NVIDIA T4", "t4");
    row("tesla t4", "t4");
    row("Tesla V100-SXM2-16GB", "v100-16gb-sxm");
    row("Tesla V100-SXM2-32GB", "v100-32gb-sxm");
    row("NVIDIA A10", "a10");
    row("NVIDIA A10G", "a10g");
    row("NVIDIA L4", "l4");
    row("NVIDIA L40", "l40");
    row("NVIDIA L40S", "l40s");
    row("NVIDIA A100-SXM4-40GB", "a100-40gb-sxm");
    row("A100-SXM4-40GB", "a100-40gb-sxm");
    row("NVIDIA A100-SXM4-80GB", "a100-80gb-sxm");
    row("NVIDIA A100 80GB PCIe", "a100-80gb-pcie");
    row("NVIDIA H100 80GB HBM3", "h100-sxm");
    row("NVIDIA H100 PCIe", "h100-pcie");
    row("NVIDIA H100 NVL", "h100-nvl");
    row("NVIDIA H200", "h200");
    row("NVIDIA H200 (GPU 0)", "h200");
    row("NVIDIA H200 NVL", "h200-nvl");
    row("NVIDIA B200", "b200");
    row("NVIDIA GH200 480GB", "gh200-96gb");
    row("NVIDIA GeForce RTX 3060", "rtx-3060");
    row("NVIDIA GeForce RTX 4090", "rtx-4090");
    row("GeForce RTX 3090", "rtx-3090");
    row("NVIDIA GeForce RTX 5090", "rtx-5090");
    row("NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada");
    row("NVIDIA Jetson AGX Orin Developer Kit", "jetson-agx-orin");
    row("NVIDIA Jetson Orin Nano Developer Kit", "jetson-orin-nano");
    row("NVIDIA Jetson Orin Nano Engineering Reference Developer Kit Super", "jetson-orin-nano-super");
    row("Apple M1 Pro", "apple-m1-pro");
    row("Apple M1", "apple-m1");
    row("Apple M4 Max", "apple-m4-max");
    row("cpu", "cpu");
    // Sisters that carry a known number but are other devices.
    row("NVIDIA GeForce RTX 4090 Laptop GPU", "");
    row("NVIDIA GeForce RTX 3060 Laptop GPU", "");
    row("NVIDIA GeForce RTX 3060 Ti", "");
    row("NVIDIA GeForce RTX 4080 SUPER", "");
    row("NVIDIA GeForce RTX 4090 D", "");
    row("NVIDIA GeForce RTX 2080 with Max-Q Design", "");
    row("NVIDIA A10-24Q", "");
    row("NVIDIA A100-SXM4-80GB MIG 1g.10gb", "");
    row("NVIDIA Jetson AGX Orin 32GB", "");
    row("NVIDIA GH200 144G HBM3e", "");
    row("NVIDIA H20", "");
    row("NVIDIA H100", "");
    row("Apple M3 Ultra", "");
    row("Orin", "");
    row("Intel(R) Xeon(R) CPU @ 2.20GHz", "");
    row("", "");
    row("()", "");
}

void TestCatalogueLookup::deviceName()
{
    QFETCH(QString, name);
    QFETCH(QString, id);
    const HardwareProfile *found = m_catalog.hardwareByDeviceName(name.toStdString());
    QCOMPARE(found ? QString::fromStdString(found->id) : QString(), id);
}

void TestCatalogueLookup::nearest_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("a letter wrong") << "lama-2-7b" << QStringList{"llama-2-7b"};
    QTest::newRow("letters swapped") << "qwne3-1.7b" << QStringList{"qwen3-1.7b"};
    QTest::newRow("capitals and spaces") << "Qwen3 8B" << QStringList{"qwen3-8b", "qwen3-1.7b"};
    QTest::newRow("cut short") << "tinyllama" << QStringList{"tinyllama-1.1b"};
    QTest::newRow("too long") << "tinyllama-1.1b-chat-v1.0" << QStringList{"tinyllama-1.1b"};
    QTest::newRow("at most three") << "llama" << QStringList{"llama-2-7b", "llama-3-8b", "tinyllama-1.1b"};
    QTest::newRow("far from all") << "gpt-neox" << QStringList{};
    QTest::newRow("nothing") << "" << QStringList{};
    QTest::newRow("punctuation only") << "--" << QStringList{};
}

void TestCatalogueLookup::nearest()
{
    QFETCH(QString, wanted);
    QFETCH(QStringList, expected);
    QStringList found;
    for (const std::string &name :
         nearestNames(wanted.toStdString(), {"llama-2-7b", "llama-3-8b", "qwen3-1.7b", "qwen3-8b", "smollm2-135m",
                                             "tinyllama-1.1b", "mistral-7b"}))
        found << QString::fromStdString(name);
    QCOMPARE(found, expected);
}

QTEST_GUILESS_MAIN(TestCatalogueLookup)
#include "test_catalogue_lookup.moc"
