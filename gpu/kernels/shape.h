// SPDX-License-Identifier: GPL-3.0-or-later
// From what the caller asked for to a grid: the small questions every entry of the catalogue has.
#pragma once

#include "gpu/kernels/catalogue.h"

namespace warpglass::kernels {

struct ProblemShape {
    std::int64_t size = 0; // elements, or the side of a square
    Dim3 grid, block;
    std::uint64_t threads() const { return grid.count() * block.count(); }
};

// Elements in a row, perThread of them to each thread; the kernel counts its threads along x. Without a grid, as many
// blocks as the size needs; without a size, as many elements as the grid takes.
Result<ProblemShape> lineShape(const LaunchRequest& request, std::int64_t perThread = 1);

// A square of size x size elements, x along a row; each thread one element.
Result<ProblemShape> squareShape(const LaunchRequest& request);

// The block must be a power of two within these limits.
Result<void> powerOfTwoBlock(const ProblemShape& shape, std::uint32_t least, std::uint32_t most = 1024);
// Its threads must fill whole warps.
Result<void> wholeWarps(const ProblemShape& shape);
Result<void> exactBlock(const ProblemShape& shape, Dim3 block);

std::int64_t parameter(const LaunchRequest& request, const std::string& name);

constexpr std::uint64_t roundUp(std::uint64_t n, std::uint64_t unit) {
    return (n + unit - 1) / unit * unit;
}
constexpr std::uint64_t divideUp(std::uint64_t n, std::uint64_t unit) {
    return (n + unit - 1) / unit;
}

} // namespace warpglass::kernels
