// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/tables.h"
#include "widgets/chart_theme.h"
#include "widgets/workbench_model.h"

#include <QPointer>
#include <QSize>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QCPPainter;
class QCustomPlot;

namespace ridgepoint {

struct LegendEntry; // widgets/chart_parts.h

/// Base of the charts: one QCustomPlot, the theme, hover, selection, zoom and pan (wheel, drag, keys: arrows pan,
/// +/- zoom, Home resets), a context menu of the actions that were added to it (the Menu key opens it too), export, an
/// accessible name and a table twin. GUI thread only. Repaints are queued and coalesced to at most 30 a second.
class ChartView : public QWidget
{
    Q_OBJECT

public:
    ChartView(WorkbenchModel *model, const QString &id, QWidget *parent = nullptr);
    ~ChartView() override;

    const QString &id() const { return m_id; } ///< file name stem: "roofline", "throughput", "latency", "time-account",
                                              ///< "frontier", "anatomy", "line"
    virtual QString title() const = 0;
    virtual TextTable table() const = 0; ///< what the chart shows, as rows: for screen readers, copying and tests
    void setTheme(const ChartTheme &theme);
    const ChartTheme &theme() const { return m_theme; }
    QCustomPlot *plot() const { return m_plot; }

    /// What the axes span. `byHand` false: as the data want it, and the figures do not count.
    struct Ranges {
        bool byHand = false;
        double left = 0, right = 0, bottom = 0, top = 0;
        bool operator==(const Ranges &) const = default;
    };
    /// The names in the legend: those with room at the present size, and all of them.
    QStringList shownLegend() const;
    QStringList wholeLegend() const;
    /// Every text that the chart draws outside of its axes: title, caption, legend, axis titles.
    QStringList drawnTexts() const;
    void openLegend(); ///< as a list beside the chart; also the key L

    Ranges ranges() const;
    void setRanges(const Ranges &ranges); ///< without rangesMoved(); a chart that waits for a rebuild fits its data then

    /// Writes the chart at `size` logical pixels times `scale` (PNG), or as SVG or PDF of that size. The format follows the
    /// suffix. Returns "" or a sentence that names the file and what to do. The view on screen is unchanged afterwards.
    QString exportTo(const QString &path, const QSize &size, double scale) const;
    QImage toImage(const QSize &size, double scale) const;

signals:
    void hovered(const QString &text);         ///< figures of the point under the mouse; "" when none
    void activated();                          ///< double click: fill the centre
    void rangesMoved();                        ///< the user zoomed, panned or reset the axes

public slots:
    void refresh();   ///< queue a rebuild from the model
    void flush();     ///< carry out a queued rebuild now
    void resetView(); ///< ranges as the data want them

protected:
    /// What changed since the last rebuild, so that a dense chart need not copy its data for a moved slider.
    enum Change : unsigned {
        SessionChange = 1,
        LiveChange = 2,
        SelectionChange = 4,
        WhatIfChange = 8,
        ThemeChange = 16,
        ViewChange = 32,
        AllChanges = 63
    };

    /// Rebuilds the plot's contents from the model. Called on the GUI thread, coalesced. `changes`: see Change.
    virtual void rebuild(unsigned changes) = 0;
    /// Sets the ranges that show all of the data. Called after a rebuild unless the user has zoomed or panned.
    virtual void fitRanges() = 0;
    /// Draws marks and labels above the graphs, clipped to the axis rectangle.
    virtual void paintMarks(QCPPainter &painter) = 0;
    /// The ranges for a picture of that size, where the user has not moved them.
    void fitFor(const QSize &size);
    /// Around an export: a dense scatter turns its sampling off, which bands it on paper.
    virtual void setExporting(bool exporting);
    void setHeader(const QString &caption, std::vector<LegendEntry> legend);
    /// Lines of text that must have room beside one another between the axes: where a chart is low, rows of the legend give way.
    void setLeastLines(int lines);
    /// Index of the document's point under a pixel; and the text to show there.
    virtual std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const = 0;

    WorkbenchModel *model() const { return m_model; }

    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
    QPointer<WorkbenchModel> m_model;
    QString m_id;
    ChartTheme m_theme;
    QCustomPlot *m_plot = nullptr;
};

/// The charts of one model (spec section 5). With nothing run each of these four already shows the prediction of the what-if values.
ChartView *makeRooflineChart(WorkbenchModel *model, QWidget *parent = nullptr);
ChartView *makeThroughputChart(WorkbenchModel *model, QWidget *parent = nullptr);
ChartView *makeLatencyChart(WorkbenchModel *model, QWidget *parent = nullptr);
ChartView *makeTimeAccountChart(WorkbenchModel *model, QWidget *parent = nullptr);
/// Context against batch: what fits into the memory, and the points that tried.
ChartView *makeFrontierChart(WorkbenchModel *model, QWidget *parent = nullptr);
/// The kernels of a traced decode step on a time axis; without an anatomy in the document it says how to get one.
ChartView *makeAnatomyChart(WorkbenchModel *model, QWidget *parent = nullptr);
/// TPOT against weight bytes: the line that is looked at, else the newest of the document.
ChartView *makeLineChart(WorkbenchModel *model, QWidget *parent = nullptr);

/// Renders every chart of `session` into `folder` as <id>.png (for the report verb and the report folder; needs a
/// QGuiApplication with widgets, the offscreen platform will do). Returns pairs of file name and caption; a chart with
/// nothing measured to show is left out. Throws Error (Failure) when a file cannot be written.
std::vector<std::pair<QString, QString>> renderSessionCharts(const Session &session, const QString &folder,
                                                             const QSize &size, double scale, const ChartTheme &theme);
/// The what-if values that lay a run's own plan beneath its charts.
WhatIf whatIfOfRun(const RunRecord &run);

} // namespace ridgepoint
