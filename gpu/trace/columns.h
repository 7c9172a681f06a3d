// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of numbers <-> compressed bytes.
//
// A chunk is up to 64 Ki rows of one large table. Its rows are first turned into residuals (what the row before does
// not already tell: chunk_rows.h), one column of 64-bit numbers each. A column is then split into planes, all lowest
// bytes, then all second bytes and so on, as many as its largest number needs: after that most planes are runs or
// repeat the previous warp's, which is what zstd is good at. zstd's checksum finds a damaged chunk.
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpglass {

inline constexpr std::size_t chunkRows = 65536;

// columns[c][row]; all columns equally long.
using Columns = std::vector<std::vector<std::uint64_t>>;

std::vector<std::byte> packColumns(const Columns& columns);

// The error says what is wrong with the bytes; rows <= chunkRows.
Result<Columns> unpackColumns(std::span<const std::byte> bytes, std::size_t columns, std::size_t rows);

// One zstd frame with a checksum, and back; an Error unless it holds between least and most bytes.
std::vector<std::byte> compress(std::span<const std::uint8_t> plain);
Result<std::vector<std::uint8_t>> decompress(std::span<const std::byte> bytes, std::size_t least, std::size_t most);

// Small numbers of either sign as small numbers: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
constexpr std::uint64_t zigzag(std::int64_t n) {
    return (std::uint64_t(n) << 1) ^ std::uint64_t(n >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t n) {
    return std::int64_t(n >> 1) ^ -std::int64_t(n & 1);
}

// a - b as a small number, and back; wraps around like unsigned numbers do.
constexpr std::uint64_t residual(std::uint64_t a, std::uint64_t b) {
    return zigzag(std::int64_t(a - b));
}
constexpr std::uint64_t restored(std::uint64_t r, std::uint64_t b) {
    return b + std::uint64_t(unzigzag(r));
}

} // namespace warpglass
