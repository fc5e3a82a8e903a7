// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "tests/widgets/panels_test.h"
#include "widgets/panels.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

#include <cmath>

using namespace ridgepoint;
using fixture::child;

/// The what-if panel: sliders, numbers and choosers, and the model they change.
class PanelsWhatIfPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        QVERIFY2(fixture::pinFont(), "The tests need the font DejaVu Sans (fonts-dejavu-core).");
    }

    void init()
    {
        m_model = std::make_unique<WorkbenchModel>();
        WhatIf values = fixture::whatIf();
        values.hardware = fixture::shippedCatalog()->hardwareById("t4");
        values.shape = fixture::shippedCatalog()->modelById("tinyllama-1.1b");
        values.nominal = nominalCeilings(values.hardware, values.dtype);
        values.ceilings = values.nominal;
        m_model->setWhatIf(values);
        m_panel = std::make_unique<WhatIfPanel>(m_model.get(), fixture::shippedCatalog());
    }

    void slidersReachTheModelAtOnce_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"Bandwidth", "Peak", "Overhead", "Batch", "Context", "Prompt"})
            QTest::newRow(name) << name;
    }
    void slidersReachTheModelAtOnce()
    {
        QFETCH(QString, name);
        auto *slider = child<QSlider>(*m_panel, "whatIfSlider" + name);
        auto *spin = child<QDoubleSpinBox>(*m_panel, "whatIfSpin" + name);
        const double unit = name == "Bandwidth" ? 1e9 : name == "Peak" ? 1e12 : name == "Overhead" ? 1e-3 : 1;
        QSignalSpy changes(m_model.get(), &WorkbenchModel::whatIfChanged);
        double before = -1;
        for (int position = slider->minimum(); position <= slider->maximum(); ++position) {
            const WhatIf old = m_model->whatIf();
            changes.clear();
            slider->setValue(position);
            const double value = valueOf(name);
            QCOMPARE(slider->value(), position); // the model's answer does not move it back
            QVERIFY(changes.count() <= 1);
            QCOMPARE(changes.count() == 1, !(old == m_model->whatIf()));
            QVERIFY2(value >= before, "a slider moved to the right makes nothing smaller");
            QVERIFY(std::abs(spin->value() * unit - value) <= std::abs(value) * 1e-9);
            before = value;
        }
        // From one end to the other it spans at least two decades.
        const double last = valueOf(name);
        slider->setValue(slider->minimum() + 1);
        QVERIFY(last / valueOf(name) >= 100);
    }

    void typedValuesMayLieBeyondTheSlider()
    {
        auto *spin = child<QDoubleSpinBox>(*m_panel, "whatIfSpinBandwidth");
        QSignalSpy changes(m_model.get(), &WorkbenchModel::whatIfChanged);
        spin->setValue(123456);
        QCOMPARE(m_model->whatIf().ceilings.bandwidth, 123456e9);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(child<QSlider>(*m_panel, "whatIfSliderBandwidth")->value(), 1000);
    }

    void numbersAreReadWithPointOrComma_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("bytesPerSecond");
        QTest::newRow("point") << "24.5" << 24.5e9;
        QTest::newRow("comma") << "24,5" << 24.5e9;
        QTest::newRow("with its unit") << "24.5 GB/s" << 24.5e9;
        QTest::newRow("exponent") << "1e3" << 1e12;
        QTest::newRow("zero is not a bandwidth") << "0" << 1e3; // the least that there is
        QTest::newRow("nothing keeps what was there") << "" << 320e9;
    }
    void numbersAreReadWithPointOrComma()
    {
        QFETCH(QString, typed);
        QFETCH(double, bytesPerSecond);
        auto *spin = child<QDoubleSpinBox>(*m_panel, "whatIfSpinBandwidth");
        auto *edit = spin->findChild<QLineEdit *>();
        edit->selectAll();
        edit->del();
        QTest::keyClicks(edit, typed);
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_model->whatIf().ceilings.bandwidth, bytesPerSecond);
    }

    void outsideChangesAreShownAndNotSentBack()
    {
        QSignalSpy changes(m_model.get(), &WorkbenchModel::whatIfChanged);
        WhatIf values = m_model->whatIf();
        values.ceilings.bandwidth = 24.8731234567891e9; // more digits than the number shows
        values.ceilings.overhead = 1.23456789e-3;
        values.batch = 12;
        values.context = 158.5;
        m_model->setWhatIf(values);
        QCOMPARE(changes.count(), 1);
        QVERIFY(m_model->whatIf() == values);
        QCOMPARE(child<QDoubleSpinBox>(*m_panel, "whatIfSpinBatch")->value(), 12.0);
        QCOMPARE(child<QDoubleSpinBox>(*m_panel, "whatIfSpinContext")->value(), 158.5);
        QCOMPARE(child<QDoubleSpinBox>(*m_panel, "whatIfSpinBandwidth")->text(), QString("24.87 GB/s"));
    }

    void figuresReadWellAndAreNeverCut_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("peak of a GPU") << "Peak" << 65e12 << "65 TFLOP/s";
        QTest::newRow("the largest peak") << "Peak" << 1978.96e12 << "1979 TFLOP/s";
        QTest::newRow("measured peak of a CPU") << "Peak" << 24.4038567e9 << "24.4 GFLOP/s";
        QTest::newRow("a peak just below") << "Peak" << 987.654e9 << "987.7 GFLOP/s";
        QTest::newRow("bandwidth") << "Bandwidth" << 4799.9876e9 << "4800 GB/s";
        QTest::newRow("a slow one") << "Bandwidth" << 23.456789e9 << "23.46 GB/s";
        QTest::newRow("hardly any") << "Bandwidth" << 512.34567e6 << "512.3 MB/s";
        QTest::newRow("overhead") << "Overhead" << 8.0123456e-3 << "8.012 ms";
        QTest::newRow("a small overhead") << "Overhead" << 71.23456e-6 << "71.23 us";
        QTest::newRow("none") << "Overhead" << 0.0 << "0 ms";
        QTest::newRow("every digit of a count") << "Context" << 131072.0 << "131072";
        QTest::newRow("half a token") << "Context" << 2078.5 << "2078.5";
        QTest::newRow("batch") << "Batch" << 65536.0 << "65536";
    }
    void figuresReadWellAndAreNeverCut()
    {
        QFETCH(QString, name);
        QFETCH(double, value);
        QFETCH(QString, text);
        m_panel->resize(m_panel->minimumSizeHint());
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
        WhatIf values = m_model->whatIf();
        (name == "Bandwidth"  ? values.ceilings.bandwidth
         : name == "Peak"     ? values.ceilings.flops
         : name == "Overhead" ? values.ceilings.overhead
         : name == "Batch"    ? values.batch
                              : values.context) = value;
        m_model->setWhatIf(values);
        auto *spin = child<QDoubleSpinBox>(*m_panel, "whatIfSpin" + name);
        auto *edit = spin->findChild<QLineEdit *>();
        QCOMPARE(spin->text(), text);
        const int margins = 4; // a line edit keeps two pixels on each side
        QTRY_VERIFY2(edit->width() >= edit->fontMetrics().horizontalAdvance(text) + margins,
                     qPrintable(QStringLiteral("%1 of %2").arg(edit->width()).arg(
                         edit->fontMetrics().horizontalAdvance(text) + margins)));
        // Return in a field that was not changed must not round what it stands for.
        edit->setFocus();
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(m_model->whatIf() == values);
    }

    void aTypedUnitIsTaken_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("flops");
        QTest::addColumn<QString>("shown");
        QTest::newRow("none: the one that stands there") << "24.4" << 24.4e12 << "24.4 TFLOP/s";
        QTest::newRow("the smaller") << "24.4 GFLOP/s" << 24.4e9 << "24.4 GFLOP/s";
        QTest::newRow("less than one of the larger") << "0.5" << 0.5e12 << "500 GFLOP/s";
        QTest::newRow("more than a thousand of the smaller") << "1500 GFLOP/s" << 1.5e12 << "1.5 TFLOP/s";
    }
    void aTypedUnitIsTaken()
    {
        QFETCH(QString, typed);
        QFETCH(double, flops);
        QFETCH(QString, shown);
        auto *spin = child<QDoubleSpinBox>(*m_panel, "whatIfSpinPeak");
        auto *edit = spin->findChild<QLineEdit *>();
        edit->selectAll();
        edit->del();
        QTest::keyClicks(edit, typed);
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(std::abs(m_model->whatIf().ceilings.flops / flops - 1) < 1e-9);
        QCOMPARE(spin->text(), shown);
    }

    void aDeviceBringsItsDatasheet()
    {
        WhatIf values = m_model->whatIf();
        values.ceilings.overhead = 2e-3;
        values.measured = fixture::t4Measured();
        m_model->setWhatIf(values);
        QSignalSpy changes(m_model.get(), &WorkbenchModel::whatIfChanged);
        auto *device = child<QComboBox>(*m_panel, "whatIfDevice");
        const HardwareProfile &a100 = fixture::shippedCatalog()->hardwareById("a100-80gb-sxm");
        device->setCurrentIndex(device->findText(QString::fromStdString(a100.name)));
        QCOMPARE(changes.count(), 1);
        const WhatIf &now = m_model->whatIf();
        QCOMPARE(now.hardware.id, a100.id);
        QCOMPARE(now.ceilings.bandwidth, a100.memoryBandwidth);
        QCOMPARE(now.ceilings.flops, a100.peak(DType::F16));
        QCOMPARE(now.ceilings.memory, a100.memoryBytes);
        QCOMPARE(now.ceilings.overhead, 2e-3);
        QVERIFY(!now.measured); // measured on another device
    }

    void aDtypeBringsItsPeakAndKeepsTheRest()
    {
        child<QDoubleSpinBox>(*m_panel, "whatIfSpinBandwidth")->setValue(270);
        auto *dtype = child<QComboBox>(*m_panel, "whatIfDtype");
        dtype->setCurrentIndex(dtype->findText("fp32"));
        QCOMPARE(m_model->whatIf().dtype, DType::F32);
        QCOMPARE(m_model->whatIf().ceilings.flops, fixture::shippedCatalog()->hardwareById("t4").peak(DType::F32));
        QCOMPARE(m_model->whatIf().ceilings.bandwidth, 270e9);
    }

    void whatTheCatalogueDoesNotHoldGetsAnEntry()
    {
        auto *shape = child<QComboBox>(*m_panel, "whatIfModel");
        const int before = shape->count();
        WhatIf values = m_model->whatIf();
        values.shape.id = "mine";
        values.shape.name = "Mine";
        values.shape.layers = 5;
        m_model->setWhatIf(values);
        QCOMPARE(shape->count(), before + 1);
        QCOMPARE(shape->currentText(), QString("Mine"));
        values.shape = fixture::shippedCatalog()->modelById("llama-2-7b");
        m_model->setWhatIf(values);
        QCOMPARE(shape->currentText(), QString::fromStdString(values.shape.name));
        QVERIFY(m_model->whatIf() == values);
    }

    void buttonsGoBack()
    {
        auto *measured = child<QPushButton>(*m_panel, "whatIfMeasured");
        auto *run = child<QPushButton>(*m_panel, "whatIfRun");
        QVERIFY(!measured->isEnabled());
        QVERIFY(!run->isEnabled());
        WhatIf values = m_model->whatIf();
        values.measured = fixture::t4Measured();
        m_model->setWhatIf(values);
        QVERIFY(measured->isEnabled());
        measured->click();
        QCOMPARE(m_model->whatIf().ceilings.bandwidth, 270e9);
        QCOMPARE(m_model->whatIf().ceilings.overhead, 8e-3);
        // The fixed cost of a step follows the layers while measured values are in use.
        auto *shape = child<QComboBox>(*m_panel, "whatIfModel");
        shape->setCurrentIndex(
            shape->findText(QString::fromStdString(fixture::shippedCatalog()->modelById("llama-2-7b").name)));
        QCOMPARE(m_model->whatIf().ceilings.overhead, 8e-3 * 32 / 22);
        child<QPushButton>(*m_panel, "whatIfDatasheet")->click();
        QCOMPARE(m_model->whatIf().ceilings.bandwidth, 320e9);
        QCOMPARE(m_model->whatIf().ceilings.overhead, 0.0);
        m_model->setSession(std::make_shared<const Session>(fixture::sweepSession()));
        QVERIFY(run->isEnabled());
        run->click();
        QVERIFY(m_model->whatIf().shape == fixture::tinyLlama());
        QCOMPARE(m_model->whatIf().ceilings.bandwidth, 270e9);
        QCOMPARE(m_model->whatIf().hardware.peakFlops.size(),
                 fixture::shippedCatalog()->hardwareById("t4").peakFlops.size());
    }

    void readOutShowsThePrediction()
    {
        const WhatIf &values = m_model->whatIf();
        child<QDoubleSpinBox>(*m_panel, "whatIfSpinBatch")->setValue(64);
        const StepPrediction step = predictStep(m_model->workload(), values.ceilings, 64, 256);
        QCOMPARE(child<QLabel>(*m_panel, "whatIfStep")->text(),
                 QString::fromStdString(format::seconds(step.stepSeconds)));
        QVERIFY(child<QLabel>(*m_panel, "whatIfRate")
                    ->text()
                    .contains(QString::fromStdString(format::tokensPerSecond(step.tokensPerSecond))));
        // At 2048 tokens the intensity of any batch stays below the ridge.
        child<QDoubleSpinBox>(*m_panel, "whatIfSpinContext")->setValue(2048);
        bool never = false;
        for (const QLabel *label : m_panel->findChildren<QLabel *>())
            never = never || label->text() == "never";
        QVERIFY(never);
    }

    void nothingChosenIsSaidNotGuessed()
    {
        WorkbenchModel empty;
        WhatIfPanel panel(&empty, fixture::shippedCatalog());
        QVERIFY(!child<QLabel>(panel, "whatIfFault")->text().isEmpty());
        QCOMPARE(child<QLabel>(panel, "whatIfStep")->text(), QString("\u2013"));
        QVERIFY(empty.whatIf() == WhatIf());
    }

    void panelFitsANarrowDock()
    {
        QVERIFY2(m_panel->minimumSizeHint().width() <= 280,
                 qPrintable(QString::number(m_panel->minimumSizeHint().width())));
        for (const QSlider *slider : m_panel->findChildren<QSlider *>())
            QVERIFY(!slider->accessibleName().isEmpty());
        for (const QDoubleSpinBox *spin : m_panel->findChildren<QDoubleSpinBox *>())
            QVERIFY(!spin->accessibleName().isEmpty());
    }

private:
    double valueOf(const QString &name) const
    {
        const WhatIf &w = m_model->whatIf();
        return name == "Bandwidth"  ? w.ceilings.bandwidth
               : name == "Peak"     ? w.ceilings.flops
               : name == "Overhead" ? w.ceilings.overhead
               : name == "Batch"    ? w.batch
               : name == "Context"  ? w.context
                                    : w.prompt;
    }

    std::unique_ptr<WorkbenchModel> m_model;
    std::unique_ptr<WhatIfPanel> m_panel;
};

QTEST_MAIN(PanelsWhatIfPanel)
#include "panels_what_if_panel.moc"
