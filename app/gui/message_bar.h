// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace ridgepoint {

/// Messages above the charts: one row each, severity by colour and word, text that can be selected, own close button.
/// They stay until closed, acted on, or replaced by a message under the same key.
class MessageBar : public QWidget {
    Q_OBJECT

public:
    enum class Severity { Info, Warning, Error };
    struct Action {
        QString text;
        std::function<void()> run; ///< the row goes after it
    };

    explicit MessageBar(QWidget *parent = nullptr);

    /// `key` names the subject: a later message on it replaces the earlier one.
    void show(Severity severity, const QString &key, const QString &text, const QVector<Action> &actions = {});
    void dismiss(const QString &key);
    bool isShowing(const QString &key) const;
    QString text(const QString &key) const; ///< "" when it is not shown
    QStringList texts() const;              ///< from top to bottom

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *row(const QString &key) const;
    void paintRow(QWidget *row) const;

    QVBoxLayout *m_rows = nullptr;
};

} // namespace ridgepoint
