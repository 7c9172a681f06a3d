// SPDX-License-Identifier: GPL-3.0-or-later
// Where the bytes of a tile lie in shared memory, and in how many passes a writer and a reader get at them: the tile as it
// is, with longer rows, with swizzled addresses, or as the copy unit (TMA) lays it down. All are worked out and put in order.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/metrics/memory_access.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

enum class TileOrder : std::uint8_t { Plain, Padded, Swizzled, Boxes };
template <>
inline constexpr auto enumWords<TileOrder> = EnumWords("layout of a tile", {"plain", "padded", "swizzled", "boxes"});

// Bytes of a tile, row behind row, to bytes of shared memory.
struct TileLayout {
    TileOrder order = TileOrder::Plain;
    std::uint32_t rowBytes = 0;
    std::uint32_t padding = 0; // Padded: bytes behind each row
    // Swizzled, Boxes: of the address of a byte the bits from `base` on, `bits` of them, are combined (exclusive or) with as
    // many that lie `shift` higher: CuTe's Swizzle<bits, base, shift>, there counted in elements.
    std::uint32_t bits = 0, base = 0, shift = 0;
    std::uint32_t span = 0; // Boxes: bytes of a box's rows; boxes lie one behind the other

    std::uint64_t place(std::uint64_t byte, std::uint32_t rows) const;
    bool operator==(const TileLayout&) const = default;
};

// How a warp goes through a tile: Row: neighbouring lanes along a row, then the next one. Column: down a column, then the
// next one.
enum class TileWalk : std::uint8_t { Row, Column };
template <>
inline constexpr auto enumWords<TileWalk> = EnumWords("way through a tile", {"row", "column"});

struct Tile {
    std::uint32_t rows = 0, columns = 0;
    std::uint32_t elementBytes = 4; // 1, 2, 4, 8 or 16
    struct Side {
        TileWalk walk = TileWalk::Row;
        std::uint32_t elements = 1; // of a row that a lane takes at once: 16 bytes together at most
    } writer, reader;
    std::uint64_t bytes() const { return std::uint64_t(rows) * columns * elementBytes; }
};
enum class TileFault : std::uint8_t { None, Shape, Writer, Reader };
TileFault
faultOf(const Tile& tile); // no such tile, or no lane can take so much at once: 1, 2, 4, 8 or 16 bytes of a row
inline constexpr std::uint32_t largestTileSide = 4096, largestTileBytes = 228u << 10;

// What is asked of shared memory by one instruction of a warp.
struct TileRequest {
    LaneMask active;
    std::vector<std::uint64_t> bytes; // of the tile, [active lane]
    std::uint32_t bytesPerLane = 4;
    AccessKind kind = AccessKind::Load;
};
// All of them until the side has been through the whole tile.
std::vector<TileRequest> requestsOf(const Tile& tile, bool writes);

struct RankedLayout {
    TileLayout layout;
    std::uint64_t writePasses = 0, readPasses = 0; // through the banks, of the whole tile
    std::uint64_t lost = 0;                        // bytes of shared memory beyond the tile's own
    std::uint64_t passes() const { return writePasses + readPasses; }
};
struct LayoutRanking {
    std::uint64_t leastWrites = 0, leastReads = 0; // passes without any conflict
    RankedLayout plain;
    std::vector<RankedLayout> best; // by passes, then bytes lost: of paddings and swizzles the three best, all of TMA's
};
LayoutRanking rankLayouts(const Tile& tile);

std::string nameOf(const TileLayout& layout, std::uint32_t elementBytes); // "Swizzle<5,0,5>", "rows 4 bytes longer"

// "f32", "f16", "u8": bytes of an element. 0: no such type.
std::uint32_t bytesOfType(std::string_view type);

} // namespace warpglass
