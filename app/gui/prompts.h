// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QWidget;

class QInputDialog;
class QMessageBox;

namespace ridgepoint {

struct ColumnQuestion; // app/gui/column_dialog.h
struct ImportOptions;  // core/session/import.h

/// Every question that the window asks; each can be replaced, so that a test or a script can answer.
struct Prompts {
    enum class Unsaved { Save, Discard, Cancel };
    std::function<Unsaved(QWidget *parent, const QString &name)> unsaved;
    enum class Changed { Replace, SaveAs, Cancel };
    /// Whether the file `name` is replaced, to which another program wrote since it was read.
    std::function<Changed(QWidget *parent, const QString &name)> changed;
    /// True for the button named `yes`; the other one is Cancel.
    std::function<bool(QWidget *parent, const QString &question, const QString &yes)> confirm;
    /// A file to open; empty: none.
    std::function<QString(QWidget *parent, const QString &caption, const QString &folder, const QString &filter)>
        openFile;
    /// A file to write, the overwriting of an existing one already agreed to; empty: none.
    std::function<QString(QWidget *parent, const QString &caption, const QString &proposed, const QString &filter)>
        saveFile;
    std::function<QString(QWidget *parent, const QString &caption, const QString &proposed)> folder;
    /// A number from `least` to `most`; nothing: the question was cancelled.
    std::function<std::optional<double>(QWidget *parent, const QString &caption, const QString &question, double least,
                                        double most)>
        number;
    /// One of `items`: its index; nothing: the question was cancelled.
    std::function<std::optional<int>(QWidget *parent, const QString &caption, const QString &question, const QStringList &items)> choose;
    /// What the columns of a table are; nothing: the question was cancelled.
    std::function<std::optional<ImportOptions>(QWidget *parent, const ColumnQuestion &question)> columns;

    /// The usual dialogs.
    static Prompts standard();
};

/// Names the buttons of a dialog in the window's language: Qt's own translations need not be installed.
void nameButtons(QMessageBox &box);
void nameButtons(QInputDialog &dialog);
/// Asks for one of `items`: its index, or nothing where the dialog was left.
std::optional<int> chooseOf(QWidget *parent, const QString &caption, const QString &question, const QStringList &items);

} // namespace ridgepoint
