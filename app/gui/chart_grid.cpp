// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/chart_grid.h"

#include <QApplication>
#include <QEvent>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

namespace ridgepoint {

namespace {

/// Ids of the charts on each page.
const QVector<QStringList> kPages{
    {QStringLiteral("roofline"), QStringLiteral("throughput"), QStringLiteral("latency"), QStringLiteral("time-account")},
    {QStringLiteral("frontier"), QStringLiteral("anatomy")},
    {QStringLiteral("line")}};

} // namespace

ChartGrid::ChartGrid(WorkbenchModel *model, QWidget *parent) : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_tabs = new QTabBar(this);
    m_tabs->setObjectName(QStringLiteral("chartPages"));
    m_tabs->setAccessibleName(tr("Pages of charts"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->addTab(tr("Speed"));
    m_tabs->setTabToolTip(0, tr("Roofline, throughput, latency and time account of one model"));
    m_tabs->addTab(tr("Memory and anatomy"));
    m_tabs->setTabToolTip(1, tr("What fits into the memory, and where the time of a step goes"));
    m_tabs->addTab(tr("Models"));
    m_tabs->setTabToolTip(2, tr("The line over models"));
    layout->addWidget(m_tabs);
    m_column = new QSplitter(Qt::Vertical, this);
    m_column->setChildrenCollapsible(false);
    layout->addWidget(m_column);
    m_charts = {makeRooflineChart(model), makeThroughputChart(model), makeLatencyChart(model),
                makeTimeAccountChart(model), makeLineChart(model), makeFrontierChart(model), makeAnatomyChart(model)};
    for (int r = 0; r < 2; ++r) {
        m_rows[r] = new QSplitter(Qt::Horizontal, m_column);
        m_rows[r]->setChildrenCollapsible(false);
        m_column->addWidget(m_rows[r]);
        for (int c = 0; c < 2; ++c)
            m_rows[r]->addWidget(m_charts[2 * r + c]);
    }
    for (const char *id : {"frontier", "anatomy", "line"})
        m_column->addWidget(chart(QLatin1String(id)));
    for (ChartView *view : std::as_const(m_charts)) {
        view->setMinimumSize(140, 90);
        connect(view, &ChartView::activated, this,
                [this, view] { m_single.isEmpty() ? showSingle(view->id()) : showAll(); });
    }
    m_current = m_charts.first()->id();
    connect(m_tabs, &QTabBar::tabBarClicked, this, &ChartGrid::showPage); // a click on the page in front steps back from one
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int page) {
        if (page != pageOf(m_current))
            showPage(page); // by the keyboard
    });
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
    showPage(0);
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
    m_column->setSizes(QList<int>(m_column->count(), 1000));
    for (QSplitter *row : m_rows)
        row->setSizes({1000, 1000});
}

int ChartGrid::pageOf(const QString &id) const
{
    for (int page = 0; page < kPages.size(); ++page) {
        if (kPages[page].contains(id))
            return page;
    }
    return 0;
}

int ChartGrid::page() const
{
    return m_tabs->currentIndex();
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
    m_tabs->setCurrentIndex(pageOf(id));
    emit singleChanged(m_single);
}

void ChartGrid::showAll()
{
    const int page = pageOf(m_current);
    showPage(kPages[page].size() > 1 ? page : 0);
}

void ChartGrid::showPage(int page)
{
    if (page < 0 || page >= kPages.size())
        return;
    const QStringList &ids = kPages[page];
    if (ids.size() == 1) {
        showSingle(ids.first());
        return;
    }
    if (!ids.contains(m_current))
        m_current = ids.first();
    for (QSplitter *row : m_rows)
        row->setVisible(page == 0);
    for (ChartView *view : std::as_const(m_charts))
        view->setVisible(ids.contains(view->id()));
    m_single.clear();
    m_tabs->setCurrentIndex(page);
    emit singleChanged(m_single);
}

} // namespace ridgepoint
