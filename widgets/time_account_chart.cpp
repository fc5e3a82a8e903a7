// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// Labels of the groups beside a vertical axis of categories 0, 1, 2, ...
class GroupTicker : public QCPAxisTicker {
public:
    explicit GroupTicker(const QCPAxis *axis) : m_axis(axis) {}
    QVector<QString> names;

    void generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks, QVector<double> *subTicks,
                  QVector<QString> *tickLabels) override
    {
        ticks.clear();
        if (subTicks)
            subTicks->clear();
        if (tickLabels)
            tickLabels->clear();
        // Where groups are lower than a line of text, every second or third is named.
        // Before the layout: the viewport has the new size already, the axis rectangle not yet.
        const double each = (m_axis->parentPlot()->viewport().height() - 100) / std::max(1.0, range.size());
        const int stride = std::max(
            1, static_cast<int>(std::ceil(QFontMetricsF(m_axis->tickLabelFont()).height() / std::max(1.0, each))));
        for (int i = 0; i < names.size(); i += stride) {
            if (!range.contains(i))
                continue;
            ticks.append(i);
            if (tickLabels)
                tickLabels->append(names[i]);
        }
    }

private:
    const QCPAxis *m_axis;
};

/// What a step's time is made of: compute and memory run side by side, the overhead comes after the longer of them, and
/// the measured step lies below on the same scale.
class TimeAccountChart : public ChartView {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::TimeAccountChart)

public:
    TimeAccountChart(WorkbenchModel *model, QWidget *parent);
    QString title() const override { return tr("Time account of a step"); }
    TextTable table() const override;

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;

private:
    struct Group {
        QString name;
        std::optional<PointKey> key;
        bool whatIf = false;
        std::optional<StepPrediction> step; ///< forecast of the run, or the what-if prediction
        double floor = kMissing; ///< by the datasheet
        double measured = kMissing;
        double hostGap = kMissing; ///< wall - device: what the step took beyond its device time
        bool live = false;
        QString note; ///< "out of memory": why there is no measured bar
        QString reason;
    };
    std::vector<Group> m_groups;
    QSharedPointer<GroupTicker> m_ticker;
    QCPBars *m_compute, *m_memory, *m_floor, *m_overhead, *m_measured, *m_hostGap;
    double m_largest = 0;
    bool m_anyMeasured = false;
};

// Within a group of height 1: compute and memory above, the measured bar below.
constexpr double ComputeAt = -0.29, MemoryAt = -0.04, OverheadAt = -0.165, MeasuredAt = 0.24;
constexpr double BarWidth = 0.23, OverheadWidth = 0.48;

TimeAccountChart::TimeAccountChart(WorkbenchModel *model, QWidget *parent)
    : ChartView(model, QStringLiteral("time-account"), parent)
{
    QCPAxis *groups = plot()->yAxis, *time = plot()->xAxis;
    m_ticker = QSharedPointer<GroupTicker>(new GroupTicker(groups));
    groups->setTicker(m_ticker);
    groups->setRangeReversed(true);
    groups->setTickLength(0, 0);
    groups->grid()->setVisible(false);
    time->setTicker(QSharedPointer<QCPAxisTicker>(new LinearTicker(time)));
    plot()->axisRect()->setRangeDrag(Qt::Horizontal);
    plot()->axisRect()->setRangeZoom(Qt::Horizontal);
    for (QCPBars **bars : {&m_compute, &m_memory, &m_floor, &m_overhead, &m_measured, &m_hostGap}) {
        *bars = new QCPBars(groups, time);
        (*bars)->setWidthType(QCPBars::wtPlotCoords);
        (*bars)->setWidth(BarWidth);
        (*bars)->setPen(Qt::NoPen);
        (*bars)->setAntialiased(false);
    }
    // The overhead starts where the longer of compute and memory ends.
    m_floor->setVisible(false);
    m_floor->setWidth(OverheadWidth);
    m_overhead->setWidth(OverheadWidth);
    m_overhead->moveAbove(m_floor);
    m_hostGap->moveAbove(m_measured); // and the host's part where the device's ends
}

void TimeAccountChart::rebuild(unsigned)
{
    const WhatIf &whatIf = model()->whatIf();
    const Prediction prediction(*model());
    const std::vector<MeasuredPoint> measured = measuredPoints(*model());
    const ChartTheme &look = theme();
    m_anyMeasured = anyMeasured(measured);
    m_groups.clear();

    std::int64_t prompt = measured.empty() ? 0 : measured.front().prompt;
    for (const MeasuredPoint &point : measured) {
        if (point.live || (model()->selection() && point.key == model()->selection()))
            prompt = point.prompt;
    }
    if (model()->selection()) {
        for (const MeasuredPoint &point : measured) {
            if (point.key == model()->selection())
                prompt = point.prompt;
        }
    }
    const bool run = !measured.empty();
    const auto floorOf = [&](double batch) {
        const auto step = prediction.step(whatIf.nominal, batch, whatIf.context);
        return step ? step->floorSeconds() : kMissing;
    };
    if (run) {
        for (const MeasuredPoint &point : measured) {
            if (point.prompt != prompt)
                continue;
            Group group;
            group.name = QStringLiteral("b=%1").arg(point.batch);
            group.key = point.key;
            group.live = point.live;
            if (point.forecast) {
                const PointForecast &forecast = *point.forecast;
                if (forecast.floorNominal.stepSeconds > 0)
                    group.floor = forecast.floorNominal.floorSeconds();
                if (forecast.predicted)
                    group.step = forecast.predicted;
                else if (forecast.floorMeasured)
                    group.step = forecast.floorMeasured;
                else if (forecast.floorNominal.stepSeconds > 0)
                    group.step = forecast.floorNominal;
            }
            if (point.status == PointStatus::Ok) {
                group.measured = point.seconds;
                group.hostGap = point.hostGapSeconds;
            } else {
                group.note = statusText(point.status);
                group.reason = coreText(point.reason);
            }
            m_groups.push_back(std::move(group));
        }
        Group group;
        group.name = tr("if b=%1").arg(whatIf.batch);
        group.whatIf = true;
        group.step = prediction.step(whatIf.batch, whatIf.context);
        group.floor = floorOf(whatIf.batch);
        if (group.step)
            m_groups.push_back(std::move(group));
    } else {
        for (const double batch : predictedBatches(whatIf)) {
            Group group;
            group.name = QStringLiteral("b=%1").arg(batch);
            group.whatIf = true;
            group.step = prediction.step(batch, whatIf.context);
            group.floor = floorOf(batch);
            m_groups.push_back(std::move(group));
        }
    }

    QVector<QCPBarsData> compute, memory, floor, overhead, bars, gaps;
    m_largest = 0;
    const auto sound = [](double seconds) { return std::isfinite(seconds) && seconds >= 0 && seconds < 1e12; };
    m_ticker->names.clear();
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const Group &group = m_groups[i];
        const auto key = static_cast<double>(i);
        m_ticker->names.append(group.name);
        if (group.step && sound(group.step->stepSeconds)) {
            compute.append(QCPBarsData(key + ComputeAt, group.step->computeSeconds));
            memory.append(QCPBarsData(key + MemoryAt, group.step->memorySeconds));
            floor.append(QCPBarsData(key + OverheadAt, group.step->floorSeconds()));
            overhead.append(QCPBarsData(key + OverheadAt, group.step->overheadSeconds));
            m_largest = std::max(m_largest, group.step->stepSeconds);
        }
        if (sound(group.measured)) { // NaN: no bar, not a bar of zero
            bars.append(QCPBarsData(key + MeasuredAt, group.measured));
            m_largest = std::max(m_largest, group.measured);
            if (sound(group.hostGap)) {
                gaps.append(QCPBarsData(key + MeasuredAt, group.hostGap));
                m_largest = std::max(m_largest, group.measured + group.hostGap);
            }
        }
    }
    m_compute->data()->set(compute, true);
    m_memory->data()->set(memory, true);
    m_floor->data()->set(floor, true);
    m_overhead->data()->set(overhead, true);
    m_measured->data()->set(bars, true);
    m_hostGap->data()->set(gaps, true);
    m_compute->setBrush(look.compute);
    m_memory->setBrush(look.memory);
    m_overhead->setBrush(look.overhead);
    m_measured->setBrush(look.measured);
    m_hostGap->setBrush(look.hostGap);
    if (!(m_largest > 0))
        m_largest = 1e-3;

    const TimeUnit unit = timeUnitFor(m_largest);
    qSharedPointerCast<LinearTicker>(plot()->xAxis->ticker())->setUnit(unit.factor);
    plot()->xAxis->setLabel(tr("Time of one step (%1)").arg(QLatin1String(unit.name)));

    std::vector<LegendEntry> legend{{tr("compute"), look.compute, Mark::Bar},
                                    {tr("memory"), look.memory, Mark::Bar},
                                    {tr("overhead"), look.overhead, Mark::Bar}};
    legend.push_back(run ? LegendEntry{tr("forecast"), look.forecast, Mark::None, look.forecastLine, 2}
                         : forecastEntry(look, prediction.basis));
    if (run || prediction.basis != PredictionBasis::Datasheet)
        legend.push_back(floorEntry(look, false));
    if (m_anyMeasured)
        legend.push_back({gaps.isEmpty() ? tr("measured") : tr("measured, device"), look.measured, Mark::Bar});
    if (!gaps.isEmpty())
    {
        LegendEntry entry{tr("host gap: wall - device"), look.hostGap, Mark::Bar};
        entry.brief = tr("host gap");
        legend.push_back(std::move(entry));
    }
    QString caption = shownCaption(*model(), prediction, m_anyMeasured);
    if (m_anyMeasured && prediction.problem.isEmpty() && promptsOf(measured).size() > 1)
        caption = tr("prompt %1 (select a point of another)").arg(prompt) + QStringLiteral(" \u00b7 ") + caption;
    setHeader(caption, std::move(legend));
    setLeastLines(static_cast<int>(m_groups.size()) + 1); // a figure each, and what stands beyond the outer groups
}

void TimeAccountChart::fitRanges()
{
    // Room for the figures at the end of the longest bar.
    const double room = plot()->viewport().width() - 90,
                 figures = textWidth(theme().font, m_anyMeasured ? tr("%1 (forecast %2)").arg(QStringLiteral("88.8 ms"), QStringLiteral("88.8 ms"))
                                                                : QStringLiteral("888.8 ms")) + 16;
    const double factor = room > figures ? std::min(2.0, room / (room - figures)) : 2.0;
    // In a narrow chart the bars give way to the figures, each by what its own bar and figure need.
    double least = 1.15;
    for (const Group &group : m_groups) {
        const QString figure = std::isfinite(group.measured) ? text(format::seconds(group.measured))
                               : !group.note.isEmpty()       ? group.note
                               : group.step                  ? text(format::seconds(group.step->stepSeconds))
                                                             : QString();
        const double end = std::max({group.step ? group.step->stepSeconds : 0, std::isfinite(group.measured) ? group.measured : 0,
                                     std::isfinite(group.hostGap) && std::isfinite(group.measured) ? group.measured + group.hostGap : 0});
        const double wide = textWidth(theme().font, figure) + 16;
        if (room > wide)
            least = std::max(least, std::min(4.0, end / m_largest * room / (room - wide)));
    }
    plot()->xAxis->setRange(0, m_largest * std::max(least, factor));
    plot()->yAxis->setRange(-0.55, std::max<double>(3, static_cast<double>(m_groups.size())) - 0.45);
}

void TimeAccountChart::paintMarks(QCPPainter &painter)
{
    const ChartTheme &look = theme();
    const QRectF area(plot()->axisRect()->rect());
    const QCPAxis *groups = plot()->yAxis, *time = plot()->xAxis;
    // The first and the last group may be lower than their figure: the letters stay inside.
    LabelPlacer labels(area.adjusted(1, -4, -1, 4), look.font, look);
    const double each = std::abs(groups->coordToPixel(1) - groups->coordToPixel(0));
    const double line = QFontMetricsF(look.font).height();
    const bool both = each * 0.4 >= line, beside = each * BarWidth >= line;
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const Group &group = m_groups[i];
        const auto key = static_cast<double>(i);
        const double top = groups->coordToPixel(key - 0.5), bottom = groups->coordToPixel(key + 0.5);
        painter.setAntialiasing(false);
        if (i > 0) {
            painter.setPen(QPen(look.grid, 1));
            painter.drawLine(QPointF(area.left(), top), QPointF(area.right(), top));
        }
        if (group.step) {
            // The datasheet's floor: what no step of these bytes can be faster than.
            const double floor = time->coordToPixel(group.floor);
            if (std::isfinite(group.floor) && floor > area.left() && floor < area.right() &&
                group.floor < group.step->stepSeconds * 0.995) {
                painter.setPen(floorPen(look, false));
                painter.drawLine(QPointF(floor, groups->coordToPixel(key + ComputeAt - BarWidth / 2)),
                                 QPointF(floor, groups->coordToPixel(key + MeasuredAt + BarWidth / 2)));
            }
            // The end of the account carried down to the measured bar: forecast against measured at one glance.
            const double end = time->coordToPixel(group.step->stepSeconds);
            if (end > area.left() && end < area.right()) {
                painter.setPen(QPen(look.forecast, 2));
                painter.drawLine(
                    QPointF(end, groups->coordToPixel(key + ComputeAt - BarWidth / 2)),
                    QPointF(end, groups->coordToPixel(key + (std::isfinite(group.measured) ? MeasuredAt : MemoryAt) +
                                                      BarWidth / 2)));
                if (both)
                    labels.avoid(QRectF(end - 1, top, 2, bottom - top));
            }
        }
    }
    painter.setAntialiasing(true);
    // Every group has its figures: beside the end of its own bar where there is room, else behind the longest bar of the group,
    // and the two of them in one where a group is too low for two lines.
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(line / std::max(1.0, each))));
    for (std::size_t i = 0; i < m_groups.size(); i += stride) {
        const Group &group = m_groups[i];
        const auto key = static_cast<double>(i);
        const double forecast = group.step ? group.step->stepSeconds : kMissing;
        const bool gap = std::isfinite(group.measured) && std::isfinite(group.hostGap) && group.hostGap > 0;
        const double measured = gap ? group.measured + group.hostGap : group.measured;
        // Where groups are lower than a line, a figure reaches into its neighbours.
        double longest = 0;
        const std::size_t reach = each < line ? 1 : 0;
        for (std::size_t n = i - std::min(i, reach); n <= std::min(i + reach, m_groups.size() - 1); ++n) {
            const Group &one = m_groups[n];
            for (const double end : {one.step ? one.step->stepSeconds : kMissing, one.measured + (one.hostGap > 0 ? one.hostGap : 0), one.floor})
                longest = std::isfinite(end) ? std::max(longest, end) : longest;
        }
        const auto put = [&](double seconds, double at, const QString &what, const QColor &color) {
            const QSizeF size = labels.sizeOf(what);
            const double top = groups->coordToPixel(key + at) - size.height() / 2;
            for (const double end : {seconds, longest}) {
                if (labels.placeAt(painter, QRectF(QPointF(time->coordToPixel(end) + 5, top), size), what, color))
                    return true;
            }
            return false;
        };
        const QString foretold = std::isfinite(forecast) ? text(format::seconds(forecast)) : QString();
        QString figure = std::isfinite(group.measured) ? text(format::seconds(group.measured)) : group.note;
        const QString whole = gap ? tr("%1 + %2").arg(figure, text(format::seconds(group.hostGap))) : figure;
        if (both || figure.isEmpty() || foretold.isEmpty()) {
            const double from = beside && std::isfinite(measured) ? measured : figure == group.note ? 0 : longest;
            if (!figure.isEmpty() && !put(from, MeasuredAt, whole, look.text))
                put(from, MeasuredAt, figure, look.text); // the device's own time stays
            if (!foretold.isEmpty())
                put(forecast, both ? OverheadAt : 0, foretold, look.mutedText);
        } else if (!put(longest, 0, tr("%1 (forecast %2)").arg(figure, foretold), look.text)) {
            put(longest, 0, figure, look.text);
        }
    }
    // Frames last: a figure's plate must not cut them.
    painter.setAntialiasing(false);
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        const Group &group = m_groups[i];
        const double top = groups->coordToPixel(static_cast<double>(i) - 0.5);
        const double bottom = groups->coordToPixel(static_cast<double>(i) + 0.5);
        if (group.whatIf && m_anyMeasured) {
            painter.setPen(QPen(look.forecast, 1, Qt::DashLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(area.left() + 1, top + 1, area.width() - 3, bottom - top - 3));
        }
        if (group.key && model()->selection() == group.key) {
            painter.setPen(QPen(look.selection, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(area.left() + 1, top + 1, area.width() - 2, bottom - top - 2));
        }
    }
}

std::optional<PointKey> TimeAccountChart::pointAt(const QPointF &pixel, QString *hover) const
{
    if (hover)
        hover->clear();
    if (!plot()->axisRect()->rect().contains(pixel.toPoint()))
        return std::nullopt;
    const double at = std::round(plot()->yAxis->pixelToCoord(pixel.y()));
    if (at < 0 || at >= static_cast<double>(m_groups.size()))
        return std::nullopt;
    const Group &group = m_groups[static_cast<std::size_t>(at)];
    if (hover) {
        QStringList lines;
        if (group.step)
            lines << predictedText(group.whatIf ? Prediction(*model()).name() : tr("forecast of the run"), *group.step);
        if (std::isfinite(group.measured)) {
            lines << (group.live ? tr("measuring: %1").arg(text(format::seconds(group.measured)))
                                 : tr("measured: %1").arg(text(format::seconds(group.measured))));
            if (group.step && group.step->stepSeconds > 0)
                lines
                    << tr("measured / forecast %1").arg(text(format::ratio(group.measured / group.step->stepSeconds)));
        }
        if (std::isfinite(group.hostGap))
            lines << tr("host gap: %1 more by wall clock").arg(text(format::seconds(group.hostGap)));
        if (!group.note.isEmpty())
            lines << (group.reason.isEmpty() ? group.note : group.note + QStringLiteral(": ") + group.reason);
        *hover = lines.join(QLatin1Char('\n'));
    }
    return group.key;
}

TextTable TimeAccountChart::table() const
{
    TextTable table;
    table.header = {tr("step").toStdString(),     tr("compute").toStdString(),  tr("memory").toStdString(),
                    tr("overhead").toStdString(), tr("forecast").toStdString(), tr("measured").toStdString(),
                    tr("note").toStdString(),     tr("host gap").toStdString()};
    for (const Group &group : m_groups) {
        const auto part = [&](double StepPrediction::*member) {
            return group.step ? format::seconds((*group.step).*member) : std::string();
        };
        table.rows.push_back({group.name.toStdString(), part(&StepPrediction::computeSeconds),
                              part(&StepPrediction::memorySeconds), part(&StepPrediction::overheadSeconds),
                              part(&StepPrediction::stepSeconds),
                              std::isnan(group.measured) ? std::string() : format::seconds(group.measured),
                              (group.whatIf ? tr("prediction only")
                               : group.live ? tr("measuring")
                                            : group.note)
                                  .toStdString(),
                              std::isnan(group.hostGap) ? std::string() : format::seconds(group.hostGap)});
    }
    return table;
}

} // namespace

ChartView *makeTimeAccountChart(WorkbenchModel *model, QWidget *parent)
{
    return new TimeAccountChart(model, parent);
}

} // namespace ridgepoint
