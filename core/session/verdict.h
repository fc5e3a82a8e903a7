// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/session/session.h"

#include <string_view>
#include <vector>

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
    std::vector<Message> next;      ///< what to try next
    std::vector<Message> cautions;  ///< misreadings that these very figures suggest, put right
};
/// Judges one point of `run`; other runs of the session (the other mode, an anatomy of the same model) serve as evidence.
Verdict judge(const Session &session, const RunRecord &run, const SweepPoint &point);

} // namespace ridgepoint
