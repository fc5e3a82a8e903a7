// SPDX-License-Identifier: GPL-3.0-or-later
#include "usage_error.h"

#include "core/analytic/decode_model.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace ridgepoint;

namespace {

const double NaN = std::numeric_limits<double>::quiet_NaN();

/// Twelve measured rows: weight GB and TPOT ms of Gemma 3, Qwen2.5 and Qwen3 models on one laptop.
const std::vector<double> WeightGb{0.54, 0.99, 1.07, 1.19, 1.98, 2.00, 2.38, 3.09, 3.44, 4.00, 6.17, 6.88};
const std::vector<double> TpotMs{7.09, 8.99, 9.17, 12.92, 14.89, 17.61, 19.81, 22.12, 26.20, 28.81, 41.07, 46.10};

QString fixed(double value, int decimals)
{
    return QString::number(value, 'f', decimals);
}

} // namespace

class TestStatistics : public QObject {
    Q_OBJECT
private slots:
    void lineOverTwelveModels();
    void lineInSiUnitsIsTheSameLine();
    void shareOfTimeThatReadsWeights();
    void twoPointsImplyMoreThanTheLaptopHas();
    void perfectLine();
    void flatLineHasNoR2();
    void farFromZero();
    void badLineIsRefused_data();
    void badLineIsRefused();
    void percentiles_data();
    void percentiles();
    void medianOfList_data();
    void medianOfList();
    void missingValuesShow();
    void badFractionIsRefused();
};

void TestStatistics::lineOverTwelveModels()
{
    const LineFit fit = fitLine(WeightGb, TpotMs);
    QCOMPARE(fixed(fit.slope, 3), QString("6.122"));
    QCOMPARE(fixed(fit.intercept, 2), QString("4.02"));
    QCOMPARE(fixed(fit.r2, 3), QString("0.992"));
    QCOMPARE(fixed(1e3 / fit.slope, 1), QString("163.3"));
}

void TestStatistics::lineInSiUnitsIsTheSameLine()
{
    std::vector<double> bytes, seconds;
    for (std::size_t i = 0; i < WeightGb.size(); ++i) {
        bytes.push_back(WeightGb[i] * 1e9);
        seconds.push_back(TpotMs[i] * 1e-3);
    }
    const LineFit fit = fitLine(bytes, seconds);
    QCOMPARE(fixed(fit.slope * 1e12, 3), QString("6.122"));
    QCOMPARE(fixed(fit.intercept * 1e3, 2), QString("4.02"));
    QCOMPARE(fixed(fit.r2, 3), QString("0.992"));
}

void TestStatistics::shareOfTimeThatReadsWeights()
{
    const LineFit fit = fitLine(WeightGb, TpotMs);
    const auto share = [&](double gb) { return fit.slope * gb / (fit.slope * gb + fit.intercept) * 100; };
    QCOMPARE(fixed(share(WeightGb.front()), 0), QString("45"));
    QCOMPARE(fixed(share(WeightGb.back()), 0), QString("91"));
}

void TestStatistics::twoPointsImplyMoreThanTheLaptopHas()
{
    // One model in two dtypes: the line through them implies a bandwidth above the laptop's 200 GB/s.
    const LineFit fit = fitLine({0.54, 1.07}, {7.09, 9.17});
    QCOMPARE(fixed(1e3 / fit.slope, 0), QString("255"));
    QCOMPARE(fixed(fit.r2, 6), QString("1.000000"));
}

void TestStatistics::perfectLine()
{
    const LineFit fit = fitLine({1, 2, 4}, {5, 7, 11});
    QCOMPARE(fit.slope, 2.0);
    QCOMPARE(fit.intercept, 3.0);
    QCOMPARE(fit.r2, 1.0);
}

void TestStatistics::flatLineHasNoR2()
{
    const LineFit fit = fitLine({1, 2, 3}, {5, 5, 5});
    QCOMPARE(fit.slope, 0.0);
    QCOMPARE(fit.intercept, 5.0);
    QVERIFY(std::isnan(fit.r2));
}

void TestStatistics::farFromZero()
{
    const LineFit fit = fitLine({1e10, 1e10 + 1, 1e10 + 2}, {1, 2, 3});
    QCOMPARE(fit.slope, 1.0);
    QCOMPARE(fit.r2, 1.0);
}

void TestStatistics::badLineIsRefused_data()
{
    QTest::addColumn<QVector<double>>("x");
    QTest::addColumn<QVector<double>>("y");
    QTest::addColumn<QString>("named");
    QTest::newRow("empty") << QVector<double>{} << QVector<double>{} << "at least two rows";
    QTest::newRow("one row") << QVector<double>{1} << QVector<double>{1} << "at least two rows";
    QTest::newRow("same x") << QVector<double>{2, 2, 2} << QVector<double>{1, 2, 3} << "different x";
    QTest::newRow("lengths") << QVector<double>{1, 2} << QVector<double>{1} << "2 x and 1 y";
    QTest::newRow("missing y") << QVector<double>{1, 2} << QVector<double>{1, NaN} << "missing";
    QTest::newRow("overflow") << QVector<double>{-1e308, 1e308} << QVector<double>{-1e308, 1e308} << "units";
}

void TestStatistics::badLineIsRefused()
{
    QFETCH(QVector<double>, x);
    QFETCH(QVector<double>, y);
    QFETCH(QString, named);
    const QString sentence = usageErrorOf([&] { (void)fitLine({x.begin(), x.end()}, {y.begin(), y.end()}); });
    QVERIFY2(sentence.contains(named), qPrintable(sentence));
}

void TestStatistics::percentiles_data()
{
    QTest::addColumn<double>("fraction");
    QTest::addColumn<double>("value");
    QTest::newRow("least") << 0.0 << 10.0;
    QTest::newRow("a tenth") << 0.1 << 14.0;
    QTest::newRow("quarter") << 0.25 << 20.0;
    QTest::newRow("between two") << 0.375 << 25.0;
    QTest::newRow("half") << 0.5 << 30.0;
    QTest::newRow("nine tenths") << 0.9 << 46.0;
    QTest::newRow("greatest") << 1.0 << 50.0;
}

void TestStatistics::percentiles()
{
    QFETCH(double, fraction);
    QFETCH(double, value);
    QCOMPARE(percentile({40, 10, 50, 20, 30}, fraction), value);
}

void TestStatistics::medianOfList_data()
{
    QTest::addColumn<QVector<double>>("values");
    QTest::addColumn<double>("value");
    QTest::newRow("one") << QVector<double>{3} << 3.0;
    QTest::newRow("odd, unsorted") << QVector<double>{9, 1, 5} << 5.0;
    QTest::newRow("even") << QVector<double>{4, 1, 2, 3} << 2.5;
    QTest::newRow("an outlier does not move it") << QVector<double>{1, 2, 3, 4, 1e9} << 3.0;
}

void TestStatistics::medianOfList()
{
    QFETCH(QVector<double>, values);
    QFETCH(double, value);
    QCOMPARE(median({values.begin(), values.end()}), value);
}

void TestStatistics::missingValuesShow()
{
    QVERIFY(std::isnan(median({})));
    QVERIFY(std::isnan(percentile({}, 0.9)));
    QVERIFY(std::isnan(median({1, NaN, 3})));
}

void TestStatistics::badFractionIsRefused()
{
    for (const double fraction : {-0.1, 1.1, NaN})
        QVERIFY(usageErrorOf([&] { (void)percentile({1, 2}, fraction); }).contains("from 0 to 1"));
}

QTEST_APPLESS_MAIN(TestStatistics)
#include "test_statistics.moc"
