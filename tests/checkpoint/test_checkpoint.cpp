// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"
#include "made_files.h"

#include <QtTest>

#include <functional>

#include <sys/stat.h>

using namespace ridgepoint;
namespace fs = std::filesystem;

namespace {

using Prepare = std::function<void(const fs::path &)>;

const std::vector<MadeTensor> &smallTensors()
{
    static const std::vector<MadeTensor> tensors = {
        {"model.embed_tokens.weight", "BF16", {32, 8}}, {"model.norm.weight", "F32", {8}}, {"extra", "F16", {3}}};
    return tensors;
}

void writeSharded(const fs::path &folder, const std::string &weightMap)
{
    writeBytes(folder / "a.safetensors", safetensorsFile({{"first", "F32", {2}}, {"second", "F32", {3}}}));
    writeBytes(folder / "b.safetensors", safetensorsFile({{"third", "BF16", {4}}}));
    writeBytes(folder / "model.safetensors.index.json",
               R"({"metadata":{"total_size":28},"weight_map":)" + weightMap + "}");
}

} // namespace

Q_DECLARE_METATYPE(Prepare)

class TestCheckpoint : public QObject {
    Q_OBJECT

private slots:
    void init();
    void readsOneFile();
    void readsShards();
    void prefersTheSingleFile();
    void shardsMayHoldMoreThanTheIndexNames();
    void followsLinksAsTheDownloadCacheMakesThem();
    void outlivesTheRemovalOfItsFile();
    void alignsWhatIsStoredAtAnOddPlace();
    void tensorNamesBothShapes();
    void tensorNamesWhatIsMissing();
    void refusesFolders_data();
    void refusesFolders();

private:
    fs::path folder() const { return m_directory->path().toStdString(); }
    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestCheckpoint::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(m_directory->isValid());
    writeBytes(folder() / "config.json", smallConfig());
}

void TestCheckpoint::readsOneFile()
{
    writeBytes(folder() / "model.safetensors", safetensorsFile(smallTensors()));
    const auto checkpoint = Checkpoint::open(folder());
    QCOMPARE(checkpoint->shape().hidden, std::int64_t(8));
    QCOMPARE(checkpoint->folder().string(), folder().string());
    QVERIFY(
        (checkpoint->names() == std::vector<std::string>{"extra", "model.embed_tokens.weight", "model.norm.weight"}));
    QVERIFY(checkpoint->has("extra"));
    QVERIFY(!checkpoint->has("extr"));
    QCOMPARE(checkpoint->totalBytes(), 32 * 8 * 2 + 8 * 4 + 3 * 2.0);
    const StoredTensor norm = checkpoint->tensor("model.norm.weight", {8});
    QVERIFY(norm.type == StoredType::F32);
    QCOMPARE(norm.bytes, std::size_t(32));
    QCOMPARE(int(norm.data[0]), 512 % 251);
}

void TestCheckpoint::readsShards()
{
    writeSharded(folder(), R"({"first":"a.safetensors","second":"a.safetensors","third":"b.safetensors"})");
    const auto checkpoint = Checkpoint::open(folder());
    QCOMPARE(checkpoint->names().size(), std::size_t(3));
    QCOMPARE(int(checkpoint->tensor("second", {3}).data[0]), 8);
    QCOMPARE(int(checkpoint->tensor("third", {4}).data[0]), 0);
    QCOMPARE(checkpoint->totalBytes(), 28.0);
}

void TestCheckpoint::prefersTheSingleFile()
{
    writeSharded(folder(), R"({"first":"a.safetensors"})");
    writeBytes(folder() / "model.safetensors", safetensorsFile(smallTensors()));
    QVERIFY(!Checkpoint::open(folder())->has("first"));
}

void TestCheckpoint::shardsMayHoldMoreThanTheIndexNames()
{
    writeSharded(folder(), R"({"first":"a.safetensors","third":"b.safetensors"})");
    const auto checkpoint = Checkpoint::open(folder());
    QVERIFY(!checkpoint->has("second"));
    QCOMPARE(checkpoint->totalBytes(), 16.0);
}

void TestCheckpoint::followsLinksAsTheDownloadCacheMakesThem()
{
    fs::create_directories(folder() / "blobs");
    fs::create_directories(folder() / "snapshot");
    writeBytes(folder() / "blobs" / "0123", safetensorsFile(smallTensors()));
    fs::create_symlink("../blobs/0123", folder() / "snapshot" / "model.safetensors");
    fs::create_symlink("../config.json", folder() / "snapshot" / "config.json");
    QVERIFY(Checkpoint::open(folder() / "snapshot")->has("extra"));
}

void TestCheckpoint::outlivesTheRemovalOfItsFile()
{
    writeBytes(folder() / "model.safetensors", safetensorsFile(smallTensors()));
    const auto checkpoint = Checkpoint::open(folder());
    const StoredTensor tensor = checkpoint->tensor("extra", {3});
    fs::remove(folder() / "model.safetensors");
    QCOMPARE(int(tensor.data[5]), (512 + 32 + 5) % 251);
}

void TestCheckpoint::alignsWhatIsStoredAtAnOddPlace()
{
    // 8 bytes and a header of odd length: every tensor lies at an odd address of the mapping.
    std::string header = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    header.resize(header.size() | 1, ' ');
    writeBytes(folder() / "model.safetensors", safetensorsFile(header, "ABCDEFGH"));
    const auto checkpoint = Checkpoint::open(folder());
    const StoredTensor tensor = checkpoint->tensor("a", {2});
    QCOMPARE(reinterpret_cast<std::uintptr_t>(tensor.data) % 4, std::uintptr_t(0));
    QCOMPARE(std::string(reinterpret_cast<const char *>(tensor.data), tensor.bytes), std::string("ABCDEFGH"));
}

void TestCheckpoint::tensorNamesBothShapes()
{
    writeBytes(folder() / "model.safetensors", safetensorsFile(smallTensors()));
    const auto checkpoint = Checkpoint::open(folder());
    const std::string sentence = sentenceOf([&] { (void)checkpoint->tensor("model.embed_tokens.weight", {8, 32}); });
    for (const char *part : {"model.embed_tokens.weight", "model.safetensors", "[32, 8]", "[8, 32]", "config.json"})
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
}

void TestCheckpoint::tensorNamesWhatIsMissing()
{
    writeBytes(folder() / "model.safetensors", safetensorsFile(smallTensors()));
    const auto checkpoint = Checkpoint::open(folder());
    const std::string sentence = sentenceOf([&] {
        (void)checkpoint->tensor("model.layers.0.mlp.up_proj.weight", {16, 8});
    });
    QVERIFY2(sentence.find("\"model.layers.0.mlp.up_proj.weight\"") != std::string::npos, sentence.c_str());
    QVERIFY2(sentence.find(folder().string()) != std::string::npos, sentence.c_str());
}

void TestCheckpoint::refusesFolders_data()
{
    QTest::addColumn<Prepare>("prepare");
    QTest::addColumn<QStringList>("parts");

    const auto row = [](const char *name, const Prepare &prepare, const QStringList &parts) {
        QTest::newRow(name) << prepare << parts;
    };
    const auto index = [](std::string text) {
        return [text](const fs::path &folder) { writeBytes(folder / "model.safetensors.index.json", text); };
    };
    const auto shards = [](std::string map) { return [map](const fs::path &folder) { writeSharded(folder, map); }; };

    row("no config.json", [](const fs::path &folder) { fs::remove(folder / "config.json"); }, {"config.json"});
    row("config.json of another architecture",
        [](const fs::path &folder) {
            writeBytes(folder / "config.json", R"({"architectures":["BertModel"],"hidden_size":8})");
        },
        {"config.json", "BertModel"});
    row("no weights", [](const fs::path &) {}, {"model.safetensors", "index.json", "download"});
    row("weights of another format", [](const fs::path &folder) { writeBytes(folder / "model.gguf", "GGUF"); },
        {"\"model.gguf\"", "convert"});
    row("empty file", [](const fs::path &folder) { writeBytes(folder / "model.safetensors", ""); },
        {"model.safetensors", "is empty"});
    row("short file", [](const fs::path &folder) { writeBytes(folder / "model.safetensors", "1234"); },
        {"model.safetensors", "4 bytes"});
    row("truncated data",
        [](const fs::path &folder) {
            const std::string file = safetensorsFile(smallTensors());
            writeBytes(folder / "model.safetensors", std::string_view(file).substr(0, file.size() - 1));
        },
        {"model.safetensors", "incomplete"});
    row("a folder in place of the file",
        [](const fs::path &folder) { fs::create_directory(folder / "model.safetensors"); },
        {"model.safetensors", "not a regular file"});
    row("a pipe in place of the file",
        [](const fs::path &folder) { QCOMPARE(::mkfifo((folder / "model.safetensors").c_str(), 0600), 0); },
        {"model.safetensors", "not a regular file"});
    row("a link into nowhere",
        [](const fs::path &folder) { fs::create_symlink("absent", folder / "model.safetensors"); },
        {"model.safetensors", "No such file"});
    row("index is not JSON", index("weights"), {"index.json", "not valid JSON"});
    row("index is an array", index("[]"), {"index.json"});
    row("index nested deeply", index(R"({"weight_map":)" + std::string(100000, '[')), {"index.json", "deeper"});
    row("index without a map", index(R"({"metadata":{}})"), {"index.json", "weight_map"});
    row("map is a list", index(R"({"weight_map":["a"]})"), {"index.json", "weight_map"});
    row("map is empty", index(R"({"weight_map":{}})"), {"index.json", "weight_map"});
    row("shard is a number", shards(R"({"first":1})"), {"index.json", "\"first\""});
    row("shard climbs out", shards(R"({"first":"../a.safetensors"})"), {"index.json", "\"first\"", "../a.safetensors"});
    row("shard climbs out midway", shards(R"({"first":"sub/../../a.safetensors"})"), {"index.json", "\"first\""});
    row("shard is absolute", shards(R"({"first":"/etc/hostname"})"), {"index.json", "\"first\"", "/etc/hostname"});
    row("shard is nameless", shards(R"({"first":""})"), {"index.json", "\"first\""});
    row("shard is the folder", shards(R"({"first":"."})"), {"index.json", "\"first\""});
    row("shard with a zero byte", shards(R"({"first":"a.safetensors\u0000"})"), {"index.json", "\"first\""});
    row("shard is absent", shards(R"({"first":"c.safetensors"})"), {"index.json", "\"c.safetensors\"", "incomplete"});
    row("shard lacks the tensor", shards(R"({"first":"a.safetensors","fourth":"b.safetensors"})"),
        {"b.safetensors", "\"fourth\""});
    row("tensor is in another shard", shards(R"({"first":"b.safetensors"})"), {"b.safetensors", "\"first\""});
    row("shard is damaged",
        [](const fs::path &folder) {
            writeSharded(folder, R"({"first":"a.safetensors","third":"b.safetensors"})");
            writeBytes(folder / "b.safetensors", "12345678{}");
        },
        {"b.safetensors"});
}

void TestCheckpoint::refusesFolders()
{
    QFETCH(Prepare, prepare);
    QFETCH(QStringList, parts);
    prepare(folder());
    const QString sentence = QString::fromStdString(sentenceOf([&] { (void)Checkpoint::open(folder()); }));
    QVERIFY(!sentence.isEmpty());
    for (const QString &part : parts)
        QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY2(sentence.endsWith('.'), qPrintable(sentence));
    QVERIFY(!sentenceOf([&] { (void)Checkpoint::open(folder() / "absent"); }).empty());
}

QTEST_GUILESS_MAIN(TestCheckpoint)
#include "test_checkpoint.moc"
