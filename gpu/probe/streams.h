// SPDX-License-Identifier: GPL-3.0-or-later
// The 32 streams of one warp, put into one sequence.
#pragma once

#include "gpu/probe/records.h"

#include <array>

namespace warpglass::probe {

struct StreamEvent {
    std::uint64_t clock = 0; // 64 bits
    std::uint32_t site = 0;  // number, without the 1
    RecordKind kind = RecordKind::Entry;
    std::uint32_t a = 0, b = 0;
    // Access, Shuffle and asynchronous work: lanes that wrote the record, and what they wrote, in order of the lanes.
    std::uint32_t lanes = 0;
    std::uint32_t spaceBits = 0; // 0 as the opcode says, 1 shared, 2 local
    std::vector<std::uint64_t> addresses;
    std::vector<std::array<std::uint32_t, 4>> data;
};

struct WarpStreams {
    std::vector<StreamEvent> events; // in time order
    std::uint64_t lost = 0;          // records that did not fit
    bool damaged = false;            // a record named no site
};

// Between two clocks of which the low 32 bits are known, the second read behind the first. Machine code reads two that stand side
// by side the other way round, too: those are of one moment, and not 2^32 cycles apart.
inline std::uint32_t cyclesBetween(std::uint32_t from, std::uint32_t to) {
    constexpr std::uint32_t mostAstray = 1u << 20;
    return to - from > 0u - mostAstray ? 0 : to - from;
}

// row: of the warp table; startClock: what its clocks are unwrapped from.
// unfinished: what did not fit is written behind a full stream, again and again, and the last of it is read, too.
WarpStreams readStreams(const RawRecords& raw, std::uint32_t row, std::uint64_t startClock,
                        const std::vector<ProbeSite>& sites, bool unfinished = false);

template <typename Row>
std::uint64_t rowCount(std::span<const std::byte> bytes) {
    return bytes.size() / sizeof(Row);
}
template <typename Row>
Row rowAt(std::span<const std::byte> bytes, std::uint64_t index) {
    Row row{};
    if ((index + 1) * sizeof(Row) <= bytes.size())
        __builtin_memcpy(&row, bytes.data() + index * sizeof(Row), sizeof(Row));
    return row;
}

} // namespace warpglass::probe
