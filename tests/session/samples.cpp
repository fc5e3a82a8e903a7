// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>

using namespace ridgepoint;

namespace samples {

ModelShape tinyLlama()
{
    ModelShape s;
    s.id = "tinyllama-1.1b";
    s.name = "TinyLlama 1.1B";
    s.architecture = "LlamaForCausalLM";
    s.layers = 22;
    s.hidden = 2048;
    s.heads = 32;
    s.kvHeads = 4;
    s.headDim = 64;
    s.ffn = 5632;
    s.vocab = 32000;
    s.maxPositions = 2048;
    s.bosToken = 1;
    s.eosTokens = {2};
    return s;
}

Ceilings published()
{
    return {270e9, 50e12, 8e-3, 16e9};
}

Workload publishedWorkload()
{
    WorkloadOverrides typed;
    typed.parameters = 1.1e9;
    typed.weightBytes = 2.2e9;
    typed.kvBytesPerToken = 22500;
    return makeWorkload(tinyLlama(), DType::F16, Accounting::Textbook, typed);
}

RunPlan sweepPlan()
{
    RunPlan plan;
    plan.runId = "run-sweep";
    plan.device = "cuda:0";
    plan.model.shape = tinyLlama();
    plan.dtype = DType::F16;
    plan.warmup = 2;
    plan.steps = 5;
    plan.nominal = {320e9, 65e12, 0, 16e9};
    plan.hardwareId = "t4";
    MeasuredCeilings measured;
    measured.readBandwidth = 270e9;
    measured.matmulFlops[DType::F16] = 50e12;
    measured.stepOverhead = 8e-3;
    measured.overheadShape = "tinyllama-1.1b";
    measured.overheadLayers = 22;
    measured.dateUtc = "2026-01-31T12:00:00Z";
    plan.measured = measured;
    return plan;
}

Provenance provenance()
{
    Provenance p;
    p.deviceId = "cuda:0";
    p.deviceName = "NVIDIA T4";
    p.deviceMemoryBytes = 16e9;
    p.threads = 2;
    p.threadNote = "as given";
    p.engineVersion = "engine 1.2.3";
    p.programVersion = "0.1.0";
    p.gitCommit = "abc1234";
    p.hostCpu = "a CPU";
    p.hostOs = "an OS";
    p.commandLine = "ridgepoint sweep --model tinyllama-1.1b";
    p.startedUtc = "2026-01-31T12:01:00Z";
    p.extra["driver"] = "550.1";
    return p;
}

SweepPoint point(int index, std::int64_t batch, std::int64_t prompt, double context)
{
    SweepPoint p;
    p.runId = "run-sweep";
    p.index = index;
    p.batch = batch;
    p.prompt = prompt;
    p.context = context;
    const Workload workload = publishedWorkload();
    Ceilings bare = published();
    bare.overhead = 0;
    p.forecast.predicted = predictStep(workload, published(), static_cast<double>(batch), context);
    p.forecast.floorMeasured = predictStep(workload, bare, static_cast<double>(batch), context);
    p.forecast.floorNominal = predictStep(workload, {320e9, 65e12, 0, 16e9}, static_cast<double>(batch), context);
    for (int i = 0; i < 5; ++i) {
        StepSample s;
        s.step = i;
        s.context = static_cast<std::int64_t>(context) + i;
        s.deviceSeconds = p.forecast.predicted->stepSeconds;
        s.wallSeconds = s.deviceSeconds + 1e-5;
        p.steps.push_back(s);
    }
    summariseSteps(p);
    p.peakBytes = 3e9;
    return p;
}

SweepPoint outOfMemory(int index, std::int64_t batch, std::int64_t prompt, double context)
{
    SweepPoint p = point(index, batch, prompt, context);
    p.status = PointStatus::OutOfMemory;
    p.reason = "needs 20.1 GB, the device has 16.0 GB";
    p.steps.clear();
    summariseSteps(p);
    p.peakBytes = kMissing;
    return p;
}

RunRecord sweepRun(bool lastOutOfMemory)
{
    RunRecord run;
    run.plan = sweepPlan();
    run.provenance = provenance();
    int index = 0;
    for (const std::int64_t context : {256, 2048})
        for (const std::int64_t batch : run.plan.batches) {
            const bool last = lastOutOfMemory && context == 2048 && batch == 128;
            run.points.push_back(last ? outOfMemory(index, batch, context, static_cast<double>(context))
                                      : point(index, batch, context, static_cast<double>(context)));
            ++index;
        }
    run.state = RunRecord::State::Done;
    return run;
}

RunRecord ttftRun()
{
    RunRecord run;
    run.plan = sweepPlan();
    run.plan.runId = "run-ttft";
    run.plan.experiment = Experiment::Ttft;
    run.plan.prompts = {200};
    run.plan.batches = {1};
    run.provenance = provenance();
    TtftResult t;
    t.runId = run.plan.runId;
    t.batch = 1;
    t.prompt = 200;
    t.newTokens = 64;
    int number = 1;
    for (const double tpot : {0.0170, 0.0165, 0.0160}) {
        TtftMethodResult m;
        m.method = static_cast<TtftMethod>(number++);
        m.ttftSeconds = 0.048;
        m.tpotSeconds = tpot;
        m.ttftSamples = {0.047, 0.048, 0.049};
        m.tpotSamples = {tpot, tpot, tpot};
        if (m.method != TtftMethod::Subtraction) {
            m.tpotMinSeconds = tpot * 0.9;
            m.tpotMaxSeconds = tpot * 1.5;
            for (int i = 0; i < 3; ++i) {
                StepSample s;
                s.step = i;
                s.context = 200 + i;
                s.wallSeconds = tpot;
                m.steps.push_back(s);
            }
        }
        t.methods.push_back(m);
    }
    t.text = "Once <b>upon</b>\n# a time";
    t.tokens = {1, 22, 333};
    t.prefillFloor = predictPrefill(publishedWorkload(), run.plan.nominal, 1, 200);
    t.forecast = point(0, 1, 200, 232).forecast;
    run.ttft = t;
    run.state = RunRecord::State::Done;
    return run;
}

RunRecord calibrationRun()
{
    RunRecord run;
    run.plan.runId = "run-calibrate";
    run.plan.experiment = Experiment::Calibrate;
    run.plan.device = "cpu";
    run.plan.nominal = {40e9, 1e12, 0, 0};
    run.provenance = provenance();
    CalibrationResult c;
    c.runId = run.plan.runId;
    c.ceilings.readBandwidth = 25.1e9;
    c.ceilings.copyBandwidth = 18.2e9;
    c.ceilings.matmulFlops = {{DType::F32, 150e9}, {DType::BF16, 300e9}};
    c.ceilings.launchOverhead = 1.5e-6;
    c.ceilings.threads = 2;
    c.ceilings.dateUtc = "2026-01-31T12:00:00Z";
    c.ceilings.graphStepOverhead = 0.25e-3;
    c.ceilings.graphNodeOverhead = 1.25e-6;
    c.ceilings.deviceName = "a CPU";
    c.ceilings.deviceHash = "00ff";
    c.ceilings.driver = "550.1";
    c.ceilings.clocks = "SM 1590 MHz";
    c.samples = {{"read", "B/s", 25.1e9, 24.9e9, 0.012}, {"copy", "B/s", 18.2e9, 18.0e9, kMissing}};
    run.calibration = c;
    run.state = RunRecord::State::Done;
    return run;
}

Session session()
{
    Session s;
    s.id = "0b5f6f8e-5f1c-4c59-8d7a-3a4a4e6f6a01";
    s.createdUtc = "2026-01-31T12:00:00Z";
    s.title = "Grüße, \"quoted\" | piped";
    s.runs = {calibrationRun(), ttftRun(), sweepRun(true)};
    StepSample &odd = s.runs[2].points[0].steps[1];
    odd.step = 7;
    odd.throttle = "thermal, power";
    odd.wallSeconds = kMissing;
    odd.temperatureC = 61;
    SweepPoint &told = s.runs[2].points[1];
    told.deviceUsedBytes = 4.5e9;
    told.backToBackSeconds = 0.015;
    told.backToBackSteps = 64;
    told.attention = "decode: own kernel, prefill: flash";
    told.graphNodes = 312;
    s.runs[2].plan.telemetry = false;
    s.runs[2].plan.seed = 18446744073709551615ULL;
    s.runs[1].state = RunRecord::State::Failed;
    s.runs[1].sentence = "The device vanished.";
    return s;
}

QByteArray withKeysReversed(const QByteArray &json)
{
    const auto textOf = [](const QJsonValue &value, const auto &self) -> QByteArray {
        QByteArray text;
        if (value.isObject()) {
            const QJsonObject object = value.toObject();
            for (const QString &key : object.keys()) // sorted, so each goes before the last
                text.prepend(QJsonDocument(QJsonArray{key}).toJson(QJsonDocument::Compact).chopped(1).mid(1) + ':' + self(object[key], self) +
                             (text.isEmpty() ? "" : ","));
            return '{' + text + '}';
        }
        if (value.isArray()) {
            for (const QJsonValue &element : value.toArray())
                text += (text.isEmpty() ? "" : ",") + self(element, self);
            return '[' + text + ']';
        }
        return QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact).chopped(1).mid(1);
    };
    const QJsonDocument document = QJsonDocument::fromJson(json);
    return document.isArray() ? textOf(document.array(), textOf) : textOf(document.object(), textOf);
}

} // namespace samples
