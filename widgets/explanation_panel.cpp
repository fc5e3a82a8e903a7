// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/forecast.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/bend.h"
#include "core/session/decompose_session.h"
#include "core/session/profile_match.h"
#include "core/session/report.h"
#include "core/session/tables.h"
#include "core/session/verdict.h"
#include "widgets/chart_theme.h"
#include "widgets/chart_view.h"
#include "widgets/lesson_panel.h"
#include "widgets/panel_parts.h"
#include "widgets/panels.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgepoint {

namespace {

/// The names that core/session/explain.cpp gives its formulas, for the translators.
[[maybe_unused]] constexpr const char *kFormulaNames[] = {
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "bytes of a step"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "FLOP of a step"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "arithmetic intensity"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "ridge"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "bound"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "memory time"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "compute time"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "floor"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "predicted step"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "predicted tokens a second"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "measured tokens a second"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "measured / floor"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "measured / predicted"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "achieved arithmetic rate"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "effective bytes"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "effective bytes less W"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "AI_max"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "b*, the batch that reaches the roof"),
    QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "capacity"),
};

QString bandTitle(RatioBand band)
{
    switch (band) {
    case RatioBand::Impossible:
        return ExplanationPanel::tr("Impossible");
    case RatioBand::NearBandwidth:
        return ExplanationPanel::tr("Nearly at the bandwidth");
    case RatioBand::MemoryBound:
        return ExplanationPanel::tr("Memory-bound holds");
    case RatioBand::PartlyElsewhere:
        return ExplanationPanel::tr("Part of the time moves no weights");
    case RatioBand::OverheadRules:
        return ExplanationPanel::tr("Overhead rules");
    }
    return {};
}

QString bandText(RatioBand band)
{
    switch (band) {
    case RatioBand::Impossible:
        return ExplanationPanel::tr(
            "A step cannot be faster than its floor. Look for the fault: a missing synchronise, weights that stay "
            "in the cache, the wrong card or the wrong dtype.");
    case RatioBand::NearBandwidth:
        return ExplanationPanel::tr(
            "The step does little else than read weights. Only fewer bytes or more bandwidth make it faster.");
    case RatioBand::MemoryBound:
        return ExplanationPanel::tr(
            "A third of the step or more is what memory takes at its best. Look at the kernels and the launches for the rest.");
    case RatioBand::PartlyElsewhere:
        return ExplanationPanel::tr(
            "The device may be waiting for launches: look at the gaps between kernels before calling the "
            "bandwidth unused.");
    case RatioBand::OverheadRules:
        return ExplanationPanel::tr(
            "The step is mostly fixed cost. A faster device would hardly help; fewer launches, a graph or a "
            "larger batch would.");
    }
    return {};
}

/// What a ratio alone would call the step.
bool bandAgrees(RatioBand band, VerdictKind kind)
{
    switch (band) {
    case RatioBand::Impossible:
        return kind == VerdictKind::CannotTell;
    case RatioBand::NearBandwidth:
    case RatioBand::MemoryBound:
        return kind == VerdictKind::MemoryBound || kind == VerdictKind::ComputeBound;
    case RatioBand::PartlyElsewhere:
        return kind == VerdictKind::Mixed || kind == VerdictKind::LaunchBound;
    case RatioBand::OverheadRules:
        return kind == VerdictKind::LaunchBound;
    }
    return true;
}

QColor bandColour(RatioBand band, const ChartTheme &theme)
{
    switch (band) {
    case RatioBand::Impossible:
        return theme.warning;
    case RatioBand::NearBandwidth:
    case RatioBand::MemoryBound:
        return theme.floor;
    case RatioBand::PartlyElsewhere:
        return theme.forecast;
    case RatioBand::OverheadRules:
        return theme.compute;
    }
    return theme.text;
}

QString verdictTitle(VerdictKind kind)
{
    switch (kind) {
    case VerdictKind::MemoryBound:
        return ExplanationPanel::tr("Memory-bound");
    case VerdictKind::ComputeBound:
        return ExplanationPanel::tr("Compute-bound");
    case VerdictKind::LaunchBound:
        return ExplanationPanel::tr("Launch-bound");
    case VerdictKind::Mixed:
        return ExplanationPanel::tr("Mixed");
    case VerdictKind::CannotTell:
        return ExplanationPanel::tr("Cannot tell");
    }
    return {};
}

QColor verdictColour(VerdictKind kind, const ChartTheme &theme)
{
    switch (kind) {
    case VerdictKind::MemoryBound:
        return theme.memory;
    case VerdictKind::ComputeBound:
        return theme.compute;
    case VerdictKind::LaunchBound:
        return theme.overhead;
    case VerdictKind::Mixed:
        return theme.forecast;
    case VerdictKind::CannotTell:
        return theme.axis;
    }
    return theme.axis;
}

QString html(const QString &text)
{
    return text.toHtmlEscaped();
}

/// "2 x 3" reads better with the sign for times; names such as "max" keep their letter.
QString withTimesSign(QString text)
{
    return text.replace(QStringLiteral(" x "), QStringLiteral(" × "))
        .replace(QStringLiteral(">="), QStringLiteral("≥"));
}

/// Short text that stays on one line.
QString unbroken(const QString &text, qsizetype most)
{
    return text.size() <= most ? html(text).replace(QLatin1Char(' '), QStringLiteral("&nbsp;")) : html(text);
}

QString statusTitle(PointStatus status)
{
    switch (status) {
    case PointStatus::Ok:
        return {};
    case PointStatus::OutOfMemory:
        return ExplanationPanel::tr("Out of memory");
    case PointStatus::Skipped:
        return ExplanationPanel::tr("Skipped");
    case PointStatus::Failed:
        return ExplanationPanel::tr("Failed");
    }
    return {};
}

} // namespace

struct ExplanationPanel::Private {
    ExplanationPanel *q = nullptr;
    WorkbenchModel *model = nullptr;
    std::shared_ptr<const Catalog> catalog;
    std::vector<GlossaryEntry> glossary;
    QTextBrowser *view = nullptr;
    QString shownHtml;
    std::string shownPoint; ///< what the view is about, to keep its place while figures change

    void render();
    QString page(const ChartTheme &theme, std::string *about) const;
    QString chip(const QString &figure, const QColor &colour, const QString &title, const QString &text,
                 const ChartTheme &theme) const;
    QString formulas(const std::vector<FilledFormula> &lines, const ChartTheme &theme) const;
    QString verdict(const Verdict &judged, const ChartTheme &theme) const;
    QString reasons(const Verdict &judged, const ChartTheme &theme) const;
    QString measuredLike(const WhatIf &whatIf, const ChartTheme &theme) const;
    QString bend(const RunRecord &run, const SweepPoint &point, const ChartTheme &theme) const;
    QString split(const RunRecord &run, const ChartTheme &theme) const;
    QString beside(const RunRecord &run, const SweepPoint &point, const ChartTheme &theme) const;
};

/// A coloured box with a figure, a title and a sentence.
QString ExplanationPanel::Private::chip(const QString &figure, const QColor &colour, const QString &title,
                                        const QString &text, const ChartTheme &theme) const
{
    const QString onColour = (theme.dark ? theme.background : QColor(Qt::white)).name();
    QString cell;
    if (!figure.isEmpty())
        cell = QStringLiteral(
                   "<td style='background-color:%1;color:%2;padding:4px 8px 4px 8px;font-weight:600;font-size:large' "
                   "valign='middle'>%3</td>")
                   .arg(colour.name(), onColour, html(figure));
    else
        cell = QStringLiteral("<td width='6' style='background-color:%1'></td>").arg(colour.name());
    return QStringLiteral(
               "<table cellspacing='0' cellpadding='0' width='100%' style='margin-top:6px;margin-bottom:4px'><tr>%1"
               "<td style='background-color:%2;padding:5px 8px 5px 8px'><b>%3</b><br/>%4</td></tr></table>")
        .arg(cell, theme.dark ? QStringLiteral("#232932") : QStringLiteral("#eceff3"), html(title), html(text));
}

QString ExplanationPanel::Private::formulas(const std::vector<FilledFormula> &lines, const ChartTheme &theme) const
{
    const QString mono = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    QString text;
    for (const FilledFormula &line : lines) {
        QString result = coreText(line.result);
        if (line.name == "measured / floor")
            result = coreText(line.result.substr(0, line.result.find(". "))); // the band stands above, in words and colour
        const QString name = QCoreApplication::translate("ridgepoint::ExplanationPanel", line.name.c_str());
        // The result stands at the right edge, where the eye runs down a column of them.
        text += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0' style='margin-top:9px'><tr>"
                               "<td><b>%1</b>&nbsp; <span style='color:%2'>%3</span></td>"
                               "<td align='right' valign='top' style='padding-left:8px'><b>%6</b></td></tr></table>"
                               "<p style='margin-top:1px;margin-bottom:0px;margin-left:10px;font-family:\"%4\"'>%5</p>")
                    .arg(html(name), theme.mutedText.name(),
                         unbroken(withTimesSign(coreText(line.formula)), 28), mono,
                         html(withTimesSign(coreText(line.filled))), unbroken(withTimesSign(result), 20));
    }
    return text;
}

namespace {

QString section(const QString &title)
{
    return QStringLiteral("<p style='margin-top:10px;margin-bottom:1px'><b>%1</b></p>").arg(html(title));
}

/// Paragraphs with a hanging bullet: a list element's indent is wider than a narrow dock can spare.
QString bullets(const QStringList &lines)
{
    QString text;
    for (const QString &line : lines)
        text += QStringLiteral("<table cellspacing='0' cellpadding='0' style='margin-top:2px'><tr>"
                               "<td valign='top' style='padding-right:5px'>\u2022</td><td>%1</td></tr></table>")
                    .arg(line);
    return text;
}

} // namespace

/// What limits the point.
QString ExplanationPanel::Private::verdict(const Verdict &judged, const ChartTheme &theme) const
{
    return chip({}, verdictColour(judged.kind, theme), tr("Verdict: %1").arg(verdictTitle(judged.kind)),
                withTimesSign(messageText(judged.sentence)), theme);
}

/// How one knows, what to try, and what these figures may be misread for.
QString ExplanationPanel::Private::reasons(const Verdict &judged, const ChartTheme &theme) const
{
    QString text;
    QStringList lines;
    for (const Evidence &evidence : judged.evidence) {
        QString line = html(withTimesSign(messageText(evidence.text)));
        if (evidence.toward != VerdictKind::CannotTell)
            line += QStringLiteral(" <span style='color:%1'>\u2192&nbsp;%2</span>")
                        .arg(theme.mutedText.name(), html(verdictTitle(evidence.toward)));
        lines << line;
    }
    if (!lines.isEmpty())
        text += section(tr("Evidence")) + bullets(lines);
    const auto listed = [](const std::vector<Message> &messages) {
        QStringList shownLines;
        for (const Message &message : messages)
            shownLines << html(withTimesSign(messageText(message)));
        return shownLines;
    };
    if (!judged.next.empty())
        text += section(tr("Next")) + bullets(listed(judged.next));
    if (!judged.cautions.empty())
        text += section(tr("Take care")) + bullets(listed(judged.cautions));
    return text;
}

/// Why the curve of this point's prompt bends: a row a batch.
QString ExplanationPanel::Private::bend(const RunRecord &run, const SweepPoint &point, const ChartTheme &theme) const
{
    for (const BendAnalysis &analysis : bendOf(run)) {
        if (analysis.prompt != double(point.prompt) || analysis.points.size() < 2)
            continue;
        const auto cell = [](const QString &content, const QString &style = {}) {
            return QStringLiteral("<td align='right' style='padding:1px 0px 1px 7px;%1'>%2</td>").arg(style, content);
        };
        const auto share = [](double fraction) {
            return std::isfinite(fraction) ? QStringLiteral("%1&nbsp;%").arg(fraction * 100, 0, 'f', 0) : QStringLiteral("\u2013");
        };
        const QString muted = QStringLiteral("color:%1").arg(theme.mutedText.name());
        QString table = QStringLiteral("<table cellspacing='0' cellpadding='0'><tr>") + cell(tr("batch"), muted) +
                        cell(tr("below linear"), muted) + cell(tr("KV"), muted) + cell(tr("compute"), muted) +
                        cell(tr("kernels"), muted) + QStringLiteral("</tr>");
        for (const BendPoint &bent : analysis.points) {
            const QString weight = bent.index == point.index ? QStringLiteral("font-weight:600") : QString();
            table += QStringLiteral("<tr>") + cell(shownCount(bent.batch), weight) + cell(share(bent.departure), weight) +
                     cell(share(bent.kvShare), weight) + cell(share(bent.computeShare), weight) +
                     cell(share(bent.kernelShare), weight) + QStringLiteral("</tr>");
        }
        table += QStringLiteral("</table>");
        const auto batch = [](const std::optional<double> &value) {
            return value ? QStringLiteral("b=%1").arg(shownCount(*value)) : ExplanationPanel::tr("none");
        };
        QString text = section(tr("Why the curve bends, prompt %1").arg(shownCount(analysis.prompt))) + table;
        text += QStringLiteral("<p style='margin-top:3px;margin-bottom:0px;color:%1'>%2</p>")
                    .arg(theme.mutedText.name(),
                         html(tr("Shares of the time beyond the smallest batch's step. First batch over 5 % below linear: "
                                 "measured %1, forecast %2, floor %3.")
                                  .arg(batch(analysis.firstDepartureMeasured), batch(analysis.firstDepartureForecast),
                                       batch(analysis.firstDepartureFloor))));
        return text;
    }
    return {};
}

/// The steps of this device, dtype and mode split by regression, where they tell their terms apart.
QString ExplanationPanel::Private::split(const RunRecord &run, const ChartTheme &theme) const
{
    const std::vector<SessionDecomposition> all = decomposeSession(*model->session());
    const std::string &device = run.provenance.deviceName.empty() ? run.plan.device : run.provenance.deviceName;
    const auto own = std::find_if(all.begin(), all.end(), [&](const SessionDecomposition &one) {
        return one.device == device && one.dtype == run.plan.dtype && one.mode == run.plan.mode;
    });
    if (own == all.end() || !own->result.problem.empty())
        return {};
    const Decomposition &found = own->result;
    QString rows;
    const auto row = [&](const QString &name, const Estimate &estimate, std::string (*figure)(double)) {
        if (!estimate.value) {
            if (!estimate.why.empty())
                rows += QStringLiteral("<tr><td>%1</td><td style='padding-left:8px;color:%2'>%3</td></tr>")
                            .arg(html(name), theme.mutedText.name(), html(messageText(estimate.why)));
            return;
        }
        rows += QStringLiteral("<tr><td>%1</td><td style='padding-left:8px'><b>%2</b> <span style='color:%3'>%4</span></td></tr>")
                    .arg(html(name), html(shown(figure(*estimate.value))), theme.mutedText.name(),
                         html(tr("(%1 to %2)").arg(shown(figure(estimate.low)), shown(figure(estimate.high)))));
    };
    const bool any = found.fixedSeconds.value || found.weightBandwidth.value || found.kvBandwidth.value ||
                     found.flopRate.value || found.fixedAndWeights.value;
    if (!any)
        return {};
    const auto seconds = [](double value) { return format::seconds(value); };
    const auto bandwidth = [](double value) { return format::bandwidth(value); };
    const auto rate = [](double value) { return format::flops(value); };
    if (found.fixedAndWeights.value) {
        row(tr("fixed + weights"), found.fixedAndWeights, seconds);
    } else {
        row(tr("fixed"), found.fixedSeconds, seconds);
        row(tr("weights"), found.weightBandwidth, bandwidth);
    }
    row(tr("KV"), found.kvBandwidth, bandwidth);
    row(tr("arithmetic"), found.flopRate, rate);
    return section(tr("The session's steps, split")) +
           QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows) +
           QStringLiteral("<p style='margin-top:3px;margin-bottom:0px;color:%1'>%2</p>")
               .arg(theme.mutedText.name(),
                    html(tr("Regression over %n point(s) of this device, dtype and mode, 95 % intervals, R² %1.", nullptr,
                            int(own->observations.size()))
                             .arg(found.r2, 0, 'f', 3)));
}

/// What was measured beside the step's median; only what there is a value of.
QString ExplanationPanel::Private::beside(const RunRecord &run, const SweepPoint &point, const ChartTheme &theme) const
{
    QString rows;
    const auto row = [&](const QString &name, const QString &value, const QString &meaning) {
        rows += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0' style='margin-top:5px'><tr>"
                               "<td><b>%1</b>&nbsp; <span style='color:%2'>%3</span></td>"
                               "<td align='right' valign='top' style='padding-left:8px'><b>%4</b></td></tr></table>")
                    .arg(html(name), theme.mutedText.name(), html(meaning), unbroken(value, 20));
    };
    const StepFigures &figures = model->figuresOf(point.steps);
    const bool timed = point.status == PointStatus::Ok;
    if (timed && std::isfinite(figures.hostGapSeconds))
        row(tr("host gap"), shown(format::seconds(figures.hostGapSeconds)), tr("wall - device, median of the steps"));
    if (timed && std::isfinite(point.backToBackSeconds)) {
        row(tr("back to back"), shown(format::seconds(point.backToBackSeconds)),
            point.backToBackSteps > 0 ? tr("a step among %1 with no wait between them").arg(point.backToBackSteps)
                                      : tr("a step with no wait between it and the next"));
        for (const SweepRow &sweepRow : sweepRows(run)) {
            if (sweepRow.index == point.index && std::isfinite(sweepRow.waitingSeconds))
                row(tr("waiting for each step"), shown(format::seconds(sweepRow.waitingSeconds)),
                    tr("median wall time less back to back"));
        }
    }
    if (std::isfinite(point.deviceUsedBytes))
        row(tr("device memory used"), shown(format::bytes(point.deviceUsedBytes)),
            tr("by all programs, as the driver counts"));
    if (!point.attention.empty())
        row(tr("attention"), coreText(point.attention), {});
    if (point.graphNodes > 0)
        row(tr("graph nodes"), shownCount(double(point.graphNodes)), tr("of the captured step"));
    if (std::isfinite(figures.smClockHz))
        row(tr("SM clock"), tr("%1 MHz").arg(figures.smClockHz / 1e6, 0, 'f', 0), tr("median of the steps"));
    if (figures.throttled > 0)
        row(tr("throttled steps"), tr("%1 of %2").arg(figures.throttled).arg(point.steps.size()),
            tr("counted in every median"));
    return rows.isEmpty() ? rows
                          : QStringLiteral("<p style='margin-top:8px;margin-bottom:0px;color:%1'>%2</p>")
                                    .arg(theme.mutedText.name(), html(tr("Measured beside it:"))) +
                                rows;
}

QString ExplanationPanel::Private::page(const ChartTheme &theme, std::string *about) const
{
    const auto heading = [&theme](const QString &title, const QString &sub) {
        return QStringLiteral("<p style='margin-top:0px;margin-bottom:0px;font-size:large;font-weight:600'>%1</p>"
                              "<p style='margin-top:0px;margin-bottom:2px;color:%2'>%3</p>")
            .arg(html(title), theme.mutedText.name(), html(sub));
    };
    const auto problem = [&](const QString &sentence) {
        return chip({}, theme.warning, tr("No formulas"), sentence, theme);
    };
    const auto named = [](const ModelShape &shape) {
        return QString::fromStdString(shape.name.empty() ? shape.id : shape.name);
    };
    const QString separator = QStringLiteral(" · ");

    const SweepPoint *point = model->selectedPoint();
    const RunRecord *run = point ? model->session()->run(model->selection()->runId) : nullptr;
    if (point && run) {
        *about = run->plan.runId + "/" + std::to_string(point->index);
        const WhatIf own = whatIfOfRun(*run);
        const QString device = coreText(shownDevice(*run));
        QString text =
            heading(tr("Batch %1, prompt %2").arg(point->batch).arg(point->prompt),
                    QStringList{tr("context %1").arg(shownCount(point->context)), named(run->plan.model.shape),
                                fromUtf8(dtypeName(run->plan.dtype)), fromUtf8(modeName(point->mode)), device}
                        .join(separator));
        const bool measured =
            point->status == PointStatus::Ok && std::isfinite(point->stepSeconds) && point->stepSeconds > 0;
        const double floor = point->forecast.floorNominal.floorSeconds();
        const Verdict judged = judge(*model->session(), *run, *point);
        if (measured)
            text += verdict(judged, theme); // the one judgement; the ratios below are some of what it stands on
        if (!measured) {
            text +=
                chip({}, theme.warning, statusTitle(point->status),
                     point->reason.empty() ? tr("No step was timed.") : coreText(point->reason), theme);
        } else if (floor > 0) {
            const double ratio = point->stepSeconds / floor;
            const RatioBand band = ratioBand(ratio);
            QString said = tr("Measured %1, floor %2 by the datasheet. %3: %4")
                               .arg(shown(format::seconds(point->stepSeconds)), shown(format::seconds(floor)), bandTitle(band),
                                    bandText(band));
            if (!bandAgrees(band, judged.kind))
                said += QLatin1Char(' ') + tr("That is what the ratio alone says; the verdict weighs launches, clocks and "
                                              "the measured ceilings as well.");
            text += chip(shown(format::ratio(ratio)), bandColour(band, theme), tr("Ratio to the floor"), said, theme);
        } else {
            text += chip(shown(format::seconds(point->stepSeconds)), theme.measured, tr("Measured"),
                         run->plan.model.shape.layers <= 0
                             ? tr("The model is not known, so there is no floor to hold it against.")
                             : tr("The catalogue has no figures of this device, so there is no floor to hold it against."),
                         theme);
        }
        if (measured && point->forecast.predicted && point->forecast.predicted->stepSeconds > 0) {
            const double ratio = point->stepSeconds / point->forecast.predicted->stepSeconds;
            const bool holds = ratio >= 0.9 && ratio <= 1.3;
            text += chip(shown(format::ratio(ratio)), holds ? theme.floor : theme.warning,
                         holds ? tr("The model holds") : tr("The model does not hold"),
                         tr("Measured %1, predicted %2 before the run. 0.9 to 1.3 is agreement.")
                             .arg(shown(format::seconds(point->stepSeconds)),
                                  shown(format::seconds(point->forecast.predicted->stepSeconds))),
                         theme);
        }
        if (catalog) {
            if (const std::string mismatch = profileMismatch(*run, *catalog); !mismatch.empty())
                text += chip({}, theme.warning, tr("Another device"), coreText(mismatch), theme);
        }
        if (!measured)
            text += verdict(judged, theme);
        text += reasons(judged, theme);
        if (measured) {
            text += bend(*run, *point, theme);
            text += split(*run, theme);
        }
        text += beside(*run, *point, theme);
        if (run->plan.model.shape.layers <= 0) // an import of a model that the catalogue does not know
            return text + problem(tr("The model that was measured is not known, so its bytes and FLOP cannot be worked out. Name it: "
                                     "“Name the model…” stands in the message above the charts after the file was opened; where "
                                     "that is gone, open the imported file again."));
        text += QStringLiteral("<p style='margin-top:6px;margin-bottom:0px;color:%1'>%2</p>")
                    .arg(theme.mutedText.name(),
                         html(own.measured ? tr("With the ceilings measured for this run, exact accounting:")
                                           : tr("With the ceilings of the datasheet, exact accounting:")));
        try {
            const Workload work = runWorkload(*run);
            const Ceilings ceilings =
                own.measured ? withTimedOverhead(own.ceilings, *own.measured, run->plan.model.shape, run->plan.dtype, own.mode,
                                                 double(point->batch), point->context)
                             : own.ceilings;
            text += formulas(explainStep(work, ceilings, double(point->batch), point->context,
                                         measured ? point->stepSeconds : kMissing),
                             theme);
        } catch (const std::exception &error) {
            text += problem(coreText(error.what()));
        }
        return text;
    }

    const WhatIf &whatIf = model->whatIf();
    *about = "prediction";
    if (whatIf.shape.layers <= 0 || whatIf.ceilings.bandwidth <= 0)
        return heading(tr("Prediction"),
                       tr("Choose a device and a model: what a decode step costs is worked out here."));
    QString text =
        heading(tr("Prediction"),
                QStringList{tr("batch %1").arg(shownCount(whatIf.batch)),
                            tr("context %1").arg(shownCount(whatIf.context)), named(whatIf.shape),
                            fromUtf8(dtypeName(whatIf.dtype)), QString::fromStdString(whatIf.hardware.name),
                            whatIf.accounting == Accounting::Exact ? tr("exact accounting") : tr("textbook accounting")}
                    .join(separator));
    const QString like = measuredLike(whatIf, theme);
    text += like.isEmpty()
                ? QStringLiteral("<p style='margin-top:4px;margin-bottom:0px;color:%1'>%2</p>")
                      .arg(theme.forecast.name(),
                           html(tr("Nothing of this was measured. Select a measured point to see it here.")))
                : like;
    try {
        text += formulas(explainStep(model->workload(), whatIf.ceilings, whatIf.batch, whatIf.context), theme);
        const PrefillPrediction prefill =
            predictPrefill(model->workload(), whatIf.ceilings, whatIf.batch, whatIf.prompt);
        FilledFormula line;
        line.name = QT_TRANSLATE_NOOP("ridgepoint::ExplanationPanel", "TTFT floor");
        line.formula = "max(bytes / B, FLOP / P)";
        line.filled =
            "max(" + format::seconds(prefill.memorySeconds) + ", " + format::seconds(prefill.computeSeconds) + ")";
        line.result = format::seconds(prefill.floorSeconds);
        text += formulas({line}, theme);
    } catch (const std::exception &error) {
        text += problem(coreText(error.what()));
    }
    return text;
}

/// The point of the run that is shown that these values describe, with a link that selects it; empty: there is none.
QString ExplanationPanel::Private::measuredLike(const WhatIf &whatIf, const ChartTheme &theme) const
{
    const RunRecord *run = model->currentRun();
    if (!run || run->plan.model.shape.id != whatIf.shape.id || run->plan.dtype != whatIf.dtype)
        return {};
    const SweepPoint *best = nullptr;
    for (const SweepPoint &point : run->points) {
        if (point.status != PointStatus::Ok || !(point.stepSeconds > 0) || double(point.batch) != whatIf.batch)
            continue;
        if (!best || std::abs(point.context - whatIf.context) < std::abs(best->context - whatIf.context))
            best = &point;
    }
    if (!best)
        return {};
    const QString sentence =
        tr("Foretold, not measured. The run that is shown measured batch %1 at context %2: %3 a step.")
            .arg(best->batch)
            .arg(shownCount(best->context), shown(format::seconds(best->stepSeconds)));
    return QStringLiteral("<p style='margin-top:4px;margin-bottom:0px;color:%1'>%2 "
                          "<a href='point:%3' style='color:%4'>%5</a></p>")
        .arg(theme.forecast.name(), html(sentence))
        .arg(best->index)
        .arg(theme.measured.name(), html(tr("Show that point")));
}

void ExplanationPanel::Private::render()
{
    const ChartTheme theme = ChartTheme::forPalette(q->palette());
    std::string about;
    const QString text = page(theme, &about);
    if (text == shownHtml)
        return;
    shownHtml = text;
    // Figures that follow a slider must not throw the reader back to the top.
    const int place = about == shownPoint ? view->verticalScrollBar()->value() : 0;
    shownPoint = about;
    view->setHtml(text);
    markTerms(view->document(), glossary, theme.mutedText, false);
    view->verticalScrollBar()->setValue(place);
}

ExplanationPanel::ExplanationPanel(WorkbenchModel *model, QWidget *parent)
    : QWidget(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->model = model;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    d->view = new QTextBrowser;
    d->view->setObjectName(QStringLiteral("explanation"));
    d->view->setAccessibleName(tr("What this point says"));
    d->view->setOpenLinks(false);
    d->view->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard | Qt::LinksAccessibleByMouse |
                                     Qt::LinksAccessibleByKeyboard);
    d->view->setFrameShape(QFrame::NoFrame);
    d->view->document()->setDocumentMargin(10);
    d->view->setMinimumSize(d->view->fontMetrics().averageCharWidth() * 24, d->view->fontMetrics().height() * 5);
    layout->addWidget(d->view);
    connect(d->view, &QTextBrowser::anchorClicked, this, [this](const QUrl &url) {
        const RunRecord *run = d->model->currentRun();
        if (run && url.scheme() == QLatin1String("point"))
            d->model->select(PointKey{run->plan.runId, url.path().toInt()});
    });
    const auto render = [this] { d->render(); };
    connect(model, &WorkbenchModel::selectionChanged, this, render);
    connect(model, &WorkbenchModel::sessionChanged, this, render);
    connect(model, &WorkbenchModel::whatIfChanged, this, [this] {
        if (!d->model->selectedPoint())
            d->render();
    });
    d->render();
}

ExplanationPanel::~ExplanationPanel() = default;

void ExplanationPanel::setCatalog(std::shared_ptr<const Catalog> catalog)
{
    d->catalog = std::move(catalog);
    d->render();
}

void ExplanationPanel::setGlossary(std::vector<GlossaryEntry> glossary)
{
    d->glossary = std::move(glossary);
    d->shownHtml.clear();
    d->render();
}

QString ExplanationPanel::plainText() const
{
    return d->view->toPlainText();
}

void ExplanationPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) && d->view)
        d->render();
}

} // namespace ridgepoint
