// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalog.h"
#include "core/session/session.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Lessons: Markdown files that set up the workbench step by step and ask for a figure before they show it. The format is
/// in docs/lessons.md. A lesson holds no figure of its own: each is worked out from what its step set up, or read from a
/// recorded session.
namespace ridgepoint {

/// A figure by its name and the values that differ from what the step set up: "tpot_floor batch=8".
struct LessonQuantity {
    std::string name;
    std::map<std::string, std::string> arguments;
    bool operator==(const LessonQuantity &) const = default;
};
/// Throws Error (Failure) for an unknown name or argument, or one that is no value of its kind.
LessonQuantity parseLessonQuantity(std::string_view text);

/// What the learner is asked for.
struct LessonQuestion {
    int line = 0;
    LessonQuantity quantity;
    double tolerance = 0.1; ///< fraction of the figure that an expectation may lie away from it
    std::string ask;        ///< one sentence
    std::string answer;     ///< Markdown, shown after an expectation was given; {{quantity}} stands for a figure
};

/// What a step does to the workbench. Absent fields leave their value alone.
struct LessonSetup {
    int line = 0;
    std::optional<std::string> model, device, chart, sample, mode;
    std::optional<DType> dtype;
    std::optional<Accounting> accounting;
    std::optional<double> batch, context, prompt; ///< counts
    std::optional<double> bandwidth, peak, overhead; ///< SI units
    std::vector<std::int64_t> batches;
    bool empty() const;
    bool operator==(const LessonSetup &) const = default;
};

struct LessonStep {
    int line = 0;
    std::string title;
    std::string text; ///< Markdown; {{quantity}} stands for a figure
    LessonSetup setup;
    std::optional<LessonQuestion> question;
};

struct Lesson {
    std::string id;       ///< file name without its language and suffix: "01-two-numbers"
    std::string language; ///< "" (English) or as in the file's name: "zh_CN"
    std::filesystem::path path;
    std::string title;
    std::vector<LessonStep> steps;
};

/// Throws Error (Failure) "FILE:LINE: what is wrong and what to do".
Lesson parseLesson(std::string_view text, const std::filesystem::path &path);

struct LessonList {
    std::vector<Lesson> lessons;       ///< by id, each in the wanted language where it has one, else in English
    std::vector<std::string> problems; ///< a sentence for each file that was left out
};
/// Every lessons/NAME.md below the folders; a later folder's lesson replaces an earlier one of the same id.
LessonList loadLessons(const std::vector<std::filesystem::path> &folders, std::string_view language);

/// What a figure is worked out from.
struct LessonContext {
    const Catalog *catalog = nullptr; ///< not null
    ModelShape shape;
    DType dtype = DType::F16;
    Accounting accounting = Accounting::Textbook;
    Ceilings ceilings;
    std::string hardware;   ///< for people
    std::string hardwareId; ///< of the catalogue; empty: not from it
    double batch = 1, context = 256, prompt = 128;
    std::vector<std::int64_t> batches;
    SessionPtr session; ///< the recording that is open; null: none
    std::string mode;   ///< of the recorded run; empty: the first one
};

/// The value of a quantity: a number in SI units with its kind, or one word of several.
struct LessonFigure {
    enum class Kind { Seconds, Bytes, Count, Intensity, TokensPerSecond, Ratio, Percent, Bandwidth, Choice } kind = Kind::Count;
    double value = kMissing;          ///< NaN where `never`, and for a choice
    bool never = false;               ///< the formula says that there is no such number
    std::string choice;               ///< "memory", "compute", "yes", "no", "ok", "oom", "skipped"
    std::vector<std::string> choices; ///< all that it could have been
    bool recorded = false;            ///< measured once, not worked out
    std::string basis;                ///< "TinyLlama 1.1B, fp16, NVIDIA T4, ..." or the recording's title
    std::string text() const;         ///< "6.88 ms", "never", "memory"
};
/// Throws Error (Failure) when the figure cannot be had: an unknown model, no recording, a point that it lacks.
LessonFigure lessonFigure(const LessonQuantity &quantity, const LessonContext &context);

/// `markdown` with each {{quantity}} replaced by its figure, or by "(no figure: why)".
std::string fillFigures(const std::string &markdown, const LessonContext &context);
/// The quantities that stand in {{ }}; throws as parseLessonQuantity.
std::vector<LessonQuantity> figuresIn(std::string_view markdown);

/// All that is set up at step `step` (from 0): each step stands on the ones before it, so that any can be entered directly. A
/// recording brings values of its own, so what was set up before it is dropped; a step that names a device and no sample
/// lets go of the recording.
LessonSetup setupUpTo(const Lesson &lesson, std::size_t step);
/// Values of a setup laid over a context, as the window lays them over the what-if values. Throws Error (Failure) naming a
/// model or device that the catalogue lacks.
LessonContext contextAfter(const LessonSetup &setup, LessonContext before);

/// What the learner typed, in SI units. Nothing: not readable. "never" gives NaN and sets *never.
/// Units: us ms s, B KB MB GB TB, GB/s TB/s, %, k M; without one the unit is `usual` of the figure ("ms", "GB", ...).
std::optional<double> parseExpectation(std::string_view text, const LessonFigure &figure, bool *never);
/// The unit that a bare number is read in: "ms", "GB", "GB/s", "%", "tok/s", "FLOP/B" or "".
std::string usualUnit(const LessonFigure &figure);

/// One entry of the glossary.
struct GlossaryEntry {
    std::string term;
    std::vector<std::string> also; ///< other spellings that lead here
    std::string text;              ///< plain text, a sentence or a few
};
/// "## term", an optional line "also: a, b", then text. Throws Error (Failure) "FILE:LINE: ...".
std::vector<GlossaryEntry> parseGlossary(std::string_view text, const std::filesystem::path &path);
/// glossary.md (glossary.LANGUAGE.md) of the first folder that has one. Throws as parseGlossary; empty where there is none.
std::vector<GlossaryEntry> loadGlossary(const std::vector<std::filesystem::path> &folders, std::string_view language);

} // namespace ridgepoint
