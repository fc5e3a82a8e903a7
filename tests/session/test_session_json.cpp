// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <random>

using namespace ridgepoint;

class TestSessionJson : public QObject {
    Q_OBJECT
private slots:
    void roundTripKeepsEveryByte();
    void roundTripKeepsEveryValue();
    void missingValuesStayMissing();
    void columnsWithoutValuesAreLeftOut();
    void bytesThatAreNotTextAreReplaced();
    void halfFilesAreRefused_data();
    void halfFilesAreRefused();
    void faultsAreNamedByTheirPath_data();
    void faultsAreNamedByTheirPath();
    void newerVersionsAreRefused();
    void unknownFieldsAreIgnored();
    void filesFromBeforeTheGpuOpen();
    void whatAConfigMayHoldOpensAgain();
    void hostileFilesAreRefused_data();
    void hostileFilesAreRefused();
    void anotherFileIsRefusedBeforeItIsRead_data();
    void anotherFileIsRefusedBeforeItIsRead();
    void theOrderOfKeysAndTheEndsOfLinesDoNotMatter();
    void mutationsNeverCrash();
    void shapesKeepTheirFamilysParts();
    void filesAreSavedAndLoaded();
    void millionStepsSurvive();
    void newestCeilingsCount();
    void expectationAnatomyAndUsableMemoryComeBack();
    void timesHaveTheSignsThatTheyCanHave();
    void figuresThatCannotBeAreRefused_data();
    void figuresThatCannotBeAreRefused();
};

static std::optional<QString> refusal(const std::string &text)
{
    return samples::sentenceOf(ErrorKind::Failure, [&] { sessionFromJson(text, "mine.json"); });
}

void TestSessionJson::roundTripKeepsEveryByte()
{
    const std::string once = toJson(samples::session());
    const std::string twice = toJson(sessionFromJson(once, "mine.json"));
    QVERIFY(once == twice);
    QVERIFY(once == toJson(samples::session()));
}

void TestSessionJson::roundTripKeepsEveryValue()
{
    const Session before = samples::session();
    const Session after = sessionFromJson(toJson(before), "mine.json");
    QCOMPARE(after.title, before.title);
    QCOMPARE(after.id, before.id);
    QCOMPARE(after.createdUtc, before.createdUtc);
    QCOMPARE(after.runs.size(), before.runs.size());
    for (std::size_t i = 0; i < before.runs.size(); ++i) {
        QVERIFY(after.runs[i].plan == before.runs[i].plan);
        QVERIFY(after.runs[i].state == before.runs[i].state);
        QCOMPARE(after.runs[i].sentence, before.runs[i].sentence);
        QVERIFY(after.runs[i].provenance.extra == before.runs[i].provenance.extra);
    }
    QVERIFY(after.runs[0].calibration->ceilings == before.runs[0].calibration->ceilings);
    QCOMPARE(after.runs[0].calibration->samples[0].what, std::string("read"));
    QCOMPARE(after.runs[1].ttft->text, before.runs[1].ttft->text);
    QVERIFY(after.runs[1].ttft->tokens == before.runs[1].ttft->tokens);
    QVERIFY(after.runs[1].ttft->prefillFloor == before.runs[1].ttft->prefillFloor);
    QCOMPARE(after.runs[1].ttft->methods[2].steps.size(), std::size_t(3));
    const SweepPoint &was = before.runs[2].points[0], &is = after.runs[2].points[0];
    QVERIFY(is.forecast.predicted == was.forecast.predicted);
    QVERIFY(is.forecast.floorNominal == was.forecast.floorNominal);
    QCOMPARE(is.stepSeconds, was.stepSeconds);
    for (std::size_t i = 0; i < was.steps.size(); ++i) {
        QCOMPARE(is.steps[i].step, was.steps[i].step);
        QCOMPARE(is.steps[i].context, was.steps[i].context);
        QCOMPARE(is.steps[i].deviceSeconds, was.steps[i].deviceSeconds);
        QCOMPARE(is.steps[i].throttle, was.steps[i].throttle);
    }
    QCOMPARE(is.steps[1].temperatureC, 61.0);
    const SweepPoint &told = after.runs[2].points[1];
    QCOMPARE(told.deviceUsedBytes, 4.5e9);
    QCOMPARE(told.backToBackSeconds, 0.015);
    QCOMPARE(told.backToBackSteps, 64);
    QCOMPARE(told.attention, std::string("decode: own kernel, prefill: flash"));
    QCOMPARE(told.graphNodes, std::int64_t(312));
    QVERIFY(std::isnan(is.deviceUsedBytes) && std::isnan(is.backToBackSeconds));
    QVERIFY(is.backToBackSteps == 0 && is.attention.empty() && is.graphNodes == 0);
    QVERIFY(!after.runs[2].plan.telemetry && after.runs[1].plan.telemetry);
}

void TestSessionJson::missingValuesStayMissing()
{
    const Session after = sessionFromJson(toJson(samples::session()), "mine.json");
    const SweepPoint &p = after.runs[2].points[0];
    QVERIFY(std::isnan(p.steps[1].wallSeconds));
    QVERIFY(!std::isnan(p.steps[0].wallSeconds));
    QVERIFY(std::isnan(p.steps[0].temperatureC));
    QVERIFY(std::isnan(p.steps[0].powerWatts));
    QVERIFY(std::isnan(after.runs[2].points.back().stepSeconds));
    QVERIFY(std::isnan(after.runs[0].calibration->samples[1].spread));
    QVERIFY(!after.runs[0].calibration->ceilings.stepOverhead);
}

void TestSessionJson::columnsWithoutValuesAreLeftOut()
{
    Session s = newSession();
    s.runs.push_back(samples::sweepRun());
    const std::string text = toJson(s);
    QVERIFY(text.find("power_w") == std::string::npos);
    QVERIFY(text.find("throttle") == std::string::npos);
    QVERIFY(text.find("\"step\":") == std::string::npos); // they count from 0
    QVERIFY(text.find("device_s") != std::string::npos);
}

void TestSessionJson::bytesThatAreNotTextAreReplaced()
{
    Session s = newSession();
    s.title = "cut \xc3";
    const std::string once = toJson(s);
    QCOMPARE(toJson(sessionFromJson(once, "mine.json")), once);
    QCOMPARE(sessionFromJson(once, "mine.json").title, std::string("cut \xef\xbf\xbd"));
}

void TestSessionJson::halfFilesAreRefused_data()
{
    QTest::addColumn<int>("fiftieth");
    for (int i = 0; i < 50; ++i)
        QTest::addRow("%d/50", i) << i;
}

void TestSessionJson::halfFilesAreRefused()
{
    QFETCH(int, fiftieth);
    const std::string whole = toJson(samples::session());
    const auto sentence = refusal(whole.substr(0, whole.size() * static_cast<std::size_t>(fiftieth) / 50));
    QVERIFY(sentence);
    QVERIFY2(sentence->contains("mine.json") && sentence->contains("cut off"), qPrintable(*sentence));
}

void TestSessionJson::faultsAreNamedByTheirPath_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const char *from, const char *to, const char *named) {
        QTest::newRow(name) << from << to << named;
    };
    row("text for a number", "\"warmup\":2", "\"warmup\":\"2\"", "'runs[1].plan.warmup' must be a whole number");
    row("fraction for a count", "\"warmup\":2", "\"warmup\":2.5", "'runs[1].plan.warmup' must be a whole number");
    row("out of range", "\"warmup\":2", "\"warmup\":-2", "'runs[1].plan.warmup' is -2, outside 0 to");
    row("beyond 64 bits", "\"warmup\":2", "\"warmup\":18446744073709551615", "'runs[1].plan.warmup' is 1844");
    row("unknown name", "\"dtype\":\"fp16\"", "\"dtype\":\"fp7\"", "'runs[1].plan.dtype' holds 'fp7'");
    row("unknown status", "\"status\":\"oom\"", "\"status\":\"fine\"", "'runs[2].points[9].status' holds 'fine'");
    row("number for text", "\"title\":\"Gr", "\"title\":5,\"was\":\"Gr", "'title' must be text");
    row("object for a list", "\"runs\":[", "\"runs\":{},\"was\":[", "'runs' must be an array");
    row("list for an object", "\"plan\":{", "\"plan\":[],\"was\":{", "'runs[0].plan' must be an object");
    row("missing field", "\"device\":\"cpu\"", "\"devise\":\"cpu\"", "'runs[0].plan.device' is missing");
    row("columns of unlike length", "\"device_s\":[", "\"device_s\":[1,",
        "'runs[2].points[0].steps.device_s' has 6 entries where 'context' has 5");
    row("text in a column", "\"temperature_c\":[null,", "\"temperature_c\":[\"x\",",
        "'runs[2].points[0].steps.temperature_c[0]' must be a number or null");
    row("text for a switch", "\"qk_norm\":false", "\"qk_norm\":\"no\"",
        "'runs[0].plan.model.shape.qk_norm' must be true");
    row("method 7", "\"method\":2", "\"method\":7", "'runs[1].ttft.methods[1].method' is 7");
    row("another kind of file", "ridgepoint-session", "shopping-list", "'format' does not say");
    row("version as text", "\"version\":1", "\"version\":\"1\"", "'version' must be a whole number");
    row("text for a time", "\"back_to_back_s\":0.015", "\"back_to_back_s\":\"fast\"",
        "'runs[2].points[1].back_to_back_s' must be a number or null");
    row("fewer steps than none", "\"back_to_back_steps\":64", "\"back_to_back_steps\":-64",
        "'runs[2].points[1].back_to_back_steps' is -64");
    row("fraction of a node", "\"graph_nodes\":312", "\"graph_nodes\":3.12",
        "'runs[2].points[1].graph_nodes' must be a whole number");
    row("number for a path", "\"attention\":\"decode", "\"attention\":1,\"was\":\"decode",
        "'runs[2].points[1].attention' must be text");
    row("number for a card", "\"device_hash\":\"00ff\"", "\"device_hash\":255",
        "'runs[0].calibration.ceilings.device_hash' must be text");
    row("a TPOT below zero", "\"tpot_s\":0.0165", "\"tpot_s\":-0.0165", "'runs[1].ttft.methods[1].tpot_s' is -0.0165");
    row("a TPOT of nothing", "\"tpot_s\":0.0165", "\"tpot_s\":0", "'runs[1].ttft.methods[1].tpot_s' is 0");
    row("a sample below zero", "\"tpot_samples_s\":[0.0165,", "\"tpot_samples_s\":[-0.0165,", "methods[1].tpot_samples_s[0]' is -0.0165");
    row("a TTFT of nothing", "\"ttft_s\":0.048", "\"ttft_s\":0.0", "ttft_s' is 0");
    row("text for telemetry", "\"telemetry\":false", "\"telemetry\":\"no\"", "'runs[2].plan.telemetry' must be true");
    row("a shape that does not hold together", "\"kv_heads\":4", "\"kv_heads\":0", "'runs[1].plan.model.shape' does not hold together");
    row("an unknown name that is long", "\"dtype\":\"fp16\"", "\"dtype\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\u4e00b\"",
        "holds 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', which"); // cut at a whole letter
    row("version 0", "\"version\":1", "\"version\":0", "'version' is 0");
}

void TestSessionJson::faultsAreNamedByTheirPath()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, named);
    QString text = QString::fromStdString(toJson(samples::session()));
    const auto at = text.indexOf(from);
    QVERIFY2(at >= 0, qPrintable(from + " is not in the file"));
    text.replace(at, from.size(), to);
    const auto sentence = refusal(text.toStdString());
    QVERIFY(sentence);
    QVERIFY2(sentence->contains("mine.json") && sentence->contains(named), qPrintable(*sentence));
}

void TestSessionJson::newerVersionsAreRefused()
{
    QString text = QString::fromStdString(toJson(samples::session()));
    text.replace("\"version\":1", "\"version\":2");
    text.replace("\"runs\":[", "\"trials\":["); // whatever else has changed, the version speaks first
    const auto sentence = refusal(text.toStdString());
    QVERIFY(sentence);
    QVERIFY2(sentence->contains("newer Ridgepoint") && sentence->contains("version 2") &&
                 sentence->contains("Update Ridgepoint"),
             qPrintable(*sentence));
}

void TestSessionJson::unknownFieldsAreIgnored()
{
    const std::string before = toJson(samples::session());
    QString text = QString::fromStdString(before);
    text.replace("\"warmup\":", "\"wallpaper\":{\"a\":[1,null]},\"warmup\":");
    QCOMPARE(toJson(sessionFromJson(text.toStdString(), "mine.json")), before);
}

/// What this program added within version 1 may be absent, and then says "not known".
void TestSessionJson::filesFromBeforeTheGpuOpen()
{
    Session s = newSession();
    s.runs = {samples::sweepRun()};
    QString text = QString::fromStdString(toJson(s));
    QVERIFY(text.contains("\"telemetry\":true,"));
    text.remove("\"telemetry\":true,");
    for (const char *key : {"device_used_bytes", "back_to_back", "attention", "graph_", "device_hash", "clocks"})
        QVERIFY2(!text.contains(key), key); // nothing of it was measured, so nothing of it is written
    const Session after = sessionFromJson(text.toStdString(), "mine.json");
    QCOMPARE(toJson(after), toJson(s));
}

void TestSessionJson::shapesKeepTheirFamilysParts()
{
    Session s = newSession();
    s.runs = {samples::sweepRun()};
    ModelShape &shape = s.runs[0].plan.model.shape;
    applyFamily(shape, Family::Gemma3);
    QVERIFY(sessionFromJson(toJson(s), "mine.json").runs[0].plan.model.shape == shape);
    // A file from before they were written: what is fixed in the family.
    QString text = QString::fromStdString(toJson(s));
    for (const char *key : {"norm_plus_one", "activation", "embedding_scale", "query_scalar", "rope_local_theta"}) {
        const QRegularExpression field(QString("\"%1\":[^,]*,").arg(key));
        QVERIFY2(text.contains(field), key);
        text.remove(field);
    }
    QVERIFY(sessionFromJson(text.toStdString(), "mine.json").runs[0].plan.model.shape == shape);
    // What is no default is kept.
    shape.activation = Activation::Silu;
    shape.normPlusOne = false;
    shape.embeddingScale = 3.25;
    shape.queryScalar = 168;
    shape.ropeLocalTheta = 20000;
    QVERIFY(sessionFromJson(toJson(s), "mine.json").runs[0].plan.model.shape == shape);
}

void TestSessionJson::whatAConfigMayHoldOpensAgain()
{
    Session s = newSession();
    s.runs = {samples::sweepRun()};
    ModelShape &shape = s.runs[0].plan.model.shape;
    const std::int64_t most = std::int64_t(1) << 40; // maxElementCount of a config.json
    shape.hidden = shape.heads = shape.kvHeads = shape.headDim = shape.ffn = shape.vocab = most;
    shape.bosToken = most - 1;
    shape.eosTokens = {most - 1};
    QVERIFY(sessionFromJson(toJson(s), "mine.json").runs[0].plan.model.shape == shape);
}

void TestSessionJson::hostileFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("empty") << QByteArray() << "cut off";
    QTest::newRow("deep lists") << QByteArray(1'000'000, '[') << "deep";
    QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(100'000) << "deep";
    QTest::newRow("too many values") << QByteArray("[" + QByteArray("0,").repeated(50'000'001)) << "values";
    QTest::newRow("a number without bounds") << QByteArray("{\"format\":1e999}") << "too large";
    QTest::newRow("not JSON") << QByteArray("PNG\r\n and more of it") << "not JSON";
    QTest::newRow("bytes that are not text") << QByteArray("{\"a\":\"\xff\xfe\"}") << "not JSON";
    QTest::newRow("NaN as Python writes it") << QByteArray("{\"format\":\"x\",\"step_s\":NaN}") << "NaN at byte 24, in 'step_s'; JSON has no such number";
    QTest::newRow("-Infinity") << QByteArray("{\"a\":[\"NaN\", 1,-Infinity]}") << "Infinity at byte 17";
    QTest::newRow("too many texts") << QByteArray("[" + QByteArray("\"\",").repeated(13'000'000)) << "values";
    QTest::newRow("too many lists") << QByteArray("[" + QByteArray("[],").repeated(13'000'000)) << "values";
    QTest::newRow("a text that never ends") << QByteArray("{\"a\":\"") + QByteArray(20'000'000, 'x') << "a text of over 16000000 bytes from byte 6 on";
    QTest::newRow("a number that never ends") << QByteArray("{\"a\":") + QByteArray(5'000'000, '1') << "from byte 6 on stands a number of over 1000 digits";
    QTest::newRow("a list") << QByteArray("[]") << "must be an object";
    QTest::newRow("null") << QByteArray("null") << "must be an object";
}

void TestSessionJson::hostileFilesAreRefused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, named);
    const auto sentence = refusal(text.toStdString());
    QVERIFY(sentence);
    QVERIFY2(sentence->contains(named), qPrintable(sentence->left(300)));
}

void TestSessionJson::anotherFileIsRefusedBeforeItIsRead_data()
{
    QTest::addColumn<QByteArray>("beginning");
    QTest::newRow("brackets") << QByteArray(100, '[');
    QTest::newRow("digits") << QByteArray(100, '7');
    QTest::newRow("digits after a mark and blanks") << QByteArray("\xef\xbb\xbf \r\n") + QByteArray(100, '7');
    QTest::newRow("no text") << QByteArray("\x7f\x45\x4c\x46\0\0\0\0", 8);
}

void TestSessionJson::anotherFileIsRefusedBeforeItIsRead()
{
    QFETCH(QByteArray, beginning);
    QTemporaryDir folder;
    const QString path = folder.filePath("large.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(beginning);
    QVERIFY(file.resize(500'000'000)); // sparse
    file.close();
    const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { loadSession(path.toStdString()); });
    QVERIFY(sentence);
    QVERIFY2(sentence->contains("large.json") && sentence->contains("begin with '{'"), qPrintable(*sentence));
}

void TestSessionJson::theOrderOfKeysAndTheEndsOfLinesDoNotMatter()
{
    Session session = samples::session();
    for (RunRecord &run : session.runs)
        run.plan.seed = 7; // Qt's JSON has no number of 64 bits
    const std::string text = toJson(session);
    const QByteArray reversed = samples::withKeysReversed(QByteArray::fromStdString(text));
    QVERIFY(reversed.toStdString() != text);
    QCOMPARE(toJson(sessionFromJson(reversed.toStdString(), "mine.json")), text);
    const std::string dressed = "\xef\xbb\xbf" + QString::fromStdString(text).replace("\"runs\":", "\r\n\"runs\": \r\n").toStdString() + "\r\n";
    QCOMPARE(toJson(sessionFromJson(dressed, "mine.json")), text);
}

void TestSessionJson::mutationsNeverCrash()
{
    const std::string whole = toJson(samples::session());
    std::mt19937 random(20260131);
    const std::string alphabet = "{}[],:\"\\0129-.eE+ntfx \n\xff";
    int refused = 0, read = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = whole;
        const int edits = 1 + static_cast<int>(random() % 3);
        for (int e = 0; e < edits; ++e) {
            const std::size_t at = random() % text.size();
            const char c = alphabet[random() % alphabet.size()];
            switch (random() % 3) {
            case 0:
                text[at] = c;
                break;
            case 1:
                text.insert(at, 1, c);
                break;
            default:
                text.erase(at, 1 + random() % 20);
            }
        }
        try {
            const Session session = sessionFromJson(text, "mine.json");
            // What was read must be a session that can be written and read again.
            const std::string written = toJson(session);
            QCOMPARE(toJson(sessionFromJson(written, "again.json")), written);
            ++read;
        } catch (const Error &e) {
            QVERIFY(e.kind() == ErrorKind::Failure);
            ++refused;
        }
    }
    QVERIFY(refused > 0);
    QVERIFY(read > 0); // a changed letter within a name does no harm
}

void TestSessionJson::filesAreSavedAndLoaded()
{
    QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "a b" / "s.json";
    saveSession(samples::session(), path);
    QCOMPARE(toJson(loadSession(path)), toJson(samples::session()));
    const auto sentence =
        samples::sentenceOf(ErrorKind::Failure, [&] { loadSession(path.parent_path() / "none.json"); });
    QVERIFY(sentence && sentence->contains("none.json"));
}

void TestSessionJson::millionStepsSurvive()
{
    Session s = newSession();
    s.runs.push_back(samples::sweepRun());
    SweepPoint &p = s.runs[0].points[0];
    p.steps.clear();
    for (int i = 0; i < 1'000'000; ++i) {
        StepSample step;
        step.step = i;
        step.context = i;
        step.wallSeconds = 0.016 + 1e-9 * i;
        p.steps.push_back(step);
    }
    const Session after = sessionFromJson(toJson(s), "mine.json");
    QCOMPARE(after.runs[0].points[0].steps.size(), std::size_t(1'000'000));
    QCOMPARE(after.runs[0].points[0].steps.back().wallSeconds, p.steps.back().wallSeconds);
}

void TestSessionJson::newestCeilingsCount()
{
    Session s = newSession();
    QVERIFY(!s.ceilings());
    s.runs.push_back(samples::sweepRun()); // carries 270 GB/s in its plan
    QCOMPARE(*s.ceilings()->readBandwidth, 270e9);
    s.runs.push_back(samples::calibrationRun());
    s.runs.push_back(samples::sweepRun());
    QCOMPARE(*s.ceilings()->readBandwidth, 25.1e9);
}

/// The difference of two totals can lie below zero; a step's time cannot be nothing.
void TestSessionJson::timesHaveTheSignsThatTheyCanHave()
{
    Session session = samples::session();
    TtftMethodResult &subtraction = session.runs[1].ttft->methods[0];
    QVERIFY(subtraction.method == TtftMethod::Subtraction);
    subtraction.tpotSeconds = -1e-4;
    subtraction.tpotSamples = {-1e-4, -2e-4, 1e-4};
    const Session read = sessionFromJson(toJson(session), "mine.json");
    QCOMPARE(read.runs[1].ttft->methods[0].tpotSeconds, -1e-4);
    QVERIFY(read.runs[1].ttft->methods[0].tpotSamples == subtraction.tpotSamples);
    session.runs[2].points[0].stepSeconds = 0;
    const auto sentence = refusal(toJson(session));
    QVERIFY(sentence && sentence->contains("'runs[2].points[0].step_s' is 0"));
}

static Session sessionWithAnatomy()
{
    Session s = newSession();
    RunRecord run = samples::sweepRun();
    run.plan.expectation.tpotSeconds = 0.0165;
    run.plan.expectation.firstDeparture = 64;
    run.provenance.usableBytes = 14.5e9;
    run.provenance.workspace = {4096, true, 33554432.0};
    StepAnatomy a;
    a.runId = run.plan.runId;
    a.mode = DecodeMode::Graph;
    a.batch = 4;
    a.context = 257;
    a.untracedSeconds = 0.016;
    a.tracedSeconds = 0.014;
    a.busySeconds = 0.012;
    a.tracer = "a tracer 1.0";
    a.note = "made up";
    a.partsBy = "device events";
    a.kernels = {{"gemm", 0, 0.004, 7, StepPart::Qkv, 0}, {"attend", 0.005, 0.004, 7, StepPart::Attention, 0}, {"gemm", 0.010, 0.004, 7, StepPart::Head, -1}};
    a.parts = {{StepPart::Qkv, 0.004, 1e9, 2e9}, {StepPart::Head, 0.004, kMissing, kMissing}};
    run.anatomy = a;
    s.runs.push_back(run);
    return s;
}

void TestSessionJson::expectationAnatomyAndUsableMemoryComeBack()
{
    const Session before = sessionWithAnatomy();
    const std::string text = toJson(before);
    const Session after = sessionFromJson(text, "mine.json");
    QVERIFY(toJson(after) == text);
    const RunRecord &was = before.runs[0], &is = after.runs[0];
    QVERIFY(is.plan.expectation == was.plan.expectation);
    QVERIFY(!is.plan.expectation.ratio);
    QCOMPARE(is.provenance.usableBytes, 14.5e9);
    QVERIFY(is.provenance.workspace == was.provenance.workspace);
    QVERIFY(is.anatomy.has_value());
    const StepAnatomy &a = *is.anatomy, &b = *was.anatomy;
    QVERIFY(a.mode == b.mode && a.batch == b.batch && a.context == b.context && a.untracedSeconds == b.untracedSeconds &&
            a.tracedSeconds == b.tracedSeconds && a.busySeconds == b.busySeconds && a.tracer == b.tracer &&
            a.note == b.note && a.partsBy == b.partsBy && a.runId == b.runId);
    QVERIFY(std::isnan(a.wallSeconds));
    QCOMPARE(a.kernels.size(), b.kernels.size());
    for (std::size_t i = 0; i < a.kernels.size(); ++i)
        QVERIFY(a.kernels[i].name == b.kernels[i].name && a.kernels[i].startSeconds == b.kernels[i].startSeconds &&
                a.kernels[i].seconds == b.kernels[i].seconds && a.kernels[i].stream == b.kernels[i].stream &&
                a.kernels[i].part == b.kernels[i].part && a.kernels[i].layer == b.kernels[i].layer);
    QCOMPARE(a.parts.size(), std::size_t(2));
    QVERIFY(a.parts[0].part == StepPart::Qkv && a.parts[0].bytes == 1e9 && std::isnan(a.parts[1].bytes));
    // A run that has none of them writes none.
    Session plain = newSession();
    plain.runs.push_back(samples::sweepRun());
    const std::string bare = toJson(plain);
    for (const char *key : {"expectation", "anatomy", "usable_bytes", "workspace"})
        QVERIFY2(bare.find('"' + std::string(key) + '"') == std::string::npos, key);
}

void TestSessionJson::figuresThatCannotBeAreRefused_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const char *from, const char *to, const char *named) {
        QTest::newRow(name) << from << to << named;
    };
    row("negative memory", "\"usable_bytes\":14500000000.0", "\"usable_bytes\":-1", "'runs[0].provenance.usable_bytes' is -1, and below zero");
    row("negative library", "\"library_bytes\":33554432.0", "\"library_bytes\":-5", "library_bytes' is -5, and below zero");
    row("no rows at once", "\"rows_at_once\":4096", "\"rows_at_once\":0", "rows_at_once' is 0");
    row("negative expectation", "\"tpot_s\":0.0165", "\"tpot_s\":-0.1", "'runs[0].plan.expectation.tpot_s' is -0.1, and below zero");
    row("a step of a century", "\"busy_s\":0.012", "\"busy_s\":3e9", "'runs[0].anatomy.busy_s' is 3000000000.0, more than anything");
    row("negative kernel", "[0,0.0,0.004,7,2,0]", "[0,0.0,-0.004,7,2,0]", "below zero");
    row("kernel of no name", "[0,0.0,0.004,7,2,0]", "[9,0.0,0.004,7,2,0]", "outside 0 to 1");
    row("five figures", "[0,0.0,0.004,7,2,0]", "[0,0.0,0.004,7,2]", "must hold six figures");
    row("unknown part", "\"part\":\"qkv\"", "\"part\":\"soul\"", "holds 'soul'");
    row("no read bandwidth", "\"read_bandwidth\":270000000000.0", "\"read_bandwidth\":0", "'runs[0].plan.measured.read_bandwidth' is 0");
    row("no rate", "\"fp16\":50000000000000.0", "\"fp16\":0.0", "'runs[0].plan.measured.matmul_flops.fp16' is 0");
    row("a step of no time", "\"untraced_s\":0.016", "\"untraced_s\":0", "'runs[0].anatomy.untraced_s' is 0");
    row("a trace of no time", "\"traced_s\":0.014", "\"traced_s\":0.0", "'runs[0].anatomy.traced_s' is 0");
    row("a wall of no time", "\"wall_s\":null", "\"wall_s\":0", "'runs[0].anatomy.wall_s' is 0");
    row("a trace longer than its kernels", "\"traced_s\":0.014", "\"traced_s\":0.02", "traced_s' is 0.02, but from the first");
    row("a trace without its time", "\"traced_s\":0.014", "\"traced_s\":null", "traced_s' is null, but from the first");
    row("busy beyond the kernels", "\"busy_s\":0.012", "\"busy_s\":0.015", "busy_s' is 0.015, but the kernels are busy for 0.012");
    row("kernels out of order", "[1,0.005,", "[1,0.0115,", "begins before the one ahead of it");
    row("a kernel without a time", "[0,0.0,0.004,7,2,0]", "[0,0.0,null,7,2,0]", "is null where a number must stand");
    row("a part twice", "\"part\":\"head\"", "\"part\":\"qkv\"", "names 'qkv', which stands there already");
    row("a part without a time", "\"part\":\"head\",\"part_s\":0.004", "\"part\":\"head\",\"part_s\":null", "part_s' is null");
    row("batch 0", "\"anatomy\":{\"batch\":4.0", "\"anatomy\":{\"batch\":0", "'runs[0].anatomy.batch' is 0; a step has one");
    row("bandwidth of 1e40", "\"read_bandwidth\":270000000000.0", "\"read_bandwidth\":1e40", "more than anything that can be measured");
}

void TestSessionJson::figuresThatCannotBeAreRefused()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, named);
    QString text = QString::fromStdString(toJson(sessionWithAnatomy()));
    QVERIFY2(text.contains(from), qPrintable(text.mid(text.indexOf("anatomy"), 900)));
    text.replace(text.indexOf(from), from.size(), to);
    const auto sentence = refusal(text.toStdString());
    QVERIFY(sentence.has_value());
    QVERIFY2(sentence->contains(named), qPrintable(*sentence));
}

QTEST_APPLESS_MAIN(TestSessionJson)
#include "test_session_json.moc"
