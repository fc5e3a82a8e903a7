// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include "core/base/atomic_file.h"
#include "core/session/journal.h"
#include "core/session/line.h"
#include "core/session/report.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <functional>

using namespace ridgepoint;

using Change = std::function<void(RunPlan &)>;
Q_DECLARE_METATYPE(Change)

namespace {

std::string laptopCsv()
{
    return readWholeFile(RIDGEPOINT_SOURCE_DIR "/tests/fixtures/line/model_line_laptop.csv");
}

RunRecord laptop(double bandwidth = 200e9)
{
    return importedRun(importLine(laptopCsv(), "laptop.csv"), "laptop.csv", Ceilings{bandwidth, 0, 0, 0}, nullptr);
}

RunPlan linePlan()
{
    RunPlan plan = samples::sweepPlan();
    plan.runId = "run-line";
    plan.experiment = Experiment::Line;
    ModelSource other = plan.model;
    other.shape.id = "half";
    other.shape.layers = 11;
    plan.models = {plan.model, other};
    plan.dtypes = {DType::F16, DType::F32};
    plan.nominalFlops = {{DType::F16, 65e12}, {DType::F32, 8e12}};
    plan.prompts = {128};
    plan.newTokens = 100;
    plan.repeats = 5;
    plan.warmup = 1;
    return plan;
}

LineRow row(int index, const char *model, double weightBytes, double tpot)
{
    LineRow made;
    made.runId = "run-line";
    made.index = index;
    made.model = model;
    made.name = std::string("The ") + model;
    made.family = "llama";
    made.dtype = index % 2 ? "fp32" : "fp16";
    made.weightBytes = weightBytes;
    made.residentBytes = weightBytes * 1.1;
    made.prompt = 128;
    made.newTokens = 100;
    made.mode = DecodeMode::Graph;
    made.device = "Some GPU";
    made.samples = {tpot * 1.1, tpot, tpot * 0.9};
    summariseSamples(made);
    StepSample step;
    step.context = 129;
    step.wallSeconds = tpot;
    step.throttle = "thermal";
    made.steps = {step};
    made.peakBytes = weightBytes * 1.2;
    made.attention = "fused";
    made.graphNodes = 300;
    made.forecast.floorNominal.stepSeconds = tpot / 2;
    made.forecast.floorNominal.memorySeconds = tpot / 2;
    made.forecast.predicted = made.forecast.floorNominal;
    return made;
}

RunRecord measuredRun()
{
    RunRecord run;
    run.plan = linePlan();
    run.provenance = samples::provenance();
    run.provenance.lastLevelCacheBytes = 50e6;
    run.state = RunRecord::State::Done;
    run.line = {row(0, "a", 0.1e9, 1.1e-3), row(1, "a", 0.4e9, 2.1e-3), row(2, "b", 1e9, 4.4e-3),
                row(3, "b", 2e9, 8.2e-3)};
    LineRow absent = row(4, "c", 40e9, 1);
    absent.status = PointStatus::Skipped;
    absent.reason = "weights 40.0 GB > 16.0 GB, what cuda:0 has free.";
    absent.samples.clear();
    absent.steps.clear();
    absent.tpotSeconds = absent.tpotMinSeconds = absent.tpotMaxSeconds = kMissing;
    run.line.push_back(absent);
    return run;
}

QString sentencesOf(const RunRecord &run)
{
    QStringList all;
    for (const std::string &sentence : lineSentences(run, readLine(run)))
        all << QString::fromStdString(sentence);
    return all.join('\n');
}

} // namespace

class TestLine : public QObject {
    Q_OBJECT
private slots:
    void theLaptopsTable()
    {
        const LineImport import = importLine(laptopCsv(), "laptop.csv");
        QCOMPARE(import.rows.size(), std::size_t(12));
        QVERIFY(import.problems.empty());
        QCOMPARE(import.rows[0].model, std::string("Gemma 3 270M"));
        QCOMPARE(import.rows[0].dtype, std::string("bf16"));
        QCOMPARE(import.rows[0].weightBytes, 0.54e9);
        QVERIFY(import.rows[0].imported);
        const RunRecord run = laptop();
        QVERIFY(isImportedLine(run));
        const LineReading reading = readLine(run);
        QCOMPARE(slopeText(reading.fit.all.slope), std::string("6.122 ms/GB"));
        const QString told = sentencesOf(run);
        for (const char *part : {"6.122 ms/GB", "4.02 ms", "163 GB/s", "R^2 0.992", "from 45.1 % to 91.3 %",
                                 "Gemma 3 270M (2 rows) implies 255 GB/s, above the device's nominal 200 GB/s"})
            QVERIFY2(told.contains(QString::fromUtf8(part)), qPrintable(told));
        QCOMPARE(told.count("implies 2"), 1); // no other line is flagged
        QVERIFY(!sentencesOf(laptop(300e9)).contains("above"));
        QVERIFY(sentencesOf(laptop(0)).contains("No ceiling"));
    }

    void aRowThatRepeatsAnotherCountsOnce()
    {
        const LineImport import =
            importLine("model,weight_gb,tpot_ms\nA,1,5\nB,2,9\nA, 1,5\nA,1,6\n", "rows.csv");
        QCOMPARE(import.rows.size(), std::size_t(3)); // a row measured again is not a repeated one
        QCOMPARE(import.problems.size(), std::size_t(1));
        QCOMPARE(import.problems[0].line, std::size_t(4));
        QVERIFY(QString::fromStdString(import.problems[0].sentence).contains("repeats line 2"));
    }
    void decimalCommasAreNamed()
    {
        const auto problem = [](const char *csv) {
            return QString::fromStdString(importLine(csv, "rows.csv").problems.at(0).sentence);
        };
        QVERIFY(problem("model;weight_gb;tpot_ms\nA;1;5\nB;2,5;9\n").contains("'2,5' in weight_gb is not a number (write a point"));
        QVERIFY(problem("model,weight_gb,tpot_ms\nA,1,5\nB,2,5,9\n").contains("a comma before decimals"));
    }

    void rowsOfEveryKindOfFile_data()
    {
        QTest::addColumn<QByteArray>("csv");
        const QByteArray plain = "model,family,dtype,weight_gb,tpot_ms\nA,f,float16,1,5\n\"B, \"\"two\"\"\",g,q4,2.5,9\n";
        QTest::newRow("plain") << plain;
        QTest::newRow("byte-order mark") << "\xef\xbb\xbf" + plain;
        QTest::newRow("CRLF") << QByteArray(plain).replace("\n", "\r\n");
        QTest::newRow("no end of line at the end") << plain.left(plain.size() - 1);
        QTest::newRow("comments and blank lines") << "# of a lab\n\n" + QByteArray(plain).replace("A,", "# more\nA,");
        QTest::newRow("other order, other units") << QByteArray("TPOT_s, Weight_Bytes ,dtype,extra,model,family\n"
                                                                "0.005,1e9,fp16,x,A,f\n"
                                                                "9e-3,2500000000,q4,,\"B, \"\"two\"\"\",g\n");
        QTest::newRow("semicolons") << QByteArray("model;family;dtype;weight_gb;tpot_ms\nA;f;half;1;5\n"
                                                  "\"B, \"\"two\"\"\";g;q4;2.5;9\n");
    }
    void rowsOfEveryKindOfFile()
    {
        QFETCH(QByteArray, csv);
        const LineImport import = importLine(csv.toStdString(), "rows.csv");
        QCOMPARE(import.rows.size(), std::size_t(2));
        QVERIFY(import.problems.empty());
        QCOMPARE(import.rows[0].dtype, std::string("fp16"));
        QCOMPARE(import.rows[0].weightBytes, 1e9);
        QCOMPARE(import.rows[0].tpotSeconds, 5e-3);
        QCOMPARE(import.rows[1].model, std::string("B, \"two\""));
        QCOMPARE(import.rows[1].family, std::string("g"));
        QCOMPARE(import.rows[1].dtype, std::string("q4"));
        QCOMPARE(import.rows[1].weightBytes, 2.5e9);
    }

    void aBadRowIsLeftOutAndTold_data()
    {
        QTest::addColumn<QByteArray>("row");
        QTest::addColumn<QString>("told");
        QTest::newRow("no number") << QByteArray("A,heavy,5") << "'heavy' in weight_gb is not a number";
        QTest::newRow("decimal comma") << QByteArray("A,\"0,54\",5") << "'0,54'";
        QTest::newRow("empty time") << QByteArray("A,1,") << "tpot_ms is empty";
        QTest::newRow("zero") << QByteArray("A,0,5") << "above zero";
        QTest::newRow("negative") << QByteArray("A,1,-5") << "above zero";
        QTest::newRow("nan") << QByteArray("A,nan,5") << "not a number";
        QTest::newRow("a year a token") << QByteArray("A,1,3e10") << "tpot_ms is 3e10, more than anything that can be measured";
        QTest::newRow("no such weights") << QByteArray("A,1e20,5") << "weight_gb is 1e20, more than anything";
        QTest::newRow("endless") << QByteArray("A,1e400,5") << "not a number";
        QTest::newRow("too few fields") << QByteArray("A,1") << "2 fields where the header names 3";
        QTest::newRow("too many fields") << QByteArray("A,1,5,6") << "4 fields";
        QTest::newRow("no name") << QByteArray(",1,5") << "no name";
        QTest::newRow("open quote") << QByteArray("\"A,1,5") << "never closed";
        QTest::newRow("endless name") << QByteArray(1000, 'A') + ",1,5" << "too long";
    }
    void aBadRowIsLeftOutAndTold()
    {
        QFETCH(QByteArray, row);
        QFETCH(QString, told);
        const LineImport import =
            importLine("model,weight_gb,tpot_ms\n# note\nGood,1,5\n" + row.toStdString() + "\n", "rows.csv");
        QCOMPARE(import.rows.size(), std::size_t(1));
        QCOMPARE(import.problems.size(), std::size_t(1));
        QCOMPARE(import.problems[0].line, std::size_t(4));
        QVERIFY2(QString::fromStdString(import.problems[0].sentence).contains(told),
                 import.problems[0].sentence.c_str());
    }

    void aFileThatIsNoTableIsRefused_data()
    {
        QTest::addColumn<QByteArray>("csv");
        QTest::addColumn<QString>("told");
        QTest::newRow("empty") << QByteArray() << "no header";
        QTest::newRow("comments alone") << QByteArray("# nothing\n") << "no header";
        QTest::newRow("no time") << QByteArray("model,weight_gb\nA,1\n") << "no column tpot_ms or tpot_s";
        QTest::newRow("no weight") << QByteArray("model,tpot_ms\nA,1\n") << "weight_gb or weight_bytes";
        QTest::newRow("header alone") << QByteArray("model,weight_gb,tpot_ms\n") << "no rows";
        QTest::newRow("twice") << QByteArray("model,model,weight_gb,tpot_ms\n") << "twice";
        QTest::newRow("bad rows alone") << QByteArray("model,weight_gb,tpot_ms\nA,x,1\n") << "line 2";
        QTest::newRow("UTF-16") << QByteArray("\xff\xfem\0o\0d\0", 8) << "UTF-8";
        QTest::newRow("zeros") << QByteArray("model\0,weight_gb,tpot_ms\n", 24) << "UTF-8";
        QTest::newRow("cut off letter") << QByteArray("model,weight_gb,tpot_ms\nA,1,5\n\xe4\xb8") << "UTF-8";
    }
    void aFileThatIsNoTableIsRefused()
    {
        QFETCH(QByteArray, csv);
        QFETCH(QString, told);
        const auto sentence = samples::sentenceOf(ErrorKind::Failure, [&] { importLine(csv.toStdString(), "odd.csv"); });
        QVERIFY(sentence);
        QVERIFY2(sentence->contains("odd.csv") && sentence->contains(told), qPrintable(*sentence));
    }

    /// Every cut and many a changed byte: an answer or a sentence, never a crash.
    void mutatedTablesAreSurvived()
    {
        const std::string whole = laptopCsv();
        int refused = 0, read = 0;
        const auto attempt = [&](const std::string &text) {
            try {
                const LineImport import = importLine(text, "mutated.csv");
                fitModelLine({});
                readLine(importedRun(import, "mutated.csv", {200e9, 0, 0, 0}, nullptr));
                ++read;
            } catch (const Error &) {
                ++refused;
            }
        };
        for (std::size_t cut = 0; cut < whole.size(); ++cut)
            attempt(whole.substr(0, cut));
        for (std::size_t at = 0; at < whole.size(); ++at)
            for (const char c : {'\0', '"', ',', '\n', '\xff', '9', '-'}) {
                std::string changed = whole;
                changed[at] = c;
                attempt(changed);
            }
        QVERIFY(refused > 100 && read > 100);
    }

    void sessionsKeepALine()
    {
        Session session = newSession();
        session.runs = {measuredRun(), laptop()};
        const std::string json = toJson(session);
        const Session again = sessionFromJson(json, "line.json");
        QCOMPARE(toJson(again), json);
        const RunRecord &run = again.runs[0];
        QVERIFY(run.plan == session.runs[0].plan);
        QCOMPARE(run.line.size(), std::size_t(5));
        QVERIFY(run.line[4].status == PointStatus::Skipped && std::isnan(run.line[4].tpotSeconds));
        QCOMPARE(run.line[0].steps.size(), std::size_t(1));
        QCOMPARE(run.line[0].steps[0].throttle, std::string("thermal"));
        QVERIFY(!isImportedLine(run) && isImportedLine(again.runs[1]));
        QVERIFY(run.line[1].forecast.predicted.has_value());
    }

    void sessionsWithoutALineKeepTheirBytes()
    {
        const std::string json = toJson(samples::session());
        for (const char *field : {"\"line\":", "\"models\":", "\"dtypes\":", "\"nominal_flops\":"})
            QVERIFY2(json.find(field) == std::string::npos, field);
    }

    void aDamagedRowIsNamed()
    {
        Session session = newSession();
        session.runs = {measuredRun()};
        std::string json = toJson(session);
        const std::string good = "\"model\":\"b\"";
        json.replace(json.find(good), good.size(), "\"model\":17");
        const auto told = samples::sentenceOf(ErrorKind::Failure, [&] { sessionFromJson(json, "line.json"); });
        QVERIFY(told && told->contains("runs[0].line[2].model"));
    }

    void journalsKeepRows()
    {
        QTemporaryDir folder;
        const RunRecord run = measuredRun();
        Session applied = newSession();
        std::filesystem::path path;
        {
            const auto journal = Journal::create(folder.path().toStdString(), applied);
            path = journal->path();
            std::vector<Event> events{RunStarted{"run-line", run.plan, run.provenance}};
            for (const LineRow &r : run.line)
                events.push_back(LineRowFinished{"run-line", r});
            events.push_back(LineRowFinished{"run-line", run.line[0]}); // told twice: kept once
            LineRow late = run.line[0];
            late.runId = "another";
            late.index = 9;
            events.push_back(LineRowFinished{"run-line", late});
            for (const Event &event : events) {
                journal->append(event);
                applyEvent(applied, event);
            }
        }
        QCOMPARE(applied.runs[0].line.size(), std::size_t(5));
        QCOMPARE(Journal::recoverable(folder.path().toStdString()).size(), std::size_t(1));
        Session recovered = Journal::recover(path);
        QVERIFY(recovered.runs[0].state == RunRecord::State::Interrupted);
        recovered.runs[0].state = applied.runs[0].state;
        QCOMPARE(toJson(recovered), toJson(applied));
    }

    void tablesAndCsv()
    {
        const RunRecord run = measuredRun();
        const LineReading reading = readLine(run);
        QCOMPARE(reading.used, (std::vector<std::size_t>{0, 1, 2, 3}));
        QCOMPARE(reading.maybeCached, (std::vector<std::size_t>{0})); // 0.1 GB against 4 x 50 MB
        QVERIFY(!reading.figuresOf(4) && reading.figuresOf(3));
        const TextTable table = lineTable(run, reading);
        for (const auto &cells : table.rows)
            QCOMPARE(cells.size(), table.header.size());
        const QString text = QString::fromStdString(toText(table));
        for (const char *part : {"The a", "may be read from the cache", "skipped: weights 40.0 GB", "by the line"})
            QVERIFY2(text.contains(part), qPrintable(text));
        QVERIFY(toText(lineTable(laptop(), readLine(laptop()))).find("peak memory") == std::string::npos); // nothing of that kind
        const TextTable lines = lineFitTable(reading);
        QCOMPARE(lines.rows.size(), std::size_t(1 + 1 + 2));
        for (const auto &cells : lines.rows)
            QCOMPARE(cells.size(), lines.header.size());

        const LineImport again = importLine(lineCsv({run}), "own.csv");
        QCOMPARE(again.rows.size(), std::size_t(4));
        QCOMPARE(again.problems.size(), std::size_t(1)); // the row that was skipped
        QCOMPARE(again.rows[1].tpotSeconds, run.line[1].tpotSeconds);
        QCOMPARE(again.rows[1].weightBytes, run.line[1].weightBytes);
        QVERIFY(again.rows[1].mode == DecodeMode::Graph);
        QVERIFY(stepsCsv({run}).find("a fp16,") != std::string::npos);
        QCOMPARE(telemetryOf(run).throttled, std::size_t(4));
    }

    void theReportHasTheLine()
    {
        QTemporaryDir folder;
        Session session = newSession();
        session.runs = {measuredRun(), laptop()};
        writeReport(session, folder.path().toStdString(), {});
        const QString text =
            QString::fromStdString(readWholeFile(folder.filePath("report.md").toStdString()));
        for (const char *part : {"### Line over models", "6.122 ms/GB", "imported", "255 GB/s", "family llama",
                                 "| fp16, fp32 |"})
            QVERIFY2(text.contains(part), qPrintable(text));
        QVERIFY(QFile::exists(folder.filePath("line.csv")));
        QVERIFY(!QFile::exists(folder.filePath("sweep.csv")));
    }

    void plansAreChecked_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("told"); // empty: sound
        QTest::newRow("sound") << Change([](RunPlan &) {}) << "";
        QTest::newRow("fp16 on the CPU is a skipped row") << Change([](RunPlan &p) { p.device = "cpu"; }) << "";
        QTest::newRow("no models") << Change([](RunPlan &p) { p.models.clear(); }) << "--models";
        QTest::newRow("a model twice") << Change([](RunPlan &p) { p.models[1] = p.models[0]; }) << "twice";
        QTest::newRow("no dtypes") << Change([](RunPlan &p) { p.dtypes.clear(); }) << "--dtypes";
        QTest::newRow("a dtype twice") << Change([](RunPlan &p) { p.dtypes[1] = p.dtypes[0]; }) << "twice";
        QTest::newRow("one new token") << Change([](RunPlan &p) { p.newTokens = 1; }) << "--new";
        QTest::newRow("no repeats") << Change([](RunPlan &p) { p.repeats = 0; }) << "--repeats";
        QTest::newRow("no prompt") << Change([](RunPlan &p) { p.prompts = {0}; }) << "--prompt";
        QTest::newRow("a broken shape") << Change([](RunPlan &p) { p.models[1].shape.layers = 0; }) << "layers";
        QTest::newRow("beyond a checkpoint's positions") << Change([](RunPlan &p) {
            p.models[1].folder = "some/folder";
            p.prompts = {2000};
        }) << "positions";
        QTest::newRow("text") << Change([](RunPlan &p) { p.promptText = "Hello"; }) << "text";
        QTest::newRow("graph on the CPU") << Change([](RunPlan &p) {
            p.device = "cpu";
            p.mode = DecodeMode::Graph;
        }) << "graph";
    }
    void plansAreChecked()
    {
        QFETCH(Change, change);
        QFETCH(QString, told);
        RunPlan plan = linePlan();
        change(plan);
        const auto sentence = samples::sentenceOf(ErrorKind::Usage, [&] { validatePlan(plan); });
        QCOMPARE(sentence.has_value(), !told.isEmpty());
        if (sentence)
            QVERIFY2(sentence->contains(told), qPrintable(*sentence));
    }

    void aRowsPlanHasItsOwnRate()
    {
        const RunPlan plan = linePlan();
        const RunPlan row = planOfLineRow(plan, plan.models[1], DType::F32);
        QCOMPARE(row.nominal.flops, 8e12);
        QCOMPARE(row.model.shape.id, std::string("half"));
        QVERIFY(row.dtype == DType::F32);
        QCOMPARE(planOfLineRow(plan, plan.models[0], DType::F16).nominal.flops, plan.nominal.flops);
    }
};

QTEST_APPLESS_MAIN(TestLine)
#include "test_line.moc"
