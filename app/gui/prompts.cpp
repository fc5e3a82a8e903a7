// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/prompts.h"

#include "app/gui/column_dialog.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace ridgepoint {

namespace {

Prompts::Unsaved askUnsaved(QWidget *parent, const QString &name)
{
    QMessageBox box(QMessageBox::Warning, QCoreApplication::applicationName(),
                    QCoreApplication::translate("Prompts", "“%1” has results that are not saved.").arg(name),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, parent);
    box.setInformativeText(QCoreApplication::translate("Prompts", "Discarded results cannot be brought back."));
    box.setDefaultButton(QMessageBox::Save);
    nameButtons(box);
    switch (box.exec()) {
    case QMessageBox::Save:
        return Prompts::Unsaved::Save;
    case QMessageBox::Discard:
        return Prompts::Unsaved::Discard;
    default:
        return Prompts::Unsaved::Cancel;
    }
}

Prompts::Changed askChanged(QWidget *parent, const QString &name)
{
    QMessageBox box(QMessageBox::Warning, QCoreApplication::applicationName(),
                    QCoreApplication::translate("Prompts", "“%1” was changed by another program since it was read.").arg(name),
                    QMessageBox::Cancel, parent);
    box.setInformativeText(QCoreApplication::translate("Prompts", "Replacing it loses what was written there in the meantime."));
    const QPushButton *replace =
        box.addButton(QCoreApplication::translate("Prompts", "&Replace"), QMessageBox::DestructiveRole);
    QPushButton *saveAs = box.addButton(QCoreApplication::translate("Prompts", "Save &as…"), QMessageBox::AcceptRole);
    box.setDefaultButton(saveAs);
    nameButtons(box);
    box.exec();
    return box.clickedButton() == replace  ? Prompts::Changed::Replace
           : box.clickedButton() == saveAs ? Prompts::Changed::SaveAs
                                           : Prompts::Changed::Cancel;
}

bool askConfirm(QWidget *parent, const QString &question, const QString &yes)
{
    QMessageBox box(QMessageBox::Question, QCoreApplication::applicationName(), question, QMessageBox::Cancel, parent);
    QPushButton *button = box.addButton(yes, QMessageBox::AcceptRole);
    box.setDefaultButton(QMessageBox::Cancel);
    nameButtons(box);
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

void nameButtons(QMessageBox &box)
{
    const std::pair<QMessageBox::StandardButton, const char *> names[] = {
        {QMessageBox::Ok, QT_TRANSLATE_NOOP("Prompts", "OK")},
        {QMessageBox::Save, QT_TRANSLATE_NOOP("Prompts", "&Save")},
        {QMessageBox::Discard, QT_TRANSLATE_NOOP("Prompts", "&Discard")},
        {QMessageBox::Cancel, QT_TRANSLATE_NOOP("Prompts", "Cancel")},
    };
    for (const auto &[button, name] : names) {
        if (QAbstractButton *shown = box.button(button))
            shown->setText(QCoreApplication::translate("Prompts", name));
    }
}

void nameButtons(QInputDialog &dialog)
{
    dialog.setOkButtonText(QCoreApplication::translate("Prompts", "OK"));
    dialog.setCancelButtonText(QCoreApplication::translate("Prompts", "Cancel"));
}

std::optional<int> chooseOf(QWidget *parent, const QString &caption, const QString &question, const QStringList &items)
{
    QInputDialog dialog(parent);
    dialog.setWindowTitle(caption);
    dialog.setLabelText(question);
    dialog.setComboBoxItems(items);
    nameButtons(dialog);
    if (dialog.exec() != QDialog::Accepted)
        return std::nullopt;
    return std::max(0, int(items.indexOf(dialog.textValue())));
}

Prompts Prompts::standard()
{
    Prompts prompts;
    prompts.unsaved = askUnsaved;
    prompts.changed = askChanged;
    prompts.confirm = askConfirm;
    prompts.choose = chooseOf;
    prompts.openFile = [](QWidget *parent, const QString &caption, const QString &folder, const QString &filter) {
        return QFileDialog::getOpenFileName(parent, caption, folder, filter);
    };
    prompts.saveFile = askSaveFile;
    prompts.folder = [](QWidget *parent, const QString &caption, const QString &proposed) {
        return QFileDialog::getExistingDirectory(parent, caption, proposed);
    };
    prompts.number = [](QWidget *parent, const QString &caption, const QString &question, double least, double most) {
        QInputDialog dialog(parent);
        dialog.setWindowTitle(caption);
        dialog.setLabelText(question);
        dialog.setInputMode(QInputDialog::DoubleInput);
        dialog.setDoubleDecimals(1);
        dialog.setDoubleRange(least, most);
        dialog.setDoubleValue(least);
        nameButtons(dialog);
        return dialog.exec() == QDialog::Accepted ? std::optional(dialog.doubleValue()) : std::nullopt;
    };
    prompts.columns = askColumns;
    return prompts;
}

} // namespace ridgepoint
