// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/line.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr int BandSamples = 48;

std::string fmtR2(double r2)
{
    return QString::number(r2, 'f', 3).toStdString();
}

/// The i-th family's shade of the colour that says where the rows come from; each stands 3:1 from the background.
QColor familyShade(const ChartTheme &theme, bool imported, int index)
{
    const QColor &from = imported ? theme.imported : theme.measured;
    const auto mixed = [&](const QColor &to, double share) {
        const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
        return QColor(mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()));
    };
    switch (index) {
    case 0:
        return from;
    case 1:
        return mixed(theme.text, 0.8);
    case 2:
        return mixed(theme.background, 0.28);
    default:
        return mixed(theme.text, 0.4);
    }
}

/// The i-th family's mark: a form of its own, for shades of one colour are told apart badly.
Mark familyMark(int index, bool hollow)
{
    switch (index) {
    case 0:
        return hollow ? Mark::BoldCircle : Mark::Disc;
    case 1:
        return hollow ? Mark::OpenTriangle : Mark::Triangle;
    case 2:
        return hollow ? Mark::OpenTriangleDown : Mark::TriangleDown;
    default:
        return hollow ? Mark::OpenPentagon : Mark::Pentagon;
    }
}

/// TPOT against weight bytes, both linear from zero: rows, the line through them with its 95 % band, and the floor.
class LineChart : public ChartView {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::LineChart)

public:
    LineChart(WorkbenchModel *model, QWidget *parent);
    QString title() const override { return tr("Line over models"); }
    TextTable table() const override { return m_table; }

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;

private:
    const RunRecord *shownRun() const;
    const RunRecord *otherMode(const RunRecord &run) const;
    void addRows(const RunRecord &run, const LineReading &reading, bool beside);
    void addLive(const RunRecord &run);
    void addPrediction();
    void addPredictedEntries(std::vector<LegendEntry> &legend) const;
    void addLine(const QString &name, double slope, double intercept, const QPen &pen);
    void addLineRow(const QString &name, const LineEstimate &line, const QString &note);
    QCPGraph *series(std::size_t index);

    QCPGraph *m_bandLow, *m_bandHigh;
    std::vector<QCPGraph *> m_lines;
    std::size_t m_lineCount = 0;
    std::vector<Target> m_targets;
    double m_right = 0, m_top = 0; ///< greatest weight and time that are to be seen
    QStringList m_notes;           ///< beside the line, the first in the text's colour
    int m_warned = 0;              ///< how many of the last of them are warnings
    TextTable m_table;
};

LineChart::LineChart(WorkbenchModel *model, QWidget *parent)
    : ChartView(model, QStringLiteral("line"), parent), m_bandLow(plot()->addGraph()), m_bandHigh(plot()->addGraph())
{
    plot()->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LinearTicker(plot()->xAxis)));
    plot()->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LinearTicker(plot()->yAxis)));
    qSharedPointerCast<LinearTicker>(plot()->xAxis->ticker())->setUnit(1e9);
    qSharedPointerCast<LinearTicker>(plot()->yAxis->ticker())->setUnit(1e-3);
    for (QCPGraph *graph : {m_bandLow, m_bandHigh}) {
        graph->setAdaptiveSampling(false);
        graph->setPen(Qt::NoPen);
    }
    m_bandHigh->setChannelFillGraph(m_bandLow);
}

QCPGraph *LineChart::series(std::size_t index)
{
    while (m_lines.size() <= index) {
        m_lines.push_back(plot()->addGraph());
        m_lines.back()->setAdaptiveSampling(false);
    }
    m_lines[index]->setVisible(true);
    return m_lines[index];
}

/// The run that is looked at where it is a line, else the newest line of the document.
const RunRecord *LineChart::shownRun() const
{
    const RunRecord *current = model()->currentRun();
    if (current && current->plan.experiment == Experiment::Line)
        return current;
    const auto &runs = model()->session()->runs;
    const auto found =
        std::find_if(runs.rbegin(), runs.rend(), [](const RunRecord &run) { return !run.line.empty(); });
    return found != runs.rend() ? &*found : nullptr;
}

/// The newest line of another mode on the same device: how a step is issued is then the only difference.
const RunRecord *LineChart::otherMode(const RunRecord &run) const
{
    if (isImportedLine(run))
        return nullptr;
    const auto &runs = model()->session()->runs;
    const auto found = std::find_if(runs.rbegin(), runs.rend(), [&](const RunRecord &other) {
        return !other.line.empty() && !isImportedLine(other) && other.plan.mode != run.plan.mode &&
               other.plan.device == run.plan.device && other.provenance.deviceName == run.provenance.deviceName;
    });
    return found != runs.rend() ? &*found : nullptr;
}

/// Across the whole picture; the ranges follow the points, not the lines.
void LineChart::addLine(const QString &name, double slope, double intercept, const QPen &pen)
{
    if (!std::isfinite(slope) || !std::isfinite(intercept) || !(m_right > 0))
        return;
    QCPGraph *graph = series(m_lineCount++);
    graph->setName(name);
    graph->setData({0, m_right * 4}, {intercept, intercept + slope * m_right * 4}, true);
    graph->setPen(pen);
}

void LineChart::addLineRow(const QString &name, const LineEstimate &line, const QString &note)
{
    m_table.rows.push_back({tr("line").toStdString(), name.toStdString(), std::string(), slopeText(line.slope),
                            format::bandwidth(line.bandwidth), format::seconds(line.intercept),
                            std::isfinite(line.r2) ? fmtR2(line.r2) : std::string(), std::string(),
                            note.toStdString()});
}

void LineChart::addRows(const RunRecord &run, const LineReading &reading, bool beside)
{
    const ChartTheme &look = theme();
    std::vector<std::string> families;
    for (const NamedLine &family : reading.fit.families)
        families.push_back(family.name);
    for (std::size_t i = 0; i < run.line.size(); ++i) {
        const LineRow &row = run.line[i];
        const LineRowFigures *figures = reading.figuresOf(i);
        const QString name = nameText(row.name.empty() ? row.model : row.name);
        const bool cached = reading.isMaybeCached(i);
        const QString kind = row.imported ? tr("imported")
                             : beside     ? tr("measured, %1").arg(modeText(row.mode))
                                          : tr("measured");
        QString note;
        if (row.status != PointStatus::Ok)
            note = statusText(row.status) + QStringLiteral(": ") + coreText(row.reason);
        else if (cached)
            note = tr("may be read from the cache");
        m_table.rows.push_back({kind.toStdString(), name.toStdString(), row.dtype, format::bytes(row.weightBytes),
                                format::seconds(row.tpotSeconds),
                                format::seconds(figures ? figures->predictedSeconds : kMissing),
                                format::seconds(figures ? figures->residualSeconds : kMissing),
                                format::percent(figures ? figures->readingShare : kMissing), note.toStdString()});
        if (beside && !figures)
            continue; // why there is none is told by that run's own picture
        if (!std::isfinite(row.weightBytes) || !(row.weightBytes > 0))
            continue;

        Target target;
        target.key = PointKey{run.plan.runId, row.index};
        target.x = row.weightBytes;
        target.size = look.pointSize;
        QStringList lines;
        lines << (row.dtype.empty() ? name : tr("%1 in %2").arg(name, text(row.dtype)));
        if (!figures) {
            lines << note;
            target.atBottom = true;
            target.mark = Mark::Cross;
            target.color = look.warning;
            target.priority = 4;
            target.label = statusText(row.status);
            target.text = [lines] { return lines.join(QLatin1Char('\n')); };
            m_targets.push_back(std::move(target));
            continue;
        }
        m_right = std::max(m_right, row.weightBytes);
        m_top = std::max(m_top, row.tpotSeconds);
        target.y = row.tpotSeconds;
        // Two-byte numbers are filled, four-byte ones hollow; a square was not measured in this run.
        const bool square = row.imported || beside;
        const bool hollow = parseDType(row.dtype) == DType::F32;
        const auto family = std::find(families.begin(), families.end(), row.family);
        const int shade = static_cast<int>(family - families.begin());
        target.mark = square ? (hollow ? Mark::OpenSquare : Mark::Square) : familyMark(shade, hollow);
        target.color = cached ? look.linear : familyShade(look, square, shade);
        target.priority = beside ? 1 : 3;
        if (!beside)
            target.label = name;
        lines << tr("weights %1, TPOT %2").arg(text(format::bytes(row.weightBytes)), text(format::seconds(row.tpotSeconds)));
        if (std::isfinite(row.tpotMinSeconds) && std::isfinite(row.tpotMaxSeconds))
            lines << tr("repeats from %1 to %2")
                         .arg(text(format::seconds(row.tpotMinSeconds)), text(format::seconds(row.tpotMaxSeconds)));
        if (std::isfinite(figures->predictedSeconds))
            lines << tr("by the line %1, residual %2")
                         .arg(text(format::seconds(figures->predictedSeconds)),
                              text(format::seconds(figures->residualSeconds)))
                  << tr("reading weights %1").arg(text(format::percent(figures->readingShare)));
        if (row.forecast.predicted)
            lines << tr("forecast %1, measured / forecast %2")
                         .arg(text(format::seconds(row.forecast.predicted->stepSeconds)),
                              text(format::ratio(row.tpotSeconds / row.forecast.predicted->stepSeconds)));
        if (!note.isEmpty())
            lines << note;
        if (row.imported)
            lines << tr("imported: not measured by this program");
        else if (beside)
            lines << tr("mode %1").arg(modeText(row.mode));
        target.text = [lines] { return lines.join(QLatin1Char('\n')); };
        m_targets.push_back(std::move(target));
        // What was foretold before the row ran.
        if (!beside && row.forecast.predicted && row.forecast.predicted->stepSeconds > 0) {
            Target foretold;
            foretold.x = row.weightBytes;
            foretold.y = row.forecast.predicted->stepSeconds;
            foretold.mark = Mark::Diamond;
            foretold.color = look.forecast;
            foretold.size = look.pointSize;
            foretold.text = [step = *row.forecast.predicted] { return predictedText(tr("forecast of the run"), step); };
            m_top = std::max(m_top, foretold.y);
            m_targets.push_back(std::move(foretold));
        }
    }
}

/// The row in flight, where the steps so far put it.
void LineChart::addLive(const RunRecord &run)
{
    const std::optional<LivePoint> &live = model()->live();
    if (!live || live->runId != run.plan.runId || live->steps.empty() || run.plan.dtypes.empty())
        return;
    if (std::any_of(run.line.begin(), run.line.end(), [&](const LineRow &row) { return row.index == live->index; }))
        return; // a finished row is the truth
    const auto index = static_cast<std::size_t>(std::max(0, live->index));
    const std::size_t at = index / run.plan.dtypes.size();
    if (at >= run.plan.models.size())
        return;
    const DType dtype = run.plan.dtypes[index % run.plan.dtypes.size()];
    const ModelShape &shape = run.plan.models[at].shape;
    Target target;
    try {
        target.x = makeWorkload(shape, dtype, Accounting::Exact).weightBytes;
    } catch (const Error &) {
        return; // a plan of another program that does not hold together
    }
    std::vector<double> seconds;
    for (const StepSample &step : live->steps)
        if (std::isfinite(step.seconds()))
            seconds.push_back(step.seconds());
    target.y = median(std::move(seconds));
    if (!std::isfinite(target.y))
        return;
    m_right = std::max(m_right, target.x);
    m_top = std::max(m_top, target.y);
    target.mark = Mark::LiveDisc;
    target.color = theme().measured;
    target.size = theme().pointSize + 3;
    target.key = PointKey{live->runId, live->index};
    target.label = tr("live");
    target.priority = 5;
    const QString name = nameText(shape.name.empty() ? shape.id : shape.name);
    target.text = [name, y = target.y] { return tr("%1: measuring, %2 a step").arg(name, text(format::seconds(y))); };
    m_targets.push_back(std::move(target));
}

/// Nothing measured: the line that the what-if values foretell, and where their model would lie on it.
void LineChart::addPrediction()
{
    const WhatIf &whatIf = model()->whatIf();
    const Ceilings &ceilings = whatIf.ceilings;
    const ChartTheme &look = theme();
    if (!(ceilings.bandwidth > 0) || !std::isfinite(ceilings.bandwidth) || whatIf.shape.layers <= 0)
        return;
    for (const DType dtype : {DType::BF16, DType::F32}) {
        try {
            const Workload workload = makeWorkload(whatIf.shape, dtype, whatIf.accounting);
            Target target;
            target.x = workload.weightBytes;
            target.y = workload.weightBytes / ceilings.bandwidth + ceilings.overhead;
            target.mark = Mark::Diamond;
            target.color = look.forecast;
            target.size = look.pointSize;
            target.priority = 1;
            const QString name = nameText(whatIf.shape.name.empty() ? whatIf.shape.id : whatIf.shape.name);
            const QString type = text(std::string(dtypeName(dtype)));
            target.label = tr("%1 in %2").arg(name, type);
            m_table.rows.push_back({Prediction(*model()).name().toStdString(), name.toStdString(), type.toStdString(),
                                    format::bytes(target.x), format::seconds(target.y), std::string(), std::string(),
                                    format::percent(workload.weightBytes / ceilings.bandwidth / target.y), std::string()});
            m_right = std::max(m_right, target.x);
            m_top = std::max(m_top, target.y);
            target.text = [label = target.label, x = target.x, y = target.y] {
                return tr("forecast: %1").arg(label) + QLatin1Char('\n') +
                       tr("weights %1, TPOT %2").arg(text(format::bytes(x)), text(format::seconds(y)));
            };
            m_targets.push_back(std::move(target));
        } catch (const Error &) {
            return; // the caption says what is wrong with the values
        }
    }
    const PredictionBasis basis = basisOf(whatIf);
    if (basis != PredictionBasis::Datasheet && whatIf.nominal.bandwidth > 0)
        addLine(tr("floor, datasheet"), 1 / whatIf.nominal.bandwidth, 0, floorPen(look, false));
    if (const Prediction prediction(*model()); prediction.measured && prediction.measured->bandwidth > 0)
        addLine(tr("floor, measured ceilings"), 1 / prediction.measured->bandwidth, 0, floorPen(look, true));
    addLine(tr("forecast"), 1 / ceilings.bandwidth, ceilings.overhead, forecastPen(look, basis));
}

void LineChart::addPredictedEntries(std::vector<LegendEntry> &legend) const
{
    // A line over models knows one overhead for all of them, never the timings of one shape.
    const Prediction prediction(*model());
    const PredictionBasis basis =
        prediction.basis == PredictionBasis::Timings ? PredictionBasis::StepOverhead : prediction.basis;
    legend.push_back(forecastEntry(theme(), basis, Mark::Diamond));
    if (prediction.measured)
        legend.push_back(floorEntry(theme(), true));
    if (basis != PredictionBasis::Datasheet)
        legend.push_back(floorEntry(theme(), false));
}

void LineChart::rebuild(unsigned)
{
    const ChartTheme &look = theme();
    plot()->xAxis->setLabel(tr("Weights that a step reads (GB)"));
    plot()->yAxis->setLabel(tr("TPOT (ms)"));
    m_table = TextTable();
    m_table.header = {tr("series").toStdString(),      tr("model").toStdString(),    tr("dtype").toStdString(),
                      tr("weights").toStdString(),     tr("TPOT").toStdString(),     tr("by the line").toStdString(),
                      tr("residual").toStdString(),    tr("reading weights").toStdString(),
                      tr("note").toStdString()};
    m_targets.clear();
    m_notes.clear();
    m_warned = 0;
    m_right = m_top = 0;
    m_lineCount = 0;
    for (QCPGraph *graph : m_lines) {
        graph->setVisible(false);
        graph->data()->clear();
    }
    for (QCPGraph *graph : {m_bandLow, m_bandHigh})
        graph->data()->clear();

    std::vector<LegendEntry> legend;
    QString caption;
    const RunRecord *run = shownRun();
    if (!run || (run->line.empty() && run->state != RunRecord::State::Running)) {
        addPrediction();
        if (!m_targets.empty())
            addPredictedEntries(legend);
        setHeader(emptyCaption(Prediction(*model())), std::move(legend));
        return;
    }
    const LineReading reading = readLine(*run);
    const bool imported = isImportedLine(*run);
    const RunRecord *other = otherMode(*run);
    std::optional<LineReading> otherReading;
    if (other) {
        otherReading = readLine(*other);
        addRows(*other, *otherReading, true);
    }
    addRows(*run, reading, false);
    addLive(*run);

    const QColor own = imported ? look.imported : look.measured;
    const LineEstimate &all = reading.fit.all;
    // The floor first, that it lies beneath.
    const double ceiling = reading.ceiling();
    if (ceiling > 0)
        addLine(QStringLiteral("floor"), 1 / ceiling, 0, penOf(look.floor, 1.4, Qt::DashLine));
    if (otherReading && otherReading->fit.all.identifiable) {
        addLine(QStringLiteral("other"), otherReading->fit.all.slope, otherReading->fit.all.intercept,
                penOf(look.imported, look.lineWidth, Qt::DashDotLine));
        addLineRow(tr("all rows, %1").arg(modeText(other->plan.mode)), otherReading->fit.all, QString());
    }
    if (all.identifiable) {
        addLine(QStringLiteral("all"), all.slope, all.intercept, penOf(own, look.lineWidth));
        if (all.bandAt(m_right)) {
            QVector<double> x, low, high;
            for (int i = 0; i <= BandSamples; ++i) {
                const double at = m_right * 1.5 * i / BandSamples;
                const Interval band = *all.bandAt(at);
                x.append(at);
                low.append(band.low);
                high.append(band.high);
            }
            QColor fill = own;
            fill.setAlpha(look.dark ? 60 : 45);
            m_bandHigh->setBrush(fill);
            m_bandLow->setData(x, low, true);
            m_bandHigh->setData(x, high, true);
        }
    }
    addLineRow(tr("all rows"), all, coreText(all.problem));
    const auto flagged = [&](BandwidthFlag::Of of, const std::string &name) {
        return std::any_of(reading.flags.begin(), reading.flags.end(),
                           [&](const BandwidthFlag &flag) { return flag.of == of && flag.name == name; });
    };
    const auto noteOf = [&](bool above, const LineEstimate &line) {
        QStringList parts;
        if (above)
            parts << tr("above the device's %1").arg(text(format::bandwidth(ceiling)));
        if (!line.problem.empty())
            parts << coreText(line.problem);
        return parts.join(QStringLiteral("; "));
    };
    int shade = 0;
    const bool families = model()->view().familyLines;
    bool anyWarned = false;
    for (const NamedLine &family : reading.fit.families) {
        const bool above = flagged(BandwidthFlag::Of::Family, family.name);
        addLineRow(tr("family %1").arg(text(family.name)), family.line, noteOf(above, family.line));
        if (families && family.line.identifiable)
            addLine(QStringLiteral("family ") + text(family.name), family.line.slope, family.line.intercept,
                    penOf(familyShade(look, imported, shade), 1.2, Qt::DotLine));
        ++shade;
    }
    for (const NamedLine &one : reading.fit.models) {
        const bool above = flagged(BandwidthFlag::Of::Model, one.name);
        addLineRow(text(one.name), one.line, noteOf(above, one.line));
        if (!above)
            continue;
        anyWarned = true;
        addLine(QStringLiteral("flag ") + text(one.name), one.line.slope, one.line.intercept,
                penOf(look.warning, 1.2, Qt::DotLine));
    }

    if (all.identifiable) {
        m_notes << (all.intercept < 0 ? tr("%1 × weights − %2") : tr("%1 × weights + %2"))
                       .arg(text(slopeText(all.slope)), text(format::seconds(std::abs(all.intercept))));
        QString implied = tr("implies %1").arg(text(format::bandwidth(all.bandwidth)));
        if (all.bandwidthInterval)
            implied += std::isinf(all.bandwidthInterval->high)
                           ? tr(" (95 %: from %1)").arg(text(format::bandwidth(all.bandwidthInterval->low)))
                           : tr(" (95 %: %1 to %2)")
                                 .arg(text(format::bandwidth(all.bandwidthInterval->low)),
                                      text(format::bandwidth(all.bandwidthInterval->high)));
        m_notes << implied;
        if (std::isfinite(all.r2))
            m_notes << tr("R² %1 over %2 rows").arg(text(fmtR2(all.r2))).arg(all.points);
    } else {
        m_notes << coreText(all.problem);
    }
    for (const BandwidthFlag &flag : reading.flags) {
        const QString of = flag.of == BandwidthFlag::Of::All      ? tr("all rows")
                           : flag.of == BandwidthFlag::Of::Family ? tr("family %1").arg(nameText(flag.name))
                                                                  : nameText(flag.name);
        m_notes << tr("%1: implies %2 > %3 of the device")
                       .arg(of, text(format::bandwidth(flag.bandwidth)), text(format::bandwidth(ceiling)));
        ++m_warned;
    }

    const bool hollow = std::any_of(run->line.begin(), run->line.end(),
                                    [](const LineRow &row) { return parseDType(row.dtype) == DType::F32; });
    const auto &named = reading.fit.families;
    for (std::size_t i = 0; i < named.size() && named.size() > 1; ++i)
        legend.push_back({nameText(named[i].name),
                          familyShade(look, imported, static_cast<int>(i)),
                          imported ? Mark::Square : familyMark(static_cast<int>(i), false)});
    if (named.size() <= 1)
        legend.push_back({imported ? tr("imported") : tr("measured"), own, imported ? Mark::Square : Mark::Disc});
    if (hollow)
        legend.push_back({tr("hollow: fp32"), own, imported ? Mark::OpenSquare : Mark::BoldCircle});
    if (all.identifiable)
        legend.push_back({all.slopeInterval ? tr("line, 95 % band") : tr("line"), own, Mark::None, Qt::SolidLine});
    if (other)
        legend.push_back({modeText(other->plan.mode), look.imported, Mark::Square, look.importedLine, look.lineWidth});
    if (ceiling > 0)
        legend.push_back({reading.measuredCeiling > 0 ? tr("floor at the measured %1").arg(text(format::bandwidth(ceiling)))
                                                      : tr("floor at the nominal %1").arg(text(format::bandwidth(ceiling))),
                          look.floor, Mark::None, Qt::DashLine, 1.4});
    if (families && named.size() > 1)
        legend.push_back({tr("lines of the families"), own, Mark::None, Qt::DotLine, 1.2});
    if (anyWarned)
        legend.push_back({tr("above the ceiling"), look.warning, Mark::None, Qt::DotLine, 1.2});
    if (std::any_of(run->line.begin(), run->line.end(), [](const LineRow &row) { return row.forecast.predicted.has_value(); }))
        legend.push_back({tr("forecast of the run"), look.forecast, Mark::Diamond});
    if (!reading.maybeCached.empty())
        legend.push_back({tr("may be read from the cache"), look.linear, Mark::Disc});
    if (std::any_of(m_targets.begin(), m_targets.end(), [](const Target &target) { return target.atBottom; }))
        legend.push_back({tr("no result"), look.warning, Mark::Cross});

    const QString device = nameText(coreText(shownDevice(*run)).toStdString());
    if (imported) {
        const auto from = run->provenance.extra.find("imported from");
        caption = tr("imported from %1").arg(from != run->provenance.extra.end() ? text(from->second) : device);
    } else {
        caption = tr("%1, mode %2").arg(device, modeText(run->plan.mode));
    }
    setHeader(caption, std::move(legend));
}

void LineChart::fitRanges()
{
    const double right = m_right > 0 ? m_right : 1e9, top = m_top > 0 ? m_top : 1e-3;
    plot()->xAxis->setRange(QCPRange(0, right * 1.12));
    plot()->yAxis->setRange(QCPRange(0, top * 1.15));
    qSharedPointerCast<LinearTicker>(plot()->yAxis->ticker())->setUnit(1e-3);
}

void LineChart::paintMarks(QCPPainter &painter)
{
    const QCPAxisRect &rect = *plot()->axisRect();
    const ChartTheme &look = theme();
    const QRectF area(rect.rect());
    LabelPlacer labels(area.adjusted(2, 2, -2, -2), look.font, look);
    painter.setAntialiasing(true);
    QCPAxis *xAxis = plot()->xAxis, *yAxis = plot()->yAxis;
    for (std::size_t i = 0; i < m_lineCount; ++i) {
        const auto &data = *m_lines[i]->data();
        const auto first = data.constBegin(), last = data.constEnd() - 1;
        labels.avoid(QPointF(xAxis->coordToPixel(first->key), yAxis->coordToPixel(first->value)),
                     QPointF(xAxis->coordToPixel(last->key), yAxis->coordToPixel(last->value)));
    }
    for (const Target &target : m_targets) {
        const QPointF at = pixelOf(rect, target);
        const double r = target.size / 2 + 2;
        labels.avoid(QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r));
    }
    // The figures stand where a line through points from zero leaves room: the upper left corner, else the lower right.
    double down = 4;
    for (int i = 0; i < m_notes.size(); ++i) {
        const QSizeF size = labels.sizeOf(m_notes[i]);
        if (down + size.height() > area.height() / 2)
            break;
        const QColor color = i >= m_notes.size() - m_warned ? look.warning : look.text;
        const QRectF left(QPointF(area.left() + 6, area.top() + down), size);
        const QRectF right(QPointF(area.right() - 6 - size.width(),
                                   area.bottom() - 4 - size.height() * (m_notes.size() - i)),
                           size);
        if (!labels.placeAt(painter, left, m_notes[i], color))
            labels.placeAt(painter, right, m_notes[i], color);
        down += size.height() + 1;
    }
    labels.setLeaders(true);
    drawTargets(painter, rect, m_targets, look, model()->selection(), labels);
}

std::optional<PointKey> LineChart::pointAt(const QPointF &pixel, QString *text) const
{
    const Target *target = nearestTarget(*plot()->axisRect(), m_targets, pixel);
    if (text)
        *text = target ? target->text() : QString();
    return target ? target->key : std::nullopt;
}

} // namespace

ChartView *makeLineChart(WorkbenchModel *model, QWidget *parent)
{
    return new LineChart(model, parent);
}

} // namespace ridgepoint
