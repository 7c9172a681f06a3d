// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/ttgir: what Triton has decided of its tensors, read from the TTGIR that lies beside what it compiled: which warp, lane
// and register holds which element of a tile, and at which byte an element lies in shared memory.
//
//   tile_layout   layouts, and where an element is
//   encodings     the attributes of TTGIR as layouts
//   ttgir         the text: its attributes, operations, tensors, and lines of Python
//
// Sizes are powers of two, so that a layout is linear over bits: each bit of the number of a register, lane or warp moves the
// element by a fixed step, its basis, and all that apply are put together by exclusive or. That is Triton's own model ("Linear
// Layouts", arXiv 2505.23819; include/triton/Tools/LinearLayout.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass::ttgir {

using Place = std::vector<std::uint32_t>; // of an element in its tile: one number a dimension

// Of a tensor in registers. A basis of nothing but zeros: that bit tells copies of the same element apart.
struct TileLayout {
    Place shape;
    std::vector<Place> registers, lanes, warps, blocks; // [bit]

    std::uint32_t registerCount() const { return 1u << registers.size(); } // a lane
    std::uint32_t warpCount() const { return 1u << warps.size(); }
    Place element(std::uint32_t warp, std::uint32_t lane, std::uint32_t reg, std::uint32_t block = 0) const;
};

struct Holder {
    std::uint32_t warp = 0, lane = 0, reg = 0;
    bool operator==(const Holder&) const = default;
};
// Everybody who holds an element in the first block of its cluster: by warp, lane, register.
std::vector<Holder> holdersOf(const TileLayout& layout, const Place& element);

// Of a tensor in shared memory: bit by bit of the offset, in elements.
struct SharedLayout {
    Place shape;
    std::vector<Place> offsets;                         // [bit]
    std::uint32_t elementBytes = 0;                     // 0: not known
    std::uint64_t offsetOf(const Place& element) const; // in elements, from the tile's begin; ~0: nowhere
};

} // namespace warpglass::ttgir
