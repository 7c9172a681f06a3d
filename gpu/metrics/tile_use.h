// SPDX-License-Identifier: GPL-3.0-or-later
// What a tile of shared memory is asked for, by whatever wrote and read it: a pattern that was typed, or the accesses that a
// kernel really made. Layouts are ranked by it.
#pragma once

#include "gpu/metrics/tile_layout.h"

#include <optional>

namespace warpglass {

struct TileUse {
    std::uint32_t rows = 0, rowBytes = 0;
    std::uint32_t elementBytes = 4;
    std::uint64_t bytes = 0;                  // of the tile
    std::vector<TileRequest> writes, reads{}; // each side may be empty
};
TileUse useOf(const Tile& tile);
LayoutRanking rankLayouts(const TileUse& use);

// The bank conflicts of one request in a layout: of each active lane the byte of shared memory, and how it is served.
struct PlacedRequest {
    std::vector<std::uint64_t> places; // [active lane]
    SharedAccess served;
};
PlacedRequest placed(const TileRequest& request, const TileLayout& layout, std::uint32_t rows);
// Of these the one that takes the most passes in the layout; noIndex: there is none.
std::uint32_t worstOf(const std::vector<TileRequest>& requests, const TileLayout& layout, std::uint32_t rows);

// The accesses of one block to what one line of it touches of shared memory.
struct RecordedTile {
    TileUse use;
    std::uint64_t base = 0;                         // byte of shared memory at which it begins, a multiple of 128
    std::uint32_t writeLine = 0, readLine = 0;      // PTX lines that ask for the most passes; 0: none
    std::uint64_t requests = 0, left = 0;           // that were looked at; of more some have been left out, evenly
    std::uint32_t writerBytes = 0, readerBytes = 0; // of a lane at once, the most
    std::uint64_t copies = 0;                       // asynchronous ones that bring bytes into it, and share its pipe
};
// line: of the PTX, one that loads from or stores to shared memory. Nothing where it made no recorded access there.
std::optional<RecordedTile> recordedTile(const Trace& trace, std::uint32_t block, std::uint32_t line);

} // namespace warpglass
