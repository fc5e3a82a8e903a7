// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/chart_grid.h"
#include "app/gui/main_window.h"
#include "app/gui/session_tab.h"
#include "widgets/panels.h"

#include <QAction>
#include <QApplication>
#include <QMouseEvent>
#include <QTabBar>
#include <QUndoCommand>
#include <QUndoGroup>

// Undo and redo of how a session is looked at: what-if values, the plan, chart options, the chosen point and run, axes.
namespace ridgepoint {

namespace {

/// A pause that ends a gesture of keys or of the wheel.
constexpr int kGestureMs = 1000;

} // namespace

/// One change by the user's hand. It holds both sides of the parts that changed.
class LookCommand : public QUndoCommand {
public:
    LookCommand(MainWindow *window, unsigned parts, const Look &before, const Look &after, const QString &key,
                int gesture, std::function<QString()> label)
        : m_window(window), m_parts(parts), m_before(before), m_after(after), m_key(key), m_gesture(gesture),
          m_label(std::move(label))
    {
    }

    QString label() const { return m_label(); } ///< in the language of the moment
    int id() const override { return 1; }
    void undo() override { m_window->applyLook(m_parts, m_before); }
    void redo() override
    {
        if (std::exchange(m_done, true)) // it is pushed after the change
            m_window->applyLook(m_parts, m_after);
    }
    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = static_cast<const LookCommand *>(other);
        if (next->m_gesture != m_gesture || next->m_key != m_key || next->m_parts != m_parts)
            return false;
        m_after = next->m_after;
        return true;
    }

private:
    MainWindow *m_window;
    unsigned m_parts;
    Look m_before, m_after;
    QString m_key;
    int m_gesture;
    std::function<QString()> m_label;
    bool m_done = false;
};

void MainWindow::noteChange(unsigned parts, const Look &before, const QString &key, std::function<QString()> label)
{
    if (m_quiet > 0)
        return;
    m_tab->undo.push(new LookCommand(this, parts, before, m_tab->look, key, m_gesture, std::move(label)));
    m_gestureEnd.start(kGestureMs);
    updateUndoActions(); // a merged change leaves the stack's index alone
}

void MainWindow::applyLook(unsigned parts, const Look &look)
{
    ++m_quiet;
    ++m_gesture; // the next change is a step of its own
    Look &now = m_tab->look;
    if (parts & Look::RunPart) {
        m_model->setCurrentRun(look.run.empty() || m_document->snapshot()->run(look.run) ? look.run : std::string());
        now.run = look.run;
    }
    if (parts & Look::PlanPart) {
        m_experiment->setFields(look.fields);
        now.fields = m_experiment->fields();
    }
    if (parts & (Look::PlanPart | Look::WhatIfPart)) {
        setWhatIf(look.whatIf);
        now.whatIf = m_model->whatIf();
        now.handHardware = look.handHardware;
        now.handModel = look.handModel;
        now.handDtype = look.handDtype;
        now.followed = look.followed;
    }
    if (parts & Look::ViewPart)
        m_model->setView(look.view);
    if (parts & Look::PointPart)
        m_model->select(look.point && m_document->snapshot()->run(look.point->runId) ? look.point : std::nullopt);
    if (parts & Look::AxesPart) {
        for (ChartView *chart : m_grid->charts()) {
            chart->setRanges(look.axes.value(chart->id()));
            now.axes[chart->id()] = chart->ranges();
        }
    }
    --m_quiet;
    updateActions();
}

/// What changed between two sets of what-if values, in the words of their panel.
static QString whatIfLabel(const WhatIf &before, const WhatIf &after)
{
    if (before.hardware != after.hardware)
        return WhatIfPanel::tr("Device");
    if (before.shape != after.shape)
        return WhatIfPanel::tr("Model");
    if (before.dtype != after.dtype)
        return WhatIfPanel::tr("Dtype");
    if (before.accounting != after.accounting)
        return WhatIfPanel::tr("Accounting");
    // The fixed cost follows batch and context where steps were timed: they come first.
    if (before.batch != after.batch)
        return WhatIfPanel::tr("Batch");
    if (before.context != after.context)
        return WhatIfPanel::tr("Context");
    if (before.prompt != after.prompt)
        return WhatIfPanel::tr("Prompt");
    const bool bandwidth = before.ceilings.bandwidth != after.ceilings.bandwidth,
               peak = before.ceilings.flops != after.ceilings.flops,
               overhead = before.ceilings.overhead != after.ceilings.overhead;
    if (bandwidth + peak + overhead > 1)
        return MainWindow::tr("Ceilings");
    return bandwidth  ? WhatIfPanel::tr("Bandwidth")
           : peak     ? WhatIfPanel::tr("Peak")
           : overhead ? WhatIfPanel::tr("Overhead")
                      : MainWindow::tr("Prediction");
}

void MainWindow::noteWhatIfByHand()
{
    const WhatIf &whatIf = m_model->whatIf();
    checkAccounting();
    const Look before = m_tab->look;
    m_tab->look.whatIf = whatIf;
    if (m_settingWhatIf)
        return;
    // A choice that equals the experiment's own follows it again.
    if (const std::optional<RunPlan> plan = m_experiment->plan()) {
        const HardwareProfile *profile = profileOf(plan->device);
        m_tab->look.handHardware = profile && whatIf.hardware.id != profile->id;
        m_tab->look.handModel = whatIf.shape.id != plan->model.shape.id;
        m_tab->look.handDtype = whatIf.dtype != plan->dtype;
    }
    noteChange(Look::WhatIfPart, before, QStringLiteral("whatif ") + whatIfLabel(before.whatIf, whatIf),
               [from = before.whatIf, to = whatIf] { return whatIfLabel(from, to); });
}

void MainWindow::planChangedInPanel()
{
    const Look before = m_tab->look;
    m_tab->look.fields = m_experiment->fields();
    if (m_quiet == 0) {
        followExperiment();
        // The field by which it is told: the first that differs, the visible choice before what followed from it.
        QString field;
        for (const char *name :
             {"experimentKind", "experimentDevice", "experimentModel", "experimentDtype", "experimentMode"}) {
            if (field.isEmpty() &&
                before.fields.value(QLatin1String(name)) != m_tab->look.fields.value(QLatin1String(name)))
                field = QLatin1String(name);
        }
        for (auto it = m_tab->look.fields.cbegin(); it != m_tab->look.fields.cend() && field.isEmpty(); ++it) {
            if (before.fields.value(it.key()) != it.value() && !m_experiment->fieldLabel(it.key()).isEmpty())
                field = it.key();
        }
        if (!field.isEmpty())
            noteChange(Look::PlanPart, before, QStringLiteral("plan ") + field,
                       [this, field] { return m_experiment->fieldLabel(field); });
    }
    updateActions();
}

void MainWindow::noteView()
{
    const Look before = m_tab->look;
    m_tab->look.view = m_model->view();
    updateViewActions();
    if (before.view == m_tab->look.view)
        return;
    noteChange(Look::ViewPart, before, QStringLiteral("view"), [from = before.view, to = m_tab->look.view] {
        return from.colour != to.colour       ? tr("Colour of points")
               : from.wallTime != to.wallTime ? tr("Wall time")
                                              : tr("Lines of families");
    });
}

void MainWindow::notePoint()
{
    const Look before = m_tab->look;
    m_tab->look.point = m_model->selection();
    if (before.point != m_tab->look.point)
        noteChange(Look::PointPart, before, QStringLiteral("point"), [] { return tr("Chosen point"); });
}

void MainWindow::noteAxes(const ChartView *chart)
{
    const Look before = m_tab->look;
    m_tab->look.axes[chart->id()] = chart->ranges();
    if (before.axes.value(chart->id()) == chart->ranges())
        return;
    noteChange(Look::AxesPart, before, QStringLiteral("axes ") + chart->id(), [this, id = chart->id()] {
        const ChartView *view = m_grid->chart(id);
        return tr("Axes of “%1”").arg(view ? view->title() : id);
    });
}

/// The run that charts and tables show, chosen by hand: fields and prediction become its own, in one step of Undo.
void MainWindow::showRun(const std::string &runId)
{
    const Look before = m_tab->look;
    ++m_quiet;
    ++m_gesture;
    m_model->select(std::nullopt);
    m_model->setCurrentRun(runId);
    m_tab->look.run = runId;
    m_tab->look.point.reset();
    m_tab->look.fields = m_experiment->fields();
    --m_quiet;
    noteChange(Look::RunPart | Look::PointPart | Look::PlanPart | Look::WhatIfPart, before, QStringLiteral("run"),
               [] { return tr("Run shown"); });
}

void MainWindow::updateUndoActions()
{
    const QUndoStack &stack = m_tab->undo;
    const auto tell = [&](QAction *action, const QString &plain, const QString &with, bool can, int index) {
        const auto *command = can ? static_cast<const LookCommand *>(stack.command(index)) : nullptr;
        QString label = command ? command->label() : QString();
        action->setText(label.isEmpty() ? plain : with.arg(label.replace(QLatin1Char('&'), QStringLiteral("&&"))));
        action->setEnabled(can);
    };
    tell(m_undoAction, tr("&Undo"), tr("&Undo: %1"), stack.canUndo(), stack.index() - 1);
    tell(m_redoAction, tr("&Redo"), tr("&Redo: %1"), stack.canRedo(), stack.index());
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    // A press begins a gesture; the drag that follows is one step of Undo.
    if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType())
        ++m_gesture;
    if (watched == m_tabBar && event->type() == QEvent::MouseButtonRelease) {
        const auto *mouse = static_cast<QMouseEvent *>(event);
        const int index = m_tabBar->tabAt(mouse->position().toPoint());
        if (mouse->button() == Qt::MiddleButton && index >= 0) {
            closeTab(index);
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace ridgepoint
