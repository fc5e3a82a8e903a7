// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/prompts.h"
#include "core/catalog/catalog.h"
#include "core/session/report.h"
#include "core/session/session.h"
#include "core/session/tables.h"
#include "widgets/chart_theme.h"

#include <QDialog>
#include <QSize>
#include <QVector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace ridgepoint {

class ChartView;

/// What to write of one chart, and where.
struct ChartExport {
    QString chart; ///< id
    QString path;  ///< its suffix says the format: png, svg, pdf
    QSize size;    ///< logical pixels
    double scale = 1;
};

/// Asks which chart to export, in which format and size, and where to.
class ChartExportDialog : public QDialog {
    Q_OBJECT

public:
    ChartExportDialog(const QVector<ChartView *> &charts, const ChartExport &proposed, const Prompts &prompts,
                      QWidget *parent = nullptr);
    ChartExport request() const;
    void accept() override; ///< asks before an existing file is replaced

private:
    void browse();
    void followFormat();
    void follow();

    const Prompts &m_prompts;
    QComboBox *m_chart = nullptr;
    QComboBox *m_format = nullptr;
    QSpinBox *m_width = nullptr;
    QSpinBox *m_height = nullptr;
    QDoubleSpinBox *m_scale = nullptr;
    QLineEdit *m_path = nullptr;
    QLabel *m_result = nullptr;
    QPushButton *m_export = nullptr;
    QString m_agreed; ///< a path whose overwriting the file dialog already asked about
};

/// Writes every chart, every table, the session and its report in `formats` into `folder` (created). Returns the files
/// written. `catalog`: as reportMarkdown() takes it. Throws Error.
QStringList exportReport(const Session &session, const QString &folder, const QSize &size, double scale,
                         const ChartTheme &theme, const Catalog *catalog = nullptr,
                         const std::vector<ReportFormat> &formats = {ReportFormat::Markdown});

/// A line a row and a tab between cells, as spreadsheets take it.
QString tabbed(const TextTable &table);

/// A record table as CSV; `which` as RecordTables names it: "sweep", "steps", "ttft", "line", "anatomy", "calibration".
std::string tableCsv(const Session &session, const QString &which);

} // namespace ridgepoint
