// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_paint.h"
#include "views/timeline/timeline_text.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// Heights in whole pixels, category after category from the ground: [category][column].
struct StackHeights {
    int width = 0, height = 0;
    std::vector<std::vector<std::int32_t>> tops; // as wide as a pixel: the loops below do several at once

    const std::int32_t* top(int k) const { return tops[std::size_t(k)].data(); }
    int bottomAt(int c, int k) const { return k == 0 ? 0 : tops[std::size_t(k - 1)][std::size_t(c)]; }
    int topAt(int c, int k) const { return tops[std::size_t(k)][std::size_t(c)]; }
};

StackHeights heightsOf(const TimelineColumns& columns, int width, int height, float most) {
    StackHeights stack{width, height, {}};
    std::vector<float> sum(std::size_t(width), 0.0f);
    for (int k = 0; k < columns.categories(); ++k) {
        auto& tops = stack.tops.emplace_back(std::size_t(width));
        for (std::size_t c = 0; c < tops.size(); ++c)
            tops[c] = std::int32_t(std::min(1.0f, (sum[c] += columns.share(c, k)) / most) * float(height) + 0.5f);
    }
    return stack;
}

// Pixel row by pixel row. Waiting is dashed here as in the rows: which colour is which must not be needed.
QImage stackImage(const StackHeights& stack, const TimelineModel& model, const Theme& theme) {
    QImage image(stack.width, stack.height, QImage::Format_ARGB32_Premultiplied);
    image.fill(0);
    const QRgb ink = theme.panel.rgba();
    const std::vector<std::int32_t> ground(std::size_t(stack.width), 0);
    for (int k = 0; k < model.categories; ++k) {
        if (!model.occurs(k))
            continue;
        const QRgb colour = timelineColour(model, k, theme).rgba();
        const bool dashed = timelineHatch(model, k) == Hatch::Dash;
        const std::int32_t* bottom = k == 0 ? ground.data() : stack.top(k - 1);
        const std::int32_t* top = stack.top(k);
        const auto [lowest, highest] = std::minmax_element(top, top + stack.width);
        const int filled = *std::max_element(bottom, bottom + stack.width); // from here to the lowest: whole lines
        for (int y = 0; y < std::min<int>(*highest, stack.height); ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(stack.height - 1 - y));
            if (filled <= y && y < *lowest)
                std::fill(line, line + stack.width, colour);
            else
                for (int c = 0; c < stack.width; ++c)
                    line[c] = (bottom[c] <= y) & (y < top[c]) ? colour : line[c];
            if (dashed && y % 6 == 3)
                for (int c = 0; c < stack.width; ++c)
                    if (c % 8 < 5 && bottom[c] <= y && y < top[c])
                        line[c] = ink;
        }
    }
    return image;
}

// Waiting is dashed in a drawing as it is in pixels: a dashed line every six, cut to its category, all of one category
// in one path.
void dashStack(QPainter& painter, const QRectF& where, const StackHeights& stack, const TimelineModel& model,
               const Theme& theme) {
    QPen pen(theme.panel, 1, Qt::CustomDashLine, Qt::FlatCap);
    pen.setDashPattern({5, 3});
    for (int k = 0; k < model.categories; ++k) {
        if (!model.occurs(k) || timelineHatch(model, k) != Hatch::Dash)
            continue;
        QPainterPath lines;
        for (int y = 3; y < stack.height; y += 6)
            for (int c = 0, run = 0; c < stack.width; c += run + 1) {
                const auto within = [&](int at) {
                    return at < stack.width && stack.bottomAt(at, k) <= y && y < stack.topAt(at, k);
                };
                for (run = 0; within(c + run); ++run) {
                }
                if (run < 3) // too short for a dash
                    continue;
                lines.moveTo(where.left() + c, where.bottom() - y - 0.5);
                lines.lineTo(where.left() + c + run, where.bottom() - y - 0.5);
            }
        painter.strokePath(lines, pen);
    }
}

// One outline a category, along its top and back along its bottom: a tenth of what rectangles take in a file.
void drawStack(QPainter& painter, const QRectF& where, const StackHeights& stack, const TimelineModel& model,
               const Theme& theme) {
    painter.setPen(Qt::NoPen);
    for (int k = 0; k < model.categories; ++k) {
        if (!model.occurs(k))
            continue;
        QPolygonF outline;
        const auto edge = [&](const auto& heightAt, bool back) {
            for (int n = 0; n < stack.width;) {
                const int c = back ? stack.width - 1 - n : n;
                const int h = heightAt(c);
                int run = 1;
                while (n + run < stack.width && heightAt(back ? c - run : c + run) == h)
                    ++run;
                const double y = where.bottom() - h;
                const double from = where.left() + (back ? c + 1 : c);
                outline << QPointF(from, y) << QPointF(back ? from - run : from + run, y);
                n += run;
            }
        };
        edge([&](int c) { return stack.topAt(c, k); }, false);
        edge([&](int c) { return stack.bottomAt(c, k); }, true);
        painter.setBrush(timelineColour(model, k, theme));
        painter.drawPolygon(outline);
    }
    dashStack(painter, where, stack, model, theme);
}

constexpr int knownPitch = 4; // px from line to line of the hatch

// A pale ground with upright lines: no state has those.
void drawKnown(QPainter& painter, const QRectF& where, const StackHeights& stack, const std::vector<float>& known,
               float most, const Theme& theme) {
    const int last = int(stack.tops.size()) - 1;
    QPolygonF ground;
    std::vector<QPointF> back;
    QVector<QLineF> lines;
    for (int c = 0; c < stack.width; ++c) {
        const int from = last < 0 ? 0 : stack.topAt(c, last);
        const double high = double(known[std::size_t(c)]) / double(most) * stack.height;
        const double y0 = where.bottom() - from, y1 = std::max(where.bottom() - stack.height, y0 - high);
        const double x = where.left() + c;
        ground << QPointF(x, y1) << QPointF(x + 1, y1);
        back.insert(back.end(), {QPointF(x, y0), QPointF(x + 1, y0)});
        if (c % knownPitch == 0 && y0 - y1 > 0.5)
            lines << QLineF(x + 0.5, y0, x + 0.5, y1);
    }
    for (std::size_t i = back.size(); i >= 2; i -= 2)
        ground << back[i - 1] << back[i - 2];
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    painter.drawPolygon(ground);
    painter.setPen(QPen(theme.textMuted, 1));
    painter.drawLines(lines);
}

} // namespace

void paintKnownSwatch(QPainter& painter, const QRectF& cell, const Theme& theme) {
    painter.fillRect(cell, theme.border);
    painter.setPen(QPen(theme.textMuted, 1));
    for (double x = cell.left() + 1.5; x < cell.right(); x += knownPitch)
        painter.drawLine(QLineF(x, cell.top(), x, cell.bottom()));
}

bool paintsPixels(const QPainter& painter) {
    return painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster;
}

std::uint64_t timelineStackTop(const TimelineModel& model, TimeRange window) {
    return std::max<std::uint64_t>(1, model.atOnce.most(window));
}

void paintTimelineStack(QPainter& painter, const QRectF& where, const TimelineModel& model,
                        const TimelineColumns& columns, const std::vector<float>& known,
                        std::optional<std::uint64_t> top, const Theme& theme) {
    const int width = int(columns.size()), height = int(where.height());
    if (width < 2 || height < 2)
        return;
    float most = top ? float(*top) : 1;
    for (std::size_t c = 0; c < columns.size() && !top; ++c)
        most = std::max(most, columns.busy(c) + (known.empty() ? 0 : known[c]));
    const StackHeights stack = heightsOf(columns, width, height, most);
    if (paintsPixels(painter))
        painter.drawImage(QPointF(where.left(), where.bottom() - height), stackImage(stack, model, theme));
    else
        drawStack(painter, where, stack, model, theme);
    if (!known.empty())
        drawKnown(painter, where, stack, known, most, theme);
    if (!top)
        return;
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(where.bottomLeft(), where.bottomRight());
    const double label = lineHeight(theme.small()) * 8;
    paintText(painter, QRectF(where.left() - label - 6, where.top() - 2, label, lineHeight(theme.small())),
              agreeing(TimelineText::tr("%1 {warp|warps}"), numberText(*top)), theme.small(), theme.textMuted,
              Qt::AlignRight);
    paintText(
        painter,
        QRectF(where.left() - label - 6, where.bottom() - lineHeight(theme.small()), label, lineHeight(theme.small())),
        QString("0"), theme.small(), theme.textMuted, Qt::AlignRight);
}

} // namespace warpglass
