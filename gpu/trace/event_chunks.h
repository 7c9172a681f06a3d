// SPDX-License-Identifier: GPL-3.0-or-later
// A chunk of the event table <-> its bytes in the file.
//
// Times are stored as what passed since the warp's event before, words as their numbers, each split into planes of
// bytes as other columns are (columns.h); the list of words comes last. The warp table says where a warp's events
// begin, so warps are written and read before events. Until format 3 an event's words were columns of their own, in
// chunks of 64 Ki events.
#pragma once

#include "gpu/trace/columns.h"
#include "gpu/trace/trace.h"

namespace warpglass {

// Where each warp's events begin, in order of the warp table.
using WarpStarts = std::vector<std::uint64_t>;
WarpStarts warpStarts(const std::vector<Warp>& warps);

// first: row of the event table at which the chunk begins.
std::vector<std::byte> packEvents(const EventChunk& chunk, const WarpStarts& warps, std::uint64_t first);

// False if the bytes are no chunk of `rows` events, or an event is of a kind or a site that does not exist.
bool unpackEvents(std::span<const std::byte> bytes, const WarpStarts& warps, std::uint64_t first, std::size_t rows,
                  std::size_t sites, EventChunk& chunk);

// Of formats 1 and 2: columns are those of one chunk of up to chunkRows events. False if a time does not fit.
inline constexpr std::size_t oldEventColumns = 4;
inline constexpr std::size_t chunksInOldOne = chunkRows / eventChunkRows;
bool takeOldEvents(const Columns& columns, const WarpStarts& warps, std::uint64_t first, std::span<EventChunk> chunks);

} // namespace warpglass
