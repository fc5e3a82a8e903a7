// SPDX-License-Identifier: GPL-3.0-or-later
// The published figures of the course and the blog post that the textbook accounting must reproduce, each compared in
// the rounding it was printed in.
#include "shapes.h"

#include "core/analytic/decode_model.h"
#include "core/base/format.h"

#include <QtTest>

using namespace ridgepoint;

namespace {

const Ceilings T4{320e9, 65e12, 0, 16e9};
const Ceilings A100_40{2039e9, 312e12, 0, 40e9};
const Ceilings A100_80{2039e9, 312e12, 0, 80e9};
/// The measured ceilings of the batch sweep.
const Ceilings T4Measured{270e9, 50e12, 8e-3, 16e9};
const double MeasuredRidge = 185;

/// The figures were worked out with round numbers: 1.1e9 parameters, 22.5 KB of KV per token.
Workload roundTinyLlama(double kvBytes = 22.5e3)
{
    return makeWorkload(shapes::tinyLlama(), DType::F16, Accounting::Textbook, {1.1e9, 2.2e9, kvBytes});
}

/// 13.5 GB of weights, 512 KB of KV per token.
Workload roundLlama2()
{
    return makeWorkload(shapes::llama2_7b(), DType::F16, Accounting::Textbook, {6.75e9, 13.5e9, 512e3});
}

Workload derived(const ModelShape &shape)
{
    return makeWorkload(shape, DType::F16, Accounting::Textbook);
}

/// Rounds `value` to the decimals of `printed`; where `printed` ends in zeros before the point ("3650", "98000"), to
/// its significant digits.
QString inTheRoundingOf(const QString &printed, double value, int digits)
{
    if (digits > 0)
        return QString::fromStdString(format::significant(value, digits));
    const int point = static_cast<int>(printed.indexOf('.'));
    return QString::number(value, 'f', point < 0 ? 0 : static_cast<int>(printed.size()) - point - 1);
}

double threeDigits(double value)
{
    return std::strtod(format::significant(value, 3).c_str(), nullptr);
}

} // namespace

class TestSpecFigures : public QObject {
    Q_OBJECT
private slots:
    void figure_data();
    void figure();
    void shortContextRow_data();
    void shortContextRow();
    void longContextRow_data();
    void longContextRow();
    void ridgeIsNeverReached_data();
    void ridgeIsNeverReached();
    void prefillBoundIsDecidedByTheNumber_data();
    void prefillBoundIsDecidedByTheNumber();
    void everySweepStepIsMemoryBound();
    void firstDepartureComesEarlierAtLongContext();
    void llamaBatch128DoesNotFit();
    void tinyLlamaBatch128Fits();
};

void TestSpecFigures::figure_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("printed");
    QTest::addColumn<int>("digits"); // significant digits printed; 0: as many decimals as printed
    const auto row = [](const char *name, double value, const char *printed, int digits = 0) {
        QTest::newRow(name) << value << QString(printed) << digits;
    };

    const Workload tiny = roundTinyLlama();
    const Workload tinyNoKv = roundTinyLlama(0); // the floors of the first course day leave the KV cache out
    const StepPrediction floor = predictStep(tinyNoKv, T4, 1, 200);
    row("TinyLlama T4 TPOT floor, ms", floor.floorSeconds() * 1e3, "6.9");
    row("TinyLlama T4 tok/s", floor.tokensPerSecond, "145");
    row("TinyLlama T4 compute, ms", floor.computeSeconds * 1e3, "0.034");
    row("TinyLlama W, GB", derived(shapes::tinyLlama()).weightBytes / 1e9, "2.2");
    row("TinyLlama T4 TPOT floor from the shape, ms",
        predictStep(derived(shapes::tinyLlama()), T4, 1, 200).stepSeconds * 1e3, "6.9");
    row("TinyLlama kv, B", kvBytesPerToken(shapes::tinyLlama(), DType::F16), "22528");
    row("TinyLlama kv, KB", kvBytesPerToken(shapes::tinyLlama(), DType::F16) / 1e3, "22.5");
    row("context where KV weighs as much as the weights", contextWhereKvEqualsWeights(tiny), "98000", 2);
    row("T4 ridge", T4.ridge(), "203");
    row("A100 ridge", A100_40.ridge(), "153");
    row("measured T4 ridge", T4Measured.ridge(), "185");

    const PrefillPrediction short1 = predictPrefill(tiny, T4, 1, 200);
    row("TTFT p=200 compute, ms", short1.computeSeconds * 1e3, "6.8");
    row("TTFT p=200 weights, ms", short1.memorySeconds * 1e3, "6.9");
    row("TTFT p=200 floor, ms", short1.floorSeconds * 1e3, "7");
    row("TTFT p=200 intensity", short1.intensity, "200");
    row("TTFT p=2000 floor, ms", predictPrefill(tiny, T4, 1, 2000).floorSeconds * 1e3, "68");
    row("TTFT p=2000 intensity", predictPrefill(tiny, T4, 1, 2000).intensity, "2000");
    row("batch 8 TTFT floor, ms", predictPrefill(tiny, T4, 8, 200).floorSeconds * 1e3, "54");
    row("batch 8 prefill intensity", predictPrefill(tiny, T4, 8, 200).intensity, "1600");
    row("batch 8 TPOT floor, ms", predictStep(tinyNoKv, T4, 8, 200).floorSeconds() * 1e3, "6.9");
    row("batch 8 tok/s", predictStep(tinyNoKv, T4, 8, 200).tokensPerSecond, "1160", 3);
    row("batch where compute overtakes memory", batchAtRidgeWithoutKv(tiny, T4.ridge()), "203");

    row("Qwen2.5-0.5B T4 floor, ms", predictStep(derived(shapes::qwen25_05b()), T4, 1, 1).floorSeconds() * 1e3, "3.1");
    row("TinyLlama A100 floor, ms", predictStep(tinyNoKv, A100_40, 1, 1).floorSeconds() * 1e3, "1.1");
    row("Llama-2-7B A100 floor, ms", predictStep(roundLlama2(), A100_40, 1, 1).floorSeconds() * 1e3, "6.6");
    row("Llama-2-7B A100 floor from the shape, ms",
        predictStep(derived(shapes::llama2_7b()), A100_40, 1, 1).floorSeconds() * 1e3, "6.6");
    row("Llama-2-7B W, GB", derived(shapes::llama2_7b()).weightBytes / 1e9, "13.5");
    row("Llama-2-7B kv, KiB", kvBytesPerToken(shapes::llama2_7b(), DType::F16) / 1024, "512");

    row("AI_max TinyLlama n=256", maxIntensity(tiny, 256), "382");
    row("AI_max TinyLlama n=2048", maxIntensity(tiny, 2048), "48");
    row("AI_max Llama-2-7B n=256", maxIntensity(roundLlama2(), 256), "103");
    row("AI_max Llama-2-7B n=2048", maxIntensity(roundLlama2(), 2048), "12.9");
    row("b* n=256 at the measured ridge", batchAtRidge(tiny, MeasuredRidge, 256).value_or(-1), "360", 2);

    row("Llama-2-7B KV of 128 x 2048, GiB", 128 * derived(shapes::llama2_7b()).kvResidentBytes(2048) / (1 << 30),
        "128");
    // "80 GB less weights and the rest leaves about 64 GB": 2.5 GB of workspace.
    row("Llama-2-7B A100 80 GB capacity n=2048",
        capacity(derived(shapes::llama2_7b()), A100_80.memory, 2048, 2.5e9).value_or(-1), "60", 1);

    const double first = predictStep(tiny, T4Measured, 1, 256).stepSeconds;
    const double last = predictStep(tiny, T4Measured, 128, 256).stepSeconds;
    row("step growth n=256 b=1 to 128, %", (last / first - 1) * 100, "17");
}

void TestSpecFigures::figure()
{
    QFETCH(double, value);
    QFETCH(QString, printed);
    QFETCH(int, digits);
    QCOMPARE(inTheRoundingOf(printed, value, digits), printed);
}

void TestSpecFigures::shortContextRow_data()
{
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("gigabytes");
    QTest::addColumn<QString>("memoryMs");
    QTest::addColumn<QString>("computeMs");
    QTest::addColumn<QString>("stepMs");
    QTest::addColumn<QString>("tokens");
    QTest::addColumn<QString>("intensity");
    QTest::newRow("1") << 1 << "2.21"
                       << "8.2"
                       << "0.04"
                       << "16.2"
                       << "62"
                       << "1.0";
    QTest::newRow("4") << 4 << "2.22"
                       << "8.2"
                       << "0.18"
                       << "16.2"
                       << "246"
                       << "4.0";
    QTest::newRow("16") << 16 << "2.29"
                        << "8.5"
                        << "0.70"
                        << "16.5"
                        << "970"
                        << "15";
    QTest::newRow("64") << 64 << "2.57"
                        << "9.5"
                        << "2.8"
                        << "17.5"
                        << "3650"
                        << "55";
    QTest::newRow("128") << 128 << "2.94"
                         << "10.9"
                         << "5.6"
                         << "18.9"
                         << "6780"
                         << "96";
}

void TestSpecFigures::shortContextRow()
{
    QFETCH(int, batch);
    QFETCH(QString, gigabytes);
    QFETCH(QString, memoryMs);
    QFETCH(QString, computeMs);
    QFETCH(QString, stepMs);
    QFETCH(QString, tokens);
    QFETCH(QString, intensity);
    const StepPrediction step = predictStep(roundTinyLlama(), T4Measured, batch, 256);
    QCOMPARE(inTheRoundingOf(gigabytes, step.bytes / 1e9, 0), gigabytes);
    QCOMPARE(inTheRoundingOf(memoryMs, step.memorySeconds * 1e3, 0), memoryMs);
    QCOMPARE(inTheRoundingOf(computeMs, step.computeSeconds * 1e3, 0), computeMs);
    QCOMPARE(inTheRoundingOf(stepMs, step.stepSeconds * 1e3, 0), stepMs);
    QCOMPARE(inTheRoundingOf(tokens, step.tokensPerSecond, batch == 1 ? 2 : 3), tokens);
    QCOMPARE(inTheRoundingOf(intensity, step.intensity, 0), intensity);
}

void TestSpecFigures::longContextRow_data()
{
    QTest::addColumn<int>("batch");
    QTest::addColumn<QString>("gigabytes");
    QTest::addColumn<QString>("stepMs");
    QTest::addColumn<QString>("tokens");
    QTest::addColumn<QString>("departurePercent");
    QTest::addColumn<QString>("intensity");
    QTest::newRow("1") << 1 << "2.25"
                       << "16.3"
                       << "61"
                       << "0"
                       << "1.0";
    QTest::newRow("4") << 4 << "2.38"
                       << "16.8"
                       << "238"
                       << "3"
                       << "3.7";
    QTest::newRow("16") << 16 << "2.94"
                        << "18.9"
                        << "848"
                        << "13"
                        << "12";
    QTest::newRow("64") << 64 << "5.15"
                        << "27.1"
                        << "2360"
                        << "40"
                        << "27";
    QTest::newRow("128") << 128 << "8.10"
                         << "38.0"
                         << "3370"
                         << "57"
                         << "35";
}

void TestSpecFigures::longContextRow()
{
    QFETCH(int, batch);
    QFETCH(QString, gigabytes);
    QFETCH(QString, stepMs);
    QFETCH(QString, tokens);
    QFETCH(QString, departurePercent);
    QFETCH(QString, intensity);
    const std::vector<SweepPrediction> rows = predictSweep(roundTinyLlama(), T4Measured, {1, 4, 16, 64, 128}, 2048);
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const SweepPrediction &r) { return r.step.batch == batch; });
    QVERIFY(row != rows.end());
    QCOMPARE(inTheRoundingOf(gigabytes, row->step.bytes / 1e9, 0), gigabytes);
    QCOMPARE(inTheRoundingOf(stepMs, row->step.stepSeconds * 1e3, 0), stepMs);
    QCOMPARE(inTheRoundingOf(tokens, row->step.tokensPerSecond, batch == 1 ? 2 : 3), tokens);
    QCOMPARE(inTheRoundingOf(intensity, row->step.intensity, 0), intensity);
    // The printed departure was taken from the printed columns, tok/s and linear, both of three digits.
    const double fromPrinted = departure(threeDigits(row->step.tokensPerSecond), threeDigits(row->linear));
    QCOMPARE(inTheRoundingOf(departurePercent, fromPrinted * 100, 0), departurePercent);
    QVERIFY(qAbs(row->departure * 100 - departurePercent.toDouble()) < 0.6);
}

void TestSpecFigures::ridgeIsNeverReached_data()
{
    QTest::addColumn<bool>("llama");
    QTest::addColumn<double>("ridge");
    QTest::addColumn<double>("context");
    QTest::addColumn<bool>("never");
    QTest::newRow("TinyLlama n=2048 measured") << false << MeasuredRidge << 2048.0 << true;
    QTest::newRow("TinyLlama n=2048 nominal") << false << T4.ridge() << 2048.0 << true;
    QTest::newRow("TinyLlama n=256 measured") << false << MeasuredRidge << 256.0 << false;
    QTest::newRow("Llama-2-7B n=256 A100") << true << A100_80.ridge() << 256.0 << true;
    QTest::newRow("Llama-2-7B n=2048 A100") << true << A100_80.ridge() << 2048.0 << true;
}

void TestSpecFigures::ridgeIsNeverReached()
{
    QFETCH(bool, llama);
    QFETCH(double, ridge);
    QFETCH(double, context);
    QFETCH(bool, never);
    const Workload workload = llama ? roundLlama2() : roundTinyLlama();
    QCOMPARE(!batchAtRidge(workload, ridge, context).has_value(), never);
    QCOMPARE(maxIntensity(workload, context) <= ridge, never);
}

void TestSpecFigures::prefillBoundIsDecidedByTheNumber_data()
{
    QTest::addColumn<double>("prompt");
    QTest::addColumn<bool>("compute");
    QTest::newRow("200: just below the ridge of 203") << 200.0 << false;
    QTest::newRow("204: just above it") << 204.0 << true;
    QTest::newRow("2000") << 2000.0 << true;
}

void TestSpecFigures::prefillBoundIsDecidedByTheNumber()
{
    QFETCH(double, prompt);
    QFETCH(bool, compute);
    QCOMPARE(predictPrefill(roundTinyLlama(), T4, 1, prompt).bound == Bound::Compute, compute);
}

void TestSpecFigures::everySweepStepIsMemoryBound()
{
    for (const double context : {256.0, 2048.0}) {
        for (const SweepPrediction &row : predictSweep(roundTinyLlama(), T4Measured, {1, 4, 16, 64, 128}, context))
            QVERIFY(row.step.bound == Bound::Memory);
    }
}

void TestSpecFigures::firstDepartureComesEarlierAtLongContext()
{
    const auto sweep = [](double context) {
        return predictSweep(roundTinyLlama(), T4Measured, {1, 4, 16, 64, 128}, context);
    };
    QCOMPARE(firstDeparture(sweep(256)).value_or(-1), 64.0);
    QCOMPARE(firstDeparture(sweep(2048)).value_or(-1), 16.0);
}

void TestSpecFigures::llamaBatch128DoesNotFit()
{
    const std::vector<SweepPrediction> rows =
        predictSweep(derived(shapes::llama2_7b()), A100_80, {1, 16, 60, 128}, 2048);
    QCOMPARE(rows[2].fits, true);
    QCOMPARE(rows[3].fits, false);
    // (80e9 - 13,476,831,232) / (2048 x 524,288)
    QCOMPARE(rows[0].capacity.value_or(-1), 61.0);
    QCOMPARE(capacity(roundLlama2(), 80e9, 2048, 2.5e9).value_or(-1), 61.0); // 64 GB / 1.05 GB
}

void TestSpecFigures::tinyLlamaBatch128Fits()
{
    const std::vector<SweepPrediction> rows = predictSweep(roundTinyLlama(), T4Measured, {128}, 2048);
    QVERIFY(rows[0].fits);
    QCOMPARE(inTheRoundingOf("8.1", rows[0].step.bytes / 1e9, 0), QString("8.1"));
}

QTEST_APPLESS_MAIN(TestSpecFigures)
#include "test_spec_figures.moc"
