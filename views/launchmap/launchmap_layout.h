// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything of the launch map lies. Pure functions of an area and sizes: painting and pointing both ask here, so
// what is under the pointer is what was drawn there. No colours, no trace.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/time.h"
#include "views/launchmap/thread_layout.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <cstdint>
#include <optional>

namespace warpglass {

// Which parts are shown: a class that looks at warps has no use for 132 small SMs, and the other way round. Auto, where
// nobody chose: of several blocks where they went, until one of them is clicked; of a lone one all, as on paper.
enum class LaunchMapParts { Auto, All, Device, Block, Waves }; // Waves: grid and device without what tells their number

// Panels; an empty rectangle is not shown. Titles are one line above their panel.
struct LaunchMapLayout {
    QRectF title, chips, ghost; // ghost: the key of a recording that lies under the model
    QRectF gridTitle, grid, gridLegend;
    QRectF deviceTitle, device, deviceNote;
    QRectF chartTitle, chart, chartRuler, chartNote;
    QRectF balanceTitle, balance, balanceNote;
    QRectF threadsTitle, threads, threadsNote;
    QRectF warpsTitle, warps, warpsNote;
    QRectF lanesTitle, lanes;
};
// line: height of a line of body text in the same pixels. laneRows: rows of the lane table (5, or 6 when z is used).
// warps: of a block.
LaunchMapLayout launchMapLayout(const QRectF& area, qreal line, LaunchMapParts parts, int laneRows, std::uint32_t warps,
                                bool withGhost = false);

// Zoom of the grid: factor 1 shows all; centre is the place of the content, 0 to 1, in the middle of the panel.
struct GridZoom {
    double factor = 1;
    QPointF centre{0.5, 0.5};
    bool operator==(const GridZoom&) const = default;
};

// The grid as tiles. A grid of one row, or one so thin that its tiles would vanish, is wrapped in linear order; one
// with depth is drawn slice by slice.
struct GridGeometry {
    Dim3 grid;
    QRectF area; // panel
    bool wrapped = false;
    std::uint64_t columns = 1, rows = 1; // tiles of a slice
    std::uint64_t slices = 1, sliceColumns = 1;
    QPointF origin; // of slice 0, in painter coordinates
    QSizeF tile;    // pitch of a tile, zoomed
    qreal gap = 0;  // between slices, zoomed
    GridZoom zoom;  // as clamped

    QPointF sliceOrigin(std::uint64_t slice) const;
    QRectF tileRect(std::uint64_t block) const; // whole pitch; the painter leaves the gap
    std::optional<std::uint64_t> blockAt(QPointF point) const;
    std::uint64_t blockAtCell(std::uint64_t slice, std::uint64_t column, std::uint64_t row) const;
};
// sliceGap: between slices at factor 1 (room for a label)
GridGeometry gridGeometry(Dim3 grid, const QRectF& area, const GridZoom& zoom, qreal sliceGap);
// The zoom after `steps` of the wheel at a point: what is under the point stays there.
GridZoom zoomedAt(const GridGeometry& geometry, QPointF at, double steps);
GridZoom panned(const GridGeometry& geometry, QPointF delta);
GridZoom framed(const GridGeometry& geometry, std::uint64_t block); // block in the middle, tiles large enough to read

// The device: SMs in rows, each with the places its blocks take.
struct DeviceGeometry {
    QRectF area;
    int sms = 0, columns = 1, rows = 1;
    int places = 1, placeColumns = 1, placeRows = 1;
    QSizeF pitch;
    qreal label = 0; // height of the SM's number inside its cell; 0 = too small for one

    QRectF smRect(int sm) const;
    QRectF placeRect(int sm, int place) const;
    int smAt(QPointF point) const;            // -1: none
    int placeAt(int sm, QPointF point) const; // -1: none
};
DeviceGeometry deviceGeometry(const QRectF& area, int sms, int places, qreal labelHeight, qreal labelWidth);

// Threads as written: x to the right, y down, slices of z side by side; a row longer than can be drawn is folded.
struct ThreadGeometry {
    Dim3 block;
    QRectF area;
    std::uint32_t columns = 1, rows = 1; // of a slice
    std::uint32_t fold = 0;              // threads a drawn row when one row of x is folded; 0 = not folded
    std::uint32_t sliceColumns = 1;
    QPointF origin;
    QSizeF cell;   // may be higher than wide: a row of 80 stays one row
    qreal gap = 0; // between slices

    QRectF threadRect(Dim3 thread) const;
    std::optional<Dim3> threadAt(QPointF point) const;
};
ThreadGeometry threadGeometry(Dim3 block, const QRectF& area, qreal sliceGap, qreal largestHeight);

// Warps as rows of 32 lanes, in one or more columns of warps.
struct WarpGeometry {
    QRectF area;
    std::uint32_t warps = 0, columns = 1, rows = 1;
    qreal labelWidth = 0, rowPitch = 0, columnPitch = 0, cellWidth = 0;

    QRectF rowRect(std::uint32_t warp) const; // with its label
    QRectF laneRect(std::uint32_t warp, int lane) const;
    std::optional<std::pair<std::uint32_t, int>> laneAt(QPointF point) const;
};
WarpGeometry warpGeometry(const QRectF& area, std::uint32_t warps, qreal labelWidth, qreal line);

// The chosen warp's table: 32 columns, a row for each thing told.
struct LaneTableGeometry {
    QRectF area;
    qreal labelWidth = 0, cellWidth = 0, rowHeight = 0;
    QRectF cellRect(int row, int lane) const;
    int laneAt(QPointF point) const; // -1: none
};
LaneTableGeometry laneTableGeometry(const QRectF& area, qreal labelWidth, int rows);

} // namespace warpglass
