// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/main_window.h"

#include "app/gui/chart_grid.h"
#include "app/gui/column_dialog.h"
#include "app/gui/compare_dialog.h"
#include "app/gui/session_tab.h"
#include "core/base/atomic_file.h"
#include "core/session/import.h"
#include "core/session/line.h"
#include "core/session/profile_match.h"
#include "core/session/session_title.h"
#include "core/session/tables.h"
#include "widgets/chart_view.h"
#include "widgets/panels.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QStatusBar>
#include <QTimer>

// The document in the window: new, open, save, recover, export.
namespace ridgepoint {

namespace {

QString qs(const std::string &text)
{
    return QString::fromStdString(text);
}

QString native(const QString &path)
{
    return QDir::toNativeSeparators(path);
}

QString modeLabel(DecodeMode mode)
{
    const std::string_view name = modeName(mode);
    return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

/// A table with rows whose columns are neither those of a line over models nor known by their names.
bool isTableOfOthers(const std::string &text)
{
    const CsvPreview preview = previewCsv(text, 1);
    if (preview.header.size() < 2 || preview.rows.empty())
        return false;
    // What a line needs first; one that lacks the rest of it is told what that is.
    return std::none_of(preview.header.begin(), preview.header.end(),
                        [](const std::string &head) { return QString::fromStdString(head).startsWith(QLatin1String("weight_"), Qt::CaseInsensitive); });
}

QString sessionFilter()
{
    return MainWindow::tr("Ridgepoint sessions (*.json);;Rows of a line (*.csv);;All files (*)");
}

} // namespace

bool MainWindow::letGo(SessionTab &tab)
{
    if (!tab.document->isModified())
        return true;
    activate(&tab); // one sees what is asked about
    switch (m_services.prompts.unsaved(this, tabName(tab))) {
    case Prompts::Unsaved::Save:
        return save();
    case Prompts::Unsaved::Discard:
        return true;
    case Prompts::Unsaved::Cancel:
        break;
    }
    return false;
}

/// Calls `then` now when no run is going; else asks, stops the run and calls it when the run has ended.
bool MainWindow::whileIdle(const QString &question, std::function<void()> then)
{
    if (!m_controller->isRunning()) {
        then();
        return true;
    }
    if (!m_services.prompts.confirm(this, question, tr("Stop the run")))
        return false;
    if (!m_controller->isRunning()) { // it ended while the question stood
        then();
        return true;
    }
    m_afterRun = std::move(then);
    m_controller->stop();
    return false;
}

bool MainWindow::newSession()
{
    activate(addTab());
    resetExperiment();
    documentReplaced();
    return true;
}

void MainWindow::openSessionDialog()
{
    const QString folder =
        m_document->path().isEmpty() ? m_settings.exportFolder() : QFileInfo(m_document->path()).path();
    const QString path = m_services.prompts.openFile(this, tr("Open session"), folder, sessionFilter());
    if (!path.isEmpty())
        openSession(path);
}

bool MainWindow::openSession(const QString &path)
{
    if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        bool points = false; // of other programs, not rows of a line
        ColumnQuestion question{{}, path, m_services.catalog.get()};
        try {
            question.text = readWholeFile(path.toStdString(), kMaxImportBytes);
            points = recogniseImport(question.text).has_value();
        } catch (const std::exception &) {
            // Importing the rows says what is wrong with the file.
        }
        if (!points && isTableOfOthers(question.text)) {
            const auto options = m_services.prompts.columns(this, question);
            return options && openFile(path, false, false, options);
        }
        if (!points)
            return importLineAsking(path); // it joins the document, which stays
    }
    return openFile(path, false);
}

void MainWindow::importLineDialog()
{
    const QString path = m_services.prompts.openFile(this, tr("Import line CSV"), m_settings.exportFolder(),
                                                     tr("Rows of a line (*.csv);;All files (*)"));
    if (!path.isEmpty())
        importLineAsking(path);
}

/// What the rows imply is held against what their device has, which only the user can tell.
bool MainWindow::importLineAsking(const QString &path)
{
    const std::optional<double> bandwidth = m_services.prompts.number(
        this, tr("Import line CSV"),
        tr("Memory bandwidth of the device that these rows were measured on, in GB/s (0: not known):"), 0, 1e6);
    return bandwidth && importLineCsv(path, *bandwidth * 1e9);
}

void MainWindow::nameImport(const QString &path, ImportOptions options, bool model)
{
    std::vector<std::string> ids;
    QStringList names;
    const auto add = [&](const std::string &id, const std::string &name) {
        ids.push_back(id);
        names << qs(name.empty() ? id : name);
    };
    if (model) {
        for (const ModelShape &shape : m_services.catalog->models())
            add(shape.id, shape.name);
    } else {
        for (const HardwareProfile &profile : m_services.catalog->hardware())
            add(profile.id, profile.name);
    }
    const std::optional<int> chosen = m_services.prompts.choose(this, model ? tr("Name the model") : tr("Name the device"),
                                                                model ? tr("The model that was measured:") : tr("The device that was measured on:"), names);
    if (!chosen)
        return;
    (model ? options.model : options.hardware) = ids[std::size_t(*chosen)];
    openFile(path, false, false, options);
}

void MainWindow::tellFault(const QString &sentence)
{
    say(QStringLiteral("fault"), [=, this] {
        m_messages->show(MessageBar::Severity::Error, QStringLiteral("fault"),
                         tr("A part of the window could not be shown: %1 The session is kept; save it and open it again.")
                             .arg(coreText(sentence.toStdString())));
    });
}

bool MainWindow::importLineCsv(const QString &path, double bandwidth)
{
    if (hasRunInFront()) {
        say(QStringLiteral("import"), [=, this] { m_messages->show(MessageBar::Severity::Warning, QStringLiteral("import"),
                         tr("A run is going. Import the rows when it has ended.")); });
        return false;
    }
    std::vector<LineImportProblem> problems;
    try {
        const QString name = QFileInfo(path).fileName();
        LineImport import = importLine(readWholeFile(path.toStdString(), kMaxImportBytes), native(path).toStdString());
        problems = import.problems;
        Ceilings nominal;
        nominal.bandwidth = bandwidth;
        const RunRecord run = importedRun(std::move(import), name.toStdString(), nominal, nullptr);
        // As a run is recorded, so that a crash loses nothing of it.
        std::vector<Event> events{RunStarted{run.plan.runId, run.plan, run.provenance}};
        for (const LineRow &row : run.line)
            events.push_back(LineRowFinished{run.plan.runId, row});
        events.push_back(RunEnded{run.plan.runId, RunEnded::How::Done, ErrorKind::Failure, {}});
        try {
            const RunController::Recorder record = m_document->recorder();
            for (const Event &event : events)
                record(event);
        } catch (const std::exception &error) {
            logCore(error.what()); // the rows are in their file still
        }
        m_document->apply(events);
        m_model->select(std::nullopt);
        m_model->setCurrentRun(run.plan.runId);
        log([path, rows = int(run.line.size())] { return tr("Imported %1: %n row(s).", nullptr, rows).arg(native(path)); });
        const LineReading reading = readLine(run);
        for (const std::string &sentence : lineSentences(run, reading))
            logCore(sentence);
    } catch (const std::exception &error) {
        sayNotOpened(QStringLiteral("import"), path, error.what());
        return false;
    }
    if (problems.empty())
        m_messages->dismiss(QStringLiteral("import"));
    else
        say(QStringLiteral("import"), [=, this] {
            QStringList lines{tr("Some lines of %1 were left out.").arg(native(path))};
            for (std::size_t i = 0; i < problems.size() && i < 5; ++i)
                lines << tr("Line %1: %2").arg(problems[i].line).arg(coreText(problems[i].sentence));
            if (problems.size() > 5)
                lines << tr("%n further line(s) could not be used.", nullptr, int(problems.size()) - 5);
            m_messages->show(MessageBar::Severity::Warning, QStringLiteral("import"), lines.join(QLatin1Char('\n')));
        });
    return true;
}

bool MainWindow::openSample(const QString &path)
{
    return openFile(path, true);
}

/// A saved session, or what another program measured, as one of its own: `import` then says how it was read. With `options` it is
/// read as the user said. Throws Error.
Session MainWindow::readResults(const QString &path, const std::optional<ImportOptions> &options, std::optional<Import> &import) const
{
    std::exception_ptr noSession;
    if (!options) {
        try {
            return loadSession(path.toStdString());
        } catch (const std::exception &) {
            noSession = std::current_exception();
        }
    }
    // What another program measured is no session, and opens as one of its own.
    std::string bytes;
    try {
        bytes = readWholeFile(path.toStdString(), kMaxImportBytes);
    } catch (const std::exception &) {
        if (noSession) // too large for an import: what is wrong with it as a session is said
            std::rethrow_exception(noSession);
        throw;
    }
    if (noSession && !recogniseImport(bytes))
        std::rethrow_exception(noSession);
    import = importResults(bytes, native(path).toStdString(), options.value_or(ImportOptions()), *m_services.catalog);
    Session session = ridgepoint::newSession();
    session.title = QFileInfo(path).fileName().toStdString();
    session.runs = import->runs;
    return session;
}

bool MainWindow::openFile(const QString &path, bool sample, bool lesson, const std::optional<ImportOptions> &options)
{
    if (SessionTab *open = tabOf(path, sample); open && !lesson) {
        activate(open);
        m_messages->dismiss(QStringLiteral("open"));
        return true;
    }
    // Read first: a tab is made for a file that opens.
    std::optional<Import> import;
    std::optional<Session> session;
    const FileState before = fileState(path);
    try {
        session = readResults(path, options, import);
    } catch (const std::exception &error) {
        sayNotOpened(QStringLiteral("open"), path, error.what());
        return false;
    }
    // A lesson turns the pages of one tab, whichever recording it shows.
    SessionTab *page = nullptr;
    for (const auto &tab : m_tabs) {
        if (lesson && tab->lesson && !tab->document->isModified() && !(m_controller->isRunning() && m_runTab == tab.get()))
            page = tab.get();
    }
    if (page)
        activate(page);
    else
        freeTab();
    m_tab->sample = sample ? path : QString();
    m_tab->lesson = lesson;
    if (import) {
        try {
            m_document->openImported(std::move(*session));
        } catch (const std::exception &error) {
            logCore(error.what()); // without a journal; its file is there still
        }
    } else {
        m_document->show(std::move(*session), sample ? QString() : path, before);
    }
    m_messages->dismiss(QStringLiteral("open"));
    if (!sample) {
        m_settings.addRecentSession(path);
        updateRecentMenu();
    }
    documentReplaced();
    if (import) {
        const std::string impossible = belowFloorSentence(*import);
        const auto lines = [path, impossible, format = qs(std::string(importFormatName(import->format))), notes = import->notes,
                            problems = import->problems, more = int(import->problems.size() + import->moreProblems) - 5] {
            QStringList told{tr("%1 was imported: its steps were measured by %2, not by this program.").arg(native(path), format)};
            for (const std::string &note : notes)
                told << coreText(note);
            if (!impossible.empty())
                told << coreText(impossible);
            for (std::size_t i = 0; i < problems.size() && i < 5; ++i)
                told << tr("Line %1: %2").arg(problems[i].line).arg(coreText(problems[i].sentence));
            if (problems.size() > 5)
                told << tr("%n further line(s) could not be used.", nullptr, more);
            return told.join(QLatin1Char('\n'));
        };
        const auto severity =
            import->problems.empty() && impossible.empty() ? MessageBar::Severity::Info : MessageBar::Severity::Warning;
        // What the file does not tell is asked for: without a model there is no floor, without a device no ceiling.
        const auto lacks = [runs = import->runs](const auto &missing) { return std::any_of(runs.begin(), runs.end(), missing); };
        const bool noModel = lacks([](const RunRecord &run) { return run.plan.model.shape.layers == 0; });
        const bool noDevice = lacks([](const RunRecord &run) { return run.plan.hardwareId.empty(); });
        const ImportOptions given = options.value_or(ImportOptions());
        say(QStringLiteral("open"), [=, this] {
            QVector<MessageBar::Action> actions;
            if (noModel)
                actions.push_back({tr("Name the model…"), [=, this] { nameImport(path, given, true); }});
            if (noDevice)
                actions.push_back({tr("Name the device…"), [=, this] { nameImport(path, given, false); }});
            m_messages->show(severity, QStringLiteral("open"), lines(), actions);
        });
        log(lines);
    } else if (!m_document->hasResults())
        say(QStringLiteral("open"), [=, this] { m_messages->show(MessageBar::Severity::Info, QStringLiteral("open"),
                         tr("%1 holds no results.").arg(native(path))); });
    return true;
}

void MainWindow::documentReplaced()
{
    ++m_quiet;
    if (m_runTab == m_tab && !m_controller->isRunning())
        m_replayQueue.clear();
    m_messages->dismiss(QStringLiteral("replay"));
    m_messages->dismiss(QStringLiteral("recording"));
    m_model->setLive(std::nullopt);
    m_model->select(std::nullopt);
    m_model->setCurrentRun({});
    // The newest run, or of steps taken apart the one that says most.
    std::string first;
    if (const RunRecord *newest = m_model->currentRun(); newest && newest->anatomy && !hasRunInFront()) {
        const RunRecord *most = newest;
        for (const RunRecord &run : m_model->session()->runs) {
            if (run.anatomy && detailOf(*run.anatomy) >= detailOf(*most->anatomy) &&
                (detailOf(*run.anatomy) > detailOf(*most->anatomy) || most != newest))
                most = &run;
        }
        if (most != newest)
            first = most->plan.runId;
        m_model->setCurrentRun(first);
    }
    m_tab->look.handHardware = m_tab->look.handModel = m_tab->look.handDtype = false;
    m_tab->look.followed.reset();
    if (const RunRecord *run = m_model->currentRun())
        followRun(*run);
    else
        followExperiment();
    for (ChartView *chart : m_grid->charts())
        chart->setRanges({});
    m_tab->look.run = first;
    m_tab->look.point.reset();
    m_tab->look.fields = m_experiment->fields();
    m_tab->look.whatIf = m_model->whatIf();
    m_tab->look.view = m_model->view();
    m_tab->look.axes.clear();
    m_tab->undo.clear();
    --m_quiet;
    updateTab(*m_tab);
    updateTitle();
    updateUndoActions();
    rememberTabs();
}

bool MainWindow::save()
{
    if (m_document->path().isEmpty())
        return saveAs();
    if (m_document->isChangedOnDisk()) {
        switch (m_services.prompts.changed(this, native(m_document->path()))) {
        case Prompts::Changed::Replace:
            break;
        case Prompts::Changed::SaveAs:
            return saveAs();
        case Prompts::Changed::Cancel:
            return false;
        }
    }
    return saveTo(m_document->path());
}

bool MainWindow::saveAs()
{
    const QString proposed = m_document->path().isEmpty()
                                 ? m_settings.exportFolder() + QStringLiteral("/session-") +
                                       QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmm")) +
                                       QStringLiteral(".json")
                                 : m_document->path();
    const QString path = m_services.prompts.saveFile(this, tr("Save session"), proposed, sessionFilter());
    return !path.isEmpty() && saveTo(path);
}

bool MainWindow::saveTo(const QString &path)
{
    if (const SessionTab *other = tabOf(path, false); other && other != m_tab) {
        say(QStringLiteral("save"), [=, this] { m_messages->show(MessageBar::Severity::Error, QStringLiteral("save"),
                         tr("%1 is open in another tab. Close that tab first, or save under another name.").arg(native(path))); });
        return false;
    }
    try {
        m_document->save(path, hasRunInFront());
    } catch (const std::exception &error) {
        sayFault(QStringLiteral("save"), error.what());
        return false;
    }
    m_messages->dismiss(QStringLiteral("save"));
    m_messages->dismiss(QStringLiteral("journal"));
    m_settings.addRecentSession(path);
    m_settings.setExportFolder(QFileInfo(path).absolutePath());
    m_tab->sample.clear(); // it is a session of its own now
    m_tab->lesson = false;
    updateTab(*m_tab);
    updateRecentMenu();
    rememberTabs();
    statusBar()->showMessage(tr("Saved %1").arg(native(path)), 4000);
    return true;
}

void MainWindow::updateTitle()
{
    setWindowTitle(tr("%1[*] – Ridgepoint").arg(tabName(*m_tab)));
    setWindowModified(m_document->isModified());
}

void MainWindow::updateRecentMenu()
{
    m_recentMenu->clear();
    const QStringList recent = m_settings.recentSessions();
    for (const QString &path : recent) {
        QString label = native(path);
        QAction *item = m_recentMenu->addAction(label.replace(QLatin1Char('&'), QStringLiteral("&&")));
        item->setEnabled(QFileInfo(path).isFile());
        connect(item, &QAction::triggered, this, [this, path] { openSession(path); });
    }
    m_recentMenu->addSeparator();
    QAction *clear = m_recentMenu->addAction(tr("&Clear the list"));
    clear->setObjectName(QStringLiteral("actionClearRecent"));
    clear->setEnabled(!recent.isEmpty());
    connect(clear, &QAction::triggered, this, [this] {
        m_settings.clearRecentSessions();
        QTimer::singleShot(0, this, &MainWindow::updateRecentMenu); // not while its own action is being handled
    });
}

void MainWindow::followRun(const RunRecord &run)
{
    if (isImportedLine(run)) { // rows of many models: nothing that could be predicted came with them
        followExperiment();
        return;
    }
    ++m_quiet;
    if (run.provenance.imported) { // no plan that could be run: the fields stay, the prediction is of what was measured
        WhatIf whatIf = whatIfOfRun(run);
        for (const HardwareProfile &known : m_services.catalog->hardware()) {
            if (known.id == run.plan.hardwareId && known.memoryBandwidth == run.plan.nominal.bandwidth)
                whatIf.hardware = known; // it has the other number formats too
        }
        setWhatIf(whatIf);
        --m_quiet;
        return;
    }
    if (run.plan.experiment != Experiment::Calibrate || run.plan.model.shape.layers > 0) {
        RunPlan plan = run.plan;
        plan.runId.clear();
        plan.measured.reset(); // a new run takes the ceilings that the session holds then, or measures its own
        try {
            m_experiment->setPlan(plan);
        } catch (const std::exception &error) {
            logCore(error.what()); // a plan of another version: the fields stay as they are
        }
    }
    if (const std::optional<RunPlan> shown = m_experiment->plan()) {
        const HardwareProfile *profile = profileOf(shown->device);
        m_tab->look.followed = Followed{profile ? profile->id : std::string(), shown->model.shape, shown->dtype,
                              shown->mode};
    }
    setWhatIf(whatIfOfRun(run));
    --m_quiet;
}

/// The document or the run that is looked at changed: the prediction laid beneath the charts is that run's own.
void MainWindow::runShownChanged()
{
    const RunRecord *run = m_model->currentRun();
    const std::string id = run ? run->plan.runId : std::string();
    if (id != m_tab->shownRun) {
        m_tab->shownRun = id;
        if (run && !hasRunInFront())
            followRun(*run);
        // The four charts are of one model: a line has a picture of its own, and leaves it with its run.
        const bool line = run && run->plan.experiment == Experiment::Line;
        if (line)
            m_grid->showSingle(QStringLiteral("line"));
        else if (m_grid->single() == QLatin1String("line"))
            m_grid->showAll();
        // An anatomy has its own picture too.
        if (run && run->plan.experiment == Experiment::Anatomy)
            m_grid->showPage(1);
    }
    // The card that ran need not be the one whose datasheet lies beneath the charts. Said once: a message that was closed
    // stays closed while its run grows.
    const std::string mismatch = run ? profileMismatch(*run, *m_services.catalog) : std::string();
    if (mismatch.empty())
        m_messages->dismiss(QStringLiteral("profile"));
    else if (id + mismatch != m_tab->saidMismatch)
        say(QStringLiteral("profile"), [=, this] {
            m_messages->show(MessageBar::Severity::Warning, QStringLiteral("profile"), coreText(mismatch));
        });
    m_tab->saidMismatch = mismatch.empty() ? std::string() : id + mismatch;
    updateRunsMenu();
}

void MainWindow::updateRunsMenu()
{
    m_runsMenu->clear();
    const Session &session = *m_document->snapshot();
    const RunRecord *current = m_model->currentRun();
    int number = 0;
    for (const RunRecord &run : session.runs) {
        ++number;
        const QString what = run.plan.experiment == Experiment::Calibrate ? tr("Calibration")
                             : run.plan.experiment == Experiment::Ttft    ? tr("TTFT and TPOT")
                             : run.plan.experiment == Experiment::Line    ? tr("Line over models")
                             : run.plan.experiment == Experiment::Anatomy ? tr("Anatomy of a step")
                                                                          : tr("Batch sweep");
        QAction *item = m_runsMenu->addAction(
            tr("%1: %2, %3 on %4")
                .arg(number)
                .arg(run.plan.experiment == Experiment::Calibrate || isImported(run)
                         ? what
                         : tr("%1 (%2)").arg(what, modeLabel(run.plan.mode)),
                     run.plan.experiment != Experiment::Line ? qs(run.plan.model.shape.name)
                     : isImported(run)                       ? tr("%1 rows").arg(run.line.size())
                                                             : tr("%n model(s)", nullptr, int(run.plan.models.size())),
                     coreText(shownDevice(run))));
        item->setCheckable(true);
        item->setChecked(current && current->plan.runId == run.plan.runId);
        connect(item, &QAction::triggered, this, [this, id = run.plan.runId] {
            // After the menu has closed: the change rebuilds it.
            QTimer::singleShot(0, this, [this, id] { showRun(id); });
        });
    }
    m_runsMenu->setEnabled(!session.runs.empty());
}

void MainWindow::updateSamplesMenu()
{
    m_samplesMenu->clear();
    std::vector<SampleSession> samples;
    try {
        samples = m_services.samples();
    } catch (const std::exception &error) {
        logCore(error.what());
    }
    for (const SampleSession &sample : samples) {
        QString title = sample.about.empty() ? qs(sample.title) : messageText(sample.about);
        QAction *item = m_samplesMenu->addAction(title.replace(QLatin1Char('&'), QStringLiteral("&&")));
        const QString path = qs(sample.path.string());
        item->setToolTip(sample.problem.empty() ? native(path) : coreText(sample.problem));
        item->setEnabled(sample.problem.empty());
        connect(item, &QAction::triggered, this, [this, path] { openSample(path); });
    }
    if (samples.empty())
        m_samplesMenu->addAction(tr("No samples are installed"))->setEnabled(false);
}

void MainWindow::restartProgram()
{
    QString file = m_document->path();
    const auto again = [this](const QString &problem) {
        say(QStringLiteral("device"), [=, this] { m_messages->show(MessageBar::Severity::Error, QStringLiteral("device"), problem,
                         {{tr("Restart"), [this] { restartProgram(); }}}, MessageBar::kEveryTab); });
    };
    if (m_document->hasResults()) {
        try {
            // Without a name of its own, or where another program wrote to its file, the session goes beside the journals, where the program keeps what is not
            // saved.
            if (file.isEmpty() || (m_document->isModified() && m_document->isChangedOnDisk()))
                file = qs((m_services.journalFolder / ("restarted-" + newId() + ".json")).string());
            if (m_document->isModified() || m_document->path().isEmpty())
                m_document->save(file, false);
        } catch (const std::exception &error) {
            again(QString::fromUtf8(error.what()));
            return;
        }
    }
    if (!m_services.restart(file)) {
        again(file.isEmpty()
                  ? tr("The program could not be started anew. Quit, and start it by hand.")
                  : tr("The program could not be started anew. Quit, start it by hand and open %1.").arg(native(file)));
        return;
    }
    close();
}

void MainWindow::offerRecovery()
{
    std::vector<std::filesystem::path> found;
    try {
        found = Journal::recoverable(m_services.journalFolder);
    } catch (const std::exception &error) {
        logCore(error.what());
        return;
    }
    if (found.empty())
        return;
    const std::filesystem::path path = found.front();
    const QFileInfo info(qs(path.string()));
    const QString when = QLocale::system().toString(info.lastModified(), QLocale::ShortFormat);
    QString text = tr("A session was interrupted on %1. Its unsaved results are in the journal.").arg(when);
    QVector<MessageBar::Action> actions;
    if (found.size() > 1) {
        text += QLatin1Char(' ') + tr("Interrupted sessions that wait after it: %1.").arg(found.size() - 1);
        actions << MessageBar::Action{tr("Recover all"), [this, found] {
                                          for (const std::filesystem::path &each : found)
                                              recoverJournal(each);
                                          offerRecovery();
                                      }};
    }
    actions << MessageBar::Action{tr("Recover"), [this, path] {
                                      if (recoverJournal(path))
                                          offerRecovery();
                                  }};
    actions << MessageBar::Action{tr("Discard"), [this, path] {
                                      if (m_services.prompts.confirm(
                                              this, tr("Discard the interrupted session? It cannot be brought back."),
                                              tr("Discard"))) {
                                          std::error_code problem;
                                          std::filesystem::remove(path, problem);
                                          if (problem) {
                                              say(QStringLiteral("recovery"), [=, this] { m_messages->show(MessageBar::Severity::Error, QStringLiteral("recovery"),
                                                               tr("The journal %1 could not be removed: %2.")
                                                                   .arg(native(qs(path.string())), qs(problem.message())),
                                                               {}, MessageBar::kEveryTab); });
                                              return;
                                          }
                                      }
                                      offerRecovery();
                                  }};
    m_messages->show(MessageBar::Severity::Warning, QStringLiteral("recovery"), text, actions, MessageBar::kEveryTab);
    m_said[{m_tab->id, QStringLiteral("recovery")}] = [this] { offerRecovery(); };
}

/// Into the tab of the saved session that the results belong to, where that is open as it was saved; else into a tab of
/// their own.
bool MainWindow::recoverJournal(const std::filesystem::path &path)
{
    try {
        const Session session = Journal::recover(path);
        SessionTab *home = nullptr;
        for (const auto &tab : m_tabs) {
            if (tab->document->snapshot()->id == session.id && !tab->document->isModified() && tab->sample.isEmpty() &&
                !(m_controller->isRunning() && m_runTab == tab.get()))
                home = tab.get();
        }
        if (home)
            activate(home);
        else
            freeTab();
        m_document->recover(path);
    } catch (const std::exception &error) {
        sayFault(QStringLiteral("recovery"), error.what(), MessageBar::kEveryTab);
        return false;
    }
    documentReplaced();
    log([] { return tr("Recovered an interrupted session; save it to keep it."); });
    return true;
}

void MainWindow::exportChartDialog()
{
    if (const auto wanted = askChartExport(m_grid->charts(), m_grid->current(), this))
        exportChart(*wanted);
}

std::optional<ChartExport> MainWindow::askChartExport(const QVector<ChartView *> &charts, const ChartView *first, QWidget *parent)
{
    ChartExport proposed;
    proposed.chart = first->id();
    proposed.size = m_settings.exportSize();
    proposed.scale = m_settings.exportScale();
    proposed.path = m_settings.exportFolder() + QLatin1Char('/') + proposed.chart + QStringLiteral(".png");
    ChartExportDialog dialog(charts, proposed, m_services.prompts, parent);
    return dialog.exec() == QDialog::Accepted ? std::optional(dialog.request()) : std::nullopt;
}

bool MainWindow::exportChart(const ChartExport &wanted)
{
    ChartView *chart = m_grid->chart(wanted.chart);
    const QString problem = chart ? writeChart(chart, wanted)
                                  : tr("There is no chart named %1.").arg(wanted.chart); // a dialog's answer: said once
    if (!problem.isEmpty()) {
        m_messages->show(MessageBar::Severity::Error, QStringLiteral("export"), problem);
        return false;
    }
    m_messages->dismiss(QStringLiteral("export"));
    return true;
}

/// "" or what went wrong.
QString MainWindow::writeChart(const ChartView *chart, const ChartExport &wanted)
{
    const QString problem = chart->exportTo(wanted.path, wanted.size, wanted.scale);
    if (!problem.isEmpty())
        return problem;
    m_settings.setExportFolder(QFileInfo(wanted.path).absolutePath());
    m_settings.setExportSize(wanted.size, wanted.scale);
    statusBar()->showMessage(tr("Exported %1").arg(native(wanted.path)), 4000);
    return {};
}

void MainWindow::compareDialog()
{
    if (!m_compare) {
        CompareDialog::Hooks hooks;
        hooks.askFile = [this](QWidget *parent) {
            return m_services.prompts.openFile(parent, tr("Add session"), m_settings.exportFolder(), sessionFilter());
        };
        hooks.load = [this](const QString &path) {
            std::optional<Import> import;
            return std::make_shared<const Session>(readResults(path, std::nullopt, import));
        };
        hooks.copyChart = [this](ChartView *chart) { copyChart(chart); };
        hooks.exportChart = [this](ChartView *chart, QWidget *parent) {
            const auto wanted = askChartExport({chart}, chart, parent);
            return wanted ? writeChart(chart, *wanted) : QString();
        };
        m_compare = new CompareDialog(std::move(hooks), this);
        applyChartTheme();
    }
    m_compare->show();
    offerComparison();
    m_compare->raise();
    m_compare->activateWindow();
}

/// The sessions of the tabs as they are now, to the comparison where it is open.
void MainWindow::offerComparison()
{
    if (!m_compare || !m_compare->isVisible())
        return;
    std::vector<CompareDialog::Source> sources;
    const auto key = [](const SessionTab &tab) { return QStringLiteral("tab %1").arg(tab.id); };
    for (int i = 0; i < tabCount(); ++i) {
        const SessionTab *tab = tabAt(i);
        if (!tab)
            continue; // on its way in or out
        const SessionPtr session = tab->document->snapshot();
        if (!session->runs.empty())
            sources.push_back({key(*tab), tabName(*tab), session});
    }
    m_compare->setOpenSessions(std::move(sources), key(*m_tab));
}

void MainWindow::exportTablesDialog()
{
    const QStringList names{tr("Batch sweep"), tr("Steps"), tr("TTFT and TPOT"), tr("Line over models"),
                            tr("Anatomy of a step"), tr("Calibration")};
    static const QStringList keys{QStringLiteral("sweep"), QStringLiteral("steps"), QStringLiteral("ttft"),
                                  QStringLiteral("line"), QStringLiteral("anatomy"), QStringLiteral("calibration")};
    const std::optional<int> chosen = chooseOf(this, tr("Export tables"), tr("Table:"), names);
    if (!chosen)
        return;
    const QString which = keys.at(*chosen);
    const QString path = m_services.prompts.saveFile(
        this, tr("Export table"), m_settings.exportFolder() + QLatin1Char('/') + which + QStringLiteral(".csv"),
        tr("CSV files (*.csv)"));
    if (!path.isEmpty())
        exportTable(which, path);
}

bool MainWindow::exportTable(const QString &which, const QString &path)
{
    try {
        writeFileAtomically(path.toStdString(), tableCsv(*m_document->snapshot(), which));
    } catch (const std::exception &error) {
        sayFault(QStringLiteral("export"), error.what());
        return false;
    }
    m_messages->dismiss(QStringLiteral("export"));
    m_settings.setExportFolder(QFileInfo(path).absolutePath());
    statusBar()->showMessage(tr("Exported %1").arg(native(path)), 4000);
    return true;
}

void MainWindow::exportReportDialog()
{
    const QStringList names{tr("HTML: one file with the charts in it"), tr("PDF: pages to print"), tr("Markdown: text beside its charts")};
    static constexpr ReportFormat formats[] = {ReportFormat::Html, ReportFormat::Pdf, ReportFormat::Markdown};
    const std::optional<int> chosen = chooseOf(this, tr("Export report folder"), tr("Format:"), names);
    if (!chosen)
        return;
    const QString folder = m_services.prompts.folder(this, tr("Export report folder"), m_settings.exportFolder());
    if (!folder.isEmpty())
        exportReportTo(folder, formats[*chosen]);
}

bool MainWindow::exportReportTo(const QString &folder, ReportFormat format)
{
    const QString begin = format == ReportFormat::Html  ? QStringLiteral("report.html")
                          : format == ReportFormat::Pdf ? QStringLiteral("report.pdf")
                                                        : QStringLiteral("report.md");
    const QDir dir(folder);
    if (dir.exists() && !dir.isEmpty() &&
        !m_services.prompts.confirm(
            this,
            tr("%1 is not empty. Files of the same names (%2, session.json, the charts and tables) are "
               "replaced.")
                .arg(native(folder), begin),
            tr("Export here")))
        return false;
    const SessionPtr snapshot = m_document->snapshot();
    try {
        QApplication::setOverrideCursor(Qt::WaitCursor);
        const QStringList files = exportReport(*snapshot, folder, m_settings.exportSize(), m_settings.exportScale(),
                                               ChartTheme::light(), m_services.catalog.get(), {format});
        QApplication::restoreOverrideCursor();
        say(QStringLiteral("export"), [=, this] { m_messages->show(
            MessageBar::Severity::Info, QStringLiteral("export"),
            tr("Report written to %1 (files: %2). Begin with %3.").arg(native(folder)).arg(files.size()).arg(begin)); });
    } catch (const std::exception &error) {
        QApplication::restoreOverrideCursor();
        sayFault(QStringLiteral("export"), error.what());
        return false;
    }
    m_settings.setExportFolder(QFileInfo(folder).absolutePath());
    return true;
}

void MainWindow::copyChart(ChartView *chart)
{
    auto *data = new QMimeData;
    data->setImageData(chart->toImage(m_settings.exportSize(), m_settings.exportScale()));
    data->setText(tabbed(chart->table())); // what the picture shows, for a target that takes no pictures
    QApplication::clipboard()->setMimeData(data);
    statusBar()->showMessage(tr("Copied the chart “%1”").arg(chart->title()), 4000);
}

bool MainWindow::exportTrace(const QString &path)
{
    const RunRecord *run = anatomyRun(*m_model);
    if (!run || run->anatomy->kernels.empty()) {
        say(QStringLiteral("export"), [=, this] { m_messages->show(MessageBar::Severity::Warning, QStringLiteral("export"),
                         tr("There is no traced step to export: run the anatomy of a step on a device that can trace.")); });
        return false;
    }
    try {
        const std::string &name = run->plan.model.shape.name.empty() ? run->plan.model.shape.id : run->plan.model.shape.name;
        const std::string title = name + " " + std::string(dtypeName(run->plan.dtype)) + ", " +
                                  std::string(modeName(run->anatomy->mode)) + ", batch " +
                                  QString::number(run->anatomy->batch).toStdString();
        writeFileAtomically(path.toStdString(), chromeTrace(*run->anatomy, title));
    } catch (const std::exception &error) {
        sayFault(QStringLiteral("export"), error.what());
        return false;
    }
    m_settings.setExportFolder(QFileInfo(path).absolutePath());
    statusBar()->showMessage(tr("Exported %1").arg(native(path)), 4000);
    return true;
}

void MainWindow::exportTraceDialog()
{
    const QString path = m_services.prompts.saveFile(
        this, tr("Export Chrome trace"), QDir(m_settings.exportFolder()).filePath(QStringLiteral("step.trace.json")),
        tr("Trace (*.json)"));
    if (!path.isEmpty())
        exportTrace(path);
}

/// The table or the chart that had the focus last; the record where neither had it.
void MainWindow::copyTable()
{
    const ChartView *chart = m_grid->current();
    TextTable table;
    if (!m_chartHadFocus)
        table = m_tables->shownTable();
    const bool record = !table.header.empty();
    if (!record)
        table = chart->table();
    QApplication::clipboard()->setText(tabbed(table));
    statusBar()->showMessage(record ? tr("Copied the record table") : tr("Copied the figures of “%1”").arg(chart->title()), 4000);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (std::any_of(urls.begin(), urls.end(), [](const QUrl &url) { return url.isLocalFile(); }))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    QStringList paths;
    for (const QUrl &url : urls) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    // After the drop is over, so that the other program does not wait for our questions.
    QTimer::singleShot(0, this, [this, paths] {
        openSeveral(paths, [this](const QString &path) { openSession(path); });
    });
}

/// Of one file alone the message stands; of several the next one would take its place.
void MainWindow::sayNotOpened(const QString &key, const QString &path, const std::string &english)
{
    if (m_notOpened)
        m_notOpened->push_back({path, english});
    else
        sayFault(key, english);
}

void MainWindow::openSeveral(const QStringList &paths, const std::function<void(const QString &path)> &open)
{
    std::vector<NotOpened> faults;
    std::vector<NotOpened> *before = std::exchange(m_notOpened, &faults);
    for (const QString &path : paths)
        open(path);
    m_notOpened = before;
    if (faults.empty()) {
        m_messages->dismiss(QStringLiteral("unopened"));
        return;
    }
    const auto lines = [faults] {
        QStringList told;
        for (const NotOpened &fault : faults) {
            const QString sentence = coreText(fault.english);
            told << (sentence.contains(QFileInfo(fault.path).fileName()) ? sentence
                                                                         : tr("%1: %2").arg(native(fault.path), sentence));
        }
        return tr("Not opened (files: %1):").arg(faults.size()) + QLatin1Char('\n') + told.join(QLatin1Char('\n'));
    };
    say(
        QStringLiteral("unopened"),
        [this, lines] {
            m_messages->show(MessageBar::Severity::Error, QStringLiteral("unopened"), lines(), {}, MessageBar::kEveryTab);
        },
        MessageBar::kEveryTab);
    log(lines);
}

} // namespace ridgepoint
