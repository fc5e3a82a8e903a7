// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measure.h"

#include "app/cli/interrupt.h"
#include "app/cli/line_verb.h"
#include "app/cli/measured.h"
#include "app/cli/output.h"
#include "app/cli/rows.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/engine/engine.h"
#include "core/session/journal.h"
#include "core/session/line.h"
#include "core/session/profile_match.h"
#include "core/session/report.h"
#include "core/session/session_title.h"
#include "core/session/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <unistd.h>

namespace ridgepoint {

namespace {

/// The default run stays small: without a model and a limit of the user's, points that need more are skipped.
constexpr double kDefaultRunMemoryBytes = 4e9;

/// One line of progress on a terminal, rewritten; elsewhere a line a new point, so that a log stays short, and before the first of them what
/// is being calibrated, now and then: on a slow machine that takes minutes.
class ProgressLine {
public:
    explicit ProgressLine(bool quiet) : m_quiet(quiet), m_terminal(isatty(STDERR_FILENO)) {}
    ~ProgressLine() { clear(); }

    void show(const Progress &progress)
    {
        m_left = progress.secondsLeft;
        if (m_quiet)
            return;
        std::string text = progress.what;
        if (std::isfinite(progress.secondsLeft)) {
            const auto left = static_cast<long>(std::lround(progress.secondsLeft));
            text += fmt::format(" . {}:{:02} left", left / 60, left % 60);
        }
        if (m_terminal) {
            output::say(fmt::format("\r\033[K{:3.0f} % {}", 100 * progress.fraction, text));
            std::fflush(stderr);
            m_open = true;
            return;
        }
        constexpr std::chrono::seconds kSeldom{15};
        const auto now = std::chrono::steady_clock::now();
        if (progress.what.starts_with("Calibration") && (!m_said || now - *m_said >= kSeldom)) {
            output::say(progress.what + "\n");
            m_said = now;
        }
    }
    /// "3 of 10, 1:05 left: "
    std::string counted(std::size_t done, std::size_t all) const
    {
        std::string text = fmt::format("{} of {}", done, all);
        if (std::isfinite(m_left) && m_left >= 0 && m_left < 360000 && done < all) {
            const auto left = static_cast<long>(std::lround(m_left));
            text += fmt::format(", {}:{:02} left", left / 60, left % 60);
        }
        return text + ": ";
    }
    void note(const std::string &text)
    {
        if (m_quiet)
            return;
        clear();
        output::say(fmt::format("{}\n", text));
    }
    void clear()
    {
        if (m_open)
            std::fputs("\r\033[K", stderr);
        m_open = false;
    }

private:
    bool m_quiet;
    bool m_terminal;
    bool m_open = false;
    std::optional<std::chrono::steady_clock::time_point> m_said; ///< when a line was last said to what is no terminal
    double m_left = std::numeric_limits<double>::quiet_NaN();
};

const DeviceInfo &chooseDevice(const std::vector<DeviceInfo> &devices, MeasureRequest &request)
{
    if (!request.deviceChosen) {
        const auto gpu = std::find_if(devices.begin(), devices.end(),
                                      [](const DeviceInfo &d) { return d.id != "cpu" && d.problem.empty(); });
        request.plan.device = gpu != devices.end() ? gpu->id : "cpu";
    }
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const DeviceInfo &d) { return d.id == request.plan.device; });
    if (found == devices.end()) {
        std::string known;
        for (const auto &device : devices)
            known += (known.empty() ? "" : ", ") + device.id;
        const bool cuda = request.plan.device.rfind("cuda", 0) == 0;
        const auto broken = std::find_if(devices.begin(), devices.end(), [](const DeviceInfo &d) { return !d.problem.empty(); });
        const bool anyGpu = std::any_of(devices.begin(), devices.end(),
                                        [](const DeviceInfo &d) { return d.id != "cpu" && d.problem.empty(); });
        if (request.plan.device.rfind("cuda:", 0) == 0 && !anyGpu && broken != devices.end())
            throw Error(ErrorKind::Failure, broken->problem); // why there is no GPU at all, which is worse than a wrong number
        throw Error(cuda ? ErrorKind::Failure : ErrorKind::Usage,
                    fmt::format("There is no device '{}' here; the engine offers {}.{}", request.plan.device, known,
                                cuda ? " A GPU needs NVIDIA's driver and a libtorch built with CUDA." : ""));
    }
    if (!found->problem.empty())
        throw Error(ErrorKind::Failure, found->problem);
    return *found;
}

/// A results file that cannot be written is found out before the run, not after it.
void checkWritable(const char *flag, const std::filesystem::path &out, const char *example)
{
    if (out.empty())
        return;
    std::error_code fault;
    if (std::filesystem::is_directory(out, fault))
        throw Error(ErrorKind::Usage, fmt::format("{} {} is a folder; name a file in it, as in {}.", flag, out.string(),
                                                  (out / example).string()));
    try {
        checkFileCanBeWritten(out);
    } catch (const Error &why) {
        throw Error(ErrorKind::Failure, fmt::format("{}: {} Nothing was run.", flag, why.what()));
    }
}

/// What runs here already, before anything of ours does; empty: little.
std::string busySentence(bool onCpu)
{
    double load = 0;
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    // Steps on a GPU are only issued from here: that takes one CPU.
    if (cpus < 1 || getloadavg(&load, 1) != 1 || load < static_cast<double>(cpus) * (onCpu ? 0.5 : 0.9))
        return {};
    return fmt::format("This machine is busy: {:.1f} programs wanted its {} CPU{} in the last minute. What runs beside a measurement is in "
                       "its times; wait for it to end, or take these as upper bounds.",
                       load, cpus, cpus == 1 ? "" : "s");
}

/// Why a session holds no result although its runs ended well; empty: something was measured.
std::string nothingMeasured(const Session &session)
{
    std::map<std::string, int> counts; // of what became of the points
    std::string reason;
    const auto add = [&](PointStatus status, const std::string &why) {
        ++counts[std::string(statusName(status))];
        if (reason.empty())
            reason = why;
        return status == PointStatus::Ok;
    };
    for (const RunRecord &run : session.runs) {
        if (run.calibration && run.plan.experiment == Experiment::Calibrate)
            return {};
        if (run.ttft || run.anatomy)
            return {};
        for (const SweepPoint &p : run.points)
            if (add(p.status, p.reason))
                return {};
        for (const LineRow &r : run.line)
            if (add(r.status, r.reason))
                return {};
    }
    std::string told;
    for (const auto &[status, count] : counts)
        told += fmt::format("{}{} {}", told.empty() ? "" : ", ", count, status);
    return fmt::format("Nothing was measured{}.{} Choose smaller batches, prompts or models, or a larger --memory-limit.",
                       told.empty() ? std::string() : fmt::format(": of all points {}", told),
                       reason.empty() ? std::string() : " The first one: " + reason);
}

Row ttftRow(const RunRecord &run)
{
    const auto &result = *run.ttft;
    Row row{{"device", run.provenance.deviceName},
            {"model", run.plan.model.shape.id},
            {"dtype", std::string(dtypeName(run.plan.dtype))},
            {"mode", std::string(modeName(run.plan.mode))},
            {"batch", result.batch},
            {"prompt", result.prompt},
            {"new", result.newTokens}};
    for (const auto &method : result.methods) {
        const auto number = std::to_string(int(method.method));
        row.emplace_back("ttft_s_" + number, jsonNumber(method.ttftSeconds));
        row.emplace_back("tpot_s_" + number, jsonNumber(method.tpotSeconds));
        row.emplace_back("tpot_min_s_" + number, jsonNumber(method.tpotMinSeconds));
        row.emplace_back("tpot_max_s_" + number, jsonNumber(method.tpotMaxSeconds));
    }
    const auto &loop = result.methods.back();
    const double floor = result.forecast.floorNominal.stepSeconds;
    row.emplace_back("tpot_floor_s", jsonNumber(floor));
    row.emplace_back("ratio", jsonNumber(floor > 0 ? loop.tpotSeconds / floor : kMissing));
    row.emplace_back("ttft_floor_s", jsonNumber(result.prefillFloor.floorSeconds));
    row.emplace_back("ttft_over_tpot", jsonNumber(loop.ttftSeconds / loop.tpotSeconds));
    row.emplace_back("spread_of_methods", jsonNumber(crossCheck(result).spread));
    row.emplace_back("peak_bytes", jsonNumber(result.peakBytes));
    row.emplace_back("text", result.text);
    return row;
}

std::vector<Row> sweepJsonRows(const RunRecord &run)
{
    std::vector<Row> rows;
    for (const auto &r : sweepRows(run)) {
        rows.push_back({{"batch", jsonNumber(r.batch)},
                        {"prompt", jsonNumber(r.prompt)},
                        {"context", jsonNumber(r.context)},
                        {"mode", std::string(modeName(r.mode))},
                        {"status", std::string(statusName(r.status))},
                        {"step_s", jsonNumber(r.stepSeconds)},
                        {"step_p10_s", jsonNumber(r.p10Seconds)},
                        {"step_p90_s", jsonNumber(r.p90Seconds)},
                        {"step_min_s", jsonNumber(r.minSeconds)},
                        {"step_max_s", jsonNumber(r.maxSeconds)},
                        {"tokens_per_s", jsonNumber(r.tokensPerSecond)},
                        {"linear_tokens_per_s", jsonNumber(r.linearTokensPerSecond)},
                        {"departure", jsonNumber(r.departure)},
                        {"peak_bytes", jsonNumber(r.peakBytes)},
                        {"floor_s", jsonNumber(r.floorSeconds)},
                        {"measured_floor_s", jsonNumber(r.measuredFloorSeconds)},
                        {"predicted_step_s", jsonNumber(r.predictedSeconds)},
                        {"predicted_departure", jsonNumber(r.predictedDeparture)},
                        {"measured_over_predicted", jsonNumber(r.measuredOverPredicted)},
                        {"ratio_to_floor", jsonNumber(r.ratioToFloor)},
                        {"arithmetic_intensity", jsonNumber(r.intensity)},
                        {"achieved_flops", jsonNumber(r.achievedFlops)},
                        {"effective_bytes", jsonNumber(r.effectiveBytes)},
                        {"kv_bytes", jsonNumber(r.kvBytes)},
                        {"weight_bytes", jsonNumber(r.weightBytes)},
                        {"reason", r.reason},
                        {"wall_step_s", jsonNumber(r.wallSeconds)},
                        {"host_gap_s", jsonNumber(r.hostGapSeconds)},
                        {"back_to_back_s", jsonNumber(r.backToBackSeconds)},
                        {"device_used_bytes", jsonNumber(r.deviceUsedBytes)},
                        {"attention", r.attention},
                        {"graph_nodes", jsonNumber(r.graphNodes > 0 ? double(r.graphNodes) : kMissing)},
                        {"sm_clock_hz", jsonNumber(r.smClockHz)},
                        {"throttled_steps", r.throttledSteps}});
    }
    return rows;
}

std::vector<Row> calibrationRows(const CalibrationResult &result)
{
    std::vector<Row> rows;
    for (const auto &sample : result.samples)
        rows.push_back({{"what", sample.what},
                        {"unit", sample.unit},
                        {"value", jsonNumber(sample.value)},
                        {"median", jsonNumber(sample.median)},
                        {"spread", jsonNumber(sample.spread)}});
    return rows;
}

std::vector<Row> anatomyRows(const RunRecord &run)
{
    const StepAnatomy &anatomy = *run.anatomy;
    std::map<StepPart, PartTiming> traced;
    for (const PartTiming &part : tracedParts(anatomy))
        traced[part.part] = part;
    std::map<StepPart, PartTiming> timed;
    for (const PartTiming &part : anatomy.parts)
        timed[part.part] = part;
    nlohmann::ordered_json parts = nlohmann::ordered_json::array(), kernels = nlohmann::ordered_json::array();
    for (int i = 0; i <= static_cast<int>(StepPart::Other); ++i) {
        const auto part = static_cast<StepPart>(i);
        if (!timed.count(part) && !traced.count(part))
            continue;
        const auto seconds = [&](const std::map<StepPart, PartTiming> &of) {
            return jsonNumber(of.count(part) ? of.at(part).seconds : kMissing);
        };
        const PartTiming &work = timed.count(part) ? timed.at(part) : traced.at(part);
        parts.push_back({{"part", std::string(stepPartName(part))},
                         {"time_s", seconds(timed)},
                         {"traced_s", seconds(traced)},
                         {"bytes", jsonNumber(work.bytes)},
                         {"flop", jsonNumber(work.flop)}});
    }
    for (const KernelTotal &total : kernelTotals(anatomy))
        kernels.push_back({{"kernel", total.name},
                           {"part", std::string(stepPartName(total.part))},
                           {"calls", total.calls},
                           {"time_s", jsonNumber(total.seconds)},
                           {"share_of_busy", jsonNumber(total.share)}});
    return {{{"device", run.provenance.deviceName},
             {"model", run.plan.model.shape.id},
             {"dtype", std::string(dtypeName(run.plan.dtype))},
             {"mode", std::string(modeName(anatomy.mode))},
             {"batch", jsonNumber(anatomy.batch)},
             {"context", jsonNumber(anatomy.context)},
             {"untraced_s", jsonNumber(anatomy.untracedSeconds)},
             {"traced_s", jsonNumber(anatomy.tracedSeconds)},
             {"busy_s", jsonNumber(anatomy.busySeconds)},
             {"gap_s", jsonNumber(anatomy.gapSeconds())},
             {"wall_s", jsonNumber(anatomy.wallSeconds)},
             {"tracer", anatomy.tracer},
             {"note", anatomy.note},
             {"parts_by", anatomy.partsBy},
             {"parts", std::move(parts)},
             {"kernels", std::move(kernels)}}};
}

std::string anatomyText(const RunRecord &run, bool markdown)
{
    constexpr std::size_t kKernels = 15;
    const auto shown = [&](const TextTable &table) { return markdown ? toMarkdown(table) : toText(table); };
    std::string text = shown(anatomyPartsTable(*run.anatomy)) + "\n";
    if (!run.anatomy->kernels.empty())
        text += shown(anatomyKernelsTable(*run.anatomy, kKernels)) + "\n";
    for (const std::string &sentence : anatomySentences(*run.anatomy))
        text += (markdown ? "- " + escapeMarkdown(sentence) : sentence) + "\n";
    return text;
}

std::string summaryText(const RunRecord &run)
{
    const auto batch = [](double value) { return std::isfinite(value) ? format::count(value) : std::string("none"); };
    std::string text;
    for (const auto &s : sweepSummaries(run)) {
        if (!std::isfinite(s.growthMeasured))
            continue; // fewer than two batches were timed
        text += fmt::format("Prompt {}: the step grows by {} from the first to the last batch (predicted {}); first "
                            "departure over 5 % at batch {} (predicted {}).\n",
                            format::count(s.prompt), format::percent(s.growthMeasured),
                            format::percent(s.growthPredicted), batch(s.firstDepartureMeasured),
                            batch(s.firstDeparturePredicted));
    }
    return text;
}

/// A heading where a session holds several runs: which of them a table is of.
std::string headingOf(const RunRecord &run, std::size_t runs)
{
    return runs > 1 ? fmt::format("Mode {}:\n", modeName(run.plan.mode)) : std::string();
}

/// One table a run; JSON and CSV hold the rows of all of them.
std::string resultText(const Session &session, arguments::Format format, bool markdown)
{
    using arguments::Format;
    std::string text;
    std::vector<Row> rows;
    auto lines = nlohmann::ordered_json::array();
    std::vector<RunRecord> told;
    for (const RunRecord &run : session.runs) {
        const bool any = run.plan.experiment == Experiment::Calibrate ? run.calibration.has_value()
                         : run.plan.experiment == Experiment::Ttft    ? run.ttft.has_value()
                         : run.plan.experiment == Experiment::Line    ? !run.line.empty()
                         : run.plan.experiment == Experiment::Anatomy ? run.anatomy.has_value()
                                                                      : !run.points.empty();
        if (!any)
            continue;
        told.push_back(run);
        std::string table;
        switch (run.plan.experiment) {
        case Experiment::Calibrate:
            rows = calibrationRows(*run.calibration);
            table = toText(calibrationTable(run));
            break;
        case Experiment::Ttft:
            rows.push_back(ttftRow(run));
            table = toText(ttftTable(run)) + crossCheck(*run.ttft).text + "\n";
            if (!run.plan.expectation.empty())
                table += "\n" + toText(expectationTable(run));
            if (!run.ttft->text.empty())
                table += "\nText: " + run.ttft->promptText + run.ttft->text + "\n";
            break;
        case Experiment::Sweep: {
            const std::vector<Row> points = sweepJsonRows(run);
            rows.insert(rows.end(), points.begin(), points.end());
            table = toText(sweepTable(run)) + summaryText(run);
            if (!run.plan.expectation.empty())
                table += "\n" + toText(expectationTable(run));
            if (const std::string waiting = synchronisationSentence(run); !waiting.empty())
                table += waiting + "\n";
            if (const std::string attention = attentionSentence(run); !attention.empty())
                table += attention + "\n";
            if (const std::string scatter = scatterSentence(run); !scatter.empty())
                table += scatter + "\n";
            break;
        }
        case Experiment::Line:
            lines.push_back(lineJson(run));
            table = lineText(run);
            break;
        case Experiment::Anatomy: {
            const std::vector<Row> row = anatomyRows(run);
            rows.insert(rows.end(), row.begin(), row.end());
            table = anatomyText(run, markdown);
            break;
        }
        }
        text += (text.empty() ? "" : "\n") + headingOf(run, session.runs.size()) + table;
    }
    if (told.empty())
        return {};
    switch (format) {
    case Format::Json:
        if (!lines.empty()) // one line is an object, several (one a mode) an array of them
            return (lines.size() == 1 ? lines.front() : lines)
                       .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                   "\n";
        return rowsToJson(rows);
    case Format::Csv:
        return told.front().plan.experiment == Experiment::Calibrate ? calibrationCsv(told)
               : told.front().plan.experiment == Experiment::Ttft    ? ttftCsv(told)
               : told.front().plan.experiment == Experiment::Line    ? lineCsv(told)
               : told.front().plan.experiment == Experiment::Anatomy ? anatomyCsv(told)
                                                                     : sweepCsv(told);
    case Format::Table:
        break;
    }
    return text;
}

/// The modes that were asked for are checked against the device before anything is timed.
void checkModes(const DeviceInfo &device, const std::vector<DecodeMode> &modes)
{
    if (device.modes.empty())
        return;
    for (const DecodeMode mode : modes) {
        if (std::find(device.modes.begin(), device.modes.end(), mode) != device.modes.end())
            continue;
        std::string offered;
        for (const DecodeMode known : device.modes)
            offered += (offered.empty() ? "" : ", ") + std::string(modeName(known));
        throw Error(ErrorKind::Usage, fmt::format("--mode {}: {} ({}) cannot issue a step like that; it offers {}.",
                                                  modeName(mode), device.id, device.name, offered));
    }
}

} // namespace

int measure(MeasureRequest request, const Catalog &catalog)
{
    if (!request.folder.empty())
        request.out = request.folder / "session.json";
    checkWritable("--out", request.out, "session.json");
    checkWritable("--trace", request.traceFile, "trace.json");
    const Interrupt interrupt; // before the engine starts threads of its own
    ProgressLine progress(request.quiet);

    const auto engine = loadEngine();
    const auto devices = engine->devices();
    const auto &device = chooseDevice(devices, request);
    auto &plan = request.plan;
    if (!request.dtypeChosen && !device.dtypes.empty())
        plan.dtype = device.dtypes.front();

    const HardwareProfile *hardware = nullptr;
    if (!request.hardwareId.empty())
        hardware = &catalog.hardwareById(request.hardwareId);
    else if (device.id != "cpu")
        hardware = catalog.hardwareByDeviceName(device.name);
    else
        hardware = &catalog.hardwareById("cpu");
    if (hardware) {
        plan.hardwareId = hardware->id;
        plan.nominal = nominalCeilings(*hardware, plan.dtype);
        for (const DType dtype : plan.dtypes)
            plan.nominalFlops[dtype] = nominalCeilings(*hardware, dtype).flops;
    } else {
        progress.note(fmt::format("The catalogue has no figures for '{}': no nominal floor will be shown. Name a "
                                  "profile by --hardware (ridgepoint hardware lists them).",
                                  device.name));
    }
    if (const std::string busy = busySentence(device.id == "cpu"); !busy.empty())
        progress.note(busy);
    if (!request.limitChosen && request.isDefaultModel && device.id == "cpu" &&
        plan.experiment == Experiment::Sweep) {
        plan.memoryLimitBytes = kDefaultRunMemoryBytes;
        progress.note(fmt::format("The default sweep keeps within {} of memory; --memory-limit 0 lifts that.",
                                  format::bytes(kDefaultRunMemoryBytes)));
    }
    for (const DecodeMode mode : request.modes) { // all of them before the first is timed
        plan.mode = mode;
        validatePlan(plan);
    }
    checkModes(device, request.modes);

    Session session = newSession();
    session.title = fmt::format("{} {} {}", experimentName(plan.experiment),
                                plan.experiment == Experiment::Line ? fmt::format("{} models", plan.models.size())
                                                                    : plan.model.shape.id,
                                plan.device);
    auto journal = Journal::create(Journal::defaultFolder(), session);

    RunEnded ended;
    std::size_t finished = 0;
    const std::size_t pointsInAll = request.modes.size() * (plan.experiment == Experiment::Line ? plan.models.size() * plan.dtypes.size()
                                                                                                : plan.batches.size() * plan.prompts.size());
    if (plan.experiment == Experiment::Sweep || plan.experiment == Experiment::Line)
        progress.note(fmt::format("{} point{} to measure.", pointsInAll, pointsInAll == 1 ? "" : "s"));
    const auto sink = [&](const Event &event) {
        journal->append(event); // reaches the disk before anybody sees it
        applyEvent(session, event);
        if (const auto *step = std::get_if<Progress>(&event)) {
            progress.show(*step);
        } else if (std::get_if<RunStarted>(&event)) {
            // Once for all modes: the device does not change between them.
            const std::string mismatch =
                session.runs.size() == 1 ? profileMismatch(session.runs.back(), catalog) : std::string();
            if (!mismatch.empty()) {
                progress.clear();
                output::say(fmt::format("ridgepoint: {}\n", mismatch));
            }
        } else if (const auto *point = std::get_if<PointFinished>(&event)) {
            const auto &p = point->point;
            progress.note(progress.counted(++finished, pointsInAll) +
                          (p.status == PointStatus::Ok
                               ? fmt::format("batch {}, prompt {}: {} a step, {}", p.batch, p.prompt,
                                             format::seconds(p.stepSeconds),
                                             format::tokensPerSecond(double(p.batch) / p.stepSeconds))
                               : fmt::format("batch {}, prompt {}: {}: {}", p.batch, p.prompt, statusName(p.status), p.reason)));
        } else if (const auto *line = std::get_if<LineRowFinished>(&event)) {
            const LineRow &r = line->row;
            progress.note(progress.counted(++finished, pointsInAll) +
                          (r.status == PointStatus::Ok
                              ? fmt::format("{} {}: weights {}, TPOT {}", r.model, r.dtype,
                                            format::bytes(r.weightBytes), format::seconds(r.tpotSeconds))
                              : fmt::format("{} {}: {}: {}", r.model, r.dtype, statusName(r.status), r.reason)));
        } else if (const auto *end = std::get_if<RunEnded>(&event)) {
            ended = *end;
        }
    };
    for (const DecodeMode mode : request.modes) {
        plan.mode = mode;
        plan.runId = newId();
        // A later mode stands on the ceilings that the first one measured, where those hold the fixed cost of its
        // steps.
        if (!plan.measured && !session.runs.empty() && session.runs.back().plan.measured &&
            session.runs.back().plan.measured->stepOverheadFor(plan.model.shape.layers, isReplayed(mode)))
            plan.measured = session.runs.back().plan.measured;
        if (request.modes.size() > 1)
            progress.note(fmt::format("Mode {}:", modeName(mode)));
        engine->run(plan, sink, interrupt.token());
        progress.clear();
        if (ended.how != RunEnded::How::Done)
            break;
    }

    const bool any = !session.runs.empty();
    if (any) // device and modes are known now
        session.title = sessionTitle(session).english();
    bool kept = request.out.empty();
    std::string saveFault, outputFault;
    if (!request.out.empty() && any) {
        try {
            saveSession(session, request.out);
            kept = true;
        } catch (const Error &fault) {
            saveFault = fmt::format("{} The results are safe in {}; the window offers to recover them.", fault.what(),
                                    journal->path().string());
        }
    }
    try {
        if (any)
            output::print(resultText(session, request.format, request.markdown));
        output::flush();
    } catch (const Error &fault) { // the files are written all the same
        outputFault = fault.what();
        if (request.out.empty()) {
            kept = false;
            outputFault += fmt::format(" They are safe in {}; the window offers to recover them.", journal->path().string());
        }
    }
    try {
        if (any && !request.folder.empty())
            writeReport(session, request.folder, {}, &catalog);
        if (any && !request.traceFile.empty()) {
            const auto traces = traceFiles(session);
            if (traces.empty())
                output::say(fmt::format("{} was not written: there is no trace.\n", request.traceFile.string()));
            else
                writeFileAtomically(request.traceFile, traces.front().second);
        }
    } catch (const Error &fault) {
        if (saveFault.empty())
            saveFault = fault.what();
    }
    if (request.keepProfile && ended.how == RunEnded::How::Done && any && session.runs.back().calibration)
        keepProfile(*session.runs.back().calibration);
    if (!saveFault.empty())
        throw Error(ErrorKind::Failure, saveFault);
    if (kept)
        journal->discard();
    if (!outputFault.empty())
        throw Error(ErrorKind::Failure, outputFault);
    switch (ended.how) {
    case RunEnded::How::Done:
        if (const std::string why = nothingMeasured(session); !why.empty())
            throw Error(ErrorKind::Failure, why);
        return 0;
    case RunEnded::How::Cancelled:
        if (!any || !nothingMeasured(session).empty())
            output::say("Stopped before the first result.\n");
        else
            output::say(fmt::format("Stopped; what was finished is kept{}.{}\n",
                                    request.out.empty() ? " above" : " in " + request.out.string(),
                                    request.out.empty() ? std::string()
                                                        : fmt::format(" `ridgepoint report {}` makes a report of it.",
                                                                      request.out.string())));
        return 130;
    case RunEnded::How::Failed:
        throw Error(ended.errorKind, ended.sentence);
    }
    return 1;
}

} // namespace ridgepoint
