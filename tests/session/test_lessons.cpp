// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/session/lesson.h"
#include "core/session/sample_sessions.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace ridgepoint;

namespace {

const std::filesystem::path kShipped = RIDGEPOINT_SOURCE_DIR "/resources";

const Catalog &catalog()
{
    static const Catalog loaded = Catalog::load({kShipped});
    return loaded;
}

/// What the window would be in after it set a step up: a recording's own values first, then the step's.
LessonContext contextOf(const LessonSetup &setup)
{
    LessonContext context;
    context.catalog = &catalog();
    context.batches = {1, 4, 16, 64, 128};
    if (setup.sample) {
        context.session =
            std::make_shared<const Session>(loadSession(kShipped / "samples" / (*setup.sample + ".json")));
        const RunPlan &plan = context.session->runs.front().plan;
        context.shape = plan.model.shape;
        context.dtype = plan.dtype;
        context.accounting = Accounting::Exact;
        context.ceilings = plan.nominal;
        context.hardware = plan.hardwareId;
    }
    LessonSetup own = setup;
    return contextAfter(own, context);
}

std::string message(std::string_view text, const char *name = "bad.md")
{
    try {
        parseLesson(text, name);
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

std::string lessonWith(const std::string &step)
{
    return "# A lesson\n\n## A step\n" + step;
}

} // namespace

class TestLessons : public QObject {
    Q_OBJECT

private slots:
    void everyShippedLessonLoadsInBothLanguages();
    void everyFigureOfTheShippedLessonsComputes_data();
    void everyFigureOfTheShippedLessonsComputes();
    void figuresAreThoseOfTheSpec_data();
    void figuresAreThoseOfTheSpec();
    void aBadLessonIsToldByFileAndLine_data();
    void aBadLessonIsToldByFileAndLine();
    void whatOnlyLooksLikeUtf8IsRefused();
    void aFigureOfARecordingThatItLacksIsNamedAsItWasAsked();
    void aUsersLessonIsReadAndReplacesAShippedOne();
    void expectationsAreReadWithAndWithoutUnits_data();
    void expectationsAreReadWithAndWithoutUnits();
    void aStepStandsOnTheOnesBefore();
    void theGlossariesHoldTheSameTerms();
    void aBadGlossaryIsToldByFileAndLine();
};

void TestLessons::everyShippedLessonLoadsInBothLanguages()
{
    const LessonList english = loadLessons({kShipped}, "");
    const LessonList chinese = loadLessons({kShipped}, "zh_CN");
    QVERIFY2(english.problems.empty(), english.problems.empty() ? "" : english.problems.front().c_str());
    QVERIFY2(chinese.problems.empty(), chinese.problems.empty() ? "" : chinese.problems.front().c_str());
    QCOMPARE(english.lessons.size(), std::size_t(8));
    QCOMPARE(chinese.lessons.size(), english.lessons.size());
    for (std::size_t i = 0; i < english.lessons.size(); ++i) {
        const Lesson &a = english.lessons[i], &b = chinese.lessons[i];
        QCOMPARE(b.id, a.id);
        QCOMPARE(b.language, std::string("zh_CN"));
        QVERIFY(b.title != a.title);
        QCOMPARE(b.steps.size(), a.steps.size());
        for (std::size_t s = 0; s < a.steps.size(); ++s) {
            LessonSetup one = a.steps[s].setup, other = b.steps[s].setup;
            one.line = other.line = 0;
            QVERIFY2(one == other, qPrintable(QStringLiteral("%1, step %2").arg(a.id.c_str()).arg(s + 1)));
            QCOMPARE(b.steps[s].question.has_value(), a.steps[s].question.has_value());
            if (a.steps[s].question) {
                QVERIFY(b.steps[s].question->quantity == a.steps[s].question->quantity);
                QCOMPARE(b.steps[s].question->tolerance, a.steps[s].question->tolerance);
            }
        }
    }
}

void TestLessons::everyFigureOfTheShippedLessonsComputes_data()
{
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << QString();
    QTest::newRow("Chinese") << QStringLiteral("zh_CN");
}

void TestLessons::everyFigureOfTheShippedLessonsComputes()
{
    QFETCH(QString, language);
    for (const Lesson &lesson : loadLessons({kShipped}, language.toStdString()).lessons) {
        for (std::size_t s = 0; s < lesson.steps.size(); ++s) {
            const LessonStep &step = lesson.steps[s];
            const std::string where = lesson.path.filename().string() + ":" + std::to_string(step.line);
            try {
                const LessonContext context = contextOf(setupUpTo(lesson, s));
                QVERIFY2(step.question, (where + ": every shipped step asks").c_str());
                std::string text = step.text + step.question->ask + step.question->answer;
                for (const LessonQuantity &quantity : figuresIn(text))
                    lessonFigure(quantity, context);
                QVERIFY2(fillFigures(text, context).find("{{") == std::string::npos, where.c_str());
                const LessonFigure figure = lessonFigure(step.question->quantity, context);
                QVERIFY2(figure.never || !figure.choice.empty() || std::isfinite(figure.value), where.c_str());
                QVERIFY2(!figure.basis.empty(), where.c_str());
                // What is recorded, and only that, is said to be.
                QCOMPARE(figure.recorded, setupUpTo(lesson, s).sample.has_value());
            } catch (const std::exception &error) {
                QFAIL((where + ": " + error.what()).c_str());
            }
        }
    }
}

void TestLessons::figuresAreThoseOfTheSpec_data()
{
    QTest::addColumn<QString>("quantity");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("within");
    const QString llama = QStringLiteral(" model=llama-2-7b device=a100-80gb-sxm");
    QTest::newRow("TPOT floor") << "tpot_floor context=1" << 6.9e-3 << 0.01;
    QTest::newRow("compute") << "compute_time" << 0.034e-3 << 0.02;
    QTest::newRow("kv per token") << "kv_per_token" << 22528.0 << 1e-9;
    QTest::newRow("context of equal weight") << "kv_context" << 98000.0 << 0.01;
    QTest::newRow("ridge") << "ridge" << 203.0 << 0.005;
    QTest::newRow("TTFT floor, 2000 tokens") << "ttft_floor prompt=2000" << 68e-3 << 0.01;
    QTest::newRow("TTFT floor, batch 8") << "ttft_floor prompt=200 batch=8" << 54e-3 << 0.01;
    QTest::newRow("batch at the ridge without KV") << "batch_at_ridge_without_kv" << 203.0 << 0.005;
    QTest::newRow("AI_max of TinyLlama") << "max_intensity context=256" << 382.0 << 0.005;
    QTest::newRow("AI_max of Llama-2-7B") << "max_intensity context=2048" + llama << 12.9 << 0.03;
    QTest::newRow("Llama-2-7B on an A100") << "tpot_floor context=1" + llama << 6.6e-3 << 0.01;
    QTest::newRow("what fits") << "capacity context=2048" + llama << 61.0 << 0.04;
}

void TestLessons::figuresAreThoseOfTheSpec()
{
    QFETCH(QString, quantity);
    QFETCH(double, value);
    QFETCH(double, within);
    LessonSetup setup;
    setup.model = "tinyllama-1.1b";
    setup.device = "t4";
    setup.dtype = DType::F16;
    setup.accounting = Accounting::Textbook;
    const LessonFigure figure = lessonFigure(parseLessonQuantity(quantity.toStdString()), contextOf(setup));
    QVERIFY2(std::abs(figure.value - value) <= within * value, qPrintable(QString::number(figure.value, 'g', 8)));
    QVERIFY(!figure.recorded);
}

void TestLessons::aBadLessonIsToldByFileAndLine_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("begins");
    QTest::addColumn<QString>("names");
    const auto row = [](const char *name, const std::string &text, const char *begins, const char *names) {
        QTest::newRow(name) << QString::fromStdString(text) << begins << names;
    };
    row("no title", "## step\n", "bad.md:1:", "title");
    row("no step", "# title\n", "bad.md:1:", "step");
    row("text too early", "# title\n\nwords\n", "bad.md:3:", "before the first step");
    row("unknown field", lessonWith("```setup\nspeed: 3\n```\n"), "bad.md:5:", "speed");
    row("no number", lessonWith("```setup\nbatch: many\n```\n"), "bad.md:5:", "many");
    row("batch of zero", lessonWith("```setup\nbatch: 0\n```\n"), "bad.md:5:", "above zero");
    row("unknown dtype", lessonWith("```setup\ndtype: fp7\n```\n"), "bad.md:5:", "fp7");
    row("unknown chart", lessonWith("```setup\nchart: pie\n```\n"), "bad.md:5:", "pie");
    row("no field", lessonWith("```setup\nbatch\n```\n"), "bad.md:5:", "name: value");
    row("no end", lessonWith("```setup\nbatch: 1\n"), "bad.md:4:", "no end");
    row("unknown quantity", lessonWith("```question\nask: a?\nquantity: tpot_flor\n```\n"), "bad.md:6:", "tpot_floor");
    row("unknown argument", lessonWith("```question\nask: a?\nquantity: tpot_floor size=3\n```\n"), "bad.md:6:", "size=3");
    row("no question text", lessonWith("```question\nquantity: tpot_floor\n```\n"), "bad.md:4:", "ask");
    row("tolerance", lessonWith("```question\nask: a?\nquantity: ridge\ntolerance: 7\n```\n"), "bad.md:7:", "percentage");
    row("no answer", lessonWith("```question\nask: a?\nquantity: ridge\n```\n"), "bad.md:4:", "no answer");
    row("answer alone", lessonWith("```answer\nso\n```\n"), "bad.md:4:", "without a question");
    row("no text", std::string("\xff\xfe#\0 \0", 6), "bad.md:1:", "UTF-8");
    row("letters of no use to a terminal", lessonWith("```setup\n\x1b[2Jspeed: 3\n```\n"), "bad.md:5:", "\"?[2Jspeed\"");
    row("figure in the text", lessonWith("words {{nothing}} words\n"), "bad.md:4:", "nothing");
    row("figure without end", lessonWith("words {{ridge words\n"), "bad.md:4:", "no end");
}

void TestLessons::aBadLessonIsToldByFileAndLine()
{
    QFETCH(QString, text);
    QFETCH(QString, begins);
    QFETCH(QString, names);
    const QString said = QString::fromStdString(message(text.toStdString()));
    QVERIFY2(said.startsWith(begins), qPrintable(said));
    QVERIFY2(said.contains(names), qPrintable(said));
}

/// A character longer than need be, half of a pair of UTF-16, one beyond Unicode: quoted in a sentence they would be no text.
void TestLessons::whatOnlyLooksLikeUtf8IsRefused()
{
    for (const char *bytes : {"\xe0\x8b\x9a", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80"}) {
        const std::string said = message(lessonWith(std::string("```setup\naccounting: ") + bytes + "\n```\n"));
        QVERIFY2(said.find("UTF-8") != std::string::npos, said.c_str());
    }
    const std::string said = message(lessonWith("```setup\naccounting: \xe2\x82\xac\n```\n")); // a euro sign is one
    QVERIFY2(said.find("no accounting") != std::string::npos, said.c_str());
}

void TestLessons::aFigureOfARecordingThatItLacksIsNamedAsItWasAsked()
{
    LessonSetup setup;
    setup.sample = "h200-sweep-tinyllama-fp16";
    const LessonContext context = contextOf(setup);
    for (const auto &[quantity, named] : {std::pair("recorded_growth prompt=1e300", "sweep of prompt 1.00e+300"),
                                          std::pair("recorded_step batch=1e19 prompt=1e300", "batch 1.00e+19 and prompt 1.00e+300"),
                                          std::pair("recorded_step batch=3 prompt=12345", "batch 3 and prompt 12,345")}) {
        try {
            lessonFigure(parseLessonQuantity(quantity), context);
            QFAIL("there is no such figure");
        } catch (const Error &error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(QLatin1String(named)), error.what());
        }
    }
}

void TestLessons::aUsersLessonIsReadAndReplacesAShippedOne()
{
    QTemporaryDir dir;
    QVERIFY(QDir(dir.path()).mkpath(QStringLiteral("lessons")));
    const auto write = [&](const char *name, const std::string &text) {
        QFile file(dir.filePath(QStringLiteral("lessons/") + QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.c_str());
    };
    write("02-floor.md", lessonWith("words\n"));
    write("90-mine.md", lessonWith("words\n"));
    write("91-bad.md", "words\n");
    const LessonList list = loadLessons({kShipped, dir.path().toStdString()}, "zh_CN");
    QCOMPARE(list.lessons.size(), std::size_t(9));
    QCOMPARE(list.lessons[1].title, std::string("A lesson"));
    QCOMPARE(list.lessons.back().id, std::string("90-mine"));
    QCOMPARE(list.problems.size(), std::size_t(1));
    QVERIFY(list.problems[0].find("91-bad.md:1:") != std::string::npos);
}

void TestLessons::expectationsAreReadWithAndWithoutUnits_data()
{
    QTest::addColumn<QString>("quantity");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value"); // NaN: not readable
    QTest::newRow("bare") << "tpot_floor" << "6.9" << 6.9e-3;
    QTest::newRow("ms") << "tpot_floor" << "6.9 ms" << 6.9e-3;
    QTest::newRow("s") << "tpot_floor" << "0.0069 s" << 6.9e-3;
    QTest::newRow("us") << "tpot_floor" << "6900us" << 6.9e-3;
    QTest::newRow("decimal comma") << "tpot_floor" << "6,9" << 6.9e-3;
    QTest::newRow("thousands") << "kv_context" << "98,000" << 98000.0;
    QTest::newRow("k") << "kv_context" << "98k" << 98000.0;
    QTest::newRow("per cent") << "growth" << "17" << 0.17;
    QTest::newRow("KB") << "kv_per_token" << "22.5" << 22500.0;
    QTest::newRow("words") << "tpot_floor" << "seven" << kMissing;
    QTest::newRow("nothing") << "tpot_floor" << "" << kMissing;
    QTest::newRow("wrong unit") << "tpot_floor" << "7 GB" << kMissing;
    QTest::newRow("not finite") << "tpot_floor" << "inf" << kMissing;
}

void TestLessons::expectationsAreReadWithAndWithoutUnits()
{
    QFETCH(QString, quantity);
    QFETCH(QString, text);
    QFETCH(double, value);
    LessonSetup setup;
    setup.model = "tinyllama-1.1b";
    setup.device = "t4";
    const LessonFigure figure = lessonFigure(parseLessonQuantity(quantity.toStdString()), contextOf(setup));
    bool never = true;
    const std::optional<double> read = parseExpectation(text.toStdString(), figure, &never);
    QCOMPARE(read.has_value(), !std::isnan(value));
    if (read)
        QVERIFY(std::abs(*read - value) < 1e-9 * std::max(1.0, value));
    QVERIFY(!never);
    parseExpectation("Never", figure, &never);
    QVERIFY(never);
}

void TestLessons::aStepStandsOnTheOnesBefore()
{
    const Lesson lesson = parseLesson("# t\n## a\n```setup\nmodel: tinyllama-1.1b\ndevice: t4\nbandwidth_gb_s: 270\nbatch: 4\n```\n"
                                      "## b\n```setup\nbatch: 8\n```\n## c\n```setup\nsample: s\nmode: graph\n```\n"
                                      "## d\n```setup\nbatch: 2\n```\n## e\n```setup\ndevice: h200\n```\n",
                                      "t.md");
    QCOMPARE(parseLesson("\xef\xbb\xbf# t\n## a\ntext\n", "t.md").title, std::string("t")); // UTF-8 as some editors begin it
    const LessonSetup b = setupUpTo(lesson, 1);
    QCOMPARE(*b.model, std::string("tinyllama-1.1b"));
    QCOMPARE(*b.batch, 8.0);
    QCOMPARE(*b.bandwidth, 270e9);
    const LessonSetup d = setupUpTo(lesson, 3); // a recording brings its own values
    QVERIFY(!d.model && !d.device && !d.bandwidth);
    QCOMPARE(*d.sample, std::string("s"));
    QCOMPARE(*d.batch, 2.0);
    const LessonSetup e = setupUpTo(lesson, 4); // another device: the recording goes
    QVERIFY(!e.sample && !e.mode);
    QCOMPARE(*e.device, std::string("h200"));
}

void TestLessons::theGlossariesHoldTheSameTerms()
{
    const std::vector<GlossaryEntry> english = loadGlossary({kShipped}, ""), chinese = loadGlossary({kShipped}, "zh_CN");
    QVERIFY(english.size() >= 25);
    QCOMPARE(chinese.size(), english.size());
    for (std::size_t i = 0; i < english.size(); ++i) {
        QVERIFY2(chinese[i].text != english[i].text, english[i].term.c_str());
        // Either the same name or the English one among the others.
        const auto &also = chinese[i].also;
        QVERIFY2(chinese[i].term == english[i].term || std::find(also.begin(), also.end(), english[i].term) != also.end(),
                 english[i].term.c_str());
    }
    QCOMPARE(loadGlossary({kShipped}, "fr").size(), english.size());
}

void TestLessons::aBadGlossaryIsToldByFileAndLine()
{
    for (const auto &[text, begins] : {std::pair("words\n", "g.md:1:"), std::pair("# G\n\n## TTFT\n\n## TPOT\ntext\n", "g.md:3:"),
                                      std::pair("## TTFT\n\xff\n", "g.md:1: The file is no UTF-8 text")}) {
        try {
            parseGlossary(text, "g.md");
            QFAIL("not refused");
        } catch (const Error &error) {
            QVERIFY2(QString::fromUtf8(error.what()).startsWith(QLatin1String(begins)), error.what());
        }
    }
}

QTEST_APPLESS_MAIN(TestLessons)
#include "test_lessons.moc"
