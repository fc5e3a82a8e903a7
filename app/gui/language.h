// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace ridgepoint {

/// A language that the window speaks.
struct Language {
    QString code; ///< "en", "zh_CN"
    QString name; ///< in itself
};
const QVector<Language> &languages();

/// A text of the program in the languages that it does not speak at the moment, as far as those are translated; English only
/// where `source` is the source text.
QStringList inOtherLanguages(const char *context, const QString &source);

/// Makes the program speak it from now on, Qt's own texts included; empty: the system's, where there is a translation.
/// Widgets hear of it as of any change of translators (QEvent::LanguageChange). GUI thread only.
void useLanguage(const QString &code);

} // namespace ridgepoint
