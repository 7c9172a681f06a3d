// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/tile_use.h"

#include "gpu/trace/served_together.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace warpglass {

namespace {

constexpr std::size_t kept = 3; // of each kind

std::uint64_t swizzled(std::uint64_t address, const TileLayout& layout) {
    const std::uint64_t mask = ((std::uint64_t(1) << layout.bits) - 1) << layout.base;
    return address ^ (address >> layout.shift & mask);
}

struct Passes {
    std::uint64_t made = 0, least = 0;
};
// What analyseShared() finds, without keeping what each pass serves: a tile is walked through for hundreds of layouts.
Passes passesOf(const TileRequest& request, const std::array<std::uint64_t, 32>& places) {
    const auto lanes = unsigned(servedTogether(request.active, places, request.bytesPerLane, request.kind));
    Passes found;
    for (unsigned first = 0; first < lanesPerWarp; first += lanes) {
        std::array<std::array<std::uint64_t, 64>, 32> words; // [bank][n]
        std::array<std::uint8_t, 32> count{};
        std::size_t deepest = 0;
        for (unsigned lane = first; lane < first + lanes; ++lane)
            if (request.active.has(int(lane)))
                for (std::uint64_t word = places[lane] / 4; word <= (places[lane] + request.bytesPerLane - 1) / 4;
                     ++word) {
                    auto& bank = words[word % 32];
                    auto& n = count[word % 32];
                    if (std::find(bank.begin(), bank.begin() + n, word) == bank.begin() + n)
                        bank[n++] = word;
                    deepest = std::max<std::size_t>(deepest, n);
                }
        found.made += deepest;
        found.least += deepest > 0;
    }
    return found;
}

Passes passesOf(const std::vector<TileRequest>& requests, const TileLayout& layout, std::uint32_t rows) {
    Passes sum;
    for (const TileRequest& request : requests) {
        std::array<std::uint64_t, 32> places{};
        std::size_t n = 0;
        for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
            if (request.active.has(int(lane)))
                places[lane] = layout.place(request.bytes[n++], rows);
        const Passes some = passesOf(request, places);
        sum.made += some.made;
        sum.least += some.least;
    }
    return sum;
}

constexpr std::uint64_t roundedUp(std::uint64_t n, std::uint64_t unit) {
    return (n + unit - 1) / unit * unit;
}

// Fewest passes, least room, and what is simplest.
bool isBetter(const RankedLayout& a, const RankedLayout& b) {
    const auto key = [](const RankedLayout& r) {
        return std::tuple(r.passes(), r.lost, r.layout.order, r.layout.padding, r.layout.bits, r.layout.span);
    };
    return key(a) < key(b);
}

} // namespace

std::uint64_t TileLayout::place(std::uint64_t byte, std::uint32_t rows) const {
    switch (order) {
    case TileOrder::Plain:
        return byte;
    case TileOrder::Padded:
        return byte + byte / rowBytes * padding;
    case TileOrder::Swizzled:
        return swizzled(byte, *this);
    case TileOrder::Boxes: {
        const std::uint64_t row = byte / rowBytes, column = byte % rowBytes;
        return swizzled((column / span * rows + row) * span + column % span, *this);
    }
    }
    return byte;
}

TileFault faultOf(const Tile& tile) {
    if (tile.rows == 0 || tile.columns == 0 || tile.rows > largestTileSide || tile.columns > largestTileSide ||
        tile.bytes() > largestTileBytes)
        return TileFault::Shape;
    const auto isPossible = [&](const Tile::Side& side) {
        const std::uint64_t bytes = std::uint64_t(side.elements) * tile.elementBytes;
        return side.elements > 0 && bytes <= 16 && std::has_single_bit(bytes) && tile.columns % side.elements == 0;
    };
    if (!isPossible(tile.writer))
        return TileFault::Writer;
    return isPossible(tile.reader) ? TileFault::None : TileFault::Reader;
}

std::vector<TileRequest> requestsOf(const Tile& tile, bool writes) {
    const Tile::Side& side = writes ? tile.writer : tile.reader;
    const std::uint64_t across = tile.columns / side.elements, pieces = across * tile.rows; // a lane's, each
    const std::uint32_t bytes = side.elements * tile.elementBytes;
    std::vector<TileRequest> requests;
    for (std::uint64_t first = 0; first < pieces; first += lanesPerWarp) {
        TileRequest request{.bytesPerLane = bytes, .kind = writes ? AccessKind::Store : AccessKind::Load};
        for (std::uint64_t n = first; n < std::min<std::uint64_t>(first + lanesPerWarp, pieces); ++n) {
            const std::uint64_t row = side.walk == TileWalk::Row ? n / across : n % tile.rows,
                                column = side.walk == TileWalk::Row ? n % across : n / tile.rows;
            request.active = request.active | LaneMask{std::uint32_t(1) << (n - first)};
            request.bytes.push_back((row * across + column) * bytes);
        }
        requests.push_back(std::move(request));
    }
    return requests;
}

PlacedRequest placed(const TileRequest& request, const TileLayout& layout, std::uint32_t rows) {
    PlacedRequest result;
    for (const std::uint64_t byte : request.bytes)
        result.places.push_back(layout.place(byte, rows));
    result.served = analyseShared(request.active, result.places, request.bytesPerLane, request.kind);
    return result;
}

std::uint32_t worstOf(const std::vector<TileRequest>& requests, const TileLayout& layout, std::uint32_t rows) {
    std::uint32_t worst = noIndex;
    std::uint64_t most = 0;
    for (std::uint32_t n = 0; n < requests.size(); ++n)
        if (const Passes passes = passesOf({requests[n]}, layout, rows); passes.made > most) {
            most = passes.made;
            worst = n;
        }
    return worst;
}

TileUse useOf(const Tile& tile) {
    return {tile.rows,    tile.columns * tile.elementBytes, tile.elementBytes,
            tile.bytes(), requestsOf(tile, true),           requestsOf(tile, false)};
}

LayoutRanking rankLayouts(const Tile& tile) {
    return rankLayouts(useOf(tile));
}

LayoutRanking rankLayouts(const TileUse& use) {
    const std::uint32_t rowBytes = use.rowBytes;
    // What a lane takes stays together, at a multiple of its size.
    std::uint32_t together = 1;
    for (const auto* side : {&use.writes, &use.reads})
        for (const TileRequest& request : *side)
            together = std::max(together, request.bytesPerLane);
    LayoutRanking ranking;
    const auto ranked = [&](const TileLayout& layout, std::uint64_t size) {
        const Passes w = passesOf(use.writes, layout, use.rows), r = passesOf(use.reads, layout, use.rows);
        ranking.leastWrites = w.least;
        ranking.leastReads = r.least;
        return RankedLayout{layout, w.made, r.made, size - use.bytes};
    };
    ranking.plain = ranked({.order = TileOrder::Plain, .rowBytes = rowBytes}, use.bytes);

    const auto keep = [&](std::vector<RankedLayout> some, std::size_t most) {
        std::sort(some.begin(), some.end(), isBetter);
        some.resize(std::min(some.size(), most));
        ranking.best.insert(ranking.best.end(), some.begin(), some.end());
    };
    std::vector<RankedLayout> padded;
    for (std::uint32_t padding = together; padding <= 128; padding += together)
        if (rowBytes % together == 0 && (padding <= 4 * together || padding % 16 == 0))
            padded.push_back(ranked({.order = TileOrder::Padded, .rowBytes = rowBytes, .padding = padding},
                                    use.bytes + std::uint64_t(use.rows) * padding));
    keep(std::move(padded), kept);

    // Bits of the bank and above it are changed by bits of the row; what changes nothing is left out.
    std::vector<RankedLayout> swizzles;
    const auto least = std::uint32_t(std::bit_width(together) - 1),
               highest = std::uint32_t(std::bit_width(use.bytes - 1));
    for (std::uint32_t base = least; base < 7; ++base)
        for (std::uint32_t bits = 1; base + bits <= 7; ++bits)
            for (std::uint32_t shift = bits; base + shift < highest; ++shift) {
                swizzles.push_back(ranked(
                    {.order = TileOrder::Swizzled, .rowBytes = rowBytes, .bits = bits, .base = base, .shift = shift},
                    roundedUp(use.bytes, std::uint64_t(1) << (base + bits))));
            }
    keep(std::move(swizzles), kept);

    // CUDA C++ Programming Guide, "TMA swizzle": 16 bytes change places, over 32, 64 or 128 bytes, by the number of the
    // 128 bytes that they lie in.
    std::vector<RankedLayout> boxes;
    for (const std::uint32_t bits : {0u, 1u, 2u, 3u}) {
        const std::uint32_t span = bits ? std::min(16u << bits, rowBytes) : rowBytes;
        if (span % 16 == 0 && rowBytes % span == 0 && (bits || span <= 256 * use.elementBytes))
            boxes.push_back(ranked(
                {.order = TileOrder::Boxes, .rowBytes = rowBytes, .bits = bits, .base = 4, .shift = 3, .span = span},
                roundedUp(use.bytes, bits ? 16u << bits : 1)));
    }
    const std::size_t all = boxes.size();
    keep(std::move(boxes), all);
    std::sort(ranking.best.begin(), ranking.best.end(), isBetter);
    return ranking;
}

std::string nameOf(const TileLayout& layout, std::uint32_t elementBytes) {
    switch (layout.order) {
    case TileOrder::Plain:
        return "as it is";
    case TileOrder::Padded:
        return fmt::format("rows {} bytes longer", layout.padding);
    case TileOrder::Swizzled: {
        const auto element = std::uint32_t(std::bit_width(elementBytes) - 1);
        return layout.base >= element
                   ? fmt::format("Swizzle<{},{},{}>", layout.bits, layout.base - element, layout.shift)
                   : fmt::format("bytes: Swizzle<{},{},{}>", layout.bits, layout.base, layout.shift);
    }
    case TileOrder::Boxes:
        return layout.bits ? fmt::format("TMA, {}-byte swizzle", 16u << layout.bits) : std::string("TMA, no swizzle");
    }
    return {};
}

std::uint32_t bytesOfType(std::string_view type) {
    if (type.starts_with("bf") || type.starts_with("tf"))
        return type == "bf16" ? 2 : type == "tf32" ? 4 : 0;
    if (type.empty() || std::string_view("usfb").find(type[0]) == std::string_view::npos)
        return type == "i8" ? 1 : type == "i16" ? 2 : type == "i32" ? 4 : type == "i64" ? 8 : 0;
    const std::string_view bits = type.substr(1);
    return bits == "8" ? 1 : bits == "16" ? 2 : bits == "32" ? 4 : bits == "64" ? 8 : bits == "128" ? 16 : 0;
}

} // namespace warpglass
