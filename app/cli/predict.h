// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/rows.h"
#include "core/analytic/decode_model.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgepoint {

/// What the predict verb computes: every batch at every context, and the prefill where a prompt is given.
struct PredictRequest {
    std::string hardware; ///< id, for the rows
    std::string model;    ///< id, for the rows
    Workload workload;
    Ceilings ceilings;
    std::vector<std::int64_t> batches;
    std::vector<std::int64_t> contexts;
    std::optional<std::int64_t> prompt;
};

/// One row a (context, batch) pair, contexts outermost, with the fields that the README lists. SI units.
std::vector<Row> predictRows(const PredictRequest &request);

} // namespace ridgepoint
