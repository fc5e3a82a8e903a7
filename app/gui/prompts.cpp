// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/prompts.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

namespace ridgepoint {

namespace {

Prompts::Unsaved askUnsaved(QWidget *parent, const QString &name)
{
    QMessageBox box(QMessageBox::Warning, QCoreApplication::applicationName(),
                    QCoreApplication::translate("Prompts", "“%1” has results that are not saved.").arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setInformativeText(QCoreApplication::translate("Prompts", "Discarded results cannot be brought back."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save:
        return Prompts::Unsaved::Save;
    case QMessageBox::Discard:
        return Prompts::Unsaved::Discard;
    default:
        return Prompts::Unsaved::Cancel;
    }
}

bool askConfirm(QWidget *parent, const QString &question, const QString &yes)
{
    QMessageBox box(QMessageBox::Question, QCoreApplication::applicationName(), question, QMessageBox::Cancel, parent);
    QPushButton *button = box.addButton(yes, QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == button;
}

QString askSaveFile(QWidget *parent, const QString &caption, const QString &proposed, const QString &filter)
{
    const QFileInfo info(proposed);
    QFileDialog dialog(parent, caption, info.path(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(info.suffix()); // set before the overwrite question, so that it asks about the real name
    dialog.selectFile(info.fileName());
    return dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty() ? dialog.selectedFiles().constFirst()
                                                                                   : QString();
}

} // namespace

Prompts Prompts::standard()
{
    Prompts prompts;
    prompts.unsaved = askUnsaved;
    prompts.confirm = askConfirm;
    prompts.openFile = [](QWidget *parent, const QString &caption, const QString &folder, const QString &filter) {
        return QFileDialog::getOpenFileName(parent, caption, folder, filter);
    };
    prompts.saveFile = askSaveFile;
    prompts.folder = [](QWidget *parent, const QString &caption, const QString &proposed) {
        return QFileDialog::getExistingDirectory(parent, caption, proposed);
    };
    prompts.number = [](QWidget *parent, const QString &caption, const QString &question, double least, double most) {
        bool ok = false;
        const double value = QInputDialog::getDouble(parent, caption, question, least, least, most, 1, &ok);
        return ok ? std::optional(value) : std::nullopt;
    };
    return prompts;
}

} // namespace ridgepoint
