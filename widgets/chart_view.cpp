// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_view.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/session/replay.h"
#include "widgets/chart_parts.h"

#include <QBuffer>
#include <QElapsedTimer>
#include <QEvent>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgepoint {

namespace {

constexpr int FrameMs = 33;       // at most 30 repaints a second
constexpr int DescribeMs = 400;   // the accessible description may lag behind a moving slider
constexpr int ClickTravel = 4;    // pixels; more is a drag
constexpr double Dpi = 96;        // logical pixels per inch of SVG and PDF
constexpr double MaxPixels = 2e8; // of one picture: 800 MB, beyond which painting fails or swaps
constexpr int DescribedRows = 12;

/// Keeps an axis inside what QCustomPlot and doubles can draw, whatever the wheel does.
QCPRange boundedRange(const QCPAxis &axis, QCPRange range)
{
    range.normalize();
    if (axis.scaleType() == QCPAxis::stLogarithmic) {
        double lower = std::isfinite(range.lower) ? std::clamp(range.lower, kLogFloor, kLogCeiling) : kLogFloor;
        double upper = std::isfinite(range.upper) ? std::clamp(range.upper, kLogFloor, kLogCeiling) : kLogCeiling;
        if (upper < lower * 1.0001) {
            lower = std::clamp(lower, kLogFloor, kLogCeiling / 2);
            upper = lower * 1.0001;
        }
        return QCPRange(lower, upper);
    }
    constexpr double bound = 1e15;
    double lower = std::isfinite(range.lower) ? std::clamp(range.lower, -bound, bound) : 0;
    double upper = std::isfinite(range.upper) ? std::clamp(range.upper, -bound, bound) : 1;
    const double least = std::max(1e-12, std::max(std::abs(lower), std::abs(upper)) * 1e-9);
    if (upper - lower < least)
        upper = lower + least;
    return QCPRange(lower, upper);
}

} // namespace

struct ChartView::Private {
    /// An axis title as the chart gave it and as there is room for.
    struct AxisTitle {
        QString whole, shown;
    };
    AxisTitle titles[2];
    QTimer frame, describe;
    QElapsedTimer sinceFrame;
    unsigned changes = AllChanges;
    bool userRange = false; ///< the user has zoomed or panned: data no longer move the axes
    bool fitting = false;
    QSize fitSize;          ///< of the picture that the ranges were fitted for
    bool fitted = false; ///< ranges set before the first fit are the axes' own
    bool bounding = false;
    HeaderElement *header = nullptr;
    QString caption;
    QPoint pressed;
    bool pressing = false;
    bool dragged = false;
    QString hover;
};

ChartView::ChartView(WorkbenchModel *model, const QString &id, QWidget *parent)
    : QWidget(parent), d(std::make_unique<Private>()), m_model(model), m_id(id),
      m_theme(ChartTheme::forPalette(palette())), m_plot(new QCustomPlot(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2); // the frame of the keyboard focus
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setMinimumSize(160, 120);
    setObjectName(QStringLiteral("chart-") + id);

    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->setAutoAddPlottableToLegend(false); // the header names them; a legend, hidden or not, is measured at each replot
    m_plot->setPlottingHint(QCP::phFastPolylines, true);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical); // unused: spare its own buffer
    m_plot->addLayer(QStringLiteral("marks"), m_plot->layer(QStringLiteral("axes")), QCustomPlot::limAbove);
    QCPAxisRect *rect = m_plot->axisRect();
    rect->setupFullAxesBox(false);
    for (QCPAxis *axis : {m_plot->xAxis2, m_plot->yAxis2}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    rect->setRangeZoomFactor(0.8);
    rect->setMinimumMargins(QMargins(8, 4, 14, 6));
    d->header = new HeaderElement(m_plot);
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, d->header);
    m_plot->plotLayout()->setRowSpacing(0);
    new PaintedLayer(m_plot, QStringLiteral("marks"), [this](QCPPainter &painter) {
        if (m_model)
            paintMarks(painter);
    });

    // Some ranges leave room for figures, which is a share of the picture that changes with its size.
    connect(m_plot, &QCustomPlot::beforeReplot, this, [this] {
        const QSize size = m_plot->viewport().size();
        if (d->userRange || !d->fitted || size == d->fitSize)
            return;
        d->fitSize = size;
        d->fitting = true;
        fitRanges();
        d->fitting = false;
    });
    // Where a chart is small a title would run into the header above it.
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
        for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
            Private::AxisTitle &title = d->titles[axis == m_plot->yAxis];
            if (axis->label() != title.shown)
                title.whole = axis->label();
            const QCPAxisRect *inner = m_plot->axisRect();
            // A chart that was never laid out has no size yet; without a title its margin would be made too small.
            const int room = std::max(40, axis == m_plot->yAxis ? inner->height() : inner->width());
            // The unit alone says more than a cut name; the chart's title tells the rest.
            const QFontMetricsF metrics(axis->labelFont());
            const qsizetype open = std::max(title.whole.lastIndexOf(QLatin1Char('(')), title.whole.lastIndexOf(QChar(0xff08)));
            const bool fits = metrics.horizontalAdvance(title.whole) <= room;
            title.shown = metrics.elidedText(!fits && open > 0 ? title.whole.mid(open + 1).chopped(1) : title.whole, Qt::ElideRight, room);
            if (axis->label() != title.shown)
                axis->setLabel(title.shown);
        }
    });
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis}) {
        connect(axis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, [this, axis](const QCPRange &range) {
            if (d->bounding)
                return;
            if (!d->fitting && d->fitted)
                d->userRange = true;
            const QCPRange bounded = boundedRange(*axis, range);
            if (bounded != range) {
                d->bounding = true;
                axis->setRange(bounded);
                d->bounding = false;
            }
            if (!d->fitting && d->fitted)
                emit rangesMoved();
        });
    }

    d->frame.setSingleShot(true);
    d->frame.setTimerType(Qt::PreciseTimer);
    connect(&d->frame, &QTimer::timeout, this, [this] {
        if (isVisible())
            flush();
    });
    d->describe.setSingleShot(true);
    connect(&d->describe, &QTimer::timeout, this, [this] {
        const TextTable rows = table();
        QStringList lines;
        for (std::size_t r = 0; r < rows.rows.size() && r < DescribedRows; ++r) {
            QStringList cells;
            for (std::size_t c = 0; c < rows.rows[r].size() && c < rows.header.size(); ++c) {
                if (!rows.rows[r][c].empty())
                    cells << text(rows.header[c]) + QLatin1Char(' ') + text(rows.rows[r][c]);
            }
            lines << cells.join(QStringLiteral(", "));
        }
        if (rows.rows.size() > DescribedRows)
            lines << tr("and %n more row(s)", nullptr, static_cast<int>(rows.rows.size()) - DescribedRows);
        setAccessibleName(title());
        setAccessibleDescription(lines.join(QStringLiteral("; ")));
    });

    if (model) {
        const auto on = [this](unsigned change) {
            d->changes |= change;
            refresh();
        };
        connect(model, &WorkbenchModel::sessionChanged, this, [on] { on(SessionChange); });
        connect(model, &WorkbenchModel::liveChanged, this, [on] { on(LiveChange); });
        connect(model, &WorkbenchModel::selectionChanged, this, [on] { on(SelectionChange); });
        connect(model, &WorkbenchModel::whatIfChanged, this, [on] { on(WhatIfChange); });
        connect(model, &WorkbenchModel::viewChanged, this, [on] { on(ViewChange); });
    }
    setTheme(m_theme);
}

ChartView::~ChartView()
{
    // The plot's layers call back into the subclass: they must go before the members do.
    delete m_plot;
}

void ChartView::setTheme(const ChartTheme &theme)
{
    m_theme = theme;
    m_plot->setBackground(QBrush(theme.panel));
    QCPAxisRect *rect = m_plot->axisRect();
    rect->setBackground(QBrush(theme.background));
    for (QCPAxis *axis : {m_plot->xAxis, m_plot->yAxis, m_plot->xAxis2, m_plot->yAxis2}) {
        axis->setBasePen(QPen(theme.axis, 1));
        axis->setTickPen(QPen(theme.axis, 1));
        axis->setSubTickPen(QPen(theme.axis, 1));
        axis->setTickLabelColor(theme.mutedText);
        axis->setLabelColor(theme.mutedText);
        axis->setTickLabelFont(theme.font);
        axis->setLabelFont(theme.font);
        axis->setTickLength(0, 4);
        axis->setSubTickLength(0, 2);
        axis->setTickLabelPadding(4);
        axis->setLabelPadding(3);
        axis->grid()->setPen(QPen(theme.grid, 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setAntialiased(false);
        axis->grid()->setSubGridVisible(false);
    }
    d->header->setTheme(theme);
    d->changes |= ThemeChange;
    refresh();
    update();
}

void ChartView::refresh()
{
    if (d->frame.isActive())
        return;
    const qint64 passed = d->sinceFrame.isValid() ? d->sinceFrame.elapsed() : FrameMs;
    d->frame.start(static_cast<int>(std::clamp<qint64>(FrameMs - passed, 0, FrameMs)));
}

void ChartView::flush()
{
    d->frame.stop();
    if (!d->changes || !m_model)
        return;
    const unsigned changes = std::exchange(d->changes, 0u);
    rebuild(changes);
    if (!d->userRange) {
        d->fitting = true;
        fitRanges();
        d->fitting = false;
        d->fitted = true;
    }
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
    d->sinceFrame.start();
    if (!d->describe.isActive())
        d->describe.start(DescribeMs);
}

QStringList ChartView::shownLegend() const
{
    return d->header->shownNames();
}

QStringList ChartView::wholeLegend() const
{
    return d->header->allNames();
}

QStringList ChartView::drawnTexts() const
{
    QStringList texts{title(), d->caption};
    texts << d->header->allNames() << d->header->shownNames();
    for (std::size_t i = 0; i < 2; ++i)
        texts << (d->titles[i].whole.isEmpty() ? (i ? m_plot->yAxis : m_plot->xAxis)->label() : d->titles[i].whole);
    return texts;
}

void ChartView::openLegend()
{
    QRectF from = d->header->moreButton();
    if (from.isEmpty())
        from = QRectF(8, 4, 1, 20);
    QToolTip::showText(m_plot->mapToGlobal(from.bottomLeft().toPoint()), d->header->legendHtml(), m_plot, QRect(), 60000);
}

void ChartView::resetView()
{
    const bool moved = d->userRange;
    d->userRange = false;
    flush();
    d->fitting = true;
    fitRanges();
    d->fitting = false;
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    if (moved)
        emit rangesMoved();
}

ChartView::Ranges ChartView::ranges() const
{
    if (!d->userRange)
        return {};
    const QCPRange x = m_plot->xAxis->range(), y = m_plot->yAxis->range();
    return {true, x.lower, x.upper, y.lower, y.upper};
}

void ChartView::setRanges(const Ranges &ranges)
{
    d->userRange = ranges.byHand;
    d->fitting = true;
    if (ranges.byHand) {
        m_plot->xAxis->setRange(ranges.left, ranges.right);
        m_plot->yAxis->setRange(ranges.bottom, ranges.top);
        d->fitted = true;
    } else if (!d->changes) {
        fitRanges();
    }
    d->fitting = false;
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartView::fitFor(const QSize &size)
{
    if (d->userRange || !d->fitted)
        return;
    m_plot->setViewport(QRect(QPoint(), size));
    d->fitSize = size;
    d->fitting = true;
    fitRanges();
    d->fitting = false;
}

void ChartView::setExporting(bool) {}

void ChartView::setHeader(const QString &caption, std::vector<LegendEntry> legend)
{
    // A recording must not pass for a measurement that goes on.
    const RunRecord *run = m_model ? m_model->currentRun() : nullptr;
    d->caption = run && isReplay(*run) ? tr("Recording · %1").arg(caption) : caption;
    d->header->setContent(title(), d->caption, std::move(legend));
    if (accessibleName().isEmpty())
        setAccessibleName(title());
}

void ChartView::setLeastLines(int lines)
{
    // Below the lines stand the labels of the ticks and the axis' title, with what keeps them apart.
    const double line = std::ceil(QFontMetricsF(theme().font).height());
    d->header->setLeastBelow(lines > 0 ? lines * line + 2 * line + 20 : 0);
}

// ---------------------------------------------------------------------------------------------- events

void ChartView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    flush();
}

bool ChartView::event(QEvent *event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QWidget::event(event);
}

void ChartView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.panel);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

bool ChartView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_plot || !m_model)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->button() == Qt::LeftButton) {
            d->pressed = mouse->pos();
            d->pressing = true;
            d->dragged = false;
        }
        setFocus(Qt::MouseFocusReason);
        break;
    }
    case QEvent::MouseMove: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (d->pressing) {
            d->dragged |= (mouse->pos() - d->pressed).manhattanLength() > ClickTravel;
            // A hand that trembles is a click, not a pan of one pixel that freezes the axes.
            if (!d->dragged)
                return true;
            break;
        }
        QString text;
        const bool more = d->header->moreButton().contains(mouse->position());
        if (more)
            text = d->header->legendHtml();
        else
            pointAt(mouse->position(), &text);
        if (text != d->hover) {
            d->hover = text;
            m_plot->setCursor(text.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
            if (text.isEmpty())
                QToolTip::hideText();
            else
                QToolTip::showText(mouse->globalPosition().toPoint() + QPoint(12, 12), text, m_plot);
            emit hovered(more ? QString() : text);
        }
        break;
    }
    case QEvent::MouseButtonRelease: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->button() != Qt::LeftButton || !d->pressing)
            break;
        d->pressing = false;
        if (!d->dragged && d->header->moreButton().contains(mouse->position()))
            openLegend();
        else if (!d->dragged)
            m_model->select(pointAt(mouse->position(), nullptr));
        break;
    }
    case QEvent::MouseButtonDblClick: {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        if (mouse->button() == Qt::LeftButton && !pointAt(mouse->position(), nullptr))
            emit activated();
        break;
    }
    case QEvent::Leave:
        if (!d->hover.isEmpty()) {
            d->hover.clear();
            emit hovered(QString());
        }
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void ChartView::keyPressEvent(QKeyEvent *event)
{
    const auto pan = [this](QCPAxis *axis, double share) {
        const QCPRange range = axis->range();
        if (axis->scaleType() == QCPAxis::stLogarithmic) {
            const double factor = std::pow(range.upper / range.lower, share);
            axis->setRange(QCPRange(range.lower * factor, range.upper * factor));
        } else {
            axis->moveRange(range.size() * (axis->rangeReversed() ? -share : share));
        }
    };
    const auto zoom = [this](double factor) {
        QCPAxisRect *rect = m_plot->axisRect();
        for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
            if (!(rect->rangeZoom() & orientation))
                continue;
            if (QCPAxis *axis = rect->rangeZoomAxis(orientation)) {
                const QCPRange range = axis->range();
                const bool log = axis->scaleType() == QCPAxis::stLogarithmic;
                axis->scaleRange(factor, log ? std::sqrt(range.lower) * std::sqrt(range.upper) : range.center());
            }
        }
    };
    const auto step = [this](int by) {
        const RunRecord *run = m_model ? m_model->currentRun() : nullptr;
        std::vector<int> indices; // of the points, or of the rows of a line
        if (run) {
            for (const SweepPoint &point : run->points)
                indices.push_back(point.index);
            for (const LineRow &row : run->line)
                indices.push_back(row.index);
        }
        if (indices.empty())
            return;
        const int count = static_cast<int>(indices.size());
        int at = by > 0 ? -1 : count;
        for (int i = 0; i < count; ++i) {
            if (m_model->selection() == PointKey{run->plan.runId, indices[static_cast<std::size_t>(i)]})
                at = i;
        }
        at = std::clamp(at + by, 0, count - 1);
        m_model->select(PointKey{run->plan.runId, indices[static_cast<std::size_t>(at)]});
    };
    const Qt::Orientations drag = m_plot->axisRect()->rangeDrag();
    const bool control = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Left:
        control ? step(-1) : pan(m_plot->xAxis, -0.1);
        break;
    case Qt::Key_Right:
        control ? step(1) : pan(m_plot->xAxis, 0.1);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (drag & Qt::Vertical)
            pan(m_plot->yAxis, event->key() == Qt::Key_Up ? 0.1 : -0.1);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(0.8);
        break;
    case Qt::Key_Minus:
        zoom(1.25);
        break;
    case Qt::Key_Home:
        resetView();
        break;
    case Qt::Key_L:
        openLegend();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (control) { // Ctrl+Return runs
            QWidget::keyPressEvent(event);
            return;
        }
        emit activated();
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

// ---------------------------------------------------------------------------------------------- export

namespace {

/// Sets a chart up for drawing at another size and puts the screen's layout back, whatever happens between.
template <typename Begin, typename End>
struct Scope {
    Scope(Begin begin, End end) : m_end(std::move(end)) { begin(); }
    ~Scope() { m_end(); }
    End m_end;
};

bool drawable(const QSize &size, double scale)
{
    const double width = size.width() * scale, height = size.height() * scale;
    return width >= 1 && height >= 1 && width <= 32767 && height <= 32767 && width * height <= MaxPixels;
}

} // namespace

QImage ChartView::toImage(const QSize &size, double scale) const
{
    if (!drawable(size, scale))
        return QImage();
    auto *self = const_cast<ChartView *>(this);
    self->flush();
    const Scope scope([self, size] { self->setExporting(true); self->fitFor(size); },
                      [self] {
                          self->setExporting(false);
                          self->fitFor(self->m_plot->size());
                          // The layout is that of the export until the next replot.
                          self->m_plot->replot(QCustomPlot::rpQueuedReplot);
                      });
    QImage image = m_plot->toPixmap(size.width(), size.height(), scale).toImage();
    const int dotsPerMeter = static_cast<int>(std::lround(Dpi * scale / 0.0254));
    image.setDevicePixelRatio(1);
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    image.setText(QStringLiteral("Title"), title());
    return image;
}

QString ChartView::exportTo(const QString &path, const QSize &size, double scale) const
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix != QLatin1String("png") && suffix != QLatin1String("svg") && suffix != QLatin1String("pdf"))
        return tr("\"%1\" does not end in .png, .svg or .pdf; choose one of these names.").arg(path);
    if (!drawable(size, suffix == QLatin1String("png") ? scale : 1)) {
        return tr("A picture of %1 x %2 pixels at scale %3 cannot be drawn for \"%4\"; choose a size between 1 pixel "
                  "and 32767 "
                  "pixels a side, 200 million pixels in all.")
            .arg(size.width())
            .arg(size.height())
            .arg(scale)
            .arg(path);
    }

    QByteArray bytes;
    {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        if (suffix == QLatin1String("png")) {
            const QImage image = toImage(size, scale);
            if (image.isNull() || !image.save(&buffer, "PNG"))
                return tr("There is not enough memory to draw \"%1\"; choose a smaller size or scale.").arg(path);
        } else {
            auto *self = const_cast<ChartView *>(this);
            self->flush();
            const Scope scope([self, size] { self->setExporting(true); self->fitFor(size); },
                              [self] {
                                  self->setExporting(false);
                                  self->fitFor(self->m_plot->size());
                                  self->m_plot->replot(QCustomPlot::rpQueuedReplot);
                              });
            const auto paint = [&](QPaintDevice *device) {
                QCPPainter painter;
                if (!painter.begin(device))
                    return false;
                painter.setMode(QCPPainter::pmVectorized);
                painter.setMode(QCPPainter::pmNoCaching);
                painter.setMode(QCPPainter::pmNonCosmetic);
                m_plot->toPainter(&painter, size.width(), size.height());
                return painter.end();
            };
            bool painted = false;
            if (suffix == QLatin1String("svg")) {
                QSvgGenerator generator;
                generator.setOutputDevice(&buffer);
                generator.setResolution(static_cast<int>(Dpi));
                generator.setSize(size);
                generator.setViewBox(QRect(QPoint(0, 0), size));
                generator.setTitle(title());
                generator.setDescription(accessibleDescription());
                painted = paint(&generator);
            } else {
                QPdfWriter writer(&buffer);
                writer.setResolution(static_cast<int>(Dpi));
                writer.setPageSize(
                    QPageSize(QSizeF(size) * 72 / Dpi, QPageSize::Point, QString(), QPageSize::ExactMatch));
                writer.setPageMargins(QMarginsF());
                writer.setTitle(title());
                writer.setCreator(QStringLiteral("Ridgepoint"));
                painted = paint(&writer);
            }
            if (!painted)
                return tr("\"%1\" could not be drawn; try another format.").arg(path);
        }
    }
    try {
        writeFileAtomically(path.toStdString(),
                            std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
    } catch (const Error &error) {
        return coreText(error.what());
    }
    return {};
}

} // namespace ridgepoint
