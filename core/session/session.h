// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analytic/decode_model.h"
#include "core/session/results.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// Version of the session file that this program writes. Older ones open; a newer one is refused with a sentence.
inline constexpr int kSessionVersion = 1;

/// One run within a session: what was asked, on what it ran, and what came out so far.
struct RunRecord {
    RunPlan plan;
    Provenance provenance;
    std::optional<CalibrationResult> calibration;
    std::optional<TtftResult> ttft;
    std::vector<SweepPoint> points;
    std::vector<LineRow> line;
    std::optional<StepAnatomy> anatomy;
    enum class State { Running, Done, Cancelled, Failed, Interrupted } state = State::Running;
    std::string sentence; ///< of a failure
};

/// The memory that the points of a run share, in bytes: the limit of the plan, else the datasheet's, else (a CPU has no
/// datasheet memory) what the device reported. 0: not known.
double memoryOf(const RunRecord &run);

/// True for a run that another program measured: points of an imported file, or a line whose rows all come from a table.
bool isImported(const RunRecord &run);
/// What a run's device is called: as the driver reports it, else by its id; of an imported run as its file calls it, with
/// " (imported)". English, of patterns of said().
std::string shownDevice(const RunRecord &run);
/// The exact workload of the run's model; an imported run's own weights and KV cache, where its file tells their bytes. Throws
/// like makeWorkload.
Workload runWorkload(const RunRecord &run);

/// The document: everything that was run, in order. A value; shared as std::shared_ptr<const Session> once handed on.
struct Session {
    int version = kSessionVersion;
    std::string id;
    std::string createdUtc; ///< ISO 8601
    std::string title;
    std::vector<RunRecord> runs;

    const RunRecord *run(std::string_view runId) const;
    RunRecord *run(std::string_view runId);
    /// The measured ceilings of the newest calibration in the session (or those that its newest plan carried).
    std::optional<MeasuredCeilings> ceilings() const;
};
using SessionPtr = std::shared_ptr<const Session>;

Session newSession();

/// JSON text of a session: sorted keys, full precision, NaN as null. The same session gives the same bytes.
std::string toJson(const Session &session);
/// Reads toJson()'s text. `origin` names the file in sentences. Throws Error (Failure): cut off, not JSON, not a
/// session, a newer version ("written by a newer Ridgepoint; update"), a field of the wrong type or out of range
/// (named).
Session sessionFromJson(std::string_view json, const std::string &origin);

void saveSession(const Session &session, const std::filesystem::path &path); ///< atomic
Session loadSession(const std::filesystem::path &path);

std::string utcNow(); ///< "2026-01-31T12:34:56Z"

} // namespace ridgepoint
