// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"

#include <QtTest>

#include <cstdlib>
#include <limits>
#include <locale>
#include <string>

using namespace ridgepoint;

namespace {
const double NaN = std::numeric_limits<double>::quiet_NaN();
const double Inf = std::numeric_limits<double>::infinity();
using Formatter = std::string (*)(double);

/// "1.234,5": the separators of a German locale, whether or not one is installed.
class CommaPoint : public std::numpunct<char> {
protected:
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};
} // namespace

Q_DECLARE_METATYPE(Formatter)

class TestFormat : public QObject {
    Q_OBJECT
private slots:
    void textOfValue_data();
    void textOfValue();
    void meanCounts_data();
    void meanCounts();
    void longTextsAreCutBetweenCharacters_data();
    void longTextsAreCutBetweenCharacters();
    void significantDigits_data();
    void significantDigits();
    void exactReadsBack_data();
    void exactReadsBack();
    void exactLeavesAGapForNaN();
    void localeChangesNothing();
};

void TestFormat::textOfValue_data()
{
    QTest::addColumn<Formatter>("formatter");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");

    QTest::newRow("bytes GB") << &format::bytes << 2.20576e9 << "2.21 GB";
    QTest::newRow("bytes KB") << &format::bytes << 22528.0 << "22.5 KB";
    QTest::newRow("bytes whole") << &format::bytes << 512.0 << "512 B";
    QTest::newRow("bytes one") << &format::bytes << 1.0 << "1 B";
    QTest::newRow("bytes half") << &format::bytes << 0.5 << "0.500 B";
    QTest::newRow("bytes zero") << &format::bytes << 0.0 << "0 B";
    QTest::newRow("bytes negative") << &format::bytes << -2.2e9 << "-2.20 GB";
    QTest::newRow("bytes decimal, not binary") << &format::bytes << 1024.0 << "1.02 KB";
    QTest::newRow("bytes below the next unit") << &format::bytes << 999.0 << "999 B";
    QTest::newRow("bytes rounding into the next unit") << &format::bytes << 999.7e6 << "1.00 GB";
    QTest::newRow("bytes beyond the last unit") << &format::bytes << 1.234e21 << "1230000 PB";
    QTest::newRow("bytes missing") << &format::bytes << NaN << "-";
    QTest::newRow("bytes infinite") << &format::bytes << Inf << "-";

    QTest::newRow("seconds ms") << &format::seconds << 6.875e-3 << "6.88 ms";
    QTest::newRow("seconds us") << &format::seconds << 34e-6 << "34.0 us";
    QTest::newRow("seconds s") << &format::seconds << 1.2 << "1.20 s";
    QTest::newRow("seconds ns") << &format::seconds << 5e-9 << "5.00 ns";
    QTest::newRow("seconds below the smallest unit") << &format::seconds << 5e-10 << "0.500 ns";
    QTest::newRow("seconds hour") << &format::seconds << 3600.0 << "3600 s";
    QTest::newRow("seconds zero") << &format::seconds << 0.0 << "0 s";
    QTest::newRow("seconds missing") << &format::seconds << NaN << "-";

    QTest::newRow("bandwidth GB/s") << &format::bandwidth << 320e9 << "320 GB/s";
    QTest::newRow("bandwidth TB/s") << &format::bandwidth << 4.67e12 << "4.67 TB/s";
    QTest::newRow("bandwidth missing") << &format::bandwidth << NaN << "-";
    QTest::newRow("flops") << &format::flops << 65e12 << "65.0 TFLOP/s";
    QTest::newRow("flops peta") << &format::flops << 1.979e15 << "1.98 PFLOP/s";
    QTest::newRow("flop") << &format::flop << 2.2e9 << "2.20 GFLOP";
    QTest::newRow("flop missing") << &format::flop << NaN << "-";
    QTest::newRow("intensity") << &format::intensity << 203.125 << "203 FLOP/B";
    QTest::newRow("intensity small") << &format::intensity << 0.9974 << "0.997 FLOP/B";
    QTest::newRow("intensity missing") << &format::intensity << NaN << "-";
    QTest::newRow("tokens/s rounds to three digits") << &format::tokensPerSecond << 6780.4 << "6780 tok/s";
    QTest::newRow("tokens/s small") << &format::tokensPerSecond << 61.85 << "61.9 tok/s";
    QTest::newRow("tokens/s missing") << &format::tokensPerSecond << NaN << "-";

    QTest::newRow("count") << &format::count << 1100048384.0 << "1,100,048,384";
    QTest::newRow("count three digits") << &format::count << 999.0 << "999";
    QTest::newRow("count four digits") << &format::count << 1000.0 << "1,000";
    QTest::newRow("count rounds") << &format::count << 97777.8 << "97,778";
    QTest::newRow("count zero") << &format::count << 0.0 << "0";
    QTest::newRow("count negative") << &format::count << -1234567.0 << "-1,234,567";
    QTest::newRow("count missing") << &format::count << NaN << "-";

    QTest::newRow("percent") << &format::percent << 0.157 << "15.7 %";
    QTest::newRow("percent zero") << &format::percent << 0.0 << "0.0 %";
    QTest::newRow("percent of rounding noise") << &format::percent << -1.1e-16 << "0.0 %";
    QTest::newRow("percent negative") << &format::percent << -0.032 << "-3.2 %";
    QTest::newRow("percent whole") << &format::percent << 1.0 << "100.0 %";
    QTest::newRow("percent missing") << &format::percent << NaN << "-";

    QTest::newRow("ratio") << &format::ratio << 1.3449 << "1.34";
    QTest::newRow("ratio large") << &format::ratio << 12.345 << "12.3";
    QTest::newRow("ratio missing") << &format::ratio << NaN << "-";
    // A quotient by nothing is no figure either.
    for (const double beyond : {Inf, -Inf}) {
        QTest::addRow("seconds %g", beyond) << &format::seconds << beyond << "-";
        QTest::addRow("intensity %g", beyond) << &format::intensity << beyond << "-";
        QTest::addRow("count %g", beyond) << &format::count << beyond << "-";
        QTest::addRow("percent %g", beyond) << &format::percent << beyond << "-";
        QTest::addRow("ratio %g", beyond) << &format::ratio << beyond << "-";
        QTest::addRow("exact %g", beyond) << &format::exact << beyond << "";
    }
}

void TestFormat::textOfValue()
{
    QFETCH(Formatter, formatter);
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(formatter(value)), text);
}

void TestFormat::meanCounts_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole") << 128.0 << "128";
    QTest::newRow("half") << 128.5 << "128.5";
    QTest::newRow("thousands") << 10240.25 << "10,240.3";
    QTest::newRow("rounds to whole") << 99.96 << "100";
    QTest::newRow("missing") << NaN << "-";
}

void TestFormat::meanCounts()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(format::meanCount(value)), text);
}

void TestFormat::longTextsAreCutBetweenCharacters_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("cut");
    QTest::newRow("short") << "abc" << 3 << "abc";
    QTest::newRow("empty") << "" << 0 << "";
    QTest::newRow("one too many") << "abcd" << 3 << "abc [... and 1 more characters]";
    QTest::newRow("characters, not bytes") << QString::fromUtf8("\u4e2d\u6587\u5b57") << 3 << QString::fromUtf8("\u4e2d\u6587\u5b57");
    QTest::newRow("between characters") << QString::fromUtf8("\u4e2d\u6587\u5b57") << 2 << QString::fromUtf8("\u4e2d\u6587 [... and 1 more characters]");
    QTest::newRow("long") << QString(2000, 'x') << 2 << "xx [... and 1,998 more characters]";
}

void TestFormat::longTextsAreCutBetweenCharacters()
{
    QFETCH(QString, text);
    QFETCH(int, most);
    QFETCH(QString, cut);
    QCOMPARE(QString::fromStdString(format::elided(text.toStdString(), std::size_t(most))), cut);
}

void TestFormat::significantDigits_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("digits");
    QTest::addColumn<QString>("text");
    QTest::newRow("rounds up across a power of ten") << 9.996 << 3 << "10.0";
    QTest::newRow("keeps zeros") << 2.2 << 3 << "2.20";
    QTest::newRow("pads whole digits") << 123456.0 << 3 << "123000";
    QTest::newRow("one digit") << 0.0678 << 1 << "0.07";
    QTest::newRow("smallest without exponent") << 1e-4 << 3 << "0.000100";
    QTest::newRow("below it") << 9.99e-5 << 3 << "9.99e-05";
    QTest::newRow("largest without exponent") << 1e9 << 3 << "1000000000";
    QTest::newRow("above it") << 1e10 << 3 << "1.00e+10";
    QTest::newRow("negative") << -0.5 << 2 << "-0.50";
    QTest::newRow("zero") << 0.0 << 3 << "0";
    QTest::newRow("negative zero") << -0.0 << 3 << "0";
    QTest::newRow("missing") << NaN << 3 << "-";
    QTest::newRow("infinite") << Inf << 3 << "-";
    QTest::newRow("digits below one count as one") << 6.78 << 0 << "7";
}

void TestFormat::significantDigits()
{
    QFETCH(double, value);
    QFETCH(int, digits);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(format::significant(value, digits)), text);
}

void TestFormat::exactReadsBack_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("tenth") << 0.1 << "0.1";
    QTest::newRow("sum of tenths") << 0.1 + 0.2 << "0.30000000000000004";
    QTest::newRow("whole") << 22528.0 << "22528";
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("negative") << -2.5 << "-2.5";
    QTest::newRow("smallest") << std::numeric_limits<double>::denorm_min() << "5e-324";
    QTest::newRow("largest") << std::numeric_limits<double>::max() << "1.7976931348623157e+308";
}

void TestFormat::exactReadsBack()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    const std::string written = format::exact(value);
    QCOMPARE(QString::fromStdString(written), text);
    QVERIFY(std::strtod(written.c_str(), nullptr) == value);
}

void TestFormat::exactLeavesAGapForNaN()
{
    QVERIFY(format::exact(NaN).empty());
}

void TestFormat::localeChangesNothing()
{
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
    const std::string bytes = format::bytes(2.20576e9);
    const std::string count = format::count(1100048384);
    const std::string exact = format::exact(1234.5);
    std::locale::global(before);
    QCOMPARE(bytes, std::string("2.21 GB"));
    QCOMPARE(count, std::string("1,100,048,384"));
    QCOMPARE(exact, std::string("1234.5"));
}

QTEST_APPLESS_MAIN(TestFormat)
#include "test_format.moc"
