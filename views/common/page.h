// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that leave the program. Below the picture stands one line that says where its numbers come from, so that it
// still tells when nobody is there to ask.
#pragma once

#include "views/common/caption.h"
#include "views/common/view.h"

namespace warpglass {

// A picture with the line below it, ready to be written in any format.
struct Page {
    QString key, title; // of the view
    QSize size;
    QRectF footer; // null if the picture has nothing to say about itself
    QString caption;
    PicturePtr picture;
};

// previous: a picture, of an earlier page say, whose model may serve again. note: the widest that paintPage() will get.
Page composePage(const View& view, const PaintContext& context, QSize size, const PicturePtr& previous = {},
                 const QString& note = {});
// note stands at the right end of the line below.
void paintPage(const Page& page, QPainter& painter, const QString& note = {});
// The same as one SVG document, text as text.
QByteArray svgOf(const Page& page);

// Writes the page into a file; the format by suffix: .png .svg .pdf .csv. size in pixels (PNG) or points (SVG, PDF).
// Returns an empty string, or why not.
QString exportPage(const Page& page, const QString& path, qreal scale = 1.0);
QString exportView(const View& view, const PaintContext& context, const QString& path, QSize size, qreal scale = 1.0);

} // namespace warpglass
