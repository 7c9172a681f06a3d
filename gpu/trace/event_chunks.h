// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/columns.h"
#include "gpu/trace/trace.h"

namespace warpglass {

// Whole columns of the event table, a chunk at a time: time since the warp's event before, site and kind, mask changes.
// The warp table says where a warp's events begin, so warps are written and read before events.
class TraceFileAccess {
public:
    static constexpr std::size_t columns = 4;
    static bool wide(const EventTable& events) { return !events.m_wide.empty(); }
    static void makeRoom(EventTable& events, std::size_t rows, bool wide);

    static Columns toColumns(const Trace& trace, std::uint64_t first, std::size_t rows);
    // False if a time does not fit its column.
    static bool fromColumns(const Columns& columns, Trace& trace, std::uint64_t first, std::size_t rows);
};

} // namespace warpglass
