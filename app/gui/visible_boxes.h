// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace ridgepoint {

/// The platform's style with boxes to tick that are seen on a dark window: styles draw their frame darker than it.
class VisibleBoxes : public QProxyStyle {
public:
    using QProxyStyle::QProxyStyle;
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
};

} // namespace ridgepoint
