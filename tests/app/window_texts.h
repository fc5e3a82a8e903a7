// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_view.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTextEdit>
#include <QVector>
#include <QWidget>

#include <utility>

namespace ridgepoint::test {

/// Every text below `root`, with where it stands: of widgets, their cells and tips, and what charts draw.
inline QVector<std::pair<QString, QString>> textsOf(const QWidget &root)
{
    QVector<std::pair<QString, QString>> texts;
    QList<const QWidget *> all{&root};
    for (const QWidget *widget : root.findChildren<QWidget *>())
        all << widget;
    for (const QWidget *widget : std::as_const(all)) {
        const QString where =
            QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
        const auto add = [&](const QString &text) {
            if (!text.trimmed().isEmpty())
                texts.push_back({where, text});
        };
        add(widget->accessibleName());
        add(widget->toolTip());
        add(widget->windowTitle());
        for (const char *property : {"text", "placeholderText", "title"}) {
            if (widget->metaObject()->indexOfProperty(property) >= 0 && !qobject_cast<const QLineEdit *>(widget))
                add(widget->property(property).toString());
        }
        if (const auto *edit = qobject_cast<const QLineEdit *>(widget))
            add(edit->placeholderText());
        if (const auto *edit = qobject_cast<const QTextEdit *>(widget))
            add(edit->toPlainText());
        if (const auto *edit = qobject_cast<const QPlainTextEdit *>(widget); edit && edit->isReadOnly())
            add(edit->toPlainText());
        if (const auto *bar = qobject_cast<const QTabBar *>(widget)) {
            for (int i = 0; i < bar->count(); ++i) {
                add(bar->tabText(i));
                add(bar->tabToolTip(i));
            }
        }
        if (const auto *box = qobject_cast<const QComboBox *>(widget)) {
            for (int i = 0; i < box->count(); ++i) {
                add(box->itemText(i));
                add(box->itemData(i, Qt::ToolTipRole).toString());
            }
        }
        if (const auto *view = qobject_cast<const QAbstractItemView *>(widget); view && view->model()) {
            const QAbstractItemModel *model = view->model();
            for (int column = 0; column < model->columnCount(); ++column) {
                add(model->headerData(column, Qt::Horizontal).toString());
                for (int row = 0; row < std::min(model->rowCount(), 60); ++row)
                    add(model->index(row, column).data().toString());
            }
        }
        if (const auto *chart = qobject_cast<const ChartView *>(widget)) {
            const QStringList drawn = chart->drawnTexts();
            for (const QString &text : drawn)
                add(text);
            const TextTable table = chart->table();
            for (const std::string &head : table.header)
                add(QString::fromStdString(head));
            for (const auto &row : table.rows) {
                for (const std::string &cell : row)
                    add(QString::fromStdString(cell));
            }
        }
        for (const QAction *item : widget->actions()) {
            add(item->text());
            add(item->toolTip());
        }
    }
    return texts;
}

} // namespace ridgepoint::test
