// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/measured_profile.h"
#include "core/session/session.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace ridgepoint;

/// The program as a user starts it: exit codes, where text goes, and the figures of the predict verb.
class TestCommandLine : public QObject
{
    Q_OBJECT

    struct Result {
        int code = -1;
        QByteArray out, err;
    };
    Result run(const QStringList &arguments, const QMap<QString, QString> &extra = {}, const char *program = RIDGEPOINT_PROGRAM)
    {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove("DISPLAY");
        environment.remove("WAYLAND_DISPLAY");
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("XDG_STATE_HOME", m_folder.filePath("state"));
        environment.insert("XDG_DATA_HOME", m_folder.filePath("data"));
        environment.insert("XDG_CONFIG_HOME", m_folder.filePath("config"));
        for (auto it = extra.begin(); it != extra.end(); ++it)
            environment.insert(it.key(), it.value());
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(m_folder.path());
        process.start(QString::fromLocal8Bit(program), arguments);
        process.waitForFinished(100'000);
        Result result;
        result.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        result.out = process.readAllStandardOutput();
        result.err = process.readAllStandardError();
        return result;
    }
    /// With a redirection; the exit code is that of the shell.
    Result throughShell(const QStringList &arguments, const char *redirection, const QMap<QString, QString> &extra)
    {
        QString line = QStringLiteral("'" RIDGEPOINT_PROGRAM "'");
        for (const QString &argument : arguments)
            line += " '" + argument + "'";
        return run({"-c", line + ' ' + QLatin1String(redirection)}, extra, "/bin/sh");
    }
    QTemporaryDir m_folder;

private slots:
    void theTablesOfThePublishedSweepComeOut_data()
    {
        // B = 270 GB/s, P = 50 TFLOP/s, overhead 8 ms, W = 2.2 GB, kv = 22.5 KB, as printed there.
        QTest::addColumn<int>("context");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("gigabytes");
        QTest::addColumn<double>("stepMs");
        QTest::addColumn<double>("tokensPerSecond");
        QTest::addColumn<double>("intensity");
        QTest::newRow("256 b1") << 256 << 1 << 2.21 << 16.2 << 62.0 << 1.0;
        QTest::newRow("256 b4") << 256 << 4 << 2.22 << 16.2 << 246.0 << 4.0;
        QTest::newRow("256 b16") << 256 << 16 << 2.29 << 16.5 << 970.0 << 15.0;
        QTest::newRow("256 b64") << 256 << 64 << 2.57 << 17.5 << 3650.0 << 55.0;
        QTest::newRow("256 b128") << 256 << 128 << 2.94 << 18.9 << 6780.0 << 96.0;
        QTest::newRow("2048 b1") << 2048 << 1 << 2.25 << 16.3 << 61.0 << 1.0;
        QTest::newRow("2048 b4") << 2048 << 4 << 2.38 << 16.8 << 238.0 << 3.7;
        QTest::newRow("2048 b16") << 2048 << 16 << 2.94 << 18.9 << 848.0 << 12.0;
        QTest::newRow("2048 b64") << 2048 << 64 << 5.15 << 27.1 << 2360.0 << 27.0;
        QTest::newRow("2048 b128") << 2048 << 128 << 8.10 << 38.0 << 3370.0 << 35.0;
    }
    void theTablesOfThePublishedSweepComeOut()
    {
        static QJsonArray rows;
        if (rows.isEmpty()) {
            const auto result =
                run({"predict", "--hardware", "t4", "--model", "tinyllama-1.1b", "--params", "1.1e9", "--weight-bytes",
                     "2.2e9", "--kv-bytes", "22500", "--batch", "1,4,16,64,128", "--context", "256,2048",
                     "--bandwidth", "270e9", "--flops", "50e12", "--overhead", "8e-3", "--accounting", "textbook",
                     "--format", "json"});
            QCOMPARE(result.code, 0);
            rows = QJsonDocument::fromJson(result.out).array();
            QCOMPARE(rows.size(), 10);
        }
        QFETCH(int, context);
        QFETCH(int, batch);
        QFETCH(double, gigabytes);
        QFETCH(double, stepMs);
        QFETCH(double, tokensPerSecond);
        QFETCH(double, intensity);
        QJsonObject row;
        for (const auto &candidate : std::as_const(rows))
            if (candidate.toObject()[QLatin1String("batch")].toInt() == batch &&
                candidate.toObject()[QLatin1String("context")].toInt() == context)
                row = candidate.toObject();
        QVERIFY(!row.isEmpty());
        const auto near = [](double value, double printed, double unit) { return std::abs(value - printed) <= 0.51 * unit; };
        QVERIFY2(near(row["bytes"].toDouble() / 1e9, gigabytes, 0.01), "bytes");
        QVERIFY2(near(row["step_s"].toDouble() * 1e3, stepMs, 0.1), "step");
        QVERIFY2(near(row["tokens_per_s"].toDouble(), tokensPerSecond, tokensPerSecond > 1000 ? 10 : 1), "tok/s");
        QVERIFY2(near(row["arithmetic_intensity"].toDouble(), intensity, intensity < 5 ? 0.1 : 1), "AI");
        QCOMPARE(row["bound"].toString(), QString("memory"));
        if (context == 2048)
            QVERIFY(row["batch_at_ridge"].isNull());
        else
            QVERIFY(near(row["batch_at_ridge"].toDouble(), 360, 3));
    }

    void badInputGivesASentenceAndACode_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("names"); // what the sentence must name
        const auto row = [](const char *name, QStringList arguments, int code, const char *names) {
            QTest::newRow(name) << arguments << code << names;
        };
        row("unknown verb", {"swep"}, 2, "swep");
        row("unknown flag", {"predict", "--bacth", "1"}, 2, "--bacth");
        row("flag twice", {"predict", "--batch", "1", "--batch", "4"}, 2, "--batch was given several times; give it once");
        row("flag thrice", {"sweep", "--out", "a", "--out", "b", "--out", "c"}, 2, "--out was given several times");
        row("flag twice, joined", {"sweep", "--model=a", "--model=b"}, 2, "--model was given several times");
        row("an empty value", {"predict", "--batch", ""}, 2, "--batch was given an empty value");
        row("a word too many", {"report", "a.json", "b.json"}, 2, "'b.json' is not known here");
        row("unknown words in their order", {"sweep", "--batches", "1,4", "--prompts", "64"}, 2, "'--batches 1,4 --prompts 64' is not known here");
        row("a limit in words", {"sweep", "--memory-limit", "4GB"}, 2, "(bytes, as in 4e9)");
        row("a TPOT in words", {"ttft", "--expect-tpot-ms", "soon"}, 2, "(milliseconds, as in 7.5)");
        row("a ratio in words", {"sweep", "--expect-ratio", "high"}, 2, "(a step over its floor, as in 1.4)");
        row("a departure in words", {"sweep", "--expect-departure", "late"}, 2, "a whole number from 1");
        row("an overhead in words", {"predict", "--overhead", "8ms"}, 2, "(seconds, as in 8e-3)");
        row("import of prose", {"import", RIDGEPOINT_SOURCE_DIR "/README.md"}, 1, "no result that is known");
        row("unknown model", {"predict", "--model", "tinylama"}, 2, "tinyllama-1.1b");
        row("unknown hardware", {"predict", "--hardware", "t5"}, 2, "t5");
        row("batch 0", {"predict", "--batch", "0"}, 2, "--batch");
        row("batch a trillion", {"predict", "--batch", "1000000000000"}, 2, "--batch");
        row("batch text", {"predict", "--batch", "many"}, 2, "many");
        row("bandwidth 0", {"predict", "--bandwidth", "0"}, 2, "--bandwidth");
        row("dtype", {"predict", "--dtype", "int3"}, 2, "int3");
        row("format", {"models", "--format", "xml"}, 2, "xml");
        row("flag without value", {"predict", "--batch"}, 2, "--batch");
        row("model folder missing", {"predict", "--model", "./nowhere"}, 1, "nowhere");
        row("import of nothing", {"import", "none.json"}, 1, "none.json");
        row("import without a file", {"import"}, 2, "FILE");
        row("import with a column that is none", {"import", "none.csv", "--column", "batch"}, 2, "WHAT=NAME");
        row("import for a model that is none", {"import", "none.csv", "--model", "tinylama"}, 2, "tinyllama-1.1b");
        row("compare with nothing", {"compare", "none.json"}, 1, "none.json");
        row("report of nothing", {"report", "none.json"}, 1, "none.json");
        row("report without session", {"report"}, 2, "SESSION");
        row("prompt text without a folder", {"ttft", "--prompt-text", "Hello"}, 2, "--prompt-text");
        row("calibration missing", {"sweep", "--calibration", "none.json"}, 1, "none.json");
        row("out is a folder", {"sweep", "--out", "."}, 2, "--out");
        row("anatomy of two batches", {"anatomy", "--batch", "1,2"}, 2, "--batch");
        row("one trace of two modes", {"anatomy", "--mode", "eager,graph", "--trace", "t.json"}, 2, "--trace");
        row("anatomy in xml", {"anatomy", "--format", "xml"}, 2, "xml");
        row("anatomy's trace is a folder", {"anatomy", "--trace", "."}, 2, "--trace");
        row("line of nothing", {"line"}, 2, "--models");
        row("line of an unknown model", {"line", "--models", "smollm2-135m,tinylama"}, 2, "tinyllama-1.1b");
        row("line of a dtype twice", {"line", "--models", "smollm2-135m", "--dtypes", "fp32,float32"}, 2, "twice");
        row("line of no dtype", {"line", "--models", "smollm2-135m", "--dtypes", "int3"}, 2, "int3");
        row("line of a gap", {"line", "--models", "smollm2-135m,,t"}, 2, "--models");
        row("import of nothing", {"line", "--import", "none.csv"}, 1, "none.csv");
        row("import and measure", {"line", "--import", "none.csv", "--models", "smollm2-135m"}, 2, "--models");
        row("bandwidth of a run", {"line", "--models", "smollm2-135m", "--bandwidth", "1e9"}, 2, "--bandwidth");
    }
    void badInputGivesASentenceAndACode()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, names);
        const auto result = run(arguments);
        QVERIFY2(result.code == code, result.err.constData());
        QVERIFY2(result.err.contains(names.toUtf8()), result.err.constData());
        QVERIFY2(result.out.isEmpty(), result.out.constData());
        QVERIFY(result.err.trimmed().endsWith('.') || result.err.contains("--help"));
    }

    /// Known before the run: the engine's script is not even begun.
    void aPlaceThatCannotBeWrittenIsFoundBeforeTheRun_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const char *verb : {"calibrate", "ttft", "sweep", "anatomy"})
            QTest::newRow(verb) << QStringList{verb, "--out", "/proc/x"};
        QTest::newRow("line") << QStringList{"line", "--models", "smollm2-135m", "--out", "/proc/x"};
        QTest::newRow("trace") << QStringList{"anatomy", "--trace", "/proc/x"};
        QTest::newRow("in a file") << QStringList{"sweep", "--out", "plain/x.json"};
    }
    void aPlaceThatCannotBeWrittenIsFoundBeforeTheRun()
    {
        QFETCH(QStringList, arguments);
        QFile plain(m_folder.filePath("plain"));
        QVERIFY(plain.open(QIODevice::WriteOnly));
        plain.close();
        // An engine that is not there would be the next fault: it is not looked for yet.
        const auto result = run(arguments, {{"RIDGEPOINT_ENGINE", m_folder.filePath("no-engine.so")}});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("Nothing was run") && result.err.contains(arguments.last().toUtf8()), result.err.constData());
        QVERIFY2(!result.err.contains("no-engine"), result.err.constData());
    }

    void aCheckedPlaceHoldsNoRubbish()
    {
        QDir(m_folder.path()).mkdir("clean");
        const auto result = run({"sweep", "--out", "clean/deeper/x.json"}, {{"RIDGEPOINT_ENGINE", m_folder.filePath("no-engine.so")}});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("no-engine.so"), result.err.constData());
        QVERIFY(QDir(m_folder.filePath("clean")).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void anOutputThatCannotBeWrittenIsASentence_data()
    {
        const QString sample = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-sweep-tinyllama-fp16.json");
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("help") << QStringList{"--help"};
        QTest::newRow("help of a verb") << QStringList{"sweep", "--help"};
        QTest::newRow("version") << QStringList{"--version"};
        QTest::newRow("predict") << QStringList{"predict"};
        QTest::newRow("hardware") << QStringList{"hardware", "--format", "json"};
        QTest::newRow("models") << QStringList{"models"};
        QTest::newRow("samples") << QStringList{"samples"};
        QTest::newRow("errors") << QStringList{"errors", sample};
        QTest::newRow("explain") << QStringList{"explain", sample};
        QTest::newRow("compare") << QStringList{"compare", sample, sample};
        QTest::newRow("report") << QStringList{"report", sample, "--out", "full-report", "--quiet"};
        QTest::newRow("line of a table") << QStringList{"line", "--import", QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fixtures/line/model_line_laptop.csv")};
        QTest::newRow("sweep") << QStringList{"sweep", "--quiet"};
        QTest::newRow("anatomy") << QStringList{"anatomy", "--quiet"};
    }
    void anOutputThatCannotBeWrittenIsASentence()
    {
        QFETCH(QStringList, arguments);
        if (!QFile::exists("/dev/full"))
            QSKIP("This system has no /dev/full.");
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}};
        for (const char *where : {">/dev/full", ">&-", "| true"}) {
            const auto result = throughShell(arguments, where, extra);
            if (QByteArray(where) == "| true" && result.err.isEmpty())
                continue; // the pipe took what little there was before its reader left
            QVERIFY2(result.err.contains("could not be written to standard output"), where + QByteArray(": ") + result.err);
            QVERIFY2(!result.err.contains("unforeseen"), result.err.constData());
            if (QByteArray(where) != "| true")
                QCOMPARE(result.code, 1);
        }
    }

    void aMeasurementOutlivesAFullOutput()
    {
        if (!QFile::exists("/dev/full"))
            QSKIP("This system has no /dev/full.");
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}};
        const auto result = throughShell({"sweep", "--quiet", "--out", "outlives.json"}, ">/dev/full", extra);
        QCOMPARE(result.code, 1);
        QVERIFY(!loadSession(m_folder.filePath("outlives.json").toStdString()).runs.empty());
        const auto unsaved = throughShell({"sweep", "--quiet"}, ">/dev/full", extra);
        QVERIFY2(unsaved.err.contains("They are safe in"), unsaved.err.constData());
    }

    void nothingMeasuredIsAFailure()
    {
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_ALL_SKIPPED", "1"}};
        const auto result = run({"sweep", "--quiet", "--memory-limit", "1", "--out", "skipped.json"}, extra);
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("Nothing was measured") && result.err.contains("skipped") && result.err.contains("--memory-limit"),
                 result.err.constData());
        QVERIFY(QFile::exists(m_folder.filePath("skipped.json"))); // what was found out is kept
        QVERIFY(result.out.contains("skipped"));
    }

    void eachBadRowOfAnImportIsNamed()
    {
        QFile file(m_folder.filePath("bad.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("batch,ctx,tpot_ms\n1,128,7\n");
        for (int i = 0; i < 30; ++i)
            file.write("0,1,1\n");
        file.close();
        const auto result = run({"import", "bad.csv", "--model", "tinyllama-1.1b", "--device-profile", "a100-80gb-sxm"});
        QVERIFY2(result.err.contains("bad.csv, line 3:") && result.err.contains("bad.csv, line 22:"), result.err.constData());
        QVERIFY2(!result.err.contains("line 23:") && result.err.contains("and 10 more rows"), result.err.constData());
    }

    void aMissingEngineIsASentence()
    {
        const auto result = run({"calibrate"}, {{"RIDGEPOINT_ENGINE", m_folder.filePath("no-engine.so")}});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("no-engine.so"), result.err.constData());
    }

    void predictionStartsFromWhatWasMeasured()
    {
        CalibrationResult c;
        c.ceilings.readBandwidth = 4.5e12;
        c.ceilings.matmulFlops[DType::F16] = 700e12;
        c.ceilings.stepOverhead = 4e-3;
        c.ceilings.graphStepOverhead = 1e-3;
        c.ceilings.overheadLayers = 22;
        c.ceilings.deviceName = "NVIDIA H200";
        c.ceilings.deviceHash = "a1";
        c.ceilings.dateUtc = "2026-02-01T10:00:00Z";
        const auto none = run({"predict", "--measured", "saved"});
        QCOMPARE(none.code, 1);
        QVERIFY2(none.err.contains("ridgepoint calibrate"), none.err.constData());
        const auto folder = m_folder.filePath("data/ridgepoint/measured").toStdString();
        const auto file = QString::fromStdString(saveMeasuredProfile(c, folder).string());
        const auto first = [&](const QStringList &more) {
            const auto result = run(QStringList{"predict", "--batch", "1", "--format", "json"} + more);
            return QJsonDocument::fromJson(result.out).array().at(0).toObject();
        };
        const auto saved = first({"--measured", "saved"});
        QCOMPARE(saved["hardware"].toString(), QString("h200"));
        QCOMPARE(saved["ridge"].toDouble(), 700e12 / 4.5e12);
        QCOMPARE(saved["overhead_s"].toDouble(), 4e-3);
        QCOMPARE(first({"--measured", file, "--hardware", "h200"}), saved);
        QCOMPARE(first({"--measured", "saved", "--overhead", "0"})["overhead_s"].toDouble(), 0.0);
        const auto other = run({"predict", "--measured", "saved", "--hardware", "t4"});
        QCOMPARE(other.code, 1);
        QVERIFY2(other.err.contains("of t4"), other.err.constData());
        QCOMPARE(run({"predict", "--mode", "graph"}).code, 2);
        QCOMPARE(run({"predict", "--measured", "saved", "--mode", "fused"}).code, 0); // a replay too
        QCOMPARE(run({"predict", "--measured", "saved", "--mode", "turbo"}).code, 2);
    }

    void everyFormatListsTheCatalogue_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("known");
        QTest::newRow("models") << "models" << "tinyllama-1.1b";
        QTest::newRow("hardware") << "hardware" << "t4";
    }
    void everyFormatListsTheCatalogue()
    {
        QFETCH(QString, verb);
        QFETCH(QString, known);
        QVERIFY(run({verb}).out.contains(known.toUtf8()));
        QVERIFY(run({verb, "--format", "csv"}).out.contains(known.toUtf8()));
        bool found = false;
        const auto rows = QJsonDocument::fromJson(run({verb, "--format", "json"}).out).array();
        for (const auto &row : rows)
            found = found || row.toObject()[QLatin1String("id")].toString() == known;
        QVERIFY(found);
    }

    void aSessionBecomesAReportFolder()
    {
        Session session = newSession();
        const auto file = m_folder.filePath("empty.json");
        saveSession(session, file.toStdString());
        const auto result = run({"report", file, "--out", m_folder.filePath("report")});
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY(QFile::exists(m_folder.filePath("report/report.md")));
        QVERIFY(QFile::exists(m_folder.filePath("report/session.json")));
    }

    void theFirstUsableGpuIsTheDefault_data()
    {
        QTest::addColumn<QString>("gpu");
        QTest::addColumn<bool>("broken");
        QTest::addColumn<QString>("device");
        QTest::newRow("a GPU") << "Tesla T4" << false << "cuda:0";
        QTest::newRow("a GPU that cannot be used") << "Tesla T4" << true << "cpu";
        QTest::newRow("none") << "" << false << "cpu";
    }
    void theFirstUsableGpuIsTheDefault()
    {
        QFETCH(QString, gpu);
        QFETCH(bool, broken);
        QFETCH(QString, device);
        QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", gpu}};
        if (broken)
            extra["SCRIPTED_GPU_BROKEN"] = "1";
        const auto file = m_folder.filePath("default.json");
        const auto result = run({"sweep", "--no-telemetry", "--out", file}, extra);
        QVERIFY2(result.code == 0, result.err.constData());
        const Session session = loadSession(file.toStdString());
        QCOMPARE(session.runs.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(session.runs[0].plan.device), device);
        QVERIFY(session.runs[0].plan.mode == DecodeMode::Eager);
        QVERIFY(!session.runs[0].plan.telemetry);
        QVERIFY2(!result.err.contains("datasheet of"), result.err.constData());
    }

    void twoModesAreTwoRunsOfOneSession()
    {
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "Tesla T4"}};
        const auto file = m_folder.filePath("modes.json");
        const auto result = run({"sweep", "--mode", "eager,graph", "--out", file, "--format", "json"}, extra);
        QVERIFY2(result.code == 0, result.err.constData());
        const Session session = loadSession(file.toStdString());
        QCOMPARE(session.runs.size(), std::size_t(2));
        QVERIFY(session.runs[0].plan.mode == DecodeMode::Eager && session.runs[1].plan.mode == DecodeMode::Graph);
        QVERIFY(session.runs[0].plan.runId != session.runs[1].plan.runId);
        QVERIFY(session.runs[0].plan.telemetry);
        QStringList modes;
        const auto rows = QJsonDocument::fromJson(result.out).array();
        for (const auto &row : rows)
            modes << row.toObject()[QLatin1String("mode")].toString();
        QCOMPARE(modes, QStringList({"eager", "eager", "graph", "graph"}));
        const auto table = run({"sweep", "--mode", "graph,eager", "--quiet"}, extra).out;
        QVERIFY(table.indexOf("Mode graph:") >= 0 && table.indexOf("Mode graph:") < table.indexOf("Mode eager:"));
    }

    void anAnatomyIsAFolderWithItsTrace()
    {
        QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "Tesla T4"}};
        const QString folder = m_folder.filePath("anatomy"), trace = m_folder.filePath("apart.json");
        const QStringList arguments{"anatomy", "--mode", "graph", "--batch", "4", "--prompt", "300", "--quiet"};
        const auto result = run(arguments + QStringList{"--out", folder, "--trace", trace, "--format", "json"}, extra);
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonObject told = QJsonDocument::fromJson(result.out).array()[0].toObject();
        QCOMPARE(told["mode"].toString(), QString("graph"));
        QCOMPARE(told["batch"].toInt(), 4);
        QCOMPARE(told["context"].toInt(), 300);
        QCOMPARE(told["parts"].toArray().size(), 2); // one was timed, another traced
        QCOMPARE(told["kernels"].toArray().size(), 2);
        for (const char *name : {"session.json", "report.md", "trace.json", "anatomy.csv", "kernels.csv"})
            QVERIFY2(QFile::exists(folder + "/" + name), name);
        QFile first(trace), second(folder + "/trace.json");
        QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
        const QByteArray text = first.readAll();
        QCOMPARE(text, second.readAll());
        QVERIFY(!QJsonDocument::fromJson(text).object()["traceEvents"].toArray().isEmpty());
        const Session session = loadSession((folder + "/session.json").toStdString());
        QVERIFY(session.runs.at(0).anatomy && session.runs[0].anatomy->kernels.size() == 2);

        const auto table = run(arguments, extra).out;
        QVERIFY(table.contains("qkv") && table.contains("2.00 GB/s") && table.contains("product"));
        QVERIFY(run(arguments + QStringList{"--format", "markdown"}, extra).out.contains("| qkv |"));
        QVERIFY(run(arguments + QStringList{"--format", "csv"}, extra).out.startsWith("part,time_s,"));

        extra["SCRIPTED_NO_TRACE"] = "1";
        const QString none = m_folder.filePath("none.json");
        const auto untraced = run(arguments + QStringList{"--trace", none}, extra);
        QCOMPARE(untraced.code, 0);
        QVERIFY(untraced.err.contains("there is no trace"));
        QVERIFY(!QFile::exists(none));
    }

    void aModeThatTheDeviceLacksIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("names");
        QTest::newRow("graph on the CPU") << QStringList{"--device", "cpu", "--mode", "eager,graph"} << "needs a GPU";
        QTest::newRow("fused on a GPU") << QStringList{"--mode", "fused"} << "it offers eager, graph";
        QTest::newRow("no mode") << QStringList{"--mode", "quick"} << "quick";
        QTest::newRow("twice") << QStringList{"--mode", "eager,eager"} << "twice";
        QTest::newRow("a comma too many") << QStringList{"--mode", "eager,"} << "eager,";
    }
    void aModeThatTheDeviceLacksIsRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, names);
        const auto result = run(QStringList{"ttft"} + arguments,
                                {{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "Tesla T4"}});
        QVERIFY2(result.code == 2, result.err.constData());
        QVERIFY2(result.err.contains(names.toUtf8()), result.err.constData());
        QVERIFY(result.out.isEmpty());
    }

    void anotherCardThanTheProfileIsSaid()
    {
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "NVIDIA H200"}};
        const auto result = run({"sweep", "--quiet", "--hardware", "t4", "--mode", "eager,graph"}, extra);
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY2(result.err.contains("NVIDIA H200") && result.err.contains("--hardware h200"), result.err.constData());
        QCOMPARE(result.err.count("datasheet of"), 1);
        QVERIFY(run({"sweep", "--quiet", "--hardware", "h200"}, extra).err.isEmpty());
    }

    void aLineIsMeasuredAndFitted()
    {
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}};
        const auto file = m_folder.filePath("line.json");
        const auto result = run({"line", "--models", "smollm2-135m,qwen2.5-0.5b", "--dtypes", "bf16,fp32,fp16", "--out",
                                 file, "--format", "json"},
                                extra);
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonObject line = QJsonDocument::fromJson(result.out).object();
        QVERIFY(std::abs(line["slope_s_per_byte"].toDouble() - 5e-12) < 1e-18);
        QVERIFY(std::abs(line["bandwidth_bytes_per_s"].toDouble() - 200e9) < 1e6);
        QVERIFY(std::abs(line["intercept_s"].toDouble() - 1e-3) < 1e-9);
        for (const char *key : {"slope_s_per_byte", "bandwidth_bytes_per_s", "intercept_s", "r2"})
            QCOMPARE(line[QLatin1String(key) + QLatin1String("_interval")].toArray().size(), 2);
        QCOMPARE(line["rows"].toArray().size(), 6);
        QCOMPARE(line["rows"].toArray().at(2).toObject()["status"].toString(), QString("skipped"));
        QVERIFY(line["rows"].toArray().at(2).toObject()["tpot_s"].isNull());
        QCOMPARE(line["families"].toArray().size(), 2);
        QVERIFY(line["families"].toArray().at(0).toObject()["slope_s_per_byte_interval"].isNull()); // two rows
        const Session session = loadSession(file.toStdString());
        QCOMPARE(session.runs.size(), std::size_t(1));
        const RunPlan &plan = session.runs[0].plan;
        QVERIFY(plan.experiment == Experiment::Line);
        QCOMPARE(plan.prompts, std::vector<std::int64_t>{128});
        QCOMPARE(plan.newTokens, std::int64_t(100));
        QCOMPARE(plan.repeats, 5);
        QCOMPARE(plan.models.size(), std::size_t(2));
        QCOMPARE(plan.nominalFlops.size(), std::size_t(3));
        QVERIFY2(result.err.contains("qwen2.5-0.5b fp16: skipped"), result.err.constData());
        // Its CSV is one that --import reads.
        const auto csv = run({"line", "--quiet", "--models", "smollm2-135m,qwen2.5-0.5b", "--format", "csv"}, extra);
        QFile own(m_folder.filePath("own.csv"));
        QVERIFY(own.open(QIODevice::WriteOnly));
        own.write(csv.out);
        own.close();
        const auto again = run({"line", "--import", own.fileName(), "--format", "json"});
        QCOMPARE(QJsonDocument::fromJson(again.out).object()["slope_s_per_byte"].toDouble(),
                 line["slope_s_per_byte"].toDouble());
    }

    void twoModesOfALineAreTwoObjects()
    {
        const auto result = run({"line", "--models", "smollm2-135m", "--dtypes", "fp16,fp32", "--mode", "eager,graph",
                                 "--format", "json", "--quiet"},
                                {{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "Tesla T4"}});
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonArray lines = QJsonDocument::fromJson(result.out).array();
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines.at(0).toObject()["mode"].toString(), QString("eager"));
        QCOMPARE(lines.at(1).toObject()["mode"].toString(), QString("graph"));
    }

    void aTableIsImported()
    {
        const QString table = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/tests/fixtures/line/model_line_laptop.csv");
        const auto result = run({"line", "--import", table, "--bandwidth", "200e9", "--format", "json", "--out",
                                 m_folder.filePath("laptop.json")});
        QVERIFY2(result.code == 0, result.err.constData());
        const QJsonObject line = QJsonDocument::fromJson(result.out).object();
        const auto near = [&line](const char *key, double value, double unit) {
            return std::abs(line[QLatin1String(key)].toDouble() - value) <= 0.51 * unit;
        };
        QVERIFY(near("slope_s_per_byte", 6.122e-12, 1e-15));
        QVERIFY(near("bandwidth_bytes_per_s", 163.3e9, 1e8));
        QVERIFY(near("intercept_s", 4.02e-3, 1e-5));
        QVERIFY(near("r2", 0.992, 1e-3));
        QCOMPARE(line["flags"].toArray().size(), 1);
        QCOMPARE(line["flags"].toArray().at(0).toObject()["name"].toString(), QString("Gemma 3 270M"));
        QVERIFY(loadSession(m_folder.filePath("laptop.json").toStdString()).runs[0].line[0].imported);
        const auto text = run({"line", "--import", table, "--hardware", "apple-m1-pro"});
        QVERIFY2(text.out.contains("255 GB/s, above the device's nominal 200 GB/s"), text.out.constData());
        // Bad rows are told with their lines and left out.
        QFile odd(m_folder.filePath("odd.csv"));
        QVERIFY(odd.open(QIODevice::WriteOnly));
        odd.write("model,weight_gb,tpot_ms\nA,1,5\nB,heavy,6\nC,3,9\n");
        odd.close();
        const auto left = run({"line", "--import", odd.fileName()});
        QCOMPARE(left.code, 0);
        QVERIFY2(left.err.contains("odd.csv, line 3: 'heavy'"), left.err.constData());
    }

    void samplesAreListed()
    {
        QDir(m_folder.path()).mkpath("data/ridgepoint/samples");
        Session session = newSession();
        session.title = "Mine, recorded at home";
        saveSession(session, m_folder.filePath("data/ridgepoint/samples/mine.json").toStdString());
        QFile broken(m_folder.filePath("data/ridgepoint/samples/broken.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{");
        broken.close();
        const auto result = run({"samples"});
        QCOMPARE(result.code, 0);
        QVERIFY2(result.out.contains("Mine, recorded at home"), result.out.constData());
        QVERIFY2(result.err.contains("broken.json"), result.err.constData());
    }

    void whatWasExpectedStandsBesideTheRest()
    {
        const QString file = m_folder.filePath("expected.json");
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "Tesla T4"}};
        const auto result = run({"sweep", "--batch", "1,4", "--prompt", "16", "--expect-tpot-ms", "20", "--expect-ratio", "3",
                                 "--expect-departure", "4", "--out", file}, extra);
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY2(result.out.contains("measured/expected") && result.out.contains("20.0 ms"), result.out.constData());
        const Expectation kept = loadSession(file.toStdString()).runs.at(0).plan.expectation;
        QCOMPARE(*kept.tpotSeconds, 20e-3);
        QVERIFY(*kept.ratio == 3 && *kept.firstDeparture == 4);
        QCOMPARE(run({"sweep", "--expect-ratio", "-3"}, extra).code, 2);
        QCOMPARE(run({"ttft", "--expect-tpot-ms", "soon"}, extra).code, 2);
    }

    void aSweepSaysHowFarItIs()
    {
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "Tesla T4"}};
        const auto result = run({"sweep", "--batch", "1,4", "--prompt", "16"}, extra);
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY2(result.err.contains("2 points to measure.") && result.err.contains("1 of 2") && result.err.contains("2 of 2: batch 4"),
                 result.err.constData());
    }

    void aSessionIsTitledByWhatWasMeasured()
    {
        const QString file = m_folder.filePath("titled.json");
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}, {"SCRIPTED_GPU", "Tesla T4"}};
        QCOMPARE(run({"sweep", "--batch", "1,4", "--prompt", "16", "--out", file}, extra).code, 0);
        const QString title = QString::fromStdString(loadSession(file.toStdString()).title);
        QVERIFY2(title.contains("Tesla T4") && title.contains("batch sweep") && title.contains("b=1..4"), qPrintable(title));
    }

    void mdIsMarkdown()
    {
        QFile file(m_folder.filePath("md.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[{\"batch\": 1, \"step_ms\": 15.0, \"ctx\": 158}]");
        file.close();
        const auto markdown = run({"import", "md.json", "--format", "markdown"}), md = run({"import", "md.json", "--format", "md"});
        QVERIFY2(md.code == 0, md.err.constData());
        QCOMPARE(md.out, markdown.out);
    }

    void aFullDeviceIsFoundOutBeforeTheRun()
    {
        if (!QFile::exists("/dev/full"))
            QSKIP("This system has no /dev/full.");
        const QMap<QString, QString> extra{{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}};
        const auto result = run({"sweep", "--batch", "1", "--prompt", "16", "--out", "/dev/full"}, extra);
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("/dev/full") && result.err.contains("Nothing was run"), result.err.constData());
        QVERIFY2(!result.err.contains("a step"), result.err.constData());
    }

    void importPrintsTheFloorAndKeepsTheMark()
    {
        QFile file(m_folder.filePath("sweep.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[{\"batch\": 1, \"step_ms\": 15.0, \"ctx\": 158}, {\"batch\": 4, \"step_ms\": \"x\", \"ctx\": 158}]");
        file.close();
        auto result = run({"import", "sweep.json"});
        QCOMPARE(result.code, 0);
        QVERIFY(result.out.contains("--model") && result.out.contains("--device-profile"));
        QVERIFY(result.err.contains("line 1"));
        result = run({"import", "sweep.json", "--model", "tinyllama-1.1b", "--device-profile", "t4", "--format", "json", "--out", "made.json"});
        QCOMPARE(result.code, 0);
        const QJsonObject row = QJsonDocument::fromJson(result.out).array().first().toObject();
        QVERIFY(row["floor_s"].toDouble() > 6e-3 && row["floor_s"].toDouble() < 8e-3); // 2.2 GB at 320 GB/s
        QCOMPARE(row["tpot_over_floor"].toDouble(), 15e-3 / row["floor_s"].toDouble());
        const Session session = loadSession(m_folder.filePath("made.json").toStdString());
        QVERIFY(session.runs.size() == 1 && isImported(session.runs[0]));
        QCOMPARE(run({"import", "sweep.json", "--format", "verse"}).code, 2);
        QCOMPARE(run({"report", "made.json", "--out", "made-report", "--quiet"}).code, 0);
    }

    void compareTellsWhatGotSlower()
    {
        const QString sample = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-sweep-tinyllama-fp16.json");
        QCOMPARE(run({"compare", sample, sample}).code, 0);
        Session slower = loadSession(sample.toStdString());
        for (RunRecord &r : slower.runs)
            for (SweepPoint &p : r.points) {
                for (StepSample &step : p.steps) {
                    step.deviceSeconds *= 1.1;
                    step.wallSeconds *= 1.1;
                }
                summariseSteps(p);
            }
        const QString other = m_folder.filePath("slower.json");
        saveSession(slower, other.toStdString());
        const auto result = run({"compare", sample, other, "--format", "json"});
        QCOMPARE(result.code, 3);
        const QJsonArray points = QJsonDocument::fromJson(result.out).array();
        QVERIFY(!points.isEmpty());
        for (const auto &point : points)
            QCOMPARE(point.toObject()["verdict"].toString(), QString("slower"));
        QCOMPARE(run({"compare", other, sample}).code, 0); // faster is no fault
        QCOMPARE(run({"compare", sample}).code, 2);
        const QString apart = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-sweep-llama-2-7b-fp16.json");
        QCOMPARE(run({"compare", sample, QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-calibrate.json")}).code, 1);
        const auto three = run({"compare", sample, sample, apart}); // one that shares nothing is not one that is no slower
        QCOMPARE(three.code, 1);
        QVERIFY2(three.err.contains("llama-2-7b") && three.err.contains("shares no point"), three.err.constData());
    }

    void whatIsNoSessionOfThisKindIsNotReplaced()
    {
        const auto write = [&](const QString &name, const QByteArray &bytes) {
            QFile file(m_folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        };
        const auto read = [&](const QString &name) {
            QFile file(m_folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray csv = "batch,context,tpot_ms\n1,158,15\n";
        write("only-copy.csv", csv);
        auto result = run({"import", "only-copy.csv", "--out", "only-copy.csv"});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("only-copy.csv") && result.err.contains("no session"), result.err.constData());
        QCOMPARE(read("only-copy.csv"), csv);
        QCOMPARE(run({"import", "only-copy.csv", "--out", "imported.json"}).code, 0);
        QCOMPARE(run({"import", "only-copy.csv", "--out", "imported.json"}).code, 0); // a session that an import made

        const QString sample = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-sweep-tinyllama-fp16.json");
        QVERIFY(QDir(m_folder.path()).mkpath("reports"));
        QVERIFY(QFile::copy(m_folder.filePath("imported.json"), m_folder.filePath("reports/session.json")));
        QVERIFY(QFile::copy(sample, m_folder.filePath("measured.json"))); // an import is no reason to lose a measurement
        result = run({"import", "only-copy.csv", "--out", "measured.json"});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("measured here"), result.err.constData());
        QVERIFY(loadSession(m_folder.filePath("measured.json").toStdString()).runs.size() > 1);
        const QByteArray before = read("reports/session.json");
        result = run({"report", sample, "--out", "reports", "--quiet"});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("another session"), result.err.constData());
        QCOMPARE(read("reports/session.json"), before);
        QCOMPARE(run({"report", "imported.json", "--out", "reports", "--quiet"}).code, 0); // its own
    }

    void aCalibrationOfAnotherDeviceIsRefused()
    {
        const QString calibration = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-calibrate.json");
        auto result = run({"predict", "--measured", calibration, "--hardware", "t4"});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("NVIDIA H200") && result.err.contains("T4"), result.err.constData());
        QCOMPARE(run({"predict", "--measured", calibration, "--hardware", "h200"}).code, 0);
        result = run({"sweep", "--device", "cpu", "--calibration", calibration, "--batch", "1", "--prompt", "16"}, {{"RIDGEPOINT_ENGINE", SCRIPTED_ENGINE}});
        QCOMPARE(result.code, 2);
        QVERIFY2(result.err.contains("NVIDIA H200"), result.err.constData());
    }

    void explainSaysWhatLimitsEachPoint_data()
    {
        QTest::addColumn<QString>("format");
        for (const char *format : {"table", "markdown", "csv", "json"})
            QTest::newRow(format) << format;
    }
    void explainSaysWhatLimitsEachPoint()
    {
        QFETCH(QString, format);
        const QString samples = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/");
        const QString tiny = samples + "h200-sweep-tinyllama-fp16.json", llama = samples + "h200-memory-llama-2-7b-fp16.json";
        const auto result = run({"explain", tiny, llama, tiny, "--format", format});
        QVERIFY2(result.code == 0, result.err.constData());
        QVERIFY(!result.out.contains("nan"));
        if (format == "json") {
            const QJsonObject all = QJsonDocument::fromJson(result.out).object();
            const QJsonArray runs = all["runs"].toArray();
            QCOMPARE(runs.size(), 4); // the file that was named twice counts once
            const QJsonObject first = runs[0].toObject()["points"].toArray()[0].toObject();
            QCOMPARE(first["verdict"].toString(), QString("launch-bound"));
            QVERIFY(first["evidence"].toArray().size() > 5);
            for (const QJsonValue &check : runs[3].toObject()["frontier"].toArray())
                QVERIFY(check.toObject()["right_side"].toBool());
            const QJsonArray split = all["decompositions"].toArray();
            QCOMPARE(split.size(), 3); // eager, graph, fused
            QVERIFY(split[0].toObject()["weight_bandwidth"].toObject()["value"].isNull()); // one model
            QVERIFY(split[1].toObject()["weight_bandwidth"].toObject()["value"].toDouble() > 1e12);
        } else if (format == "csv") {
            const QList<QByteArray> lines = result.out.trimmed().split('\n');
            QCOMPARE(lines.size(), 1 + 10 + 10 + 10 + 3);
            QVERIFY(lines[0].startsWith("model,dtype,mode,"));
        } else {
            for (const char *part : {"Launch-bound", "Memory-bound", "Why it bends", "The largest batch that fits",
                                     "5 of 5 tried points", "KV bandwidth", "does not mean that"})
                QVERIFY2(result.out.contains(part), part);
        }
    }
    void explainRefusesWhatItCannotExplain()
    {
        const QString sample = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-calibrate.json");
        QCOMPARE(run({"explain", sample}).code, 1);
        QCOMPARE(run({"explain", sample, "--format", "verse"}).code, 2);
        QCOMPARE(run({"explain", "nowhere.json"}).code, 1);
    }
    void errorsComeAsRows()
    {
        const QString sample = QStringLiteral(RIDGEPOINT_SOURCE_DIR "/resources/samples/h200-sweep-tinyllama-fp16.json");
        const auto json = run({"errors", sample, "--format", "json"});
        QCOMPARE(json.code, 0);
        const QJsonArray rows = QJsonDocument::fromJson(json.out).array();
        QCOMPARE(rows.size(), 30);
        QVERIFY(std::abs(rows[0].toObject()["forecast_error"].toDouble()) < 0.2);
        const auto csv = run({"errors", sample, "--format", "csv"});
        QCOMPARE(csv.out.trimmed().count('\n'), 30);
        QCOMPARE(run({"errors", sample, "--format", "verse"}).code, 2);
    }

    void aHalfSessionIsRefusedByName()
    {
        Session session = newSession();
        const auto text = QByteArray::fromStdString(toJson(session));
        QFile file(m_folder.filePath("half.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.left(text.size() / 2));
        file.close();
        const auto result = run({"report", file.fileName()});
        QCOMPARE(result.code, 1);
        QVERIFY(result.err.contains("half.json"));
    }
};

QTEST_GUILESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
