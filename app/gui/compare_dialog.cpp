// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/compare_dialog.h"

#include "app/gui/export_dialogs.h"
#include "core/session/compare.h"
#include "widgets/comparison_chart.h"
#include "widgets/core_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ridgepoint {

CompareDialog::CompareDialog(Hooks hooks, QWidget *parent) : QDialog(parent), m_hooks(std::move(hooks))
{
    setObjectName(QStringLiteral("compareDialog"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    resize(1040, 720);
    m_model = new WorkbenchModel(this);
    m_chart = new ComparisonChart(m_model);
    m_chart->setMinimumHeight(200);

    m_baseLabel = new QLabel(this);
    m_baseBox = new QComboBox(this);
    m_baseBox->setObjectName(QStringLiteral("compareBase"));
    m_baseBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_baseBox->setMinimumContentsLength(20);
    m_baseLabel->setBuddy(m_baseBox);
    m_othersLabel = new QLabel(this);
    m_othersList = new QListWidget(this);
    m_othersList->setObjectName(QStringLiteral("compareOthers"));
    m_othersList->setWordWrap(true);
    m_othersList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_othersLabel->setBuddy(m_othersList);
    m_add = new QPushButton(this);
    m_add->setObjectName(QStringLiteral("compareAdd"));
    m_faultLabel = new QLabel(this);
    m_faultLabel->setObjectName(QStringLiteral("compareFault"));
    m_faultLabel->setWordWrap(true);
    m_faultLabel->setTextFormat(Qt::PlainText);
    m_faultLabel->hide();
    auto *choice = new QWidget(this);
    auto *choices = new QVBoxLayout(choice);
    choices->setContentsMargins(0, 0, 0, 0);
    choices->addWidget(m_baseLabel);
    choices->addWidget(m_baseBox);
    choices->addSpacing(6);
    choices->addWidget(m_othersLabel);
    choices->addWidget(m_othersList, 1);
    choices->addWidget(m_add);
    choices->addWidget(m_faultLabel);

    m_summary = new QLabel(this);
    m_summary->setObjectName(QStringLiteral("compareSummary"));
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_summary->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_table = new QTableWidget(this);
    m_table->setObjectName(QStringLiteral("compareTable"));
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false); // Tab leaves it
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto *results = new QSplitter(Qt::Vertical, this);
    results->setChildrenCollapsible(false);
    results->addWidget(m_chart);
    results->addWidget(m_table);
    results->setStretchFactor(0, 3);
    results->setStretchFactor(1, 2);
    m_results = results;
    auto *right = new QWidget(this);
    auto *column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_summary);
    column->addWidget(m_results, 1);
    column->addStretch(0);

    auto *halves = new QSplitter(this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(choice);
    halves->addWidget(right);
    halves->setStretchFactor(0, 0);
    halves->setStretchFactor(1, 1);
    halves->setSizes({250, 790});

    auto *foot = new QHBoxLayout;
    foot->addStretch(1);
    const auto action = [&](const QString &name, const QKeySequence &keys, auto slot) {
        auto *item = new QAction(this);
        item->setObjectName(name);
        item->setShortcut(keys);
        connect(item, &QAction::triggered, this, slot);
        addAction(item);
        m_chart->addAction(item);
        auto *button = new QToolButton(this);
        button->setDefaultAction(item);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setFocusPolicy(Qt::StrongFocus);
        foot->addWidget(button);
        return item;
    };
    m_copyChart = action(QStringLiteral("compareCopyChart"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] {
        if (m_hooks.copyChart)
            m_hooks.copyChart(m_chart);
    });
    m_copyTable = action(QStringLiteral("compareCopyTable"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C), [this] { copyTable(); });
    m_export = action(QStringLiteral("compareExport"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] {
        if (m_hooks.exportChart)
            say(m_hooks.exportChart(m_chart, this));
    });
    m_reset = action(QStringLiteral("compareReset"), {}, [this] { m_chart->resetView(); });
    m_table->addAction(m_copyTable);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_close = new QPushButton(this);
    m_close->setAutoDefault(false);
    m_add->setAutoDefault(false);
    foot->addWidget(m_close);

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(halves, 1);
    layout->addLayout(foot);

    m_later.setSingleShot(true);
    m_later.setInterval(300); // a run that is going changes its session with each step
    connect(&m_later, &QTimer::timeout, this, &CompareDialog::compare);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_baseBox, &QComboBox::activated, this, &CompareDialog::chosen);
    connect(m_othersList, &QListWidget::itemChanged, this, &CompareDialog::chosen);
    connect(m_add, &QPushButton::clicked, this, [this] {
        const QString path = m_hooks.askFile ? m_hooks.askFile(this) : QString();
        if (!path.isEmpty())
            addFile(path);
    });
    retranslate();
}

std::vector<const CompareDialog::Source *> CompareDialog::all() const
{
    std::vector<const Source *> sources;
    for (const auto *list : {&m_open, &m_files})
        for (const Source &source : *list)
            sources.push_back(&source);
    return sources;
}

void CompareDialog::setOpenSessions(std::vector<Source> sources, const QString &inFront)
{
    m_open = std::move(sources);
    const QString base = m_base;
    const QSet<QString> others = m_others;
    const auto known = [this](const QString &key) {
        const auto listed = all();
        return std::any_of(listed.begin(), listed.end(), [&](const Source *source) { return source->key == key; });
    };
    m_others.removeIf([&](const QString &key) { return !known(key); });
    if (!known(m_base)) {
        m_base = known(inFront) ? inFront : all().empty() ? QString() : all().front()->key;
        m_others.remove(m_base);
    }
    if (m_others.isEmpty()) {
        for (const Source *source : all()) {
            if (source->key != m_base) {
                m_others.insert(source->key);
                break;
            }
        }
    }
    offer();
    if (m_compared.empty() || m_base != base || m_others != others)
        compare(); // what is shown is no longer what is chosen
    else if (!m_later.isActive())
        m_later.start();
}

bool CompareDialog::addFile(const QString &path)
{
    Source source{QFileInfo(path).absoluteFilePath(), QFileInfo(path).fileName(), nullptr};
    try {
        source.session = m_hooks.load(path);
    } catch (const std::exception &error) {
        m_fault = [english = std::string(error.what())] { return coreText(english); };
        say(m_fault());
        return false;
    }
    say({});
    std::erase_if(m_files, [&](const Source &old) { return old.key == source.key; });
    if (m_base.isEmpty())
        m_base = source.key;
    else if (source.key != m_base)
        m_others.insert(source.key);
    m_files.push_back(std::move(source));
    offer();
    compare();
    return true;
}

void CompareDialog::say(const QString &fault)
{
    if (fault.isEmpty())
        m_fault = nullptr;
    m_faultLabel->setText(fault);
    m_faultLabel->setVisible(!fault.isEmpty());
}

void CompareDialog::offer()
{
    m_offering = true;
    m_baseBox->clear();
    const QString focused = m_othersList->currentItem() ? m_othersList->currentItem()->data(Qt::UserRole).toString() : QString();
    m_othersList->clear();
    for (const Source *source : all()) {
        m_baseBox->addItem(source->name, source->key);
        m_baseBox->setItemData(m_baseBox->count() - 1, QDir::toNativeSeparators(source->name), Qt::ToolTipRole);
        if (source->key == m_base)
            continue; // nothing is held against itself
        auto *item = new QListWidgetItem(source->name, m_othersList);
        item->setData(Qt::UserRole, source->key);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(m_others.contains(source->key) ? Qt::Checked : Qt::Unchecked);
        if (source->key == focused)
            m_othersList->setCurrentItem(item);
    }
    if (!m_othersList->currentItem() && m_othersList->count() > 0)
        m_othersList->setCurrentRow(0); // the space bar has what to check
    m_baseBox->setCurrentIndex(m_baseBox->findData(m_base));
    m_baseBox->setEnabled(m_baseBox->count() > 0);
    m_offering = false;
}

void CompareDialog::chosen()
{
    if (m_offering)
        return;
    for (int i = 0; i < m_othersList->count(); ++i) {
        const QListWidgetItem *item = m_othersList->item(i);
        const QString key = item->data(Qt::UserRole).toString();
        item->checkState() == Qt::Checked ? void(m_others.insert(key)) : void(m_others.remove(key));
    }
    if (const QString base = m_baseBox->currentData().toString(); base != m_base) {
        // The two change places where there are but two.
        if (m_others.remove(base) && m_others.isEmpty())
            m_others.insert(m_base);
        m_base = base;
        offer();
    }
    compare();
}

void CompareDialog::compare()
{
    m_later.stop();
    const auto sources = all();
    std::vector<SessionPtr> chosen;
    QStringList names;
    for (const bool base : {true, false}) {
        for (const Source *source : sources) {
            if (source->session && (source->key == m_base) == base && (base || m_others.contains(source->key))) {
                chosen.push_back(source->session);
                names << source->name;
            }
        }
    }
    const bool enough = chosen.size() > 1;
    if (enough && (chosen != m_compared || names != m_comparedNames)) {
        std::vector<Session> sessions;
        for (const SessionPtr &session : chosen)
            sessions.push_back(*session);
        m_chart->setComparison(names, compareSessions(sessions));
    }
    m_compared = enough ? std::move(chosen) : std::vector<SessionPtr>();
    m_comparedNames = names;
    const Comparison &comparison = m_chart->comparison();
    m_summary->setText(enough              ? ComparisonChart::summary(comparison)
                       : sources.size() > 1 ? tr("Check a session in the list to hold it against the baseline.")
                       : sources.size() == 1
                           ? tr("There is one session with results only. Open another in a tab, or add a saved one with “Add file…”: the same "
                                "model on another device, in another mode or after a change.")
                           : tr("There is no session with results yet. Open two in tabs or add saved ones with “Add file…”, or run an experiment "
                                "first."));
    m_results->setVisible(enough);
    if (const bool wanted = !comparison.points.empty(); wanted != m_table->isVisibleTo(m_results)) {
        m_table->setVisible(wanted);
        const int height = m_results->height();
        m_results->setSizes({height * 3 / 5, height * 2 / 5}); // a table that was hidden would take what it likes
    }
    for (QAction *action : {m_copyChart, m_copyTable, m_export, m_reset})
        action->setEnabled(enough);
    m_copyTable->setEnabled(enough && !comparison.points.empty());
    if (!enough)
        return;

    const TextTable table = m_chart->table();
    m_table->clear();
    m_table->setColumnCount(int(table.header.size()));
    m_table->setRowCount(int(table.rows.size()));
    for (int column = 0; column < m_table->columnCount(); ++column) {
        m_table->setHorizontalHeaderItem(column, new QTableWidgetItem(QString::fromStdString(table.header[std::size_t(column)])));
        for (int row = 0; row < m_table->rowCount(); ++row) {
            const QString cell = QString::fromStdString(table.rows[std::size_t(row)][std::size_t(column)]);
            auto *item = new QTableWidgetItem(cell);
            item->setToolTip(cell);
            m_table->setItem(row, column, item);
        }
    }
    // What got slower or faster is seen without reading; the word says it too.
    const int verdict = m_table->columnCount() - 5;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const Change change = comparison.points[std::size_t(row)].change;
        if (change == Change::Slower || change == Change::Faster) {
            QTableWidgetItem *item = m_table->item(row, verdict);
            QFont bold = m_table->font();
            bold.setBold(true);
            item->setFont(bold);
            item->setForeground(change == Change::Slower ? m_chart->theme().warning : m_chart->theme().floor);
        }
    }
    m_table->resizeColumnsToContents();
}

void CompareDialog::copyTable()
{
    QApplication::clipboard()->setText(tabbed(m_chart->table()));
}

void CompareDialog::setChartTheme(const ChartTheme &theme)
{
    m_chart->setTheme(theme);
    m_compared.empty() ? void() : compare(); // the table's colours
}

void CompareDialog::retranslate()
{
    setWindowTitle(tr("Compare sessions"));
    m_baseLabel->setText(tr("&Baseline:"));
    m_baseBox->setAccessibleName(tr("Baseline"));
    m_baseBox->setToolTip(tr("The session that the others are held against"));
    m_othersLabel->setText(tr("Compared &with:"));
    m_othersList->setAccessibleName(tr("Compared with"));
    m_othersList->setToolTip(tr("Checked sessions are held against the baseline, point by point"));
    m_add->setText(tr("Add &file…"));
    m_add->setToolTip(tr("A saved session, or results of another program, that is in no tab"));
    m_summary->setAccessibleName(tr("What the comparison says"));
    m_table->setAccessibleName(tr("Points compared"));
    m_copyChart->setText(tr("Copy &picture"));
    m_copyTable->setText(tr("Copy &table"));
    m_export->setText(tr("&Export chart…"));
    m_reset->setText(tr("&Reset axes"));
    for (QAction *action : {m_copyChart, m_copyTable, m_export, m_reset})
        action->setToolTip(action->text().remove(QLatin1Char('&')) +
                           (action->shortcut().isEmpty() ? QString() : QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText))));
    m_close->setText(tr("Close"));
    if (m_fault)
        say(m_fault());
    m_comparedNames.clear(); // the chart's texts are of the other language
    compare();
}

void CompareDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_close)
        retranslate();
}

} // namespace ridgepoint
