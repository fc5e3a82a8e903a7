// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QSet>
#include <QString>

#include <functional>

namespace ridgepoint {

/// An application that outlives a fault of one of its widgets: an exception that leaves an event handler is told and does not end
/// the program with what was measured. Nothing should ever throw there; what does is a fault of the program.
class GuardedApplication : public QApplication {
    Q_OBJECT

public:
    GuardedApplication(int &argc, char **argv);

    /// What tells a fault's sentence, once for each sentence: a chart that cannot be drawn would say so at every repaint. None:
    /// standard error.
    void setFaultHandler(std::function<void(const QString &sentence)> handler);

    bool notify(QObject *receiver, QEvent *event) override;

private:
    void tell(const QString &sentence);

    std::function<void(const QString &)> m_handler;
    QSet<QString> m_told;
};

} // namespace ridgepoint
