// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel_parts.h"

#include "core/base/error.h"
#include "core/base/format.h"
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
}

QString QuantitySpin::textFromValue(double value) const
{
    QString text = QString::fromStdString(format::significant(value, 6));
    if (text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('e'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text;
}

QString QuantitySpin::bare(const QString &text) const
{
    QString number = text;
    if (!suffix().isEmpty() && number.endsWith(suffix()))
        number.chop(suffix().size());
    else if (const QString unit = suffix().trimmed(); !unit.isEmpty() && number.trimmed().endsWith(unit))
        number = number.trimmed().chopped(unit.size());
    return number.trimmed().replace(QLatin1Char(','), QLatin1Char('.'));
}

double QuantitySpin::valueFromText(const QString &text) const
{
    bool read = false;
    const double value = bare(text).toDouble(&read);
    return read ? value : this->value();
}

QValidator::State QuantitySpin::validate(QString &text, int &) const
{
    const QString number = bare(text);
    if (number.isEmpty())
        return QValidator::Intermediate;
    for (const QChar c : number) {
        if (!c.isDigit() && !QStringLiteral(".eE+-").contains(c))
            return QValidator::Invalid;
    }
    bool read = false;
    const double value = number.toDouble(&read);
    if (!read || !std::isfinite(value))
        return QValidator::Intermediate;
    return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

void QuantitySpin::fixup(QString &text) const
{
    bool read = false;
    const double value = bare(text).toDouble(&read);
    text = textFromValue(read && std::isfinite(value) ? std::clamp(value, minimum(), maximum()) : this->value()) +
           suffix();
}

QSize QuantitySpin::sizeHint() const
{
    // As wide as a usual figure with its unit, not as the widest that the range allows.
    const int text = fontMetrics().horizontalAdvance(QStringLiteral("0000.0") + suffix());
    return {text + 2 * style()->pixelMetric(QStyle::PM_DefaultFrameWidth) + 8, QDoubleSpinBox::sizeHint().height()};
}

QSize QuantitySpin::minimumSizeHint() const
{
    return sizeHint();
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
