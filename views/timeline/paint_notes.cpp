// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"
#include "views/timeline/timeline_paint.h"

#include <QPainterPath>

#include <algorithm>

namespace warpglass {

void paintTimelineNotes(QPainter& painter, const TimelineLayout& layout, const TimelineNotes& notes,
                        const Theme& theme) {
    const double text = lineHeight(theme.small());
    double free = layout.rows.left(); // to the right of the last words
    for (const TimelineNote& note : notes) {
        const double x = layout.scale.x(note.time);
        if (x < layout.rows.left() || x > layout.rows.right())
            continue;
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, layout.stacked.top()), QPointF(x, layout.rows.bottom()));
        const double size = text * 0.55;
        QPainterPath flag(QPointF(x, layout.ruler.top() - size * 1.2));
        flag.lineTo(x + size * 1.2, layout.ruler.top() - size * 0.6);
        flag.lineTo(x, layout.ruler.top());
        flag.closeSubpath();
        painter.fillPath(flag, theme.accent);
        if (note.text.isEmpty())
            continue;
        const double most = std::min(textWidth(theme.small(), note.text) + 10, text * 16);
        const double width = std::min(most, layout.rows.right() - x);
        if (x < free || width < text * 3)
            continue;
        const QRectF label(x, layout.stacked.top(), width, text * 1.2);
        painter.fillRect(label, theme.panel);
        painter.fillRect(QRectF(label.left(), label.top(), 2, label.height()), theme.accent);
        paintText(painter, label.adjusted(6, 0, -2, 0), note.text, theme.small(), theme.text);
        free = label.right() + 4;
    }
}

} // namespace warpglass
