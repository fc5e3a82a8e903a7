// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/column_dialog.h"

#include "widgets/core_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace ridgepoint {

namespace {

constexpr std::size_t kShownRows = 8;
constexpr std::size_t kTriedBytes = 4'000'000; ///< of a long table: enough to tell, and soon told
const QString kOneNumber = QStringLiteral("\n"); ///< data of the entry that stands for a number typed beside it; no column's name

QString qs(const std::string &text)
{
    return QString::fromStdString(text);
}

} // namespace

ColumnDialog::ColumnDialog(ColumnQuestion question, QWidget *parent)
    : QDialog(parent), m_question(std::move(question)), m_preview(previewCsv(m_question.text, kShownRows))
{
    setObjectName(QStringLiteral("columnDialog"));
    setWindowTitle(tr("Import table"));
    resize(760, 620);
    auto *about = new QLabel(tr("The columns of %1 are not known by their names. Say what they hold; these are its first rows.")
                                 .arg(QFileInfo(m_question.path).fileName()),
                             this);
    about->setWordWrap(true);
    about->setTextFormat(Qt::PlainText);
    m_rows = new QTableWidget(int(m_preview.rows.size()), int(m_preview.header.size()), this);
    m_rows->setObjectName(QStringLiteral("columnRows"));
    m_rows->setAccessibleName(tr("First rows of the file"));
    m_rows->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_rows->setTabKeyNavigation(false);
    m_rows->verticalHeader()->hide();
    for (int column = 0; column < m_rows->columnCount(); ++column) {
        m_rows->setHorizontalHeaderItem(column, new QTableWidgetItem(qs(m_preview.header[std::size_t(column)])));
        for (int row = 0; row < m_rows->rowCount(); ++row) {
            const auto &cells = m_preview.rows[std::size_t(row)];
            m_rows->setItem(row, column, new QTableWidgetItem(std::size_t(column) < cells.size() ? qs(cells[std::size_t(column)]) : QString()));
        }
    }
    m_rows->resizeColumnsToContents();
    m_rows->setMinimumHeight(120);

    const auto number = [this](const char *name, const QString &accessible, int least, int most) {
        auto *box = new QSpinBox(this);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(accessible);
        box->setRange(least, most);
        return box;
    };
    const auto choice = [this](const char *name, const QString &accessible, std::initializer_list<std::pair<QString, const char *>> entries) {
        auto *box = new QComboBox(this);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(accessible);
        for (const auto &[shown, data] : entries)
            box->addItem(shown, QLatin1String(data));
        return box;
    };
    m_batch = columnBox("columnBatch", tr("Column of the batch"), tr("choose a column"));
    m_batch->addItem(tr("one number for all rows"), kOneNumber);
    m_batchValue = number("columnBatchValue", tr("Batch of all rows"), 1, 1'000'000);
    m_prompt = columnBox("columnPrompt", tr("Column of the prompt or context"), tr("choose a column"));
    m_prompt->addItem(tr("one number for all rows"), kOneNumber);
    m_promptValue = number("columnPromptValue", tr("Prompt of all rows, in tokens"), 1, 10'000'000);
    m_promptValue->setValue(128);
    m_promptIs = choice("columnPromptIs", tr("What that column holds"), {{tr("tokens of the prompt"), "prompt"}, {tr("tokens of context, mean of the steps"), "context"}});
    m_time = columnBox("columnTime", tr("Column of the time a step"), tr("choose a column"));
    m_timeUnit = choice("columnTimeUnit", tr("Unit of the time a step"),
                        {{tr("ms a step"), "tpot_ms"}, {tr("s a step"), "tpot_s"}, {tr("µs a step"), "tpot_us"}, {tr("tok/s of all sequences"), "tokens_per_s"}});
    m_peak = columnBox("columnPeak", tr("Column of the peak memory"), tr("none"));
    m_peakUnit = choice("columnPeakUnit", tr("Unit of the peak memory"),
                        {{tr("bytes"), "peak_bytes"}, {tr("GB"), "peak_gb"}, {tr("GiB"), "peak_gib"}, {tr("MB"), "peak_mb"}, {tr("MiB"), "peak_mib"}});
    m_model = new QComboBox(this);
    m_model->setObjectName(QStringLiteral("columnModel"));
    m_model->setAccessibleName(tr("Model"));
    m_model->addItem(tr("as the file says, else not known"), QString());
    for (const ModelShape &shape : m_question.catalog->models())
        m_model->addItem(qs(shape.name.empty() ? shape.id : shape.name), qs(shape.id));
    m_device = new QComboBox(this);
    m_device->setObjectName(QStringLiteral("columnDevice"));
    m_device->setAccessibleName(tr("Device"));
    m_device->addItem(tr("as the file says, else not known"), QString());
    for (const HardwareProfile &hardware : m_question.catalog->hardware())
        m_device->addItem(qs(hardware.name.empty() ? hardware.id : hardware.name), qs(hardware.id));
    m_dtype = choice("columnDtype", tr("Number format"),
                     {{tr("as the file says, else fp16"), ""}, {QStringLiteral("fp32"), "fp32"}, {QStringLiteral("fp16"), "fp16"}, {QStringLiteral("bf16"), "bf16"}});
    for (QComboBox *box : {m_model, m_device}) {
        box->setToolTip(tr("With model and device the floor is drawn beside the points"));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(28);
    }

    auto *form = new QFormLayout;
    const auto line = [&](const QString &label, QWidget *first, std::initializer_list<QWidget *> further) {
        auto *cells = new QHBoxLayout;
        cells->addWidget(first, 1);
        for (QWidget *each : further)
            cells->addWidget(each);
        form->addRow(label, cells);
        if (auto *named = qobject_cast<QLabel *>(form->labelForField(cells)))
            named->setBuddy(first);
    };
    line(tr("&Batch:"), m_batch, {m_batchValue});
    line(tr("&Prompt or context:"), m_prompt, {m_promptIs, m_promptValue});
    line(tr("&Time a step (TPOT):"), m_time, {m_timeUnit});
    line(tr("Peak &memory:"), m_peak, {m_peakUnit});
    line(tr("M&odel:"), m_model, {});
    line(tr("&Device:"), m_device, {});
    line(tr("&Number format:"), m_dtype, {});
    m_said = new QLabel(this);
    m_said->setObjectName(QStringLiteral("columnSaid"));
    m_said->setAccessibleName(tr("What would be imported"));
    m_said->setWordWrap(true);
    m_said->setTextFormat(Qt::PlainText);
    m_said->setMinimumHeight(m_said->fontMetrics().lineSpacing() * 3); // the dialog keeps its size while it is filled in
    m_said->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    m_import = buttons->addButton(tr("Import"), QDialogButtonBox::AcceptRole);
    m_import->setObjectName(QStringLiteral("columnImport"));
    auto *column = new QVBoxLayout(this);
    column->addWidget(about);
    column->addWidget(m_rows, 1);
    column->addLayout(form);
    column->addWidget(m_said);
    column->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::accepted, this, &ColumnDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    guess();
    m_later.setSingleShot(true);
    m_later.setInterval(150);
    connect(&m_later, &QTimer::timeout, this, &ColumnDialog::follow);
    for (QComboBox *box : findChildren<QComboBox *>())
        connect(box, &QComboBox::currentIndexChanged, this, &ColumnDialog::follow);
    for (QSpinBox *box : findChildren<QSpinBox *>())
        connect(box, &QSpinBox::valueChanged, &m_later, qOverload<>(&QTimer::start));
    follow();
    m_batch->setFocus();
}

QComboBox *ColumnDialog::columnBox(const char *name, const QString &accessible, const QString &first)
{
    auto *box = new QComboBox(this);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(accessible);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(16);
    box->addItem(first, QString());
    std::set<std::string> named; // columns are told by name: of two alike the first is taken
    for (const std::string &head : m_preview.header)
        if (!head.empty() && named.insert(head).second)
            box->addItem(qs(head), qs(head));
    return box;
}

/// Those heads that are known stand chosen already.
void ColumnDialog::guess()
{
    const auto choose = [this](QComboBox *columns, QComboBox *what, std::initializer_list<const char *> roles) {
        for (const char *role : roles) {
            for (const ImportColumn &known : importColumns()) {
                if (known.what != role)
                    continue;
                for (const std::string &head : m_preview.header) {
                    if (std::find(known.headers.begin(), known.headers.end(), qs(head).toLower().toStdString()) == known.headers.end())
                        continue;
                    columns->setCurrentIndex(columns->findData(qs(head)));
                    if (what)
                        what->setCurrentIndex(what->findData(QLatin1String(role)));
                    return;
                }
            }
        }
    };
    choose(m_batch, nullptr, {"batch"});
    choose(m_prompt, m_promptIs, {"prompt", "context"});
    choose(m_time, m_timeUnit, {"tpot_ms", "tpot_s", "tpot_us", "tokens_per_s"});
    choose(m_peak, m_peakUnit, {"peak_bytes", "peak_gb", "peak_gib", "peak_mb", "peak_mib"});
}

std::optional<ImportOptions> ColumnDialog::options() const
{
    ImportOptions options;
    const auto column = [](const QComboBox *box) { return box->currentData().toString(); };
    if (column(m_batch).isEmpty() || column(m_prompt).isEmpty() || column(m_time).isEmpty())
        return std::nullopt;
    if (column(m_batch) == kOneNumber)
        options.batch = m_batchValue->value();
    else
        options.columns["batch"] = column(m_batch).toStdString();
    if (column(m_prompt) == kOneNumber)
        options.prompt = m_promptValue->value();
    else
        options.columns[column(m_promptIs).toStdString()] = column(m_prompt).toStdString();
    options.columns[column(m_timeUnit).toStdString()] = column(m_time).toStdString();
    if (!column(m_peak).isEmpty())
        options.columns[column(m_peakUnit).toStdString()] = column(m_peak).toStdString();
    options.model = column(m_model).toStdString();
    options.hardware = column(m_device).toStdString();
    if (!column(m_dtype).isEmpty())
        options.dtype = parseDType(column(m_dtype).toStdString());
    return options;
}

void ColumnDialog::follow()
{
    m_later.stop();
    const auto oneNumber = [](const QComboBox *box) { return box->currentData().toString() == kOneNumber; };
    m_batchValue->setVisible(oneNumber(m_batch));
    m_promptValue->setVisible(oneNumber(m_prompt));
    m_promptIs->setVisible(!oneNumber(m_prompt));
    m_peakUnit->setEnabled(!m_peak->currentData().toString().isEmpty());
    m_usable = false;
    const auto chosen = options();
    QStringList lacking;
    for (const auto &[box, name] : {std::pair{m_batch, tr("the batch")}, {m_prompt, tr("the prompt or context")}, {m_time, tr("the time a step")}})
        if (box->currentData().toString().isEmpty())
            lacking << name;
    if (!chosen) {
        m_said->setText(tr("Choose the column of: %1.").arg(lacking.join(tr(", ", "between names"))));
    } else {
        std::string_view text = m_question.text;
        const bool cut = text.size() > kTriedBytes;
        if (cut)
            text = text.substr(0, text.find_last_of('\n', kTriedBytes) + 1);
        try {
            const Import import = importResults(text, m_question.path.toStdString(), *chosen, *m_question.catalog);
            std::size_t rows = 0;
            for (const RunRecord &run : import.runs)
                rows += run.points.size();
            const std::size_t problems = import.problems.size() + import.moreProblems;
            QStringList said{cut ? tr("Of the first %1 MB of the file %2 rows would be imported, %3 left out.")
                                       .arg(kTriedBytes / 1'000'000)
                                       .arg(rows)
                                       .arg(problems)
                                 : tr("%1 rows would be imported, %2 left out.").arg(rows).arg(problems)};
            if (!import.problems.empty())
                said << tr("Line %1: %2").arg(import.problems.front().line).arg(coreText(import.problems.front().sentence));
            if (const std::string impossible = belowFloorSentence(import); !impossible.empty())
                said << tr("Some are faster than the floor, which cannot be: check the unit, the model, the device and the batch.");
            m_said->setText(said.join(QLatin1Char('\n')));
            m_usable = rows > 0;
        } catch (const std::exception &error) {
            // Its first row says it best: the whole sentence names flags of the command line.
            const QString all = QString::fromUtf8(error.what());
            const qsizetype first = all.indexOf(QStringLiteral("\n  line "));
            const QString row = first < 0 ? QString() : all.mid(first + 8).section(QLatin1Char('\n'), 0, 0);
            m_said->setText(row.isEmpty() ? coreText(all.toStdString())
                                          : tr("No row can be used.") + QLatin1Char('\n') +
                                                tr("Line %1: %2").arg(row.section(QStringLiteral(": "), 0, 0),
                                                                      coreText(row.section(QStringLiteral(": "), 1).toStdString())));
        }
    }
    m_import->setEnabled(m_usable);
}

void ColumnDialog::accept()
{
    follow();
    if (m_usable)
        QDialog::accept();
}

std::optional<ImportOptions> askColumns(QWidget *parent, const ColumnQuestion &question)
{
    ColumnDialog dialog(question, parent);
    return dialog.exec() == QDialog::Accepted ? dialog.options() : std::nullopt;
}

} // namespace ridgepoint
