// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/memory/memory_model.h"

#include <QRectF>
#include <QVector>

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

// Of a prediction that is painted in the picture: the lanes, and below them so many lines of 128 bytes from the one that
// the access begins in, or the 32 banks, below which the passes are played (`lines` is not used).
struct MemoryStageLayout {
    MemoryLayout parts;
    QVector<QRectF> cells; // sectors, line by line, or banks; empty where they would be too small for a hand
};
MemoryStageLayout memoryStageLayout(const QRectF& area, const ShownAccess& access, int lines, double lineHeight);

// pinned: of another run, which gets its room beside it; null: none.
MemoryLayout memoryLayout(const QRectF& area, const ShownAccess* access, double lineHeight,
                          const ShownAccess* pinned = nullptr);

} // namespace warpglass
