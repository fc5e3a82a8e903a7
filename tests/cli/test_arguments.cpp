// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "app/cli/cli.h"
#include "app/cli/rows.h"
#include "core/base/error.h"

#include <limits>

#include <QtTest>

using namespace ridgepoint;

/// Flag values are read strictly, and the sentence names the flag and the value.
class TestArguments : public QObject
{
    Q_OBJECT

private slots:
    void wholeNumbersReadOrRefuse_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected"); // joined by '|'; empty: refused
        QTest::newRow("one") << "1" << "1";
        QTest::newRow("list") << "1,4,16" << "1|4|16";
        QTest::newRow("zero") << "0" << "";
        QTest::newRow("a trillion") << "1000000000000" << "";
        QTest::newRow("overflow") << "99999999999999999999" << "";
        QTest::newRow("text") << "four" << "";
        QTest::newRow("fraction") << "1.5" << "";
        QTest::newRow("negative") << "-1" << "";
        QTest::newRow("empty") << "" << "";
        QTest::newRow("trailing comma") << "1," << "";
        QTest::newRow("blank") << "1, 4" << "";
        QTest::newRow("twice") << "4,4" << "";
    }
    void wholeNumbersReadOrRefuse()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        try {
            QStringList got;
            for (const auto value : arguments::wholeNumbers("--batch", text.toStdString(), 1, 65536))
                got << QString::number(value);
            QCOMPARE(got.join('|'), expected);
            QVERIFY(!expected.isEmpty());
        } catch (const Error &fault) {
            QVERIFY2(expected.isEmpty(), fault.what());
            QCOMPARE(fault.exitCode(), 2);
            QVERIFY(QString(fault.what()).contains("--batch"));
        }
    }

    void anEmptyEntryShowsTheListAsTyped()
    {
        for (const char *typed : {",", "1,,4", "1,"})
            try {
                arguments::wholeNumbers("--batch", typed, 1, 65536);
                QFAIL(typed);
            } catch (const Error &fault) {
                QVERIFY2(QString(fault.what()).contains(QString("'%1'").arg(typed)), fault.what());
                QVERIFY2(!QString(fault.what()).contains("''"), fault.what());
            }
    }

    void numbersReadOrRefuse_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("good");
        QTest::addColumn<double>("value");
        QTest::newRow("exponent") << "270e9" << true << 270e9;
        QTest::newRow("small") << "8e-3" << true << 8e-3;
        QTest::newRow("nan") << "nan" << false << 0.0;
        QTest::newRow("inf") << "inf" << false << 0.0;
        QTest::newRow("unit") << "270GB" << false << 0.0;
        QTest::newRow("comma") << "2,7" << false << 0.0;
        QTest::newRow("negative") << "-1" << false << 0.0;
        QTest::newRow("too large") << "1e31" << false << 0.0;
        QTest::newRow("overflow") << "1e999" << false << 0.0;
    }
    void numbersReadOrRefuse()
    {
        QFETCH(QString, text);
        QFETCH(bool, good);
        QFETCH(double, value);
        try {
            const double got = arguments::number("--bandwidth", text.toStdString(), 1e-6, 1e30, "B/s, as in 270e9");
            QVERIFY(good);
            QCOMPARE(got, value);
        } catch (const Error &fault) {
            QVERIFY2(!good, fault.what());
            QVERIFY(QString(fault.what()).contains(text));
        }
    }

    void wordsOpenTheWindowOrTheCommandLine_data()
    {
        QTest::addColumn<QString>("argument");
        QTest::addColumn<bool>("commandLine");
        QTest::newRow("verb") << "sweep" << true;
        QTest::newRow("help") << "--help" << true;
        QTest::newRow("mistyped verb") << "swep" << true;
        QTest::newRow("session") << "run.json" << false;
        QTest::newRow("path") << "some/where" << false;
        QTest::newRow("qt flag") << "-platform" << false;
    }
    void wordsOpenTheWindowOrTheCommandLine()
    {
        QFETCH(QString, argument);
        QFETCH(bool, commandLine);
        QByteArray program("ridgepoint"), word(argument.toLocal8Bit());
        char *argv[] = {program.data(), word.data(), nullptr};
        QCOMPARE(isCommandLine(2, argv), commandLine);
    }

    void missingValuesAreNullAndEmpty()
    {
        const std::vector<Row> rows{{{"a", 1}, {"b", jsonNumber(std::numeric_limits<double>::quiet_NaN())}, {"c", "x,\"y\""}}};
        QVERIFY(rowsToJson(rows).find("\"b\": null") != std::string::npos);
        QCOMPARE(QString::fromStdString(rowsToCsv(rows)), QString("a,b,c\n1,,\"x,\"\"y\"\"\"\n"));
    }
};

QTEST_APPLESS_MAIN(TestArguments)
#include "test_arguments.moc"
