// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

#include "core/analytic/forecast.h"
#include "core/base/error.h"
#include "core/catalog/catalog.h"
#include "core/catalog/model_config.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/tokenizer.h"
#include "core/checkpoint/unicode.h"
#include "core/engine/replay_engine.h"
#include "core/session/analysis.h"
#include "core/session/compare.h"
#include "core/session/forecast_error.h"
#include "core/session/import.h"
#include "core/session/journal.h"
#include "core/session/json_values.h"
#include "core/session/lesson.h"
#include "core/session/line.h"
#include "core/session/measured_profile.h"
#include "core/session/profile_match.h"
#include "core/session/report.h"
#include "core/session/report_html.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <unistd.h>
#include <vector>

using namespace ridgepoint;

namespace fuzz {

namespace {

std::string_view textOf(const std::uint8_t *data, std::size_t size)
{
    return {reinterpret_cast<const char *>(data), size};
}

/// A folder of this process that goes with it.
class Folder {
public:
    Folder() : m_path(std::filesystem::temp_directory_path() / ("ridgepoint-fuzz-" + std::to_string(getpid())))
    {
        for (const char *name : {"hardware", "models", "journal"})
            std::filesystem::create_directories(m_path / name);
    }
    ~Folder()
    {
        std::error_code fault;
        std::filesystem::remove_all(m_path, fault);
    }
    std::filesystem::path write(const char *name, std::string_view text) const
    {
        const std::filesystem::path path = m_path / name;
        std::ofstream(path, std::ios::binary | std::ios::trunc)
            .write(text.data(), static_cast<std::streamsize>(text.size()));
        return path;
    }
    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

const Folder &folder()
{
    static const Folder own;
    return own;
}

[[noreturn]] void wrong(const char *what, const std::string &detail)
{
    std::fprintf(stderr, "ERROR: %s: %s\n", what, detail.c_str());
    std::abort();
}

/// What is printed to a terminal: no half a character, no control character but a line's end.
void checkSentence(const std::string &sentence)
{
    for (const char c : sentence)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f)
            wrong("a sentence holds control characters", sentence);
    if (validUtf8(sentence) != sentence)
        wrong("a sentence is no UTF-8", sentence);
    if (sentence.size() > 100'000)
        wrong("a sentence is very long", sentence.substr(0, 300));
}

template <typename Read>
void expectError(Read read)
{
    try {
        read();
    } catch (const Error &error) {
        checkSentence(error.what());
    }
}

/// For what must not fail once its file was read.
template <typename Use>
void mustWork(const char *what, Use use)
{
    try {
        use();
    } catch (const Error &error) {
        wrong(what, error.what());
    }
}

const Catalog &known()
{
    static const Catalog own = Catalog::loadDefault();
    return own;
}

const Session &recorded()
{
    static const Session own = loadSession(RIDGEPOINT_SOURCE_DIR "/tests/fuzz/corpus/session/sweep.json");
    return own;
}

Session savedAndRead(const Session &session)
{
    const std::string text = toJson(session);
    Session again;
    mustWork("a session that was read or made does not open again", [&] { again = sessionFromJson(text, "fuzz"); });
    if (toJson(again) != text)
        wrong("what was read does not survive being saved", text.substr(0, 300));
    return again;
}

/// What window, command line and report do with a session that they opened.
void use(const Session &session)
{
    mustWork("a report of what was read fails", [&] {
        const std::string report = reportMarkdown(session, {{"roofline.png", "Roofline"}}, &known());
        if (validUtf8(report) != report)
            wrong("a report is no UTF-8", report.substr(0, 300));
        HtmlOptions html;
        reportToHtml(report, html);
        html.paper = true;
        reportToHtml(report, html);
        traceFiles(session);
        for (const auto table : {sweepCsv, stepsCsv, ttftCsv, calibrationCsv, anatomyCsv, kernelsCsv, lineCsv})
            table(session.runs);
        compareSessions({session, recorded(), session});
        compareSessions({recorded(), session});
        toTable(summarise(forecastErrors(session.runs)));
        for (const RunRecord &run : session.runs) {
            traceTitle(run);
            profileMismatch(run, known());
            lineTable(run, readLine(run));
            toText(expectationTable(run));
            bendOf(run);
            for (const SweepPoint &point : run.points) {
                isBelowFloor(point);
                judge(session, run, point);
            }
            importTable(run);
        }
    });
    for (const RunRecord &run : session.runs)
        if (!run.points.empty())
            expectError([&] { // a shape that does not hold together has no arithmetic
                const SweepPoint &point = run.points.front();
                Ceilings ceilings = bestCeilingsOf(run);
                if (const MeasuredCeilings *measured = measuredCeilingsOf(run))
                    ceilings = withTimedOverhead(ceilings, *measured, run.plan.model.shape, run.plan.dtype,
                                                 run.plan.mode, static_cast<double>(point.batch), point.context);
                explainStep(runWorkload(run), ceilings, static_cast<double>(point.batch), point.context,
                            point.stepSeconds);
            });
    // A recording is played again, into a document of its own.
    for (const RunRecord &run : session.runs) {
        Session played = newSession();
        ReplayEngine(run, 0).run(run.plan, [&](const Event &event) { applyEvent(played, event); }, {});
        savedAndRead(played);
    }
}

void useImport(std::string_view text, const ImportOptions &options)
{
    expectError([&] {
        const Import import = importResults(text, "fuzz", options, known());
        for (const std::string &line : problemLines(import, "fuzz", 100))
            checkSentence(line);
        for (const std::string &note : import.notes)
            checkSentence(note);
        checkSentence(belowFloorSentence(import));
        Session made = newSession();
        made.runs = import.runs;
        for (const RunRecord &run : made.runs)
            for (const SweepPoint &p : run.points)
                if (p.batch < 1 || !(p.context > 0 && std::isfinite(p.context)) ||
                    (p.status == PointStatus::Ok && !(p.stepSeconds > 0 && std::isfinite(p.stepSeconds))) ||
                    p.peakBytes <= 0 || p.peakBytes > 1e16)
                    wrong("an imported point holds what cannot be measured", toJson(made).substr(0, 1000));
        use(savedAndRead(made));
    });
}

void predict(const ModelShape &shape)
{
    const HardwareProfile &hardware = known().hardwareById("t4");
    for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
        const Ceilings ceilings = nominalCeilings(hardware, dtype);
        for (const Accounting accounting : {Accounting::Textbook, Accounting::Exact}) {
            const Workload workload = makeWorkload(shape, dtype, accounting);
            explainStep(workload, ceilings, 4, 512, 0.01);
            predictPrefill(workload, ceilings, 4, 512);
            capacity(workload, ceilings.memory, 512);
            contextWhereKvEqualsWeights(workload);
            predictSweep(workload, ceilings, {1, 4, 1 << 20}, 512);
        }
        memorySentence(memoryNeed(shape, dtype, 4, 512, 512, kMissing), 1e9, "the memory limit");
        FrontierMemory memory;
        memory.bytes = ceilings.memory;
        capacityFrontier(shape, dtype, memory, {1, 512, 1e6});
    }
}

} // namespace

void session(const std::uint8_t *data, std::size_t size)
{
    expectError([&] { use(savedAndRead(sessionFromJson(textOf(data, size), "fuzz"))); });
}

void json(const std::uint8_t *data, std::size_t size)
{
    const nlohmann::json theirs = nlohmann::json::parse(textOf(data, size), nullptr, false);
    nlohmann::json ours(nlohmann::json::value_t::discarded);
    std::string why;
    try {
        ours = detail::parseBounded(textOf(data, size), "fuzz");
    } catch (const Error &error) {
        why = error.what();
        checkSentence(why);
    }
    // Ours has bounds, and to theirs a zero byte is the end.
    const bool bounded = why.find("deep") != std::string::npos || why.find("over 1000 digits") != std::string::npos ||
                         textOf(data, size).find('\0') != std::string_view::npos;
    if (ours.is_discarded() ? !theirs.is_discarded() && !bounded
                            : theirs.is_discarded() || theirs != ours || theirs.dump() != ours.dump())
        wrong("the parsers disagree", why);
}

void journal(const std::uint8_t *data, std::size_t size)
{
    const auto path = folder().write("journal/fuzz.ndjson", textOf(data, size));
    expectError([&] { use(savedAndRead(Journal::recover(path))); });
    Journal::recoverable(path.parent_path());
}

void import(const std::uint8_t *data, std::size_t size)
{
    recogniseImport(textOf(data, size));
    useImport(textOf(data, size), {});
}

void import_options(const std::uint8_t *data, std::size_t size)
{
    ImportOptions options;
    options.model = "llama-2-7b";
    options.hardware = "t4";
    options.dtype = DType::BF16;
    options.batch = 4;
    options.prompt = 128;
    options.newTokens = 64;
    useImport(textOf(data, size), options);
    ImportOptions columns;
    columns.columns = {{"batch", "seqs"},   {"context", "position"}, {"tpot_us", "micros"},
                       {"peak_mib", "mem"}, {"status", "outcome"},   {"model", "weights"}};
    useImport(textOf(data, size), columns);
}

void line(const std::uint8_t *data, std::size_t size)
{
    expectError([&] {
        LineImport import = importLine(textOf(data, size), "fuzz");
        for (const LineImportProblem &problem : import.problems)
            checkSentence(problem.sentence);
        const HardwareProfile &hardware = known().hardwareById("t4");
        Session made = newSession();
        made.runs.push_back(importedRun(std::move(import), "fuzz", nominalCeilings(hardware, DType::F16), &hardware));
        use(savedAndRead(made));
        mustWork("a line's own CSV does not import", [&] { importLine(lineCsv(made.runs), "fuzz"); });
    });
}

void config(const std::uint8_t *data, std::size_t size)
{
    expectError([&] {
        const ModelShape shape = modelShapeFromConfig(textOf(data, size), "fuzz");
        mustWork("a shape that was read cannot be predicted", [&] { predict(shape); });
        RunRecord run = recorded().runs.front();
        run.plan.model.shape = shape;
        Session made = newSession();
        made.runs.push_back(run);
        use(savedAndRead(made));
    });
}

void safetensors(const std::uint8_t *data, std::size_t size)
{
    const std::vector<std::uint8_t> copy(data, data + size); // of its own size, so that a read beyond the end is seen
    expectError([&] {
        unsigned sum = 0;
        for (const StoredTensor &tensor : parseSafetensors(std::as_bytes(std::span(copy)), "fuzz")) {
            shapeText(tensor.shape);
            for (std::size_t i = 0; i < tensor.bytes; ++i)
                sum += static_cast<unsigned>(tensor.data[i]);
        }
        static volatile unsigned seen;
        seen = sum;
    });
}

void checkpoint(const std::uint8_t *data, std::size_t size)
{
    static const auto path = [] {
        const auto sharded = folder().path() / "sharded";
        std::filesystem::copy(RIDGEPOINT_SOURCE_DIR "/tests/fixtures/families/llama-sharded", sharded);
        return sharded;
    }();
    folder().write("sharded/model.safetensors.index.json", textOf(data, size));
    expectError([&] {
        const auto opened = Checkpoint::open(path);
        for (const std::string &name : opened->names())
            expectError([&] { opened->tensor(name, {64}); });
    });
}

namespace {

void useTokenizer(const std::filesystem::path &path)
{
    expectError([&] {
        const auto opened = Tokenizer::open(path);
        if (!opened)
            return;
        opened->kind();
        for (const std::int64_t id :
             {std::int64_t(-1), std::int64_t(0), opened->size() - 1, opened->size(), INT64_MAX}) {
            opened->bytesOf(id);
            opened->isSpecial(id);
        }
        std::vector<std::int64_t> ids = opened->promptPrefix();
        expectError([&] { // decoding works without it
            for (const std::int64_t id : opened->encode("Hello, world! 12 a\xc3\xa9\xe4\xbd\xa0 <s>\xff\n\n  x"))
                ids.push_back(id);
        });
        opened->decode(ids);
        StreamDecoder stream(*opened);
        for (const std::int64_t id : ids)
            stream.push(id);
        stream.flush();
    });
}

} // namespace

void tokenizer(const std::uint8_t *data, std::size_t size)
{
    folder().write("tokenizer.json", textOf(data, size));
    useTokenizer(folder().path());
}

void sentencepiece(const std::uint8_t *data, std::size_t size)
{
    folder().write("tokenizer.model", textOf(data, size));
    useTokenizer(folder().path());
}

void catalog(const std::uint8_t *data, std::size_t size)
{
    folder().write("hardware/fuzz.json", textOf(data, size));
    folder().write("models/fuzz.json", textOf(data, size));
    expectError([&] {
        const Catalog own = Catalog::load({folder().path()});
        for (const std::string &problem : own.problems())
            checkSentence(problem);
        expectError([&] { own.hardwareById("h2000"); });
        expectError([&] { own.modelById("llama-3"); });
        own.hardwareByDeviceName("NVIDIA Fuzz");
        mustWork("what the catalogue holds cannot be predicted", [&] {
            for (const ModelShape &shape : own.models())
                predict(shape);
            const ModelShape &small = known().modelById("tinyllama-1.1b");
            for (const HardwareProfile &hardware : own.hardware())
                for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
                    if (hardware.peak(dtype) > 0) // else the rate is not known, and nothing is predicted
                        explainStep(makeWorkload(small, dtype, Accounting::Exact), nominalCeilings(hardware, dtype), 4, 512,
                                    0.01);
        });
    });
}

void profile(const std::uint8_t *data, std::size_t size)
{
    const auto path = folder().write("profile.json", textOf(data, size));
    expectError([&] { loadCeilings(path); });
    expectError([&] {
        const MeasuredCeilings measured = loadMeasuredProfile(path).calibration.ceilings;
        const ModelShape &shape = known().modelById("tinyllama-1.1b");
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16})
            for (const bool graph : {false, true}) {
                const Ceilings ceilings =
                    measuredCeilings(known().hardwareById("t4"), measured, dtype, shape.layers, graph);
                const Workload workload = makeWorkload(shape, dtype, Accounting::Exact);
                explainStep(workload, withTimedOverhead(ceilings, measured, shape, dtype, DecodeMode::Graph, 4, 512), 4,
                            512, 0.01);
                if (measured.timings) {
                    forecastStep(*measured.timings, workload, ceilings, 4, 512);
                    forecastPrefillSeconds(*measured.timings, 4, 512);
                }
            }
    });
}

void lesson(const std::uint8_t *data, std::size_t size)
{
    expectError([&] {
        const Lesson read = parseLesson(textOf(data, size), "01-fuzz.md");
        LessonContext context;
        context.catalog = &known();
        context.shape = known().modelById("tinyllama-1.1b");
        context.ceilings = nominalCeilings(known().hardwareById("t4"), DType::F16);
        context.batches = {1, 4, 16};
        context.session = std::make_shared<const Session>(recorded());
        for (std::size_t i = 0; i < read.steps.size(); ++i) {
            const LessonStep &step = read.steps[i];
            LessonContext here = context;
            expectError([&] { here = contextAfter(setupUpTo(read, i), context); });
            fillFigures(step.text, here);
            if (!step.question)
                continue;
            fillFigures(step.question->ask + step.question->answer, here);
            expectError([&] {
                const LessonFigure figure = lessonFigure(step.question->quantity, here);
                figure.text();
                usualUnit(figure);
                bool never = false;
                parseExpectation(step.question->ask, figure, &never);
                parseExpectation("1e999 GB/s", figure, &never);
            });
        }
    });
}

void glossary(const std::uint8_t *data, std::size_t size)
{
    expectError([&] { parseGlossary(textOf(data, size), "glossary.md"); });
}

} // namespace fuzz
