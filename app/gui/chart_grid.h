// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_view.h"

#include <QVector>
#include <QWidget>

class QSplitter;
class QTabBar;

namespace ridgepoint {

/// The centre of the window. Its charts stand on pages behind tabs, so that each stays large enough to read on a small
/// screen: how fast (the four charts of one model in two rows), what fits and where a step's time goes (two charts), and the
/// line over models, which is of many and stands alone. Any chart can fill the centre.
class ChartGrid : public QWidget {
    Q_OBJECT

public:
    explicit ChartGrid(WorkbenchModel *model, QWidget *parent = nullptr);

    const QVector<ChartView *> &charts() const { return m_charts; }
    ChartView *chart(const QString &id) const;  ///< null: none of that id
    QString single() const { return m_single; } ///< id of the chart that fills the centre; empty: a page of them is shown
    int page() const;
    /// The chart that Copy and Export mean: the one alone, else the one last clicked or focused.
    ChartView *current() const;
    void setTheme(const ChartTheme &theme);
    void resetSizes();

public slots:
    void showSingle(const QString &id);
    void showAll(); ///< the page of the current chart; of a chart that is alone on its page the first one
    void showPage(int page);

signals:
    void singleChanged(const QString &id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QVector<ChartView *> m_charts;
    QSplitter *m_column = nullptr;
    int pageOf(const QString &id) const;

    QTabBar *m_tabs = nullptr;
    QSplitter *m_rows[2] = {};
    QString m_single;
    QString m_current;
};

} // namespace ridgepoint
