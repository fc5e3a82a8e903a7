// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/app_settings.h"
#include "app/gui/document.h"
#include "app/gui/export_dialogs.h"
#include "app/gui/message_bar.h"
#include "app/gui/prompts.h"
#include "app/gui/run_controller.h"
#include "core/catalog/catalog.h"
#include "core/session/import.h"
#include "core/session/sample_sessions.h"
#include "widgets/core_text.h"
#include "widgets/workbench_model.h"

#include <QFont>
#include <QMainWindow>
#include <QPalette>

#include <QTime>
#include <QTimer>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

class QActionGroup;
class QDockWidget;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QTabBar;
class QToolButton;
class QUndoGroup;

namespace ridgepoint {

class ChartGrid;
class ChartView;
class CommandPalette;
class CompareDialog;
struct Look;
struct SessionTab;
class ExperimentPanel;
struct DeviceChoice;
class ExplanationPanel;
class GlossaryDialog;
class LessonPanel;
class RecordTables;
class WhatIfPanel;

/// What the window is built on; a test gives its own.
struct WindowServices {
    RunController::EngineFactory engine;    ///< loadEngine in the program
    std::shared_ptr<const Catalog> catalog; ///< not null
    QString settingsFile;                   ///< empty: the user's
    std::filesystem::path journalFolder;    ///< empty: Journal::defaultFolder()
    Prompts prompts = Prompts::standard();
    /// The ceilings that an earlier calibration of a device of this name left behind, newest first; empty: none is kept.
    std::function<std::vector<MeasuredCeilings>(const std::string &deviceName)> savedCeilings;
    /// Keeps a calibration for later sessions; empty: it stays in its session. May throw Error.
    std::function<void(const CalibrationResult &calibration)> keepCalibration;
    /// Lists the sessions that ship with the program.
    std::function<std::vector<SampleSession>()> samples = [] { return sampleSessions(); };
    /// Starts the program anew, with that session where the path is not empty. False when it did not start.
    std::function<bool(const QString &session)> restart; ///< empty: this program's own file
    /// Load the engine soon after the window is on screen, to list the devices; else at the first run.
    bool loadEngineInBackground = true;
};

/// The workbench. Its constructor touches neither the engine nor the journal: the window is on screen at once.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(WindowServices services, QWidget *parent = nullptr);
    ~MainWindow() override;

    WorkbenchModel *model() const { return m_model; }
    Document *document() const { return m_document; } ///< of the tab in front
    int tabCount() const;
    int currentTab() const;     ///< from left to right
    void showTab(int index);
    /// Asks about unsaved results, stops a run of that tab first. False: it stays. The last tab becomes an empty one.
    bool closeTab(int index);
    bool hasRunInFront() const; ///< the run in progress is of the tab in front
    RunController *controller() const { return m_controller; }
    MessageBar *messages() const { return m_messages; }
    ChartGrid *charts() const { return m_grid; }
    ExperimentPanel *experimentPanel() const { return m_experiment; }

    /// Opens a session file in a tab of its own; one that is open already comes to the front. False, with a sentence in
    /// the message bar, when that cannot be done.
    bool openSession(const QString &path);
    /// The same for a session that ships with the program: its file is left alone.
    bool openSample(const QString &path);
    /// Adds the rows of a CSV that were measured elsewhere to the document, as a line over models. `bandwidth`: what the
    /// device of those rows has, B/s; 0: not known, and nothing is flagged. False, with a sentence in the message bar, when
    /// it cannot be read.
    bool importLineCsv(const QString &path, double bandwidth);
    /// Says that a part of the window failed and that what was measured is kept.
    void tellFault(const QString &sentence);
    bool saveTo(const QString &path);
    /// Writes one chart; a fault is a sentence in the message bar.
    bool exportChart(const ChartExport &wanted);
    /// Writes the report folder of the document as it is at this moment; asks when the folder holds anything.
    bool exportReportTo(const QString &folder, ReportFormat format = ReportFormat::Markdown);
    bool exportTable(const QString &which, const QString &path);
    /// Writes the kernels of the anatomy that is shown in the JSON Trace Event Format.
    bool exportTrace(const QString &path);
    /// Starts a run with the ceilings and the profile of its device filled in.
    void startRun(RunPlan plan);
    /// Plays the runs of a session file again, in a document of their own and through the way of a live run; `speed`: 1 is the
    /// recorded pace, 0 at once. Nothing is measured, and every such run is marked. False, with a sentence in the message bar,
    /// when that cannot be done.
    bool replaySession(const QString &path, double speed);
    void setThemeMode(ThemeMode mode);
    ThemeMode themeMode() const { return m_themeMode; }
    void setLanguage(const QString &code); ///< see useLanguage(); remembered
    LessonPanel *lessons() const { return m_lessons; }
    void showLessons();                     ///< the panel, with the step at hand set up
    void showGlossary(const QString &term); ///< empty: all terms
    void setPresenterMode(bool on);         ///< larger type, thicker lines; remembered

public slots:
    bool newSession();
    void openSessionDialog();
    bool save();
    bool saveAs();
    void resetLayout();
    /// Saves the session and leaves for a new process of the program, which opens it: a device that this one has lost
    /// can be used again there.
    void restartProgram();

protected:
    void showEvent(QShowEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void moveEvent(QMoveEvent *event) override;
    void childEvent(QChildEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void buildPanels();
    void fillPanels();
    void namePanels();
    void nameStatusBar();
    void retranslate();
    void say(const QString &key, std::function<void()> show, int tab = MessageBar::kTabInFront); ///< shows a message, and again in another language
    void sayFault(const QString &key, const std::string &english, int tab = MessageBar::kTabInFront);
    void sayAgain();
    void buildMenus();
    void buildStatusBar();
    void restoreSettings();
    void hideForPresenter();
    QByteArray layoutToKeep() const;
    void rememberWindow(); ///< soon: size, place and panels survive a kill
    void afterFirstShow();

    // Document and file menu.
    bool letGo(SessionTab &tab); ///< asks about unsaved results; true when they may go
    bool openFile(const QString &path, bool sample, bool lesson = false, const std::optional<ImportOptions> &options = std::nullopt);
    struct NotOpened {
        QString path;
        std::string english;
    };
    /// Opens one file after the other; those that could not be are named together in the message bar and the log.
    void openSeveral(const QStringList &paths, const std::function<void(const QString &path)> &open);
    void sayNotOpened(const QString &key, const QString &path, const std::string &english);
    /// Imports the file once more with a model, or a device, of the catalogue that the user names.
    void nameImport(const QString &path, ImportOptions options, bool model);
    Session readResults(const QString &path, const std::optional<ImportOptions> &options, std::optional<Import> &import) const;
    bool whileIdle(const QString &question, std::function<void()> then);
    void documentReplaced();
    void updateTitle();
    void updateActions();
    void updateRecentMenu();
    void updateRunsMenu();
    void updateSamplesMenu();
    void runShownChanged();
    void followRun(const RunRecord &run); ///< fields and prediction become those of a run that is looked at
    void offerRecovery();
    bool recoverJournal(const std::filesystem::path &path);
    void importLineDialog();
    bool importLineAsking(const QString &path);
    void exportChartDialog();
    void exportTablesDialog();
    void exportReportDialog();
    void exportTraceDialog();
    std::optional<ChartExport> askChartExport(const QVector<ChartView *> &charts, const ChartView *first, QWidget *parent);
    QString writeChart(const ChartView *chart, const ChartExport &wanted);
    void compareDialog();
    void offerComparison();
    void copyChart(ChartView *chart);
    void copyTable();
    void about();

    // Tabs.
    SessionTab *addTab(); ///< behind the others, not in front
    SessionTab *tabAt(int index) const;
    int indexOf(const SessionTab *tab) const;
    SessionTab *tabOf(const QString &path, bool sample) const; ///< null: not open
    SessionTab *freeTab(); ///< the one in front where nothing is in it, else a new one; in front afterwards
    bool isBlank(const SessionTab &tab) const;
    void activate(SessionTab *tab);
    void putAside(SessionTab &tab);
    QString tabName(const SessionTab &tab) const;
    void updateTab(const SessionTab &tab);
    void documentChanged(SessionTab *tab);
    void stepTab(int by);
    void rememberTabs();
    void reopenTabs();

    // Undo and redo.
    friend class LookCommand;
    void noteChange(unsigned parts, const Look &before, const QString &key, std::function<QString()> label);
    void applyLook(unsigned parts, const Look &look);
    void noteView();
    void notePoint();
    void noteAxes(const ChartView *chart);
    void showRun(const std::string &runId);
    void updateUndoActions();

    // Runs.
    void startExperiment(std::optional<Experiment> experiment);
    void buildReplayMenu(QMenu *run);
    void replayNext();
    void refuseRun(); ///< says that one is going
    void setLive(std::optional<LivePoint> live); ///< of the run's tab, in front or not
    void appendLiveSteps(const std::vector<StepSample> &steps);
    void takeEvents(const std::vector<Event> &events);
    void takeDevices(const QString &version, const std::vector<DeviceInfo> &devices);
    void runningChanged(bool running);
    void showProgress(const Progress &progress);
    void showTelemetry(const StepSample &step);
    void resetExperiment(); ///< fields and prediction as at a first start
    std::vector<DeviceChoice> deviceChoices() const;
    void offerDevices(); ///< to the panel: those of the engine, less those that this process has lost
    void loseDevice(const std::string &deviceId, const std::string &sentence);
    void log(std::function<QString()> line);
    void logCore(const std::string &english);
    void logText(const QString &text);
    void retranslateLog();
    void trimLog();

    // Prediction.
    const HardwareProfile *profileOf(const std::string &deviceId) const;
    std::optional<MeasuredCeilings> measuredOn(const RunPlan &plan) const;
    std::optional<MeasuredCeilings> savedOn(const RunPlan &plan);
    void
    followExperiment(); ///< the what-if takes the experiment's device, model and dtype unless they were changed by hand
    void layMeasuredCeilings(const MeasuredCeilings &measured, const RunPlan &plan);
    void setWhatIf(const WhatIf &whatIf);
    void noteWhatIfByHand();
    void planChangedInPanel();
    void checkAccounting();
    void updateViewActions();
    void setAccounting(Accounting accounting);
    void setColour(ViewOptions::Colour colour);
    void buildChartMenus(QMenu *view);
    void buildLessons(); ///< their panel and what they may do to the window

    void applyTheme();
    void applyChartTheme();

    std::vector<NotOpened> *m_notOpened = nullptr; ///< where openSeveral() gathers faults, while it opens

    WindowServices m_services;
    AppSettings m_settings;
    QPalette m_systemPalette;
    QFont m_systemFont; ///< before presenter mode
    ThemeMode m_themeMode = ThemeMode::System;
    WorkbenchModel *m_model = nullptr;
    std::vector<std::unique_ptr<SessionTab>> m_tabs;
    SessionTab *m_tab = nullptr;     ///< in front
    SessionTab *m_runTab = nullptr;  ///< of the run in progress, or of the last one
    Document *m_document = nullptr;  ///< of the tab in front
    QTabBar *m_tabBar = nullptr;
    QUndoGroup *m_undo = nullptr;
    int m_gesture = 0;               ///< changes of one gesture are one step of Undo
    QTimer m_gestureEnd;
    int m_quiet = 0;                 ///< above 0: what changes is not by the user's hand
    RunController *m_controller = nullptr;

    MessageBar *m_messages = nullptr;
    ChartGrid *m_grid = nullptr;
    ExperimentPanel *m_experiment = nullptr;
    ExplanationPanel *m_explanation = nullptr;
    WhatIfPanel *m_whatIfPanel = nullptr;
    RecordTables *m_tables = nullptr;
    LessonPanel *m_lessons = nullptr;
    CommandPalette *m_palette = nullptr;  ///< made when it is first asked for
    GlossaryDialog *m_glossary = nullptr; ///< made when it is first asked for
    CompareDialog *m_compare = nullptr;   ///< made when it is first asked for
    QPlainTextEdit *m_log = nullptr;
    QDockWidget *m_experimentDock = nullptr;
    QDockWidget *m_explanationDock = nullptr;
    QDockWidget *m_whatIfDock = nullptr;
    QDockWidget *m_recordDock = nullptr;
    QDockWidget *m_logDock = nullptr;
    QDockWidget *m_lessonsDock = nullptr;
    QByteArray m_layoutBefore; ///< of the docks, before presenter mode

    QAction *m_presenterAction = nullptr;
    QAction *m_undoAction = nullptr;
    QAction *m_redoAction = nullptr;
    QAction *m_reopenAction = nullptr;
    QList<QAction *> m_tabActions; ///< for several tabs
    QAction *m_saveAction = nullptr;
    QAction *m_saveAsAction = nullptr;
    QAction *m_importAction = nullptr;
    QAction *m_exportTablesAction = nullptr;
    QAction *m_exportReportAction = nullptr;
    QAction *m_exportTraceAction = nullptr;
    QAction *m_stopAction = nullptr;
    QAction *m_showAllAction = nullptr;
    QList<QAction *> m_runActions;
    QActionGroup *m_chartActions = nullptr;
    QActionGroup *m_themeActions = nullptr;
    QActionGroup *m_accountingActions = nullptr;
    QActionGroup *m_languageActions = nullptr;
    QMenu *m_recentMenu = nullptr;
    QMenu *m_runsMenu = nullptr;
    QMenu *m_samplesMenu = nullptr;

    QLabel *m_statusDevice = nullptr;
    QLabel *m_statusText = nullptr;
    QLabel *m_statusTime = nullptr;
    QLabel *m_statusMemory = nullptr;
    QLabel *m_statusTelemetry = nullptr;
    QProgressBar *m_progress = nullptr;
    QToolButton *m_showRun = nullptr; ///< to the tab of the run in progress

    std::vector<DeviceInfo> m_devices;
    std::string m_saidSaved; ///< date of the saved ceilings that the log has named
    std::set<std::string> m_lostDevices; ///< ids that this process can no longer use
    QString m_engineVersion;
    QString m_engineProblem;
    std::function<void()> m_afterRun; ///< what waits for a run to stop
    std::deque<RunRecord> m_replayQueue; ///< recorded runs that wait for their turn
    double m_replaySpeed = 1;
    std::string m_shownRun;           ///< id of the run that charts and tables show
    QTimer m_rememberWindow;
    bool m_shownOnce = false;
    bool m_presenter = false;
    bool m_lessonsShown = false; ///< the first step was set up
    struct LogLine {
        QTime time; ///< invalid: generated text, which goes on where the line before it ended
        std::function<QString()> say;
    };
    std::deque<LogLine> m_logLines; ///< what the log shows, to be said again in another language
    bool m_logHoldsText = false; ///< the log's last line is generated text
    bool m_settingWhatIf = false;
    bool m_applyingTheme = false;
    QStringList m_toReopen; ///< what stood open at the last time, until it is open again
    int m_reopenActive = 0;
    bool m_retranslating = false;
    bool m_chartHadFocus = false; ///< rather than a table of the record
    std::map<std::pair<int, QString>, std::function<void()>> m_said; ///< messages, by tab and key
};

} // namespace ridgepoint
