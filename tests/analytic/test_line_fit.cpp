// SPDX-License-Identifier: GPL-3.0-or-later
#include "usage_error.h"

#include "core/analytic/line_fit.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace ridgepoint;

namespace {

/// Twelve measured rows: weight GB and TPOT ms of Gemma 3, Qwen2.5 and Qwen3 models on one laptop of 200 GB/s.
std::vector<LinePoint> laptop()
{
    return {{"Gemma 3 270M", "gemma3", 0.54e9, 7.09e-3},  {"Qwen2.5 0.5B", "qwen2", 0.99e9, 8.99e-3},
            {"Gemma 3 270M", "gemma3", 1.07e9, 9.17e-3},  {"Qwen3 0.6B", "qwen3", 1.19e9, 12.92e-3},
            {"Qwen2.5 0.5B", "qwen2", 1.98e9, 14.89e-3},  {"Gemma 3 1B", "gemma3", 2.00e9, 17.61e-3},
            {"Qwen3 0.6B", "qwen3", 2.38e9, 19.81e-3},    {"Qwen2.5 1.5B", "qwen2", 3.09e9, 22.12e-3},
            {"Qwen3 1.7B", "qwen3", 3.44e9, 26.20e-3},    {"Gemma 3 1B", "gemma3", 4.00e9, 28.81e-3},
            {"Qwen2.5 1.5B", "qwen2", 6.17e9, 41.07e-3},  {"Qwen3 1.7B", "qwen3", 6.88e9, 46.10e-3}};
}

QString fixed(double value, int decimals)
{
    return QString::number(value, 'f', decimals);
}

bool close(double value, double wanted, double relative)
{
    return std::abs(value - wanted) <= relative * std::abs(wanted);
}

} // namespace

class TestLineFit : public QObject {
    Q_OBJECT
private slots:
    void theTwelveRows()
    {
        const ModelLine line = fitModelLine(laptop());
        QVERIFY(line.all.identifiable);
        QVERIFY2(line.all.problem.empty(), line.all.problem.c_str());
        QCOMPARE(fixed(line.all.slope * 1e12, 3), QString("6.122"));
        QCOMPARE(fixed(line.all.intercept * 1e3, 2), QString("4.02"));
        QCOMPARE(fixed(line.all.bandwidth / 1e9, 1), QString("163.3"));
        QCOMPARE(fixed(line.all.r2, 3), QString("0.992"));
        QCOMPARE(fixed(line.rows.front().readingShare * 100, 0), QString("45"));
        QCOMPARE(fixed(line.rows.back().readingShare * 100, 0), QString("91"));
        QCOMPARE(line.families.size(), std::size_t(3));
        QCOMPARE(line.models.size(), std::size_t(6));
        for (const NamedLine &family : line.families)
            QCOMPARE(family.line.points, std::size_t(4));
        double sum = 0;
        for (const LineRowFigures &row : line.rows)
            sum += row.residualSeconds;
        QVERIFY(std::abs(sum) < 1e-12); // least squares leaves no mean
    }

    /// Worked out by hand with t(10 degrees, 97.5 %) = 2.2281 from printed tables.
    void theIntervals()
    {
        const LineEstimate line = fitModelLine(laptop()).all;
        QVERIFY(close(line.quantile, 2.228139, 1e-6));
        double mean = 0, sxx = 0, squares = 0;
        for (const LinePoint &p : laptop())
            mean += p.weightBytes / 12;
        for (const LinePoint &p : laptop()) {
            sxx += std::pow(p.weightBytes - mean, 2);
            squares += std::pow(p.tpotSeconds - (line.slope * p.weightBytes + line.intercept), 2);
        }
        const double s = std::sqrt(squares / 10);
        const double slopeHalf = 2.228139 * s / std::sqrt(sxx);
        const double interceptHalf = 2.228139 * s * std::sqrt(1.0 / 12 + mean * mean / sxx);
        QVERIFY(close(line.slopeInterval->high - line.slope, slopeHalf, 1e-6));
        QVERIFY(close(line.slope - line.slopeInterval->low, slopeHalf, 1e-6));
        QVERIFY(close(line.interceptInterval->high - line.intercept, interceptHalf, 1e-6));
        QVERIFY(close(line.bandwidthInterval->low, 1 / (line.slope + slopeHalf), 1e-6));
        QVERIFY(close(line.bandwidthInterval->high, 1 / (line.slope - slopeHalf), 1e-6));
        QVERIFY(line.r2Interval->low < line.r2 && line.r2 < line.r2Interval->high && line.r2Interval->high < 1);
        // The band is narrowest at the mean weight, where it is t s / sqrt(n), and meets the intercept's at zero.
        const Interval middle = *line.bandAt(mean);
        QVERIFY(close((middle.high - middle.low) / 2, 2.228139 * s / std::sqrt(12.0), 1e-6));
        QVERIFY(close(line.bandAt(0)->high, line.interceptInterval->high, 1e-9));
        QVERIFY(line.bandAt(7e9)->high - line.bandAt(7e9)->low > middle.high - middle.low);
    }

    void theGemmaPairIsFlagged()
    {
        const ModelLine line = fitModelLine(laptop());
        const NamedLine &pair = line.models.front();
        QCOMPARE(pair.name, std::string("Gemma 3 270M"));
        QCOMPARE(pair.line.points, std::size_t(2));
        QCOMPARE(fixed(pair.line.bandwidth / 1e9, 0), QString("255"));
        QVERIFY(std::isnan(pair.line.r2));
        QVERIFY(!pair.line.slopeInterval && !pair.line.bandAt(1e9) && !pair.line.bandwidthInterval);
        QVERIFY(pair.line.problem.find("not identifiable") != std::string::npos);
        const std::vector<BandwidthFlag> flags = bandwidthFlags(line, 200e9);
        QCOMPARE(flags.size(), std::size_t(1));
        QVERIFY(flags.front().of == BandwidthFlag::Of::Model);
        QCOMPARE(flags.front().name, std::string("Gemma 3 270M"));
        QVERIFY(!flags.front().beyondInterval);
        QVERIFY(bandwidthFlags(line, 300e9).empty());
        QVERIFY(bandwidthFlags(line, 0).empty()); // no ceiling is known
        QVERIFY(bandwidthFlags(line, std::numeric_limits<double>::quiet_NaN()).empty());
        // Below everything that the rows imply, the overall line is flagged too, and beyond its scatter.
        const std::vector<BandwidthFlag> low = bandwidthFlags(line, 100e9);
        QVERIFY(low.front().of == BandwidthFlag::Of::All && low.front().beyondInterval);
    }

    void tooFewRowsAreToldInWords_data()
    {
        QTest::addColumn<QList<double>>("weights");
        QTest::addColumn<bool>("identifiable");
        QTest::addColumn<QString>("told");
        QTest::newRow("none") << QList<double>{} << false << "no measured row";
        QTest::newRow("one") << QList<double>{1e9} << false << "one row";
        QTest::newRow("equal weights") << QList<double>{1e9, 1e9, 1e9} << false << "same weight";
        QTest::newRow("two") << QList<double>{1e9, 2e9} << true << "third weight";
    }
    void tooFewRowsAreToldInWords()
    {
        QFETCH(QList<double>, weights);
        QFETCH(bool, identifiable);
        QFETCH(QString, told);
        std::vector<LinePoint> points;
        for (const double weight : weights)
            points.push_back({"m", "f", weight, 1e-3 + weight * 1e-11 * double(points.size() + 1)});
        const ModelLine line = fitModelLine(points);
        QCOMPARE(line.all.identifiable, identifiable);
        QVERIFY2(line.all.problem.find(told.toStdString()) != std::string::npos, line.all.problem.c_str());
        QVERIFY(!line.all.slopeInterval && !line.all.interceptInterval && !line.all.bandAt(1e9));
        for (const LineRowFigures &row : line.rows)
            QCOMPARE(std::isfinite(row.predictedSeconds), identifiable);
    }

    void aSlopeThatReachesZeroHasNoUpperBandwidth()
    {
        const LineEstimate noisy =
            estimateLine({{"a", "", 1e9, 5e-3}, {"b", "", 2e9, 9e-3}, {"c", "", 3e9, 6e-3}, {"d", "", 4e9, 9e-3}});
        QVERIFY(noisy.slope > 0 && noisy.slopeInterval->low < 0);
        QVERIFY(std::isinf(noisy.bandwidthInterval->high));
        QVERIFY(noisy.bandwidthInterval->low > 0);
        QVERIFY(noisy.r2Interval->low == 0);
        const LineEstimate falling = estimateLine({{"a", "", 1e9, 5e-3}, {"b", "", 2e9, 4e-3}, {"c", "", 3e9, 3e-3}});
        QVERIFY(std::isnan(falling.bandwidth));
        QVERIFY(!falling.bandwidthInterval);
    }

    void aNegativeFixedCostLeavesNoShare()
    {
        const ModelLine line = fitModelLine({{"a", "", 1e9, 1e-3}, {"b", "", 2e9, 4e-3}, {"c", "", 3e9, 7.1e-3}});
        QVERIFY(line.all.intercept < 0);
        for (const LineRowFigures &row : line.rows)
            QVERIFY(std::isfinite(row.residualSeconds) && std::isnan(row.readingShare));
    }

    void oneModelAloneIsItsFamilysLine()
    {
        // The family f is one model: its flag is told once.
        const std::vector<LinePoint> points{{"a", "f", 1e9, 5e-3},  {"a", "f", 2e9, 6e-3}, {"b", "g", 1e9, 5e-3},
                                            {"b", "g", 2e9, 15e-3}, {"c", "g", 4e9, 35e-3}};
        const std::vector<BandwidthFlag> flags = bandwidthFlags(fitModelLine(points), 500e9);
        QCOMPARE(flags.size(), std::size_t(1));
        QVERIFY(flags.front().of == BandwidthFlag::Of::Family && flags.front().name == "f");
    }

    void aPerfectLineHasNoWidth()
    {
        const LineEstimate line = estimateLine({{"a", "", 1e9, 3e-3}, {"b", "", 2e9, 5e-3}, {"c", "", 4e9, 9e-3}});
        QVERIFY(close(line.slope, 2e-12, 1e-9));
        QVERIFY(close(line.intercept, 1e-3, 1e-9));
        QVERIFY(line.slopeInterval->high - line.slopeInterval->low < 1e-20);
        QCOMPARE(fixed(line.bandwidth / 1e9, 1), QString("500.0"));
    }

    void badRowsAreRefused_data()
    {
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("tpot");
        const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
        QTest::newRow("no weight") << 0.0 << 1e-3;
        QTest::newRow("negative time") << 1e9 << -1e-3;
        QTest::newRow("missing time") << 1e9 << nan;
        QTest::newRow("endless weight") << inf << 1e-3;
    }
    void badRowsAreRefused()
    {
        QFETCH(double, weight);
        QFETCH(double, tpot);
        const QString told = usageErrorOf([&] { fitModelLine({{"Odd 1B", "f", weight, tpot}}); });
        QVERIFY2(told.contains("Odd 1B"), qPrintable(told));
    }

    void smallWeightsMayBeCached()
    {
        QVERIFY(mayBeCached(100e6, 50e6));
        QVERIFY(!mayBeCached(200e6, 50e6));
        QVERIFY(!mayBeCached(1, 0));
        QVERIFY(!mayBeCached(1, std::numeric_limits<double>::quiet_NaN()));
    }
};

QTEST_APPLESS_MAIN(TestLineFit)
#include "test_line_fit.moc"
