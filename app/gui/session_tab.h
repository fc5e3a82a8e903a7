// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/document.h"
#include "widgets/chart_view.h"
#include "widgets/workbench_model.h"

#include <QMap>
#include <QUndoStack>
#include <QVariantMap>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ridgepoint {

/// What the prediction took from the experiment last: profile, model, dtype. Only a change of these moves it.
struct Followed {
    std::string profile;
    ModelShape shape;
    DType dtype = DType::F16;
    DecodeMode mode = DecodeMode::Eager;
};

/// How a tab is looked at: what Undo and Redo put back. No result is part of it. A value.
struct Look {
    enum Part : unsigned { WhatIfPart = 1, PlanPart = 2, ViewPart = 4, PointPart = 8, RunPart = 16, AxesPart = 32 };
    QVariantMap fields; ///< of the experiment panel
    WhatIf whatIf;
    bool handHardware = false, handModel = false, handDtype = false; ///< what-if choices made by hand
    std::optional<Followed> followed;
    ViewOptions view;
    std::string run; ///< chosen to be shown; empty: the newest
    std::optional<PointKey> point;
    QMap<QString, ChartView::Ranges> axes; ///< by the chart's id
};

/// One open session: its document, the history of how it was looked at, and all that the window shows of it, put aside
/// here while another tab is in front.
struct SessionTab {
    int id = 0;
    int number = 0; ///< among those without a name
    std::unique_ptr<Document> document;
    QUndoStack undo;
    QString sample;              ///< file of the sample that was opened as a copy; empty: none
    bool lesson = false;         ///< the recording of a lesson
    Look look;                   ///< also kept up to date while the tab is in front
    WorkbenchModel::State state; ///< of a tab that is not in front
    int page = 0;
    QString single;
    std::string shownRun;     ///< id of the run that charts and tables show
    std::string saidMismatch; ///< run and sentence of the message about another card
    /// Ceilings that came while the tab was not in front, and the plan that they are of.
    std::optional<std::pair<MeasuredCeilings, RunPlan>> calibrated;
};

} // namespace ridgepoint
