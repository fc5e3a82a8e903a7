// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/chart_grid.h"
#include "app/gui/main_window.h"
#include "app/gui/session_tab.h"
#include "core/session/session_title.h"
#include "widgets/panels.h"

#include <QDir>
#include <QFileInfo>
#include <QStyle>
#include <QTabBar>
#include <QUndoGroup>

#include <algorithm>

// The tabs of the window: one session each, of which one is in front.
namespace ridgepoint {

namespace {

/// Before the file of a sample in the list of what stood open.
const QString kSample = QStringLiteral("sample:");

QString canonical(const QString &path)
{
    const QString found = QFileInfo(path).canonicalFilePath(); // empty: there is no such file
    return found.isEmpty() ? QFileInfo(path).absoluteFilePath() : found;
}

} // namespace

int MainWindow::tabCount() const
{
    return m_tabBar->count();
}

int MainWindow::currentTab() const
{
    return m_tabBar->currentIndex();
}

void MainWindow::showTab(int index)
{
    if (index >= 0 && index < m_tabBar->count())
        m_tabBar->setCurrentIndex(index);
}

bool MainWindow::hasRunInFront() const
{
    return m_controller->isRunning() && m_runTab == m_tab;
}

SessionTab *MainWindow::tabAt(int index) const
{
    const int id = m_tabBar->tabData(index).toInt();
    for (const auto &tab : m_tabs) {
        if (tab->id == id)
            return tab.get();
    }
    return nullptr;
}

int MainWindow::indexOf(const SessionTab *tab) const
{
    for (int i = 0; i < m_tabBar->count(); ++i) {
        if (tab && m_tabBar->tabData(i).toInt() == tab->id)
            return i;
    }
    return -1;
}

SessionTab *MainWindow::tabOf(const QString &path, bool sample) const
{
    const QString wanted = canonical(path);
    for (const auto &tab : m_tabs) {
        // A sample to which results were added is the user's own: opening it again gives the sample.
        const QString file = sample ? (tab->document->isModified() ? QString() : tab->sample) : tab->document->path();
        if (!file.isEmpty() && canonical(file) == wanted)
            return tab.get();
    }
    return nullptr;
}

bool MainWindow::isBlank(const SessionTab &tab) const
{
    const Document &document = *tab.document;
    return document.path().isEmpty() && !document.isModified() && document.snapshot()->runs.empty() &&
           tab.sample.isEmpty() && !(m_controller->isRunning() && m_runTab == &tab);
}

SessionTab *MainWindow::addTab()
{
    static int lastId = MessageBar::kEveryTab;
    auto tab = std::make_unique<SessionTab>();
    tab->id = ++lastId;
    const auto taken = [this](int number) {
        return std::any_of(m_tabs.begin(), m_tabs.end(),
                           [number](const auto &other) { return other->number == number; });
    };
    for (tab->number = 1; taken(tab->number);)
        ++tab->number;
    tab->document = std::make_unique<Document>(m_services.journalFolder);
    tab->state.session = tab->document->snapshot();
    if (m_tab) { // what is set up goes on until what is opened brings its own
        tab->look.fields = m_experiment->fields();
        tab->look.whatIf = tab->state.whatIf = m_model->whatIf();
        tab->look.view = tab->state.view = m_model->view();
    }
    tab->undo.setUndoLimit(500);
    SessionTab *made = tab.get();
    connect(made->document.get(), &Document::changed, this, [this, made] { documentChanged(made); });
    m_undo->addStack(&made->undo);
    m_tabs.push_back(std::move(tab));
    const QSignalBlocker quiet(m_tabBar); // the first tab of a bar comes to the front by itself
    const int index = m_tabBar->addTab(QString());
    m_tabBar->setTabData(index, made->id);
    updateTab(*made);
    return made;
}

SessionTab *MainWindow::freeTab()
{
    if (!isBlank(*m_tab))
        activate(addTab());
    return m_tab;
}

/// A document that is not in front changes behind the window's back; its tab tells it.
void MainWindow::documentChanged(SessionTab *tab)
{
    ++m_quiet;
    if (tab == m_tab)
        m_model->setSession(tab->document->snapshot());
    else
        tab->state.session = tab->document->snapshot();
    --m_quiet;
    updateTab(*tab);
    if (tab == m_tab) {
        updateTitle();
        updateActions();
    }
}

void MainWindow::putAside(SessionTab &tab)
{
    tab.state = m_model->state();
    tab.look.fields = m_experiment->fields();
    tab.page = m_grid->page();
    tab.single = m_grid->single();
    for (const ChartView *chart : m_grid->charts())
        tab.look.axes[chart->id()] = chart->ranges();
}

void MainWindow::activate(SessionTab *tab)
{
    if (tab == m_tab)
        return;
    if (m_tab)
        putAside(*m_tab);
    ++m_quiet;
    ++m_gesture;
    m_tab = tab;
    m_document = tab->document.get();
    {
        const QSignalBlocker quiet(m_tabBar);
        m_tabBar->setCurrentIndex(indexOf(tab));
    }
    m_messages->setTab(tab->id);
    m_undo->setActiveStack(&tab->undo);
    if (!tab->look.fields.isEmpty())
        m_experiment->setFields(tab->look.fields);
    tab->single.isEmpty() ? m_grid->showPage(tab->page) : m_grid->showSingle(tab->single);
    m_settingWhatIf = true;
    m_model->setState(tab->state);
    m_settingWhatIf = false;
    tab->state.session.reset(); // it would hold what the document lets go of
    for (ChartView *chart : m_grid->charts())
        chart->setRanges(tab->look.axes.value(chart->id()));
    if (const auto calibrated = std::exchange(tab->calibrated, std::nullopt))
        layMeasuredCeilings(calibrated->first, calibrated->second);
    m_experiment->setRunning(hasRunInFront());
    --m_quiet;
    updateTitle();
    updateActions();
    updateUndoActions();
    rememberTabs();
}

QString MainWindow::tabName(const SessionTab &tab) const
{
    if (!tab.document->path().isEmpty())
        return tab.document->name();
    const Session &session = *tab.document->snapshot();
    if (hasOwnTitle(session))
        return QString::fromStdString(session.title).section(QLatin1Char('\n'), 0, 0);
    // Its model, device, kind and modes: several sessions of one model differ in nothing else.
    if (const QString held = messageText(sessionShortTitle(session)); !held.isEmpty())
        return held;
    if (!tab.sample.isEmpty())
        return QFileInfo(tab.sample).completeBaseName();
    return tab.number > 1 ? tr("%1 %2").arg(tab.document->name()).arg(tab.number) : tab.document->name();
}

void MainWindow::updateTab(const SessionTab &tab)
{
    const int index = indexOf(&tab);
    if (index < 0)
        return;
    const bool unsaved = tab.document->isModified();
    const bool running = m_controller->isRunning() && m_runTab == &tab;
    QString name = tabName(tab);
    QStringList said{name};
    if (unsaved)
        said << tr("not saved");
    if (running)
        said << tr("a run is going");
    const QString file = tab.document->path().isEmpty() ? tab.sample : tab.document->path();
    m_tabBar->setTabText(index, name.replace(QLatin1Char('&'), QStringLiteral("&&")) +
                                    (unsaved ? QStringLiteral(" •") : QString()));
    m_tabBar->setTabIcon(index, running ? style()->standardIcon(QStyle::SP_MediaPlay) : QIcon());
    QStringList tip{file.isEmpty() ? said.first() : QDir::toNativeSeparators(file)};
    if (const QString held = messageText(sessionTitle(*tab.document->snapshot())); !held.isEmpty())
        tip << held;
    m_tabBar->setTabToolTip(index, (tip + said.mid(1)).join(QLatin1Char('\n')));
    m_tabBar->setAccessibleTabName(index, said.join(QStringLiteral(", ")));
    offerComparison();
}

void MainWindow::stepTab(int by)
{
    const int count = m_tabBar->count();
    showTab((m_tabBar->currentIndex() + by + count) % count);
}

bool MainWindow::closeTab(int index)
{
    SessionTab *tab = tabAt(index);
    if (!tab)
        return false;
    if (m_controller->isRunning() && m_runTab == tab) {
        const int id = tab->id;
        whileIdle(tr("A run is going in “%1”. Stop it and close the tab?").arg(tabName(*tab)), [this, id] {
            for (const auto &other : m_tabs) {
                if (other->id == id) {
                    closeTab(indexOf(other.get()));
                    return;
                }
            }
        });
        return false;
    }
    if (!letGo(*tab))
        return false;
    tab->document->discardJournal();
    if (m_tabBar->count() == 1) {
        tab->sample.clear();
        tab->lesson = false;
        tab->undo.clear();
        m_messages->forgetTab(tab->id);
        tab->document->startNew();
        documentReplaced();
        return true;
    }
    index = indexOf(tab);
    if (tab == m_tab)
        activate(tabAt(index + 1 < m_tabBar->count() ? index + 1 : index - 1));
    m_messages->forgetTab(tab->id);
    m_undo->removeStack(&tab->undo);
    disconnect(tab->document.get(), nullptr, this, nullptr);
    if (m_runTab == tab)
        m_runTab = nullptr;
    {
        const QSignalBlocker quiet(m_tabBar);
        m_tabBar->removeTab(index);
        m_tabBar->setCurrentIndex(indexOf(m_tab));
    }
    std::erase_if(m_tabs, [tab](const auto &other) { return other.get() == tab; });
    updateActions();
    rememberTabs();
    offerComparison();
    return true;
}

void MainWindow::rememberTabs()
{
    QStringList open;
    int active = 0;
    for (int i = 0; i < m_tabBar->count(); ++i) {
        const SessionTab *tab = tabAt(i);
        const QString file = !tab->document->path().isEmpty() ? QFileInfo(tab->document->path()).absoluteFilePath()
                             : tab->sample.isEmpty() || tab->lesson
                                 ? QString()
                                 : kSample + QFileInfo(tab->sample).absoluteFilePath();
        if (file.isEmpty())
            continue;
        if (tab == m_tab)
            active = int(open.size());
        open << file;
    }
    for (const QString &file : m_toReopen) { // a file that the program is started with is open before them
        if (!open.contains(file))
            open << file;
    }
    m_settings.setOpenSessions(open, active);
    rememberWindow();
}

void MainWindow::reopenTabs()
{
    if (m_toReopen.isEmpty())
        return;
    const QStringList open = std::exchange(m_toReopen, {});
    const int active = m_reopenActive;
    // What was asked for at the start stays in front.
    SessionTab *asked = isBlank(*m_tab) ? nullptr : m_tab;
    SessionTab *front = nullptr;
    QStringList gone;
    const QString activeFile = open.value(active);
    openSeveral(open, [&](const QString &file) {
        const bool sample = file.startsWith(kSample);
        const QString path = sample ? file.mid(kSample.size()) : file;
        if (!QFileInfo(path).isFile())
            gone << QDir::toNativeSeparators(path);
        else if (openFile(path, sample) && file == activeFile)
            front = m_tab;
    });
    if (asked || front)
        activate(asked ? asked : front);
    if (!gone.isEmpty()) {
        const auto text = [gone] {
            return tr("Not opened again, for they are no longer there: %1.").arg(gone.join(QStringLiteral(", ")));
        };
        say(QStringLiteral("reopen"), [this, text] {
            m_messages->show(MessageBar::Severity::Warning, QStringLiteral("reopen"), text(), {}, MessageBar::kEveryTab);
        });
        log(text);
    }
    rememberTabs();
}

} // namespace ridgepoint
