// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/plan.h"

#include <QByteArray>
#include <QSettings>
#include <QSize>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace ridgepoint {

enum class ThemeMode { System, Light, Dark };

/// What the window remembers from one start to the next. A file that cannot be read or holds nonsense gives the
/// defaults, value by value: settings never stand in the way of a start.
class AppSettings {
public:
    static constexpr int kMaxRecent = 10;

    /// `file` empty: the user's own (XDG_CONFIG_HOME/ridgepoint/ridgepoint.ini).
    explicit AppSettings(const QString &file = {});

    QString fileName() const { return m_settings->fileName(); }

    QByteArray geometry() const;
    QByteArray windowState() const;
    void setWindow(const QByteArray &geometry, const QByteArray &state);

    ThemeMode theme() const;
    void setTheme(ThemeMode mode);
    bool presenter() const;
    void setPresenter(bool on);

    QStringList recentSessions() const; ///< absolute paths, newest first
    void addRecentSession(const QString &path);
    void clearRecentSessions();

    /// What stood open: files by their absolute paths, samples with "sample:" before it; and which was in front.
    QStringList openSessions() const;
    int activeSession() const;
    void setOpenSessions(const QStringList &sessions, int active);
    bool reopensSessions() const; ///< at the next start
    void setReopensSessions(bool on);
    QString language() const; ///< "en", "zh_CN"; empty: the system's
    void setLanguage(const QString &language);

    std::optional<RunPlan> lastPlan() const;
    void setLastPlan(const RunPlan &plan);

    QString exportFolder() const; ///< an existing folder
    void setExportFolder(const QString &folder);
    QSize exportSize() const;
    double exportScale() const;
    void setExportSize(const QSize &size, double scale);

    void sync() { m_settings->sync(); }

private:
    std::unique_ptr<QSettings> m_settings;
};

} // namespace ridgepoint
