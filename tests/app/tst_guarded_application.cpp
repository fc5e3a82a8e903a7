// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/guarded_application.h"

#include <QTest>

#include <stdexcept>

using namespace ridgepoint;

/// A fault in an event handler is told once and does not end the program.
class TestGuardedApplication : public QObject {
    Q_OBJECT

private slots:
    void aFaultIsToldAndTheProgramGoesOn();
};

namespace {

class Faulty : public QObject {
public:
    bool event(QEvent *event) override
    {
        if (event->type() == QEvent::User)
            throw std::runtime_error("the model has no layers");
        return QObject::event(event);
    }
};

} // namespace

void TestGuardedApplication::aFaultIsToldAndTheProgramGoesOn()
{
    auto *application = qobject_cast<GuardedApplication *>(QCoreApplication::instance());
    QVERIFY(application);
    QStringList told;
    application->setFaultHandler([&](const QString &sentence) {
        told << sentence;
        QEvent again(QEvent::User);
        Faulty other;
        QCoreApplication::sendEvent(&other, &again); // a fault while it is told
    });
    Faulty faulty;
    for (int i = 0; i < 3; ++i) {
        QEvent event(QEvent::User);
        QVERIFY(!QCoreApplication::sendEvent(&faulty, &event));
    }
    application->setFaultHandler({});
    QCOMPARE(told, QStringList{QStringLiteral("the model has no layers")});
}

int main(int argc, char **argv)
{
    GuardedApplication application(argc, argv);
    TestGuardedApplication test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_guarded_application.moc"
