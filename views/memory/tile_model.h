// SPDX-License-Identifier: GPL-3.0-or-later
// How a tile of shared memory lies, and how it would lie better: of the accesses that a block really made to it, or of a
// pattern that a person chose.
#pragma once

#include "gpu/metrics/tile_use.h"
#include "views/common/picture.h"

#include <memory>
#include <optional>

namespace warpglass {

struct ShownTile {
    TileUse use;
    std::optional<RecordedTile> recorded; // else it was chosen
    Tile chosen;
    TracePtr trace;
    QString asked;                     // what it depends on beside the trace
    std::uint32_t block = noIndex;     // row of the block table
    std::vector<RankedLayout> layouts; // [0]: as it is; then by rank
    std::uint64_t leastWrites = 0, leastReads = 0;

    // The layout that is best, unless another one is asked for.
    std::size_t layoutShown(const Options& options) const;
};
using ShownTilePtr = std::shared_ptr<const ShownTile>;

enum class MemoryPage { Access, Tile };
Choice<MemoryPage> memoryPage();
enum class TileSource { Recorded, Chosen };
Choice<TileSource> tileSource();
inline constexpr Setting<int> tileLayoutOption{"layout", -1};

// rows, columns, type, write, read: of the pattern that is chosen. Whatever else was set stays among the choices.
QVector<Switch> tileSwitches(const Options& options);
// As it is chosen; what cannot be is made possible: a lane takes one element.
Tile chosenTile(const Options& options);

ShownTilePtr shownTile(const PaintContext& context);
// Whether it is that tile still.
bool shows(const ShownTile& tile, const PaintContext& context);

QString layoutName(const ShownTile& tile, const RankedLayout& layout); // translated
QStringList tileSentences(const ShownTile& tile, const RankedLayout& layout, const Trace* trace);
QString tileHeadline(const ShownTile& tile, const Trace* trace);
QString tileCsv(const ShownTile& tile);

} // namespace warpglass
