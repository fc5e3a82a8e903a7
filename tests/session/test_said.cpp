// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/forecast.h"
#include "core/session/line.h"
#include "core/session/report.h"
#include "core/session/said.h"
#include "core/session/sample_sessions.h"
#include "core/session/session_title.h"
#include "core/session/tables.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace ridgepoint;

/// The patterns of said.cpp are those of what the sources of the sentences really say.
class TestSaid : public QObject {
    Q_OBJECT

private slots:
    void textsAreTakenApart_data();
    void textsAreTakenApart();
    void foreignTextStaysItself();
    void everySentenceOfTheSamplesIsKnown();
    void sessionsAreTitledByWhatTheyHold();
};

namespace {

const std::filesystem::path kResources = RIDGEPOINT_SOURCE_DIR "/resources";

std::string english(const std::vector<Message> &messages)
{
    std::string text;
    for (const Message &message : messages)
        text += (text.empty() ? "" : " ") + message.english();
    return text;
}

} // namespace

void TestSaid::textsAreTakenApart_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArrayList>("arguments");
    QTest::addRow("one") << QByteArray("by 5 s") << QByteArray("by %1") << QByteArrayList{"5 s"};
    QTest::addRow("two") << QByteArray("a to b.") << QByteArray("%1 to %2.") << QByteArrayList{"a", "b"};
    QTest::addRow("another order") << QByteArray("x of y") << QByteArray("%2 of %1") << QByteArrayList{"y", "x"};
    QTest::addRow("none") << QByteArray("done") << QByteArray("done") << QByteArrayList{};
    QTest::addRow("words that come again") << QByteArray("a, b, c.") << QByteArray("%1, %2.") << QByteArrayList{"a", "b, c"};
    QTest::addRow("another text") << QByteArray("a to b") << QByteArray("%1 of %2") << QByteArrayList{"-"};
    QTest::addRow("nothing in it") << QByteArray("by ") << QByteArray("by %1") << QByteArrayList{"-"};
    QTest::addRow("more behind") << QByteArray("done now") << QByteArray("done") << QByteArrayList{"-"};
}

void TestSaid::textsAreTakenApart()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArrayList, arguments);
    const auto message = takenApart(text.toStdString(), pattern.toStdString());
    if (arguments == QByteArrayList{"-"}) {
        QVERIFY(!message);
        return;
    }
    QVERIFY(message);
    QCOMPARE(message->arguments.size(), std::size_t(arguments.size()));
    for (qsizetype i = 0; i < arguments.size(); ++i)
        QCOMPARE(message->arguments[std::size_t(i)], arguments[i].toStdString());
    QCOMPARE(message->english(), text.toStdString());
}

void TestSaid::foreignTextStaysItself()
{
    for (const char *text : {"", "x", "My own note. It has two sentences.", "%1 %2", "100 % of it", "a (b)", "1 to 2"})
        QCOMPARE(english(said(text)), std::string(text));
    QCOMPARE(english(said(std::string(100000, 'a'))).size(), std::size_t(100000));
}

void TestSaid::everySentenceOfTheSamplesIsKnown()
{
    const std::set<std::string> known(saidPatterns().begin(), saidPatterns().end());
    std::set<std::string> unknown;
    std::size_t seen = 0;
    const auto check = [&](const std::string &text) {
        if (text.empty() || text == "-")
            return;
        ++seen;
        const std::vector<Message> messages = said(text);
        QCOMPARE(english(messages), text);
        for (const Message &message : messages) {
            if (!known.contains(message.pattern))
                unknown.insert(message.pattern);
        }
    };
    for (const SampleSession &sample : sampleSessions({kResources})) {
        const Session session = loadSession(sample.path);
        for (const RunRecord &run : session.runs) {
            if (run.anatomy) {
                for (const std::string &sentence : anatomySentences(*run.anatomy))
                    check(sentence);
                check(run.anatomy->note);
                check(run.anatomy->partsBy);
            }
            if (!run.line.empty()) {
                const LineReading reading = readLine(run);
                for (const std::string &sentence : lineSentences(run, reading))
                    check(sentence);
            }
            for (const SweepPoint &point : run.points) {
                check(point.reason);
                check(point.attention);
            }
            if (run.ttft) {
                check(crossCheck(*run.ttft).text);
                for (const auto &row : ttftTable(run).rows)
                    check(row[0]);
            }
            if (run.calibration) {
                for (const auto &row : calibrationTable(run).rows)
                    check(row[0]);
            }
            if (run.points.empty())
                continue;
            const SweepPoint &point = run.points.front();
            for (const FilledFormula &line : explainStep(runWorkload(run), run.plan.nominal, double(point.batch), point.context, point.stepSeconds)) {
                const std::string &formula = line.formula;
                // Letters of formulas alone are the same in every language.
                if (formula.find("bytes") != std::string::npos || formula.find("floor") != std::string::npos ||
                    formula.find("prediction") != std::string::npos || formula.find("against") != std::string::npos)
                    check(formula);
                if (line.name == "measured / floor")
                    check(line.result.substr(line.result.find(". ") + 2)); // the band behind the ratio
                else if (line.result.find("bound") != std::string::npos || line.result.find("against") != std::string::npos ||
                    line.result.find("sequences") != std::string::npos || line.result.find("never") != std::string::npos)
                    check(line.result);
            }
        }
    }
    QVERIFY2(seen > 200, qPrintable(QString::number(seen)));
    QString list;
    for (const std::string &one : unknown)
        list += QString::fromStdString(one) + QLatin1Char('\n');
    QVERIFY2(unknown.empty(), qPrintable(list));
}

void TestSaid::sessionsAreTitledByWhatTheyHold()
{
    const Session llama = loadSession(kResources / "samples" / "h200-sweep-llama-2-7b-fp16.json");
    const std::string title = sessionTitle(llama).english();
    for (const char *word : {"Llama 2 7B", "fp16", "NVIDIA H200", "sweep", "eager, graph, fused"})
        QVERIFY2(title.find(word) != std::string::npos, title.c_str());
    QVERIFY(!hasOwnTitle(llama)); // "sweep llama-2-7b cuda:0"
    Session named = llama;
    named.title = "My holiday";
    QVERIFY(hasOwnTitle(named));
    QCOMPARE(shownTitle(named), std::string("My holiday"));
    QVERIFY(sessionTitle(newSession()).empty() && sessionShortTitle(newSession()).empty());
}

QTEST_APPLESS_MAIN(TestSaid)
#include "test_said.moc"
