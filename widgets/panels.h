// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "core/session/lesson.h"
#include "core/session/plan.h"
#include "core/session/tables.h"
#include "widgets/workbench_model.h"

#include <QVariantMap>
#include <QWidget>

#include <memory>

namespace ridgepoint {

/// A device as the panel offers it; the controller fills it from what the engine reports, or "cpu" before it is loaded.
struct DeviceChoice {
    QString id;      ///< "cpu", "cuda:0"
    QString name;    ///< for people
    QString problem; ///< a sentence; the entry is then disabled
    std::vector<DType> dtypes;
    std::vector<DecodeMode> modes;
    double memoryBytes = kMissing;
};

/// EXPERIMENT: device, model or folder, dtype, mode, prompts, batches, new tokens, repeats, steps, threads, memory
/// limit; Run (Ctrl+Return) and Stop (Esc). Bad text in a field is said beside the field and Run is disabled, nothing
/// is guessed.
class ExperimentPanel : public QWidget {
    Q_OBJECT

public:
    explicit ExperimentPanel(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);
    ~ExperimentPanel() override;
    void setDevices(const std::vector<DeviceChoice> &devices);
    /// The plan of the fields; runId empty. Nothing while a field is wrong.
    std::optional<RunPlan> plan() const;
    /// Shows a plan. A device that is not offered is awaited: until setDevices() names it, another one stands in and a
    /// remark says so.
    void setPlan(const RunPlan &plan);
    /// What every field holds, right or wrong, by the field's name; and back. A checkpoint folder is read again.
    QVariantMap fields() const;
    void setFields(const QVariantMap &fields);
    /// What the user calls the field of that name; empty: none.
    QString fieldLabel(const QString &name) const;
    /// Chooses the experiment alone; its own fields keep what they hold.
    void setExperiment(Experiment experiment);
    void setRunning(bool running);

signals:
    void runRequested(const ridgepoint::RunPlan &plan);
    void stopRequested();
    void planChanged();

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// WHAT IF: sliders with spin boxes for bandwidth, peak, overhead, batch, context, prompt; device, model, dtype and
/// accounting choosers; a button back to the run's own values. Each change reaches the model at once.
class WhatIfPanel : public QWidget {
    Q_OBJECT

public:
    WhatIfPanel(WorkbenchModel *model, std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);
    ~WhatIfPanel() override;

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// WHAT THIS POINT SAYS: the formulas with the numbers of the selected point (or of the what-if values), the ratio, its
/// band and its meaning. Text can be selected and copied.
class ExplanationPanel : public QWidget {
    Q_OBJECT

public:
    explicit ExplanationPanel(WorkbenchModel *model, QWidget *parent = nullptr);
    ~ExplanationPanel() override;
    QString plainText() const;
    /// With it the panel says where a run was predicted with another device's datasheet.
    void setCatalog(std::shared_ptr<const Catalog> catalog);
    /// With it the first occurrence of each term says what it means as a tool tip.
    void setGlossary(std::vector<GlossaryEntry> glossary);

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// Record: Batch sweep | TTFT/TPOT | Steps | Line over models | Calibration as tabs; clicking a row selects its point on every chart; copy
/// as text (Ctrl+C); save as CSV through the given signal.
class RecordTables : public QWidget {
    Q_OBJECT

public:
    explicit RecordTables(WorkbenchModel *model, QWidget *parent = nullptr);
    ~RecordTables() override;
    /// The table that is shown, as it is copied; no header: it has no row.
    TextTable shownTable() const;

signals:
    /// `which`: "sweep", "steps", "ttft", "line", "calibration".
    void exportCsvRequested(const QString &which);

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ridgepoint
