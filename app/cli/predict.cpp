// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/predict.h"

#include <fmt/format.h>

namespace ridgepoint {

std::vector<Row> predictRows(const PredictRequest &request)
{
    std::vector<Row> rows;
    const auto &workload = request.workload;
    const auto optionalNumber = [](const std::optional<double> &value) {
        return value ? jsonNumber(*value) : nlohmann::ordered_json(nullptr);
    };
    for (const auto context : request.contexts) {
        const double n = double(context);
        const auto sweep = predictSweep(workload, request.ceilings, request.batches, n);
        for (std::size_t i = 0; i < sweep.size(); ++i) {
            const auto &point = sweep[i];
            Row row{
                {"hardware", request.hardware},
                {"model", request.model},
                {"dtype", std::string(dtypeName(workload.dtype))},
                {"accounting", std::string(accountingName(workload.accounting))},
                {"batch", request.batches[i]},
                {"context", context},
                {"weight_bytes", jsonNumber(workload.weightBytes)},
                {"kv_bytes_per_token", jsonNumber(workload.kvBytesPerToken)},
                {"bytes", jsonNumber(point.step.bytes)},
                {"flop", jsonNumber(point.step.flop)},
                {"arithmetic_intensity", jsonNumber(point.step.intensity)},
                {"ai_max", jsonNumber(maxIntensity(workload, n))},
                {"ridge", jsonNumber(request.ceilings.ridge())},
                {"batch_at_ridge", optionalNumber(batchAtRidge(workload, request.ceilings.ridge(), n))},
                {"memory_s", jsonNumber(point.step.memorySeconds)},
                {"compute_s", jsonNumber(point.step.computeSeconds)},
                {"overhead_s", jsonNumber(point.step.overheadSeconds)},
                {"step_s", jsonNumber(point.step.stepSeconds)},
                {"tokens_per_s", jsonNumber(point.step.tokensPerSecond)},
                {"linear_tokens_per_s", jsonNumber(point.linear)},
                {"departure", jsonNumber(point.departure)},
                {"bound", std::string(boundName(point.step.bound))},
                {"fits", point.capacity ? nlohmann::ordered_json(point.fits) : nlohmann::ordered_json(nullptr)},
                {"capacity", optionalNumber(point.capacity)},
            };
            if (request.prompt) {
                const auto prefill =
                    predictPrefill(workload, request.ceilings, double(request.batches[i]), double(*request.prompt));
                row.emplace_back("prompt", *request.prompt);
                row.emplace_back("prefill_flop", jsonNumber(prefill.flop));
                row.emplace_back("prefill_intensity", jsonNumber(prefill.intensity));
                row.emplace_back("ttft_floor_s", jsonNumber(prefill.floorSeconds));
                row.emplace_back("prefill_bound", std::string(boundName(prefill.bound)));
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

} // namespace ridgepoint
