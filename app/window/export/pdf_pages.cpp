// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/pdf_pages.h"

#include "views/common/marks.h"
#include "views/common/page.h"

#include <QMarginsF>
#include <QPageSize>

#include <algorithm>
#include <numeric>

namespace warpglass {

namespace {

constexpr QSizeF paper{595, 842}; // points, upright
constexpr qreal shrink = 0.72;
constexpr int fine = 12; // units of the writer a point
constexpr qreal pageMargin = 48;

} // namespace

PdfPages::PdfPages(QIODevice& out, QPageLayout::Orientation orientation, const QString& title, const Theme& theme)
    : m_writer(&out), m_theme(theme),
      m_page((orientation == QPageLayout::Landscape ? paper.transposed() : paper) / shrink) {
    m_writer.setPageSize(QPageSize(QPageSize::A4));
    m_writer.setPageOrientation(orientation);
    m_writer.setPageMargins(QMarginsF());
    m_writer.setResolution(72 * fine);
    m_writer.setTitle(title);
    m_writer.setCreator(QStringLiteral("Warpglass"));
    if (!m_painter.begin(&m_writer))
        return;
    m_painter.scale(fine * shrink, fine * shrink);
    m_painter.setRenderHint(QPainter::Antialiasing);
    begin();
}

void PdfPages::next() {
    m_writer.newPage();
    begin();
}

QRectF PdfPages::rest() const {
    return {pageMargin, m_y, m_page.width() - 2 * pageMargin, m_page.height() - pageMargin - m_y};
}

void PdfPages::text(const QString& words, const QFont& font, const QColor& colour, qreal below) {
    const qreal height = paintParagraph(nullptr, rest(), words, font, colour);
    if (m_measured)
        return skip(height + below);
    need(height);
    paintParagraph(&m_painter, rest(), words, font, colour);
    m_y += height + below;
}

void PdfPages::heading(const QString& words) {
    if (!m_measured)
        need(6 * lineHeight(m_theme.body())); // not alone at the foot of a page
    skip(14);
    text(words, m_theme.title(), m_theme.text, 4);
}

void PdfPages::table(const ReportTable& t) {
    const qreal sum = std::accumulate(t.shares.begin(), t.shares.end(), 0.0);
    const auto row = [&](const QVector<ReportCell>& cells, bool head) {
        QFont font = m_theme.small();
        font.setBold(head);
        qreal height = 0;
        QVector<QRectF> places;
        qreal x = pageMargin;
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
        m_painter.fillRect(QRectF(pageMargin, m_y - 1, rest().width(), 0.7), m_theme.border);
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

void PdfPages::picture(const View& view, const PaintContext& context, QSize size) {
    const qreal scale = std::min(1.0, rest().width() / size.width());
    piece(size.height() * scale, [&](QPainter& painter, const QRectF& place) {
        painter.save();
        painter.translate(place.topLeft());
        painter.scale(scale, scale);
        paintPage(composePage(view, context, size), painter);
        painter.restore();
    });
}

void PdfPages::piece(qreal height, const std::function<void(QPainter&, const QRectF&)>& paint) {
    if (m_measured)
        return skip(height);
    need(height);
    QRectF place = rest();
    place.setHeight(height);
    paint(m_painter, place);
    m_y += height;
}

bool PdfPages::together(const std::function<void()>& draws) {
    m_measured = 0;
    draws();
    const qreal height = *m_measured;
    m_measured.reset();
    if (height > m_page.height() - 2 * pageMargin)
        return false;
    need(height);
    draws();
    return true;
}

void PdfPages::begin() {
    m_painter.fillRect(QRectF(QPointF(), m_page), m_theme.window);
    m_y = pageMargin;
    ++m_number;
    paintText(m_painter, QRectF(pageMargin, m_page.height() - pageMargin + 14, m_page.width() - 2 * pageMargin, 20),
              QString::number(m_number), m_theme.small(), m_theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
}

void PdfPages::need(qreal height) {
    if (m_y + height > m_page.height() - pageMargin + 0.5 && m_y > pageMargin)
        next();
}

} // namespace warpglass
