// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/report_pdf.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/session/report_html.h"
#include "core/session/session_title.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QPageLayout>
#include <QFontMetricsF>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>
#include <QUrl>
#include <QUuid>

#include <algorithm>
#include <cmath>

namespace ridgepoint {

namespace {

constexpr int kDpi = 144;                 ///< of the layout; text and lines stay vectors
constexpr double kPoint = kDpi / 72.0;    ///< a point in layout units
constexpr double kFooter = 18 * kPoint;   ///< kept free below the text for the page number

int pageOf(const QTextDocument &text, const QTextBlock &block)
{
    return int(text.documentLayout()->blockBoundingRect(block).top() / text.pageSize().height());
}

void breakBefore(const QTextBlock &block)
{
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    cursor.setBlockFormat(format);
}

/// QTextDocument breaks pages wherever they are full. A heading goes with what follows it: with the whole of a table or picture that is
/// not more than half a page, else with its first lines.
void keepHeadingsWithText(QTextDocument &text)
{
    const double page = text.pageSize().height();
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        if (level < 3 || block.blockFormat().pageBreakPolicy() != QTextFormat::PageBreak_Auto)
            continue;
        QTextBlock next = block.next();
        while (next.isValid() && next.blockFormat().headingLevel() > 0)
            next = next.next();
        if (!next.isValid())
            continue;
        const double top = text.documentLayout()->blockBoundingRect(block).top();
        double bottom = text.documentLayout()->blockBoundingRect(next).bottom();
        if (QTextTable *table = QTextCursor(next).currentTable()) {
            const QRectF frame = text.documentLayout()->frameBoundingRect(table);
            const QTextBlock second = text.findBlock(table->cellAt(std::min(2, table->rows() - 1), 0).firstPosition());
            bottom = frame.bottom() - top < page / 2 ? frame.bottom()
                                                     : text.documentLayout()->blockBoundingRect(second).bottom();
        }
        // The end of a block that fills its page lies on the border itself.
        if (std::floor(top / page) != std::floor((bottom - 1) / page))
            breakBefore(block);
    }
}

/// Pages of the headings of the contents, from 1.
std::vector<int> headingPages(const QTextDocument &text)
{
    std::vector<int> pages;
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next())
        if (const int level = block.blockFormat().headingLevel(); level == 2 || level == 3)
            pages.push_back(pageOf(text, block) + 1);
    return pages;
}

/// Qt writes the moment of the export; in its place goes the session's beginning, in as many bytes, for the file's own table of
/// places holds.
void fixDate(QByteArray &pdf, const std::string &createdUtc)
{
    const QByteArray key("/CreationDate (D:");
    const qsizetype at = pdf.indexOf(key);
    const qsizetype end = at < 0 ? -1 : pdf.indexOf(')', at);
    if (end < 0)
        return;
    QByteArray digits;
    for (const char c : createdUtc)
        if (c >= '0' && c <= '9')
            digits += c;
    digits = digits.leftJustified(14, '0', true);
    const qsizetype from = at + key.size();
    const qsizetype room = end - from;
    const QByteArray date = (digits + (room == 15 ? "Z" : "+00'00'")).leftJustified(room, ' ', true);
    pdf.replace(from, room, date);
}

} // namespace

QString reportFootTitle(const QString &title, const QString &number, const QFontMetricsF &metrics, double width)
{
    return metrics.elidedText(title, Qt::ElideRight, width - metrics.horizontalAdvance(QStringLiteral("  ") + number));
}

QString writeReportPdf(const Session &session, const QString &folder, const std::vector<ReportPicture> &pictures,
                       const Catalog *catalog, const ReportTranslation &translate)
{
    const std::string markdown = translatedReport(reportMarkdown(session, pictures, catalog), translate);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(kDpi);
        writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Landscape, QMarginsF(14, 12, 14, 10),
                                         QPageLayout::Millimeter));
        std::string title = shownTitle(session);
        title = title.empty() ? "Ridgepoint report" : "Ridgepoint report: " + format::elided(title, 200);
        writer.setTitle(QString::fromStdString(translate ? translate(title) : title));
        writer.setCreator(QStringLiteral("Ridgepoint"));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
        writer.setDocumentId(QUuid::createUuidV5(QUuid(), QString::fromStdString(session.id))); // else it is a random one
#endif
        const QSizeF page(writer.width(), writer.height() - kFooter);

        HtmlOptions options;
        options.paper = true;
        options.translate = translate;
        options.pictureWidth = int(0.8 * page.width() * 96 / kDpi); // Qt lays HTML out at 96 pixels an inch, then scales it
        QTextDocument text;
        text.documentLayout()->setPaintDevice(&writer);
        QFont font(QStringLiteral("Noto Sans"));
        font.setStyleHint(QFont::SansSerif);
        font.setPointSizeF(8);
        text.setDefaultFont(font);
        text.setDocumentMargin(0);
        // The contents take the same room with and without their numbers, so the second layout is the last.
        for (int pass = 0; pass < 2; ++pass) {
            for (const ReportPicture &picture : pictures) {
                const QString name = QString::fromStdString(picture.fileName);
                const QImage image(QDir(folder).filePath(name));
                if (image.isNull())
                    throw Error(ErrorKind::Failure, "The chart " + QDir(folder).filePath(name).toStdString() +
                                                        " could not be read; export the report again.");
                text.addResource(QTextDocument::ImageResource, QUrl(name), image);
            }
            text.setHtml(QString::fromStdString(reportToHtml(markdown, options)));
            text.setPageSize(page);
            keepHeadingsWithText(text);
            options.pages = headingPages(text);
        }

        QPainter painter(&writer);
        const int pages = text.pageCount();
        for (int i = 0; i < pages; ++i) {
            if (i)
                writer.newPage();
            painter.save();
            painter.translate(0, -i * page.height());
            QAbstractTextDocumentLayout::PaintContext context;
            context.clip = QRectF(0, i * page.height(), page.width(), page.height());
            context.palette.setColor(QPalette::Text, QColor(0x1c, 0x24, 0x30));
            painter.setClipRect(context.clip);
            text.documentLayout()->draw(&painter, context);
            painter.restore();
            font.setPointSizeF(7);
            painter.setFont(font);
            painter.setPen(QColor(0x4a, 0x56, 0x65));
            const QRectF foot(0, page.height(), page.width(), kFooter);
            const QString number = QStringLiteral("%1 / %2").arg(i + 1).arg(pages);
            painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom,
                             reportFootTitle(writer.title(), number, QFontMetricsF(font, &writer), page.width()));
            painter.drawText(foot, Qt::AlignRight | Qt::AlignBottom, number);
        }
    }
    fixDate(bytes, session.createdUtc);
    const QString path = QDir(folder).filePath(QStringLiteral("report.pdf"));
    writeFileAtomically(path.toStdString(), std::string_view(bytes.constData(), std::size_t(bytes.size())));
    return path;
}

} // namespace ridgepoint
