// SPDX-License-Identifier: GPL-3.0-or-later
// Every chart against its picture in tests/fixtures/golden, in both themes and languages. With RIDGEPOINT_REFRESH_GOLDEN set it writes
// the pictures in place of comparing (target refresh_golden).
#include "core/session/compare.h"
#include "tests/widgets/charts_fixture.h"
#include "widgets/comparison_chart.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QLocale>
#include <QTest>
#include <QTranslator>

#include <algorithm>
#include <cstdlib>

using namespace ridgepoint;

namespace {

constexpr QSize Size(480, 320);
/// A pixel differs where a channel does by more than this: less is rounding in the blending of soft edges.
constexpr int ChannelTolerance = 32;
/// Of 153,600 pixels. The smallest mark of a chart has some 40, so a mark that moves or changes its colour is seen.
constexpr int PixelTolerance = 15;

struct Chart {
    const char *name;
    ChartView *(*make)(WorkbenchModel *, QWidget *);
    Session (*session)();
};
ChartView *makeComparisonChart(WorkbenchModel *model, QWidget *parent)
{
    auto *chart = new ComparisonChart(model, parent);
    chart->setComparison({QStringLiteral("before.json"), QStringLiteral("after.json")}, compareSessions(fixture::comparedSessions()));
    return chart;
}

const Chart Charts[] = {
    {"roofline", makeRooflineChart, [] { return fixture::sweepSession(); }},
    {"throughput", makeThroughputChart, [] { return fixture::sweepSession(); }},
    {"latency", makeLatencyChart, [] { return fixture::sweepSession(); }},
    {"time-account", makeTimeAccountChart, [] { return fixture::sweepSession(); }},
    {"frontier", makeFrontierChart, [] { return fixture::sweepSession(); }},
    {"anatomy", makeAnatomyChart, [] { return fixture::anatomySession(); }},
    {"line", makeLineChart, [] { return fixture::lineSession(); }},
    {"comparison", makeComparisonChart, [] { return fixture::sweepSession(); }},
};

int differingPixels(const QImage &one, const QImage &other)
{
    int count = 0;
    for (int y = 0; y < one.height(); ++y) {
        const auto *a = reinterpret_cast<const QRgb *>(one.constScanLine(y));
        const auto *b = reinterpret_cast<const QRgb *>(other.constScanLine(y));
        for (int x = 0; x < one.width(); ++x)
            count += std::max({std::abs(qRed(a[x]) - qRed(b[x])), std::abs(qGreen(a[x]) - qGreen(b[x])),
                               std::abs(qBlue(a[x]) - qBlue(b[x]))}) > ChannelTolerance;
    }
    return count;
}

} // namespace

class ChartsGoldenTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void chartsLookAsTheyDid_data();
    void chartsLookAsTheyDid();
    void anotherColourIsSeen_data();
    void anotherColourIsSeen();

private:
    static QImage drawn(const Chart &chart, const ChartTheme &theme);
};

QImage ChartsGoldenTest::drawn(const Chart &chart, const ChartTheme &theme)
{
    WorkbenchModel model;
    WhatIf values = fixture::whatIf(true);
    values.measured = fixture::t4Timed();
    model.setWhatIf(values);
    model.setSession(std::make_shared<const Session>(chart.session()));
    const std::unique_ptr<ChartView> view(chart.make(&model, nullptr));
    view->setTheme(theme);
    return view->toImage(Size, 1).convertToFormat(QImage::Format_RGB32);
}

void ChartsGoldenTest::initTestCase()
{
    if (QT_VERSION_MAJOR != 6 || QT_VERSION_MINOR != 4)
        QSKIP("The pictures were drawn by Qt 6.4; other versions set text in other pixels.");
    QVERIFY2(fixture::pinFont(), "The font DejaVu Sans is missing; install fonts-dejavu-core.");
    // No other font stands in for what DejaVu lacks, so Chinese is boxes on every machine: its places and widths are compared.
    QFont font = QGuiApplication::font();
    font.setStyleStrategy(QFont::NoFontMerging);
    QGuiApplication::setFont(font);
    QLocale::setDefault(QLocale::c());
}

void ChartsGoldenTest::chartsLookAsTheyDid_data()
{
    QTest::addColumn<int>("chart");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<bool>("chinese");
    for (int i = 0; i < int(std::size(Charts)); ++i)
        for (const bool dark : {false, true})
            for (const bool chinese : {false, true})
                QTest::addRow("%s-%s-%s", Charts[i].name, dark ? "dark" : "light", chinese ? "zh" : "en") << i << dark << chinese;
}

void ChartsGoldenTest::chartsLookAsTheyDid()
{
    QFETCH(int, chart);
    QFETCH(bool, dark);
    QFETCH(bool, chinese);
    QTranslator translator;
    if (chinese) {
        QVERIFY(translator.load(QStringLiteral(RIDGEPOINT_CHINESE)));
        QCoreApplication::installTranslator(&translator);
    }
    const QImage image = drawn(Charts[chart], dark ? ChartTheme::darkTheme() : ChartTheme::light());
    QCOMPARE(image.size(), Size);

    const QString name = QString::fromLatin1(QTest::currentDataTag()) + ".png";
    const QString golden = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fixtures/golden/") + name;
    if (qEnvironmentVariableIsSet("RIDGEPOINT_REFRESH_GOLDEN")) {
        QVERIFY(QDir().mkpath(QFileInfo(golden).path()));
        QVERIFY2(image.save(golden, "PNG", 0), qPrintable(golden)); // 0: the smallest file
        return;
    }
    const QImage expected = QImage(golden).convertToFormat(QImage::Format_RGB32);
    const int different = expected.size() == image.size() ? differingPixels(image, expected) : Size.width() * Size.height();
    if (different > PixelTolerance) {
        const QString now = QDir(QStringLiteral(RIDGEPOINT_BINARY_DIR "/golden")).filePath(name);
        QDir().mkpath(QFileInfo(now).path());
        image.save(now);
        QFAIL(qPrintable(QStringLiteral("%1 pixels differ from %2; the chart as it is now: %3. If it should look so, build the target "
                                        "refresh_golden, look at the pictures and commit them.")
                             .arg(different)
                             .arg(golden, now)));
    }
}

void ChartsGoldenTest::anotherColourIsSeen_data()
{
    QTest::addColumn<int>("chart");
    for (int i = 0; i < int(std::size(Charts)); ++i)
        QTest::addRow("%s", Charts[i].name) << i;
}

/// The comparison itself: marks in another colour are more than its tolerance.
void ChartsGoldenTest::anotherColourIsSeen()
{
    QFETCH(int, chart);
    const ChartTheme theme = ChartTheme::light();
    ChartTheme other = theme;
    for (QColor *colour : {&other.measured, &other.memory, &other.capacity})
        *colour = QColor(colour->green(), colour->blue(), colour->red());
    const QImage image = drawn(Charts[chart], theme);
    QVERIFY(differingPixels(image, drawn(Charts[chart], theme)) <= PixelTolerance);
    QVERIFY(differingPixels(image, drawn(Charts[chart], other)) > PixelTolerance);
}

QTEST_MAIN(ChartsGoldenTest)
#include "charts_golden_test.moc"
