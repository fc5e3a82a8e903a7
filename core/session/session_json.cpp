// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/catalog/json_fields.h"
#include "core/session/csv_reader.h"
#include "core/session/json_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace ridgepoint::detail {

using nlohmann::json;

namespace {

constexpr std::int64_t kMaxCount = 1'000'000'000'000'000; // counts of tokens, bytes of a shape: beyond any device
constexpr std::int64_t kMaxInt = 2'000'000'000;
constexpr double kMostSeconds = 1e9;     // thirty years: no step took longer
constexpr double kMostOfAnything = 1e30; // B, FLOP, B/s

json number(double value)
{
    return std::isfinite(value) ? json(value) : json(nullptr);
}

/// A text that was not recorded is left out, so that files from before it was keep their bytes.
void putText(json &object, const char *key, const std::string &text)
{
    if (!text.empty())
        object[key] = text;
}

/// One array a field; a field that no step has is left out.
void putColumn(json &object, const char *key, const std::vector<StepSample> &steps, double StepSample::*field)
{
    bool any = false;
    for (const StepSample &s : steps)
        any = any || std::isfinite(s.*field);
    if (!any)
        return;
    json column = json::array();
    column.get_ref<json::array_t &>().reserve(steps.size());
    for (const StepSample &s : steps)
        column.push_back(number(s.*field));
    object[key] = std::move(column);
}

struct Column {
    const char *key;
    double StepSample::*field;
    bool anySign = false;
};
constexpr Column kColumns[] = {
    {"device_s", &StepSample::deviceSeconds},     {"wall_s", &StepSample::wallSeconds},
    {"sm_clock_hz", &StepSample::smClockHz},      {"memory_clock_hz", &StepSample::memoryClockHz},
    {"temperature_c", &StepSample::temperatureC, true}, {"power_w", &StepSample::powerWatts},
};

json stepsValue(const std::vector<StepSample> &steps)
{
    json object = json::object();
    json context = json::array(), step = json::array(), throttle = json::array();
    bool counted = true, throttled = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        context.push_back(steps[i].context);
        counted = counted && steps[i].step == static_cast<std::int64_t>(i);
        throttled = throttled || !steps[i].throttle.empty();
    }
    object["context"] = std::move(context);
    if (!counted) {
        for (const StepSample &s : steps)
            step.push_back(s.step);
        object["step"] = std::move(step);
    }
    for (const Column &column : kColumns)
        putColumn(object, column.key, steps, column.field);
    if (throttled) {
        for (const StepSample &s : steps)
            throttle.push_back(s.throttle);
        object["throttle"] = std::move(throttle);
    }
    return object;
}

std::vector<StepSample> readSteps(const Node &node)
{
    const Node context = node.at("context");
    std::vector<StepSample> steps(context.size());
    const auto sized = [&](const Node &column) {
        if (column.size() != steps.size())
            column.fail(fmt::format("has {} entries where 'context' has {}", column.size(), steps.size()));
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].context = context.element(i).integer(0, kMaxCount);
        steps[i].step = static_cast<std::int64_t>(i);
    }
    node.optional("step", [&](const Node &column) {
        sized(column);
        for (std::size_t i = 0; i < steps.size(); ++i)
            steps[i].step = column.element(i).integer(0, kMaxCount);
    });
    for (const Column &c : kColumns)
        node.optional(c.key, [&](const Node &column) {
            sized(column);
            const double most = std::string_view(c.key).ends_with("_s") ? kMostSeconds : kMostOfAnything;
            for (std::size_t i = 0; i < steps.size(); ++i) {
                // Millions of them: what is sound needs no Node to say where it stands.
                const json &value = column.value()[i];
                const double plain = value.is_number() ? value.get<double>() : -1;
                if (plain >= 0 && plain <= most)
                    steps[i].*c.field = plain;
                else
                    steps[i].*c.field = c.anySign ? column.element(i).signedNumber() : column.element(i).number();
            }
        });
    node.optional("throttle", [&](const Node &column) {
        sized(column);
        for (std::size_t i = 0; i < steps.size(); ++i)
            steps[i].throttle = column.element(i).text();
    });
    return steps;
}

json numbers(const std::vector<double> &values)
{
    json array = json::array();
    for (const double v : values)
        array.push_back(number(v));
    return array;
}

std::vector<double> readNumbers(const Node &node, bool anySign = false)
{
    std::vector<double> values(node.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = anySign ? node.element(i).signedNumber() : node.element(i).number();
    return values;
}

std::vector<std::int64_t> readIntegers(const Node &node, std::int64_t low, std::int64_t high)
{
    std::vector<std::int64_t> values(node.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = node.element(i).integer(low, high);
    return values;
}

// The program reads these names back by the same functions that print them.
std::optional<Family> parseFamily(std::string_view text)
{
    for (const Family f : {Family::Llama, Family::Mistral, Family::Qwen2, Family::Qwen3, Family::Gemma3})
        if (familyName(f) == text)
            return f;
    return std::nullopt;
}

std::optional<Activation> parseActivation(std::string_view text)
{
    for (const Activation a : {Activation::Silu, Activation::GeluTanh})
        if (activationName(a) == text)
            return a;
    return std::nullopt;
}

std::optional<Bound> parseBound(std::string_view text)
{
    for (const Bound b : {Bound::Memory, Bound::Compute})
        if (boundName(b) == text)
            return b;
    return std::nullopt;
}

std::string_view stateName(RunRecord::State state)
{
    switch (state) {
    case RunRecord::State::Running:
        return "running";
    case RunRecord::State::Done:
        return "done";
    case RunRecord::State::Cancelled:
        return "cancelled";
    case RunRecord::State::Failed:
        return "failed";
    case RunRecord::State::Interrupted:
        return "interrupted";
    }
    return {};
}

std::optional<RunRecord::State> parseState(std::string_view text)
{
    using State = RunRecord::State;
    for (const State s : {State::Running, State::Done, State::Cancelled, State::Failed, State::Interrupted})
        if (stateName(s) == text)
            return s;
    return std::nullopt;
}

json toValue(const ModelShape &s)
{
    json sliding = json::array();
    for (const bool layer : s.slidingLayers)
        sliding.push_back(layer);
    return {{"id", s.id},
            {"name", s.name},
            {"architecture", s.architecture},
            {"family", familyName(s.family)},
            {"layers", s.layers},
            {"hidden", s.hidden},
            {"heads", s.heads},
            {"kv_heads", s.kvHeads},
            {"head_dim", s.headDim},
            {"ffn", s.ffn},
            {"vocab", s.vocab},
            {"max_positions", s.maxPositions},
            {"tied_embeddings", s.tiedEmbeddings},
            {"qkv_bias", s.qkvBias},
            {"output_bias", s.outputBias},
            {"mlp_bias", s.mlpBias},
            {"qk_norm", s.qkNorm},
            {"norms_per_layer", s.normsPerLayer},
            {"norm_plus_one", s.normPlusOne},
            {"activation", activationName(s.activation)},
            {"embedding_scale", number(s.embeddingScale)},
            {"query_scalar", number(s.queryScalar)},
            {"sliding_window", s.slidingWindow},
            {"sliding_layers", std::move(sliding)},
            {"rms_norm_eps", number(s.rmsNormEps)},
            {"rope_theta", number(s.ropeTheta)},
            {"rope_local_theta", number(s.ropeLocalTheta)},
            {"rope_scaling_type", s.ropeScalingType},
            {"rope_scaling_factor", number(s.ropeScalingFactor)},
            {"rope_low_freq_factor", number(s.ropeLowFreqFactor)},
            {"rope_high_freq_factor", number(s.ropeHighFreqFactor)},
            {"rope_original_max_positions", s.ropeOriginalMaxPositions},
            {"bos_token", s.bosToken},
            {"eos_tokens", s.eosTokens}};
}

ModelShape readShape(const Node &n)
{
    ModelShape s;
    s.id = n.at("id").text();
    s.name = n.at("name").text();
    s.architecture = n.at("architecture").text();
    s.family = n.at("family").name(parseFamily);
    s.layers = n.at("layers").integer(0, 100'000);
    s.hidden = n.at("hidden").integer(0, maxElementCount); // as in a config.json
    s.heads = n.at("heads").integer(0, maxElementCount);
    s.kvHeads = n.at("kv_heads").integer(0, maxElementCount);
    s.headDim = n.at("head_dim").integer(0, maxElementCount);
    s.ffn = n.at("ffn").integer(0, maxElementCount);
    s.vocab = n.at("vocab").integer(0, maxElementCount);
    // Sessions written before Gemma 3 could be run lack what is fixed in its family.
    applyFamily(s, s.family);
    n.optional("norm_plus_one", [&](const Node &v) { s.normPlusOne = v.boolean(); });
    n.optional("activation", [&](const Node &v) { s.activation = v.name(parseActivation); });
    n.optional("embedding_scale", [&](const Node &v) { s.embeddingScale = v.number(); });
    n.optional("query_scalar", [&](const Node &v) { s.queryScalar = v.number(); });
    n.optional("rope_local_theta", [&](const Node &v) { s.ropeLocalTheta = v.number(); });
    s.maxPositions = n.at("max_positions").integer(0, kMaxCount);
    s.tiedEmbeddings = n.at("tied_embeddings").boolean();
    s.qkvBias = n.at("qkv_bias").boolean();
    s.outputBias = n.at("output_bias").boolean();
    s.mlpBias = n.at("mlp_bias").boolean();
    s.qkNorm = n.at("qk_norm").boolean();
    s.normsPerLayer = static_cast<int>(n.at("norms_per_layer").integer(0, 100));
    s.slidingWindow = n.at("sliding_window").integer(0, kMaxCount);
    const Node sliding = n.at("sliding_layers");
    for (std::size_t i = 0; i < sliding.size(); ++i)
        s.slidingLayers.push_back(sliding.element(i).boolean());
    if (!s.slidingLayers.empty() && s.slidingLayers.size() != static_cast<std::size_t>(s.layers))
        sliding.fail(fmt::format("has {} entries where the model has {} layers", s.slidingLayers.size(), s.layers));
    s.rmsNormEps = n.at("rms_norm_eps").number();
    s.ropeTheta = n.at("rope_theta").number();
    s.ropeScalingType = n.at("rope_scaling_type").text();
    s.ropeScalingFactor = n.at("rope_scaling_factor").number();
    s.ropeLowFreqFactor = n.at("rope_low_freq_factor").number();
    s.ropeHighFreqFactor = n.at("rope_high_freq_factor").number();
    s.ropeOriginalMaxPositions = n.at("rope_original_max_positions").integer(0, kMaxCount);
    s.bosToken = n.at("bos_token").integer(-kMaxInt, maxElementCount);
    s.eosTokens = readIntegers(n.at("eos_tokens"), -kMaxInt, maxElementCount);
    if (s.layers > 0) { // none: the run has no model that is known
        try {
            countParameters(s);
        } catch (const Error &error) {
            n.fail(fmt::format("does not hold together ({})", error.what()));
        }
    }
    return s;
}

json toValue(const Ceilings &c)
{
    return {{"bandwidth", number(c.bandwidth)},
            {"flops", number(c.flops)},
            {"overhead", number(c.overhead)},
            {"memory", number(c.memory)}};
}

Ceilings readCeilings(const Node &n)
{
    return {n.at("bandwidth").number(), n.at("flops").number(), n.at("overhead").number(), n.at("memory").number()};
}

json toValue(const MeasuredCeilings &c)
{
    json matmul = json::object();
    for (const auto &[dtype, rate] : c.matmulFlops)
        matmul[std::string(dtypeName(dtype))] = number(rate);
    json value{{"matmul_flops", std::move(matmul)},
               {"overhead_shape", c.overheadShape},
               {"overhead_layers", c.overheadLayers},
               {"threads", c.threads},
               {"date_utc", c.dateUtc}};
    if (c.readBandwidth)
        value["read_bandwidth"] = number(*c.readBandwidth);
    if (c.copyBandwidth)
        value["copy_bandwidth"] = number(*c.copyBandwidth);
    if (c.stepOverhead)
        value["step_overhead_s"] = number(*c.stepOverhead);
    if (c.launchOverhead)
        value["launch_overhead_s"] = number(*c.launchOverhead);
    if (c.graphStepOverhead)
        value["graph_step_overhead_s"] = number(*c.graphStepOverhead);
    if (c.graphNodeOverhead)
        value["graph_node_overhead_s"] = number(*c.graphNodeOverhead);
    if (c.timings) {
        json steps = json::array(), prefills = json::array();
        for (const StepTiming &t : c.timings->steps)
            steps.push_back(json::array({number(t.batch), number(t.context), number(t.seconds)}));
        for (const PrefillTiming &t : c.timings->prefills)
            prefills.push_back(json::array({number(t.batch), number(t.prompt), number(t.seconds)}));
        value["timings"] = json{{"shape", c.timings->shape},
                                {"dtype", dtypeName(c.timings->dtype)},
                                {"graph", isReplayed(c.timings->mode)},
                                {"steps_batch_context_s", std::move(steps)},
                                {"prefills_batch_prompt_s", std::move(prefills)}};
        if (c.timings->mode == DecodeMode::Fused) // which "graph" alone does not say
            value["timings"]["mode"] = modeName(c.timings->mode);
    }
    putText(value, "device_name", c.deviceName);
    putText(value, "device_hash", c.deviceHash);
    putText(value, "driver", c.driver);
    putText(value, "clocks", c.clocks);
    return value;
}

MeasuredCeilings readMeasured(const Node &n)
{
    MeasuredCeilings c;
    const auto read = [&](const char *key, std::optional<double> &to) {
        n.optional(key, [&](const Node &v) { to = v.number(); });
    };
    n.optional("read_bandwidth", [&](const Node &v) { c.readBandwidth = v.positive(); });
    n.optional("copy_bandwidth", [&](const Node &v) { c.copyBandwidth = v.positive(); });
    read("step_overhead_s", c.stepOverhead);
    read("launch_overhead_s", c.launchOverhead);
    read("graph_step_overhead_s", c.graphStepOverhead);
    read("graph_node_overhead_s", c.graphNodeOverhead);
    n.optional("timings", [&](const Node &v) {
        ShapeTimings timings;
        timings.shape = v.at("shape").text();
        timings.dtype = v.at("dtype").name(parseDType);
        timings.mode = v.at("graph").boolean() ? DecodeMode::Graph : DecodeMode::Eager;
        v.optional("mode", [&](const Node &mode) { timings.mode = mode.name(parseMode); });
        const auto triples = [&](const char *key, auto add) {
            const Node list = v.at(key);
            for (std::size_t i = 0; i < list.size(); ++i) {
                const Node triple = list.element(i);
                if (triple.size() != 3)
                    triple.fail("must hold three numbers");
                add(triple.element(0).number(), triple.element(1).number(), triple.element(2).number());
            }
        };
        triples("steps_batch_context_s",
                [&](double b, double context, double s) { timings.steps.push_back({b, context, s}); });
        triples("prefills_batch_prompt_s",
                [&](double b, double prompt, double s) { timings.prefills.push_back({b, prompt, s}); });
        c.timings = std::move(timings);
    });
    c.deviceName = n.textAt("device_name");
    c.deviceHash = n.textAt("device_hash");
    c.driver = n.textAt("driver");
    c.clocks = n.textAt("clocks");
    const Node matmul = n.at("matmul_flops");
    if (!matmul.value().is_object())
        matmul.fail("must be an object");
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
        const std::string key(dtypeName(dtype));
        matmul.optional(key.c_str(), [&](const Node &v) { c.matmulFlops[dtype] = v.positive(); });
    }
    c.overheadShape = n.at("overhead_shape").text();
    c.overheadLayers = n.at("overhead_layers").integer(0, 100'000);
    c.threads = static_cast<int>(n.at("threads").integer(0, kMaxInt));
    c.dateUtc = n.at("date_utc").text();
    return c;
}

json toValue(const StepPrediction &p)
{
    return {{"batch", number(p.batch)},
            {"context", number(p.context)},
            {"bytes", number(p.bytes)},
            {"flop", number(p.flop)},
            {"intensity", number(p.intensity)},
            {"memory_s", number(p.memorySeconds)},
            {"compute_s", number(p.computeSeconds)},
            {"overhead_s", number(p.overheadSeconds)},
            {"step_s", number(p.stepSeconds)},
            {"tokens_per_s", number(p.tokensPerSecond)},
            {"bound", boundName(p.bound)}};
}

StepPrediction readPrediction(const Node &n)
{
    StepPrediction p;
    p.batch = n.at("batch").number();
    p.context = n.at("context").number();
    p.bytes = n.at("bytes").number();
    p.flop = n.at("flop").number();
    p.intensity = n.at("intensity").number();
    p.memorySeconds = n.at("memory_s").number();
    p.computeSeconds = n.at("compute_s").number();
    p.overheadSeconds = n.at("overhead_s").number();
    p.stepSeconds = n.at("step_s").number();
    p.tokensPerSecond = n.at("tokens_per_s").number();
    p.bound = n.at("bound").name(parseBound);
    return p;
}

json toValue(const PrefillPrediction &p)
{
    return {{"prompt", number(p.prompt)},
            {"batch", number(p.batch)},
            {"flop", number(p.flop)},
            {"bytes", number(p.bytes)},
            {"intensity", number(p.intensity)},
            {"memory_s", number(p.memorySeconds)},
            {"compute_s", number(p.computeSeconds)},
            {"floor_s", number(p.floorSeconds)},
            {"bound", boundName(p.bound)}};
}

PrefillPrediction readPrefill(const Node &n)
{
    PrefillPrediction p;
    p.prompt = n.at("prompt").number();
    p.batch = n.at("batch").number();
    p.flop = n.at("flop").number();
    p.bytes = n.at("bytes").number();
    p.intensity = n.at("intensity").number();
    p.memorySeconds = n.at("memory_s").number();
    p.computeSeconds = n.at("compute_s").number();
    p.floorSeconds = n.at("floor_s").number();
    p.bound = n.at("bound").name(parseBound);
    return p;
}

json toValue(const PointForecast &f)
{
    json value{{"floor_nominal", toValue(f.floorNominal)}};
    if (f.floorMeasured)
        value["floor_measured"] = toValue(*f.floorMeasured);
    if (f.predicted)
        value["predicted"] = toValue(*f.predicted);
    return value;
}

PointForecast readForecast(const Node &n)
{
    PointForecast f;
    f.floorNominal = readPrediction(n.at("floor_nominal"));
    n.optional("floor_measured", [&](const Node &v) { f.floorMeasured = readPrediction(v); });
    n.optional("predicted", [&](const Node &v) { f.predicted = readPrediction(v); });
    return f;
}

json toValue(const RunRecord &run)
{
    json points = json::array();
    for (const SweepPoint &point : run.points)
        points.push_back(detail::toValue(point));
    json value{{"plan", detail::toValue(run.plan)},
               {"provenance", detail::toValue(run.provenance)},
               {"points", std::move(points)},
               {"state", stateName(run.state)},
               {"sentence", run.sentence}};
    if (run.calibration)
        value["calibration"] = detail::toValue(*run.calibration);
    if (run.ttft)
        value["ttft"] = detail::toValue(*run.ttft);
    if (run.anatomy)
        value["anatomy"] = detail::toValue(*run.anatomy);
    if (!run.line.empty()) {
        json rows = json::array();
        for (const LineRow &row : run.line)
            rows.push_back(detail::toValue(row));
        value["line"] = std::move(rows);
    }
    return value;
}

RunRecord readRun(const Node &n)
{
    RunRecord run;
    run.plan = readPlan(n.at("plan"));
    run.provenance = readProvenance(n.at("provenance"));
    n.optional("calibration", [&](const Node &v) { run.calibration = readCalibration(v); });
    n.optional("ttft", [&](const Node &v) { run.ttft = readTtft(v); });
    n.optional("anatomy", [&](const Node &v) { run.anatomy = readAnatomy(v); });
    const Node points = n.at("points");
    run.points.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        run.points.push_back(readPoint(points.element(i)));
    n.optional("line", [&](const Node &rows) {
        run.line.reserve(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            run.line.push_back(readLineRow(rows.element(i)));
    });
    run.state = n.at("state").name(parseState);
    run.sentence = n.textAt("sentence");
    return run;
}

} // namespace

std::string dump(const json &value)
{
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string Node::path() const
{
    if (!m_parent)
        return {};
    const std::string above = m_parent->path();
    if (!m_key)
        return fmt::format("{}[{}]", above, m_index);
    const std::string key = shortened(m_key, 60); // of the file's own, within "extra"
    return above.empty() ? key : above + "." + key;
}

void Node::fail(const std::string &problem) const
{
    const std::string where = path();
    throw Error(ErrorKind::Failure, // no control character of the file reaches a terminal
                shortened(fmt::format("{} cannot be used: {} {}. It is damaged or was edited; use an undamaged copy.", *m_what,
                                      where.empty() ? "the file" : "the field '" + where + "'", problem),
                          2000));
}

const json *Node::find(const char *key) const
{
    if (!m_value.is_object())
        fail(fmt::format("must be an object, not {}", m_value.type_name()));
    const auto found = m_value.find(key);
    return found == m_value.end() ? nullptr : &*found;
}

Node Node::at(const char *key) const
{
    static const json missing(json::value_t::discarded);
    const json *field = find(key);
    const Node node(field ? *field : missing, *this, key);
    if (!field)
        node.fail("is missing");
    return node;
}

std::size_t Node::size() const
{
    if (!m_value.is_array())
        fail(fmt::format("must be an array, not {}", m_value.type_name()));
    return m_value.size();
}

Node Node::element(std::size_t index) const
{
    Node node(m_value[index], *this, nullptr);
    node.m_index = index;
    return node;
}

std::string Node::text() const
{
    if (!m_value.is_string())
        fail(fmt::format("must be text, not {}", m_value.type_name()));
    return m_value.get<std::string>();
}

std::int64_t Node::integer(std::int64_t low, std::int64_t high) const
{
    if (!m_value.is_number_integer())
        fail(fmt::format("must be a whole number, not {}", m_value.is_number() ? "a fraction" : m_value.type_name()));
    const bool beyond = m_value.is_number_unsigned() && m_value.get<std::uint64_t>() > std::uint64_t(INT64_MAX);
    const std::int64_t value = beyond ? INT64_MAX : m_value.get<std::int64_t>();
    if (beyond || value < low || value > high)
        fail(fmt::format("is {}, outside {} to {}", m_value.dump(), low, high));
    return value;
}

std::uint64_t Node::unsignedInteger() const
{
    if (!m_value.is_number_unsigned())
        fail("must be a whole number that is not negative");
    return m_value.get<std::uint64_t>();
}

double Node::number() const
{
    const double value = signedNumber();
    if (value < 0)
        fail(fmt::format("is {}, and below zero", m_value.dump()));
    return value;
}

double Node::signedNumber() const
{
    if (m_value.is_null())
        return kMissing;
    if (!m_value.is_number())
        fail(fmt::format("must be a number or null, not {}", m_value.type_name()));
    const double value = m_value.get<double>();
    const Node *named = this;
    while (!named->m_key && named->m_parent)
        named = named->m_parent;
    const bool time = named->m_key && std::string_view(named->m_key).ends_with("_s");
    if (std::abs(value) > (time ? kMostSeconds : kMostOfAnything))
        fail(fmt::format("is {}, more than anything that can be measured", m_value.dump()));
    return value;
}

double Node::positive() const
{
    const double value = number();
    if (value == 0)
        fail("is 0; what was measured is above zero, and null stands for what was not");
    return value;
}

double Node::told() const
{
    if (m_value.is_null())
        fail("is null where a number must stand");
    return number();
}

bool Node::boolean() const
{
    if (!m_value.is_boolean())
        fail(fmt::format("must be true or false, not {}", m_value.type_name()));
    return m_value.get<bool>();
}

double Node::numberAt(const char *key) const
{
    double value = kMissing;
    optional(key, [&](const Node &n) { value = n.number(); });
    return value;
}

std::string Node::textAt(const char *key) const
{
    std::string value;
    optional(key, [&](const Node &n) { value = n.text(); });
    return value;
}

json toValue(const RunPlan &p)
{
    json methods = json::array();
    for (const TtftMethod m : p.methods)
        methods.push_back(static_cast<int>(m));
    json value{{"run_id", p.runId},
               {"experiment", experimentName(p.experiment)},
               {"device", p.device},
               {"model", {{"shape", toValue(p.model.shape)}, {"folder", p.model.folder.string()}}},
               {"dtype", dtypeName(p.dtype)},
               {"mode", modeName(p.mode)},
               {"prompts", p.prompts},
               {"batches", p.batches},
               {"new_tokens", p.newTokens},
               {"warmup", p.warmup},
               {"steps", p.steps},
               {"repeats", p.repeats},
               {"methods", std::move(methods)},
               {"prompt_text", p.promptText},
               {"threads", p.threads},
               {"seed", p.seed},
               {"memory_limit_bytes", number(p.memoryLimitBytes)},
               {"try_beyond_capacity", p.tryBeyondCapacity},
               {"telemetry", p.telemetry},
               {"nominal", toValue(p.nominal)},
               {"hardware_id", p.hardwareId}};
    if (p.measured)
        value["measured"] = toValue(*p.measured);
    // Of a line alone, so that the plans of other runs keep their bytes.
    if (!p.models.empty()) {
        json models = json::array();
        for (const ModelSource &model : p.models)
            models.push_back({{"shape", toValue(model.shape)}, {"folder", model.folder.string()}});
        value["models"] = std::move(models);
    }
    if (!p.dtypes.empty()) {
        json dtypes = json::array();
        for (const DType dtype : p.dtypes)
            dtypes.push_back(dtypeName(dtype));
        value["dtypes"] = std::move(dtypes);
    }
    if (!p.expectation.empty()) {
        json expected = json::object();
        const auto put = [&](const char *key, const std::optional<double> &figure) {
            if (figure)
                expected[key] = number(*figure);
        };
        put("tpot_s", p.expectation.tpotSeconds);
        put("ratio", p.expectation.ratio);
        put("first_departure_batch", p.expectation.firstDeparture);
        value["expectation"] = std::move(expected);
    }
    if (!p.nominalFlops.empty()) {
        json rates = json::object();
        for (const auto &[dtype, rate] : p.nominalFlops)
            rates[std::string(dtypeName(dtype))] = number(rate);
        value["nominal_flops"] = std::move(rates);
    }
    return value;
}

RunPlan readPlan(const Node &n)
{
    RunPlan p;
    p.runId = n.at("run_id").text();
    p.experiment = n.at("experiment").name(parseExperiment);
    p.device = n.at("device").text();
    const Node model = n.at("model");
    p.model.shape = readShape(model.at("shape"));
    p.model.folder = model.at("folder").text();
    p.dtype = n.at("dtype").name(parseDType);
    p.mode = n.at("mode").name(parseMode);
    p.prompts = readIntegers(n.at("prompts"), 0, kMaxCount);
    p.batches = readIntegers(n.at("batches"), 0, kMaxCount);
    p.newTokens = n.at("new_tokens").integer(0, kMaxCount);
    p.warmup = static_cast<int>(n.at("warmup").integer(0, kMaxInt));
    p.steps = static_cast<int>(n.at("steps").integer(0, kMaxInt));
    p.repeats = static_cast<int>(n.at("repeats").integer(0, kMaxInt));
    p.methods.clear();
    const Node methods = n.at("methods");
    for (std::size_t i = 0; i < methods.size(); ++i)
        p.methods.push_back(static_cast<TtftMethod>(methods.element(i).integer(1, 3)));
    p.promptText = n.at("prompt_text").text();
    p.threads = static_cast<int>(n.at("threads").integer(0, kMaxInt));
    p.seed = n.at("seed").unsignedInteger();
    p.memoryLimitBytes = n.at("memory_limit_bytes").number();
    p.tryBeyondCapacity = n.at("try_beyond_capacity").boolean();
    n.optional("telemetry", [&](const Node &v) { p.telemetry = v.boolean(); });
    p.nominal = readCeilings(n.at("nominal"));
    p.hardwareId = n.at("hardware_id").text();
    n.optional("measured", [&](const Node &v) { p.measured = readMeasured(v); });
    n.optional("models", [&](const Node &models) {
        for (std::size_t i = 0; i < models.size(); ++i) {
            const Node source = models.element(i);
            p.models.push_back({readShape(source.at("shape")), source.at("folder").text()});
        }
    });
    n.optional("dtypes", [&](const Node &dtypes) {
        for (std::size_t i = 0; i < dtypes.size(); ++i)
            p.dtypes.push_back(dtypes.element(i).name(parseDType));
    });
    n.optional("expectation", [&](const Node &expected) {
        const auto read = [&](const char *key, std::optional<double> &to) {
            expected.optional(key, [&](const Node &v) { to = v.number(); });
        };
        read("tpot_s", p.expectation.tpotSeconds);
        read("ratio", p.expectation.ratio);
        read("first_departure_batch", p.expectation.firstDeparture);
    });
    n.optional("nominal_flops", [&](const Node &rates) {
        if (!rates.value().is_object())
            rates.fail("must be an object");
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
            const std::string key(dtypeName(dtype));
            rates.optional(key.c_str(), [&](const Node &v) { p.nominalFlops[dtype] = v.number(); });
        }
    });
    return p;
}

json toValue(const Provenance &p)
{
    json extra = json::object();
    for (const auto &[key, text] : p.extra)
        extra[key] = text;
    json value{{"device_id", p.deviceId},
            {"device_name", p.deviceName},
            {"device_memory_bytes", number(p.deviceMemoryBytes)},
            {"last_level_cache_bytes", number(p.lastLevelCacheBytes)},
            {"threads", p.threads},
            {"thread_note", p.threadNote},
            {"engine_version", p.engineVersion},
            {"program_version", p.programVersion},
            {"git_commit", p.gitCommit},
            {"host_cpu", p.hostCpu},
            {"host_os", p.hostOs},
            {"command_line", p.commandLine},
            {"started_utc", p.startedUtc},
            {"extra", std::move(extra)}};
    if (std::isfinite(p.usableBytes)) {
        value["usable_bytes"] = number(p.usableBytes);
        value["workspace"] = json{{"rows_at_once", p.workspace.rowsAtOnce},
                                  {"keeps_step_buffers", p.workspace.keepsStepBuffers},
                                  {"library_bytes", number(p.workspace.libraryBytes)}};
    }
    if (p.imported) {
        json imported{{"tool", p.imported->tool}, {"file", p.imported->file}, {"notes", p.imported->notes}};
        putText(imported, "model", p.imported->model);
        putText(imported, "dtype", p.imported->dtype);
        if (std::isfinite(p.imported->weightBytes))
            imported["weight_bytes"] = number(p.imported->weightBytes);
        if (std::isfinite(p.imported->kvBytesPerToken))
            imported["kv_bytes_per_token"] = number(p.imported->kvBytesPerToken);
        value["imported"] = std::move(imported);
    }
    return value;
}

Provenance readProvenance(const Node &n)
{
    Provenance p;
    p.deviceId = n.textAt("device_id");
    p.deviceName = n.textAt("device_name");
    p.deviceMemoryBytes = n.numberAt("device_memory_bytes");
    p.lastLevelCacheBytes = n.numberAt("last_level_cache_bytes");
    n.optional("threads", [&](const Node &v) { p.threads = static_cast<int>(v.integer(0, kMaxInt)); });
    p.threadNote = n.textAt("thread_note");
    p.engineVersion = n.textAt("engine_version");
    p.programVersion = n.textAt("program_version");
    p.gitCommit = n.textAt("git_commit");
    p.hostCpu = n.textAt("host_cpu");
    p.hostOs = n.textAt("host_os");
    p.commandLine = n.textAt("command_line");
    p.startedUtc = n.textAt("started_utc");
    p.usableBytes = n.numberAt("usable_bytes");
    n.optional("workspace", [&](const Node &w) {
        p.workspace.rowsAtOnce = w.at("rows_at_once").integer(1, kMaxCount);
        p.workspace.keepsStepBuffers = w.at("keeps_step_buffers").boolean();
        p.workspace.libraryBytes = w.at("library_bytes").number();
    });
    n.optional("imported", [&](const Node &v) {
        ImportSource source;
        source.tool = v.at("tool").text();
        source.file = v.textAt("file");
        source.model = v.textAt("model");
        source.dtype = v.textAt("dtype");
        v.optional("notes", [&](const Node &notes) {
            for (std::size_t i = 0; i < notes.size(); ++i)
                source.notes.push_back(notes.element(i).text());
        });
        source.weightBytes = v.numberAt("weight_bytes");
        source.kvBytesPerToken = v.numberAt("kv_bytes_per_token");
        p.imported = std::move(source);
    });
    n.optional("extra", [&](const Node &extra) {
        if (!extra.value().is_object())
            extra.fail("must be an object");
        for (const auto &item : extra.value().items())
            p.extra[item.key()] = extra.at(item.key().c_str()).text();
    });
    return p;
}

json toValue(const StepAnatomy &a)
{
    // Names repeat hundreds of times: a table of them, and a row of figures a kernel.
    std::vector<std::string> names;
    std::map<std::string, std::size_t> indexOf;
    json kernels = json::array(), parts = json::array();
    for (const TracedKernel &k : a.kernels) {
        const auto [at, added] = indexOf.emplace(k.name, names.size());
        if (added)
            names.push_back(k.name);
        kernels.push_back(json::array({at->second, number(k.startSeconds), number(k.seconds), k.stream,
                                       static_cast<int>(k.part), k.layer}));
    }
    json partNames = json::array();
    for (int part = 0; part <= static_cast<int>(StepPart::Other); ++part)
        partNames.push_back(stepPartName(static_cast<StepPart>(part)));
    for (const PartTiming &p : a.parts)
        parts.push_back(json{{"part", stepPartName(p.part)},
                             {"part_s", number(p.seconds)},
                             {"bytes", number(p.bytes)},
                             {"flop", number(p.flop)}});
    json value{{"run_id", a.runId},
               {"mode", modeName(a.mode)},
               {"batch", number(a.batch)},
               {"context", number(a.context)},
               {"untraced_s", number(a.untracedSeconds)},
               {"traced_s", number(a.tracedSeconds)},
               {"busy_s", number(a.busySeconds)},
               {"wall_s", number(a.wallSeconds)},
               {"tracer", a.tracer},
               {"note", a.note},
               {"parts_by", a.partsBy},
               {"parts", std::move(parts)},
               {"part_names", std::move(partNames)},
               {"kernel_names", names},
               {"kernels_name_start_duration_stream_part_layer", std::move(kernels)}};
    return value;
}

/// What the figures of a trace say of one another, which the program that wrote them computed from the kernels.
void checkTrace(const Node &n, const StepAnatomy &a, const Node &kernels)
{
    const auto differ = [](double x, double y) { return std::abs(x - y) > 1e-6 * std::max(x, y) + 1e-9; };
    if (a.kernels.empty()) {
        for (const char *key : {"traced_s", "busy_s"})
            if (std::isfinite(n.at(key).number()))
                n.at(key).fail("has a value, but there is no kernel that was traced");
        return;
    }
    double end = 0;
    for (std::size_t i = 0; i < a.kernels.size(); ++i) {
        if (i > 0 && a.kernels[i].startSeconds < a.kernels[i - 1].startSeconds)
            kernels.element(i).fail("begins before the one ahead of it; kernels stand in the order in which they began");
        end = std::max(end, a.kernels[i].startSeconds + a.kernels[i].seconds);
    }
    const double length = end - a.kernels.front().startSeconds, busy = busyUnion(a.kernels);
    if (!std::isfinite(a.tracedSeconds) || differ(a.tracedSeconds, length))
        n.at("traced_s").fail(fmt::format("is {}, but from the first kernel's start to the last one's end it is {} s", n.at("traced_s").value().dump(), length));
    if (!std::isfinite(a.busySeconds) || differ(a.busySeconds, busy))
        n.at("busy_s").fail(fmt::format("is {}, but the kernels are busy for {} s", n.at("busy_s").value().dump(), busy));
}

StepAnatomy readAnatomy(const Node &n)
{
    StepAnatomy a;
    a.runId = n.textAt("run_id");
    a.mode = n.at("mode").name(parseMode);
    a.batch = n.at("batch").told();
    if (a.batch < 1)
        n.at("batch").fail(fmt::format("is {}; a step has one sequence at least", n.at("batch").value().dump()));
    a.context = n.at("context").told();
    a.untracedSeconds = n.at("untraced_s").positive();
    a.tracedSeconds = n.at("traced_s").positive();
    a.busySeconds = n.at("busy_s").positive();
    a.wallSeconds = n.at("wall_s").positive();
    a.tracer = n.textAt("tracer");
    a.note = n.textAt("note");
    a.partsBy = n.textAt("parts_by");
    const Node parts = n.at("parts");
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Node p = parts.element(i);
        a.parts.push_back({p.at("part").name(parseStepPart), p.at("part_s").told(), p.at("bytes").number(),
                           p.at("flop").number()});
        for (std::size_t before = 0; before < i; ++before)
            if (a.parts[before].part == a.parts[i].part)
                p.at("part").fail(fmt::format("names '{}', which stands there already", stepPartName(a.parts[i].part)));
    }
    std::vector<std::string> names;
    const Node nameList = n.at("kernel_names");
    for (std::size_t i = 0; i < nameList.size(); ++i)
        names.push_back(nameList.element(i).text());
    std::vector<StepPart> partOf; // by the file's own numbering: a later program may have more parts
    const Node partNames = n.at("part_names");
    for (std::size_t i = 0; i < partNames.size(); ++i)
        partOf.push_back(partNames.element(i).name(parseStepPart));
    const Node kernels = n.at("kernels_name_start_duration_stream_part_layer");
    a.kernels.reserve(kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const Node row = kernels.element(i);
        if (row.size() != 6)
            row.fail("must hold six figures");
        if (names.empty() || partOf.empty())
            row.fail("has no list of names to refer to");
        TracedKernel k;
        k.name = names[std::size_t(row.element(0).integer(0, std::int64_t(names.size()) - 1))];
        k.startSeconds = row.element(1).told();
        k.seconds = row.element(2).told();
        k.stream = static_cast<int>(row.element(3).integer(0, kMaxInt));
        k.part = partOf[std::size_t(row.element(4).integer(0, std::int64_t(partOf.size()) - 1))];
        k.layer = static_cast<int>(row.element(5).integer(-1, 100'000));
        a.kernels.push_back(std::move(k));
    }
    checkTrace(n, a, kernels);
    return a;
}

json toValue(const SweepPoint &p)
{
    json value{{"run_id", p.runId},
               {"index", p.index},
               {"batch", p.batch},
               {"prompt", p.prompt},
               {"context", number(p.context)},
               {"mode", modeName(p.mode)},
               {"status", statusName(p.status)},
               {"reason", p.reason},
               {"steps", stepsValue(p.steps)},
               {"step_s", number(p.stepSeconds)},
               {"p10_s", number(p.p10Seconds)},
               {"p90_s", number(p.p90Seconds)},
               {"min_s", number(p.minSeconds)},
               {"max_s", number(p.maxSeconds)},
               {"peak_bytes", number(p.peakBytes)},
               {"kv_bytes", number(p.kvBytes)},
               {"prefill_s", number(p.prefillSeconds)},
               {"forecast", toValue(p.forecast)}};
    if (std::isfinite(p.deviceUsedBytes))
        value["device_used_bytes"] = number(p.deviceUsedBytes);
    if (std::isfinite(p.backToBackSeconds))
        value["back_to_back_s"] = number(p.backToBackSeconds);
    if (p.backToBackSteps > 0)
        value["back_to_back_steps"] = p.backToBackSteps;
    putText(value, "attention", p.attention);
    if (p.graphNodes > 0)
        value["graph_nodes"] = p.graphNodes;
    return value;
}

SweepPoint readPoint(const Node &n)
{
    SweepPoint p;
    p.runId = n.at("run_id").text();
    p.index = static_cast<int>(n.at("index").integer(0, kMaxInt));
    p.batch = n.at("batch").integer(1, kMaxCount);
    p.prompt = n.at("prompt").integer(0, kMaxCount);
    p.context = n.at("context").number();
    p.mode = n.at("mode").name(parseMode);
    p.status = n.at("status").name(parseStatus);
    p.reason = n.at("reason").text();
    p.steps = readSteps(n.at("steps"));
    p.stepSeconds = n.at("step_s").positive();
    p.p10Seconds = n.at("p10_s").number();
    p.p90Seconds = n.at("p90_s").number();
    p.minSeconds = n.at("min_s").number();
    p.maxSeconds = n.at("max_s").number();
    p.peakBytes = n.at("peak_bytes").number();
    p.kvBytes = n.at("kv_bytes").number();
    p.prefillSeconds = n.at("prefill_s").number();
    p.deviceUsedBytes = n.numberAt("device_used_bytes");
    p.backToBackSeconds = n.numberAt("back_to_back_s");
    n.optional("back_to_back_steps",
               [&](const Node &v) { p.backToBackSteps = static_cast<int>(v.integer(0, kMaxInt)); });
    p.attention = n.textAt("attention");
    n.optional("graph_nodes", [&](const Node &v) { p.graphNodes = v.integer(0, kMaxCount); });
    p.forecast = readForecast(n.at("forecast"));
    return p;
}

json toValue(const TtftResult &r)
{
    json methods = json::array();
    for (const TtftMethodResult &m : r.methods)
        methods.push_back({{"method", static_cast<int>(m.method)},
                           {"ttft_s", number(m.ttftSeconds)},
                           {"tpot_s", number(m.tpotSeconds)},
                           {"tpot_min_s", number(m.tpotMinSeconds)},
                           {"tpot_max_s", number(m.tpotMaxSeconds)},
                           {"ttft_samples_s", numbers(m.ttftSamples)},
                           {"tpot_samples_s", numbers(m.tpotSamples)},
                           {"steps", stepsValue(m.steps)}});
    return {{"run_id", r.runId},
            {"batch", r.batch},
            {"prompt", r.prompt},
            {"new_tokens", r.newTokens},
            {"methods", std::move(methods)},
            {"text", r.text},
            {"prompt_text", r.promptText},
            {"tokens", r.tokens},
            {"peak_bytes", number(r.peakBytes)},
            {"prefill_floor", toValue(r.prefillFloor)},
            {"ttft_forecast_s", number(r.ttftForecastSeconds)},
            {"forecast", toValue(r.forecast)}};
}

TtftResult readTtft(const Node &n)
{
    TtftResult r;
    r.runId = n.at("run_id").text();
    r.batch = n.at("batch").integer(1, kMaxCount);
    r.prompt = n.at("prompt").integer(0, kMaxCount);
    r.newTokens = n.at("new_tokens").integer(0, kMaxCount);
    const Node methods = n.at("methods");
    for (std::size_t i = 0; i < methods.size(); ++i) {
        const Node m = methods.element(i);
        TtftMethodResult result;
        result.method = static_cast<TtftMethod>(m.at("method").integer(1, 3));
        result.ttftSeconds = m.at("ttft_s").positive();
        const bool difference = result.method == TtftMethod::Subtraction; // of two totals: can be below zero
        result.tpotSeconds = difference ? m.at("tpot_s").signedNumber() : m.at("tpot_s").positive();
        result.tpotMinSeconds = m.at("tpot_min_s").number();
        result.tpotMaxSeconds = m.at("tpot_max_s").number();
        result.ttftSamples = readNumbers(m.at("ttft_samples_s"));
        result.tpotSamples = readNumbers(m.at("tpot_samples_s"), difference);
        result.steps = readSteps(m.at("steps"));
        r.methods.push_back(std::move(result));
    }
    r.text = n.at("text").text();
    r.promptText = n.at("prompt_text").text();
    r.tokens = readIntegers(n.at("tokens"), 0, kMaxCount);
    r.peakBytes = n.at("peak_bytes").number();
    r.prefillFloor = readPrefill(n.at("prefill_floor"));
    n.optional("ttft_forecast_s", [&](const Node &v) { r.ttftForecastSeconds = v.number(); });
    r.forecast = readForecast(n.at("forecast"));
    return r;
}

json toValue(const CalibrationResult &r)
{
    json samples = json::array();
    for (const CalibrationSample &s : r.samples)
        samples.push_back({{"what", s.what},
                           {"unit", s.unit},
                           {"value", number(s.value)},
                           {"median", number(s.median)},
                           {"spread", number(s.spread)}});
    return {{"run_id", r.runId}, {"ceilings", toValue(r.ceilings)}, {"samples", std::move(samples)}};
}

CalibrationResult readCalibration(const Node &n)
{
    CalibrationResult r;
    r.runId = n.at("run_id").text();
    r.ceilings = readMeasured(n.at("ceilings"));
    const Node samples = n.at("samples");
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Node s = samples.element(i);
        r.samples.push_back({s.at("what").text(), s.at("unit").text(), s.at("value").number(), s.at("median").number(),
                             s.at("spread").signedNumber()});
    }
    return r;
}

json toValue(const LineRow &r)
{
    json value{{"run_id", r.runId},
               {"index", r.index},
               {"model", r.model},
               {"name", r.name},
               {"family", r.family},
               {"dtype", r.dtype},
               {"weight_bytes", number(r.weightBytes)},
               {"resident_bytes", number(r.residentBytes)},
               {"prompt", r.prompt},
               {"new_tokens", r.newTokens},
               {"mode", modeName(r.mode)},
               {"device", r.device},
               {"status", statusName(r.status)},
               {"reason", r.reason},
               {"tpot_s", number(r.tpotSeconds)},
               {"tpot_min_s", number(r.tpotMinSeconds)},
               {"tpot_max_s", number(r.tpotMaxSeconds)},
               {"samples_s", numbers(r.samples)},
               {"steps", stepsValue(r.steps)},
               {"peak_bytes", number(r.peakBytes)},
               {"forecast", toValue(r.forecast)},
               {"imported", r.imported}};
    putText(value, "attention", r.attention);
    if (r.graphNodes > 0)
        value["graph_nodes"] = r.graphNodes;
    return value;
}

LineRow readLineRow(const Node &n)
{
    LineRow r;
    r.runId = n.at("run_id").text();
    r.index = static_cast<int>(n.at("index").integer(0, kMaxInt));
    r.model = n.at("model").text();
    r.name = n.textAt("name");
    r.family = n.textAt("family");
    r.dtype = n.at("dtype").text();
    r.weightBytes = n.at("weight_bytes").number();
    r.residentBytes = n.numberAt("resident_bytes");
    r.prompt = n.at("prompt").integer(0, kMaxCount);
    r.newTokens = n.at("new_tokens").integer(0, kMaxCount);
    r.mode = n.at("mode").name(parseMode);
    r.device = n.textAt("device");
    r.status = n.at("status").name(parseStatus);
    r.reason = n.textAt("reason");
    r.tpotSeconds = n.at("tpot_s").positive();
    r.tpotMinSeconds = n.numberAt("tpot_min_s");
    r.tpotMaxSeconds = n.numberAt("tpot_max_s");
    n.optional("samples_s", [&](const Node &v) { r.samples = readNumbers(v); });
    n.optional("steps", [&](const Node &v) { r.steps = readSteps(v); });
    r.peakBytes = n.numberAt("peak_bytes");
    r.attention = n.textAt("attention");
    n.optional("graph_nodes", [&](const Node &v) { r.graphNodes = v.integer(0, kMaxCount); });
    n.optional("forecast", [&](const Node &v) { r.forecast = readForecast(v); });
    n.optional("imported", [&](const Node &v) { r.imported = v.boolean(); });
    return r;
}

json toValue(const Session &session)
{
    json runs = json::array();
    for (const RunRecord &run : session.runs)
        runs.push_back(toValue(run));
    return {{"format", "ridgepoint-session"},    {"version", session.version}, {"id", session.id},
            {"created_utc", session.createdUtc}, {"title", session.title},     {"runs", std::move(runs)}};
}

Session readSession(const Node &n)
{
    if (n.at("format").text() != "ridgepoint-session")
        n.at("format").fail("does not say 'ridgepoint-session'");
    Session session;
    session.version = static_cast<int>(n.at("version").integer(1, kMaxInt));
    if (session.version > kSessionVersion)
        throw Error(ErrorKind::Failure,
                    fmt::format("{} has version {}: it was written by a newer Ridgepoint than this one, which reads up "
                                "to version {}. Update Ridgepoint to open it.",
                                n.what(), session.version, kSessionVersion));
    session.version = kSessionVersion; // what it is from now on: older versions are read into today's shape
    session.id = n.at("id").text();
    session.createdUtc = n.at("created_utc").text();
    session.title = n.at("title").text();
    const Node runs = n.at("runs");
    session.runs.reserve(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        session.runs.push_back(readRun(runs.element(i)));
    return session;
}

} // namespace ridgepoint::detail

namespace ridgepoint {

std::string toJson(const Session &session)
{
    return detail::dump(detail::toValue(session)) + "\n";
}

Session sessionFromJson(std::string_view text, const std::string &origin)
{
    const std::string what = "The session file '" + origin + "'";
    const nlohmann::json value = detail::parseBounded(text, what);
    return detail::readSession(detail::Node(value, what));
}

void saveSession(const Session &session, const std::filesystem::path &path)
{
    writeFileAtomically(path, toJson(session));
}

namespace {

constexpr std::size_t kMaxSessionBytes = 512'000'000; // a session of a million steps has about 100 MB

/// Before a large file of another kind is read.
void checkBeginning(std::string_view text, const std::string &origin)
{
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] == '{')
        return;
    throw Error(ErrorKind::Failure, fmt::format("The session file '{}' is no session of this program: those begin with '{{'. Open another file; "
                                                "results of other programs are imported (ridgepoint import).",
                                                origin));
}

} // namespace

Session loadSession(const std::filesystem::path &path)
{
    return sessionFromJson(readWholeFile(path, kMaxSessionBytes, [&](std::string_view text) { checkBeginning(text, path.string()); }),
                           path.string());
}

} // namespace ridgepoint
