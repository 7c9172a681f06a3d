// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of one line of a Triton kernel, as warps and lanes hold them: from the TTGIR that the trace keeps (gpu/ttgir
// says how they lie). No pixels.
#pragma once

#include "gpu/ttgir/ttgir.h"
#include "views/common/selection.h"

#include <QString>
#include <QVector>

#include <optional>

namespace warpglass {

// Values of one lane that follow each other; of a tile in shared memory the byte at which they begin.
struct TileCell {
    int warp = -1, lane = -1, value = -1;
    std::int64_t byte = -1;
};

struct LaidTile {
    QString operation, type, layout; // "tt.load", "64x32 f16", "#ttg.blocked<{...}>"
    bool shared = false, known = false;
    ttgir::Place shape;
    std::uint32_t bits = 0;    // of an element; 0: not known
    ttgir::Place front;        // of more than two dimensions: where the shown two lie in the others, as many numbers
    int rows = 0, columns = 0; // elements as they are drawn; one dimension is wrapped into rows
    int cellRows = 1, cellColumns = 1; // elements of a cell
    int valuesALane = 0, holders = 1;  // lanes that hold the same element
    QVector<TileCell> cells;           // [row of cells][column of cells]

    int across() const { return columns / cellColumns; }
    int down() const { return rows / cellRows; }
    const TileCell& cell(int row, int column) const { return cells[row * across() + column]; }
    // "[3, 8..11]", of a cell.
    QString elements(int row, int column) const;
};

// Bytes of global memory that a lane reached by this line.
struct TileAccess {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool isStore = false;
};

struct Tiles {
    QString place, text; // "rows.py line 13", and what stands there
    std::uint32_t warps = 0;
    int warp = 0, lane = 0;  // that are chosen, of the block
    QString program;         // which instance: "3, 0, 0"
    QVector<LaidTile> tiles; // each once, in the order of the text
    QVector<TileAccess> accesses;
};

// Of the chosen line of source; nothing where no tensor is of it, or nothing is known of tensors.
std::optional<Tiles> selectedTiles(const Trace& trace, const Selection& selection);
// What is known of one tensor. Of who holds the same element this lane is told, else the first.
LaidTile tileOf(const ttgir::Tensor& tensor, const ttgir::Aliases& aliases, int warp = 0, int lane = 0);

} // namespace warpglass
