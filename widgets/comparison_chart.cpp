// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/comparison_chart.h"

#include "core/base/format.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

/// The baseline is what "measured" looks like elsewhere, the first that stands beside it what "beside" looks like.
QColor sessionColor(const ChartTheme &theme, std::size_t session)
{
    const std::array colors{theme.measured, theme.imported, theme.compute, theme.memory, theme.throttled, theme.linear};
    return colors[session % colors.size()];
}

/// By how a step is issued, so that modes of one colour are told apart.
Qt::PenStyle modeLine(const std::string &mode)
{
    return mode == "eager" ? Qt::SolidLine : mode == "graph" ? Qt::DashLine : Qt::DotLine;
}

Mark changeMark(Change change)
{
    switch (change) {
    case Change::Faster:
        return Mark::TriangleDown; // less time
    case Change::Slower:
        return Mark::Triangle;
    case Change::Same:
        return Mark::Square;
    case Change::Ambiguous:
        return Mark::OpenSquare;
    }
    return Mark::None;
}

bool samePlace(const SessionPoint &point, const ComparedPoint &compared)
{
    return point.session == compared.other && point.kind == compared.kind && point.model == compared.model && point.dtype == compared.dtype &&
           point.mode == compared.mode && point.batch == compared.batch && point.prompt == compared.prompt;
}

std::string withSpread(double seconds, double low, double high, bool imported)
{
    QString figure = text(format::seconds(seconds));
    if (low < high)
        figure = ComparisonChart::tr("%1 (%2 to %3)").arg(figure, text(format::seconds(low)), text(format::seconds(high)));
    if (imported)
        figure = ComparisonChart::tr("%1, imported").arg(figure);
    return figure.toStdString();
}

template <typename Point>
QString caseText(const Point &point)
{
    const QString kind = point.kind == "sweep"  ? ComparisonChart::tr("sweep")
                         : point.kind == "ttft" ? ComparisonChart::tr("TTFT")
                                                : ComparisonChart::tr("line");
    return ComparisonChart::tr("%1: %2 %3, %4, batch %5, prompt %6")
        .arg(kind, nameText(point.model), nameText(point.dtype), text(point.mode), text(format::count(static_cast<double>(point.batch))),
             text(format::count(static_cast<double>(point.prompt))));
}

} // namespace

struct ComparisonChart::Private {
    QStringList names;
    Comparison comparison;
    TextTable table;
    std::vector<QCPGraph *> lines;
    std::vector<QCPErrorBars *> bars;
    std::vector<Target> targets;
    QString name(std::size_t session) const { return names.value(static_cast<int>(session)); }
};

ComparisonChart::ComparisonChart(WorkbenchModel *model, QWidget *parent)
    : ChartView(model, QStringLiteral("comparison"), parent), d(std::make_unique<Private>())
{
    for (QCPAxis *axis : {plot()->xAxis, plot()->yAxis})
        axis->setScaleType(QCPAxis::stLogarithmic);
    plot()->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(
        new LogTicker(plot()->xAxis, 2, [](double value) { return text(format::count(value)); })));
    plot()->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(
        new LogTicker(plot()->yAxis, 10, [](double value) { return text(format::seconds(value)); })));
}

ComparisonChart::~ComparisonChart() = default;

TextTable ComparisonChart::table() const
{
    return d->table;
}

const Comparison &ComparisonChart::comparison() const
{
    return d->comparison;
}

QString ComparisonChart::changeText(Verdict change)
{
    switch (change) {
    case Verdict::Same:
        return tr("same");
    case Verdict::Faster:
        return tr("faster");
    case Verdict::Slower:
        return tr("slower");
    case Verdict::Ambiguous:
        return tr("ambiguous");
    }
    return {};
}

QString ComparisonChart::summary(const Comparison &comparison)
{
    if (comparison.points.empty())
        return tr("Nothing is comparable: no point of one session has a partner of the same model, number format, mode, batch and prompt in "
                  "the baseline. Choose sessions of the same model, or measure the same batches and prompts again.");
    std::array<int, 4> counts{};
    for (const ComparedPoint &point : comparison.points)
        ++counts[static_cast<std::size_t>(point.change)];
    QStringList sentences{coreText(decidingTest()),
                          tr("Of the compared points %1 are slower, %2 faster, %3 the same and %4 ambiguous.")
                              .arg(counts[static_cast<std::size_t>(Verdict::Slower)])
                              .arg(counts[static_cast<std::size_t>(Verdict::Faster)])
                              .arg(counts[static_cast<std::size_t>(Verdict::Same)])
                              .arg(counts[static_cast<std::size_t>(Verdict::Ambiguous)])};
    sentences << (comparison.baselineOnly + comparison.otherOnly == 0
                      ? tr("Every point has its partner.")
                      : tr("Not comparable, for no partner was measured: %1 of the baseline, %2 of the others.")
                            .arg(comparison.baselineOnly)
                            .arg(comparison.otherOnly));
    QString said;
    for (const QString &sentence : sentences) // Chinese ones follow one another without a space
        said += (said.isEmpty() || said.endsWith(QChar(0x3002)) ? QString() : QStringLiteral(" ")) + sentence;
    return said;
}

void ComparisonChart::setComparison(QStringList names, Comparison comparison)
{
    d->names = std::move(names);
    d->comparison = std::move(comparison);
    const bool several = d->names.size() > 2;
    TextTable table;
    table.header = {tr("case").toStdString()};
    if (several)
        table.header.push_back(tr("session").toStdString());
    for (const QString &head : {tr("ratio"), tr("verdict"), tr("baseline TPOT"), tr("TPOT"), tr("p"), tr("why")})
        table.header.push_back(head.toStdString());
    for (const ComparedPoint &point : d->comparison.points) {
        std::vector<std::string> row{caseText(point).toStdString()};
        if (several)
            row.push_back(d->name(point.other).toStdString());
        row.insert(row.end(), {format::significant(point.ratio, 4), changeText(point.change).toStdString(),
                               withSpread(point.baselineSeconds, point.baselineLow, point.baselineHigh, point.baselineImported),
                               withSpread(point.seconds, point.low, point.high, point.imported),
                               std::isfinite(point.p) ? format::significant(point.p, 2) : tr("not tested").toStdString(),
                               coreText(point.reason).toStdString()});
        table.rows.push_back(std::move(row));
    }
    d->table = std::move(table);
    setTheme(theme()); // its data are no model's: a rebuild is asked for so
}

void ComparisonChart::rebuild(unsigned)
{
    const ChartTheme &look = theme();
    plot()->xAxis->setLabel(tr("Batch"));
    plot()->yAxis->setLabel(tr("TPOT"));
    for (QCPErrorBars *bars : d->bars)
        plot()->removePlottable(bars);
    for (QCPGraph *line : d->lines)
        plot()->removePlottable(line);
    d->bars.clear();
    d->lines.clear();
    d->targets.clear();

    const std::vector<SessionPoint> &all = d->comparison.all;
    bool alone = false, spread = false;
    std::vector<std::string> modes;
    for (std::size_t begin = 0; begin < all.size();) {
        const SessionPoint &first = all[begin];
        const QColor color = sessionColor(look, first.session);
        QVector<double> x, y, below, above;
        std::vector<const SessionPoint *> points;
        // A session's points come by mode, then by batch, so that prompts take turns.
        std::size_t end = begin;
        while (end < all.size() && all[end].session == first.session && all[end].kind == first.kind && all[end].model == first.model &&
               all[end].dtype == first.dtype && all[end].mode == first.mode)
            ++end;
        std::vector<std::int64_t> prompts;
        for (std::size_t i = begin; i < end; ++i)
            if (std::find(prompts.begin(), prompts.end(), all[i].prompt) == prompts.end())
                prompts.push_back(all[i].prompt);
        for (const std::int64_t prompt : prompts) {
            x.clear(), y.clear(), below.clear(), above.clear();
            for (std::size_t i = begin; i < end; ++i) {
                const SessionPoint &point = all[i];
                if (point.prompt != prompt || !drawableOnLog(point.seconds))
                    continue;
                x << static_cast<double>(point.batch);
                y << point.seconds;
                const bool known = point.low < point.high && drawableOnLog(point.low);
                spread = spread || known;
                below << (known ? std::max(0.0, point.seconds - point.low) : qQNaN());
                above << (known ? std::max(0.0, point.high - point.seconds) : qQNaN());
                points.push_back(&point);
            }
            QCPGraph *line = plot()->addGraph();
            line->setName(d->name(first.session) + QStringLiteral(", ") + text(first.mode));
            line->setAdaptiveSampling(false);
            line->setData(x, y, true);
            line->setPen(penOf(color, look.lineWidth, modeLine(first.mode)));
            d->lines.push_back(line);
            auto *bars = new QCPErrorBars(plot()->xAxis, plot()->yAxis);
            bars->setDataPlottable(line);
            bars->setErrorType(QCPErrorBars::etValueError);
            bars->setData(below, above);
            bars->setPen(penOf(color, 1.2));
            bars->setWhiskerWidth(look.pointSize);
            bars->setSymbolGap(0);
            d->bars.push_back(bars);
        }
        if (std::find(modes.begin(), modes.end(), first.mode) == modes.end())
            modes.push_back(first.mode);
        for (const SessionPoint *point : points) {
            Target target;
            target.x = static_cast<double>(point->batch);
            target.y = point->seconds;
            target.color = color;
            target.size = look.pointSize;
            QStringList said{d->name(point->session), caseText(*point),
                             tr("TPOT %1").arg(text(withSpread(point->seconds, point->low, point->high, point->imported)))};
            target.mark = Mark::Disc;
            if (point->session > 0) {
                const auto found = std::find_if(d->comparison.points.begin(), d->comparison.points.end(),
                                                [&](const ComparedPoint &one) { return samePlace(*point, one); });
                if (found != d->comparison.points.end()) {
                    target.mark = changeMark(found->change);
                    target.size += 2;
                    target.priority = 1 + static_cast<int>(std::min(1.0, std::abs(found->ratio - 1)) * 1000);
                    const QString by = tr("× %1").arg(text(format::significant(found->ratio, 3)));
                    if (found->change == Verdict::Slower || found->change == Verdict::Faster)
                        target.label = tr("%1 %2", "verdict and ratio: slower × 1.2").arg(changeText(found->change), by);
                    said << tr("%1: %2 of the baseline").arg(changeText(found->change), by) << coreText(found->reason);
                }
            }
            if (!point->partnered) {
                target.mark = Mark::Cross;
                alone = true;
                said << tr("no partner");
            }
            target.text = [said] { return said.join(QLatin1Char('\n')); };
            d->targets.push_back(std::move(target));
        }
        begin = end;
    }

    std::vector<LegendEntry> legend;
    for (int i = 0; i < d->names.size(); ++i) {
        const QString name = text(format::elided(d->names[i].toStdString(), 60));
        legend.push_back({i == 0 ? tr("baseline: %1").arg(name) : name,
                          sessionColor(look, static_cast<std::size_t>(i)), i == 0 ? Mark::Disc : Mark::None, Qt::SolidLine});
    }
    for (const Verdict change : {Verdict::Slower, Verdict::Faster, Verdict::Same, Verdict::Ambiguous})
        if (std::any_of(d->comparison.points.begin(), d->comparison.points.end(), [&](const ComparedPoint &p) { return p.change == change; }))
            legend.push_back({changeText(change), look.text, changeMark(change)});
    if (alone)
        legend.push_back({tr("no partner"), look.text, Mark::Cross});
    if (modes.size() > 1)
        for (const std::string &mode : modes)
            legend.push_back({text(mode), look.mutedText, Mark::None, modeLine(mode)});
    setHeader(d->comparison.all.empty() ? tr("no sessions chosen")
              : spread                  ? tr("bars: p10 to p90, or all repeats")
                                        : QString(),
              std::move(legend));
}

void ComparisonChart::fitRanges()
{
    LogExtent x, y;
    for (const Target &target : d->targets) {
        x.add(target.x);
        x.add(target.x * 1.3);
        y.add(target.y / 1.2);
        y.add(target.y * 1.2);
    }
    const QCPRange batches = x.range(1, 128, 2);
    plot()->xAxis->setRange(QCPRange(batches.lower / 1.25, batches.upper));
    plot()->yAxis->setRange(y.range(1e-3, 1e-1));
}

void ComparisonChart::paintMarks(QCPPainter &painter)
{
    const QCPAxisRect &rect = *plot()->axisRect();
    LabelPlacer labels(QRectF(rect.rect()).adjusted(2, 2, -2, -2), theme().font, theme());
    painter.setAntialiasing(true);
    for (const QCPGraph *line : d->lines) {
        QPointF before;
        bool first = true;
        for (auto it = line->data()->constBegin(); it != line->data()->constEnd(); ++it, first = false) {
            const QPointF at(plot()->xAxis->coordToPixel(it->key), plot()->yAxis->coordToPixel(it->value));
            if (!first)
                labels.avoid(before, at);
            before = at;
        }
    }
    drawTargets(painter, rect, d->targets, theme(), std::nullopt, labels);
}

std::optional<PointKey> ComparisonChart::pointAt(const QPointF &pixel, QString *text) const
{
    const Target *target = nearestTarget(*plot()->axisRect(), d->targets, pixel);
    if (text)
        *text = target ? target->text() : QString();
    return std::nullopt;
}

} // namespace ridgepoint
