// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"
#include "made_files.h"

#include <QtTest>

using namespace ridgepoint;

namespace {

std::span<const std::byte> asBytes(const std::string &text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

QByteArray made(std::string_view header, std::size_t dataBytes)
{
    return QByteArray::fromStdString(safetensorsFile(header, std::string(dataBytes, 'x')));
}

} // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private slots:
    void acceptsWhatTheFormatAllows_data();
    void acceptsWhatTheFormatAllows();
    void refusesWithTheCause_data();
    void refusesWithTheCause();
    void refusesEveryTruncation();
    void givesTypeShapeAndPlace();
    void sentencesStaySafeToShow();
};

void TestSafetensors::acceptsWhatTheFormatAllows_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<int>("tensors");

    QTest::newRow("no tensor") << made("{}", 0) << 0;
    QTest::newRow("padded header") << made("{}        ", 0) << 0;
    QTest::newRow("one") << made(R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})", 24) << 1;
    QTest::newRow("fields in another order")
        << made(R"({"a":{"data_offsets":[0,24],"shape":[2,3],"dtype":"F32"}})", 24) << 1;
    QTest::newRow("names not in the order of the data")
        << made(
               R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[4,8]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})",
               8)
        << 2;
    QTest::newRow("metadata")
        << made(R"({"__metadata__":{"format":"pt","x":""},"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", 2)
        << 1;
    QTest::newRow("scalar") << made(R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})", 4) << 1;
    QTest::newRow("empty tensor") << made(R"({"a":{"dtype":"F32","shape":[0,5],"data_offsets":[0,0]}})", 0) << 1;
    QTest::newRow("empty tensor between others")
        << made(
               R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]},"b":{"dtype":"F16","shape":[0],"data_offsets":[2,2]},)"
               R"("c":{"dtype":"F16","shape":[1],"data_offsets":[2,4]}})",
               4)
        << 3;
    QTest::newRow("name of many scripts")
        << made(R"({"größe.重み":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}})", 2) << 1;
    QTest::newRow("header of odd length") << made(R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]} })", 2) << 1;
}

void TestSafetensors::acceptsWhatTheFormatAllows()
{
    QFETCH(QByteArray, file);
    QFETCH(int, tensors);
    const std::string bytes = file.toStdString();
    QCOMPARE(QString::fromStdString(sentenceOf([&] { (void)parseSafetensors(asBytes(bytes), "made file"); })),
             QString());
    QCOMPARE(int(parseSafetensors(asBytes(bytes), "made file").size()), tensors);
}

void TestSafetensors::refusesWithTheCause_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QString>("cause");

    const auto row = [](const char *name, std::string_view header, std::size_t dataBytes, const char *cause) {
        QTest::newRow(name) << made(header, dataBytes) << QString(cause);
    };
    QTest::newRow("nothing") << QByteArray() << "has 0 bytes";
    QTest::newRow("seven bytes") << QByteArray(7, '\0') << "has 7 bytes";
    QTest::newRow("length only") << QByteArray(8, '\0') << "does not begin with";
    QTest::newRow("length beyond the file")
        << QByteArray("\x40\0\0\0\0\0\0\0{}", 10) << "a header of 64 bytes but holds only 2";
    QTest::newRow("enormous length") << QByteArray(16, '\xFF') << "more than the limit of 100000000";
    QTest::newRow("length that wraps with the eight bytes")
        << QByteArray("\xF8\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}", 10) << "more than the limit";
    QTest::newRow("length just over the limit")
        << QByteArray("\x01\xE1\xF5\x05\0\0\0\0{}", 10) << "more than the limit";
    row("array", "[]", 0, "does not begin with");
    row("leading space", " {}", 0, "does not begin with");
    row("cut JSON", R"({"a":{"dtype":"F32")", 0, "not valid JSON");
    row("text after the object", "{} {}", 0, "not valid JSON");
    row("ill-formed UTF-8", "{\"\xC3\":{}}", 0, "not valid JSON");
    row("entry is a number", R"({"a":1})", 0, "is the number 1, not an object");
    row("entry is an array", R"({"a":[]})", 0, "is an array, not an object");
    row("entry is null", R"({"a":null})", 0, "is null, not an object");
    row("metadata is an array", R"({"__metadata__":[]})", 0, "is an array, not an object");
    row("metadata of numbers", R"({"__metadata__":{"a":1}})", 0, "asks for strings");
    row("metadata nested", R"({"__metadata__":{"a":{}}})", 0, "asks for strings");
    row("metadata twice", R"({"__metadata__":{},"__metadata__":{}})", 0, "twice");
    row("no dtype", R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, R"(lacks "dtype")");
    row("no shape", R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, R"(lacks "shape")");
    row("no offsets", R"({"a":{"dtype":"F32","shape":[1]}})", 4, R"(lacks "data_offsets")");
    row("unknown field", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"z":1}})", 4, "unknown field");
    row("dtype twice", R"({"a":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}})", 4,
        R"("dtype" twice)");
    row("shape twice", R"({"a":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}})", 4, R"("shape" twice)");
    row("name twice",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
        8, R"(names "a" twice)");
    row("dtype is a number", R"({"a":{"dtype":1,"shape":[1],"data_offsets":[0,4]}})", 4, "the number 1 as its dtype");
    row("shape is a string", R"({"a":{"dtype":"F32","shape":"1","data_offsets":[0,4]}})", 4, "a string as its shape");
    row("quantized", R"({"layer":{"dtype":"I8","shape":[4],"data_offsets":[0,4]}})", 4, R"("layer")");
    row("double", R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", 8, "only F32, F16 and BF16");
    row("small letters", R"({"a":{"dtype":"f32","shape":[1],"data_offsets":[0,4]}})", 4, "only F32, F16 and BF16");
    row("negative size", R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "the number -1 in its shape");
    row("fractional size", R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4,
        "the number 1.0 in its shape");
    row("size with an exponent", R"({"a":{"dtype":"F32","shape":[1e0],"data_offsets":[0,4]}})", 4, "in its shape");
    row("size of 2^63", R"({"a":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,4]}})", 4, "too large");
    row("size above 2^64", R"({"a":{"dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,4]}})", 4,
        "in its shape");
    row("nested shape", R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", 4, "an array in its shape");
    row("object in shape", R"({"a":{"dtype":"F32","shape":[{}],"data_offsets":[0,4]}})", 4, "an object in its shape");
    row("17 dimensions", R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})", 4,
        "more than 16 dimensions");
    row("shape product overflows", R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0,
        "overflows");
    row("byte count overflows", R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})", 0,
        "overflows");
    row("overflow hidden by a zero", R"({"a":{"dtype":"F32","shape":[4294967296,4294967296,0],"data_offsets":[0,0]}})",
        0, "overflows");
    row("one offset", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "two data_offsets");
    row("three offsets", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 4,
        "more than two data_offsets");
    row("negative offset", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}})", 4,
        "the number -4 in its data_offsets");
    row("fractional offset", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4.5]}})", 4, "in its data_offsets");
    row("end before begin", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "before it begins");
    row("end beyond the data", R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4, "which has only 4");
    row("begin beyond the data", R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[9,9]}})", 4, "which has only 4");
    row("offset of 2^64-1", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}})", 4,
        "which has only 4");
    row("offsets that wrap",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[18446744073709551612,18446744073709551615]}})", 4,
        "which has only 4");
    row("too few bytes for the shape", R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8, "need 12");
    row("too many bytes for the shape", R"({"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,8]}})", 8, "need 4");
    row("overlap",
        R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
        12, "overlap");
    row("the same place twice",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
        4, "overlap");
    row("hole at the front", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8, "hole");
    row("hole between",
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
        12, "hole");
    row("bytes left over", R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 5, "tensors end at byte 4");
    row("data without a tensor", "{}", 1, "tensors end at byte 0");

    std::string deep = R"({"a":)" + std::string(200000, '[');
    QTest::newRow("nested arrays") << made(deep, 0) << "an array";
    deep = R"({"a":{"shape":)" + std::string(200000, '[');
    QTest::newRow("arrays nested in a shape") << made(deep, 0) << "in its shape";
    deep.clear();
    for (int i = 0; i < 100000; ++i)
        deep += R"({"a":)";
    QTest::newRow("nested objects") << made(deep, 0) << "unknown field";
}

void TestSafetensors::refusesWithTheCause()
{
    QFETCH(QByteArray, file);
    QFETCH(QString, cause);
    const std::string bytes = file.toStdString();
    const QString sentence =
        QString::fromStdString(sentenceOf([&] { (void)parseSafetensors(asBytes(bytes), "made-file.safetensors"); }));
    QVERIFY2(sentence.contains(cause), qPrintable(sentence));
    QVERIFY2(sentence.contains("made-file.safetensors"), qPrintable(sentence));
    QVERIFY2(sentence.endsWith('.') && sentence.size() < 600, qPrintable(sentence));
}

void TestSafetensors::refusesEveryTruncation()
{
    const std::string whole = safetensorsFile({{"a", "F32", {2, 3}}, {"b", "BF16", {5}}});
    QCOMPARE(parseSafetensors(asBytes(whole), "whole").size(), std::size_t(2));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        // A copy of its own size, so that a read past its end is seen by the address sanitizer.
        const std::vector<std::byte> cut(asBytes(whole).begin(), asBytes(whole).begin() + std::ptrdiff_t(length));
        QVERIFY2(!sentenceOf([&] { (void)parseSafetensors(cut, "cut"); }).empty(), qPrintable(QString::number(length)));
    }
}

void TestSafetensors::givesTypeShapeAndPlace()
{
    const std::string file = safetensorsFile({{"a", "F32", {2, 3}}, {"b", "BF16", {5}}, {"c", "F16", {1, 1}}});
    const std::vector<StoredTensor> tensors = parseSafetensors(asBytes(file), "file");
    QCOMPARE(tensors.size(), std::size_t(3));
    QCOMPARE(tensors[0].name, std::string("a"));
    QCOMPARE(tensors[1].name, std::string("b"));
    QVERIFY(tensors[0].type == StoredType::F32 && tensors[1].type == StoredType::BF16 &&
            tensors[2].type == StoredType::F16);
    QVERIFY((tensors[0].shape == std::vector<std::int64_t>{2, 3}));
    QCOMPARE(tensors[0].bytes, std::size_t(24));
    QCOMPARE(tensors[1].bytes, std::size_t(10));
    QCOMPARE(int(tensors[0].data[23]), 23);
    QCOMPARE(int(tensors[1].data[0]), 24);
    QCOMPARE(int(tensors[2].data[1]), 35);
    QCOMPARE(tensors[2].data + tensors[2].bytes, asBytes(file).data() + file.size());
}

void TestSafetensors::sentencesStaySafeToShow()
{
    const std::string name(100000, 'n');
    const std::string file =
        safetensorsFile(R"({")" + name + R"(":{"dtype":"I64\n\u0007","shape":[1],"data_offsets":[0,8]}})", "12345678");
    const std::string sentence = sentenceOf([&] { (void)parseSafetensors(asBytes(file), "file"); });
    QVERIFY(sentence.size() > 50 && sentence.size() < 600);
    QVERIFY(sentence.find('\n') == std::string::npos && sentence.find('\a') == std::string::npos);
}

QTEST_GUILESS_MAIN(TestSafetensors)
#include "test_safetensors.moc"
