// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "widgets/chart_theme.h"

#include <QDialog>
#include <QSet>
#include <QTimer>

#include <functional>
#include <vector>

class QAction;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSplitter;
class QTableWidget;

namespace ridgepoint {

class ChartView;
class ComparisonChart;
class WorkbenchModel;

/// Holds sessions of open tabs and of files against a baseline: one chart, one table, one sentence. Not modal; it follows the
/// tabs while it is open.
class CompareDialog : public QDialog {
    Q_OBJECT

public:
    /// A session that can be chosen; `key` tells it from the others for as long as it is there.
    struct Source {
        QString key, name;
        SessionPtr session;
    };
    /// What the window does for it. Each may be empty.
    struct Hooks {
        std::function<QString(QWidget *parent)> askFile;                 ///< a session file; empty: none
        std::function<SessionPtr(const QString &path)> load;             ///< throws Error
        std::function<void(ChartView *chart)> copyChart;
        std::function<QString(ChartView *chart, QWidget *parent)> exportChart; ///< "" or what went wrong
    };

    explicit CompareDialog(Hooks hooks, QWidget *parent = nullptr);

    /// Those of the tabs, in their order; the first two are chosen at first, `inFront` (a key) as the baseline.
    void setOpenSessions(std::vector<Source> sources, const QString &inFront);
    /// Adds a saved session and chooses it. False, and a sentence in the dialog, when it cannot be read.
    bool addFile(const QString &path);
    void setChartTheme(const ChartTheme &theme);
    ComparisonChart *chart() const { return m_chart; }

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void offer(); ///< the lists, with what is chosen
    void compare();
    void chosen(); ///< by the user, in the lists
    void copyTable();
    void say(const QString &fault);
    std::vector<const Source *> all() const;

    Hooks m_hooks;
    std::vector<Source> m_open, m_files;
    QString m_base;
    QSet<QString> m_others;
    std::vector<SessionPtr> m_compared; ///< what the chart shows, the baseline first; kept so that the same are not compared again
    QStringList m_comparedNames;
    std::function<QString()> m_fault;
    QTimer m_later;
    bool m_offering = false;

    WorkbenchModel *m_model = nullptr;
    ComparisonChart *m_chart = nullptr;
    QLabel *m_baseLabel = nullptr;
    QComboBox *m_baseBox = nullptr;
    QLabel *m_othersLabel = nullptr;
    QListWidget *m_othersList = nullptr;
    QPushButton *m_add = nullptr;
    QLabel *m_faultLabel = nullptr;
    QLabel *m_summary = nullptr;
    QSplitter *m_results = nullptr;
    QTableWidget *m_table = nullptr;
    QAction *m_copyChart = nullptr;
    QAction *m_copyTable = nullptr;
    QAction *m_export = nullptr;
    QAction *m_reset = nullptr;
    QPushButton *m_close = nullptr;
};

} // namespace ridgepoint
