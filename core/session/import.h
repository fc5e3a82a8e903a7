// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "core/session/session.h"
#include "core/session/tables.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Results that other programs measured, read into runs of a session. A file is recognised by its content; every figure comes
/// down to batch, mean context of the timed steps, TPOT and peak memory. What each format says and leaves out:
/// - sweep.json of the published batch sweep (a JSON array of batch, step_ms, tok_per_s, peak_gb, ctx, or batch and oom): `ctx`
///   is the prompt and half of the 10 + 40 steps after it, as its script has them; it names neither model nor device.
/// - llama-bench (json, jsonl, csv, md): tests with n_gen alone; TPOT = avg_ns / n_gen, mean context = n_depth + n_gen / 2.
/// - llama-batched-bench (jsonl, table): TPOT = T_TG / TG, batch = B, mean context = PP + TG / 2; it names neither model nor device.
/// - vLLM bench latency and throughput: only the whole time; TPOT is that time a generated token and has the prefill in it.
///   Shape and model come from the .pytorch.json form, or from the options. vLLM bench serve: mean_tpot_ms, and the batch is the
///   concurrency limit (an upper bound), else output tokens/s x TPOT.
/// - optimum-benchmark (benchmark.json): decode latency / (max_new_tokens - 1), the per-token times as samples.
/// - CSV with named columns (importColumns()).
namespace ridgepoint {

enum class ImportFormat {
    SeedSweep,
    LlamaBench,
    BatchedBench,
    VllmLatency,
    VllmThroughput,
    VllmServe,
    OptimumBenchmark,
    Csv
};
std::string_view importFormatName(ImportFormat format); ///< "llama-bench", "vLLM bench serve", ...

inline constexpr std::size_t kMaxImportBytes = 256'000'000;

/// What the user says of a file. Each replaces what the file says.
struct ImportOptions {
    std::string model;    ///< catalogue id; empty: found by the file's own name for it
    std::string hardware; ///< catalogue id; empty: found by the device's name
    std::optional<DType> dtype;
    std::optional<std::int64_t> batch, prompt, newTokens; ///< for files that do not tell them
    std::map<std::string, std::string> columns;           ///< what (of importColumns()) to the CSV's own column name; of one
                                                          ///< quantity in several units only the named ones are read then
};

/// A row that could not be used.
struct ImportProblem {
    std::size_t line = 0; ///< from 1
    std::string sentence;
};

struct Import {
    ImportFormat format = ImportFormat::Csv;
    std::vector<RunRecord> runs; ///< finished sweeps, Provenance::imported set; one a model, device and setting of the file
    std::vector<ImportProblem> problems; ///< by line; of very many only the first are kept
    std::size_t moreProblems = 0;        ///< rows beyond those
    std::vector<std::string> notes; ///< what was assumed or left out; what to name to get more (--model, --device-profile)
};

/// What the content looks like, from its first record or header; nothing: not a file of any of these programs. Never throws.
std::optional<ImportFormat> recogniseImport(std::string_view text);
/// Reads `text`; `origin` names the file in sentences. Points get the nominal floor (exact accounting) where model and device are
/// known. Throws Error (Failure): not recognised, cut off before any record, no usable row, a CSV without the columns that are
/// needed (the sentence lists those it has and those that would do); Error (Usage): an option that names nothing.
Import importResults(std::string_view text, const std::string &origin, const ImportOptions &options, const Catalog &catalog);
/// Likewise of a file, which is refused over kMaxImportBytes before it is read.
Import importFile(const std::filesystem::path &path, const ImportOptions &options, const Catalog &catalog);

/// What a CSV can hold: the name that --column takes, and the headers that are known to mean it (lower case).
struct ImportColumn {
    std::string what;
    std::vector<std::string> headers;
};
const std::vector<ImportColumn> &importColumns();

/// The head and the first rows of a CSV, as they stand there; an empty head where the text is none.
struct CsvPreview {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};
CsvPreview previewCsv(std::string_view text, std::size_t mostRows);

/// True where a point is faster than its floor, which no device can be: the file, or what it is held against, is wrong.
bool isBelowFloor(const SweepPoint &point);
/// What a reader is told of such points of an import; empty: there is none.
std::string belowFloorSentence(const Import &import);
/// "file, line 3: ..." for each problem, `most` of them at most, then how many more there are.
std::vector<std::string> problemLines(const Import &import, const std::string &file, std::size_t most);

/// batch, prompt, context, TPOT, token/s, peak memory, floor, TPOT/floor, status of a run's points; a point below its floor says so.
TextTable importTable(const RunRecord &run);

} // namespace ridgepoint
