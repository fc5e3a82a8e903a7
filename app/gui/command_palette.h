// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QDialog>
#include <QPointer>
#include <QVector>

class QLabel;
class QLineEdit;
class QListWidget;
class QMenuBar;

namespace ridgepoint {

/// Every action of the menus in one list that typing narrows. It is read from the menu bar each time it opens, so that it
/// holds what the menus hold. A command is found by its name in any language that the program speaks, too. Up, Down, Page Up and Page Down move while one types; Return carries out; Esc leaves.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    explicit CommandPalette(QMenuBar *menus, QWidget *parent = nullptr);

    struct Command {
        QPointer<QAction> action;
        QString path; ///< "File › Open…", without the marks of menu keys
        QString keys; ///< of its shortcuts
        QString also; ///< further words that find it: its name in other languages and in the program, and what else it is called
    };
    /// The actions of the menus from left to right, without separators and without what a menu itself is.
    static QVector<Command> commandsOf(QMenuBar *menus);

    void open() override; ///< reads the menus, clears the filter and shows itself

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void readMenus();
    void narrow();
    void carryOut();

    QMenuBar *m_menus;
    QVector<Command> m_commands;
    QLineEdit *m_filter;
    QListWidget *m_list;
    QLabel *m_nothing;
};

} // namespace ridgepoint
