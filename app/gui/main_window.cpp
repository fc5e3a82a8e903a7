// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/chart_grid.h"
#include "app/gui/command_palette.h"
#include "app/gui/compare_dialog.h"
#include "app/gui/language.h"
#include "app/gui/session_tab.h"
#include "widgets/chart_view.h"
#include "widgets/lesson_panel.h"
#include "widgets/panels.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProgressBar>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QUndoGroup>
#include <QVBoxLayout>

/// The resources of a static library are registered by hand, and outside any namespace.
static void registerResources()
{
    Q_INIT_RESOURCE(ridgepoint);
}

namespace ridgepoint {

namespace {

QString qs(const std::string &text)
{
    return QString::fromStdString(text);
}

} // namespace

MainWindow::MainWindow(WindowServices services, QWidget *parent)
    : QMainWindow(parent), m_services(std::move(services)), m_settings(m_services.settingsFile),
      m_systemPalette(QApplication::palette()), m_systemFont(QApplication::font())
{
    registerResources();
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/ridgepoint.svg")));
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    if (m_services.journalFolder.empty())
        m_services.journalFolder = Journal::defaultFolder();

    m_model = new WorkbenchModel(this);
    m_controller = new RunController(m_services.engine, this);
    m_undo = new QUndoGroup(this);
    m_gestureEnd.setSingleShot(true);
    connect(&m_gestureEnd, &QTimer::timeout, this, [this] {
        if (QApplication::mouseButtons() == Qt::NoButton) // a hand that rests while it drags is not done
            ++m_gesture;
        else
            m_gestureEnd.start();
    });
    m_rememberWindow.setSingleShot(true);
    m_rememberWindow.setInterval(1000);
    connect(&m_rememberWindow, &QTimer::timeout, this, [this] {
        m_settings.setWindow(saveGeometry(), layoutToKeep());
        m_settings.sync();
    });

    buildPanels();
    m_tab = addTab();
    m_document = m_tab->document.get();
    m_messages->setTab(m_tab->id);
    m_undo->setActiveStack(&m_tab->undo);
    buildMenus();
    buildStatusBar();
    updateUndoActions();

    connect(m_model, &WorkbenchModel::sessionChanged, this, &MainWindow::runShownChanged);
    connect(m_model, &WorkbenchModel::whatIfChanged, this, &MainWindow::noteWhatIfByHand);
    connect(m_model, &WorkbenchModel::viewChanged, this, &MainWindow::noteView);
    connect(m_model, &WorkbenchModel::selectionChanged, this, &MainWindow::notePoint);
    connect(m_undo, &QUndoGroup::indexChanged, this, &MainWindow::updateUndoActions);
    qApp->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget *, QWidget *now) {
        if (!now || m_retranslating)
            return; // the panels may be on their way out
        if (m_tables->isAncestorOf(now))
            m_chartHadFocus = false;
        else if (m_grid->isAncestorOf(now))
            m_chartHadFocus = true;
    });
    connect(m_controller, &RunController::eventsArrived, this, &MainWindow::takeEvents);
    connect(m_controller, &RunController::engineReady, this, &MainWindow::takeDevices);
    connect(m_controller, &RunController::engineUnavailable, this, [this](const QString &sentence) {
        m_engineProblem = sentence;
        m_statusDevice->setText(tr("No engine: predictions only"));
        say(QStringLiteral("engine"), [=, this] { m_messages->show(MessageBar::Severity::Warning, QStringLiteral("engine"),
                         tr("%1\nPredictions, tables and saved sessions work without it.").arg(coreText(sentence.toStdString())),
                         {{tr("Try again"), [this] { m_controller->loadDevices(); }}}, MessageBar::kEveryTab); });
        logCore(sentence.toStdString());
    });
    connect(m_controller, &RunController::recordingFailed, this, [this](const QString &sentence) {
        const int tab = m_runTab->id;
        say(QStringLiteral("journal"), [=, this] { m_messages->show(MessageBar::Severity::Error, QStringLiteral("journal"),
                         tr("%1\nThe run goes on and its results are kept in memory: save the session before you quit.")
                             .arg(coreText(sentence.toStdString())),
                         {{tr("Save as…"), [this] { saveAs(); }}}, tab); }, tab);
        logCore(sentence.toStdString());
    });
    connect(m_controller, &RunController::runningChanged, this, &MainWindow::runningChanged);
    if (!m_services.restart) {
        m_services.restart = [](const QString &session) {
            return QProcess::startDetached(QCoreApplication::applicationFilePath(),
                                           session.isEmpty() ? QStringList() : QStringList{session});
        };
    }

    restoreSettings();
    m_model->setSession(m_document->snapshot());
    updateTitle();
    updateActions();
    updateRecentMenu();
    updateRunsMenu();
}

MainWindow::~MainWindow()
{
    disconnect(m_controller, nullptr, this, nullptr);
    disconnect(qApp, nullptr, this, nullptr);
    for (QDockWidget *dock : {m_experimentDock, m_explanationDock, m_whatIfDock, m_recordDock, m_logDock, m_lessonsDock})
        disconnect(dock, nullptr, this, nullptr); // they are hidden on the way out
    disconnect(m_grid, nullptr, this, nullptr);
    disconnect(m_experiment, nullptr, this, nullptr);
    disconnect(m_tabBar, nullptr, this, nullptr);
    qApp->removeEventFilter(this);
    disconnect(m_model, nullptr, this, nullptr);
    disconnect(m_undo, nullptr, this, nullptr);
    for (const auto &tab : m_tabs)
        disconnect(tab->document.get(), nullptr, this, nullptr);
    // The worker first: it may still write to the journal that the document owns.
    delete m_controller;
    m_controller = nullptr;
    m_gestureEnd.stop();
    m_rememberWindow.stop();
    if (m_presenter)
        QApplication::setFont(m_systemFont);
}

void MainWindow::buildPanels()
{
    auto *centre = new QWidget(this);
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tabBar = new QTabBar(centre);
    m_tabBar->setObjectName(QStringLiteral("sessionTabs"));
    m_tabBar->setDocumentMode(true);
    m_tabBar->setDrawBase(false);
    m_tabBar->setExpanding(false);
    m_tabBar->setMovable(true);
    m_tabBar->setTabsClosable(true);
    m_tabBar->setElideMode(Qt::ElideNone); // with many, names are scrolled to: cut to "c…e" they would say nothing
    m_tabBar->setUsesScrollButtons(true);
    m_tabBar->setAutoHide(true); // one session needs no bar: the title names it
    connect(m_tabBar, &QTabBar::currentChanged, this, [this](int index) {
        if (SessionTab *tab = tabAt(index))
            activate(tab);
    });
    connect(m_tabBar, &QTabBar::tabCloseRequested, this, [this](int index) { closeTab(index); });
    connect(m_tabBar, &QTabBar::tabMoved, this, [this] { rememberTabs(); });
    m_messages = new MessageBar(centre);
    column->addWidget(m_tabBar);
    column->addWidget(m_messages);
    setCentralWidget(centre);

    m_log = new QPlainTextEdit;
    m_log->setObjectName(QStringLiteral("log"));
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(5000);
    m_log->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_log->setFrameShape(QFrame::NoFrame);

    const auto dock = [this](const QString &name, Qt::DockWidgetArea area) {
        auto *widget = new QDockWidget(this);
        widget->setObjectName(name);
        addDockWidget(area, widget);
        connect(widget, &QDockWidget::dockLocationChanged, this, &MainWindow::rememberWindow);
        connect(widget, &QDockWidget::visibilityChanged, this, &MainWindow::rememberWindow);
        return widget;
    };
    m_experimentDock = dock(QStringLiteral("dockExperiment"), Qt::LeftDockWidgetArea);
    m_explanationDock = dock(QStringLiteral("dockExplanation"), Qt::RightDockWidgetArea);
    m_whatIfDock = dock(QStringLiteral("dockWhatIf"), Qt::RightDockWidgetArea);
    m_recordDock = dock(QStringLiteral("dockRecord"), Qt::BottomDockWidgetArea);
    m_logDock = dock(QStringLiteral("dockLog"), Qt::BottomDockWidgetArea);
    m_logDock->setWidget(m_log);
    fillPanels();
    buildLessons();
    tabifyDockWidget(m_recordDock, m_logDock);
    m_recordDock->raise();
    // Formulas and sliders need the height, the record's columns need the width.
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

    namePanels();
}

/// What the docks and the centre hold: made at the start and anew in another language.
void MainWindow::fillPanels()
{
    m_grid = new ChartGrid(m_model, centralWidget());
    static_cast<QVBoxLayout *>(centralWidget()->layout())->addWidget(m_grid, 1);
    m_experiment = new ExperimentPanel(m_services.catalog);
    m_explanation = new ExplanationPanel(m_model);
    m_explanation->setCatalog(m_services.catalog);
    m_whatIfPanel = new WhatIfPanel(m_model, m_services.catalog);
    m_tables = new RecordTables(m_model);
    m_experimentDock->setWidget(m_experiment);
    m_explanationDock->setWidget(m_explanation);
    m_whatIfDock->setWidget(m_whatIfPanel);
    m_recordDock->setWidget(m_tables);
    try {
        m_explanation->setGlossary(loadGlossary(Catalog::defaultFolders(), lessonLanguage().toStdString()));
    } catch (const std::exception &) {
        // the glossary itself says what is wrong with its file
    }

    connect(m_experiment, &ExperimentPanel::runRequested, this, &MainWindow::startRun);
    connect(m_experiment, &ExperimentPanel::stopRequested, m_controller, &RunController::stop);
    connect(m_experiment, &ExperimentPanel::planChanged, this, &MainWindow::planChangedInPanel);
    for (ChartView *chart : m_grid->charts())
        connect(chart, &ChartView::rangesMoved, this, [this, chart] { noteAxes(chart); });
    connect(m_tables, &RecordTables::exportCsvRequested, this, [this](const QString &which) {
        const QString path = m_services.prompts.saveFile(
            this, tr("Export table"), m_settings.exportFolder() + QLatin1Char('/') + which + QStringLiteral(".csv"),
            tr("CSV files (*.csv)"));
        if (!path.isEmpty())
            exportTable(which, path);
    });
    connect(m_grid, &ChartGrid::singleChanged, this, [this](const QString &id) {
        const auto actions = m_chartActions->actions();
        for (QAction *action : actions)
            action->setChecked(action->data().toString() == id);
        updateActions();
    });
}

void MainWindow::namePanels()
{
    const auto name = [](QDockWidget *dock, const QString &title) {
        dock->setWindowTitle(title);
        dock->setAccessibleName(title);
    };
    name(m_experimentDock, tr("Experiment"));
    name(m_explanationDock, tr("What this point says"));
    name(m_whatIfDock, tr("What if"));
    name(m_recordDock, tr("Record"));
    name(m_logDock, tr("Log"));
    name(m_lessonsDock, tr("Lessons"));
    m_tabBar->setAccessibleName(tr("Open sessions"));
    m_log->setAccessibleName(tr("Log"));
    m_log->setPlaceholderText(tr("What runs did, line by line, appears here."));
}

void MainWindow::buildMenus()
{
    const auto action = [this](QMenu *menu, const QString &text, const QString &name, const QKeySequence &keys,
                               auto slot) {
        auto *item = menu->addAction(text);
        item->setObjectName(name);
        item->setShortcut(keys);
        connect(item, &QAction::triggered, this, slot);
        return item;
    };
    const auto menu = [this](const QString &title, const QString &name) {
        auto *item = menuBar()->addMenu(title);
        item->setObjectName(name);
        return item;
    };

    QMenu *file = menu(tr("&File"), QStringLiteral("menuFile"));
    action(file, tr("&New session"), QStringLiteral("actionNew"), QKeySequence::New, [this] { newSession(); });
    action(file, tr("&Open…"), QStringLiteral("actionOpen"), QKeySequence::Open, [this] { openSessionDialog(); });
    m_recentMenu = file->addMenu(tr("Open &recent"));
    m_recentMenu->setObjectName(QStringLiteral("menuRecent"));
    m_importAction = action(file, tr("&Import line CSV…"), QStringLiteral("actionImportLine"), {},
                            [this] { importLineDialog(); });
    m_samplesMenu = file->addMenu(tr("Open sa&mple"));
    m_samplesMenu->setObjectName(QStringLiteral("menuSamples"));
    m_samplesMenu->setToolTipsVisible(true);
    connect(m_samplesMenu, &QMenu::aboutToShow, this, &MainWindow::updateSamplesMenu);
    file->addSeparator();
    m_saveAction = action(file, tr("&Save"), QStringLiteral("actionSave"), QKeySequence::Save, [this] { save(); });
    m_saveAsAction =
        action(file, tr("Save &as…"), QStringLiteral("actionSaveAs"), QKeySequence::SaveAs, [this] { saveAs(); });
    file->addSeparator();
    action(file, tr("Compar&e sessions…"), QStringLiteral("actionCompare"), QKeySequence(Qt::CTRL | Qt::Key_D), [this] { compareDialog(); });
    file->addSeparator();
    action(file, tr("Export &chart…"), QStringLiteral("actionExportChart"), QKeySequence(Qt::CTRL | Qt::Key_E),
           [this] { exportChartDialog(); });
    m_exportTablesAction =
        action(file, tr("Export &tables…"), QStringLiteral("actionExportTables"), {}, [this] { exportTablesDialog(); });
    m_exportReportAction = action(file, tr("Export re&port folder…"), QStringLiteral("actionExportReport"),
                                  QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), [this] { exportReportDialog(); });
    m_exportTraceAction = action(file, tr("Export Chrome &trace…"), QStringLiteral("actionExportTrace"), {},
                                 [this] { exportTraceDialog(); });
    m_exportTraceAction->setToolTip(tr("The kernels of the anatomy that is shown, for Perfetto or chrome://tracing"));
    file->addSeparator();
    action(file, tr("C&lose tab"), QStringLiteral("actionCloseTab"), QKeySequence(Qt::CTRL | Qt::Key_W),
           [this] { closeTab(m_tabBar->currentIndex()); });
    m_reopenAction = action(file, tr("Reopen these sessions at the next &start"), QStringLiteral("actionReopen"), {},
                            [this] { m_settings.setReopensSessions(m_reopenAction->isChecked()); });
    m_reopenAction->setCheckable(true);
    m_reopenAction->setChecked(m_settings.reopensSessions());
    action(file, tr("&Quit"), QStringLiteral("actionQuit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });

    QMenu *edit = menu(tr("&Edit"), QStringLiteral("menuEdit"));
    m_undoAction = action(edit, tr("&Undo"), QStringLiteral("actionUndo"), QKeySequence(Qt::CTRL | Qt::Key_Z),
                          [this] { m_tab->undo.undo(); });
    m_redoAction = action(edit, tr("&Redo"), QStringLiteral("actionRedo"), {}, [this] { m_tab->undo.redo(); });
    m_redoAction->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addSeparator();
    action(edit, tr("Copy &chart as picture"), QStringLiteral("actionCopyChart"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
           [this] { copyChart(m_grid->current()); });
    action(edit, tr("Copy &table as text"), QStringLiteral("actionCopyTable"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_C),
           [this] { copyTable(); });

    QMenu *run = menu(tr("&Run"), QStringLiteral("menuRun"));
    m_runActions << action(run, tr("&Run the experiment"), QStringLiteral("actionRun"),
                           QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { startExperiment(std::nullopt); });
    run->addSeparator();
    m_runActions << action(run, tr("&Calibrate"), QStringLiteral("actionCalibrate"), {},
                           [this] { startExperiment(Experiment::Calibrate); });
    m_runActions << action(run, tr("&TTFT and TPOT"), QStringLiteral("actionTtft"), {},
                           [this] { startExperiment(Experiment::Ttft); });
    m_runActions << action(run, tr("&Batch sweep"), QStringLiteral("actionSweep"), {},
                           [this] { startExperiment(Experiment::Sweep); });
    m_runActions << action(run, tr("&Anatomy of a step"), QStringLiteral("actionAnatomy"), {},
                           [this] { startExperiment(Experiment::Anatomy); });
    m_runActions << action(run, tr("&Line over models"), QStringLiteral("actionLine"), {},
                           [this] { startExperiment(Experiment::Line); });
    run->addSeparator();
    buildReplayMenu(run);
    m_stopAction = action(run, tr("&Stop"), QStringLiteral("actionStop"), QKeySequence(Qt::Key_Escape),
                          [this] { m_controller->stop(); });

    QMenu *view = menu(tr("&View"), QStringLiteral("menuView"));
    m_chartActions = new QActionGroup(this);
    m_showAllAction = action(view, tr("&All charts"), QStringLiteral("actionAllCharts"),
                             QKeySequence(Qt::CTRL | Qt::Key_0), [this] { m_grid->showAll(); });
    m_showAllAction->setData(QString());
    m_showAllAction->setCheckable(true);
    m_showAllAction->setChecked(true);
    m_chartActions->addAction(m_showAllAction);
    int number = 1;
    for (ChartView *chart : m_grid->charts()) {
        QAction *item = action(view, chart->title(), QStringLiteral("actionChart-") + chart->id(),
                               QKeySequence(QStringLiteral("Ctrl+%1").arg(number++)),
                               [this, id = chart->id()] { m_grid->showSingle(id); });
        item->setData(chart->id());
        item->setCheckable(true);
        m_chartActions->addAction(item);
    }
    view->addSeparator();
    QAction *nextTab = action(view, tr("&Next session"), QStringLiteral("actionNextTab"), {}, [this] { stepTab(1); });
    nextTab->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Tab), QKeySequence(Qt::CTRL | Qt::Key_PageDown)});
    QAction *previousTab =
        action(view, tr("Pre&vious session"), QStringLiteral("actionPreviousTab"), {}, [this] { stepTab(-1); });
    previousTab->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Tab), QKeySequence(Qt::CTRL | Qt::Key_PageUp)});
    m_tabActions = {nextTab, previousTab};
    view->addSeparator();
    m_runsMenu = view->addMenu(tr("Run s&hown"));
    m_runsMenu->setObjectName(QStringLiteral("menuRuns"));
    QMenu *accounting = view->addMenu(tr("A&ccounting"));
    accounting->setObjectName(QStringLiteral("menuAccounting"));
    m_accountingActions = new QActionGroup(this);
    const auto accountingItem = [&](const QString &text, const QString &name, Accounting value) {
        QAction *item = action(accounting, text, name, {}, [this, value] { setAccounting(value); });
        item->setCheckable(true);
        item->setData(int(value));
        m_accountingActions->addAction(item);
    };
    accountingItem(tr("&Exact: what a step really streams"), QStringLiteral("actionExact"), Accounting::Exact);
    accountingItem(tr("&Textbook: W = 2 N, FLOP = 2 N b"), QStringLiteral("actionTextbook"), Accounting::Textbook);
    buildChartMenus(view);
    QMenu *theme = view->addMenu(tr("&Theme"));
    theme->setObjectName(QStringLiteral("menuTheme"));
    m_themeActions = new QActionGroup(this);
    const auto themeItem = [&](const QString &text, const QString &name, ThemeMode mode) {
        QAction *item = action(theme, text, name, {}, [this, mode] { setThemeMode(mode); });
        item->setCheckable(true);
        item->setData(int(mode));
        m_themeActions->addAction(item);
    };
    themeItem(tr("As the &system"), QStringLiteral("actionThemeSystem"), ThemeMode::System);
    themeItem(tr("&Light"), QStringLiteral("actionThemeLight"), ThemeMode::Light);
    themeItem(tr("&Dark"), QStringLiteral("actionThemeDark"), ThemeMode::Dark);
    m_presenterAction = action(view, tr("Presenter &mode"), QStringLiteral("actionPresenter"), QKeySequence(Qt::Key_F5), [this] {
        setPresenterMode(m_presenterAction->isChecked());
    });
    m_presenterAction->setCheckable(true);
    m_presenterAction->setToolTip(tr("Larger type and thicker lines, to be read from the back of a room"));
    QAction *lessons = action(view, tr("L&essons"), QStringLiteral("actionLessons"), QKeySequence(Qt::Key_F1),
                              [this] { showLessons(); });
    QMenu *speak = view->addMenu(tr("Lan&guage"));
    speak->setObjectName(QStringLiteral("menuLanguage"));
    m_languageActions = new QActionGroup(this);
    const auto languageItem = [&](const QString &text, const QString &code) {
        // Later: the change makes the menus anew, this one among them.
        QAction *item = action(speak, text, QStringLiteral("actionLanguage-") + (code.isEmpty() ? QStringLiteral("system") : code), {},
                               [this, code] { QTimer::singleShot(0, this, [this, code] { setLanguage(code); }); });
        item->setCheckable(true);
        item->setChecked(m_settings.language() == code);
        m_languageActions->addAction(item);
    };
    languageItem(tr("As the &system"), {});
    for (const Language &language : languages())
        languageItem(language.name, language.code);
    QMenu *panels = view->addMenu(tr("&Panels"));
    panels->setObjectName(QStringLiteral("menuPanels"));
    for (QDockWidget *dock :
         {m_experimentDock, m_explanationDock, m_whatIfDock, m_recordDock, m_logDock, m_lessonsDock}) {
        QAction *item = dock->toggleViewAction();
        item->setObjectName(QStringLiteral("toggle-") + dock->objectName());
        panels->addAction(item);
    }
    view->addSeparator();
    action(view, tr("&Reset layout"), QStringLiteral("actionResetLayout"), {}, [this] { resetLayout(); });

    QMenu *help = menu(tr("&Help"), QStringLiteral("menuHelp"));
    help->addAction(lessons);
    action(help, tr("&Glossary"), QStringLiteral("actionGlossary"), QKeySequence(Qt::SHIFT | Qt::Key_F1),
           [this] { showGlossary({}); });
    help->addSeparator();
    action(help, tr("&Command palette…"), QStringLiteral("actionPalette"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] {
        if (!m_palette)
            m_palette = new CommandPalette(menuBar(), this);
        m_palette->open();
    });
    action(help, tr("&About Ridgepoint"), QStringLiteral("actionAbout"), {}, [this] { about(); });
    action(help, tr("About &Qt"), QStringLiteral("actionAboutQt"), {}, [] { QApplication::aboutQt(); });
}

/// How points are coloured, in the View menu and in the charts' own.
void MainWindow::buildChartMenus(QMenu *view)
{
    QMenu *colour = view->addMenu(tr("Colour p&oints by"));
    colour->setObjectName(QStringLiteral("menuColour"));
    auto *group = new QActionGroup(this);
    const auto item = [&](const QString &text, const QString &name, ViewOptions::Colour value) {
        QAction *action = colour->addAction(text);
        action->setObjectName(name);
        action->setCheckable(true);
        action->setChecked(m_model->view().colour == value);
        action->setData(int(value));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, value] { setColour(value); });
    };
    item(tr("&Series"), QStringLiteral("actionColourSeries"), ViewOptions::Colour::Series);
    item(tr("SM &clock"), QStringLiteral("actionColourClock"), ViewOptions::Colour::Clock);
    item(tr("&Throttling"), QStringLiteral("actionColourThrottle"), ViewOptions::Colour::Throttle);
    QAction *wall = view->addAction(tr("&Wall time beside device time"));
    wall->setObjectName(QStringLiteral("actionWallTime"));
    wall->setCheckable(true);
    connect(wall, &QAction::toggled, this, [this](bool on) {
        ViewOptions options = m_model->view();
        options.wallTime = on;
        m_model->setView(options);
    });
    QAction *families = view->addAction(tr("&Lines of the families"));
    families->setObjectName(QStringLiteral("actionFamilyLines"));
    families->setCheckable(true);
    connect(families, &QAction::toggled, this, [this](bool on) {
        ViewOptions options = m_model->view();
        options.familyLines = on;
        m_model->setView(options);
    });
    for (ChartView *chart : m_grid->charts()) {
        if (chart->id() == QLatin1String("line"))
            chart->addAction(families);
        const bool latency = chart->id() == QLatin1String("latency");
        if (latency || chart->id() == QLatin1String("throughput"))
            chart->addAction(colour->menuAction());
        if (latency)
            chart->addAction(wall);
        if (chart->id() == QLatin1String("anatomy"))
            chart->addAction(m_exportTraceAction);
        auto *reset = new QAction(tr("&Show everything"), chart);
        reset->setObjectName(QStringLiteral("actionResetView-") + chart->id());
        connect(reset, &QAction::triggered, chart, &ChartView::resetView);
        chart->addAction(reset);
        for (const char *name : {"actionCopyChart", "actionCopyTable", "actionExportChart"})
            chart->addAction(findChild<QAction *>(QLatin1String(name)));
    }
}

/// Another tab may look at its points in another way.
void MainWindow::updateViewActions()
{
    const ViewOptions &options = m_model->view();
    const auto check = [this](const char *name, bool on) {
        QAction *action = findChild<QAction *>(QLatin1String(name));
        const QSignalBlocker quiet(action);
        action->setChecked(on);
    };
    check("actionColourSeries", options.colour == ViewOptions::Colour::Series);
    check("actionColourClock", options.colour == ViewOptions::Colour::Clock);
    check("actionColourThrottle", options.colour == ViewOptions::Colour::Throttle);
    check("actionWallTime", options.wallTime);
    check("actionFamilyLines", options.familyLines);
}

void MainWindow::setColour(ViewOptions::Colour colour)
{
    ViewOptions options = m_model->view();
    options.colour = colour;
    m_model->setView(options);
}

void MainWindow::buildStatusBar()
{
    m_statusDevice = new QLabel(this);
    m_statusDevice->setObjectName(QStringLiteral("statusDevice"));
    m_progress = new QProgressBar(this);
    m_progress->setObjectName(QStringLiteral("statusProgress"));
    m_progress->setRange(0, 1000);
    m_progress->setFixedWidth(150);
    m_progress->setMaximumHeight(14);
    m_progress->setTextVisible(false);
    m_progress->hide();
    m_statusText = new QLabel(this);
    m_statusText->setObjectName(QStringLiteral("statusText"));
    m_statusTime = new QLabel(this);
    m_statusMemory = new QLabel(this);
    m_statusTelemetry = new QLabel(this);
    m_statusTelemetry->setObjectName(QStringLiteral("statusTelemetry"));
    for (QLabel *label : {m_statusDevice, m_statusText, m_statusTime, m_statusMemory, m_statusTelemetry}) {
        label->setTextFormat(Qt::PlainText);
        label->setContentsMargins(4, 0, 4, 0);
    }
    m_showRun = new QToolButton(this);
    m_showRun->setObjectName(QStringLiteral("statusShowRun"));
    m_showRun->setAutoRaise(true);
    m_showRun->hide();
    connect(m_showRun, &QToolButton::clicked, this, [this] { showTab(indexOf(m_runTab)); });
    statusBar()->addWidget(m_progress);
    statusBar()->addWidget(m_showRun);
    statusBar()->addWidget(m_statusText, 1);
    statusBar()->addPermanentWidget(m_statusTime);
    statusBar()->addPermanentWidget(m_statusTelemetry);
    statusBar()->addPermanentWidget(m_statusMemory);
    statusBar()->addPermanentWidget(m_statusDevice);
    nameStatusBar();
}

void MainWindow::nameStatusBar()
{
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_showRun->setToolTip(tr("Brings the tab of the run that is going to the front"));
    m_statusDevice->setAccessibleName(tr("Device"));
    m_statusText->setAccessibleName(tr("What the run does"));
    m_statusTime->setAccessibleName(tr("Time left"));
    m_statusMemory->setAccessibleName(tr("Memory in use"));
    m_statusTelemetry->setAccessibleName(tr("Clock, temperature and power"));
    if (!m_engineProblem.isEmpty())
        m_statusDevice->setText(tr("No engine: predictions only"));
    else if (m_engineVersion.isEmpty())
        m_statusDevice->setText(tr("Engine not loaded yet"));
    else if (m_devices.empty())
        m_statusDevice->setText(tr("No device"));
    if (!m_controller->isRunning())
        m_statusText->clear(); // what a run of before said, in another language
}

void MainWindow::resetLayout()
{
    m_grid->showAll();
    m_grid->resetSizes();
    for (QDockWidget *dock : {m_experimentDock, m_explanationDock, m_whatIfDock, m_recordDock, m_logDock}) {
        dock->setFloating(false);
        dock->show();
    }
    addDockWidget(Qt::LeftDockWidgetArea, m_experimentDock);
    m_lessonsDock->setFloating(false);
    m_lessonsDock->hide();
    tabifyDockWidget(m_experimentDock, m_lessonsDock);
    addDockWidget(Qt::RightDockWidgetArea, m_explanationDock);
    splitDockWidget(m_explanationDock, m_whatIfDock, Qt::Vertical);
    addDockWidget(Qt::BottomDockWidgetArea, m_recordDock);
    tabifyDockWidget(m_recordDock, m_logDock);
    m_recordDock->raise();
    // Shares of the window's own size, so that the charts keep the greater part on a small screen and the text does not
    // drown in space on a large one.
    const int left = qBound(250, width() * 21 / 100, 330);
    const int right = qBound(280, width() * 24 / 100, 420);
    const int bottom = qBound(140, height() * 24 / 100, 320);
    resizeDocks({m_experimentDock, m_explanationDock}, {left, right}, Qt::Horizontal);
    resizeDocks({m_recordDock}, {bottom}, Qt::Vertical);
    resizeDocks({m_explanationDock, m_whatIfDock}, {height(), height()}, Qt::Vertical);
    if (m_presenter) {
        m_layoutBefore = saveState();
        hideForPresenter();
    }
}

void MainWindow::restoreSettings()
{
    m_themeMode = m_settings.theme();
    applyTheme();

    ++m_quiet;
    const std::optional<RunPlan> last = m_settings.lastPlan();
    if (last) {
        try {
            m_experiment->setPlan(*last);
        } catch (const std::exception &) {
            // a plan that the panel of this version cannot show: its own defaults stay
        }
    }
    // The first look is a prediction: the experiment's own device and model.
    followExperiment();
    --m_quiet;
    m_tab->look.fields = m_experiment->fields();
    m_tab->look.whatIf = m_model->whatIf();

    if (m_settings.reopensSessions()) {
        m_toReopen = m_settings.openSessions();
        m_reopenActive = m_settings.activeSession();
    }
    if (!restoreGeometry(m_settings.geometry()))
        resize(1280, 800);
    const QByteArray state = m_settings.windowState();
    if (state.isEmpty() || !restoreState(state))
        resetLayout();
    if (m_settings.presenter())
        setPresenterMode(true);
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    if (m_shownOnce)
        return;
    m_shownOnce = true;
    if (auto *run = m_experiment->findChild<QWidget *>(QStringLiteral("experimentRun")))
        run->setFocus(); // what most people want next
    // resizeDocks needs the final size, which a window manager may have just decided.
    if (m_settings.windowState().isEmpty())
        QTimer::singleShot(0, this, [this] {
            const int page = m_grid->page();
            const QString single = m_grid->single();
            resetLayout();
            // What a file that was given at the start has to show is not part of the layout.
            single.isEmpty() ? m_grid->showPage(page) : m_grid->showSingle(single);
        });
    QTimer::singleShot(50, this, &MainWindow::afterFirstShow);
}

void MainWindow::afterFirstShow()
{
    if (!m_services.catalog->problems().empty()) {
        say(QStringLiteral("catalog"), [this] {
            QStringList lines;
            for (const std::string &problem : m_services.catalog->problems())
                lines << coreText(problem);
            m_messages->show(MessageBar::Severity::Warning, QStringLiteral("catalog"), lines.join(QLatin1Char('\n')), {},
                             MessageBar::kEveryTab);
        });
    }
    reopenTabs();
    offerRecovery();
    if (m_services.loadEngineInBackground)
        m_controller->loadDevices();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_controller->isRunning()) {
        if (m_controller->isStopping()) {
            if (!m_services.prompts.confirm(
                    this,
                    tr("The run has not stopped yet. Its finished points are in the journal and are offered at "
                       "the next start. Quit without waiting?"),
                    tr("Quit"))) {
                event->ignore();
                return;
            }
        } else {
            event->ignore();
            whileIdle(tr("A run is going. Stop it and quit?"), [this] { close(); });
            return;
        }
    } else {
        for (int i = 0; i < m_tabBar->count(); ++i) {
            if (!letGo(*tabAt(i))) {
                event->ignore();
                return;
            }
        }
        for (const auto &tab : m_tabs)
            tab->document->discardJournal(); // saved, or let go of: not before the last answer
    }
    rememberTabs();
    m_settings.setWindow(saveGeometry(), layoutToKeep());
    if (const std::optional<RunPlan> plan = m_experiment->plan())
        m_settings.setLastPlan(*plan);
    m_settings.sync();
    event->accept();
}

void MainWindow::updateActions()
{
    // In the other tabs what runs is refused with a sentence, and Esc does not end what is not in sight.
    const bool running = hasRunInFront();
    const bool results = m_document->hasResults();
    const bool plan = m_experiment->plan().has_value();
    // The named experiments have fields of their own; a wrong one of them is said when it is chosen.
    for (QAction *action : std::as_const(m_runActions))
        action->setEnabled(!running && (plan || action != m_runActions.first()));
    m_stopAction->setEnabled(running);
    // Esc has two meanings, one at a time: a run is stopped, else a chart that fills the centre steps back.
    m_showAllAction->setShortcuts(
        running ? QList<QKeySequence>{QKeySequence(Qt::CTRL | Qt::Key_0)}
                : QList<QKeySequence>{QKeySequence(Qt::CTRL | Qt::Key_0), QKeySequence(Qt::Key_Escape)});
    m_saveAction->setEnabled(m_document->isModified() || (m_document->path().isEmpty() && results));
    m_saveAsAction->setEnabled(true);
    m_importAction->setEnabled(!running);
    m_exportTablesAction->setEnabled(results);
    m_exportReportAction->setEnabled(results);
    const StepAnatomy *anatomy = shownAnatomy(*m_model);
    m_exportTraceAction->setEnabled(anatomy && !anatomy->kernels.empty());
    for (QAction *action : std::as_const(m_tabActions))
        action->setEnabled(m_tabBar->count() > 1);
    const bool elsewhere = m_controller->isRunning() && m_runTab && m_runTab != m_tab;
    m_showRun->setVisible(elsewhere);
    if (elsewhere)
        m_showRun->setText(tr("Run in “%1”").arg(tabName(*m_runTab)));
}

void MainWindow::about()
{
    const QString engine = !m_engineVersion.isEmpty()   ? m_engineVersion
                           : !m_engineProblem.isEmpty() ? tr("not available")
                                                        : tr("not loaded yet");
    const auto row = [](const QString &name, const QString &value) {
        return QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
            .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
    };
    QString text =
        tr("<h3>Ridgepoint %1</h3><p>A workbench for LLM decode: prediction and measurement on one axis.</p>")
            .arg(QApplication::applicationVersion());
    text += QStringLiteral("<table>") + row(tr("Engine"), engine) + row(tr("Qt"), QString::fromLatin1(qVersion())) +
            row(tr("Settings"), QDir::toNativeSeparators(m_settings.fileName())) +
            row(tr("Journals"), QDir::toNativeSeparators(qs(m_services.journalFolder.string())));
    for (const std::filesystem::path &folder : Catalog::defaultFolders())
        text += row(tr("Devices and models"), QDir::toNativeSeparators(qs(folder.string())));
    text += QStringLiteral("</table>") +
            tr("<p>Free software under the GNU General Public License, version 3 or later.</p>");
    QMessageBox box(this);
    box.setWindowTitle(tr("About Ridgepoint"));
    box.setIconPixmap(windowIcon().pixmap(64, 64));
    box.setTextFormat(Qt::RichText);
    box.setText(text);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    nameButtons(box);
    box.exec();
}

void MainWindow::setThemeMode(ThemeMode mode)
{
    m_themeMode = mode;
    m_settings.setTheme(mode);
    applyTheme();
}

void MainWindow::applyTheme()
{
    m_applyingTheme = true;
    switch (m_themeMode) {
    case ThemeMode::System:
        QApplication::setPalette(QPalette());
        break; // whatever the platform says, now and later
    case ThemeMode::Light:
        QApplication::setPalette(lightPalette());
        break;
    case ThemeMode::Dark:
        QApplication::setPalette(darkPalette());
        break;
    }
    // The window's own copy reaches its children at once, also before the event loop runs.
    setPalette(m_themeMode == ThemeMode::System ? QPalette() : QApplication::palette());
    applyChartTheme();
    const auto actions = m_themeActions->actions();
    for (QAction *action : actions)
        action->setChecked(action->data().toInt() == int(m_themeMode));
    m_applyingTheme = false;
}

void MainWindow::setLanguage(const QString &code)
{
    m_settings.setLanguage(code);
    useLanguage(code);
    m_retranslating = false;
    retranslate();
}

/// Says everything in the language of the moment: panels, charts and menus are made anew and hold what they held.
void MainWindow::retranslate()
{
    ++m_quiet;
    const bool queued = std::exchange(m_retranslating, true);
    const QString focused = QApplication::focusWidget() ? QApplication::focusWidget()->objectName() : QString();
    const QByteArray docks = saveState();
    const std::optional<RunPlan> plan = m_experiment->plan();
    putAside(*m_tab);
    const auto splitters = m_grid->findChildren<QSplitter *>();
    QList<QList<int>> sizes;
    for (const QSplitter *splitter : splitters)
        sizes << splitter->sizes();
    auto *pages = m_tables->findChild<QTabWidget *>();
    const int table = pages ? pages->currentIndex() : 0;
    for (QWidget *old : {static_cast<QWidget *>(m_grid), static_cast<QWidget *>(m_experiment),
                         static_cast<QWidget *>(m_explanation), static_cast<QWidget *>(m_whatIfPanel),
                         static_cast<QWidget *>(m_tables)})
        delete old;
    fillPanels();
    namePanels();

    menuBar()->clear();
    const auto menus = menuBar()->findChildren<QMenu *>(QString(), Qt::FindDirectChildrenOnly);
    qDeleteAll(menus);
    for (QActionGroup *group : {m_chartActions, m_themeActions, m_accountingActions, m_languageActions})
        delete group;
    m_runActions.clear();
    buildMenus();
    nameStatusBar();

    if (!m_devices.empty())
        offerDevices();
    if (plan)
        m_experiment->setPlan(*plan); // what a session or a folder brought is in no catalogue
    m_experiment->setFields(m_tab->look.fields);
    m_tab->look.fields = m_experiment->fields();
    m_experiment->setRunning(hasRunInFront());
    m_tab->single.isEmpty() ? m_grid->showPage(m_tab->page) : m_grid->showSingle(m_tab->single);
    const auto fresh = m_grid->findChildren<QSplitter *>();
    for (int i = 0; i < fresh.size() && i < sizes.size(); ++i)
        fresh[i]->setSizes(sizes[i]);
    if ((pages = m_tables->findChild<QTabWidget *>()))
        pages->setCurrentIndex(table);
    m_presenterAction->setChecked(m_presenter);
    const auto themes = m_themeActions->actions();
    for (QAction *action : themes)
        action->setChecked(action->data().toInt() == int(m_themeMode));
    applyChartTheme();
    checkAccounting();
    updateViewActions();
    for (ChartView *chart : m_grid->charts())
        chart->setRanges(m_tab->look.axes.value(chart->id()));
    restoreState(docks);
    for (const auto &tab : m_tabs)
        updateTab(*tab);
    const auto bars = findChildren<QTabBar *>(QString(), Qt::FindDirectChildrenOnly);
    for (QTabBar *bar : bars)
        bar->setAccessibleName(tr("Panels"));
    sayAgain();
    retranslateLog();
    updateTitle();
    updateRecentMenu();
    updateRunsMenu();
    updateActions();
    updateUndoActions();
    if (auto *widget = focused.isEmpty() ? nullptr : findChild<QWidget *>(focused))
        widget->setFocus();
    m_retranslating = queued;
    --m_quiet;
}

void MainWindow::say(const QString &key, std::function<void()> show, int tab)
{
    show();
    m_said[{tab == MessageBar::kTabInFront ? m_tab->id : tab, key}] = std::move(show);
}

/// A fault that the core names, in the language of the moment.
void MainWindow::sayFault(const QString &key, const std::string &english, int tab)
{
    say(key, [this, key, english, tab] { m_messages->show(MessageBar::Severity::Error, key, coreText(english), {}, tab); },
        tab);
}

/// The messages that stand, in the language of the moment.
void MainWindow::sayAgain()
{
    for (auto it = m_said.begin(); it != m_said.end();) {
        m_messages->setTab(it->first.first);
        if (!m_messages->isShowing(it->first.second)) {
            it = m_said.erase(it);
            continue;
        }
        it->second();
        ++it;
    }
    m_messages->setTab(m_tab->id);
}

void MainWindow::applyChartTheme()
{
    const ChartTheme theme = ChartTheme::forPalette(palette());
    m_grid->setTheme(m_presenter ? theme.forPresenter() : theme);
    if (m_compare)
        m_compare->setChartTheme(m_presenter ? theme.forPresenter() : theme);
}

void MainWindow::rememberWindow()
{
    if (m_shownOnce && !m_rememberWindow.isActive())
        m_rememberWindow.start();
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    rememberWindow();
}

void MainWindow::moveEvent(QMoveEvent *event)
{
    QMainWindow::moveEvent(event);
    rememberWindow();
}

void MainWindow::childEvent(QChildEvent *event)
{
    QMainWindow::childEvent(event);
    // Qt makes the tab bars of docked panels when it needs them.
    if (event->polished()) {
        if (auto *tabs = qobject_cast<QTabBar *>(event->child()); tabs && tabs->accessibleName().isEmpty())
            tabs->setAccessibleName(tr("Panels"));
    }
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    // Once for all the translators that change together; setLanguage() does not wait for it.
    if (event->type() == QEvent::LanguageChange && m_shownOnce && !std::exchange(m_retranslating, true))
        QTimer::singleShot(0, this, [this] {
            if (std::exchange(m_retranslating, false))
                retranslate();
        });
    if (event->type() == QEvent::PaletteChange && m_grid && !m_applyingTheme)
        applyChartTheme(); // the desktop changed its colours
}

} // namespace ridgepoint
