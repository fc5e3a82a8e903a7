// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "widgets/chart_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double kAbove = 1.16; ///< of the axis over what it is to show: room for the points' names
constexpr double OutlierFactor = 1.5; ///< times the median of its point
constexpr double ClipFactor = 3;      ///< times the largest median: what is higher stands at the upper edge
constexpr int kPredictedSteps = 40;    ///< a predicted point is as wide as one of the default sweep
constexpr int DenseFrom = 4000;       ///< steps from which on dots are small and not smoothed
constexpr std::size_t HoverReach = 20000;

/// Every step of the run, one point after another, with each point's median, floor and forecast.
class LatencyChart : public ChartView {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::LatencyChart)

public:
    LatencyChart(WorkbenchModel *model, QWidget *parent);
    QString title() const override { return tr("Latency of each step"); }
    TextTable table() const override;

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;
    void setExporting(bool exporting) override;

private:
    /// One point of the run (or of the prediction): steps start..start + width.
    struct Segment {
        std::optional<PointKey> key;
        QString name;     ///< "b=16"
        QString longName; ///< "b=16 p=128"
        double batch = 0, prompt = kMissing, context = kMissing;
        double start = 0;
        double width = 0;
        const std::vector<StepSample> *steps = nullptr; ///< within m_held; null: live or predicted
        bool live = false;
        double median = kMissing, least = kMissing, most = kMissing;
        std::size_t count = 0, outliers = 0, throttled = 0;
        double wall = kMissing;    ///< median
        double hostGap = kMissing; ///< median of wall - device
        double floor = kMissing, floorMeasured = kMissing, forecast = kMissing;
        double floorRise = 0; ///< s over the whole width, where the floor is a prediction
        double whatIfFirst = kMissing, whatIfLast = kMissing;
    };
    static constexpr std::size_t Bins = std::tuple_size_v<decltype(ChartTheme::scale)>;
    struct Dots {
        QCPGraph *usual = nullptr, *outliers = nullptr;
        QCPGraph *throttled = nullptr; ///< a mark around each throttled step, whatever its colour
        QCPGraph *wall = nullptr;      ///< wall time of the steps that also have device time
        QCPGraph *unclocked = nullptr; ///< coloured by clock: no clock was read
        std::array<QCPGraph *, Bins> bins{};

        std::vector<QCPGraph *> all() const
        {
            std::vector<QCPGraph *> list{wall, usual, outliers, unclocked};
            list.insert(list.end(), bins.begin(), bins.end());
            list.push_back(throttled);
            return list;
        }
    };
    /// The dots of some segments on their way into the graphs.
    struct DotData {
        QVector<QCPGraphData> usual, outliers, throttled, wall, unclocked;
        std::array<QVector<QCPGraphData>, Bins> bins;
    };

    void rebuildDocument();
    void rebuildLive();
    void rebuildPrediction();
    void rebuildLines();
    bool sameCase() const;
    void fill(Segment &segment, const std::vector<StepSample> &steps, DotData &dots);
    void setDots(Dots &dots, const DotData &data);
    bool byClock() const { return model()->view().colour == ViewOptions::Colour::Clock; }
    ClockScale scaleOfSteps() const;
    const std::vector<StepSample> *stepsOf(const Segment &segment) const;
    QString stepText(const Segment &segment, const StepSample &step) const;
    void styleDots();

    SessionPtr m_held;               ///< keeps the steps that segments point to
    std::vector<Segment> m_segments; ///< the document's, then the live one, or the predicted ones
    std::size_t m_documentSegments = 0;
    Dots m_dots, m_liveDots;
    ClockScale m_scale;
    std::size_t m_throttledSteps = 0;
    QCPGraph *m_medians, *m_floors, *m_floorsMeasured, *m_forecasts, *m_whatIfs;
    std::vector<double> m_scratch;
    double m_top = 0; ///< s; higher steps stand at the upper edge
    bool m_dense = false;
    bool m_measured = false;
    bool m_asks = true; ///< the what-if line is drawn
};

LatencyChart::LatencyChart(WorkbenchModel *model, QWidget *parent) : ChartView(model, QStringLiteral("latency"), parent)
{
    for (Dots *dots : {&m_dots, &m_liveDots}) {
        const auto add = [this](QCPGraph *&graph) {
            graph = new ThinnedGraph(plot()->xAxis, plot()->yAxis); // the plot owns it
            graph->setLineStyle(QCPGraph::lsNone);
            graph->setAdaptiveSampling(true);
        };
        for (QCPGraph **graph : {&dots->wall, &dots->usual, &dots->outliers, &dots->unclocked})
            add(*graph);
        for (QCPGraph *&graph : dots->bins)
            add(graph);
        add(dots->throttled);
        dots->throttled->setName(QStringLiteral("throttled")); // plots show no names; tests find the graphs by them
        dots->wall->setName(QStringLiteral("wall"));
        for (std::size_t i = 0; i < Bins; ++i)
            dots->bins[i]->setName(QStringLiteral("clock %1").arg(i));
    }
    for (QCPGraph **graph : {&m_floors, &m_floorsMeasured, &m_forecasts, &m_whatIfs, &m_medians}) {
        *graph = plot()->addGraph();
        (*graph)->setAdaptiveSampling(false);
    }
    plot()->xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LinearTicker(plot()->xAxis)));
    plot()->yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LinearTicker(plot()->yAxis)));
}

void LatencyChart::setDots(Dots &dots, const DotData &data)
{
    dots.usual->data()->set(data.usual, true);
    dots.outliers->data()->set(data.outliers, true);
    dots.throttled->data()->set(data.throttled, true);
    dots.wall->data()->set(data.wall, true);
    dots.unclocked->data()->set(data.unclocked, true);
    for (std::size_t i = 0; i < Bins; ++i)
        dots.bins[i]->data()->set(data.bins[i], true);
}

/// Least and greatest clock of what is shown, the point in flight included.
ClockScale LatencyChart::scaleOfSteps() const
{
    ClockScale scale;
    if (!byClock())
        return scale;
    const auto add = [&scale](const std::vector<StepSample> &steps) {
        for (const StepSample &step : steps)
            scale.add(step.smClockHz);
    };
    if (const RunRecord *run = model()->currentRun()) {
        for (const SweepPoint &point : run->points)
            add(point.steps);
        if (run->ttft && run->points.empty()) {
            for (const TtftMethodResult &method : run->ttft->methods)
                add(method.steps);
        }
    }
    if (const LivePoint *live = shownLive(*model()))
        add(live->steps);
    return scale;
}

void LatencyChart::fill(Segment &segment, const std::vector<StepSample> &steps, DotData &dots)
{
    m_scratch.clear();
    m_scratch.reserve(steps.size());
    for (const StepSample &step : steps) {
        const double seconds = step.seconds();
        if (std::isfinite(seconds))
            m_scratch.push_back(seconds);
    }
    segment.count = m_scratch.size();
    segment.outliers = 0;
    segment.median = segment.least = segment.most = kMissing;
    if (!m_scratch.empty()) {
        const auto [least, most] = std::minmax_element(m_scratch.begin(), m_scratch.end());
        segment.least = *least;
        segment.most = *most;
        const auto middle = m_scratch.begin() + static_cast<std::ptrdiff_t>(m_scratch.size() / 2);
        std::nth_element(m_scratch.begin(), middle, m_scratch.end());
        segment.median =
            m_scratch.size() % 2 == 1 ? *middle : (*middle + *std::max_element(m_scratch.begin(), middle)) / 2;
    }
    const auto middleOf = [&](auto value) {
        m_scratch.clear();
        for (const StepSample &step : steps) {
            if (const double v = value(step); std::isfinite(v))
                m_scratch.push_back(v);
        }
        return m_scratch.empty() ? kMissing : ridgepoint::median(m_scratch);
    };
    segment.hostGap = middleOf([](const StepSample &step) { return step.hostGapSeconds(); });
    segment.wall =
        std::isfinite(segment.hostGap) ? middleOf([](const StepSample &step) { return step.wallSeconds; }) : kMissing;
    segment.throttled = 0;
    const bool clocked = byClock(), wall = model()->view().wallTime;
    const double limit = segment.median * OutlierFactor;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double seconds = steps[i].seconds();
        if (!std::isfinite(seconds))
            continue; // a gap, never zero
        const QCPGraphData dot(segment.start + static_cast<double>(i), seconds);
        if (!steps[i].throttle.empty()) {
            ++segment.throttled;
            dots.throttled.append(dot);
        }
        if (wall && std::isfinite(steps[i].hostGapSeconds()))
            dots.wall.append(QCPGraphData(dot.key, steps[i].wallSeconds));
        if (clocked) {
            const double clock = steps[i].smClockHz;
            (std::isfinite(clock) ? dots.bins[m_scale.bins() < 2 ? Bins - 1 : m_scale.binOf(clock)] : dots.unclocked)
                .append(dot);
        }
        if (seconds > limit) {
            ++segment.outliers;
            dots.outliers.append(dot);
        } else if (!clocked) {
            dots.usual.append(dot);
        }
    }
}

void LatencyChart::rebuildDocument()
{
    m_held = model()->session();
    m_segments.clear();
    DotData dots;
    double start = 1;
    const RunRecord *run = model()->currentRun();
    const auto add = [&](Segment segment, const std::vector<StepSample> &steps, const PointForecast &forecast) {
        segment.start = start;
        segment.width = static_cast<double>(steps.size());
        segment.steps = &steps;
        segment.name = QStringLiteral("b=%1").arg(segment.batch);
        segment.floor = forecast.floorNominal.stepSeconds > 0 ? forecast.floorNominal.stepSeconds : kMissing;
        segment.floorMeasured = forecast.floorMeasured ? forecast.floorMeasured->stepSeconds : kMissing;
        segment.forecast = forecast.predicted ? forecast.predicted->stepSeconds : kMissing;
        start += segment.width;
        fill(segment, steps, dots);
        m_segments.push_back(std::move(segment));
    };
    if (run) {
        for (const SweepPoint &point : run->points) {
            if (point.steps.empty())
                continue;
            Segment segment;
            segment.key = PointKey{run->plan.runId, point.index};
            segment.batch = static_cast<double>(point.batch);
            segment.prompt = static_cast<double>(point.prompt);
            segment.context = point.context;
            segment.longName = QStringLiteral("b=%1 p=%2").arg(point.batch).arg(point.prompt);
            add(std::move(segment), point.steps, point.forecast);
        }
        if (run->ttft && m_segments.empty()) {
            // The loop times steps by themselves; the stream's steps include the reader, so they stand apart.
            for (const TtftMethod wanted : {TtftMethod::Loop, TtftMethod::Stream}) {
                for (const TtftMethodResult &method : run->ttft->methods) {
                    if (method.method != wanted || method.steps.empty())
                        continue;
                    Segment segment;
                    segment.batch = static_cast<double>(run->ttft->batch);
                    segment.prompt = static_cast<double>(run->ttft->prompt);
                    segment.context = run->ttft->forecast.floorNominal.context;
                    segment.longName = wanted == TtftMethod::Loop ? tr("loop, b=%1").arg(segment.batch)
                                                                  : tr("stream, b=%1").arg(segment.batch);
                    add(std::move(segment), method.steps, run->ttft->forecast);
                }
            }
        }
    }
    m_documentSegments = m_segments.size();
    setDots(m_dots, dots);
}

void LatencyChart::rebuildLive()
{
    m_segments.resize(m_documentSegments);
    DotData dots;
    const LivePoint *live = shownLive(*model());
    const bool finished = live && std::any_of(m_segments.begin(), m_segments.end(), [&](const Segment &segment) {
                              return segment.key == PointKey{live->runId, live->index};
                          });
    if (live && !finished) {
        Segment segment;
        segment.key = PointKey{live->runId, live->index};
        segment.live = true;
        segment.batch = static_cast<double>(live->batch);
        segment.prompt = static_cast<double>(live->prompt);
        segment.context = live->context;
        segment.name = QStringLiteral("b=%1").arg(live->batch);
        segment.longName = tr("b=%1 p=%2 live").arg(live->batch).arg(live->prompt);
        segment.start = m_segments.empty() ? 1 : m_segments.back().start + m_segments.back().width;
        segment.floor =
            live->forecast.floorNominal.stepSeconds > 0 ? live->forecast.floorNominal.stepSeconds : kMissing;
        segment.floorMeasured = live->forecast.floorMeasured ? live->forecast.floorMeasured->stepSeconds : kMissing;
        segment.forecast = live->forecast.predicted ? live->forecast.predicted->stepSeconds : kMissing;
        // As wide as the plan says, so that the axis stands still while the dots arrive.
        const RunRecord *run = model()->currentRun();
        const int planned = !run                                       ? 0
                            : run->plan.experiment == Experiment::Ttft ? static_cast<int>(run->plan.newTokens)
                                                                       : run->plan.steps;
        segment.width = std::max<double>(static_cast<double>(live->steps.size()), std::max(planned, 1));
        fill(segment, live->steps, dots);
        m_segments.push_back(std::move(segment));
    }
    setDots(m_liveDots, dots);
}

void LatencyChart::rebuildPrediction()
{
    const WhatIf &whatIf = model()->whatIf();
    const Prediction prediction(*model());
    if (!m_measured) {
        m_segments.clear();
        double start = 1;
        for (const double batch : predictedBatches(whatIf)) {
            Segment segment;
            segment.batch = batch;
            segment.prompt = kMissing;
            segment.context = whatIf.context;
            segment.name = segment.longName = QStringLiteral("b=%1").arg(batch);
            segment.start = start;
            segment.width = kPredictedSteps;
            const PredictedSteps predicted = predictedSteps(prediction, whatIf, batch, whatIf.context, segment.width);
            if (prediction.basis != PredictionBasis::Datasheet) // else the forecast is the floor
                segment.floor = predicted.floorNominal;
            segment.floorMeasured = predicted.floorMeasured;
            segment.floorRise = predicted.floorRise;
            start += segment.width;
            m_segments.push_back(std::move(segment));
        }
    }
    for (Segment &segment : m_segments) {
        // The cache grows by a token a step: the line rises within its point.
        const double context = std::isfinite(segment.context) ? segment.context : whatIf.context;
        const PredictedSteps predicted = predictedSteps(prediction, whatIf, segment.batch, context, segment.width);
        segment.whatIfFirst = predicted.first;
        segment.whatIfLast = predicted.last;
    }
}

/// The what-if values are of the run's own model, dtype and mode.
bool LatencyChart::sameCase() const
{
    const RunRecord *run = model()->currentRun();
    const WhatIf &whatIf = model()->whatIf();
    return run && run->plan.model.shape == whatIf.shape && run->plan.dtype == whatIf.dtype &&
           run->plan.mode == whatIf.mode;
}

void LatencyChart::rebuildLines()
{
    // Beside measured steps the sliders' line is drawn where it asks about something else than the run's own forecast.
    m_asks = !m_measured || basisOf(model()->whatIf()) == PredictionBasis::WhatIf || !sameCase();
    QVector<QCPGraphData> medians, floors, floorsMeasured, forecasts, whatIfs;
    const auto line = [](QVector<QCPGraphData> &into, const Segment &segment, double first, double last) {
        if (!std::isfinite(first) || !std::isfinite(last) || std::abs(first) > 1e12 || std::abs(last) > 1e12)
            return;
        const double from = segment.start - 0.5, to = segment.start + segment.width - 0.5;
        into.append(QCPGraphData(from, first));
        into.append(QCPGraphData(to, last));
        into.append(QCPGraphData(to, kMissing)); // no line from one point to the next
    };
    for (const Segment &segment : m_segments) {
        line(medians, segment, segment.median, segment.median);
        line(floors, segment, segment.floor - segment.floorRise / 2, segment.floor + segment.floorRise / 2);
        line(floorsMeasured, segment, segment.floorMeasured, segment.floorMeasured);
        line(forecasts, segment, segment.forecast, segment.forecast);
        if (m_asks || !std::isfinite(segment.forecast))
            line(whatIfs, segment, segment.whatIfFirst, segment.whatIfLast);
    }
    m_medians->data()->set(medians, true);
    m_floors->data()->set(floors, true);
    m_floorsMeasured->data()->set(floorsMeasured, true);
    m_forecasts->data()->set(forecasts, true);
    m_whatIfs->data()->set(whatIfs, true);
}

void LatencyChart::styleDots()
{
    const ChartTheme &look = theme();
    std::size_t count = 0;
    for (const Segment &segment : m_segments)
        count += segment.count;
    m_dense = count > DenseFrom;
    const double size = m_dense ? 3 : count > 600 ? 4 : 5;
    for (Dots *dots : {&m_dots, &m_liveDots}) {
        QColor usual = look.measured;
        usual.setAlpha(m_dense ? 255 : 190); // translucent dots cost too much by the thousand
        dots->usual->setPen(QPen(usual));
        dots->outliers->setPen(QPen(look.warning));
        dots->unclocked->setPen(QPen(look.linear));
        for (std::size_t i = 0; i < Bins; ++i)
            dots->bins[i]->setPen(QPen(look.scale[i]));
        std::vector<QCPGraph *> discs{dots->usual, dots->outliers, dots->unclocked};
        discs.insert(discs.end(), dots->bins.begin(), dots->bins.end());
        // Coloured by clock, an outlier keeps the clock's colour; the list of them still marks what stands above.
        dots->outliers->setVisible(!byClock());
        // Coloured by throttling, throttled steps are filled; else the mark around them is all.
        const bool filled = model()->view().colour == ViewOptions::Colour::Throttle;
        dots->throttled->setPen(QPen(look.throttled));
        dots->throttled->setAntialiasedScatters(true);
        dots->throttled->setScatterStyle(QCPScatterStyle(
            filled ? QCPScatterStyle::ssDiamond : QCPScatterStyle::ssTriangleInverted, QPen(look.throttled, 1.4),
            filled ? QBrush(look.throttled) : QBrush(Qt::NoBrush), size + 4));
        dots->wall->setPen(QPen(look.hostGap));
        dots->wall->setAntialiasedScatters(!m_dense);
        dots->wall->setScatterStyle(
            QCPScatterStyle(m_dense ? QCPScatterStyle::ssSquare : QCPScatterStyle::ssCircle, QPen(look.hostGap, 1),
                            m_dense ? QBrush(look.hostGap) : QBrush(Qt::NoBrush), m_dense ? 2 : size));
        for (QCPGraph *graph : discs) {
            const QColor color = graph->pen().color();
            graph->setAntialiasedScatters(!m_dense);
            graph->setScatterStyle(
                m_dense ? QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(Qt::NoPen), QBrush(color), size)
                        : QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Qt::NoPen), QBrush(color), size));
        }
    }
    m_medians->setPen(penOf(look.text, look.lineWidth));
    m_floors->setPen(floorPen(look, false));
    m_floorsMeasured->setPen(floorPen(look, true));
    m_forecasts->setPen(forecastPen(look, PredictionBasis::Timings));
    const PredictionBasis basis = basisOf(model()->whatIf());
    m_whatIfs->setPen(forecastPen(look, m_measured ? PredictionBasis::WhatIf : basis));
}

void LatencyChart::rebuild(unsigned changes)
{
    // The colour of a clock follows from all clocks that are shown: a new least or greatest one recolours the rest.
    ClockScale scale = m_scale;
    if (changes & (SessionChange | LiveChange | ViewChange))
        scale = scaleOfSteps();
    const bool recoloured = changes & ViewChange || !(scale == m_scale);
    m_scale = scale;
    const bool document = changes & (SessionChange | LiveChange) || recoloured;
    if (changes & SessionChange || recoloured || m_held != model()->session() || !m_measured)
        rebuildDocument();
    if (document || !m_measured)
        rebuildLive();
    m_measured = std::any_of(m_segments.begin(), m_segments.end(),
                             [](const Segment &segment) { return segment.live || segment.steps; });
    rebuildPrediction();
    rebuildLines();
    styleDots();

    const ChartTheme &look = theme();
    bool outliers = false, forecast = false, floor = false, floorMeasured = false, gaps = false;
    m_throttledSteps = 0;
    double medians = 0, most = 0, lines = 0, whatIf = 0;
    const auto raise = [](double &to, double value) {
        if (std::isfinite(value) && value > to)
            to = value;
    };
    for (const Segment &segment : m_segments) {
        raise(medians, segment.median);
        raise(most, segment.most);
        raise(lines, segment.floor);
        raise(lines, segment.floorMeasured);
        raise(lines, segment.forecast);
        if (m_asks || !std::isfinite(segment.forecast)) {
            raise(whatIf, segment.whatIfFirst);
            raise(whatIf, segment.whatIfLast);
        }
        outliers |= segment.outliers > 0;
        m_throttledSteps += segment.throttled;
        if (model()->view().wallTime && std::isfinite(segment.wall)) {
            gaps = true;
            raise(medians, segment.wall);
            raise(most, segment.wall);
        }
        forecast |= std::isfinite(segment.forecast);
        floor |= std::isfinite(segment.floor);
        floorMeasured |= std::isfinite(segment.floorMeasured);
    }
    m_top = std::max(std::min(most, medians * ClipFactor), std::min(lines, medians > 0 ? medians * ClipFactor : lines));
    // A slider may ask for a far slower model; it must not press the measured steps flat.
    m_top = std::max(m_top, m_measured && m_top > 0 ? std::min(whatIf, m_top * 1.6) : whatIf);
    if (!(m_top > 0) || !std::isfinite(m_top))
        m_top = 1e-3;

    const TimeUnit unit = timeUnitFor(m_top);
    qSharedPointerCast<LinearTicker>(plot()->yAxis->ticker())->setUnit(unit.factor);
    plot()->yAxis->setLabel(tr("Step time (%1)").arg(QLatin1String(unit.name)));
    plot()->xAxis->setLabel(m_measured ? tr("Step of the run") : tr("Step"));

    const Prediction prediction(*model());
    std::vector<LegendEntry> legend;
    const bool clocked = byClock();
    if (m_measured) {
        if (clocked && m_scale.known())
            m_scale.addLegend(look, legend);
        else
            legend.push_back({clocked ? tr("step, no clock read")
                              : gaps  ? tr("step, device time")
                                      : tr("step"),
                              clocked ? look.linear : look.measured, Mark::Disc});
        if (gaps)
            legend.push_back({tr("step, wall time"), look.hostGap, Mark::Circle});
        legend.push_back({tr("median"), look.text, Mark::None, Qt::SolidLine});
    }
    if (forecast)
        legend.push_back({tr("forecast of the run"), look.forecast, Mark::None, look.forecastLine});
    if (whatIf > 0)
        legend.push_back(forecastEntry(look, m_measured ? PredictionBasis::WhatIf : prediction.basis));
    if (floorMeasured)
        legend.push_back(floorEntry(look, true));
    if (floor)
        legend.push_back(floorEntry(look, false));
    if (m_measured && m_throttledSteps > 0)
        legend.push_back({tr("throttled"), look.throttled,
                          model()->view().colour == ViewOptions::Colour::Throttle ? Mark::FilledDiamond
                                                                                  : Mark::OpenTriangleDown});
    if (outliers && !clocked)
        legend.push_back({tr("over 1.5 x median"), look.warning, Mark::Disc});
    bool above = false;
    for (const QCPGraph *graph : {m_dots.outliers, m_liveDots.outliers}) {
        for (auto it = graph->data()->constBegin(); it != graph->data()->constEnd() && !above; ++it)
            above = it->value > m_top * kAbove;
    }
    if (above)
        legend.push_back({tr("longer than the axis"), look.warning, Mark::Triangle});
    setHeader(shownCaption(*model(), prediction, m_measured), std::move(legend));
}

void LatencyChart::fitRanges()
{
    double end = 40;
    if (!m_segments.empty())
        end = m_segments.back().start + m_segments.back().width - 0.5;
    const double margin = std::max(0.5, end * 0.01);
    plot()->xAxis->setRange(0.5 - margin, end + margin);
    plot()->yAxis->setRange(0, m_top * kAbove);
}

void LatencyChart::paintMarks(QCPPainter &painter)
{
    const ChartTheme &look = theme();
    const QCPAxis *xAxis = plot()->xAxis, *yAxis = plot()->yAxis;
    const QRectF area(plot()->axisRect()->rect());
    LabelPlacer labels(area.adjusted(1, 1, -1, -1), look.font, look);

    painter.setAntialiasing(false);
    for (const Segment &segment : m_segments) {
        const double left = xAxis->coordToPixel(segment.start - 0.5),
                     right = xAxis->coordToPixel(segment.start + segment.width - 0.5);
        if (right < area.left() || left > area.right())
            continue;
        if (segment.start > 1) {
            painter.setPen(QPen(look.axis, 1, Qt::DotLine));
            painter.drawLine(QPointF(left, area.top()), QPointF(left, area.bottom()));
        }
        if (model()->selection() && segment.key == model()->selection()) {
            painter.setPen(QPen(look.selection, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(
                QRectF(left, area.top(), right - left, area.height()).intersected(area).adjusted(1, 1, -1, -1));
        }
    }

    // Steps above the picture stand at its upper edge: none is hidden.
    painter.setAntialiasing(true);
    const double top = yAxis->range().upper;
    double before = -100;
    for (const QCPGraph *graph : {m_dots.outliers, m_liveDots.outliers}) {
        for (auto it = graph->data()->constBegin(); it != graph->data()->constEnd(); ++it) {
            if (it->value <= top)
                continue;
            const double x = xAxis->coordToPixel(it->key);
            if (x < area.left() || x > area.right() || std::abs(x - before) < 2)
                continue;
            before = x;
            drawMark(painter, Mark::Triangle, QPointF(x, area.top() + 5), 7, look.warning, look.background);
            labels.avoid(QRectF(x - 4, area.top(), 8, 10));
        }
    }
    // All by one kind of name, the longest that fits everywhere; where none does, every second or third: a single name among
    // many would only puzzle.
    struct Named {
        const Segment *segment;
        double left, right;
    };
    std::vector<Named> seen;
    for (const Segment &segment : m_segments) {
        const double left = std::max(area.left(), xAxis->coordToPixel(segment.start - 0.5));
        const double right = std::min(area.right(), xAxis->coordToPixel(segment.start + segment.width - 0.5));
        if (right - left >= 8)
            seen.push_back({&segment, left, right});
    }
    const QString Segment::*kind = &Segment::name;
    std::size_t stride = 1;
    const auto fits = [&](const QString Segment::*name) {
        return std::all_of(seen.begin(), seen.end(), [&](const Named &one) {
            return !(one.segment->*name).isEmpty() && labels.sizeOf(one.segment->*name).width() <= one.right - one.left + 6;
        });
    };
    if (fits(&Segment::longName)) {
        kind = &Segment::longName;
    } else if (!fits(&Segment::name)) {
        double widest = 0, narrowest = area.width();
        for (const Named &one : seen) {
            widest = std::max(widest, labels.sizeOf(one.segment->name).width());
            narrowest = std::min(narrowest, one.right - one.left);
        }
        stride = static_cast<std::size_t>(std::ceil((widest + 2) / std::max(1.0, narrowest)));
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const Named &one = seen[i];
        if (i % stride != 0 && !one.segment->live)
            continue;
        const QSizeF size = labels.sizeOf(one.segment->*kind);
        const double middle = (one.left + one.right - size.width()) / 2;
        labels.placeAt(painter, QRectF(QPointF(std::clamp(middle, area.left() + 2, std::max(area.left() + 2, area.right() - 2 - size.width())), area.top() + 3), size),
                       one.segment->*kind, one.segment->live ? look.text : look.mutedText);
    }
}

const std::vector<StepSample> *LatencyChart::stepsOf(const Segment &segment) const
{
    if (segment.steps)
        return segment.steps;
    const LivePoint *live = segment.live ? shownLive(*model()) : nullptr;
    return live && segment.key == PointKey{live->runId, live->index} ? &live->steps : nullptr;
}

QString LatencyChart::stepText(const Segment &segment, const StepSample &step) const
{
    QStringList lines;
    lines << tr("%1, step %2, context %3").arg(segment.longName).arg(step.step + 1).arg(step.context);
    lines << tr("%1, %2 x the median")
                 .arg(text(format::seconds(step.seconds())), text(format::ratio(step.seconds() / segment.median)));
    if (std::isfinite(step.deviceSeconds) && std::isfinite(step.wallSeconds)) {
        const double gap = step.wallSeconds - step.deviceSeconds;
        if (gap > 0.05 * step.deviceSeconds)
            lines << tr("host: %1 more by wall clock than on the device").arg(text(format::seconds(gap)));
    }
    if (std::isfinite(step.smClockHz)) {
        std::vector<double> clocks;
        if (const auto *steps = stepsOf(segment)) {
            for (std::size_t i = 0; i < steps->size() && i < 2000; ++i) {
                if (std::isfinite((*steps)[i].smClockHz))
                    clocks.push_back((*steps)[i].smClockHz);
            }
        }
        const double usual = median(clocks);
        lines << (std::isfinite(usual) && step.smClockHz < 0.97 * usual
                      ? tr("clock %1 MHz, usually %2 MHz")
                            .arg(step.smClockHz / 1e6, 0, 'f', 0)
                            .arg(usual / 1e6, 0, 'f', 0)
                      : tr("clock %1 MHz").arg(step.smClockHz / 1e6, 0, 'f', 0));
    }
    if (!step.throttle.empty())
        lines << tr("throttled: %1").arg(coreText(step.throttle));
    if (std::isfinite(step.temperatureC) && std::isfinite(step.powerWatts))
        lines << tr("%1 C, %2 W").arg(step.temperatureC, 0, 'f', 0).arg(step.powerWatts, 0, 'f', 0);
    if (step.seconds() > OutlierFactor * segment.median && step.throttle.empty() && !std::isfinite(step.smClockHz))
        lines << tr("an outlier; this device reports neither clock nor throttling");
    return lines.join(QLatin1Char('\n'));
}

std::optional<PointKey> LatencyChart::pointAt(const QPointF &pixel, QString *hover) const
{
    const QCPAxis *xAxis = plot()->xAxis, *yAxis = plot()->yAxis;
    if (hover)
        hover->clear();
    if (!plot()->axisRect()->rect().contains(pixel.toPoint()))
        return std::nullopt;
    const double at = xAxis->pixelToCoord(pixel.x());
    const double reach = std::abs(xAxis->pixelToCoord(pixel.x() + 8) - at);
    const Segment *found = nullptr;
    const StepSample *nearest = nullptr;
    double least = 100; // 10 pixels
    for (const Segment &segment : m_segments) {
        if (at < segment.start - 0.5 - reach || at > segment.start + segment.width - 0.5 + reach)
            continue;
        if (at >= segment.start - 0.5 && at < segment.start + segment.width - 0.5)
            found = &segment;
        const std::vector<StepSample> *steps = stepsOf(segment);
        if (!steps || steps->empty())
            continue;
        const double last = static_cast<double>(steps->size()) - 1;
        const auto from = static_cast<std::size_t>(std::clamp(at - reach - segment.start, 0.0, last));
        const auto to =
            std::min(static_cast<std::size_t>(std::clamp(at + reach - segment.start, 0.0, last)), from + HoverReach);
        for (std::size_t i = from; i <= to; ++i) {
            const double seconds = (*steps)[i].seconds();
            if (!std::isfinite(seconds))
                continue;
            const double y = std::max(yAxis->coordToPixel(seconds), plot()->axisRect()->top() + 5.0); // clipped ones
            const QPointF delta(xAxis->coordToPixel(segment.start + static_cast<double>(i)) - pixel.x(), y - pixel.y());
            const double distance = delta.x() * delta.x() + delta.y() * delta.y();
            if (distance < least) {
                least = distance;
                nearest = &(*steps)[i];
                found = &segment;
            }
        }
    }
    if (!found)
        return std::nullopt;
    if (nearest) {
        if (hover)
            *hover = stepText(*found, *nearest);
        return found->key;
    }
    // Beside a line: which one it is.
    const auto near = [&](double seconds) {
        return std::isfinite(seconds) && std::abs(yAxis->coordToPixel(seconds) - pixel.y()) < 6;
    };
    if (hover) {
        const double share = std::clamp((at - found->start) / std::max(1.0, found->width), 0.0, 1.0);
        const double whatIf = found->whatIfFirst + (found->whatIfLast - found->whatIfFirst) * share;
        if (near(found->median))
            *hover = tr("%1: median %2 of %n step(s)", nullptr, static_cast<int>(found->count))
                         .arg(found->longName, text(format::seconds(found->median)));
        else if (near(found->forecast))
            *hover = tr("%1: forecast of the run %2").arg(found->longName, text(format::seconds(found->forecast)));
        else if (near(whatIf))
            *hover = tr("%1: %2 %3").arg(found->longName, m_measured ? tr("what if") : Prediction(*model()).name(), text(format::seconds(whatIf)));
        else if (near(found->floor))
            *hover = tr("%1: floor, datasheet, %2").arg(found->longName, text(format::seconds(found->floor)));
        else if (near(found->floorMeasured))
            *hover = tr("%1: floor, measured ceilings, %2")
                         .arg(found->longName, text(format::seconds(found->floorMeasured)));
    }
    return near(found->median) ? found->key : std::nullopt;
}

void LatencyChart::setExporting(bool exporting)
{
    // Sampling is for a moving picture; it bands a dense scatter that is looked at for long.
    for (const Dots *dots : {&m_dots, &m_liveDots}) {
        for (QCPGraph *graph : dots->all())
            graph->setAdaptiveSampling(!exporting);
    }
}

TextTable LatencyChart::table() const
{
    TextTable table;
    table.header = {tr("batch").toStdString(),    tr("prompt").toStdString(), tr("steps").toStdString(),
                    tr("median").toStdString(),   tr("least").toStdString(),  tr("most").toStdString(),
                    tr("outliers").toStdString(), tr("floor").toStdString(),  tr("forecast").toStdString(),
                    tr("what if").toStdString(),  tr("state").toStdString(),  tr("host gap").toStdString(),
                    tr("throttled").toStdString(), tr("floor, measured ceilings").toStdString()};
    const auto time = [](double seconds) { return std::isnan(seconds) ? std::string() : format::seconds(seconds); };
    for (const Segment &segment : m_segments) {
        const bool measured = segment.live || segment.steps;
        table.rows.push_back(
            {QString::number(segment.batch).toStdString(),
             std::isnan(segment.prompt) ? std::string() : QString::number(segment.prompt).toStdString(),
             measured ? std::to_string(segment.count) : std::string(), time(segment.median), time(segment.least),
             time(segment.most), measured ? std::to_string(segment.outliers) : std::string(), time(segment.floor),
             time(segment.forecast), time((segment.whatIfFirst + segment.whatIfLast) / 2),
             (segment.live ? tr("measuring")
              : measured   ? tr("measured")
                           : tr("prediction only"))
                 .toStdString(),
             time(segment.hostGap), measured ? std::to_string(segment.throttled) : std::string(),
             time(segment.floorMeasured)});
    }
    return table;
}

} // namespace

ChartView *makeLatencyChart(WorkbenchModel *model, QWidget *parent)
{
    return new LatencyChart(model, parent);
}

} // namespace ridgepoint
