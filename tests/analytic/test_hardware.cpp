// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/hardware.h"

#include <QtTest>

using namespace ridgepoint;

namespace {

HardwareProfile turing()
{
    HardwareProfile hardware;
    hardware.id = "t4";
    hardware.memoryBandwidth = 320e9;
    hardware.peakFlops = {{DType::F16, 65e12}, {DType::F32, 8.1e12}};
    hardware.memoryBytes = 16e9;
    return hardware;
}

} // namespace

class TestHardware : public QObject {
    Q_OBJECT
private slots:
    void peakFallsBackToFp32();
    void nominalCeilingsHaveNoOverhead();
    void measuredCeilingsReplaceOnlyWhatWasMeasured();
    void stepOverheadScalesWithLayers();
    void ridgeOfNoBandwidthIsZero();
};

void TestHardware::peakFallsBackToFp32()
{
    QCOMPARE(turing().peak(DType::F16), 65e12);
    QCOMPARE(turing().peak(DType::BF16), 8.1e12); // no fast path: done in fp32
    HardwareProfile unknown;
    QCOMPARE(unknown.peak(DType::F16), 0.0);
    unknown.peakFlops = {{DType::F16, 1e12}};
    QCOMPARE(unknown.peak(DType::F32), 0.0);
}

void TestHardware::nominalCeilingsHaveNoOverhead()
{
    QVERIFY(nominalCeilings(turing(), DType::F16) == (Ceilings{320e9, 65e12, 0, 16e9}));
    QCOMPARE(nominalCeilings(turing(), DType::F16).ridge(), 203.125);
}

void TestHardware::measuredCeilingsReplaceOnlyWhatWasMeasured()
{
    MeasuredCeilings measured;
    QVERIFY(measuredCeilings(turing(), measured, DType::F16, 22) == nominalCeilings(turing(), DType::F16));
    measured.readBandwidth = 270e9;
    measured.copyBandwidth = 240e9; // a copy underrates what decode reads: never used
    QVERIFY(measuredCeilings(turing(), measured, DType::F16, 22) == (Ceilings{270e9, 65e12, 0, 16e9}));
    measured.matmulFlops[DType::F16] = 50e12;
    measured.stepOverhead = 8e-3;
    measured.overheadLayers = 22;
    QVERIFY(measuredCeilings(turing(), measured, DType::F16, 22) == (Ceilings{270e9, 50e12, 8e-3, 16e9}));
    QVERIFY(measuredCeilings(turing(), measured, DType::F32, 22) == (Ceilings{270e9, 8.1e12, 8e-3, 16e9}));
}

void TestHardware::stepOverheadScalesWithLayers()
{
    MeasuredCeilings measured;
    QVERIFY(!measured.stepOverheadFor(22));
    measured.stepOverhead = 6e-3;
    QCOMPARE(measured.stepOverheadFor(22).value_or(-1), 6e-3); // layers of the measured shape unknown
    measured.overheadLayers = 30;
    QCOMPARE(measured.stepOverheadFor(15).value_or(-1), 3e-3);
    QCOMPARE(measured.stepOverheadFor(0).value_or(-1), 6e-3);
}

void TestHardware::ridgeOfNoBandwidthIsZero()
{
    QCOMPARE(Ceilings{}.ridge(), 0.0);
}

QTEST_APPLESS_MAIN(TestHardware)
#include "test_hardware.moc"
