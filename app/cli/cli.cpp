// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include "app/cli/arguments.h"
#include "app/cli/explain_verb.h"
#include "app/cli/import_verb.h"
#include "app/cli/line_verb.h"
#include "app/cli/measure.h"
#include "app/cli/measured.h"
#include "app/cli/output.h"
#include "app/cli/predict.h"
#include "app/cli/rows.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/catalog/catalog.h"
#include "core/catalog/model_config.h"
#include "core/session/forecast_error.h"
#include "core/session/sample_sessions.h"
#include "core/session/session.h"
#include "core/session/tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

namespace ridgepoint {

namespace {

constexpr std::array kVerbs{"predict", "calibrate", "ttft",    "sweep",    "line",   "anatomy",
                            "report",  "errors",    "explain", "import",   "compare", "hardware", "models", "samples"};

constexpr std::int64_t kMaxBatch = 65536;
constexpr std::int64_t kMaxTokens = 10'000'000;
constexpr double kHuge = 1e30;
constexpr std::size_t kMostProblemLines = 20; ///< of an imported file, on a terminal

/// CLI11 names what it did not expect from the last word to the first.
std::string inOrder(const std::string &words)
{
    std::istringstream stream(words);
    std::string text;
    for (std::string word; stream >> word;)
        text = text.empty() ? word : word + ' ' + text;
    return text;
}

/// What CLI11 found wrong with the arguments, in the program's own words: what is wrong, and what to do.
std::string sentenceOf(const CLI::ParseError &fault)
{
    const std::string what = fault.what(), kind = fault.get_name();
    const std::string flag = what.substr(0, what.find(':')); // "--batch: At Most 1 required but received 2"
    const std::string rest = what.find(": ") == std::string::npos ? what : what.substr(what.find(": ") + 2);
    if (kind == "ArgumentMismatch" && rest.rfind("At Most", 0) == 0)
        return fmt::format("{} was given several times; give it once, and several values where it takes them as in 1,4,16.", flag);
    if (kind == "ArgumentMismatch")
        return fmt::format("{} has no value; write one after it.", flag);
    if (kind == "ValidationError")
        return fmt::format("{} was given an empty value; write one after it, or leave the flag out.", flag);
    if (what.find("not expected: ") != std::string::npos) // its kind is the verb's name
        return fmt::format("'{}' is not known here; leave it out, or check its spelling. A flag takes one value, and several are joined "
                           "by commas.", inOrder(rest));
    if (kind == "RequiredError" && what.rfind("A subcommand", 0) == 0)
        return "There is no verb: say what to do.";
    if (kind == "RequiredError")
        return fmt::format("{} is missing; name it after the verb.", what.substr(0, what.find(' ')));
    return what + ".";
}

/// A catalogue name, or a folder with config.json. A folder wins where both exist only when it is written as a path.
ModelSource modelSource(const std::string &text, const Catalog &catalog)
{
    const std::filesystem::path path(text);
    const bool writtenAsPath = text.find('/') != std::string::npos || text == "." || text == "..";
    std::error_code fault;
    ModelSource source;
    if (writtenAsPath || std::filesystem::is_directory(path, fault)) {
        if (!writtenAsPath && std::any_of(catalog.models().begin(), catalog.models().end(),
                                          [&](const ModelShape &m) { return m.id == text; })) {
            source.shape = catalog.modelById(text);
            return source;
        }
        source.shape = modelShapeFromFolder(path);
        source.folder = path;
        return source;
    }
    source.shape = catalog.modelById(text);
    return source;
}

/// Flags as typed; every value is read by app/cli/arguments so that faults are said in one way.
using Flags = std::map<std::string, std::string>;

void addFlag(CLI::App *app, Flags &flags, const std::string &name, const std::string &help)
{
    app->add_option(name, flags[name], help)
        ->allow_extra_args(false)
        ->expected(1)
        ->check(CLI::Validator([](std::string &value) { return value.empty() ? std::string("the value is empty") : std::string(); },
                               "", ""));
}

bool given(const Flags &flags, const std::string &name)
{
    const auto found = flags.find(name);
    return found != flags.end() && !found->second.empty();
}

const std::string &valueOr(const Flags &flags, const std::string &name, const std::string &fallback)
{
    return given(flags, name) ? flags.at(name) : fallback;
}

/// --format as it is meant: "md" is markdown.
std::string formatOf(const Flags &flags)
{
    const std::string fallback = "table", text = valueOr(flags, "--format", fallback);
    return text == "md" ? "markdown" : text;
}

/// True where steps are replayed from a graph.
bool isReplayedMode(const std::string &text)
{
    const std::optional<DecodeMode> mode = parseMode(text);
    if (!mode)
        throw Error(ErrorKind::Usage, fmt::format("--mode was given '{}', but it takes eager, graph or fused.", text));
    return isReplayed(*mode);
}

int predictVerb(const Flags &flags)
{
    using arguments::accounting, arguments::dtype, arguments::number, arguments::wholeNumber, arguments::wholeNumbers;
    const auto catalog = Catalog::loadDefault();
    std::optional<MeasuredCeilings> measured;
    HardwareProfile hardware;
    if (given(flags, "--measured")) {
        auto known = measuredHardware(flags.at("--measured"), valueOr(flags, "--hardware", ""), catalog);
        hardware = std::move(known.hardware);
        measured = std::move(known.measured);
    } else {
        if (given(flags, "--mode"))
            throw Error(ErrorKind::Usage, "--mode chooses between the measured costs of a step; it needs --measured.");
        hardware = catalog.hardwareById(valueOr(flags, "--hardware", "t4"));
    }
    const auto source = modelSource(valueOr(flags, "--model", "tinyllama-1.1b"), catalog);

    WorkloadOverrides overrides;
    if (given(flags, "--params"))
        overrides.parameters = number("--params", flags.at("--params"), 1, kHuge, "parameters, as in 1.1e9");
    if (given(flags, "--weight-bytes"))
        overrides.weightBytes = number("--weight-bytes", flags.at("--weight-bytes"), 1, kHuge, "bytes, as in 2.2e9");
    if (given(flags, "--kv-bytes"))
        overrides.kvBytesPerToken = number("--kv-bytes", flags.at("--kv-bytes"), 0, kHuge, "bytes a token, as in 22528");

    const auto type = dtype(valueOr(flags, "--dtype", "fp16"));
    PredictRequest request;
    request.hardware = hardware.id;
    request.model = source.shape.id;
    request.workload =
        makeWorkload(source.shape, type, accounting(valueOr(flags, "--accounting", "exact")), overrides);
    request.ceilings = nominalCeilings(hardware, type);
    if (measured) {
        const bool graph = isReplayedMode(valueOr(flags, "--mode", "eager"));
        request.ceilings = measuredCeilings(hardware, *measured, type, source.shape.layers, graph);
        if (!measured->stepOverheadFor(source.shape.layers, graph) && !given(flags, "--overhead"))
            output::say(fmt::format("The cost of a step{} was not measured there: predicted without.\n",
                       graph ? " in a graph" : ""));
    }
    if (given(flags, "--bandwidth"))
        request.ceilings.bandwidth = number("--bandwidth", flags.at("--bandwidth"), 1, kHuge, "B/s, as in 270e9");
    if (given(flags, "--flops"))
        request.ceilings.flops = number("--flops", flags.at("--flops"), 1, kHuge, "FLOP/s, as in 50e12");
    if (given(flags, "--overhead"))
        request.ceilings.overhead = number("--overhead", flags.at("--overhead"), 0, 1e6, "seconds, as in 8e-3");
    if (!(request.ceilings.bandwidth > 0) || !(request.ceilings.flops > 0))
        throw Error(ErrorKind::Failure,
                    fmt::format("Neither the measurement nor the catalogue has the {} of {}; give {}.",
                                request.ceilings.bandwidth > 0 ? std::string(dtypeName(type)) + " rate" : "bandwidth",
                                hardware.name, request.ceilings.bandwidth > 0 ? "--flops" : "--bandwidth"));
    request.batches = wholeNumbers("--batch", valueOr(flags, "--batch", "1,4,16,64,128"), 1, kMaxBatch);
    request.contexts = wholeNumbers("--context", valueOr(flags, "--context", "256"), 1, kMaxTokens);
    if (given(flags, "--prompt"))
        request.prompt = wholeNumber("--prompt", flags.at("--prompt"), 1, kMaxTokens);

    const auto rows = predictRows(request);
    std::string text;
    switch (arguments::format(formatOf(flags))) {
    case arguments::Format::Json:
        text = rowsToJson(rows);
        break;
    case arguments::Format::Csv:
        text = rowsToCsv(rows);
        break;
    case arguments::Format::Table: {
        TextTable table;
        table.header = {"context", "batch", "bytes", "memory", "compute", "step", "tok/s", "linear", "departure", "AI",
                        "bound", "fits"};
        for (const auto context : request.contexts) {
            const auto sweep = predictSweep(request.workload, request.ceilings, request.batches, double(context));
            for (const auto &r : sweep)
                table.rows.push_back({format::count(double(context)), format::count(r.step.batch),
                                      format::bytes(r.step.bytes), format::seconds(r.step.memorySeconds),
                                      format::seconds(r.step.computeSeconds), format::seconds(r.step.stepSeconds),
                                      format::significant(r.step.tokensPerSecond, 4), format::significant(r.linear, 4),
                                      format::percent(r.departure), format::significant(r.step.intensity, 3),
                                      std::string(boundName(r.step.bound)),
                                      !r.capacity ? "unknown" : r.fits ? "yes" : "no"});
        }
        text = fmt::format("{} on {}, {}, {} accounting: W {}, KV {} a token, {}, {}, overhead {}, ridge {}\n\n",
                           source.shape.name, hardware.name, dtypeName(type),
                           accountingName(request.workload.accounting), format::bytes(request.workload.weightBytes),
                           format::bytes(request.workload.kvBytesPerToken), format::bandwidth(request.ceilings.bandwidth),
                           format::flops(request.ceilings.flops), format::seconds(request.ceilings.overhead),
                           format::intensity(request.ceilings.ridge())) +
               toText(table) + "\n";
        for (const auto context : request.contexts) {
            const double n = double(context);
            const auto batch = batchAtRidge(request.workload, request.ceilings.ridge(), n);
            text += fmt::format("Context {}: AI_max {}; batch at the ridge: {}.\n", format::count(n),
                                std::isinf(maxIntensity(request.workload, n))
                                    ? std::string("unbounded (no KV cache is read)")
                                    : format::intensity(maxIntensity(request.workload, n)),
                                batch ? format::significant(*batch, 3) : "never (AI_max < ridge)");
        }
        if (request.prompt) {
            for (const auto batch : request.batches) {
                const auto prefill =
                    predictPrefill(request.workload, request.ceilings, double(batch), double(*request.prompt));
                text += fmt::format("Prompt {}, batch {}: TTFT floor {} ({}-bound, intensity {}).\n",
                                    format::count(double(*request.prompt)), batch,
                                    format::seconds(prefill.floorSeconds), boundName(prefill.bound),
                                    format::intensity(prefill.intensity));
            }
        }
        break;
    }
    }
    output::print(text);
    return 0;
}

int hardwareVerb(const Flags &flags)
{
    const auto catalog = Catalog::loadDefault();
    for (const auto &problem : catalog.problems())
        output::say(fmt::format("{}\n", problem));
    std::vector<Row> rows;
    TextTable table;
    table.header = {"id", "name", "bandwidth", "fp32", "fp16", "bf16", "memory", "last cache", "ridge fp16"};
    for (const auto &h : catalog.hardware()) {
        const auto peak = [&h](DType type) {
            const auto found = h.peakFlops.find(type);
            return found == h.peakFlops.end() ? kMissing : found->second;
        };
        rows.push_back({{"id", h.id},
                        {"name", h.name},
                        {"memory_bandwidth", jsonNumber(h.memoryBandwidth)},
                        {"peak_fp32", jsonNumber(peak(DType::F32))},
                        {"peak_fp16", jsonNumber(peak(DType::F16))},
                        {"peak_bf16", jsonNumber(peak(DType::BF16))},
                        {"memory_bytes", jsonNumber(h.memoryBytes > 0 ? h.memoryBytes : kMissing)},
                        {"last_level_cache_bytes",
                         jsonNumber(h.lastLevelCacheBytes > 0 ? h.lastLevelCacheBytes : kMissing)},
                        {"compute_capability", h.computeCapability},
                        {"note", h.note}});
        table.rows.push_back({h.id, h.name, format::bandwidth(h.memoryBandwidth), format::flops(peak(DType::F32)),
                              format::flops(peak(DType::F16)), format::flops(peak(DType::BF16)),
                              h.memoryBytes > 0 ? format::bytes(h.memoryBytes) : "-",
                              h.lastLevelCacheBytes > 0 ? format::bytes(h.lastLevelCacheBytes) : "-",
                              format::intensity(nominalCeilings(h, DType::F16).ridge())});
    }
    const auto wanted = arguments::format(formatOf(flags));
    output::print(wanted == arguments::Format::Json  ? rowsToJson(rows)
                     : wanted == arguments::Format::Csv ? rowsToCsv(rows)
                                                        : toText(table));
    return 0;
}

int modelsVerb(const Flags &flags)
{
    const auto catalog = Catalog::loadDefault();
    for (const auto &problem : catalog.problems())
        output::say(fmt::format("{}\n", problem));
    std::vector<Row> rows;
    TextTable table;
    table.header = {"id", "architecture", "parameters", "layers", "hidden", "heads", "kv heads", "fp16 weights",
                    "fp16 KV a token"};
    for (const auto &m : catalog.models()) {
        const auto count = countParameters(m);
        rows.push_back({{"id", m.id},
                        {"name", m.name},
                        {"architecture", m.architecture},
                        {"parameters", jsonNumber(count.total)},
                        {"streamed_parameters", jsonNumber(count.streamed)},
                        {"layers", m.layers},
                        {"hidden", m.hidden},
                        {"heads", m.heads},
                        {"kv_heads", m.kvHeads},
                        {"head_dim", m.headDim},
                        {"ffn", m.ffn},
                        {"vocab", m.vocab},
                        {"tied_embeddings", m.tiedEmbeddings},
                        {"kv_bytes_per_token_fp16", jsonNumber(kvBytesPerToken(m, DType::F16))}});
        table.rows.push_back({m.id, m.architecture, format::count(count.total), std::to_string(m.layers),
                              std::to_string(m.hidden), std::to_string(m.heads), std::to_string(m.kvHeads),
                              format::bytes(2 * count.total), format::bytes(kvBytesPerToken(m, DType::F16))});
    }
    const auto wanted = arguments::format(formatOf(flags));
    output::print(wanted == arguments::Format::Json  ? rowsToJson(rows)
                     : wanted == arguments::Format::Csv ? rowsToCsv(rows)
                                                        : toText(table));
    return 0;
}

/// How far forecasts lay from what was then measured, over stored sessions.
int errorsVerb(const std::vector<std::string> &files, const Flags &flags)
{
    std::vector<RunRecord> runs;
    for (const std::string &file : files) {
        const Session session = loadSession(file);
        runs.insert(runs.end(), session.runs.begin(), session.runs.end());
    }
    const std::vector<ForecastErrorRow> rows = forecastErrors(runs);
    if (rows.empty())
        throw Error(ErrorKind::Failure, "None of these sessions has a step or a TTFT that was forecast and measured: run sweep or ttft with --out first.");
    const TextTable points = toTable(rows), summary = toTable(summarise(rows));
    const std::string format = formatOf(flags);
    if (format == "markdown") {
        output::print(toMarkdown(points) + "\n" + toMarkdown(summary));
        return 0;
    }
    if (format != "table" && format != "csv" && format != "json")
        throw Error(ErrorKind::Usage,
                    fmt::format("--format was given '{}', but it takes table, markdown, json or csv.", format));
    if (format == "table") {
        output::print(toText(points) + "\n" + toText(summary));
        return 0;
    }
    // One row a point, errors as fractions; the means are for whoever reads the file to take.
    std::vector<Row> cells;
    for (const ForecastErrorRow &row : rows)
        cells.push_back({{"what", row.what},
                         {"model", row.model},
                         {"dtype", row.dtype},
                         {"mode", row.mode},
                         {"device", row.device},
                         {"prompt", jsonNumber(row.prompt)},
                         {"batch", jsonNumber(row.batch)},
                         {"measured_s", jsonNumber(row.measuredSeconds)},
                         {"forecast_error", jsonNumber(row.forecast)},
                         {"two_term_error", jsonNumber(row.twoTerm)},
                         {"roofline_error", jsonNumber(row.roofline)},
                         {"run", row.runId}});
    output::print(format == "json" ? rowsToJson(cells) : rowsToCsv(cells));
    return 0;
}

/// What limits each point, why curves bend, what fits, and what a step is made of.
int explainVerb(const std::vector<std::string> &files, const Flags &flags)
{
    std::vector<Session> sessions;
    for (const std::string &file : files)
        sessions.push_back(loadSession(file));
    output::print(explainText(sessions, formatOf(flags)));
    return 0;
}

/// A file that is there already is replaced only by what it came from: the session with `id`, or without one a session of imports. Anything
/// else may be the only copy of what was measured.
void needReplaceable(const std::filesystem::path &path, const std::string &id)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored) || std::filesystem::file_size(path, ignored) == 0)
        return;
    std::string what = "holds no session";
    try {
        const Session there = loadSession(path);
        if (id.empty() ? std::all_of(there.runs.begin(), there.runs.end(), isImported) : there.id == id)
            return;
        what = id.empty() ? "holds what was measured here" : "holds another session";
    } catch (const Error &) {
    }
    throw Error(ErrorKind::Failure, fmt::format("{} is there already and {}, so it is not replaced. Choose another --out, or move it away.", path.string(), what));
}

/// What another program measured, beside the floor.
int importVerb(const Flags &flags, const std::vector<std::string> &columns)
{
    using arguments::wholeNumber;
    const auto catalog = Catalog::loadDefault();
    ImportOptions options;
    options.model = valueOr(flags, "--model", "");
    options.hardware = valueOr(flags, "--device-profile", "");
    if (!options.model.empty()) // a name that is none is said before the file is looked at
        catalog.modelById(options.model);
    if (!options.hardware.empty())
        catalog.hardwareById(options.hardware);
    if (given(flags, "--dtype"))
        options.dtype = arguments::dtype(flags.at("--dtype"));
    if (given(flags, "--batch"))
        options.batch = wholeNumber("--batch", flags.at("--batch"), 1, kMaxBatch);
    if (given(flags, "--prompt"))
        options.prompt = wholeNumber("--prompt", flags.at("--prompt"), 0, kMaxTokens);
    if (given(flags, "--new"))
        options.newTokens = wholeNumber("--new", flags.at("--new"), 1, kMaxTokens);
    for (const std::string &column : columns) {
        const auto equals = column.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == column.size())
            throw Error(ErrorKind::Usage, fmt::format("--column was given '{}', but it takes WHAT=NAME, as in batch=n_seqs.", column));
        options.columns[column.substr(0, equals)] = column.substr(equals + 1);
    }
    const std::string &file = flags.at("FILE");
    if (given(flags, "--out"))
        needReplaceable(flags.at("--out"), {});
    const Import import = importFile(file, options, catalog);
    const std::string text = importText(import, formatOf(flags));
    for (const std::string &line : problemLines(import, file, kMostProblemLines))
        output::say("ridgepoint: " + line + "\n");
    if (given(flags, "--out")) {
        Session session = newSession();
        session.title = fmt::format("imported from {}", std::filesystem::path(file).filename().string());
        session.runs = import.runs;
        saveSession(session, flags.at("--out"));
    }
    output::print(text);
    return 0;
}

/// Sessions against the first of them. 3: something got slower.
int compareVerb(const std::vector<std::string> &files, const Flags &flags)
{
    std::vector<Session> sessions;
    for (const std::string &file : files)
        sessions.push_back(loadSession(file));
    const Comparison comparison = compareSessions(sessions);
    const std::string text = compareText(comparison, files, formatOf(flags));
    if (comparison.points.empty())
        throw Error(ErrorKind::Failure, "The sessions share no point: none has the same model, dtype, mode, batch and prompt in both.");
    for (std::size_t i = 1; i < files.size(); ++i) // or a session that nothing was held against would pass for one that is no slower
        if (std::none_of(comparison.points.begin(), comparison.points.end(), [&](const ComparedPoint &point) { return point.other == i; }))
            throw Error(ErrorKind::Failure, fmt::format("{} shares no point with {}: none has the same model, dtype, mode, batch and prompt in both. "
                                                        "Compare it with a session of its own kind.",
                                                        files[i], files[0]));
    output::print(text);
    return comparison.anySlower() ? 3 : 0;
}

int samplesVerb(const Flags &flags)
{
    std::vector<Row> rows;
    TextTable table;
    table.header = {"title", "file"};
    for (const SampleSession &sample : sampleSessions()) {
        if (!sample.problem.empty()) {
            output::say(fmt::format("{}\n", sample.problem));
            continue;
        }
        rows.push_back({{"title", sample.title}, {"file", sample.path.string()}});
        table.rows.push_back({sample.title, sample.path.string()});
    }
    const auto wanted = arguments::format(formatOf(flags));
    output::print(wanted == arguments::Format::Json  ? rowsToJson(rows)
                     : wanted == arguments::Format::Csv ? rowsToCsv(rows)
                                                        : toText(table));
    return 0;
}

/// Switches of the measuring verbs.
struct Switches {
    bool quiet = false, tryAll = false, noTelemetry = false;
};

int measureVerb(Experiment experiment, const Flags &flags, const Switches &switches)
{
    using arguments::dtype, arguments::number, arguments::wholeNumber, arguments::wholeNumbers;
    const auto catalog = Catalog::loadDefault();
    MeasureRequest request;
    auto &plan = request.plan;
    plan.experiment = experiment;
    request.isDefaultModel = experiment != Experiment::Line && !given(flags, "--model");
    if (experiment == Experiment::Line) {
        if (!given(flags, "--models"))
            throw Error(ErrorKind::Usage, "line needs models to measure (--models qwen2.5-0.5b,qwen3-0.6b) or a table "
                                          "of measured rows (--import ROWS.csv).");
        if (given(flags, "--bandwidth"))
            throw Error(ErrorKind::Usage, "--bandwidth is the ceiling of a table's device (--import); a run measures "
                                          "that of its own.");
        for (const std::string &name : arguments::names("--models", flags.at("--models")))
            plan.models.push_back(modelSource(name, catalog));
        plan.dtypes = arguments::dtypes(valueOr(flags, "--dtypes", "bf16,fp32"));
        plan.model = plan.models.front();
        plan.dtype = plan.dtypes.front();
        request.dtypeChosen = true;
        plan.prompts = {wholeNumber("--prompt", valueOr(flags, "--prompt", "128"), 1, kMaxTokens)};
        plan.batches = {1};
        plan.newTokens = wholeNumber("--new", valueOr(flags, "--new", "100"), 2, kMaxTokens);
        plan.repeats = int(wholeNumber("--repeats", valueOr(flags, "--repeats", "5"), 1, 10'000));
        plan.warmup = 1;
    } else {
        plan.model = modelSource(valueOr(flags, "--model", "smollm2-135m"), catalog);
    }
    request.deviceChosen = given(flags, "--device");
    if (request.deviceChosen)
        plan.device = flags.at("--device");
    if (given(flags, "--dtype"))
        request.dtypeChosen = true;
    if (given(flags, "--dtype"))
        plan.dtype = dtype(flags.at("--dtype"));
    request.hardwareId = valueOr(flags, "--hardware", "");
    request.modes = arguments::modes(valueOr(flags, "--mode", "eager"));
    plan.threads = int(wholeNumber("--threads", valueOr(flags, "--threads", "0"), 0, 1024));
    plan.seed = std::uint64_t(wholeNumber("--seed", valueOr(flags, "--seed", "1"), 0, 1'000'000'000));
    request.limitChosen = given(flags, "--memory-limit");
    if (request.limitChosen)
        plan.memoryLimitBytes = number("--memory-limit", flags.at("--memory-limit"), 0, 1e15, "bytes, as in 4e9");
    plan.tryBeyondCapacity = switches.tryAll;
    plan.telemetry = !switches.noTelemetry;
    if (given(flags, "--calibration"))
        plan.measured = loadCeilings(flags.at("--calibration"));
    // Threads are a CPU's. Which GPU it was is known only once the run has one.
    if (request.deviceChosen && plan.measured && (plan.measured->threads > 0) != plan.device.starts_with("cpu") && !plan.measured->deviceName.empty())
        throw Error(ErrorKind::Usage, fmt::format("--calibration holds what was measured on {}, and the run is on {}. Leave it out, and the run calibrates "
                                                  "itself.",
                                                  plan.measured->deviceName, plan.device));
    if (experiment == Experiment::Ttft) {
        plan.prompts = {wholeNumber("--prompt", valueOr(flags, "--prompt", "200"), 1, kMaxTokens)};
        plan.batches = {wholeNumber("--batch", valueOr(flags, "--batch", "1"), 1, kMaxBatch)};
        plan.newTokens = wholeNumber("--new", valueOr(flags, "--new", "64"), 2, kMaxTokens);
        plan.repeats = int(wholeNumber("--repeats", valueOr(flags, "--repeats", "10"), 1, 10'000));
        plan.warmup = 3;
        plan.methods = arguments::methods(valueOr(flags, "--method", "all"));
        plan.promptText = valueOr(flags, "--prompt-text", "");
        if (!plan.promptText.empty() && plan.model.folder.empty())
            throw Error(ErrorKind::Usage, "--prompt-text needs a checkpoint folder with a tokenizer as --model; a "
                                          "catalogue model has random weights and no vocabulary.");
    } else if (experiment == Experiment::Sweep) {
        plan.prompts = wholeNumbers("--prompt", valueOr(flags, "--prompt", "128,2048"), 1, kMaxTokens);
        plan.batches = wholeNumbers("--batch", valueOr(flags, "--batch", "1,4,16,64,128"), 1, kMaxBatch);
        plan.warmup = int(wholeNumber("--warmup", valueOr(flags, "--warmup", "10"), 0, 1'000'000));
        plan.steps = int(wholeNumber("--steps", valueOr(flags, "--steps", "40"), 1, 1'000'000));
    }
    if (given(flags, "--expect-tpot-ms"))
        plan.expectation.tpotSeconds = number("--expect-tpot-ms", flags.at("--expect-tpot-ms"), 1e-6, 1e9, "milliseconds, as in 7.5") * 1e-3;
    if (given(flags, "--expect-ratio"))
        plan.expectation.ratio = number("--expect-ratio", flags.at("--expect-ratio"), 1e-3, 1e6, "a step over its floor, as in 1.4");
    if (given(flags, "--expect-departure"))
        plan.expectation.firstDeparture =
            double(wholeNumber("--expect-departure", flags.at("--expect-departure"), 1, kMaxBatch));
    if (experiment == Experiment::Anatomy) {
        plan.prompts = {wholeNumber("--prompt", valueOr(flags, "--prompt", "128"), 1, kMaxTokens)};
        plan.batches = {wholeNumber("--batch", valueOr(flags, "--batch", "1"), 1, kMaxBatch)};
        plan.warmup = int(wholeNumber("--warmup", valueOr(flags, "--warmup", "10"), 0, 1'000'000));
        plan.steps = int(wholeNumber("--steps", valueOr(flags, "--steps", "30"), 1, 1'000'000));
        request.traceFile = valueOr(flags, "--trace", "");
        if (!request.traceFile.empty() && request.modes.size() > 1)
            throw Error(ErrorKind::Usage, "--trace holds one step: choose one --mode, or --out for a folder with a trace of each.");
        request.folder = valueOr(flags, "--out", "");
        std::error_code fault;
        if (std::filesystem::is_regular_file(request.folder, fault))
            throw Error(ErrorKind::Usage, fmt::format("--out {} is a file; an anatomy is saved as a folder with session, report "
                                                      "and trace, so name one.",
                                                      request.folder.string()));
        request.markdown = formatOf(flags) == "markdown";
    }
    request.keepProfile = experiment == Experiment::Calibrate && !given(flags, "--no-save");
    if (experiment != Experiment::Anatomy)
        request.out = valueOr(flags, "--out", "");
    if (!request.markdown)
        request.format = arguments::format(formatOf(flags));
    request.quiet = switches.quiet;
    return measure(std::move(request), catalog);
}

int lineVerb(const Flags &flags, const Switches &switches)
{
    if (!given(flags, "--import"))
        return measureVerb(Experiment::Line, flags, switches);
    for (const char *name : {"--models", "--dtypes", "--device", "--mode", "--prompt", "--new", "--repeats", "--threads",
                             "--seed", "--memory-limit", "--calibration"})
        if (given(flags, name))
            throw Error(ErrorKind::Usage,
                        fmt::format("{} is for measuring, and --import measures nothing; leave one of them out.", name));
    LineImportRequest request;
    request.file = flags.at("--import");
    if (given(flags, "--bandwidth"))
        request.bandwidth = arguments::number("--bandwidth", flags.at("--bandwidth"), 1, kHuge, "B/s, as in 270e9");
    request.hardwareId = valueOr(flags, "--hardware", "");
    request.out = valueOr(flags, "--out", "");
    request.format = arguments::format(formatOf(flags));
    return importLineVerb(request, Catalog::loadDefault());
}

/// "html,pdf" as the forms of the report.
std::vector<ReportFormat> reportFormats(const std::string &text)
{
    std::vector<ReportFormat> formats;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        const std::string name = text.substr(from, comma - from);
        if (name == "markdown" || name == "md")
            formats.push_back(ReportFormat::Markdown);
        else if (name == "html")
            formats.push_back(ReportFormat::Html);
        else if (name == "pdf")
            formats.push_back(ReportFormat::Pdf);
        else
            throw Error(ErrorKind::Usage, fmt::format("--format '{}' is no form of a report: give html, markdown or pdf, or several "
                                                      "as html,pdf.", name));
        from = comma + 1;
    }
    return formats;
}

int reportVerb(const Flags &flags, const CliHooks &hooks, bool quiet)
{
    const std::vector<ReportFormat> formats = reportFormats(valueOr(flags, "--format", "markdown"));
    const bool pdf = std::find(formats.begin(), formats.end(), ReportFormat::Pdf) != formats.end();
    if (pdf && !hooks.writePdf)
        throw Error(ErrorKind::Usage, "This build has no window and lays out no pages: use --format html, which a browser prints, or a "
                                      "build with Qt.");
    const std::string language = valueOr(flags, "--language", "en");
    if (language != "en" && !hooks.speak)
        throw Error(ErrorKind::Usage, "This build has no window and writes its reports in English: leave out --language.");
    const std::filesystem::path file = flags.at("SESSION");
    const auto session = loadSession(file);
    const ReportTranslation translate = language == "en" ? ReportTranslation() : hooks.speak(language);
    const std::filesystem::path folder =
        given(flags, "--out") ? std::filesystem::path(flags.at("--out")) : file.parent_path() / (file.stem().string() + "-report");
    needReplaceable(folder / "session.json", session.id);
    std::error_code fault;
    std::filesystem::create_directories(folder, fault);
    if (fault)
        throw Error(ErrorKind::Failure, fmt::format("The folder {} cannot be made: {}. Choose another --out.",
                                                    folder.string(), fault.message()));
    std::vector<ReportPicture> pictures;
    if (hooks.renderCharts)
        pictures = hooks.renderCharts(session, folder);
    else if (!quiet)
        output::say(fmt::format("This build has no window, so the report holds tables and no charts; open the session in "
                           "a build with Qt for the pictures.\n"));
    std::optional<Catalog> catalog; // to say where a run was predicted with another device's datasheet
    try {
        catalog = Catalog::loadDefault();
    } catch (const Error &missing) {
        if (!quiet)
            output::say(fmt::format("{}\n", missing.what()));
    }
    for (const auto &path : writeReport(session, folder, pictures, catalog ? &*catalog : nullptr, formats, translate))
        output::print(path.string() + "\n");
    if (pdf)
        output::print(hooks.writePdf(session, folder, pictures, catalog ? &*catalog : nullptr, translate).string() + "\n");
    for (const auto &picture : pictures)
        output::print((folder / picture.fileName).string() + "\n");
    return 0;
}

bool isVerb(const std::string &text)
{
    return std::find(kVerbs.begin(), kVerbs.end(), text) != kVerbs.end();
}

/// What Qt takes for itself; these open the window.
bool isQtFlag(const std::string &text)
{
    static const std::array<std::string, 8> flags{"-platform", "-style", "-stylesheet", "-geometry",
                                                  "-display",  "-session", "-reverse", "-qwindowgeometry"};
    const auto plain = text.rfind("--", 0) == 0 ? text.substr(1) : text;
    return std::find(flags.begin(), flags.end(), plain.substr(0, plain.find('='))) != flags.end();
}

} // namespace

bool isCommandLine(int argc, char **argv)
{
    if (argc < 2)
        return false;
    const std::string first = argv[1];
    if (isVerb(first))
        return true;
    if (isQtFlag(first) || first == "--replay")
        return false;
    if (first.rfind('-', 0) == 0)
        return true;
    std::error_code fault;
    // A file, or what looks like one, is for the window; any other word is a mistyped verb.
    return !(std::filesystem::exists(first, fault) || first.find('.') != std::string::npos ||
             first.find('/') != std::string::npos);
}

int runCommandLine(int argc, char **argv, const CliHooks &hooks)
{
    CLI::App app{"Ridgepoint: how fast an LLM decodes on a device, how fast it could, and why the two differ.\n"
                 "Without a verb the window opens; with one nothing needs a display.",
                 "ridgepoint"};
    app.set_version_flag("--version", std::string("ridgepoint ") + RIDGEPOINT_VERSION);
    app.require_subcommand(1);
    app.footer("Numbers are SI base units (bytes, seconds, FLOP) unless a flag's name has another (--expect-tpot-ms). Results go to standard output, progress to standard "
               "error.\nWithout a verb the window opens: ridgepoint [SESSION], or ridgepoint --replay SESSION to play a recording "
               "again.\nExit codes: 0 done, 1 failed, 2 bad usage, 3 compare found something slower, 130 interrupted.");
    Flags flags;
    Switches switches;

    auto *predict = app.add_subcommand("predict", "Predict decode steps from the figures of a device and a model");
    addFlag(predict, flags, "--hardware", "Device from the catalogue (default t4)");
    addFlag(predict, flags, "--model", "Model from the catalogue, or a folder with config.json (default tinyllama-1.1b)");
    addFlag(predict, flags, "--batch", "Batches, as 1,4,16 (default 1,4,16,64,128)");
    addFlag(predict, flags, "--context", "Contexts in tokens (default 256)");
    addFlag(predict, flags, "--prompt", "Prompt in tokens: adds the TTFT floor");
    addFlag(predict, flags, "--dtype", "fp32, fp16 or bf16 (default fp16)");
    addFlag(predict, flags, "--accounting", "textbook or exact (default exact)");
    addFlag(predict, flags, "--measured", "Measured ceilings in place of the datasheet's: saved (what calibrate kept), or a file");
    addFlag(predict, flags, "--mode", "Which measured cost of a step counts: eager (default) or graph");
    addFlag(predict, flags, "--bandwidth", "B/s in place of the datasheet's, as in 270e9");
    addFlag(predict, flags, "--flops", "FLOP/s in place of the datasheet's, as in 50e12");
    addFlag(predict, flags, "--overhead", "Fixed seconds a step, as in 8e-3 (default 0)");
    addFlag(predict, flags, "--params", "Parameters in place of the derived count");
    addFlag(predict, flags, "--weight-bytes", "Weight bytes a step reads, in place of the derived ones");
    addFlag(predict, flags, "--kv-bytes", "KV-cache bytes a token, in place of the derived ones");

    auto *calibrate = app.add_subcommand("calibrate", "Measure the device's ceilings");
    auto *ttft = app.add_subcommand("ttft", "Measure TTFT and TPOT by three methods");
    auto *sweep = app.add_subcommand("sweep", "Measure decode steps over batches and prompts");
    auto *line = app.add_subcommand("line", "Measure TPOT over models and dtypes, or import rows, and fit a line to them");
    auto *anatomy = app.add_subcommand("anatomy", "Take one decode step apart: its parts, and a trace of its kernels");
    for (auto *verb : {calibrate, ttft, sweep, anatomy}) {
        addFlag(verb, flags, "--model", "Model from the catalogue (random weights), or a checkpoint folder (default smollm2-135m)");
        addFlag(verb, flags, "--dtype", "fp32, fp16 or bf16 (default: what the device does best)");
    }
    for (auto *verb : {calibrate, ttft, sweep, line, anatomy}) {
        addFlag(verb, flags, "--device", "cpu or cuda:N (default: the first GPU, else cpu)");
        addFlag(verb, flags, "--hardware", "Catalogue profile for the nominal floor (default: found by the device's name)");
        addFlag(verb, flags, "--threads", "CPU threads (default 0: all that may be used)");
        addFlag(verb, flags, "--seed", "Seed of random weights (default 1)");
        addFlag(verb, flags, "--out",
                verb == anatomy ? "Folder to save session.json, report.md, trace.json and tables in" : "Session file to save");
        verb->add_flag("--quiet", switches.quiet, "No progress");
    }
    for (auto *verb : {ttft, sweep, line}) {
        addFlag(verb, flags, "--mode",
                "How a step is issued: eager (default), graph or fused, which need a GPU; eager,graph,fused measures all");
        verb->add_flag("--no-telemetry", switches.noTelemetry,
                       "Do not read a GPU's clocks, temperature, power and throttling beside the steps");
        addFlag(verb, flags, "--memory-limit", "Bytes, as in 4e9; points that need more are skipped (0: what is free)");
        verb->add_flag("--try-all", switches.tryAll, "Try points that the capacity arithmetic says cannot fit");
        addFlag(verb, flags, "--calibration",
                "Session with a calibration, or measured profile, to predict from (default: calibrate briefly first)");
    }
    for (auto *verb : {ttft, sweep}) {
        addFlag(verb, flags, "--expect-tpot-ms",
                "Time that you expect a step of the smallest batch to take, in milliseconds, as in 7.5; set beside forecast and "
                "measurement");
        addFlag(verb, flags, "--expect-ratio", "Step over its floor that you expect at the smallest batch, a plain number, as in 1.4");
    }
    addFlag(sweep, flags, "--expect-departure",
            "First batch at which you expect the throughput to lie over 5 % below linear, a whole number, as in 64");
    addFlag(anatomy, flags, "--mode",
            "How a step is issued: eager (default), graph or fused, which need a GPU; eager,graph,fused takes each apart");
    addFlag(anatomy, flags, "--memory-limit", "Bytes; a step that needs more is refused (0: what is free)");
    anatomy->add_flag("--try-all", switches.tryAll, "Try a step that the capacity arithmetic says cannot fit");
    addFlag(anatomy, flags, "--calibration", "Session with a calibration, or measured profile, to keep with the record");
    addFlag(anatomy, flags, "--prompt", "Context of the step in tokens (default 128)");
    addFlag(anatomy, flags, "--batch", "Sequences (default 1)");
    addFlag(anatomy, flags, "--warmup", "Untimed steps (default 10)");
    addFlag(anatomy, flags, "--steps", "Timed steps without a tracer, the median counts (default 30)");
    addFlag(anatomy, flags, "--trace", "File for the trace, which Perfetto and chrome://tracing open");
    addFlag(anatomy, flags, "--format", "table, csv, json or markdown (default table)");
    addFlag(calibrate, flags, "--memory-limit", "Bytes that the calibration may use (0: what is free)");
    calibrate->add_flag_function(
        "--no-save", [&](std::int64_t) { flags["--no-save"] = "yes"; },
        "Do not keep the result as the device's measured profile");
    addFlag(line, flags, "--models", "Models from the catalogue (random weights) or checkpoint folders, as a,b,c");
    addFlag(line, flags, "--dtypes", "Of fp32, fp16, bf16; one that the device does not run is skipped (default bf16,fp32)");
    addFlag(line, flags, "--prompt", "Prompt in tokens (default 128)");
    addFlag(line, flags, "--new", "New tokens (default 100)");
    addFlag(line, flags, "--repeats", "Timed generations of each row, the median counts (default 5)");
    addFlag(line, flags, "--import", "CSV of rows measured elsewhere: model,family,dtype,weight_gb,tpot_ms");
    addFlag(line, flags, "--bandwidth", "With --import: B/s that the device of those rows has");
    addFlag(ttft, flags, "--prompt", "Prompt in tokens (default 200)");
    addFlag(ttft, flags, "--prompt-text", "Prompt as text, for a checkpoint folder with a tokenizer; replaces --prompt");
    addFlag(ttft, flags, "--batch", "Sequences (default 1)");
    addFlag(ttft, flags, "--new", "New tokens N (default 64)");
    addFlag(ttft, flags, "--method", "all, or of 1,2,3: subtraction, stream, loop (default all)");
    addFlag(ttft, flags, "--repeats", "Timed repeats, the median counts (default 10)");
    addFlag(sweep, flags, "--prompt", "Prompts in tokens (default 128,2048)");
    addFlag(sweep, flags, "--batch", "Batches (default 1,4,16,64,128)");
    addFlag(sweep, flags, "--warmup", "Untimed steps a point (default 10)");
    addFlag(sweep, flags, "--steps", "Timed steps a point (default 40)");

    auto *report = app.add_subcommand("report", "Write a session's report folder: pictures, CSV and the report as Markdown, HTML or PDF");
    report->add_option("SESSION", flags["SESSION"], "Session file")->required();
    addFlag(report, flags, "--out", "Folder (default: SESSION's name with -report)");
    addFlag(report, flags, "--language", "en (default) or zh_CN");
    addFlag(report, flags, "--format", "markdown (default), html (one file, pictures within) or pdf; several as html,pdf");
    report->add_flag("--quiet", switches.quiet, "No notes");

    auto *hardware = app.add_subcommand("hardware", "List the devices of the catalogue");
    auto *models = app.add_subcommand("models", "List the models of the catalogue");
    std::vector<std::string> errorFiles;
    auto *errors = app.add_subcommand("errors", "How far forecasts lay from what was then measured, beside simpler models");
    errors->add_option("SESSION", errorFiles, "Session files")->required();
    std::vector<std::string> explainFiles;
    auto *explain = app.add_subcommand("explain", "Say what limits each measured point and how one knows, why curves bend, "
                                                  "what fits, and what a step is made of");
    explain->add_option("SESSION", explainFiles, "Session files, judged together")->required();
    std::vector<std::string> columns;
    auto *import = app.add_subcommand("import", "Read what another program measured (llama-bench, llama-batched-bench, vLLM bench, "
                                                "optimum-benchmark, a CSV), beside the floor");
    import->add_option("FILE", flags["FILE"], "Result file; recognised by its content")->required();
    addFlag(import, flags, "--model", "Model from the catalogue, where the file does not tell it");
    addFlag(import, flags, "--device-profile", "Device from the catalogue, where the file does not tell it");
    addFlag(import, flags, "--dtype", "fp32, fp16 or bf16 of the weights, where the file does not tell it");
    addFlag(import, flags, "--batch", "Sequences, where the file does not tell them");
    addFlag(import, flags, "--prompt", "Prompt in tokens, where the file does not tell it");
    addFlag(import, flags, "--new", "Generated tokens, where the file does not tell them");
    import->add_option("--column", columns, "Column of a CSV, as in --column batch=n_seqs; may be given several times")
        ->allow_extra_args(false);
    addFlag(import, flags, "--out", "Session file to save");
    std::vector<std::string> compareFiles;
    auto *compare = app.add_subcommand("compare", "Hold sessions against the first of them, point by point; exit code 3 when something "
                                                  "got slower");
    compare->add_option("SESSION", compareFiles, "Session files, the baseline first")->required();
    for (auto *verb : {errors, explain, import, compare})
        addFlag(verb, flags, "--format", "table, markdown, json or csv (default table)");
    auto *samples = app.add_subcommand("samples", "List the sample sessions, to open in the window or to report");
    for (auto *verb : {predict, calibrate, ttft, sweep, line, hardware, models, samples})
        addFlag(verb, flags, "--format", "table, json or csv (default table)");

    try {
        output::claimStreams();
        if (argc > 1 && argv[1][0] != '-' && !isVerb(argv[1])) {
            const std::vector<std::string> known(kVerbs.begin(), kVerbs.end());
            const auto near = nearestNames(argv[1], known);
            std::string all;
            for (const auto &verb : known)
                all += (all.empty() ? "" : ", ") + verb;
            throw Error(ErrorKind::Usage, fmt::format("'{}' is not a verb{}. Verbs: {}. A file to open must exist.",
                                                      argv[1], near.empty() ? "" : "; did you mean " + near.front(),
                                                      all));
        }
        try {
            app.parse(argc, argv);
        } catch (const CLI::Success &asked) { // help or version
            std::ostringstream text;
            const int code = app.exit(asked, text, text);
            output::print(text.str());
            output::flush();
            return code;
        } catch (const CLI::ParseError &fault) {
            throw Error(ErrorKind::Usage, fmt::format("{} See ridgepoint {}--help.", sentenceOf(fault),
                                                      argc > 1 && isVerb(argv[1]) ? std::string(argv[1]) + " " : ""));
        }
        const int code = [&] {
            if (*predict)
                return predictVerb(flags);
            if (*hardware)
                return hardwareVerb(flags);
            if (*models)
                return modelsVerb(flags);
            if (*errors)
                return errorsVerb(errorFiles, flags);
            if (*explain)
                return explainVerb(explainFiles, flags);
            if (*import)
                return importVerb(flags, columns);
            if (*compare)
                return compareVerb(compareFiles, flags);
            if (*samples)
                return samplesVerb(flags);
            if (*report)
                return reportVerb(flags, hooks, switches.quiet);
            if (*calibrate)
                return measureVerb(Experiment::Calibrate, flags, switches);
            if (*ttft)
                return measureVerb(Experiment::Ttft, flags, switches);
            if (*line)
                return lineVerb(flags, switches);
            if (*anatomy)
                return measureVerb(Experiment::Anatomy, flags, switches);
            return measureVerb(Experiment::Sweep, flags, switches);
        }();
        output::flush();
        return code;
    } catch (const Error &fault) {
        output::say(fmt::format("ridgepoint: {}\n", fault.what()));
        return fault.exitCode();
    } catch (const std::bad_alloc &) {
        output::say(fmt::format("ridgepoint: There is not enough memory for this; choose a smaller model, batch or prompt.\n"));
        return 1;
    } catch (const std::exception &fault) {
        output::say(fmt::format("ridgepoint: Something unforeseen went wrong: {}\n", fault.what()));
        return 1;
    }
}

} // namespace ridgepoint
