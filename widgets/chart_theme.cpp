// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_theme.h"

#include <QGuiApplication>

#include <algorithm>

namespace ridgepoint {

namespace {

void setFonts(ChartTheme &theme)
{
    theme.font = QGuiApplication::font();
    // Charts are dense: a little smaller than the interface, never below what can be read.
    if (theme.font.pointSizeF() > 0)
        theme.font.setPointSizeF(std::max(7.5, theme.font.pointSizeF() * 0.9));
    theme.titleFont = theme.font;
    theme.titleFont.setBold(true);
}

} // namespace

// The hues are those of Okabe and Ito, darkened (light) or lightened (dark) until marks stand 3:1 and text 4.5:1 from
// the background. A test holds the figures.

ChartTheme ChartTheme::light()
{
    ChartTheme theme;
    theme.dark = false;
    theme.background = QColor(0xff, 0xff, 0xff);
    theme.panel = QColor(0xf6, 0xf7, 0xf9);
    theme.text = QColor(0x1b, 0x1f, 0x24);
    theme.mutedText = QColor(0x57, 0x60, 0x6a);
    theme.grid = QColor(0xe6, 0xe9, 0xed);
    theme.axis = QColor(0x6e, 0x77, 0x81);
    theme.selection = QColor(0x1b, 0x1f, 0x24);
    theme.measured = QColor(0x00, 0x72, 0xb2);
    theme.forecast = QColor(0xb8, 0x6a, 0x00);
    theme.floor = QColor(0x00, 0x85, 0x62);
    theme.imported = QColor(0x7b, 0x4f, 0xb5);
    theme.nominalRoof = QColor(0x6e, 0x77, 0x81);
    theme.measuredRoof = QColor(0x1b, 0x1f, 0x24);
    theme.linear = QColor(0x85, 0x8e, 0x99);
    theme.capacity = QColor(0xa0, 0x44, 0x7e);
    theme.warning = QColor(0xc4, 0x12, 0x3f);
    theme.compute = QColor(0xd5, 0x5e, 0x00);
    theme.memory = QColor(0x00, 0x85, 0x62);
    theme.overhead = QColor(0x85, 0x8e, 0x99);
    theme.hostGap = QColor(0x4a, 0x8f, 0xc0);
    theme.throttled = QColor(0xc2, 0x18, 0x8f);
    theme.scale = {QColor(0xb3, 0x4a, 0x00), QColor(0xb8, 0x77, 0x2a), QColor(0x7d, 0x7d, 0x7d),
                   QColor(0x6f, 0x5f, 0xb0), QColor(0x3f, 0x12, 0x8f)};
    setFonts(theme);
    return theme;
}

ChartTheme ChartTheme::darkTheme()
{
    ChartTheme theme;
    theme.dark = true;
    theme.background = QColor(0x14, 0x17, 0x1c);
    theme.panel = QColor(0x1b, 0x1f, 0x26);
    theme.text = QColor(0xe6, 0xea, 0xf0);
    theme.mutedText = QColor(0x9a, 0xa4, 0xb2);
    theme.grid = QColor(0x2a, 0x30, 0x3a);
    theme.axis = QColor(0x76, 0x81, 0x91);
    theme.selection = QColor(0xff, 0xff, 0xff);
    theme.measured = QColor(0x56, 0xb4, 0xe9);
    theme.forecast = QColor(0xf0, 0xa8, 0x30);
    theme.floor = QColor(0x2c, 0xc2, 0x95);
    theme.imported = QColor(0xb7, 0x9a, 0xe8);
    theme.nominalRoof = QColor(0x8b, 0x95, 0xa5);
    theme.measuredRoof = QColor(0xe6, 0xea, 0xf0);
    theme.linear = QColor(0x7c, 0x86, 0x96);
    theme.capacity = QColor(0xd9, 0x8c, 0xb3);
    theme.warning = QColor(0xff, 0x6b, 0x81);
    theme.compute = QColor(0xf0, 0x7c, 0x3a);
    theme.memory = QColor(0x2c, 0xc2, 0x95);
    theme.overhead = QColor(0x8b, 0x95, 0xa5);
    theme.hostGap = QColor(0x2f, 0x86, 0xbd);
    theme.throttled = QColor(0xff, 0x7a, 0xd9);
    theme.scale = {QColor(0xff, 0x9a, 0x3d), QColor(0xd9, 0xae, 0x78), QColor(0xb4, 0xb4, 0xb4),
                   QColor(0xa8, 0x9d, 0xdc), QColor(0x8a, 0x74, 0xf0)};
    setFonts(theme);
    return theme;
}

ChartTheme ChartTheme::forPalette(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightnessF() < 0.5 ? darkTheme() : light();
}

ChartTheme ChartTheme::forPresenter() const
{
    ChartTheme theme = *this;
    theme.lineWidth *= 1.8;
    theme.pointSize *= 1.4;
    return theme;
}

QPalette lightPalette()
{
    QPalette palette(QColor(0xef, 0xf1, 0xf4), QColor(0xf6, 0xf7, 0xf9));
    const QColor text(0x1b, 0x1f, 0x24);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, text);
    palette.setColor(QPalette::Base, Qt::white);
    palette.setColor(QPalette::AlternateBase, QColor(0xf3, 0xf5, 0xf8));
    palette.setColor(QPalette::ToolTipBase, Qt::white);
    palette.setColor(QPalette::Highlight, QColor(0x00, 0x66, 0xa1));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor(0x00, 0x5f, 0x9e));
    palette.setColor(QPalette::LinkVisited, QColor(0x6a, 0x3d, 0xa8));
    palette.setColor(QPalette::PlaceholderText, QColor(0x6a, 0x73, 0x7d));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(0x8c, 0x95, 0x9f));
    return palette;
}

QPalette darkPalette()
{
    QPalette palette(QColor(0x2a, 0x30, 0x3a), QColor(0x1b, 0x1f, 0x26));
    const QColor text(0xe6, 0xea, 0xf0);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, text);
    palette.setColor(QPalette::BrightText, QColor(0xff, 0x6b, 0x81));
    palette.setColor(QPalette::Base, QColor(0x14, 0x17, 0x1c));
    palette.setColor(QPalette::AlternateBase, QColor(0x1a, 0x1e, 0x25));
    palette.setColor(QPalette::ToolTipBase, QColor(0x2a, 0x30, 0x3a));
    palette.setColor(QPalette::Highlight, QColor(0x27, 0x6c, 0xa0));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor(0x6c, 0xbd, 0xee));
    palette.setColor(QPalette::LinkVisited, QColor(0xb7, 0x9a, 0xe8));
    palette.setColor(QPalette::PlaceholderText, QColor(0x8b, 0x95, 0xa5));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor(0x6b, 0x76, 0x86));
    return palette;
}

} // namespace ridgepoint
