// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr std::size_t TopKernels = 8; ///< named beside the timeline

/// Names of the rows beside the timeline.
class RowTicker : public QCPAxisTicker {
public:
    explicit RowTicker(QCPAxis *axis) : m_axis(axis) {}
    QVector<QString> names;
    QFont font; ///< where there is room for it

    void generate(const QCPRange &range, const QLocale &, QChar, int, QVector<double> &ticks, QVector<double> *subTicks,
                  QVector<QString> *tickLabels) override
    {
        // Rows that are lower than the type have a smaller one: names that overlap are none. Before the layout, for which the
        // viewport has the new size already, on screen and on paper.
        constexpr double kSmallest = 0.68;
        const double each = (m_axis->parentPlot()->viewport().height() - 75) / std::max(1.0, range.size());
        const double scale = std::clamp(each / QFontMetricsF(font).height(), kSmallest, 1.0);
        QFont fitting = font;
        if (scale < 1)
            fitting.pointSizeF() > 0 ? fitting.setPointSizeF(font.pointSizeF() * scale) : fitting.setPixelSize(static_cast<int>(font.pixelSize() * scale));
        if (m_axis->tickLabelFont() != fitting)
            m_axis->setTickLabelFont(fitting);
        ticks.clear();
        if (subTicks)
            subTicks->clear();
        if (tickLabels)
            tickLabels->clear();
        for (int i = 0; i < names.size(); ++i) {
            if (!range.contains(i))
                continue;
            ticks.append(i);
            if (tickLabels)
                tickLabels->append(names[i]);
        }
    }

private:
    QCPAxis *m_axis;
};

/// A column beside the axis rectangle, as wide as `width` says for the picture that is drawn: on screen or on paper.
class SideElement : public QCPLayoutElement {
public:
    SideElement(QCustomPlot *plot, std::function<int()> width, std::function<void(QCPPainter &, const QRect &)> paint)
        : QCPLayoutElement(plot), m_width(std::move(width)), m_paint(std::move(paint))
    {
    }
    QSize minimumOuterSizeHint() const override { return {m_width(), 10}; }
    QSize maximumOuterSizeHint() const override { return {m_width(), QWIDGETSIZE_MAX}; }

protected:
    void draw(QCPPainter *painter) override
    {
        if (m_width() > 0)
            m_paint(*painter, rect());
    }

private:
    std::function<int()> m_width;
    std::function<void(QCPPainter &, const QRect &)> m_paint;
};

/// The kernels of one decode step on a time axis, a row a part, gaps in a row of their own.
class AnatomyChart : public ChartView {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::AnatomyChart)

public:
    AnatomyChart(WorkbenchModel *model, QWidget *parent);
    QString title() const override { return tr("Anatomy of a step"); }
    TextTable table() const override { return m_table; }

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;

private:
    struct Bar {
        double start = 0, seconds = 0;
        int row = 0;
        StepPart part = StepPart::Other;
        int kernel = -1; ///< of the anatomy; -1: a gap or a part
        bool gap = false;
    };
    void addTrace(const StepAnatomy &anatomy);
    void addParts(const StepAnatomy &anatomy);
    void paintSide(QCPPainter &painter, const QRect &where);
    int sideWidth() const;

    SessionPtr m_held; ///< keeps the anatomy
    const StepAnatomy *m_anatomy = nullptr;
    std::vector<Bar> m_bars; ///< by start
    std::vector<KernelTotal> m_totals;
    QSharedPointer<RowTicker> m_rows;
    double m_end = 0; ///< s
    TextTable m_table;
};

AnatomyChart::AnatomyChart(WorkbenchModel *model, QWidget *parent)
    : ChartView(model, QStringLiteral("anatomy"), parent), m_rows(new RowTicker(plot()->yAxis))
{
    plot()->yAxis->setTicker(m_rows);
    plot()->yAxis->setRangeReversed(true);
    plot()->yAxis->setTickLength(0, 0);
    plot()->yAxis->grid()->setVisible(false);
    auto *time = new LinearTicker(plot()->xAxis);
    time->setUnit(1e-6);
    plot()->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(time));
    plot()->axisRect()->setRangeDrag(Qt::Horizontal);
    plot()->axisRect()->setRangeZoom(Qt::Horizontal);
    plot()->plotLayout()->setColumnSpacing(0);
    plot()->plotLayout()->addElement(1, 1, new SideElement(
                                               plot(), [this] { return sideWidth(); },
                                               [this](QCPPainter &painter, const QRect &where) { paintSide(painter, where); }));
}

/// Pixels for the names of the kernels; none where the timeline needs the room.
int AnatomyChart::sideWidth() const
{
    const QRect viewport = plot()->viewport();
    return !m_totals.empty() && viewport.width() >= 620 && viewport.height() >= 200 ? 262 : 0;
}

void AnatomyChart::addTrace(const StepAnatomy &anatomy)
{
    std::vector<StepPart> parts;
    for (const PartTiming &timing : tracedParts(anatomy))
        parts.push_back(timing.part);
    for (const StepPart part : parts)
        m_rows->names.append(partText(part));
    m_rows->names.append(tr("gaps"));
    const int gapRow = static_cast<int>(parts.size());
    double busyUntil = 0;
    for (std::size_t i = 0; i < anatomy.kernels.size(); ++i) {
        const TracedKernel &kernel = anatomy.kernels[i];
        if (!std::isfinite(kernel.startSeconds) || !std::isfinite(kernel.seconds) || kernel.seconds < 0)
            continue;
        if (i > 0 && kernel.startSeconds > busyUntil)
            m_bars.push_back({busyUntil, kernel.startSeconds - busyUntil, gapRow, StepPart::Other, -1, true});
        const auto row = std::find(parts.begin(), parts.end(), kernel.part) - parts.begin();
        m_bars.push_back({kernel.startSeconds, kernel.seconds, static_cast<int>(row), kernel.part, static_cast<int>(i), false});
        busyUntil = std::max(busyUntil, kernel.startSeconds + kernel.seconds);
    }
    m_end = busyUntil;
    m_totals = kernelTotals(anatomy);
    for (const KernelTotal &total : m_totals)
        m_table.rows.push_back({tr("kernel").toStdString(), total.name, partText(total.part).toStdString(),
                                std::to_string(total.calls), format::seconds(total.seconds), format::percent(total.share)});
    for (const PartTiming &timing : tracedParts(anatomy))
        m_table.rows.push_back({tr("part, traced").toStdString(), partText(timing.part).toStdString(), {}, {},
                                format::seconds(timing.seconds),
                                anatomy.busySeconds > 0 ? format::percent(timing.seconds / anatomy.busySeconds)
                                                        : std::string()});
}

/// Parts that were timed apart, one after another: their sum is no step, but their shares are.
void AnatomyChart::addParts(const StepAnatomy &anatomy)
{
    double sum = 0;
    for (const PartTiming &timing : anatomy.parts)
        sum += std::isfinite(timing.seconds) ? timing.seconds : 0;
    const bool clocked = isOneKernel(anatomy);
    const bool drawn = anatomy.kernels.empty() || clocked;
    double start = 0;
    for (const PartTiming &timing : anatomy.parts) {
        if (!std::isfinite(timing.seconds))
            continue;
        m_table.rows.push_back({(clocked ? tr("part, by the kernel's clock") : tr("part, timed apart")).toStdString(), partText(timing.part).toStdString(), {}, {},
                                format::seconds(timing.seconds),
                                sum > 0 ? format::percent(timing.seconds / sum) : std::string()});
        if (!drawn)
            continue;
        m_bars.push_back({start, timing.seconds, static_cast<int>(m_rows->names.size()), timing.part, -1, false});
        m_rows->names.append(partText(timing.part));
        start += timing.seconds;
    }
    if (drawn)
        m_end = start;
}

void AnatomyChart::rebuild(unsigned changes)
{
    plot()->xAxis->setLabel(tr("Time since the first kernel (us)"));
    if (!(changes & (SessionChange | ThemeChange | LiveChange)) && m_held == model()->session())
        return;
    m_held = model()->session();
    m_anatomy = shownAnatomy(*model());
    m_bars.clear();
    m_totals.clear();
    m_rows->names.clear();
    m_rows->font = theme().font;
    m_end = 0;
    m_table = TextTable();
    m_table.header = {tr("series").toStdString(), tr("name").toStdString(), tr("part").toStdString(),
                      tr("calls").toStdString(),  tr("time").toStdString(), tr("share").toStdString()};
    QString caption;
    std::vector<LegendEntry> legend;
    if (m_anatomy) {
        const StepAnatomy &anatomy = *m_anatomy;
        if (!anatomy.kernels.empty() && !isOneKernel(anatomy))
            addTrace(anatomy);
        addParts(anatomy);
        QStringList parts;
        const auto time = [](double seconds) { return text(format::seconds(seconds)); };
        if (std::isfinite(anatomy.tracedSeconds) && anatomy.tracedSeconds > 0) {
            parts << tr("busy %1 (%2)").arg(time(anatomy.busySeconds),
                                            text(format::percent(anatomy.busySeconds / anatomy.tracedSeconds)))
                  << tr("gaps %1").arg(time(anatomy.gapSeconds()));
            parts << (std::isfinite(anatomy.untracedSeconds)
                          ? tr("traced %1, untraced %2").arg(time(anatomy.tracedSeconds), time(anatomy.untracedSeconds))
                          : tr("traced %1").arg(time(anatomy.tracedSeconds)));
        } else if (!anatomy.parts.empty()) {
            parts << tr("no trace; parts timed apart, one after another");
            if (std::isfinite(anatomy.untracedSeconds))
                parts << tr("a whole step takes %1").arg(time(anatomy.untracedSeconds));
        }
        if (isOneKernel(anatomy))
            parts << tr("one kernel, divided by its own clock");
        parts << tr("b=%1, n=%2, %3").arg(anatomy.batch).arg(anatomy.context).arg(modeText(anatomy.mode));
        caption = parts.join(QStringLiteral(" \u00b7 "));
        const auto row = [this](const QString &name, const std::string &value) {
            m_table.rows.push_back({tr("step").toStdString(), name.toStdString(), {}, {}, value, {}});
        };
        if (std::isfinite(anatomy.busySeconds))
            row(tr("busy"), format::seconds(anatomy.busySeconds));
        if (std::isfinite(anatomy.gapSeconds()))
            row(tr("gaps"), format::seconds(anatomy.gapSeconds()));
        if (std::isfinite(anatomy.tracedSeconds))
            row(tr("traced"), format::seconds(anatomy.tracedSeconds));
        if (std::isfinite(anatomy.untracedSeconds))
            row(tr("untraced"), format::seconds(anatomy.untracedSeconds));
        if (!anatomy.note.empty() && !isOneKernel(anatomy))
            row(coreText(anatomy.note), {});
    } else {
        caption = tr("no step was taken apart yet");
        m_table.rows.push_back({tr("step").toStdString(), caption.toStdString(), {}, {}, {}, {}});
    }
    plot()->yAxis->setTickLabels(m_anatomy != nullptr);
    setHeader(caption, std::move(legend));
}

void AnatomyChart::fitRanges()
{
    plot()->xAxis->setRange(0, m_end > 0 ? m_end * 1.01 : 1e-3);
    plot()->yAxis->setRange(-0.6, std::max<double>(3, static_cast<double>(m_rows->names.size())) - 0.4);
}

void AnatomyChart::paintMarks(QCPPainter &painter)
{
    const ChartTheme &look = theme();
    const QRectF area(plot()->axisRect()->rect());
    if (m_bars.empty()) {
        painter.setFont(look.font);
        painter.setPen(QPen(look.mutedText));
        const QString said = m_anatomy && !m_anatomy->note.empty() ? coreText(m_anatomy->note)
                             : tr("Choose the experiment “Anatomy of a step” and run it: it traces the kernels of one "
                                  "decode step, and times the model's parts apart where the device allows it.");
        painter.drawText(area.adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap, said);
        return;
    }
    painter.setAntialiasing(false);
    const QCPAxis *rows = plot()->yAxis, *time = plot()->xAxis;
    painter.setPen(QPen(look.grid, 1));
    for (qsizetype i = 1; i < m_rows->names.size(); ++i) {
        const double y = rows->coordToPixel(static_cast<double>(i) - 0.5);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    // Bars narrower than a pixel that fall on the same one are drawn once.
    std::vector<double> filledTo(static_cast<std::size_t>(m_rows->names.size()), -1e9);
    for (const Bar &bar : m_bars) {
        const double left = time->coordToPixel(bar.start), right = time->coordToPixel(bar.start + bar.seconds);
        if (right < area.left() || left > area.right())
            continue;
        const double top = rows->coordToPixel(bar.row - 0.34), bottom = rows->coordToPixel(bar.row + 0.34);
        const double to = std::max(right, left + 1);
        double &filled = filledTo[static_cast<std::size_t>(bar.row)];
        if (to <= filled + 0.5)
            continue;
        filled = to;
        const QRectF box(std::max(left, area.left() - 2), top, std::min(to, area.right() + 2) - std::max(left, area.left() - 2),
                         bottom - top);
        QColor color = bar.gap ? look.linear : partColor(look, bar.part);
        painter.fillRect(box, color);
        if (box.width() > 4) { // kernels that follow one another stay apart
            painter.setPen(QPen(look.background, 1));
            painter.drawLine(box.topRight(), box.bottomRight());
        }
    }
}

void AnatomyChart::paintSide(QCPPainter &painter, const QRect &where)
{
    const ChartTheme &look = theme();
    const QRectF area(plot()->axisRect()->rect());
    const double left = where.left() + 2, right = where.right() - 8;
    painter.setAntialiasing(true);
    const QFontMetricsF metrics(look.font);
    const double line = metrics.height() + 2;
    double y = area.top();
    painter.setFont(look.titleFont);
    painter.setPen(QPen(look.text));
    painter.drawText(QRectF(left, y, right - left, line), Qt::AlignLeft | Qt::AlignVCenter, tr("Kernels by time"));
    y += line + 2;
    painter.setFont(look.font);
    const auto bottom = area.bottom();
    for (std::size_t i = 0; i < m_totals.size() && i < TopKernels && y + 2 * line <= bottom + 2; ++i) {
        const KernelTotal &total = m_totals[i];
        const QString figure = QStringLiteral("%1 \u00b7 %2 \u00b7 %3 \u00d7")
                                   .arg(text(format::percent(total.share)), text(format::seconds(total.seconds)))
                                   .arg(total.calls);
        painter.fillRect(QRectF(left, y + 2, 4, 2 * line - 6), partColor(look, total.part));
        painter.setPen(QPen(look.text));
        painter.drawText(QRectF(left + 10, y, right - left - 10, line), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text(total.name), Qt::ElideMiddle, right - left - 10));
        painter.setPen(QPen(look.mutedText));
        painter.drawText(QRectF(left + 10, y + line - 2, right - left - 10, line), Qt::AlignLeft | Qt::AlignVCenter, figure);
        y += 2 * line + 3;
    }
}

std::optional<PointKey> AnatomyChart::pointAt(const QPointF &pixel, QString *hover) const
{
    if (hover)
        hover->clear();
    if (!hover || !m_anatomy || !plot()->axisRect()->rect().contains(pixel.toPoint()))
        return std::nullopt;
    const double at = plot()->xAxis->pixelToCoord(pixel.x());
    const double slack = std::abs(plot()->xAxis->pixelToCoord(pixel.x() + 3) - at);
    const int row = static_cast<int>(std::lround(plot()->yAxis->pixelToCoord(pixel.y())));
    const Bar *found = nullptr;
    double least = slack;
    for (const Bar &bar : m_bars) {
        if (bar.row != row)
            continue;
        const double away = at < bar.start ? bar.start - at : std::max(0.0, at - bar.start - bar.seconds);
        if (away <= least) {
            least = away;
            found = &bar;
        }
    }
    if (!found)
        return std::nullopt;
    QStringList lines;
    if (found->gap) {
        lines << tr("gap: %1 with no kernel on the device").arg(text(format::seconds(found->seconds)));
    } else if (found->kernel >= 0) {
        const TracedKernel &kernel = m_anatomy->kernels[static_cast<std::size_t>(found->kernel)];
        lines << text(kernel.name)
              << tr("%1 from %2").arg(text(format::seconds(kernel.seconds)), text(format::seconds(kernel.startSeconds)));
        lines << (kernel.layer >= 0 ? tr("%1, layer %2").arg(partText(kernel.part)).arg(kernel.layer + 1)
                                    : partText(kernel.part));
        if (kernel.stream > 0)
            lines << tr("stream %1").arg(kernel.stream);
    } else {
        lines << tr("%1: %2 over all layers").arg(partText(found->part), text(format::seconds(found->seconds)));
        for (const PartTiming &timing : m_anatomy->parts) {
            if (timing.part == found->part && timing.bytes > 0)
                lines << tr("%1, %2").arg(text(format::bytes(timing.bytes)),
                                          text(format::bandwidth(timing.bytes / timing.seconds)));
        }
    }
    *hover = lines.join(QLatin1Char('\n'));
    return std::nullopt;
}

} // namespace

ChartView *makeAnatomyChart(WorkbenchModel *model, QWidget *parent)
{
    return new AnatomyChart(model, parent);
}

} // namespace ridgepoint
