// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/session/session.h"

#include <string_view>
#include <vector>

/// What limits a measured decode step, by rules (the seeds' three kinds: bandwidth, arithmetic, fixed cost).
///
/// A step time t is held against three shares of it, each of what it would take alone:
/// - memory:  bytes / bandwidth / t, and compute: FLOP / rate / t, at the measured ceilings (nominal where none were measured);
/// - launch:  what issuing the work and the fixed cost of its kernels take. Directly: the part of the step in which an
///   anatomy of it shows no kernel (1 - busy / the step without tracer); for an eager point with a point of the graph mode
///   beside it, the difference of the two and the fixed cost of a replayed step; by the host's clock, wall less device time.
///   The greatest of these counts. Without any of them, the measured fixed cost of a step of as many layers with almost no
///   weights: in eager mode an upper bound, since launching may hide behind the device's work.
///
/// Rules, in this order, with F the greater of memory and compute (t / floor = 1 / F is the spec's ratio):
/// 1. Cannot tell: no step time; no ceilings; t below the floor (the spec's "impossible"); p10..p90 wider than 20 % of the median
///    (what repeated measurements may differ by, spec section 4).
/// 2. Memory and compute both at least a third and within 20 % of each other: at the ridge, mixed.
/// 3. F at least a half: F's side, unless launch is a half too: mixed.
/// 4. F below a half, launch at least a half: launch-bound. "A half" is the majority of the step.
/// 5. F at least a third (the spec's ratio up to 3, "memory-bound holds"): F's side, unless launch is a third too: mixed.
/// 6. F below a third (ratio over 3, "a clear part of the time moves no weights"): with a known launch share mixed; with none
///    cannot tell, since the ratio alone does not say what the rest is.
namespace ridgepoint {

enum class VerdictKind { MemoryBound, ComputeBound, LaunchBound, Mixed, CannotTell };
std::string_view verdictName(VerdictKind kind); ///< "memory-bound", ..., "cannot tell"

/// One observation and what it speaks for.
struct Evidence {
    Message text;
    VerdictKind toward = VerdictKind::CannotTell; ///< CannotTell: speaks for none, said for completeness
};

/// What limits a measured point, and how one knows.
struct Verdict {
    VerdictKind kind = VerdictKind::CannotTell;
    Message sentence;               ///< the verdict with its strongest reason
    std::vector<Evidence> evidence; ///< ratio and band, device busy against gap, eager against graph, intensity against ridge, clocks
    std::vector<Message> next;      ///< what to try next; for CannotTell what would decide it
    std::vector<Message> cautions;  ///< misreadings that these very figures suggest, put right
    // The figures that decided; missing: not known.
    double ratio = kMissing;        ///< t / floor, measured ceilings where there are any
    double memoryShare = kMissing, computeShare = kMissing, launchShare = kMissing;
    bool measuredCeilings = false;
};
/// Judges one point of `run`; other runs of the session (the other mode, an anatomy of the same model) serve as evidence: the
/// same device, model and dtype, the same batch, a context within 10 %.
Verdict judge(const Session &session, const RunRecord &run, const SweepPoint &point);
/// The same for the TPOT of a TTFT record, by the method that speaks for it; cannot tell where none does.
Verdict judgeTtft(const Session &session, const RunRecord &run);

} // namespace ridgepoint
