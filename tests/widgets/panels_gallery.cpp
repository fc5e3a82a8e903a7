// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/charts_fixture.h"
#include "widgets/panels.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QTabWidget>
#include <QToolButton>
#include <QTextStream>

using namespace ridgepoint;

/// Pictures of the panels, light and dark, to be looked at: panels_gallery FOLDER. The sessions are made up.
int main(int argc, char **argv)
{
    QLocale::setDefault(QLocale::c());
    QApplication app(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    if (argc != 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1])) || !fixture::pinFont()) {
        QTextStream(stderr) << "usage: panels_gallery FOLDER (needs the font DejaVu Sans)\n";
        return 2;
    }
    const QDir folder(QString::fromLocal8Bit(argv[1]));
    const auto catalog = std::make_shared<const Catalog>(Catalog::loadDefault());
    const std::vector<DeviceChoice> devices{{QStringLiteral("cpu"),
                                             QStringLiteral("AMD EPYC 9654 96-Core Processor"),
                                             {},
                                             {DType::BF16, DType::F32},
                                             {DecodeMode::Eager},
                                             64e9},
                                            {QStringLiteral("cuda:0"),
                                             QStringLiteral("NVIDIA H200"),
                                             {},
                                             {DType::BF16, DType::F16, DType::F32},
                                             {DecodeMode::Eager, DecodeMode::Graph, DecodeMode::Fused},
                                             141e9},
                                            {QStringLiteral("cuda:1"),
                                             QStringLiteral("Tesla K80"),
                                             QStringLiteral("The driver is too old for this device: update it."),
                                             {},
                                             {},
                                             12e9}};

    for (const bool dark : {false, true}) {
        QApplication::setPalette(dark ? darkPalette() : lightPalette());
        const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
        const auto grab = [&](QWidget &widget, const QString &name, const QSize &size) {
            widget.resize(size);
            widget.show();
            for (int i = 0; i < 5; ++i)
                QApplication::processEvents();
            widget.grab().save(folder.filePath(QStringLiteral("%1-%2.png").arg(name, theme)));
        };

        {
            ExperimentPanel panel(catalog);
            grab(panel, QStringLiteral("experiment-sweep"), {270, 560});
            panel.setDevices(devices);
            panel.findChild<QLineEdit *>(QStringLiteral("experimentBatches"))->setText(QStringLiteral("1, 4, sixteen"));
            panel.findChild<QComboBox *>(QStringLiteral("experimentModel"))->setEditText(QStringLiteral("tinylama"));
            grab(panel, QStringLiteral("experiment-faults"), {270, 620});
        }
        {
            ExperimentPanel panel(catalog);
            panel.setDevices(devices);
            RunPlan plan;
            plan.experiment = Experiment::Ttft;
            plan.device = "cuda:0";
            plan.model.shape = catalog->modelById("llama-3.1-8b");
            plan.prompts = {200};
            plan.batches = {1};
            panel.setPlan(plan);
            panel.setRunning(true);
            grab(panel, QStringLiteral("experiment-ttft"), {300, 560});
            panel.setExperiment(Experiment::Anatomy);
            panel.setRunning(false);
            grab(panel, QStringLiteral("experiment-anatomy"), {300, 460});
            panel.setExperiment(Experiment::Sweep);
            panel.findChild<QToolButton *>(QStringLiteral("experimentExpect"))->click();
            grab(panel, QStringLiteral("experiment-expect"), {270, 760});
            panel.setExperiment(Experiment::Calibrate);
            panel.setRunning(false);
            grab(panel, QStringLiteral("experiment-calibrate"), {300, 360});
        }
        WorkbenchModel model;
        WhatIf values = fixture::whatIf(true);
        values.hardware = catalog->hardwareById("t4");
        values.shape = catalog->modelById("tinyllama-1.1b");
        model.setWhatIf(values);
        {
            WhatIfPanel panel(&model, catalog);
            grab(panel, QStringLiteral("what-if-narrow"), {260, 430});
            grab(panel, QStringLiteral("what-if-wide"), {420, 420});
            ExplanationPanel explanation(&model);
            grab(explanation, QStringLiteral("explanation-prediction"), {300, 620});
        }
        {
            RecordTables tables(&model);
            grab(tables, QStringLiteral("record-empty"), {1000, 190});
        }
        Session session = fixture::sweepSession();
        session.runs[0].plan.expectation = {12e-3, 1.5, 16};
        session.runs.push_back(fixture::anatomySession(false).runs.front());
        session.runs.push_back(fixture::ttftSession().runs.front());
        RunRecord calibration;
        calibration.plan = fixture::plan();
        calibration.plan.runId = "33333333-3333-4333-8333-333333333333";
        calibration.plan.experiment = Experiment::Calibrate;
        calibration.calibration = CalibrationResult{calibration.plan.runId,
                                                    fixture::t4Measured(),
                                                    {{"read", "B/s", 270e9, 268e9, 0.012},
                                                     {"copy", "B/s", 250e9, 249e9, 0.02},
                                                     {"matmul fp16 4096", "FLOP/s", 50e12, 49e12, 0.03},
                                                     {"step overhead", "s", 8e-3, 8e-3, 0.05}}};
        calibration.state = RunRecord::State::Done;
        session.runs.push_back(calibration);
        model.setSession(std::make_shared<const Session>(session));
        model.setCurrentRun(fixture::plan().runId);
        model.select(PointKey{fixture::plan().runId, 3});
        {
            ExplanationPanel explanation(&model);
            grab(explanation, QStringLiteral("explanation-point"), {300, 620});
            grab(explanation, QStringLiteral("explanation-point-long"), {330, 1700});
            model.select(PointKey{fixture::plan().runId, 8});
            grab(explanation, QStringLiteral("explanation-skipped"), {300, 420});
            model.select(PointKey{fixture::plan().runId, 3});
        }
        {
            RecordTables tables(&model);
            auto *tabs = tables.findChild<QTabWidget *>(QStringLiteral("recordTabs"));
            grab(tables, QStringLiteral("record-sweep"), {1010, 250});
            tabs->setCurrentIndex(2);
            grab(tables, QStringLiteral("record-steps"), {1010, 250});
            model.setCurrentRun(fixture::ttftRecord().runId);
            tabs->setCurrentIndex(1);
            grab(tables, QStringLiteral("record-ttft"), {1010, 360});
            tabs->setCurrentIndex(0);
            model.setCurrentRun(calibration.plan.runId);
            grab(tables, QStringLiteral("record-calibration"), {1010, 190});
            model.setCurrentRun(fixture::anatomySession(false).runs.front().plan.runId);
            grab(tables, QStringLiteral("record-anatomy"), {1010, 300});
        }
    }
    return 0;
}
