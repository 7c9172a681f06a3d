// SPDX-License-Identifier: GPL-3.0-or-later
// The grid's tiles, and zooming in them.
#include "views/launchmap/launchmap_layout.h"

#include <algorithm>
#include <cmath>

namespace warpglass {
namespace {

constexpr double stretch = 6;       // a tile may be so many times wider than high, or the other way round
constexpr double thinnest = 48;     // a slice more drawn out than this is wrapped
constexpr double largestTile = 40;  // px at factor 1
constexpr double readableTile = 72; // px: room for blockIdx and SM

std::uint64_t divideUp(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

// Tiles as large as fit, stretched where that fills more of the area.
QSizeF fittingTile(double columns, double rows, QSizeF room) {
    double w = room.width() / columns, h = room.height() / rows;
    w = std::min(w, h * stretch);
    h = std::min(h, w * stretch);
    const double side = std::min(w, h);
    if (side >= 6) { // large enough to be read as squares
        w = std::min(w, side * 2);
        h = std::min(h, side * 1.2);
    }
    return {std::min(w, largestTile * 1.8), std::min(h, largestTile)};
}

// Columns for n tiles in a row of rows: near the area's own shape, and a number people count in.
std::uint64_t wrapColumns(std::uint64_t n, QSizeF room) {
    const double ideal = std::sqrt(double(n) * room.width() / std::max(1.0, room.height()));
    if (n <= 16 && double(n) * 14 <= room.width()) {
        return std::max<std::uint64_t>(n, 1);
    }
    std::uint64_t power = 1;
    while (double(power) * 1.42 < ideal) {
        power *= 2;
    }
    return std::clamp<std::uint64_t>(power, 1, std::max<std::uint64_t>(n, 1));
}

} // namespace

GridGeometry gridGeometry(Dim3 grid, const QRectF& area, const GridZoom& zoom, qreal sliceGap) {
    GridGeometry g;
    g.grid = grid;
    g.area = area;
    const std::uint64_t n = std::max<std::uint64_t>(grid.count(), 1);
    const double aspect = double(std::max(grid.x, grid.y)) / std::max(1u, std::min(grid.x, grid.y));
    g.wrapped = grid.z <= 1 && (grid.y <= 1 || grid.x <= 1 || aspect > thinnest);
    if (g.wrapped) {
        g.columns = wrapColumns(n, area.size());
        g.rows = divideUp(n, g.columns);
    } else {
        g.columns = grid.x;
        g.rows = grid.y;
        g.slices = std::max(1u, grid.z);
    }

    QSizeF tile;
    qreal gap = 0;
    if (g.slices == 1) {
        tile = fittingTile(double(g.columns), double(g.rows), area.size());
    } else {
        double best = -1;
        for (std::uint64_t across = 1; across <= std::min<std::uint64_t>(g.slices, 64); ++across) {
            const std::uint64_t down = divideUp(g.slices, across);
            const double most = 0.5 * std::min(area.width() / double(across), area.height() / double(down));
            const qreal room = std::min(sliceGap, most);
            const QSizeF t =
                fittingTile(double(across * g.columns), double(down * g.rows),
                            {area.width() - room * double(across - 1), area.height() - room * double(down)});
            const double side = std::min(t.width(), t.height()), score = side + 1e-3 * t.width() * t.height();
            if (score > best) {
                best = score;
                tile = t;
                gap = room;
                g.sliceColumns = across;
            }
        }
    }

    const double largest = std::max(1.0, 1.5 * readableTile / std::max(1e-9, std::min(tile.width(), tile.height())));
    g.zoom.factor = std::clamp(zoom.factor, 1.0, largest);
    g.tile = tile * g.zoom.factor;
    g.gap = gap * g.zoom.factor;
    const std::uint64_t down = divideUp(g.slices, g.sliceColumns);
    const QSizeF content(g.tile.width() * double(g.columns * g.sliceColumns) + g.gap * double(g.sliceColumns - 1),
                         g.tile.height() * double(g.rows * down) + g.gap * double(g.slices > 1 ? down : 0));
    // The content covers the panel where it is larger, and lies at its top left where it is not: like text.
    const auto place = [](double centre, double content1, double panel, double start) {
        if (content1 <= panel) {
            return std::pair(start, 0.5);
        }
        const double half = 0.5 * panel / content1, c = std::clamp(centre, half, 1 - half);
        return std::pair(start + panel / 2 - c * content1, c);
    };
    const auto [x, cx] = place(zoom.centre.x(), content.width(), area.width(), area.left());
    const auto [y, cy] = place(zoom.centre.y(), content.height(), area.height(), area.top());
    g.origin = {x, y + (g.slices > 1 ? g.gap : 0)};
    g.zoom.centre = {cx, cy};
    return g;
}

QPointF GridGeometry::sliceOrigin(std::uint64_t slice) const {
    const std::uint64_t column = slice % sliceColumns, row = slice / sliceColumns;
    return origin + QPointF(double(column) * (double(columns) * tile.width() + gap),
                            double(row) * (double(rows) * tile.height() + gap));
}

QRectF GridGeometry::tileRect(std::uint64_t block) const {
    const std::uint64_t perSlice = wrapped ? grid.count() : std::uint64_t(grid.x) * grid.y;
    const std::uint64_t slice = block / perSlice, n = block % perSlice;
    const QPointF at = sliceOrigin(slice);
    const std::uint64_t column = n % columns, row = n / columns;
    return {at.x() + double(column) * tile.width(), at.y() + double(row) * tile.height(), tile.width(), tile.height()};
}

std::uint64_t GridGeometry::blockAtCell(std::uint64_t slice, std::uint64_t column, std::uint64_t row) const {
    return (slice * rows + row) * columns + column;
}

std::optional<std::uint64_t> GridGeometry::blockAt(QPointF p) const {
    if (!area.contains(p)) {
        return std::nullopt;
    }
    const double width = double(columns) * tile.width() + gap, height = double(rows) * tile.height() + gap;
    const double sx = std::floor((p.x() - origin.x()) / width), sy = std::floor((p.y() - origin.y()) / height);
    if (sx < 0 || sy < 0 || sx >= double(sliceColumns)) {
        return std::nullopt;
    }
    const std::uint64_t slice = std::uint64_t(sy) * sliceColumns + std::uint64_t(sx);
    if (slice >= slices) {
        return std::nullopt;
    }
    const QPointF in = p - sliceOrigin(slice);
    const double column = std::floor(in.x() / tile.width()), row = std::floor(in.y() / tile.height());
    if (column < 0 || row < 0 || column >= double(columns) || row >= double(rows)) {
        return std::nullopt;
    }
    const std::uint64_t block = blockAtCell(slice, std::uint64_t(column), std::uint64_t(row));
    return block < grid.count() ? std::optional(block) : std::nullopt;
}

namespace {

QSizeF contentSize(const GridGeometry& g) {
    const std::uint64_t down = divideUp(g.slices, g.sliceColumns);
    return {g.tile.width() * double(g.columns * g.sliceColumns) + g.gap * double(g.sliceColumns - 1),
            g.tile.height() * double(g.rows * down) + g.gap * double(g.slices > 1 ? down : 0)};
}

QPointF contentOrigin(const GridGeometry& g) {
    return g.origin - QPointF(0, g.slices > 1 ? g.gap : 0);
}

} // namespace

GridZoom zoomedAt(const GridGeometry& g, QPointF at, double steps) {
    const double factor = std::max(1.0, g.zoom.factor * std::pow(1.25, steps));
    const QSizeF now = contentSize(g);
    const QPointF top = contentOrigin(g);
    const QPointF under((at.x() - top.x()) / now.width(), (at.y() - top.y()) / now.height());
    const double ratio = factor / g.zoom.factor;
    const QPointF off = g.area.center() - at;
    return {factor, {under.x() + off.x() / (now.width() * ratio), under.y() + off.y() / (now.height() * ratio)}};
}

GridZoom panned(const GridGeometry& g, QPointF delta) {
    const QSizeF now = contentSize(g);
    return {g.zoom.factor, {g.zoom.centre.x() - delta.x() / now.width(), g.zoom.centre.y() - delta.y() / now.height()}};
}

GridZoom framed(const GridGeometry& g, std::uint64_t block) {
    const double side = std::min(g.tile.width(), g.tile.height());
    const QSizeF now = contentSize(g);
    const QPointF in = g.tileRect(block).center() - contentOrigin(g);
    return {std::max(1.0, g.zoom.factor * readableTile / side), {in.x() / now.width(), in.y() / now.height()}};
}

} // namespace warpglass
