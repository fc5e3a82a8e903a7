// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include <array>

namespace ridgepoint {

/// One visual language for every chart: the same meaning has the same colour and mark everywhere, safe for the
/// colour-blind (after Okabe and Ito), with enough contrast on both backgrounds.
struct ChartTheme {
    bool dark = false;
    QColor background, panel, text, mutedText, grid, axis, selection;
    QColor measured;  ///< filled circles, solid lines
    QColor forecast;  ///< solid line, open diamonds: never looks measured
    QColor floor;     ///< dashed line
    QColor imported;  ///< squares: what stands beside the run that is looked at
    QColor nominalRoof, measuredRoof;
    QColor linear;    ///< grey dashes
    QColor capacity;  ///< the limit of memory
    QColor warning;   ///< outliers, oom, skipped
    QColor compute, memory, overhead; ///< bars of the time account
    QColor hostGap;   ///< the part of a step by wall clock in which the device did not run: measured, paler
    QColor throttled; ///< the mark of throttled steps and points
    /// Five steps from the lowest to the highest clock: orange over grey to violet, which the colour-blind tell apart.
    std::array<QColor, 5> scale;
    QFont font, titleFont;
    double lineWidth = 1.6;
    // What a line's dashes mean, on every chart: the colours above say it too, but not to everyone.
    Qt::PenStyle forecastLine = Qt::SolidLine;    ///< as is what was measured, which also has discs
    Qt::PenStyle whatIfLine = Qt::DotLine;        ///< a forecast of values that were moved by hand
    Qt::PenStyle floorLine = Qt::DashLine;        ///< thin at the datasheet's ceilings, thicker at the measured ones
    Qt::PenStyle importedLine = Qt::DashDotLine;  ///< what stands beside the run that is looked at
    double pointSize = 7;

    static ChartTheme light();
    static ChartTheme darkTheme();
    /// The theme that fits a palette (its window colour decides).
    static ChartTheme forPalette(const QPalette &palette);
    /// The same with lines and points that are seen from the back of a room; the type follows the application's font.
    ChartTheme forPresenter() const;
};

/// Application palettes for light and dark; both leave the platform's style alone.
QPalette lightPalette();
QPalette darkPalette();

} // namespace ridgepoint
