// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/message_bar.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace ridgepoint {

namespace {

constexpr int kMaxRows = 4;
constexpr int kMaxLines = 5; // of one message: charts must stay in sight on a small screen

/// A wrapped text of a few lines; what is beyond them stands in its tool tip.
class MessageText : public QLabel {
public:
    MessageText(const QString &text, QWidget *parent) : QLabel(text, parent), m_text(text)
    {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QLabel::resizeEvent(event);
        const auto fits = [this](const QString &text) {
            return fontMetrics().boundingRect(QRect(0, 0, width(), 1 << 20), Qt::TextWordWrap, text).height() <=
                   kMaxLines * fontMetrics().lineSpacing();
        };
        QString shown = m_text;
        if (!fits(shown)) {
            qsizetype least = 0, most = m_text.size();
            while (most - least > 1) {
                const qsizetype middle = (least + most) / 2;
                (fits(m_text.left(middle) + QStringLiteral("…")) ? least : most) = middle;
            }
            shown = m_text.left(least).trimmed() + QStringLiteral("…");
        }
        if (shown != text()) {
            setText(shown);
            setToolTip(shown == m_text ? QString() : m_text);
        }
    }

private:
    QString m_text;
};

} // namespace

MessageBar::MessageBar(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("messageBar"));
    m_rows = new QVBoxLayout(this);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    retranslate();
    hide();
}

/// Its own words; what a message says is whoever's it is.
void MessageBar::retranslate()
{
    setAccessibleName(tr("Messages"));
    for (int i = 0; i < m_rows->count(); ++i) {
        QWidget *frame = m_rows->itemAt(i)->widget();
        const auto severity = Severity(frame->property("severity").toInt());
        const QString word = severity == Severity::Info      ? tr("Note")
                             : severity == Severity::Warning ? tr("Warning")
                                                             : tr("Error");
        const QString text = frame->property("text").toString();
        const auto labels = frame->findChildren<QLabel *>(QString(), Qt::FindDirectChildrenOnly);
        for (QLabel *label : labels)
            label->setAccessibleName(label->text().isEmpty() ? word : word + QStringLiteral(": ") + text);
        if (auto *close = frame->findChild<QToolButton *>()) {
            close->setToolTip(tr("Close this message"));
            close->setAccessibleName(tr("Close this message"));
        }
    }
}

QWidget *MessageBar::row(const QString &key, int tab) const
{
    for (int i = 0; i < m_rows->count(); ++i) {
        QWidget *widget = m_rows->itemAt(i)->widget();
        const int of = widget->property("tab").toInt();
        if (widget->property("key").toString() == key && (of == tab || of == kEveryTab))
            return widget;
    }
    return nullptr;
}

bool MessageBar::isShowing(const QString &key) const
{
    return row(key, m_tab) != nullptr;
}

QString MessageBar::text(const QString &key) const
{
    QWidget *widget = row(key, m_tab);
    return widget ? widget->property("text").toString() : QString();
}

QStringList MessageBar::texts() const
{
    QStringList list;
    for (int i = 0; i < m_rows->count(); ++i) {
        const QWidget *widget = m_rows->itemAt(i)->widget();
        if (!widget->isHidden())
            list << widget->property("text").toString();
    }
    return list;
}

void MessageBar::remove(QWidget *widget)
{
    m_rows->removeWidget(widget);
    widget->hide();
    widget->deleteLater(); // a button of the row may be what called us
}

void MessageBar::showRows()
{
    bool any = false;
    for (int i = 0; i < m_rows->count(); ++i) {
        QWidget *widget = m_rows->itemAt(i)->widget();
        const int of = widget->property("tab").toInt();
        const bool seen = of == m_tab || of == kEveryTab;
        widget->setVisible(seen);
        any = any || seen;
    }
    setVisible(any);
}

void MessageBar::setTab(int tab)
{
    m_tab = tab;
    showRows();
}

void MessageBar::forgetTab(int tab)
{
    for (int i = m_rows->count() - 1; i >= 0; --i) {
        if (QWidget *widget = m_rows->itemAt(i)->widget(); widget->property("tab").toInt() == tab)
            remove(widget);
    }
    showRows();
}

void MessageBar::dismiss(const QString &key, int tab)
{
    if (QWidget *widget = row(key, tab == kTabInFront ? m_tab : tab))
        remove(widget);
    showRows();
}

void MessageBar::show(Severity severity, const QString &key, const QString &text, const QVector<Action> &actions,
                      int tab)
{
    if (tab == kTabInFront)
        tab = m_tab;
    dismiss(key, tab);
    const auto ofSameTab = [this, tab] {
        QVector<QWidget *> rows;
        for (int i = 0; i < m_rows->count(); ++i) {
            const int of = m_rows->itemAt(i)->widget()->property("tab").toInt();
            if (of == tab || of == kEveryTab)
                rows << m_rows->itemAt(i)->widget();
        }
        return rows;
    };
    while (ofSameTab().size() >= kMaxRows)
        remove(ofSameTab().first());

    auto *frame = new QFrame(this);
    frame->setProperty("key", key);
    frame->setProperty("tab", tab);
    frame->setProperty("text", text);
    frame->setProperty("severity", int(severity));
    frame->setAutoFillBackground(true);
    auto *line = new QHBoxLayout(frame);
    line->setContentsMargins(10, 4, 6, 4);

    const QStyle::StandardPixmap symbol = severity == Severity::Info      ? QStyle::SP_MessageBoxInformation
                                          : severity == Severity::Warning ? QStyle::SP_MessageBoxWarning
                                                                          : QStyle::SP_MessageBoxCritical;
    auto *icon = new QLabel(frame);
    icon->setPixmap(style()->standardIcon(symbol).pixmap(18, 18));
    line->addWidget(icon, 0, Qt::AlignTop);

    auto *label = new MessageText(text, frame);
    line->addWidget(label, 1);

    for (const Action &action : actions) {
        auto *button = new QPushButton(action.text, frame);
        button->setAccessibleName(action.text);
        connect(button, &QPushButton::clicked, this, [this, frame, run = action.run] {
            remove(frame);
            showRows();
            run();
        });
        line->addWidget(button, 0, Qt::AlignTop);
    }
    auto *close = new QToolButton(frame);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAutoRaise(true);
    close->setFocusPolicy(Qt::TabFocus);
    connect(close, &QToolButton::clicked, this, [this, frame] {
        remove(frame);
        showRows();
    });
    line->addWidget(close, 0, Qt::AlignTop);

    paintRow(frame);
    m_rows->addWidget(frame);
    retranslate();
    showRows();
}

// A tint of the window colour, so that text keeps its contrast in both themes.
void MessageBar::paintRow(QWidget *frame) const
{
    const auto severity = Severity(frame->property("severity").toInt());
    const QColor accent = severity == Severity::Info      ? QColor(0x00, 0x72, 0xb2)
                          : severity == Severity::Warning ? QColor(0xe6, 0x9f, 0x00)
                                                          : QColor(0xd5, 0x2b, 0x1e);
    const QColor base = palette().color(QPalette::Window);
    const double weight = base.lightness() < 128 ? 0.30 : 0.18;
    const auto mix = [&](int a, int b) { return int(a * (1 - weight) + b * weight); };
    QPalette tinted = palette();
    tinted.setColor(QPalette::Window, QColor(mix(base.red(), accent.red()), mix(base.green(), accent.green()),
                                             mix(base.blue(), accent.blue())));
    frame->setPalette(tinted);
}

void MessageBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && m_rows)
        retranslate();
    if (event->type() == QEvent::PaletteChange && m_rows) {
        for (int i = 0; i < m_rows->count(); ++i)
            paintRow(m_rows->itemAt(i)->widget());
    }
}

} // namespace ridgepoint
