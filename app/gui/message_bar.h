// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace ridgepoint {

/// Messages above the charts: one row each, severity by colour and word, text that can be selected, own close button.
/// A message belongs to a tab or to the whole window.
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

    static constexpr int kEveryTab = 0;    ///< a message of the whole window
    static constexpr int kTabInFront = -1; ///< whichever it is at the call

    /// The tab whose messages are seen, beside those of the whole window.
    void setTab(int tab);
    /// `key` names the subject: a later message on it replaces the earlier one of the same tab.
    void show(Severity severity, const QString &key, const QString &text, const QVector<Action> &actions = {},
              int tab = kTabInFront);
    void dismiss(const QString &key, int tab = kTabInFront); ///< also the one of the whole window under that key
    void forgetTab(int tab);                                 ///< it was closed
    bool isShowing(const QString &key) const;
    QString text(const QString &key) const; ///< "" when it is not shown
    QStringList texts() const;              ///< of those that are seen, from top to bottom

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *row(const QString &key, int tab) const; ///< of that tab or of the whole window
    void remove(QWidget *row);
    void showRows();
    void retranslate();
    void paintRow(QWidget *row) const;

    QVBoxLayout *m_rows = nullptr;
    int m_tab = kEveryTab;
};

} // namespace ridgepoint
