// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/format.h"
#include "widgets/chart_theme.h"
#include "widgets/chart_view.h"
#include "widgets/panel_parts.h"
#include "widgets/panels.h"

#include <QCompleter>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace ridgepoint {

namespace {

constexpr int kSliderSteps = 1000;

/// A slider that a passing wheel leaves alone.
class PanelSlider : public QSlider {
public:
    PanelSlider() : QSlider(Qt::Horizontal)
    {
        setRange(0, kSliderSteps);
        setPageStep(kSliderSteps / 20);
        setFocusPolicy(Qt::StrongFocus);
        setMinimumWidth(fontMetrics().averageCharWidth() * 5);
    }
    QSize sizeHint() const override { return {fontMetrics().averageCharWidth() * 14, QSlider::sizeHint().height()}; }

protected:
    void wheelEvent(QWheelEvent *event) override
    {
        if (hasFocus())
            QSlider::wheelEvent(event);
        else
            event->ignore();
    }
};

double threeDigits(double value)
{
    if (!(value > 0))
        return value;
    const double scale = std::pow(10.0, 2 - std::floor(std::log10(value)));
    return std::round(value * scale) / scale;
}

double floorDecade(double value)
{
    return std::pow(10.0, std::floor(std::log10(value)));
}

double ceilDecade(double value)
{
    return std::pow(10.0, std::ceil(std::log10(value)));
}

/// One figure of the prediction: its slider (logarithmic) and its number. Values in SI units.
struct Quantity {
    double unit = 1;           ///< SI value of one of what the number shows
    double low = 1, high = 10; ///< range of the slider
    bool whole = false;
    bool zeroBelow = false; ///< the slider's left end is 0
    std::function<double &(WhatIf &)> field;
    PanelSlider *slider = nullptr;
    QuantitySpin *spin = nullptr;

    double valueAt(int position) const
    {
        if (zeroBelow && position <= 0)
            return 0;
        const double value = low * std::pow(high / low, double(position) / kSliderSteps);
        return whole ? std::round(value) : threeDigits(value / unit) * unit;
    }
    int positionOf(double value) const
    {
        if (!(value > 0))
            return 0;
        const double position = std::log(value / low) / std::log(high / low) * kSliderSteps;
        return int(std::lround(std::clamp(position, zeroBelow ? 1.0 : 0.0, double(kSliderSteps))));
    }
};

enum Figure { Step, Rate, Intensity, Ridge, BoundBy, MaxIntensity, RoofBatch, Capacity, TtftFloor, FigureCount };

} // namespace

struct WhatIfPanel::Private {
    WhatIfPanel *q = nullptr;
    WorkbenchModel *model = nullptr;
    std::shared_ptr<const Catalog> catalog;
    std::vector<HardwareProfile> devices; ///< as in the box
    std::vector<ModelShape> shapes;       ///< as in the box
    PanelCombo *device = nullptr, *shape = nullptr, *dtype = nullptr, *accounting = nullptr;
    std::array<Quantity, 6> quantities;
    QPushButton *datasheet = nullptr, *measured = nullptr, *runValues = nullptr;
    QLabel *headline = nullptr, *subline = nullptr;
    std::array<QLabel *, FigureCount> figures{};
    std::array<QLabel *, FigureCount> names{};
    NoteLabel *fault = nullptr;
    bool syncing = false;
    const Quantity *source = nullptr; ///< whose widgets made the change

    void build();
    void addQuantity(QGridLayout *grid, int row, Quantity &quantity, const QString &name,
                     std::vector<QuantitySpin::Unit> units, const QString &tip);
    void sync();
    void syncChoosers(const WhatIf &whatIf);
    void readOut();
    void colour();
    void set(const WhatIf &whatIf, const Quantity *from = nullptr);
    /// The ceilings that the values stand on: the measured ones where they are in use, else the datasheet's.
    static bool onMeasured(const WhatIf &whatIf);
    static Ceilings measuredOf(const WhatIf &whatIf);
    void chooseDevice(const HardwareProfile &hardware);
    void chooseShape(const ModelShape &next);
    void chooseDtype(DType type);
};

void WhatIfPanel::Private::addQuantity(QGridLayout *grid, int row, Quantity &quantity, const QString &name,
                                       std::vector<QuantitySpin::Unit> units, const QString &tip)
{
    auto *label = new QLabel(name);
    QString plain = name;
    plain.remove(QLatin1Char('&'));
    quantity.slider = new PanelSlider;
    quantity.slider->setAccessibleName(WhatIfPanel::tr("%1 slider").arg(plain));
    quantity.slider->setToolTip(tip);
    quantity.spin = new QuantitySpin;
    quantity.spin->setAccessibleName(plain);
    quantity.spin->setToolTip(tip);
    quantity.spin->setUnits(std::move(units));
    // A typed or a measured value may lie far outside of what the slider spans.
    if (quantity.whole) {
        quantity.spin->setWhole();
        quantity.spin->setDecimals(2); // the middle of the timed steps may be a half
        quantity.spin->setRange(1, 1e9);
    } else {
        quantity.spin->setRange(quantity.zeroBelow ? 0 : 1e-6, 1e9);
    }
    label->setBuddy(quantity.spin);
    label->setToolTip(tip);
    grid->addWidget(label, row, 0);
    grid->addWidget(quantity.slider, row, 1);
    grid->addWidget(quantity.spin, row, 2);
    QObject::connect(quantity.slider, &QSlider::valueChanged, q, [this, &quantity](int position) {
        if (syncing)
            return;
        WhatIf next = model->whatIf();
        quantity.field(next) = quantity.valueAt(position);
        syncing = true;
        quantity.spin->setQuantity(quantity.field(next) / quantity.unit);
        syncing = false;
        set(next, &quantity);
    });
    QObject::connect(quantity.spin, &QDoubleSpinBox::valueChanged, q, [this, &quantity](double value) {
        if (syncing)
            return;
        WhatIf next = model->whatIf();
        // The number keeps nine decimals: what it rounded away was not typed away.
        if (std::abs(quantity.field(next) / quantity.unit - value) < 1e-9)
            return;
        quantity.field(next) = value * quantity.unit;
        syncing = true;
        quantity.slider->setValue(quantity.positionOf(value * quantity.unit));
        syncing = false;
        set(next, &quantity);
    });
}

void WhatIfPanel::Private::build()
{
    auto *outer = new QVBoxLayout(q);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);

    // The read-out stays in sight while the sliders below scroll.
    auto *top = new QWidget;
    auto *topColumn = new QVBoxLayout(top);
    topColumn->setContentsMargins(8, 8, 8, 6);
    topColumn->setSpacing(4);
    auto *headRow = new QHBoxLayout;
    headRow->setSpacing(8);
    headline = new QLabel;
    headline->setObjectName(QStringLiteral("whatIfStep"));
    headline->setAccessibleName(WhatIfPanel::tr("Predicted step time"));
    QFont big = headline->font();
    big.setBold(true);
    big.setPointSizeF(big.pointSizeF() > 0 ? big.pointSizeF() * 1.5 : 15);
    headline->setFont(big);
    subline = new QLabel;
    subline->setObjectName(QStringLiteral("whatIfRate"));
    subline->setAccessibleName(WhatIfPanel::tr("Predicted tokens a second"));
    headRow->addWidget(headline);
    headRow->addWidget(subline, 1, Qt::AlignBaseline);
    topColumn->addLayout(headRow);
    auto *grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(1);
    struct Line {
        Figure figure;
        QString name, tip;
    };
    const std::vector<Line> lines{
        {Intensity, WhatIfPanel::tr("Intensity"), WhatIfPanel::tr("FLOP over bytes of the step, in FLOP/B")},
        {Ridge, WhatIfPanel::tr("Ridge"),
         WhatIfPanel::tr("Peak over bandwidth: the intensity from which compute is the limit, in FLOP/B")},
        {BoundBy, WhatIfPanel::tr("Bound"), WhatIfPanel::tr("What sets the floor of the step")},
        {MaxIntensity, WhatIfPanel::tr("AI max"),
         WhatIfPanel::tr("The intensity that no batch exceeds at this context: batching amortises weights, never the "
                         "KV cache. In FLOP/B")},
        {RoofBatch, WhatIfPanel::tr("b*"),
         WhatIfPanel::tr("The batch that reaches the roof; never, where AI max lies below the ridge")},
        {Capacity, WhatIfPanel::tr("Capacity"),
         WhatIfPanel::tr("The largest batch whose KV cache fits beside the weights")},
        {TtftFloor, WhatIfPanel::tr("TTFT floor"),
         WhatIfPanel::tr("Least time of the prefill of this batch and prompt")},
    };
    int cell = 0;
    for (const Line &line : lines) {
        names[line.figure] = new QLabel(line.name);
        names[line.figure]->setToolTip(line.tip);
        auto *value = new ElidedLabel(Qt::ElideRight);
        value->setAlignment(Qt::AlignLeft);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setAccessibleName(line.name);
        value->setObjectName(QStringLiteral("whatIfFigure%1").arg(int(line.figure)));
        figures[line.figure] = value;
        grid->addWidget(names[line.figure], cell / 2, cell % 2 * 2);
        grid->addWidget(value, cell / 2, cell % 2 * 2 + 1);
        ++cell;
    }
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    topColumn->addLayout(grid);
    fault = new NoteLabel(NoteLabel::Tone::Fault);
    fault->setObjectName(QStringLiteral("whatIfFault"));
    topColumn->addWidget(fault);
    outer->addWidget(top);

    auto *area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto *fields = new QWidget;
    auto *column = new QVBoxLayout(fields);
    column->setContentsMargins(8, 4, 8, 8);
    column->setSpacing(6);

    auto *choosers = new QGridLayout;
    choosers->setHorizontalSpacing(8);
    choosers->setVerticalSpacing(6);
    const auto chooser = [&](int row, const QString &name, PanelCombo *&combo, const QString &object, bool searchable) {
        combo = new PanelCombo;
        if (searchable)
            combo->makeSearchable();
        combo->setObjectName(object);
        QString plain = name;
        combo->setAccessibleName(plain.remove(QLatin1Char('&')));
        auto *label = new QLabel(name);
        label->setBuddy(combo);
        choosers->addWidget(label, row, 0);
        choosers->addWidget(combo, row, 1);
    };
    chooser(0, WhatIfPanel::tr("Device"), device, QStringLiteral("whatIfDevice"), true);
    chooser(1, WhatIfPanel::tr("Model"), shape, QStringLiteral("whatIfModel"), true);
    chooser(2, WhatIfPanel::tr("Dtype"), dtype, QStringLiteral("whatIfDtype"), false);
    chooser(3, WhatIfPanel::tr("Accounting"), accounting, QStringLiteral("whatIfAccounting"), false);
    choosers->setColumnStretch(1, 1);
    dtype->setToolTip(WhatIfPanel::tr("Number format of weights, KV cache and arithmetic"));
    accounting->setToolTip(WhatIfPanel::tr(
        "How bytes and FLOP of a step are counted: as hand arithmetic does, or as a step really streams them"));
    for (const DType type : {DType::F16, DType::BF16, DType::F32})
        dtype->addItem(fromUtf8(dtypeName(type)), int(type));
    accounting->addItem(WhatIfPanel::tr("Exact"), int(Accounting::Exact));
    accounting->setItemData(
        0, WhatIfPanel::tr("What a step really streams and multiplies, attention and the KV write included"),
        Qt::ToolTipRole);
    accounting->addItem(WhatIfPanel::tr("Textbook"), int(Accounting::Textbook));
    accounting->setItemData(1, WhatIfPanel::tr("W = 2 N for two-byte numbers, FLOP = 2 N b, the KV cache read"),
                            Qt::ToolTipRole);
    column->addLayout(choosers);

    // The sliders span what the catalogue holds, and a little on both sides.
    double slowest = 1e11, fastest = 1e12, weakest = 1e12, strongest = 1e14, longest = 8192;
    if (!catalog->hardware().empty()) {
        slowest = weakest = 1e30;
        fastest = strongest = 0;
        for (const HardwareProfile &hardware : catalog->hardware()) {
            slowest = std::min(slowest, hardware.memoryBandwidth);
            fastest = std::max(fastest, hardware.memoryBandwidth);
            for (const auto &[type, peak] : hardware.peakFlops) {
                weakest = std::min(weakest, peak);
                strongest = std::max(strongest, peak);
            }
        }
    }
    for (const ModelShape &model_ : catalog->models())
        longest = std::max(longest, double(model_.maxPositions));
    const auto quantity = [](double unit, double low, double high, bool whole, bool zero, auto field) {
        Quantity made;
        made.unit = unit;
        made.low = low;
        made.high = high;
        made.whole = whole;
        made.zeroBelow = zero;
        made.field = field;
        return made;
    };
    quantities[0] = quantity(1e9, floorDecade(slowest / 2), ceilDecade(fastest), false, false,
                             [](WhatIf &w) -> double & { return w.ceilings.bandwidth; });
    quantities[1] = quantity(1e12, floorDecade(weakest / 2), ceilDecade(strongest), false, false,
                             [](WhatIf &w) -> double & { return w.ceilings.flops; });
    quantities[2] = quantity(1e-3, 1e-5, 0.1, false, true, [](WhatIf &w) -> double & { return w.ceilings.overhead; });
    quantities[3] = quantity(1, 1, 4096, true, false, [](WhatIf &w) -> double & { return w.batch; });
    quantities[4] = quantity(1, 1, longest, true, false, [](WhatIf &w) -> double & { return w.context; });
    quantities[5] = quantity(1, 1, longest, true, false, [](WhatIf &w) -> double & { return w.prompt; });
    auto *sliders = new QGridLayout;
    sliders->setHorizontalSpacing(6);
    sliders->setVerticalSpacing(4);
    sliders->setColumnStretch(1, 1);
    addQuantity(sliders, 0, quantities[0], WhatIfPanel::tr("Bandwidth"),
                {{WhatIfPanel::tr("GB/s"), 1}, {WhatIfPanel::tr("MB/s"), 1e-3}},
                WhatIfPanel::tr("Memory bandwidth, bytes read"));
    addQuantity(sliders, 1, quantities[1], WhatIfPanel::tr("Peak"),
                {{WhatIfPanel::tr("TFLOP/s"), 1}, {WhatIfPanel::tr("GFLOP/s"), 1e-3}},
                WhatIfPanel::tr("Dense arithmetic rate of the number format"));
    addQuantity(sliders, 2, quantities[2], WhatIfPanel::tr("Overhead"),
                {{WhatIfPanel::tr("ms"), 1}, {WhatIfPanel::tr("us"), 1e-3}},
                WhatIfPanel::tr("Fixed cost of a step: launches and the host"));
    addQuantity(sliders, 3, quantities[3], WhatIfPanel::tr("Batch"), {}, WhatIfPanel::tr("Sequences decoded together"));
    addQuantity(sliders, 4, quantities[4], WhatIfPanel::tr("Context"), {},
                WhatIfPanel::tr("Tokens in the cache when the step runs"));
    addQuantity(sliders, 5, quantities[5], WhatIfPanel::tr("Prompt"), {}, WhatIfPanel::tr("Tokens of the prefill"));
    const std::array ids{"Bandwidth", "Peak", "Overhead", "Batch", "Context", "Prompt"};
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        quantities[i].slider->setObjectName(QStringLiteral("whatIfSlider") + QLatin1String(ids[i]));
        quantities[i].spin->setObjectName(QStringLiteral("whatIfSpin") + QLatin1String(ids[i]));
    }
    column->addLayout(sliders);

    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    const auto button = [&](const QString &text, const QString &tip, const QString &object) {
        auto *made = new QPushButton(text);
        made->setToolTip(tip);
        made->setObjectName(object);
        made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        made->setMinimumWidth(made->fontMetrics().horizontalAdvance(text) + 10);
        buttons->addWidget(made);
        return made;
    };
    datasheet = button(WhatIfPanel::tr("Datasheet"),
                       WhatIfPanel::tr("Bandwidth and peak of the device's datasheet, no overhead"),
                       QStringLiteral("whatIfDatasheet"));
    measured = button(WhatIfPanel::tr("Measured"), WhatIfPanel::tr("The ceilings that a calibration measured"),
                      QStringLiteral("whatIfMeasured"));
    runValues = button(WhatIfPanel::tr("Run's own"), WhatIfPanel::tr("Back to the values of the run that is shown"),
                       QStringLiteral("whatIfRun"));
    column->addLayout(buttons);
    column->addStretch(1);
    area->setWidget(fields);
    area->viewport()->setAutoFillBackground(false);
    fields->setAutoFillBackground(false);
    outer->addWidget(area, 1);

    // Signals of a chooser: an entry picked (activated), or a name typed in full.
    const auto pickDevice = [this](int index) {
        if (!syncing && index >= 0 && index < int(devices.size()))
            chooseDevice(HardwareProfile(devices[std::size_t(index)]));
    };
    const auto pickShape = [this](int index) {
        if (!syncing && index >= 0 && index < int(shapes.size()))
            chooseShape(ModelShape(shapes[std::size_t(index)]));
    };
    QObject::connect(device, &QComboBox::currentIndexChanged, q, pickDevice);
    QObject::connect(shape, &QComboBox::currentIndexChanged, q, pickShape);
    for (PanelCombo *combo : {device, shape}) {
        QObject::connect(combo->completer(), qOverload<const QString &>(&QCompleter::activated), q,
                         [combo](const QString &text) {
                             if (const int index = combo->findText(text); index >= 0)
                                 combo->setCurrentIndex(index);
                         });
        // What names nothing goes back to what is in use: the figures beside it must never belong to something else.
        QObject::connect(combo->lineEdit(), &QLineEdit::editingFinished, q, [combo] {
            const int index = combo->findText(combo->currentText().trimmed(), Qt::MatchFixedString);
            if (index >= 0)
                combo->setCurrentIndex(index);
            if (const QString text = combo->itemText(combo->currentIndex()); text != combo->currentText())
                combo->setEditText(text);
            combo->lineEdit()->setCursorPosition(0); // the beginning of a long name is what tells it apart
        });
    }
    QObject::connect(dtype, &QComboBox::currentIndexChanged, q, [this] {
        if (!syncing)
            chooseDtype(static_cast<DType>(dtype->currentData().toInt()));
    });
    QObject::connect(accounting, &QComboBox::currentIndexChanged, q, [this] {
        if (syncing)
            return;
        WhatIf next = model->whatIf();
        next.accounting = static_cast<Accounting>(accounting->currentData().toInt());
        set(next);
    });
    QObject::connect(datasheet, &QPushButton::clicked, q, [this] {
        WhatIf next = model->whatIf();
        const double memory = next.ceilings.memory;
        next.ceilings = next.nominal;
        if (next.ceilings.memory <= 0)
            next.ceilings.memory = memory; // a CPU's memory is the machine's own, no datasheet's
        set(next);
    });
    QObject::connect(measured, &QPushButton::clicked, q, [this] {
        WhatIf next = model->whatIf();
        if (!next.measured)
            return;
        next.ceilings = measuredOf(next);
        set(next);
    });
    QObject::connect(runValues, &QPushButton::clicked, q, [this] {
        const RunRecord *run = model->currentRun();
        if (!run)
            return;
        WhatIf next = whatIfOfRun(*run);
        // A plan keeps the figures of one number format; the catalogue knows the others too.
        for (const HardwareProfile &hardware : catalog->hardware()) {
            if (hardware.id == next.hardware.id && hardware.memoryBandwidth == next.nominal.bandwidth)
                next.hardware = hardware;
        }
        set(next);
    });
}

void WhatIfPanel::Private::set(const WhatIf &whatIf, const Quantity *from)
{
    source = from;
    model->setWhatIf(whatIf);
    source = nullptr;
    if (from == nullptr)
        sync(); // a choice that changes nothing must still show what is in use
}

Ceilings WhatIfPanel::Private::measuredOf(const WhatIf &whatIf)
{
    HardwareProfile hardware = whatIf.hardware;
    Ceilings ceilings = measuredCeilings(hardware, *whatIf.measured, whatIf.dtype, whatIf.shape.layers, isReplayed(whatIf.mode));
    if (!whatIf.measured->readBandwidth && whatIf.nominal.bandwidth > 0)
        ceilings.bandwidth = whatIf.nominal.bandwidth;
    if (ceilings.memory <= 0)
        ceilings.memory = whatIf.nominal.memory > 0 ? whatIf.nominal.memory : whatIf.ceilings.memory;
    return ceilings;
}

bool WhatIfPanel::Private::onMeasured(const WhatIf &whatIf)
{
    const PredictionBasis basis = basisOf(whatIf);
    return basis == PredictionBasis::Timings || basis == PredictionBasis::StepOverhead;
}

void WhatIfPanel::Private::chooseDevice(const HardwareProfile &hardware)
{
    WhatIf next = model->whatIf();
    if (next.hardware == hardware)
        return;
    next.hardware = hardware;
    next.measured.reset(); // it was measured on another device
    next.nominal = nominalCeilings(hardware, next.dtype);
    const double overhead = next.ceilings.overhead;
    next.ceilings = next.nominal;
    next.ceilings.overhead = overhead;
    set(next);
}

void WhatIfPanel::Private::chooseShape(const ModelShape &wanted)
{
    WhatIf next = model->whatIf();
    const bool measuredInUse = onMeasured(next);
    next.shape = wanted;
    if (measuredInUse)
        next.ceilings = measuredOf(next); // the fixed cost of a step grows with the layers
    set(next);
}

void WhatIfPanel::Private::chooseDtype(DType type)
{
    WhatIf next = model->whatIf();
    const bool measuredInUse = onMeasured(next);
    const double memory = next.nominal.memory;
    next.dtype = type;
    if (!next.hardware.peakFlops.empty())
        next.nominal = nominalCeilings(next.hardware, type);
    if (next.nominal.memory <= 0)
        next.nominal.memory = memory;
    if (measuredInUse)
        next.ceilings = measuredOf(next);
    else
        next.ceilings.flops = next.nominal.flops;
    set(next);
}

void WhatIfPanel::Private::syncChoosers(const WhatIf &whatIf)
{
    // What the catalogue does not hold (an opened session, a checkpoint folder) gets an entry of its own at the end.
    const std::size_t known = catalog->hardware().size(), knownShapes = catalog->models().size();
    int index = -1;
    for (std::size_t i = 0; i < devices.size() && index < 0; ++i) {
        if (devices[i] == whatIf.hardware)
            index = int(i);
    }
    if (index < 0) {
        while (devices.size() > known) {
            device->removeItem(int(devices.size()) - 1);
            devices.pop_back();
        }
        if (!whatIf.hardware.id.empty() || !whatIf.hardware.name.empty()) {
            index = int(devices.size());
            devices.push_back(whatIf.hardware);
            device->addItem(
                QString::fromStdString(whatIf.hardware.name.empty() ? whatIf.hardware.id : whatIf.hardware.name));
        }
    }
    device->setCurrentIndex(index);
    if (!device->lineEdit()->hasFocus() || index != -1)
        device->setEditText(index >= 0 ? device->itemText(index) : QString());
    device->lineEdit()->setCursorPosition(0);
    device->setToolTip(whatIf.hardware.note.empty() ? WhatIfPanel::tr("The device whose datasheet the prediction stands on")
                                                    : QString::fromStdString(whatIf.hardware.note));

    index = -1;
    for (std::size_t i = 0; i < shapes.size() && index < 0; ++i) {
        if (shapes[i] == whatIf.shape)
            index = int(i);
    }
    if (index < 0) {
        while (shapes.size() > knownShapes) {
            shape->removeItem(int(shapes.size()) - 1);
            shapes.pop_back();
        }
        if (!whatIf.shape.id.empty() || !whatIf.shape.name.empty()) {
            index = int(shapes.size());
            shapes.push_back(whatIf.shape);
            shape->addItem(QString::fromStdString(whatIf.shape.name.empty() ? whatIf.shape.id : whatIf.shape.name));
        }
    }
    shape->setCurrentIndex(index);
    shape->setEditText(index >= 0 ? shape->itemText(index) : QString());
    shape->lineEdit()->setCursorPosition(0);
    const QString size = parametersText(whatIf.shape);
    shape->setToolTip(size.isEmpty() ? WhatIfPanel::tr("The model whose step is predicted")
                                     : WhatIfPanel::tr("%1 parameters, %2 layers").arg(size).arg(whatIf.shape.layers));
    dtype->setCurrentIndex(dtype->findData(int(whatIf.dtype)));
    accounting->setCurrentIndex(accounting->findData(int(whatIf.accounting)));
}

/// Shows the model's values. The widgets that made the change are left as they are: a cursor in them would jump.
void WhatIfPanel::Private::sync()
{
    syncing = true;
    WhatIf whatIf = model->whatIf();
    for (Quantity &quantity : quantities) {
        if (&quantity == source)
            continue;
        const double value = quantity.field(whatIf);
        if (quantity.valueAt(quantity.slider->value()) != value)
            quantity.slider->setValue(quantity.positionOf(value));
        if (quantity.spin->value() * quantity.unit != value)
            quantity.spin->setQuantity(value / quantity.unit);
    }
    if (!source)
        syncChoosers(whatIf);
    measured->setEnabled(whatIf.measured.has_value());
    const RunRecord *run = model->currentRun();
    runValues->setEnabled(run && run->plan.model.shape.layers > 0);
    datasheet->setEnabled(whatIf.nominal.bandwidth > 0);
    syncing = false;
    readOut();
}

void WhatIfPanel::Private::readOut()
{
    const WhatIf &whatIf = model->whatIf();
    const auto put = [this](Figure figure, const QString &text, const QString &tip = {}) {
        auto *label = static_cast<ElidedLabel *>(figures[figure]);
        label->setFullText(text);
        if (!tip.isEmpty())
            label->setToolTip(tip);
    };
    QString problem;
    try {
        const Workload work = model->workload();
        const StepPrediction step = predictStep(work, whatIf.ceilings, whatIf.batch, whatIf.context);
        const double ridge = whatIf.ceilings.ridge();
        headline->setText(shown(format::seconds(step.stepSeconds)));
        subline->setText(WhatIfPanel::tr("a step · %1").arg(shown(format::tokensPerSecond(step.tokensPerSecond))));
        put(Intensity, shown(format::significant(step.intensity, 3)), shown(format::intensity(step.intensity)));
        put(Ridge, shown(format::significant(ridge, 3)), shown(format::intensity(ridge)));
        put(BoundBy, step.bound == Bound::Memory ? WhatIfPanel::tr("memory") : WhatIfPanel::tr("compute"));
        const double most = maxIntensity(work, whatIf.context);
        put(MaxIntensity, std::isfinite(most) ? shown(format::significant(most, 3)) : WhatIfPanel::tr("no limit"),
            std::isfinite(most) ? shown(format::intensity(most)) : QString());
        const std::optional<double> roof = batchAtRidge(work, ridge, whatIf.context);
        put(RoofBatch, roof ? shown(format::significant(*roof, 3)) : WhatIfPanel::tr("never"),
            roof ? QString()
                 : WhatIfPanel::tr("Never: AI max lies below the ridge, %1 < %2")
                       .arg(shown(format::intensity(most)), shown(format::intensity(ridge))));
        const std::optional<double> fits =
            whatIf.ceilings.memory > 0 ? capacity(work, whatIf.ceilings.memory, whatIf.context) : std::nullopt;
        put(Capacity, fits ? shown(format::count(*fits)) : WhatIfPanel::tr("unknown"),
            fits ? WhatIfPanel::tr("%1 sequences in %2")
                       .arg(shown(format::count(*fits)), shown(format::bytes(whatIf.ceilings.memory)))
                 : WhatIfPanel::tr("The memory of this device is not known"));
        QPalette own;
        if (fits && whatIf.batch > *fits)
            own.setColor(QPalette::WindowText, ChartTheme::forPalette(q->palette()).warning);
        figures[Capacity]->setPalette(own);
        const PrefillPrediction prefill = predictPrefill(work, whatIf.ceilings, whatIf.batch, whatIf.prompt);
        put(TtftFloor, shown(format::seconds(prefill.floorSeconds)),
            (prefill.bound == Bound::Memory ? WhatIfPanel::tr("memory-bound at %1") : WhatIfPanel::tr("compute-bound at %1"))
                .arg(shown(format::intensity(prefill.intensity))));
    } catch (const std::exception &error) {
        problem = whatIf.shape.layers <= 0 || whatIf.ceilings.bandwidth <= 0
                      ? WhatIfPanel::tr("Choose a device and a model.")
                      : coreText(error.what());
        headline->setText(QStringLiteral("\u2013"));
        subline->clear();
        for (QLabel *label : figures) {
            if (label)
                static_cast<ElidedLabel *>(label)->setFullText(QStringLiteral("\u2013"));
        }
    }
    fault->setNote(problem);
}

void WhatIfPanel::Private::colour()
{
    const ChartTheme theme = ChartTheme::forPalette(q->palette());
    const auto paint = [](QLabel *label, const QColor &color) {
        if (label && label->palette().color(QPalette::WindowText) != color) {
            QPalette own;
            own.setColor(QPalette::WindowText, color);
            label->setPalette(own);
        }
    };
    paint(headline, theme.forecast); // the colour of predictions on every chart
    paint(subline, theme.forecast);
    for (QLabel *name : names)
        paint(name, theme.mutedText);
}

WhatIfPanel::WhatIfPanel(WorkbenchModel *model, std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QWidget(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->model = model;
    d->catalog = std::move(catalog);
    d->syncing = true;
    d->build();
    d->devices = d->catalog->hardware();
    for (const HardwareProfile &hardware : d->devices)
        d->device->addItem(QString::fromStdString(hardware.name));
    d->shapes = d->catalog->models();
    for (const ModelShape &shape : d->shapes)
        d->shape->addItem(QString::fromStdString(shape.name));
    d->syncing = false;
    connect(model, &WorkbenchModel::whatIfChanged, this, [this] { d->sync(); });
    connect(model, &WorkbenchModel::sessionChanged, this, [this] { d->sync(); });
    d->colour();
    d->sync();
}

WhatIfPanel::~WhatIfPanel() = default;

void WhatIfPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && d->headline) {
        d->colour();
        d->readOut();
    }
}

} // namespace ridgepoint
