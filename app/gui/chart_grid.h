// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_view.h"

#include <QVector>
#include <QWidget>

class QSplitter;

namespace ridgepoint {

/// The centre of the window: the four charts of one model in two rows, or any one alone. The line over models, which is of
/// many, is only ever alone.
class ChartGrid : public QWidget {
    Q_OBJECT

public:
    explicit ChartGrid(WorkbenchModel *model, QWidget *parent = nullptr);

    const QVector<ChartView *> &charts() const { return m_charts; }
    ChartView *chart(const QString &id) const;  ///< null: none of that id
    QString single() const { return m_single; } ///< id of the chart that fills the centre; empty: all are shown
    /// The chart that Copy and Export mean: the one alone, else the one last clicked or focused.
    ChartView *current() const;
    void setTheme(const ChartTheme &theme);
    void resetSizes();

public slots:
    void showSingle(const QString &id);
    void showAll();

signals:
    void singleChanged(const QString &id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QVector<ChartView *> m_charts;
    QSplitter *m_column = nullptr;
    QSplitter *m_rows[2] = {};
    QString m_single;
    QString m_current;
};

} // namespace ridgepoint
