// SPDX-License-Identifier: GPL-3.0-or-later
// Paper that fills from top to bottom: paragraphs, tables and pictures on A4 pages of a PDF, a new page where the old one
// is full. Laid out in pixels of the screen and shrunk to paper, so that the type is that of the views: 10 pt becomes 7.2.
#pragma once

#include "app/window/export/report_parts.h"

#include <QPageLayout>
#include <QPdfWriter>

#include <functional>

#include <optional>

namespace warpglass {

class PdfPages {
public:
    PdfPages(QIODevice& out, QPageLayout::Orientation orientation, const QString& title, const Theme& theme);

    bool good() const { return m_painter.isActive(); } // false: the device takes nothing
    void next();                                       // a new page
    QRectF rest() const;                               // of this page
    void skip(qreal height) { (m_measured ? *m_measured : m_y) += height; }
    // What is drawn by this stands on one page, on the next one if need be; false: it is longer than any page, and nothing
    // was done.
    bool together(const std::function<void()>& draws);

    void text(const QString& words, const QFont& font, const QColor& colour, qreal below);
    void heading(const QString& words);
    void table(const ReportTable& table);
    // A picture of this size as wide as the page, shrunk if it must be.
    void picture(const View& view, const PaintContext& context, QSize size);
    // What needs so much height in one piece; paint gets the place.
    void piece(qreal height, const std::function<void(QPainter&, const QRectF&)>& paint);
    bool end() { return m_painter.end(); }

private:
    void begin();
    void need(qreal height);

    QPdfWriter m_writer;
    QPainter m_painter;
    const Theme& m_theme;
    QSizeF m_page;
    qreal m_y = 0;
    int m_number = 0;
    std::optional<qreal> m_measured; // nothing is drawn: how high it would be
};

} // namespace warpglass
