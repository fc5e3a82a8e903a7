// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/format.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double CapacityInSight = 32; ///< times the largest batch: a limit further out is named, not drawn

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto mix = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

/// Tokens a second against batch, both logarithmic.
class ThroughputChart : public ChartView {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::ThroughputChart)

public:
    ThroughputChart(WorkbenchModel *model, QWidget *parent);
    QString title() const override { return tr("Throughput against batch"); }
    TextTable table() const override { return m_table; }

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;

private:
    /// The points of a run of another mode than the one that is looked at.
    struct Series {
        std::vector<MeasuredPoint> points;
        DecodeMode mode = DecodeMode::Eager;
    };
    void addThrottleMark(const MeasuredPoint &point, double rate, const std::function<QString()> &hover);
    Mark throttleMark() const;
    void addRow(const QString &series, double batch, double context, double rate, double peak, const QString &note);
    QCPGraph *series(std::vector<QCPGraph *> &pool, std::size_t index);

    QCPGraph *m_fitting;               ///< the prediction up to the capacity
    QCPGraph *m_beyond;                ///< what it would be beyond
    QCPGraph *m_floorNominal, *m_floorMeasured;
    std::vector<QCPGraph *> m_lines;   ///< measured, one a prompt
    std::vector<QCPGraph *> m_linears; ///< linear references
    std::vector<QCPGraph *> m_others;  ///< measured in another mode, one a prompt
    std::vector<Target> m_targets;
    std::optional<double> m_capacity;
    double m_largestBatch = 1;
    bool m_anyAtBottom = false;
    TextTable m_table;
};

ThroughputChart::ThroughputChart(WorkbenchModel *model, QWidget *parent)
    : ChartView(model, QStringLiteral("throughput"), parent), m_fitting(plot()->addGraph()),
      m_beyond(plot()->addGraph()), m_floorNominal(plot()->addGraph()), m_floorMeasured(plot()->addGraph())
{
    QCPAxis *x = plot()->xAxis, *y = plot()->yAxis;
    x->setScaleType(QCPAxis::stLogarithmic);
    x->setTicker(QSharedPointer<QCPAxisTicker>(
        new LogTicker(x, 2, [](double value) { return QString::number(value, 'g', 7); })));
    y->setScaleType(QCPAxis::stLogarithmic);
    y->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker(y, 10, siPrefixed)));
    m_floorNominal->setName(QStringLiteral("floor, datasheet")); // plots show no names; tests find the graphs by them
    m_floorMeasured->setName(QStringLiteral("floor, measured"));
    m_fitting->setName(QStringLiteral("forecast"));
    for (QCPGraph *graph : {m_fitting, m_beyond, m_floorNominal, m_floorMeasured})
        graph->setAdaptiveSampling(false);
}

QCPGraph *ThroughputChart::series(std::vector<QCPGraph *> &pool, std::size_t index)
{
    while (pool.size() <= index) {
        pool.push_back(plot()->addGraph());
        pool.back()->setAdaptiveSampling(false);
    }
    pool[index]->setVisible(true);
    return pool[index];
}

void ThroughputChart::addRow(const QString &name, double batch, double context, double rate, double peak,
                             const QString &note)
{
    m_table.rows.push_back({name.toStdString(), QString::number(batch).toStdString(),
                            std::isnan(context) ? std::string() : QString::number(context).toStdString(),
                            std::isnan(rate) ? std::string() : format::significant(rate, 4),
                            std::isnan(peak) ? std::string() : format::bytes(peak), note.toStdString()});
}

Mark ThroughputChart::throttleMark() const
{
    return model()->view().colour == ViewOptions::Colour::Throttle ? Mark::FilledDiamond : Mark::OpenTriangleDown;
}

/// A point of which any step was throttled stands with its mark, whatever the colours mean.
void ThroughputChart::addThrottleMark(const MeasuredPoint &point, double rate, const std::function<QString()> &hover)
{
    if (point.throttledSteps == 0)
        return;
    Target &target = m_targets.emplace_back();
    target.x = static_cast<double>(point.batch);
    target.y = rate;
    target.mark = throttleMark();
    target.color = theme().throttled;
    target.size = theme().pointSize + (target.mark == Mark::FilledDiamond ? 2 : 8);
    target.key = point.key;
    target.text = hover;
}

void ThroughputChart::rebuild(unsigned)
{
    const WhatIf &whatIf = model()->whatIf();
    const Prediction prediction(*model());
    const std::vector<MeasuredPoint> measured = measuredPoints(*model());
    const bool any = anyMeasured(measured);
    const ChartTheme &look = theme();

    plot()->xAxis->setLabel(tr("Batch (sequences)"));
    plot()->yAxis->setLabel(tr("Throughput (tokens/s)"));
    m_table = TextTable();
    m_table.header = {tr("series").toStdString(),   tr("batch").toStdString(),       tr("context").toStdString(),
                      tr("tokens/s").toStdString(), tr("peak memory").toStdString(), tr("note").toStdString()};
    m_targets.clear();
    m_capacity.reset();
    m_anyAtBottom = false;
    for (auto *pool : {&m_lines, &m_linears, &m_others}) {
        for (QCPGraph *graph : *pool) {
            graph->setVisible(false);
            graph->data()->clear();
        }
    }

    // Both ways of issuing a step in one picture, where the session holds both.
    std::vector<Series> others;
    for (const RunRecord *run : runsOfOtherModes(*model()))
        others.push_back({pointsOfRun(*model(), *run), run->plan.mode});
    const RunRecord *current = model()->currentRun();
    const DecodeMode mode = current ? current->plan.mode : DecodeMode::Eager;
    const bool byClock = model()->view().colour == ViewOptions::Colour::Clock;
    ClockScale scale;
    bool anyThrottled = false;
    const auto takeIn = [&](const std::vector<MeasuredPoint> &points) {
        for (const MeasuredPoint &point : points) {
            m_largestBatch = std::max(m_largestBatch, static_cast<double>(point.batch));
            scale.add(point.smClockHz);
            anyThrottled |= point.throttledSteps > 0;
        }
    };
    const auto colourOf = [&](const MeasuredPoint &point, const QColor &series) {
        return byClock ? scale.colorOf(look, point.smClockHz) : series;
    };

    m_largestBatch = std::max(1.0, whatIf.batch);
    for (const std::int64_t batch : whatIf.batches)
        m_largestBatch = std::max(m_largestBatch, static_cast<double>(batch));
    takeIn(measured);
    for (const Series &other : others)
        takeIn(other.points);
    if (prediction.workload) {
        try {
            m_capacity = capacity(*prediction.workload, whatIf.ceilings.memory, whatIf.context);
        } catch (const Error &) {
            // A memory or context that is no number: the caption says what is wrong with the values.
        }
    }

    // Floors and forecast over the batch; beyond the capacity the forecast is faint.
    const double last = m_capacity && *m_capacity <= m_largestBatch * CapacityInSight
                            ? std::max(m_largestBatch, *m_capacity * 1.5)
                            : m_largestBatch * 1.5;
    const PredictedLine line = lineOverBatch(prediction, whatIf, last, m_capacity);
    QVector<double> fitX, fitY, beyondX, beyondY, nominalX, nominalY, floorX, floorY;
    for (std::size_t i = 0; i < line.at.size(); ++i) {
        const auto put = [&](const std::optional<StepPrediction> &step, QVector<double> &xs, QVector<double> &ys) {
            if (!step || !drawableOnLog(step->tokensPerSecond))
                return;
            xs.append(line.at[i]);
            ys.append(step->tokensPerSecond);
        };
        put(line.floorNominal[i], nominalX, nominalY);
        put(line.floorMeasured[i], floorX, floorY);
        if (!m_capacity || line.at[i] <= *m_capacity)
            put(line.forecast[i], fitX, fitY);
        if (m_capacity && line.at[i] >= *m_capacity)
            put(line.forecast[i], beyondX, beyondY);
    }
    const bool floors = prediction.basis != PredictionBasis::Datasheet; // else the forecast is the floor
    m_fitting->setData(fitX, fitY, true);
    m_beyond->setData(beyondX, beyondY, true);
    m_floorNominal->setData(nominalX, nominalY, true);
    m_floorMeasured->setData(floorX, floorY, true);
    m_floorNominal->setVisible(floors);
    m_fitting->setPen(forecastPen(look, prediction.basis));
    m_beyond->setPen(penOf(look.forecast, 1, Qt::DotLine));
    m_floorNominal->setPen(floorPen(look, false));
    m_floorMeasured->setPen(floorPen(look, true));

    Ceilings nominal = whatIf.nominal;
    nominal.overhead = 0;
    for (const double batch : predictedBatches(whatIf)) {
        const auto step = prediction.step(batch, whatIf.context);
        if (!step)
            continue;
        const bool fits = !m_capacity || batch <= *m_capacity;
        addRow(prediction.name(), batch, whatIf.context, step->tokensPerSecond, kMissing,
               fits ? QString() : tr("does not fit into the memory"));
        if (const auto floor = prediction.step(nominal, batch, whatIf.context); floor && floors)
            addRow(tr("floor, datasheet"), batch, whatIf.context, floor->tokensPerSecond, kMissing, QString());
        if (const auto floor = prediction.measured ? prediction.step(*prediction.measured, batch, whatIf.context) : std::nullopt)
            addRow(tr("floor, measured ceilings"), batch, whatIf.context, floor->tokensPerSecond, kMissing, QString());
        const bool slider = batch == whatIf.batch;
        if (any && !slider)
            continue; // the line is enough beside measured points
        Target target;
        target.x = batch;
        target.y = step->tokensPerSecond;
        target.mark = slider ? Mark::BoldDiamond : Mark::Diamond;
        target.color = look.forecast;
        target.size = look.pointSize;
        target.priority = slider ? 2 : 1;
        target.label = text(slider ? format::tokensPerSecond(step->tokensPerSecond)
                                   : format::significant(step->tokensPerSecond, 3));
        target.text = [step = *step, name = prediction.name()] { return predictedText(name, step); };
        m_targets.push_back(std::move(target));
    }

    // Measured points, one series a prompt; a point without a value is a gap in its line.
    const std::vector<std::int64_t> prompts = promptsOf(measured);
    const auto addLinear = [&](std::size_t index, double batch, double rate) {
        QCPGraph *graph = series(m_linears, index);
        const double end = m_largestBatch * 1.5;
        graph->setData({batch, end}, {rate, rate / batch * end}, true);
        graph->setPen(penOf(look.linear, 1.2, Qt::DashLine));
    };
    bool anyStored = false;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        std::vector<const MeasuredPoint *> ordered;
        for (const MeasuredPoint &point : measured) {
            if (point.prompt == prompts[i])
                ordered.push_back(&point);
        }
        std::stable_sort(ordered.begin(), ordered.end(),
                         [](const MeasuredPoint *a, const MeasuredPoint *b) { return a->batch < b->batch; });
        const QColor color = measuredShade(look, static_cast<int>(i));
        QVector<double> xs, ys;
        bool linearDone = false;
        for (const MeasuredPoint *point : ordered) {
            const auto batch = static_cast<double>(point->batch);
            const double rate = point->status == PointStatus::Ok ? batch / point->seconds : kMissing;
            const QString note = point->status == PointStatus::Ok
                                     ? point->live ? tr("measuring") : QString()
                                     : statusText(point->status) + QStringLiteral(": ") + coreText(point->reason);
            addRow(tr("measured, prompt %1").arg(point->prompt), batch, point->context, rate, point->peakBytes, note);
            if (!point->live) {
                xs.append(batch);
                ys.append(drawableOnLog(rate) ? rate : kMissing);
            }
            // What was foretold before the run, at the run's own ceilings.
            if (point->forecast) {
                const auto &stored =
                    point->forecast->predicted ? point->forecast->predicted : point->forecast->floorMeasured;
                if (stored && drawableOnLog(stored->tokensPerSecond)) {
                    anyStored = true;
                    addRow(tr("forecast, prompt %1").arg(point->prompt), batch, point->context, stored->tokensPerSecond,
                           kMissing, QString());
                    Target target;
                    target.x = batch;
                    target.y = stored->tokensPerSecond;
                    target.mark = Mark::Diamond;
                    target.color = look.forecast;
                    target.size = look.pointSize;
                    target.text = [step = *stored] { return predictedText(tr("forecast of the run"), step); };
                    m_targets.push_back(std::move(target));
                }
            }
            const bool failed = point->status != PointStatus::Ok;
            if (!failed && !drawableOnLog(rate))
                continue;
            if (!linearDone && !failed && !point->live) {
                addLinear(i, batch, rate);
                linearDone = true;
            }
            Target target;
            target.x = batch;
            target.y = failed ? 1 : rate;
            target.atBottom = failed;
            target.mark = failed ? Mark::Cross : point->live ? Mark::LiveDisc : Mark::Disc;
            target.color = failed ? look.warning : colourOf(*point, color);
            target.size = point->live ? look.pointSize + 3 : look.pointSize;
            target.key = point->key;
            target.priority = failed ? 4 : point->live ? 5 : 3;
            m_anyAtBottom |= failed;
            if (failed)
                target.label = statusText(point->status);
            else if (point->live)
                target.label = tr("live");
            else if (std::isfinite(point->peakBytes))
                target.label = text(format::bytes(point->peakBytes));
            MeasuredPoint figures = *point;
            target.text = [figures, forecast = point->forecast ? *point->forecast : PointForecast()]() mutable {
                figures.forecast = &forecast;
                return measuredText(figures);
            };
            const auto hover = target.text;
            m_targets.push_back(std::move(target));
            if (!failed)
                addThrottleMark(*point, rate, hover);
        }
        QCPGraph *drawn = series(m_lines, i);
        drawn->setData(xs, ys, true);
        drawn->setPen(penOf(color, look.lineWidth));
    }
    // A shade is a prompt's, whatever the mode; the mark and the dashes are the mode's.
    std::vector<std::int64_t> shaded = prompts;
    for (const Series &other : others)
        for (const std::int64_t prompt : promptsOf(other.points))
            if (std::find(shaded.begin(), shaded.end(), prompt) == shaded.end())
                shaded.push_back(prompt);
    const auto otherShade = [&](std::size_t index) { return mixed(look.imported, look.text, std::min<double>(static_cast<double>(index), 2) * 0.42); };
    std::vector<LegendEntry> otherEntries;
    std::size_t used = 0;
    for (std::size_t o = 0; o < others.size(); ++o) {
        const Series &other = others[o];
        const Mark mark = o == 0 ? Mark::Square : Mark::OpenSquare;
        const Qt::PenStyle dashes = o == 0 ? look.importedLine : Qt::DashDotDotLine;
        const std::vector<std::int64_t> lengths = promptsOf(other.points);
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const QColor color = otherShade(static_cast<std::size_t>(std::find(shaded.begin(), shaded.end(), lengths[i]) - shaded.begin()));
            const QString name = tr("measured, %1, prompt %2").arg(modeText(other.mode)).arg(lengths[i]);
            std::vector<const MeasuredPoint *> ordered;
            for (const MeasuredPoint &point : other.points) {
                if (point.prompt == lengths[i])
                    ordered.push_back(&point);
            }
            std::stable_sort(ordered.begin(), ordered.end(),
                             [](const MeasuredPoint *a, const MeasuredPoint *b) { return a->batch < b->batch; });
            QVector<double> xs, ys;
            for (const MeasuredPoint *point : ordered) {
                const auto batch = static_cast<double>(point->batch);
                const double rate = point->status == PointStatus::Ok ? batch / point->seconds : kMissing;
                addRow(name, batch, point->context, rate, point->peakBytes,
                       point->status == PointStatus::Ok
                           ? QString()
                           : statusText(point->status) + QStringLiteral(": ") + coreText(point->reason));
                xs.append(batch);
                ys.append(drawableOnLog(rate) ? rate : kMissing);
                if (!drawableOnLog(rate))
                    continue; // why there is none is told by that run's own picture
                Target target;
                target.x = batch;
                target.y = rate;
                target.mark = mark;
                target.color = colourOf(*point, color);
                target.size = look.pointSize;
                target.key = point->key;
                target.priority = 2;
                target.text = [figures = *point, forecast = *point->forecast, how = modeText(other.mode)]() mutable {
                    figures.forecast = &forecast;
                    return tr("mode %1").arg(how) + QLatin1Char('\n') + measuredText(figures);
                };
                const auto hover = target.text;
                m_targets.push_back(std::move(target));
                addThrottleMark(*point, rate, hover);
            }
            QCPGraph *graph = series(m_others, used++);
            graph->setData(xs, ys, true);
            graph->setPen(penOf(color, look.lineWidth, dashes));
        }
        otherEntries.push_back({modeText(other.mode), otherShade(0), mark, dashes, look.lineWidth});
    }
    bool linear = any;
    if (!any) {
        const auto batches = predictedBatches(whatIf);
        if (const auto step = batches.empty() ? std::nullopt : prediction.step(batches.front(), whatIf.context);
            step && drawableOnLog(step->tokensPerSecond)) {
            addLinear(0, step->batch, step->tokensPerSecond);
            linear = true;
        }
    }

    std::vector<LegendEntry> legend;
    if (any) {
        for (std::size_t i = 0; others.empty() && i < prompts.size(); ++i)
            legend.push_back({prompts.size() > 1 ? tr("measured, prompt %1").arg(prompts[i]) : tr("measured"),
                              measuredShade(look, static_cast<int>(i)), Mark::Disc, Qt::SolidLine, look.lineWidth,
                              {}, prompts.size() > 1 ? QStringLiteral("p=%1").arg(prompts[i]) : QString()});
        // Beside other modes one name a mode: all of them must find room above a small chart.
        if (!others.empty())
            legend.push_back({modeText(mode), measuredShade(look, 0), Mark::Disc, Qt::SolidLine, look.lineWidth});
    }
    legend.insert(legend.end(), otherEntries.begin(), otherEntries.end());
    if (!others.empty() && shaded.size() > 1) { // and one for the shades, which are the prompts' in each mode
        LegendEntry entry{QString(), measuredShade(look, 0), Mark::Disc};
        QStringList lengths;
        for (std::size_t i = 0; i < shaded.size(); ++i) {
            lengths << QString::number(shaded[i]);
            if (i > 0)
                entry.shades.push_back(measuredShade(look, static_cast<int>(i)));
        }
        entry.text = QStringLiteral("p=%1").arg(lengths.join(QStringLiteral(", ")));
        legend.push_back(std::move(entry));
    }
    // What was foretold stands before the rest: a small chart has room for few names.
    const bool asks = prediction.basis == PredictionBasis::WhatIf;
    if (anyStored && asks)
        legend.push_back({tr("forecast of the run"), look.forecast, Mark::Diamond});
    if (!fitX.isEmpty() || !beyondX.isEmpty()) {
        LegendEntry entry = forecastEntry(look, prediction.basis, anyStored && !asks ? Mark::Diamond : Mark::None);
        entry.text = tr("%1, n=%2").arg(entry.text).arg(whatIf.context);
        legend.push_back(std::move(entry));
    }
    if (!floorX.isEmpty())
        legend.push_back(floorEntry(look, true));
    if (floors && !nominalX.isEmpty())
        legend.push_back(floorEntry(look, false));
    if (byClock && (any || !otherEntries.empty())) {
        if (scale.known())
            scale.addLegend(look, legend);
        else
            legend.push_back({tr("no clock read"), look.linear, Mark::Disc});
    }
    if (anyThrottled)
        legend.push_back({tr("steps throttled"), look.throttled, throttleMark()});
    if (linear)
        legend.push_back({tr("linear"), look.linear, Mark::None, Qt::DashLine, 1.2});
    if (m_anyAtBottom)
        legend.push_back({tr("no result"), look.warning, Mark::Cross});
    setHeader(shownCaption(*model(), prediction, any), std::move(legend));
}

void ThroughputChart::fitRanges()
{
    LogExtent x, y;
    x.add(1);
    x.add(m_largestBatch * 1.3);
    if (m_capacity && *m_capacity >= 1 && *m_capacity <= m_largestBatch * CapacityInSight)
        x.add(*m_capacity * 1.3);
    double smallestBatch = std::numeric_limits<double>::infinity();
    for (const Target &target : m_targets) {
        smallestBatch = std::min(smallestBatch, target.x);
        if (target.atBottom)
            continue;
        y.add(target.y / 1.3);
        y.add(target.y * 1.5);
    }
    if (m_fitting->dataCount() > 0)
        y.add((m_fitting->data()->constEnd() - 1)->value * 1.2);
    for (const QCPGraph *graph : {m_floorNominal, m_floorMeasured}) {
        if (graph->visible() && graph->dataCount() > 0)
            y.add((graph->data()->constEnd() - 1)->value * 1.2);
    }
    // The reference leaves the picture where it would flatten the points.
    for (const QCPGraph *graph : m_linears) {
        if (graph->visible() && graph->dataCount() == 2 && !y.empty())
            y.add(std::min((graph->data()->constEnd() - 1)->value, y.high * 2.5));
    }
    if (m_anyAtBottom && !y.empty())
        y.low /= 2;
    QCPRange range = x.range(1, 128, 2);
    plot()->xAxis->setRange(QCPRange(range.lower / 1.25, range.upper));
    plot()->yAxis->setRange(y.range(10, 1e4));
}

void ThroughputChart::paintMarks(QCPPainter &painter)
{
    const QCPAxisRect &rect = *plot()->axisRect();
    const ChartTheme &look = theme();
    QCPAxis *xAxis = plot()->xAxis, *yAxis = plot()->yAxis;
    const QRectF area(rect.rect());
    LabelPlacer labels(area.adjusted(2, 2, -2, -2), look.font, look);
    painter.setAntialiasing(true);

    const auto avoidGraph = [&](const QCPGraph *graph) {
        QPointF before;
        bool first = true;
        int i = 0;
        const int count = graph->dataCount();
        // A few chords of a smooth line are enough to keep labels off it.
        const int stride = std::max(1, count / 16);
        for (auto it = graph->data()->constBegin(); it != graph->data()->constEnd(); ++it, ++i) {
            if (i % stride != 0 && i != count - 1)
                continue;
            const QPointF at(xAxis->coordToPixel(it->key), yAxis->coordToPixel(it->value));
            if (!std::isfinite(at.y())) {
                first = true;
                continue;
            }
            if (!first)
                labels.avoid(before, at);
            before = at;
            first = false;
        }
    };
    avoidGraph(m_fitting);
    for (const QCPGraph *graph : {m_floorNominal, m_floorMeasured}) {
        if (graph->visible())
            avoidGraph(graph);
    }
    for (const auto *pool : {&m_lines, &m_linears, &m_others}) {
        for (const QCPGraph *graph : *pool) {
            if (graph->visible())
                avoidGraph(graph);
        }
    }
    for (const Target &target : m_targets) {
        const QPointF at = pixelOf(rect, target);
        const double r = target.size / 2 + 2;
        labels.avoid(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    }
    if (m_capacity) {
        const double x = *m_capacity >= 1 ? xAxis->coordToPixel(*m_capacity) : area.left();
        const bool inside = x > area.left() && x < area.right();
        if (inside) {
            painter.setPen(penOf(look.capacity, 1.6, Qt::DashDotLine));
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
            labels.avoid(QPointF(x, area.top()), QPointF(x, area.bottom()));
        }
        const QString limit = *m_capacity < 1 ? tr("memory full before b=1")
                              : x >= area.right()
                                  ? tr("memory full at b=%1 \u2192").arg(text(format::count(*m_capacity)))
                                  : tr("memory full at b=%1").arg(text(format::count(*m_capacity)));
        const QSizeF size = labels.sizeOf(limit);
        bool placed = false;
        for (double down = 4; down + size.height() < area.height() && !placed; down += size.height() + 2) {
            if (inside) {
                placed = labels.placeAt(painter, QRectF(QPointF(x - 5 - size.width(), area.top() + down), size), limit,
                                        look.text) ||
                         labels.placeAt(painter, QRectF(QPointF(x + 5, area.top() + down), size), limit, look.text);
            } else {
                const double left = x >= area.right() ? area.right() - 4 - size.width() : area.left() + 4;
                placed = labels.placeAt(painter, QRectF(QPointF(left, area.bottom() - down - size.height()), size),
                                        limit, look.text);
            }
        }
    }
    drawTargets(painter, rect, m_targets, look, model()->selection(), labels);
}

std::optional<PointKey> ThroughputChart::pointAt(const QPointF &pixel, QString *text) const
{
    const Target *target = nearestTarget(*plot()->axisRect(), m_targets, pixel);
    if (text)
        *text = target ? target->text() : QString();
    return target ? target->key : std::nullopt;
}

} // namespace

ChartView *makeThroughputChart(WorkbenchModel *model, QWidget *parent)
{
    return new ThroughputChart(model, parent);
}

} // namespace ridgepoint
