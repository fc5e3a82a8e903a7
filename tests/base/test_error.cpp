// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <QtTest>

using namespace ridgepoint;

Q_DECLARE_METATYPE(ridgepoint::ErrorKind)

class TestError : public QObject {
    Q_OBJECT
private slots:
    void kindDecidesExitCode_data();
    void kindDecidesExitCode();
};

void TestError::kindDecidesExitCode_data()
{
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<int>("code");
    QTest::newRow("usage") << ErrorKind::Usage << 2;
    QTest::newRow("failure") << ErrorKind::Failure << 1;
    QTest::newRow("cancelled") << ErrorKind::Cancelled << 130;
}

void TestError::kindDecidesExitCode()
{
    QFETCH(ErrorKind, kind);
    QFETCH(int, code);
    const Error error(kind, "The reason.");
    QCOMPARE(error.kind(), kind);
    QCOMPARE(error.exitCode(), code);
    QCOMPARE(error.what(), "The reason.");
}

QTEST_APPLESS_MAIN(TestError)
#include "test_error.moc"
