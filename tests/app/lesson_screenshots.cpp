// SPDX-License-Identifier: GPL-3.0-or-later
// lesson_screenshots FOLDER [zh_CN.qm]: pictures of lessons, glossary and presenter mode, light and dark.
#include "app/gui/chart_grid.h"
#include "app/gui/main_window.h"
#include "widgets/lesson_panel.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QTemporaryDir>
#include <QThread>
#include <QTranslator>

#include <cstdio>

using namespace ridgepoint;

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir home;
    for (const char *name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"})
        qputenv(name, home.path().toLocal8Bit());
    QApplication application(argc, argv);
    QLocale::setDefault(QLocale::c());
    QTranslator translator;
    if (argc < 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1])) ||
        (argc > 2 && !(translator.load(QString::fromLocal8Bit(argv[2])) && QApplication::installTranslator(&translator)))) {
        std::fprintf(stderr, "usage: lesson_screenshots FOLDER [TRANSLATION.qm]\n");
        return 2;
    }
    WindowServices services;
    services.engine = loadEngine;
    services.catalog = std::make_shared<const Catalog>(Catalog::loadDefault());
    services.loadEngineInBackground = false;
    MainWindow window(services);
    const auto settle = [] {
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < 350) {
            QApplication::processEvents();
            QThread::msleep(15);
        }
    };
    const auto shoot = [&](QWidget &widget, const char *name) {
        settle();
        widget.grab().save(QString::fromLocal8Bit(argv[1]) + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
    };
    auto *field = window.findChild<QLineEdit *>(QStringLiteral("lessonExpectation"));
    auto *check = window.findChild<QPushButton *>(QStringLiteral("lessonCheck"));
    window.resize(1440, 900);
    window.show();
    settle();
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        const bool dark = mode == ThemeMode::Dark;
        window.setThemeMode(mode);
        window.showLessons();
        window.lessons()->open(QStringLiteral("02-floor"));
        shoot(window, dark ? "dark-asked" : "light-asked");
        field->setText(QStringLiteral("69"));
        check->click();
        shoot(window, dark ? "dark-wrong" : "light-wrong");
        field->setText(QStringLiteral("6.9"));
        check->click();
        shoot(window, dark ? "dark-right" : "light-right");
        window.lessons()->open(QStringLiteral("05-sweep"), 4);
        shoot(window, dark ? "dark-recording" : "light-recording");
    }
    window.showGlossary({});
    shoot(*window.findChild<GlossaryDialog *>(QStringLiteral("glossary")), "dark-glossary");
    window.setThemeMode(ThemeMode::Light);
    window.setPresenterMode(true);
    window.lessons()->open(QStringLiteral("05-sweep"), 1);
    shoot(window, "presenter");
    window.charts()->showPage(0);
    shoot(window, "presenter-all");
    window.resize(1024, 700);
    window.setPresenterMode(false);
    window.lessons()->open(QStringLiteral("04-ratio"), 3);
    shoot(window, "small");
    return 0;
}
