// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/lesson.h"
#include "widgets/workbench_model.h"

#include <QDialog>
#include <QWidget>

#include <functional>
#include <memory>

class QTextDocument;

namespace ridgepoint {

/// What a lesson asks of the window around it. A test gives its own.
struct LessonStage {
    /// Opens the sample of this file-name stem as a recording. False: it stays as it was.
    std::function<bool(const QString &sample)> openSample;
    /// Lets go of a recording that a lesson opened; leaves a document of the user's own alone.
    std::function<void()> closeSample;
    std::function<void(const QString &chart)> showChart; ///< "all": every one
    std::function<void(const QString &term)> showTerm;   ///< in the glossary
};

/// LESSONS: one lesson step by step. A step sets up the workbench, asks for an expectation and only then shows the answer,
/// worked out from the what-if values as they stand, or read from the recording that the step opened. GUI thread only.
class LessonPanel : public QWidget {
    Q_OBJECT

public:
    LessonPanel(WorkbenchModel *model, std::shared_ptr<const Catalog> catalog, std::vector<std::filesystem::path> folders,
                LessonStage stage, QWidget *parent = nullptr);
    ~LessonPanel() override;

    /// "" (English) or "zh_CN"; at first the language of the window.
    void setLanguage(const QString &language);
    QString language() const;
    const LessonList &lessons() const;
    void open(const QString &id, int step = 0); ///< also sets the step up
    void lookAt(const QString &id, int step = 0); ///< leaves the session in front as it is until the step is set up by hand
    QString currentId() const;
    int currentStep() const;
    QString plainText() const; ///< what the panel says at this moment
    /// The window's what-if values as a lesson reads them.
    LessonContext context() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    LessonContext contextOf(const WhatIf &whatIf) const;

    struct Private;
    std::unique_ptr<Private> d;
};

/// The language of lessons and glossary that belongs to the window's: "" or "zh_CN".
QString lessonLanguage();

/// Makes the first occurrence of each term a dotted underline with its text as the tool tip; `links` also makes it a link
/// "term:NAME".
void markTerms(QTextDocument *document, const std::vector<GlossaryEntry> &glossary, const QColor &colour, bool links);

/// GLOSSARY: the terms with a field that narrows them.
class GlossaryDialog : public QDialog {
    Q_OBJECT

public:
    explicit GlossaryDialog(std::vector<std::filesystem::path> folders, QWidget *parent = nullptr);
    ~GlossaryDialog() override;
    void showTerm(const QString &term); ///< empty: all of them
    QString plainText() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace ridgepoint
