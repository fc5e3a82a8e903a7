// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/session/csv_reader.h"
#include "core/session/import_parts.h"
#include "core/session/json_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace ridgepoint::detail {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxRows = 500'000;        // of one file, those of no use counted in
constexpr std::size_t kMaxSamples = 100'000;     // kept of one point
constexpr std::size_t kMaxJsonValues = 5'000'000; // of one record
constexpr double kMiB = 1024.0 * 1024;

const json *find(const json &object, std::initializer_list<const char *> path)
{
    const json *at = &object;
    for (const char *key : path) {
        if (!at->is_object())
            return nullptr;
        const auto found = at->find(key);
        if (found == at->end())
            return nullptr;
        at = &*found;
    }
    return at;
}

bool has(const json &object, std::initializer_list<const char *> keys)
{
    return object.is_object() &&
           std::all_of(keys.begin(), keys.end(), [&](const char *key) { return object.contains(key); });
}

/// A number, or a text that is one (llama-bench's CSV quotes all); NaN for anything else.
double numberAt(const json &object, std::initializer_list<const char *> path)
{
    const json *value = find(object, path);
    if (!value)
        return kMissing;
    if (value->is_number())
        return value->get<double>();
    if (value->is_string())
        return numberOf(trimmed(value->get<std::string>())).value_or(kMissing);
    return kMissing;
}

std::string textAt(const json &object, std::initializer_list<const char *> path)
{
    const json *value = find(object, path);
    return value && value->is_string() ? cut(value->get<std::string>(), 200) : std::string();
}

bool flagAt(const json &object, const char *key)
{
    const json *value = find(object, {key});
    return value && ((value->is_boolean() && value->get<bool>()) || (value->is_number() && value->get<double>() != 0));
}

/// The numbers of an array, times `scale`; the first kMaxSamples. Empty where one of them is no number.
std::vector<double> numbersAt(const json &object, std::initializer_list<const char *> path, double scale)
{
    std::vector<double> values;
    const json *array = find(object, path);
    if (!array || !array->is_array())
        return values;
    for (const json &value : *array) {
        if (values.size() >= kMaxSamples)
            break;
        if (!value.is_number())
            return {};
        values.push_back(value.get<double>() * scale);
    }
    return values;
}

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// What printf and Python make of a number that is none.
bool isNotNumber(const std::string &text)
{
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size() && !std::isfinite(value);
}

/// Calls `use` with every piece that is an object; the others become problems.
template <typename Use>
void eachObject(const std::vector<Piece> &pieces, RawImport &raw, Use use)
{
    for (const Piece &piece : pieces)
        if (const auto object = parsePiece(piece, raw))
            use(piece, *object);
}

} // namespace

void RawImport::refuse(std::size_t line, std::string sentence)
{
    if (problems.size() < kMaxProblems)
        problems.push_back({line, std::move(sentence)});
    else
        ++moreProblems;
}

bool RawImport::isFull(std::size_t line)
{
    if (points.size() + problems.size() + moreProblems < kMaxRows)
        return false;
    refuse(line, fmt::format("more than {} rows; this row and all after it were left out.", kMaxRows));
    return true;
}

void RawImport::tellNotNumber(std::size_t line, const std::string &field)
{
    constexpr std::size_t kLongest = 100;
    const auto found = notNumbers.find(line);
    if (found == notNumbers.end() && notNumbers.size() >= kMaxProblems) {
        ++moreNotNumbers;
        return;
    }
    std::string &fields = found == notNumbers.end() ? notNumbers[line] : found->second;
    const std::string name = shortened(field);
    if (fields.size() < kLongest && (", " + fields + ",").find(", " + name + ",") == std::string::npos)
        fields += (fields.empty() ? "" : ", ") + name;
}

void RawImport::note(const std::string &sentence)
{
    if (std::find(notes.begin(), notes.end(), sentence) == notes.end())
        notes.push_back(sentence);
}

std::vector<Piece> objectsOf(std::string_view text, std::size_t most)
{
    std::vector<Piece> pieces;
    std::size_t line = 1;
    bool lineIsOther = false; // a line of something else: nothing of it counts
    std::size_t i = 0;
    while (i < text.size() && pieces.size() < most) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            lineIsOther = false;
            ++i;
            continue;
        }
        if (lineIsOther || c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '[' || c == ']') {
            ++i;
            continue;
        }
        if (c != '{') {
            lineIsOther = true;
            ++i;
            continue;
        }
        const std::size_t begin = i;
        const std::size_t beganOn = line;
        const bool atMargin = begin == 0 || text[begin - 1] == '\n';
        std::size_t depth = 0;
        bool inString = false, complete = false;
        for (; i < text.size(); ++i) {
            const char d = text[i];
            if (d == '\n') {
                // JSON has no line end within a text, and JSON lines have none within an object.
                const bool nextBegins = i + 2 < text.size() && text[i + 1] == '{' && text[i + 2] == '"';
                if (inString || (atMargin && nextBegins))
                    break;
                ++line;
            } else if (inString) {
                if (d == '\\')
                    ++i;
                else if (d == '"')
                    inString = false;
            } else if (d == '"') {
                inString = true;
            } else if (d == '{' || d == '[') {
                ++depth;
            } else if (d == '}' || d == ']') {
                if (--depth == 0) {
                    complete = true;
                    ++i;
                    break;
                }
            }
        }
        i = std::min(i, text.size());
        pieces.push_back({beganOn, text.substr(begin, i - begin), complete});
    }
    return pieces;
}

std::optional<json> parsePiece(const Piece &piece, RawImport &raw)
{
    if (!piece.complete) {
        raw.refuse(piece.line, "the record ends in the middle: it was cut off; it was left out.");
        return std::nullopt;
    }
    std::string plain; // without what Python writes for a number that is none
    std::string_view text = piece.text;
    if (text.find("NaN") != std::string_view::npos || text.find("Infinity") != std::string_view::npos) {
        std::string_view name; // the last text: of the field, or of the field whose array this is
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '"') {
                const std::size_t begin = i++;
                while (i < text.size() && text[i] != '"')
                    i += text[i] == '\\' ? 2 : 1;
                i = std::min(i, text.size() - 1);
                plain += text.substr(begin, i - begin + 1);
                name = text.substr(begin + 1, i - begin - 1);
                continue;
            }
            const std::string_view rest = text.substr(i);
            const std::size_t skip = rest.starts_with("NaN") ? 3 : rest.starts_with("Infinity") ? 8 : rest.starts_with("-Infinity") ? 9 : 0;
            if (skip) {
                plain += "null";
                i += skip - 1;
                raw.tellNotNumber(piece.line, std::string(name));
            } else {
                plain += text[i];
            }
        }
        text = plain;
    }
    try {
        json value = parseBounded(text, "the record", kMaxJsonValues);
        if (value.is_object())
            return value;
        raw.refuse(piece.line, "the record is no JSON object; it was left out.");
    } catch (const Error &fault) {
        raw.refuse(piece.line, fmt::format("{} It was left out.", fault.what()));
    }
    return std::nullopt;
}

std::optional<ImportFormat> formatOfObject(const json &object)
{
    if (has(object, {"n_gen", "n_prompt"}) && (object.contains("avg_ns") || object.contains("avg_ts")))
        return ImportFormat::LlamaBench;
    if (has(object, {"pp", "tg", "pl", "t_tg"}))
        return ImportFormat::BatchedBench;
    if (has(object, {"report"}) && find(object, {"report", "decode"}))
        return ImportFormat::OptimumBenchmark;
    if (has(object, {"decode", "prefill"}) && find(object, {"decode", "latency"}))
        return ImportFormat::OptimumBenchmark; // benchmark_report.json: without the configuration
    if (has(object, {"mean_tpot_ms"}))
        return ImportFormat::VllmServe;
    if (has(object, {"benchmark", "model", "metric"}) && find(object, {"benchmark", "extra_info"}))
        return find(object, {"benchmark", "extra_info", "args", "num_iters"}) || textAt(object, {"metric", "name"}) == "latency"
                   ? ImportFormat::VllmLatency
                   : ImportFormat::VllmThroughput;
    if (has(object, {"avg_latency", "latencies"}))
        return ImportFormat::VllmLatency;
    if (has(object, {"elapsed_time", "num_requests", "total_num_tokens"}))
        return ImportFormat::VllmThroughput;
    if (has(object, {"batch"}) && (object.contains("step_ms") || object.contains("oom")))
        return ImportFormat::SeedSweep;
    return std::nullopt;
}

void readSeedSweep(const std::vector<Piece> &pieces, const ImportOptions &options, RawImport &raw)
{
    // The script: WARMUP, STEPS = 10, 40 and ctx = PROMPT_LEN + WARMUP + STEPS // 2.
    constexpr double kAfterPrompt = 10 + 40 / 2;
    double context = kMissing;
    std::vector<RawPoint> points;
    eachObject(pieces, raw, [&](const Piece &piece, const json &object) {
        RawPoint p;
        p.line = piece.line;
        p.batch = numberAt(object, {"batch"});
        p.outOfMemory = flagAt(object, "oom");
        p.context = numberAt(object, {"ctx"});
        p.seconds = numberAt(object, {"step_ms"}) * 1e-3;
        p.peakBytes = numberAt(object, {"peak_gb"}) * 1e9;
        if (!std::isfinite(context))
            context = p.context;
        points.push_back(std::move(p));
    });
    for (RawPoint &p : points) {
        if (p.outOfMemory && !std::isfinite(p.context)) // the script writes no context beside "oom"
            p.context = options.prompt ? static_cast<double>(*options.prompt) + kAfterPrompt : context;
        p.prompt = options.prompt ? static_cast<double>(*options.prompt) : p.context - kAfterPrompt;
        raw.points.push_back(std::move(p));
    }
    raw.note("The prompt is taken as ctx - 30: the script's 10 warm-up steps and half of its 40 timed ones.");
}

namespace {

/// One result of llama-bench, whatever it was written as. n_gen tokens are generated one at a time from a cache that holds
/// n_depth (tools/llama-bench: test_prompt of n_depth before the clock starts, then test_gen), so the steps see n_depth to
/// n_depth + n_gen - 1 tokens and their own: on average n_depth + n_gen / 2.
void addLlamaBench(std::size_t line, const json &object, RawImport &raw, std::size_t &others)
{
    const double prompt = numberAt(object, {"n_prompt"}), generated = numberAt(object, {"n_gen"});
    if (!std::isfinite(prompt) || !std::isfinite(generated))
        return raw.refuse(line, "n_prompt or n_gen is no number; the row was left out.");
    if (prompt > 0 || !(generated > 0)) {
        ++others; // prefill, or prefill and decode in one time
        return;
    }
    RawPoint p;
    p.line = line;
    p.batch = 1;
    const double depth = numberAt(object, {"n_depth"});
    p.prompt = std::isfinite(depth) ? depth : 0;
    p.newTokens = generated;
    p.context = p.prompt + generated / 2;
    const double rate = numberAt(object, {"avg_ts"});
    p.seconds = numberAt(object, {"avg_ns"}) * 1e-9 / generated;
    if (!std::isfinite(p.seconds))
        p.seconds = 1 / rate;
    p.samples = numbersAt(object, {"samples_ns"}, 1e-9 / generated);
    p.deviation = numberAt(object, {"stddev_ns"}) * 1e-9 / generated;
    if (!std::isfinite(p.deviation)) // of the rate: as large a part of it
        p.deviation = p.seconds * numberAt(object, {"stddev_ts"}) / rate;
    const std::string type = textAt(object, {"model_type"}), file = textAt(object, {"model_filename"});
    p.model = file.empty() ? type : file;
    p.parameters = numberAt(object, {"model_n_params"});
    // "qwen2 7B Q4_K - Medium", "llama 1B all F32", "llama 7B mostly F16": what follows the size.
    const std::string words = " " + lower(type) + " ";
    for (const char *plain : {"f16", "bf16", "f32"})
        if (words.find(fmt::format(" {} ", plain)) != std::string::npos)
            p.dtype = plain;
    if (p.dtype.empty()) {
        const auto at = type.find_first_of("QI", type.find(' ') == std::string::npos ? 0 : type.find(' '));
        p.dtype = at == std::string::npos ? std::string() : type.substr(at);
        p.fileBytes = numberAt(object, {"model_size"});
    }
    const std::string k = textAt(object, {"type_k"}), v = textAt(object, {"type_v"});
    const auto bytesOf = [](const std::string &name) { // of ggml's blocks: 32 elements and a 2-byte scale
        return name.empty() || name == "f16" || name == "bf16" ? 2.0
               : name == "f32"                                 ? 4.0
               : name == "q8_0"                                ? 34.0 / 32
               : name == "q4_0"                                ? 18.0 / 32
                                                               : kMissing;
    };
    p.kvScale = (bytesOf(k) + bytesOf(v)) / 2;
    const double layers = numberAt(object, {"n_gpu_layers"});
    const std::string gpu = textAt(object, {"gpu_info"}), cpu = textAt(object, {"cpu_info"});
    const std::string backends = lower(textAt(object, {"backends"}));
    const bool onCpu = layers == 0 || backends == "cpu" || (gpu.empty() && backends.empty());
    p.device = onCpu ? cpu : gpu.empty() ? (backends.find("metal") != std::string::npos ? cpu : std::string()) : gpu;
    p.severalDevices = !onCpu && gpu.find(',') != std::string::npos;
    std::string setting;
    for (const char *key : {"backends", "n_gpu_layers", "n_threads", "type_k", "type_v", "flash_attn", "split_mode"}) {
        const json *value = find(object, {key});
        if (value && !(value->is_string() && value->get_ref<const std::string &>().empty()))
            setting += fmt::format("{}{} {}", setting.empty() ? "" : ", ", key,
                                   value->is_string() ? value->get<std::string>() : value->dump());
    }
    p.setting = cut(setting, 300);
    raw.points.push_back(std::move(p));
}

void noteOthers(RawImport &raw, std::size_t others)
{
    if (others)
        raw.note(fmt::format("{} test{} of prompt processing (pp, pg) left out: only generation (tg) times decode steps alone.",
                             others, others == 1 ? " was" : "s were"));
}

} // namespace

void readLlamaBench(const std::vector<Piece> &pieces, RawImport &raw)
{
    std::size_t others = 0;
    eachObject(pieces, raw, [&](const Piece &piece, const json &object) { addLlamaBench(piece.line, object, raw, others); });
    noteOthers(raw, others);
}

bool isLlamaBenchHeader(const std::vector<std::string> &header)
{
    const auto named = [&](const char *name) { return std::find(header.begin(), header.end(), name) != header.end(); };
    return named("n_gen") && named("n_prompt") && (named("avg_ns") || named("avg_ts"));
}

void readLlamaBenchCsv(std::string_view text, RawImport &raw)
{
    CsvReader reader(text, ',');
    CsvRecord record;
    std::vector<std::string> header;
    std::size_t others = 0;
    while (reader.next(record)) {
        if (record.fields.size() == 1 && trimmed(record.fields.front()).empty())
            continue;
        if (header.empty()) {
            if (isLlamaBenchHeader(record.fields)) // the program's log may stand above it
                header = record.fields;
            continue;
        }
        if (raw.isFull(record.line))
            break;
        if (record.unclosed || record.fields.size() != header.size()) {
            raw.refuse(record.line, fmt::format("{} fields where the header names {}; the row was left out.",
                                                record.fields.size(), header.size()));
            continue;
        }
        json object = json::object();
        for (std::size_t i = 0; i < header.size(); ++i) {
            object[header[i]] = record.fields[i];
            if (isNotNumber(record.fields[i]))
                raw.tellNotNumber(record.line, header[i]);
        }
        addLlamaBench(record.line, object, raw, others);
    }
    noteOthers(raw, others);
}

void readBatchedBench(const std::vector<Piece> &pieces, RawImport &raw)
{
    eachObject(pieces, raw, [&](const Piece &piece, const json &object) {
        // A step gives one token to each of the B sequences; T_TG is the time of TG such steps (its README: S_TG = B * TG / T_TG).
        // They see PP to PP + TG - 1 tokens and their own: on average PP + TG / 2.
        const double prompt = numberAt(object, {"pp"}), generated = numberAt(object, {"tg"});
        if (flagAt(object, "is_tg_separate"))
            return raw.refuse(piece.line, "its sequences were generated one after the other (-tgs), so that it times no batch; "
                                          "the row was left out.");
        if (!(generated > 0))
            return raw.refuse(piece.line, "tg is not above zero, so that nothing was generated; the row was left out.");
        RawPoint p;
        p.line = piece.line;
        p.batch = numberAt(object, {"pl"});
        p.prompt = prompt;
        p.newTokens = generated;
        p.context = prompt + generated / 2;
        p.seconds = numberAt(object, {"t_tg"}) / generated;
        for (const char *key : {"n_gpu_layers", "n_threads", "flash_attn", "is_pp_shared"})
            if (const json *value = find(object, {key}))
                p.setting += fmt::format("{}{} {}", p.setting.empty() ? "" : ", ", key, cut(value->dump(), 40));
        if (flagAt(object, "is_pp_shared"))
            raw.note("The sequences share one prompt (-pps): the floor counts its cache once for each of them, and can lie above "
                     "what such a step must read.");
        raw.points.push_back(std::move(p));
    });
}

namespace {

std::vector<std::string> cellsOf(std::string_view line)
{
    std::vector<std::string> cells;
    std::size_t at = line.find('|');
    while (at != std::string_view::npos) {
        const std::size_t next = line.find('|', at + 1);
        if (next == std::string_view::npos)
            break;
        cells.push_back(trimmed(std::string(line.substr(at + 1, next - at - 1))));
        at = next;
    }
    return cells;
}

std::optional<ImportFormat> formatOfCells(const std::vector<std::string> &cells)
{
    const auto named = [&](const char *name) { return std::find(cells.begin(), cells.end(), name) != cells.end(); };
    if (named("test") && named("t/s") && named("model"))
        return ImportFormat::LlamaBench;
    if (named("PP") && named("TG") && named("B") && named("T_TG s"))
        return ImportFormat::BatchedBench;
    return std::nullopt;
}

/// "3.56 GiB", "6.74 B", "885.97 MiB": the number times its unit.
double withUnit(const std::string &text)
{
    const auto space = text.find(' ');
    const double value = numberOf(text.substr(0, space)).value_or(kMissing);
    const std::string unit = space == std::string::npos ? std::string() : trimmed(text.substr(space));
    return value * (unit == "GiB"   ? 1024 * kMiB
                    : unit == "MiB" ? kMiB
                    : unit == "KiB" ? 1024
                    : unit == "B"   ? 1e9
                    : unit == "M"   ? 1e6
                    : unit == "K"   ? 1e3
                                    : kMissing);
}

/// "tg128", "tg 128", "pp512+tg128", "tg128 @ d512" into n_prompt, n_gen and n_depth; false for another text.
bool putTest(const std::string &text, json &object)
{
    const auto after = [&](const char *mark) -> double {
        const auto at = text.find(mark);
        if (at == std::string::npos)
            return 0;
        const auto first = text.find_first_not_of(' ', at + std::string_view(mark).size());
        const auto last = first == std::string::npos ? first : text.find_first_not_of("0123456789", first);
        return first == std::string::npos ? kMissing : numberOf(text.substr(first, last - first)).value_or(kMissing);
    };
    const double prompt = after("pp"), generated = after("tg"), depth = after("@ d");
    if (!std::isfinite(prompt + generated + depth) || (text.find("pp") == std::string::npos && text.find("tg") == std::string::npos))
        return false;
    object["n_prompt"] = prompt;
    object["n_gen"] = generated;
    object["n_depth"] = depth;
    return true;
}

} // namespace

std::optional<ImportFormat> formatOfTable(std::string_view text)
{
    std::size_t at = 0;
    for (int line = 0; line < 1000 && at < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view row = text.substr(at, end - at);
        if (row.find('|') != std::string_view::npos)
            if (const auto format = formatOfCells(cellsOf(row)))
                return format;
        at = end + 1;
    }
    return std::nullopt;
}

void readLlamaTable(std::string_view text, ImportFormat format, RawImport &raw)
{
    std::vector<std::string> header;
    std::string device;
    std::size_t devices = 0, others = 0, number = 0, at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = trimmed(std::string(text.substr(at, end - at)));
        at = end + 1;
        ++number;
        // "  Device 0: NVIDIA H200, compute capability 9.0, VMM: yes" of the log above a pasted table.
        if (line.rfind("Device ", 0) == 0 && line.find(": ") != std::string::npos && line.find(", compute capability") != std::string::npos) {
            const auto from = line.find(": ") + 2;
            device = cut(line.substr(from, line.find(", compute capability") - from), 200);
            ++devices;
            continue;
        }
        if (line.empty() || line.front() != '|')
            continue;
        const std::vector<std::string> cells = cellsOf(line);
        if (formatOfCells(cells)) {
            header = cells;
            continue;
        }
        if (header.empty() || line.find_first_not_of("|-: \r") == std::string::npos)
            continue;
        if (raw.isFull(number))
            break;
        if (cells.size() != header.size()) {
            raw.refuse(number, fmt::format("{} cells where the header names {}; the row was left out.", cells.size(), header.size()));
            continue;
        }
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (isNotNumber(cells[i].substr(0, cells[i].find(' '))))
                raw.tellNotNumber(number, header[i]);
        const auto cell = [&](const char *name) {
            const auto found = std::find(header.begin(), header.end(), name);
            return found == header.end() ? std::string() : cells[static_cast<std::size_t>(found - header.begin())];
        };
        json object = json::object();
        if (format == ImportFormat::BatchedBench) {
            const double prompt = numberOf(cell("PP")).value_or(kMissing), generated = numberOf(cell("TG")).value_or(kMissing);
            if (!(generated > 0)) {
                raw.refuse(number, fmt::format("'{}' in TG is no number above zero; the row was left out.", shortened(cell("TG"))));
                continue;
            }
            RawPoint p;
            p.line = number;
            p.batch = numberOf(cell("B")).value_or(kMissing);
            p.prompt = prompt;
            p.newTokens = generated;
            p.context = prompt + generated / 2; // as in JSON lines
            p.seconds = numberOf(cell("T_TG s")).value_or(kMissing) / generated;
            // T_TG has three decimals, S_TG two: the one with more digits tells the time better.
            const double rate = numberOf(cell("S_TG t/s")).value_or(kMissing);
            if (p.batch > 0 && rate > 0 && std::abs(p.batch / rate - p.seconds) < 0.02 * p.seconds && p.seconds * generated < 1)
                p.seconds = p.batch / rate;
            p.device = device;
            raw.points.push_back(std::move(p));
            continue;
        }
        if (!putTest(cell("test"), object)) {
            raw.refuse(number, fmt::format("'{}' in test is no test that this program knows (tg128, tg128 @ d512); the row was left out.",
                                           shortened(cell("test"))));
            continue;
        }
        const std::string rate = cell("t/s");
        const auto sign = rate.find("±");
        object["model_type"] = cell("model");
        object["backends"] = cell("backend");
        object["gpu_info"] = device;
        if (std::isfinite(withUnit(cell("size"))))
            object["model_size"] = withUnit(cell("size"));
        if (std::isfinite(withUnit(cell("params"))))
            object["model_n_params"] = withUnit(cell("params"));
        for (const auto &[name, key] : {std::pair{"ngl", "n_gpu_layers"}, {"threads", "n_threads"}, {"type_k", "type_k"}, {"type_v", "type_v"}, {"fa", "flash_attn"}})
            if (!cell(name).empty())
                object[key] = cell(name);
        object["avg_ts"] = trimmed(rate.substr(0, sign));
        if (sign != std::string::npos)
            object["stddev_ts"] = trimmed(rate.substr(sign + std::string_view("±").size()));
        addLlamaBench(number, object, raw, others);
    }
    if (devices > 1)
        for (RawPoint &p : raw.points)
            p.severalDevices = true;
    noteOthers(raw, others);
}

void readVllm(const std::vector<Piece> &pieces, const ImportOptions &options, RawImport &raw)
{
    const auto chosen = [](const std::optional<std::int64_t> &value, double other) {
        return value ? static_cast<double>(*value) : other;
    };
    eachObject(pieces, raw, [&](const Piece &piece, const json &object) {
        RawPoint p;
        p.line = piece.line;
        const auto format = formatOfObject(object);
        if (format == ImportFormat::VllmServe) {
            // (latency - TTFT) / (output tokens - 1) of each request, and their mean (vllm/benchmarks/serve.py).
            const double completed = numberAt(object, {"completed"});
            p.seconds = numberAt(object, {"mean_tpot_ms"}) * 1e-3;
            p.deviation = numberAt(object, {"std_tpot_ms"}) * 1e-3;
            p.prompt = chosen(options.prompt, std::round(numberAt(object, {"total_input_tokens"}) / completed));
            p.newTokens = chosen(options.newTokens, numberAt(object, {"total_output_tokens"}) / completed);
            p.context = p.prompt + p.newTokens / 2;
            p.batch = chosen(options.batch, numberAt(object, {"max_concurrency"}));
            if (!std::isfinite(p.batch)) {
                // Little's law: sequences that decode at once = tokens/s x seconds a token.
                p.batch = std::max(1.0, std::round(numberAt(object, {"output_throughput"}) * p.seconds));
                raw.note("No limit of concurrency is given: the batch is output tokens/s x TPOT, the sequences that decode at once "
                         "on average.");
            } else if (!options.batch) {
                raw.note("The batch is the limit of concurrency: the server may have decoded fewer sequences at once.");
            }
            p.model = textAt(object, {"model_id"});
            raw.points.push_back(std::move(p));
            return;
        }
        const json *arguments = find(object, {"benchmark", "extra_info", "args"});
        const json none = json::object();
        const json &args = arguments ? *arguments : none;
        const json *extra = find(object, {"metric", "extra_info"});
        const json &figures = arguments && extra ? *extra : object;
        p.model = textAt(args, {"model"});
        if (p.model.empty())
            p.model = textAt(object, {"model", "name"});
        const std::string dtype = textAt(args, {"dtype"});
        p.dtype = dtype == "auto" ? std::string() : dtype;
        p.severalDevices = numberAt(args, {"tensor_parallel_size"}) > 1 || numberAt(args, {"pipeline_parallel_size"}) > 1;
        p.prompt = chosen(options.prompt, numberAt(args, {"input_len"}));
        p.newTokens = chosen(options.newTokens, numberAt(args, {"output_len"}));
        const bool latency = format == ImportFormat::VllmLatency;
        p.batch = chosen(options.batch, latency ? numberAt(args, {"batch_size"}) : numberAt(args, {"max_num_seqs"}));
        if (!std::isfinite(p.batch) || !std::isfinite(p.prompt) || !std::isfinite(p.newTokens))
            return raw.refuse(piece.line, "it tells neither batch nor prompt nor generated tokens: give --batch, --prompt and --new as the "
                                          "benchmark had them, or import its .pytorch.json.");
        if (!(p.newTokens >= 1))
            return raw.refuse(piece.line, "the generated tokens are not above zero; the row was left out.");
        p.context = p.prompt + p.newTokens / 2;
        if (latency) {
            p.seconds = numberAt(figures, {"avg_latency"}) / p.newTokens;
            p.samples = numbersAt(object, {"latencies"}, 1 / p.newTokens);
            if (p.samples.empty())
                p.samples = numbersAt(object, {"metric", "benchmark_values"}, 1 / p.newTokens);
        } else {
            const double requests = numberAt(figures, {"num_requests"}), elapsed = numberAt(figures, {"elapsed_time"});
            p.seconds = p.batch * elapsed / (requests * p.newTokens);
            raw.note("The batch is what was given (--batch, max_num_seqs): the engine batches as requests come and go.");
        }
        raw.note("The time is that of whole requests, so that TPOT has the prefill in it and lies above a decode step.");
        raw.points.push_back(std::move(p));
    });
}

void readOptimum(const std::vector<Piece> &pieces, RawImport &raw)
{
    eachObject(pieces, raw, [&](const Piece &piece, const json &object) {
        const json *report = find(object, {"report"});
        const json &r = report ? *report : object;
        const json none = json::object();
        const json *scenario = find(object, {"config", "scenario"});
        if (!scenario)
            scenario = find(object, {"config", "benchmark"}); // its older name
        const json &s = scenario ? *scenario : none;
        RawPoint p;
        p.line = piece.line;
        p.batch = numberAt(s, {"input_shapes", "batch_size"});
        p.prompt = numberAt(s, {"input_shapes", "sequence_length"});
        const double wanted = numberAt(s, {"generate_kwargs", "max_new_tokens"});
        p.newTokens = std::isfinite(wanted) ? wanted : 100; // its TEXT_GENERATION_DEFAULT_KWARGS
        if (!scenario || !std::isfinite(p.batch) || !std::isfinite(p.prompt))
            return raw.refuse(piece.line, "it has no configuration, so that batch and prompt are not known: import benchmark.json, not "
                                          "benchmark_report.json.");
        if (!(p.newTokens >= 2))
            return raw.refuse(piece.line, "max_new_tokens is below 2, so that no decode step was timed; the row was left out.");
        // Decode is what follows the first token: max_new_tokens - 1 steps, from `prompt` tokens in the cache on.
        const double steps = p.newTokens - 1;
        p.context = p.prompt + steps / 2;
        p.seconds = numberAt(r, {"decode", "latency", "p50"}) / steps;
        if (!std::isfinite(p.seconds))
            p.seconds = numberAt(r, {"decode", "latency", "mean"}) / steps;
        p.samples = numbersAt(r, {"per_token", "latency", "values"}, 1);
        if (p.samples.empty())
            p.samples = numbersAt(r, {"decode", "latency", "values"}, 1 / steps);
        for (const char *key : {"max_allocated", "max_process_vram", "max_global_vram", "max_ram"}) {
            p.peakBytes = numberAt(r, {"decode", "memory", key}) * 1e6; // its unit is MB, 1e6 bytes
            if (p.peakBytes > 0)
                break;
        }
        p.model = textAt(object, {"config", "backend", "model"});
        p.dtype = textAt(object, {"config", "backend", "torch_dtype"});
        if (p.dtype.empty())
            p.dtype = textAt(object, {"config", "backend", "dtype"});
        const std::string quantised = textAt(object, {"config", "backend", "quantization_scheme"});
        if (!quantised.empty())
            p.dtype = quantised;
        const json *gpus = find(object, {"config", "environment", "gpu"});
        if (textAt(object, {"config", "backend", "device"}) == "cpu")
            p.device = textAt(object, {"config", "environment", "cpu"});
        else if (gpus && gpus->is_array() && !gpus->empty() && gpus->front().is_string())
            p.device = cut(gpus->front().get<std::string>(), 200);
        else if (gpus && gpus->is_string())
            p.device = cut(gpus->get<std::string>(), 200);
        const std::string ids = textAt(object, {"config", "backend", "device_ids"});
        p.severalDevices = ids.find(',') != std::string::npos;
        raw.points.push_back(std::move(p));
    });
}

std::optional<std::map<std::string, std::size_t>> columnsOf(const std::vector<std::string> &header, const ImportOptions &options,
                                                            std::string &fault)
{
    std::map<std::string, std::size_t> found;
    std::vector<std::string> names;
    for (const std::string &field : header)
        names.push_back(lower(trimmed(field)));
    // One that was named for a quantity is the only one of it, whatever other units the file has.
    const auto named = [&](const std::string &what) {
        for (const std::initializer_list<const char *> units : {std::initializer_list<const char *>{"tpot_ms", "tpot_s", "tpot_us", "tokens_per_s"},
                                                                {"peak_bytes", "peak_gb", "peak_gib", "peak_mb", "peak_mib"}})
            if (std::find(units.begin(), units.end(), what) != units.end())
                return std::any_of(units.begin(), units.end(), [&](const char *unit) { return options.columns.contains(unit); });
        return false;
    };
    for (const ImportColumn &column : importColumns()) {
        if (const auto own = options.columns.find(column.what); own != options.columns.end()) {
            const auto at = std::find(names.begin(), names.end(), lower(trimmed(own->second)));
            if (at == names.end()) {
                fault = fmt::format("has no column '{}', which --column gave for {}.", shortened(own->second), column.what);
                return std::nullopt;
            }
            found[column.what] = static_cast<std::size_t>(at - names.begin());
            continue;
        }
        if (named(column.what))
            continue;
        for (const std::string &known : column.headers) {
            const auto at = std::find(names.begin(), names.end(), known);
            if (at != names.end()) {
                found.emplace(column.what, static_cast<std::size_t>(at - names.begin()));
                break;
            }
        }
    }
    std::string lacking;
    const auto need = [&](std::initializer_list<const char *> either, bool otherwise, const char *flag) {
        for (const char *what : either)
            if (found.contains(what))
                return;
        if (otherwise)
            return;
        std::string would;
        for (const char *what : either)
            for (const ImportColumn &column : importColumns())
                if (column.what == what)
                    for (const std::string &name : column.headers)
                        would += fmt::format("{}'{}'", would.empty() ? "" : ", ", name);
        lacking += fmt::format(" For '{}' a column is needed: one of {}, or --column {}=NAME{}.", either.begin()[0], would, either.begin()[0], flag);
    };
    need({"batch"}, options.batch.has_value(), " (or --batch)");
    need({"context", "prompt"}, options.prompt.has_value(), " (or --prompt)");
    need({"tpot_ms", "tpot_s", "tpot_us", "tokens_per_s"}, false, "");
    if (lacking.empty())
        return found;
    std::string given;
    for (std::size_t i = 0; i < header.size() && i < 40; ++i)
        given += fmt::format("{}'{}'", i ? ", " : "", shortened(trimmed(header[i])));
    fault = fmt::format("lacks columns. It has: {}{}.{}", given, header.size() > 40 ? " (and more)" : "", lacking);
    return std::nullopt;
}

void readCsv(std::string_view text, const std::string &what, const ImportOptions &options, RawImport &raw)
{
    const char separator = separatorOf(text);
    CsvReader reader(text, separator);
    CsvRecord record;
    std::size_t fields = 0;
    std::map<std::string, std::size_t> columns;
    bool hasHeader = false;
    const auto at = [&](const char *name) { // looked up once, not a row
        const auto found = columns.find(name);
        return found == columns.end() ? std::optional<std::size_t>() : found->second;
    };
    std::optional<std::size_t> batch, context, prompt, newTokens, model, device, dtype, status;
    std::vector<std::pair<std::size_t, double>> times, peaks;
    std::optional<std::size_t> rate;
    while (reader.next(record)) {
        const std::string first = trimmed(record.fields.front());
        if ((record.fields.size() == 1 && first.empty()) || (!first.empty() && first.front() == '#'))
            continue;
        if (!hasHeader) {
            std::string fault;
            const auto found = columnsOf(record.fields, options, fault);
            if (!found)
                throw Error(ErrorKind::Failure, what + " " + fault);
            columns = *found;
            hasHeader = true;
            fields = record.fields.size();
            batch = at("batch"), context = at("context"), prompt = at("prompt"), newTokens = at("new_tokens");
            model = at("model"), device = at("device"), dtype = at("dtype"), status = at("status"), rate = at("tokens_per_s");
            for (const auto &[name, unit] : {std::pair{"tpot_s", 1.0}, {"tpot_ms", 1e-3}, {"tpot_us", 1e-6}})
                if (at(name))
                    times.emplace_back(*at(name), unit);
            for (const auto &[name, unit] : {std::pair{"peak_bytes", 1.0}, {"peak_gb", 1e9}, {"peak_gib", 1024 * kMiB}, {"peak_mb", 1e6}, {"peak_mib", kMiB}})
                if (at(name))
                    peaks.emplace_back(*at(name), unit);
            continue;
        }
        if (raw.isFull(record.line))
            break;
        if (record.unclosed) {
            raw.refuse(record.line, "a quotation mark is never closed; this row and all after it were left out.");
            continue;
        }
        if (record.fields.size() != fields) {
            raw.refuse(record.line, fmt::format("{} fields where the header names {}{}; the row was left out.", record.fields.size(), fields,
                                                separator == ',' && record.fields.size() > fields
                                                    ? " (a comma before decimals looks like a further field: write a point)"
                                                    : ""));
            continue;
        }
        bool usable = true;
        const auto number = [&](std::optional<std::size_t> column) {
            if (!column || !usable)
                return kMissing;
            const std::string cell = trimmed(record.fields[*column]);
            if (cell.empty())
                return kMissing;
            const auto value = numberOf(cell);
            if (!value) {
                raw.refuse(record.line, fmt::format("'{}' is not a number{}; the row was left out.", shortened(cell),
                                                    hasDecimalComma(cell) ? " (write a point before the decimals, not a comma)" : ""));
                usable = false;
            }
            return value.value_or(kMissing);
        };
        // "1.024" of something that is counted: thousands, or a thousandth of a token more than one?
        const auto count = [&](std::optional<std::size_t> column) {
            const double value = number(column);
            if (!column || !usable)
                return value;
            const std::string cell = trimmed(record.fields[*column]);
            const auto point = cell.find('.');
            if (point != std::string::npos && point <= 3 && cell.size() == point + 4 && cell.find_first_not_of("0123456789.") == std::string::npos) {
                raw.refuse(record.line, fmt::format("'{}' is a count with three decimals: write thousands without a point; the row was left out.", shortened(cell)));
                usable = false;
            }
            return value;
        };
        RawPoint p;
        p.line = record.line;
        if (status) {
            const std::string word = lower(trimmed(record.fields[*status]));
            p.outOfMemory = word == "oom" || word == "out of memory";
            if (!p.outOfMemory && !word.empty() && word != "ok") {
                raw.refuse(record.line, fmt::format("its status is '{}', so that it has no time; the row was left out.", shortened(word)));
                continue;
            }
        }
        p.batch = options.batch ? static_cast<double>(*options.batch) : count(batch);
        p.context = count(context);
        p.prompt = options.prompt ? static_cast<double>(*options.prompt) : count(prompt);
        p.newTokens = options.newTokens ? static_cast<double>(*options.newTokens) : count(newTokens);
        if (!std::isfinite(p.context)) // the steps see the prompt and, on average, half of what they add
            p.context = p.prompt + (std::isfinite(p.newTokens) ? p.newTokens / 2 : 0);
        if (!std::isfinite(p.prompt))
            p.prompt = std::floor(p.context);
        for (const auto &[column, unit] : times)
            if (!std::isfinite(p.seconds))
                p.seconds = number(column) * unit;
        if (!std::isfinite(p.seconds) && rate) {
            const double perSecond = number(rate);
            if (usable && std::isfinite(perSecond) && !(perSecond > 0) && !p.outOfMemory) {
                raw.refuse(record.line, "its tokens per second are not above zero; the row was left out.");
                continue;
            }
            p.seconds = p.batch / perSecond; // of all sequences together
        }
        for (const auto &[column, unit] : peaks)
            if (!std::isfinite(p.peakBytes))
                p.peakBytes = number(column) * unit;
        if (!usable)
            continue;
        if (model)
            p.model = cut(trimmed(record.fields[*model]), 200);
        if (device)
            p.device = cut(trimmed(record.fields[*device]), 200);
        if (dtype)
            p.dtype = cut(trimmed(record.fields[*dtype]), 200);
        raw.points.push_back(std::move(p));
    }
}

} // namespace ridgepoint::detail

namespace ridgepoint {

CsvPreview previewCsv(std::string_view text, std::size_t mostRows)
{
    using namespace detail;
    CsvPreview preview;
    if (text.substr(0, 3) == "\xEF\xBB\xBF")
        text.remove_prefix(3);
    if (!isUtf8(text))
        return preview;
    CsvReader reader(text, separatorOf(text));
    CsvRecord record;
    while (preview.rows.size() < mostRows && reader.next(record)) {
        std::vector<std::string> fields;
        for (const std::string &field : record.fields)
            fields.push_back(trimmed(field));
        if ((fields.size() == 1 && fields.front().empty()) || (!fields.front().empty() && fields.front().front() == '#'))
            continue;
        if (preview.header.empty())
            preview.header = std::move(fields);
        else
            preview.rows.push_back(std::move(fields));
    }
    return preview;
}

} // namespace ridgepoint
