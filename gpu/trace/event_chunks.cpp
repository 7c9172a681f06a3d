// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/event_chunks.h"

#include <limits>

namespace warpglass {

namespace {

// Walks the rows of a chunk and says of each whether it is the first of its warp.
class WarpStarts {
public:
    WarpStarts(const std::vector<Warp>& warps, std::uint32_t warp) : m_warps(warps), m_next(warp) {}
    bool startsAt(std::uint64_t row) {
        bool starts = false;
        for (; m_next < m_warps.size() && m_warps[m_next].firstEvent <= row; ++m_next)
            starts = starts || m_warps[m_next].firstEvent == row;
        return starts;
    }

private:
    const std::vector<Warp>& m_warps;
    std::size_t m_next;
};

} // namespace

void TraceFileAccess::makeRoom(EventTable& events, std::size_t rows, bool wide) {
    if (wide)
        events.m_wide.resize(rows);
    else
        events.m_offset.resize(rows);
    events.m_siteKind.resize(rows);
    events.m_active.resize(rows);
    events.m_taken.resize(rows);
}

Columns TraceFileAccess::toColumns(const Trace& trace, std::uint64_t first, std::size_t rows) {
    const EventTable& e = trace.events;
    Columns result(columns, std::vector<std::uint64_t>(rows));
    WarpStarts starts(trace.warps, trace.warpOfEvent(first));
    std::uint64_t before = 0;
    std::uint32_t activeBefore = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::uint64_t row = first + i;
        if (starts.startsAt(row))
            before = 0;
        const std::uint64_t offset = e.m_wide.empty() ? e.m_offset[row] : std::uint64_t(e.m_wide[row]);
        result[0][i] = residual(offset, before);
        result[1][i] = e.m_siteKind[row];
        result[2][i] = e.m_active[row] ^ activeBefore;
        result[3][i] = e.m_taken[row];
        before = offset;
        activeBefore = e.m_active[row];
    }
    return result;
}

bool TraceFileAccess::fromColumns(const Columns& in, Trace& trace, std::uint64_t first, std::size_t rows) {
    EventTable& e = trace.events;
    const bool isWide = wide(e);
    WarpStarts starts(trace.warps, trace.warpOfEvent(first));
    std::uint64_t before = 0, largest = 0;
    std::uint32_t activeBefore = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::uint64_t row = first + i;
        if (starts.startsAt(row))
            before = 0;
        const std::uint64_t offset = restored(in[0][i], before);
        largest |= offset;
        if (isWide)
            e.m_wide[row] = std::int64_t(offset);
        else
            e.m_offset[row] = std::uint32_t(offset);
        e.m_siteKind[row] = std::uint32_t(in[1][i]);
        e.m_active[row] = std::uint32_t(in[2][i]) ^ activeBefore;
        e.m_taken[row] = std::uint32_t(in[3][i]);
        before = offset;
        activeBefore = e.m_active[row];
    }
    return largest <= (isWide ? std::uint64_t(std::numeric_limits<std::int64_t>::max())
                              : std::uint64_t(std::numeric_limits<std::uint32_t>::max()));
}

} // namespace warpglass
