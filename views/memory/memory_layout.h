// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/memory/memory_model.h"

#include <QRectF>

#include <vector>

namespace warpglass {

// Where everything of the memory view goes; a pure function of the area, the access and the font height.
struct MemoryLayout {
    QRectF title, heading, lanes, map, summary, legend, table;
    double laneWidth = 0; // one of 32, lanes.left() + lane * laneWidth

    // Global memory: one row a 128-byte line that the access touches, ascending address.
    struct LineRow {
        std::uint64_t address = 0;
        QRectF label, cells;
    };
    std::vector<LineRow> lineRows;
    double byteWidth = 0; // of a line row

    // Shared memory: one row a pass, 32 columns.
    std::vector<QRectF> passRows;
    double bankWidth = 0;

    QRectF laneCell(int lane) const {
        return {lanes.left() + lane * laneWidth, lanes.top(), laneWidth, lanes.height()};
    }
    QRectF sectorCell(const LineRow& row, int sector) const {
        return {row.cells.left() + sector * 32 * byteWidth, row.cells.top(), 32 * byteWidth, row.cells.height()};
    }
    QRectF bankCell(int pass, int bank) const {
        const QRectF& row = passRows[std::size_t(pass)];
        return {row.left() + bank * bankWidth, row.top(), bankWidth, row.height()};
    }
};

MemoryLayout memoryLayout(const QRectF& area, const ShownAccess* access, double lineHeight);

} // namespace warpglass
