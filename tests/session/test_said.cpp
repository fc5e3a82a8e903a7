// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/forecast.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/catalog/catalog.h"
#include "core/catalog/json_fields.h"
#include "core/catalog/model_config.h"
#include "core/session/compare.h"
#include "core/session/import.h"
#include "core/session/line.h"
#include "core/session/plan.h"
#include "core/session/report.h"
#include "core/session/said.h"
#include "core/session/sample_sessions.h"
#include "core/session/session_title.h"
#include "core/session/tables.h"

#include <QTest>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

using namespace ridgepoint;

/// The patterns of said.cpp are those of what the sources of the sentences really say.
class TestSaid : public QObject {
    Q_OBJECT

private slots:
    void textsAreTakenApart_data();
    void textsAreTakenApart();
    void aStopWithinBracketsIsNoEnd();
    void foreignTextStaysItself();
    void everySentenceOfTheSamplesIsKnown();
    void everySentenceOfTheSourcesIsKnown();
    void wholeFaultsAreKnown_data();
    void wholeFaultsAreKnown();
    void sessionsAreTitledByWhatTheyHold();
};

namespace {

const std::filesystem::path kResources = RIDGEPOINT_SOURCE_DIR "/resources";

std::string english(const std::vector<Message> &messages)
{
    std::string text;
    for (const Message &message : messages)
        text += (text.empty() ? "" : " ") + message.english();
    return text;
}

struct Literal {
    std::string where; ///< file and line
    std::string text;  ///< with what stands beside it put together, as the compiler does
};

/// The string literals of a source file.
std::vector<Literal> literalsOf(const std::filesystem::path &path)
{
    const std::string source = readWholeFile(path);
    std::vector<Literal> all;
    bool open = false; // nothing but blanks and comments since the last literal
    std::size_t line = 1;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const char c = source[i];
        const auto skipTo = [&](std::string_view end) {
            const std::size_t at = std::min(source.find(end, i + 1), source.size());
            line += std::size_t(std::count(source.begin() + std::ptrdiff_t(i), source.begin() + std::ptrdiff_t(at), '\n'));
            i = at;
        };
        if (c == '\n') {
            ++line;
        } else if (source.compare(i, 2, "//") == 0) {
            skipTo("\n");
            ++line;
        } else if (source.compare(i, 2, "/*") == 0) {
            skipTo("*/");
            ++i;
        } else if (c == '\'' && i > 0 && !std::isxdigit(static_cast<unsigned char>(source[i - 1]))) { // no separator of digits
            open = false;
            while (++i < source.size() && source[i] != '\'')
                i += source[i] == '\\';
        } else if (c == '"' && i > 0 && source[i - 1] == 'R') {
            skipTo(std::string(")") + source.substr(i + 1, source.find('(', i) - i - 1) + "\"");
            i = source.find('"', i);
            open = false;
        } else if (c == '"') {
            std::string text;
            while (++i < source.size() && source[i] != '"') {
                if (source[i] == '\\')
                    text += source[++i] == 'n' ? '\n' : source[i];
                else
                    text += source[i];
            }
            if (open)
                all.back().text += text;
            else
                all.push_back({path.lexically_relative(RIDGEPOINT_SOURCE_DIR).string() + ":" + std::to_string(line), text});
            open = true;
        } else if (!std::isspace(static_cast<unsigned char>(c))) {
            open = false;
        }
    }
    return all;
}

/// A format of fmt with `7` for each of its fields.
std::string filledIn(const std::string &format)
{
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (i + 1 < format.size() && (format[i] == '{' || format[i] == '}') && format[i + 1] == format[i]) {
            text += format[i++];
        } else if (format[i] == '{' && format.find('}', i) != std::string::npos) {
            text += '7';
            i = format.find('}', i);
        } else {
            text += format[i];
        }
    }
    return text;
}

/// Words of two letters or more.
std::size_t wordsIn(const std::string &text)
{
    std::size_t words = 0, letters = 0;
    for (const char c : text + " ") {
        if (std::isalpha(static_cast<unsigned char>(c)))
            ++letters;
        else
            words += std::exchange(letters, 0) >= 2;
    }
    return words;
}

/// A part of a sentence that the program puts together: what stands between its fields stands in one pattern, in this order.
bool isPartOfAPattern(const std::string &format)
{
    std::vector<std::string> pieces{""};
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] == '{' && format.find('}', i) != std::string::npos) {
            pieces.emplace_back();
            i = format.find('}', i);
        } else {
            pieces.back() += format[i];
        }
    }
    for (std::string &piece : pieces) {
        piece.erase(0, piece.find_first_not_of(' '));
        piece.erase(piece.find_last_not_of(' ') + 1);
    }
    return std::any_of(saidPatterns().begin(), saidPatterns().end(), [&](const std::string &pattern) {
        std::size_t at = 0;
        for (const std::string &piece : pieces) {
            at = pattern.find(piece, at);
            if (at == std::string::npos)
                return false;
            at += piece.size();
        }
        return true;
    });
}

/// Of a pattern that is most of it or whose arguments are of patterns in turn, or a part of one.
bool isKnown(const std::string &format)
{
    static const std::set<std::string> known(saidPatterns().begin(), saidPatterns().end());
    const std::vector<Message> messages = said(filledIn(format), true);
    return isPartOfAPattern(format) || std::all_of(messages.begin(), messages.end(), [](const Message &message) {
        return known.contains(message.pattern) &&
               (wordsIn(message.pattern) * 2 >= wordsIn(message.english()) ||
                (!message.arguments.empty() && std::all_of(message.arguments.begin(), message.arguments.end(), isKnown)));
    });
}

/// The sentences of a text, without what joins the first to the text before it.
std::vector<std::string> sentencesOf(const std::string &text)
{
    std::vector<std::string> sentences;
    for (std::size_t from = std::min(text.find_first_not_of(",.;\n "), text.size()); from < text.size();) {
        std::size_t end = text.find(". ", from);
        while (end != std::string::npos && end + 2 < text.size() && std::islower(static_cast<unsigned char>(text[end + 2])))
            end = text.find(". ", end + 1);
        end = end == std::string::npos ? text.size() : end + 1;
        sentences.push_back(text.substr(from, end - from));
        from = std::min(text.find_first_not_of(' ', end), text.size());
    }
    return sentences;
}

} // namespace

void TestSaid::textsAreTakenApart_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArrayList>("arguments");
    QTest::addRow("one") << QByteArray("by 5 s") << QByteArray("by %1") << QByteArrayList{"5 s"};
    QTest::addRow("two") << QByteArray("a to b.") << QByteArray("%1 to %2.") << QByteArrayList{"a", "b"};
    QTest::addRow("another order") << QByteArray("x of y") << QByteArray("%2 of %1") << QByteArrayList{"y", "x"};
    QTest::addRow("none") << QByteArray("done") << QByteArray("done") << QByteArrayList{};
    QTest::addRow("words that come again") << QByteArray("a, b, c.") << QByteArray("%1, %2.") << QByteArrayList{"a", "b, c"};
    QTest::addRow("another text") << QByteArray("a to b") << QByteArray("%1 of %2") << QByteArrayList{"-"};
    QTest::addRow("nothing in it") << QByteArray("by ") << QByteArray("by %1") << QByteArrayList{"-"};
    QTest::addRow("more behind") << QByteArray("done now") << QByteArray("done") << QByteArrayList{"-"};
}

void TestSaid::textsAreTakenApart()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArrayList, arguments);
    const auto message = takenApart(text.toStdString(), pattern.toStdString());
    if (arguments == QByteArrayList{"-"}) {
        QVERIFY(!message);
        return;
    }
    QVERIFY(message);
    QCOMPARE(message->arguments.size(), std::size_t(arguments.size()));
    for (qsizetype i = 0; i < arguments.size(); ++i)
        QCOMPARE(message->arguments[std::size_t(i)], arguments[i].toStdString());
    QCOMPARE(message->english(), text.toStdString());
}

void TestSaid::aStopWithinBracketsIsNoEnd()
{
    const std::string reason = "Allocating the KV cache ran out of memory (CUDA out of memory. Tried to allocate 2.06 GiB. GPU 0 has 641 MiB free.); choose a "
                               "smaller batch, context or model, or close what else uses the GPU (nvidia-smi lists it).";
    const std::set<std::string> known(saidPatterns().begin(), saidPatterns().end());
    for (const std::string &text : {reason, "out of memory: " + reason}) {
        const std::vector<Message> messages = said(text);
        QCOMPARE(messages.size(), std::size_t(1));
        QVERIFY2(known.contains(messages[0].pattern), messages[0].pattern.c_str());
        QCOMPARE(english(messages), text);
    }
}

void TestSaid::foreignTextStaysItself()
{
    for (const char *text : {"", "x", "My own note. It has two sentences.", "%1 %2", "100 % of it", "a (b)", "1 to 2"})
        QCOMPARE(english(said(text)), std::string(text));
    QCOMPARE(english(said(std::string(100000, 'a'))).size(), std::size_t(100000));
}

void TestSaid::everySentenceOfTheSamplesIsKnown()
{
    const std::set<std::string> known(saidPatterns().begin(), saidPatterns().end());
    std::set<std::string> unknown;
    std::size_t seen = 0;
    const auto check = [&](const std::string &text) {
        if (text.empty() || text == "-")
            return;
        ++seen;
        const std::vector<Message> messages = said(text);
        QCOMPARE(english(messages), text);
        for (const Message &message : messages) {
            if (!known.contains(message.pattern))
                unknown.insert(message.pattern);
        }
    };
    for (const SampleSession &sample : sampleSessions({kResources})) {
        const Session session = loadSession(sample.path);
        for (const RunRecord &run : session.runs) {
            if (run.anatomy) {
                for (const std::string &sentence : anatomySentences(*run.anatomy))
                    check(sentence);
                check(run.anatomy->note);
                check(run.anatomy->partsBy);
            }
            if (!run.line.empty()) {
                const LineReading reading = readLine(run);
                for (const std::string &sentence : lineSentences(run, reading))
                    check(sentence);
            }
            for (const SweepPoint &point : run.points) {
                check(point.reason);
                check(point.attention);
            }
            if (run.ttft) {
                check(crossCheck(*run.ttft).text);
                for (const auto &row : ttftTable(run).rows)
                    check(row[0]);
            }
            if (run.calibration) {
                for (const auto &row : calibrationTable(run).rows)
                    check(row[0]);
            }
            if (run.points.empty())
                continue;
            const SweepPoint &point = run.points.front();
            for (const FilledFormula &line : explainStep(runWorkload(run), run.plan.nominal, double(point.batch), point.context, point.stepSeconds)) {
                const std::string &formula = line.formula;
                // Letters of formulas alone are the same in every language.
                if (formula.find("bytes") != std::string::npos || formula.find("floor") != std::string::npos ||
                    formula.find("prediction") != std::string::npos || formula.find("against") != std::string::npos)
                    check(formula);
                if (line.name == "measured / floor")
                    check(line.result.substr(line.result.find(". ") + 2)); // the band behind the ratio
                else if (line.result.find("bound") != std::string::npos || line.result.find("against") != std::string::npos ||
                    line.result.find("sequences") != std::string::npos || line.result.find("never") != std::string::npos)
                    check(line.result);
            }
        }
    }
    QVERIFY2(seen > 200, qPrintable(QString::number(seen)));
    QString list;
    for (const std::string &one : unknown)
        list += QString::fromStdString(one) + QLatin1Char('\n');
    QVERIFY2(unknown.empty(), qPrintable(list));
}

/// Whatever the core has as a text of three words or more is of a pattern, or a part of one: a new fault needs one.
void TestSaid::everySentenceOfTheSourcesIsKnown()
{
    const std::set<std::string> others{
        "said.cpp", "said_report.cpp", "said_report.h", // the patterns themselves
        "report.cpp", "report_html.cpp",                // Markdown and HTML: tst_chinese_window reads whole reports
        "lesson.cpp", "lesson_quantity.cpp",            // faults of those who write lessons, in the language of docs/lessons.md
        "persistent_kernel.cu", "fused_kernels.cu", "warpgroup_products.cu", "device_parts.cuh", "bulk_copies.cuh", // assembler
    };
    // What other programs write and is looked for, names, text for a model to read, where a name was cut, and one that is put
    // together of a pattern and its argument.
    const std::vector<std::string> foreign{"illegal memory access", "unspecified launch failure", "hardware stack error",
                                           "invalid program counter", "operation not supported on global/shared address space",
                                           "the launch timed out", "GPU is lost", "context is destroyed", "no kernel image",
                                           "not enough memory", "can't allocate memory", " Including non-PyTorch memory",
                                           "vLLM bench ", "rotate and append", "A computer that writes text does it", "{} {} and {} more characters]",
                                           "{}decode: {}{}, K and V read once a group"};
    QStringList unknown;
    std::size_t seen = 0;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(RIDGEPOINT_SOURCE_DIR "/core")) {
        const std::string name = entry.path().filename().string(), kind = entry.path().extension().string();
        if (!(kind == ".cpp" || kind == ".h" || kind == ".cu" || kind == ".cuh") || others.contains(name))
            continue;
        for (const Literal &literal : literalsOf(entry.path())) {
            // Names of functions are in what a fault of the program itself says; %1 in what messageText() translates as it is.
            if (wordsIn(literal.text) < 3 || std::count(literal.text.begin(), literal.text.end(), ' ') < 2 || literal.text.find("()") != std::string::npos || literal.text.find("%1") != std::string::npos)
                continue;
            if (std::any_of(foreign.begin(), foreign.end(), [&](const std::string &words) { return literal.text.starts_with(words); }))
                continue;
            ++seen;
            const std::vector<std::string> sentences = sentencesOf(literal.text);
            if (!isKnown(literal.text) && !std::all_of(sentences.begin(), sentences.end(), isKnown))
                unknown << QString::fromStdString(literal.where + ": " + literal.text);
        }
    }
    QVERIFY2(seen > 400, qPrintable(QString::number(seen)));
    for (const QString &one : unknown)
        qWarning("%s", qPrintable(one));
    QVERIFY2(unknown.empty(), qPrintable(QStringLiteral("%1 of %2, listed above").arg(unknown.size()).arg(seen)));
}

/// Faults as they are thrown, put together of several texts: nothing of them but names and figures is outside the patterns.
void TestSaid::wholeFaultsAreKnown_data()
{
    QTest::addColumn<std::function<void()>>("call");
    const auto row = [](const char *name, std::function<void()> call) { QTest::newRow(name) << std::move(call); };
    static const Catalog catalog = Catalog::load({kResources});
    const auto import = [](std::string text, ImportOptions options = {}) {
        return [text = std::move(text), options = std::move(options)] { importResults(text, "a.csv", options, catalog); };
    };
    row("no file", [] { readWholeFile("/nowhere/a.json"); });
    row("a folder", [] { readWholeFile("/"); });
    row("a device", [] { readWholeFile("/dev/null"); });
    row("not written", [] { writeFileAtomically("/proc/a.json", "a"); });
    row("no session", [] { sessionFromJson("[1, 2", "a.json"); });
    row("cut session", [] { sessionFromJson("{\"format\": ", "a.json"); });
    row("another format", [] { sessionFromJson("{\"format\": \"x\"}", "a.json"); });
    row("without fields", [] { sessionFromJson("{}", "a.json"); });
    row("not an object", [] { sessionFromJson("[]", "a.json"); });
    row("newer", [] { sessionFromJson("{\"format\": \"ridgepoint-session\", \"version\": 9999}", "a.json"); });
    row("wrong kind", [] { sessionFromJson("{\"format\": \"ridgepoint-session\", \"version\": 1.5}", "a.json"); });
    row("NaN", [] { sessionFromJson("{\"format\": NaN}", "a.json"); });
    row("no model", [] { (void)catalog.modelById("tinylama"); });
    row("no device", [] { (void)catalog.hardwareById("zzzzzz"); });
    row("config of no object", [] { parseJsonObject("[]", "/a/config.json"); });
    row("config cut", [] { parseJsonObject("{\"a\": ", "/a/config.json"); });
    row("config without sizes", [] { modelShapeFromConfig("{\"architectures\": [\"LlamaForCausalLM\"]}", "/a/config.json"); });
    row("config of another family", [] { modelShapeFromConfig("{\"architectures\": [\"Other\"]}", "/a/config.json"); });
    row("no config", [] { modelShapeFromFolder("/nowhere"); });
    row("empty import", import(""));
    row("no result", import("{\"a\": 1}"));
    row("no table", import("some words"));
    row("no UTF-8", import("batch,prompt,tpot_ms\n1,128,\xff\n"));
    row("no column", import("batch,other\n1,2\n"));
    row("no usable row", import("batch,prompt,tpot_ms\n1,128,x\n0,128,5\n1,128\n"));
    row("no row", import("batch,prompt,tpot_ms\n"));
    row("no such model", import("batch,prompt,tpot_ms\n1,128,5\n", [] {
            ImportOptions options;
            options.model = "nothing-of-that-name";
            return options;
        }()));
    row("a line without header", [] { importLine("", "a.csv"); });
    row("a line without column", [] { importLine("model,other\na,b\n", "a.csv"); });
    row("a line without rows", [] { importLine("model,weight_gb,tpot_ms\na,x,5\nb,1,0\n", "a.csv"); });
    const auto plan = [](const std::function<void(RunPlan &)> &change) {
        return [change] {
            RunPlan made;
            made.experiment = Experiment::Sweep;
            made.device = "cpu";
            made.dtype = DType::F32;
            made.model.shape = catalog.modelById("tinyllama-1.1b");
            made.batches = {1};
            made.prompts = {128};
            change(made);
            validatePlan(made);
        };
    };
    row("no batches", plan([](RunPlan &p) { p.batches.clear(); }));
    row("batch 0", plan([](RunPlan &p) { p.batches = {0}; }));
    row("no device of that name", plan([](RunPlan &p) { p.device = "gpu"; }));
    row("graph on the CPU", plan([](RunPlan &p) { p.mode = DecodeMode::Graph; }));
    row("no steps", plan([](RunPlan &p) { p.steps = 0; }));
    row("too many threads", plan([](RunPlan &p) { p.threads = 5000; }));
    row("text without tokenizer", plan([](RunPlan &p) { p.promptText = "words"; }));
    row("one session", [] { compareSessions({newSession()}); });
}

void TestSaid::wholeFaultsAreKnown()
{
    QFETCH(std::function<void()>, call);
    std::string sentence;
    try {
        call();
    } catch (const Error &error) {
        sentence = error.what();
    }
    QVERIFY(!sentence.empty());
    const std::set<std::string> known(saidPatterns().begin(), saidPatterns().end());
    // Lines of a list stand below the sentence, and are taken apart each for itself.
    for (const QString &line : QString::fromStdString(sentence).split(QLatin1Char('\n'))) {
        for (const Message &message : said(line.trimmed().toStdString()))
            QVERIFY2(known.contains(message.pattern), qPrintable(line + QStringLiteral("\n") + QString::fromStdString(message.pattern)));
    }
}

void TestSaid::sessionsAreTitledByWhatTheyHold()
{
    const Session llama = loadSession(kResources / "samples" / "h200-sweep-llama-2-7b-fp16.json");
    const std::string title = sessionTitle(llama).english();
    for (const char *word : {"Llama 2 7B", "fp16", "NVIDIA H200", "sweep", "eager, graph, fused"})
        QVERIFY2(title.find(word) != std::string::npos, title.c_str());
    QVERIFY(!hasOwnTitle(llama)); // "sweep llama-2-7b cuda:0"
    Session named = llama;
    named.title = "My holiday";
    QVERIFY(hasOwnTitle(named));
    QCOMPARE(shownTitle(named), std::string("My holiday"));
    QVERIFY(sessionTitle(newSession()).empty() && sessionShortTitle(newSession()).empty());
}

QTEST_APPLESS_MAIN(TestSaid)
#include "test_said.moc"
