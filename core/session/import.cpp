// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/import.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/csv_reader.h"
#include "core/session/import_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint {

using namespace detail;

namespace {

std::string_view withoutMark(std::string_view text)
{
    return text.substr(0, 3) == "\xef\xbb\xbf" ? text.substr(3) : text;
}

/// The fields of the first CSV line that is neither empty nor a comment.
std::vector<std::string> headerOf(std::string_view text)
{
    CsvReader reader(text.substr(0, 100'000), separatorOf(text.substr(0, 100'000)));
    CsvRecord record;
    while (reader.next(record)) {
        const std::string first = trimmed(record.fields.front());
        if ((record.fields.size() == 1 && first.empty()) || (!first.empty() && first.front() == '#'))
            continue;
        return record.fields;
    }
    return {};
}

/// A header of two columns or more whose names are names, and rows of as many fields: prose with commas in it is no table.
bool looksLikeCsv(std::string_view text)
{
    constexpr std::size_t kLongestName = 60;
    constexpr int kRows = 20;
    const std::string_view head = text.substr(0, 100'000);
    CsvReader reader(head, separatorOf(head));
    CsvRecord record;
    std::size_t columns = 0;
    int rows = 0, fitting = 0;
    while (rows < kRows && reader.next(record)) {
        const std::string first = trimmed(record.fields.front());
        if ((record.fields.size() == 1 && first.empty()) || (!first.empty() && first.front() == '#'))
            continue;
        if (columns > 0) {
            ++rows;
            fitting += record.fields.size() == columns;
            continue;
        }
        columns = record.fields.size();
        if (columns < 2)
            return false;
        std::string lacking;
        if (columnsOf(record.fields, {}, lacking))
            return true; // the names are those of a table, whatever its rows
        for (const std::string &name : record.fields)
            if (trimmed(name).size() > kLongestName)
                return false;
    }
    return columns > 0 && 2 * fitting >= rows;
}

bool isLlamaBenchCsv(std::string_view text)
{
    // The program's log may stand above the header.
    CsvReader reader(text.substr(0, 100'000), ',');
    CsvRecord record;
    for (int line = 0; line < 200 && reader.next(record); ++line)
        if (isLlamaBenchHeader(record.fields))
            return true;
    return false;
}

/// Lower-case words of a model's name: "models/Qwen2.5-7B-Instruct-Q4_K_M.gguf" gives qwen2.5, 7b, instruct, q4, k, m.
std::vector<std::string> wordsOf(const std::string &name)
{
    std::vector<std::string> words(1);
    std::string plain = name.substr(name.find_last_of('/') == std::string::npos ? 0 : name.find_last_of('/') + 1);
    if (plain.size() > 5 && plain.substr(plain.size() - 5) == ".gguf")
        plain.resize(plain.size() - 5);
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const char c = plain[i];
        // A point before a letter begins a quantization ("7b.Q4_0"), one before a digit is of a version.
        const bool ends = c == '.' && i + 1 < plain.size() && !(plain[i + 1] >= '0' && plain[i + 1] <= '9');
        if (c == '-' || c == '_' || c == ' ' || c == ':' || ends)
            words.emplace_back();
        else
            words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return words;
}

/// The catalogue's model whose id's words stand in the name, in order and from the front (but for "meta"); the longest such
/// id. Where the file tells the count of parameters, it must agree within 3 % (it may be rounded).
const ModelShape *findModel(const std::string &name, double parameters, const Catalog &catalog)
{
    std::vector<std::string> words = wordsOf(name);
    if (!words.empty() && words.front() == "meta")
        words.erase(words.begin());
    const ModelShape *best = nullptr;
    std::size_t longest = 0;
    for (const ModelShape &model : catalog.models()) {
        const std::vector<std::string> wanted = wordsOf(model.id);
        if (words.empty() || wanted.front() != words.front() || wanted.size() <= longest)
            continue;
        std::size_t at = 0;
        for (const std::string &word : words)
            if (at < wanted.size() && word == wanted[at])
                ++at;
        if (at < wanted.size())
            continue;
        if (parameters > 0 && std::abs(countParameters(model).total / parameters - 1) > 0.03)
            continue;
        best = &model;
        longest = wanted.size();
    }
    return best;
}

/// The only model that has just so many parameters; null: none, or several.
const ModelShape *modelOfSize(double parameters, const Catalog &catalog)
{
    const ModelShape *found = nullptr;
    for (const ModelShape &model : catalog.models()) {
        if (!(parameters > 0) || std::abs(countParameters(model).total / parameters - 1) > 1e-6)
            continue;
        if (found)
            return nullptr;
        found = &model;
    }
    return found;
}

/// "float16", "torch.bfloat16", "half" beside the program's own names.
std::optional<DType> dtypeOf(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (text.rfind("torch.", 0) == 0)
        text = text.substr(6);
    if (text == "float16" || text == "f16" || text == "half")
        return DType::F16;
    if (text == "bfloat16" || text == "bf16")
        return DType::BF16;
    if (text == "float32" || text == "f32" || text == "float")
        return DType::F32;
    return parseDType(text);
}

/// Nothing, or why the point cannot be used. `notNumbers`: its fields that hold NaN or Infinity.
std::string fault(const RawPoint &p, const std::string &notNumbers)
{
    constexpr double kMostSeconds = 1e5, kMostTokens = 1e8, kMostBatch = 1e6, kMostBytes = 1e16;
    const auto outside = [&](const char *what, double value, const char *range) {
        return std::isfinite(value) ? fmt::format("{} is {}, outside {}; the row was left out.", what, format::significant(value, 6), range)
               : std::isinf(value)  ? fmt::format("{} is too large to be a number; the row was left out.", what)
               : notNumbers.empty() ? fmt::format("{} is missing or no number; the row was left out.", what)
                                    : fmt::format("{} is missing or no number (NaN or Infinity stands in {}); the row was left out.", what, notNumbers);
    };
    if (!(p.batch >= 1 && p.batch <= kMostBatch))
        return outside("the batch", p.batch, "1 to 1,000,000");
    if (p.batch != std::floor(p.batch))
        return outside("the batch", p.batch, "whole numbers");
    if (!(p.prompt >= 0 && p.prompt <= kMostTokens))
        return outside("the prompt", p.prompt, "0 to 100,000,000 tokens");
    if (!(p.context > 0 && p.context <= kMostTokens))
        return outside("the context", p.context, "what is above zero, up to 100,000,000 tokens");
    if (!p.outOfMemory && !(p.seconds > 0 && p.seconds <= kMostSeconds))
        return outside("the time of a step in seconds", p.seconds, "what is above zero, up to a day");
    if (!std::isnan(p.peakBytes) && !(p.peakBytes > 0 && p.peakBytes <= kMostBytes))
        return outside("the peak memory in bytes", p.peakBytes, "what a device can have");
    for (const double sample : p.samples)
        if (!(sample > 0 && sample <= kMostSeconds))
            return outside("a sample in seconds", sample, "what is above zero, up to a day");
    return {};
}

SweepPoint pointOf(const RawPoint &raw, const std::string &runId, int index)
{
    constexpr double kNormal10 = 1.2816; // standard deviations from the mean to the 10th and the 90th percentile
    SweepPoint p;
    p.runId = runId;
    p.index = index;
    p.batch = static_cast<std::int64_t>(raw.batch);
    p.prompt = static_cast<std::int64_t>(raw.prompt);
    p.context = raw.context;
    p.peakBytes = raw.peakBytes;
    if (raw.outOfMemory) {
        p.status = PointStatus::OutOfMemory;
        p.reason = "The imported file says that the device's memory did not suffice.";
        return p;
    }
    for (const double seconds : raw.samples) {
        StepSample &step = p.steps.emplace_back();
        step.step = static_cast<std::int64_t>(p.steps.size()) - 1;
        step.context = static_cast<std::int64_t>(raw.context);
        step.wallSeconds = seconds;
    }
    if (!p.steps.empty())
        summariseSteps(p);
    else
        p.stepSeconds = raw.seconds;
    if (p.steps.empty() && raw.deviation >= 0 && raw.deviation < raw.seconds / kNormal10) {
        p.p10Seconds = raw.seconds - kNormal10 * raw.deviation;
        p.p90Seconds = raw.seconds + kNormal10 * raw.deviation;
    }
    return p;
}

/// The runs of the points: one for each model, device, dtype and setting.
class Builder {
public:
    Builder(Import &import, const std::string &file, const ImportOptions &options, const Catalog &catalog)
        : m_import(import), m_file(file), m_options(options), m_catalog(catalog)
    {
        if (!options.model.empty())
            m_model = &catalog.modelById(options.model);
        if (!options.hardware.empty())
            m_hardware = &catalog.hardwareById(options.hardware);
    }

    void add(RawPoint &&raw)
    {
        m_key.clear(); // kept between rows: a table can have very many
        for (const std::string *part : {&raw.model, &raw.device, &raw.dtype, &raw.setting}) {
            m_key += *part;
            m_key += '\n';
        }
        auto found = m_runs.find(m_key);
        if (found == m_runs.end()) {
            if (m_runs.size() >= kMostRuns) {
                m_import.problems.push_back({raw.line, fmt::format("more than {} models, devices and settings in one file; the row "
                                                                   "was left out.", kMostRuns)});
                return;
            }
            found = m_runs.emplace(m_key, m_import.runs.size()).first;
            m_import.runs.push_back(newRun(raw));
            m_workloads.push_back(workloadFor(m_import.runs.back()));
        }
        RunRecord &run = m_import.runs[found->second];
        SweepPoint point = pointOf(raw, run.plan.runId, static_cast<int>(run.points.size()));
        if (const auto &workload = m_workloads[found->second]) {
            try {
                point.forecast.floorNominal = predictStep(*workload, run.plan.nominal, raw.batch, raw.context);
            } catch (const Error &) {
                // A step too large to be a number has no floor.
            }
        }
        run.points.push_back(std::move(point));
    }

private:
    static constexpr std::size_t kMostRuns = 1000;

    /// A name of the file as it can stand in a title or on a terminal: no control characters, none that turn the direction of writing.
    static std::string plainName(const std::string &text)
    {
        std::string name = shortened(text, 200);
        for (std::size_t i = 0; i + 2 < name.size(); ++i) {
            const auto second = static_cast<unsigned char>(name[i + 1]), third = static_cast<unsigned char>(name[i + 2]);
            if (name[i] == '\xe2' && ((second == 0x80 && third >= 0xaa && third <= 0xae) || (second == 0x81 && third >= 0xa6 && third <= 0xa9)))
                name.replace(i, 3, "?");
        }
        return name;
    }

    RunRecord newRun(const RawPoint &raw)
    {
        RunRecord run;
        RunPlan &plan = run.plan;
        plan.runId = newId();
        plan.experiment = Experiment::Sweep;
        plan.device = "imported";
        plan.prompts.clear();
        plan.batches.clear();
        plan.warmup = 0;
        plan.steps = 0;
        plan.repeats = 0;
        plan.newTokens = std::isfinite(raw.newTokens) ? static_cast<std::int64_t>(std::clamp(raw.newTokens, 0.0, 1e8)) : 0;
        plan.telemetry = false;
        run.provenance.startedUtc = utcNow();
        run.provenance.deviceName = plainName(raw.device);
        ImportSource source;
        source.tool = importFormatName(m_import.format);
        source.file = m_file;
        source.model = plainName(raw.model);
        source.dtype = plainName(raw.dtype);
        if (!raw.setting.empty())
            source.notes.push_back("Settings: " + raw.setting + ".");

        const ModelShape *model = m_model ? m_model : findModel(raw.model, raw.parameters, m_catalog);
        if (!model) {
            model = modelOfSize(raw.parameters, m_catalog);
            if (model)
                note(source, fmt::format("The model is taken to be {}, which has just so many parameters ({}).", model->id, format::count(raw.parameters)));
        }
        const auto told = [&](const std::string &text) { return text.empty() ? std::string() : fmt::format(" ('{}')", shortened(text)); };
        if (model) {
            plan.model.shape = *model;
            const double total = countParameters(*model).total;
            if (raw.parameters > 0 && std::abs(total / raw.parameters - 1) > 0.03)
                note(source, fmt::format("The file says {} parameters and {} has {}: another model may have been measured.",
                                         format::count(raw.parameters), model->id, format::count(total)));
        } else {
            plan.model.shape.name = raw.model.empty() ? "model not told" : raw.model;
            note(source, fmt::format("The model{} is not known from the file: name it by --model (see ridgepoint models) to have the "
                                     "floor.", told(raw.model)));
        }
        const std::optional<DType> dtype = m_options.dtype ? m_options.dtype : dtypeOf(raw.dtype);
        plan.dtype = dtype.value_or(DType::F16);
        if (m_options.dtype)
            source.dtype = dtypeName(*m_options.dtype);
        if (!dtype && raw.dtype.empty())
            note(source, "The file does not say the dtype; fp16 is assumed (--dtype).");
        if (!dtype && !raw.dtype.empty() && model) {
            const ParameterCount count = countParameters(*model);
            if (raw.fileBytes > 0) {
                source.weightBytes = raw.fileBytes * count.streamed / count.total;
                note(source, "Weights: the file's size of the model, less the part of an embedding that a step only looks up; "
                             "arithmetic at the fp16 rate.");
            } else {
                note(source, fmt::format("The bytes of weights in '{}' are not known; the floor counts fp16 (--dtype).", shortened(raw.dtype)));
            }
        }
        if (model && std::isfinite(raw.kvScale) && raw.kvScale != bytesPer(plan.dtype))
            source.kvBytesPerToken = kvBytesPerToken(*model, DType::F16) / 2 * raw.kvScale;

        const HardwareProfile *hardware = m_hardware ? m_hardware : raw.device.empty() ? nullptr : m_catalog.hardwareByDeviceName(raw.device);
        if (raw.severalDevices) {
            hardware = nullptr;
            note(source, "Several devices shared the model: no one profile's floor holds for it.");
        } else if (!hardware) {
            note(source, fmt::format("The device{} is not known from the file: name its profile by --device-profile (see ridgepoint "
                                     "hardware) to have the floor.", told(raw.device)));
        }
        if (hardware) {
            plan.hardwareId = hardware->id;
            plan.nominal = nominalCeilings(*hardware, plan.dtype);
            if (run.provenance.deviceName.empty())
                run.provenance.deviceName = hardware->name;
            if (hardware->memoryBytes > 0)
                run.provenance.deviceMemoryBytes = hardware->memoryBytes;
            if (hardware->lastLevelCacheBytes > 0)
                run.provenance.lastLevelCacheBytes = hardware->lastLevelCacheBytes;
        }
        run.provenance.extra["imported from"] = fmt::format("{} ({})", m_file, source.tool);
        run.provenance.imported = std::move(source);
        run.state = RunRecord::State::Done;
        return run;
    }

    static double bytesPer(DType dtype) { return dtype == DType::F32 ? 4 : 2; }

    void note(ImportSource &source, std::string sentence)
    {
        if (std::find(m_import.notes.begin(), m_import.notes.end(), sentence) == m_import.notes.end())
            m_import.notes.push_back(sentence);
        source.notes.push_back(std::move(sentence));
    }

    static std::optional<Workload> workloadFor(const RunRecord &run)
    {
        if (run.plan.model.shape.layers <= 0 || !(run.plan.nominal.bandwidth > 0) || !(run.plan.nominal.flops > 0))
            return std::nullopt;
        return runWorkload(run);
    }

    Import &m_import;
    const std::string &m_file;
    const ImportOptions &m_options;
    const Catalog &m_catalog;
    const ModelShape *m_model = nullptr;
    const HardwareProfile *m_hardware = nullptr;
    std::map<std::string, std::size_t> m_runs;
    std::string m_key;
    std::vector<std::optional<Workload>> m_workloads; ///< of each run
};

} // namespace

std::string_view importFormatName(ImportFormat format)
{
    switch (format) {
    case ImportFormat::SeedSweep:
        return "batch_sweep.py";
    case ImportFormat::LlamaBench:
        return "llama-bench";
    case ImportFormat::BatchedBench:
        return "llama-batched-bench";
    case ImportFormat::VllmLatency:
        return "vLLM bench latency";
    case ImportFormat::VllmThroughput:
        return "vLLM bench throughput";
    case ImportFormat::VllmServe:
        return "vLLM bench serve";
    case ImportFormat::OptimumBenchmark:
        return "optimum-benchmark";
    case ImportFormat::Csv:
        return "CSV";
    }
    return {};
}

const std::vector<ImportColumn> &importColumns()
{
    static const std::vector<ImportColumn> columns{
        {"batch", {"batch", "batch_size", "bs", "concurrency", "num_seqs", "pl"}},
        {"context", {"context", "ctx", "mean_context", "context_length", "context_len", "n_ctx", "seq_len"}},
        {"prompt", {"prompt", "prompt_len", "prompt_length", "prompt_tokens", "input_len", "input_tokens", "n_prompt", "pp", "depth"}},
        {"new_tokens", {"new_tokens", "output_len", "output_tokens", "generated_tokens", "max_new_tokens", "n_gen", "tg"}},
        {"tpot_ms", {"tpot_ms", "step_ms", "ms_per_token", "time_per_token_ms", "itl_ms", "latency_ms_per_token"}},
        {"tpot_s", {"tpot_s", "step_s", "s_per_token", "seconds_per_token"}},
        {"tpot_us", {"tpot_us", "step_us", "us_per_token"}},
        {"tokens_per_s", {"tokens_per_s", "tok_per_s", "tokens_per_second", "tokens/s", "tok/s", "t/s", "tps", "output_throughput", "throughput"}},
        {"peak_bytes", {"peak_bytes", "peak_memory", "peak_memory_bytes"}},
        {"peak_gb", {"peak_gb", "peak_memory_gb"}},
        {"peak_gib", {"peak_gib", "peak_memory_gib"}},
        {"peak_mb", {"peak_mb", "peak_memory_mb"}},
        {"peak_mib", {"peak_mib", "peak_memory_mib"}},
        {"model", {"model", "model_name", "model_id"}},
        {"device", {"device", "gpu", "gpu_name", "device_name", "hardware"}},
        {"dtype", {"dtype", "precision", "torch_dtype"}},
        {"status", {"status"}}};
    return columns;
}

std::optional<ImportFormat> recogniseImport(std::string_view text)
{
    text = withoutMark(text);
    if (text.empty() || text.size() > kMaxImportBytes)
        return std::nullopt;
    if (!isUtf8(text))
        return std::nullopt;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return std::nullopt;
    if (const auto table = text[first] == '{' || text[first] == '[' ? std::optional<ImportFormat>() : formatOfTable(text))
        return table;
    // Of an array or of lines the first few tell; one that is damaged does not hide those after it.
    if (text[first] == '{' || text[first] == '[' || text.find("\n{\"") != std::string_view::npos) {
        RawImport unused;
        for (const Piece &piece : objectsOf(text, 20))
            if (const auto object = parsePiece(piece, unused))
                if (const auto format = formatOfObject(*object))
                    return format;
        return std::nullopt;
    }
    if (isLlamaBenchCsv(text))
        return ImportFormat::LlamaBench;
    std::string fault;
    const std::vector<std::string> header = headerOf(text);
    return header.size() > 1 && columnsOf(header, {}, fault) ? std::optional(ImportFormat::Csv) : std::nullopt;
}

Import importResults(std::string_view text, const std::string &origin, const ImportOptions &options, const Catalog &catalog)
{
    constexpr std::size_t kMostPieces = 500'000;
    const std::string what = fmt::format("The file '{}'", origin);
    const auto fail = [&](const std::string &sentence) { throw Error(ErrorKind::Failure, what + " " + sentence); };
    text = withoutMark(text);
    if (text.size() > kMaxImportBytes)
        fail(fmt::format("has {} bytes, more than the {} that are imported. Split it.", text.size(), kMaxImportBytes));
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        fail("is empty.");
    if (!isUtf8(text))
        fail("is no UTF-8 text. Save it as JSON or CSV in UTF-8 and import it again.");
    for (const auto &chosen : options.columns)
        if (std::none_of(importColumns().begin(), importColumns().end(), [&](const ImportColumn &c) { return c.what == chosen.first; })) {
            std::string all;
            for (const ImportColumn &column : importColumns())
                all += (all.empty() ? "" : ", ") + column.what;
            throw Error(ErrorKind::Usage, fmt::format("--column was given '{}={}', but a column is one of {}.", shortened(chosen.first),
                                                      shortened(chosen.second), all));
        }

    Import import;
    const std::string file = std::filesystem::path(origin).filename().string();
    Builder builder(import, file, options, catalog); // faults of the options first
    RawImport raw;
    const char front = text[text.find_first_not_of(" \t\r\n")];
    const std::optional<ImportFormat> format = recogniseImport(text);
    import.format = format.value_or(ImportFormat::Csv);
    const bool isTable = front != '{' && front != '[' && formatOfTable(text);
    if (!format && (front == '{' || front == '[')) {
        const auto pieces = objectsOf(text, 20);
        if (!pieces.empty() && !pieces.back().complete && pieces.size() == 1)
            fail("ends in the middle: it was cut off. Use a complete copy.");
        fail("is JSON of no program that is known here: llama-bench, llama-batched-bench, vLLM bench latency, throughput or serve, "
             "optimum-benchmark, or the sweep.json of the published batch sweep.");
    }
    if (format == ImportFormat::SeedSweep || (format && *format >= ImportFormat::VllmLatency && *format <= ImportFormat::OptimumBenchmark)) {
        const auto pieces = objectsOf(text, kMostPieces);
        if (format == ImportFormat::SeedSweep)
            readSeedSweep(pieces, options, raw);
        else if (format == ImportFormat::OptimumBenchmark)
            readOptimum(pieces, raw);
        else
            readVllm(pieces, options, raw);
    } else if (isTable) {
        readLlamaTable(text, *format, raw);
    } else if (format == ImportFormat::BatchedBench) {
        readBatchedBench(objectsOf(text, kMostPieces), raw);
    } else if (format == ImportFormat::LlamaBench) {
        if (isLlamaBenchCsv(text))
            readLlamaBenchCsv(text, raw);
        else
            readLlamaBench(objectsOf(text, kMostPieces), raw);
    } else if (!looksLikeCsv(text)) {
        fail("is no result that is known here: JSON of llama-bench, llama-batched-bench, vLLM, optimum-benchmark or the published batch "
             "sweep, a table of the first two, or a CSV with a header.");
    } else {
        readCsv(text, what, options, raw);
    }
    if (!raw.notNumbers.empty()) {
        const auto &[first, fields] = *raw.notNumbers.begin();
        const std::size_t more = raw.notNumbers.size() - 1 + raw.moreNotNumbers;
        raw.note(fmt::format("Line {} has NaN or Infinity in {}, which is no number{}: it counts as not given. Ask the program that wrote it why.",
                             first, fields, more == 0 ? std::string() : fmt::format(", and so have {} more", more)));
    }
    import.problems = std::move(raw.problems);
    import.moreProblems = raw.moreProblems;
    import.notes = raw.notes;
    std::vector<ImportProblem> faults;
    for (RawPoint &point : raw.points) {
        const auto none = raw.notNumbers.find(point.line);
        if (std::string sentence = fault(point, none == raw.notNumbers.end() ? std::string() : none->second); !sentence.empty()) {
            if (faults.size() < kMaxProblems)
                faults.push_back({point.line, std::move(sentence)});
            else
                ++import.moreProblems;
            continue;
        }
        builder.add(std::move(point));
    }
    import.problems.insert(import.problems.end(), faults.begin(), faults.end());
    std::stable_sort(import.problems.begin(), import.problems.end(),
                     [](const ImportProblem &a, const ImportProblem &b) { return a.line < b.line; });
    if (import.problems.size() > kMaxProblems) { // each list has the first ones of its kind, so that these are the first of all
        import.moreProblems += import.problems.size() - kMaxProblems;
        import.problems.resize(kMaxProblems);
    }
    if (import.runs.empty()) {
        std::string why;
        for (const std::string &note : raw.notes)
            why += " " + note;
        if (import.problems.empty())
            fail("holds no decode step that was timed." + why);
        std::string each;
        for (const std::string &line : problemLines(import, {}, 10))
            each += "\n  " + line;
        fail("has no row that can be used:" + each);
    }
    for (RunRecord &run : import.runs) {
        run.provenance.imported->notes.insert(run.provenance.imported->notes.end(), raw.notes.begin(), raw.notes.end());
        for (const SweepPoint &p : run.points) {
            run.plan.prompts.push_back(p.prompt);
            run.plan.batches.push_back(p.batch);
        }
        for (auto *list : {&run.plan.prompts, &run.plan.batches}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
    }
    return import;
}

bool isBelowFloor(const SweepPoint &p)
{
    return p.status == PointStatus::Ok && p.forecast.floorNominal.stepSeconds > 0 && p.stepSeconds < p.forecast.floorNominal.floorSeconds();
}

std::string belowFloorSentence(const Import &import)
{
    std::size_t count = 0;
    for (const RunRecord &run : import.runs)
        count += static_cast<std::size_t>(std::count_if(run.points.begin(), run.points.end(), isBelowFloor));
    return count == 0 ? std::string()
                      : fmt::format("{} faster than the floor, which cannot be: check that model, dtype, device and batch are those that were "
                                    "measured (--model, --dtype, --device-profile, --batch).",
                                    count == 1 ? "A point is" : fmt::format("{} points are", count));
}

std::vector<std::string> problemLines(const Import &import, const std::string &file, std::size_t most)
{
    std::vector<std::string> lines;
    const std::size_t all = import.problems.size() + import.moreProblems;
    for (const ImportProblem &problem : import.problems) {
        if (lines.size() == most)
            break;
        lines.push_back(fmt::format("{}line {}: {}", file.empty() ? std::string() : file + ", ", problem.line, problem.sentence));
    }
    if (all > lines.size())
        lines.push_back(fmt::format("and {} more {} that cannot be used.", all - lines.size(), all - lines.size() == 1 ? "row" : "rows"));
    return lines;
}

Import importFile(const std::filesystem::path &path, const ImportOptions &options, const Catalog &catalog)
{
    std::error_code fault;
    const auto bytes = std::filesystem::file_size(path, fault);
    if (!fault && bytes > kMaxImportBytes)
        throw Error(ErrorKind::Failure, fmt::format("The file '{}' has {} bytes, more than the {} that are imported. Split it.",
                                                    path.string(), bytes, kMaxImportBytes));
    return importResults(readWholeFile(path, kMaxImportBytes), path.string(), options, catalog);
}

TextTable importTable(const RunRecord &run)
{
    TextTable table{{"batch", "prompt", "context", "TPOT", "tok/s", "floor", "TPOT/floor", "peak memory", "samples", "status"}, {}};
    for (const SweepPoint &p : run.points) {
        const double floor = p.forecast.floorNominal.stepSeconds > 0 ? p.forecast.floorNominal.floorSeconds() : kMissing;
        table.rows.push_back({format::count(static_cast<double>(p.batch)), format::count(static_cast<double>(p.prompt)),
                              format::meanCount(p.context), format::seconds(p.stepSeconds),
                              format::significant(static_cast<double>(p.batch) / p.stepSeconds, 4), format::seconds(floor),
                              format::ratio(p.stepSeconds / floor), format::bytes(p.peakBytes), std::to_string(p.steps.size()),
                              p.status != PointStatus::Ok ? fmt::format("imported: {}", statusName(p.status))
                              : isBelowFloor(p)           ? std::string("imported: impossible, below the floor")
                                                          : std::string("imported")});
    }
    return table;
}

} // namespace ridgepoint
