// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/visible_boxes.h"

#include <QPainter>
#include <QStyleOption>

namespace ridgepoint {

void VisibleBoxes::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    const bool box = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck || element == PE_IndicatorRadioButton;
    if (!box || option->palette.color(QPalette::Window).lightness() > 127)
        return;
    const bool enabled = option->state & State_Enabled;
    painter->save();
    painter->setPen(option->palette.color(enabled ? QPalette::Active : QPalette::Disabled, enabled ? QPalette::PlaceholderText : QPalette::Text));
    painter->setBrush(Qt::NoBrush);
    if (element == PE_IndicatorRadioButton) {
        painter->setRenderHint(QPainter::Antialiasing, true);
        painter->drawEllipse(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
    } else {
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

} // namespace ridgepoint
