// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/constant_cache.h"

#include <algorithm>
#include <bit>
#include <span>

namespace warpglass::emulator {

// When the line can be read.
std::int64_t ConstantCache::lineReady(std::int64_t now, std::uint64_t line) {
    // Sets of eight: of lines 256 bytes apart eight find room, and not sixteen (constant_set/step:256).
    constexpr std::uint64_t ways = DeviceTiming::constantWays;
    Line* const set = &m_lines[line % (m_lines.size() / ways) * ways];
    Line* oldest = set;
    for (Line& l : std::span(set, ways)) {
        if (l.line == line) {
            l.used = ++m_clock;
            return l.ready;
        }
        if (l.used < oldest->used)
            oldest = &l;
    }
    m_fetch = std::max(now, m_fetch) + m_timing.constantFetch;
    *oldest = {line, m_fetch, ++m_clock};
    return m_fetch;
}

std::int64_t ConstantCache::load(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses,
                                 bool misses) {
    std::array<std::uint64_t, 32> words{};
    std::int64_t distinct = 0;
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        const std::uint64_t word = addresses[std::size_t(std::countr_zero(m))] / 4;
        if (std::find(words.begin(), words.begin() + distinct, word) == words.begin() + distinct)
            words[std::size_t(distinct++)] = word;
    }
    const std::int64_t start = std::max(now, m_free);
    m_free = start + m_timing.constantWordCycles * distinct;
    std::int64_t there = start;
    for (std::int64_t k = 0; k < distinct; ++k)
        there = std::max(there, lineReady(start, words[std::size_t(k)] * 4 / DeviceTiming::constantLineBytes));
    if (!misses)
        there = start;
    return there + m_timing.constant + m_timing.constantReplay * (distinct - 1);
}

} // namespace warpglass::emulator
