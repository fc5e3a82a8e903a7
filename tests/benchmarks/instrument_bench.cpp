// SPDX-License-Identifier: GPL-3.0-or-later
// What timing a step costs: the same decode loop with and without its instruments, in turn, on one device.
//
//   instrument_bench [--device cuda:0] [--model ID] [--dtype fp16] [--mode eager|graph] [--batch 1] [--prompt 244]
//                    [--steps 40] [--rounds 15]
//
// plain: steps issued and waited for, a clock around all of them. events: what a sweep does for each step (device timer,
// wall clock, the sample kept and handed on). telemetry: that, with the driver sampled beside it. Prints a JSON line each:
// the median over the rounds of seconds a step, and the median and range of its ratio to the plain loop of the same round.
#include "core/analytic/decode_model.h"
#include "core/catalog/catalog.h"
#include "core/session/events.h"
#include "core/torch/decoder.h"
#include "core/torch/device.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <vector>

using namespace ridgepoint;

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

} // namespace

int main(int argc, char **argv)
{
    std::string model = "tinyllama-1.1b", dtypeText = "fp16", device = "cuda:0", modeText = "eager";
    std::int64_t batch = 1, prompt = 244;
    int steps = 40, rounds = 15;
    CLI::App app("The cost of timing a decode step");
    app.add_option("--model", model);
    app.add_option("--dtype", dtypeText);
    app.add_option("--device", device);
    app.add_option("--mode", modeText);
    app.add_option("--batch", batch);
    app.add_option("--prompt", prompt);
    app.add_option("--steps", steps)->check(CLI::Range(1, 10000));
    app.add_option("--rounds", rounds)->check(CLI::Range(1, 1000));
    CLI11_PARSE(app, argc, argv);
    try {
        const auto dtype = parseDType(dtypeText);
        const auto mode = parseMode(modeText);
        if (!dtype || !mode)
            throw Error(ErrorKind::Usage, "Unknown dtype or mode.");
        const std::unique_ptr<DeviceProbe> probe = DeviceProbe::open(device);
        ModelSource source;
        source.shape = Catalog::loadDefault().modelById(model);
        const auto decoder = Decoder::create(source, *dtype, device, *mode, 1, {}, {});
        decoder->allocateCache(batch, prompt + steps);
        decoder->prefill(std::vector<std::int64_t>(std::size_t(prompt), 5), Decoder::PrefillMode::OnceCopied);
        const auto rewound = [&] {
            decoder->rewind(prompt);
            probe->synchronise();
            return Clock::now();
        };
        const auto plain = [&] {
            const auto from = rewound();
            for (int i = 0; i < steps; ++i)
                decoder->step();
            return since(from) / steps;
        };
        std::vector<Event> kept;
        const EventSink sink = [&](const Event &event) { kept.push_back(event); };
        const auto instrumented = [&](const Telemetry *telemetry) {
            kept.clear();
            const auto from = rewound();
            for (int i = 0; i < steps; ++i) {
                StepSample sample;
                const auto stepFrom = Clock::now();
                probe->startTimer();
                decoder->issueStep();
                sample.deviceSeconds = probe->stopTimer();
                sample.wallSeconds = since(stepFrom);
                if (telemetry) {
                    const DeviceState state = telemetry->latest();
                    sample.smClockHz = state.smClockHz;
                    sample.powerWatts = state.powerWatts;
                    sample.throttle = state.throttle;
                }
                sink(StepTimed{"bench", 0, sample});
            }
            return since(from) / steps;
        };
        plain();
        instrumented(nullptr);
        std::vector<double> plainTimes, eventTimes, telemetryTimes, eventRatios, telemetryRatios;
        for (int round = 0; round < rounds; ++round) {
            const double before = plain();
            const double events = instrumented(nullptr);
            double sampled = 0;
            {
                const auto telemetry = probe->startTelemetry();
                sampled = instrumented(telemetry.get());
            }
            const double reference = (before + plain()) / 2; // what is slow now is slow on both sides
            plainTimes.push_back(reference);
            eventTimes.push_back(events);
            telemetryTimes.push_back(sampled);
            eventRatios.push_back(events / reference);
            telemetryRatios.push_back(sampled / reference);
        }
        const auto print = [&](const char *what, const std::vector<double> &times, const std::vector<double> &ratios) {
            fmt::print("{{\"what\":\"{}\",\"device\":\"{}\",\"model\":\"{}\",\"dtype\":\"{}\",\"mode\":\"{}\",\"batch\":{},"
                       "\"prompt\":{},\"steps\":{},\"rounds\":{},\"step_s\":{:.7f},\"ratio\":{:.4f},\"ratio_p10\":{:.4f},"
                       "\"ratio_p90\":{:.4f}}}\n",
                       what, device, model, dtypeText, modeText, batch, prompt, steps, rounds, median(times),
                       median(ratios), percentile(ratios, 0.1), percentile(ratios, 0.9));
        };
        print("plain", plainTimes, std::vector<double>(plainTimes.size(), 1.0));
        print("events", eventTimes, eventRatios);
        print("events and telemetry", telemetryTimes, telemetryRatios);
    } catch (const std::exception &error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
