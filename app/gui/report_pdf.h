// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/report.h"

#include <QFontMetricsF>
#include <QString>

namespace ridgepoint {

/// Writes the report as report.pdf into `folder`, where its pictures must lie: A4 across, contents with page numbers, each run on a
/// page of its own, no heading at the foot of a page. Needs a QGuiApplication. The same session, fonts and Qt give the same bytes
/// where QHash has a fixed seed, as in the program: the date within is the session's. Returns the file's path. Throws Error (Failure).
QString writeReportPdf(const Session &session, const QString &folder, const std::vector<ReportPicture> &pictures,
                       const Catalog *catalog = nullptr, const ReportTranslation &translate = {});

/// The title at the foot of a page `width` wide: cut so that it ends before the page's number, which stands whole at the right edge.
QString reportFootTitle(const QString &title, const QString &number, const QFontMetricsF &metrics, double width);

} // namespace ridgepoint
