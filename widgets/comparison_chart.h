// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/compare.h"
#include "widgets/chart_view.h"

#include <QStringList>

namespace ridgepoint {

/// TPOT against batch of two or more sessions, one colour each: points of the same run kind, model, dtype, mode and prompt are
/// joined, a bar is the spread, and a mark's form says what the comparison found of that point. It shows what
/// setComparison() was given, not what its model holds.
class ComparisonChart : public ChartView {
    Q_OBJECT

public:
    using Verdict = ridgepoint::Change; ///< the base has a Change of its own

    explicit ComparisonChart(WorkbenchModel *model, QWidget *parent = nullptr);
    ~ComparisonChart() override;

    QString title() const override { return tr("Sessions compared"); }
    /// Case, ratio, verdict, TPOT of both sides with their spread, p and the reason, a row a compared point: in the window's
    /// language as it was when the comparison was set.
    TextTable table() const override;
    /// `names`: of the sessions, the baseline first.
    void setComparison(QStringList names, Comparison comparison);
    const Comparison &comparison() const;

    /// "same", "faster", "slower", "ambiguous" in the window's language.
    static QString changeText(Verdict change);
    /// Which test decides, how many points came out how, and what had no partner. What to do where nothing is comparable.
    static QString summary(const Comparison &comparison);

protected:
    void rebuild(unsigned changes) override;
    void fitRanges() override;
    void paintMarks(QCPPainter &painter) override;
    std::optional<PointKey> pointAt(const QPointF &pixel, QString *text) const override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ridgepoint
