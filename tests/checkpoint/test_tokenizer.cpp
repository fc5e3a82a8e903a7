// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pre_tokenizer.h"
#include "core/checkpoint/tokenizer.h"
#include "core/checkpoint/tokenizer_parts.h"
#include "core/checkpoint/unicode.h"
#include "made_files.h"

#include <QtTest>

#ifdef RIDGEPOINT_HAVE_SENTENCEPIECE_TRAINER
#include <sentencepiece_trainer.h>
#endif

using namespace ridgepoint;
using Ids = std::vector<std::int64_t>;

Q_DECLARE_METATYPE(Ids)
Q_DECLARE_METATYPE(SplitRule)

namespace {

constexpr const char *kMark = "\xE2\x96\x81";

QString text(const Ids &ids)
{
    QStringList parts;
    for (const std::int64_t id : ids)
        parts << QString::number(id);
    return parts.join(' ');
}

/// BPE with byte fallback: <unk> <s> </s>, the 256 bytes (3 to 258), then the mark (259), h, i (260, 261), mark+h
/// (262), mark+hi (263).
std::string spacedTokenizer(std::string_view normalizer, std::string_view preTokenizer)
{
    std::string vocab = R"("<unk>":0,"<s>":1,"</s>":2)";
    for (int byte = 0; byte < 256; ++byte)
        vocab += QString::asprintf(",\"<0x%02X>\":%d", byte, byte + 3).toStdString();
    const std::string mark = kMark;
    vocab += ",\"" + mark + "\":259,\"h\":260,\"i\":261,\"" + mark + "h\":262,\"" + mark + "hi\":263";
    return R"({"added_tokens":[{"id":1,"content":"<s>","special":true},{"id":2,"content":"</s>","special":true}],)"
           R"("normalizer":)" +
           std::string(normalizer) + R"(,"pre_tokenizer":)" + std::string(preTokenizer) +
           R"(,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>","type_id":0}},)"
           R"({"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"</s>","type_id":0}}],)"
           R"("special_tokens":{"<s>":{"id":"<s>","ids":[1],"tokens":["<s>"]},"</s>":{"id":"</s>","ids":[2],"tokens":["</s>"]}}},)"
           R"("model":{"type":"BPE","unk_token":"<unk>","fuse_unk":true,"byte_fallback":true,"vocab":{)" +
           vocab + R"(},"merges":[[")" + mark + R"(","h"],[")" + mark + R"(h","i"]]}})";
}

std::string unigramTokenizer(std::string_view extra = {})
{
    const std::string mark = kMark;
    return R"({"pre_tokenizer":{"type":"Metaspace","replacement":")" + mark +
           R"(","prepend_scheme":"always"},"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],[")" + mark +
           R"(",-3],["a",-2],["b",-2.5],["ab",-3],[")" + mark + R"(ab",-8])" + std::string(extra) + "]}}";
}

} // namespace

class TestTokenizer : public QObject {
    Q_OBJECT

private slots:
    void givesTheBytesOfEveryToken();
    void encodesAndDecodes_data();
    void encodesAndDecodes();
    void decodesWhatIsNotUtf8();
    void cutsText_data();
    void cutsText();
    void knowsThePatterns();
    void knowsTheClassesOfCharacters();
    void readsUtf8_data();
    void readsUtf8();
    void streamHoldsBackSplitCharacters_data();
    void streamHoldsBackSplitCharacters();
    void streamGivesWhatDecodeGives();
    void addedTokensTakeTheirSpaces();
    void wholeWordsOnlyWhereAsked();
    void wholeWordsPassMerges();
    void spacedVocabulary_data();
    void spacedVocabulary();
    void unigramTakesTheBestSum();
    void unknownWayOfCuttingStillDecodes_data();
    void unknownWayOfCuttingStillDecodes();
    void longTextStaysQuick();
    void opensWhatTheFolderHas();
    void refuses_data();
    void refuses();
    void readsSentencePieceModels();
    void refusesDamagedSentencePieceModels();
};

void TestTokenizer::givesTheBytesOfEveryToken()
{
    const auto tokenizer = tokenizerFromJson(byteLevelTokenizer(), "made");
    QCOMPARE(tokenizer->kind(), std::string("byte-level BPE"));
    QCOMPARE(tokenizer->size(), std::int64_t(263));
    for (int byte = 0; byte < 256; ++byte)
        QCOMPARE(tokenizer->bytesOf(byte), std::string(1, char(byte)));
    QCOMPARE(tokenizer->bytesOf(259), std::string("hello"));
    QCOMPARE(tokenizer->bytesOf(260), std::string(" w"));
    QCOMPARE(tokenizer->bytesOf(261), std::string("<|end|>"));
    QVERIFY(tokenizer->isSpecial(261) && !tokenizer->isSpecial(260));
    for (const std::int64_t outside : {std::int64_t(-1), std::int64_t(263), std::int64_t(1) << 40}) {
        QCOMPARE(tokenizer->bytesOf(outside), std::string());
        QVERIFY(!tokenizer->isSpecial(outside));
    }
    QVERIFY(tokenizer->promptPrefix().empty());
    QVERIFY(!tokenizer->addsLeadingSpace());
}

void TestTokenizer::encodesAndDecodes_data()
{
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<Ids>("ids");
    QTest::newRow("nothing") << QByteArray("") << Ids{};
    QTest::newRow("merges by rank") << QByteArray("hello") << Ids{259};
    QTest::newRow("part of a word") << QByteArray("hell") << Ids{258};
    QTest::newRow("merges apart") << QByteArray("heh") << Ids{256, 'h'};
    QTest::newRow("space joins the word after it") << QByteArray("hello world") << Ids{259, 260, 'o', 'r', 'l', 'd'};
    QTest::newRow("no merge over the cut") << QByteArray("he llo") << Ids{256, ' ', 257, 'o'};
    QTest::newRow("special tokens") << QByteArray("hello<|end|>he<|pad|><|end|>") << Ids{259, 261, 256, 262, 261};
    QTest::newRow("almost special") << QByteArray("<|end|") << Ids{'<', '|', 'e', 'n', 'd', '|'};
    QTest::newRow("bytes of a character") << QByteArray("\xC3\xA9") << Ids{0xC3, 0xA9};
    QTest::newRow("control characters") << QByteArray("\0\x01\n", 3) << Ids{0, 1, '\n'};
}

void TestTokenizer::encodesAndDecodes()
{
    QFETCH(QByteArray, given);
    QFETCH(Ids, ids);
    const auto tokenizer = tokenizerFromJson(byteLevelTokenizer(), "made");
    QCOMPARE(text(tokenizer->encode(given.toStdString())), text(ids));
    QCOMPARE(QByteArray::fromStdString(tokenizer->decode(ids)), given);
}

void TestTokenizer::decodesWhatIsNotUtf8()
{
    const auto tokenizer = tokenizerFromJson(byteLevelTokenizer(), "made");
    QCOMPARE(tokenizer->decode({'a', 0xE2, 0x82, 'b'}), std::string("a\xEF\xBF\xBD"
                                                                    "b"));
    QCOMPARE(tokenizer->decode({'a', -5, 99999, 'b'}), std::string("ab"));
    QCOMPARE(text(tokenizer->encode("\xFF")), text({0xEF, 0xBF, 0xBD}));
}

void TestTokenizer::cutsText_data()
{
    QTest::addColumn<SplitRule>("rule");
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("pieces"); // with '|' between
    const auto row = [](const char *name, SplitRule rule, const char *given, const char *pieces) {
        QTest::newRow(name) << rule << QString::fromUtf8(given) << QString::fromUtf8(pieces);
    };
    row("digits", SplitRule::Digits, "a12b3", "a|12|b|3");
    row("individual digits", SplitRule::IndividualDigits, "a12 3", "a|1|2| |3");
    row("digits of another script", SplitRule::IndividualDigits, "x٣٤½", "x|٣|٤|½");
    row("gpt2 words", SplitRule::Gpt2, "Hello, big world!", "Hello|,| big| world|!");
    row("gpt2 contractions", SplitRule::Gpt2, "I'm they'll'x", "I|'m| they|'ll|'|x");
    row("gpt2 capitals are no contraction", SplitRule::Gpt2, "I'M", "I|'|M");
    row("gpt2 spaces", SplitRule::Gpt2, "a   b  ", "a|  | b|  ");
    row("gpt2 newlines", SplitRule::Gpt2, "a\n\nb", "a|\n|\n|b");
    row("gpt2 numbers", SplitRule::Gpt2, "in 2024!", "in| 2024|!");
    row("gpt2 scripts", SplitRule::Gpt2, "größe 日本 99", "größe| 日本| 99");
    row("llama3 numbers by three", SplitRule::Llama3, "1234567", "123|456|7");
    row("llama3 space stays apart from numbers", SplitRule::Llama3, "in 2024", "in| |202|4");
    row("llama3 contractions in any case", SplitRule::Llama3, "I'M WE'LL", "I|'M| WE|'LL");
    row("llama3 mark before a word", SplitRule::Llama3, "(word)\n", "(word|)\n");
    row("llama3 tab before a word", SplitRule::Llama3, "\tword", "\tword");
    row("llama3 newlines", SplitRule::Llama3, "a \n \n  b", "a| \n \n| | b");
    row("llama3 marks take newlines", SplitRule::Llama3, "x !!\r\n\ny", "x| !!\r\n\n|y");
    row("llama3 spaces at the end", SplitRule::Llama3, "a   ", "a|   ");
    row("qwen2 numbers alone", SplitRule::Qwen2, "a 123", "a| |1|2|3");
}

void TestTokenizer::cutsText()
{
    QFETCH(SplitRule, rule);
    QFETCH(QString, given);
    QFETCH(QString, pieces);
    const std::u32string whole = given.toStdU32String();
    QStringList found;
    for (const std::u32string_view piece : splitText(rule, whole))
        found << QString::fromStdU32String(std::u32string(piece));
    QCOMPARE(found.join('|'), pieces);
}

void TestTokenizer::knowsThePatterns()
{
    const std::string head = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)";
    const std::string tail = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    QVERIFY(splitRuleFromPattern(head + R"(\p{N}{1,3})" + tail) == SplitRule::Llama3);
    QVERIFY(splitRuleFromPattern(head + R"(\p{N})" + tail) == SplitRule::Qwen2);
    QVERIFY(!splitRuleFromPattern(head + R"(\p{N}{1,2})" + tail));
    QVERIFY(!splitRuleFromPattern(head));
    QVERIFY(!splitRuleFromPattern(""));
}

void TestTokenizer::knowsTheClassesOfCharacters()
{
    for (const char32_t letter : {U'a', U'Z', U'é', U'ß', U'ж', U'א', U'क', U'中', U'한', U'ª', char32_t(0x1D518)})
        QVERIFY2(isLetter(letter) && !isNumber(letter) && !isWhiteSpace(letter),
                 qPrintable(QString::number(letter, 16)));
    for (const char32_t number : {U'0', U'9', U'²', U'½', U'٣', U'Ⅷ', char32_t(0x1D7D9)})
        QVERIFY2(isNumber(number) && !isLetter(number), qPrintable(QString::number(number, 16)));
    for (const char32_t space :
         {U' ', U'\t', U'\n', char32_t(0x85), char32_t(0xA0), char32_t(0x2003), char32_t(0x3000)})
        QVERIFY2(isWhiteSpace(space), qPrintable(QString::number(space, 16)));
    for (const char32_t other : {U'_', U'!', char32_t(0x200B), char32_t(0x301), char32_t(0x1F642), char32_t(0x10FFFF)})
        QVERIFY2(!isLetter(other) && !isNumber(other) && !isWhiteSpace(other), qPrintable(QString::number(other, 16)));
}

void TestTokenizer::readsUtf8_data()
{
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<int>("length");
    QTest::addColumn<bool>("valid");
    QTest::addColumn<bool>("incomplete");
    QTest::newRow("ASCII") << QByteArray("ab") << 1 << true << false;
    QTest::newRow("two bytes") << QByteArray("\xC3\xA9x") << 2 << true << false;
    QTest::newRow("three bytes") << QByteArray("\xE2\x82\xAC") << 3 << true << false;
    QTest::newRow("four bytes") << QByteArray("\xF0\x9F\x99\x82") << 4 << true << false;
    QTest::newRow("largest") << QByteArray("\xF4\x8F\xBF\xBF") << 4 << true << false;
    QTest::newRow("beyond the largest") << QByteArray("\xF4\x90\x80\x80") << 1 << false << false;
    QTest::newRow("continuation alone") << QByteArray("\x80") << 1 << false << false;
    QTest::newRow("overlong") << QByteArray("\xC0\x80") << 1 << false << false;
    QTest::newRow("overlong of three") << QByteArray("\xE0\x80\x80") << 1 << false << false;
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 1 << false << false;
    QTest::newRow("cut after one") << QByteArray("\xF0") << 1 << false << true;
    QTest::newRow("cut after three") << QByteArray("\xF0\x9F\x99") << 3 << false << true;
    QTest::newRow("broken after two") << QByteArray("\xE2\x82x") << 2 << false << false;
}

void TestTokenizer::readsUtf8()
{
    QFETCH(QByteArray, given);
    QFETCH(int, length);
    QFETCH(bool, valid);
    QFETCH(bool, incomplete);
    const Utf8Step step = readUtf8(given.toStdString());
    QCOMPARE(int(step.length), length);
    QCOMPARE(step.valid, valid);
    QCOMPARE(step.incomplete, incomplete);
    if (valid) {
        std::string back;
        appendUtf8(back, step.code);
        QCOMPARE(QByteArray::fromStdString(back), given.left(length));
    } else {
        QCOMPARE(step.code, char32_t(0xFFFD));
    }
}

void TestTokenizer::streamHoldsBackSplitCharacters_data()
{
    QTest::addColumn<Ids>("ids");
    QTest::addColumn<QStringList>("pushed");
    QTest::addColumn<QString>("flushed");
    const QString replacement(QChar(0xFFFD));
    QTest::newRow("ASCII passes") << Ids{259, '!'} << QStringList{"hello", "!"} << "";
    QTest::newRow("two bytes") << Ids{0xC3, 0xA9} << QStringList{"", "é"} << "";
    QTest::newRow("four bytes") << Ids{0xF0, 0x9F, 0x99, 0x82} << QStringList{"", "", "", "🙂"} << "";
    QTest::newRow("character after a cut one") << Ids{0xE2, 0x82, 'h'} << QStringList{"", "", replacement + "h"} << "";
    QTest::newRow("never a character") << Ids{0xFF, 'a'} << QStringList{replacement, "a"} << "";
    QTest::newRow("cut at the end") << Ids{'a', 0xF0, 0x9F} << QStringList{"a", "", ""} << replacement;
    QTest::newRow("special token ends a cut character")
        << Ids{0xE2, 261} << QStringList{"", replacement + "<|end|>"} << "";
    QTest::newRow("outside the vocabulary") << Ids{'a', 99999, -1, 'b'} << QStringList{"a", "", "", "b"} << "";
}

void TestTokenizer::streamHoldsBackSplitCharacters()
{
    QFETCH(Ids, ids);
    QFETCH(QStringList, pushed);
    QFETCH(QString, flushed);
    const auto tokenizer = tokenizerFromJson(byteLevelTokenizer(), "made");
    StreamDecoder stream(*tokenizer);
    QStringList found;
    for (const std::int64_t id : ids)
        found << QString::fromStdString(stream.push(id));
    QCOMPARE(found, pushed);
    QCOMPARE(QString::fromStdString(stream.flush()), flushed);
    QCOMPARE(stream.flush(), std::string());
}

void TestTokenizer::streamGivesWhatDecodeGives()
{
    const auto tokenizer = tokenizerFromJson(byteLevelTokenizer(), "made");
    std::uint32_t state = 12345;
    for (int round = 0; round < 500; ++round) {
        Ids ids;
        for (int i = 0; i < 24; ++i) {
            state = state * 1664525u + 1013904223u;
            // Mostly bytes that begin or continue a character, so that every kind of break occurs.
            ids.push_back(state >> 31 ? 0x80 + ((state >> 8) & 0x7F) : (state >> 8) % 263);
        }
        StreamDecoder stream(*tokenizer);
        std::string streamed;
        for (const std::int64_t id : ids)
            streamed += stream.push(id);
        streamed += stream.flush();
        QCOMPARE(streamed, tokenizer->decode(ids));
    }
}

void TestTokenizer::addedTokensTakeTheirSpaces()
{
    std::string json = byteLevelTokenizer();
    const std::string before = R"("content":"<|pad|>")";
    QVERIFY(json.find(before) != std::string::npos);
    json.replace(json.find(before), before.size(), R"("content":"<|pad|>","lstrip":true,"rstrip":true)");
    const auto tokenizer = tokenizerFromJson(json, "made");
    QCOMPARE(text(tokenizer->encode("he  <|pad|>\n\t he")), text({256, 262, 256}));
    QCOMPARE(text(tokenizer->encode("<|pad|> <|pad|>")), text({262, 262}));
    QCOMPARE(text(tokenizer->encode("he <|end|> ")), text({256, ' ', 261, ' '}));
}

void TestTokenizer::wholeWordsOnlyWhereAsked()
{
    std::string json = byteLevelTokenizer();
    const std::string before = R"("content":"<|pad|>")";
    json.replace(json.find(before), before.size(), R"("content":"rl","single_word":true)");
    const auto tokenizer = tokenizerFromJson(json, "made");
    QCOMPARE(text(tokenizer->encode("rl")), text({262}));
    QCOMPARE(text(tokenizer->encode("orl")), text({'o', 'r', 'l'}));
    QCOMPARE(text(tokenizer->encode("rlé")), text({'r', 'l', 0xC3, 0xA9}));
    QCOMPARE(text(tokenizer->encode("-rl.")), text({'-', 262, '.'}));
}

void TestTokenizer::wholeWordsPassMerges()
{
    std::string json = byteLevelTokenizer();
    const std::string merge = R"(,"hell o")";
    json.replace(json.find(merge), merge.size(), "");
    QCOMPARE(text(tokenizerFromJson(json, "made")->encode("hello")), text({258, 'o'}));
    json.replace(json.find(R"("merges":)"), 9, R"("ignore_merges":true,"merges":)");
    QCOMPARE(text(tokenizerFromJson(json, "made")->encode("hello")), text({259}));
    QCOMPARE(text(tokenizerFromJson(json, "made")->encode("hellol")), text({258, 'o', 'l'}));
}

void TestTokenizer::spacedVocabulary_data()
{
    QTest::addColumn<QByteArray>("normalizer");
    QTest::addColumn<QByteArray>("preTokenizer");
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<Ids>("ids");
    QTest::addColumn<QByteArray>("decoded");

    const QByteArray replace = QByteArray(R"({"type":"Replace","pattern":{"String":" "},"content":")") + kMark + "\"}";
    const QByteArray legacy = QByteArray(R"({"type":"Sequence","normalizers":[{"type":"Prepend","prepend":")") + kMark +
                              "\"}," + replace + "]}";
    const auto metaspace = [](const char *scheme, const char *split) {
        return QByteArray(R"({"type":"Metaspace","replacement":")") + kMark + R"(","prepend_scheme":")" + scheme +
               R"(","split":)" + split + "}";
    };
    const QByteArray gemma =
        R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious","invert":false})";

    QTest::newRow("prepended") << legacy << QByteArray("null") << QByteArray("hi hi") << Ids{263, 263}
                               << QByteArray("hi hi");
    QTest::newRow("bytes") << legacy << QByteArray("null") << QByteArray("h\xC3\xA9") << Ids{262, 0xC3 + 3, 0xA9 + 3}
                           << QByteArray("h\xC3\xA9");
    QTest::newRow("two spaces") << legacy << QByteArray("null") << QByteArray("i  i") << Ids{259, 261, 259, 259, 261}
                                << QByteArray("i  i");
    QTest::newRow("after a special token")
        << legacy << QByteArray("null") << QByteArray("hi</s>hi") << Ids{263, 2, 263} << QByteArray("hi</s> hi");
    QTest::newRow("first only") << QByteArray("null") << metaspace("first", "false") << QByteArray("hi</s>hi")
                                << Ids{263, 2, 260, 261} << QByteArray("hi</s>hi");
    QTest::newRow("always") << QByteArray("null") << metaspace("always", "true") << QByteArray("hi hi") << Ids{263, 263}
                            << QByteArray("hi hi");
    QTest::newRow("space given is not doubled")
        << QByteArray("null") << metaspace("always", "true") << QByteArray(" hi") << Ids{263} << QByteArray("hi");
    QTest::newRow("never") << QByteArray("null") << metaspace("never", "true") << QByteArray("hi hi")
                           << Ids{260, 261, 263} << QByteArray("hi hi");
    QTest::newRow("as Gemma does") << replace << gemma << QByteArray("hi hi") << Ids{260, 261, 263}
                                   << QByteArray("hi hi");
}

void TestTokenizer::spacedVocabulary()
{
    QFETCH(QByteArray, normalizer);
    QFETCH(QByteArray, preTokenizer);
    QFETCH(QByteArray, given);
    QFETCH(Ids, ids);
    QFETCH(QByteArray, decoded);
    const auto tokenizer =
        tokenizerFromJson(spacedTokenizer(normalizer.toStdString(), preTokenizer.toStdString()), "made");
    QCOMPARE(tokenizer->kind(), std::string("BPE with byte fallback"));
    QCOMPARE(text(tokenizer->encode(given.toStdString())), text(ids));
    QCOMPARE(QByteArray::fromStdString(tokenizer->decode(ids)), decoded);
    QCOMPARE(text(tokenizer->promptPrefix()), text({1}));
    QCOMPARE(tokenizer->bytesOf(263), std::string(" hi"));
    QCOMPARE(tokenizer->bytesOf(3 + 0xFE), std::string("\xFE"));
    QVERIFY(tokenizer->isSpecial(0) && tokenizer->isSpecial(1) && !tokenizer->isSpecial(3));
}

void TestTokenizer::unigramTakesTheBestSum()
{
    const auto tokenizer = tokenizerFromJson(unigramTokenizer(), "made");
    QCOMPARE(tokenizer->kind(), std::string("Unigram"));
    // The mark and "ab" weigh -6, the mark with "ab" in one piece -8, three single ones -7.5.
    QCOMPARE(text(tokenizer->encode("ab")), text({1, 4}));
    QCOMPARE(text(tokenizer->encode("ba")), text({1, 3, 2}));
    QCOMPARE(text(tokenizer->encode("a??b")), text({1, 2, 0, 3}));
    QCOMPARE(tokenizer->decode({1, 4, 1, 3}), std::string("ab b"));
    const std::string best = std::string(",[\"") + kMark + "abab\",-1]";
    QCOMPARE(text(tokenizerFromJson(unigramTokenizer(best), "made")->encode("abab")), text({6}));
}

void TestTokenizer::unknownWayOfCuttingStillDecodes_data()
{
    QTest::addColumn<QByteArray>("preTokenizer");
    QTest::newRow("unknown pattern") << QByteArray(
        R"({"type":"Split","pattern":{"Regex":"\\p{Han}+"},"behavior":"Isolated","invert":false})");
    QTest::newRow("known pattern, other use") << QByteArray(
        R"({"type":"Split","pattern":{"Regex":"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"},"behavior":"MergedWithNext","invert":false})");
    QTest::newRow("unknown step") << QByteArray(R"({"type":"BertPreTokenizer"})");
    QTest::newRow("step after the bytes")
        << QByteArray(R"({"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"Digits"}]})");
}

void TestTokenizer::unknownWayOfCuttingStillDecodes()
{
    QFETCH(QByteArray, preTokenizer);
    const auto tokenizer = tokenizerFromJson(byteLevelTokenizer(preTokenizer.toStdString()), "made.json");
    QCOMPARE(tokenizer->decode({259, '!'}), std::string("hello!"));
    const std::string sentence = sentenceOf([&] { (void)tokenizer->encode("hello"); });
    QVERIFY2(sentence.find("made.json") != std::string::npos && sentence.find("not known") != std::string::npos,
             sentence.c_str());
}

void TestTokenizer::longTextStaysQuick()
{
    // One piece of a million merges: squared work would never end within the time a test is given.
    const auto tokenizer = tokenizerFromJson(byteLevelTokenizer(), "made");
    std::string given;
    for (int i = 0; i < 200000; ++i)
        given += "hello";
    const Ids ids = tokenizer->encode(given);
    QCOMPARE(ids.size(), std::size_t(200000));
    QCOMPARE(ids.back(), std::int64_t(259));
    QCOMPARE(tokenizer->encode(std::string(1000000, '<')).size(), std::size_t(1000000));
}

void TestTokenizer::opensWhatTheFolderHas()
{
    QTemporaryDir directory;
    const std::filesystem::path folder = directory.path().toStdString();
    QVERIFY(Tokenizer::open(folder) == nullptr);
    QVERIFY(Tokenizer::open(folder / "absent") == nullptr);
    writeBytes(folder / "tokenizer.json", byteLevelTokenizer());
    writeBytes(folder / "tokenizer.model", "damaged, but tokenizer.json comes first");
    QCOMPARE(Tokenizer::open(folder)->kind(), std::string("byte-level BPE"));
    writeBytes(folder / "tokenizer.json", "{");
    const std::string sentence = sentenceOf([&] { (void)Tokenizer::open(folder); });
    QVERIFY2(sentence.find((folder / "tokenizer.json").string()) != std::string::npos, sentence.c_str());
    std::filesystem::remove(folder / "tokenizer.json");
    std::filesystem::create_symlink("absent", folder / "tokenizer.json");
    QVERIFY(!sentenceOf([&] { (void)Tokenizer::open(folder); }).empty());
}

void TestTokenizer::refuses_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("cause");

    const auto row = [](const char *name, const std::string &json, const char *cause) {
        QTest::newRow(name) << QByteArray::fromStdString(json) << QString(cause);
    };
    const auto model = [](const std::string &inside, const std::string &rest = R"(,"decoder":{"type":"ByteLevel"})") {
        return R"({"model":{"type":"BPE",)" + inside + "}" + rest + "}";
    };
    row("empty", "", "not valid JSON");
    row("a list", "[]", "made.json");
    row("no model", "{}", "no \"model\"");
    row("model is text", R"({"model":"BPE"})", "no \"model\"");
    row("nested deeply", R"({"model":)" + std::string(100000, '['), "deeper");
    row("another kind", R"({"model":{"type":"WordPiece","vocab":{}}})", "\"WordPiece\"");
    row("BPE of words", model(R"("vocab":{"a":0},"merges":[])", ""), "neither byte-level");
    row("no vocabulary", model(R"("merges":[])"), "no vocabulary");
    row("empty vocabulary", model(R"("vocab":{},"merges":[])"), "no vocabulary");
    row("vocabulary is a list", model(R"("vocab":["a"],"merges":[])"), "no vocabulary");
    row("id is text", model(R"("vocab":{"a":"0"},"merges":[])"), "not a whole number");
    row("id is negative", model(R"("vocab":{"a":-1},"merges":[])"), "not a whole number");
    row("id is a fraction", model(R"("vocab":{"a":0.5},"merges":[])"), "not a whole number");
    row("id is enormous", model(R"("vocab":{"a":4611686018427387904},"merges":[])"), "not a whole number");
    row("id is above the limit", model(R"("vocab":{"a":2097152},"merges":[])"), "below 2097152");
    row("id is a list", model(R"("vocab":{"a":[1]},"merges":[])"), "not a whole number");
    row("id twice", model(R"("vocab":{"a":3,"b":3},"merges":[])"), "the id 3");
    row("no merges", model(R"("vocab":{"a":0})"), "no list of merges");
    row("merge of one", model(R"("vocab":{"a":0},"merges":["a"])"), "not a pair");
    row("merge of three", model(R"("vocab":{"a":0},"merges":["a a a"])"), "not a pair");
    row("merge of nothing", model(R"("vocab":{"a":0},"merges":["a "])"), "not a pair");
    row("merge is a number", model(R"("vocab":{"a":0},"merges":[1])"), "not a pair");
    row("merge pair of numbers", model(R"("vocab":{"a":0},"merges":[[1,2]])"), "not a pair");
    row("merge of an absent token", model(R"("vocab":{"a":0,"ab":1},"merges":["a b"])"), "lacks \"b\"");
    row("merge into an absent token", model(R"("vocab":{"a":0,"b":1},"merges":["a b"])"), "lacks \"ab\"");
    row("absent unknown token", model(R"("vocab":{"a":0},"merges":[],"unk_token":"u")"), "unknown token");
    row("flag is text", model(R"("vocab":{"a":0},"merges":[],"ignore_merges":"yes")"), "not true or false");
    const std::string good = R"("vocab":{"a":0},"merges":[])";
    const std::string level = R"(,"decoder":{"type":"ByteLevel"})";
    row("added tokens are an object", model(good, level + R"(,"added_tokens":{})"), "not a list");
    row("added token is text", model(good, level + R"(,"added_tokens":["a"])"), "without content");
    row("added token without id", model(good, level + R"(,"added_tokens":[{"content":"x"}])"), "the id");
    row("added token of enormous id", model(good, level + R"(,"added_tokens":[{"content":"x","id":99999999999}])"),
        "the id");
    row("sequence is no list", model(good, level + R"(,"pre_tokenizer":{"type":"Sequence","pretokenizers":1})"),
        "not a list");
    row("type is a number", model(good, level + R"(,"pre_tokenizer":{"type":1})"), "not text");
    row("template without ids",
        model(good,
              level + R"(,"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"x"}}]})"),
        "without giving its id");
    row("unigram without vocabulary", R"({"model":{"type":"Unigram","vocab":[]}})", "no vocabulary");
    row("unigram of bare pieces", R"({"model":{"type":"Unigram","vocab":["a"]}})", "its score");
    row("unigram unknown outside", R"({"model":{"type":"Unigram","unk_id":7,"vocab":[["a",0]]}})", "unknown token");
    row("unigram of a giant piece", R"({"model":{"type":"Unigram","vocab":[[")" + std::string(5000, 'a') + R"(",0]]}})",
        "more than the limit");
}

void TestTokenizer::refuses()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, cause);
    const QString sentence =
        QString::fromStdString(sentenceOf([&] { (void)tokenizerFromJson(json.toStdString(), "made.json"); }));
    QVERIFY2(sentence.contains(cause) && sentence.contains("made.json"), qPrintable(sentence));
    QVERIFY2(sentence.endsWith('.') && sentence.size() < 600, qPrintable(sentence));
}

void TestTokenizer::readsSentencePieceModels()
{
#ifdef RIDGEPOINT_HAVE_SENTENCEPIECE_TRAINER
    QTemporaryDir directory;
    const std::filesystem::path folder = directory.path().toStdString();
    std::string corpus;
    for (int i = 0; i < 50; ++i)
        corpus += "the cat sat on the mat\nthe dog sat on the log\na bird sang in the tree\n";
    writeBytes(folder / "corpus.txt", corpus);
    const auto status = sentencepiece::SentencePieceTrainer::Train(
        "--input=" + (folder / "corpus.txt").string() + " --model_prefix=" + (folder / "tokenizer").string() +
        " --vocab_size=300 --model_type=bpe --byte_fallback=true --hard_vocab_limit=false --minloglevel=2");
    QVERIFY2(status.ok(), status.ToString().c_str());

    const auto tokenizer = Tokenizer::open(folder);
    QVERIFY(tokenizer);
    QCOMPARE(tokenizer->kind(), std::string("SentencePiece"));
    QVERIFY(tokenizer->size() > 259);
    QVERIFY(tokenizer->addsLeadingSpace());
    QCOMPARE(text(tokenizer->promptPrefix()), text({1}));
    QVERIFY(tokenizer->isSpecial(0) && tokenizer->isSpecial(1) && tokenizer->isSpecial(2) && !tokenizer->isSpecial(3));
    for (const char *given : {"the cat sat", "the dog", "größe 日本", ""})
        QCOMPARE(tokenizer->decode(tokenizer->encode(given)), std::string(given));
    QCOMPARE(tokenizer->bytesOf(3 + 0xE6), std::string("\xE6"));
    QCOMPARE(tokenizer->bytesOf(-1), std::string());
    QCOMPARE(tokenizer->bytesOf(tokenizer->size()), std::string());
#else
    QSKIP("SentencePiece with its trainer is not installed.");
#endif
}

void TestTokenizer::refusesDamagedSentencePieceModels()
{
    QTemporaryDir directory;
    const std::filesystem::path folder = directory.path().toStdString();
    for (const std::string &damaged : {std::string("damaged"), std::string(), std::string(1000, '\xFF')}) {
        writeBytes(folder / "tokenizer.model", damaged);
        const std::string sentence = sentenceOf([&] { (void)Tokenizer::open(folder); });
        QVERIFY2(sentence.find("tokenizer.model") != std::string::npos, sentence.c_str());
    }
#ifdef RIDGEPOINT_HAVE_SENTENCEPIECE_TRAINER
    // At a piece that begins with a zero byte the library throws.
    QFile sound(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fuzz/corpus/sentencepiece/unigram.model"));
    QVERIFY(sound.open(QIODevice::ReadOnly));
    const std::string model = sound.readAll().toStdString();
    writeBytes(folder / "tokenizer.model", model);
    QVERIFY(Tokenizer::open(folder));
    writeBytes(folder / "tokenizer.model", model + std::string("\x0a\x0a\x0a\x01\x00\x15\x00\x00\x00\x00\x18\x01", 12));
    const std::string sentence = sentenceOf([&] { (void)Tokenizer::open(folder); });
    QVERIFY2(sentence.find("is not a SentencePiece model") != std::string::npos, sentence.c_str());
#endif
}

QTEST_GUILESS_MAIN(TestTokenizer)
#include "test_tokenizer.moc"
