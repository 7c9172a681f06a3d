// SPDX-License-Identifier: GPL-3.0-or-later
// The device, the threads of a block, its warps, a warp's lanes, and the time axis.
#include "views/launchmap/launchmap_layout.h"

#include <algorithm>
#include <cmath>

namespace warpglass {
namespace {

template <typename T>
T divideUp(T a, T b) {
    return (a + b - 1) / b;
}

} // namespace

DeviceGeometry deviceGeometry(const QRectF& area, int sms, int places, qreal labelHeight, qreal labelWidth) {
    DeviceGeometry g;
    g.area = area;
    g.sms = std::max(sms, 0);
    g.places = std::max(places, 1);
    if (g.sms == 0 || area.isEmpty()) {
        return g;
    }
    // Places two wide and one high to an SM look like the SM's parts; the best split leaves cells nearest to 1.3 : 1.
    double best = 1e300;
    for (int columns = 1; columns <= g.sms; ++columns) {
        const int rows = divideUp(g.sms, columns);
        const double w = area.width() / columns, h = area.height() / rows;
        const double unfilled = double(columns * rows - g.sms) / g.sms;
        const double score = std::abs(std::log(w / h / 1.3)) + 1.5 * unfilled;
        if (score < best) {
            best = score;
            g.columns = columns;
            g.rows = rows;
        }
    }
    g.pitch = {std::min(area.width() / g.columns, 150.0), std::min(area.height() / g.rows, 110.0)};
    g.label = g.pitch.height() >= 2.2 * labelHeight && g.pitch.width() >= labelWidth + 6 ? labelHeight : 0;
    const double w = g.pitch.width() - 6, h = g.pitch.height() - 6 - g.label;
    best = -1;
    for (int columns = 1; columns <= g.places; ++columns) {
        const int rows = divideUp(g.places, columns);
        // Two columns of three and one of two are harder to count than four of two.
        const double side = std::min(w / columns, h / rows * 1.6) * (columns * rows == g.places ? 1.0 : 0.7);
        if (side > best + 1e-9) {
            best = side;
            g.placeColumns = columns;
            g.placeRows = rows;
        }
    }
    return g;
}

QRectF DeviceGeometry::smRect(int sm) const {
    const int column = sm % columns, row = sm / columns;
    return QRectF(area.left() + column * pitch.width(), area.top() + row * pitch.height(), pitch.width(),
                  pitch.height())
        .adjusted(1, 1, -1, -1);
}

QRectF DeviceGeometry::placeRect(int sm, int place) const {
    const QRectF in = smRect(sm).adjusted(2, 2 + label, -2, -2);
    const qreal w = in.width() / placeColumns, h = in.height() / placeRows;
    const qreal gap = w >= 4 && h >= 4 ? 1 : 0;
    const int column = place % placeColumns, row = place / placeColumns;
    return QRectF(in.left() + column * w, in.top() + row * h, w, h)
        .adjusted(gap * 0.5, gap * 0.5, -gap * 0.5, -gap * 0.5);
}

int DeviceGeometry::smAt(QPointF p) const {
    if (!area.contains(p) || pitch.isEmpty()) {
        return -1;
    }
    const int column = int((p.x() - area.left()) / pitch.width()), row = int((p.y() - area.top()) / pitch.height());
    const int sm = row * columns + column;
    return column < columns && sm < sms ? sm : -1;
}

int DeviceGeometry::placeAt(int sm, QPointF p) const {
    for (int place = 0; sm >= 0 && place < places; ++place) {
        if (placeRect(sm, place).contains(p)) {
            return place;
        }
    }
    return -1;
}

ThreadGeometry threadGeometry(Dim3 block, const QRectF& area, qreal sliceGap, qreal largestHeight) {
    ThreadGeometry g;
    g.block = block;
    g.area = area;
    g.columns = std::max(block.x, 1u);
    g.rows = std::max(block.y, 1u);
    const std::uint32_t slices = std::max(block.z, 1u);
    // A row too long to be seen thread by thread is folded at a multiple of 32, so that edges of warps still line up.
    if (slices == 1 && block.y <= 1 && block.x > 64 && area.width() / block.x < 3) {
        g.fold = 64;
        g.columns = g.fold;
        g.rows = divideUp(block.x, g.fold);
    }
    double best = -1;
    for (std::uint32_t across = 1; across <= slices; ++across) {
        const std::uint32_t down = divideUp(slices, across);
        const qreal gap = slices > 1 ? sliceGap : 0;
        const qreal w = (area.width() - gap * (across - 1)) / (double(across) * g.columns);
        const qreal h = (area.height() - gap * (slices > 1 ? down : 0)) / (double(down) * g.rows);
        const QSizeF cell(std::min({w, 2 * h, 2 * largestHeight}), std::min({h, 4 * w, largestHeight}));
        const double side = std::min(cell.width(), cell.height());
        if (side > best + 1e-9) {
            best = side;
            g.cell = cell.expandedTo({0.05, 0.05});
            g.gap = gap;
            g.sliceColumns = across;
        }
    }
    g.origin = area.topLeft() + QPointF(0, slices > 1 ? g.gap : 0);
    return g;
}

QRectF ThreadGeometry::threadRect(Dim3 t) const {
    const std::uint32_t column = fold ? t.x % fold : t.x, row = fold ? t.x / fold : t.y;
    const std::uint32_t across = t.z % sliceColumns, down = t.z / sliceColumns; // of its slice
    return {origin.x() + across * (columns * cell.width() + gap) + column * cell.width(),
            origin.y() + down * (rows * cell.height() + gap) + row * cell.height(), cell.width(), cell.height()};
}

std::optional<Dim3> ThreadGeometry::threadAt(QPointF p) const {
    const QPointF in = p - origin;
    if (!area.contains(p) || in.x() < 0 || in.y() < 0 || cell.isEmpty()) {
        return std::nullopt;
    }
    const qreal width = columns * cell.width() + gap, height = rows * cell.height() + gap;
    const auto across = std::uint32_t(in.x() / width), down = std::uint32_t(in.y() / height);
    const std::uint32_t z = down * sliceColumns + across;
    const auto column = std::uint32_t((in.x() - across * width) / cell.width());
    const auto row = std::uint32_t((in.y() - down * height) / cell.height());
    if (across >= sliceColumns || z >= std::max(block.z, 1u) || column >= columns || row >= rows) {
        return std::nullopt;
    }
    const Dim3 t = fold ? Dim3{row * fold + column, 0, 0} : Dim3{column, row, z};
    return t.x < block.x && t.y < std::max(block.y, 1u) ? std::optional(t) : std::nullopt;
}

WarpGeometry warpGeometry(const QRectF& area, std::uint32_t warps, qreal labelWidth, qreal line) {
    WarpGeometry g;
    g.area = area;
    g.warps = warps;
    g.labelWidth = labelWidth;
    const std::uint32_t n = std::max(warps, 1u);
    // One column while rows stay readable; then two, then four, if labels leave the lanes as much as can be seen there.
    constexpr qreal betweenColumns = 8, leastLanes = 24; // px
    const auto hasRoom = [&](std::uint32_t columns) {
        return area.width() / columns - labelWidth - betweenColumns >= leastLanes;
    };
    while (g.columns < 4 && area.height() / divideUp(n, g.columns) < 0.85 * line && n > 4 * g.columns &&
           hasRoom(2 * g.columns)) {
        g.columns *= 2;
    }
    g.rows = divideUp(n, g.columns);
    g.rowPitch = std::min(area.height() / g.rows, 2.4 * line);
    g.columnPitch = area.width() / g.columns;
    g.cellWidth = (g.columnPitch - labelWidth - (g.columns > 1 ? betweenColumns : 0)) / lanesPerWarp;
    return g;
}

QRectF WarpGeometry::rowRect(std::uint32_t warp) const {
    const std::uint32_t column = warp / rows, row = warp % rows;
    return {area.left() + column * columnPitch, area.top() + row * rowPitch, labelWidth + cellWidth * lanesPerWarp,
            rowPitch};
}

QRectF WarpGeometry::laneRect(std::uint32_t warp, int lane) const {
    const QRectF row = rowRect(warp);
    return {row.left() + labelWidth + lane * cellWidth, row.top(), cellWidth, rowPitch};
}

std::optional<std::pair<std::uint32_t, int>> WarpGeometry::laneAt(QPointF p) const {
    if (!area.contains(p) || cellWidth <= 0 || rowPitch <= 0) {
        return std::nullopt;
    }
    const auto column = std::uint32_t((p.x() - area.left()) / columnPitch);
    const auto row = std::uint32_t((p.y() - area.top()) / rowPitch);
    const std::uint32_t warp = column * rows + row;
    if (row >= rows || warp >= warps) {
        return std::nullopt;
    }
    const double lane = std::floor((p.x() - rowRect(warp).left() - labelWidth) / cellWidth);
    return std::pair(warp, lane >= 0 && lane < lanesPerWarp ? int(lane) : -1); // -1: its label
}

LaneTableGeometry laneTableGeometry(const QRectF& area, qreal labelWidth, int rows) {
    return {area, labelWidth, (area.width() - labelWidth) / lanesPerWarp, area.height() / std::max(rows, 1)};
}

QRectF LaneTableGeometry::cellRect(int row, int lane) const {
    return {area.left() + labelWidth + lane * cellWidth, area.top() + row * rowHeight, cellWidth, rowHeight};
}

int LaneTableGeometry::laneAt(QPointF p) const {
    if (!area.contains(p) || p.x() < area.left() + labelWidth) {
        return -1;
    }
    return std::min(lanesPerWarp - 1, int((p.x() - area.left() - labelWidth) / cellWidth));
}

} // namespace warpglass
