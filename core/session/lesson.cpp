// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/lesson.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/session/csv_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr std::size_t kMaxBytes = 1 << 20;
constexpr std::array kCharts{"roofline", "throughput", "latency", "time-account", "frontier", "anatomy", "line"};

std::string trimmed(std::string_view text)
{
    const auto from = text.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos)
        return {};
    return std::string(text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1));
}

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        std::string line(text.substr(0, end));
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        lines.push_back(std::move(line));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return lines;
}

[[noreturn]] void wrong(const std::filesystem::path &path, int line, const std::string &sentence)
{
    // What stands in the file is quoted: no control character of it reaches a terminal.
    throw Error(ErrorKind::Failure, detail::shortened(path.string() + ":" + std::to_string(line) + ": " + sentence, 2000));
}

void needText(std::string_view text, const std::filesystem::path &path)
{
    if (!detail::isUtf8(text))
        wrong(path, 1, "The file is no UTF-8 text. Save it in UTF-8.");
}

std::optional<double> number(std::string_view text)
{
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// A field of a directive: "name: value".
struct Field {
    int line = 0;
    std::string name, value;
};

double positive(const std::filesystem::path &path, const Field &field, double unit = 1, bool zero = false)
{
    const std::optional<double> value = number(field.value);
    if (!value || *value < 0 || (*value == 0 && !zero))
        wrong(path, field.line, "\"" + field.name + "\" is \"" + field.value + "\". Write a number above zero.");
    return *value * unit;
}

LessonSetup setupOf(const std::vector<Field> &fields, const std::filesystem::path &path, int line)
{
    LessonSetup setup;
    setup.line = line;
    for (const Field &field : fields) {
        const std::string &name = field.name;
        if (name == "model")
            setup.model = field.value;
        else if (name == "device")
            setup.device = field.value;
        else if (name == "sample")
            setup.sample = field.value;
        else if (name == "mode") {
            if (!parseMode(field.value))
                wrong(path, field.line, "\"" + field.value + "\" is no mode. Write eager, graph or fused.");
            setup.mode = field.value;
        } else if (name == "chart") {
            if (std::find(kCharts.begin(), kCharts.end(), field.value) == kCharts.end() && field.value != "all")
                wrong(path, field.line,
                      "\"" + field.value + "\" is no chart. Write roofline, throughput, latency, time-account, frontier, "
                                           "anatomy, line or all.");
            setup.chart = field.value;
        } else if (name == "dtype") {
            setup.dtype = parseDType(field.value);
            if (!setup.dtype)
                wrong(path, field.line, "\"" + field.value + "\" is no dtype. Write fp16, bf16 or fp32.");
        } else if (name == "accounting") {
            setup.accounting = parseAccounting(field.value);
            if (!setup.accounting)
                wrong(path, field.line, "\"" + field.value + "\" is no accounting. Write textbook or exact.");
        } else if (name == "batch")
            setup.batch = positive(path, field);
        else if (name == "context")
            setup.context = positive(path, field);
        else if (name == "prompt")
            setup.prompt = positive(path, field);
        else if (name == "bandwidth_gb_s")
            setup.bandwidth = positive(path, field, 1e9);
        else if (name == "peak_tflop_s")
            setup.peak = positive(path, field, 1e12);
        else if (name == "overhead_ms")
            setup.overhead = positive(path, field, 1e-3, true);
        else if (name == "batches") {
            std::string_view rest = field.value;
            while (!rest.empty()) {
                const auto comma = rest.find(',');
                const std::optional<double> value = number(trimmed(rest.substr(0, comma)));
                if (!value || *value < 1 || *value > 65536 || *value != std::floor(*value))
                    wrong(path, field.line, "\"batches\" is \"" + field.value + "\". Write whole numbers with commas between.");
                setup.batches.push_back(std::int64_t(*value));
                rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
            }
        } else {
            wrong(path, field.line,
                  "\"" + name + "\" is nothing that a setup knows. docs/lessons.md lists what it may hold.");
        }
    }
    return setup;
}

LessonQuestion questionOf(const std::vector<Field> &fields, const std::filesystem::path &path, int line)
{
    LessonQuestion question;
    question.line = line;
    for (const Field &field : fields) {
        if (field.name == "ask") {
            question.ask = field.value;
        } else if (field.name == "quantity") {
            try {
                question.quantity = parseLessonQuantity(field.value);
            } catch (const Error &error) {
                wrong(path, field.line, error.what());
            }
        } else if (field.name == "tolerance") {
            std::string text = field.value;
            if (text.empty() || text.back() != '%')
                wrong(path, field.line, "\"tolerance\" is \"" + text + "\". Write a percentage such as 10 %.");
            text.pop_back();
            const std::optional<double> percent = number(trimmed(text));
            if (!percent || *percent <= 0 || *percent > 100)
                wrong(path, field.line, "\"tolerance\" is \"" + field.value + "\". Write a percentage from above 0 to 100 %.");
            question.tolerance = *percent / 100;
        } else {
            wrong(path, field.line, "\"" + field.name + "\" is nothing that a question knows: ask, quantity, tolerance.");
        }
    }
    try {
        figuresIn(question.ask);
    } catch (const Error &error) {
        wrong(path, line, error.what());
    }
    if (question.ask.empty() || question.quantity.name.empty())
        wrong(path, line, "This question needs both a line \"ask: ...\" and a line \"quantity: ...\".");
    return question;
}

/// The parts of a file's name: "01-floor.zh_CN.md".
std::pair<std::string, std::string> idAndLanguage(const std::filesystem::path &path)
{
    const std::string stem = path.stem().string();
    const auto dot = stem.find('.');
    return dot == std::string::npos ? std::pair(stem, std::string()) : std::pair(stem.substr(0, dot), stem.substr(dot + 1));
}

} // namespace

bool LessonSetup::empty() const
{
    LessonSetup nothing;
    nothing.line = line;
    return *this == nothing;
}

LessonSetup setupUpTo(const Lesson &lesson, std::size_t step)
{
    LessonSetup whole;
    const auto take = [](auto &to, const auto &from) {
        if (from)
            to = from;
    };
    for (std::size_t i = 0; i <= step && i < lesson.steps.size(); ++i) {
        const LessonSetup &own = lesson.steps[i].setup;
        if (own.sample)
            whole = {};
        else if (own.device)
            whole.sample = whole.mode = std::nullopt;
        if (own.device) // ceilings that were set by hand belonged to the other one
            whole.bandwidth = whole.peak = std::nullopt;
        take(whole.sample, own.sample);
        take(whole.model, own.model);
        take(whole.device, own.device);
        take(whole.chart, own.chart);
        take(whole.mode, own.mode);
        take(whole.dtype, own.dtype);
        take(whole.accounting, own.accounting);
        take(whole.batch, own.batch);
        take(whole.context, own.context);
        take(whole.prompt, own.prompt);
        take(whole.bandwidth, own.bandwidth);
        take(whole.peak, own.peak);
        take(whole.overhead, own.overhead);
        if (!own.batches.empty())
            whole.batches = own.batches;
    }
    return whole;
}

Lesson parseLesson(std::string_view text, const std::filesystem::path &path)
{
    Lesson lesson;
    lesson.path = path;
    std::tie(lesson.id, lesson.language) = idAndLanguage(path);
    if (text.starts_with("\xef\xbb\xbf")) // as some editors begin UTF-8
        text.remove_prefix(3);
    needText(text, path);
    const std::vector<std::string> lines = linesOf(text);
    const auto checkFigures = [&](const std::string &markdown, int line) {
        try {
            figuresIn(markdown);
        } catch (const Error &error) {
            wrong(path, line, error.what());
        }
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const int at = int(i) + 1;
        const std::string line = trimmed(lines[i]);
        if (line.starts_with("<!--") && line.ends_with("-->"))
            continue;
        if (line.starts_with("# ")) {
            if (!lesson.title.empty())
                wrong(path, at, "A second title. A lesson has one line \"# title\"; steps begin with \"## title\".");
            lesson.title = trimmed(line.substr(2));
            continue;
        }
        if (line.starts_with("## ")) {
            lesson.steps.push_back({at, trimmed(line.substr(3)), {}, {}, {}});
            continue;
        }
        const bool directive = line == "```setup" || line == "```question" || line == "```answer";
        if (lesson.steps.empty()) {
            if (!line.empty())
                wrong(path, at, "Text before the first step. Begin the lesson with \"# title\" and the step with \"## title\".");
            continue;
        }
        LessonStep &step = lesson.steps.back();
        if (!directive) {
            checkFigures(lines[i], at);
            step.text += lines[i] + '\n';
            continue;
        }
        const std::string what = line.substr(3);
        std::vector<Field> fields;
        std::string body;
        std::size_t end = i + 1;
        for (; end < lines.size() && trimmed(lines[end]) != "```"; ++end) {
            const std::string inner = trimmed(lines[end]);
            if (what == "answer") {
                checkFigures(inner, int(end) + 1);
                body += lines[end] + '\n';
                continue;
            }
            if (inner.empty())
                continue;
            const auto colon = inner.find(':');
            if (colon == std::string::npos)
                wrong(path, int(end) + 1, "\"" + inner + "\" is no field. Write \"name: value\".");
            fields.push_back({int(end) + 1, trimmed(inner.substr(0, colon)), trimmed(inner.substr(colon + 1))});
        }
        if (end == lines.size())
            wrong(path, at, "The block \"" + what + "\" has no end. Close it with a line of three backquotes.");
        if (what == "setup") {
            if (step.setup.line)
                wrong(path, at, "A second setup in one step. Put all of it into one block, or begin another step.");
            step.setup = setupOf(fields, path, at);
        } else if (what == "question") {
            if (step.question)
                wrong(path, at, "A second question in one step. Begin another step for it.");
            step.question = questionOf(fields, path, at);
        } else {
            if (!step.question)
                wrong(path, at, "An answer without a question. Put the question before it.");
            step.question->answer = body;
        }
        i = end;
    }
    if (lesson.title.empty())
        wrong(path, 1, "The lesson has no title. Begin it with a line \"# title\".");
    if (lesson.steps.empty())
        wrong(path, 1, "The lesson has no step. Begin one with a line \"## title\".");
    for (const LessonStep &step : lesson.steps) {
        if (step.question && trimmed(step.question->answer).empty())
            wrong(path, step.question->line, "The question has no answer. Add a block \"answer\" after it.");
    }
    return lesson;
}

LessonList loadLessons(const std::vector<std::filesystem::path> &folders, std::string_view language)
{
    LessonList list;
    std::map<std::string, Lesson> byId;
    for (const std::filesystem::path &folder : folders) {
        std::map<std::string, Lesson> here;
        std::error_code fault;
        for (std::filesystem::directory_iterator it(folder / "lessons", fault), end; !fault && it != end; it.increment(fault)) {
            if (it->path().extension() != ".md")
                continue;
            const auto [id, ofFile] = idAndLanguage(it->path());
            if (!ofFile.empty() && ofFile != language)
                continue;
            try {
                Lesson lesson = parseLesson(readWholeFile(it->path(), kMaxBytes), it->path());
                if (!here.contains(id) || !ofFile.empty())
                    here[id] = std::move(lesson);
            } catch (const Error &error) {
                list.problems.push_back(error.what());
            }
        }
        for (auto &[id, lesson] : here)
            byId[id] = std::move(lesson);
    }
    std::sort(list.problems.begin(), list.problems.end());
    for (auto &[id, lesson] : byId)
        list.lessons.push_back(std::move(lesson));
    return list;
}

std::vector<GlossaryEntry> parseGlossary(std::string_view text, const std::filesystem::path &path)
{
    needText(text, path);
    std::vector<GlossaryEntry> entries;
    int at = 0, head = 0;
    const auto finish = [&] {
        if (entries.empty())
            return;
        entries.back().text = trimmed(entries.back().text);
        if (entries.back().text.empty())
            wrong(path, head, "The term \"" + entries.back().term + "\" has no text. Say below it what it means.");
    };
    for (const std::string &raw : linesOf(text)) {
        ++at;
        const std::string line = trimmed(raw);
        if (line.starts_with("## ")) {
            finish();
            head = at;
            entries.push_back({trimmed(line.substr(3)), {}, {}});
            continue;
        }
        if (line.empty() || line.starts_with("# ") || line.starts_with("<!--"))
            continue;
        if (entries.empty())
            wrong(path, at, "Text before the first term. A term begins with \"## term\".");
        if (line.starts_with("also:")) {
            std::string_view rest = std::string_view(line).substr(5);
            while (!rest.empty()) {
                const auto comma = rest.find(',');
                if (std::string name = trimmed(rest.substr(0, comma)); !name.empty())
                    entries.back().also.push_back(std::move(name));
                rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
            }
            continue;
        }
        // Chinese runs on without a blank at the end of a line.
        std::string &body = entries.back().text;
        if (!body.empty() && static_cast<unsigned char>(body.back()) < 0x80)
            body += ' ';
        body += line;
    }
    finish();
    return entries;
}

std::vector<GlossaryEntry> loadGlossary(const std::vector<std::filesystem::path> &folders, std::string_view language)
{
    std::vector<std::string> names{"glossary.md"};
    if (!language.empty())
        names.insert(names.begin(), "glossary." + std::string(language) + ".md");
    for (const std::string &name : names) {
        for (const std::filesystem::path &folder : folders) {
            std::error_code ignored;
            if (std::filesystem::is_regular_file(folder / name, ignored))
                return parseGlossary(readWholeFile(folder / name, kMaxBytes), folder / name);
        }
    }
    return {};
}

} // namespace ridgepoint
