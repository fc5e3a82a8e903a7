// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/analysis.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

/// The boundary's pixels over a rectangle's width: the lowest (greatest y) and the highest of them.
std::pair<double, double> spanOver(const QPolygonF &line, const QRectF &rect)
{
    double top = std::numeric_limits<double>::infinity(), bottom = -top;
    const auto add = [&](double y) {
        top = std::min(top, y);
        bottom = std::max(bottom, y);
    };
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QPointF a = line[i - 1], b = line[i];
        if (b.x() < rect.left() || a.x() > rect.right())
            continue;
        for (const double x : {std::max(a.x(), rect.left()), std::min(b.x(), rect.right())})
            add(b.x() > a.x() ? a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()) : a.y());
    }
    return {top, bottom};
}

double highestOver(const QPolygonF &line, const QRectF &rect)
{
    return spanOver(line, rect).first;
}

double lowestOver(const QPolygonF &line, const QRectF &rect)
{
    return spanOver(line, rect).second;
}

/// What fits into the memory: context against batch, both logarithmic, with the points that tried.
class FrontierChart : public ChartView {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::FrontierChart)

public:
    FrontierChart(WorkbenchModel *model, QWidget *parent);
    QString title() const override { return tr("Capacity frontier"); }
    TextTable table() const override { return m_table; }

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;

private:
    /// What a boundary is drawn for.
    struct Case {
        ModelShape shape;
        DType dtype = DType::F16;
        FrontierMemory memory;
        double usable() const { return memory.bytes - memory.runtimeBytes; } ///< by weights, cache and workspace
    };
    void addPoint(const RunRecord &run, const SweepPoint &point, const Case &of, bool current);
    void addBoundary(const QString &name, const Case &of, std::vector<FrontierPoint> &into);
    void addRow(const QString &series, double batch, double context, const std::string &need, const std::string &measured,
                const QString &note);

    std::vector<FrontierPoint> m_boundary; ///< of the run, else of the what-if values; this one has the areas
    std::vector<FrontierPoint> m_whatIf;   ///< of the what-if values where a run has the other
    std::vector<Target> m_targets;
    double m_lastContext = 0, m_largestBatch = 1;
    bool m_askedOnly = false; ///< the boundary is that of the what-if values
    TextTable m_table;
};

FrontierChart::FrontierChart(WorkbenchModel *model, QWidget *parent)
    : ChartView(model, QStringLiteral("frontier"), parent)
{
    for (QCPAxis *axis : {plot()->xAxis, plot()->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTicker>(
            new LogTicker(axis, 2, [](double value) { return QString::number(value, 'g', 7); })));
    }
}

void FrontierChart::addRow(const QString &series, double batch, double context, const std::string &need,
                           const std::string &measured, const QString &note)
{
    m_table.rows.push_back({series.toStdString(), QString::number(batch, 'g', 7).toStdString(),
                            QString::number(context, 'g', 9).toStdString(), need, measured, note.toStdString()});
}

void FrontierChart::addBoundary(const QString &name, const Case &of, std::vector<FrontierPoint> &into)
{
    try {
        into = capacityFrontier(of.shape, of.dtype, of.memory, frontierContexts(m_lastContext));
    } catch (const Error &) {
        into.clear(); // a shape that does not hold together: the caption says so
    }
    // Every fourth is enough to read the curve off.
    for (std::size_t i = 0; i < into.size(); i += 4)
        addRow(name, into[i].batch, into[i].context, {}, {}, QString());
}

void FrontierChart::addPoint(const RunRecord &run, const SweepPoint &point, const Case &of, bool current)
{
    const ChartTheme &look = theme();
    std::int64_t tokens = 0;
    MemoryNeed need;
    try {
        tokens = static_cast<std::int64_t>(cachePositions(run, point));
        need = memoryNeed(of.shape, of.dtype, point.batch, tokens, point.prompt,
                          of.memory.residentWeights > 0 ? of.memory.residentWeights : kMissing, of.memory.workspace);
    } catch (const Error &) {
        return; // an imported run whose model nobody named
    }
    Target target;
    target.x = static_cast<double>(tokens);
    target.y = static_cast<double>(point.batch);
    const bool taken = std::any_of(m_targets.begin(), m_targets.end(), [&](const Target &other) {
        return other.x == target.x && other.y == target.y;
    });
    if (taken && !current)
        return; // another mode at the same place: the run that is looked at stands there
    m_lastContext = std::max(m_lastContext, target.x);
    m_largestBatch = std::max(m_largestBatch, target.y);
    QString what;
    switch (point.status) {
    case PointStatus::Ok:
        what = tr("ran");
        target.mark = current ? Mark::Disc : Mark::Square;
        target.color = current ? look.measured : look.imported;
        break;
    case PointStatus::OutOfMemory:
        what = tr("ran out of memory");
        target.mark = Mark::Cross;
        target.color = look.warning;
        break;
    case PointStatus::Skipped:
        what = tr("skipped");
        target.mark = Mark::OpenSquare;
        target.color = look.warning;
        break;
    case PointStatus::Failed:
        return; // memory was not what stopped it
    }
    target.size = look.pointSize + (point.status == PointStatus::Ok ? 0 : 1);
    target.priority = point.status == PointStatus::Ok ? 1 : 2;
    target.key = PointKey{run.plan.runId, point.index};
    if (std::isfinite(point.peakBytes))
        target.label = text(format::bytes(point.peakBytes));
    QStringList lines;
    lines << tr("%1: b = %2, %3 positions of the cache").arg(what).arg(point.batch).arg(tokens);
    lines << tr("predicted need %1: weights %2 + KV %3 + workspace %4")
                 .arg(text(format::bytes(need.total())), text(format::bytes(need.weights)), text(format::bytes(need.kv)),
                      text(format::bytes(need.workspace)));
    if (std::isfinite(point.peakBytes))
        lines << tr("peak memory %1, %2 of the predicted")
                     .arg(text(format::bytes(point.peakBytes)), text(format::percent(point.peakBytes / need.total())));
    if (of.memory.bytes > 0)
        lines << tr("memory there was: %1").arg(text(format::bytes(of.usable())));
    if (!point.reason.empty())
        lines << coreText(point.reason);
    target.text = [lines] { return lines.join(QLatin1Char('\n')); };
    addRow(what, target.y, target.x, format::bytes(need.total()),
           std::isfinite(point.peakBytes) ? format::bytes(point.peakBytes) : std::string(), coreText(point.reason));
    m_targets.push_back(std::move(target));
}

void FrontierChart::rebuild(unsigned)
{
    const WhatIf &whatIf = model()->whatIf();
    const Prediction prediction(*model());
    const ChartTheme &look = theme();
    plot()->xAxis->setLabel(tr("Context (positions of the cache)"));
    plot()->yAxis->setLabel(tr("Batch (sequences)"));
    m_table = TextTable();
    m_table.header = {tr("series").toStdString(),         tr("batch").toStdString(),       tr("context").toStdString(),
                      tr("predicted need").toStdString(), tr("peak memory").toStdString(), tr("note").toStdString()};
    m_targets.clear();
    m_boundary.clear();
    m_whatIf.clear();
    m_lastContext = std::max(4096.0, whatIf.context * 2);
    m_largestBatch = std::max(1.0, whatIf.batch);

    const Case asked{whatIf.shape, whatIf.dtype, frontierMemory(*model())};
    const RunRecord *run = model()->currentRun();
    const bool swept = run && run->plan.experiment == Experiment::Sweep && !run->points.empty();
    Case ran;
    bool anyRan = false, anyOut = false, anySkipped = false;
    if (swept) {
        ran = {run->plan.model.shape, run->plan.dtype, frontierMemoryOf(*run)};
        const auto addRun = [&](const RunRecord &of, bool current) {
            for (const SweepPoint &point : of.points) {
                addPoint(of, point, ran, current);
                anyRan |= point.status == PointStatus::Ok;
                anyOut |= point.status == PointStatus::OutOfMemory;
                anySkipped |= point.status == PointStatus::Skipped;
            }
        };
        addRun(*run, true);
        for (const RunRecord &other : model()->session()->runs) {
            if (&other != run && other.plan.experiment == Experiment::Sweep && other.plan.model == run->plan.model &&
                other.plan.dtype == run->plan.dtype && other.plan.device == run->plan.device &&
                other.provenance.deviceName == run->provenance.deviceName)
                addRun(other, false);
        }
    }
    m_lastContext = std::min(std::max(m_lastContext * 4, 16384.0), 1e7);
    const bool other = !swept || !(asked.shape == ran.shape) || asked.dtype != ran.dtype ||
                       asked.memory.bytes != ran.memory.bytes;
    m_askedOnly = !swept;
    if (swept)
        addBoundary(tr("frontier of the run"), ran, m_boundary);
    // The slider's memory is a question of its own only where somebody asked it.
    const bool asks = other && (!swept || whatIf.ceilings.memory != whatIf.nominal.memory || !(asked.shape == ran.shape) ||
                                asked.dtype != ran.dtype);
    if (asks && asked.shape.layers > 0)
        addBoundary(tr("frontier"), asked, swept ? m_whatIf : m_boundary);

    // Where the sliders stand.
    if (asked.shape.layers > 0 && prediction.problem.isEmpty()) {
        Target target;
        target.x = whatIf.context;
        target.y = whatIf.batch;
        target.mark = Mark::BoldDiamond;
        target.color = look.forecast;
        target.size = look.pointSize;
        target.priority = 3;
        const MemoryNeed need = memoryNeed(asked.shape, asked.dtype, static_cast<std::int64_t>(std::ceil(whatIf.batch)),
                                           static_cast<std::int64_t>(std::ceil(whatIf.context)),
                                           static_cast<std::int64_t>(std::ceil(whatIf.prompt)), kMissing,
                                           asked.memory.workspace);
        target.label = text(format::bytes(need.total()));
        const double bytes = asked.usable();
        const QString fits = bytes <= 0 ? tr("the memory of this device is not known")
                             : need.total() <= bytes
                                 ? tr("fits into %1").arg(text(format::bytes(bytes)))
                                 : tr("does not fit into %1").arg(text(format::bytes(bytes)));
        target.text = [=, b = whatIf.batch, n = whatIf.context] {
            return tr("the sliders: b = %1, n = %2").arg(b).arg(n) + QLatin1Char('\n') +
                   tr("predicted need %1: weights %2 + KV %3 + workspace %4")
                       .arg(text(format::bytes(need.total())), text(format::bytes(need.weights)),
                            text(format::bytes(need.kv)), text(format::bytes(need.workspace))) +
                   QLatin1Char('\n') + fits;
        };
        addRow(tr("the sliders"), whatIf.batch, whatIf.context, format::bytes(need.total()), {}, fits);
        m_targets.push_back(std::move(target));
    }

    std::vector<LegendEntry> legend;
    if (anyRan)
        legend.push_back({tr("ran, peak memory"), look.measured, Mark::Disc});
    if (anyOut)
        legend.push_back({tr("ran out of memory"), look.warning, Mark::Cross});
    if (anySkipped)
        legend.push_back({tr("skipped"), look.warning, Mark::OpenSquare});
    if (!m_boundary.empty())
        legend.push_back({tr("predicted: full at %1")
                              .arg(text(format::bytes(swept ? ran.usable() : asked.usable()))),
                          look.capacity, Mark::None, Qt::SolidLine, 2});
    if (!m_whatIf.empty())
        legend.push_back({tr("what if: full at %1").arg(text(format::bytes(asked.usable()))), look.capacity, Mark::None,
                          look.whatIfLine});
    legend.push_back({tr("the sliders"), look.forecast, Mark::BoldDiamond});
    QString caption = shownCaption(*model(), prediction, swept);
    if (prediction.problem.isEmpty() && m_boundary.empty())
        caption = tr("The memory of this device is not known: set it with the memory slider of the what-if panel.");
    setHeader(caption, std::move(legend));
}

void FrontierChart::fitRanges()
{
    LogExtent x, y;
    x.add(64);
    y.add(1);
    y.add(m_largestBatch * 2);
    for (const Target &target : m_targets) {
        x.add(target.x / 2);
        x.add(target.x * 4);
        y.add(target.y * 2);
    }
    if (m_askedOnly && !m_boundary.empty())
        x.add(32768); // with no points to look at, the boundary is what there is to see
    // The boundary belongs to the picture at the contexts that are shown.
    const double right = x.range(64, 16384, 2).upper;
    for (const auto *line : {&m_boundary, &m_whatIf}) {
        for (const FrontierPoint &point : *line) {
            if (point.context >= right / 16 && point.context <= right)
                y.add(std::min(point.batch * 1.2, m_largestBatch * 64));
        }
    }
    plot()->xAxis->setRange(x.range(64, 16384, 2));
    const QCPRange batches = y.range(1, 256, 2);
    plot()->yAxis->setRange(batches.lower / 1.3, batches.upper); // room for marks at batch 1
}

void FrontierChart::paintMarks(QCPPainter &painter)
{
    const QCPAxisRect &rect = *plot()->axisRect();
    const ChartTheme &look = theme();
    const QRectF area(rect.rect());
    LabelPlacer labels(area.adjusted(2, 2, -2, -2), look.font, look);
    painter.setAntialiasing(true);
    const auto line = [&](const std::vector<FrontierPoint> &points) {
        QPolygonF drawn;
        const double lowest = plot()->yAxis->range().lower;
        for (const FrontierPoint &point : points) {
            // Not even one sequence: the line leaves the picture through its lower edge.
            drawn << QPointF(plot()->xAxis->coordToPixel(point.context),
                             plot()->yAxis->coordToPixel(std::max(point.batch, lowest / 4)));
        }
        return drawn;
    };
    QPolygonF boundary = line(m_boundary);
    if (!boundary.isEmpty()) {
        // Beyond its ends the areas go on to the edges of the picture.
        boundary.prepend(QPointF(std::min(boundary.first().x(), area.left() - 2), boundary.first().y()));
        boundary.append(QPointF(std::max(boundary.last().x(), area.right() + 2), boundary.last().y()));
        const auto fill = [&](double edge, QColor color, int alpha) {
            QPolygonF shape = boundary;
            shape << QPointF(boundary.last().x(), edge) << QPointF(boundary.first().x(), edge);
            color.setAlpha(alpha);
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawPolygon(shape);
        };
        fill(area.bottom() + 2, look.floor, look.dark ? 34 : 26);
        fill(area.top() - 2, look.capacity, look.dark ? 44 : 34);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(penOf(look.capacity, 2));
        painter.drawPolyline(boundary);
    }
    const QPolygonF asked = line(m_whatIf);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(look.capacity, look.lineWidth, look.whatIfLine));
    painter.drawPolyline(asked);
    for (const QPolygonF *drawn : {static_cast<const QPolygonF *>(&boundary), &asked}) {
        for (qsizetype i = 1; i < drawn->size(); ++i)
            labels.avoid((*drawn)[i - 1], (*drawn)[i]);
    }
    for (const Target &target : m_targets) {
        const QPointF at = pixelOf(rect, target);
        const double r = target.size / 2 + 2;
        labels.avoid(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    }
    if (!boundary.isEmpty()) {
        // Each within its own area, as far from the line as it goes.
        for (const bool fits : {true, false}) {
            const QString name = fits ? tr("fits") : tr("does not fit");
            const QSizeF size = labels.sizeOf(name);
            std::optional<QRectF> best;
            double most = 0;
            constexpr int kTried = 12;
            for (int column = 0; column <= kTried; ++column) {
                for (const bool low : {true, false}) {
                    const QRectF at(QPointF(area.left() + 6 + (area.width() - 12 - size.width()) * column / kTried,
                                            low ? area.bottom() - 4 - size.height() : area.top() + 4),
                                    size);
                    const double distance = fits ? at.top() - lowestOver(boundary, at) : highestOver(boundary, at) - at.bottom();
                    if (distance > most && labels.isFree(at)) {
                        most = distance;
                        best = at;
                    }
                }
            }
            if (best)
                labels.placeAt(painter, *best, name, fits ? look.floor : look.capacity);
        }
    }
    drawTargets(painter, rect, m_targets, look, model()->selection(), labels);
}

std::optional<PointKey> FrontierChart::pointAt(const QPointF &pixel, QString *text) const
{
    const Target *target = nearestTarget(*plot()->axisRect(), m_targets, pixel);
    if (text)
        *text = target ? target->text() : QString();
    return target ? target->key : std::nullopt;
}

} // namespace

ChartView *makeFrontierChart(WorkbenchModel *model, QWidget *parent)
{
    return new FrontierChart(model, parent);
}

} // namespace ridgepoint
