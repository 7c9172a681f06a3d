// SPDX-License-Identifier: GPL-3.0-or-later
// The report on paper: A4 across, the tables first, then a page a view. Painted like a view, so that text stays text.
#include "app/window/export/report_parts.h"

#include "views/common/marks.h"
#include "views/common/page.h"

#include <QMarginsF>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>

#include <numeric>

namespace warpglass {

namespace {

// A page is laid out in pixels of the screen and shrunk to paper, so that the type is that of the views: 10 pt becomes
// 7.2 pt.
constexpr QSizeF paper{842, 595}; // points
constexpr qreal shrink = 0.72;
constexpr int fine = 12; // units of the writer a point
constexpr QSizeF page{paper.width() / shrink, paper.height() / shrink};
constexpr qreal margin = 48;

class PdfPages {
public:
    PdfPages(QPdfWriter& writer, QPainter& painter, const Theme& theme)
        : m_writer(writer), m_painter(painter), m_theme(theme) {
        begin();
    }

    void next() {
        m_writer.newPage();
        begin();
    }

    QRectF rest() const { return {margin, m_y, page.width() - 2 * margin, page.height() - margin - m_y}; }

    void text(const QString& words, const QFont& font, const QColor& colour, qreal below) {
        const qreal height = paintParagraph(nullptr, rest(), words, font, colour);
        need(height);
        paintParagraph(&m_painter, rest(), words, font, colour);
        m_y += height + below;
    }

    void heading(const QString& words) {
        need(6 * lineHeight(m_theme.body())); // not alone at the foot of a page
        m_y += 14;
        text(words, m_theme.title(), m_theme.text, 4);
    }

    void table(const ReportTable& t) {
        const qreal sum = std::accumulate(t.shares.begin(), t.shares.end(), 0.0);
        const auto row = [&](const QVector<ReportCell>& cells, bool head) {
            QFont font = m_theme.small();
            font.setBold(head);
            qreal height = 0;
            QVector<QRectF> places;
            qreal x = margin;
            for (qsizetype i = 0; i < cells.size(); ++i) {
                const qreal width = rest().width() * t.shares[i] / sum;
                places.append({x, 0, width - 10, 0});
                height = qMax(height, paintParagraph(nullptr, places.last(), cells[i].text, font, m_theme.text));
                x += width;
            }
            height += 8;
            need(height);
            for (qsizetype i = 0; i < cells.size(); ++i) {
                QRectF place = places[i].translated(0, m_y + 4);
                const ReportCell& cell = cells[i];
                const QColor ink = cell.origin  ? m_theme.origin(*cell.origin)
                                   : cell.muted ? m_theme.textMuted
                                                : m_theme.text;
                place.setHeight(height - 8);
                if (t.rightAligned.contains(int(i)))
                    paintText(m_painter, place, cell.text, font, ink, Qt::AlignRight | Qt::AlignTop);
                else
                    paintParagraph(&m_painter, place, cell.text, font, ink);
            }
            m_y += height;
            m_painter.fillRect(QRectF(margin, m_y - 1, rest().width(), 0.7), m_theme.border);
        };
        if (!t.header.isEmpty()) {
            QVector<ReportCell> cells;
            for (const QString& word : t.header)
                cells.append({word, {}, false});
            row(cells, true);
        }
        for (const auto& cells : t.rows)
            row(cells, false);
    }

private:
    void begin() {
        m_painter.fillRect(QRectF(QPointF(), page), m_theme.window);
        m_y = margin;
        ++m_number;
        paintText(m_painter, QRectF(margin, page.height() - margin + 14, page.width() - 2 * margin, 20),
                  QString::number(m_number), m_theme.small(), m_theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    void need(qreal height) {
        if (m_y + height > page.height() - margin && m_y > margin)
            next();
    }

    QPdfWriter& m_writer;
    QPainter& m_painter;
    const Theme& m_theme;
    qreal m_y = margin;
    int m_number = 0;
};

} // namespace

bool writeReportPdf(const ReportDocument& document, const std::vector<ReportPicture>& pictures, const Theme& theme,
                    QIODevice& out, Progress& progress) {
    QPdfWriter writer(&out);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageOrientation(QPageLayout::Landscape);
    writer.setPageMargins(QMarginsF());
    writer.setResolution(72 * fine);
    writer.setTitle(document.title);
    writer.setCreator(QStringLiteral("Warpglass"));
    QPainter painter(&writer);
    if (!painter.isActive())
        return false;
    painter.scale(fine * shrink, fine * shrink);
    painter.setRenderHint(QPainter::Antialiasing);
    PdfPages pages(writer, painter, theme);
    QFont large = theme.title();
    large.setPixelSize(qRound(large.pixelSize() * 1.4));
    pages.text(document.title, large, theme.text, 2);
    for (const ReportSection& s : document.sections) {
        pages.heading(s.heading);
        if (!s.note.isEmpty())
            pages.text(s.note, theme.small(), theme.textMuted, 4);
        pages.table(s.table);
    }
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (progress.cancelled())
            return false;
        const ReportPicture& p = pictures[i];
        pages.next();
        pages.text(p.view->title(), theme.title(), theme.text, 0);
        pages.text(p.view->question(), theme.small(), theme.textMuted, 8);
        const QRectF place = pages.rest();
        painter.save();
        painter.translate(place.topLeft());
        paintPage(composePage(*p.view, p.context, place.size().toSize()), painter);
        painter.restore();
        progress.report(double(i + 1) / double(pictures.size() + 1));
    }
    return painter.end();
}

} // namespace warpglass
