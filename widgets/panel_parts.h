// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "widgets/core_text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QString>

#include <string>
#include <string_view>
#include <vector>

/// Small parts that the panels share. Private to rp_panels.
namespace ridgepoint {

inline QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

/// A figure of core/base/format as it is shown: a missing one ("-") is an en dash.
QString shown(const std::string &figure);
/// A count or a context: "2,048", and "158.5" where it is no whole number.
QString shownCount(double value);

/// Text that is cut in its middle where the place is short; the whole text is the tool tip. Never widens its panel.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideMiddle, QWidget *parent = nullptr);
    void setFullText(const QString &text);
    const QString &fullText() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void elide();

    QString m_text;
    Qt::TextElideMode m_mode;
};

/// A wrapped sentence below a field: what is wrong with it, or a remark. Takes no room while it is empty. Its colour
/// follows the palette.
class NoteLabel : public QLabel {
    Q_OBJECT

public:
    enum class Tone { Remark, Fault };
    explicit NoteLabel(Tone tone, QWidget *parent = nullptr);
    void setNote(const QString &text);

protected:
    void changeEvent(QEvent *event) override;

private:
    void applyColour();

    Tone m_tone;
};

/// A combo box that never widens its panel (its list does open as wide as its entries) and that a wheel turns only when
/// it has the focus, so that scrolling a panel changes nothing by accident.
class PanelCombo : public QComboBox {
    Q_OBJECT

public:
    explicit PanelCombo(QWidget *parent = nullptr);
    /// Typing finds entries that contain the text, in the name or (`role`) in the id.
    void makeSearchable();
    void showPopup() override;

protected:
    void wheelEvent(QWheelEvent *event) override;
};

/// A number with a unit, shown with four significant digits at most and '.' as the decimal point whatever the locale (as
/// everywhere in the program); a comma is read as well. Its value() is in the first of its units; what is shown takes
/// the unit in which it reads well, and what is typed may name any of them.
class QuantitySpin : public QDoubleSpinBox {
    Q_OBJECT

public:
    /// One of the units: its name and how many of the first unit it is.
    struct Unit {
        QString name;
        double factor = 1;
    };

    explicit QuantitySpin(QWidget *parent = nullptr);
    void setUnits(std::vector<Unit> units);
    /// A count: every digit is shown.
    void setWhole();
    /// Sets the value, and the unit that suits it.
    void setQuantity(double value);
    QString textFromValue(double value) const override;
    double valueFromText(const QString &text) const override;
    QValidator::State validate(QString &text, int &position) const override;
    void fixup(QString &text) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void stepBy(int steps) override;

protected:
    void wheelEvent(QWheelEvent *event) override;

private:
    /// The number that is written in `text`, and the factor of the unit beside it.
    QString bare(const QString &text, double *factor) const;
    void adoptUnit(double value);

    std::vector<Unit> m_units;
    std::size_t m_unit = 0; ///< that is shown
    bool m_whole = false;
};

/// The parameters of a shape, as "135 M"; empty for a shape that does not hold together.
QString parametersText(const ModelShape &shape);

} // namespace ridgepoint
