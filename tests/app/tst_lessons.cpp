// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/chart_grid.h"
#include "app/gui/language.h"
#include "app/gui/main_window.h"
#include "tests/app/fake_engine.h"
#include "widgets/chart_view.h"
#include "widgets/lesson_panel.h"
#include "widgets/panels.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTranslator>

using namespace ridgepoint;
using namespace ridgepoint::test;

namespace {

struct Bench {
    QTemporaryDir dir;
    int unsavedAsked = 0;
    std::shared_ptr<const Catalog> catalog = std::make_shared<const Catalog>(Catalog::loadDefault());

    std::unique_ptr<MainWindow> window()
    {
        WindowServices services;
        services.engine = factory(scriptedSweep);
        services.catalog = catalog;
        services.settingsFile = dir.filePath(QStringLiteral("settings.conf"));
        services.journalFolder = dir.filePath(QStringLiteral("journal")).toStdString();
        services.loadEngineInBackground = false;
        services.prompts.unsaved = [this](QWidget *, const QString &) {
            ++unsavedAsked;
            return Prompts::Unsaved::Cancel;
        };
        auto result = std::make_unique<MainWindow>(std::move(services));
        result->resize(1280, 800);
        result->show();
        return result;
    }
};

template <class Part> Part *part(const MainWindow &window, const char *name)
{
    return window.findChild<Part *>(QString::fromLatin1(name));
}

QString feedback(const MainWindow &window)
{
    return part<QLabel>(window, "lessonFeedback")->text();
}

bool answerShown(const MainWindow &window)
{
    return part<QTextBrowser>(window, "lessonAnswer")->isVisible();
}

} // namespace

class TestLessonsInTheWindow : public QObject {
    Q_OBJECT

private slots:
    void theFirstLessonIsGoneThroughByKeyboard();
    void everyStepOfEveryLessonSetsItselfUp();
    void aWrongExpectationIsToldAndTheAnswerWaits();
    void aChoiceIsCheckedAgainstTheModel();
    void theFiguresFollowASliderAndComeBack();
    void aRecordingIsMarkedAndLetGoOf();
    void resultsOfTheUsersOwnAreNotTakenAway();
    void theLanguageFollowsTheWindowAndTheSwitch();
    void whatWasSaidOfAnExpectationChangesItsLanguage();
    void aBadLessonOfTheUsersIsSaid();
    void theGlossaryFindsATerm();
    void termsCarryTheirMeaning();
    void presenterModeIsLargerAndRemembered();
};

void TestLessonsInTheWindow::theFirstLessonIsGoneThroughByKeyboard()
{
    Bench bench;
    auto window = bench.window();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QVERIFY(!part<QDockWidget>(*window, "dockLessons")->isVisible());
    QTest::keyClick(window.get(), Qt::Key_F1);
    QVERIFY(part<QDockWidget>(*window, "dockLessons")->isVisible());
    QCOMPARE(window->lessons()->currentId(), QStringLiteral("01-two-numbers"));
    // The step's values reached the workbench, and the cursor stands in the field.
    QCOMPARE(window->model()->whatIf().shape.id, std::string("tinyllama-1.1b"));
    QCOMPARE(window->model()->whatIf().hardware.id, std::string("t4"));
    QCOMPARE(window->model()->whatIf().prompt, 2000.0);
    QCOMPARE(window->model()->whatIf().ceilings.overhead, 0.0);
    QCOMPARE(window->charts()->single(), QStringLiteral("time-account"));
    auto *field = part<QLineEdit>(*window, "lessonExpectation");
    QTRY_COMPARE(QApplication::focusWidget(), field);
    QVERIFY(!answerShown(*window));
    QTest::keyClicks(field, QStringLiteral("68"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY2(answerShown(*window), qPrintable(feedback(*window)));
    QVERIFY(part<QTextBrowser>(*window, "lessonAnswer")->toPlainText().startsWith(QStringLiteral("67.7 ms")));
    QVERIFY(part<QTextBrowser>(*window, "lessonAnswer")->toPlainText().contains(QStringLiteral("Worked out now")));
    // Right: Next has the focus, and Space goes on.
    QTRY_COMPARE(QApplication::focusWidget(), part<QPushButton>(*window, "lessonNext"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(window->lessons()->currentStep(), 1);
    QVERIFY(!answerShown(*window));
    QVERIFY(field->text().isEmpty());
    QTRY_COMPARE(QApplication::focusWidget(), field);
    for (const char *name : {"lessonChoice", "lessonLanguage", "lessonText", "lessonExpectation", "lessonChoiceOf", "lessonAnswer"}) {
        auto *widget = part<QWidget>(*window, name);
        QVERIFY2(!widget->accessibleName().isEmpty(), name);
        QVERIFY2(widget->focusPolicy() & Qt::TabFocus, name);
    }
}

void TestLessonsInTheWindow::everyStepOfEveryLessonSetsItselfUp()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    const LessonList &list = window->lessons()->lessons();
    QCOMPARE(list.lessons.size(), std::size_t(8));
    auto *next = part<QPushButton>(*window, "lessonNext");
    for (std::size_t i = 0; i < list.lessons.size(); ++i) {
        for (std::size_t s = 0; s < list.lessons[i].steps.size(); ++s) {
            const QString where = QString::fromStdString(list.lessons[i].id) + QStringLiteral(", step ") + QString::number(s + 1);
            QVERIFY2(window->lessons()->currentId().toStdString() == list.lessons[i].id, qPrintable(where));
            QCOMPARE(window->lessons()->currentStep(), int(s));
            QVERIFY2(feedback(*window).isEmpty(), qPrintable(where + QStringLiteral(": ") + feedback(*window)));
            QVERIFY2(!window->lessons()->plainText().contains(QStringLiteral("(–")), qPrintable(where));
            QVERIFY2(part<QPushButton>(*window, "lessonCheck")->isEnabled(), qPrintable(where));
            const LessonSetup setup = setupUpTo(list.lessons[i], s);
            QCOMPARE(part<QLabel>(*window, "lessonRecording")->isVisible(), setup.sample.has_value());
            if (setup.chart)
                QCOMPARE(window->charts()->single().toStdString(), *setup.chart);
            if (setup.batch)
                QCOMPARE(window->model()->whatIf().batch, *setup.batch);
            next->click();
        }
    }
    QVERIFY(!next->isEnabled());
    QCOMPARE(bench.unsavedAsked, 0);
}

void TestLessonsInTheWindow::aWrongExpectationIsToldAndTheAnswerWaits()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    window->lessons()->open(QStringLiteral("02-floor"));
    auto *field = part<QLineEdit>(*window, "lessonExpectation");
    auto *show = part<QPushButton>(*window, "lessonShow");
    QVERIFY(!show->isEnabled());
    field->setText(QStringLiteral("no idea"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(feedback(*window).contains(QStringLiteral("Write a number first")));
    QVERIFY(!show->isEnabled()); // nothing was expected yet
    field->setText(QStringLiteral("13.8"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY2(feedback(*window).contains(QStringLiteral("Too much, by a factor of 2")), qPrintable(feedback(*window)));
    QVERIFY(!answerShown(*window));
    field->setText(QStringLiteral("0.69"));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY2(feedback(*window).contains(QStringLiteral("Too little, by a factor of 9.99")), qPrintable(feedback(*window)));
    QVERIFY(show->isEnabled());
    show->click();
    QVERIFY(answerShown(*window));
    QVERIFY(part<QTextBrowser>(*window, "lessonAnswer")->toPlainText().startsWith(QStringLiteral("6.89 ms")));
}

void TestLessonsInTheWindow::aChoiceIsCheckedAgainstTheModel()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    window->lessons()->open(QStringLiteral("03-prefill"), 1);
    auto *choice = part<QComboBox>(*window, "lessonChoiceOf");
    auto *check = part<QPushButton>(*window, "lessonCheck");
    QVERIFY(choice->isVisible());
    QVERIFY(!part<QLineEdit>(*window, "lessonExpectation")->isVisible());
    check->click();
    QVERIFY(feedback(*window).contains(QStringLiteral("Choose one first")));
    choice->setCurrentIndex(choice->findData(QStringLiteral("compute")));
    check->click();
    QVERIFY(feedback(*window).contains(QStringLiteral("Not so")));
    QVERIFY(!answerShown(*window));
    choice->setCurrentIndex(choice->findData(QStringLiteral("memory")));
    check->click();
    QVERIFY(answerShown(*window));
    // "never" is an answer too.
    window->lessons()->open(QStringLiteral("06-ceiling"), 1);
    part<QLineEdit>(*window, "lessonExpectation")->setText(QStringLiteral("never"));
    check->click();
    QVERIFY(answerShown(*window));
}

void TestLessonsInTheWindow::theFiguresFollowASliderAndComeBack()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    window->lessons()->open(QStringLiteral("02-floor"));
    auto *again = part<QPushButton>(*window, "lessonAgain");
    QVERIFY(!again->isEnabled());
    WhatIf moved = window->model()->whatIf();
    moved.ceilings.bandwidth = 160e9;
    window->model()->setWhatIf(moved);
    QVERIFY(feedback(*window).contains(QStringLiteral("moved by hand")));
    part<QLineEdit>(*window, "lessonExpectation")->setText(QStringLiteral("13.8")); // right now: half the bandwidth
    part<QPushButton>(*window, "lessonCheck")->click();
    QVERIFY(answerShown(*window));
    again->click();
    QCOMPARE(window->model()->whatIf().ceilings.bandwidth, 320e9);
    QVERIFY(!again->isEnabled());
}

void TestLessonsInTheWindow::aRecordingIsMarkedAndLetGoOf()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    window->lessons()->open(QStringLiteral("01-two-numbers"), 2);
    auto *badge = part<QLabel>(*window, "lessonRecording");
    QVERIFY(badge->isVisible());
    QVERIFY2(badge->text().contains(QStringLiteral("NVIDIA H200")), qPrintable(badge->text()));
    QVERIFY(window->messages()->texts().join(QLatin1Char(' ')).contains(QStringLiteral("recording")));
    QVERIFY(window->document()->path().isEmpty()); // a copy: its file is left alone
    QVERIFY(window->document()->hasResults());
    part<QLineEdit>(*window, "lessonExpectation")->setText(QStringLiteral("1.6"));
    part<QPushButton>(*window, "lessonCheck")->click();
    QVERIFY(answerShown(*window));
    QVERIFY(part<QTextBrowser>(*window, "lessonAnswer")->toPlainText().contains(QStringLiteral("Recorded:")));
    window->lessons()->open(QStringLiteral("02-floor"));
    QVERIFY(!badge->isVisible());
    QVERIFY(!window->document()->hasResults());
    QVERIFY(!window->messages()->texts().join(QLatin1Char(' ')).contains(QStringLiteral("recording")));
}

void TestLessonsInTheWindow::resultsOfTheUsersOwnAreNotTakenAway()
{
    Bench bench;
    auto window = bench.window();
    RunPlan plan = smallPlan();
    plan.model.shape = bench.catalog->modelById("smollm2-135m");
    window->startRun(plan);
    QTRY_VERIFY(!window->controller()->isRunning());
    QVERIFY(window->document()->isModified());
    window->showLessons();
    window->lessons()->open(QStringLiteral("01-two-numbers"), 2); // wants a recording: it gets a tab of its own
    QCOMPARE(window->tabCount(), 2);
    QVERIFY(!window->document()->isModified());
    QVERIFY(part<QLabel>(*window, "lessonRecording")->isVisible());
    window->lessons()->open(QStringLiteral("03-prefill"), 1);
    window->lessons()->open(QStringLiteral("01-two-numbers"), 2);
    QCOMPARE(window->tabCount(), 2);
    window->lessons()->open(QStringLiteral("02-floor")); // and a prediction lets go of it again
    QCOMPARE(window->tabCount(), 1);
    QVERIFY(window->document()->isModified() && window->document()->hasResults());
    QCOMPARE(bench.unsavedAsked, 0);
}

void TestLessonsInTheWindow::theLanguageFollowsTheWindowAndTheSwitch()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    auto *panel = window->lessons();
    QCOMPARE(panel->language(), QString());
    const QString english = panel->plainText();
    {
        /// What a translation says: the language of its lessons.
        struct Chinese : QTranslator {
            QString translate(const char *, const char *text, const char *, int) const override
            {
                return QLatin1String(text) == QLatin1String("en") ? QStringLiteral("zh_CN") : QString();
            }
            bool isEmpty() const override { return false; }
        } translator;
        QVERIFY(QApplication::installTranslator(&translator));
        QTRY_COMPARE(panel->language(), QStringLiteral("zh_CN"));
        QVERIFY(panel->plainText() != english);
        QVERIFY(panel->plainText().contains(QStringLiteral("请求")));
        QCOMPARE(panel->currentId(), QStringLiteral("01-two-numbers"));
        QApplication::removeTranslator(&translator);
        QTRY_COMPARE(panel->language(), QString());
    }
    // The panel's own switch, in the middle of a lesson.
    panel->open(QStringLiteral("05-sweep"), 2);
    auto *switcher = part<QComboBox>(*window, "lessonLanguage");
    switcher->setFocus();
    QTest::keyClick(switcher, Qt::Key_Down);
    QCOMPARE(panel->language(), QStringLiteral("zh_CN"));
    QCOMPARE(panel->currentId(), QStringLiteral("05-sweep"));
    QCOMPARE(panel->currentStep(), 2);
    QVERIFY(panel->plainText().contains(QStringLiteral("算力到头了")));
}

void TestLessonsInTheWindow::whatWasSaidOfAnExpectationChangesItsLanguage()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    const auto say = [&](const char *expectation) {
        part<QLineEdit>(*window, "lessonExpectation")->setText(QLatin1String(expectation));
        part<QPushButton>(*window, "lessonCheck")->click();
    };
    const auto told = [&](const QString &sentence) { return feedback(*window).contains(sentence); };
    const auto leave = qScopeGuard([] { useLanguage(QStringLiteral("en")); });
    say("nonsense");
    QVERIFY2(told(QStringLiteral("Write a number first")), qPrintable(feedback(*window)));
    useLanguage(QStringLiteral("zh_CN"));
    QTRY_VERIFY2(!told(QStringLiteral("Write")) && told(QStringLiteral("请先写")), qPrintable(feedback(*window)));
    useLanguage(QStringLiteral("en"));
    QTRY_VERIFY(told(QStringLiteral("Write a number first")));
    say("6.8");
    QVERIFY2(told(QStringLiteral("Too little, by a factor of")), qPrintable(feedback(*window)));
    useLanguage(QStringLiteral("zh_CN"));
    QTRY_VERIFY2(!told(QStringLiteral("Too little")) && told(QStringLiteral("倍")), qPrintable(feedback(*window)));
    useLanguage(QStringLiteral("en"));
    say("68");
    QVERIFY2(told(QStringLiteral("As you expected, within")), qPrintable(feedback(*window)));
    useLanguage(QStringLiteral("zh_CN"));
    QTRY_VERIFY2(!told(QStringLiteral("As you")) && told(QStringLiteral("预期")), qPrintable(feedback(*window)));
    QVERIFY(!part<QTextBrowser>(*window, "lessonAnswer")->isHidden()); // what was reached stays
}

void TestLessonsInTheWindow::aBadLessonOfTheUsersIsSaid()
{
    Bench bench;
    QVERIFY(QDir(bench.dir.path()).mkpath(QStringLiteral("ridgepoint/lessons")));
    const auto write = [&](const char *name, const char *text) {
        QFile file(bench.dir.filePath(QStringLiteral("ridgepoint/lessons/") + QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("50-mine.md", "# My own\n## One step\nwords {{ridge}}\n");
    write("51-bad.md", "# Bad\n## One step\n```setup\nspeed: 3\n```\n");
    qputenv("XDG_DATA_HOME", bench.dir.path().toLocal8Bit());
    auto window = bench.window();
    qunsetenv("XDG_DATA_HOME");
    window->showLessons();
    window->lessons()->open(QStringLiteral("50-mine"));
    QVERIFY(window->lessons()->plainText().contains(QStringLiteral("One step")));
    QVERIFY(!part<QPushButton>(*window, "lessonCheck")->isVisible()); // it asks nothing
    const QString problems = part<QLabel>(*window, "lessonProblems")->text();
    QVERIFY2(problems.contains(QStringLiteral("51-bad.md:4:")), qPrintable(problems));
}

void TestLessonsInTheWindow::theGlossaryFindsATerm()
{
    Bench bench;
    auto window = bench.window();
    part<QAction>(*window, "actionGlossary")->trigger();
    auto *glossary = part<GlossaryDialog>(*window, "glossary");
    QVERIFY(glossary && glossary->isVisible());
    QVERIFY(glossary->plainText().contains(QStringLiteral("TTFT")));
    auto *filter = part<QLineEdit>(*window, "glossaryFilter");
    filter->setText(QStringLiteral("GQA"));
    QVERIFY(glossary->plainText().startsWith(QStringLiteral("GQA")));
    QVERIFY(!glossary->plainText().contains(QStringLiteral("roofline")));
    filter->setText(QStringLiteral("nonsense"));
    QVERIFY(glossary->plainText().contains(QStringLiteral("No term holds")));
}

void TestLessonsInTheWindow::termsCarryTheirMeaning()
{
    Bench bench;
    auto window = bench.window();
    window->showLessons();
    const auto toolTipOf = [&](const char *browser, const char *term) {
        QTextDocument *document = part<QTextBrowser>(*window, browser)->document();
        return document->find(QString::fromLatin1(term), 0, QTextDocument::FindCaseSensitively).charFormat().toolTip();
    };
    QVERIFY(toolTipOf("lessonText", "TTFT").contains(QStringLiteral("time to first token"), Qt::CaseInsensitive));
    QVERIFY(toolTipOf("explanation", "ridge").contains(QStringLiteral("FLOP/B")));
    // A click opens the glossary there.
    emit part<QTextBrowser>(*window, "lessonText")->anchorClicked(QUrl(QStringLiteral("term:TTFT")));
    QCOMPARE(part<QLineEdit>(*window, "glossaryFilter")->text(), QStringLiteral("TTFT"));
}

void TestLessonsInTheWindow::presenterModeIsLargerAndRemembered()
{
    Bench bench;
    const double size = QApplication::font().pointSizeF();
    {
        auto window = bench.window();
        const ChartTheme plain = window->charts()->charts().first()->theme();
        QAction *action = part<QAction>(*window, "actionPresenter");
        QVERIFY(!action->isChecked());
        action->trigger();
        QVERIFY(action->isChecked());
        const ChartTheme large = window->charts()->charts().first()->theme();
        QVERIFY(large.lineWidth > 1.5 * plain.lineWidth);
        QVERIFY(large.font.pointSizeF() > 1.2 * plain.font.pointSizeF());
        window->showLessons(); // a panel that was hidden takes the type on when it comes
        QVERIFY(window->lessons()->font().pointSizeF() > 1.2 * size);
        QVERIFY(part<QWidget>(*window, "explanation")->font().pointSizeF() > 1.2 * size);
        window->setThemeMode(ThemeMode::Dark); // another theme keeps it
        QVERIFY(window->charts()->charts().first()->theme().lineWidth > 1.5 * plain.lineWidth);
        window->setThemeMode(ThemeMode::System);
    }
    QCOMPARE(QApplication::font().pointSizeF(), size); // gone with its window
    auto window = bench.window();
    QVERIFY(part<QAction>(*window, "actionPresenter")->isChecked());
    QVERIFY(QApplication::font().pointSizeF() > 1.2 * size);
    part<QAction>(*window, "actionPresenter")->trigger();
    QCOMPARE(QApplication::font().pointSizeF(), size);
}

int main(int argc, char **argv)
{
    QTemporaryDir home; // nobody's own lessons
    qputenv("XDG_DATA_HOME", home.path().toLocal8Bit());
    QApplication application(argc, argv);
    QLocale::setDefault(QLocale::c());
    TestLessonsInTheWindow test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_lessons.moc"
