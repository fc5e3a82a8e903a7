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

} // namespace

MessageBar::MessageBar(QWidget *parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Messages"));
    m_rows = new QVBoxLayout(this);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

QWidget *MessageBar::row(const QString &key) const
{
    for (int i = 0; i < m_rows->count(); ++i) {
        QWidget *widget = m_rows->itemAt(i)->widget();
        if (widget && widget->property("key").toString() == key)
            return widget;
    }
    return nullptr;
}

bool MessageBar::isShowing(const QString &key) const
{
    return row(key) != nullptr;
}

QString MessageBar::text(const QString &key) const
{
    QWidget *widget = row(key);
    return widget ? widget->property("text").toString() : QString();
}

QStringList MessageBar::texts() const
{
    QStringList list;
    for (int i = 0; i < m_rows->count(); ++i)
        list << m_rows->itemAt(i)->widget()->property("text").toString();
    return list;
}

void MessageBar::dismiss(const QString &key)
{
    if (QWidget *widget = row(key)) {
        m_rows->removeWidget(widget);
        widget->hide();
        widget->deleteLater(); // a button of the row may be what called us
    }
    setVisible(m_rows->count() > 0);
}

void MessageBar::show(Severity severity, const QString &key, const QString &text, const QVector<Action> &actions)
{
    dismiss(key);
    while (m_rows->count() >= kMaxRows)
        dismiss(m_rows->itemAt(0)->widget()->property("key").toString());

    auto *frame = new QFrame(this);
    frame->setProperty("key", key);
    frame->setProperty("text", text);
    frame->setProperty("severity", int(severity));
    frame->setAutoFillBackground(true);
    auto *line = new QHBoxLayout(frame);
    line->setContentsMargins(10, 4, 6, 4);

    const QStyle::StandardPixmap symbol = severity == Severity::Info      ? QStyle::SP_MessageBoxInformation
                                          : severity == Severity::Warning ? QStyle::SP_MessageBoxWarning
                                                                          : QStyle::SP_MessageBoxCritical;
    const QString word = severity == Severity::Info      ? tr("Note")
                         : severity == Severity::Warning ? tr("Warning")
                                                         : tr("Error");
    auto *icon = new QLabel(frame);
    icon->setPixmap(style()->standardIcon(symbol).pixmap(18, 18));
    icon->setAccessibleName(word);
    line->addWidget(icon, 0, Qt::AlignTop);

    auto *label = new QLabel(text, frame);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAccessibleName(word + QStringLiteral(": ") + text);
    line->addWidget(label, 1);

    for (const Action &action : actions) {
        auto *button = new QPushButton(action.text, frame);
        button->setAccessibleName(action.text);
        connect(button, &QPushButton::clicked, this, [this, key, run = action.run] {
            dismiss(key);
            run();
        });
        line->addWidget(button, 0, Qt::AlignTop);
    }
    auto *close = new QToolButton(frame);
    close->setIcon(style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close this message"));
    close->setFocusPolicy(Qt::TabFocus);
    connect(close, &QToolButton::clicked, this, [this, key] { dismiss(key); });
    line->addWidget(close, 0, Qt::AlignTop);

    paintRow(frame);
    m_rows->addWidget(frame);
    frame->show();
    setVisible(true);
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
    if (event->type() == QEvent::PaletteChange && m_rows) {
        for (int i = 0; i < m_rows->count(); ++i)
            paintRow(m_rows->itemAt(i)->widget());
    }
}

} // namespace ridgepoint
