// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_parts.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr double KeyLength = 18;
constexpr double KeyGap = 5;
constexpr double EntryGap = 14;
constexpr double ShadeGap = 10; ///< between the marks of one entry
constexpr int LeastRows = 2;    ///< of a legend, however low the chart
constexpr double HeaderPadding = 8;
constexpr int kLineSamples = 64; ///< of a prediction over the batch

/// Largest 1, 2 or 5 times a power of ten that is not above `value` (up: not below).
double niceStep(double value, bool up)
{
    const double magnitude = std::pow(10.0, std::floor(std::log10(value) + 1e-12));
    constexpr std::array<double, 4> mantissas{1, 2, 5, 10};
    if (up) {
        for (const double m : mantissas) {
            if (m * magnitude >= value * (1 - 1e-9))
                return m * magnitude;
        }
        return 10 * magnitude;
    }
    for (auto m = mantissas.rbegin(); m != mantissas.rend(); ++m) {
        if (*m * magnitude <= value * (1 + 1e-9))
            return *m * magnitude;
    }
    return magnitude;
}

double nicePower(double value, bool up)
{
    return std::exp2(up ? std::ceil(std::log2(value) - 1e-9) : std::floor(std::log2(value) + 1e-9));
}

int roomFor(const QCPAxis *axis, const QString &sample)
{
    const bool horizontal = axis->orientation() == Qt::Horizontal;
    const QFontMetricsF metrics(axis->tickLabelFont());
    // Ticks are chosen before the layout: the axis rectangle still has its former size, the viewport has the new one.
    const QRect viewport = axis->parentPlot()->viewport();
    const double length = horizontal ? viewport.width() - 80 : viewport.height() - 90;
    const double each =
        horizontal ? std::max(metrics.horizontalAdvance(sample), metrics.height()) + 18 : metrics.height() * 2;
    return std::clamp(static_cast<int>(length / each), 2, 24);
}

} // namespace

bool drawableOnLog(double value)
{
    return value >= kLogFloor && value <= kLogCeiling; // false for NaN
}

void drawMark(QPainter &painter, Mark mark, const QPointF &centre, double size, const QColor &color,
              const QColor &background)
{
    const double r = size / 2;
    const QPointF &c = centre;
    switch (mark) {
    case Mark::None:
        return;
    case Mark::Disc:
        // A rim in the background's colour keeps discs apart where they touch.
        painter.setPen(QPen(background, 1));
        painter.setBrush(color);
        painter.drawEllipse(c, r + 0.5, r + 0.5);
        return;
    case Mark::LiveDisc:
        painter.setPen(QPen(color, 1.6));
        painter.setBrush(background);
        painter.drawEllipse(c, r, r);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(c, r * 0.45, r * 0.45);
        return;
    case Mark::Circle:
        painter.setPen(QPen(color, 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(c, r, r);
        return;
    case Mark::Diamond:
    case Mark::FilledDiamond:
    case Mark::BoldDiamond: {
        const double d = mark == Mark::BoldDiamond ? r * 1.55 : r * 1.2;
        const std::array<QPointF, 4> corners{c + QPointF(0, -d), c + QPointF(d, 0), c + QPointF(0, d),
                                             c + QPointF(-d, 0)};
        painter.setPen(QPen(color, mark == Mark::BoldDiamond ? 2.4 : 1.4));
        painter.setBrush(mark == Mark::FilledDiamond ? color : background);
        painter.drawPolygon(corners.data(), 4);
        return;
    }
    case Mark::Triangle:
    case Mark::OpenTriangle: {
        const double d = r * 1.2;
        const std::array<QPointF, 3> corners{c + QPointF(0, -d), c + QPointF(d, d * 0.8), c + QPointF(-d, d * 0.8)};
        painter.setPen(QPen(mark == Mark::Triangle ? background : color, mark == Mark::Triangle ? 1 : 1.4));
        painter.setBrush(mark == Mark::Triangle ? color : background);
        painter.drawPolygon(corners.data(), 3);
        return;
    }
    case Mark::OpenTriangleDown: {
        const double d = r * 1.2;
        const std::array<QPointF, 3> corners{c + QPointF(0, d), c + QPointF(d, -d * 0.8), c + QPointF(-d, -d * 0.8)};
        painter.setPen(QPen(color, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolygon(corners.data(), 3);
        return;
    }
    case Mark::TriangleDown: {
        const double d = r * 1.2;
        const std::array<QPointF, 3> corners{c + QPointF(0, d), c + QPointF(d, -d * 0.8), c + QPointF(-d, -d * 0.8)};
        painter.setPen(QPen(background, 1));
        painter.setBrush(color);
        painter.drawPolygon(corners.data(), 3);
        return;
    }
    case Mark::Pentagon:
    case Mark::OpenPentagon: {
        std::array<QPointF, 5> corners;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const double turn = 2 * M_PI * static_cast<double>(i) / 5;
            corners[i] = c + QPointF(std::sin(turn), -std::cos(turn)) * r * 1.25;
        }
        const bool open = mark == Mark::OpenPentagon;
        painter.setPen(QPen(open ? color : background, open ? 1.8 : 1));
        painter.setBrush(open ? background : color);
        painter.drawPolygon(corners.data(), 5);
        return;
    }
    case Mark::BoldCircle:
        painter.setPen(QPen(color, 1.8));
        painter.setBrush(background);
        painter.drawEllipse(c, r, r);
        return;
    case Mark::OpenSquare:
        painter.setPen(QPen(color, 1.8));
        painter.setBrush(background);
        painter.drawRect(QRectF(c.x() - r, c.y() - r, size, size));
        return;
    case Mark::Square:
        painter.setPen(QPen(background, 1));
        painter.setBrush(color);
        painter.drawRect(QRectF(c.x() - r, c.y() - r, size, size));
        return;
    case Mark::Cross:
        painter.setPen(QPen(color, 2));
        painter.drawLine(c + QPointF(-r, -r), c + QPointF(r, r));
        painter.drawLine(c + QPointF(-r, r), c + QPointF(r, -r));
        return;
    case Mark::Plus:
        painter.setPen(QPen(background, 5));
        painter.drawLine(c + QPointF(-r, 0), c + QPointF(r, 0));
        painter.drawLine(c + QPointF(0, -r), c + QPointF(0, r));
        painter.setPen(QPen(color, 2.6));
        painter.drawLine(c + QPointF(-r, 0), c + QPointF(r, 0));
        painter.drawLine(c + QPointF(0, -r), c + QPointF(0, r));
        return;
    case Mark::Bar:
        painter.fillRect(QRectF(c.x() - KeyLength / 2, c.y() - r, KeyLength, size), color);
        return;
    case Mark::Ring:
        painter.setPen(QPen(color, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(c, r, r);
        return;
    }
}

double textWidth(const QFont &font, const QString &text)
{
    constexpr qsizetype kMost = 4000; // then it begins anew: figures that a slider has left behind come to very many
    static QHash<QPair<QString, QString>, double> widths; // GUI thread only, as all painting is
    const QPair<QString, QString> key(font.key(), text);
    const auto found = widths.constFind(key);
    if (found != widths.constEnd())
        return *found;
    if (widths.size() >= kMost)
        widths.clear();
    return *widths.insert(key, QFontMetricsF(font).horizontalAdvance(text));
}

void ThinnedGraph::drawScatterPlot(QCPPainter *painter, const QVector<QPointF> &scatters, const QCPScatterStyle &style) const
{
    constexpr qsizetype kFew = 400;
    constexpr double kCell = 3; // pixels
    if (!adaptiveSampling() || painter->modes().testFlag(QCPPainter::pmVectorized) || scatters.isEmpty()) {
        QCPGraph::drawScatterPlot(painter, scatters, style);
        return;
    }
    // The mark is drawn once and set at whole pixels: a smoothed outline each costs ten times as much.
    const double ratio = mParentPlot->bufferDevicePixelRatio();
    const int side = static_cast<int>(std::ceil(style.size() + 4)) | 1;
    QPixmap stamp(QSize(side, side) * ratio);
    stamp.setDevicePixelRatio(ratio);
    stamp.fill(Qt::transparent);
    {
        QCPPainter own;
        own.begin(&stamp);
        applyScattersAntialiasingHint(&own);
        style.applyTo(&own, mPen);
        style.drawShape(&own, side / 2.0, side / 2.0);
        own.end();
    }
    QSet<quint64> taken;
    for (const QPointF &at : scatters) {
        if (!(std::abs(at.x()) < 1e6) || !(std::abs(at.y()) < 1e6))
            continue;
        if (scatters.size() > kFew) {
            const auto column = static_cast<quint32>(static_cast<qint32>(std::floor(at.x() / kCell)));
            const auto row = static_cast<quint32>(static_cast<qint32>(std::floor(at.y() / kCell)));
            const quint64 cell = quint64(column) << 32 | row;
            if (taken.contains(cell))
                continue;
            taken.insert(cell);
        }
        painter->drawPixmap(QPoint(static_cast<int>(std::lround(at.x() - side / 2.0)), static_cast<int>(std::lround(at.y() - side / 2.0))),
                            stamp);
    }
}

// ---------------------------------------------------------------------------------------------- HeaderElement

HeaderElement::HeaderElement(QCustomPlot *plot) : QCPLayoutElement(plot) {}

void HeaderElement::setContent(const QString &title, const QString &caption, std::vector<LegendEntry> legend)
{
    m_title = title;
    if (m_titleWidth <= 0)
        m_titleWidth = QFontMetricsF(m_theme.titleFont).horizontalAdvance(title);
    const QFontMetricsF metrics(m_theme.font);
    if (caption != m_caption || m_captionWidth <= 0)
        m_captionWidth = metrics.horizontalAdvance(caption);
    m_caption = caption;
    std::vector<double> widths;
    widths.reserve(legend.size());
    for (std::size_t i = 0; i < legend.size(); ++i) {
        const bool known = i < m_widths.size() && m_legend[i].text == legend[i].text;
        widths.push_back(known ? m_widths[i] : textWidth(m_theme.font, legend[i].text));
    }
    m_widths = std::move(widths);
    m_legend = std::move(legend);
}

void HeaderElement::setTheme(const ChartTheme &theme)
{
    m_theme = theme;
    m_widths.clear();
    m_titleWidth = m_captionWidth = 0;
}

double HeaderElement::keyWidth(const LegendEntry &entry) const
{
    const double first = entry.line != Qt::NoPen || entry.mark == Mark::Bar ? KeyLength : 10;
    return first + ShadeGap * static_cast<double>(entry.shades.size());
}

HeaderElement::Flow HeaderElement::flow(double width, double chartHeight) const
{
    Flow result;
    const double lineHeight = std::ceil(QFontMetricsF(m_theme.font).height()) + 1;
    const double titleHeight = std::ceil(QFontMetricsF(m_theme.titleFont).height()) + 2;
    const double right = width - HeaderPadding;
    double top = 4 + titleHeight;
    if (!m_caption.isEmpty() && HeaderPadding + m_titleWidth + EntryGap + m_captionWidth > right &&
        chartHeight >= 200) {
        result.captionOnOwnLine = true;
        top += lineHeight;
    }
    const double buttonWidth = textWidth(m_theme.font, QStringLiteral("+88")) + 10;
    /// Places entries down to `limit`; true when all of them are.
    const auto place = [&](double limit, bool brief, double reserved) {
        result.placed.clear();
        result.brief = brief;
        double x = HeaderPadding, y = top;
        for (std::size_t i = 0; i < m_legend.size(); ++i) {
            const bool whole = !brief || m_legend[i].brief.isEmpty();
            const double text = whole ? m_widths[i] : textWidth(m_theme.font, m_legend[i].brief);
            const double wide = keyWidth(m_legend[i]) + KeyGap + text;
            const bool lastRow = y + 2 * lineHeight > limit;
            if (x > HeaderPadding && x + wide > right - (lastRow ? reserved : 0)) {
                x = HeaderPadding;
                y += lineHeight;
            }
            // One name that is longer than a row stands alone on it, cut: the button's legend has it whole.
            if (y + lineHeight > limit || (x + wide > right - (y + 2 * lineHeight > limit ? reserved : 0) && (reserved > 0 || x > HeaderPadding)))
                return false;
            result.placed.push_back({i, QPointF(x, y + lineHeight / 2)});
            x += wide + EntryGap;
        }
        return true;
    };
    constexpr double kLowest = 170; // of a chart with a legend's rows
    const bool rows = chartHeight >= kLowest;
    const double left = std::max(top + lineHeight, chartHeight - m_leastBelow),
                 quarter = std::min(left, std::max(top + LeastRows * lineHeight, chartHeight / 4)),
                 most = std::min(left, std::max(quarter, chartHeight * 0.4));
    if (!rows || (!place(quarter, false, 0) && !place(quarter, true, 0) && !place(most, true, 0))) {
        if (rows)
            place(most, true, buttonWidth + EntryGap);
        else
            result.placed.clear();
        result.hidden = m_legend.size() - result.placed.size();
    }
    double bottom = top;
    if (!result.placed.empty())
        bottom = result.placed.back().at.y() + lineHeight / 2;
    if (result.hidden > 0) {
        const double y = result.placed.empty() ? 4 : bottom - lineHeight;
        result.more = QRectF(right - buttonWidth, y, buttonWidth, lineHeight);
    }
    result.height = std::ceil(bottom) + 2;
    return result;
}

QSize HeaderElement::minimumOuterSizeHint() const
{
    const QRect viewport = mParentPlot->viewport();
    return QSize(40, static_cast<int>(flow(viewport.width(), viewport.height()).height));
}

QSize HeaderElement::maximumOuterSizeHint() const
{
    return QSize(QWIDGETSIZE_MAX, minimumOuterSizeHint().height());
}

QStringList HeaderElement::shownNames() const
{
    const QRect viewport = mParentPlot->viewport();
    QStringList names;
    const Flow placed = flow(viewport.width(), viewport.height());
    for (const Placed &place : placed.placed)
        names << nameOf(m_legend[place.entry], placed.brief);
    return names;
}

QStringList HeaderElement::allNames() const
{
    QStringList names;
    for (const LegendEntry &entry : m_legend)
        names << entry.text;
    return names;
}

QRectF HeaderElement::moreButton() const
{
    const QRect viewport = mParentPlot->viewport();
    return flow(viewport.width(), viewport.height()).more;
}

QString HeaderElement::legendHtml() const
{
    const auto glyph = [](const LegendEntry &entry) {
        QString key;
        switch (entry.line) {
        case Qt::NoPen:
            break;
        case Qt::DashLine:
            key = QStringLiteral("\u2012 \u2012");
            break;
        case Qt::DotLine:
            key = QStringLiteral("\u00b7\u00b7\u00b7");
            break;
        case Qt::DashDotLine:
            key = QStringLiteral("\u2012\u00b7\u2012");
            break;
        default:
            key = QStringLiteral("\u2014");
        }
        switch (entry.mark) {
        case Mark::None:
            return key;
        case Mark::Disc:
        case Mark::LiveDisc:
            return key + QChar(0x25cf);
        case Mark::Circle:
        case Mark::BoldCircle:
        case Mark::Ring:
            return key + QChar(0x25cb);
        case Mark::Diamond:
        case Mark::BoldDiamond:
            return key + QChar(0x25c7);
        case Mark::FilledDiamond:
            return key + QChar(0x25c6);
        case Mark::Triangle:
            return key + QChar(0x25b2);
        case Mark::OpenTriangle:
            return key + QChar(0x25b3);
        case Mark::TriangleDown:
            return key + QChar(0x25bc);
        case Mark::OpenTriangleDown:
            return key + QChar(0x25bd);
        case Mark::Pentagon:
            return key + QChar(0x2b1f);
        case Mark::OpenPentagon:
            return key + QChar(0x2b20);
        case Mark::Square:
        case Mark::Bar:
            return key + QChar(0x25a0);
        case Mark::OpenSquare:
            return key + QChar(0x25a1);
        case Mark::Cross:
            return key + QChar(0x2715);
        case Mark::Plus:
            return key + QChar(0x271a);
        }
        return key;
    };
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    for (const LegendEntry &entry : m_legend) {
        QString key = QStringLiteral("<span style='color:%1'>%2</span>").arg(entry.color.name(), glyph(entry));
        for (const QColor &shade : entry.shades)
            key += QStringLiteral("<span style='color:%1'>%2</span>").arg(shade.name(), glyph(entry));
        html += QStringLiteral("<tr><td align='center'><b>%1</b></td><td style='padding-left:6px;white-space:nowrap'>%2</td></tr>")
                    .arg(key, entry.text.toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

void HeaderElement::draw(QCPPainter *painter)
{
    const QRect viewport = mParentPlot->viewport();
    const Flow placed = flow(viewport.width(), viewport.height());
    const double right = viewport.width() - HeaderPadding;
    const double lineHeight = std::ceil(QFontMetricsF(m_theme.font).height()) + 1;
    const double titleHeight = std::ceil(QFontMetricsF(m_theme.titleFont).height()) + 2;

    painter->setAntialiasing(true);
    painter->setFont(m_theme.titleFont);
    painter->setPen(QPen(m_theme.text));
    painter->drawText(QRectF(HeaderPadding, 4, right - HeaderPadding, titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                      m_titleWidth <= right - HeaderPadding
                          ? m_title
                          : QFontMetricsF(m_theme.titleFont).elidedText(m_title, Qt::ElideRight, right - HeaderPadding));
    painter->setFont(m_theme.font);
    if (!m_caption.isEmpty()) {
        const double end = placed.hidden > 0 && placed.placed.empty() && !placed.captionOnOwnLine ? placed.more.left() - EntryGap : right;
        const double left = placed.captionOnOwnLine ? HeaderPadding : HeaderPadding + m_titleWidth + EntryGap;
        const QRectF where(left, placed.captionOnOwnLine ? 4 + titleHeight : 4, end - left,
                           placed.captionOnOwnLine ? lineHeight : titleHeight);
        if (where.width() > 30) {
            painter->setPen(QPen(m_theme.mutedText));
            painter->drawText(where, Qt::AlignLeft | Qt::AlignVCenter,
                              m_captionWidth <= where.width()
                                  ? m_caption
                                  : QFontMetricsF(m_theme.font).elidedText(m_caption, Qt::ElideRight, where.width()));
        }
    }
    for (const Placed &place : placed.placed) {
        const LegendEntry &entry = m_legend[place.entry];
        const double key = keyWidth(entry);
        const double first = key - ShadeGap * static_cast<double>(entry.shades.size());
        if (entry.line != Qt::NoPen) {
            painter->setPen(QPen(entry.color, entry.width, entry.line, Qt::FlatCap));
            painter->drawLine(place.at, place.at + QPointF(key, 0));
        }
        drawMark(*painter, entry.mark, place.at + QPointF(first / 2, 0), 7, entry.color, m_theme.panel);
        for (std::size_t i = 0; i < entry.shades.size(); ++i)
            drawMark(*painter, entry.mark, place.at + QPointF(first / 2 + ShadeGap * static_cast<double>(i + 1), 0), 7, entry.shades[i],
                     m_theme.panel);
        painter->setPen(QPen(m_theme.text));
        const QRectF where(place.at.x() + key + KeyGap, place.at.y() - lineHeight / 2,
                           right - place.at.x() - key - KeyGap, lineHeight);
        const QString &name = nameOf(entry, placed.brief);
        painter->drawText(where, Qt::AlignLeft | Qt::AlignVCenter,
                          textWidth(m_theme.font, name) <= where.width()
                              ? name
                              : QFontMetricsF(m_theme.font).elidedText(name, Qt::ElideRight, where.width()));
    }
    if (placed.hidden > 0) {
        painter->setPen(QPen(m_theme.axis, 1));
        painter->setBrush(m_theme.background);
        painter->drawRoundedRect(placed.more.adjusted(0.5, 1.5, -0.5, -0.5), 4, 4);
        painter->setPen(QPen(m_theme.text));
        painter->drawText(placed.more, Qt::AlignCenter, QStringLiteral("+%1").arg(placed.hidden));
    }
}

// ---------------------------------------------------------------------------------------------- PaintedLayer

PaintedLayer::PaintedLayer(QCustomPlot *plot, const QString &layer, std::function<void(QCPPainter &)> paint)
    : QCPLayerable(plot, layer), m_paint(std::move(paint))
{
}

QRect PaintedLayer::clipRect() const
{
    return mParentPlot->axisRect()->rect();
}

void PaintedLayer::applyDefaultAntialiasingHint(QCPPainter *painter) const
{
    painter->setAntialiasing(true);
}

void PaintedLayer::draw(QCPPainter *painter)
{
    m_paint(*painter);
}

// ---------------------------------------------------------------------------------------------- tickers

LogTicker::LogTicker(const QCPAxis *axis, int base, std::function<QString(double)> label)
    : m_axis(axis), m_base(base), m_label(std::move(label))
{
}

void LogTicker::generate(const QCPRange &range, const QLocale &locale, QChar formatChar, int precision,
                         QVector<double> &ticks, QVector<double> *subTicks, QVector<QString> *tickLabels)
{
    ticks.clear();
    if (subTicks)
        subTicks->clear();
    if (tickLabels)
        tickLabels->clear();
    if (!drawableOnLog(range.lower) || !drawableOnLog(range.upper) || !(range.upper > range.lower))
        return;

    const int room = roomFor(m_axis, m_base == 2 ? QStringLiteral("128") : QStringLiteral("500 G"));
    const double low = range.lower * (1 - 1e-9), high = range.upper * (1 + 1e-9);
    const auto collect = [&](double base, const std::vector<double> &mantissas, int everyPower) {
        QVector<double> found;
        const int first = static_cast<int>(std::floor(std::log(low) / std::log(base))) - 1;
        const int last = static_cast<int>(std::ceil(std::log(high) / std::log(base))) + 1;
        for (int power = first; power <= last; ++power) {
            if (power % everyPower != 0)
                continue;
            for (const double mantissa : mantissas) {
                const double value = mantissa * std::pow(base, power);
                if (value >= low && value <= high)
                    found.append(value);
            }
        }
        return found;
    };

    bool chosen = false;
    const auto consider = [&](QVector<double> candidate, int least) {
        if (chosen || candidate.size() < least || candidate.size() > room)
            return;
        ticks = std::move(candidate);
        chosen = true;
    };
    if (m_base == 2) {
        for (int every = 1; every <= 8 && !chosen; ++every)
            consider(collect(2, {1}, every), 2);
    } else {
        consider(collect(10, {1, 2, 5}, 1), 3);
        consider(collect(10, {1, 3}, 1), 3);
        for (int every = 1; every <= 12 && !chosen; ++every)
            consider(collect(10, {1}, every), 2);
    }
    if (!chosen) {
        // Zoomed in to less than two powers: linear steps read better.
        QCPAxisTicker::generate(range, locale, formatChar, precision, ticks, subTicks, nullptr);
        ticks.erase(std::remove_if(ticks.begin(), ticks.end(), [&](double t) { return t < low || t > high; }),
                    ticks.end());
    } else if (subTicks) {
        if (m_base == 2)
            *subTicks = collect(2, {1}, 1);
        else if (std::log10(high / low) <= 8)
            *subTicks = collect(10, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1);
        else
            *subTicks = collect(10, {1}, 1);
    }
    if (tickLabels) {
        for (const double tick : std::as_const(ticks))
            tickLabels->append(m_label(tick));
    }
}

double LinearTicker::getTickStep(const QCPRange &range)
{
    setTickCount(std::clamp(roomFor(m_axis, QStringLiteral("00000")), 2, 7));
    return QCPAxisTicker::getTickStep(range);
}

QString LinearTicker::getTickLabel(double tick, const QLocale &, QChar, int)
{
    const double scaled = tick / m_unit;
    return QString::number(std::abs(scaled) < 1e-12 ? 0.0 : scaled, 'g', 6);
}

TimeUnit timeUnitFor(double largestSeconds)
{
    if (!(largestSeconds >= 1e-3))
        return {1e-6, "us"};
    return largestSeconds < 2 ? TimeUnit{1e-3, "ms"} : TimeUnit{1, "s"};
}

QString siPrefixed(double value)
{
    static constexpr std::array<std::pair<double, const char *>, 9> prefixes{
        {{1e24, "Y"}, {1e21, "Z"}, {1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
    for (const auto &[size, name] : prefixes) {
        if (std::abs(value) >= size * (1 - 1e-9)) {
            const QString number = QString::number(value / size, 'g', 4);
            return *name ? number + QLatin1Char(' ') + QLatin1String(name) : number;
        }
    }
    return QString::number(value, 'g', 3);
}

// ---------------------------------------------------------------------------------------------- ranges

void LogExtent::add(double value)
{
    if (!drawableOnLog(value))
        return;
    low = std::min(low, value);
    high = std::max(high, value);
}

QCPRange LogExtent::range(double defaultLow, double defaultHigh, int base) const
{
    if (empty())
        return QCPRange(defaultLow, defaultHigh);
    const double bottom = base == 2 ? nicePower(low, false) : niceStep(low, false);
    const double top = base == 2 ? nicePower(high, true) : niceStep(high, true);
    double lower = std::max(bottom, kLogFloor), upper = std::min(top, kLogCeiling);
    if (upper < lower * 2) {
        lower = std::max(lower / 2, kLogFloor);
        upper = std::min(std::max(upper, lower * 2) * 2, kLogCeiling);
    }
    return QCPRange(lower, upper);
}

// ---------------------------------------------------------------------------------------------- targets and labels

LabelPlacer::LabelPlacer(const QRectF &bounds, const QFont &font, const ChartTheme &theme)
    : m_bounds(bounds), m_font(font), m_metrics(font), m_theme(theme)
{
}

QSizeF LabelPlacer::sizeOf(const QString &text) const
{
    return QSizeF(std::ceil(textWidth(m_font, text)) + 4, std::ceil(m_metrics.height()));
}

bool LabelPlacer::free(const QRectF &rect) const
{
    if (!m_bounds.contains(rect))
        return false;
    if (std::any_of(m_taken.begin(), m_taken.end(), [&](const QRectF &taken) { return taken.intersects(rect); }))
        return false;
    const std::array<QLineF, 4> sides{
        QLineF(rect.topLeft(), rect.topRight()), QLineF(rect.topRight(), rect.bottomRight()),
        QLineF(rect.bottomRight(), rect.bottomLeft()), QLineF(rect.bottomLeft(), rect.topLeft())};
    return std::none_of(m_lines.begin(), m_lines.end(), [&](const QLineF &line) {
        return rect.contains(line.p1()) || std::any_of(sides.begin(), sides.end(), [&](const QLineF &side) {
                   return line.intersects(side, nullptr) == QLineF::BoundedIntersection;
               });
    });
}

void LabelPlacer::drawText(QPainter &painter, const QRectF &rect, const QString &text, const QColor &color)
{
    QColor plate = m_theme.background;
    plate.setAlpha(215);
    painter.fillRect(rect, plate);
    painter.setFont(m_font);
    painter.setPen(QPen(color));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
    m_taken.push_back(rect);
}

bool LabelPlacer::place(QPainter &painter, const QPointF &anchor, double clearance, const QString &text,
                        const QColor &color)
{
    const QSizeF size = sizeOf(text);
    const double w = size.width(), h = size.height(), c = clearance, d = clearance * 0.7;
    const std::array<QPointF, 8> offsets{QPointF(c, -h / 2),      QPointF(-c - w, -h / 2), QPointF(-w / 2, -c - h),
                                         QPointF(-w / 2, c),      QPointF(d, -d - h),      QPointF(d, d),
                                         QPointF(-d - w, -d - h), QPointF(-d - w, d)};
    for (const QPointF &offset : offsets) {
        if (placeAt(painter, QRectF(anchor + offset, size), text, color))
            return true;
    }
    if (!m_leaders)
        return false;
    constexpr int kDirections = 16;
    for (const double away : {22.0, 36.0, 52.0, 70.0, 95.0, 125.0}) {
        for (int i = 0; i < kDirections; ++i) {
            const double turn = 2 * M_PI * i / kDirections;
            const QPointF middle = anchor + QPointF(std::cos(turn) * (away + w / 2), -std::sin(turn) * (away + h / 2));
            const QRectF rect(middle - QPointF(w / 2, h / 2), size);
            if (!free(rect))
                continue;
            const QPointF end(std::clamp(anchor.x(), rect.left(), rect.right()), std::clamp(anchor.y(), rect.top(), rect.bottom()));
            painter.setPen(QPen(m_theme.axis, 1));
            painter.drawLine(anchor, end);
            drawText(painter, rect, text, color);
            return true;
        }
    }
    return false;
}

bool LabelPlacer::placeAt(QPainter &painter, const QRectF &rect, const QString &text, const QColor &color)
{
    if (!free(rect))
        return false;
    drawText(painter, rect, text, color);
    return true;
}

QPointF pixelOf(const QCPAxisRect &rect, const Target &target)
{
    const double x = rect.axis(QCPAxis::atBottom)->coordToPixel(target.x);
    if (target.atBottom)
        return QPointF(x, rect.bottom() - 8);
    return QPointF(x, rect.axis(QCPAxis::atLeft)->coordToPixel(target.y));
}

const Target *nearestTarget(const QCPAxisRect &rect, const std::vector<Target> &targets, const QPointF &pixel,
                            double reach)
{
    const Target *best = nullptr;
    double least = reach * reach;
    for (const Target &target : targets) {
        const QPointF delta = pixelOf(rect, target) - pixel;
        const double distance = delta.x() * delta.x() + delta.y() * delta.y();
        // A measured point wins over a prediction at the same place.
        if (distance < least || (best && distance <= least + 1e-9 && target.key && !best->key)) {
            least = distance;
            best = &target;
        }
    }
    return best;
}

void drawTargets(QCPPainter &painter, const QCPAxisRect &rect, const std::vector<Target> &targets,
                 const ChartTheme &theme, const std::optional<PointKey> &selection, LabelPlacer &labels)
{
    std::vector<std::pair<const Target *, QPointF>> shown;
    const QRectF area = QRectF(rect.rect()).adjusted(-4, -4, 4, 4);
    // What was measured lies over what was foretold.
    for (const bool measured : {false, true}) {
        for (const Target &target : targets) {
            if (target.key.has_value() != measured)
                continue;
            const QPointF pixel = pixelOf(rect, target);
            if (!std::isfinite(pixel.x()) || !std::isfinite(pixel.y()) || !area.contains(pixel))
                continue;
            shown.emplace_back(&target, pixel);
            const double r = target.size / 2 + 2;
            labels.avoid(QRectF(pixel.x() - r, pixel.y() - r, 2 * r, 2 * r));
            drawMark(painter, target.mark, pixel, target.size, target.color, theme.background);
        }
    }
    for (const auto &[target, pixel] : shown) {
        if (selection && target->key == selection) {
            drawMark(painter, Mark::Ring, pixel, target->size + 9, theme.selection, theme.background);
            const double r = target->size / 2 + 6;
            labels.avoid(QRectF(pixel.x() - r, pixel.y() - r, 2 * r, 2 * r));
        }
    }
    std::stable_sort(shown.begin(), shown.end(),
                     [](const auto &a, const auto &b) { return a.first->priority > b.first->priority; });
    for (const auto &[target, pixel] : shown) {
        if (!target->label.isEmpty())
            labels.place(painter, pixel, target->size / 2 + 5, target->label, theme.text);
    }
}

QColor measuredShade(const ChartTheme &theme, int index)
{
    // Towards the text colour, so that contrast with the background only grows.
    const double share = std::min(index, 2) * 0.42;
    const QColor &a = theme.measured, &b = theme.text;
    const auto mix = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

QPen penOf(const QColor &color, double width, Qt::PenStyle style)
{
    return QPen(color, width, style, style == Qt::SolidLine ? Qt::RoundCap : Qt::FlatCap, Qt::RoundJoin);
}

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

QString nameText(const std::string &utf8)
{
    return text(format::elided(utf8, 100));
}

// ---------------------------------------------------------------------------------------------- points

const LivePoint *shownLive(const WorkbenchModel &model)
{
    if (!model.live())
        return nullptr;
    const RunRecord *run = model.currentRun();
    return !run || run->plan.runId == model.live()->runId ? &*model.live() : nullptr;
}

namespace {

void take(MeasuredPoint &point, const StepFigures &figures)
{
    point.hostGapSeconds = figures.hostGapSeconds;
    point.smClockHz = figures.smClockHz;
    point.throttledSteps = figures.throttled;
}

} // namespace

std::vector<MeasuredPoint> pointsOfRun(const WorkbenchModel &model, const RunRecord &run)
{
    std::vector<MeasuredPoint> points;
    for (const SweepPoint &point : run.points) {
        MeasuredPoint measured;
        take(measured, model.figuresOf(point.steps));
        measured.key = PointKey{run.plan.runId, point.index};
        measured.batch = point.batch;
        measured.prompt = point.prompt;
        measured.context = point.context;
        measured.seconds = point.stepSeconds;
        measured.peakBytes = point.peakBytes;
        measured.prefillSeconds = point.prefillSeconds;
        measured.status = point.status;
        measured.reason = point.reason;
        measured.forecast = &point.forecast;
        points.push_back(std::move(measured));
    }
    if (run.ttft) {
        const TtftResult &record = *run.ttft;
        MeasuredPoint measured;
        measured.batch = record.batch;
        measured.prompt = record.prompt;
        measured.context = record.forecast.floorNominal.context > 0 ? record.forecast.floorNominal.context : kMissing;
        measured.peakBytes = record.peakBytes;
        measured.forecast = &record.forecast;
        // The loop times each step by itself; the others stand in where it was not run.
        for (const TtftMethod wanted : {TtftMethod::Subtraction, TtftMethod::Stream, TtftMethod::Loop}) {
            for (const TtftMethodResult &method : record.methods) {
                if (method.method != wanted)
                    continue;
                if (std::isfinite(method.tpotSeconds)) {
                    measured.seconds = method.tpotSeconds;
                    take(measured, model.figuresOf(method.steps));
                    measured.hostGapSeconds = kMissing; // TPOT goes by the clock that its method reads
                }
                if (std::isfinite(method.ttftSeconds))
                    measured.prefillSeconds = method.ttftSeconds;
            }
        }
        measured.prefillRepeated = true;
        points.push_back(std::move(measured));
    }
    return points;
}

std::vector<MeasuredPoint> measuredPoints(const WorkbenchModel &model)
{
    const RunRecord *run = model.currentRun();
    std::vector<MeasuredPoint> points = run ? pointsOfRun(model, *run) : std::vector<MeasuredPoint>();
    // A line's rows are of many models, and these charts are of one.
    const bool line = run && run->plan.experiment == Experiment::Line;
    if (const LivePoint *live = line ? nullptr : shownLive(model)) {
        MeasuredPoint measured;
        measured.key = PointKey{live->runId, live->index};
        measured.batch = live->batch;
        measured.prompt = live->prompt;
        measured.context = live->context;
        take(measured, stepFigures(live->steps));
        std::vector<double> seconds;
        seconds.reserve(live->steps.size());
        for (const StepSample &step : live->steps) {
            if (std::isfinite(step.seconds()))
                seconds.push_back(step.seconds());
        }
        if (!seconds.empty()) {
            const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
            std::nth_element(seconds.begin(), middle, seconds.end());
            measured.seconds = *middle;
        }
        measured.live = true;
        measured.forecast = &live->forecast;
        // A finished copy in the document is the truth: it arrives just before the live one is taken away.
        const bool finished = std::any_of(points.begin(), points.end(),
                                          [&](const MeasuredPoint &point) { return point.key == measured.key; });
        if (!finished)
            points.push_back(std::move(measured));
    }
    return points;
}

std::vector<const RunRecord *> runsOfOtherModes(const WorkbenchModel &model)
{
    std::vector<const RunRecord *> others;
    const RunRecord *current = model.currentRun();
    if (!current || current->plan.experiment != Experiment::Sweep)
        return others;
    const RunPlan &plan = current->plan;
    const std::vector<RunRecord> &runs = model.session()->runs;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        const bool sameCase = run->plan.experiment == Experiment::Sweep && run->plan.device == plan.device &&
                              run->provenance.deviceName == current->provenance.deviceName &&
                              run->plan.model == plan.model && run->plan.dtype == plan.dtype;
        const bool finished = std::any_of(run->points.begin(), run->points.end(), [](const SweepPoint &point) {
            return point.status == PointStatus::Ok && std::isfinite(point.stepSeconds);
        });
        const bool known = run->plan.mode == plan.mode ||
                           std::any_of(others.begin(), others.end(),
                                       [&](const RunRecord *other) { return other->plan.mode == run->plan.mode; });
        if (sameCase && finished && !known)
            others.push_back(&*run);
    }
    return others;
}

QString modeText(DecodeMode mode)
{
    switch (mode) {
    case DecodeMode::Eager:
        return Charts::tr("eager");
    case DecodeMode::Graph:
        return Charts::tr("graph");
    case DecodeMode::Fused:
        return Charts::tr("fused");
    }
    return {};
}

QString partText(StepPart part)
{
    switch (part) {
    case StepPart::Embed:
        return Charts::tr("embedding");
    case StepPart::Norms:
        return Charts::tr("norms");
    case StepPart::Qkv:
        return Charts::tr("q, k, v");
    case StepPart::Rope:
        return Charts::tr("rotation");
    case StepPart::Attention:
        return Charts::tr("attention");
    case StepPart::Output:
        return Charts::tr("o");
    case StepPart::GateUp:
        return Charts::tr("gate, up");
    case StepPart::Activation:
        return Charts::tr("activation");
    case StepPart::Down:
        return Charts::tr("down");
    case StepPart::Head:
        return Charts::tr("head");
    case StepPart::Pick:
        return Charts::tr("pick");
    case StepPart::Other:
        return Charts::tr("other");
    }
    return {};
}

QColor partColor(const ChartTheme &theme, StepPart part)
{
    switch (part) {
    case StepPart::Qkv:
        return theme.measured;
    case StepPart::Attention:
        return theme.compute;
    case StepPart::Output:
        return theme.imported;
    case StepPart::GateUp:
        return theme.floor;
    case StepPart::Down:
        return theme.capacity;
    case StepPart::Head:
        return theme.forecast;
    case StepPart::Norms:
    case StepPart::Rope:
    case StepPart::Activation:
        return theme.hostGap;
    case StepPart::Embed:
    case StepPart::Pick:
    case StepPart::Other:
        return theme.axis;
    }
    return theme.axis;
}

void ClockScale::add(double hz)
{
    if (!std::isfinite(hz) || hz <= 0)
        return;
    m_least = known() ? std::min(m_least, hz) : hz;
    m_greatest = m_greatest == m_greatest ? std::max(m_greatest, hz) : hz;
}

std::size_t ClockScale::bins() const
{
    return !known()                                    ? 0
           : m_greatest - m_least <= 0.01 * m_greatest ? 1
                                                       : std::tuple_size_v<decltype(ChartTheme::scale)>;
}

std::size_t ClockScale::binOf(double hz) const
{
    const std::size_t count = bins();
    if (count < 2 || !std::isfinite(hz))
        return 0;
    const double share = std::clamp((hz - m_least) / (m_greatest - m_least), 0.0, 1.0);
    return std::min(count - 1, static_cast<std::size_t>(share * static_cast<double>(count)));
}

QColor ClockScale::colorOf(const ChartTheme &theme, double hz) const
{
    if (!std::isfinite(hz) || !known())
        return theme.linear;
    return bins() < 2 ? theme.scale.back() : theme.scale[binOf(hz)];
}

void ClockScale::addLegend(const ChartTheme &theme, std::vector<LegendEntry> &legend) const
{
    const auto mhz = [](double hz) { return QString::number(hz / 1e6, 'f', 0); };
    const std::size_t count = bins();
    if (count == 1)
        legend.push_back({Charts::tr("SM clock %1 MHz").arg(mhz(m_greatest)), theme.scale.back(), Mark::Disc});
    // The ends are named and the steps between them stand in a row: five ranges would fill a small chart's legend.
    for (std::size_t i = 0; count > 1 && i < count; ++i)
        legend.push_back({i == 0           ? Charts::tr("SM clock %1").arg(mhz(m_least))
                          : i + 1 == count ? Charts::tr("%1 MHz").arg(mhz(m_greatest))
                                           : QString(),
                          theme.scale[i], Mark::Disc});
}

std::vector<std::int64_t> promptsOf(const std::vector<MeasuredPoint> &points)
{
    std::vector<std::int64_t> prompts;
    for (const MeasuredPoint &point : points) {
        if (std::find(prompts.begin(), prompts.end(), point.prompt) == prompts.end())
            prompts.push_back(point.prompt);
    }
    return prompts;
}

bool anyMeasured(const std::vector<MeasuredPoint> &points)
{
    return std::any_of(points.begin(), points.end(), [](const MeasuredPoint &point) {
        return point.status == PointStatus::Ok && std::isfinite(point.seconds);
    });
}

Prediction::Prediction(const WorkbenchModel &model) : ceilings(model.whatIf().ceilings), basis(basisOf(model.whatIf()))
{
    const WhatIf &whatIf = model.whatIf();
    if (whatIf.measured) {
        measured = measuredCeilings(whatIf.hardware, *whatIf.measured, whatIf.dtype, whatIf.shape.layers, isReplayed(whatIf.mode));
        measured->overhead = 0;
    }
    if (model.whatIf().shape.layers <= 0) {
        problem = Charts::tr("Choose a model to see its prediction.");
        return;
    }
    try {
        workload = model.workload();
        predictStep(*workload, ceilings, model.whatIf().batch, model.whatIf().context);
        if (basis == PredictionBasis::Timings)
            m_timed.emplace(*whatIf.measured->timings, *workload);
    } catch (const Error &error) {
        problem = coreText(error.what());
    }
}

std::optional<StepPrediction> Prediction::step(double batch, double context) const
{
    if (!workload || !m_timed)
        return step(ceilings, batch, context);
    try {
        return m_timed->step(ceilings, batch, context);
    } catch (const Error &) {
        return std::nullopt; // `problem` already says why
    }
}

std::optional<StepPrediction> Prediction::step(const Ceilings &other, double batch, double context) const
{
    if (!workload)
        return std::nullopt;
    try {
        return predictStep(*workload, other, batch, context);
    } catch (const Error &) {
        return std::nullopt; // `problem` already says why
    }
}

QString Prediction::name() const
{
    return basis == PredictionBasis::WhatIf ? Charts::tr("what if") : Charts::tr("forecast");
}

PredictedLine lineOverBatch(const Prediction &prediction, const WhatIf &whatIf, double last, std::optional<double> limit)
{
    PredictedLine line;
    for (int i = 0; i <= kLineSamples; ++i)
        line.at.push_back(std::pow(last, static_cast<double>(i) / kLineSamples));
    if (limit && *limit > 1 && *limit < last)
        line.at.insert(std::upper_bound(line.at.begin(), line.at.end(), *limit), *limit);
    Ceilings nominal = whatIf.nominal;
    nominal.overhead = 0;
    for (const double batch : line.at) {
        line.forecast.push_back(prediction.step(batch, whatIf.context));
        line.floorNominal.push_back(prediction.step(nominal, batch, whatIf.context));
        line.floorMeasured.push_back(
            prediction.measured ? prediction.step(*prediction.measured, batch, whatIf.context) : std::nullopt);
    }
    return line;
}

std::vector<StepPrediction> stepsOfBatches(const Prediction &prediction, const WhatIf &whatIf)
{
    std::vector<StepPrediction> steps;
    for (const double batch : predictedBatches(whatIf)) {
        if (const auto step = prediction.step(batch, whatIf.context))
            steps.push_back(*step);
    }
    return steps;
}

PredictedSteps predictedSteps(const Prediction &prediction, const WhatIf &whatIf, double batch, double context, double width)
{
    PredictedSteps steps;
    if (const auto floor = prediction.step(whatIf.nominal, batch, context)) {
        steps.floorNominal = floor->floorSeconds();
        const auto later = prediction.step(whatIf.nominal, batch, context + width);
        steps.floorRise = later ? later->floorSeconds() - steps.floorNominal : 0;
    }
    if (const auto floor = prediction.measured ? prediction.step(*prediction.measured, batch, context) : std::nullopt)
        steps.floorMeasured = floor->floorSeconds();
    const auto first = prediction.step(batch, std::max(1.0, context - width / 2));
    const auto last = prediction.step(batch, std::max(1.0, context + width / 2));
    steps.first = first ? first->stepSeconds : kMissing;
    steps.last = last ? last->stepSeconds : kMissing;
    return steps;
}

FrontierMemory frontierMemory(const WorkbenchModel &model)
{
    FrontierMemory memory;
    const WhatIf &whatIf = model.whatIf();
    memory.bytes = whatIf.ceilings.memory;
    const RunRecord *run = model.currentRun();
    if (run && run->plan.model.shape == whatIf.shape && run->plan.dtype == whatIf.dtype) {
        const double asked = memory.bytes;
        memory = frontierMemoryOf(*run);
        // A memory slider that was moved is the question; otherwise what the run could use is the better answer.
        if (whatIf.ceilings.memory != whatIf.nominal.memory || !(memory.bytes > 0))
            memory.bytes = asked;
    }
    return memory;
}

std::vector<double> frontierContexts(double last)
{
    std::vector<double> contexts;
    constexpr int samples = 48;
    const double first = 16;
    last = std::max(last, first * 2);
    for (int i = 0; i <= samples; ++i)
        contexts.push_back(std::round(first * std::pow(last / first, static_cast<double>(i) / samples)));
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    return contexts;
}

std::size_t recomputeCurves(const WorkbenchModel &model)
{
    const WhatIf &whatIf = model.whatIf();
    const Prediction prediction(model);
    if (!prediction.workload)
        return 0;
    std::size_t count = 0;
    try {
        const auto limit = capacity(*prediction.workload, whatIf.ceilings.memory, whatIf.context);
        const double largest = predictedBatches(whatIf).back();
        count += 3 * lineOverBatch(prediction, whatIf, largest * 1.5, limit).at.size();                     // throughput
        count += 2 * stepsOfBatches(prediction, whatIf).size();                   // roofline and time account
        predictPrefill(*prediction.workload, prediction.ceilings, whatIf.batch, whatIf.prompt);
        const std::vector<MeasuredPoint> measured = measuredPoints(model);        // latency
        for (const MeasuredPoint &point : measured)
            count += std::isfinite(predictedSteps(prediction, whatIf, static_cast<double>(point.batch),
                                                  std::isfinite(point.context) ? point.context : whatIf.context, 40)
                                       .first)
                         ? 5
                         : 0;
        for (const DType dtype : {DType::BF16, DType::F32})                       // line
            count += makeWorkload(whatIf.shape, dtype, whatIf.accounting).weightBytes > 0 ? 1 : 0;
        count += capacityFrontier(whatIf.shape, whatIf.dtype, frontierMemory(model), frontierContexts(131072)).size();
    } catch (const Error &) {
        return count; // values that allow no prediction
    }
    return count;
}

QPen forecastPen(const ChartTheme &theme, PredictionBasis basis)
{
    return penOf(theme.forecast, theme.lineWidth,
                 basis == PredictionBasis::WhatIf ? theme.whatIfLine : theme.forecastLine);
}

QPen floorPen(const ChartTheme &theme, bool measuredCeilings)
{
    return penOf(theme.floor, theme.lineWidth * (measuredCeilings ? 1.25 : 0.75), theme.floorLine);
}

QString forecastLegend(PredictionBasis basis)
{
    switch (basis) {
    case PredictionBasis::Timings:
        return Charts::tr("forecast (timed steps)");
    case PredictionBasis::StepOverhead:
        return Charts::tr("forecast (floor + step overhead)");
    case PredictionBasis::Datasheet:
        return Charts::tr("forecast (datasheet only)");
    case PredictionBasis::WhatIf:
        return Charts::tr("what if");
    }
    return {};
}

LegendEntry forecastEntry(const ChartTheme &theme, PredictionBasis basis, Mark mark)
{
    const QPen pen = forecastPen(theme, basis);
    LegendEntry entry{forecastLegend(basis), theme.forecast, mark, pen.style(), pen.widthF()};
    entry.brief = basis == PredictionBasis::WhatIf ? QString() : Charts::tr("forecast");
    return entry;
}

LegendEntry floorEntry(const ChartTheme &theme, bool measuredCeilings)
{
    const QPen pen = floorPen(theme, measuredCeilings);
    LegendEntry entry{measuredCeilings ? Charts::tr("floor, measured ceilings") : Charts::tr("floor, datasheet"), theme.floor,
                      Mark::None, pen.style(), pen.widthF()};
    entry.brief = measuredCeilings ? Charts::tr("floor, measured") : Charts::tr("floor, sheet");
    return entry;
}

std::vector<double> predictedBatches(const WhatIf &whatIf)
{
    std::vector<double> batches;
    for (const std::int64_t batch : whatIf.batches)
        batches.push_back(static_cast<double>(batch));
    batches.push_back(whatIf.batch);
    std::sort(batches.begin(), batches.end());
    batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
    return batches;
}

QString emptyCaption(const Prediction &prediction)
{
    return prediction.problem.isEmpty() ? Charts::tr("prediction only, nothing measured yet") : prediction.problem;
}

QString shownCaption(const WorkbenchModel &model, const Prediction &prediction, bool anyMeasured)
{
    const RunRecord *run = model.currentRun();
    const bool imported = run && run->provenance.imported;
    if (!anyMeasured || !run || (!prediction.problem.isEmpty() && !imported))
        return anyMeasured && prediction.problem.isEmpty() ? QString() : emptyCaption(prediction);
    const RunPlan &plan = run->plan;
    const QString name = nameText(plan.model.shape.name.empty() ? plan.model.shape.id : plan.model.shape.name);
    const QString device = nameText(coreText(shownDevice(*run)).toStdString());
    if (plan.experiment == Experiment::Line)
        return Charts::tr("line over models on %1").arg(device);
    const QString dtype = text(std::string(dtypeName(plan.dtype)));
    const QString shown = Charts::tr("%1 in %2 on %3").arg(name, dtype, device);
    if (!imported)
        return shown;
    // Of an import the model or the device may not be known: nothing of another passes for its own.
    const WhatIf &whatIf = model.whatIf();
    const bool roof = whatIf.nominal.bandwidth > 0;
    const bool another = (roof && whatIf.hardware.id != plan.hardwareId) ||
                         (whatIf.shape.layers > 0 && (whatIf.shape != plan.model.shape || whatIf.dtype != plan.dtype));
    const QString of = nameText(whatIf.shape.name.empty() ? whatIf.shape.id : whatIf.shape.name);
    const QString on = nameText(whatIf.hardware.name.empty() ? whatIf.hardware.id : whatIf.hardware.name);
    if (another && prediction.problem.isEmpty())
        return Charts::tr("%1; forecast of %2 in %3 on %4")
            .arg(shown, of, text(std::string(dtypeName(whatIf.dtype))), on);
    if (another && roof)
        return Charts::tr("%1; roof of %2, no forecast").arg(shown, on);
    if (prediction.problem.isEmpty())
        return shown;
    return whatIf.shape.layers <= 0 ? Charts::tr("%1; no forecast, the model is not known").arg(shown)
           : !roof                  ? Charts::tr("%1; no forecast, the device is not known").arg(shown)
                                    : Charts::tr("%1; no forecast: %2").arg(shown, prediction.problem);
}

QString predictedText(const QString &what, const StepPrediction &step)
{
    QStringList lines;
    lines << what + QStringLiteral(": b = %1, n = %2")
                        .arg(QString::number(step.batch, 'g', 6), QString::number(step.context, 'g', 7));
    lines << Charts::tr("step %1, %2")
                 .arg(text(format::seconds(step.stepSeconds)), text(format::tokensPerSecond(step.tokensPerSecond)));
    lines << Charts::tr("memory %1, compute %2, overhead %3")
                 .arg(text(format::seconds(step.memorySeconds)), text(format::seconds(step.computeSeconds)),
                      text(format::seconds(step.overheadSeconds)));
    lines << Charts::tr("%1, %2, bound by %3")
                 .arg(text(format::bytes(step.bytes)), text(format::intensity(step.intensity)),
                      step.bound == Bound::Memory ? Charts::tr("memory") : Charts::tr("compute"));
    return lines.join(QLatin1Char('\n'));
}

QString statusText(PointStatus status)
{
    switch (status) {
    case PointStatus::Ok:
        return Charts::tr("ok");
    case PointStatus::OutOfMemory:
        return Charts::tr("out of memory");
    case PointStatus::Skipped:
        return Charts::tr("skipped");
    case PointStatus::Failed:
        return Charts::tr("failed");
    }
    return {};
}

QString measuredText(const MeasuredPoint &point)
{
    QStringList lines;
    const QString where = QStringLiteral("b = %1, p = %2").arg(point.batch).arg(point.prompt);
    if (point.status != PointStatus::Ok) {
        lines << Charts::tr("%1: %2").arg(statusText(point.status), where);
        if (!point.reason.empty())
            lines << text(point.reason);
        return lines.join(QLatin1Char('\n'));
    }
    lines << (point.live ? Charts::tr("measuring: %1").arg(where) : Charts::tr("measured: %1").arg(where));
    if (std::isfinite(point.seconds)) {
        lines << Charts::tr("step %1, %2")
                     .arg(text(format::seconds(point.seconds)),
                          text(format::tokensPerSecond(static_cast<double>(point.batch) / point.seconds)));
    }
    if (point.forecast) {
        if (const auto &predicted = point.forecast->predicted; predicted && predicted->stepSeconds > 0) {
            lines << Charts::tr("forecast %1, measured / forecast %2")
                         .arg(text(format::seconds(predicted->stepSeconds)),
                              text(format::ratio(point.seconds / predicted->stepSeconds)));
        }
        const double floor = point.forecast->floorNominal.stepSeconds;
        if (floor > 0) {
            lines << Charts::tr("floor %1, ratio %2")
                         .arg(text(format::seconds(floor)), text(format::ratio(point.seconds / floor)));
        }
    }
    if (std::isfinite(point.peakBytes))
        lines << Charts::tr("peak memory %1").arg(text(format::bytes(point.peakBytes)));
    if (std::isfinite(point.hostGapSeconds))
        lines << Charts::tr("host gap %1").arg(text(format::seconds(point.hostGapSeconds)));
    if (std::isfinite(point.smClockHz))
        lines << Charts::tr("median SM clock %1 MHz").arg(point.smClockHz / 1e6, 0, 'f', 0);
    if (point.throttledSteps > 0)
        lines << Charts::tr("%n throttled step(s)", nullptr, static_cast<int>(point.throttledSteps));
    return lines.join(QLatin1Char('\n'));
}

} // namespace ridgepoint
