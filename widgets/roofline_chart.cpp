// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/format.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

/// Rate against arithmetic intensity, both logarithmic: the roofs, where points should lie, where they lie.
class RooflineChart : public ChartView {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::RooflineChart)

public:
    RooflineChart(WorkbenchModel *model, QWidget *parent);
    QString title() const override { return tr("Roofline"); }
    TextTable table() const override { return m_table; }

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;

private:
    struct Roof {
        QCPGraph *graph = nullptr;
        QString name;
        double bandwidth = 0, flops = 0;
        bool shown() const
        {
            return drawableOnLog(bandwidth) && drawableOnLog(flops) && drawableOnLog(flops / bandwidth);
        }
        double at(double intensity) const { return std::min(intensity * bandwidth, flops); }
    };
    void setRoof(Roof &roof, const QString &name, double bandwidth, double flops);
    void addRow(const QString &series, double batch, double context, double x, double y, const QString &note);
    const Roof &roof() const { return m_measured.shown() ? m_measured : m_nominal; } ///< that a point should reach
    QString roofShare(double x, double y) const;
    QString roofText(double x, double y) const;
    void addParts();
    void addPrefill(double batch, double prompt, double seconds, bool repeated, const PointForecast &forecast);

    Roof m_nominal, m_measured, m_whatIf;
    std::vector<Target> m_targets;
    std::vector<std::size_t> m_connected; ///< measured targets, joined to the roof above them
    double m_maxIntensity = kMissing;
    bool m_anyPart = false;
    double m_context = kMissing;
    TextTable m_table;
};

RooflineChart::RooflineChart(WorkbenchModel *model, QWidget *parent)
    : ChartView(model, QStringLiteral("roofline"), parent)
{
    const auto logAxis = [](QCPAxis *axis) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker(axis, 10, siPrefixed)));
    };
    logAxis(plot()->xAxis);
    logAxis(plot()->yAxis);
    for (Roof *roof : {&m_nominal, &m_measured, &m_whatIf}) {
        roof->graph = plot()->addGraph();
        roof->graph->setAdaptiveSampling(false);
    }
}

void RooflineChart::setRoof(Roof &roof, const QString &name, double bandwidth, double flops)
{
    roof.name = name;
    roof.bandwidth = bandwidth;
    roof.flops = flops;
    roof.graph->setVisible(roof.shown());
    if (!roof.shown()) {
        roof.graph->data()->clear();
        return;
    }
    const double ridge = flops / bandwidth;
    const double left = std::min(1e-4, ridge / 1e3), right = std::max(1e8, ridge * 1e3);
    roof.graph->setData({left, ridge, right}, {left * bandwidth, flops, flops}, true);
}

void RooflineChart::addRow(const QString &series, double batch, double context, double x, double y, const QString &note)
{
    const auto number = [](double value) { return std::isnan(value) ? std::string() : format::significant(value, 4); };
    m_table.rows.push_back({series.toStdString(),
                            std::isnan(batch) ? std::string() : QString::number(batch).toStdString(),
                            std::isnan(context) ? std::string() : QString::number(context).toStdString(), number(x),
                            std::isnan(y) ? std::string() : format::flops(y), note.toStdString(),
                            roofShare(x, y).toStdString()});
}

/// "41 %": how much of the roof above it a point reaches; empty without a roof.
QString RooflineChart::roofShare(double x, double y) const
{
    return roof().shown() && drawableOnLog(x) && drawableOnLog(y) ? text(format::percent(y / roof().at(x))) : QString();
}

QString RooflineChart::roofText(double x, double y) const
{
    const QString share = roofShare(x, y);
    if (share.isEmpty())
        return {};
    return QLatin1Char('\n') + (m_measured.shown() ? tr("%1 of the measured roof").arg(share)
                                                   : tr("%1 of the datasheet's roof").arg(share));
}

/// The parts of a step that were timed apart, each at its own intensity.
void RooflineChart::addParts()
{
    const RunRecord *of = anatomyRun(*model());
    const RunRecord *current = model()->currentRun();
    if (!of || (current && (!(current->plan.model.shape == of->plan.model.shape) || current->plan.dtype != of->plan.dtype)))
        return; // another model's parts would only confuse
    const StepAnatomy *anatomy = &*of->anatomy;
    for (const PartTiming &part : anatomy->parts) {
        if (!(part.seconds > 0) || !(part.bytes > 0) || !(part.flop > 0))
            continue; // what multiplies or moves nothing that is counted has no place under a roof
        Target target;
        target.x = part.flop / part.bytes;
        target.y = part.flop / part.seconds;
        target.mark = Mark::Plus;
        target.color = partColor(theme(), part.part);
        target.size = theme().pointSize + 3;
        target.label = partText(part.part);
        target.priority = 2;
        target.text = [part, roof = roofText(target.x, target.y), batch = anatomy->batch, context = anatomy->context] {
            return tr("part of a step: %1 (b = %2, n = %3)\n%4, %5, %6")
                       .arg(partText(part.part))
                       .arg(batch)
                       .arg(context)
                       .arg(text(format::seconds(part.seconds)), text(format::bandwidth(part.bytes / part.seconds)),
                            text(format::flops(part.flop / part.seconds))) +
                   roof;
        };
        addRow(tr("part: %1").arg(partText(part.part)), anatomy->batch, anatomy->context, target.x, target.y,
               text(format::seconds(part.seconds)));
        m_targets.push_back(std::move(target));
        m_anyPart = true;
    }
}

void RooflineChart::addPrefill(double batch, double prompt, double seconds, bool repeated, const PointForecast &)
{
    // The shape and dtype are the run's own; the slider's model must not move a measured point.
    const RunRecord *run = model()->currentRun();
    if (!run || !(seconds > 0))
        return;
    PrefillPrediction prefill;
    try {
        const Workload workload = runWorkload(*run);
        Ceilings any; // intensity and FLOP do not depend on them
        any.bandwidth = any.flops = 1;
        prefill = predictPrefill(workload, any, batch, prompt);
    } catch (const Error &) {
        return;
    }
    Target target;
    target.x = prefill.intensity;
    target.y = prefill.flop / seconds;
    target.mark = Mark::Triangle;
    target.color = theme().measured;
    target.size = theme().pointSize;
    target.label = QStringLiteral("p=%1").arg(prompt);
    target.priority = 3;
    target.text = [=, roof = roofText(target.x, target.y)] {
        return tr("measured prefill: b = %1, p = %2\n%3, %4\n%5")
            .arg(batch)
            .arg(prompt)
            .arg(text(format::seconds(seconds)), text(format::flops(prefill.flop / seconds)),
                 repeated ? tr("median of the repeats") : tr("one sample, not repeated")) + roof;
    };
    addRow(tr("measured prefill"), batch, prompt, target.x, target.y, QString());
    m_targets.push_back(std::move(target));
}

void RooflineChart::rebuild(unsigned)
{
    const WhatIf &whatIf = model()->whatIf();
    const Prediction prediction(*model());
    const std::vector<MeasuredPoint> measured = measuredPoints(*model());
    const bool any = anyMeasured(measured);
    const ChartTheme &look = theme();

    plot()->xAxis->setLabel(tr("Arithmetic intensity (FLOP/B)"));
    plot()->yAxis->setLabel(tr("Rate (FLOP/s)"));

    m_table = TextTable();
    m_table.header = {tr("series").toStdString(),           tr("batch").toStdString(), tr("context").toStdString(),
                      tr("intensity FLOP/B").toStdString(), tr("rate").toStdString(),  tr("note").toStdString(),
                      tr("of the roof").toStdString()};
    m_anyPart = false;
    m_targets.clear();
    m_connected.clear();

    setRoof(m_nominal, tr("datasheet roof"), whatIf.nominal.bandwidth, whatIf.nominal.flops);
    Ceilings measuredRoof;
    if (whatIf.measured)
        measuredRoof = measuredCeilings(whatIf.hardware, *whatIf.measured, whatIf.dtype, whatIf.shape.layers);
    setRoof(m_measured, tr("measured roof"), measuredRoof.bandwidth, measuredRoof.flops);
    const auto same = [&](const Roof &roof) {
        return roof.shown() && roof.bandwidth == whatIf.ceilings.bandwidth && roof.flops == whatIf.ceilings.flops;
    };
    const bool moved = !same(m_nominal) && !same(m_measured);
    setRoof(m_whatIf, tr("what-if roof"), moved ? whatIf.ceilings.bandwidth : 0, moved ? whatIf.ceilings.flops : 0);
    m_nominal.graph->setPen(penOf(look.nominalRoof, look.lineWidth, Qt::DashLine));
    m_measured.graph->setPen(penOf(look.measuredRoof, look.lineWidth + 0.4));
    m_whatIf.graph->setPen(penOf(look.forecast, look.lineWidth, look.whatIfLine));
    for (const Roof *roof : {&m_nominal, &m_measured, &m_whatIf}) {
        if (roof->shown())
            addRow(roof->name, kMissing, kMissing, roof->flops / roof->bandwidth, roof->flops,
                   text(format::bandwidth(roof->bandwidth)));
    }

    // Where the points should lie.
    m_context = whatIf.context;
    m_maxIntensity = kMissing;
    if (prediction.workload) {
        for (const double batch : predictedBatches(whatIf)) {
            const auto step = prediction.step(batch, whatIf.context);
            if (!step)
                continue;
            const bool slider = batch == whatIf.batch;
            Target target;
            target.x = step->intensity;
            target.y = step->flop / step->stepSeconds;
            target.mark = slider ? Mark::BoldDiamond : Mark::Diamond;
            target.color = look.forecast;
            target.size = look.pointSize;
            target.label = any && !slider ? QString() : QStringLiteral("b=%1").arg(batch);
            target.priority = slider ? 4 : 1;
            target.text = [step = *step, name = prediction.name(), roof = roofText(target.x, target.y)] {
                return predictedText(name, step) + roof;
            };
            addRow(prediction.name(), batch, whatIf.context, target.x, target.y,
                   tr("bound by %1").arg(step->bound == Bound::Memory ? tr("memory") : tr("compute")));
            m_targets.push_back(std::move(target));
        }
        try {
            const PrefillPrediction prefill =
                predictPrefill(*prediction.workload, prediction.ceilings, whatIf.batch, whatIf.prompt);
            Target target;
            target.x = prefill.intensity;
            target.y = prefill.flop / prefill.floorSeconds;
            target.mark = Mark::OpenTriangle;
            target.color = look.forecast;
            target.size = look.pointSize;
            target.label = tr("prefill p=%1").arg(whatIf.prompt);
            target.priority = 4;
            target.text = [prefill] {
                return tr("predicted prefill: b = %1, p = %2\nfloor %3, %4\nbound by %5")
                    .arg(prefill.batch)
                    .arg(prefill.prompt)
                    .arg(text(format::seconds(prefill.floorSeconds)), text(format::intensity(prefill.intensity)),
                         prefill.bound == Bound::Memory ? tr("memory") : tr("compute"));
            };
            addRow(tr("predicted prefill"), whatIf.batch, whatIf.prompt, target.x, target.y,
                   tr("bound by %1").arg(prefill.bound == Bound::Memory ? tr("memory") : tr("compute")));
            m_targets.push_back(std::move(target));
            m_maxIntensity = maxIntensity(*prediction.workload, whatIf.context);
            if (std::isfinite(m_maxIntensity))
                addRow(tr("AI max"), kMissing, whatIf.context, m_maxIntensity, kMissing, QString());
        } catch (const Error &) {
            // A prompt or ceiling that allows no prediction: the caption says so.
        }
    }

    // Where they lie.
    const std::vector<std::int64_t> prompts = promptsOf(measured);
    std::vector<std::int64_t> prefillShown;
    for (const MeasuredPoint &point : measured) {
        if (point.status != PointStatus::Ok || !std::isfinite(point.seconds) || !point.forecast)
            continue;
        const StepPrediction &own = point.forecast->floorNominal;
        if (!(own.flop > 0))
            continue;
        // Where the run itself said that the point should lie, at its own context and ceilings: fainter than what the
        // sliders say, and left out where both say the same.
        const auto &stored = point.forecast->predicted ? point.forecast->predicted : point.forecast->floorMeasured;
        if (stored && stored->stepSeconds > 0) {
            Target target;
            target.x = stored->intensity;
            target.y = stored->flop / stored->stepSeconds;
            target.mark = Mark::Diamond;
            target.color = look.forecast;
            target.color.setAlpha(150);
            target.size = look.pointSize;
            target.text = [step = *stored, roof = roofText(target.x, target.y)] {
                return predictedText(tr("forecast of the run"), step) + roof;
            };
            addRow(tr("forecast, prompt %1").arg(point.prompt), static_cast<double>(point.batch), point.context,
                   target.x, target.y,
                   tr("bound by %1").arg(stored->bound == Bound::Memory ? tr("memory") : tr("compute")));
            const bool shownAlready = std::any_of(m_targets.begin(), m_targets.end(), [&target](const Target &other) {
                return (other.mark == Mark::Diamond || other.mark == Mark::BoldDiamond) &&
                       std::abs(other.x / target.x - 1) < 0.005 && std::abs(other.y / target.y - 1) < 0.005;
            });
            if (!shownAlready)
                m_targets.push_back(std::move(target));
        }
        const auto shade = static_cast<int>(std::find(prompts.begin(), prompts.end(), point.prompt) - prompts.begin());
        Target target;
        target.x = own.intensity;
        target.y = own.flop / point.seconds;
        target.mark = point.live ? Mark::LiveDisc : Mark::Disc;
        target.color = measuredShade(look, shade);
        target.size = point.live ? look.pointSize + 3 : look.pointSize;
        target.label = point.live ? tr("b=%1 live").arg(point.batch) : QStringLiteral("b=%1").arg(point.batch);
        target.priority = point.live ? 5 : shade == 0 ? 3 : 2;
        target.key = point.key;
        MeasuredPoint figures = point;
        target.text = [figures, forecast = *point.forecast, roof = roofText(target.x, target.y)]() mutable {
            figures.forecast = &forecast;
            return measuredText(figures) + roof;
        };
        addRow(point.live ? tr("measuring") : tr("measured decode"), static_cast<double>(point.batch), point.context,
               target.x, target.y, tr("prompt %1").arg(point.prompt));
        m_connected.push_back(m_targets.size());
        m_targets.push_back(std::move(target));
        if (!point.live && std::find(prefillShown.begin(), prefillShown.end(), point.prompt) == prefillShown.end()) {
            prefillShown.push_back(point.prompt);
            addPrefill(static_cast<double>(point.batch), static_cast<double>(point.prompt), point.prefillSeconds,
                       point.prefillRepeated, *point.forecast);
        }
    }

    // Prefills over prompts: TTFT runs of the same case stand beside the one that is looked at.
    if (const RunRecord *run = model()->currentRun(); run && run->ttft && any) {
        for (const RunRecord &other : model()->session()->runs) {
            if (&other == run || !other.ttft || !(other.plan.model == run->plan.model) || other.plan.dtype != run->plan.dtype ||
                other.plan.mode != run->plan.mode || other.provenance.deviceName != run->provenance.deviceName)
                continue;
            for (const MeasuredPoint &point : pointsOfRun(*model(), other))
                addPrefill(static_cast<double>(point.batch), static_cast<double>(point.prompt), point.prefillSeconds,
                           point.prefillRepeated, *point.forecast);
        }
    }
    addParts();

    std::vector<LegendEntry> legend;
    if (any) {
        for (std::size_t i = 0; i < prompts.size(); ++i) {
            legend.push_back({prompts.size() > 1 ? tr("measured, prompt %1").arg(prompts[i]) : tr("measured"),
                              measuredShade(look, static_cast<int>(i)), Mark::Disc});
            if (prompts.size() > 1)
                legend.back().brief = QStringLiteral("p=%1").arg(prompts[i]);
        }
    }
    legend.push_back({any ? tr("forecast") : forecastLegend(prediction.basis), look.forecast, Mark::Diamond});
    legend.back().brief = tr("forecast");
    if (m_whatIf.shown())
        legend.push_back({m_whatIf.name, look.forecast, Mark::None, look.whatIfLine});
    if (m_measured.shown())
        legend.push_back({m_measured.name, look.measuredRoof, Mark::None, Qt::SolidLine, 2});
    if (m_nominal.shown())
        legend.push_back({m_nominal.name, look.nominalRoof, Mark::None, Qt::DashLine});
    const auto marked = [this](Mark mark) {
        return std::any_of(m_targets.begin(), m_targets.end(), [mark](const Target &target) { return target.mark == mark; });
    };
    if (marked(Mark::Triangle))
        legend.push_back({tr("prefill"), look.measured, Mark::Triangle});
    if (marked(Mark::OpenTriangle)) {
        legend.push_back({tr("prefill, foretold"), look.forecast, Mark::OpenTriangle});
        legend.back().brief = tr("prefill");
    }
    if (m_anyPart)
        legend.push_back({tr("part of a step"), look.text, Mark::Plus});
    setHeader(shownCaption(*model(), prediction, any), std::move(legend));
}

void RooflineChart::fitRanges()
{
    LogExtent x, y;
    double ridge = 0;
    for (const Roof *roof : {&m_nominal, &m_measured, &m_whatIf}) {
        if (!roof->shown())
            continue;
        ridge = std::max(ridge, roof->flops / roof->bandwidth);
        x.add(roof->flops / roof->bandwidth * 2.5);
        y.add(roof->flops * 1.6);
    }
    for (const Target &target : m_targets) {
        if (drawableOnLog(target.x) && drawableOnLog(target.y)) {
            x.add(target.x / 1.6);
            x.add(target.x * 1.6);
            y.add(target.y / 1.8);
        }
    }
    // The limit belongs to the picture where it is near; far to the right it would squeeze the points.
    if (std::isfinite(m_maxIntensity) && (ridge <= 0 || m_maxIntensity < ridge * 20))
        x.add(m_maxIntensity * 1.3);
    plot()->xAxis->setRange(x.range(0.1, 1000));
    plot()->yAxis->setRange(y.range(1e9, 1e13));
}

void RooflineChart::paintMarks(QCPPainter &painter)
{
    const QCPAxisRect &rect = *plot()->axisRect();
    const ChartTheme &look = theme();
    QCPAxis *xAxis = plot()->xAxis, *yAxis = plot()->yAxis;
    const QRectF area(rect.rect());
    LabelPlacer labels(area.adjusted(2, 2, -2, -2), look.font, look);
    painter.setAntialiasing(true);

    const auto pixel = [&](double x, double y) { return QPointF(xAxis->coordToPixel(x), yAxis->coordToPixel(y)); };
    for (const Roof *roof : {&m_nominal, &m_measured, &m_whatIf}) {
        if (!roof->shown())
            continue;
        const QCPRange range = xAxis->range();
        const double ridge = roof->flops / roof->bandwidth;
        labels.avoid(pixel(std::min(range.lower, ridge), roof->at(std::min(range.lower, ridge))),
                     pixel(ridge, roof->flops));
        labels.avoid(pixel(ridge, roof->flops), pixel(std::max(range.upper, ridge), roof->flops));
    }
    // A measured point hangs from the roof that it should reach: the length of the line is what was lost.
    const Roof &above = m_measured.shown() ? m_measured : m_nominal;
    if (above.shown()) {
        QColor faint = look.measured;
        faint.setAlpha(110);
        painter.setPen(QPen(faint, 1));
        for (const std::size_t index : m_connected) {
            const Target &target = m_targets[index];
            if (drawableOnLog(target.x) && drawableOnLog(target.y))
                painter.drawLine(pixel(target.x, target.y), pixel(target.x, above.at(target.x)));
        }
    }
    if (drawableOnLog(m_maxIntensity)) {
        const double x = xAxis->coordToPixel(m_maxIntensity);
        if (x > area.left() && x < area.right()) {
            painter.setPen(penOf(look.capacity, 1.4, Qt::DotLine));
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        }
    }
    // Ridges: a drop to the axis and a knot on the corner.
    for (const Roof *roof : {&m_nominal, &m_measured, &m_whatIf}) {
        if (!roof->shown())
            continue;
        const QPointF corner = pixel(roof->flops / roof->bandwidth, roof->flops);
        if (!area.contains(corner))
            continue;
        const QColor &color = roof->graph->pen().color();
        QColor faint = color;
        faint.setAlpha(120);
        painter.setPen(penOf(faint, 1, Qt::DotLine));
        painter.drawLine(corner, QPointF(corner.x(), area.bottom()));
        drawMark(painter, Mark::Square, corner, 6, color, look.background);
        labels.avoid(QRectF(corner.x() - 4, corner.y() - 4, 8, 8));
    }
    // First the marks, then the labels in the order of what they are worth.
    for (const Target &target : m_targets) {
        const QPointF at = pixelOf(rect, target);
        const double r = target.size / 2 + 2;
        labels.avoid(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    }
    for (const Roof *roof : {&m_measured, &m_whatIf, &m_nominal}) {
        if (!roof->shown())
            continue;
        const double ridge = roof->flops / roof->bandwidth;
        const QPointF corner = pixel(ridge, roof->flops);
        if (area.contains(corner))
            labels.place(painter, corner, 7, tr("ridge %1").arg(text(format::significant(ridge, 3))), look.text);
    }
    if (drawableOnLog(m_maxIntensity)) {
        const double x = xAxis->coordToPixel(m_maxIntensity);
        const QString limit = tr("AI max %1 (n=%2)").arg(text(format::significant(m_maxIntensity, 3))).arg(m_context);
        if (x > area.left() && x < area.right()) {
            // Only now: a ridge's name may stand on this faint line, other names need not.
            labels.avoid(QPointF(x, area.top()), QPointF(x, area.bottom()));
            const QSizeF size = labels.sizeOf(limit);
            for (const double bottom : {6.0, 22.0, 38.0, 60.0}) {
                if (labels.placeAt(painter,
                                   QRectF(QPointF(x - 4 - size.width(), area.bottom() - bottom - size.height()), size),
                                   limit, look.text) ||
                    labels.placeAt(painter, QRectF(QPointF(x + 4, area.bottom() - bottom - size.height()), size), limit,
                                   look.text))
                    break;
            }
        }
    }
    drawTargets(painter, rect, m_targets, look, model()->selection(), labels);
}

std::optional<PointKey> RooflineChart::pointAt(const QPointF &pixel, QString *text) const
{
    const Target *target = nearestTarget(*plot()->axisRect(), m_targets, pixel);
    if (text)
        *text = target ? target->text() : QString();
    return target ? target->key : std::nullopt;
}

} // namespace

ChartView *makeRooflineChart(WorkbenchModel *model, QWidget *parent)
{
    return new RooflineChart(model, parent);
}

} // namespace ridgepoint
