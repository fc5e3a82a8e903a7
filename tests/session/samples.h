// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/session/events.h"
#include "core/session/session.h"

#include <QByteArray>
#include <QString>

#include <optional>

/// Documents that the tests of this folder share. Their step times come from the formulas of the published batch sweep
/// (270 GB/s, 50 TFLOP/s, 8 ms of overhead, W = 2.2 GB, 22.5 KB a token), not from any device.
namespace samples {

ridgepoint::ModelShape tinyLlama();
ridgepoint::Ceilings published();
/// Textbook workload with the published W, kv and N.
ridgepoint::Workload publishedWorkload();
ridgepoint::RunPlan sweepPlan();
ridgepoint::Provenance provenance();
/// A point whose steps all take the published formula's time.
ridgepoint::SweepPoint point(int index, std::int64_t batch, std::int64_t prompt, double context);
ridgepoint::SweepPoint outOfMemory(int index, std::int64_t batch, std::int64_t prompt, double context);
/// Batches 1, 4, 16, 64, 128 at contexts 256 and 2048, the last one out of memory when asked.
ridgepoint::RunRecord sweepRun(bool lastOutOfMemory = false);
ridgepoint::RunRecord ttftRun();
ridgepoint::RunRecord calibrationRun();
/// All three runs; with NaN, non-ASCII text, throttle reasons and a step column that does not count from 0.
ridgepoint::Session session();

/// The JSON with the keys of every object in reverse order; lines and blanks are lost.
QByteArray withKeysReversed(const QByteArray &json);

/// What the Error says, when `call` throws one of `kind`; nothing when it does not.
template <typename Call>
std::optional<QString> sentenceOf(ridgepoint::ErrorKind kind, Call call)
{
    try {
        call();
    } catch (const ridgepoint::Error &e) {
        if (e.kind() == kind)
            return QString::fromUtf8(e.what());
    }
    return std::nullopt;
}

} // namespace samples
