// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files of every kind: each must be read or refused by an Error; anything else (a crash, another exception, a
// read outside the file under the address sanitizer) fails the test. The seed is fixed, so a failure repeats.
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/tokenizer_parts.h"
#include "made_files.h"

#include <QtTest>

#include <random>

using namespace ridgepoint;

namespace {

class Mutator {
public:
    explicit Mutator(std::uint32_t seed) : m_random(seed) {}

    std::string mutated(std::string text, std::size_t from)
    {
        static const std::vector<std::string> words = {"0",
                                                       "-1",
                                                       "9",
                                                       "1e9",
                                                       "0.5",
                                                       "18446744073709551615",
                                                       "9223372036854775808",
                                                       "99999999999999999999999",
                                                       "null",
                                                       "true",
                                                       "{}",
                                                       "[]",
                                                       "[",
                                                       "]",
                                                       "{",
                                                       "}",
                                                       "\"",
                                                       ",",
                                                       ":",
                                                       "\"\"",
                                                       "\\",
                                                       "\\u0000",
                                                       "\\ud800",
                                                       "\xC3",
                                                       "\xFF",
                                                       " ",
                                                       "F32",
                                                       "BF16",
                                                       "I64",
                                                       "__metadata__",
                                                       "data_offsets",
                                                       "shape",
                                                       "\"a\":1,",
                                                       "Sequence",
                                                       "Metaspace",
                                                       "Unigram"};
        const int count = 1 + int(below(4));
        for (int i = 0; i < count && text.size() > from; ++i) {
            const std::size_t at = from + below(text.size() - from);
            switch (below(6)) {
            case 0:
                text[at] = char(below(256));
                break;
            case 1:
                text[at] = char(text[at] ^ (1 << below(8)));
                break;
            case 2:
                text.erase(at, 1 + below(16));
                break;
            case 3:
                text.insert(at, words[below(words.size())]);
                break;
            case 4:
                text.insert(at, text.substr(from + below(text.size() - from), 1 + below(40)));
                break;
            case 5: { // a number becomes another one
                const std::size_t digit = text.find_first_of("0123456789", at);
                if (digit != std::string::npos) {
                    const std::size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
                    text.replace(digit, end - digit, words[below(8)]);
                }
                break;
            }
            }
        }
        return text;
    }

private:
    std::size_t below(std::size_t limit) { return std::size_t(m_random()) % limit; }

    std::mt19937 m_random;
};

} // namespace

class TestMutations : public QObject {
    Q_OBJECT

private slots:
    void safetensorsHeaders();
    void safetensorsBytes();
    void tokenizers_data();
    void tokenizers();
};

void TestMutations::safetensorsHeaders()
{
    const std::string whole = safetensorsFile({{"a", "F32", {2, 3}}, {"b", "BF16", {5}}, {"c", "F16", {1, 1}}});
    const std::size_t dataBytes = 24 + 10 + 2;
    const std::string header = whole.substr(8, whole.size() - 8 - dataBytes);
    Mutator mutator(1);
    int refused = 0;
    int read = 0;
    for (int round = 0; round < 3000; ++round) {
        // The length is made to fit, so that the damage reaches the JSON.
        const std::string file = safetensorsFile(mutator.mutated(header, 0), std::string(dataBytes, 'x'));
        const std::vector<char> exact(file.begin(), file.end());
        const std::string sentence = sentenceOf([&] {
            std::size_t bytes = 0;
            for (const StoredTensor &tensor : parseSafetensors(std::as_bytes(std::span(exact)), "made")) {
                QVERIFY(tensor.data >= reinterpret_cast<const std::byte *>(exact.data()));
                QVERIFY(tensor.data + tensor.bytes <= reinterpret_cast<const std::byte *>(exact.data() + exact.size()));
                bytes += tensor.bytes;
            }
            QCOMPARE(bytes, dataBytes);
        });
        ++(sentence.empty() ? read : refused);
    }
    QVERIFY2(refused > 1000 && read > 10, qPrintable(QString("%1 refused, %2 read").arg(refused).arg(read)));
}

void TestMutations::safetensorsBytes()
{
    const std::string whole = safetensorsFile({{"a", "F32", {2, 3}}, {"b", "BF16", {5}}});
    Mutator mutator(2);
    int refused = 0;
    for (int round = 0; round < 3000; ++round) {
        const std::string file = mutator.mutated(whole, 0);
        const std::vector<char> exact(file.begin(), file.end());
        refused += !sentenceOf([&] { (void)parseSafetensors(std::as_bytes(std::span(exact)), "made"); }).empty();
    }
    QVERIFY2(refused > 1000, qPrintable(QString::number(refused)));
}

void TestMutations::tokenizers_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("byte level") << QByteArray(
        R"({"added_tokens":[{"id":9,"content":"<|e|>","special":true,"lstrip":true,"normalized":false}],)"
        R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Digits","individual_digits":true},)"
        R"({"type":"ByteLevel","add_prefix_space":false,"use_regex":true}]},"decoder":{"type":"ByteLevel"},)"
        R"("post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"e"}},{"Sequence":{"id":"A"}}],)"
        R"("special_tokens":{"e":{"ids":[9]}}},"model":{"type":"BPE","unk_token":"a","ignore_merges":true,)"
        R"("vocab":{"a":0,"b":1,"ab":2,"Ġ":3,"Ġa":4,"1":5},"merges":["a b",["Ġ","a"]]}})");
    QTest::newRow("spaced") << QByteArray(
        R"({"added_tokens":[{"id":4,"content":"<s>","special":true}],"normalizer":{"type":"Sequence","normalizers":)"
        R"([{"type":"Prepend","prepend":"▁"},{"type":"Replace","pattern":{"String":" "},"content":"▁"}]},)"
        R"("pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":true},)"
        R"("model":{"type":"BPE","unk_token":"<unk>","byte_fallback":true,"vocab":{"<unk>":0,"▁":1,"a":2,"▁a":3,"<0x41>":5},)"
        R"("merges":["▁ a"]}})");
    QTest::newRow("unigram") << QByteArray(
        R"({"pre_tokenizer":{"type":"Metaspace","replacement":"▁"},"model":{"type":"Unigram","unk_id":0,"vocab":)"
        R"([["<unk>",0],["▁",-3.5],["a",-2],["ab",-1e3]]}})");
}

void TestMutations::tokenizers()
{
    QFETCH(QByteArray, json);
    const std::string whole = json.toStdString();
    (void)tokenizerFromJson(whole, "made"); // sound as it stands
    Mutator mutator(3);
    int refused = 0;
    int read = 0;
    for (int round = 0; round < 3000; ++round) {
        const std::string damaged = mutator.mutated(whole, 0);
        const std::string sentence = sentenceOf([&] {
            const auto tokenizer = tokenizerFromJson(damaged, "made");
            const std::vector<std::int64_t> ids = tokenizer->encode("ab 12 <|e|> <s>\xC3\xA9\xFF a");
            for (const std::int64_t id : ids)
                QVERIFY(id >= 0 && id < tokenizer->size());
            (void)tokenizer->decode(ids);
            for (const std::int64_t id : tokenizer->promptPrefix())
                QVERIFY(id < tokenizer->size());
        });
        ++(sentence.empty() ? read : refused);
    }
    QVERIFY2(refused > 1000 && read > 10, qPrintable(QString("%1 refused, %2 read").arg(refused).arg(read)));
}

QTEST_GUILESS_MAIN(TestMutations)
#include "test_mutations.moc"
