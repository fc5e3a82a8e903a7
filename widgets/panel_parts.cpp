// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel_parts.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <QCoreApplication>
#include "widgets/chart_theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QEvent>
#include <QLineEdit>
#include <QStyle>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

QString shown(const std::string &figure)
{
    return figure == "-" ? QStringLiteral("\u2013") : QString::fromStdString(figure);
}

QString shownCount(double value)
{
    if (!std::isfinite(value) || value == std::round(value))
        return shown(format::count(value));
    return QString::fromStdString(format::count(std::floor(value))) +
           QString::fromStdString(format::significant(value - std::floor(value), 2)).mid(1);
}

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget *parent) : QLabel(parent), m_mode(mode)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString &text)
{
    m_text = text;
    setToolTip(text);
    elide();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("mmmm")), fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent *event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        elide();
}

void ElidedLabel::elide()
{
    setText(fontMetrics().elidedText(m_text, m_mode, width()));
}

NoteLabel::NoteLabel(Tone tone, QWidget *parent) : QLabel(parent), m_tone(tone)
{
    setTextFormat(Qt::PlainText); // sentences name files and values that others chose
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    applyColour();
    hide();
}

void NoteLabel::setNote(const QString &text)
{
    if (text != this->text()) {
        // A path has no spaces to wrap at: allow a break after each separator.
        QString wrapped = text;
        setText(wrapped.replace(QLatin1Char('/'), QStringLiteral("/\u200b")));
        setAccessibleDescription(text);
    }
    setVisible(!text.isEmpty());
}

void NoteLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ParentChange)
        applyColour();
    // The palette that setPalette() itself changes must not start it again.
    if (event->type() == QEvent::PaletteChange) {
        const ChartTheme theme = ChartTheme::forPalette(palette());
        const QColor wanted = m_tone == Tone::Fault ? theme.warning : theme.mutedText;
        if (palette().color(QPalette::WindowText) != wanted)
            applyColour();
    }
}

void NoteLabel::applyColour()
{
    const ChartTheme theme = ChartTheme::forPalette(palette());
    QPalette own;
    own.setColor(QPalette::WindowText, m_tone == Tone::Fault ? theme.warning : theme.mutedText);
    setPalette(own);
}

PanelCombo::PanelCombo(QWidget *parent) : QComboBox(parent)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
}

void PanelCombo::makeSearchable()
{
    setEditable(true);
    setInsertPolicy(QComboBox::NoInsert);
    completer()->setCompletionMode(QCompleter::PopupCompletion);
    completer()->setFilterMode(Qt::MatchContains);
    completer()->setCaseSensitivity(Qt::CaseInsensitive);
}

void PanelCombo::showPopup()
{
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    view()->setMinimumWidth(std::max(width(), view()->sizeHintForColumn(0) + bar));
    QComboBox::showPopup();
}

void PanelCombo::wheelEvent(QWheelEvent *event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

QuantitySpin::QuantitySpin(QWidget *parent) : QDoubleSpinBox(parent)
{
    setDecimals(9);
    setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    setButtonSymbols(QAbstractSpinBox::NoButtons); // the slider beside it does what they would
    // While one types, the unit stays: the text must not change under the cursor.
    connect(this, &QAbstractSpinBox::editingFinished, this, [this] { adoptUnit(value()); });
}

void QuantitySpin::setUnits(std::vector<Unit> units)
{
    m_units = std::move(units);
    m_unit = 0;
    setSuffix(m_units.empty() ? QString() : QLatin1Char(' ') + m_units.front().name);
}

void QuantitySpin::setWhole()
{
    m_whole = true;
}

void QuantitySpin::setQuantity(double value)
{
    adoptUnit(value);
    setValue(value);
}

/// The first unit where nothing is to be shown, else the largest that leaves at least one before the point.
void QuantitySpin::adoptUnit(double value)
{
    std::size_t best = 0;
    for (std::size_t i = 0; i < m_units.size() && value != 0; ++i) {
        const bool reads = std::abs(value) >= m_units[i].factor, bestReads = std::abs(value) >= m_units[best].factor;
        if (reads ? !bestReads || m_units[i].factor > m_units[best].factor
                  : !bestReads && m_units[i].factor < m_units[best].factor)
            best = i;
    }
    if (best == m_unit || m_units.empty())
        return;
    m_unit = best;
    setSuffix(QLatin1Char(' ') + m_units[best].name);
}

QString QuantitySpin::textFromValue(double value) const
{
    const double number = m_units.empty() ? value : value / m_units[m_unit].factor;
    QString text = QString::fromStdString(format::significant(number, m_whole ? 7 : 4));
    if (text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('e'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text;
}

QString QuantitySpin::bare(const QString &text, double *factor) const
{
    QString number = text.trimmed();
    *factor = m_units.empty() ? 1 : m_units[m_unit].factor;
    // Twice: a unit may have been typed before the one that stands there.
    for (int pass = 0; pass < 2; ++pass) {
        const Unit *found = nullptr;
        for (const Unit &unit : m_units) {
            if (number.endsWith(unit.name) && (!found || unit.name.size() > found->name.size()))
                found = &unit;
        }
        if (!found)
            break;
        number = number.chopped(found->name.size()).trimmed();
        *factor = found->factor;
    }
    return number.replace(QLatin1Char(','), QLatin1Char('.'));
}

double QuantitySpin::valueFromText(const QString &text) const
{
    // The text that was not touched stands for the value itself, not for its rounded digits.
    if (text.trimmed() == QString(textFromValue(value()) + suffix()).trimmed())
        return value();
    bool read = false;
    double factor = 1;
    const double number = bare(text, &factor).toDouble(&read);
    return read ? number * factor : value();
}

QValidator::State QuantitySpin::validate(QString &text, int &) const
{
    double factor = 1;
    const QString number = bare(text, &factor);
    if (number.isEmpty())
        return QValidator::Intermediate;
    for (const QChar c : number) {
        if (!c.isDigit() && !QStringLiteral(".eE+-").contains(c)) {
            // The beginning of a unit that is being typed is no fault yet.
            const QString tail = number.mid(number.indexOf(c)).trimmed();
            const bool begun = std::any_of(m_units.begin(), m_units.end(),
                                           [&tail](const Unit &unit) { return unit.name.startsWith(tail); });
            return begun || c.isSpace() ? QValidator::Intermediate : QValidator::Invalid;
        }
    }
    bool read = false;
    const double value = number.toDouble(&read) * factor;
    if (!read || !std::isfinite(value))
        return QValidator::Intermediate;
    return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

void QuantitySpin::fixup(QString &text) const
{
    bool read = false;
    double factor = 1;
    const double number = bare(text, &factor).toDouble(&read) * factor;
    text = textFromValue(read && std::isfinite(number) ? std::clamp(number, minimum(), maximum()) : value()) + suffix();
}

QSize QuantitySpin::sizeHint() const
{
    // As wide as any figure that it shows: four digits, a point and the widest unit; all the digits of a count.
    int text = fontMetrics().horizontalAdvance(m_whole ? QStringLiteral("0000000") : QStringLiteral("0000.0"));
    int unit = 0;
    for (const Unit &one : m_units)
        unit = std::max(unit, fontMetrics().horizontalAdvance(QLatin1Char(' ') + one.name));
    text += unit;
    return {text + 2 * style()->pixelMetric(QStyle::PM_DefaultFrameWidth) + 8, QDoubleSpinBox::sizeHint().height()};
}

QSize QuantitySpin::minimumSizeHint() const
{
    return sizeHint();
}

void QuantitySpin::stepBy(int steps)
{
    QDoubleSpinBox::stepBy(steps);
    adoptUnit(value());
}

void QuantitySpin::wheelEvent(QWheelEvent *event)
{
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

QString parametersText(const ModelShape &shape)
{
    try {
        const double total = countParameters(shape).total;
        return total >= 1e9 ? QStringLiteral("%1 B").arg(QString::fromStdString(format::significant(total / 1e9, 3)))
                            : QStringLiteral("%1 M").arg(QString::fromStdString(format::significant(total / 1e6, 3)));
    } catch (const Error &) {
        return {};
    }
}

} // namespace ridgepoint
