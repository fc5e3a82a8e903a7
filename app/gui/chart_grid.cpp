// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/chart_grid.h"

#include <QApplication>
#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>

namespace ridgepoint {

ChartGrid::ChartGrid(WorkbenchModel *model, QWidget *parent) : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_column = new QSplitter(Qt::Vertical, this);
    m_column->setChildrenCollapsible(false);
    layout->addWidget(m_column);
    m_charts = {makeRooflineChart(model), makeThroughputChart(model), makeLatencyChart(model),
                makeTimeAccountChart(model), makeLineChart(model)};
    for (int r = 0; r < 2; ++r) {
        m_rows[r] = new QSplitter(Qt::Horizontal, m_column);
        m_rows[r]->setChildrenCollapsible(false);
        m_column->addWidget(m_rows[r]);
        for (int c = 0; c < 2; ++c)
            m_rows[r]->addWidget(m_charts[2 * r + c]);
    }
    m_column->addWidget(m_charts.last());
    m_charts.last()->hide();
    for (ChartView *view : std::as_const(m_charts)) {
        view->setMinimumSize(140, 90);
        connect(view, &ChartView::activated, this,
                [this, view] { m_single.isEmpty() ? showSingle(view->id()) : showAll(); });
    }
    m_current = m_charts.first()->id();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        for (ChartView *view : std::as_const(m_charts)) {
            if (now && (view == now || view->isAncestorOf(now)))
                m_current = view->id();
        }
    });
    for (ChartView *view : std::as_const(m_charts)) {
        view->installEventFilter(this);
        const auto children = view->findChildren<QWidget *>();
        for (QWidget *child : children)
            child->installEventFilter(this);
    }
    resetSizes();
}

bool ChartGrid::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        for (ChartView *view : std::as_const(m_charts)) {
            if (watched == view || view->isAncestorOf(qobject_cast<QWidget *>(watched)))
                m_current = view->id();
        }
    }
    return QWidget::eventFilter(watched, event);
}

ChartView *ChartGrid::chart(const QString &id) const
{
    for (ChartView *view : m_charts) {
        if (view->id() == id)
            return view;
    }
    return nullptr;
}

ChartView *ChartGrid::current() const
{
    return chart(m_single.isEmpty() ? m_current : m_single);
}

void ChartGrid::setTheme(const ChartTheme &theme)
{
    for (ChartView *view : std::as_const(m_charts))
        view->setTheme(theme);
}

void ChartGrid::resetSizes()
{
    m_column->setSizes({1000, 1000, 1000});
    for (QSplitter *row : m_rows)
        row->setSizes({1000, 1000});
}

void ChartGrid::showSingle(const QString &id)
{
    ChartView *wanted = chart(id);
    if (!wanted)
        return;
    for (QSplitter *row : m_rows)
        row->setVisible(row->indexOf(wanted) >= 0);
    for (ChartView *view : std::as_const(m_charts))
        view->setVisible(view == wanted);
    wanted->setFocus();
    m_single = id;
    m_current = id;
    emit singleChanged(m_single);
}

void ChartGrid::showAll()
{
    for (ChartView *view : std::as_const(m_charts))
        view->setVisible(view != m_charts.last());
    if (chart(m_current) == m_charts.last())
        m_current = m_charts.first()->id();
    for (QSplitter *row : m_rows)
        row->show();
    m_single.clear();
    emit singleChanged(m_single);
}

} // namespace ridgepoint
