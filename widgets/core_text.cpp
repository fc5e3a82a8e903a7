// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/core_text.h"

#include "core/session/said.h"

#include <QCoreApplication>
#include <QHash>

namespace ridgepoint {

namespace {

QString translated(const std::string &pattern)
{
    return QCoreApplication::translate("core", pattern.c_str());
}

/// True where the window speaks another language than the core.
bool foreign()
{
    return translated("skipped") != QLatin1String("skipped");
}

/// A text that stands inside a sentence: of a pattern itself, or a list of such.
std::string innerText(const std::string &english, int depth)
{
    constexpr int kDeepest = 6; // a text of others' making
    if (depth > kDeepest || english.empty())
        return english;
    const auto whole = [depth](const std::string &part) -> std::optional<std::string> {
        const std::vector<Message> messages = said(part, depth > 0);
        std::string text;
        for (const Message &message : messages) {
            const std::string pattern = translated(message.pattern).toStdString();
            if (message.arguments.empty() && pattern == message.pattern && messages.size() == 1)
                return std::nullopt;
            Message inner = message;
            for (std::string &argument : inner.arguments)
                argument = innerText(argument, depth + 1);
            // Chinese sentences follow one another without a space.
            const bool full = text.size() >= 3 && text.compare(text.size() - 3, 3, "\u3002") == 0;
            text += (text.empty() || full ? "" : " ") + inner.filled(pattern);
        }
        return text;
    };
    if (const auto text = whole(english))
        return *text;
    if (english.find(", ") == std::string::npos)
        return english;
    std::string text;
    for (std::size_t from = 0; from <= english.size();) {
        const std::size_t comma = std::min(english.find(", ", from), english.size());
        const std::string part = english.substr(from, comma - from);
        text += (from ? ", " : "") + whole(part).value_or(part);
        from = comma + 2;
    }
    return text;
}

} // namespace

QString messageText(const Message &message)
{
    if (message.empty())
        return {};
    Message inner = message;
    if (foreign()) {
        for (std::string &argument : inner.arguments)
            argument = innerText(argument, 1);
    }
    return QString::fromStdString(inner.filled(translated(message.pattern).toStdString()));
}

QString coreText(const std::string &english)
{
    if (english.empty() || !foreign())
        return QString::fromStdString(english);
    // Cells ask again at each repaint. GUI thread only.
    constexpr qsizetype kMost = 4000;
    static QHash<QString, QString> known;
    static QString language;
    if (const QString now = translated("skipped"); now != language || known.size() > kMost) {
        known.clear();
        language = now;
    }
    const QString key = QString::fromStdString(english);
    if (const auto found = known.constFind(key); found != known.constEnd())
        return *found;
    std::string text;
    for (std::size_t from = 0; from <= english.size();) { // a fault may list lines of a file, each below the other and set in
        const std::size_t end = std::min(english.find('\n', from), english.size());
        const std::size_t begin = std::min(english.find_first_not_of(' ', from), end);
        text += (from ? "\n" : "") + english.substr(from, begin - from) + innerText(english.substr(begin, end - begin), 0);
        from = end + 1;
    }
    return *known.insert(key, QString::fromStdString(text));
}

ReportTranslation reportTranslation()
{
    if (!foreign())
        return {};
    return [](const std::string &english) {
        // Heads of tables are those of the window's tables, panels and charts, each in its own context.
        for (const char *context : {"ridgepoint::SweepModel", "ridgepoint::RecordTables", "ridgepoint::ExplanationPanel", "ridgepoint::LineChart",
                                    "ridgepoint::AnatomyChart", "ridgepoint::TimeAccountChart", "ridgepoint::LatencyChart", "ridgepoint::FrontierChart",
                                    "ridgepoint::SessionCharts", "ridgepoint::WhatIfPanel", "ridgepoint::MainWindow"}) {
            const QString text = QCoreApplication::translate(context, english.c_str());
            if (text != QString::fromStdString(english))
                return text.toStdString();
        }
        const std::string text = coreText(english).toStdString();
        return text == english ? innerText(english, 1) : text; // a cell of a table may be a range, which no sentence is
    };
}

} // namespace ridgepoint
