// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guarded_application.h"

#include <cstdio>
#include <exception>

namespace ridgepoint {

GuardedApplication::GuardedApplication(int &argc, char **argv) : QApplication(argc, argv) {}

void GuardedApplication::setFaultHandler(std::function<void(const QString &)> handler)
{
    m_handler = std::move(handler);
}

bool GuardedApplication::notify(QObject *receiver, QEvent *event)
{
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception &error) {
        tell(QString::fromUtf8(error.what()));
    }
    return false;
}

void GuardedApplication::tell(const QString &sentence)
{
    if (m_told.contains(sentence))
        return;
    m_told << sentence; // first: telling it may fail likewise
    if (m_handler)
        m_handler(sentence);
    else
        std::fprintf(stderr, "ridgepoint: %s\n", qUtf8Printable(sentence));
}

} // namespace ridgepoint
