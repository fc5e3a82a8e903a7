// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

/// The resources of a static library are registered by hand, and outside any namespace.
static void registerTranslations()
{
    Q_INIT_RESOURCE(ridgepoint_translations);
}

namespace ridgepoint {

const QVector<Language> &languages()
{
    static const QVector<Language> all{{QStringLiteral("en"), QStringLiteral("English")},
                                       {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}};
    return all;
}

void useLanguage(const QString &code)
{
    registerTranslations();
    static QTranslator *ofQt = nullptr, *own = nullptr;
    for (QTranslator **translator : {&ofQt, &own}) {
        if (*translator)
            QCoreApplication::removeTranslator(*translator);
        delete std::exchange(*translator, new QTranslator(QCoreApplication::instance()));
    }
    const QLocale locale = code.isEmpty() ? QLocale::system() : QLocale(code);
    if (ofQt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                   QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(ofQt);
    if (own->load(locale, QStringLiteral("ridgepoint"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        QCoreApplication::installTranslator(own);
}

} // namespace ridgepoint
