// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/app_settings.h"
#include "tests/app/fake_engine.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ridgepoint;

class TestAppSettings : public QObject {
    Q_OBJECT

private slots:
    void everyValueComesBack();
    void anEmptyFileGivesTheDefaults();
    void brokenFilesGiveTheDefaults_data();
    void brokenFilesGiveTheDefaults();
    void theRecentListIsShortUniqueAndNewestFirst();
    void theUsersFileLiesInTheConfigFolder();
};

void TestAppSettings::everyValueComesBack()
{
    QTemporaryDir dir;
    const QString file = dir.filePath(QStringLiteral("a.conf"));
    RunPlan plan = test::smallPlan();
    plan.batches = {1, 3, 9};
    plan.dtype = DType::F32;
    plan.seed = 0xfedcba9876543210ULL;
    {
        AppSettings settings(file);
        settings.setTheme(ThemeMode::Dark);
        settings.setWindow("geometry bytes", QByteArray("state\0bytes", 11));
        settings.setLastPlan(plan);
        settings.setExportFolder(dir.path());
        settings.setExportSize(QSize(800, 500), 3.0);
        settings.addRecentSession(dir.filePath(QStringLiteral("ä session.json")));
        settings.sync();
    }
    const AppSettings settings(file);
    QCOMPARE(settings.theme(), ThemeMode::Dark);
    QCOMPARE(settings.geometry(), QByteArray("geometry bytes"));
    QCOMPARE(settings.windowState(), QByteArray("state\0bytes", 11));
    QCOMPARE(settings.exportFolder(), dir.path());
    QCOMPARE(settings.exportSize(), QSize(800, 500));
    QCOMPARE(settings.exportScale(), 3.0);
    QCOMPARE(settings.recentSessions(), QStringList{dir.filePath(QStringLiteral("ä session.json"))});
    QVERIFY(settings.lastPlan().has_value());
    QVERIFY(*settings.lastPlan() == plan);
}

void TestAppSettings::anEmptyFileGivesTheDefaults()
{
    QTemporaryDir dir;
    const AppSettings settings(dir.filePath(QStringLiteral("none.conf")));
    QCOMPARE(settings.theme(), ThemeMode::System);
    QVERIFY(settings.geometry().isEmpty());
    QVERIFY(settings.windowState().isEmpty());
    QVERIFY(!settings.lastPlan());
    QCOMPARE(settings.exportSize(), QSize(960, 600));
    QCOMPARE(settings.exportScale(), 2.0);
    QVERIFY(QFileInfo(settings.exportFolder()).isDir());
    QVERIFY(settings.recentSessions().isEmpty());
}

void TestAppSettings::brokenFilesGiveTheDefaults_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("not ini") << QByteArray("\x7f\x45\x4c\x46\x00\x01[[[", 9);
    QTest::newRow("wrong values") << QByteArray("[window]\ntheme=purple\ngeometry=7\nlayout_version=1000\nstate=x\n"
                                                "[export]\nsize=@Size(-3 900000)\nscale=1e9\nfolder=/nowhere/at/all\n"
                                                "[experiment]\nlast=\"{\\\"version\\\": 1\"\n");
    QTest::newRow("plan of a newer version") << QByteArray("[experiment]\nlast=\"{\\\"version\\\": 1000000}\"\n");
}

void TestAppSettings::brokenFilesGiveTheDefaults()
{
    QFETCH(QByteArray, content);
    QTemporaryDir dir;
    const QString name = dir.filePath(QStringLiteral("broken.conf"));
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const AppSettings settings(name);
    QCOMPARE(settings.theme(), ThemeMode::System);
    QVERIFY(settings.windowState().isEmpty());
    QVERIFY(!settings.lastPlan());
    QCOMPARE(settings.exportSize(), QSize(960, 600));
    QCOMPARE(settings.exportScale(), 2.0);
    QVERIFY(QFileInfo(settings.exportFolder()).isDir());
}

void TestAppSettings::theRecentListIsShortUniqueAndNewestFirst()
{
    QTemporaryDir dir;
    AppSettings settings(dir.filePath(QStringLiteral("a.conf")));
    for (int i = 0; i < 14; ++i)
        settings.addRecentSession(dir.filePath(QStringLiteral("%1.json").arg(i)));
    settings.addRecentSession(dir.filePath(QStringLiteral("9.json")));
    const QStringList recent = settings.recentSessions();
    QCOMPARE(recent.size(), qsizetype(AppSettings::kMaxRecent));
    QCOMPARE(recent.first(), dir.filePath(QStringLiteral("9.json")));
    QCOMPARE(recent.count(recent.first()), qsizetype(1));
    QCOMPARE(recent.at(1), dir.filePath(QStringLiteral("13.json")));
    settings.clearRecentSessions();
    QVERIFY(settings.recentSessions().isEmpty());
}

void TestAppSettings::theUsersFileLiesInTheConfigFolder()
{
    QVERIFY(AppSettings().fileName().endsWith(QStringLiteral("/ridgepoint/ridgepoint.ini")));
}

QTEST_GUILESS_MAIN(TestAppSettings)
#include "tst_app_settings.moc"
