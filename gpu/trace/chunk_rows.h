// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the large tables <-> columns of residuals: each row says only what the row before it does not tell already.
// The first row of a chunk follows a row of zeros, so that each chunk can be read alone.
#pragma once

#include "gpu/trace/columns.h"
#include "gpu/trace/pyramid.h"
#include "gpu/trace/trace.h"

#include <span>

namespace warpglass {

// rows.size() <= chunkRows
Columns toColumns(std::span<const Block> rows);
Columns toColumns(std::span<const Warp> rows);
Columns toColumns(std::span<const StateRow> rows);
Columns toColumns(std::span<const AccessRow> rows);
Columns toColumns(std::span<const std::uint64_t> rows);
Columns toColumns(std::span<const EventNode> rows);
Columns toColumns(std::span<const StateNode> rows);

template <typename Row>
inline constexpr std::size_t columnsOf = 0;
template <>
inline constexpr std::size_t columnsOf<Block> = 7;
template <>
inline constexpr std::size_t columnsOf<Warp> = 11;
template <>
inline constexpr std::size_t columnsOf<StateRow> = 3;
template <>
inline constexpr std::size_t columnsOf<AccessRow> = 4;
template <>
inline constexpr std::size_t columnsOf<std::uint64_t> = 1;
template <>
inline constexpr std::size_t columnsOf<EventNode> = 5;
template <>
inline constexpr std::size_t columnsOf<StateNode> = 2 + std::size_t(WarpState::Count_);

// columns has columnsOf<Row> columns of rows.size() rows. Numbers that do not fit their field are cut: what is damaged
// in a way that the checksum misses is found by validate().
void fromColumns(const Columns& columns, std::span<Block> rows);
void fromColumns(const Columns& columns, std::span<Warp> rows);
void fromColumns(const Columns& columns, std::span<StateRow> rows);
void fromColumns(const Columns& columns, std::span<AccessRow> rows);
void fromColumns(const Columns& columns, std::span<std::uint64_t> rows);
void fromColumns(const Columns& columns, std::span<EventNode> rows);
void fromColumns(const Columns& columns, std::span<StateNode> rows);

} // namespace warpglass
