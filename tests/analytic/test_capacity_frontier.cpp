// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/capacity_frontier.h"

#include "shapes.h"
#include "usage_error.h"

#include <QtTest>

#include <cmath>

using namespace ridgepoint;

class TestCapacityFrontier : public QObject
{
    Q_OBJECT
private slots:
    void theEdgeIsExact_data()
    {
        QTest::addColumn<double>("bytes");
        QTest::addColumn<bool>("keepsStepBuffers");
        QTest::addColumn<double>("runtime");
        QTest::newRow("T4") << 16e9 << false << 0.0;
        QTest::newRow("buffers kept") << 16e9 << true << 0.0;
        QTest::newRow("beside a runtime") << 16e9 << true << 0.6e9;
        QTest::newRow("H200") << 149e9 << true << 0.6e9;
    }
    void theEdgeIsExact()
    {
        QFETCH(double, bytes);
        QFETCH(bool, keepsStepBuffers);
        QFETCH(double, runtime);
        FrontierMemory memory;
        memory.bytes = bytes;
        memory.runtimeBytes = runtime;
        memory.workspace = {4096, keepsStepBuffers, 32e6};
        const ModelShape shape = shapes::tinyLlama();
        const std::vector<double> contexts{1, 128, 2048, 2112.5, 32768, 1e6};
        const auto frontier = capacityFrontier(shape, DType::F16, memory, contexts);
        QCOMPARE(frontier.size(), contexts.size());
        for (const FrontierPoint &p : frontier) {
            if (p.batch > 0)
                QVERIFY(fitsMemory(shape, DType::F16, memory, p.batch, p.context));
            QVERIFY(!fitsMemory(shape, DType::F16, memory, p.batch + 1, p.context));
        }
    }
    void neverGrowsWithTheContextAndNeverShrinksWithTheMemory()
    {
        std::vector<double> contexts;
        for (double n = 16; n < 3e6; n *= 1.3)
            contexts.push_back(n);
        FrontierMemory memory;
        memory.workspace = {4096, true, 32e6};
        std::vector<double> before(contexts.size(), 0);
        for (const double bytes : {3e9, 16e9, 80e9, 141e9}) {
            memory.bytes = bytes;
            const auto frontier = capacityFrontier(shapes::tinyLlama(), DType::F16, memory, contexts);
            for (std::size_t i = 0; i < frontier.size(); ++i) {
                if (i > 0)
                    QVERIFY(frontier[i].batch <= frontier[i - 1].batch);
                QVERIFY(frontier[i].batch >= before[i]);
                before[i] = frontier[i].batch;
            }
        }
    }
    void weightsThatDoNotFitLeaveNoRoom()
    {
        FrontierMemory memory;
        memory.bytes = 1e9; // TinyLlama's weights alone are 2.2 GB
        const auto frontier = capacityFrontier(shapes::tinyLlama(), DType::F16, memory, {128});
        QCOMPARE(frontier.size(), std::size_t(1));
        QCOMPARE(frontier.front().batch, 0.0);
    }
    void heldWeightsReplaceTheCountedOnes()
    {
        FrontierMemory memory;
        memory.bytes = 16e9;
        const double counted = capacityFrontier(shapes::tinyLlama(), DType::F16, memory, {2048}).front().batch;
        memory.residentWeights = 8e9;
        QVERIFY(capacityFrontier(shapes::tinyLlama(), DType::F16, memory, {2048}).front().batch < counted);
    }
    void unknownMemoryGivesNoFrontier()
    {
        QVERIFY(capacityFrontier(shapes::tinyLlama(), DType::F16, {}, {128}).empty());
        FrontierMemory memory;
        memory.bytes = std::nan("");
        QVERIFY(capacityFrontier(shapes::tinyLlama(), DType::F16, memory, {128}).empty());
    }
    void contextsThatAreNoneAreLeftOut()
    {
        FrontierMemory memory;
        memory.bytes = 16e9;
        const auto frontier = capacityFrontier(shapes::tinyLlama(), DType::F16, memory, {0, -3, std::nan(""), 128});
        QCOMPARE(frontier.size(), std::size_t(1));
        QCOMPARE(frontier.front().context, 128.0);
    }
};

QTEST_APPLESS_MAIN(TestCapacityFrontier)
#include "test_capacity_frontier.moc"
