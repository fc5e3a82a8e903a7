// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to core/session: what the readers of the importer share. Only .cpp files of this folder include it.

#include "core/session/import.h"

#include <nlohmann/json.hpp>

namespace ridgepoint::detail {

inline constexpr std::size_t kMaxProblems = 1000; ///< kept of a file; further ones are counted

/// One point as a reader found it, before it is checked.
struct RawPoint {
    std::size_t line = 0;
    std::string model, device, dtype; ///< as the file names them; empty: not told
    std::string setting;              ///< what else sets a run apart (offloaded layers, threads, ...)
    double batch = kMissing, prompt = kMissing, newTokens = kMissing, context = kMissing;
    double seconds = kMissing;   ///< TPOT
    double deviation = kMissing; ///< standard deviation of TPOT, s
    std::vector<double> samples; ///< TPOT of repeats or steps, s
    double peakBytes = kMissing;
    bool outOfMemory = false;
    double fileBytes = kMissing;  ///< size of all weights, where quantised
    double parameters = kMissing; ///< of the model
    double kvScale = kMissing;    ///< bytes an element of the KV cache, where not 2
    bool severalDevices = false;  ///< no one device holds the model: no floor
};

/// What the readers fill.
struct RawImport {
    std::vector<RawPoint> points;
    std::vector<ImportProblem> problems; ///< kMaxProblems of them
    std::size_t moreProblems = 0;
    std::vector<std::string> notes; ///< each once
    std::map<std::size_t, std::string> notNumbers; ///< by line: the fields that hold NaN or Infinity; kMaxProblems of them
    std::size_t moreNotNumbers = 0;                ///< lines beyond those
    void refuse(std::size_t line, std::string sentence);
    bool isFull(std::size_t line); ///< says so, once: the reader stops then
    void tellNotNumber(std::size_t line, const std::string &field);
    void note(const std::string &sentence);
};

/// A {...} of the text and where it begins.
struct Piece {
    std::size_t line = 0;
    std::string_view text;
    bool complete = false;
};
/// The outermost objects of a JSON array, of JSON lines (other lines between them are passed over) or of one object. A line that
/// is cut off ends its own object and not the next.
std::vector<Piece> objectsOf(std::string_view text, std::size_t most);

std::optional<ImportFormat> formatOfObject(const nlohmann::json &object);
/// Parses a piece; NaN and Infinity as Python writes them become null. Nothing, and a problem, where it is no JSON.
std::optional<nlohmann::json> parsePiece(const Piece &piece, RawImport &raw);
/// True for the first lines of a Markdown or printed table of llama-bench or batched-bench.
std::optional<ImportFormat> formatOfTable(std::string_view text);

void readSeedSweep(const std::vector<Piece> &pieces, const ImportOptions &options, RawImport &raw);
void readLlamaBench(const std::vector<Piece> &pieces, RawImport &raw);
void readLlamaBenchCsv(std::string_view text, RawImport &raw);
void readLlamaTable(std::string_view text, ImportFormat format, RawImport &raw);
void readBatchedBench(const std::vector<Piece> &pieces, RawImport &raw);
void readVllm(const std::vector<Piece> &pieces, const ImportOptions &options, RawImport &raw);
void readOptimum(const std::vector<Piece> &pieces, RawImport &raw);
/// `what` begins the sentence of an Error: "The table 'x.csv'".
void readCsv(std::string_view text, const std::string &what, const ImportOptions &options, RawImport &raw);
bool isLlamaBenchHeader(const std::vector<std::string> &header);
/// The columns of a CSV by what they hold, where enough are there to read points; `fault` says what is lacking.
std::optional<std::map<std::string, std::size_t>> columnsOf(const std::vector<std::string> &header, const ImportOptions &options,
                                                            std::string &fault);

} // namespace ridgepoint::detail
