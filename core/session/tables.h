// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <string>
#include <vector>

/// The record tables, derived from a session. One list of fields feeds the command line's table, the CSV, the JSON, the
/// report and the window, so that they cannot disagree.
namespace ridgepoint {

/// One row of the batch-sweep record (spec section 4). SI units, NaN where missing.
struct SweepRow {
    std::string runId;
    int index = 0;
    double batch = 0, context = 0, prompt = 0;
    DecodeMode mode = DecodeMode::Eager;
    PointStatus status = PointStatus::Ok;
    double stepSeconds = kMissing, p10Seconds = kMissing, p90Seconds = kMissing, minSeconds = kMissing,
           maxSeconds = kMissing;
    double tokensPerSecond = kMissing;
    double linearTokensPerSecond = kMissing; ///< from the smallest measured batch of the same prompt
    double departure = kMissing;             ///< fraction
    double peakBytes = kMissing;
    double floorSeconds = kMissing;         ///< nominal
    double measuredFloorSeconds = kMissing; ///< at the measured ceilings
    double predictedSeconds = kMissing;
    double predictedDeparture = kMissing; ///< of the prediction, against its own smallest batch
    double measuredOverPredicted = kMissing;
    double ratioToFloor = kMissing;   ///< measured / nominal floor
    double intensity = kMissing;      ///< FLOP/B, of the model
    double achievedFlops = kMissing;  ///< FLOP / step time
    double effectiveBytes = kMissing; ///< step time x measured bandwidth
    double kvBytes = kMissing;        ///< b n kv of the model
    double weightBytes = kMissing;
    double wallSeconds = kMissing;       ///< median by the host's clock
    double hostGapSeconds = kMissing;    ///< median of wall - device, of the steps that have both
    double backToBackSeconds = kMissing; ///< a step with no wait between it and the next
    double waitingSeconds = kMissing;    ///< median wall step less the back-to-back one: what waiting for each costs
    double deviceUsedBytes = kMissing;
    std::string attention;
    std::int64_t graphNodes = 0; ///< 0: no graph
    double smClockHz = kMissing; ///< median of the steps that have one
    std::size_t throttledSteps = 0;
    std::string reason;
};
std::vector<SweepRow> sweepRows(const RunRecord &run);

/// What the device's sensors said beside the steps of a run. Throttled steps are counted, never left out of a median.
struct TelemetrySummary {
    struct Range {
        double least = kMissing, greatest = kMissing; ///< NaN: never read
        void add(double value);
        bool known() const { return least == least; }
    };
    std::size_t steps = 0;   ///< of the run
    std::size_t sampled = 0; ///< those beside which anything was read
    std::size_t throttled = 0;
    std::vector<std::string> reasons; ///< of throttling, sorted, each once
    Range smClockHz, memoryClockHz, temperatureC, powerWatts;
};
TelemetrySummary telemetryOf(const std::vector<StepSample> &steps);
TelemetrySummary telemetryOf(const RunRecord &run); ///< points, rows of a line, the timed methods of a TTFT record

/// What waiting for every timed step cost, in a sentence, from the points that were also timed back to back. Empty:
/// none was.
std::string synchronisationSentence(const RunRecord &run);
/// "Attention: decode: ...; prefill: ...." where every point that says so attended the same way; empty otherwise.
std::string attentionSentence(const RunRecord &run);

/// Growth of the step from the first to the last batch and the first departure over 5 %, measured and predicted, one a
/// prompt.
struct SweepSummary {
    double prompt = 0;
    double growthMeasured = kMissing, growthPredicted = kMissing;                 ///< fraction
    double firstDepartureMeasured = kMissing, firstDeparturePredicted = kMissing; ///< batch; NaN: none
};
std::vector<SweepSummary> sweepSummaries(const RunRecord &run);

/// A table as text cells, headers first; what the window's table twins, CSV and Markdown are made of.
struct TextTable {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};
/// The CSV of design: batch,context,mode,status,step_ms,step_p10_ms,...,reason, then what a GPU adds
/// (host_gap_ms,back_to_back_ms,device_used_bytes,attention,graph_nodes) and, since several prompts and runs can share
/// a file, prompt and run at the end. Full precision, gaps empty.
std::string sweepCsv(const std::vector<RunRecord> &runs);
/// point,step,context,device_ms,wall_ms,sm_clock_mhz,mem_clock_mhz,temperature_c,power_w,throttle,host_gap_ms
/// and run at the end.
/// `point` is the index of the sweep's point in its run, "method 3" for a step of the TTFT experiment, or model and
/// dtype for one of a line.
std::string stepsCsv(const std::vector<RunRecord> &runs);
std::string ttftCsv(const std::vector<RunRecord> &runs);
std::string calibrationCsv(const std::vector<RunRecord> &runs);
/// The two record tables, rounded for reading.
/// Columns that no point of the run has a value for (on a CPU: host gap, used memory, ...) are left out.
TextTable sweepTable(const RunRecord &run);
TextTable ttftTable(const RunRecord &run); ///< item, value, note
TextTable calibrationTable(const RunRecord &run);

/// What the plan's expectation said, beside forecast and measurement. SI units, NaN where missing.
struct ExpectationRow {
    enum class What { Tpot, Ratio, FirstDeparture } what = What::Tpot; ///< s; measured / nominal floor; batch
    double batch = 0, prompt = 0; ///< the point that it is held against; batch 0: all of the prompt
    double expected = kMissing, forecast = kMissing, measured = kMissing;
    /// FirstDeparture: the sweep has points that could depart, and none does.
    bool noneForecast = false, noneMeasured = false;
};
/// One a figure and prompt; empty where nothing was expected. The smallest batch of the plan stands for TPOT and ratio (a TTFT
/// record: its own), measured where that point finished.
std::vector<ExpectationRow> expectationRows(const RunRecord &run);
TextTable expectationTable(const RunRecord &run); ///< expected, forecast, measured, measured / expected

/// part, time, share, bytes, bytes/s, FLOP/s, traced time: a row a part and their sum. Rates are those of the time where parts
/// were timed, else of the trace.
TextTable anatomyPartsTable(const StepAnatomy &anatomy);
/// Points whose steps scatter more than is normal, and what to do about it; empty: none, or too few steps to tell.
std::string scatterSentence(const RunRecord &run);

/// kernel, part, calls, time, of the busy time: the `limit` longest.
TextTable anatomyKernelsTable(const StepAnatomy &anatomy, std::size_t limit);
/// What the figures of an anatomy come to, a sentence each: the step and its gaps, what tracing and timing apart cost, how the
/// parts were timed, its note.
std::vector<std::string> anatomySentences(const StepAnatomy &anatomy);
/// part,time_s,share,bytes,flop,bytes_per_s,flop_per_s,traced_s,mode,batch,context,run; a row a part.
std::string anatomyCsv(const std::vector<RunRecord> &runs);
/// start_us,duration_us,kernel,part,layer,stream,run; a row a traced kernel.
std::string kernelsCsv(const std::vector<RunRecord> &runs);
/// Aligned columns for a terminal.
std::string toText(const TextTable &table);
std::string toMarkdown(const TextTable &table);
/// One line of text in which nothing is markup: punctuation that Markdown or HTML would read is escaped, control
/// characters (line ends too) become spaces. Beyond 1000 characters it is cut, as a cell of toText() and toMarkdown() is; the
/// cut is marked (format::kCutMark).
std::string escapeMarkdown(std::string_view text);
/// RFC 4180 quoting.
std::string csvField(std::string_view text);

} // namespace ridgepoint
