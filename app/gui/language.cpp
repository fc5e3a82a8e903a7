// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <memory>
#include <vector>

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

QStringList inOtherLanguages(const char *context, const QString &source)
{
    registerTranslations();
    static const std::vector<std::unique_ptr<QTranslator>> all = [] {
        std::vector<std::unique_ptr<QTranslator>> loaded;
        for (const Language &language : languages()) {
            auto translator = std::make_unique<QTranslator>();
            if (translator->load(QLocale(language.code), QStringLiteral("ridgepoint"), QStringLiteral("_"), QStringLiteral(":/i18n")))
                loaded.push_back(std::move(translator));
        }
        return loaded;
    }();
    QStringList texts;
    for (const auto &translator : all) {
        if (const QString text = translator->translate(context, source.toUtf8().constData()); !text.isEmpty())
            texts << text;
    }
    return texts;
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
