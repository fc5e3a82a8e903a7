// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analytic/decode_model.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/catalog/model_config.h"
#include "widgets/chart_theme.h"
#include "widgets/panel_parts.h"
#include "widgets/panels.h"

#include <QCheckBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace ridgepoint {

namespace {

constexpr const char *kDefaultModel = "smollm2-135m";
constexpr double kDefaultModelLimitGb = 4; // the embedded default fits any machine
/// Ticked for a line until the user says otherwise: small enough for any machine, of three families.
constexpr std::array kDefaultLine{"smollm2-135m", "smollm2-360m", "qwen2.5-0.5b", "qwen3-0.6b"};
constexpr std::array kLineDtypes{DType::BF16, DType::F16, DType::F32};
constexpr std::int64_t kMaxBatch = 65536;
constexpr std::int64_t kMaxPrompt = 10'000'000;
constexpr int kMaxSteps = 1'000'000;
constexpr int kMaxRepeats = 10'000;
constexpr qsizetype kMaxListed = 1000;

/// A spin box that a passing wheel leaves alone and that does not widen the panel.
class CountSpin : public QSpinBox {
public:
    CountSpin(int least, int most, int value)
    {
        setRange(least, most);
        setValue(value);
        setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        setFocusPolicy(Qt::StrongFocus);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override
    {
        return {fontMetrics().horizontalAdvance(QStringLiteral("0000000")) + 32, QSpinBox::sizeHint().height()};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void wheelEvent(QWheelEvent *event) override
    {
        if (hasFocus())
            QSpinBox::wheelEvent(event);
        else
            event->ignore();
    }
};

QString listText(const std::vector<std::int64_t> &values)
{
    QStringList parts;
    for (const std::int64_t value : values)
        parts << QString::number(value);
    return parts.join(QStringLiteral(", "));
}

/// What the model box offers: a shape of the catalogue, of an opened session, or a checkpoint folder.
struct ModelChoice {
    ModelSource source;
    QString label;
    QString problem; ///< of a folder that cannot be read
    bool isFolder() const { return !source.folder.empty(); }
};

} // namespace

struct ExperimentPanel::Private {
    ExperimentPanel *q = nullptr;
    std::shared_ptr<const Catalog> catalog;
    std::vector<DeviceChoice> devices;
    std::vector<ModelChoice> models;
    int model = -1;                 ///< index of the chosen one; -1: what is typed names none
    std::optional<RunPlan> awaited; ///< asked for a device that is not offered (yet)
    std::uint64_t seed = 1;
    bool running = false;
    bool filling = false;
    bool limitByHand = false;
    bool deviceByHand = false; ///< chosen by the user or by a plan; else a GPU comes before the CPU
    QString folderProblem; ///< of a folder that was looked at and not taken
    std::optional<RunPlan> valid;

    // No QFormLayout: the one of Qt 6.4 gives rows no height that were hidden and are shown again.
    QGridLayout *form = nullptr;
    QScrollArea *area = nullptr;
    std::map<QWidget *, QLabel *> labels; ///< of the rows
    PanelCombo *kind = nullptr, *device = nullptr, *modelBox = nullptr, *dtype = nullptr, *mode = nullptr;
    QToolButton *folder = nullptr;
    ElidedLabel *folderPath = nullptr;
    QLineEdit *prompts = nullptr, *batches = nullptr, *limit = nullptr;
    CountSpin *prompt = nullptr, *batch = nullptr, *newTokens = nullptr, *sweepWarmup = nullptr, *ttftWarmup = nullptr,
              *steps = nullptr, *repeats = nullptr, *threads = nullptr, *linePrompt = nullptr, *lineNew = nullptr,
              *lineRepeats = nullptr, *anatomyContext = nullptr;
    QToolButton *expect = nullptr; ///< unfolds the fields below
    QWidget *expectBox = nullptr;
    QLineEdit *expectTpot = nullptr, *expectRatio = nullptr, *expectDeparture = nullptr;
    QLabel *expectDepartureLabel = nullptr;
    NoteLabel *expectFault = nullptr;
    QListWidget *lineModels = nullptr; ///< an item a model, in the order of `models`
    std::array<QCheckBox *, kLineDtypes.size()> lineDtypes{};
    NoteLabel *lineModelsFault = nullptr, *lineDtypesFault = nullptr;
    QWidget *lineModelsRow = nullptr, *lineDtypesRow = nullptr;
    std::array<QCheckBox *, 3> methods{};
    QPlainTextEdit *promptText = nullptr;
    QCheckBox *beyond = nullptr, *telemetry = nullptr;
    NoteLabel *deviceNote = nullptr, *deviceFault = nullptr, *modelNote = nullptr, *modelFault = nullptr,
              *promptsFault = nullptr, *promptFault = nullptr, *batchesFault = nullptr, *stepsFault = nullptr,
              *methodsFault = nullptr, *limitFault = nullptr, *planFault = nullptr, *estimate = nullptr;
    QPushButton *run = nullptr, *stop = nullptr;
    QWidget *deviceRow = nullptr, *modelRow = nullptr, *promptsRow = nullptr, *promptRow = nullptr,
            *batchesRow = nullptr, *stepsRow = nullptr, *methodsRow = nullptr, *limitRow = nullptr;

    Experiment experiment() const { return static_cast<Experiment>(kind->currentData().toInt()); }
    const DeviceChoice *chosenDevice() const;
    const ModelChoice *chosenModel() const;
    QWidget *addRow(const QString &label, QWidget *input, const QString &name,
                    std::initializer_list<QWidget *> below = {});
    void build();
    void fillModels();
    int addModel(ModelChoice choice);
    void setModel(int index);
    void proposeLimit();
    void chooseModel(int index);
    bool takeFolder(const QString &path);
    void modelTyped();
    void fillDevices(const QString &chosen);
    void deviceChosen();
    void fillDtypes(std::optional<DType> wantedDtype, std::optional<DecodeMode> wantedMode);
    void applyDevice(const RunPlan &plan);
    void showFields();
    void changed();
    void check();
    std::vector<std::int64_t> readList(QLineEdit *edit, NoteLabel *fault, std::int64_t most, const QString &example,
                                       bool *good) const;
    const HardwareProfile *profile() const;
    QString estimateOf(const RunPlan &plan) const;
    QString estimateOfLine(const RunPlan &plan) const;
    void buildExpectation();
    std::optional<Expectation> expectation(bool sweep, QString *problem) const;
    void colourRun();
};

const DeviceChoice *ExperimentPanel::Private::chosenDevice() const
{
    const QString id = device->currentData().toString();
    const auto found =
        std::find_if(devices.begin(), devices.end(), [&id](const DeviceChoice &d) { return d.id == id; });
    return found != devices.end() ? &*found : nullptr;
}

const ModelChoice *ExperimentPanel::Private::chosenModel() const
{
    return model >= 0 && model < int(models.size()) ? &models[std::size_t(model)] : nullptr;
}

QWidget *ExperimentPanel::Private::addRow(const QString &label, QWidget *input, const QString &name,
                                          std::initializer_list<QWidget *> below)
{
    auto *row = new QWidget;
    auto *column = new QVBoxLayout(row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(input);
    for (QWidget *widget : below)
        column->addWidget(widget);
    auto *text = new QLabel(label);
    QWidget *target = input->focusProxy() ? input->focusProxy() : input;
    text->setBuddy(target);
    QString plain = label;
    target->setAccessibleName(plain.remove(QLatin1Char('&')));
    target->setObjectName(name);
    // Beside the input, whatever notes stand below it.
    text->setMinimumHeight(std::min(input->sizeHint().height(), kind->sizeHint().height()));
    const int line = form->rowCount();
    form->addWidget(text, line, 0, Qt::AlignTop);
    form->addWidget(row, line, 1);
    labels[row] = text;
    return row;
}

void ExperimentPanel::Private::build()
{
    auto *outer = new QVBoxLayout(q);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto *fields = new QWidget;
    auto *column = new QVBoxLayout(fields);
    column->setContentsMargins(10, 8, 10, 8);
    form = new QGridLayout;
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    form->setColumnStretch(1, 1);
    column->addLayout(form);
    column->addStretch(1);
    area->setWidget(fields);
    area->viewport()->setAutoFillBackground(false);
    fields->setAutoFillBackground(false);
    outer->addWidget(area, 1);

    kind = new PanelCombo;
    kind->addItem(ExperimentPanel::tr("Batch sweep"), int(Experiment::Sweep));
    kind->setItemData(0, ExperimentPanel::tr("Times decode steps over batches and prompt lengths"), Qt::ToolTipRole);
    kind->addItem(ExperimentPanel::tr("TTFT and TPOT"), int(Experiment::Ttft));
    kind->setItemData(1, ExperimentPanel::tr("Times a generation by three methods that check one another"),
                      Qt::ToolTipRole);
    kind->addItem(ExperimentPanel::tr("Line over models"), int(Experiment::Line));
    kind->setItemData(2, ExperimentPanel::tr("Times a token over models and number formats, and fits one line to them"),
                      Qt::ToolTipRole);
    kind->addItem(ExperimentPanel::tr("Calibrate"), int(Experiment::Calibrate));
    kind->setItemData(3, ExperimentPanel::tr("Measures the device's own bandwidth, arithmetic rate and fixed costs"),
                      Qt::ToolTipRole);
    kind->addItem(ExperimentPanel::tr("Anatomy of a step"), int(Experiment::Anatomy));
    kind->setItemData(4, ExperimentPanel::tr("Traces the kernels of one decode step and times the model's parts apart"),
                      Qt::ToolTipRole);
    kind->setToolTip(ExperimentPanel::tr("What is measured; each kind has fields of its own below"));
    addRow(ExperimentPanel::tr("E&xperiment"), kind, QStringLiteral("experimentKind"));

    device = new PanelCombo;
    deviceNote = new NoteLabel(NoteLabel::Tone::Remark);
    deviceFault = new NoteLabel(NoteLabel::Tone::Fault);
    deviceRow =
        addRow(ExperimentPanel::tr("&Device"), device, QStringLiteral("experimentDevice"), {deviceNote, deviceFault});

    modelBox = new PanelCombo;
    modelBox->makeSearchable();
    modelBox->setToolTip(ExperimentPanel::tr("Type to search the catalogue, or choose a checkpoint folder"));
    modelBox->lineEdit()->setPlaceholderText(ExperimentPanel::tr("Model or folder"));
    folder = new QToolButton;
    folder->setObjectName(QStringLiteral("experimentFolder"));
    folder->setIcon(q->style()->standardIcon(QStyle::SP_DirOpenIcon));
    folder->setToolTip(ExperimentPanel::tr("Checkpoint folder…"));
    folder->setAccessibleName(ExperimentPanel::tr("Choose a checkpoint folder"));
    folder->setFocusPolicy(Qt::StrongFocus);
    auto *modelLine = new QWidget;
    auto *modelLayout = new QHBoxLayout(modelLine);
    modelLayout->setContentsMargins(0, 0, 0, 0);
    modelLayout->setSpacing(4);
    modelLayout->addWidget(modelBox, 1);
    modelLayout->addWidget(folder);
    modelLine->setFocusProxy(modelBox);
    folderPath = new ElidedLabel;
    folderPath->setObjectName(QStringLiteral("experimentFolderPath"));
    folderPath->hide();
    modelNote = new NoteLabel(NoteLabel::Tone::Remark);
    modelFault = new NoteLabel(NoteLabel::Tone::Fault);
    modelRow = addRow(ExperimentPanel::tr("&Model"), modelLine, QStringLiteral("experimentModel"),
                      {folderPath, modelNote, modelFault});

    lineModels = new QListWidget;
    lineModels->setToolTip(ExperimentPanel::tr("Ticked models are timed, one after another, with random weights"));
    lineModels->setFixedHeight(lineModels->fontMetrics().lineSpacing() * 9);
    lineModels->setMinimumWidth(60);
    lineModels->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    lineModels->setTextElideMode(Qt::ElideRight);
    lineModelsFault = new NoteLabel(NoteLabel::Tone::Fault);
    lineModelsFault->setObjectName(QStringLiteral("experimentLineModelsFault"));
    lineModelsRow = addRow(ExperimentPanel::tr("&Models"), lineModels, QStringLiteral("experimentLineModels"),
                           {lineModelsFault});
    auto *dtypeBox = new QWidget;
    auto *dtypeColumn = new QVBoxLayout(dtypeBox); // side by side they are wider than a narrow dock
    dtypeColumn->setContentsMargins(0, 0, 0, 0);
    dtypeColumn->setSpacing(2);
    for (std::size_t i = 0; i < lineDtypes.size(); ++i) {
        lineDtypes[i] = new QCheckBox(fromUtf8(dtypeName(kLineDtypes[i])));
        lineDtypes[i]->setObjectName(QStringLiteral("experimentLineDtype-") + fromUtf8(dtypeName(kLineDtypes[i])));
        lineDtypes[i]->setChecked(kLineDtypes[i] != DType::F16);
        lineDtypes[i]->setToolTip(ExperimentPanel::tr("Times each ticked model in this number format"));
        dtypeColumn->addWidget(lineDtypes[i]);
        QObject::connect(lineDtypes[i], &QCheckBox::toggled, q, [this] { changed(); });
    }
    lineDtypesFault = new NoteLabel(NoteLabel::Tone::Fault);
    lineDtypesFault->setObjectName(QStringLiteral("experimentLineDtypesFault"));
    lineDtypesRow = addRow(ExperimentPanel::tr("D&types"), dtypeBox, QStringLiteral("experimentLineDtypes"),
                           {lineDtypesFault});
    QObject::connect(lineModels, &QListWidget::itemChanged, q, [this] { changed(); });

    dtype = new PanelCombo;
    dtype->setToolTip(ExperimentPanel::tr("Number format of weights, KV cache and arithmetic"));
    addRow(ExperimentPanel::tr("D&type"), dtype, QStringLiteral("experimentDtype"));
    mode = new PanelCombo;
    addRow(ExperimentPanel::tr("M&ode"), mode, QStringLiteral("experimentMode"));

    const RunPlan defaults;
    prompts = new QLineEdit(listText(defaults.prompts));
    prompts->setToolTip(ExperimentPanel::tr("Prompt lengths in tokens, such as 128, 2048"));
    promptsFault = new NoteLabel(NoteLabel::Tone::Fault);
    promptsRow = addRow(ExperimentPanel::tr("&Prompts"), prompts, QStringLiteral("experimentPrompts"), {promptsFault});
    batches = new QLineEdit(listText(defaults.batches));
    batches->setToolTip(ExperimentPanel::tr("Sequences decoded together, such as 1, 4, 16"));
    batchesFault = new NoteLabel(NoteLabel::Tone::Fault);
    batchesRow = addRow(ExperimentPanel::tr("&Batches"), batches, QStringLiteral("experimentBatches"), {batchesFault});

    prompt = new CountSpin(1, int(kMaxPrompt), 200);
    prompt->setToolTip(ExperimentPanel::tr("Tokens of the prompt that is prefilled before the first new one"));
    promptFault = new NoteLabel(NoteLabel::Tone::Fault);
    promptRow =
        addRow(ExperimentPanel::tr("&Prompt tokens"), prompt, QStringLiteral("experimentPrompt"), {promptFault});
    linePrompt = new CountSpin(1, int(kMaxPrompt), 128);
    linePrompt->setToolTip(ExperimentPanel::tr("Tokens of the prompt, the same for every model of the line"));
    addRow(ExperimentPanel::tr("&Prompt tokens"), linePrompt, QStringLiteral("experimentLinePrompt"));
    lineNew = new CountSpin(2, kMaxSteps, 100);
    lineNew->setToolTip(ExperimentPanel::tr("Tokens of each timed generation; TPOT is their mean without the first"));
    addRow(ExperimentPanel::tr("&New tokens"), lineNew, QStringLiteral("experimentLineNew"));
    lineRepeats = new CountSpin(1, kMaxRepeats, 5);
    lineRepeats->setToolTip(ExperimentPanel::tr("Timed generations of each row; the median counts"));
    addRow(ExperimentPanel::tr("Repeat&s"), lineRepeats, QStringLiteral("experimentLineRepeats"));
    batch = new CountSpin(1, int(kMaxBatch), 1);
    batch->setToolTip(ExperimentPanel::tr("Sequences decoded together"));
    addRow(ExperimentPanel::tr("&Batch"), batch, QStringLiteral("experimentBatch"));
    anatomyContext = new CountSpin(1, int(kMaxPrompt), 512);
    anatomyContext->setToolTip(ExperimentPanel::tr("Tokens in the cache when the step is taken apart"));
    addRow(ExperimentPanel::tr("&Context"), anatomyContext, QStringLiteral("experimentContext"));
    newTokens = new CountSpin(2, kMaxSteps, int(defaults.newTokens));
    newTokens->setToolTip(ExperimentPanel::tr("Tokens of each generation, the first included"));
    addRow(ExperimentPanel::tr("&New tokens"), newTokens, QStringLiteral("experimentNewTokens"));

    sweepWarmup = new CountSpin(0, kMaxSteps, defaults.warmup);
    sweepWarmup->setToolTip(ExperimentPanel::tr("Untimed steps before each point"));
    addRow(ExperimentPanel::tr("&Warm-up steps"), sweepWarmup, QStringLiteral("experimentWarmup"));
    steps = new CountSpin(1, kMaxSteps, defaults.steps);
    steps->setToolTip(ExperimentPanel::tr("Timed steps of each point; the median counts"));
    stepsFault = new NoteLabel(NoteLabel::Tone::Fault);
    stepsRow = addRow(ExperimentPanel::tr("Timed &steps"), steps, QStringLiteral("experimentSteps"), {stepsFault});
    ttftWarmup = new CountSpin(0, kMaxRepeats, 3);
    ttftWarmup->setToolTip(ExperimentPanel::tr("Untimed repeats of each method"));
    addRow(ExperimentPanel::tr("&Warm-ups"), ttftWarmup, QStringLiteral("experimentTtftWarmup"));
    repeats = new CountSpin(1, kMaxRepeats, defaults.repeats);
    repeats->setToolTip(ExperimentPanel::tr("Timed repeats of each method; the median counts"));
    addRow(ExperimentPanel::tr("Repeat&s"), repeats, QStringLiteral("experimentRepeats"));

    auto *methodBox = new QWidget;
    auto *methodColumn = new QVBoxLayout(methodBox);
    methodColumn->setContentsMargins(0, 0, 0, 0);
    methodColumn->setSpacing(2);
    const std::array names{ExperimentPanel::tr("1  Subtraction"), ExperimentPanel::tr("2  Stream"),
                           ExperimentPanel::tr("3  Timed loop")};
    const std::array tips{ExperimentPanel::tr("Two generations of different length, subtracted"),
                          ExperimentPanel::tr("A time stamp as each token reaches the reader"),
                          ExperimentPanel::tr("A loop with every step timed")};
    for (std::size_t i = 0; i < methods.size(); ++i) {
        methods[i] = new QCheckBox(names[i]);
        methods[i]->setToolTip(tips[i]);
        methods[i]->setChecked(true);
        methods[i]->setObjectName(QStringLiteral("experimentMethod%1").arg(i + 1));
        methodColumn->addWidget(methods[i]);
    }
    methodsFault = new NoteLabel(NoteLabel::Tone::Fault);
    methodsRow = addRow(ExperimentPanel::tr("Methods"), methodBox, QStringLiteral("experimentMethods"), {methodsFault});

    promptText = new QPlainTextEdit;
    promptText->setPlaceholderText(ExperimentPanel::tr("Empty: a built-in text"));
    promptText->setToolTip(
        ExperimentPanel::tr("Encoded with the folder's tokenizer, then cut or repeated to the prompt's length"));
    promptText->setTabChangesFocus(true);
    promptText->setMinimumWidth(60);
    promptText->setFixedHeight(promptText->fontMetrics().lineSpacing() * 3 + 12);
    addRow(ExperimentPanel::tr("Prompt text"), promptText, QStringLiteral("experimentPromptText"));

    threads = new CountSpin(0, 1024, 0);
    threads->setSpecialValueText(ExperimentPanel::tr("All"));
    threads->setToolTip(ExperimentPanel::tr("CPU threads of the engine"));
    addRow(ExperimentPanel::tr("Thre&ads"), threads, QStringLiteral("experimentThreads"));

    limit = new QLineEdit;
    limit->setPlaceholderText(ExperimentPanel::tr("what is free"));
    limit->setToolTip(
        ExperimentPanel::tr("Points that need more memory are recorded as skipped. Empty: what the device has free."));
    limit->setMinimumWidth(50);
    auto *limitLine = new QWidget;
    auto *limitLayout = new QHBoxLayout(limitLine);
    limitLayout->setContentsMargins(0, 0, 0, 0);
    limitLayout->setSpacing(4);
    limitLayout->addWidget(limit, 1);
    limitLayout->addWidget(new QLabel(ExperimentPanel::tr("GB")));
    limitLine->setFocusProxy(limit);
    limitFault = new NoteLabel(NoteLabel::Tone::Fault);
    limitRow =
        addRow(ExperimentPanel::tr("Memory &limit"), limitLine, QStringLiteral("experimentMemoryLimit"), {limitFault});

    beyond = new QCheckBox(ExperimentPanel::tr("Try points beyond &capacity"));
    beyond->setObjectName(QStringLiteral("experimentBeyond"));
    beyond->setToolTip(
        ExperimentPanel::tr("Run points that cannot fit by arithmetic as well: they may end out of memory"));
    form->addWidget(beyond, form->rowCount(), 0, 1, 2);
    telemetry = new QCheckBox(ExperimentPanel::tr("Telemetr&y beside the steps"));
    telemetry->setObjectName(QStringLiteral("experimentTelemetry"));
    telemetry->setToolTip(ExperimentPanel::tr(
        "Reads the GPU's clocks, temperature, power and throttling while the steps are timed, without slowing them"));
    telemetry->setChecked(true);
    form->addWidget(telemetry, form->rowCount(), 0, 1, 2);
    buildExpectation();

    auto *foot = new QWidget;
    auto *footColumn = new QVBoxLayout(foot);
    footColumn->setContentsMargins(10, 6, 10, 8);
    footColumn->setSpacing(6);
    planFault = new NoteLabel(NoteLabel::Tone::Fault);
    planFault->setObjectName(QStringLiteral("experimentPlanFault"));
    estimate = new NoteLabel(NoteLabel::Tone::Remark);
    estimate->setObjectName(QStringLiteral("experimentEstimate"));
    footColumn->addWidget(planFault);
    footColumn->addWidget(estimate);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    const auto withKey = [](const QString &text, const QKeySequence &key) {
        return QStringLiteral("%1  (%2)").arg(text, key.toString(QKeySequence::NativeText));
    };
    // The keys belong to the window's menu; here they are only told.
    run = new QPushButton(withKey(ExperimentPanel::tr("Run"), QKeySequence(Qt::CTRL | Qt::Key_Return)));
    run->setObjectName(QStringLiteral("experimentRun"));
    run->setAccessibleName(ExperimentPanel::tr("Run the experiment"));
    run->setMinimumHeight(run->sizeHint().height() + 6);
    run->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    QFont bold = run->font();
    bold.setBold(true);
    run->setFont(bold);
    stop = new QPushButton(withKey(ExperimentPanel::tr("Stop"), QKeySequence(Qt::Key_Escape)));
    stop->setObjectName(QStringLiteral("experimentStop"));
    stop->setAccessibleName(ExperimentPanel::tr("Stop the run"));
    stop->setToolTip(ExperimentPanel::tr("Ends the run after the step at hand; finished points are kept"));
    stop->setMinimumHeight(run->minimumHeight());
    stop->setEnabled(false);
    buttons->addWidget(run, 3);
    buttons->addWidget(stop, 2);
    footColumn->addLayout(buttons);
    outer->addWidget(foot);

    promptsFault->setObjectName(QStringLiteral("experimentPromptsFault"));
    promptFault->setObjectName(QStringLiteral("experimentPromptFault"));
    batchesFault->setObjectName(QStringLiteral("experimentBatchesFault"));
    stepsFault->setObjectName(QStringLiteral("experimentStepsFault"));
    methodsFault->setObjectName(QStringLiteral("experimentMethodsFault"));
    limitFault->setObjectName(QStringLiteral("experimentLimitFault"));
    modelFault->setObjectName(QStringLiteral("experimentModelFault"));
    deviceFault->setObjectName(QStringLiteral("experimentDeviceFault"));
    deviceNote->setObjectName(QStringLiteral("experimentDeviceNote"));
    modelNote->setObjectName(QStringLiteral("experimentModelNote"));

    const auto edited = [this] { changed(); };
    QObject::connect(kind, &QComboBox::currentIndexChanged, q, edited);
    QObject::connect(device, &QComboBox::currentIndexChanged, q, [this] {
        if (!filling) {
            deviceByHand = true;
            deviceChosen();
        }
    });
    QObject::connect(modelBox, &QComboBox::currentIndexChanged, q, [this](int index) {
        if (!filling)
            chooseModel(index);
    });
    QObject::connect(modelBox, &QComboBox::editTextChanged, q, [this] {
        if (!filling)
            modelTyped();
    });
    QObject::connect(modelBox->lineEdit(), &QLineEdit::editingFinished, q, [this] {
        const QString text = modelBox->currentText().trimmed();
        if (!filling && model < 0 && QFileInfo(text).isDir())
            takeFolder(text);
    });
    QObject::connect(folder, &QToolButton::clicked, q, [this] {
        const ModelChoice *choice = chosenModel();
        const QString start =
            choice && choice->isFolder() ? QString::fromStdString(choice->source.folder.string()) : QDir::homePath();
        const QString path = QFileDialog::getExistingDirectory(
            q, ExperimentPanel::tr("Checkpoint folder: one with config.json and safetensors"), start);
        if (!path.isEmpty())
            takeFolder(path);
    });
    for (PanelCombo *combo : {dtype, mode}) {
        QObject::connect(combo, &QComboBox::currentIndexChanged, q, [this] {
            if (!filling) {
                awaited.reset();
                deviceByHand = true; // the number format was chosen for this device
            }
            changed();
        });
    }
    for (QLineEdit *edit : {prompts, batches, expectTpot, expectRatio, expectDeparture})
        QObject::connect(edit, &QLineEdit::textChanged, q, edited);
    QObject::connect(limit, &QLineEdit::textEdited, q, [this] { limitByHand = true; });
    QObject::connect(limit, &QLineEdit::textChanged, q, edited);
    for (CountSpin *spin : {prompt, batch, newTokens, sweepWarmup, ttftWarmup, steps, repeats, threads, linePrompt, lineNew,
                            lineRepeats, anatomyContext})
        QObject::connect(spin, &QSpinBox::valueChanged, q, edited);
    for (QCheckBox *box : methods)
        QObject::connect(box, &QCheckBox::toggled, q, edited);
    QObject::connect(beyond, &QCheckBox::toggled, q, edited);
    QObject::connect(telemetry, &QCheckBox::toggled, q, edited);
    QObject::connect(promptText, &QPlainTextEdit::textChanged, q, edited);
    QObject::connect(run, &QPushButton::clicked, q, [this] {
        if (const std::optional<RunPlan> wanted = q->plan(); wanted && !running)
            emit q->runRequested(*wanted);
    });
    QObject::connect(stop, &QPushButton::clicked, q, [this] { emit q->stopRequested(); });
}

/// What a person expects before a run, folded away: nothing of it enters a forecast.
void ExperimentPanel::Private::buildExpectation()
{
    expect = new QToolButton;
    expect->setObjectName(QStringLiteral("experimentExpect"));
    expect->setText(ExperimentPanel::tr("What do you e&xpect?"));
    expect->setToolTip(ExperimentPanel::tr(
        "Write down what you expect before you run: the record sets it beside forecast and measurement. It changes neither."));
    expect->setCheckable(true);
    expect->setAutoRaise(true);
    expect->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    expect->setArrowType(Qt::RightArrow);
    form->addWidget(expect, form->rowCount(), 0, 1, 2, Qt::AlignLeft);
    expectBox = new QWidget;
    auto *grid = new QGridLayout(expectBox);
    grid->setContentsMargins(14, 0, 0, 4);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    const auto field = [&](const QString &label, const QString &tip, const QString &name, QLabel **text = nullptr) {
        auto *edit = new QLineEdit;
        edit->setObjectName(name);
        edit->setToolTip(tip);
        edit->setAccessibleName(label);
        edit->setMinimumWidth(48);
        auto *caption = new QLabel(label);
        caption->setBuddy(edit);
        const int row = grid->rowCount();
        grid->addWidget(caption, row, 0);
        grid->addWidget(edit, row, 1);
        if (text)
            *text = caption;
        return edit;
    };
    expectTpot = field(ExperimentPanel::tr("TPOT (ms)"), ExperimentPanel::tr("Time of a step at the smallest batch"),
                       QStringLiteral("experimentExpectTpot"));
    expectRatio = field(ExperimentPanel::tr("Ratio to floor"),
                        ExperimentPanel::tr("Measured step over the datasheet's floor, at the smallest batch"),
                        QStringLiteral("experimentExpectRatio"));
    expectDeparture = field(ExperimentPanel::tr("First departure"),
                            ExperimentPanel::tr("Batch at which throughput first lies over 5 % below linear"),
                            QStringLiteral("experimentExpectDeparture"), &expectDepartureLabel);
    expectFault = new NoteLabel(NoteLabel::Tone::Fault);
    expectFault->setObjectName(QStringLiteral("experimentExpectFault"));
    grid->addWidget(expectFault, grid->rowCount(), 0, 1, 2);
    form->addWidget(expectBox, form->rowCount(), 0, 1, 2);
    expectBox->hide();
    QObject::connect(expect, &QToolButton::toggled, q, [this](bool open) {
        expect->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        showFields();
        if (open)
            expectTpot->setFocus();
    });
}

/// What the fields hold; nothing, with a sentence, where one of them is no number above zero.
std::optional<Expectation> ExperimentPanel::Private::expectation(bool sweep, QString *problem) const
{
    Expectation wanted;
    const auto read = [&](const QLineEdit *edit, const QString &name, double most, std::optional<double> &into, double factor) {
        const QString typed = edit->text().trimmed();
        if (typed.isEmpty() || !problem->isEmpty())
            return;
        bool good = false;
        const double value = QString(typed).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&good);
        if (good && std::isfinite(value) && value > 0 && value <= most)
            into = value * factor;
        else
            *problem = ExperimentPanel::tr("%1: “%2” is no number above 0 and up to %3; leave it empty to expect nothing.")
                           .arg(name, typed.left(24))
                           .arg(most);
    };
    read(expectTpot, ExperimentPanel::tr("TPOT (ms)"), 1e6, wanted.tpotSeconds, 1e-3);
    read(expectRatio, ExperimentPanel::tr("Ratio to floor"), 1e6, wanted.ratio, 1);
    if (sweep)
        read(expectDeparture, ExperimentPanel::tr("First departure"), double(kMaxBatch), wanted.firstDeparture, 1);
    return problem->isEmpty() ? std::optional(wanted) : std::nullopt;
}

void ExperimentPanel::Private::fillModels()
{
    for (const ModelShape &shape : catalog->models())
        addModel({{shape, {}}, QString::fromStdString(shape.name), {}});
    const auto found = std::find_if(models.begin(), models.end(),
                                    [](const ModelChoice &m) { return m.source.shape.id == kDefaultModel; });
    if (!models.empty())
        chooseModel(found != models.end() ? int(found - models.begin()) : 0);
}

int ExperimentPanel::Private::addModel(ModelChoice choice)
{
    const bool wasFilling = std::exchange(filling, true);
    const int index = int(models.size());
    const QString size = parametersText(choice.source.shape);
    modelBox->addItem(choice.label);
    const QString tip =
        choice.isFolder()
            ? QString::fromStdString(choice.source.folder.string())
            : ExperimentPanel::tr("%1: %2 parameters").arg(QString::fromStdString(choice.source.shape.id), size);
    modelBox->setItemData(index, tip, Qt::ToolTipRole);
    auto *item = new QListWidgetItem(choice.label, lineModels);
    item->setToolTip(tip);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    const bool ticked = !choice.isFolder() && std::find(kDefaultLine.begin(), kDefaultLine.end(),
                                                        choice.source.shape.id) != kDefaultLine.end();
    item->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    models.push_back(std::move(choice));
    filling = wasFilling;
    return index;
}

void ExperimentPanel::Private::setModel(int index)
{
    model = index;
    folderProblem.clear();
    proposeLimit();
}

/// The default model stays small on a CPU, whose memory others need too; any other takes what it needs, and so does a
/// GPU, unless the user said how much.
void ExperimentPanel::Private::proposeLimit()
{
    if (limitByHand)
        return;
    const bool wasFilling = std::exchange(filling, true);
    const ModelChoice *choice = chosenModel();
    const DeviceChoice *where = chosenDevice();
    const bool small = (!where || where->id == QLatin1String("cpu")) && choice && !choice->isFolder() &&
                       choice->source.shape.id == kDefaultModel;
    limit->setText(small ? QString::number(kDefaultModelLimitGb) : QString());
    filling = wasFilling;
}

void ExperimentPanel::Private::chooseModel(int index)
{
    const bool wasFilling = std::exchange(filling, true);
    const bool same = index == model && folderProblem.isEmpty();
    setModel(index >= 0 && index < int(models.size()) ? index : -1);
    if (model >= 0) {
        modelBox->setCurrentIndex(model);
        modelBox->setEditText(models[std::size_t(model)].label);
        modelBox->lineEdit()->setCursorPosition(0);
    }
    filling = wasFilling;
    if (!same)
        changed();
}

/// Reads the folder's shape; a folder that cannot be read is said beside the field and the choice stays as it was.
bool ExperimentPanel::Private::takeFolder(const QString &path)
{
    const QString clean = QDir::cleanPath(path);
    const std::filesystem::path where = std::filesystem::path(QFileInfo(clean).absoluteFilePath().toStdString());
    try {
        ModelChoice choice{{modelShapeFromFolder(where), where}, {}, {}};
        choice.label = ExperimentPanel::tr("%1 (folder)").arg(QString::fromStdString(choice.source.shape.name));
        const auto found = std::find_if(models.begin(), models.end(),
                                        [&where](const ModelChoice &m) { return m.source.folder == where; });
        int index = int(found - models.begin());
        if (found != models.end())
            *found = std::move(choice);
        else
            index = addModel(std::move(choice));
        chooseModel(index);
        return true;
    } catch (const std::exception &error) {
        folderProblem = coreText(error.what());
        check();
        return false;
    }
}

void ExperimentPanel::Private::modelTyped()
{
    const QString text = modelBox->currentText().trimmed();
    int found = -1;
    for (std::size_t i = 0; i < models.size() && found < 0; ++i) {
        const ModelChoice &choice = models[i];
        if (choice.label.compare(text, Qt::CaseInsensitive) == 0 ||
            (!choice.isFolder() &&
             QString::fromStdString(choice.source.shape.id).compare(text, Qt::CaseInsensitive) == 0))
            found = int(i);
    }
    if (found >= 0 && found == model && folderProblem.isEmpty())
        return;
    setModel(found);
    if (found >= 0 && found != modelBox->currentIndex()) {
        const QSignalBlocker block(modelBox);
        const QString typed = modelBox->currentText();
        modelBox->setCurrentIndex(found);
        modelBox->setEditText(typed); // what was typed stays under the cursor
    }
    changed();
}

void ExperimentPanel::Private::fillDevices(const QString &chosen)
{
    const bool wasFilling = std::exchange(filling, true);
    device->clear();
    auto *items = qobject_cast<QStandardItemModel *>(device->model());
    for (const DeviceChoice &choice : devices) {
        const QString text = choice.name.isEmpty() || choice.name.compare(choice.id, Qt::CaseInsensitive) == 0
                                 ? (choice.name.isEmpty() ? choice.id : choice.name)
                                 : QStringLiteral("%1 \u00b7 %2").arg(choice.name, choice.id);
        device->addItem(text, choice.id);
        const int row = device->count() - 1;
        QString tip = choice.problem;
        if (tip.isEmpty() && choice.memoryBytes > 0)
            tip = ExperimentPanel::tr("%1, %2 of memory").arg(choice.name, shown(format::bytes(choice.memoryBytes)));
        device->setItemData(row, tip, Qt::ToolTipRole);
        if (!choice.problem.isEmpty() && items)
            items->item(row)->setEnabled(false);
    }
    int index = device->findData(chosen);
    if (index < 0 || !devices[std::size_t(index)].problem.isEmpty()) {
        const auto usable =
            std::find_if(devices.begin(), devices.end(), [](const DeviceChoice &d) { return d.problem.isEmpty(); });
        index = usable != devices.end() ? int(usable - devices.begin()) : -1;
    }
    device->setCurrentIndex(index);
    filling = wasFilling;
}

void ExperimentPanel::Private::deviceChosen()
{
    awaited.reset();
    const std::optional<DType> type =
        dtype->currentIndex() >= 0 ? std::optional(static_cast<DType>(dtype->currentData().toInt())) : std::nullopt;
    const std::optional<DecodeMode> how =
        mode->currentIndex() >= 0 ? std::optional(static_cast<DecodeMode>(mode->currentData().toInt())) : std::nullopt;
    fillDtypes(type, how);
    changed();
}

void ExperimentPanel::Private::fillDtypes(std::optional<DType> wantedDtype, std::optional<DecodeMode> wantedMode)
{
    proposeLimit(); // whoever fills these has chosen a device
    const bool wasFilling = std::exchange(filling, true);
    dtype->clear();
    mode->clear();
    if (const DeviceChoice *choice = chosenDevice()) {
        for (const DType type : choice->dtypes)
            dtype->addItem(fromUtf8(dtypeName(type)), int(type));
        for (const DecodeMode how : choice->modes) {
            mode->addItem(fromUtf8(modeName(how)), int(how));
            const QString tip =
                how == DecodeMode::Eager
                    ? ExperimentPanel::tr("eager: the host launches every operation of every step, as a plain program "
                                          "does. At small batches the launches cost more than the work.")
                : how == DecodeMode::Graph
                    ? ExperimentPanel::tr("graph: the step is captured once and replayed with one launch, so that "
                                          "what is left is the device's own time.")
                    : ExperimentPanel::tr("fused: operations are merged into fewer kernels.");
            mode->setItemData(mode->count() - 1, tip, Qt::ToolTipRole);
        }
    }
    QStringList modeTips;
    for (int i = 0; i < mode->count(); ++i)
        modeTips << mode->itemData(i, Qt::ToolTipRole).toString();
    if (modeTips.size() > 1)
        modeTips << ExperimentPanel::tr("Run both into one session to see them in one chart.");
    else if (const DeviceChoice *choice = chosenDevice(); choice && choice->id == QLatin1String("cpu"))
        modeTips << ExperimentPanel::tr("A graph needs a GPU.");
    mode->setToolTip(modeTips.join(QStringLiteral("\n")));
    if (wantedDtype)
        dtype->setCurrentIndex(std::max(0, dtype->findData(int(*wantedDtype))));
    if (wantedMode)
        mode->setCurrentIndex(std::max(0, mode->findData(int(*wantedMode))));
    dtype->setEnabled(dtype->count() > 1);
    mode->setEnabled(mode->count() > 1);
    filling = wasFilling;
}

/// Takes device, dtype and mode of a plan, or waits for the device and says so.
void ExperimentPanel::Private::applyDevice(const RunPlan &plan)
{
    const QString id = QString::fromStdString(plan.device);
    const int index = device->findData(id);
    const bool usable = index >= 0 && devices[std::size_t(index)].problem.isEmpty();
    awaited = usable ? std::nullopt : std::optional(plan);
    const bool wasFilling = std::exchange(filling, true);
    if (usable)
        device->setCurrentIndex(index);
    fillDtypes(plan.dtype, plan.mode);
    filling = wasFilling;
}

void ExperimentPanel::Private::showFields()
{
    const Experiment e = experiment();
    const bool sweep = e == Experiment::Sweep, ttft = e == Experiment::Ttft, calibrate = e == Experiment::Calibrate,
               line = e == Experiment::Line, anatomy = e == Experiment::Anatomy;
    const ModelChoice *choice = chosenModel();
    const DeviceChoice *where = chosenDevice();
    const auto show = [this](QWidget *row, bool visible) {
        row->setVisible(visible);
        labels.at(row)->setVisible(visible);
    };
    const auto rowOf = [](QWidget *input) { return input->parentWidget(); };
    show(rowOf(mode), !calibrate);
    show(modelRow, !line);
    show(rowOf(dtype), !line);
    show(lineModelsRow, line);
    show(lineDtypesRow, line);
    show(rowOf(linePrompt), line);
    show(rowOf(lineNew), line);
    show(rowOf(lineRepeats), line);
    show(promptsRow, sweep);
    show(batchesRow, sweep);
    show(promptRow, ttft);
    show(rowOf(batch), ttft || anatomy);
    show(rowOf(anatomyContext), anatomy);
    show(rowOf(newTokens), ttft);
    show(rowOf(sweepWarmup), sweep);
    show(stepsRow, sweep);
    show(rowOf(ttftWarmup), ttft);
    show(rowOf(repeats), ttft);
    show(methodsRow, ttft);
    show(rowOf(promptText), ttft && choice && choice->isFolder());
    show(rowOf(threads), !where || where->id == QLatin1String("cpu"));
    show(limitRow, !calibrate);
    beyond->setVisible(sweep || line);
    telemetry->setVisible(!calibrate && !anatomy && where && where->id != QLatin1String("cpu"));
    expect->setVisible(sweep || ttft);
    expectBox->setVisible((sweep || ttft) && expect->isChecked());
    expectDeparture->setVisible(sweep);
    expectDepartureLabel->setVisible(sweep);
    // Beside the scroll bar no field is cut off.
    form->invalidate();
    area->setMinimumWidth(area->widget()->minimumSizeHint().width() +
                          area->style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

void ExperimentPanel::Private::changed()
{
    if (filling)
        return;
    check();
    emit q->planChanged();
}

std::vector<std::int64_t> ExperimentPanel::Private::readList(QLineEdit *edit, NoteLabel *fault, std::int64_t most,
                                                             const QString &example, bool *good) const
{
    std::vector<std::int64_t> values;
    QString problem;
    QString text = edit->text();
    const QStringList parts = text.replace(QLatin1Char(';'), QLatin1Char(',')).split(QLatin1Char(','));
    for (const QString &part : parts) {
        const QStringList words = part.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (const QString &word : words) {
            bool read = false;
            const qlonglong value = word.toLongLong(&read);
            const QString quoted = word.size() > 24 ? word.left(24) + QStringLiteral("…") : word;
            if (!read) {
                const bool digits = std::all_of(word.begin(), word.end(), [](QChar c) { return c.isDigit(); });
                problem =
                    digits ? ExperimentPanel::tr("%1 is too large: give numbers from 1 to %2.").arg(quoted).arg(most)
                           : ExperimentPanel::tr("“%1” is not a whole number: write them as %2.").arg(quoted, example);
            } else if (value < 1 || value > most) {
                problem = ExperimentPanel::tr("%1 cannot be used: give numbers from 1 to %2.").arg(quoted).arg(most);
            } else {
                values.push_back(value);
            }
            if (!problem.isEmpty())
                break;
        }
        if (!problem.isEmpty())
            break;
    }
    if (problem.isEmpty() && values.empty())
        problem = ExperimentPanel::tr("Give at least one number, such as %1.").arg(example);
    if (problem.isEmpty() && qsizetype(values.size()) > kMaxListed)
        problem = ExperimentPanel::tr("%1 numbers are too many: give at most %2.").arg(values.size()).arg(kMaxListed);
    fault->setNote(problem);
    if (!problem.isEmpty())
        *good = false;
    return values;
}

/// The catalogue's figures of the chosen device. A GPU that the catalogue does not know has none: those of another
/// device would be a guess.
const HardwareProfile *ExperimentPanel::Private::profile() const
{
    const DeviceChoice *choice = chosenDevice();
    if (!choice)
        return nullptr;
    if (const HardwareProfile *found = catalog->hardwareByDeviceName(choice->name.toStdString()))
        return found;
    if (choice->id == QLatin1String("cpu")) {
        for (const HardwareProfile &hardware : catalog->hardware()) {
            if (hardware.id == "cpu")
                return &hardware;
        }
    }
    return nullptr;
}

/// Reads every field, says what is wrong under each, and keeps the plan when nothing is.
void ExperimentPanel::Private::check()
{
    showFields();
    bool good = true;
    const auto require = [&good](NoteLabel *label, const QString &problem) {
        label->setNote(problem);
        if (!problem.isEmpty())
            good = false;
    };
    RunPlan plan;
    plan.seed = seed;
    plan.experiment = experiment();
    const bool sweep = plan.experiment == Experiment::Sweep, ttft = plan.experiment == Experiment::Ttft,
               calibrate = plan.experiment == Experiment::Calibrate, line = plan.experiment == Experiment::Line,
               anatomy = plan.experiment == Experiment::Anatomy;

    const DeviceChoice *where = chosenDevice();
    // A long name is cut in the box.
    device->setToolTip(where ? device->currentText() : ExperimentPanel::tr("What the engine can measure on"));
    QString deviceProblem;
    if (devices.empty())
        deviceProblem = ExperimentPanel::tr("The engine reports no device.");
    else if (!where)
        deviceProblem =
            devices.front().problem.isEmpty() ? ExperimentPanel::tr("Choose a device.") : devices.front().problem;
    else if (where->dtypes.empty() || where->modes.empty())
        deviceProblem = ExperimentPanel::tr("%1 runs no number format that this program knows.").arg(where->name);
    require(deviceFault, deviceProblem);
    deviceNote->setNote(awaited && where ? ExperimentPanel::tr("%1 of the plan is not there; %2 stands in.")
                                               .arg(QString::fromStdString(awaited->device), where->id)
                                         : QString());
    if (where)
        plan.device = where->id.toStdString();
    if (dtype->currentIndex() >= 0)
        plan.dtype = static_cast<DType>(dtype->currentData().toInt());
    if (mode->currentIndex() >= 0 && !calibrate)
        plan.mode = static_cast<DecodeMode>(mode->currentData().toInt());

    const ModelChoice *choice = chosenModel();
    QString lineModelsProblem, lineDtypesProblem;
    if (line) {
        for (int i = 0; i < lineModels->count(); ++i) {
            if (lineModels->item(i)->checkState() != Qt::Checked)
                continue;
            plan.models.push_back(models[std::size_t(i)].source);
            if (!models[std::size_t(i)].problem.isEmpty() && lineModelsProblem.isEmpty())
                lineModelsProblem = models[std::size_t(i)].problem;
        }
        for (std::size_t i = 0; i < lineDtypes.size(); ++i) {
            if (lineDtypes[i]->isChecked())
                plan.dtypes.push_back(kLineDtypes[i]);
        }
        if (plan.models.empty())
            lineModelsProblem = ExperimentPanel::tr("Tick at least one model.");
        if (plan.dtypes.empty())
            lineDtypesProblem = ExperimentPanel::tr("Tick at least one number format.");
        else if (where && std::none_of(plan.dtypes.begin(), plan.dtypes.end(), [where](DType type) {
                     return std::find(where->dtypes.begin(), where->dtypes.end(), type) != where->dtypes.end();
                 }))
            lineDtypesProblem = ExperimentPanel::tr("%1 runs none of these.").arg(where->name);
    }
    require(lineModelsFault, lineModelsProblem);
    require(lineDtypesFault, lineDtypesProblem);
    QString modelProblem = line ? QString() : folderProblem;
    if (line) {
        // its models are ticked in a list of their own
    } else if (!choice && modelProblem.isEmpty()) {
        const QString typed = modelBox->currentText().trimmed();
        if (typed.isEmpty()) {
            modelProblem = ExperimentPanel::tr("Choose a model of the catalogue or a checkpoint folder.");
        } else {
            std::vector<std::string> ids;
            for (const ModelShape &shape : catalog->models())
                ids.push_back(shape.id);
            QStringList near;
            for (const std::string &name :
                 nearestNames(typed.toLower().replace(QLatin1Char(' '), QLatin1Char('-')).toStdString(), ids))
                near << QString::fromStdString(name);
            modelProblem = ExperimentPanel::tr("The catalogue has no model “%1”.").arg(typed.left(60));
            if (!near.isEmpty())
                modelProblem +=
                    QLatin1Char(' ') + ExperimentPanel::tr("Nearest: %1.").arg(near.join(QStringLiteral(", ")));
        }
    } else if (choice && !choice->problem.isEmpty() && modelProblem.isEmpty()) {
        modelProblem = choice->problem;
    }
    // A folder that was looked at and not taken leaves the choice, and so the plan, as it was.
    modelFault->setNote(modelProblem);
    if (!line && (!choice || !choice->problem.isEmpty()))
        good = false;
    folderPath->setVisible(choice && choice->isFolder());
    if (choice) {
        plan.model = choice->source;
        if (choice->isFolder())
            folderPath->setFullText(QDir::toNativeSeparators(QString::fromStdString(choice->source.folder.string())));
    }
    const QString size = choice ? parametersText(choice->source.shape) : QString();
    modelNote->setNote(size.isEmpty() ? QString()
                       : calibrate
                           ? ExperimentPanel::tr("%1 parameters; the fixed cost is that of its layers").arg(size)
                       : choice->isFolder() ? ExperimentPanel::tr("%1 parameters").arg(size)
                                            : ExperimentPanel::tr("%1 parameters, random weights").arg(size));

    bool listsGood = true;
    if (line) {
        if (!plan.models.empty())
            plan.model = plan.models.front();
        if (!plan.dtypes.empty())
            plan.dtype = plan.dtypes.front();
        plan.prompts = {linePrompt->value()};
        plan.batches = {1};
        plan.warmup = 1;
        promptsFault->setNote({});
        batchesFault->setNote({});
    } else if (ttft) {
        plan.prompts = {prompt->value()};
        plan.batches = {batch->value()};
        plan.warmup = ttftWarmup->value();
        promptsFault->setNote({});
        batchesFault->setNote({});
    } else if (anatomy) {
        plan.prompts = {anatomyContext->value()};
        plan.batches = {batch->value()};
        promptsFault->setNote({});
        batchesFault->setNote({});
    } else if (sweep) {
        plan.prompts = readList(prompts, promptsFault, kMaxPrompt, QStringLiteral("128, 2048"), &listsGood);
        plan.batches = readList(batches, batchesFault, kMaxBatch, QStringLiteral("1, 4, 16"), &listsGood);
        plan.warmup = sweepWarmup->value();
        good = good && listsGood;
    }
    plan.newTokens = line ? lineNew->value() : newTokens->value();
    plan.steps = steps->value();
    plan.repeats = line ? lineRepeats->value() : repeats->value();
    plan.methods.clear();
    for (std::size_t i = 0; i < methods.size(); ++i) {
        if (methods[i]->isChecked())
            plan.methods.push_back(static_cast<TtftMethod>(i + 1));
    }
    require(methodsFault,
            ttft && plan.methods.empty() ? ExperimentPanel::tr("Choose at least one method.") : QString());
    if (anatomy)
        plan.methods = RunPlan().methods; // of another experiment; whatever is ticked there is no fault here
    if (ttft && choice && choice->isFolder())
        plan.promptText = promptText->toPlainText().toStdString();

    // A real checkpoint knows no position beyond those it was trained for.
    const std::int64_t positions = choice && choice->isFolder() ? choice->source.shape.maxPositions : 0;
    const std::int64_t generated = ttft ? plan.newTokens : std::int64_t(plan.warmup) + plan.steps;
    QString tooLong;
    if (positions > 0 && listsGood && !calibrate && !line) {
        for (const std::int64_t length : plan.prompts) {
            if (length > positions - generated && tooLong.isEmpty())
                tooLong =
                    positions > generated
                        ? ExperimentPanel::tr(
                              "%1 tokens and the %2 generated go beyond the model's %3 positions: give at most %4.")
                              .arg(length)
                              .arg(generated)
                              .arg(positions)
                              .arg(positions - generated)
                        : ExperimentPanel::tr(
                              "The %1 generated tokens alone go beyond the model's %2 positions: generate fewer.")
                              .arg(generated)
                              .arg(positions);
        }
    }
    require(promptFault, ttft ? tooLong : QString());
    if (sweep && !tooLong.isEmpty())
        require(promptsFault, tooLong);

    if (where && where->id == QLatin1String("cpu"))
        plan.threads = threads->value();
    QString limitProblem;
    const QString limitText = limit->text().trimmed();
    if (!limitText.isEmpty() && !calibrate) {
        bool read = false;
        QString number = limitText;
        if (number.endsWith(QStringLiteral("GB"), Qt::CaseInsensitive))
            number.chop(2);
        const double gb = number.trimmed().replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&read);
        if (!read || !std::isfinite(gb))
            limitProblem =
                ExperimentPanel::tr("“%1” is not a number of GB; empty means what is free.").arg(limitText.left(24));
        else if (gb <= 0 || gb > 1e6)
            limitProblem = ExperimentPanel::tr("Give a limit above 0 and up to 1000000 GB, or leave it empty.");
        else
            plan.memoryLimitBytes = std::round(gb * 1e9);
    }
    require(limitFault, limitProblem);
    QString expectProblem;
    if (sweep || ttft) {
        if (const auto expected = expectation(sweep, &expectProblem))
            plan.expectation = *expected;
    }
    require(expectFault, expectProblem);
    plan.tryBeyondCapacity = (sweep || line) && beyond->isChecked();
    plan.telemetry = telemetry->isChecked();

    if (const HardwareProfile *figures = profile()) {
        plan.hardwareId = figures->id;
        plan.nominal = nominalCeilings(*figures, plan.dtype);
        for (const DType type : plan.dtypes)
            plan.nominalFlops[type] = nominalCeilings(*figures, type).flops;
        if (plan.nominal.memory <= 0 && where && where->memoryBytes > 0)
            plan.nominal.memory = where->memoryBytes;
    }

    QString planProblem;
    if (good) {
        try {
            validatePlan(plan);
        } catch (const std::exception &error) {
            planProblem = coreText(error.what());
        }
    }
    require(planFault, planProblem);
    valid = good ? std::optional(plan) : std::nullopt;
    estimate->setNote(valid ? estimateOf(*valid) : QString());
    run->setEnabled(valid && !running);
    run->setToolTip(valid ? ExperimentPanel::tr("Measures what the fields say and adds it to the session")
                          : ExperimentPanel::tr("A field is wrong: the sentence in it says what to change"));
}

QString ExperimentPanel::Private::estimateOfLine(const RunPlan &plan) const
{
    double seconds = 0, most = 0;
    int beyondLimit = 0;
    const double limitBytes = plan.memoryLimitBytes > 0 ? plan.memoryLimitBytes : plan.nominal.memory;
    try {
        for (const ModelSource &source : plan.models) {
            for (const DType type : plan.dtypes) {
                const Workload work = makeWorkload(source.shape, type, Accounting::Exact);
                const bool skipped = limitBytes > 0 && work.residentWeightBytes > limitBytes && !plan.tryBeyondCapacity;
                beyondLimit += skipped ? 1 : 0;
                most = std::max(most, work.residentWeightBytes);
                if (!skipped && plan.nominal.bandwidth > 0)
                    seconds += work.weightBytes / plan.nominal.bandwidth * double(plan.newTokens) *
                               (plan.repeats + plan.warmup);
            }
        }
    } catch (const Error &) {
        return {};
    }
    QString text = ExperimentPanel::tr("%n row(s), up to %1", nullptr, int(plan.models.size() * plan.dtypes.size()))
                       .arg(shown(format::bytes(most)));
    if (seconds >= 1)
        text += ExperimentPanel::tr("; at least %1 at datasheet speed")
                    .arg(seconds < 120 ? ExperimentPanel::tr("%1 s").arg(std::ceil(seconds))
                                       : ExperimentPanel::tr("%1 min").arg(std::ceil(seconds / 60)));
    text += QLatin1Char('.');
    if (beyondLimit > 0)
        text +=
            QLatin1Char(' ') + (beyondLimit == 1 ? ExperimentPanel::tr("One does not fit into %1 and will be skipped.")
                                                       .arg(shown(format::bytes(limitBytes)))
                                                 : ExperimentPanel::tr("%1 do not fit into %2 and will be skipped.")
                                                       .arg(beyondLimit)
                                                       .arg(shown(format::bytes(limitBytes))));
    return text;
}

/// What the plan will take by the datasheet: a lower bound of the time, and the memory of its largest point.
QString ExperimentPanel::Private::estimateOf(const RunPlan &plan) const
{
    if (plan.experiment == Experiment::Calibrate)
        return ExperimentPanel::tr("Measures the bandwidth, the arithmetic rate and the fixed cost of a step.");
    if (plan.experiment == Experiment::Line)
        return estimateOfLine(plan);
    if (plan.experiment == Experiment::Anatomy)
        return ExperimentPanel::tr("One step by itself, once traced and once with its parts timed apart.");
    const bool sweep = plan.experiment == Experiment::Sweep;
    double seconds = 0, most = 0;
    int beyondLimit = 0;
    // A list of a thousand by a thousand is not summed up at every key stroke.
    bool timed =
        plan.nominal.bandwidth > 0 && plan.nominal.flops > 0 && plan.prompts.size() * plan.batches.size() <= 10000;
    const double limitBytes = plan.memoryLimitBytes > 0 ? plan.memoryLimitBytes : plan.nominal.memory;
    try {
        const Workload work = makeWorkload(plan.model.shape, plan.dtype, Accounting::Exact);
        for (const std::int64_t p : plan.prompts) {
            for (const std::int64_t b : plan.batches) {
                const double generated = sweep ? plan.warmup + plan.steps : double(plan.newTokens);
                const double bytes = work.residentWeightBytes + double(b) * work.kvResidentBytes(double(p) + generated);
                most = std::max(most, bytes);
                const bool skipped = sweep && limitBytes > 0 && bytes > limitBytes && !plan.tryBeyondCapacity;
                beyondLimit += skipped ? 1 : 0;
                if (!timed || skipped)
                    continue;
                const double prefill = predictPrefill(work, plan.nominal, double(b), double(p)).floorSeconds;
                const double step = predictStep(work, plan.nominal, double(b), double(p) + generated / 2).stepSeconds;
                if (sweep) {
                    seconds += prefill + generated * step;
                } else {
                    double once = 0;
                    for (const TtftMethod method : plan.methods)
                        once += (method == TtftMethod::Subtraction ? 2 : 1) * prefill + (generated - 1) * step;
                    seconds += (plan.warmup + plan.repeats) * once;
                }
            }
        }
    } catch (const Error &) {
        timed = false;
    }
    QStringList parts;
    if (sweep)
        parts << (plan.prompts.size() * plan.batches.size() == 1
                      ? ExperimentPanel::tr("1 point")
                      : ExperimentPanel::tr("%1 points").arg(plan.prompts.size() * plan.batches.size()));
    else
        parts << (plan.methods.size() == 1
                      ? ExperimentPanel::tr("1 method, repeats: %1").arg(plan.repeats)
                      : ExperimentPanel::tr("%1 methods, repeats: %2").arg(plan.methods.size()).arg(plan.repeats));
    if (most > 0)
        parts << ExperimentPanel::tr("up to %1").arg(shown(format::bytes(most)));
    QString text = parts.join(QStringLiteral(", "));
    if (timed && seconds > 0)
        text += seconds < 1 ? ExperimentPanel::tr("; about a second at datasheet speed")
                            : ExperimentPanel::tr("; at least %1 at datasheet speed")
                                  .arg(seconds < 120    ? ExperimentPanel::tr("%1 s").arg(std::ceil(seconds))
                                       : seconds < 7200 ? ExperimentPanel::tr("%1 min").arg(std::ceil(seconds / 60))
                                                        : ExperimentPanel::tr("%1 h").arg(std::ceil(seconds / 3600)));
    text += QLatin1Char('.');
    if (beyondLimit > 0)
        text +=
            QLatin1Char(' ') + (beyondLimit == 1 ? ExperimentPanel::tr("One does not fit into %1 and will be skipped.")
                                                       .arg(shown(format::bytes(limitBytes)))
                                                 : ExperimentPanel::tr("%1 do not fit into %2 and will be skipped.")
                                                       .arg(beyondLimit)
                                                       .arg(shown(format::bytes(limitBytes))));
    return text;
}

/// The accent of the palette marks the one button that matters; a disabled one keeps the style's own look.
void ExperimentPanel::Private::colourRun()
{
    QPalette own;
    QColor accent = q->palette().color(QPalette::Active, QPalette::Highlight);
    if (ChartTheme::forPalette(q->palette()).dark)
        accent = accent.darker(150); // styles lighten a button on a dark ground, and its text is white
    for (const auto group : {QPalette::Active, QPalette::Inactive}) {
        own.setColor(group, QPalette::Button, accent);
        own.setColor(group, QPalette::ButtonText, q->palette().color(QPalette::Active, QPalette::HighlightedText));
    }
    if (run->palette().color(QPalette::Active, QPalette::Button) != own.color(QPalette::Active, QPalette::Button))
        run->setPalette(own);
}

ExperimentPanel::ExperimentPanel(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->catalog = std::move(catalog);
    d->filling = true;
    d->build();
    d->fillModels();
    setDevices({{QStringLiteral("cpu"), tr("CPU"), {}, {DType::BF16, DType::F32}, {DecodeMode::Eager}, kMissing}});
    d->filling = false;
    d->colourRun();
    d->check();
}

ExperimentPanel::~ExperimentPanel() = default;

void ExperimentPanel::setDevices(const std::vector<DeviceChoice> &devices)
{
    const DeviceChoice *before = d->chosenDevice();
    const QString chosen = before && d->deviceByHand ? before->id : QString();
    const std::optional<DType> type = d->dtype->currentIndex() >= 0
                                          ? std::optional(static_cast<DType>(d->dtype->currentData().toInt()))
                                          : std::nullopt;
    const std::optional<DecodeMode> mode = d->mode->currentIndex() >= 0
                                               ? std::optional(static_cast<DecodeMode>(d->mode->currentData().toInt()))
                                               : std::nullopt;
    const bool wasFilling = std::exchange(d->filling, true);
    d->devices = devices;
    // What one came for comes first: the GPUs that can be used, then the CPU, then what cannot.
    const auto rank = [](const DeviceChoice &device) {
        return !device.problem.isEmpty() ? 2 : device.id == QLatin1String("cpu") ? 1 : 0;
    };
    std::stable_sort(d->devices.begin(), d->devices.end(),
                     [&rank](const DeviceChoice &a, const DeviceChoice &b) { return rank(a) < rank(b); });
    d->fillDevices(chosen);
    if (d->awaited)
        d->applyDevice(RunPlan(*d->awaited));
    else if (d->deviceByHand)
        d->fillDtypes(type, mode);
    else
        d->fillDtypes(std::nullopt, std::nullopt); // what the device does best
    d->filling = wasFilling;
    d->changed();
}

std::optional<RunPlan> ExperimentPanel::plan() const
{
    return d->valid;
}

void ExperimentPanel::setPlan(const RunPlan &plan)
{
    const bool wasFilling = std::exchange(d->filling, true);
    d->seed = plan.seed;
    d->deviceByHand = true;
    d->telemetry->setChecked(plan.telemetry);
    d->kind->setCurrentIndex(d->kind->findData(int(plan.experiment)));
    d->applyDevice(plan);

    if (plan.experiment == Experiment::Line && !plan.models.empty()) {
        for (const ModelSource &source : plan.models) {
            const bool there = std::any_of(d->models.begin(), d->models.end(),
                                           [&](const ModelChoice &m) { return m.source == source; });
            const QString name = QString::fromStdString(source.shape.name.empty() ? source.shape.id : source.shape.name);
            if (!there)
                d->addModel({source, source.folder.empty() ? tr("%1 (of the session)").arg(name)
                                                           : tr("%1 (folder)").arg(name),
                             {}});
        }
        for (std::size_t i = 0; i < d->models.size(); ++i) {
            const bool ticked =
                std::find(plan.models.begin(), plan.models.end(), d->models[i].source) != plan.models.end();
            d->lineModels->item(int(i))->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
        }
        for (std::size_t i = 0; i < d->lineDtypes.size(); ++i)
            d->lineDtypes[i]->setChecked(std::find(plan.dtypes.begin(), plan.dtypes.end(), kLineDtypes[i]) !=
                                         plan.dtypes.end());
        d->linePrompt->setValue(plan.prompts.empty() ? 128 : int(std::clamp<std::int64_t>(plan.prompts.front(), 1, kMaxPrompt)));
        d->lineNew->setValue(int(std::clamp<std::int64_t>(plan.newTokens, 2, kMaxSteps)));
        d->lineRepeats->setValue(plan.repeats);
        d->beyond->setChecked(plan.tryBeyondCapacity);
    }

    // A calibration's plan may carry no model; the field then stays as it is.
    QString problem;
    if (plan.experiment == Experiment::Line) {
        // its models are ticked above; the field of one model stays as it is
    } else if (!plan.model.folder.empty()) {
        const QString path = QString::fromStdString(plan.model.folder.string());
        if (!d->takeFolder(path))
            problem = d->folderProblem;
        if (!problem.isEmpty()) {
            const auto found = std::find_if(d->models.begin(), d->models.end(), [&plan](const ModelChoice &m) {
                return m.source.folder == plan.model.folder;
            });
            int index = int(found - d->models.begin());
            if (found == d->models.end())
                index = d->addModel(
                    {plan.model, tr("%1 (folder)").arg(QString::fromStdString(plan.model.shape.name)), problem});
            else
                found->problem = problem;
            d->chooseModel(index);
        }
    } else if (plan.model.shape.layers > 0) {
        const auto found = std::find_if(d->models.begin(), d->models.end(),
                                        [&plan](const ModelChoice &m) { return m.source == plan.model; });
        int index = int(found - d->models.begin());
        if (found == d->models.end()) {
            const QString name =
                QString::fromStdString(plan.model.shape.name.empty() ? plan.model.shape.id : plan.model.shape.name);
            index = d->addModel({plan.model, tr("%1 (of the session)").arg(name), {}});
        }
        d->chooseModel(index);
    }

    if (plan.experiment == Experiment::Ttft) {
        const auto first = [](const std::vector<std::int64_t> &values, std::int64_t most) {
            return values.empty() ? 1 : int(std::clamp<std::int64_t>(values.front(), 1, most));
        };
        d->prompt->setValue(first(plan.prompts, kMaxPrompt));
        d->batch->setValue(first(plan.batches, kMaxBatch));
        d->ttftWarmup->setValue(plan.warmup);
        d->promptText->setPlainText(QString::fromStdString(plan.promptText));
    } else if (plan.experiment == Experiment::Anatomy) {
        if (!plan.prompts.empty())
            d->anatomyContext->setValue(int(std::clamp<std::int64_t>(plan.prompts.front(), 1, kMaxPrompt)));
        if (!plan.batches.empty())
            d->batch->setValue(int(std::clamp<std::int64_t>(plan.batches.front(), 1, kMaxBatch)));
    } else if (plan.experiment == Experiment::Sweep) {
        d->prompts->setText(listText(plan.prompts));
        d->batches->setText(listText(plan.batches));
        d->sweepWarmup->setValue(plan.warmup);
        d->beyond->setChecked(plan.tryBeyondCapacity);
    }
    d->steps->setValue(plan.steps);
    if (plan.experiment != Experiment::Line) {
        d->newTokens->setValue(int(std::min<std::int64_t>(plan.newTokens, kMaxSteps)));
        d->repeats->setValue(plan.repeats);
    }
    for (std::size_t i = 0; i < d->methods.size(); ++i)
        d->methods[i]->setChecked(std::find(plan.methods.begin(), plan.methods.end(), static_cast<TtftMethod>(i + 1)) !=
                                  plan.methods.end());
    d->threads->setValue(plan.threads);
    if (plan.experiment != Experiment::Calibrate) {
        d->limit->setText(plan.memoryLimitBytes > 0 ? fromUtf8(format::exact(plan.memoryLimitBytes / 1e9)) : QString());
        d->limitByHand = true;
    }
    d->filling = wasFilling;
    d->changed();
}

void ExperimentPanel::setExperiment(Experiment experiment)
{
    d->kind->setCurrentIndex(d->kind->findData(int(experiment)));
}

QVariantMap ExperimentPanel::fields() const
{
    QVariantMap map;
    map.insert(QStringLiteral("experimentKind"), int(d->experiment()));
    map.insert(QStringLiteral("experimentDevice"), d->device->currentData());
    for (const PanelCombo *combo : {d->dtype, d->mode})
        map.insert(combo->objectName(), combo->currentData());
    const ModelChoice *choice = d->chosenModel();
    map.insert(QStringLiteral("experimentModel"), d->modelBox->currentText());
    if (choice && choice->isFolder())
        map.insert(QStringLiteral("folder"), QString::fromStdString(choice->source.folder.string()));
    for (const QLineEdit *edit : {d->prompts, d->batches, d->limit, d->expectTpot, d->expectRatio, d->expectDeparture})
        map.insert(edit->objectName(), edit->text());
    const auto spins = findChildren<QSpinBox *>();
    for (const QSpinBox *spin : spins)
        map.insert(spin->objectName(), spin->value());
    const auto boxes = findChildren<QCheckBox *>();
    for (const QCheckBox *box : boxes)
        map.insert(box->objectName(), box->isChecked());
    map.insert(d->promptText->objectName(), d->promptText->toPlainText());
    QStringList ticked;
    for (int i = 0; i < d->lineModels->count(); ++i) {
        if (d->lineModels->item(i)->checkState() == Qt::Checked)
            ticked << d->lineModels->item(i)->text();
    }
    map.insert(d->lineModels->objectName(), ticked);
    // Not on screen, but the fields are not the same without them.
    map.insert(QStringLiteral("limitByHand"), d->limitByHand);
    map.insert(QStringLiteral("deviceByHand"), d->deviceByHand);
    if (d->awaited) {
        map.insert(QStringLiteral("awaitedDevice"), QString::fromStdString(d->awaited->device));
        map.insert(QStringLiteral("awaitedDtype"), int(d->awaited->dtype));
        map.insert(QStringLiteral("awaitedMode"), int(d->awaited->mode));
    }
    map.insert(QStringLiteral("seed"), QVariant::fromValue<qulonglong>(d->seed));
    return map;
}

void ExperimentPanel::setFields(const QVariantMap &fields)
{
    const auto value = [&fields](const QWidget *field) { return fields.value(field->objectName()); };
    const bool wasFilling = std::exchange(d->filling, true);
    d->awaited.reset();
    if (const int index = d->kind->findData(value(d->kind)); index >= 0)
        d->kind->setCurrentIndex(index);
    const int device = d->device->findData(value(d->device));
    if (device >= 0 && d->devices[std::size_t(device)].problem.isEmpty())
        d->device->setCurrentIndex(device);
    d->deviceByHand = fields.value(QStringLiteral("deviceByHand")).toBool();
    d->fillDtypes(std::nullopt, std::nullopt);
    for (PanelCombo *combo : {d->dtype, d->mode}) {
        if (const int index = combo->findData(value(combo)); index >= 0)
            combo->setCurrentIndex(index);
    }
    if (const QString awaited = fields.value(QStringLiteral("awaitedDevice")).toString(); !awaited.isEmpty()) {
        RunPlan plan;
        plan.device = awaited.toStdString();
        plan.dtype = static_cast<DType>(fields.value(QStringLiteral("awaitedDtype")).toInt());
        plan.mode = static_cast<DecodeMode>(fields.value(QStringLiteral("awaitedMode")).toInt());
        d->applyDevice(plan);
    }
    const QString folder = fields.value(QStringLiteral("folder")).toString();
    if (!folder.isEmpty()) {
        d->takeFolder(folder);
    } else {
        const QString wanted = value(d->modelBox).toString();
        const int index = d->modelBox->findText(wanted);
        d->chooseModel(index);
        if (index < 0)
            d->modelBox->setEditText(wanted); // what names no model is said again
    }
    for (QLineEdit *edit : {d->prompts, d->batches, d->limit, d->expectTpot, d->expectRatio, d->expectDeparture})
        edit->setText(value(edit).toString());
    const auto spins = findChildren<QSpinBox *>();
    for (QSpinBox *spin : spins)
        spin->setValue(value(spin).toInt());
    const auto boxes = findChildren<QCheckBox *>();
    for (QCheckBox *box : boxes)
        box->setChecked(value(box).toBool());
    if (d->promptText->toPlainText() != value(d->promptText).toString())
        d->promptText->setPlainText(value(d->promptText).toString());
    const QStringList ticked = value(d->lineModels).toStringList();
    for (int i = 0; i < d->lineModels->count(); ++i) {
        QListWidgetItem *item = d->lineModels->item(i);
        item->setCheckState(ticked.contains(item->text()) ? Qt::Checked : Qt::Unchecked);
    }
    d->limitByHand = fields.value(QStringLiteral("limitByHand")).toBool();
    d->seed = fields.value(QStringLiteral("seed")).toULongLong();
    d->filling = wasFilling;
    d->changed();
}

QString ExperimentPanel::fieldLabel(const QString &name) const
{
    const auto *field = findChild<QWidget *>(name);
    if (!field)
        return {};
    if (!field->accessibleName().isEmpty())
        return field->accessibleName();
    const auto *button = qobject_cast<const QAbstractButton *>(field);
    return button ? button->text().remove(QLatin1Char('&')) : QString();
}

void ExperimentPanel::setRunning(bool running)
{
    d->running = running;
    d->run->setEnabled(d->valid && !running);
    d->stop->setEnabled(running);
}

void ExperimentPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && d->run)
        d->colourRun();
}

} // namespace ridgepoint
