// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/session/line.h"
#include "widgets/chart_theme.h"
#include "widgets/panel_parts.h"
#include "widgets/panels.h"
#include "widgets/record_models.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QDateTime>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QPainter>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QStyleOptionHeader>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ridgepoint {

namespace {

/// Sorts by the numbers themselves; missing ones come last in both directions.
class RecordProxy : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override
    {
        const QVariant a = left.data(SortRole), b = right.data(SortRole);
        if (a.userType() == QMetaType::Double && b.userType() == QMetaType::Double) {
            const double x = a.toDouble(), y = b.toDouble();
            if (std::isnan(x) || std::isnan(y)) {
                const bool less = !std::isnan(x) && std::isnan(y);
                return sortOrder() == Qt::AscendingOrder ? less : std::isnan(x) && !std::isnan(y);
            }
            return x < y;
        }
        return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    }
};

/// Cells with a little room on both sides, so that a number and the text after it do not touch.
class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * kRoom, 0);
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem cell(option);
        initStyleOption(&cell, index);
        const QWidget *widget = option.widget;
        QStyle *style = widget ? widget->style() : QApplication::style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, widget);
        cell.rect.adjust(kRoom, 0, -kRoom, 0);
        cell.backgroundBrush = Qt::NoBrush;
        cell.features &= ~QStyleOptionViewItem::Alternate;
        style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, widget);
    }

private:
    static constexpr int kRoom = 4; // and what the style itself leaves
};

/// Sentences that scroll where they find no room: nothing of them is cut.
class Sentences : public QScrollArea {
public:
    static constexpr int kMargin = 4;
    Sentences(const QString &name, const QString &accessible)
    {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::StrongFocus); // arrows scroll it
        setAccessibleName(accessible);
        m_label = new QLabel;
        m_label->setObjectName(name);
        m_label->setAccessibleName(accessible);
        m_label->setTextFormat(Qt::PlainText);
        m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        m_label->setWordWrap(true);
        m_label->setContentsMargins(6, kMargin, 6, 0);
        m_label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        setWidget(m_label);
    }
    void say(const QStringList &sentences)
    {
        m_label->setText(sentences.join(QLatin1Char('\n')));
        setVisible(!sentences.isEmpty());
        updateGeometry();
    }
    /// Of all its text at its present width.
    int wantedHeight() const { return m_label->heightForWidth(std::max(80, viewport()->width())); }

private:
    QLabel *m_label;
};

/// A table and what it says: side by side where the table leaves room for that, else the sentences above it.
class TableAndSentences : public QWidget {
public:
    TableAndSentences(QWidget *table, Sentences *says, int widthBeside) : m_table(table), m_says(says), m_beside(widthBeside)
    {
        m_box = new QBoxLayout(QBoxLayout::TopToBottom, this);
        m_box->setContentsMargins(0, 0, 0, 0);
        m_box->setSpacing(0);
        m_box->addWidget(says);
        m_box->addWidget(table, 1);
        says->installEventFilter(this);
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QWidget::resizeEvent(event);
        arrange();
    }
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest || event->type() == QEvent::FontChange)
            arrange();
        return QWidget::eventFilter(watched, event);
    }

private:
    void arrange()
    {
        const bool beside = width() >= m_beside;
        const auto direction = beside ? QBoxLayout::RightToLeft : QBoxLayout::TopToBottom; // the table stays left
        if (m_box->direction() != direction)
            m_box->setDirection(direction);
        constexpr int kLeastTable = 76; // its header and two rows
        if (beside) {
            m_says->setFixedWidth(width() * 2 / 5);
            m_says->setMinimumHeight(0);
            m_says->setMaximumHeight(QWIDGETSIZE_MAX);
        } else {
            m_says->setMinimumWidth(0);
            m_says->setMaximumWidth(QWIDGETSIZE_MAX);
            // Whole lines: half a line at the edge looks like a fault.
            const int line = m_says->fontMetrics().lineSpacing(), lines = std::max(2, (height() - kLeastTable - Sentences::kMargin) / line);
            m_says->setFixedHeight(std::min(lines * line + Sentences::kMargin, std::max(line + Sentences::kMargin, m_says->wantedHeight())));
        }
    }

    QBoxLayout *m_box;
    QWidget *m_table;
    Sentences *m_says;
    int m_beside;
};

/// A header with the room of its cells on both sides. Room for the arrow of a sorted column is kept in that column alone:
/// kept in all of them it would push the last figures out of sight.
class RecordHeader : public QHeaderView {
public:
    explicit RecordHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent)
    {
        setSectionsClickable(true);
        setHighlightSections(false);
        connect(this, &QHeaderView::sortIndicatorChanged, this, [this](int section) {
            if (section >= 0 && section < count() && sectionSize(section) < sectionSizeHint(section))
                resizeSection(section, sectionSizeHint(section));
        });
    }

protected:
    QSize sectionSizeFromContents(int section) const override
    {
        const QSize usual = QHeaderView::sectionSizeFromContents(section);
        const int text =
            fontMetrics().horizontalAdvance(model()->headerData(section, Qt::Horizontal).toString()) + 2 * kRoom + 2;
        return {isSortIndicatorShown() && sortIndicatorSection() == section ? text + arrow() : text, usual.height()};
    }

    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        if (!rect.isValid())
            return;
        QStyleOptionHeaderV2 option;
        initStyleOption(&option);
        option.rect = rect;
        initStyleOptionForIndex(&option, section);
        const bool sorted = option.sortIndicator != QStyleOptionHeader::None;
        const QString text = std::exchange(option.text, QString());
        const QStyleOptionHeader::SortIndicator indicator =
            std::exchange(option.sortIndicator, QStyleOptionHeader::None);
        painter->save(); // styles leave a clip behind
        style()->drawControl(QStyle::CE_Header, &option, painter, this);
        painter->restore();
        // The arrow stands on the side away from the figures, so that header and figures keep one edge.
        const bool right = option.textAlignment & Qt::AlignRight;
        QRect room = rect.adjusted(kRoom, 0, -kRoom, 0);
        if (sorted) {
            option.rect = QRect(right ? room.left() : room.right() - arrow() + 4, rect.center().y() - 4, arrow() - 4, 8);
            option.sortIndicator = indicator;
            style()->drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &option, painter, this);
            room.adjust(right ? arrow() : 0, 0, right ? 0 : -arrow(), 0);
        }
        painter->setPen(palette().color(QPalette::ButtonText));
        painter->drawText(room, int(option.textAlignment) | Qt::TextSingleLine,
                          fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
    }

private:
    static constexpr int kRoom = 7;
    int arrow() const { return fontMetrics().height(); }
};

/// Run chooser and button beside the tabs. It takes what the tabs leave, and no more than a run's line needs: every tab
/// stays in sight.
class Corner : public QWidget {
public:
    explicit Corner(QTabWidget *tabs) : m_tabs(tabs) {}
    QSize sizeHint() const override
    {
        const QSize usual = QWidget::sizeHint();
        const int least = minimumSizeHint().width();
        const int left = m_tabs->width() - m_tabs->tabBar()->sizeHint().width() - 8;
        return {std::clamp(left, least, least + fontMetrics().averageCharWidth() * 60), usual.height()};
    }

private:
    QTabWidget *m_tabs;
};

/// Header and cells of the selected rows, tab-separated, top to bottom as shown.
QString selectedText(const QTableView *view)
{
    const QAbstractItemModel *model = view->model();
    std::vector<int> rows;
    for (const QItemSelectionRange &range : view->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty())
        return {};
    const int columns = model->columnCount();
    const auto cell = [](QString text) {
        return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
    };
    const auto name = [model](int column) {
        const QString full = model->headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString();
        return full.isEmpty() ? model->headerData(column, Qt::Horizontal).toString() : full;
    };
    QString text;
    for (int column = 0; column < columns; ++column)
        text +=
            (column ? QStringLiteral("\t") : QString()) + cell(name(column));
    text += QLatin1Char('\n');
    for (const int row : rows) {
        for (int column = 0; column < columns; ++column) {
            if (column)
                text += QLatin1Char('\t');
            text += cell(model->index(row, column).data(CopyRole).toString());
        }
        text += QLatin1Char('\n');
    }
    return text;
}

enum Tab { SweepTab, TtftTab, StepsTab, LineTab, AnatomyTab, CalibrationTab, TabCount };

constexpr const char *kCsvNames[TabCount] = {"sweep", "ttft", "steps", "line", "anatomy", "calibration"};

} // namespace

struct RecordTables::Private {
    RecordTables *q = nullptr;
    WorkbenchModel *model = nullptr;
    QTabWidget *tabs = nullptr;
    PanelCombo *runs = nullptr;
    QPushButton *save = nullptr;
    std::array<QTableView *, TabCount> views{};
    std::array<QStackedWidget *, TabCount> stacks{};
    std::array<QLabel *, TabCount> empties{};
    SweepModel *sweep = nullptr;
    RecordProxy *sweepProxy = nullptr;
    StepsModel *steps = nullptr;
    TextRecordModel *ttft = nullptr, *calibration = nullptr, *line = nullptr, *anatomy = nullptr;
    Sentences *lineSays = nullptr; ///< what the line says, above its rows
    Sentences *anatomySays = nullptr;
    QLabel *sweepExpected = nullptr, *ttftExpected = nullptr; ///< what was expected, beside what came
    QCheckBox *onlySelected = nullptr;
    std::array<bool, TabCount> sized{}, byHand{};
    bool fitting = false;
    std::string shownRun;
    bool syncing = false;
    /// What the steps table shows, to leave it alone where nothing of that changed.
    std::optional<PointKey> stepsOnly, stepsLive;
    std::size_t liveSteps = 0;
    std::string stepsRun;

    QTableView *makeTab(Tab tab, const QString &title, QAbstractItemModel *tableModel, QWidget *above = nullptr);
    QTableView *makeTab(Tab tab, const QString &title, QAbstractItemModel *tableModel, Sentences *says, int widthBeside);
    void fit(Tab tab);
    void copy(Tab tab) const;
    void refresh();
    void refreshRuns();
    void refreshLine(const RunRecord *run);
    void refreshExpected(const RunRecord *run);
    void refreshAnatomy(const RunRecord *run);
    void refreshSteps(bool force = true);
    void fitSteps();
    void liveChanged();
    void refreshEmpty();
    void followSelection();
    void colour();
    QString runText(const RunRecord &run) const;
};

QTableView *RecordTables::Private::makeTab(Tab tab, const QString &title, QAbstractItemModel *tableModel,
                                           QWidget *above)
{
    auto *view = new QTableView;
    view->setModel(tableModel);
    view->setHorizontalHeader(new RecordHeader(view));
    view->setItemDelegate(new CellDelegate(view));
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setAlternatingRowColors(true);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setTabKeyNavigation(false);
    view->setFrameShape(QFrame::NoFrame);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setCornerButtonEnabled(false);
    // One height for every row, so that a million of them need no measuring.
    view->verticalHeader()->hide();
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->verticalHeader()->setMinimumSectionSize(view->fontMetrics().height() + 4);
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 6);
    view->horizontalHeader()->setResizeContentsPrecision(60);
    view->horizontalHeader()->setStretchLastSection(true);
    view->horizontalHeader()->setMinimumSectionSize(view->fontMetrics().averageCharWidth() * 4);
    QObject::connect(view->horizontalHeader(), &QHeaderView::sectionResized, q, [this, tab, view](int section) {
        // The last one follows the window.
        byHand[tab] = byHand[tab] || (!fitting && sized[tab] && section + 1 < view->model()->columnCount() &&
                                      QGuiApplication::mouseButtons() != Qt::NoButton);
    });
    view->setAccessibleName(title);
    view->setToolTip(RecordTables::tr("A row chooses its point on every chart; Ctrl+C copies the rows that are selected"));
    view->setObjectName(QStringLiteral("record-") + QLatin1String(kCsvNames[tab]));

    auto *copyAction = new QAction(RecordTables::tr("Copy rows"), view);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(copyAction, &QAction::triggered, q, [this, tab] { copy(tab); });
    auto *saveAction = new QAction(RecordTables::tr("Save CSV…"), view);
    QObject::connect(saveAction, &QAction::triggered, q,
                     [this, tab] { emit q->exportCsvRequested(QLatin1String(kCsvNames[tab])); });
    view->addActions({copyAction, saveAction});
    view->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto *empty = new QLabel;
    empty->setAlignment(Qt::AlignCenter);
    empty->setWordWrap(true);
    empty->setMargin(16);
    empty->setTextFormat(Qt::PlainText);
    empty->setObjectName(QStringLiteral("record-empty-") + QLatin1String(kCsvNames[tab]));
    auto *stack = new QStackedWidget;
    stack->addWidget(empty);
    stack->addWidget(view);
    QWidget *page = stack;
    if (above) {
        page = new QWidget;
        auto *column = new QVBoxLayout(page);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addWidget(above);
        column->addWidget(stack, 1);
    }
    tabs->addTab(page, title);
    views[tab] = view;
    stacks[tab] = stack;
    empties[tab] = empty;
    return view;
}

QTableView *RecordTables::Private::makeTab(Tab tab, const QString &title, QAbstractItemModel *tableModel, Sentences *says,
                                           int widthBeside)
{
    QTableView *view = makeTab(tab, title, tableModel);
    QWidget *table = stacks[tab];
    const int at = tabs->indexOf(table);
    tabs->removeTab(at);
    tabs->insertTab(at, new TableAndSentences(table, says, widthBeside), title);
    table->show();
    return view;
}

/// Columns as wide as their figures: they grow with a run, never shrink, and a width that the user gave stays.
void RecordTables::Private::fit(Tab tab)
{
    QTableView *view = views[tab];
    if (byHand[tab] || view->model()->rowCount() == 0)
        return;
    fitting = true;
    std::vector<int> before;
    const int columns = view->model()->columnCount();
    for (int column = 0; column < columns; ++column)
        before.push_back(sized[tab] ? view->columnWidth(column) : 0);
    sized[tab] = true;
    view->resizeColumnsToContents();
    // A long text at the end must not make the whole table scroll: its column takes what is left, the tool tip has the
    // rest.
    const int most = view->fontMetrics().averageCharWidth() * 60;
    for (int column = 0; column < columns; ++column) {
        if (view->isColumnHidden(column))
            continue;
        const int wanted = std::min(view->columnWidth(column), most);
        view->setColumnWidth(column, column == columns - 1
                                         ? std::min(wanted, view->fontMetrics().averageCharWidth() * 14)
                                         : std::max(wanted, before[std::size_t(column)]));
    }
    fitting = false;
}

void RecordTables::Private::copy(Tab tab) const
{
    const QString text = selectedText(views[tab]);
    if (!text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

QString RecordTables::Private::runText(const RunRecord &run) const
{
    QString kind;
    switch (run.plan.experiment) {
    case Experiment::Sweep:
        kind = RecordTables::tr("Batch sweep");
        break;
    case Experiment::Ttft:
        kind = RecordTables::tr("TTFT and TPOT");
        break;
    case Experiment::Calibrate:
        kind = RecordTables::tr("Calibration");
        break;
    case Experiment::Line:
        kind = RecordTables::tr("Line over models");
        break;
    case Experiment::Anatomy:
        kind = RecordTables::tr("Anatomy of a step");
        break;
    }
    if (isImported(run)) {
        const auto from = run.provenance.extra.find("imported from");
        QStringList parts{from == run.provenance.extra.end() ? kind
                                                             : RecordTables::tr("%1 · imported from %2").arg(kind, QString::fromStdString(from->second))};
        // One file may hold several models and devices, a run each.
        if (run.plan.experiment != Experiment::Line)
            parts << QStringLiteral("%1 %2").arg(QString::fromStdString(run.plan.model.shape.name), fromUtf8(dtypeName(run.plan.dtype)));
        parts << coreText(shownDevice(run));
        return parts.join(QStringLiteral(" · "));
    }
    if (run.plan.experiment != Experiment::Calibrate)
        kind = RecordTables::tr("%1 (%2)").arg(kind, fromUtf8(modeName(run.plan.mode)));
    QStringList parts{kind};
    if (run.plan.experiment == Experiment::Line) {
        parts << RecordTables::tr("%n model(s)", nullptr, int(run.plan.models.size()));
    } else if (run.plan.experiment != Experiment::Calibrate) {
        const ModelShape &shape = run.plan.model.shape;
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(shape.name.empty() ? shape.id : shape.name),
                                             fromUtf8(dtypeName(run.plan.dtype)));
    }
    parts << QString::fromStdString(run.plan.device);
    const QDateTime started =
        QDateTime::fromString(QString::fromStdString(run.provenance.startedUtc), Qt::ISODate).toLocalTime();
    if (started.isValid())
        parts << started.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    switch (run.state) {
    case RunRecord::State::Running:
        parts << RecordTables::tr("running");
        break;
    case RunRecord::State::Done:
        break;
    case RunRecord::State::Cancelled:
        parts << RecordTables::tr("stopped");
        break;
    case RunRecord::State::Failed:
        parts << RecordTables::tr("failed");
        break;
    case RunRecord::State::Interrupted:
        parts << RecordTables::tr("interrupted");
        break;
    }
    return parts.join(QStringLiteral(" · "));
}

void RecordTables::Private::refreshRuns()
{
    const RunRecord *current = model->currentRun();
    syncing = true;
    const auto &all = model->session()->runs;
    // In place where the runs are the same, so that an open list stays open while a run goes on.
    bool same = runs->count() == int(all.size());
    for (int i = 0; same && i < runs->count(); ++i)
        same = runs->itemData(i).toString().toStdString() == all[all.size() - 1 - std::size_t(i)].plan.runId;
    if (!same) {
        runs->clear();
        for (auto run = all.rbegin(); run != all.rend(); ++run)
            runs->addItem(QString(), QString::fromStdString(run->plan.runId));
    }
    for (int i = 0; i < runs->count(); ++i) {
        const RunRecord &run = all[all.size() - 1 - std::size_t(i)];
        const QString text = runText(run);
        if (runs->itemText(i) != text)
            runs->setItemText(i, text);
        runs->setItemData(i, run.sentence.empty() ? text : coreText(run.sentence), Qt::ToolTipRole);
    }
    runs->setCurrentIndex(current ? runs->findData(QString::fromStdString(current->plan.runId)) : -1);
    runs->setEnabled(!all.empty());
    runs->setPlaceholderText(RecordTables::tr("No runs yet"));
    runs->setToolTip(runs->currentText());
    syncing = false;
}

namespace {

/// A header of lineTable() in the user's language.
QString lineHeader(const std::string &name)
{
    if (name == "model")
        return RecordTables::tr("model");
    if (name == "family")
        return RecordTables::tr("family");
    if (name == "dtype")
        return RecordTables::tr("dtype");
    if (name == "weights")
        return RecordTables::tr("weights");
    if (name == "TPOT")
        return RecordTables::tr("TPOT");
    if (name == "least")
        return RecordTables::tr("least");
    if (name == "greatest")
        return RecordTables::tr("greatest");
    if (name == "by the line")
        return RecordTables::tr("by the line");
    if (name == "residual")
        return RecordTables::tr("residual");
    if (name == "reading weights")
        return RecordTables::tr("reading weights");
    if (name == "forecast")
        return RecordTables::tr("forecast");
    if (name == "measured/forecast")
        return RecordTables::tr("meas./forecast");
    if (name == "floor")
        return RecordTables::tr("floor");
    if (name == "peak memory")
        return RecordTables::tr("peak memory");
    if (name == "prompt")
        return RecordTables::tr("prompt");
    if (name == "new")
        return RecordTables::tr("new tokens");
    if (name == "graph nodes")
        return RecordTables::tr("graph nodes");
    if (name == "attention")
        return RecordTables::tr("attention");
    return RecordTables::tr("status");
}

} // namespace

/// The parts of a step that was taken apart, and what its figures come to.
void RecordTables::Private::refreshAnatomy(const RunRecord *run)
{
    const std::vector<QString> header{RecordTables::tr("part"),  RecordTables::tr("time"),    RecordTables::tr("share"),
                                      RecordTables::tr("bytes"), RecordTables::tr("bytes/s"), RecordTables::tr("FLOP/s"),
                                      RecordTables::tr("traced")};
    const std::vector<bool> figures{false, true, true, true, true, true, true};
    QStringList sentences;
    if (run && run->anatomy) {
        anatomy->setTable(anatomyPartsTable(*run->anatomy), {}, header, figures);
        for (const std::string &sentence : anatomySentences(*run->anatomy))
            sentences << coreText(sentence);
    } else if (anatomy->rowCount() > 0 || anatomy->columnCount() == 0) {
        anatomy->setTable({}, {}, header, figures);
    }
    anatomySays->say(sentences);
    fit(AnatomyTab);
}

/// What was written down before the run, with forecast and measurement beside it and how far off it was.
void RecordTables::Private::refreshExpected(const RunRecord *run)
{
    QStringList lines;
    for (const ExpectationRow &row : run ? expectationRows(*run) : std::vector<ExpectationRow>()) {
        const bool departs = row.what == ExpectationRow::What::FirstDeparture;
        const auto figure = [&](double value, bool none) {
            if (departs)
                return std::isfinite(value) ? QStringLiteral("b=%1").arg(shownCount(value))
                       : none               ? RecordTables::tr("none")
                                            : QStringLiteral("\u2013");
            return shown(row.what == ExpectationRow::What::Tpot ? format::seconds(value) : format::ratio(value));
        };
        const QString name = row.what == ExpectationRow::What::Tpot
                                 ? RecordTables::tr("TPOT, b=%1, p=%2").arg(shownCount(row.batch), shownCount(row.prompt))
                             : row.what == ExpectationRow::What::Ratio
                                 ? RecordTables::tr("ratio to floor, b=%1, p=%2").arg(shownCount(row.batch), shownCount(row.prompt))
                                 : RecordTables::tr("first departure, p=%1").arg(shownCount(row.prompt));
        QString line = RecordTables::tr("%1: expected %2, forecast %3, measured %4")
                           .arg(name, figure(row.expected, false), figure(row.forecast, row.noneForecast),
                                figure(row.measured, row.noneMeasured));
        if (std::isfinite(row.measured) && row.expected > 0)
            line += RecordTables::tr(" (%1 x the expected)").arg(shown(format::ratio(row.measured / row.expected)));
        lines << line;
    }
    for (QLabel *label : {sweepExpected, ttftExpected}) {
        label->setText(lines.join(QLatin1Char('\n')));
        label->setVisible(!lines.isEmpty());
    }
}

void RecordTables::Private::refreshLine(const RunRecord *run)
{
    if (!run || run->line.empty()) {
        if (line->rowCount() > 0 || line->columnCount() == 0)
            line->setTable({}, {}, {RecordTables::tr("model"), RecordTables::tr("status")}, {false, false});
        lineSays->say({});
        return;
    }
    const LineReading reading = readLine(*run);
    const TextTable table = lineTable(*run, reading);
    std::vector<QString> header;
    std::vector<bool> figures;
    for (const std::string &name : table.header) {
        header.push_back(lineHeader(name));
        figures.push_back(name != "model" && name != "family" && name != "dtype" && name != "attention" &&
                          name != "status");
    }
    line->setTable(table, {}, std::move(header), std::move(figures));
    QStringList sentences;
    for (const std::string &sentence : lineSentences(*run, reading))
        sentences << coreText(sentence);
    lineSays->say(sentences);
}

/// `force` false: a finished point that is shown already stays as it is (it never changes).
void RecordTables::Private::refreshSteps(bool force)
{
    const RunRecord *run = model->currentRun();
    const std::optional<LivePoint> &flight = model->live();
    const std::string id = run ? run->plan.runId : flight ? flight->runId : std::string();
    std::optional<PointKey> only;
    if (onlySelected->isChecked() && model->selection() && model->selection()->runId == id)
        only = model->selection();
    const std::optional<PointKey> live = flight ? std::optional(PointKey{flight->runId, flight->index}) : std::nullopt;
    if (!force && only && only == stepsOnly && only != stepsLive && id == stepsRun)
        return;
    stepsOnly = only;
    stepsRun = id;
    stepsLive = live;
    liveSteps = flight ? flight->steps.size() : 0;
    steps->setSteps(model->session(), id, only, flight ? &*flight : nullptr);
    views[StepsTab]->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    fitSteps();
}

void RecordTables::Private::fitSteps()
{
    if (steps->rowCount() > 0) {
        for (int column = StepsModel::DeviceMs; column < StepsModel::ColumnCount; ++column)
            views[StepsTab]->setColumnHidden(column, !steps->hasFigures(column));
    }
    fit(StepsTab);
}

void RecordTables::Private::liveChanged()
{
    const std::optional<LivePoint> &flight = model->live();
    const std::optional<PointKey> live = flight ? std::optional(PointKey{flight->runId, flight->index}) : std::nullopt;
    if (live != stepsLive || (flight && flight->steps.size() < liveSteps)) {
        refreshRuns(); // a run in flight is the one that is shown
        refreshSteps();
    } else if (flight) {
        const bool first = steps->rowCount() == 0;
        liveSteps = flight->steps.size();
        steps->liveGrew();
        if (first)
            fitSteps();
    }
    const bool filled = steps->rowCount() > 0;
    if (filled != (stacks[StepsTab]->currentIndex() == 1))
        refreshEmpty();
}

void RecordTables::Private::refreshEmpty()
{
    const RunRecord *run = model->currentRun();
    const bool none = model->session()->runs.empty();
    const auto say = [&](Tab tab, const QString &nothing, const QString &otherRun) {
        const bool filled = views[tab]->model()->rowCount() > 0;
        empties[tab]->setText(none || !run ? nothing : otherRun);
        stacks[tab]->setCurrentIndex(filled ? 1 : 0);
    };
    const bool going = run && run->state == RunRecord::State::Running;
    say(SweepTab, RecordTables::tr("Nothing measured yet: choose Batch sweep and press Run."),
        run && run->plan.experiment == Experiment::Sweep
            ? (going ? RecordTables::tr("The first point is being timed; its row appears here when it is finished.")
                     : RecordTables::tr(
                           "This run ended before its first point was finished: press Run to time it again."))
            : RecordTables::tr(
                  "The run that is shown is no batch sweep: choose another one above, or run a batch sweep."));
    say(TtftTab, RecordTables::tr("Nothing measured yet: choose TTFT and TPOT and press Run."),
        run && run->plan.experiment == Experiment::Ttft
            ? (going ? RecordTables::tr("The record appears here when every method has finished.")
                     : RecordTables::tr("This run ended before its record was complete: press Run to time it again."))
            : RecordTables::tr(
                  "The run that is shown has no TTFT record: choose another one above, or run TTFT and TPOT."));
    say(StepsTab, RecordTables::tr("Nothing measured yet: press Run, and every timed step is listed here."),
        model->selection() && onlySelected->isChecked()
            ? RecordTables::tr(
                  "The selected point has no timed steps: select another one, or show the steps of every point.")
            : RecordTables::tr("The run that is shown has no timed steps: choose another one above, or press Run."));
    say(LineTab, RecordTables::tr("Nothing measured yet: choose Line over models and press Run, or import a CSV."),
        run && run->plan.experiment == Experiment::Line
            ? (going ? RecordTables::tr("The first row is being timed; it appears here when it is finished.")
                     : RecordTables::tr("This run ended before its first row was finished: press Run to time it again."))
            : RecordTables::tr("The run that is shown is no line over models: choose another one above, or run one."));
    say(AnatomyTab, RecordTables::tr("Nothing measured yet: choose Anatomy of a step and press Run."),
        run && run->plan.experiment == Experiment::Anatomy
            ? (going ? RecordTables::tr("The parts appear here when the step has been taken apart.")
                     : RecordTables::tr("This run ended before the step was taken apart: press Run to try again."))
            : RecordTables::tr("The run that is shown is no anatomy: choose another one above, or run one."));
    say(CalibrationTab, RecordTables::tr("Nothing measured yet: choose Calibrate and press Run."),
        going && run->plan.experiment == Experiment::Calibrate
            ? RecordTables::tr("The samples appear here when the calibration has finished.")
            : RecordTables::tr(
                  "The run that is shown has no calibration: choose another one above, or run Calibrate."));
    const Tab tab = static_cast<Tab>(std::max(0, tabs->currentIndex()));
    save->setEnabled(views[tab]->model()->rowCount() > 0);
}

void RecordTables::Private::refresh()
{
    refreshRuns();
    const RunRecord *run = model->currentRun();
    const std::string id = run ? run->plan.runId : std::string();
    const bool other = id != shownRun;
    syncing = true;
    sweep->setRun(run);
    syncing = false;
    if (sweep->rowCount() > 0) {
        for (int column = SweepModel::HostGapMs; column < SweepModel::Reason; ++column)
            views[SweepTab]->setColumnHidden(column, !sweep->hasFigures(column));
    }
    fit(SweepTab);

    const std::vector<QString> items{RecordTables::tr("item"), RecordTables::tr("value"), RecordTables::tr("note")};
    std::vector<std::vector<QString>> tips;
    if (run && run->ttft) {
        // The rounded values of the methods, in full where the row is one of theirs.
        const TextTable table = ttftTable(*run);
        for (const auto &row : table.rows) {
            QString tip;
            for (const TtftMethodResult &method : run->ttft->methods) {
                const std::string number = std::to_string(int(method.method));
                if (row[0] == "TTFT, method " + number && std::isfinite(method.ttftSeconds))
                    tip = RecordTables::tr("%1 ms").arg(fromUtf8(format::exact(method.ttftSeconds * 1e3)));
                if (row[0] == "TPOT, method " + number && std::isfinite(method.tpotSeconds))
                    tip = RecordTables::tr("%1 ms").arg(fromUtf8(format::exact(method.tpotSeconds * 1e3)));
            }
            tips.push_back({{}, tip, {}});
        }
        ttft->setTable(table, std::move(tips), items, {false, true, false});
    } else if (ttft->rowCount() > 0 || ttft->columnCount() == 0) {
        ttft->setTable({}, {}, items, {false, true, false});
    }
    fit(TtftTab);

    const std::vector<QString> samples{RecordTables::tr("what"), RecordTables::tr("value"), RecordTables::tr("median"),
                                       RecordTables::tr("spread"), RecordTables::tr("counted")};
    if (run && run->calibration) {
        tips.clear();
        for (const CalibrationSample &sample : run->calibration->samples) {
            const auto full = [&sample](double value) {
                return std::isfinite(value) ? QStringLiteral("%1 %2").arg(fromUtf8(format::exact(value)),
                                                                          QString::fromStdString(sample.unit))
                                            : QString();
            };
            tips.push_back({{}, full(sample.value), full(sample.median), fromUtf8(format::exact(sample.spread)), {}});
        }
        calibration->setTable(calibrationTable(*run), std::move(tips), samples, {false, true, true, true, false});
    } else if (calibration->rowCount() > 0 || calibration->columnCount() == 0) {
        calibration->setTable({}, {}, samples, {false, true, true, true, false});
    }
    fit(CalibrationTab);
    syncing = true;
    refreshLine(run);
    refreshExpected(run);
    refreshAnatomy(run);
    syncing = false;
    fit(LineTab);
    refreshSteps(false);

    if (other) {
        shownRun = id;
        // A run that comes to the front shows its own record; one that merely grows leaves the tab alone.
        if (run && tabs->currentIndex() != StepsTab)
            tabs->setCurrentIndex(run->plan.experiment == Experiment::Ttft        ? TtftTab
                                  : run->plan.experiment == Experiment::Calibrate ? CalibrationTab
                                  : run->plan.experiment == Experiment::Line      ? LineTab
                                  : run->plan.experiment == Experiment::Anatomy   ? AnatomyTab
                                                                                  : SweepTab);
    }
    followSelection();
    refreshEmpty();
}

void RecordTables::Private::followSelection()
{
    const RunRecord *run = model->currentRun();
    if (run && !run->line.empty()) {
        QTableView *rows = views[LineTab];
        int at = -1;
        if (model->selection() && model->selection()->runId == run->plan.runId) {
            for (std::size_t i = 0; i < run->line.size(); ++i)
                at = run->line[i].index == model->selection()->index ? int(i) : at;
        }
        syncing = true;
        if (at < 0) {
            rows->clearSelection();
            rows->setCurrentIndex({});
        } else if (!rows->selectionModel()->isRowSelected(at)) {
            rows->selectRow(at);
            rows->scrollTo(line->index(at, 0));
        }
        syncing = false;
    }
    QTableView *view = views[SweepTab];
    const std::optional<PointKey> &key = model->selection();
    const int row = key ? sweep->rowOf(*key) : -1;
    syncing = true;
    if (row < 0) {
        view->clearSelection();
        view->setCurrentIndex({});
    } else {
        const QModelIndex index = sweepProxy->mapFromSource(sweep->index(row, 0));
        // Several rows may be selected for copying: then the point is one of them already.
        if (!view->selectionModel()->isRowSelected(index.row())) {
            view->selectRow(index.row());
            view->scrollTo(index);
        }
    }
    syncing = false;
}

void RecordTables::Private::colour()
{
    const ChartTheme theme = ChartTheme::forPalette(q->palette());
    sweep->setTheme(theme);
    for (QLabel *label : empties) {
        if (label->palette().color(QPalette::WindowText) != theme.mutedText) {
            QPalette own;
            own.setColor(QPalette::WindowText, theme.mutedText);
            label->setPalette(own);
        }
    }
}

RecordTables::RecordTables(WorkbenchModel *model, QWidget *parent) : QWidget(parent), d(std::make_unique<Private>())
{
    d->q = this;
    d->model = model;
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    d->tabs = new QTabWidget;
    d->tabs->setDocumentMode(true);
    d->tabs->setUsesScrollButtons(true);
    d->tabs->setObjectName(QStringLiteral("recordTabs"));
    d->tabs->setAccessibleName(tr("Record tables"));
    d->tabs->tabBar()->setAccessibleName(tr("Record tables"));
    d->sweep = new SweepModel(this);
    d->sweepProxy = new RecordProxy(this);
    d->sweepProxy->setSourceModel(d->sweep);
    d->ttft = new TextRecordModel(this);
    d->steps = new StepsModel(this);
    d->calibration = new TextRecordModel(this);
    d->line = new TextRecordModel(this);
    for (QLabel **label : {&d->sweepExpected, &d->ttftExpected}) {
        *label = new QLabel;
        (*label)->setAccessibleName(tr("What was expected"));
        (*label)->setTextFormat(Qt::PlainText);
        (*label)->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        (*label)->setWordWrap(true);
        (*label)->setMargin(6);
        (*label)->hide();
    }
    d->sweepExpected->setObjectName(QStringLiteral("recordSweepExpected"));
    d->ttftExpected->setObjectName(QStringLiteral("recordTtftExpected"));
    QTableView *sweepView = d->makeTab(SweepTab, tr("Batch sweep"), d->sweepProxy, d->sweepExpected);
    // Until a header is clicked the rows stand in the order in which they were run.
    sweepView->horizontalHeader()->setSortIndicatorClearable(true);
    sweepView->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    sweepView->setSortingEnabled(true);
    d->makeTab(TtftTab, tr("TTFT and TPOT"), d->ttft, d->ttftExpected);
    d->onlySelected = new QCheckBox(tr("Only the selected point"));
    d->onlySelected->setChecked(true);
    d->onlySelected->setToolTip(tr("Off: the steps of every point of the run"));
    d->onlySelected->setObjectName(QStringLiteral("recordOnlySelected"));
    auto *above = new QWidget;
    auto *aboveLayout = new QHBoxLayout(above);
    aboveLayout->setContentsMargins(8, 3, 8, 3);
    aboveLayout->addWidget(d->onlySelected);
    aboveLayout->addStretch(1);
    QTableView *stepsView = d->makeTab(StepsTab, tr("Steps"), d->steps, above);
    stepsView->horizontalHeader()->setSortIndicatorClearable(true);
    stepsView->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    stepsView->setSortingEnabled(true);
    // The columns of a line fill most windows, those of an anatomy do not.
    constexpr int kBesideLine = 1500, kBesideAnatomy = 800;
    d->lineSays = new Sentences(QStringLiteral("recordLineSays"), tr("What the line says"));
    QTableView *lineView = d->makeTab(LineTab, tr("Line over models"), d->line, d->lineSays, kBesideLine);
    d->anatomy = new TextRecordModel(this);
    d->anatomySays = new Sentences(QStringLiteral("recordAnatomySays"), tr("What the anatomy says"));
    d->makeTab(AnatomyTab, tr("Anatomy"), d->anatomy, d->anatomySays, kBesideAnatomy);
    d->makeTab(CalibrationTab, tr("Calibration"), d->calibration);

    auto *corner = new Corner(d->tabs);
    auto *cornerLayout = new QHBoxLayout(corner);
    cornerLayout->setContentsMargins(6, 1, 6, 1);
    cornerLayout->setSpacing(6);
    auto *runLabel = new QLabel(tr("R&un shown"));
    d->runs = new PanelCombo;
    d->runs->setObjectName(QStringLiteral("recordRuns"));
    d->runs->setAccessibleName(tr("Run shown"));
    runLabel->setBuddy(d->runs);
    d->save = new QPushButton(tr("Save CSV…"));
    d->save->setObjectName(QStringLiteral("recordSaveCsv"));
    d->save->setToolTip(tr("Saves this table at full precision"));
    cornerLayout->addWidget(runLabel);
    cornerLayout->addWidget(d->runs, 1);
    cornerLayout->addWidget(d->save);
    d->tabs->setCornerWidget(corner, Qt::TopRightCorner);
    layout->addWidget(d->tabs);

    connect(d->save, &QPushButton::clicked, this, [this] {
        const int tab = d->tabs->currentIndex();
        if (tab >= 0 && tab < TabCount)
            emit exportCsvRequested(QLatin1String(kCsvNames[tab]));
    });
    connect(d->tabs, &QTabWidget::currentChanged, this, [this] { d->refreshEmpty(); });
    connect(d->runs, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!d->syncing && index >= 0)
            d->model->setCurrentRun(d->runs->itemData(index).toString().toStdString());
    });
    connect(d->onlySelected, &QCheckBox::toggled, this, [this] {
        d->refreshSteps();
        d->refreshEmpty();
    });
    connect(sweepView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (d->syncing || !current.isValid())
                    return;
                if (const auto key = d->sweep->keyAt(d->sweepProxy->mapToSource(current).row()))
                    d->model->select(key);
            });
    connect(lineView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                const RunRecord *run = d->model->currentRun();
                if (d->syncing || !current.isValid() || !run || current.row() >= int(run->line.size()))
                    return;
                d->model->select(PointKey{run->plan.runId, run->line[std::size_t(current.row())].index});
            });
    connect(stepsView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (d->syncing || !current.isValid())
                    return;
                const auto key = d->steps->keyAt(current.row());
                if (!key || key == d->model->selection())
                    return;
                // Later: the table may shrink to the point, which it must not while it tells what was clicked.
                QTimer::singleShot(0, this, [this, key, step = d->steps->indexInPoint(current.row())] {
                    d->model->select(key);
                    if (d->stepsOnly == key && step >= 0 && step < d->steps->rowCount()) {
                        d->views[StepsTab]->selectRow(step);
                        d->views[StepsTab]->scrollTo(d->steps->index(step, 0));
                    }
                });
            });
    connect(model, &WorkbenchModel::sessionChanged, this, [this] { d->refresh(); });
    connect(model, &WorkbenchModel::selectionChanged, this, [this] {
        d->followSelection();
        // With the filter off the same steps stay; a table that starts over would lose the row just clicked.
        if (d->onlySelected->isChecked())
            d->refreshSteps();
        d->refreshEmpty();
    });
    connect(model, &WorkbenchModel::liveChanged, this, [this] { d->liveChanged(); });
    d->colour();
    d->refresh();
}

RecordTables::~RecordTables() = default;

TextTable RecordTables::shownTable() const
{
    TextTable table;
    const int tab = d->tabs->currentIndex();
    if (tab < 0)
        return table;
    const QTableView *view = d->views[std::size_t(tab)];
    const QAbstractItemModel *model = view->model();
    const int columns = model->rowCount() > 0 ? model->columnCount() : 0;
    for (int column = 0; column < columns; ++column) {
        const QString full = model->headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString();
        table.header.push_back(
            (full.isEmpty() ? model->headerData(column, Qt::Horizontal).toString() : full).toStdString());
    }
    for (int row = 0; row < model->rowCount(); ++row) {
        std::vector<std::string> cells;
        for (int column = 0; column < columns; ++column)
            cells.push_back(model->index(row, column).data(CopyRole).toString().toStdString());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

void RecordTables::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && d->sweep)
        d->colour();
}

} // namespace ridgepoint
