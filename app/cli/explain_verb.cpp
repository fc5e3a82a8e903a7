// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/explain_verb.h"

#include "app/cli/rows.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/analysis.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgepoint {

namespace {

using Json = nlohmann::ordered_json;

/// A finished point, or a TTFT record, with what is said of it.
struct Judged {
    double prompt = 0, batch = 0, context = kMissing, seconds = kMissing;
    Verdict verdict;
};

std::vector<Judged> judged(const Session &session, const RunRecord &run)
{
    std::vector<Judged> result;
    for (const SweepPoint &p : run.points)
        if (p.status == PointStatus::Ok)
            result.push_back({double(p.prompt), double(p.batch), p.context, p.stepSeconds, judge(session, run, p)});
    if (run.ttft) {
        const TtftMethodResult *best = recordMethod(*run.ttft);
        const double context = run.ttft->forecast.floorNominal.context;
        result.push_back({double(run.ttft->prompt), double(run.ttft->batch), context > 0 ? context : kMissing,
                          best ? best->tpotSeconds : kMissing, judgeTtft(session, run)});
    }
    return result;
}

std::string titleOf(const RunRecord &run)
{
    return fmt::format("{} of {} in {}, {}, on {}", experimentName(run.plan.experiment), run.plan.model.shape.id,
                       dtypeName(run.plan.dtype), modeName(run.plan.mode),
                       run.provenance.deviceName.empty() ? run.plan.device : run.provenance.deviceName);
}

/// Plain text or Markdown: the same parts, other marks.
class Writer {
public:
    explicit Writer(bool markdown) : m_markdown(markdown) {}

    void heading(int level, const std::string &text)
    {
        if (!m_text.empty())
            m_text += "\n";
        if (m_markdown)
            m_text += std::string(std::size_t(level), '#') + " " + escapeMarkdown(text) + "\n\n";
        else
            m_text += text + "\n" + (level == 1 ? std::string(std::min<std::size_t>(text.size(), 100), '=') + "\n" : "");
    }
    void table(const TextTable &table) { m_text += m_markdown ? toMarkdown(table) + "\n" : toText(table); }
    void line(const std::string &text) { m_text += m_markdown ? escapeMarkdown(text) + "\n\n" : text + "\n"; }
    void item(const std::string &text)
    {
        m_text += m_markdown ? "- " + escapeMarkdown(text) + "\n" : "  - " + text + "\n";
    }
    const std::string &text() const { return m_text; }

private:
    bool m_markdown;
    std::string m_text;
};

void write(Writer &out, const Session &session, const RunRecord &run)
{
    out.heading(1, titleOf(run));
    for (const Judged &j : judged(session, run)) {
        out.heading(3, fmt::format("Prompt {}, batch {}, {}: {}", format::count(j.prompt), format::count(j.batch),
                                   format::seconds(j.seconds), j.verdict.sentence.english()));
        for (const Evidence &e : j.verdict.evidence)
            out.item(e.text.english() +
                     (e.toward == VerdictKind::CannotTell ? std::string() : fmt::format(" [{}]", verdictName(e.toward))));
        for (const Message &next : j.verdict.next)
            out.item("Next: " + next.english());
        for (const Message &caution : j.verdict.cautions)
            out.item("Mind: " + caution.english());
    }
    if (!run.points.empty()) {
        const auto bends = bendOf(run);
        out.heading(2, "Why it bends");
        out.table(bendTable(bends));
        for (const std::string &sentence : bendSentences(bends))
            out.item(sentence);
        if (const auto checks = checkFrontier(run); !checks.empty()) {
            out.heading(2, "The largest batch that fits");
            out.table(frontierTable(checks));
            for (const std::string &sentence : frontierSentences(run, checks))
                out.item(sentence);
        }
    }
    if (const TextTable expected = expectationTable(run); !expected.rows.empty()) {
        out.heading(2, "What was expected");
        out.table(expected);
    }
}

Json optionalNumber(const std::optional<double> &value)
{
    return value ? jsonNumber(*value) : Json(nullptr);
}

Json estimateJson(const Estimate &e)
{
    if (e.value)
        return {{"value", *e.value}, {"interval", Json::array({jsonNumber(e.low), jsonNumber(e.high)})}};
    return {{"value", nullptr}, {"interval", nullptr}, {"why", e.why.english()}};
}

Json runJson(const Session &session, const RunRecord &run)
{
    Json points = Json::array(), bends = Json::array(), frontier = Json::array();
    for (const Judged &j : judged(session, run)) {
        Json evidence = Json::array(), next = Json::array(), cautions = Json::array();
        for (const Evidence &e : j.verdict.evidence)
            evidence.push_back({{"text", e.text.english()},
                                {"toward", e.toward == VerdictKind::CannotTell ? Json(nullptr) : Json(verdictName(e.toward))}});
        for (const Message &m : j.verdict.next)
            next.push_back(m.english());
        for (const Message &m : j.verdict.cautions)
            cautions.push_back(m.english());
        points.push_back({{"prompt", j.prompt},
                          {"batch", j.batch},
                          {"context", jsonNumber(j.context)},
                          {"step_s", jsonNumber(j.seconds)},
                          {"verdict", verdictName(j.verdict.kind)},
                          {"sentence", j.verdict.sentence.english()},
                          {"ratio", jsonNumber(j.verdict.ratio)},
                          {"memory_share", jsonNumber(j.verdict.memoryShare)},
                          {"compute_share", jsonNumber(j.verdict.computeShare)},
                          {"launch_share", jsonNumber(j.verdict.launchShare)},
                          {"measured_ceilings", j.verdict.measuredCeilings},
                          {"evidence", std::move(evidence)},
                          {"next", std::move(next)},
                          {"cautions", std::move(cautions)}});
    }
    for (const BendAnalysis &b : bendOf(run)) {
        Json rows = Json::array();
        for (const BendPoint &p : b.points)
            rows.push_back({{"batch", p.batch},
                            {"context", jsonNumber(p.context)},
                            {"departure", jsonNumber(p.departure)},
                            {"excess_s", jsonNumber(p.excessSeconds)},
                            {"kv_s", jsonNumber(p.kvSeconds)},
                            {"compute_s", jsonNumber(p.computeSeconds)},
                            {"kernel_s", jsonNumber(p.kernelSeconds)},
                            {"kv_share", jsonNumber(p.kvShare)},
                            {"compute_share", jsonNumber(p.computeShare)},
                            {"kernel_share", jsonNumber(p.kernelShare)},
                            {"effective_bytes", jsonNumber(p.effectiveBytes)},
                            {"model_bytes", jsonNumber(p.modelBytes)}});
        bends.push_back({{"prompt", b.prompt},
                         {"points", std::move(rows)},
                         {"cut_off", b.cutOff},
                         {"first_departure_measured", optionalNumber(b.firstDepartureMeasured)},
                         {"first_departure_forecast", optionalNumber(b.firstDepartureForecast)},
                         {"first_departure_floor", optionalNumber(b.firstDepartureFloor)},
                         {"batch_at_ridge", optionalNumber(b.roofBatch)},
                         {"ai_max", jsonNumber(b.maxIntensity)},
                         {"ridge", jsonNumber(b.ridge)},
                         {"measured_ceilings", b.measuredCeilings}});
    }
    for (const FrontierCheck &c : checkFrontier(run))
        frontier.push_back({{"prompt", c.prompt},
                            {"batch", c.batch},
                            {"positions", c.positions},
                            {"largest_batch", c.largest},
                            {"predicted_fits", c.predictedFits},
                            {"status", statusName(c.status)},
                            {"right_side", c.rightSide ? Json(*c.rightSide) : Json(nullptr)}});
    Json expected = Json::array();
    for (const ExpectationRow &row : expectationRows(run))
        expected.push_back({{"what", row.what == ExpectationRow::What::Tpot    ? "tpot_s"
                                     : row.what == ExpectationRow::What::Ratio ? "ratio"
                                                                               : "first_departure_batch"},
                            {"prompt", row.prompt},
                            {"batch", row.batch > 0 ? Json(row.batch) : Json(nullptr)},
                            {"expected", jsonNumber(row.expected)},
                            {"forecast", jsonNumber(row.forecast)},
                            {"measured", jsonNumber(row.measured)}});
    return {{"run", run.plan.runId},
            {"experiment", experimentName(run.plan.experiment)},
            {"model", run.plan.model.shape.id},
            {"dtype", dtypeName(run.plan.dtype)},
            {"mode", modeName(run.plan.mode)},
            {"device", run.provenance.deviceName.empty() ? run.plan.device : run.provenance.deviceName},
            {"points", std::move(points)},
            {"bend", std::move(bends)},
            {"frontier", std::move(frontier)},
            {"expectation", std::move(expected)}};
}

Json decompositionJson(const SessionDecomposition &d)
{
    Json points = Json::array();
    for (std::size_t i = 0; i < d.observations.size(); ++i)
        points.push_back({{"name", d.observations[i].name},
                          {"step_s", jsonNumber(d.observations[i].seconds)},
                          {"fitted_s", jsonNumber(d.result.fitted[i])},
                          {"residual_s", jsonNumber(d.result.residuals[i])}});
    return {{"device", d.device},
            {"dtype", dtypeName(d.dtype)},
            {"mode", modeName(d.mode)},
            {"models", d.models},
            {"fixed_s", estimateJson(d.result.fixedSeconds)},
            {"weight_bandwidth", estimateJson(d.result.weightBandwidth)},
            {"fixed_and_weights_s", estimateJson(d.result.fixedAndWeights)},
            {"kv_bandwidth", estimateJson(d.result.kvBandwidth)},
            {"flop_rate", estimateJson(d.result.flopRate)},
            {"r2", jsonNumber(d.result.r2)},
            {"points", std::move(points)}};
}

} // namespace

std::string explainText(const std::vector<Session> &sessions, const std::string &format)
{
    if (format != "table" && format != "markdown" && format != "json" && format != "csv")
        throw Error(ErrorKind::Usage,
                    fmt::format("--format was given '{}', but it takes table, markdown, json or csv.", format));
    Session all; // one document: an eager run in one file and its graph twin in another belong together
    for (const Session &session : sessions)
        for (const RunRecord &run : session.runs)
            if (!all.run(run.plan.runId))
                all.runs.push_back(run);
    const auto tells = [](const RunRecord &run) { return !run.points.empty() || run.ttft; };
    if (std::none_of(all.runs.begin(), all.runs.end(), tells))
        throw Error(ErrorKind::Failure,
                    "None of these sessions holds a point of a sweep or a TTFT record, which is what explain judges: run sweep "
                    "or ttft with --out first, and report for an anatomy by itself.");
    const auto decompositions = decomposeSession(all);

    if (format == "json") {
        Json runs = Json::array(), split = Json::array();
        for (const RunRecord &run : all.runs)
            if (tells(run))
                runs.push_back(runJson(all, run));
        for (const SessionDecomposition &d : decompositions)
            split.push_back(decompositionJson(d));
        return Json{{"runs", std::move(runs)}, {"decompositions", std::move(split)}}.dump(
                   2, ' ', false, Json::error_handler_t::replace) +
               "\n";
    }
    if (format == "csv") {
        std::vector<Row> rows;
        for (const RunRecord &run : all.runs)
            for (const Judged &j : judged(all, run))
                rows.push_back({{"model", run.plan.model.shape.id},
                                {"dtype", dtypeName(run.plan.dtype)},
                                {"mode", modeName(run.plan.mode)},
                                {"experiment", experimentName(run.plan.experiment)},
                                {"prompt", j.prompt},
                                {"batch", j.batch},
                                {"step_ms", jsonNumber(j.seconds * 1e3)},
                                {"verdict", verdictName(j.verdict.kind)},
                                {"ratio", jsonNumber(j.verdict.ratio)},
                                {"memory_share", jsonNumber(j.verdict.memoryShare)},
                                {"compute_share", jsonNumber(j.verdict.computeShare)},
                                {"launch_share", jsonNumber(j.verdict.launchShare)},
                                {"sentence", j.verdict.sentence.english()},
                                {"run", run.plan.runId}});
        return rowsToCsv(rows);
    }
    Writer out(format == "markdown");
    for (const RunRecord &run : all.runs)
        if (tells(run))
            write(out, all, run);
    if (!decompositions.empty()) {
        out.heading(1, "Fixed cost, weights, KV cache and arithmetic by regression");
        for (const SessionDecomposition &d : decompositions) {
            out.heading(2, decompositionTitle(d));
            out.table(decompositionTable(d));
            for (const std::string &sentence : decompositionSentences(d))
                out.item(sentence);
        }
    }
    return out.text();
}

} // namespace ridgepoint
