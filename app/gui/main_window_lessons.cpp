// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/chart_grid.h"
#include "app/gui/main_window.h"
#include "app/gui/session_tab.h"
#include "core/base/error.h"
#include "widgets/lesson_panel.h"
#include "widgets/panels.h"

#include <QApplication>
#include <QDockWidget>

// Lessons, glossary and presenter mode in the window.
namespace ridgepoint {

namespace {

/// Of the type in presenter mode, against the desktop's.
constexpr double kPresenterType = 1.35;

} // namespace

void MainWindow::buildLessons()
{
    LessonStage stage;
    stage.openSample = [this](const QString &wanted) {
        for (const SampleSession &sample : m_services.samples()) {
            if (QString::fromStdString(sample.path.stem().string()) != wanted)
                continue;
            if (!openFile(QString::fromStdString(sample.path.string()), true, true))
                return false;
            say(QStringLiteral("recording"), [=, this] { m_messages->show(MessageBar::Severity::Info, QStringLiteral("recording"),
                             tr("This is a recording that ships with the program (%1): nothing of it is measured now.").arg(wanted)); });
            return true;
        }
        throw Error(ErrorKind::Failure, tr("The recording %1 is not installed. Install the samples, or choose another lesson.")
                                            .arg(wanted)
                                            .toStdString());
    };
    stage.closeSample = [this] {
        // Results that were added to a recording are the user's own.
        for (const auto &tab : m_tabs) {
            if (!tab->lesson || tab->document->isModified() || (m_controller->isRunning() && m_runTab == tab.get()))
                continue;
            closeTab(indexOf(tab.get()));
            return;
        }
    };
    stage.showChart = [this](const QString &chart) {
        QWidget *before = QApplication::focusWidget();
        if (chart == QLatin1String("all"))
            m_grid->showPage(0);
        else
            m_grid->showSingle(chart);
        if (before && m_lessons->isAncestorOf(before))
            before->setFocus(); // the learner types in the panel, not on the chart
    };
    stage.showTerm = [this](const QString &term) { showGlossary(term); };

    const std::vector<std::filesystem::path> folders = Catalog::defaultFolders();
    m_lessons = new LessonPanel(m_model, m_services.catalog, folders, std::move(stage));
    m_lessonsDock = new QDockWidget(this);
    m_lessonsDock->setObjectName(QStringLiteral("dockLessons"));
    m_lessonsDock->setWidget(m_lessons);
    addDockWidget(Qt::LeftDockWidgetArea, m_lessonsDock);
    tabifyDockWidget(m_experimentDock, m_lessonsDock);
    m_lessonsDock->hide();
}

void MainWindow::showLessons()
{
    m_lessonsDock->show();
    m_lessonsDock->raise();
    // Sentences need more width than the fields that share this edge.
    const int wanted = qBound(330, width() * 29 / 100, 520);
    if (!m_lessonsDock->isFloating() && m_lessonsDock->width() < wanted)
        resizeDocks({m_lessonsDock}, {wanted}, Qt::Horizontal);
    if (!m_lessonsShown) {
        m_lessonsShown = true;
        // What somebody works on is not for a key that asks for help to change.
        if (isBlank(*m_tab) && m_tab->undo.count() == 0)
            m_lessons->open(m_lessons->currentId(), m_lessons->currentStep());
        else
            m_lessons->lookAt(m_lessons->currentId(), m_lessons->currentStep());
    } else {
        m_lessons->setFocus();
    }
}

void MainWindow::showGlossary(const QString &term)
{
    if (!m_glossary)
        m_glossary = new GlossaryDialog(Catalog::defaultFolders(), this);
    m_glossary->showTerm(term);
    m_glossary->show();
    m_glossary->raise();
    m_glossary->activateWindow();
}

void MainWindow::setPresenterMode(bool on)
{
    if (on && !m_presenter)
        m_layoutBefore = saveState();
    const bool leaves = !on && m_presenter;
    m_presenter = on;
    m_settings.setPresenter(on);
    m_presenterAction->setChecked(on);
    QFont font = m_systemFont;
    if (on && font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * kPresenterType);
    else if (on)
        font.setPixelSize(int(font.pixelSize() * kPresenterType));
    QApplication::setFont(font);
    setFont(font); // and what is hidden now
    applyChartTheme();
    if (on)
        hideForPresenter();
    else if (leaves && !m_layoutBefore.isEmpty())
        restoreState(m_layoutBefore);
}

/// Charts alone, that larger type has room: the panels come back with the mode's end, or one by one from View > Panels.
void MainWindow::hideForPresenter()
{
    for (QDockWidget *dock : {m_experimentDock, m_explanationDock, m_whatIfDock, m_recordDock, m_logDock})
        dock->hide();
}

/// Of docks and toolbars as they are outside of presenter mode.
QByteArray MainWindow::layoutToKeep() const
{
    return m_presenter && !m_layoutBefore.isEmpty() ? m_layoutBefore : saveState();
}

} // namespace ridgepoint
