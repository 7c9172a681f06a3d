// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <QImage>

#include <algorithm>
#include <cmath>
#include <span>

namespace warpglass {

namespace {

// A colour a column: a line of pixels, repeated down the strip as a pattern is, which needs no image as large as the
// strip. A drawing, and a screen with finer pixels than ours, gets the line stretched.
void paintColumns(QPainter& painter, const QRectF& strip, const std::vector<std::int8_t>& value,
                  std::span<const QColor> colours) {
    const int top = qRound(strip.top()), below = qRound(strip.bottom());
    const bool stretched = !paintsPixels(painter) || painter.device()->devicePixelRatioF() != 1 || below <= top;
    // Where nothing shows through, pixels are copied instead of blended.
    const bool gaps = stretched || std::any_of(value.begin(), value.end(), [](std::int8_t v) { return v < 0; }) ||
                      std::any_of(colours.begin(), colours.end(), [](const QColor& c) { return c.alpha() != 255; });
    QImage image(int(value.size()), 1, gaps ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(0));
    QRgb rgb[timelineCategories + 1] = {0}; // [0] nothing
    for (std::size_t k = 0; k < colours.size() && k < timelineCategories; ++k)
        rgb[k + 1] = colours[k].rgba();
    for (std::size_t c = 0; c < value.size(); ++c)
        line[c] = rgb[value[c] + 1];
    if (stretched) {
        painter.drawImage(strip, image);
        return;
    }
    const int left = qRound(strip.left());
    painter.setBrushOrigin(left, top);
    painter.fillRect(QRect(left, top, image.width(), below - top), QBrush(image));
    painter.setBrushOrigin(0, 0);
}

// One value a column, -1 for nothing. Runs of equal values become one rectangle each; where they are nearly as many as
// pixels, an image one pixel high and scaled to the strip is faster, and smaller in a file.
void paintStrip(QPainter& painter, const QRectF& strip, const std::vector<std::int8_t>& value,
                std::span<const QColor> colours, std::span<const Hatch> hatches, const QColor& ink) {
    std::size_t runs = 0;
    int last = -1;
    for (std::int8_t here : value) {
        runs += here != last;
        last = here;
    }
    if (runs == 0)
        return;
    const double pitch = strip.width() / double(value.size());
    if (runs < 64 || (!paintsPixels(painter) && runs < 256)) {
        for (std::size_t c = 0; c < value.size();) {
            std::size_t end = c + 1;
            while (end < value.size() && value[end] == value[c])
                ++end;
            if (value[c] >= 0) {
                const QRectF span(strip.left() + double(c) * pitch, strip.top(), double(end - c) * pitch,
                                  strip.height());
                painter.fillRect(span, colours[std::size_t(value[c])]);
                if (std::size_t(value[c]) < hatches.size())
                    paintHatch(painter, span, hatches[std::size_t(value[c])], ink);
            }
            c = end;
        }
        return;
    }
    paintColumns(painter, strip, value, colours);
    if (hatches.empty() || !paintsPixels(painter))
        return;
    constexpr std::size_t leastHatched = 16; // px: shorter runs have no room for a hatch that reads as one
    for (std::size_t c = 0; c < value.size();) {
        std::size_t end = c + 1;
        while (end < value.size() && value[end] == value[c])
            ++end;
        if (value[c] >= 0 && end - c >= leastHatched && std::size_t(value[c]) < hatches.size())
            paintHatch(painter,
                       QRectF(strip.left() + double(c) * pitch, strip.top(), double(end - c) * pitch, strip.height()),
                       hatches[std::size_t(value[c])], ink);
        c = end;
    }
}

// Lines are painted without antialiasing, and none reaches beyond the rows' place.
void clipToRows(QPainter& painter, const TimelineLayout& layout) {
    painter.setClipRect(QRectF(layout.labels.left(), layout.rows.top(), layout.rows.right() - layout.labels.left(),
                               layout.rows.height()),
                        Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

QRectF wholeLine(const TimelineLayout& layout, const TimelineLine& line) {
    return {layout.labels.left(), line.y, layout.rows.right() - layout.labels.left(), line.height};
}

bool isMarked(const TimelineModel& model, const TimelineLine& line, std::uint32_t chosen) {
    const auto& warps = model.rows[line.row].warps;
    return chosen != noIndex && std::find(warps.begin(), warps.end(), chosen) != warps.end();
}

// Under a head, and under the marked row; where: all of the line, or its pixels.
void paintGround(QPainter& painter, const TimelineModel& model, const TimelineLine& line, const QRectF& where,
                 std::uint32_t chosen, const Theme& theme) {
    if (line.row == noIndex)
        painter.fillRect(QRectF(QPointF(where.left(), std::max(where.top(), line.y + 1)), where.bottomRight()),
                         theme.sunken);
    else if (isMarked(model, line, chosen))
        painter.fillRect(where, theme.accentSoft);
}

} // namespace

QRect pixelsOfLine(const TimelineLayout& layout, const TimelineLine& line) {
    const QRectF& rows = layout.rows;
    const int left = int(std::ceil(rows.left())) + 1, right = int(std::floor(rows.right())) - 1;
    const int top = std::max(qRound(line.y), int(std::ceil(rows.top())) + 1);
    const int below = std::min(qRound(line.y + line.height), int(std::floor(rows.bottom())) - 1);
    return {left, top, std::max(0, right - left), std::max(0, below - top)};
}

void paintTimelineGrounds(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                          std::uint32_t chosen, const Theme& theme) {
    painter.save();
    clipToRows(painter, layout);
    for (const TimelineLine& line : layout.lines)
        paintGround(painter, model, line, wholeLine(layout, line), chosen, theme);
    painter.restore();
}

void paintTimelineLabels(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                         std::uint32_t chosen, const Theme& theme) {
    painter.save();
    clipToRows(painter, layout);
    const double text = lineHeight(theme.small());
    for (std::size_t n = 0; n < layout.lines.size(); ++n) {
        const TimelineLine& line = layout.lines[n];
        const QRectF all = wholeLine(layout, line);
        if (line.row != noIndex) {
            if (line.height >= text * 0.9)
                paintText(painter,
                          QRectF(all.left() + text * 1.3, line.y, layout.labels.width() - text * 1.5, line.height),
                          rowLabel(model, model.rows[line.row]), theme.small(),
                          isMarked(model, line, chosen) ? theme.text : theme.textMuted);
            continue;
        }
        const TimelineGroup& group = model.groups[line.group];
        const bool open = n + 1 < layout.lines.size() && layout.lines[n + 1].row != noIndex;
        painter.setRenderHint(QPainter::Antialiasing, true);
        paintChevron(painter, QPointF(all.left() + text * 0.6, all.center().y()), text * 0.28, open, theme.textMuted);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QRectF place(all.left() + text * 1.3, all.top(), layout.labels.width() - text * 1.5 - 8, all.height());
        const double used = paintText(painter, place, groupLabel(model, group), theme.body(), theme.text);
        const QString count = agreeing(TimelineText::tr("%1 {warp|warps}"), numberText(std::uint64_t(group.warps)));
        if (used + textWidth(theme.small(), count) + text < place.width())
            paintText(painter, place, count, theme.small(), theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    painter.restore();
}

void paintTimelineRows(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                       const TimelineFrame& frame, std::uint32_t chosen, bool ground, const Theme& theme) {
    std::vector<QColor> colours, steps;
    std::vector<Hatch> hatches;
    for (int k = 0; k < model.categories; ++k) {
        colours.push_back(timelineColour(model, k, theme));
        hatches.push_back(timelineHatch(model, k));
    }
    for (int s = 0; s < laneSteps; ++s)
        steps.push_back(laneStepColour(s, theme));
    painter.save();
    clipToRows(painter, layout);
    SpanWords words;
    for (std::size_t n = 0; n < layout.lines.size(); ++n) {
        const TimelineLine& line = layout.lines[n];
        if (const QRect pixels = pixelsOfLine(layout, line); ground && !pixels.isEmpty()) {
            painter.fillRect(pixels, theme.window);
            paintGround(painter, model, line, pixels, chosen, theme);
        }
        if (line.row == noIndex) {
            paintTimelineStack(painter, QRectF(layout.rows.left(), line.y + 3, layout.rows.width(), line.height - 4),
                               model, frame.heads[n], frame.headsKnown[n], std::nullopt, theme);
            continue;
        }
        const double inset = line.height >= 8 ? 1 : 0;
        const QRectF bar(layout.rows.left(), line.y + inset, layout.rows.width(), line.height - inset * 2);
        const TimelineRowPicture& picture = frame.rows[n];
        const double strip = picture.lanes.empty() ? 0 : bar.height() * 0.28;
        paintStrip(painter, bar.adjusted(0, 0, 0, -strip), picture.state, colours, hatches, theme.panel);
        if (strip > 0)
            paintStrip(painter, QRectF(bar.left(), bar.bottom() - strip, bar.width(), strip), picture.lanes, steps, {},
                       theme.panel);
        if (bar.height() >= 12)
            paintTimelineSpans(painter, layout, model, model.rows[line.row], picture, bar, words, theme);
    }
    painter.restore();
    if (layout.contentHeight > layout.rows.height()) {
        const double share = layout.rows.height() / layout.contentHeight;
        painter.fillRect(QRectF(layout.rows.right() + 3, layout.rows.top() + layout.scroll * share, 4,
                                std::max(14.0, layout.rows.height() * share)),
                         theme.border);
    }
}

} // namespace warpglass
