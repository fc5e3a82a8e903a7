// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/command_palette.h"

#include "app/gui/language.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace ridgepoint {

namespace {

constexpr int kKeysRole = Qt::UserRole;
constexpr int kCommandRole = Qt::UserRole + 1;

/// A menu's text as it is read: without the mark of its key.
QString plain(const QString &text)
{
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&')) {
            if (++i >= text.size())
                break;
            // Chinese menus name the key behind the text: "打开(&O)".
            if (text[i] != QLatin1Char('&') && out.endsWith(QLatin1Char('(')) &&
                text.mid(i + 1, 1) == QLatin1String(")")) {
                out.chop(1);
                ++i;
                continue;
            }
        }
        out += text[i];
    }
    return out.trimmed();
}

/// What people call a command when they do not know its name here.
struct Synonyms {
    const char *name; ///< how an action's object name begins
    const char *words;
};
constexpr Synonyms kSynonyms[] = {
    {"actionLanguage-zh_CN", "Chinese Mandarin simplified translation 中文 汉语 语言"},
    {"actionLanguage-en", "English translation 英文 英语 语言"},
    {"actionLanguage", "language translation 语言"},
    {"actionThemeDark", "night black mode 夜间 黑色"},
    {"actionThemeLight", "day white bright mode 白天 亮色"},
    {"actionPresenter", "projector beamer larger font big type zoom talk 投影 大字 放大"},
    {"actionExportChart", "save picture image png svg pdf 图片 保存"},
    {"actionExportTables", "save csv spreadsheet figures 表格"},
    {"actionExportReport", "save html pdf markdown document print 打印"},
    {"actionExportTrace", "perfetto chrome json kernels timeline"},
    {"actionImportLine", "load csv file"},
    {"actionCompare", "diff difference regression baseline faster slower against 对比 差异 基线"},
    {"actionOpen", "load file import session"},
    {"actionSave", "write store keep"},
    {"actionNew", "tab empty"},
    {"actionQuit", "exit close program 关闭"},
    {"actionStop", "cancel abort halt break 取消"},
    {"actionRun", "start go measure benchmark 开始 测量"},
    {"actionSweep", "benchmark throughput batches start"},
    {"actionCalibrate", "bandwidth ceilings peak measure start"},
    {"actionReplay", "play again recording"},
    {"actionResetLayout", "panels docks windows restore default 恢复"},
    {"actionResetView", "zoom home axes fit"},
    {"toggle-", "panel dock window show hide 显示 隐藏"},
    {"actionGlossary", "terms dictionary words explain 词汇"},
    {"actionLessons", "tutorial course learn teach help 教程 学习"},
    {"actionPalette", "search find commands 搜索"},
    {"actionAbout", "version license engine 版本"},
    {"actionCopy", "clipboard 剪贴板"},
    {"actionReopen", "restore remember startup session"},
    {"actionChart-frontier", "memory capacity fit oom 内存"},
    {"actionChart-anatomy", "kernels trace profile timeline"},
};

/// The contexts that names of commands are translated under.
constexpr const char *kContexts[] = {"ridgepoint::MainWindow",      "ridgepoint::RooflineChart", "ridgepoint::ThroughputChart",
                                     "ridgepoint::LatencyChart",    "ridgepoint::TimeAccountChart", "ridgepoint::FrontierChart",
                                     "ridgepoint::AnatomyChart",    "ridgepoint::LineChart"};

QString furtherWords(const QAction *action)
{
    QStringList words{action->objectName(), action->toolTip()};
    for (const char *context : kContexts) {
        const QStringList texts = inOtherLanguages(context, action->text());
        for (const QString &text : texts)
            words << plain(text);
    }
    for (const Synonyms &also : kSynonyms) {
        if (action->objectName().startsWith(QLatin1String(also.name)))
            words << QString::fromUtf8(also.words);
    }
    return words.join(QLatin1Char(' '));
}

/// The shortcut stands at the right edge of its row.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem row = option;
        initStyleOption(&row, index);
        const QString keys = index.data(kKeysRole).toString();
        const int width = keys.isEmpty() ? 0 : row.fontMetrics.horizontalAdvance(keys) + 12;
        row.textElideMode = Qt::ElideMiddle;
        const QWidget *widget = row.widget;
        QStyle *style = widget ? widget->style() : QApplication::style();
        const QString text = row.text;
        row.text.clear();
        style->drawControl(QStyle::CE_ItemViewItem, &row, painter, widget);
        const bool enabled = row.state & QStyle::State_Enabled, chosen = row.state & QStyle::State_Selected;
        const auto group = enabled ? QPalette::Active : QPalette::Disabled;
        const QRect inside = row.rect.adjusted(8, 0, -8, 0);
        painter->save();
        painter->setPen(row.palette.color(group, chosen ? QPalette::HighlightedText : QPalette::Text));
        painter->drawText(inside.adjusted(0, 0, -width, 0), Qt::AlignVCenter | Qt::AlignLeft,
                          row.fontMetrics.elidedText(text, Qt::ElideMiddle, inside.width() - width));
        painter->setOpacity(0.75);
        painter->drawText(inside, Qt::AlignVCenter | Qt::AlignRight, keys);
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(std::max(size.height(), option.fontMetrics.height() + 8));
        return size;
    }
};

} // namespace

QVector<CommandPalette::Command> CommandPalette::commandsOf(QMenuBar *menus)
{
    QVector<Command> commands;
    // `above`: the further words of the menus on the way.
    const std::function<void(QMenu *, const QString &, const QString &)> walk = [&](QMenu *menu, const QString &path,
                                                                                   const QString &above) {
        emit menu->aboutToShow(); // some are filled when they open
        const auto actions = menu->actions();
        for (QAction *action : actions) {
            if (action->isSeparator() || !action->isVisible() || action->text().isEmpty())
                continue;
            const QString here = path + QStringLiteral(" › ") + plain(action->text());
            if (action->menu()) {
                walk(action->menu(), here, above + QLatin1Char(' ') + action->menu()->objectName() + QLatin1Char(' ') + furtherWords(action));
                continue;
            }
            QStringList keys;
            for (const QKeySequence &key : action->shortcuts())
                keys << key.toString(QKeySequence::NativeText);
            commands.push_back({action, here, keys.join(QStringLiteral(", ")), above + QLatin1Char(' ') + furtherWords(action)});
        }
    };
    const auto tops = menus->actions();
    for (QAction *top : tops) {
        if (top->menu() && top->isVisible())
            walk(top->menu(), plain(top->text()), top->menu()->objectName() + QLatin1Char(' ') + furtherWords(top));
    }
    return commands;
}

CommandPalette::CommandPalette(QMenuBar *menus, QWidget *parent)
    : QDialog(parent), m_menus(menus), m_filter(new QLineEdit(this)), m_list(new QListWidget(this)),
      m_nothing(new QLabel(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    m_filter->setObjectName(QStringLiteral("paletteFilter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusProxy(m_filter);
    column->addWidget(m_filter);
    column->addWidget(m_list);
    m_nothing->setObjectName(QStringLiteral("paletteNothing"));
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setMargin(16);
    m_nothing->hide();
    column->addWidget(m_nothing, 1);
    connect(m_filter, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::carryOut);
    retranslate();
}

void CommandPalette::retranslate()
{
    setWindowTitle(tr("Command palette"));
    m_filter->setPlaceholderText(tr("Type a part of a command's name"));
    m_filter->setAccessibleName(tr("Find a command"));
    m_filter->setToolTip(tr("Words in any order; Up and Down choose, Return carries out, Esc leaves"));
    m_list->setAccessibleName(tr("Commands"));
}

void CommandPalette::open()
{
    readMenus();
    const QWidget *over = parentWidget();
    const int most = over ? over->width() - 40 : 640, tallest = over ? over->height() - 80 : 420;
    resize(std::min(fontMetrics().averageCharWidth() * 84, most), std::min(fontMetrics().height() * 24, tallest));
    if (over)
        move(over->mapToGlobal(QPoint((over->width() - width()) / 2, 40)));
    setWindowModality(Qt::WindowModal);
    show();
    m_filter->setFocus();
}

void CommandPalette::readMenus()
{
    m_commands = commandsOf(m_menus);
    const QSignalBlocker quiet(m_filter);
    m_filter->clear();
    narrow();
}

/// Every word has to be in the name; names that begin with what is typed come first.
void CommandPalette::narrow()
{
    const QStringList words = m_filter->text().simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QVector<std::pair<int, int>> found; // rank, command
    for (int i = 0; i < m_commands.size(); ++i) {
        const QString &path = m_commands[i].path, &also = m_commands[i].also;
        const auto in = [](const QString &text) {
            return [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); };
        };
        const bool here = std::all_of(words.begin(), words.end(), in(path));
        const bool all = here || std::all_of(words.begin(), words.end(), [&](const QString &word) {
                             return path.contains(word, Qt::CaseInsensitive) || also.contains(word, Qt::CaseInsensitive);
                         });
        if (!all || !m_commands[i].action)
            continue;
        const QString name = path.section(QStringLiteral(" › "), -1);
        const bool begins = !words.isEmpty() && name.startsWith(words.join(QLatin1Char(' ')), Qt::CaseInsensitive);
        const bool named = !words.isEmpty() && name.contains(words.front(), Qt::CaseInsensitive);
        // What cannot be done now stands below what can.
        found.push_back({(begins ? 0 : named ? 1 : here ? 2 : 3) + (m_commands[i].action->isEnabled() ? 0 : 4), i});
    }
    if (!words.isEmpty())
        std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    m_list->clear();
    for (const auto &[rank, i] : found) {
        const Command &command = m_commands[i];
        const bool checked = command.action->isCheckable() && command.action->isChecked();
        auto *item = new QListWidgetItem(command.path + (checked ? QStringLiteral("  ✓") : QString()), m_list);
        item->setData(kKeysRole, command.keys);
        item->setData(kCommandRole, i);
        QStringList said{command.path};
        if (!command.keys.isEmpty())
            said << command.keys;
        if (checked)
            said << tr("on");
        item->setData(Qt::AccessibleTextRole, said.join(QStringLiteral(", ")));
        if (command.action->toolTip() != plain(command.action->text()))
            item->setToolTip(command.action->toolTip());
        if (!command.action->isEnabled())
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    m_list->setVisible(!found.isEmpty());
    m_nothing->setVisible(found.isEmpty());
    m_nothing->setText(tr("No command is called “%1”. Try another word, or fewer of them.").arg(m_filter->text().simplified()));
    for (int i = 0; i < m_list->count(); ++i) {
        if (m_list->item(i)->flags() & Qt::ItemIsEnabled) {
            m_list->setCurrentRow(i);
            break;
        }
    }
}

void CommandPalette::carryOut()
{
    const QListWidgetItem *item = m_list->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled))
        return;
    const QPointer<QAction> action = m_commands[item->data(kCommandRole).toInt()].action;
    accept();
    // After the palette is gone: the action may open a dialog, or rebuild the menus that it is of.
    if (action)
        QTimer::singleShot(0, action, [action] {
            if (action)
                action->trigger();
        });
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            QApplication::sendEvent(m_list, event);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            carryOut();
            return true;
        default:
            break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        if (isVisible())
            readMenus();
    }
}

} // namespace ridgepoint
