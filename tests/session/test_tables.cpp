// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include "core/session/forecast_error.h"
#include "core/session/tables.h"

#include <QtTest>

#include <cmath>

using namespace ridgepoint;

class TestTables : public QObject {
    Q_OBJECT
private slots:
    void publishedSweepComesOut_data();
    void publishedSweepComesOut();
    void publishedSummaryComesOut();
    void sweepCsvIsExact();
    void pointsWithoutTimeKeepGaps();
    void linearStartsAtTheSmallestMeasuredBatch();
    void summariesCompareTheSameBatches();
    void stepsCsvIsExact();
    void ttftCsvIsExact();
    void calibrationCsvIsExact();
    void waitingIsWallLessBackToBack();
    void scatterIsNamed();
    void tablesShowWhatThePointsHave();
    void telemetryKeepsThrottledSteps();
    void graphFiguresStandInTheCalibration();
    void csvFieldsAreQuoted_data();
    void csvFieldsAreQuoted();
    void ttftRecordIsComplete();
    void calibrationNamesTheByteConvention();
    void markdownIsEscaped();
    void textColumnsAlign();
    void emptyRunsGiveNoRows();
    void forecastsAreHeldAgainstModelsThatAreKnown();
};

static QStringList csvRows(const std::string &csv)
{
    QStringList lines = QString::fromStdString(csv).split('\n');
    lines.removeLast(); // after the final line end
    return lines;
}

void TestTables::publishedSweepComesOut_data()
{
    QTest::addColumn<double>("prompt");
    QTest::addColumn<double>("batch");
    QTest::addColumn<double>("stepMs");
    QTest::addColumn<double>("tokens");
    QTest::addColumn<double>("departure"); // percent; negative: not published
    QTest::newRow("1, 256") << 256.0 << 1.0 << 16.2 << 62.0 << -1.0;
    QTest::newRow("4, 256") << 256.0 << 4.0 << 16.2 << 246.0 << -1.0;
    QTest::newRow("16, 256") << 256.0 << 16.0 << 16.5 << 970.0 << -1.0;
    QTest::newRow("64, 256") << 256.0 << 64.0 << 17.5 << 3650.0 << -1.0;
    QTest::newRow("128, 256") << 256.0 << 128.0 << 18.9 << 6780.0 << -1.0;
    QTest::newRow("1, 2048") << 2048.0 << 1.0 << 16.3 << 61.0 << 0.0;
    QTest::newRow("4, 2048") << 2048.0 << 4.0 << 16.8 << 238.0 << 3.0;
    QTest::newRow("16, 2048") << 2048.0 << 16.0 << 18.9 << 848.0 << 13.0;
    QTest::newRow("64, 2048") << 2048.0 << 64.0 << 27.1 << 2360.0 << 40.0;
    QTest::newRow("128, 2048") << 2048.0 << 128.0 << 38.0 << 3370.0 << 57.0;
}

void TestTables::publishedSweepComesOut()
{
    QFETCH(double, prompt);
    QFETCH(double, batch);
    QFETCH(double, stepMs);
    QFETCH(double, tokens);
    QFETCH(double, departure);
    for (const SweepRow &row : sweepRows(samples::sweepRun())) {
        if (row.prompt != prompt || row.batch != batch)
            continue;
        QVERIFY(std::abs(row.stepSeconds * 1e3 - stepMs) < 0.06);
        QVERIFY(std::abs(row.tokensPerSecond / tokens - 1) < 0.01);
        QVERIFY(std::abs(row.measuredOverPredicted - 1) < 1e-12);
        QVERIFY(std::abs(row.departure - row.predictedDeparture) < 1e-12);
        if (departure >= 0)
            QVERIFY(std::abs(row.departure * 100 - departure) < 0.6);
        return;
    }
    QFAIL("the row is missing");
}

void TestTables::publishedSummaryComesOut()
{
    const std::vector<SweepSummary> summaries = sweepSummaries(samples::sweepRun());
    QCOMPARE(summaries.size(), std::size_t(2));
    QCOMPARE(summaries[0].prompt, 256.0);
    QCOMPARE(std::round(summaries[0].growthMeasured * 100), 17.0);
    QCOMPARE(std::round(summaries[0].growthPredicted * 100), 17.0);
    QCOMPARE(summaries[0].firstDepartureMeasured, 64.0);
    QCOMPARE(summaries[0].firstDeparturePredicted, 64.0);
    QCOMPARE(summaries[1].firstDepartureMeasured, 16.0);
    QCOMPARE(summaries[1].firstDeparturePredicted, 16.0);
}

/// Numbers chosen so that every quotient is exact in binary or in its shortest decimal.
static RunRecord roundNumbers()
{
    RunRecord run = samples::sweepRun();
    run.points.resize(2);
    const double seconds[] = {0.008, 0.016};
    for (std::size_t i = 0; i < 2; ++i) {
        SweepPoint &p = run.points[i];
        p.context = 256;
        for (StepSample &s : p.steps)
            s.deviceSeconds = seconds[i];
        summariseSteps(p);
        p.peakBytes = 3e9;
        p.forecast.predicted->stepSeconds = 0.0128;
        p.forecast.floorNominal.intensity = 3.5;
        p.forecast.floorNominal.flop = 8e9;
    }
    run.points[1].reason = "slow, \"odd\"";
    for (SweepPoint &p : run.points)
        for (StepSample &s : p.steps)
            s.wallSeconds = p.index == 1 ? 2 * s.deviceSeconds : s.deviceSeconds;
    run.points[1].steps[2].wallSeconds = 0.116; // a stray wait does not move the median
    run.points[1].steps[3].wallSeconds = kMissing;
    run.points[0].backToBackSeconds = 0.006;
    run.points[0].backToBackSteps = 64;
    run.points[0].deviceUsedBytes = 4.5e9;
    run.points[0].attention = "own, flash";
    run.points[0].graphNodes = 312;
    return run;
}

void TestTables::sweepCsvIsExact()
{
    const QStringList lines = csvRows(sweepCsv({roundNumbers()}));
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines[0],
             QString("batch,context,mode,status,step_ms,step_p10_ms,step_p90_ms,step_min_ms,step_max_ms,"
                     "tokens_per_s,linear_tokens_per_s,departure_pct,peak_bytes,predicted_step_ms,"
                     "measured_over_predicted,arithmetic_intensity,achieved_flops,effective_bytes,kv_bytes,"
                     "reason,host_gap_ms,back_to_back_ms,device_used_bytes,attention,graph_nodes,prompt,run"));
    // 8 ms x 270 GB/s = 2.16 GB; 256 tokens x 22,528 B = 5,767,168 B
    QCOMPARE(lines[1], QString("1,256,eager,ok,8,8,8,8,8,125,125,0,3000000000,12.8,0.625,3.5,1000000000000,2160000000,"
                               "5767168,,0,6,4500000000,\"own, flash\",312,256,run-sweep"));
    // 4 / 16 ms = 250 tok/s against 4 x 125
    QCOMPARE(lines[2], QString("4,256,eager,ok,16,16,16,16,16,250,500,50,3000000000,12.8,1.25,3.5,500000000000,"
                               "4320000000,23068672,\"slow, \"\"odd\"\"\",16,,,,,256,run-sweep"));
}

void TestTables::pointsWithoutTimeKeepGaps()
{
    RunRecord run = samples::sweepRun(true);
    // Steps that it did manage before memory ran out are no step time.
    run.points.back().stepSeconds = 0.001;
    const SweepRow last = sweepRows(run).back();
    QVERIFY(last.status == PointStatus::OutOfMemory);
    for (const double v : {last.stepSeconds, last.tokensPerSecond, last.linearTokensPerSecond, last.departure,
                           last.measuredOverPredicted, last.effectiveBytes, last.achievedFlops, last.peakBytes})
        QVERIFY(std::isnan(v));
    QVERIFY(last.predictedSeconds > 0.037 && last.predictedSeconds < 0.039);
    const QString line = csvRows(sweepCsv({run})).last();
    QVERIFY2(line.startsWith("128,2048,eager,oom,,,,,,,,,,3"), qPrintable(line));
    QVERIFY2(line.endsWith(",\"needs 20.1 GB, the device has 16.0 GB\",,,,,,2048,run-sweep"), qPrintable(line));
}

void TestTables::linearStartsAtTheSmallestMeasuredBatch()
{
    RunRecord run = samples::sweepRun();
    run.points[0].status = PointStatus::Failed; // batch 1 of the first prompt
    std::swap(run.points[1], run.points[4]);    // and the order of batches is not the order of points
    const std::vector<SweepRow> rows = sweepRows(run);
    QVERIFY(std::isnan(rows[0].departure));
    QCOMPARE(rows[4].batch, 4.0);
    QCOMPARE(rows[4].linearTokensPerSecond, rows[4].tokensPerSecond);
    QCOMPARE(rows[1].batch, 128.0);
    QCOMPARE(rows[1].linearTokensPerSecond, rows[4].tokensPerSecond * 32);
    // The prediction of batch 1 is still there to start the predicted line.
    QVERIFY(rows[4].predictedDeparture > 0);
}

void TestTables::summariesCompareTheSameBatches()
{
    const RunRecord run = samples::sweepRun(true);
    const SweepSummary summary = sweepSummaries(run).at(1);
    const double grown = run.points[8].stepSeconds / run.points[5].stepSeconds - 1; // batch 64 over batch 1
    QVERIFY(std::abs(summary.growthMeasured - grown) < 1e-12);
    QVERIFY(std::abs(summary.growthPredicted - grown) < 1e-12);

    RunRecord unpredicted = run;
    for (SweepPoint &p : unpredicted.points)
        p.forecast.predicted.reset();
    QVERIFY(std::isnan(sweepSummaries(unpredicted).at(1).growthPredicted));
    QVERIFY(std::isnan(sweepSummaries(unpredicted).at(1).firstDeparturePredicted));
}

void TestTables::stepsCsvIsExact()
{
    RunRecord run = samples::sweepRun();
    run.points.resize(1);
    run.points[0].index = 3;
    run.points[0].steps.resize(1);
    StepSample &s = run.points[0].steps[0];
    s.step = 5;
    s.context = 261;
    s.deviceSeconds = 0.016;
    s.wallSeconds = 0.032;
    s.smClockHz = 1590e6;
    s.powerWatts = 70;
    s.throttle = "power, thermal";
    const QStringList lines = csvRows(stepsCsv({run, samples::ttftRun()}));
    QCOMPARE(lines[0], QString("point,step,context,device_ms,wall_ms,sm_clock_mhz,mem_clock_mhz,temperature_c,power_w,"
                               "throttle,host_gap_ms,run"));
    QCOMPARE(lines[1], QString("3,5,261,16,32,1590,,,70,\"power, thermal\",16,run-sweep"));
    QCOMPARE(lines.size(), 2 + 6);
    QCOMPARE(lines[2], QString("method 2,0,200,,16.5,,,,,,,run-ttft"));
}

void TestTables::ttftCsvIsExact()
{
    const QStringList lines = csvRows(ttftCsv({samples::sweepRun(), samples::ttftRun()}));
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines[0], QString("batch,prompt,new_tokens,method,ttft_ms,tpot_ms,tpot_min_ms,tpot_max_ms,repeats,"
                               "ttft_floor_ms,tpot_floor_ms,predicted_tpot_ms,ratio_to_floor,tokens_per_s,peak_bytes,"
                               "run"));
    const QStringList first = lines[1].split(',');
    QCOMPARE(first.mid(0, 9), QStringList({"1", "200", "64", "1", "48", "17", "", "", "3"}));
    QVERIFY(std::abs(first[9].toDouble() - 6.875) < 1e-9);                          // 2.2 GB / 320 GB/s
    QVERIFY(std::abs(first[10].toDouble() - (2.2e9 + 232 * 22500) / 320e6) < 1e-9); // and the KV cache
    QVERIFY(std::abs(first[12].toDouble() - 17 / first[10].toDouble()) < 1e-12);
    QCOMPARE(first.last(), QString("run-ttft"));
}

void TestTables::calibrationCsvIsExact()
{
    const QStringList lines = csvRows(calibrationCsv({samples::calibrationRun()}));
    QCOMPARE(lines, QStringList({"what,unit,value,median,spread,threads,date_utc,run",
                                 "read,B/s,25100000000,24900000000,0.012,2,2026-01-31T12:00:00Z,run-calibrate",
                                 "copy,B/s,18200000000,18000000000,,2,2026-01-31T12:00:00Z,run-calibrate"}));
}

void TestTables::waitingIsWallLessBackToBack()
{
    RunRecord run = roundNumbers();
    QVERIFY(QString::fromStdString(synchronisationSentence(run))
                .contains("2.00 ms of 8.00 ms (25.0 %) at batch 1, prompt 256, where the step takes 6.00 ms back to "
                          "back"));
    run.points[1].backToBackSeconds = 0.032; // equal to the wall median: waiting cost nothing
    QVERIFY(QString::fromStdString(synchronisationSentence(run)).contains("from 0 s of 32.0 ms (0.0 %) at batch 4"));
    for (SweepPoint &p : run.points)
        p.backToBackSeconds = kMissing;
    QVERIFY(synchronisationSentence(run).empty());
}

void TestTables::scatterIsNamed()
{
    RunRecord run = roundNumbers();
    QVERIFY(scatterSentence(RunRecord()).empty());
    for (SweepPoint &p : run.points) {
        p.p10Seconds = p.stepSeconds * 0.95;
        p.p90Seconds = p.stepSeconds * 1.05;
    }
    QVERIFY(scatterSentence(run).empty());
    run.points[1].p90Seconds = run.points[1].stepSeconds * 1.5;
    const QString said = QString::fromStdString(scatterSentence(run));
    QVERIFY2(said.startsWith(QStringLiteral("At 1 of ")) && said.contains(QStringLiteral("batch 4, prompt 256")), qPrintable(said));
}

void TestTables::tablesShowWhatThePointsHave()
{
    const auto column = [](const TextTable &table, const std::string &name) {
        const auto found = std::find(table.header.begin(), table.header.end(), name);
        return found == table.header.end() ? std::ptrdiff_t(-1) : found - table.header.begin();
    };
    RunRecord run = roundNumbers();
    const TextTable full = sweepTable(run);
    for (const auto &row : full.rows)
        QCOMPARE(row.size(), full.header.size());
    QCOMPARE(full.header.back(), std::string("status"));
    QCOMPARE(full.rows[0][std::size_t(column(full, "back to back"))], std::string("6.00 ms"));
    QCOMPARE(full.rows[1][std::size_t(column(full, "back to back"))], std::string("-"));
    QCOMPARE(full.rows[0][std::size_t(column(full, "device memory used"))], std::string("4.50 GB"));
    // One way of attending for all points is a sentence, two are a column.
    QVERIFY(column(full, "attention") < 0);
    QCOMPARE(attentionSentence(run), std::string("Attention: own, flash."));
    run.points[1].attention = "products";
    const TextTable two = sweepTable(run);
    QCOMPARE(two.rows[0][std::size_t(column(two, "attention"))], std::string("own, flash"));
    QVERIFY(attentionSentence(run).empty());
    QCOMPARE(full.rows[0][std::size_t(column(full, "graph nodes"))], std::string("312"));
    QCOMPARE(full.rows[1][std::size_t(column(full, "graph nodes"))], std::string("-"));
    QCOMPARE(full.rows[1][std::size_t(column(full, "host gap"))], std::string("16.0 ms"));
    QVERIFY(column(full, "throttled steps") < 0);
    for (SweepPoint &p : run.points) { // as on a CPU
        p.backToBackSeconds = p.deviceUsedBytes = kMissing;
        p.attention.clear();
        p.graphNodes = 0;
        for (StepSample &s : p.steps)
            s.deviceSeconds = kMissing;
    }
    QCOMPARE(sweepTable(run).header.size(), std::size_t(15));
}

void TestTables::telemetryKeepsThrottledSteps()
{
    RunRecord run = samples::sweepRun();
    run.points.resize(1);
    auto &steps = run.points[0].steps;
    QCOMPARE(telemetryOf(run).sampled, std::size_t(0));
    QVERIFY(!telemetryOf(run).smClockHz.known());
    steps[0].smClockHz = 1980e6;
    steps[1].smClockHz = 1200e6;
    steps[1].throttle = "power, thermal";
    steps[2].throttle = "power";
    steps[3].temperatureC = 71;
    const TelemetrySummary t = telemetryOf(run);
    QCOMPARE(t.steps, std::size_t(5));
    QCOMPARE(t.sampled, std::size_t(4));
    QCOMPARE(t.throttled, std::size_t(2));
    QVERIFY(t.reasons == (std::vector<std::string>{"power", "thermal"}));
    QCOMPARE(t.smClockHz.least, 1200e6);
    QCOMPARE(t.smClockHz.greatest, 1980e6);
    QCOMPARE(t.temperatureC.greatest, 71.0);
    QVERIFY(!t.powerWatts.known());
    const SweepRow row = sweepRows(run)[0];
    QCOMPARE(row.throttledSteps, std::size_t(2));
    QCOMPARE(row.smClockHz, (1980e6 + 1200e6) / 2);
    QCOMPARE(row.stepSeconds, run.points[0].stepSeconds); // of all five
}

void TestTables::graphFiguresStandInTheCalibration()
{
    RunRecord run = samples::calibrationRun();
    run.calibration->ceilings.graphStepOverhead = 0.25e-3;
    run.calibration->ceilings.graphNodeOverhead = 1.25e-6;
    const TextTable table = calibrationTable(run);
    QCOMPARE(table.rows.size(), std::size_t(4));
    QCOMPARE(table.rows[2][1], std::string("250 us"));
    QCOMPARE(table.rows[3][1], std::string("1.25 us"));
    // Where the samples tell them, once is enough.
    run.calibration->samples.push_back({"graph step overhead", "s", 0.25e-3, 0.25e-3, 0.01});
    run.calibration->samples.push_back({"graph node", "s", 1.25e-6, 1.25e-6, 0.01});
    QCOMPARE(calibrationTable(run).rows.size(), std::size_t(4));
}

void TestTables::csvFieldsAreQuoted_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("quoted");
    QTest::newRow("plain") << "plain text"
                           << "plain text";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("comma") << "a,b"
                           << "\"a,b\"";
    QTest::newRow("quote") << "a\"b"
                           << "\"a\"\"b\"";
    QTest::newRow("line end") << "a\nb"
                              << "\"a\nb\"";
    QTest::newRow("carriage return") << "a\rb"
                                     << "\"a\rb\"";
}

void TestTables::csvFieldsAreQuoted()
{
    QFETCH(QString, field);
    QFETCH(QString, quoted);
    QCOMPARE(QString::fromStdString(csvField(field.toStdString())), quoted);
}

void TestTables::ttftRecordIsComplete()
{
    const TextTable table = ttftTable(samples::ttftRun());
    const auto value = [&table](const std::string &item) {
        for (const auto &row : table.rows)
            if (row[0] == item)
                return row[1] + "; " + row[2];
        return std::string("absent");
    };
    QCOMPARE(value("Device"), std::string("NVIDIA T4; 2 threads"));
    QCOMPARE(value("Model and dtype"), std::string("TinyLlama 1.1B, fp16; random weights of this shape"));
    QCOMPARE(value("Prompt tokens"), std::string("200; "));
    QCOMPARE(value("New tokens N"), std::string("64; "));
    QVERIFY(value("TTFT, method 1").starts_with("48.0 ms"));
    QVERIFY(value("TTFT, method 3").starts_with("48.0 ms"));
    QVERIFY(value("TPOT, method 1").starts_with("17.0 ms"));
    QVERIFY(value("TPOT, method 2").starts_with("16.5 ms"));
    QVERIFY(value("TPOT, method 3").starts_with("16.0 ms"));
    QVERIFY(value("TPOT least, method 3").starts_with("14.4 ms"));
    QVERIFY(value("TPOT greatest, method 3").starts_with("24.0 ms"));
    QVERIFY(value("TTFT floor").starts_with("6.88 ms; memory-bound at 200 FLOP/B"));
    QVERIFY(value("TPOT floor").starts_with("6.89 ms; memory-bound"));
    // 16 ms over 6.89 ms
    QVERIFY(value("Ratio TPOT / floor").starts_with("2.32; " + std::string(ratioBandText(RatioBand::MemoryBound))));
    QCOMPARE(value("Tokens a second"), std::string("62.5 tok/s; the ceiling is 145 tok/s"));
    QCOMPARE(value("TTFT / TPOT"), std::string("3.00; 2 to 5 is expected"));
    QVERIFY(value("Cross-check").starts_with("6.2 %; 3 methods agree") ||
            value("Cross-check").starts_with("6.3 %; 3 methods agree"));
}

void TestTables::calibrationNamesTheByteConvention()
{
    const TextTable table = calibrationTable(samples::calibrationRun());
    QCOMPARE(table.rows.size(), std::size_t(4)); // and the two figures of a graph
    QCOMPARE(table.rows[0], (std::vector<std::string>{"read", "25.1 GB/s", "24.9 GB/s", "1.2 %", "bytes read"}));
    QCOMPARE(table.rows[1],
             (std::vector<std::string>{"copy", "18.2 GB/s", "18.0 GB/s", "-", "bytes read + bytes written"}));
}

void TestTables::markdownIsEscaped()
{
    const std::string text = toMarkdown({{"name", "n"}, {{"a|b <img> [x](y) *z* `q`\nnext & #", "1"}}});
    QCOMPARE(text,
             std::string("| name | n |\n| --- | ---: |\n| a\\|b \\<img\\> \\[x\\](y) \\*z\\* \\`q\\` next \\& \\# "
                         "| 1 |\n"));
}

void TestTables::textColumnsAlign()
{
    const std::string text = toText({{"batch", "why"}, {{"1", "größer"}, {"128", "-"}}});
    QCOMPARE(text, std::string("batch  why\n    1  größer\n  128  -\n"));
}

void TestTables::emptyRunsGiveNoRows()
{
    const RunRecord calibration = samples::calibrationRun(); // carries no model at all
    QVERIFY(sweepRows(calibration).empty());
    QVERIFY(sweepSummaries(calibration).empty());
    QVERIFY(ttftTable(calibration).rows.empty());
    QVERIFY(calibrationTable(samples::sweepRun()).rows.empty());
    QCOMPARE(csvRows(sweepCsv({})).size(), 1);
}

/// A measured run without a model comes only from an edited file; a fuzz program made one.
void TestTables::forecastsAreHeldAgainstModelsThatAreKnown()
{
    RunRecord run = samples::sweepRun();
    const std::size_t points = run.points.size();
    QCOMPARE(forecastErrors({run}).size(), points);
    run.plan.model.shape.layers = 0;
    QCOMPARE(forecastErrors({run}).size(), std::size_t(0));
    QCOMPARE(forecastErrors({run, samples::sweepRun()}).size(), points);
    run = samples::sweepRun();
    run.points[0].context = -0.0; // likewise
    QCOMPARE(forecastErrors({run}).size(), points);
}

QTEST_APPLESS_MAIN(TestTables)
#include "test_tables.moc"
