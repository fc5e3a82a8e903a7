// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <unistd.h>

/// packaging/run.sh as somebody without a display meets it. Packages and build are answered by programs that do nothing, so that only
/// what the script itself does is tried: it starts the sweep, and tells how that ended.
class TestRunScript : public QObject
{
    Q_OBJECT

private slots:
    void aStoppedSweepIsTold_data()
    {
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("Ctrl+C before the first result") << 0 << SIGINT << QByteArray("Stopped before the first result.\n");
        QTest::newRow("SIGTERM before the first result") << 0 << SIGTERM << QByteArray("Stopped before the first result.\n");
        QTest::newRow("Ctrl+C after one") << 1 << SIGINT << QByteArray("the sweep ended early; this makes a report of what was measured:");
    }
    void aStoppedSweepIsTold()
    {
        QFETCH(int, points);
        QFETCH(int, signal);
        QFETCH(QByteArray, said);
        QTemporaryDir root;
        QVERIFY(root.isValid());
        for (const char *folder : {"packaging", "bin", "build/release"})
            QVERIFY(QDir(root.path()).mkpath(QString::fromLatin1(folder)));
        for (const char *script : {"run.sh", "common.sh"})
            QVERIFY(QFile::copy(QStringLiteral(RIDGEPOINT_SOURCE_DIR "/packaging/") + QLatin1String(script),
                                root.filePath(QStringLiteral("packaging/") + QLatin1String(script))));
        write(root.filePath("build/release/build.ninja"), "");
        write(root.filePath("bin/cmake"), "#!/bin/sh\nexit 0\n");
        write(root.filePath("bin/dpkg-query"), "#!/bin/sh\necho installed\n");
        QVERIFY(QFile::link(QStringLiteral(RIDGEPOINT_PROGRAM), root.filePath("build/release/ridgepoint")));

        QProcess script;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove("DISPLAY");
        environment.remove("WAYLAND_DISPLAY");
        environment.insert("PATH", root.filePath("bin") + ":" + environment.value("PATH"));
        environment.insert("RIDGEPOINT_PRESET", "release");
        environment.insert("RIDGEPOINT_REPORT", root.filePath("report"));
        environment.insert("RIDGEPOINT_ENGINE", SCRIPTED_ENGINE);
        environment.insert("SCRIPTED_HOLD", root.filePath("held"));
        environment.insert("SCRIPTED_HOLD_AFTER", QString::number(points));
        for (const char *name : {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(name, root.filePath(QString::fromLatin1(name)));
        script.setProcessEnvironment(environment);
        script.setWorkingDirectory(root.path());
        script.setChildProcessModifier([] { ::setsid(); }); // a group of its own, as a terminal gives a job
        script.start("bash", {root.filePath("packaging/run.sh"), "--model", "smollm2-135m", "--device", "cpu"});
        QVERIFY(script.waitForStarted());
        const bool held = QTest::qWaitFor([&] { return QFile::exists(root.filePath("held")) || script.state() == QProcess::NotRunning; }, 60'000);
        QVERIFY(held && script.state() == QProcess::Running);
        // A terminal's Ctrl+C goes to the whole job; what stops a service goes to the program alone.
        if (signal == SIGINT) {
            QCOMPARE(::kill(-pid_t(script.processId()), signal), 0);
        } else {
            QFile pid(root.filePath("held"));
            QVERIFY(pid.open(QIODevice::ReadOnly));
            QCOMPARE(::kill(pid.readAll().trimmed().toInt(), signal), 0);
        }
        QVERIFY(script.waitForFinished(60'000));
        const QByteArray error = script.readAllStandardError();
        QVERIFY2(script.exitStatus() == QProcess::NormalExit && script.exitCode() == 130, error + QByteArray::number(script.exitCode()));
        QVERIFY2(error.contains(said), error);
        QVERIFY2(error.contains("no display here"), error);
        QVERIFY2(error.contains("Calibration: read bandwidth\n"), error); // no terminal: said all the same,
        QVERIFY2(!error.contains("Calibration: matrix products"), error);  // but seldom
        QVERIFY(QFile::exists(root.filePath("report/session.json")));
        QVERIFY2(error.contains("release/ridgepoint report ") == (points > 0), error); // nothing to report, nothing offered
        QVERIFY(!QFile::exists(root.filePath("report/report.md")));
    }

private:
    static void write(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
};

QTEST_GUILESS_MAIN(TestRunScript)
#include "test_run_script.moc"
