// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lesson_panel.h"

#include "core/base/error.h"
#include "widgets/chart_theme.h"
#include "widgets/chart_view.h"
#include "widgets/panel_parts.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QVBoxLayout>

#include <cmath>
#include <functional>

namespace ridgepoint {

namespace {

QString choiceText(const std::string &word)
{
    if (word == "memory")
        return LessonPanel::tr("memory");
    if (word == "compute")
        return LessonPanel::tr("compute");
    if (word == "yes")
        return LessonPanel::tr("yes");
    if (word == "no")
        return LessonPanel::tr("no");
    if (word == "ok")
        return LessonPanel::tr("it runs");
    if (word == "oom")
        return LessonPanel::tr("out of memory while it runs");
    if (word == "skipped")
        return LessonPanel::tr("skipped: the arithmetic says no");
    if (word == "failed")
        return LessonPanel::tr("it fails otherwise");
    return QString::fromStdString(word);
}

QString figureText(const LessonFigure &figure)
{
    if (figure.never)
        return LessonPanel::tr("never");
    return figure.kind == LessonFigure::Kind::Choice ? choiceText(figure.choice) : QString::fromStdString(figure.text());
}

/// A wrapped sentence that is never squeezed below its lines: a layout asks a label for its least height at any width.
class SentenceLabel : public QLabel {
public:
    SentenceLabel() { setWordWrap(true); }
    void fit()
    {
        const int wanted = heightForWidth(width());
        if (wanted > 0 && wanted != minimumHeight())
            setMinimumHeight(wanted);
    }
    void say(const QString &sentence)
    {
        setText(sentence);
        fit();
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QLabel::resizeEvent(event);
        fit();
    }
    void changeEvent(QEvent *event) override
    {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::FontChange)
            fit();
    }
};

} // namespace

QString lessonLanguage()
{
    //: Language of the lessons and the glossary that belong to this translation: the part of their file names, as in
    //: 02-floor.zh_CN.md. Leave "en" for a language that has none.
    const QString name = LessonPanel::tr("en", "language of the lessons");
    return name == QLatin1String("en") ? QString() : name;
}

void markTerms(QTextDocument *document, const std::vector<GlossaryEntry> &glossary, const QColor &colour, bool links)
{
    for (const GlossaryEntry &entry : glossary) {
        std::vector<std::string> names = entry.also;
        names.insert(names.begin(), entry.term);
        for (const std::string &name : names) {
            const QString text = QString::fromStdString(name);
            // "context" is no part of "contexts2"; Chinese has no blanks between words.
            const QRegularExpression pattern(QStringLiteral("(?<![A-Za-z0-9_])") + QRegularExpression::escape(text) +
                                             QStringLiteral("(?![A-Za-z0-9_*])"));
            const QTextCursor found = document->find(pattern);
            if (found.isNull() || found.charFormat().isAnchor() || !found.charFormat().toolTip().isEmpty())
                continue;
            QTextCharFormat format;
            format.setToolTip(QStringLiteral("<b>%1</b><br/>%2").arg(QString::fromStdString(entry.term).toHtmlEscaped(),
                                                                       QString::fromStdString(entry.text).toHtmlEscaped()));
            format.setUnderlineStyle(QTextCharFormat::DotLine);
            format.setUnderlineColor(colour);
            if (links) {
                format.setAnchor(true);
                format.setAnchorHref(QStringLiteral("term:") + QString::fromStdString(entry.term));
                format.setForeground(colour);
            }
            QTextCursor(found).mergeCharFormat(format);
            break;
        }
    }
}

struct LessonPanel::Private {
    LessonPanel *q = nullptr;
    WorkbenchModel *model = nullptr;
    std::shared_ptr<const Catalog> catalog;
    std::vector<std::filesystem::path> folders;
    LessonStage stage;

    QString language;
    bool ownLanguage = false; ///< chosen in the panel: the window's no longer counts
    LessonList list;
    std::vector<GlossaryEntry> glossary;
    int lesson = -1, step = 0;

    SessionPtr recording; ///< that the lesson opened
    QString sample;       ///< its name; empty: none
    std::string mode;     ///< of the recorded run
    WhatIf setUp;         ///< the what-if values as the step left them, or as it would have them
    std::string setUpIn;  ///< id of the session that the step was set up in; empty: not yet
    QString fault;        ///< why the step could not be set up
    QString figureFault;  ///< why its figure cannot be had now

    enum class Said { Nothing, Unreadable, Wrong, Right } said = Said::Nothing;
    std::function<QString()> verdict; ///< in the language of the moment; empty: none
    bool answerShown = false;
    bool settingUp = false;

    QComboBox *lessons = nullptr, *languages = nullptr, *choice = nullptr;
    QLabel *lessonsLabel = nullptr, *progress = nullptr, *unit = nullptr;
    SentenceLabel *badge = nullptr, *ask = nullptr;
    QTextBrowser *text = nullptr, *answer = nullptr;
    QLineEdit *field = nullptr;
    QPushButton *check = nullptr, *show = nullptr, *back = nullptr, *next = nullptr, *again = nullptr;
    NoteLabel *feedback = nullptr, *notes = nullptr;
    QWidget *question = nullptr;

    const LessonStep *current() const
    {
        return lesson < 0 ? nullptr : &list.lessons[std::size_t(lesson)].steps[std::size_t(step)];
    }
    void load();
    void fillLessons();
    void retranslate();
    void go(int toLesson, int toStep, bool setsUp = true);
    void setUpStep();
    WhatIf wanted(const LessonSetup &whole, WhatIf whatIf) const;
    /// The step's values are not those of the session in front.
    bool elsewhere() const { return !recording && setUpIn != model->session()->id; }
    void render();
    void judge();
    std::optional<LessonFigure> figure();
    void markdown(QTextBrowser *view, const QString &source);
};

void LessonPanel::Private::load()
{
    const QString id = q->currentId();
    list = loadLessons(folders, language.toStdString());
    try {
        glossary = loadGlossary(folders, language.toStdString());
    } catch (const std::exception &error) {
        glossary.clear();
        list.problems.push_back(error.what());
    }
    lesson = list.lessons.empty() ? -1 : 0;
    for (std::size_t i = 0; i < list.lessons.size(); ++i) {
        if (QString::fromStdString(list.lessons[i].id) == id)
            lesson = int(i);
    }
    step = lesson < 0 ? 0 : std::min(step, int(list.lessons[std::size_t(lesson)].steps.size()) - 1);
    fillLessons();
}

void LessonPanel::Private::fillLessons()
{
    const QSignalBlocker quiet(lessons);
    lessons->clear();
    for (std::size_t i = 0; i < list.lessons.size(); ++i)
        lessons->addItem(QStringLiteral("%1. %2").arg(i + 1).arg(QString::fromStdString(list.lessons[i].title)));
    lessons->setCurrentIndex(lesson);
    QStringList problems;
    for (const std::string &problem : list.problems)
        problems << coreText(problem);
    notes->setNote(problems.isEmpty() ? QString()
                                      : LessonPanel::tr("Left out:") + QLatin1Char('\n') + problems.join(QLatin1Char('\n')));
}

void LessonPanel::Private::retranslate()
{
    lessonsLabel->setText(LessonPanel::tr("&Lesson"));
    lessons->setAccessibleName(LessonPanel::tr("Lesson"));
    languages->setAccessibleName(LessonPanel::tr("Language of the lessons"));
    languages->setToolTip(languages->accessibleName());
    lessons->setToolTip(LessonPanel::tr("Another lesson; its first step is set up at once"));
    text->setAccessibleName(LessonPanel::tr("Text of the step"));
    answer->setAccessibleName(LessonPanel::tr("Answer"));
    field->setAccessibleName(LessonPanel::tr("Your expectation"));
    field->setPlaceholderText(LessonPanel::tr("your expectation"));
    field->setToolTip(LessonPanel::tr("A number in the unit beside it, or with its own; Return checks it"));
    choice->setAccessibleName(LessonPanel::tr("Your expectation"));
    choice->setToolTip(LessonPanel::tr("What you expect, before you look"));
    check->setToolTip(LessonPanel::tr("Sets your expectation against the figure"));
    back->setToolTip(LessonPanel::tr("To the step before"));
    next->setToolTip(LessonPanel::tr("To the next step, or the next lesson after the last one"));
    check->setText(LessonPanel::tr("&Check"));
    show->setText(LessonPanel::tr("Show the &answer"));
    show->setToolTip(LessonPanel::tr("After an expectation was given"));
    back->setText(LessonPanel::tr("&Back"));
    next->setText(LessonPanel::tr("Ne&xt"));
    again->setText(LessonPanel::tr("Set up a&gain"));
    again->setToolTip(LessonPanel::tr("Puts model, device, sliders and charts back to what this step needs"));
}

void LessonPanel::Private::go(int toLesson, int toStep, bool setsUp)
{
    if (toLesson < 0 || toLesson >= int(list.lessons.size()))
        return;
    const bool otherLesson = lesson != toLesson;
    lesson = toLesson;
    const int last = int(list.lessons[std::size_t(lesson)].steps.size()) - 1;
    step = std::clamp(toStep, 0, last);
    if (otherLesson || lessons->currentIndex() != lesson) {
        const QSignalBlocker quiet(lessons);
        lessons->setCurrentIndex(lesson);
    }
    said = Said::Nothing;
    verdict = {};
    answerShown = false;
    field->clear();
    if (setsUp) {
        setUpStep();
    } else {
        setUpIn.clear();
        fault.clear();
        try {
            setUp = wanted(setupUpTo(list.lessons[std::size_t(lesson)], std::size_t(step)), model->whatIf());
        } catch (const std::exception &error) {
            fault = coreText(error.what());
        }
    }
    render();
    text->verticalScrollBar()->setValue(0);
    if (question->isVisible()) {
        if (choice->isVisible())
            choice->setFocus();
        else
            field->setFocus();
    } else if (next->isEnabled()) {
        next->setFocus();
    }
}

/// A step stands on the ones before it: their values are laid first, so that each can be entered directly.
void LessonPanel::Private::setUpStep()
{
    settingUp = true;
    fault.clear();
    try {
        const LessonSetup whole = setupUpTo(list.lessons[std::size_t(lesson)], std::size_t(step));
        mode = whole.mode.value_or(std::string());
        WhatIf whatIf = model->whatIf();
        if (whole.sample) {
            const QString wanted = QString::fromStdString(*whole.sample);
            if (!recording || sample != wanted || model->session() != recording) {
                recording.reset();
                if (!stage.openSample(wanted))
                    throw Error(ErrorKind::Failure,
                                LessonPanel::tr("The recording %1 was not opened. Let go of what stands in its way, then set up again.")
                                    .arg(wanted)
                                    .toStdString());
                recording = model->session();
                sample = wanted;
            }
            for (const RunRecord &run : recording->runs) {
                if (mode.empty() || mode == modeName(run.plan.mode)) {
                    model->select(std::nullopt);
                    model->setCurrentRun(run.plan.runId);
                    whatIf = whatIfOfRun(run);
                    break;
                }
            }
        } else if (recording) {
            const bool mine = model->session() == recording;
            recording.reset();
            sample.clear();
            if (mine) // another session that was opened since is the user's own
                stage.closeSample();
        }
        model->setWhatIf(wanted(whole, std::move(whatIf)));
        if (whole.chart)
            stage.showChart(QString::fromStdString(*whole.chart));
    } catch (const std::exception &error) {
        fault = coreText(error.what());
    }
    setUp = model->whatIf();
    setUpIn = model->session()->id;
    settingUp = false;
}

/// What a step wants of the what-if values.
WhatIf LessonPanel::Private::wanted(const LessonSetup &whole, WhatIf whatIf) const
{
    if (!whole.sample || whole.model || whole.device) {
        // What was measured elsewhere, or set by hand, has no place in a step that names its own values.
        LessonContext before = q->contextOf(whatIf);
        before.ceilings.overhead = 0;
        const LessonContext after = contextAfter(whole, before);
        if (whole.device) {
            whatIf.hardware = catalog->hardwareById(*whole.device);
            whatIf.measured.reset();
        }
        whatIf.shape = after.shape;
        whatIf.dtype = after.dtype;
        whatIf.accounting = after.accounting;
        whatIf.nominal = nominalCeilings(whatIf.hardware, whatIf.dtype);
        whatIf.ceilings = after.ceilings;
        if (whatIf.nominal.memory <= 0)
            whatIf.nominal.memory = whatIf.ceilings.memory;
        whatIf.timedOverhead.reset();
        whatIf.mode = DecodeMode::Eager;
        whatIf.batches = after.batches;
    } else if (whole.accounting) {
        whatIf.accounting = *whole.accounting;
    }
    whatIf.batch = whole.batch.value_or(whatIf.batch);
    whatIf.context = whole.context.value_or(whatIf.context);
    whatIf.prompt = whole.prompt.value_or(whatIf.prompt);
    return whatIf;
}

void LessonPanel::Private::markdown(QTextBrowser *view, const QString &source)
{
    view->setMarkdown(source);
    const ChartTheme theme = ChartTheme::forPalette(q->palette());
    markTerms(view->document(), glossary, theme.measured, true);
}

std::optional<LessonFigure> LessonPanel::Private::figure()
{
    const LessonStep *now = current();
    figureFault.clear();
    if (!now || !now->question)
        return std::nullopt;
    try {
        return lessonFigure(now->question->quantity, q->context());
    } catch (const std::exception &error) {
        figureFault = coreText(error.what());
        return std::nullopt;
    }
}

void LessonPanel::Private::render()
{
    const LessonStep *now = current();
    if (!now) {
        text->setPlainText(LessonPanel::tr("No lessons are installed. A file lessons/NAME.md in the folder of your data is one."));
        for (QWidget *part : {static_cast<QWidget *>(question), static_cast<QWidget *>(answer), static_cast<QWidget *>(badge)})
            part->hide();
        for (QPushButton *button : {back, next, again})
            button->setEnabled(false);
        progress->clear();
        return;
    }
    const LessonContext context = q->context();
    const int count = int(list.lessons[std::size_t(lesson)].steps.size());
    progress->setText(LessonPanel::tr("Step %1 of %2").arg(step + 1).arg(count));
    const int place = text->verticalScrollBar()->value();
    markdown(text, QStringLiteral("### ") + QString::fromStdString(now->title) + QStringLiteral("\n\n") +
                       QString::fromStdString(fillFigures(now->text, context)));
    text->verticalScrollBar()->setValue(place);

    const bool replaced = recording && model->session() != recording;
    badge->setVisible(recording != nullptr);
    if (recording) {
        const RunRecord *run = recording->runs.empty() ? nullptr : &recording->runs.front();
        badge->say(LessonPanel::tr("Recording: %1. Nothing is measured now.")
                           .arg(run ? QString::fromStdString(run->provenance.deviceName + ", " +
                                                             run->provenance.startedUtc.substr(0, 10))
                                    : sample));
    }
    const bool moved = !(model->whatIf() == setUp);
    const std::optional<LessonFigure> wanted = figure();
    QStringList remarks;
    if (!fault.isEmpty())
        remarks << fault;
    else if (!figureFault.isEmpty())
        remarks << figureFault;
    if (replaced)
        remarks << LessonPanel::tr("Another session is open: the figures are still those of the recording.");
    else if (setUpIn.empty())
        remarks << LessonPanel::tr("The session in front was left as it is. “Set up” brings there what this step needs.");
    else if (elsewhere())
        remarks << LessonPanel::tr("Another session is in front and was left as it is: the figures are those of the step. “Set up” "
                                   "brings them there.");
    else if (moved)
        remarks << LessonPanel::tr("Values were moved by hand: the figures follow them.");
    again->setText(elsewhere() ? LessonPanel::tr("Set &up") : LessonPanel::tr("Set up a&gain"));
    again->setEnabled(moved || replaced || elsewhere() || !fault.isEmpty());

    question->setVisible(now->question.has_value());
    if (now->question) {
        ask->say(QString::fromStdString(fillFigures(now->question->ask, context)));
        const bool words = wanted && wanted->kind == LessonFigure::Kind::Choice;
        choice->setVisible(words);
        field->setVisible(!words);
        unit->setVisible(!words);
        if (words && choice->count() != int(wanted->choices.size()) + 1) {
            choice->clear();
            choice->addItem(LessonPanel::tr("choose…"), QString());
            for (const std::string &word : wanted->choices)
                choice->addItem(choiceText(word), QString::fromStdString(word));
        } else if (!words) {
            choice->clear();
        }
        unit->setText(wanted && !words ? QString::fromStdString(usualUnit(*wanted)) : QString());
        check->setEnabled(wanted.has_value());
        show->setEnabled(wanted && !answerShown && (said == Said::Wrong || said == Said::Right));
    }
    QStringList lines;
    if (verdict)
        lines << verdict();
    lines << remarks;
    feedback->setNote(lines.join(QLatin1Char('\n')));
    answer->setVisible(answerShown && now->question && wanted);
    if (answerShown && now->question && wanted) {
        const QString basis = coreText(wanted->basis);
        markdown(answer, QStringLiteral("**%1**\n\n").arg(figureText(*wanted)) +
                             QString::fromStdString(fillFigures(now->question->answer, context)) + QStringLiteral("\n\n*") +
                             (wanted->recorded ? LessonPanel::tr("Recorded: %1").arg(basis)
                                               : LessonPanel::tr("Worked out now: %1").arg(basis)) +
                             QLatin1Char('*'));
    }
    const bool lastStep = step + 1 == count;
    const bool lastLesson = lesson + 1 == int(list.lessons.size());
    next->setText(lastStep && !lastLesson ? LessonPanel::tr("Ne&xt lesson") : LessonPanel::tr("Ne&xt"));
    next->setEnabled(!(lastStep && lastLesson));
    back->setEnabled(step > 0 || lesson > 0);
}

void LessonPanel::Private::judge()
{
    const LessonStep *now = current();
    const std::optional<LessonFigure> wanted = figure();
    if (!now || !now->question || !wanted) {
        render();
        return;
    }
    bool right = false;
    if (wanted->kind == LessonFigure::Kind::Choice) {
        const QString word = choice->currentData().toString();
        if (word.isEmpty()) {
            said = Said::Unreadable;
            verdict = [] { return LessonPanel::tr("Choose one first: a guess is worth more than none."); };
            render();
            return;
        }
        right = word.toStdString() == wanted->choice;
        verdict = [right] {
            return right ? LessonPanel::tr("As you expected.") : LessonPanel::tr("Not so. Think again, or look at the answer.");
        };
    } else {
        bool never = false;
        const std::optional<double> expected = parseExpectation(field->text().toStdString(), *wanted, &never);
        if (!expected) {
            said = Said::Unreadable;
            const QString usual = QString::fromStdString(usualUnit(*wanted));
            verdict = [usual] {
                return usual.isEmpty() ? LessonPanel::tr("Write a number first: a guess is worth more than none.")
                                       : LessonPanel::tr("Write a number first, in %1 or with its unit: a guess is worth more than none.")
                                             .arg(usual);
            };
            render();
            return;
        }
        const double tolerance = now->question->tolerance;
        if (never || wanted->never)
            right = never == wanted->never;
        else
            right = std::abs(*expected - wanted->value) <= tolerance * std::abs(wanted->value);
        if (right) {
            verdict = [never = wanted->never, percent = std::round(tolerance * 100)] {
                return never ? LessonPanel::tr("As you expected.") : LessonPanel::tr("As you expected, within %1 %.").arg(percent);
            };
        } else if (never || wanted->never || !(*expected > 0) || !(wanted->value > 0)) {
            verdict = [] { return LessonPanel::tr("Not so. Think again, or look at the answer."); };
        } else {
            const double factor = *expected / wanted->value;
            // A factor of a thousand is a unit, one of two a forgotten byte count: the size of the error tells most.
            verdict = [factor] {
                return factor > 1 ? LessonPanel::tr("Too much, by a factor of %1. Think again, or look at the answer.")
                                        .arg(QString::number(factor, 'g', 3))
                                  : LessonPanel::tr("Too little, by a factor of %1. Think again, or look at the answer.")
                                        .arg(QString::number(1 / factor, 'g', 3));
            };
        }
    }
    said = right ? Said::Right : Said::Wrong;
    answerShown = answerShown || right;
    render();
    if (right)
        next->setFocus();
}

LessonPanel::LessonPanel(WorkbenchModel *model, std::shared_ptr<const Catalog> catalog,
                         std::vector<std::filesystem::path> folders, LessonStage stage, QWidget *parent)
    : QWidget(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->model = model;
    d->catalog = std::move(catalog);
    d->folders = std::move(folders);
    d->stage = std::move(stage);
    d->setUp = model->whatIf();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 6, 8, 8);
    column->setSpacing(6);

    auto *head = new QHBoxLayout;
    d->lessonsLabel = new QLabel;
    d->lessons = new PanelCombo;
    d->lessons->setObjectName(QStringLiteral("lessonChoice"));
    d->lessonsLabel->setBuddy(d->lessons);
    d->languages = new QComboBox;
    d->languages->setObjectName(QStringLiteral("lessonLanguage"));
    d->languages->addItem(QStringLiteral("English"), QString());
    d->languages->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
    head->addWidget(d->lessonsLabel);
    head->addWidget(d->lessons, 1);
    head->addWidget(d->languages);
    column->addLayout(head);

    d->badge = new SentenceLabel;
    d->badge->setObjectName(QStringLiteral("lessonRecording"));
    d->badge->setTextFormat(Qt::PlainText);
    d->badge->setAutoFillBackground(true);
    d->badge->setBackgroundRole(QPalette::Highlight);
    d->badge->setForegroundRole(QPalette::HighlightedText);
    d->badge->setContentsMargins(6, 3, 6, 3);
    column->addWidget(d->badge);

    const auto browser = [this](const char *name) {
        auto *view = new QTextBrowser;
        view->setObjectName(QLatin1String(name));
        view->setOpenLinks(false);
        view->setFrameShape(QFrame::NoFrame);
        view->document()->setDocumentMargin(6);
        view->setMinimumHeight(view->fontMetrics().height() * 4);
        connect(view, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
            if (link.scheme() == QLatin1String("term"))
                d->stage.showTerm(link.path());
        });
        return view;
    };
    d->text = browser("lessonText");
    column->addWidget(d->text, 3);

    d->question = new QWidget;
    auto *asking = new QVBoxLayout(d->question);
    asking->setContentsMargins(0, 0, 0, 0);
    d->ask = new SentenceLabel;
    d->ask->setObjectName(QStringLiteral("lessonAsk"));
    QFont bold = d->ask->font();
    bold.setBold(true);
    d->ask->setFont(bold);
    asking->addWidget(d->ask);
    auto *row = new QHBoxLayout;
    d->field = new QLineEdit;
    d->field->setObjectName(QStringLiteral("lessonExpectation"));
    d->ask->setBuddy(d->field);
    d->choice = new QComboBox;
    d->choice->setObjectName(QStringLiteral("lessonChoiceOf"));
    d->unit = new QLabel;
    d->check = new QPushButton;
    d->check->setObjectName(QStringLiteral("lessonCheck"));
    d->show = new QPushButton;
    d->show->setObjectName(QStringLiteral("lessonShow"));
    row->addWidget(d->field, 1);
    row->addWidget(d->choice, 1);
    row->addWidget(d->unit);
    row->addWidget(d->check);
    asking->addLayout(row);
    auto *second = new QHBoxLayout;
    second->addStretch(1);
    second->addWidget(d->show);
    asking->addLayout(second);
    column->addWidget(d->question);

    d->feedback = new NoteLabel(NoteLabel::Tone::Remark);
    d->feedback->setObjectName(QStringLiteral("lessonFeedback"));
    column->addWidget(d->feedback);
    d->answer = browser("lessonAnswer");
    column->addWidget(d->answer, 2);

    auto *foot = new QHBoxLayout;
    d->back = new QPushButton;
    d->back->setObjectName(QStringLiteral("lessonBack"));
    d->next = new QPushButton;
    d->next->setObjectName(QStringLiteral("lessonNext"));
    d->again = new QPushButton;
    d->again->setObjectName(QStringLiteral("lessonAgain"));
    d->progress = new QLabel;
    d->progress->setObjectName(QStringLiteral("lessonProgress"));
    foot->addWidget(d->back);
    foot->addWidget(d->next);
    foot->addWidget(d->progress, 1, Qt::AlignCenter);
    foot->addWidget(d->again);
    column->addLayout(foot);
    d->notes = new NoteLabel(NoteLabel::Tone::Fault);
    d->notes->setObjectName(QStringLiteral("lessonProblems"));
    column->addWidget(d->notes);

    setTabOrder(d->lessons, d->languages);
    setTabOrder(d->languages, d->text);
    setTabOrder(d->text, d->field);
    setTabOrder(d->field, d->choice);
    setTabOrder(d->choice, d->check);
    setTabOrder(d->check, d->show);
    setTabOrder(d->show, d->answer);
    setTabOrder(d->answer, d->back);
    setTabOrder(d->back, d->next);
    setTabOrder(d->next, d->again);

    connect(d->lessons, &QComboBox::activated, this, [this](int index) { d->go(index, 0); });
    connect(d->languages, &QComboBox::activated, this, [this](int index) {
        d->ownLanguage = true;
        setLanguage(d->languages->itemData(index).toString());
    });
    connect(d->field, &QLineEdit::returnPressed, this, [this] { d->judge(); });
    connect(d->check, &QPushButton::clicked, this, [this] { d->judge(); });
    connect(d->show, &QPushButton::clicked, this, [this] {
        d->answerShown = true;
        d->render();
        d->next->setFocus();
    });
    connect(d->next, &QPushButton::clicked, this, [this] {
        const bool last = d->step + 1 == int(d->list.lessons[std::size_t(d->lesson)].steps.size());
        last ? d->go(d->lesson + 1, 0) : d->go(d->lesson, d->step + 1);
    });
    connect(d->back, &QPushButton::clicked, this,
            [this] { d->step > 0 ? d->go(d->lesson, d->step - 1) : d->go(d->lesson - 1, 1 << 20); });
    connect(d->again, &QPushButton::clicked, this, [this] {
        d->setUpStep();
        d->render();
    });
    const auto follow = [this] {
        if (!d->settingUp)
            d->render();
    };
    connect(model, &WorkbenchModel::whatIfChanged, this, follow);
    connect(model, &WorkbenchModel::sessionChanged, this, follow);

    d->language = lessonLanguage();
    d->languages->setCurrentIndex(d->languages->findData(d->language));
    d->retranslate();
    d->load();
    d->render();
}

LessonPanel::~LessonPanel() = default;

void LessonPanel::setLanguage(const QString &language)
{
    if (language == d->language)
        return;
    d->language = language;
    d->languages->setCurrentIndex(d->languages->findData(language));
    d->load();
    d->render();
}

QString LessonPanel::language() const
{
    return d->language;
}

const LessonList &LessonPanel::lessons() const
{
    return d->list;
}

void LessonPanel::open(const QString &id, int step)
{
    for (std::size_t i = 0; i < d->list.lessons.size(); ++i) {
        if (QString::fromStdString(d->list.lessons[i].id) == id)
            d->go(int(i), step);
    }
}

void LessonPanel::lookAt(const QString &id, int step)
{
    for (std::size_t i = 0; i < d->list.lessons.size(); ++i) {
        if (QString::fromStdString(d->list.lessons[i].id) == id)
            d->go(int(i), step, false);
    }
}

QString LessonPanel::currentId() const
{
    return d->lesson < 0 ? QString() : QString::fromStdString(d->list.lessons[std::size_t(d->lesson)].id);
}

int LessonPanel::currentStep() const
{
    return d->step;
}

QString LessonPanel::plainText() const
{
    QStringList parts{d->text->toPlainText()};
    if (!d->question->isHidden())
        parts << d->ask->text();
    parts << d->feedback->text();
    if (!d->answer->isHidden())
        parts << d->answer->toPlainText();
    return parts.join(QLatin1Char('\n'));
}

LessonContext LessonPanel::context() const
{
    return contextOf(d->elsewhere() && d->setUp.shape.layers > 0 ? d->setUp : d->model->whatIf());
}

LessonContext LessonPanel::contextOf(const WhatIf &whatIf) const
{
    LessonContext context;
    context.catalog = d->catalog.get();
    context.shape = whatIf.shape;
    context.dtype = whatIf.dtype;
    context.accounting = whatIf.accounting;
    context.ceilings = whatIf.ceilings;
    context.hardware = whatIf.hardware.name;
    for (const HardwareProfile &known : d->catalog->hardware()) {
        if (known.id == whatIf.hardware.id)
            context.hardwareId = known.id;
    }
    context.batch = whatIf.batch;
    context.context = whatIf.context;
    context.prompt = whatIf.prompt;
    context.batches = whatIf.batches;
    context.session = d->recording;
    context.mode = d->mode;
    return context;
}

void LessonPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (!d || !d->notes)
        return;
    if (event->type() == QEvent::LanguageChange) {
        d->retranslate();
        if (!d->ownLanguage)
            setLanguage(lessonLanguage());
        d->choice->clear(); // its words are the window's
        d->render();
    } else if (event->type() == QEvent::PaletteChange) {
        d->render();
    }
}

struct GlossaryDialog::Private {
    GlossaryDialog *q = nullptr;
    std::vector<std::filesystem::path> folders;
    QLineEdit *filter = nullptr;
    QTextBrowser *view = nullptr;
    std::vector<GlossaryEntry> entries;
    QString problem;

    void load();
    void render();
    void retranslate();
};

void GlossaryDialog::Private::load()
{
    problem.clear();
    try {
        entries = loadGlossary(folders, lessonLanguage().toStdString());
    } catch (const std::exception &error) {
        entries.clear();
        problem = coreText(error.what());
    }
    if (entries.empty() && problem.isEmpty())
        problem = GlossaryDialog::tr("No glossary is installed.");
}

void GlossaryDialog::Private::render()
{
    const QString wanted = filter->text().trimmed();
    const ChartTheme theme = ChartTheme::forPalette(q->palette());
    QString page;
    // An entry whose name is looked for stands before those that only speak of it.
    for (const bool byName : {true, false}) {
        for (const GlossaryEntry &entry : entries) {
            const QString term = QString::fromStdString(entry.term), text = QString::fromStdString(entry.text);
            QStringList also;
            for (const std::string &name : entry.also)
                also << QString::fromStdString(name);
            const bool named = term.contains(wanted, Qt::CaseInsensitive) ||
                               also.join(QLatin1Char('\n')).contains(wanted, Qt::CaseInsensitive);
            if (byName ? !named : named || !text.contains(wanted, Qt::CaseInsensitive))
                continue;
            page += QStringLiteral("<p style='margin-top:8px;margin-bottom:0px'><b>%1</b>%2</p><p style='margin-top:2px'>%3</p>")
                        .arg(term.toHtmlEscaped(),
                             also.isEmpty() ? QString()
                                            : QStringLiteral(" <span style='color:%1'>%2</span>")
                                                  .arg(theme.mutedText.name(), also.join(QStringLiteral(", ")).toHtmlEscaped()),
                             text.toHtmlEscaped());
        }
    }
    if (!problem.isEmpty())
        page = problem.toHtmlEscaped();
    else if (page.isEmpty())
        page = GlossaryDialog::tr("No term holds \"%1\".").arg(wanted).toHtmlEscaped();
    view->setHtml(page);
}

void GlossaryDialog::Private::retranslate()
{
    q->setWindowTitle(GlossaryDialog::tr("Glossary"));
    filter->setAccessibleName(GlossaryDialog::tr("Find a term"));
    filter->setPlaceholderText(GlossaryDialog::tr("find a term"));
    view->setAccessibleName(GlossaryDialog::tr("Terms"));
}

GlossaryDialog::GlossaryDialog(std::vector<std::filesystem::path> folders, QWidget *parent)
    : QDialog(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->folders = std::move(folders);
    setObjectName(QStringLiteral("glossary"));
    auto *column = new QVBoxLayout(this);
    d->filter = new QLineEdit;
    d->filter->setObjectName(QStringLiteral("glossaryFilter"));
    d->filter->setClearButtonEnabled(true);
    d->view = new QTextBrowser;
    d->view->setObjectName(QStringLiteral("glossaryText"));
    column->addWidget(d->filter);
    column->addWidget(d->view);
    resize(fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 28);
    connect(d->filter, &QLineEdit::textChanged, this, [this] { d->render(); });
    d->retranslate();
    d->load();
    d->render();
}

GlossaryDialog::~GlossaryDialog() = default;

void GlossaryDialog::showTerm(const QString &term)
{
    d->filter->setText(term);
    d->filter->setFocus();
    d->filter->selectAll();
}

QString GlossaryDialog::plainText() const
{
    return d->view->toPlainText();
}

void GlossaryDialog::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (!d || !d->view)
        return;
    if (event->type() == QEvent::LanguageChange) {
        d->retranslate();
        d->load();
        d->render();
    } else if (event->type() == QEvent::PaletteChange) {
        d->render();
    }
}

} // namespace ridgepoint
