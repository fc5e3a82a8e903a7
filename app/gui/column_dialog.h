// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "core/session/import.h"

#include <QDialog>
#include <QTimer>

#include <optional>
#include <string>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace ridgepoint {

/// A table of other people's making, for which the user says what its columns are.
struct ColumnQuestion {
    std::string text;   ///< of the file
    QString path;       ///< names it
    const Catalog *catalog = nullptr;
};

/// Shows the first rows of a CSV whose heads are not known and asks which column is what, in which unit, of which model and device.
/// A line says at each choice how many rows would be imported and the first that would not. It remembers nothing.
class ColumnDialog : public QDialog {
    Q_OBJECT

public:
    ColumnDialog(ColumnQuestion question, QWidget *parent = nullptr);
    /// What was chosen; nothing while a column that is needed is not.
    std::optional<ImportOptions> options() const;
    void accept() override; ///< refuses, with the sentence, what could not be imported

private:
    QComboBox *columnBox(const char *name, const QString &accessible, const QString &first);
    void guess();
    void follow();

    ColumnQuestion m_question;
    CsvPreview m_preview;
    QTimer m_later;
    QTableWidget *m_rows = nullptr;
    QComboBox *m_batch = nullptr;
    QSpinBox *m_batchValue = nullptr;
    QComboBox *m_prompt = nullptr;
    QComboBox *m_promptIs = nullptr;
    QSpinBox *m_promptValue = nullptr;
    QComboBox *m_time = nullptr;
    QComboBox *m_timeUnit = nullptr;
    QComboBox *m_peak = nullptr;
    QComboBox *m_peakUnit = nullptr;
    QComboBox *m_model = nullptr;
    QComboBox *m_device = nullptr;
    QComboBox *m_dtype = nullptr;
    QLabel *m_said = nullptr;
    QPushButton *m_import = nullptr;
    bool m_usable = false;
};

/// The usual dialog; nothing where it was cancelled.
std::optional<ImportOptions> askColumns(QWidget *parent, const ColumnQuestion &question);

} // namespace ridgepoint
