// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/column_dialog.h"
#include "app/gui/language.h"
#include "tests/app/window_bench.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableWidget>

using namespace ridgepoint;
using namespace ridgepoint::test;

/// A CSV of other people's making is imported by what the user says of its columns.
class TestColumnDialog : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aTableWithOddHeadsIsImported();
    void whatIsLackingIsSaid();
    void aCancelledQuestionOpensNothing();
    void theNamedUnitIsTheOnlyOne();
    void aWholeFileFaultIsSaidInTheLanguage_data();
    void aWholeFileFaultIsSaidInTheLanguage();
};

namespace {

const char *const kOdd = "seqs,toks_in,lat,vram\n1,128,7.5,3.1\n4,128,8.0,3.3\n16,128,oops,3.9\n";

QString csvFile(Bench &bench, const char *text)
{
    const QString path = bench.path("odd.csv");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
        qFatal("no file");
    return path;
}

void choose(ColumnDialog &dialog, const char *box, const char *data)
{
    auto *found = dialog.findChild<QComboBox *>(QLatin1String(box));
    const int index = found->findData(QLatin1String(data));
    QVERIFY2(index >= 0, data);
    found->setCurrentIndex(index);
}

QString said(const ColumnDialog &dialog)
{
    return dialog.findChild<QLabel *>(QStringLiteral("columnSaid"))->text();
}

} // namespace

void TestColumnDialog::initTestCase()
{
    useHomeOfItsOwn();
}

void TestColumnDialog::aTableWithOddHeadsIsImported()
{
    Bench bench;
    const QString path = csvFile(bench, kOdd);
    ColumnDialog dialog({kOdd, path, bench.catalog.get()});
    auto *rows = dialog.findChild<QTableWidget *>(QStringLiteral("columnRows"));
    QCOMPARE(rows->rowCount(), 3);
    QCOMPARE(rows->item(1, 2)->text(), QStringLiteral("8.0"));
    choose(dialog, "columnBatch", "seqs");
    choose(dialog, "columnPrompt", "toks_in");
    choose(dialog, "columnTime", "lat");
    choose(dialog, "columnTimeUnit", "tpot_ms");
    choose(dialog, "columnPeak", "vram");
    choose(dialog, "columnPeakUnit", "peak_gb");
    choose(dialog, "columnModel", "tinyllama-1.1b");
    choose(dialog, "columnDevice", "t4");
    QVERIFY2(said(dialog).startsWith(QStringLiteral("2 rows would be imported, 1 left out.")), qPrintable(said(dialog)));
    QVERIFY2(said(dialog).contains(QStringLiteral("Line 4: 'oops' is not a number")), qPrintable(said(dialog)));
    QVERIFY(dialog.findChild<QPushButton *>(QStringLiteral("columnImport"))->isEnabled());
    bench.columnsAnswer = dialog.options();
    QVERIFY(bench.columnsAnswer);
    auto window = bench.window();
    QVERIFY(window->openSession(path));
    QCOMPARE(bench.columnsAsked, 1);
    const auto &runs = window->model()->session()->runs;
    QCOMPARE(runs.size(), std::size_t(1));
    QCOMPARE(runs.front().points.size(), std::size_t(2));
    QCOMPARE(runs.front().points[1].batch, 4);
    QCOMPARE(runs.front().points[1].prompt, 128);
    QCOMPARE(runs.front().points[1].stepSeconds, 0.008);
    QCOMPARE(runs.front().points[1].peakBytes, 3.3e9);
    QCOMPARE(runs.front().plan.model.shape.id, std::string("tinyllama-1.1b"));
    QCOMPARE(runs.front().plan.hardwareId, std::string("t4"));
}

void TestColumnDialog::whatIsLackingIsSaid()
{
    Bench bench;
    ColumnDialog dialog({kOdd, bench.path("odd.csv"), bench.catalog.get()});
    auto *import = dialog.findChild<QPushButton *>(QStringLiteral("columnImport"));
    QVERIFY(!import->isEnabled() && !dialog.options());
    QVERIFY2(said(dialog).contains(QStringLiteral("the batch, the prompt or context, the time a step")), qPrintable(said(dialog)));
    choose(dialog, "columnBatch", "seqs");
    choose(dialog, "columnPrompt", "\n"); // one number
    QVERIFY(said(dialog).contains(QStringLiteral("the time a step")) && !said(dialog).contains(QStringLiteral("the batch")));
    // A column that cannot be a batch: no row is left.
    choose(dialog, "columnTime", "lat");
    choose(dialog, "columnBatch", "vram");
    QVERIFY2(said(dialog).startsWith(QStringLiteral("No row can be used.")) && said(dialog).contains(QStringLiteral("Line 2: the batch is 3.1")),
             qPrintable(said(dialog)));
    QVERIFY(!import->isEnabled());
    dialog.accept();
    QCOMPARE(dialog.result(), int(QDialog::Rejected));
}

void TestColumnDialog::aCancelledQuestionOpensNothing()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(!window->openSession(csvFile(bench, kOdd)));
    QCOMPARE(bench.columnsAsked, 1);
    QVERIFY(window->model()->session()->runs.empty());
    QVERIFY(window->messages()->texts().isEmpty());
}

void TestColumnDialog::theNamedUnitIsTheOnlyOne()
{
    Bench bench;
    ImportOptions options;
    options.columns = {{"batch", "n"}, {"prompt", "p"}, {"tpot_us", "lat"}};
    // A head that is known for another unit of the same quantity does not go before the one that was named.
    const Import import = importResults("n,p,lat,tpot_s\n1,128,7500,99\n", "a.csv", options, *bench.catalog);
    QCOMPARE(import.runs.at(0).points.at(0).stepSeconds, 0.0075);
}

void TestColumnDialog::aWholeFileFaultIsSaidInTheLanguage_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("chinese");
    QTest::newRow("no rows") << QByteArray("a,b,c\n") << QStringLiteral("holds no decode step") << QStringLiteral("不含计时的解码步");
    QTest::newRow("no usable row") << QByteArray("a,b,c\n1,128,?\n") << QStringLiteral("Line 2: '?' is not a number") << QStringLiteral("第 2 行：“?”不是数");
}

void TestColumnDialog::aWholeFileFaultIsSaidInTheLanguage()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, english);
    QFETCH(QString, chinese);
    Bench bench;
    const auto saidIn = [&](const char *language) {
        useLanguage(QString::fromLatin1(language));
        ColumnDialog dialog({text.toStdString(), QStringLiteral("/7.csv"), bench.catalog.get()});
        for (const auto &[box, index] : {std::pair{"columnBatch", 1}, {"columnPrompt", 2}, {"columnTime", 3}})
            dialog.findChild<QComboBox *>(QLatin1String(box))->setCurrentIndex(index);
        return said(dialog);
    };
    const QString first = saidIn("en"), second = saidIn("zh_CN");
    useLanguage(QStringLiteral("en"));
    QVERIFY2(first.contains(english), qPrintable(first));
    QVERIFY2(second.contains(chinese), qPrintable(second));
    QString bare = second;
    bare.remove(QStringLiteral("/7.csv")).remove(QRegularExpression(QStringLiteral("UTF|JSON|CSV")));
    QVERIFY2(!bare.contains(QRegularExpression(QStringLiteral("[A-Za-z]{2}"))), qPrintable(second));
}

QTEST_MAIN(TestColumnDialog)
#include "tst_column_dialog.moc"
