// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/app_settings.h"

#include "core/session/session.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace ridgepoint {

namespace {

// A layout saved by a version with other docks must not be restored: raise this when docks come or go.
constexpr int kLayoutVersion = 1;
constexpr int kMaxOpen = 50; // sessions of the last time; more is a damaged file

} // namespace

AppSettings::AppSettings(const QString &file)
    : m_settings(file.isEmpty()
                     ? std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                                   QStringLiteral("ridgepoint"), QStringLiteral("ridgepoint"))
                     : std::make_unique<QSettings>(file, QSettings::IniFormat))
{
}

QByteArray AppSettings::geometry() const
{
    return m_settings->value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray AppSettings::windowState() const
{
    if (m_settings->value(QStringLiteral("window/layout_version")).toInt() != kLayoutVersion)
        return {};
    return m_settings->value(QStringLiteral("window/state")).toByteArray();
}

void AppSettings::setWindow(const QByteArray &geometry, const QByteArray &state)
{
    m_settings->setValue(QStringLiteral("window/geometry"), geometry);
    m_settings->setValue(QStringLiteral("window/state"), state);
    m_settings->setValue(QStringLiteral("window/layout_version"), kLayoutVersion);
}

ThemeMode AppSettings::theme() const
{
    const QString text = m_settings->value(QStringLiteral("window/theme")).toString();
    if (text == QLatin1String("light"))
        return ThemeMode::Light;
    if (text == QLatin1String("dark"))
        return ThemeMode::Dark;
    return ThemeMode::System;
}

void AppSettings::setTheme(ThemeMode mode)
{
    const char *text = mode == ThemeMode::Light ? "light" : mode == ThemeMode::Dark ? "dark" : "system";
    m_settings->setValue(QStringLiteral("window/theme"), QString::fromLatin1(text));
}

bool AppSettings::presenter() const
{
    return m_settings->value(QStringLiteral("window/presenter")).toString() == QLatin1String("true");
}

void AppSettings::setPresenter(bool on)
{
    m_settings->setValue(QStringLiteral("window/presenter"), on ? QStringLiteral("true") : QStringLiteral("false"));
}

QStringList AppSettings::recentSessions() const
{
    QStringList list = m_settings->value(QStringLiteral("sessions/recent")).toStringList();
    list.removeAll(QString());
    return list.mid(0, kMaxRecent);
}

void AppSettings::addRecentSession(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList list = recentSessions();
    list.removeAll(absolute);
    list.prepend(absolute);
    m_settings->setValue(QStringLiteral("sessions/recent"), list.mid(0, kMaxRecent));
}

void AppSettings::clearRecentSessions()
{
    m_settings->remove(QStringLiteral("sessions/recent"));
}

QStringList AppSettings::openSessions() const
{
    QStringList list = m_settings->value(QStringLiteral("sessions/open")).toStringList();
    list.removeAll(QString());
    return list.mid(0, kMaxOpen);
}

int AppSettings::activeSession() const
{
    return m_settings->value(QStringLiteral("sessions/active")).toInt();
}

void AppSettings::setOpenSessions(const QStringList &sessions, int active)
{
    m_settings->setValue(QStringLiteral("sessions/open"), sessions.mid(0, kMaxOpen));
    m_settings->setValue(QStringLiteral("sessions/active"), active);
}

bool AppSettings::reopensSessions() const
{
    return m_settings->value(QStringLiteral("sessions/reopen")).toString() != QLatin1String("false");
}

void AppSettings::setReopensSessions(bool on)
{
    m_settings->setValue(QStringLiteral("sessions/reopen"), on ? QStringLiteral("true") : QStringLiteral("false"));
}

QString AppSettings::language() const
{
    const QString text = m_settings->value(QStringLiteral("window/language")).toString();
    return text == QLatin1String("en") || text == QLatin1String("zh_CN") ? text : QString();
}

void AppSettings::setLanguage(const QString &language)
{
    m_settings->setValue(QStringLiteral("window/language"), language);
}

// A plan is kept in the session format, which is checked field by field when it is read.
std::optional<RunPlan> AppSettings::lastPlan() const
{
    const QString text = m_settings->value(QStringLiteral("experiment/last")).toString();
    if (text.isEmpty())
        return std::nullopt;
    try {
        const Session session = sessionFromJson(text.toStdString(), fileName().toStdString());
        if (session.runs.size() == 1)
            return session.runs.front().plan;
    } catch (const std::exception &) {
        // written by another version or damaged: the defaults stand
    }
    return std::nullopt;
}

void AppSettings::setLastPlan(const RunPlan &plan)
{
    Session session;
    session.runs.emplace_back().plan = plan;
    session.runs.front().state = RunRecord::State::Done;
    m_settings->setValue(QStringLiteral("experiment/last"), QString::fromStdString(toJson(session)));
}

QString AppSettings::exportFolder() const
{
    const QString folder = m_settings->value(QStringLiteral("export/folder")).toString();
    if (!folder.isEmpty() && QFileInfo(folder).isDir())
        return folder;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void AppSettings::setExportFolder(const QString &folder)
{
    m_settings->setValue(QStringLiteral("export/folder"), folder);
}

QSize AppSettings::exportSize() const
{
    const QSize size = m_settings->value(QStringLiteral("export/size")).toSize();
    return size.width() >= 100 && size.height() >= 100 && size.width() <= 10000 && size.height() <= 10000
               ? size
               : QSize(960, 600);
}

double AppSettings::exportScale() const
{
    const double scale = m_settings->value(QStringLiteral("export/scale")).toDouble();
    return scale >= 0.5 && scale <= 8 ? scale : 2.0;
}

void AppSettings::setExportSize(const QSize &size, double scale)
{
    m_settings->setValue(QStringLiteral("export/size"), size);
    m_settings->setValue(QStringLiteral("export/scale"), scale);
}

} // namespace ridgepoint
