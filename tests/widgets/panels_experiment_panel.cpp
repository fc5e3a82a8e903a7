// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/panels_test.h"
#include "widgets/panels.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <map>

using namespace ridgepoint;
using fixture::child;

Q_DECLARE_METATYPE(ridgepoint::RunPlan)

/// The experiment panel: what it accepts, what it says of the rest, and the plan that comes out.
class PanelsExperimentPanel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        QVERIFY2(fixture::pinFont(), "The tests need the font DejaVu Sans (fonts-dejavu-core).");
    }

    void defaultPlanIsTheSmallSweepOnTheCpu()
    {
        const ExperimentPanel panel(fixture::shippedCatalog());
        const auto plan = panel.plan();
        QVERIFY(plan);
        QCOMPARE(plan->experiment, Experiment::Sweep);
        QCOMPARE(plan->device, std::string("cpu"));
        QCOMPARE(plan->model.shape.id, std::string("smollm2-135m"));
        QVERIFY(plan->runId.empty());
        QCOMPARE(plan->prompts, (std::vector<std::int64_t>{128, 2048}));
        QCOMPARE(plan->batches, (std::vector<std::int64_t>{1, 4, 16, 64, 128}));
        QCOMPARE(plan->memoryLimitBytes, 4e9);
        QCOMPARE(plan->hardwareId, std::string("cpu"));
        QCOMPARE(plan->nominal.bandwidth, fixture::shippedCatalog()->hardwareById("cpu").memoryBandwidth);
        QCOMPARE(child<QLineEdit>(panel, "experimentMemoryLimit")->text(), QString("4"));
    }

    void aFieldIsReadOrItsFaultIsSaidBesideIt_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("faultLabel");
        QTest::addColumn<QString>("says"); ///< empty: the field is right
        const QString batches = "experimentBatches", prompts = "experimentPrompts", limit = "experimentMemoryLimit";
        QTest::newRow("one batch") << batches << "8"
                                   << "experimentBatchesFault"
                                   << "";
        QTest::newRow("spaces and semicolons") << batches << " 1 ; 4  16,\t64 "
                                               << "experimentBatchesFault"
                                               << "";
        QTest::newRow("batch 0") << batches << "1, 0"
                                 << "experimentBatchesFault"
                                 << "0 cannot be used";
        QTest::newRow("negative batch") << batches << "-4"
                                        << "experimentBatchesFault"
                                        << "-4 cannot be used";
        QTest::newRow("a trillion") << batches << "1000000000000"
                                    << "experimentBatchesFault"
                                    << "1 to 65536";
        QTest::newRow("beyond 64 bits") << batches << "99999999999999999999999"
                                        << "experimentBatchesFault"
                                        << "too large";
        QTest::newRow("text") << batches << "1, four"
                              << "experimentBatchesFault"
                              << "four";
        QTest::newRow("a fraction") << batches << "1.5"
                                    << "experimentBatchesFault"
                                    << "1.5";
        QTest::newRow("no batch") << batches << ""
                                  << "experimentBatchesFault"
                                  << "at least one number";
        QTest::newRow("commas only") << batches << " , ,"
                                     << "experimentBatchesFault"
                                     << "at least one number";
        QTest::newRow("too many") << batches << QString("1,").repeated(1001) << "experimentBatchesFault"
                                  << "at most 1000";
        QTest::newRow("prompt 0") << prompts << "0"
                                  << "experimentPromptsFault"
                                  << "1 to 10000000";
        QTest::newRow("longest prompt") << prompts << "10000000"
                                        << "experimentPromptsFault"
                                        << "";
        QTest::newRow("prompt too long") << prompts << "10000001"
                                         << "experimentPromptsFault"
                                         << "10000001";
        QTest::newRow("limit in GB") << limit << "3.5"
                                     << "experimentLimitFault"
                                     << "";
        QTest::newRow("limit with unit and comma") << limit << "3,5 GB"
                                                   << "experimentLimitFault"
                                                   << "";
        QTest::newRow("no limit") << limit << ""
                                  << "experimentLimitFault"
                                  << "";
        QTest::newRow("limit 0") << limit << "0"
                                 << "experimentLimitFault"
                                 << "above 0";
        QTest::newRow("negative limit") << limit << "-2"
                                        << "experimentLimitFault"
                                        << "above 0";
        QTest::newRow("limit in words") << limit << "much"
                                        << "experimentLimitFault"
                                        << "much";
        QTest::newRow("endless limit") << limit << "inf"
                                       << "experimentLimitFault"
                                       << "inf";
    }
    void aFieldIsReadOrItsFaultIsSaidBesideIt()
    {
        QFETCH(QString, field);
        QFETCH(QString, text);
        QFETCH(QString, faultLabel);
        QFETCH(QString, says);
        ExperimentPanel panel(fixture::shippedCatalog());
        QSignalSpy changes(&panel, &ExperimentPanel::planChanged);
        auto *edit = child<QLineEdit>(panel, field);
        edit->setText(QStringLiteral("7"));
        changes.clear();
        edit->setText(text);
        QCOMPARE(changes.count(), 1);
        auto *fault = child<QLabel>(panel, faultLabel);
        auto *run = child<QPushButton>(panel, "experimentRun");
        if (says.isEmpty()) {
            QVERIFY2(fault->isHidden(), qPrintable(fault->text()));
            QVERIFY(panel.plan());
            QVERIFY(run->isEnabled());
        } else {
            QVERIFY(!fault->isHidden());
            QVERIFY2(fault->text().contains(says), qPrintable(fault->text()));
            QVERIFY(fault->text().endsWith(QLatin1Char('.')));
            QVERIFY(!panel.plan());
            QVERIFY(!run->isEnabled());
            edit->setText(QStringLiteral("7"));
            QVERIFY(fault->isHidden());
            QVERIFY(run->isEnabled());
        }
    }

    void limitIsReadInDecimalGigabytes()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        child<QLineEdit>(panel, "experimentMemoryLimit")->setText(QStringLiteral("3,5 GB"));
        QCOMPARE(panel.plan()->memoryLimitBytes, 3.5e9);
        child<QLineEdit>(panel, "experimentMemoryLimit")->clear();
        QCOMPARE(panel.plan()->memoryLimitBytes, 0.0);
    }

    void aModelIsFoundByNameOrId_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("id"); ///< empty: none
        QTest::newRow("id") << "tinyllama-1.1b"
                            << "tinyllama-1.1b";
        QTest::newRow("id in capitals") << "TINYLLAMA-1.1B"
                                        << "tinyllama-1.1b";
        QTest::newRow("name") << "TinyLlama 1.1B"
                              << "tinyllama-1.1b";
        QTest::newRow("misspelt") << "tinylama-1.1b"
                                  << "";
        QTest::newRow("nothing") << ""
                                 << "";
    }
    void aModelIsFoundByNameOrId()
    {
        QFETCH(QString, typed);
        QFETCH(QString, id);
        ExperimentPanel panel(fixture::shippedCatalog());
        child<QComboBox>(panel, "experimentModel")->setEditText(typed);
        auto *fault = child<QLabel>(panel, "experimentModelFault");
        if (!id.isEmpty()) {
            QVERIFY(panel.plan());
            QCOMPARE(QString::fromStdString(panel.plan()->model.shape.id), id);
            QVERIFY(fault->isHidden());
            QCOMPARE(panel.plan()->memoryLimitBytes, 0.0); // 4 GB is the default model's own
        } else {
            QVERIFY(!panel.plan());
            QVERIFY(!fault->isHidden());
            if (!typed.isEmpty())
                QVERIFY2(fault->text().contains("tinyllama-1.1b"), qPrintable(fault->text()));
        }
    }

    void plansRoundTrip_data()
    {
        QTest::addColumn<RunPlan>("plan");
        RunPlan sweep;
        sweep.device = "cuda:0";
        sweep.model.shape = fixture::shippedCatalog()->modelById("llama-2-7b");
        sweep.dtype = DType::F16;
        sweep.mode = DecodeMode::Graph;
        sweep.prompts = {1, 77, 4096};
        sweep.batches = {3};
        sweep.warmup = 0;
        sweep.steps = 7;
        sweep.memoryLimitBytes = 12345678901;
        sweep.tryBeyondCapacity = true;
        sweep.seed = 42;
        QTest::newRow("sweep") << sweep;
        RunPlan ttft = sweep;
        ttft.experiment = Experiment::Ttft;
        ttft.prompts = {200};
        ttft.batches = {8};
        ttft.warmup = 3;
        ttft.newTokens = 100;
        ttft.repeats = 5;
        ttft.methods = {TtftMethod::Subtraction, TtftMethod::Loop};
        ttft.tryBeyondCapacity = false;
        QTest::newRow("ttft") << ttft;
        RunPlan cpu;
        cpu.model.shape = fixture::shippedCatalog()->modelById("qwen3-0.6b");
        cpu.dtype = DType::F32;
        cpu.threads = 2;
        QTest::newRow("cpu") << cpu;
        RunPlan calibrate = cpu;
        calibrate.experiment = Experiment::Calibrate;
        QTest::newRow("calibrate") << calibrate;
        RunPlan line = sweep;
        line.experiment = Experiment::Line;
        for (const char *id : {"qwen2.5-0.5b", "tinyllama-1.1b"})
            line.models.push_back({fixture::shippedCatalog()->modelById(id), {}});
        ModelSource own = line.models.front();
        own.shape.id = own.shape.name = "own";
        line.models.push_back(own); // of another machine's catalogue
        std::sort(line.models.begin(), line.models.end(), [](const ModelSource &a, const ModelSource &b) {
            const auto place = [](const ModelSource &m) {
                const auto &all = fixture::shippedCatalog()->models();
                return std::find(all.begin(), all.end(), m.shape) - all.begin();
            };
            return place(a) < place(b);
        });
        line.model = line.models.front();
        line.dtypes = {DType::F16, DType::F32};
        line.prompts = {64};
        line.batches = {1};
        line.warmup = 1;
        line.steps = 40;
        line.newTokens = 80;
        line.repeats = 3;
        QTest::newRow("line") << line;
        RunPlan anatomy = sweep;
        anatomy.experiment = Experiment::Anatomy;
        anatomy.prompts = {777};
        anatomy.batches = {4};
        anatomy.warmup = RunPlan().warmup;
        anatomy.tryBeyondCapacity = false;
        QTest::newRow("anatomy") << anatomy;
        RunPlan unknown = cpu;
        unknown.model.shape.id = "mine";
        unknown.model.shape.name = "Mine";
        unknown.model.shape.layers = 3;
        QTest::newRow("a shape that the catalogue does not hold") << unknown;
    }
    void plansRoundTrip()
    {
        QFETCH(RunPlan, plan);
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices(devices());
        QSignalSpy changes(&panel, &ExperimentPanel::planChanged);
        panel.setPlan(plan);
        QCOMPARE(changes.count(), 1);
        const auto first = panel.plan();
        QVERIFY2(first, qPrintable(child<QLabel>(panel, "experimentPlanFault")->text()));
        // The panel fills in the figures of the device; everything else is what was given.
        RunPlan given = plan;
        given.nominal = first->nominal;
        given.hardwareId = first->hardwareId;
        given.nominalFlops = first->nominalFlops;
        QCOMPARE(first->nominalFlops.size(), plan.dtypes.size());
        QVERIFY(*first == given);
        QCOMPARE(first->hardwareId, std::string(plan.device == "cpu" ? "cpu" : "h200"));
        panel.setPlan(*first);
        QVERIFY(panel.plan());
        QVERIFY(*panel.plan() == *first);
        ExperimentPanel other(fixture::shippedCatalog());
        other.setDevices(devices());
        other.setPlan(*first);
        QVERIFY(other.plan());
        QVERIFY(*other.plan() == *first);
    }

    void aGpuComesFirstUntilAnotherDeviceIsChosen()
    {
        const DeviceChoice cpu{"cpu", "A CPU", {}, {DType::BF16, DType::F32}, {DecodeMode::Eager}, 8e9};
        const DeviceChoice gpu{
            "cuda:0", "NVIDIA H200", {}, {DType::F16, DType::BF16, DType::F32}, {DecodeMode::Eager, DecodeMode::Graph},
            141e9};
        DeviceChoice broken = gpu;
        broken.id = "cuda:1";
        broken.problem = "The driver is too old.";
        ExperimentPanel panel(fixture::shippedCatalog());
        auto *box = child<QComboBox>(panel, "experimentDevice");
        auto *mode = child<QComboBox>(panel, "experimentMode");
        auto *telemetry = child<QCheckBox>(panel, "experimentTelemetry");
        QVERIFY(telemetry->isHidden()); // a CPU tells nothing
        QVERIFY(mode->toolTip().contains("needs a GPU"));
        panel.setDevices({cpu, broken, gpu});
        QCOMPARE(box->itemData(0).toString(), QString("cuda:0"));
        QCOMPARE(box->itemData(1).toString(), QString("cpu"));
        QCOMPARE(box->itemData(2).toString(), QString("cuda:1"));
        QCOMPARE(panel.plan()->device, std::string("cuda:0"));
        QVERIFY(panel.plan()->mode == DecodeMode::Eager && panel.plan()->dtype == DType::F16);
        QCOMPARE(panel.plan()->memoryLimitBytes, 0.0); // what is free: nobody else needs a GPU's memory
        QCOMPARE(mode->count(), 2);
        QVERIFY(mode->toolTip().contains("captured once"));
        QVERIFY(!telemetry->isHidden());
        QVERIFY(panel.plan()->telemetry);
        telemetry->click();
        QVERIFY(!panel.plan()->telemetry);
        mode->setCurrentIndex(1);
        QVERIFY(panel.plan()->mode == DecodeMode::Graph);
        // What was chosen stays chosen when the list comes again.
        box->setCurrentIndex(1);
        QCOMPARE(panel.plan()->memoryLimitBytes, 4e9);
        panel.setDevices({cpu, gpu});
        QCOMPARE(panel.plan()->device, std::string("cpu"));
        QVERIFY(panel.plan()->mode == DecodeMode::Eager);
        panel.setDevices({broken, cpu});
        QCOMPARE(panel.plan()->device, std::string("cpu"));
    }

    void whatIsExpectedGoesIntoThePlanAndNowhereElse()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.resize(300, 900);
        panel.show();
        auto *tpot = child<QLineEdit>(panel, "experimentExpectTpot");
        auto *ratio = child<QLineEdit>(panel, "experimentExpectRatio");
        auto *departure = child<QLineEdit>(panel, "experimentExpectDeparture");
        QVERIFY(!tpot->isVisible()); // folded until somebody wants it
        QVERIFY(panel.plan()->expectation.empty());
        child<QToolButton>(panel, "experimentExpect")->click();
        QVERIFY(tpot->isVisible() && ratio->isVisible() && departure->isVisible());
        const RunPlan before = *panel.plan();
        tpot->setText("12,5");
        departure->setText("16");
        RunPlan plan = *panel.plan();
        QCOMPARE(plan.expectation.tpotSeconds.value(), 12.5e-3);
        QVERIFY(!plan.expectation.ratio);
        QCOMPARE(plan.expectation.firstDeparture.value(), 16.0);
        plan.expectation = {};
        QVERIFY(plan == before);
        // What is no figure is said, and nothing runs until it is put right.
        ratio->setText("-1");
        QVERIFY(!panel.plan());
        QVERIFY(child<QLabel>(panel, "experimentExpectFault")->text().contains("Ratio to floor"));
        ratio->setText("1.4");
        QCOMPARE(panel.plan()->expectation.ratio.value(), 1.4);
        // A generation has no departure; a calibration expects nothing.
        panel.setExperiment(Experiment::Ttft);
        QVERIFY(!departure->isVisible());
        QVERIFY(!panel.plan()->expectation.firstDeparture);
        QCOMPARE(panel.plan()->expectation.ratio.value(), 1.4);
        panel.setExperiment(Experiment::Calibrate);
        QVERIFY(panel.plan()->expectation.empty());
    }

    void onlyTheFieldsOfTheExperimentAreShown_data()
    {
        QTest::addColumn<int>("experiment");
        QTest::addColumn<QStringList>("there");
        QTest::addColumn<QStringList>("absent");
        QTest::newRow("sweep") << int(Experiment::Sweep)
                               << QStringList{"experimentPrompts", "experimentBatches", "experimentSteps",
                                              "experimentWarmup", "experimentBeyond"}
                               << QStringList{"experimentNewTokens", "experimentRepeats", "experimentMethod1",
                                              "experimentPromptText"};
        QTest::newRow("ttft") << int(Experiment::Ttft)
                              << QStringList{"experimentPrompt", "experimentBatch", "experimentNewTokens",
                                             "experimentRepeats", "experimentMethod1"}
                              << QStringList{"experimentPrompts", "experimentBatches", "experimentSteps",
                                             "experimentBeyond", "experimentPromptText"};
        QTest::newRow("line") << int(Experiment::Line)
                              << QStringList{"experimentLineModels", "experimentLineDtype-bf16", "experimentLinePrompt",
                                             "experimentLineNew", "experimentLineRepeats", "experimentMode",
                                             "experimentMemoryLimit", "experimentBeyond"}
                              << QStringList{"experimentModel", "experimentDtype", "experimentPrompts", "experimentBatches",
                                             "experimentNewTokens", "experimentMethod1"};
        QTest::newRow("anatomy") << int(Experiment::Anatomy)
                                 << QStringList{"experimentModel", "experimentDtype", "experimentMode", "experimentBatch",
                                                "experimentContext"}
                                 << QStringList{"experimentPrompts", "experimentBatches", "experimentNewTokens",
                                                "experimentMethod1", "experimentBeyond", "experimentExpect"};
        QTest::newRow("calibrate") << int(Experiment::Calibrate)
                                   << QStringList{"experimentDevice", "experimentDtype", "experimentModel",
                                                  "experimentThreads"}
                                   << QStringList{"experimentPrompts", "experimentBatches", "experimentNewTokens",
                                                  "experimentMemoryLimit", "experimentMode"};
    }
    void onlyTheFieldsOfTheExperimentAreShown()
    {
        QFETCH(int, experiment);
        QFETCH(QStringList, there);
        QFETCH(QStringList, absent);
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setExperiment(static_cast<Experiment>(experiment));
        panel.resize(300, 700);
        panel.show();
        for (const QString &name : there)
            QVERIFY2(child<QWidget>(panel, name)->isVisible(), qPrintable(name));
        for (const QString &name : absent)
            QVERIFY2(!child<QWidget>(panel, name)->isVisible(), qPrintable(name));
    }

    void deviceDecidesDtypesAndModes()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices(devices());
        auto *device = child<QComboBox>(panel, "experimentDevice");
        auto *dtype = child<QComboBox>(panel, "experimentDtype");
        auto *mode = child<QComboBox>(panel, "experimentMode");
        device->setCurrentIndex(device->findData("cpu"));
        QCOMPARE(dtype->count(), 2);
        QCOMPARE(mode->count(), 1);
        device->setCurrentIndex(device->findData("cuda:0"));
        QCOMPARE(dtype->count(), 3);
        QCOMPARE(mode->count(), 3);
        QCOMPARE(panel.plan()->device, std::string("cuda:0"));
        mode->setCurrentIndex(mode->findText("graph"));
        dtype->setCurrentIndex(dtype->findText("fp16"));
        device->setCurrentIndex(device->findData("cpu"));
        QVERIFY(panel.plan()); // the CPU has neither: its own first ones
        QCOMPARE(panel.plan()->mode, DecodeMode::Eager);
        auto *items = qobject_cast<QStandardItemModel *>(device->model());
        QVERIFY(!items->item(2)->isEnabled());
        QCOMPARE(device->itemData(2, Qt::ToolTipRole).toString(), QString("The driver is too old."));
    }

    void unknownGpuHasNoDatasheet()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices({{"cuda:0", "Frobnicator 9000", {}, {DType::F16}, {DecodeMode::Eager}, 8e9}});
        const auto plan = panel.plan();
        QVERIFY(plan);
        QVERIFY(plan->hardwareId.empty());
        QCOMPARE(plan->nominal.bandwidth, 0.0); // not the figures of another device
    }

    void aDeviceThatIsNotThereYetIsAwaited()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        RunPlan plan;
        plan.device = "cuda:0";
        plan.dtype = DType::F16;
        plan.mode = DecodeMode::Fused;
        plan.model.shape = fixture::tinyLlama();
        panel.setPlan(plan);
        QVERIFY(panel.plan());
        QCOMPARE(panel.plan()->device, std::string("cpu"));
        QVERIFY(child<QLabel>(panel, "experimentDeviceNote")->text().contains("cuda:0"));
        panel.setDevices(devices());
        QCOMPARE(panel.plan()->device, std::string("cuda:0"));
        QCOMPARE(panel.plan()->dtype, DType::F16);
        QCOMPARE(panel.plan()->mode, DecodeMode::Fused);
        QVERIFY(child<QLabel>(panel, "experimentDeviceNote")->isHidden());
    }

    void noUsableDeviceMeansNoPlan()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices({{"cuda:0", "NVIDIA H200", "The driver is too old.", {}, {}, kMissing}});
        QVERIFY(!panel.plan());
        QCOMPARE(child<QLabel>(panel, "experimentDeviceFault")->text(), QString("The driver is too old."));
        panel.setDevices({});
        QVERIFY(!panel.plan());
        QVERIFY(!child<QLabel>(panel, "experimentDeviceFault")->text().isEmpty());
    }

    void aCheckpointFolderIsReadAndItsPositionsHeld()
    {
        QTemporaryDir folder;
        QFile config(folder.filePath("config.json"));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(
            R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":64,"num_hidden_layers":2,
            "num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":128,"vocab_size":256,"max_position_embeddings":512,
            "rms_norm_eps":1e-5,"rope_theta":10000.0,"tie_word_embeddings":true,"hidden_act":"silu"})");
        config.close();
        ExperimentPanel panel(fixture::shippedCatalog());
        auto *model = child<QComboBox>(panel, "experimentModel");
        model->setEditText(folder.path());
        QMetaObject::invokeMethod(model->lineEdit(), "editingFinished");
        auto *fault = child<QLabel>(panel, "experimentPromptsFault");
        QVERIFY(!panel.plan()); // a prompt of 2048 does not fit into 512 positions
        QVERIFY2(fault->text().contains("at most 462"), qPrintable(fault->text()));
        child<QLineEdit>(panel, "experimentPrompts")->setText("462");
        QVERIFY2(panel.plan(), qPrintable(child<QLabel>(panel, "experimentPlanFault")->text()));
        QCOMPARE(panel.plan()->model.shape.layers, std::int64_t(2));
        QCOMPARE(panel.plan()->model.folder, std::filesystem::path(folder.path().toStdString()));
        panel.setExperiment(Experiment::Ttft);
        child<QPlainTextEdit>(panel, "experimentPromptText")->setPlainText("Once upon a time");
        QCOMPARE(panel.plan()->promptText, std::string("Once upon a time"));
        const RunPlan plan = *panel.plan();
        ExperimentPanel other(fixture::shippedCatalog());
        other.setPlan(plan);
        QVERIFY(other.plan());
        QVERIFY(*other.plan() == plan);
    }

    void aFolderThatCannotBeReadIsSaid()
    {
        QTemporaryDir folder; // no config.json
        ExperimentPanel panel(fixture::shippedCatalog());
        RunPlan plan;
        plan.model.shape = fixture::tinyLlama();
        plan.model.folder = folder.path().toStdString();
        panel.setPlan(plan);
        QVERIFY(!panel.plan());
        auto *fault = child<QLabel>(panel, "experimentModelFault");
        QVERIFY(!fault->isHidden());
        QVERIFY2(fault->text().contains("config.json"), qPrintable(fault->text()));
        QVERIFY(!child<QPushButton>(panel, "experimentRun")->isEnabled());
    }

    void aLineNeedsModelsAndDtypes()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices(devices());
        panel.setExperiment(Experiment::Line);
        auto *models = child<QListWidget>(panel, "experimentLineModels");
        QCOMPARE(models->count(), int(fixture::shippedCatalog()->models().size()));
        auto plan = panel.plan();
        QVERIFY(plan);
        QCOMPARE(plan->models.size(), std::size_t(4));
        QVERIFY(plan->dtypes == (std::vector<DType>{DType::BF16, DType::F32}));
        QCOMPARE(plan->prompts, std::vector<std::int64_t>{128});
        QCOMPARE(plan->newTokens, std::int64_t(100));
        QCOMPARE(plan->repeats, 5);
        for (int i = 0; i < models->count(); ++i)
            models->item(i)->setCheckState(Qt::Unchecked);
        QVERIFY(!panel.plan());
        QVERIFY(!child<QLabel>(panel, "experimentLineModelsFault")->text().isEmpty());
        models->item(2)->setCheckState(Qt::Checked);
        plan = panel.plan();
        QVERIFY(plan && plan->models.size() == 1);
        QVERIFY(plan->models[0].shape == fixture::shippedCatalog()->models()[2]);
        QVERIFY(!child<QLabel>(panel, "experimentEstimate")->text().isEmpty());
        for (const char *dtype : {"bf16", "fp32"})
            child<QCheckBox>(panel, QString("experimentLineDtype-") + dtype)->setChecked(false);
        QVERIFY(!panel.plan());
        QVERIFY(!child<QLabel>(panel, "experimentLineDtypesFault")->text().isEmpty());
        // fp16 alone: the GPU runs it, the CPU does not.
        child<QCheckBox>(panel, "experimentLineDtype-fp16")->setChecked(true);
        QVERIFY(panel.plan());
        auto *device = child<QComboBox>(panel, "experimentDevice");
        device->setCurrentIndex(device->findData("cpu"));
        QVERIFY(!panel.plan());
        QVERIFY(child<QLabel>(panel, "experimentLineDtypesFault")->text().contains("Some CPU"));
        panel.setExperiment(Experiment::Sweep); // its own fields are as they were
        QVERIFY(panel.plan());
    }

    void noMethodIsNoPlan()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setExperiment(Experiment::Ttft);
        QVERIFY(panel.plan());
        QCOMPARE(panel.plan()->warmup, 3);
        for (int i = 1; i <= 3; ++i)
            child<QCheckBox>(panel, QStringLiteral("experimentMethod%1").arg(i))->setChecked(false);
        QVERIFY(!panel.plan());
        QVERIFY(!child<QLabel>(panel, "experimentMethodsFault")->isHidden());
    }

    void runAndStopFollowTheState()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        QSignalSpy runs(&panel, &ExperimentPanel::runRequested), stops(&panel, &ExperimentPanel::stopRequested);
        auto *run = child<QPushButton>(panel, "experimentRun");
        auto *stop = child<QPushButton>(panel, "experimentStop");
        QVERIFY(run->text().contains("Ctrl+Return"));
        QVERIFY(run->isEnabled() && !stop->isEnabled());
        run->click();
        QCOMPARE(runs.count(), 1);
        QVERIFY(runs.first().first().value<RunPlan>() == *panel.plan());
        panel.setRunning(true);
        QVERIFY(!run->isEnabled() && stop->isEnabled());
        stop->click();
        QCOMPARE(stops.count(), 1);
        child<QLineEdit>(panel, "experimentBatches")->setText("2");
        QVERIFY(!run->isEnabled());
        panel.setRunning(false);
        QVERIFY(run->isEnabled() && !stop->isEnabled());
    }

    void everyInputHasANameForScreenReaders()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        for (const QComboBox *box : panel.findChildren<QComboBox *>())
            QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(box->objectName()));
        for (const QSpinBox *box : panel.findChildren<QSpinBox *>())
            QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(box->objectName()));
        for (const char *name : {"experimentPrompts", "experimentBatches", "experimentMemoryLimit"})
            QVERIFY2(!child<QLineEdit>(panel, name)->accessibleName().isEmpty(), name);
    }

    void everyFieldHasItsPlaceWhateverWasShownBefore_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("narrow") << 230;
        QTest::newRow("usual") << 320;
    }
    void everyFieldHasItsPlaceWhateverWasShownBefore()
    {
        QFETCH(int, width);
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices(devices());
        auto *device = child<QComboBox>(panel, "experimentDevice");
        device->setCurrentIndex(device->findData("cpu"));
        panel.resize(width, 420);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        const std::map<Experiment, QStringList> fields{
            {Experiment::Sweep,
             {"Kind", "Device", "Model", "Dtype", "Mode", "Prompts", "Batches", "Warmup", "Steps", "Threads",
              "MemoryLimit", "Beyond"}},
            {Experiment::Ttft,
             {"Kind", "Device", "Model", "Dtype", "Mode", "Prompt", "Batch", "NewTokens", "TtftWarmup", "Repeats",
              "Method1", "Method3", "Threads", "MemoryLimit"}},
            {Experiment::Line,
             {"Kind", "Device", "LineModels", "Mode", "LinePrompt", "LineNew", "LineRepeats", "Threads", "MemoryLimit",
              "Beyond"}},
            {Experiment::Calibrate, {"Kind", "Device", "Model", "Dtype", "Threads"}}};
        for (const Experiment next : {Experiment::Ttft, Experiment::Sweep, Experiment::Calibrate, Experiment::Line, Experiment::Ttft,
                                      Experiment::Calibrate, Experiment::Sweep}) {
            panel.setExperiment(next);
            QTest::qWait(30); // the layout settles
            int bottom = 0;
            for (const QString &name : fields.at(next)) {
                auto *field = child<QWidget>(panel, "experiment" + name);
                const QRect place = field->geometry();
                QVERIFY2(field->isVisible() && place.height() > 8 && place.width() > 20,
                         qPrintable(QStringLiteral("%1 visible %2, %3 x %4, in a row of %5")
                                        .arg(name)
                                        .arg(field->isVisible())
                                        .arg(place.width())
                                        .arg(place.height())
                                        .arg(field->parentWidget()->height())));
                const int top = field->mapTo(&panel, QPoint(0, 0)).y();
                QVERIFY2(top >= bottom, qPrintable(QStringLiteral("%1 at %2, below %3").arg(name).arg(top).arg(bottom)));
                bottom = top + field->height();
                const QWidget *view = panel.findChild<QScrollArea *>()->viewport();
                const int right = field->mapTo(&panel, QPoint(field->width(), 0)).x();
                QVERIFY2(right <= view->mapTo(&panel, QPoint(view->width(), 0)).x(), qPrintable(name));
            }
        }
    }

    void tabGoesFromTheTopToTheRunButton_data()
    {
        QTest::addColumn<int>("experiment");
        QTest::newRow("sweep") << int(Experiment::Sweep);
        QTest::newRow("ttft") << int(Experiment::Ttft);
        QTest::newRow("line") << int(Experiment::Line);
        QTest::newRow("calibrate") << int(Experiment::Calibrate);
    }
    void tabGoesFromTheTopToTheRunButton()
    {
        QFETCH(int, experiment);
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices(devices());
        panel.setExperiment(static_cast<Experiment>(experiment));
        panel.resize(320, 1000);
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        child<QComboBox>(panel, "experimentKind")->setFocus();
        QStringList visited;
        QPoint last(-1, -1);
        for (int i = 0; i < 40 && QApplication::focusWidget()->objectName() != "experimentRun"; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QWidget *now = QApplication::focusWidget();
            QVERIFY(now);
            const QPoint at = now->mapTo(&panel, QPoint(0, now->height() / 2));
            // Downwards, and on one line to the right.
            QVERIFY2(at.y() > last.y() + 6 || at.x() > last.x(),
                     qPrintable(visited.join(' ') + " then " + now->objectName()));
            last = at;
            visited << now->objectName();
        }
        QCOMPARE(visited.last(), QString("experimentRun"));
        QVERIFY2(visited.contains("experimentDevice") &&
                     visited.contains(experiment == int(Experiment::Line) ? "experimentLineModels" : "experimentModel"),
                 qPrintable(visited.join(' ')));
        if (experiment == int(Experiment::Sweep))
            QVERIFY2(visited.contains("experimentPrompts") && visited.contains("experimentBatches") &&
                         visited.contains("experimentMemoryLimit"),
                     qPrintable(visited.join(' ')));
    }

    void panelFitsANarrowDock()
    {
        ExperimentPanel panel(fixture::shippedCatalog());
        panel.setDevices({{"cpu",
                           QString("A processor with a very long name ").repeated(6),
                           {},
                           {DType::BF16},
                           {DecodeMode::Eager},
                           kMissing}});
        QVERIFY2(panel.minimumSizeHint().width() <= 300, qPrintable(QString::number(panel.minimumSizeHint().width())));
        QVERIFY(panel.minimumSizeHint().height() <= 400);
    }

private:
    static std::vector<DeviceChoice> devices()
    {
        return {{"cpu", "Some CPU", {}, {DType::BF16, DType::F32}, {DecodeMode::Eager}, 64e9},
                {"cuda:0",
                 "NVIDIA H200",
                 {},
                 {DType::BF16, DType::F16, DType::F32},
                 {DecodeMode::Eager, DecodeMode::Graph, DecodeMode::Fused},
                 141e9},
                {"cuda:1", "Old card", "The driver is too old.", {}, {}, kMissing}};
    }
};

QTEST_MAIN(PanelsExperimentPanel)
#include "panels_experiment_panel.moc"
