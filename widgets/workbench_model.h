// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/decode_model.h"
#include "core/session/session.h"

#include <QObject>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace ridgepoint {

/// What every prediction on screen is made of: the sliders and the choices of device and model. A value.
struct WhatIf {
    HardwareProfile hardware;
    ModelShape shape;
    DType dtype = DType::F16;
    Accounting accounting = Accounting::Exact;
    Ceilings nominal;  ///< datasheet, overhead 0
    Ceilings ceilings; ///< what the predictions use: measured where there is a calibration, then as the sliders say
    std::optional<MeasuredCeilings> measured; ///< drawn as the second roof
    double batch = 1;
    double context = 256;
    double prompt = 128;
    std::vector<std::int64_t> batches{1, 4, 16, 64, 128}; ///< of the predicted points
    DecodeMode mode = DecodeMode::Eager;                  ///< whose fixed cost and timings a forecast takes
    /// The overhead (s) that timings gave the ceilings for this batch and context; an overhead that is neither this nor the
    /// measured cost of a step was set by hand.
    std::optional<double> timedOverhead;
    bool operator==(const WhatIf &) const = default;
};

/// What a predicted step of what-if values stands on.
enum class PredictionBasis {
    Timings,      ///< steps of this very shape that calibration timed
    StepOverhead, ///< the floor at the measured ceilings and the measured cost of a step
    Datasheet,    ///< nothing was measured: the datasheet's floor
    WhatIf,       ///< a ceiling was moved by hand: two terms, as the sliders say
};
PredictionBasis basisOf(const WhatIf &whatIf);
/// Where the what-if values stand on timings, their overhead becomes that of this batch and context.
void followTimings(WhatIf &whatIf);

/// Names one point of the document.
struct PointKey {
    std::string runId;
    int index = 0;
    bool operator==(const PointKey &) const = default;
};

/// How the charts show what was measured; the same for all of them.
struct ViewOptions {
    enum class Colour { Series, Clock, Throttle }; ///< by what points and steps are coloured
    Colour colour = Colour::Series;
    bool wallTime = false; ///< a step's wall time beside its device time
    bool familyLines = false; ///< the families' own lines beside the line over all models
    bool operator==(const ViewOptions &) const = default;
};

/// The point that is being timed at this moment.
struct LivePoint {
    std::string runId;
    int index = 0;
    std::int64_t batch = 0;
    std::int64_t prompt = 0;
    double context = 0;
    PointForecast forecast;
    std::vector<StepSample> steps;
};

/// Figures of a point's steps that charts and panels show beside the median.
struct StepFigures {
    double hostGapSeconds = kMissing; ///< median of wall - device
    double smClockHz = kMissing;      ///< median of the steps that have one
    std::size_t throttled = 0;        ///< steps
};
StepFigures stepFigures(const std::vector<StepSample> &steps);

/// What the charts, tables and panels look at: the document, the point in flight, the selection and the what-if values.
/// It holds no widget and knows no engine; the controller feeds it, at most 30 times a second. GUI thread only.
class WorkbenchModel : public QObject
{
    Q_OBJECT

public:
    explicit WorkbenchModel(QObject *parent = nullptr);

    const SessionPtr &session() const { return m_session; } ///< never null
    void setSession(SessionPtr session); ///< a chosen run or a selection that it does not hold is dropped

    /// The run that charts and tables show: the chosen one, else the one in flight (null until the document holds it),
    /// else the newest with points or a TTFT record, else the newest anatomy, else the newest calibration. Null: none.
    const RunRecord *currentRun() const;
    void setCurrentRun(const std::string &runId);

    const std::optional<LivePoint> &live() const { return m_live; }
    void setLive(std::optional<LivePoint> live);
    void appendLiveSteps(const std::vector<StepSample> &steps);

    const std::optional<PointKey> &selection() const { return m_selection; }
    void select(std::optional<PointKey> key);
    /// The selected point when it is in the document, else null.
    const SweepPoint *selectedPoint() const;

    const WhatIf &whatIf() const { return m_whatIf; }
    void setWhatIf(WhatIf whatIf); ///< follows timings, see followTimings()
    /// The same of steps that the document holds: worked out once, however often a slider moves.
    const StepFigures &figuresOf(const std::vector<StepSample> &stepsOfDocument) const;

    const ViewOptions &view() const { return m_view; }
    void setView(const ViewOptions &view);

    /// All that is looked at, as one value: to be put aside while another document is in front.
    struct State {
        SessionPtr session;     ///< null: an empty one
        std::string currentRun; ///< the chosen one; empty: see currentRun()
        std::optional<LivePoint> live;
        std::optional<PointKey> selection;
        WhatIf whatIf;
        ViewOptions view;
    };
    State state() const;
    void setState(State state); ///< each of the signals once

    Workload workload() const; ///< of the what-if values. Throws Error (Usage) for a shape that does not hold together.

signals:
    void sessionChanged();   ///< document or current run
    void liveChanged();
    void selectionChanged();
    void whatIfChanged();
    void viewChanged();

private:
    SessionPtr m_session;
    std::string m_currentRun;
    std::optional<LivePoint> m_live;
    std::optional<PointKey> m_selection;
    WhatIf m_whatIf;
    ViewOptions m_view;
    mutable std::map<const std::vector<StepSample> *, StepFigures> m_figures;
};

/// The run whose anatomy is shown: the current one where it has one, else the newest of the document that has; null: none.
const RunRecord *anatomyRun(const WorkbenchModel &model);
const StepAnatomy *shownAnatomy(const WorkbenchModel &model); ///< its anatomy

} // namespace ridgepoint
