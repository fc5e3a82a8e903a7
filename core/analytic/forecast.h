// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/decode_model.h"
#include "core/analytic/hardware.h"

#include <optional>
#include <vector>

/// The forecast of a step or a prefill from timings that calibration took of the same shape at other contexts (spec section 4
/// and the floor of section 2). A floor says what physics allows; a forecast adds what this device's launches, matrix products
/// and attention of these sizes were seen to cost. No point that is being judged enters it.
namespace ridgepoint {

/// Whether `measured` holds timings of that shape, dtype and mode.
bool hasTimings(const MeasuredCeilings &measured, std::string_view shapeId, DType dtype, DecodeMode mode);

/// Timings put in order once, so that a curve of many batches and contexts costs little; forecastStepSeconds and forecastStep
/// are its values.
class TimedSteps {
public:
    TimedSteps(const ShapeTimings &timings, const Workload &workload);
    std::optional<double> seconds(double batch, double context) const;
    std::optional<StepPrediction> step(const Ceilings &ceilings, double batch, double context) const;

private:
    struct Node {
        double x = 0; ///< KV bytes that a sequence reads
        double seconds = 0;
    };
    struct Timed {
        double batch = 0;
        std::vector<Node> nodes; ///< by x
    };
    static double along(const Node *nodes, std::size_t count, double x);
    static std::vector<Node> ordered(std::vector<Node> nodes);
    friend std::optional<double> forecastPrefillSeconds(const ShapeTimings &timings, double batch, double prompt);

    Workload m_workload;
    std::vector<Timed> m_batches; ///< by batch
};

/// Seconds of a step. For a batch that was timed: piecewise linear in the KV bytes that a sequence reads (so that a sliding
/// window saturates), beyond the last context along the last piece, never falling. Between two batches: linear in the batch.
/// Beyond the greatest: along the last piece; below the smallest: the smallest's. Nothing without a timing.
std::optional<double> forecastStepSeconds(const ShapeTimings &timings, const Workload &workload, double batch, double context);

/// The same as a prediction: floor by `ceilings` (its overhead is not used), and all that the forecast lies above the floor as
/// overhead. A forecast below the floor (cache-resident weights) has no overhead and stands as it is.
std::optional<StepPrediction> forecastStep(const ShapeTimings &timings, const Workload &workload, const Ceilings &ceilings,
                                           double batch, double context);

/// `ceilings` with the overhead that makes floor + overhead the forecast of this batch and context, where `measured` holds
/// timings of that shape, dtype and mode; unchanged otherwise. So that a formula filled in, and what sliders start from, say
/// what the forecast said.
Ceilings withTimedOverhead(Ceilings ceilings, const MeasuredCeilings &measured, const ModelShape &shape, DType dtype, DecodeMode mode,
                           double batch, double context);

/// Seconds of a prefill of every sequence: a part that follows the rows (batch x prompt) through the products, piecewise linear
/// between the timed ones, and a part batch x prompt^2 of attention, told apart by two timings with equal rows. Nothing with
/// fewer than two timings.
std::optional<double> forecastPrefillSeconds(const ShapeTimings &timings, double batch, double prompt);

} // namespace ridgepoint
