// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/charts_fixture.h"

#include "core/analytic/capacity_frontier.h"
#include "core/analytic/forecast.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/analysis.h"
#include "widgets/chart_parts.h"

#include <QDir>
#include <QImageReader>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <qcustomplot.h>

#include <cmath>
#include <limits>

using namespace ridgepoint;

namespace {

constexpr double Infinite = std::numeric_limits<double>::infinity();

using Make = ChartView *(*)(WorkbenchModel *, QWidget *);
const std::vector<std::pair<const char *, Make>> Makers{{"roofline", makeRooflineChart},
                                                        {"throughput", makeThroughputChart},
                                                        {"latency", makeLatencyChart},
                                                        {"time-account", makeTimeAccountChart},
                                                        {"line", makeLineChart},
                                                        {"frontier", makeFrontierChart},
                                                        {"anatomy", makeAnatomyChart}};

Make makerOf(const QString &id)
{
    for (const auto &[name, make] : Makers) {
        if (id == QLatin1String(name))
            return make;
    }
    return nullptr;
}

std::unique_ptr<ChartView> chartOf(const QString &id, WorkbenchModel &model)
{
    std::unique_ptr<ChartView> chart(makerOf(id)(&model, nullptr));
    chart->resize(700, 400);
    chart->flush();
    return chart;
}

/// Rows of a table twin whose first cell is `series`.
std::vector<std::vector<std::string>> rowsOf(const TextTable &table, const std::string &series)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto &row : table.rows) {
        if (row.front() == series)
            rows.push_back(row);
    }
    return rows;
}

double luminance(const QColor &color)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

int pixelsOf(const QImage &image, const QColor &color, const QRect &within)
{
    int count = 0;
    const QRect area = within.intersected(image.rect());
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x)
            count += image.pixelColor(x, y) == color;
    }
    return count;
}

/// Pixels near a colour: marks with soft edges.
int pixelsLike(const QImage &image, const QColor &color, const QRect &within)
{
    int count = 0;
    const QRect area = within.intersected(image.rect());
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) {
            const QColor at = image.pixelColor(x, y);
            count += std::abs(at.red() - color.red()) + std::abs(at.green() - color.green()) +
                         std::abs(at.blue() - color.blue()) <
                     60;
        }
    }
    return count;
}

/// Dots of the latency chart's graphs of that name that are to be seen.
int dotsOf(const ChartView &chart, const QString &name)
{
    int count = 0;
    for (int g = 0; g < chart.plot()->graphCount(); ++g) {
        const QCPGraph *graph = chart.plot()->graph(g);
        if (graph->name() == name && graph->visible())
            count += graph->dataCount();
    }
    return count;
}

SessionPtr shared(Session session)
{
    return std::make_shared<const Session>(std::move(session));
}

} // namespace

class ChartsTest : public QObject {
    Q_OBJECT

    static void everyChart()
    {
        QTest::addColumn<QString>("id");
        for (const auto &[name, make] : Makers)
            QTest::newRow(name) << QString::fromLatin1(name);
    }

    /// All but the anatomy, of which nothing is predicted.
    static void everyPrediction()
    {
        QTest::addColumn<QString>("id");
        for (const auto &[name, make] : Makers) {
            if (qstrcmp(name, "anatomy") != 0)
                QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

    static WhatIf timedWhatIf()
    {
        WhatIf values = fixture::whatIf(true);
        values.measured = fixture::t4Timed();
        return values;
    }
    /// The text that hovering over a place shows.
    static QString hoverAt(ChartView &chart, const QPointF &pixel)
    {
        QSignalSpy hovered(&chart, &ChartView::hovered);
        QTest::mouseMove(chart.plot(), QPoint(5, 5));
        QTest::mouseMove(chart.plot(), pixel.toPoint());
        QTest::qWait(20);
        return hovered.isEmpty() ? QString() : hovered.back().front().toString();
    }
    static void exposed(ChartView &chart)
    {
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        chart.plot()->replot();
    }

private slots:
    void initTestCase() { QVERIFY2(fixture::pinFont(), "install fonts-dejavu-core"); }

    // ------------------------------------------------------------------------------------------ model

    void model_currentRun_isChosenElseLiveElseNewestWithResults()
    {
        WorkbenchModel model;
        QVERIFY(model.session());
        QVERIFY(!model.currentRun());
        Session session = fixture::sweepSession();
        session.runs.push_back(fixture::ttftSession().runs[0]);
        RunRecord empty;
        empty.plan = fixture::plan();
        empty.plan.runId = "33333333-3333-4333-8333-333333333333";
        session.runs.push_back(empty);
        model.setSession(shared(session));
        QCOMPARE(model.currentRun()->plan.runId, fixture::ttftRecord().runId);
        model.setCurrentRun(fixture::plan().runId);
        QCOMPARE(model.currentRun()->plan.runId, fixture::plan().runId);
        model.setCurrentRun({});
        LivePoint live;
        live.runId = empty.plan.runId;
        model.setLive(live);
        QCOMPARE(model.currentRun()->plan.runId, empty.plan.runId);
        live.runId = "not in the document yet";
        model.setLive(live);
        QVERIFY(!model.currentRun());
    }

    void model_selection_followsTheDocument()
    {
        WorkbenchModel model;
        model.setSession(shared(fixture::sweepSession()));
        QSignalSpy spy(&model, &WorkbenchModel::selectionChanged);
        model.select(PointKey{fixture::plan().runId, 3});
        model.select(PointKey{fixture::plan().runId, 3});
        QCOMPARE(spy.count(), 1);
        QVERIFY(model.selectedPoint());
        QCOMPARE(model.selectedPoint()->batch, 64);
        model.setSession(shared(fixture::ttftSession()));
        QVERIFY(!model.selection());
        QCOMPARE(spy.count(), 2);
    }

    void model_whatIf_signalsOnlyChanges()
    {
        WorkbenchModel model;
        QSignalSpy spy(&model, &WorkbenchModel::whatIfChanged);
        model.setWhatIf(fixture::whatIf());
        model.setWhatIf(fixture::whatIf());
        QCOMPARE(spy.count(), 1);
        QCOMPARE(model.workload().weightBytes,
                 makeWorkload(fixture::tinyLlama(), DType::F16, Accounting::Exact).weightBytes);
    }

    // ------------------------------------------------------------------------------------------ table twins

    void roofline_table_agreesWithTheModel_data()
    {
        QTest::addColumn<bool>("measured");
        QTest::addColumn<double>("context");
        QTest::newRow("datasheet, 256") << false << 256.0;
        QTest::newRow("measured, 2048") << true << 2048.0;
    }
    void roofline_table_agreesWithTheModel()
    {
        QFETCH(bool, measured);
        QFETCH(double, context);
        WorkbenchModel model;
        WhatIf values = fixture::whatIf(measured);
        values.context = context;
        model.setWhatIf(values);
        const auto chart = chartOf(QStringLiteral("roofline"), model);
        const auto rows = rowsOf(chart->table(), "forecast");
        QCOMPARE(rows.size(), std::size_t(6)); // five batches and the slider's
        for (const auto &row : rows) {
            const StepPrediction step = predictStep(model.workload(), values.ceilings, std::stod(row[1]), context);
            QCOMPARE(row[3], format::significant(step.intensity, 4));
            QCOMPARE(row[4], format::flops(step.flop / step.stepSeconds));
        }
        const auto limit = rowsOf(chart->table(), "AI max");
        QCOMPARE(limit.size(), std::size_t(1));
        QCOMPARE(limit[0][3], format::significant(maxIntensity(model.workload(), context), 4));
        QCOMPARE(rowsOf(chart->table(), "measured roof").size(), std::size_t(measured ? 1 : 0));
    }

    void roofline_everyMeasuredPointHasItsOwnForecast()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(QStringLiteral("roofline"), model);
        std::size_t measured = 0;
        for (const std::int64_t prompt : {128, 2048}) {
            const auto rows = rowsOf(chart->table(), ("forecast, prompt " + std::to_string(prompt)).c_str());
            std::size_t next = 0;
            for (const SweepPoint &point : model.currentRun()->points) {
                if (point.prompt != prompt || point.status != PointStatus::Ok)
                    continue;
                QVERIFY(next < rows.size());
                const StepPrediction &stored = *point.forecast.predicted;
                QCOMPARE(rows[next][1], std::to_string(point.batch));
                QCOMPARE(rows[next][3], format::significant(stored.intensity, 4));
                QCOMPARE(rows[next][4], format::flops(stored.flop / stored.stepSeconds));
                ++next;
            }
            QCOMPARE(next, rows.size());
            measured += next;
        }
        QCOMPARE(measured, rowsOf(chart->table(), "measured decode").size());
        // They are drawn where they are said to lie: hovering finds the one of a large batch and the long prompt.
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        chart->plot()->replot();
        const SweepPoint &far = model.currentRun()->points[7];
        const StepPrediction &stored = *far.forecast.predicted;
        QSignalSpy hovered(chart.get(), &ChartView::hovered);
        QTest::mouseMove(chart->plot(), QPoint(int(chart->plot()->xAxis->coordToPixel(stored.intensity)),
                                               int(chart->plot()->yAxis->coordToPixel(stored.flop / stored.stepSeconds)) - 2));
        QTRY_VERIFY(!hovered.isEmpty());
        QVERIFY2(hovered.back().front().toString().startsWith("forecast of the run"),
                 qPrintable(hovered.back().front().toString()));
    }

    void throughput_table_agreesWithTheModel()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(QStringLiteral("throughput"), model);
        const auto predicted = rowsOf(chart->table(), "forecast");
        QCOMPARE(predicted.size(), std::size_t(6)); // five batches and the slider's
        for (const auto &row : predicted) {
            const StepPrediction step =
                predictStep(model.workload(), model.whatIf().ceilings, std::stod(row[1]), model.whatIf().context);
            QCOMPARE(row[3], format::significant(step.tokensPerSecond, 4));
        }
        const auto measured = rowsOf(chart->table(), "measured, prompt 128");
        QCOMPARE(measured.size(), std::size_t(5));
        for (std::size_t i = 0; i < measured.size(); ++i) {
            const SweepPoint &point = model.currentRun()->points[i];
            QCOMPARE(measured[i][3], format::significant(static_cast<double>(point.batch) / point.stepSeconds, 4));
            QCOMPARE(measured[i][4], format::bytes(point.peakBytes));
        }
        QCOMPARE(rowsOf(chart->table(), "forecast, prompt 2048").size(), std::size_t(5));
    }

    void latency_table_holdsEachPointsMedian()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(QStringLiteral("latency"), model);
        const TextTable table = chart->table();
        QCOMPARE(table.rows.size(), std::size_t(8)); // the two points without steps are left out
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const SweepPoint &point = model.currentRun()->points[i];
            QCOMPARE(table.rows[i][2], std::string("40"));
            QCOMPARE(table.rows[i][3], format::seconds(point.stepSeconds));
            QCOMPARE(table.rows[i][6], std::string("1"));
            QCOMPARE(table.rows[i][7], format::seconds(point.forecast.floorNominal.stepSeconds));
            QCOMPARE(table.rows[i][8], format::seconds(point.forecast.predicted->stepSeconds));
        }
    }

    // ------------------------------------------------------------------------------------------ floor, forecast, what if

    void basis_saysWhatAPredictionStandsOn_data()
    {
        QTest::addColumn<bool>("measured");
        QTest::addColumn<bool>("timed");
        QTest::addColumn<QString>("moved");
        QTest::addColumn<int>("basis");
        const auto row = [](const char *name, bool measured, bool timed, const char *moved, PredictionBasis basis) {
            QTest::newRow(name) << measured << timed << QString::fromLatin1(moved) << int(basis);
        };
        row("datasheet", false, false, "", PredictionBasis::Datasheet);
        row("calibrated", true, false, "", PredictionBasis::StepOverhead);
        row("timed", true, true, "", PredictionBasis::Timings);
        row("timed, another batch and context", true, true, "place", PredictionBasis::Timings);
        row("timed, another mode", true, true, "graph", PredictionBasis::StepOverhead);
        row("timed, another model", true, true, "shape", PredictionBasis::StepOverhead);
        row("bandwidth by hand", true, true, "bandwidth", PredictionBasis::WhatIf);
        row("rate by hand", true, true, "flops", PredictionBasis::WhatIf);
        row("overhead by hand", true, true, "overhead", PredictionBasis::WhatIf);
        row("datasheet, overhead by hand", false, false, "overhead", PredictionBasis::WhatIf);
    }
    void basis_saysWhatAPredictionStandsOn()
    {
        QFETCH(bool, measured);
        QFETCH(bool, timed);
        QFETCH(QString, moved);
        WorkbenchModel model;
        WhatIf values = fixture::whatIf(measured);
        if (timed)
            values.measured = fixture::t4Timed();
        model.setWhatIf(values);
        values = model.whatIf();
        if (moved == "place") {
            values.batch = 77;
            values.context = 999;
        } else if (moved == "graph") {
            values.mode = DecodeMode::Graph;
            values.ceilings = measuredCeilings(values.hardware, *values.measured, values.dtype, 22, true);
        } else if (moved == "shape") {
            values.shape.id = "another";
            values.ceilings = measuredCeilings(values.hardware, *values.measured, values.dtype, 22);
        } else if (moved == "bandwidth") {
            values.ceilings.bandwidth *= 2;
        } else if (moved == "flops") {
            values.ceilings.flops *= 2;
        } else if (moved == "overhead") {
            values.ceilings.overhead += 1e-3;
        }
        model.setWhatIf(values);
        QTEST(int(basisOf(model.whatIf())), "basis");
    }

    void forecast_ofEveryBatchComesFromTheTimings()
    {
        WorkbenchModel model;
        model.setWhatIf(timedWhatIf());
        const auto chart = chartOf(QStringLiteral("throughput"), model);
        const auto rows = rowsOf(chart->table(), "forecast");
        QCOMPARE(rows.size(), std::size_t(6));
        for (const auto &row : rows) {
            const auto seconds =
                forecastStepSeconds(*fixture::t4Timed().timings, model.workload(), std::stod(row[1]), model.whatIf().context);
            QVERIFY(seconds);
            QCOMPARE(row[3], format::significant(std::stod(row[1]) / *seconds, 4));
        }
        // One overhead of the sliders' batch would say something else of the largest batch.
        const StepPrediction two = predictStep(model.workload(), model.whatIf().ceilings, 128, model.whatIf().context);
        QVERIFY(rows.back()[3] != format::significant(two.tokensPerSecond, 4));
        // What the sliders show is the same forecast.
        const StepPrediction slider = predictStep(model.workload(), model.whatIf().ceilings, 8, 256);
        QCOMPARE(rows[2][3], format::significant(slider.tokensPerSecond, 4));
        // A ceiling moved by hand makes the timings void: two terms, under another name.
        WhatIf moved = model.whatIf();
        moved.ceilings.bandwidth *= 1.5;
        model.setWhatIf(moved);
        chart->flush();
        QVERIFY(rowsOf(chart->table(), "forecast").empty());
        const auto asked = rowsOf(chart->table(), "what if");
        QCOMPARE(asked.size(), std::size_t(6));
        QCOMPARE(asked.back()[3],
                 format::significant(predictStep(model.workload(), moved.ceilings, 128, 256).tokensPerSecond, 4));
    }

    void floors_standBesideTheForecast_data()
    {
        QTest::addColumn<bool>("measured");
        QTest::newRow("datasheet") << false;
        QTest::newRow("measured") << true;
    }
    void floors_standBesideTheForecast()
    {
        QFETCH(bool, measured);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(measured));
        const auto chart = chartOf(QStringLiteral("throughput"), model);
        // Where nothing was measured the forecast is the datasheet's floor, and is drawn once.
        QCOMPARE(rowsOf(chart->table(), "floor, datasheet").size(), std::size_t(measured ? 6 : 0));
        const auto floors = rowsOf(chart->table(), "floor, measured ceilings");
        QCOMPARE(floors.size(), std::size_t(measured ? 6 : 0));
        for (const auto &row : floors) {
            Ceilings ceilings = model.whatIf().ceilings;
            ceilings.overhead = 0;
            const StepPrediction floor = predictStep(model.workload(), ceilings, std::stod(row[1]), model.whatIf().context);
            QCOMPARE(row[3], format::significant(floor.tokensPerSecond, 4));
        }
        const auto latency = chartOf(QStringLiteral("latency"), model);
        for (const auto &row : latency->table().rows)
            QCOMPARE(row.back().empty(), !measured);
    }

    void recomputedCurves_areThoseOfTheCharts()
    {
        WorkbenchModel model;
        model.setSession(shared(fixture::sweepSession()));
        model.setWhatIf(timedWhatIf());
        const Prediction prediction(model);
        const PredictedLine line = lineOverBatch(prediction, model.whatIf(), 192, 100.0);
        QVERIFY(std::find(line.at.begin(), line.at.end(), 100.0) != line.at.end());
        for (std::size_t i = 0; i < line.at.size(); ++i) {
            QVERIFY(line.forecast[i] && line.floorNominal[i] && line.floorMeasured[i]);
            QCOMPARE(line.forecast[i]->stepSeconds,
                     *forecastStepSeconds(*fixture::t4Timed().timings, model.workload(), line.at[i], 256));
            QVERIFY(line.floorNominal[i]->stepSeconds < line.floorMeasured[i]->stepSeconds);
        }
        QVERIFY(recomputeCurves(model) > 3 * line.at.size());
    }

    // ------------------------------------------------------------------------------------------ frontier

    void frontier_holdsTheBoundaryAndWhatWasTried()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        Session session = fixture::sweepSession();
        session.runs[0].plan.memoryLimitBytes = 5e9;
        session.runs[0].points[9].peakBytes = 4.9e9;
        model.setSession(shared(session));
        const auto chart = chartOf(QStringLiteral("frontier"), model);
        const TextTable table = chart->table();
        const auto boundary = rowsOf(table, "frontier of the run");
        QVERIFY(boundary.size() > 5);
        const FrontierMemory memory = frontierMemoryOf(*model.currentRun());
        QCOMPARE(memory.bytes, 5e9);
        for (const auto &row : boundary) {
            const auto point = capacityFrontier(fixture::tinyLlama(), DType::F16, memory, {std::stod(row[2])});
            QCOMPARE(std::stod(row[1]), point.front().batch);
        }
        QCOMPARE(rowsOf(table, "ran").size(), std::size_t(8));
        QCOMPARE(rowsOf(table, "skipped").size(), std::size_t(1));
        const auto out = rowsOf(table, "ran out of memory");
        QCOMPARE(out.size(), std::size_t(1));
        QCOMPARE(out[0][2], std::string("2098")); // prompt + untimed + timed steps
        QCOMPARE(out[0][4], std::string("4.90 GB"));
        exposed(*chart);
        const QString hover = hoverAt(*chart, QPointF(chart->plot()->xAxis->coordToPixel(2098),
                                                      chart->plot()->yAxis->coordToPixel(128)));
        for (const char *part : {"ran out of memory", "predicted need", "KV", "peak memory 4.90 GB", "memory there was: 5.00 GB"})
            QVERIFY2(hover.contains(QLatin1String(part)), qPrintable(hover));
    }

    void frontier_colorsSayWhatFits_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    /// "fits" stands below the boundary and "does not fit" above it, each in its colour; a point that did not fit is a warning's, is no
    /// measured point's, and has no figure where nothing was measured.
    void frontier_colorsSayWhatFits()
    {
        QFETCH(bool, dark);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        Session session = fixture::sweepSession();
        session.runs[0].plan.memoryLimitBytes = 5e9;
        model.setSession(shared(session));
        const auto chart = chartOf(QStringLiteral("frontier"), model);
        const ChartTheme look = dark ? ChartTheme::darkTheme() : ChartTheme::light();
        chart->setTheme(look);
        exposed(*chart);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.svg"));
        QCOMPARE(chart->exportTo(path, chart->size(), 1), QString());
        struct Label {
            QString text;
            QColor color;
            QPointF at;
        };
        std::vector<Label> labels;
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader svg(&file);
        while (!svg.atEnd()) {
            if (svg.readNext() != QXmlStreamReader::StartElement || svg.name() != QLatin1String("text"))
                continue;
            const auto attributes = svg.attributes();
            const QPointF at(attributes.value("x").toDouble(), attributes.value("y").toDouble());
            const QColor color(attributes.value("fill").toString());
            labels.push_back({svg.readElementText().trimmed(), color, at});
        }
        const FrontierMemory memory = frontierMemoryOf(*model.currentRun());
        const auto holds = [&](const QPointF &pixel) {
            const double batch = chart->plot()->yAxis->pixelToCoord(pixel.y()), context = chart->plot()->xAxis->pixelToCoord(pixel.x());
            return batch <= capacityFrontier(fixture::tinyLlama(), DType::F16, memory, {context}).front().batch;
        };
        std::size_t named = 0;
        for (const Label &label : labels) {
            if (label.text == QLatin1String("fits") || label.text == QLatin1String("does not fit")) {
                const bool fits = label.text == QLatin1String("fits");
                ++named;
                QVERIFY2(label.color == (fits ? look.floor : look.capacity), qPrintable(label.text + label.color.name()));
                QVERIFY2(holds(label.at) == fits, qPrintable(label.text));
            }
        }
        QCOMPARE(named, std::size_t(2));

        const QImage image = chart->toImage(chart->size(), 1);
        const auto has = [&](const SweepPoint &point, const QColor &color) {
            const QPoint at(int(std::lround(chart->plot()->xAxis->coordToPixel(point.prompt + 50))), // with the untimed and the timed steps
                            int(std::lround(chart->plot()->yAxis->coordToPixel(double(point.batch)))));
            for (int y = -4; y <= 4; ++y)
                for (int x = -4; x <= 4; ++x)
                    if (image.pixelColor(at + QPoint(x, y)) == color)
                        return true;
            return false;
        };
        for (const SweepPoint &point : session.runs[0].points) {
            const bool ran = point.status == PointStatus::Ok;
            const QString which = QStringLiteral("batch %1 of prompt %2").arg(point.batch).arg(point.prompt);
            QVERIFY2(has(point, look.measured) == ran, qPrintable(which));
            QVERIFY2(has(point, look.warning) != ran, qPrintable(which));
            if (!ran) {
                const QRectF around(chart->plot()->xAxis->coordToPixel(point.prompt + 50) - 60, chart->plot()->yAxis->coordToPixel(double(point.batch)) - 7, 120, 14);
                for (const Label &label : labels)
                    QVERIFY2(!label.text.endsWith(QLatin1String(" GB")) || label.color == look.forecast || !around.contains(label.at), qPrintable(which + label.text));
            }
        }
    }

    void frontier_withoutAMemorySaysSo()
    {
        WorkbenchModel model;
        WhatIf values = fixture::whatIf();
        values.nominal.memory = values.ceilings.memory = 0;
        model.setWhatIf(values);
        const auto chart = chartOf(QStringLiteral("frontier"), model);
        QVERIFY(rowsOf(chart->table(), "frontier").empty());
        const auto sliders = rowsOf(chart->table(), "the sliders");
        QCOMPARE(sliders.size(), std::size_t(1));
        QVERIFY(QString::fromStdString(sliders[0][5]).contains("not known"));
    }

    // ------------------------------------------------------------------------------------------ anatomy

    void anatomy_listsKernelsPartsAndGaps()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::anatomySession()));
        QCOMPARE(model.currentRun()->plan.experiment, Experiment::Sweep); // an anatomy does not hide the points
        const auto chart = chartOf(QStringLiteral("anatomy"), model);
        const StepAnatomy made = fixture::madeUpAnatomy();
        const auto kernels = rowsOf(chart->table(), "kernel");
        QCOMPARE(kernels.front()[1], std::string("gemm_128x64_gate_up"));
        QCOMPARE(kernels.front()[3], std::string("22"));
        QCOMPARE(rowsOf(chart->table(), "part, timed apart").size(), made.parts.size());
        const auto step = rowsOf(chart->table(), "step");
        QCOMPARE(step[0][4], format::seconds(made.busySeconds));
        QCOMPARE(step[1][4], format::seconds(made.gapSeconds()));
        exposed(*chart);
        // The first kernel of the last layer, in the row of its part, and the gap after it.
        const TracedKernel &kernel = made.kernels[1 + 9 * 21 + 6];
        const auto row = [&](const QString &name) {
            QVector<double> ticks;
            QVector<QString> names;
            chart->plot()->yAxis->ticker()->generate(chart->plot()->yAxis->range(), QLocale::c(), 'g', 6, ticks, nullptr, &names);
            return ticks[names.indexOf(name)];
        };
        const auto pixel = [&](double seconds, const QString &name) {
            return QPointF(chart->plot()->xAxis->coordToPixel(seconds), chart->plot()->yAxis->coordToPixel(row(name)));
        };
        const QString told = hoverAt(*chart, pixel(kernel.startSeconds + kernel.seconds / 2, QStringLiteral("gate, up")));
        QVERIFY2(told.contains("gemm_128x64_gate_up") && told.contains("layer 22") && told.contains("185 us"), qPrintable(told));
        const QString gap = hoverAt(*chart, pixel(kernel.startSeconds + kernel.seconds + 3e-6, QStringLiteral("gaps")));
        QVERIFY2(gap.startsWith("gap: 6.00 us"), qPrintable(gap));
    }

    void anatomy_withoutATraceShowsItsParts()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        Session session = fixture::anatomySession(false);
        StepAnatomy &anatomy = *session.runs[0].anatomy;
        anatomy.kernels.clear();
        anatomy.tracer.clear();
        anatomy.tracedSeconds = anatomy.busySeconds = kMissing;
        model.setSession(shared(session));
        const auto chart = chartOf(QStringLiteral("anatomy"), model);
        QVERIFY(rowsOf(chart->table(), "kernel").empty());
        QCOMPARE(rowsOf(chart->table(), "part, timed apart").size(), anatomy.parts.size());
        const QImage with = chart->toImage(QSize(700, 400), 1);
        QVERIFY(pixelsLike(with, partColor(chart->theme(), StepPart::GateUp), with.rect()) > 500);
    }

    void roofline_partsOfAStepHaveTheirOwnDots()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::anatomySession()));
        const auto chart = chartOf(QStringLiteral("roofline"), model);
        const StepAnatomy made = fixture::madeUpAnatomy();
        const auto down = rowsOf(chart->table(), "part: down");
        QCOMPARE(down.size(), std::size_t(1));
        const PartTiming &part = made.parts[4];
        QCOMPARE(down[0][3], format::significant(part.flop / part.bytes, 4));
        QCOMPARE(down[0][4], format::flops(part.flop / part.seconds));
        // How far below the roof: at this intensity the roof is the measured bandwidth.
        QCOMPARE(down[0][6], format::percent(part.bytes / part.seconds / 270e9));
        // Another model's parts have no place here.
        Session session = fixture::anatomySession();
        session.runs[1].plan.model.shape.id = "another";
        model.setSession(shared(session));
        chart->flush();
        QVERIFY(rowsOf(chart->table(), "part: down").empty());
    }

    void line_ofImportedRows_hasFitBandAndFlag()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        model.setSession(shared(fixture::importedSession()));
        const auto chart = chartOf(QStringLiteral("line"), model);
        const auto rows = rowsOf(chart->table(), "imported");
        QCOMPARE(rows.size(), std::size_t(12));
        QCOMPARE(rows[0][1], std::string("Gemma 3 270M"));
        QCOMPARE(rows[0][7], std::string("45.1 %"));
        QCOMPARE(rows[11][7], std::string("91.3 %"));
        QVERIFY(rowsOf(chart->table(), "measured").empty());
        const auto lines = rowsOf(chart->table(), "line");
        QCOMPARE(lines.size(), std::size_t(1 + 3 + 6));
        QCOMPARE(lines[0][3], std::string("6.122 ms/GB"));
        QCOMPARE(lines[0][4], std::string("163 GB/s"));
        QCOMPARE(lines[0][5], std::string("4.02 ms"));
        QCOMPARE(lines[0][6], std::string("0.992"));
        std::size_t above = 0;
        for (const auto &row : lines)
            above += row.back().find("above the device's 200 GB/s") != std::string::npos;
        QCOMPARE(above, std::size_t(1));
        // The line, the floor and the flagged pair; families only on demand. None is in the colour of a measurement.
        const auto shown = [&] {
            int count = 0;
            for (int g = 0; g < chart->plot()->graphCount(); ++g)
                count += chart->plot()->graph(g)->visible() && chart->plot()->graph(g)->dataCount() == 2;
            return count;
        };
        QCOMPARE(shown(), 3);
        QImage image = chart->toImage(QSize(700, 400), 1);
        QCOMPARE(pixelsOf(image, chart->theme().measured, image.rect()), 0);
        QVERIFY(pixelsOf(image, chart->theme().imported, image.rect()) > 100);
        QVERIFY(pixelsLike(image, chart->theme().warning, image.rect()) > 20);
        ViewOptions view;
        view.familyLines = true;
        model.setView(view);
        chart->flush();
        QCOMPARE(shown(), 6);
        model.setSession(shared(fixture::importedSession(300e9)));
        model.setView({});
        chart->flush();
        QCOMPARE(shown(), 2); // nothing is above
        model.setSession(shared(fixture::importedSession(0)));
        chart->flush();
        QCOMPARE(shown(), 1); // no ceiling is known: no floor either
    }

    void line_band_isThatOfTheFit()
    {
        WorkbenchModel model;
        model.setSession(shared(fixture::importedSession()));
        const auto chart = chartOf(QStringLiteral("line"), model);
        const LineEstimate line = readLine(model.session()->runs[0]).fit.all;
        std::vector<const QCPGraph *> bands;
        for (int g = 0; g < chart->plot()->graphCount(); ++g)
            if (chart->plot()->graph(g)->dataCount() > 10)
                bands.push_back(chart->plot()->graph(g));
        QCOMPARE(bands.size(), std::size_t(2));
        for (int i = 0; i < bands[0]->dataCount(); ++i) {
            const auto low = bands[0]->data()->constBegin() + i, high = bands[1]->data()->constBegin() + i;
            const Interval band = *line.bandAt(low->key);
            QCOMPARE(low->value, band.low);
            QCOMPARE(high->value, band.high);
        }
    }

    void line_ofARun_standsBesideTheOtherMode()
    {
        WorkbenchModel model;
        model.setSession(shared(fixture::lineSession()));
        const auto chart = chartOf(QStringLiteral("line"), model);
        const auto own = rowsOf(chart->table(), "measured");
        QCOMPARE(own.size(), std::size_t(9));
        QCOMPARE(rowsOf(chart->table(), "measured, graph").size(), std::size_t(9));
        QVERIFY(own[0].back().find("cache") != std::string::npos);
        QVERIFY(own[2].back().empty());
        QVERIFY(own[8].back().find("skipped: weights 3.10 GB") != std::string::npos);
        QCOMPARE(own[8][4], std::string("-")); // a gap, not 0
        // A click on a row selects it; the keys go from row to row.
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        chart->plot()->replot();
        const LineRow &row = model.currentRun()->line[7];
        const QPoint at(int(std::lround(chart->plot()->xAxis->coordToPixel(row.weightBytes))),
                        int(std::lround(chart->plot()->yAxis->coordToPixel(row.tpotSeconds))));
        QTest::mouseClick(chart->plot(), Qt::LeftButton, Qt::NoModifier, at);
        const PointKey clicked{row.runId, row.index}, before{row.runId, 6};
        QVERIFY(model.selection() == clicked);
        QTest::keyClick(chart.get(), Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(model.selection() == before);
        QSignalSpy hovered(chart.get(), &ChartView::hovered);
        QTest::mouseMove(chart->plot(), at + QPoint(2, 0));
        QTRY_VERIFY(!hovered.isEmpty());
        const QString told = hovered.back().front().toString();
        QVERIFY2(told.contains("Model 3 in fp32") && told.contains("by the line") && told.contains("forecast"),
                 qPrintable(told));
        QCOMPARE(chart->accessibleName(), QStringLiteral("Line over models"));
    }

    void line_withTooFewRows_saysSo()
    {
        Session session = fixture::lineSession();
        session.runs.erase(session.runs.begin());
        session.runs[0].line.resize(1);
        WorkbenchModel model;
        model.setSession(shared(session));
        const auto chart = chartOf(QStringLiteral("line"), model);
        const auto lines = rowsOf(chart->table(), "line");
        QCOMPARE(lines.size(), std::size_t(2)); // all rows and the family
        QVERIFY(lines[0].back().find("Not identifiable") != std::string::npos);
        QVERIFY(!chart->toImage(QSize(700, 400), 1).isNull());
    }

    void line_rowInFlight_isLive()
    {
        Session session = fixture::lineSession();
        session.runs.erase(session.runs.begin());
        RunRecord &run = session.runs[0];
        run.state = RunRecord::State::Running;
        run.plan.models = {{fixture::tinyLlama(), {}}};
        run.line.clear();
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(session));
        LivePoint live;
        live.runId = run.plan.runId;
        live.index = 1;
        live.batch = 1;
        live.prompt = 128;
        model.setLive(live);
        model.appendLiveSteps(fixture::steps(20, 0.012, 128, 5));
        const auto chart = chartOf(QStringLiteral("line"), model);
        const double weights = makeWorkload(fixture::tinyLlama(), DType::F32, Accounting::Exact).weightBytes;
        QVERIFY(chart->plot()->xAxis->range().upper > weights);
        QVERIFY(chart->plot()->xAxis->range().upper < weights * 1.5);
        // The charts of one model leave it alone.
        QVERIFY(rowsOf(chartOf(QStringLiteral("roofline"), model)->table(), "measured decode").empty());
    }

    void timeAccount_table_agreesWithTheModel()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        const auto chart = chartOf(QStringLiteral("time-account"), model);
        const TextTable table = chart->table();
        QCOMPARE(table.rows.size(), std::size_t(6));
        const double batches[] = {1, 4, 8, 16, 64, 128};
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const StepPrediction step = predictStep(model.workload(), model.whatIf().ceilings, batches[i], 256);
            QCOMPARE(table.rows[i][1], format::seconds(step.computeSeconds));
            QCOMPARE(table.rows[i][2], format::seconds(step.memorySeconds));
            QCOMPARE(table.rows[i][3], format::seconds(step.overheadSeconds));
            QCOMPARE(table.rows[i][5], std::string()); // nothing measured: a gap, not 0
        }
    }

    void everyChart_withNothingRun_showsThePrediction_data() { everyPrediction(); }
    void everyChart_withNothingRun_showsThePrediction()
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        const auto blank = chartOf(id, model)->toImage(QSize(700, 400), 1);
        model.setWhatIf(fixture::whatIf());
        const auto chart = chartOf(id, model);
        QVERIFY(!chart->table().rows.empty());
        const QImage image = chart->toImage(QSize(700, 400), 1);
        QVERIFY(image != blank);
        // Nothing is drawn in the colour that says "measured".
        QCOMPARE(pixelsOf(image, chart->theme().measured, image.rect()), 0);
    }

    void everyChart_followsTheSliders_data() { everyPrediction(); }
    void everyChart_followsTheSliders()
    {
        QFETCH(QString, id);
        for (const bool run : {false, true}) {
            WorkbenchModel model;
            model.setWhatIf(fixture::whatIf(true));
            if (run)
                model.setSession(shared(fixture::sweepSession()));
            const auto chart = chartOf(id, model);
            const TextTable before = chart->table();
            const QImage image = chart->toImage(QSize(700, 400), 1);
            WhatIf moved = model.whatIf();
            moved.ceilings.bandwidth /= 3;
            moved.ceilings.memory /= 3;
            model.setWhatIf(moved);
            chart->flush();
            QVERIFY(chart->table().rows != before.rows);
            QVERIFY(chart->toImage(QSize(700, 400), 1) != image);
        }
    }

    void everyChart_repaintsAtMostThirtyTimesASecond_data() { everyChart(); }
    void everyChart_repaintsAtMostThirtyTimesASecond()
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        const auto chart = chartOf(id, model);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        QTest::qWait(100);
        int replots = 0;
        connect(chart->plot(), &QCustomPlot::afterReplot, chart.get(), [&] { ++replots; });
        QElapsedTimer timer;
        timer.start();
        WhatIf moved = model.whatIf();
        int changes = 0;
        while (timer.elapsed() < 400) {
            moved.context += 1;
            ++changes;
            model.setWhatIf(moved);
            QTest::qWait(1);
        }
        QTest::qWait(60);
        const auto most = static_cast<int>(timer.elapsed() / 33) + 2;
        QVERIFY2(replots >= 1 && replots <= most && replots < changes,
                 qPrintable(QStringLiteral("%1 replots, %2 changes").arg(replots).arg(changes)));
    }

    // ------------------------------------------------------------------------------------------ gaps, failures, live

    void missingValue_isAGap()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        Session session = fixture::sweepSession();
        session.runs[0].points.resize(5);
        SweepPoint &gone = session.runs[0].points[2];
        gone.stepSeconds = kMissing;
        for (StepSample &step : gone.steps)
            step.deviceSeconds = step.wallSeconds = kMissing;
        model.setSession(shared(session));

        const auto throughput = chartOf(QStringLiteral("throughput"), model);
        const auto rows = rowsOf(throughput->table(), "measured, prompt 128");
        QCOMPARE(rows.size(), std::size_t(5));
        QCOMPARE(rows[2][3], std::string());
        bool gap = false;
        for (int g = 0; g < throughput->plot()->graphCount(); ++g) {
            const QCPGraph *graph = throughput->plot()->graph(g);
            for (auto it = graph->data()->constBegin(); it != graph->data()->constEnd(); ++it) {
                QVERIFY(it->value != 0);
                gap |= it->key == 16 && std::isnan(it->value) && graph->visible();
            }
        }
        QVERIFY(gap);

        const auto latency = chartOf(QStringLiteral("latency"), model);
        QCOMPARE(latency->table().rows[2][2], std::string("0"));
        QCOMPARE(latency->table().rows[2][3], std::string());
        int dots = 0;
        for (int g = 0; g < latency->plot()->graphCount(); ++g) {
            const QCPGraph *graph = latency->plot()->graph(g);
            if (graph->lineStyle() == QCPGraph::lsNone && graph->name() != QLatin1String("throttled"))
                dots += latency->plot()->graph(g)->dataCount();
        }
        QCOMPARE(dots, 4 * 40);

        const auto account = chartOf(QStringLiteral("time-account"), model);
        QCOMPARE(account->table().rows[2][5], std::string());
    }

    void failedPoints_areCrossesWithTheirReason()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(QStringLiteral("throughput"), model);
        const auto rows = rowsOf(chart->table(), "measured, prompt 2048");
        QCOMPARE(rows.size(), std::size_t(5));
        QCOMPARE(rows[3][5], std::string("skipped: needs 5.19 GB, the limit is 5.00 GB"));
        QCOMPARE(rows[4][5], std::string("out of memory: out of memory at step 3"));
        QCOMPARE(rows[4][3], std::string());

        const QImage image = chart->toImage(QSize(700, 400), 1);
        const QCPAxisRect *rect = chart->plot()->axisRect();
        const QRect bottom(rect->left(), rect->bottom() - 16, rect->width(), 16);
        QVERIFY(pixelsOf(image, chart->theme().warning, bottom) > 4);
        Session whole = fixture::sweepSession();
        whole.runs[0].points.resize(8);
        model.setSession(shared(whole));
        QCOMPARE(pixelsOf(chart->toImage(QSize(700, 400), 1), chart->theme().warning, bottom), 0);
    }

    void liveSteps_appearAsTheyArrive()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        fixture::makeLive(model);
        const auto chart = chartOf(QStringLiteral("latency"), model);
        QCOMPARE(chart->table().rows.size(), std::size_t(5));
        QCOMPARE(chart->table().rows[4][2], std::string("23"));
        QCOMPARE(chart->table().rows[4][10], std::string("measuring"));
        model.appendLiveSteps(fixture::steps(7, 0.02, 161, 5));
        chart->flush();
        QCOMPARE(chart->table().rows[4][2], std::string("30"));

        // The document takes the point over: it is shown once.
        Session session = fixture::sweepSession();
        session.runs[0].points.resize(5);
        model.setSession(shared(session));
        chart->flush();
        QCOMPARE(chart->table().rows.size(), std::size_t(5));
        QCOMPARE(chart->table().rows[4][10], std::string("measured"));
        model.setLive(std::nullopt);
        chart->flush();
        QCOMPARE(chart->table().rows.size(), std::size_t(5));
    }

    void newRun_replacesTheOldOneOnTheLatencyChart()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(QStringLiteral("latency"), model);
        QCOMPARE(chart->table().rows.size(), std::size_t(8));
        LivePoint live;
        live.runId = "44444444-4444-4444-8444-444444444444";
        live.batch = 2;
        live.forecast = fixture::forecast(2, 158);
        model.setLive(live);
        chart->flush();
        QCOMPARE(chart->table().rows.size(), std::size_t(1));
        QCOMPARE(chart->table().rows[0][0], std::string("2"));
        model.setLive(std::nullopt);
        chart->flush();
        QCOMPARE(chart->table().rows.size(), std::size_t(8));
    }

    void chart_outlivesItsModel()
    {
        for (const auto &[name, make] : Makers) {
            auto other = std::make_unique<WorkbenchModel>();
            other->setWhatIf(fixture::whatIf(true));
            other->setSession(shared(fixture::sweepSession()));
            const auto orphan = chartOf(QLatin1String(name), *other);
            other.reset();
            QVERIFY(!orphan->toImage(QSize(300, 200), 1).isNull());
            QTest::mouseMove(orphan->plot(), QPoint(100, 100));
            QTest::keyClick(orphan.get(), Qt::Key_Right);
            QVERIFY(!orphan->table().rows.empty());
        }
    }

    void livePoint_isOnTheOtherChartsToo()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        fixture::makeLive(model);
        QCOMPARE(rowsOf(chartOf(QStringLiteral("roofline"), model)->table(), "measuring").size(), std::size_t(1));
        QCOMPARE(rowsOf(chartOf(QStringLiteral("throughput"), model)->table(), "measured, prompt 128").back()[5],
                 std::string("measuring"));
        QCOMPARE(chartOf(QStringLiteral("time-account"), model)->table().rows[4][6], std::string("measuring"));
    }

    // ------------------------------------------------------------------------------------------ a GPU's figures

    void hostGap_isAPartOfTheAccount()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto account = chartOf(QStringLiteral("time-account"), model);
        const SweepPoint &point = model.session()->runs[0].points[0];
        QCOMPARE(account->table().header.back(), std::string("host gap"));
        QCOMPARE(account->table().rows[0].back(), format::seconds(stepFigures(point.steps).hostGapSeconds));
        QVERIFY(pixelsOf(account->toImage(QSize(700, 400), 1), account->theme().hostGap, QRect(0, 60, 700, 340)) > 20);
        // A device whose own time is not known has no gap to show.
        Session cpu = fixture::sweepSession();
        for (SweepPoint &each : cpu.runs[0].points) {
            for (StepSample &step : each.steps)
                step.deviceSeconds = kMissing;
        }
        model.setSession(shared(cpu));
        account->flush();
        QCOMPARE(account->table().rows[0].back(), std::string());
        QCOMPARE(pixelsOf(account->toImage(QSize(700, 400), 1), account->theme().hostGap, QRect(0, 0, 700, 400)), 0);
    }

    void throttledSteps_areMarkedWhateverTheColours_data()
    {
        QTest::addColumn<int>("colour");
        QTest::newRow("series") << int(ViewOptions::Colour::Series);
        QTest::newRow("clock") << int(ViewOptions::Colour::Clock);
        QTest::newRow("throttling") << int(ViewOptions::Colour::Throttle);
    }
    void throttledSteps_areMarkedWhateverTheColours()
    {
        QFETCH(int, colour);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        model.setView({static_cast<ViewOptions::Colour>(colour), false});
        for (const char *id : {"latency", "throughput"}) {
            const auto chart = chartOf(QLatin1String(id), model);
            const QImage image = chart->toImage(QSize(700, 400), 1);
            const QRect axes = chart->plot()->axisRect()->rect(); // of the picture: laid out with it
            QVERIFY2(pixelsLike(image, chart->theme().throttled, axes) > 8, id);
            Session calm = fixture::sweepSession();
            for (SweepPoint &point : calm.runs[0].points) {
                for (StepSample &step : point.steps)
                    step.throttle.clear();
            }
            WorkbenchModel other;
            other.setWhatIf(fixture::whatIf(true));
            other.setSession(shared(calm));
            other.setView(model.view());
            const auto without = chartOf(QLatin1String(id), other);
            QCOMPARE(pixelsLike(without->toImage(QSize(700, 400), 1), without->theme().throttled, axes), 0);
        }
        const TextTable table = chartOf(QStringLiteral("latency"), model)->table();
        QCOMPARE(table.header[12], std::string("throttled"));
        QCOMPARE(table.rows[0][12], std::string("1"));
        QCOMPARE(table.rows[0][2], std::string("40")); // none is dropped
    }

    void clocks_colourTheStepsOnDemand()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession())); // 1590 MHz, and 900 where throttled: one step a point
        const auto chart = chartOf(QStringLiteral("latency"), model);
        const QString lowest = QStringLiteral("clock 0"), highest = QStringLiteral("clock 4");
        QCOMPARE(dotsOf(*chart, highest), 0);
        model.setView({ViewOptions::Colour::Clock, false});
        chart->flush();
        QCOMPARE(dotsOf(*chart, highest), 8 * 39);
        QCOMPARE(dotsOf(*chart, lowest), 8); // none is dropped
        const QImage image = chart->toImage(QSize(700, 400), 1);
        QVERIFY(pixelsLike(image, chart->theme().scale.back(), chart->plot()->axisRect()->rect()) > 50);
        model.setView({});
        chart->flush();
        QCOMPARE(dotsOf(*chart, highest), 0);
        QCOMPARE(dotsOf(*chart, lowest), 0);
        // A new least clock in the point in flight recolours what is there already.
        model.setView({ViewOptions::Colour::Clock, false});
        fixture::makeLive(model);
        chart->flush();
        QCOMPARE(dotsOf(*chart, lowest), 4 + 1);
        std::vector<StepSample> slow = fixture::steps(3, 0.02, 170, 3);
        for (StepSample &step : slow)
            step.smClockHz = 300e6;
        model.appendLiveSteps(slow);
        chart->flush();
        QCOMPARE(dotsOf(*chart, lowest), 3);
        QCOMPARE(dotsOf(*chart, QStringLiteral("clock 2")), 4 + 1); // 900 of 300 to 1590
    }

    void clocksThatWereNotReadAreGrey()
    {
        ClockScale scale;
        const ChartTheme look = ChartTheme::light();
        QCOMPARE(scale.bins(), std::size_t(0));
        QCOMPARE(scale.colorOf(look, 1e9), look.linear);
        scale.add(kMissing);
        QVERIFY(!scale.known());
        scale.add(1980e6);
        scale.add(1965e6); // within 1 %: no difference worth a colour
        QCOMPARE(scale.bins(), std::size_t(1));
        QCOMPARE(scale.colorOf(look, 1965e6), look.scale.back());
        QCOMPARE(scale.colorOf(look, kMissing), look.linear);
        scale.add(980e6);
        QCOMPARE(scale.bins(), look.scale.size());
        QCOMPARE(scale.colorOf(look, 980e6), look.scale.front());
        QCOMPARE(scale.colorOf(look, 1980e6), look.scale.back());
        std::vector<LegendEntry> legend;
        scale.addLegend(look, legend);
        QCOMPARE(legend.size(), look.scale.size());
        QVERIFY(legend.front().text.contains("980") && legend.back().text.contains("1980"));
    }

    void wallTime_standsBesideDeviceTimeOnDemand()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(QStringLiteral("latency"), model);
        QCOMPARE(dotsOf(*chart, QStringLiteral("wall")), 0);
        model.setView({ViewOptions::Colour::Series, true});
        chart->flush();
        QCOMPARE(dotsOf(*chart, QStringLiteral("wall")), 8 * 40);
        QCOMPARE(chart->table().header[11], std::string("host gap"));
        QVERIFY(!chart->table().rows[0][11].empty());
    }

    void bothModes_shareTheThroughputChart()
    {
        Session session = fixture::sweepSession();
        const auto add = [&](const char *id, DecodeMode mode, double factor, auto change) {
            RunRecord run = session.runs[0];
            run.plan.runId = id;
            run.plan.mode = mode;
            for (SweepPoint &point : run.points) {
                point.runId = id;
                point.mode = mode;
                point.stepSeconds *= factor;
            }
            change(run);
            session.runs.push_back(run);
        };
        const auto same = [](RunRecord &) {};
        add("old graph", DecodeMode::Graph, 0.7, same);
        add("graph", DecodeMode::Graph, 0.5, same);
        add("another model", DecodeMode::Graph, 0.1, [](RunRecord &run) { run.plan.model.shape.layers = 11; });
        add("another card", DecodeMode::Graph, 0.1, [](RunRecord &run) { run.provenance.deviceName = "NVIDIA L4"; });
        add("another format", DecodeMode::Graph, 0.1, [](RunRecord &run) { run.plan.dtype = DType::F32; });
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(session));
        model.setCurrentRun(session.runs[0].plan.runId);
        const auto chart = chartOf(QStringLiteral("throughput"), model);
        const auto rows = rowsOf(chart->table(), "measured, graph, prompt 128");
        QCOMPARE(rows.size(), std::size_t(5)); // the newest graph run of the same case, and no other
        QCOMPARE(rows[0][3], format::significant(1 / session.runs[2].points[0].stepSeconds, 4));
        QCOMPARE(rowsOf(chart->table(), "measured, prompt 128").size(), std::size_t(5));
        // Seen from the graph run the eager one is the other.
        model.setCurrentRun("graph");
        chart->flush();
        QCOMPARE(rowsOf(chart->table(), "measured, eager, prompt 128").size(), std::size_t(5));
        // A click on the other run's mark selects its point.
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        chart->plot()->replot();
        const QPoint at = QPointF(chart->plot()->xAxis->coordToPixel(1),
                                  chart->plot()->yAxis->coordToPixel(1 / session.runs[0].points[0].stepSeconds))
                              .toPoint();
        QTest::mouseClick(chart->plot(), Qt::LeftButton, {}, at);
        QVERIFY(model.selection());
        QCOMPARE(model.selection()->runId, session.runs[0].plan.runId);
    }

    /// Three modes of two prompts are six curves: each mode keeps its name above the smallest chart that the window makes.
    void threeModes_keepTheirNames_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize &size : {QSize(300, 200), QSize(360, 240), QSize(480, 300), QSize(700, 400)})
            QTest::addRow("%d x %d", size.width(), size.height()) << size;
    }
    void threeModes_keepTheirNames()
    {
        QFETCH(QSize, size);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::modesSession()));
        model.setCurrentRun(fixture::plan().runId);
        const auto chart = chartOf(QStringLiteral("throughput"), model);
        chart->resize(size);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        chart->plot()->replot();
        const auto *header = dynamic_cast<const HeaderElement *>(chart->plot()->plotLayout()->element(0, 0));
        QVERIFY(header);
        const QStringList names = header->shownNames();
        for (const char *mode : {"eager", "graph", "fused"})
            QVERIFY2(names.contains(QLatin1String(mode)), qPrintable(names.join('|')));
        QVERIFY2(names.contains("p=128, 2048"), qPrintable(names.join('|')));
    }

    /// Every mark has its key: in the rows of the legend, or behind the button that opens it.
    void legends_dropNothing_data() { threeModes_keepTheirNames_data(); }
    void legends_dropNothing()
    {
        QFETCH(QSize, size);
        for (const auto &[id, make] : Makers) {
            WorkbenchModel model;
            model.setWhatIf(fixture::whatIf(true));
            model.setSession(shared(fixture::modesSession()));
            model.setCurrentRun(fixture::plan().runId);
            const auto chart = chartOf(QString::fromLatin1(id), model);
            chart->resize(size);
            chart->show();
            QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
            chart->plot()->replot();
            const auto *header = dynamic_cast<const HeaderElement *>(chart->plot()->plotLayout()->element(0, 0));
            QVERIFY(header);
            const qsizetype hidden = chart->wholeLegend().size() - chart->shownLegend().size();
            QVERIFY2(hidden >= 0 && (hidden == 0) == header->moreButton().isEmpty(), id);
            for (const QString &name : chart->wholeLegend())
                QVERIFY2(header->legendHtml().contains(name.toHtmlEscaped()), qPrintable(name));
            if (hidden > 0) // the button stands inside the picture, clear of the last row
                QVERIFY(QRectF(chart->plot()->viewport()).contains(header->moreButton()));
        }
    }

    /// A title along an axis ends where the axis ends, and is whole again where there is room.
    void axisTitles_fitTheirAxes_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto &[name, make] : Makers)
            QTest::addRow("%s", name) << QString::fromLatin1(name);
    }
    void axisTitles_fitTheirAxes()
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::modesSession()));
        const auto chart = chartOf(id, model);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        const auto title = [&] {
            chart->plot()->replot();
            return chart->plot()->yAxis->label();
        };
        const QString whole = title();
        chart->resize(300, 165);
        QCoreApplication::processEvents();
        const QString small = title();
        QVERIFY2(QFontMetricsF(chart->plot()->yAxis->labelFont()).horizontalAdvance(small) <= chart->plot()->axisRect()->height() + 1, qPrintable(small));
        chart->resize(700, 400);
        QCoreApplication::processEvents();
        QCOMPARE(title(), whole);
    }

    /// Throttled steps of a long run lie over one another: a moving picture draws one of each place, an export all.
    void denseMarks_areThinnedWhileThePictureMoves()
    {
        struct Counted : ThinnedGraph {
            using ThinnedGraph::ThinnedGraph;
            using ThinnedGraph::drawScatterPlot;
        };
        QCustomPlot plot;
        auto *graph = new Counted(plot.xAxis, plot.yAxis);
        QVector<QPointF> many;
        for (int i = 0; i < 2000; ++i)
            many << QPointF(10 + (i % 10) * 10, 50);
        many << QPointF(150, 150);
        const auto inked = [&](bool adaptive, const QVector<QPointF> &at) {
            graph->setAdaptiveSampling(adaptive);
            QImage image(200, 200, QImage::Format_RGB32);
            image.fill(Qt::white);
            QCPPainter painter;
            painter.begin(&image);
            graph->drawScatterPlot(&painter, at, QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(Qt::NoPen), QBrush(Qt::black), 5));
            painter.end();
            return image;
        };
        QVector<QPointF> once;
        for (int i = 0; i < 10; ++i)
            once << many[i];
        once << many.last();
        QCOMPARE(inked(true, many), inked(true, once)); // no place loses its mark
        QVERIFY(inked(true, once) != inked(true, {}));
        QVERIFY(inked(false, many) != inked(true, many)); // smoothed edges of marks over one another add up
    }

    void plots_haveNoLegendOfTheirOwn_data()
    {
        QTest::addColumn<QString>("id");
        for (const char *name : {"roofline", "throughput", "latency", "time-account"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void plots_haveNoLegendOfTheirOwn() // the header has the names; a hidden legend is measured at each replot all the same
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        QCOMPARE(chartOf(id, model)->plot()->legend->itemCount(), 0);
    }

    void ttftRun_showsTheStepsOfItsLoop()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::ttftSession()));
        const TextTable table = chartOf(QStringLiteral("latency"), model)->table();
        QCOMPARE(table.rows.size(), std::size_t(2)); // loop and stream
        QCOMPARE(table.rows[0][2], std::string("63"));
        QCOMPARE(rowsOf(chartOf(QStringLiteral("roofline"), model)->table(), "measured prefill").size(),
                 std::size_t(1));
    }

    // ------------------------------------------------------------------------------------------ interaction

    void click_selectsThePoint_andEveryChartMarksIt_data()
    {
        QTest::addColumn<QString>("id");
        for (const char *name : {"roofline", "throughput", "latency", "time-account"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void click_selectsThePoint_andEveryChartMarksIt()
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(id, model);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        chart->plot()->replot();
        const SweepPoint &point = model.currentRun()->points[3];
        QCPAxis *x = chart->plot()->xAxis, *y = chart->plot()->yAxis;
        QPointF at;
        if (id == QLatin1String("roofline"))
            at = QPointF(x->coordToPixel(point.forecast.floorNominal.intensity),
                         y->coordToPixel(point.forecast.floorNominal.flop / point.stepSeconds));
        else if (id == QLatin1String("throughput"))
            at = QPointF(x->coordToPixel(64), y->coordToPixel(64 / point.stepSeconds));
        else if (id == QLatin1String("latency"))
            at = QPointF(x->coordToPixel(1 + 3 * 40 + 5), y->coordToPixel(point.steps[5].seconds()));
        else
            at = QPointF(x->coordToPixel(point.stepSeconds / 2), y->coordToPixel(3.2));

        QSignalSpy hovered(chart.get(), &ChartView::hovered);
        QTest::mouseMove(chart->plot(), at.toPoint());
        QTRY_VERIFY(!hovered.isEmpty());
        QVERIFY(!hovered.back().front().toString().isEmpty());

        std::vector<std::unique_ptr<ChartView>> all;
        std::vector<QImage> before;
        for (const auto &[name, make] : Makers) {
            if (QLatin1String(name) == QLatin1String("line") || QLatin1String(name) == QLatin1String("anatomy"))
                continue; // rows are models, bars are kernels: no points of a sweep
            all.push_back(chartOf(QLatin1String(name), model));
            before.push_back(all.back()->toImage(QSize(700, 400), 1));
        }
        QTest::mouseClick(chart->plot(), Qt::LeftButton, {}, at.toPoint());
        QVERIFY(model.selection());
        QCOMPARE(model.selection()->index, 3);
        QCOMPARE(model.selectedPoint()->batch, 64);
        for (std::size_t i = 0; i < all.size(); ++i)
            QVERIFY(all[i]->toImage(QSize(700, 400), 1) != before[i]);
        model.select(std::nullopt);
        for (std::size_t i = 0; i < all.size(); ++i)
            QCOMPARE(all[i]->toImage(QSize(700, 400), 1), before[i]);
    }

    void doubleClickBesideAPoint_activates()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        const auto chart = chartOf(QStringLiteral("roofline"), model);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        QSignalSpy spy(chart.get(), &ChartView::activated);
        QTest::mouseDClick(chart->plot(), Qt::LeftButton, {},
                           chart->plot()->axisRect()->rect().bottomRight() - QPoint(20, 60));
        QCOMPARE(spy.count(), 1);
        QTest::keyClick(chart.get(), Qt::Key_Return);
        QCOMPARE(spy.count(), 2);
    }

    void keys_panZoomAndReset_data() { everyChart(); }
    void keys_panZoomAndReset()
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        const auto chart = chartOf(id, model);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        const QCPAxis *x = chart->plot()->xAxis;
        const QCPRange home = x->range();
        QTest::keyClick(chart.get(), Qt::Key_Right);
        QVERIFY(x->range().lower > home.lower && x->range().upper > home.upper);
        const QCPRange panned = x->range();
        QTest::keyClick(chart.get(), Qt::Key_Plus);
        QVERIFY(x->range().lower > panned.lower && x->range().upper < panned.upper);
        // New predictions leave a view alone that the user chose.
        const QCPRange zoomed = x->range();
        WhatIf moved = model.whatIf();
        moved.ceilings.bandwidth *= 7;
        model.setWhatIf(moved);
        chart->flush();
        QCOMPARE(x->range(), zoomed);
        model.setWhatIf(fixture::whatIf());
        chart->flush();
        QTest::keyClick(chart.get(), Qt::Key_Home);
        QCOMPARE(x->range(), home);
    }

    void controlArrow_stepsThroughThePoints()
    {
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(QStringLiteral("throughput"), model);
        QTest::keyClick(chart.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(model.selection()->index, 0);
        QTest::keyClick(chart.get(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(model.selection()->index, 1);
        QTest::keyClick(chart.get(), Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(model.selection()->index, 0);
    }

    void everyChart_isNamedAndDescribed_data() { everyChart(); }
    void everyChart_isNamedAndDescribed()
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        const auto chart = chartOf(id, model);
        QCOMPARE(chart->id(), id);
        QCOMPARE(chart->accessibleName(), chart->title());
        QCOMPARE(chart->focusPolicy(), Qt::StrongFocus);
        QTRY_VERIFY(!chart->accessibleDescription().isEmpty());
        const TextTable table = chart->table();
        for (const auto &row : table.rows)
            QCOMPARE(row.size(), table.header.size());
    }

    // ------------------------------------------------------------------------------------------ hostile values

    void hostileValues_neverBreakTheAxes_data()
    {
        QTest::addColumn<double>("bandwidth");
        QTest::addColumn<double>("flops");
        QTest::addColumn<double>("overhead");
        QTest::addColumn<double>("batch");
        QTest::addColumn<double>("context");
        QTest::newRow("zero bandwidth") << 0.0 << 65e12 << 0.0 << 8.0 << 256.0;
        QTest::newRow("zero peak") << 320e9 << 0.0 << 0.0 << 8.0 << 256.0;
        QTest::newRow("all zero") << 0.0 << 0.0 << 0.0 << 0.0 << 0.0;
        QTest::newRow("negative") << -1.0 << -1.0 << -1.0 << -1.0 << -1.0;
        QTest::newRow("NaN") << kMissing << kMissing << kMissing << kMissing << kMissing;
        QTest::newRow("infinite") << Infinite << Infinite << Infinite << Infinite << Infinite;
        QTest::newRow("1e300") << 1e300 << 1e300 << 1e300 << 1e300 << 1e300;
        QTest::newRow("1e300 bandwidth") << 1e300 << 65e12 << 0.0 << 8.0 << 256.0;
        QTest::newRow("1e-300") << 1e-300 << 1e-300 << 1e-300 << 1e-300 << 1e-300;
        QTest::newRow("batch 1e30") << 320e9 << 65e12 << 0.0 << 1e30 << 256.0;
        QTest::newRow("overhead 1e10 s") << 320e9 << 65e12 << 1e10 << 8.0 << 256.0;
    }
    void hostileValues_neverBreakTheAxes()
    {
        QFETCH(double, bandwidth);
        QFETCH(double, flops);
        QFETCH(double, overhead);
        QFETCH(double, batch);
        QFETCH(double, context);
        for (const bool run : {false, true}) {
            WorkbenchModel model;
            WhatIf values = fixture::whatIf(true);
            values.nominal.bandwidth = values.ceilings.bandwidth = bandwidth;
            values.nominal.flops = values.ceilings.flops = flops;
            values.ceilings.overhead = overhead;
            values.batch = batch;
            values.context = values.prompt = context;
            values.measured->readBandwidth = bandwidth;
            values.measured->matmulFlops[DType::F16] = flops;
            if (run) {
                Session session = fixture::sweepSession();
                SweepPoint &point = session.runs[0].points[1];
                point.stepSeconds = bandwidth;
                point.peakBytes = flops;
                point.forecast.floorNominal.flop = flops;
                point.forecast.floorNominal.intensity = bandwidth;
                point.forecast.predicted->stepSeconds = overhead;
                point.forecast.predicted->tokensPerSecond = flops;
                point.steps[0].deviceSeconds = bandwidth;
                model.setSession(shared(session));
            }
            model.setWhatIf(values);
            for (const auto &[name, make] : Makers) {
                const auto chart = chartOf(QLatin1String(name), model);
                QVERIFY(!chart->toImage(QSize(400, 300), 1).isNull());
                for (const QCPAxis *axis : {chart->plot()->xAxis, chart->plot()->yAxis}) {
                    const QCPRange range = axis->range();
                    QVERIFY2(std::isfinite(range.lower) && std::isfinite(range.upper) && range.lower < range.upper,
                             name);
                    if (axis->scaleType() == QCPAxis::stLogarithmic)
                        QVERIFY2(range.lower > 0, name);
                }
                chart->table();
            }
        }
    }

    void oneAbsurdPoint_doesNotMoveTheAxes_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::newRow("1e-300 s") << 1e-300;
        QTest::newRow("1e300 s") << 1e300;
        QTest::newRow("infinite") << Infinite;
        QTest::newRow("zero") << 0.0;
    }
    void oneAbsurdPoint_doesNotMoveTheAxes()
    {
        QFETCH(double, seconds);
        for (const char *id : {"roofline", "throughput"}) {
            const auto rangeWith = [&](double value) {
                WorkbenchModel model;
                model.setWhatIf(fixture::whatIf(true));
                Session session = fixture::sweepSession();
                session.runs[0].points[1].stepSeconds = value;
                model.setSession(shared(session));
                return chartOf(QLatin1String(id), model)->plot()->yAxis->range();
            };
            QCOMPARE(rangeWith(seconds), rangeWith(kMissing));
        }
    }

    void wheelAndKeys_neverLeaveTheDrawableRange_data() { everyChart(); }
    void wheelAndKeys_neverLeaveTheDrawableRange()
    {
        QFETCH(QString, id);
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        const auto chart = chartOf(id, model);
        for (const Qt::Key key : {Qt::Key_Minus, Qt::Key_Plus, Qt::Key_Right, Qt::Key_Up, Qt::Key_Left}) {
            for (int i = 0; i < 400; ++i)
                QTest::keyClick(chart.get(), key);
            for (const QCPAxis *axis : {chart->plot()->xAxis, chart->plot()->yAxis}) {
                QVERIFY(std::isfinite(axis->range().lower) && std::isfinite(axis->range().upper));
                QVERIFY(axis->range().lower < axis->range().upper);
                if (axis->scaleType() == QCPAxis::stLogarithmic)
                    QVERIFY(axis->range().lower > 0);
            }
            QVERIFY(!chart->toImage(QSize(300, 200), 1).isNull());
        }
    }

    void impossibleWhatIf_isAGap()
    {
        WorkbenchModel model;
        WhatIf values = fixture::whatIf();
        values.ceilings.bandwidth = 0;
        model.setWhatIf(values);
        const auto chart = chartOf(QStringLiteral("time-account"), model);
        for (const auto &row : chart->table().rows)
            QCOMPARE(row[4], std::string());
    }

    // ------------------------------------------------------------------------------------------ export

    void exportPng_hasExactlyTheSize_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::newRow("x1") << QSize(700, 400) << 1.0;
        QTest::newRow("x2") << QSize(700, 400) << 2.0;
        QTest::newRow("x3") << QSize(360, 240) << 3.0;
        QTest::newRow("tiny") << QSize(20, 10) << 1.0;
    }
    void exportPng_hasExactlyTheSize()
    {
        QFETCH(QSize, size);
        QFETCH(double, scale);
        QTemporaryDir folder;
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        for (const auto &[name, make] : Makers) {
            const QString path = folder.filePath(QString::fromLatin1(name) + QStringLiteral(".png"));
            QCOMPARE(chartOf(QLatin1String(name), model)->exportTo(path, size, scale), QString());
            QCOMPARE(QImageReader(path).size(), size * scale);
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(),
                 qsizetype(std::size(Makers))); // no temporary left
    }

    void exportVector_isWellFormed_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("suffix");
        for (const auto &[name, make] : Makers) {
            for (const char *suffix : {"svg", "pdf"})
                QTest::addRow("%s.%s", name, suffix) << QString::fromLatin1(name) << QString::fromLatin1(suffix);
        }
    }
    void exportVector_isWellFormed()
    {
        QFETCH(QString, id);
        QFETCH(QString, suffix);
        QTemporaryDir folder;
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf(true));
        model.setSession(shared(fixture::sweepSession()));
        const auto chart = chartOf(id, model);
        const QString path = folder.filePath(id + QLatin1Char('.') + suffix);
        QCOMPARE(chart->exportTo(path, QSize(700, 400), 1), QString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        if (suffix == QLatin1String("pdf")) {
            QVERIFY(bytes.startsWith("%PDF-"));
            QVERIFY(bytes.trimmed().endsWith("%%EOF"));
            QVERIFY(bytes.contains("/MediaBox [0 0 525 300]") ||
                    bytes.contains("/MediaBox [0 0 525.000000 300.000000]"));
            return;
        }
        QXmlStreamReader xml(bytes);
        int elements = 0;
        QString words;
        while (!xml.atEnd()) {
            elements += xml.readNext() == QXmlStreamReader::StartElement;
            if (xml.isCharacters())
                words += xml.text();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(elements > 50);
        QVERIFY(words.contains(chart->title())); // text stays text
        QSvgRenderer renderer(bytes);
        QVERIFY(renderer.isValid());
        QCOMPARE(renderer.viewBox(), QRect(0, 0, 700, 400));
    }

    void exportToABadPath_isASentence_andLeavesTheScreenAlone_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("word");
        QTest::newRow("a folder in the way")
            << QStringLiteral("folder.png") << QSize(300, 200) << QStringLiteral("folder.png");
        QTest::newRow("below a file") << QStringLiteral("file/x.png") << QSize(300, 200) << QStringLiteral("file");
        QTest::newRow("svg below a file") << QStringLiteral("file/x.svg") << QSize(300, 200) << QStringLiteral("file");
        QTest::newRow("pdf below a file") << QStringLiteral("file/x.pdf") << QSize(300, 200) << QStringLiteral("file");
        QTest::newRow("no suffix") << QStringLiteral("chart") << QSize(300, 200)
                                   << QStringLiteral(".png, .svg or .pdf");
        QTest::newRow("jpeg") << QStringLiteral("chart.jpg") << QSize(300, 200) << QStringLiteral("chart.jpg");
        QTest::newRow("no size") << QStringLiteral("chart.png") << QSize(0, 0) << QStringLiteral("chart.png");
        QTest::newRow("too large") << QStringLiteral("chart.png") << QSize(100000, 100000) << QStringLiteral("100000");
    }
    void exportToABadPath_isASentence_andLeavesTheScreenAlone()
    {
        QFETCH(QString, name);
        QFETCH(QSize, size);
        QFETCH(QString, word);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("folder.png")));
        QFile file(folder.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        const auto chart = chartOf(QStringLiteral("roofline"), model);
        chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
        QTest::qWait(50);
        const QImage before = chart->grab().toImage();
        const QString sentence = chart->exportTo(folder.filePath(name), size, 1);
        QVERIFY2(sentence.contains(word) && sentence.endsWith(QLatin1Char('.')), qPrintable(sentence));
        QTest::qWait(50);
        QCOMPARE(chart->grab().toImage(), before);
        QVERIFY(!QFileInfo::exists(folder.filePath(QStringLiteral("chart.png"))));
    }

    void export_leavesTheScreenAlone()
    {
        QTemporaryDir folder;
        WorkbenchModel model;
        model.setWhatIf(fixture::whatIf());
        for (const auto &[name, make] : Makers) {
            const auto chart = chartOf(QLatin1String(name), model);
            chart->show();
            QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
            QTest::qWait(50);
            const QImage before = chart->grab().toImage();
            const QRect rect = chart->plot()->axisRect()->rect();
            for (const char *suffix : {"png", "svg", "pdf"})
                QCOMPARE(chart->exportTo(folder.filePath(QStringLiteral("x.") + QLatin1String(suffix)),
                                         QSize(1600, 1000), 2),
                         QString());
            QTest::qWait(50);
            QCOMPARE(chart->plot()->axisRect()->rect(), rect);
            QCOMPARE(chart->grab().toImage(), before);
        }
    }

    void renderSessionCharts_leavesOutWhatHasNothingMeasured()
    {
        QTemporaryDir folder;
        const QSize size(600, 400);
        QVERIFY(renderSessionCharts(newSession(), folder.path(), size, 1, ChartTheme::light()).empty());
        QCOMPARE(renderSessionCharts(fixture::ttftSession(), folder.path(), size, 1, ChartTheme::light()).size(),
                 std::size_t(3));
        const auto pictures = renderSessionCharts(fixture::sweepSession(), folder.path(), size, 2, ChartTheme::light());
        QCOMPARE(pictures.size(), std::size_t(5)); // the frontier too: the run's memory is known
        const auto taken = renderSessionCharts(fixture::anatomySession(), folder.path(), size, 2, ChartTheme::light());
        QCOMPARE(taken.size(), std::size_t(6));
        QVERIFY(std::any_of(taken.begin(), taken.end(), [](const auto &picture) { return picture.first == "anatomy.png"; }));
        for (const auto &[name, caption] : pictures) {
            QCOMPARE(QImageReader(folder.filePath(name)).size(), size * 2);
            QVERIFY(caption.contains(QStringLiteral("TinyLlama 1.1B")) &&
                    caption.contains(QStringLiteral("NVIDIA T4")));
        }
        QVERIFY_EXCEPTION_THROWN(renderSessionCharts(fixture::sweepSession(), folder.filePath(pictures[0].first), size,
                                                     1, ChartTheme::light()),
                                 Error);
    }

    void whatIfOfRun_takesTheRunsOwnCeilings()
    {
        const RunRecord run = fixture::sweepSession().runs[0];
        const WhatIf values = whatIfOfRun(run);
        QCOMPARE(values.nominal, nominalCeilings(fixture::t4(), DType::F16));
        QCOMPARE(values.ceilings.bandwidth, 270e9);
        QCOMPARE(values.ceilings.flops, 50e12);
        QCOMPARE(values.ceilings.overhead, 8e-3);
        QCOMPARE(values.context, 128.0 + 10 + 20);
        QCOMPARE(values.batches, run.plan.batches);
        QCOMPARE(values.accounting, Accounting::Exact);
    }

    // ------------------------------------------------------------------------------------------ theme

    void contrast_isEnough_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void contrast_isEnough()
    {
        QFETCH(bool, dark);
        const ChartTheme theme = dark ? ChartTheme::darkTheme() : ChartTheme::light();
        const auto check = [&](const char *what, const QColor &color, double least) {
            for (const QColor &behind : {theme.background, theme.panel}) {
                QVERIFY2(contrast(color, behind) >= least,
                         qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(what)).arg(contrast(color, behind))));
            }
        };
        check("text", theme.text, 4.5);
        check("muted text", theme.mutedText, 4.5);
        const std::pair<const char *, QColor> marks[] = {{"measured", theme.measured},
                                                         {"forecast", theme.forecast},
                                                         {"floor", theme.floor},
                                                         {"imported", theme.imported},
                                                         {"nominal roof", theme.nominalRoof},
                                                         {"measured roof", theme.measuredRoof},
                                                         {"linear", theme.linear},
                                                         {"capacity", theme.capacity},
                                                         {"warning", theme.warning},
                                                         {"compute", theme.compute},
                                                         {"memory", theme.memory},
                                                         {"overhead", theme.overhead},
                                                         {"host gap", theme.hostGap},
                                                         {"throttled", theme.throttled},
                                                         {"lowest clock", theme.scale[0]},
                                                         {"low clock", theme.scale[1]},
                                                         {"middle clock", theme.scale[2]},
                                                         {"high clock", theme.scale[3]},
                                                         {"highest clock", theme.scale[4]},
                                                         {"selection", theme.selection},
                                                         {"axis", theme.axis}};
        for (const auto &[what, color] : marks)
            check(what, color, 3);
        const QPalette palette = dark ? darkPalette() : lightPalette();
        QVERIFY(contrast(palette.color(QPalette::WindowText), palette.color(QPalette::Window)) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::Text), palette.color(QPalette::Base)) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
        QVERIFY(contrast(palette.color(QPalette::Link), palette.color(QPalette::Base)) >= 4.5);
        QCOMPARE(ChartTheme::forPalette(palette).dark, dark);
    }
};

QTEST_MAIN(ChartsTest)
#include "charts_test.moc"
