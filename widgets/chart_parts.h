// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/capacity_frontier.h"
#include "core/analytic/forecast.h"
#include "widgets/chart_theme.h"
#include "widgets/chart_view.h"
#include "widgets/core_text.h"
#include "widgets/workbench_model.h"

#include <QCoreApplication>
#include <qcustomplot.h>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

/// What the four charts share: marks, legend strip, axis tickers, labels that do not collide, and points to hover over.
/// Private to the charts; includes QCustomPlot.
namespace ridgepoint {

/// Translation context of the charts.
class Charts {
    Q_DECLARE_TR_FUNCTIONS(ridgepoint::Charts)
};

/// Smallest and largest value that a log axis shows; a value outside (0, NaN, infinities too) is not drawn.
inline constexpr double kLogFloor = 1e-15;
inline constexpr double kLogCeiling = 1e27;
bool drawableOnLog(double value);

enum class Mark {
    None,
    Disc,
    LiveDisc,
    Circle,
    Diamond,
    BoldDiamond,
    FilledDiamond,
    Triangle,
    OpenTriangle,
    TriangleDown,
    Pentagon,
    OpenPentagon,
    OpenTriangleDown, ///< hollow: it may stand around another mark
    BoldCircle, ///< hollow, filled with the background: a point of its own
    Square,
    OpenSquare,
    Cross,
    Bar,
    Ring,
    Plus ///< a part of a step
};

/// `size`: diameter in pixels. Open marks are filled with `background`, so that lines do not cross them.
void drawMark(QPainter &painter, Mark mark, const QPointF &centre, double size, const QColor &color,
              const QColor &background);

/// One entry of the strip above a chart: a key and its text.
struct LegendEntry {
    QString text;
    QColor color;
    Mark mark = Mark::None;
    Qt::PenStyle line = Qt::NoPen;
    double width = 1.6;
    std::vector<QColor> shades = {}; ///< further marks of the same kind beside the first: one name for a row of shades
    QString brief = {}; ///< a shorter name for a small chart; empty: the same
};

/// Title, caption and legend above the axis rectangle, where they can cover no point. The legend wraps into rows, and takes the
/// brief names where the whole ones fill more than a quarter of the height. What then finds no room in two fifths of it stands
/// behind a button "+3" that opens the whole legend: no mark is without its key. Rows give way, down to one, to what the chart
/// below needs.
class HeaderElement : public QCPLayoutElement {
public:
    explicit HeaderElement(QCustomPlot *plot);
    void setContent(const QString &title, const QString &caption, std::vector<LegendEntry> legend);
    void setTheme(const ChartTheme &theme);
    /// Height of the axis rectangle, with its ticks and its title, that rows of the legend must leave. In pixels.
    void setLeastBelow(double height) { m_leastBelow = height; }
    QSize minimumOuterSizeHint() const override;
    QSize maximumOuterSizeHint() const override;
    QStringList shownNames() const; ///< of the entries that have room at the plot's present size
    QStringList allNames() const;   ///< the whole ones
    /// The button that opens the legend, at the plot's present size; empty: every entry has room.
    QRectF moreButton() const;
    QString legendHtml() const; ///< every entry with its key, a line each

protected:
    void draw(QCPPainter *painter) override;

private:
    struct Placed {
        std::size_t entry;
        QPointF at; ///< left end of the key, middle of the line
    };
    struct Flow {
        std::vector<Placed> placed;
        bool captionOnOwnLine = false;
        bool brief = false;
        double height = 0;
        QRectF more; ///< the button
        std::size_t hidden = 0;
    };
    Flow flow(double width, double chartHeight) const;
    double keyWidth(const LegendEntry &entry) const;
    const QString &nameOf(const LegendEntry &entry, bool brief) const { return brief && !entry.brief.isEmpty() ? entry.brief : entry.text; }

    ChartTheme m_theme;
    QString m_title, m_caption;
    std::vector<LegendEntry> m_legend;
    std::vector<double> m_widths; ///< of the entries' texts
    double m_titleWidth = 0, m_captionWidth = 0;
    double m_leastBelow = 0;
};

/// Width of a text in a font, in pixels; remembered, for the labels of one frame are those of the last but for a few.
double textWidth(const QFont &font, const QString &text);

/// Marks of which thousands may stand over one another: while a moving picture is drawn (adaptive sampling) one a cell of a few
/// pixels is enough and looks the same, and each stands at whole pixels.
class ThinnedGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawScatterPlot(QCPPainter *painter, const QVector<QPointF> &scatters, const QCPScatterStyle &style) const override;
};

/// A layer of own drawing above the graphs.
class PaintedLayer : public QCPLayerable {
public:
    PaintedLayer(QCustomPlot *plot, const QString &layer, std::function<void(QCPPainter &)> paint);

protected:
    QRect clipRect() const override;
    void applyDefaultAntialiasingHint(QCPPainter *painter) const override;
    void draw(QCPPainter *painter) override;

private:
    std::function<void(QCPPainter &)> m_paint;
};

/// Ticks of a log axis: 1-2-5 or decades (base 10), powers of two (base 2), as many as the axis has room for; nice
/// linear ticks once zoomed in to less than what they need.
class LogTicker : public QCPAxisTicker {
public:
    LogTicker(const QCPAxis *axis, int base, std::function<QString(double)> label);
    void generate(const QCPRange &range, const QLocale &locale, QChar formatChar, int precision, QVector<double> &ticks,
                  QVector<double> *subTicks, QVector<QString> *tickLabels) override;

private:
    const QCPAxis *m_axis;
    int m_base;
    std::function<QString(double)> m_label;
};

/// Ticks of a linear axis whose labels are in units of `unit`.
class LinearTicker : public QCPAxisTicker {
public:
    explicit LinearTicker(const QCPAxis *axis) : m_axis(axis) {}
    void setUnit(double unit) { m_unit = unit; }

protected:
    double getTickStep(const QCPRange &range) override;
    QString getTickLabel(double tick, const QLocale &locale, QChar formatChar, int precision) override;

private:
    const QCPAxis *m_axis;
    double m_unit = 1;
};

/// Seconds as people read them: factor and name of the unit that suits a largest value.
struct TimeUnit {
    double factor; ///< s
    const char *name;
};
TimeUnit timeUnitFor(double largestSeconds);
/// 2e13 -> "20 T", for ticks under a label that has the unit.
QString siPrefixed(double value);

/// Smallest and largest of the values that an axis can show.
struct LogExtent {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    void add(double value);
    bool empty() const { return !(high > 0); }
    /// Widened to 1, 2 or 5 times a power of ten (base 2: powers of two), so that a moved slider does not shake the
    /// axes.
    QCPRange range(double defaultLow, double defaultHigh, int base = 10) const;
};

/// A point that can be hovered over, selected and labelled.
struct Target {
    double x = 0, y = 0; ///< coordinates of the axes
    Mark mark = Mark::Disc;
    QColor color;
    double size = 7;
    QString label;    ///< empty: none
    int priority = 0; ///< greater ones place their labels first
    std::optional<PointKey> key;
    std::function<QString()> text; ///< figures, made only when hovered
    bool atBottom = false;         ///< y is ignored: the mark stands at the lower edge of the chart
};

/// Places labels beside their anchors so that none covers a mark, a line to keep clear of or another label; one that
/// finds no place is left out.
class LabelPlacer {
public:
    LabelPlacer(const QRectF &bounds, const QFont &font, const ChartTheme &theme);
    void avoid(const QRectF &rect) { m_taken.push_back(rect); }
    void avoid(const QPointF &from, const QPointF &to) { m_lines.push_back({from, to}); }
    /// Tries the sides in order: right, left, above, below, then the corners. True when it was drawn.
    bool place(QPainter &painter, const QPointF &anchor, double clearance, const QString &text, const QColor &color);
    /// At exactly this rectangle's place, if free.
    bool placeAt(QPainter &painter, const QRectF &rect, const QString &text, const QColor &color);
    QSizeF sizeOf(const QString &text) const;
    bool isFree(const QRectF &rect) const { return free(rect); }
    /// Labels that find no place beside their anchor stand further off, with a thin line to it.
    void setLeaders(bool on) { m_leaders = on; }

private:
    bool m_leaders = false;
    bool free(const QRectF &rect) const;
    void drawText(QPainter &painter, const QRectF &rect, const QString &text, const QColor &color);

    QRectF m_bounds;
    QFont m_font;
    QFontMetricsF m_metrics;
    const ChartTheme &m_theme;
    std::vector<QRectF> m_taken;
    std::vector<QLineF> m_lines;
};

QPointF pixelOf(const QCPAxisRect &rect, const Target &target);
/// Nearest target within `reach` pixels; null: none.
const Target *nearestTarget(const QCPAxisRect &rect, const std::vector<Target> &targets, const QPointF &pixel,
                            double reach = 10);
/// Marks, the ring around the selected one, then labels.
void drawTargets(QCPPainter &painter, const QCPAxisRect &rect, const std::vector<Target> &targets,
                 const ChartTheme &theme, const std::optional<PointKey> &selection, LabelPlacer &labels);

/// Colour of the i-th measured series: shades of one hue, for the hue says "measured".
QColor measuredShade(const ChartTheme &theme, int index);
QPen penOf(const QColor &color, double width, Qt::PenStyle style = Qt::SolidLine);
QString text(const std::string &utf8);
/// A name of a file's own on a chart: cut where it is longer than any that fits, for it is measured at each layout.
QString nameText(const std::string &utf8);

/// One measured decode point of a run, from a sweep or (batch / TPOT) from a TTFT record.
struct MeasuredPoint {
    std::optional<PointKey> key; ///< absent for a TTFT record
    std::int64_t batch = 0;
    std::int64_t prompt = 0;
    double context = kMissing;
    double seconds = kMissing; ///< a step's median
    double peakBytes = kMissing;
    double prefillSeconds = kMissing;
    bool prefillRepeated = false; ///< a median of repeats (TTFT), not one sample
    double hostGapSeconds = kMissing; ///< median of wall - device
    double smClockHz = kMissing;      ///< median of the steps that have one
    std::size_t throttledSteps = 0;
    PointStatus status = PointStatus::Ok;
    std::string reason;
    bool live = false;
    const PointForecast *forecast = nullptr; ///< of the document or the live point: do not keep beyond a rebuild
};
/// The points of the model's current run, the one in flight last.
std::vector<MeasuredPoint> measuredPoints(const WorkbenchModel &model);
/// The points of one run of the model's document, none in flight among them.
std::vector<MeasuredPoint> pointsOfRun(const WorkbenchModel &model, const RunRecord &run);
/// Beside the current run the newest sweep of each other mode of the same model, number format and device: how a step
/// is issued is then the only difference.
std::vector<const RunRecord *> runsOfOtherModes(const WorkbenchModel &model);
/// "eager", "graph"
QString modeText(DecodeMode mode);
/// The point in flight when it belongs to what the charts show, else null.
const LivePoint *shownLive(const WorkbenchModel &model);
/// Distinct prompts in order of appearance.
std::vector<std::int64_t> promptsOf(const std::vector<MeasuredPoint> &points);
bool anyMeasured(const std::vector<MeasuredPoint> &points);

/// The what-if values ready for prediction; `problem` holds the sentence when they do not allow one.
struct Prediction {
    std::optional<Workload> workload;
    Ceilings ceilings;
    PredictionBasis basis = PredictionBasis::Datasheet;
    std::optional<Ceilings> measured; ///< without the overhead, where there is a calibration
    QString problem;

    explicit Prediction(const WorkbenchModel &model);
    std::optional<StepPrediction> step(double batch, double context) const;
    std::optional<StepPrediction> step(const Ceilings &other, double batch, double context) const;
    QString name() const; ///< "forecast", or "what if" where a ceiling was moved by hand

private:
    std::optional<TimedSteps> m_timed;
};

/// The three lines over one variable: forecast (or what-if), floor at the datasheet's and at the measured ceilings.
struct PredictedLine {
    std::vector<double> at; ///< batch
    std::vector<std::optional<StepPrediction>> forecast, floorNominal, floorMeasured;
};
/// Over the batch from 1 to `last` (the capacity, where it lies between, is one of them), at the slider's context.
PredictedLine lineOverBatch(const Prediction &prediction, const WhatIf &whatIf, double last, std::optional<double> capacity);
/// Forecast steps of the predicted batches.
std::vector<StepPrediction> stepsOfBatches(const Prediction &prediction, const WhatIf &whatIf);
/// Floor and forecast at the beginning and the end of a point's steps.
struct PredictedSteps {
    double floorNominal = kMissing, floorMeasured = kMissing, floorRise = 0; ///< s, in the middle; s over the width
    double first = kMissing, last = kMissing;                              ///< s, forecast
};
PredictedSteps predictedSteps(const Prediction &prediction, const WhatIf &whatIf, double batch, double context, double width);
/// The memory that the frontier is drawn against: what the run that is shown could use, else the what-if values' memory.
FrontierMemory frontierMemory(const WorkbenchModel &model);
/// Contexts at which a frontier is drawn up to `last` tokens.
std::vector<double> frontierContexts(double last);
/// Everything that a moved slider has the charts work out, without drawing it; returns how many steps were predicted.
std::size_t recomputeCurves(const WorkbenchModel &model);

/// Pens and legend entries of the three lines, the same on every chart.
QPen forecastPen(const ChartTheme &theme, PredictionBasis basis);
QPen floorPen(const ChartTheme &theme, bool measuredCeilings);
/// "forecast (timed steps)", "forecast (floor + step overhead)", ...
QString forecastLegend(PredictionBasis basis);
LegendEntry forecastEntry(const ChartTheme &theme, PredictionBasis basis, Mark mark = Mark::None);
LegendEntry floorEntry(const ChartTheme &theme, bool measuredCeilings);
/// "q, k, v", "attention", ...
QString partText(StepPart part);
/// Rows and labels name the parts; colours only tell neighbours apart.
QColor partColor(const ChartTheme &theme, StepPart part);

/// Which colour of ChartTheme::scale a clock has, between the least and the greatest one that a chart shows.
class ClockScale {
public:
    void add(double hz);
    bool known() const { return m_least == m_least; }
    std::size_t bins() const; ///< one where all clocks are within 1 %, else as many as the scale has; 0: no clock
    std::size_t binOf(double hz) const;
    QColor colorOf(const ChartTheme &theme, double hz) const; ///< grey for a clock that was not read
    /// One legend entry a bin, the lowest first.
    void addLegend(const ChartTheme &theme, std::vector<LegendEntry> &legend) const;
    bool operator==(const ClockScale &other) const
    {
        return known() == other.known() && (!known() || (m_least == other.m_least && m_greatest == other.m_greatest));
    }

private:
    double m_least = kMissing, m_greatest = kMissing;
};

/// Batches of the predicted points: those of the list and the slider's own, sorted, each once.
std::vector<double> predictedBatches(const WhatIf &whatIf);
/// "prediction only, nothing measured yet", or the sentence of a prediction that cannot be made.
QString emptyCaption(const Prediction &prediction);
/// What was measured on what, or else emptyCaption().
QString shownCaption(const WorkbenchModel &model, const Prediction &prediction, bool anyMeasured);

/// Hover text of a predicted and of a measured step.
QString predictedText(const QString &what, const StepPrediction &step);
QString measuredText(const MeasuredPoint &point);
QString statusText(PointStatus status);

} // namespace ridgepoint
