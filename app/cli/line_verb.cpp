// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/line_verb.h"

#include "app/cli/output.h"
#include "app/cli/rows.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/session/import.h"
#include "core/session/line.h"

#include <fmt/format.h>

#include <cstdio>

namespace ridgepoint {

namespace {

using Json = nlohmann::ordered_json;

Json intervalJson(const std::optional<Interval> &interval)
{
    return interval ? Json::array({jsonNumber(interval->low), jsonNumber(interval->high)}) : Json(nullptr);
}

void putEstimate(Json &object, const LineEstimate &line)
{
    object["slope_s_per_byte"] = jsonNumber(line.slope);
    object["slope_s_per_byte_interval"] = intervalJson(line.slopeInterval);
    object["bandwidth_bytes_per_s"] = jsonNumber(line.bandwidth);
    object["bandwidth_bytes_per_s_interval"] = intervalJson(line.bandwidthInterval);
    object["intercept_s"] = jsonNumber(line.intercept);
    object["intercept_s_interval"] = intervalJson(line.interceptInterval);
    object["r2"] = jsonNumber(line.r2);
    object["r2_interval"] = intervalJson(line.r2Interval);
    object["points"] = line.points;
    object["identifiable"] = line.identifiable;
    object["problem"] = line.problem.empty() ? Json(nullptr) : Json(line.problem);
}

Json namedJson(const char *key, const std::vector<NamedLine> &lines)
{
    Json array = Json::array();
    for (const NamedLine &line : lines) {
        Json object{{key, line.name}};
        putEstimate(object, line.line);
        array.push_back(std::move(object));
    }
    return array;
}

} // namespace

Json lineJson(const RunRecord &run)
{
    const LineReading reading = readLine(run);
    Json object = Json::object();
    object["device"] = run.provenance.deviceName.empty() ? run.plan.device : run.provenance.deviceName;
    object["mode"] = isImportedLine(run) ? Json(nullptr) : Json(std::string(modeName(run.plan.mode)));
    putEstimate(object, reading.fit.all);
    object["nominal_bandwidth_bytes_per_s"] = jsonNumber(reading.nominalCeiling);
    object["measured_bandwidth_bytes_per_s"] = jsonNumber(reading.measuredCeiling);
    object["last_level_cache_bytes"] = jsonNumber(reading.cacheBytes);
    Json rows = Json::array();
    for (std::size_t i = 0; i < run.line.size(); ++i) {
        const LineRow &r = run.line[i];
        const LineRowFigures *found = reading.figuresOf(i);
        const LineRowFigures figures = found ? *found : LineRowFigures();
        const double floor = r.forecast.floorNominal.stepSeconds > 0 ? r.forecast.floorNominal.floorSeconds() : kMissing;
        Json samples = Json::array();
        for (const double sample : r.samples)
            samples.push_back(jsonNumber(sample));
        rows.push_back(
            {{"model", r.model},
             {"name", r.name},
             {"family", r.family},
             {"dtype", r.dtype},
             {"status", std::string(statusName(r.status))},
             {"weight_bytes", jsonNumber(r.weightBytes)},
             {"resident_bytes", jsonNumber(r.residentBytes)},
             {"prompt", r.prompt > 0 ? Json(r.prompt) : Json(nullptr)},
             {"new_tokens", r.newTokens > 0 ? Json(r.newTokens) : Json(nullptr)},
             {"tpot_s", jsonNumber(r.tpotSeconds)},
             {"tpot_min_s", jsonNumber(r.tpotMinSeconds)},
             {"tpot_max_s", jsonNumber(r.tpotMaxSeconds)},
             {"tpot_samples_s", std::move(samples)},
             {"line_tpot_s", jsonNumber(figures.predictedSeconds)},
             {"residual_s", jsonNumber(figures.residualSeconds)},
             {"reading_share", jsonNumber(figures.readingShare)},
             {"floor_s", jsonNumber(floor)},
             {"measured_floor_s",
              jsonNumber(r.forecast.floorMeasured ? r.forecast.floorMeasured->floorSeconds() : kMissing)},
             {"predicted_tpot_s", jsonNumber(r.forecast.predicted ? r.forecast.predicted->stepSeconds : kMissing)},
             {"peak_bytes", jsonNumber(r.peakBytes)},
             {"imported", r.imported},
             {"may_be_cached", reading.isMaybeCached(i)},
             {"reason", r.reason}});
    }
    object["rows"] = std::move(rows);
    object["families"] = namedJson("family", reading.fit.families);
    object["models"] = namedJson("model", reading.fit.models);
    Json flags = Json::array();
    for (const BandwidthFlag &flag : reading.flags)
        flags.push_back({{"of", flag.of == BandwidthFlag::Of::All      ? "all"
                                : flag.of == BandwidthFlag::Of::Family ? "family"
                                                                       : "model"},
                         {"name", flag.name},
                         {"bandwidth_bytes_per_s", jsonNumber(flag.bandwidth)},
                         {"ceiling_bytes_per_s", jsonNumber(reading.ceiling())},
                         {"beyond_interval", flag.beyondInterval},
                         {"sentence", flagSentence(flag, reading)}});
    object["flags"] = std::move(flags);
    return object;
}

std::string lineText(const RunRecord &run)
{
    const LineReading reading = readLine(run);
    std::string text = toText(lineTable(run, reading)) + "\n" + toText(lineFitTable(reading)) + "\n";
    for (const std::string &sentence : lineSentences(run, reading))
        text += sentence + "\n";
    return text;
}

int importLineVerb(const LineImportRequest &request, const Catalog &catalog)
{
    const HardwareProfile *hardware =
        request.hardwareId.empty() ? nullptr : &catalog.hardwareById(request.hardwareId);
    const std::string name = request.file.string();
    LineImport import = importLine(readWholeFile(request.file, kMaxImportBytes), name);
    for (const LineImportProblem &problem : import.problems)
        output::say(fmt::format("ridgepoint: {}, line {}: {}\n", name, problem.line, problem.sentence));
    Ceilings nominal;
    nominal.bandwidth = request.bandwidth > 0 ? request.bandwidth : hardware ? hardware->memoryBandwidth : 0;
    Session session = newSession();
    session.title = fmt::format("line of {}", request.file.filename().string());
    session.runs.push_back(
        importedRun(std::move(import), request.file.filename().string(), nominal, hardware));
    if (!request.out.empty())
        saveSession(session, request.out);
    switch (request.format) {
    case arguments::Format::Json:
        output::print(lineJson(session.runs.front()).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
        break;
    case arguments::Format::Csv:
        output::print(lineCsv(session.runs));
        break;
    case arguments::Format::Table:
        output::print(lineText(session.runs.front()));
        break;
    }
    return 0;
}

} // namespace ridgepoint
