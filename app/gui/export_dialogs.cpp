// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export_dialogs.h"

#include "app/gui/report_pdf.h"
#include "core/base/error.h"
#include "core/session/line.h"
#include "core/session/report.h"
#include "core/session/tables.h"
#include "widgets/core_text.h"
#include "widgets/chart_view.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace ridgepoint {

ChartExportDialog::ChartExportDialog(const QVector<ChartView *> &charts, const ChartExport &proposed,
                                     const Prompts &prompts, QWidget *parent)
    : QDialog(parent), m_prompts(prompts)
{
    setWindowTitle(tr("Export chart"));
    auto *form = new QFormLayout;
    m_chart = new QComboBox(this);
    for (ChartView *view : charts)
        m_chart->addItem(view->title(), view->id());
    m_chart->setCurrentIndex(qMax(0, m_chart->findData(proposed.chart)));
    m_format = new QComboBox(this);
    m_format->addItem(tr("PNG (pixels)"), QStringLiteral("png"));
    m_format->addItem(tr("SVG (vectors)"), QStringLiteral("svg"));
    m_format->addItem(tr("PDF (vectors)"), QStringLiteral("pdf"));
    m_format->setCurrentIndex(qMax(0, m_format->findData(QFileInfo(proposed.path).suffix().toLower())));
    const auto pixels = [this](int value, const QString &name) {
        auto *box = new QSpinBox(this);
        box->setRange(100, 10000);
        box->setSingleStep(10);
        box->setSuffix(tr(" px"));
        box->setValue(value);
        box->setAccessibleName(name);
        return box;
    };
    m_width = pixels(proposed.size.width(), tr("Width"));
    m_height = pixels(proposed.size.height(), tr("Height"));
    m_scale = new QDoubleSpinBox(this);
    m_scale->setRange(0.5, 8);
    m_scale->setSingleStep(0.5);
    m_scale->setDecimals(1);
    m_scale->setPrefix(QStringLiteral("× "));
    m_scale->setValue(proposed.scale);
    m_path = new QLineEdit(QDir::toNativeSeparators(proposed.path), this);
    m_path->setMinimumWidth(360);
    auto *browseButton = new QPushButton(tr("Browse…"), this);
    auto *pathLine = new QHBoxLayout;
    pathLine->addWidget(m_path, 1);
    pathLine->addWidget(browseButton);
    m_result = new QLabel(this);

    form->addRow(tr("&Chart:"), m_chart);
    form->addRow(tr("&Format:"), m_format);
    form->addRow(tr("&Width:"), m_width);
    form->addRow(tr("&Height:"), m_height);
    form->addRow(tr("&Scale:"), m_scale);
    form->addRow(QString(), m_result);
    form->addRow(tr("F&ile:"), pathLine);
    if (auto *label = qobject_cast<QLabel *>(form->labelForField(pathLine)))
        label->setBuddy(m_path);
    m_chart->setAccessibleName(tr("Chart"));
    m_format->setAccessibleName(tr("Format"));
    m_scale->setAccessibleName(tr("Scale"));
    m_path->setAccessibleName(tr("File"));
    m_path->setObjectName(QStringLiteral("exportPath"));

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    m_export = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    auto *column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::accepted, this, &ChartExportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(browseButton, &QPushButton::clicked, this, &ChartExportDialog::browse);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ChartExportDialog::followFormat);
    connect(m_chart, &QComboBox::currentIndexChanged, this, [this, old = m_chart->currentData().toString()]() mutable {
        // A name that was proposed follows the chart; one that was typed stays.
        const QFileInfo info(m_path->text());
        const QString now = m_chart->currentData().toString();
        if (info.completeBaseName() == old)
            m_path->setText(
                QDir::toNativeSeparators(info.path() + QLatin1Char('/') + now + QLatin1Char('.') + info.suffix()));
        old = now;
    });
    connect(m_width, &QSpinBox::valueChanged, this, &ChartExportDialog::follow);
    connect(m_height, &QSpinBox::valueChanged, this, &ChartExportDialog::follow);
    connect(m_scale, &QDoubleSpinBox::valueChanged, this, &ChartExportDialog::follow);
    connect(m_path, &QLineEdit::textChanged, this, &ChartExportDialog::follow);
    follow();
}

ChartExport ChartExportDialog::request() const
{
    ChartExport wanted;
    wanted.chart = m_chart->currentData().toString();
    wanted.size = QSize(m_width->value(), m_height->value());
    wanted.scale = m_scale->value();
    wanted.path = QDir::fromNativeSeparators(m_path->text().trimmed());
    const QString format = m_format->currentData().toString();
    if (QFileInfo(wanted.path).suffix().compare(format, Qt::CaseInsensitive) != 0)
        wanted.path += QLatin1Char('.') + format;
    return wanted;
}

void ChartExportDialog::follow()
{
    const bool png = m_format->currentData().toString() == QLatin1String("png");
    m_scale->setEnabled(png);
    m_result->setText(png ? tr("%1 × %2 pixels in the file")
                                .arg(qRound(m_width->value() * m_scale->value()))
                                .arg(qRound(m_height->value() * m_scale->value()))
                          : tr("Vectors: sharp at any size"));
    m_export->setEnabled(!m_path->text().trimmed().isEmpty());
}

void ChartExportDialog::followFormat()
{
    const QFileInfo info(QDir::fromNativeSeparators(m_path->text().trimmed()));
    static const QStringList known{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")};
    if (known.contains(info.suffix().toLower())) {
        const QString text = info.filePath();
        m_path->setText(QDir::toNativeSeparators(text.left(text.size() - info.suffix().size()) +
                                                 m_format->currentData().toString()));
    }
    follow();
}

void ChartExportDialog::browse()
{
    const QString format = m_format->currentData().toString();
    const QString path =
        m_prompts.saveFile(this, windowTitle(), request().path, tr("%1 files (*.%2)").arg(format.toUpper(), format));
    if (path.isEmpty())
        return;
    m_path->setText(QDir::toNativeSeparators(path));
    m_agreed = request().path == path ? path : QString();
}

void ChartExportDialog::accept()
{
    const QString path = request().path;
    if (path != m_agreed && QFileInfo::exists(path) &&
        !m_prompts.confirm(this, tr("%1 exists. Replace it?").arg(QDir::toNativeSeparators(path)), tr("Replace")))
        return;
    QDialog::accept();
}

QStringList exportReport(const Session &session, const QString &folder, const QSize &size, double scale,
                         const ChartTheme &theme, const Catalog *catalog, const std::vector<ReportFormat> &formats)
{
    if (!QDir().mkpath(folder))
        throw Error(ErrorKind::Failure,
                    ChartExportDialog::tr("The folder %1 could not be made. Choose a place that you may write to.")
                        .arg(QDir::toNativeSeparators(folder))
                        .toStdString());
    std::vector<ReportPicture> pictures;
    QStringList files;
    for (const auto &[fileName, caption] : renderSessionCharts(session, folder, size, scale, theme)) {
        pictures.push_back({fileName.toStdString(), caption.toStdString()});
        files << folder + QLatin1Char('/') + fileName;
    }
    for (const std::filesystem::path &path : writeReport(session, folder.toStdString(), pictures, catalog, formats, reportTranslation()))
        files << QString::fromStdString(path.string());
    if (std::find(formats.begin(), formats.end(), ReportFormat::Pdf) != formats.end())
        files << writeReportPdf(session, folder, pictures, catalog, reportTranslation());
    return files;
}

QString tabbed(const TextTable &table)
{
    QString text;
    const auto line = [&text](const std::vector<std::string> &cells) {
        QStringList parts;
        for (const std::string &cell : cells)
            parts << QString::fromStdString(cell).simplified(); // neither tabs nor line ends of its own
        text += parts.join(QLatin1Char('\t')) + QLatin1Char('\n');
    };
    line(table.header);
    for (const auto &row : table.rows)
        line(row);
    return text;
}

std::string tableCsv(const Session &session, const QString &which)
{
    if (which == QLatin1String("sweep"))
        return sweepCsv(session.runs);
    if (which == QLatin1String("steps"))
        return stepsCsv(session.runs);
    if (which == QLatin1String("ttft"))
        return ttftCsv(session.runs);
    if (which == QLatin1String("calibration"))
        return calibrationCsv(session.runs);
    if (which == QLatin1String("line"))
        return lineCsv(session.runs);
    if (which == QLatin1String("anatomy"))
        return anatomyCsv(session.runs);
    throw Error(ErrorKind::Usage, "There is no table named \"" + which.toStdString() +
                                      "\": choose sweep, steps, ttft, line, anatomy or calibration.");
}

} // namespace ridgepoint
