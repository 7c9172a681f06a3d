// SPDX-License-Identifier: GPL-3.0-or-later
// Constant memory: lanes' distinct words come one after the other, out of a first cache of 2 KB; a line of 64 bytes that is not
// there is fetched from the next one. Measured on an H200 (h200-micro.csv, constant_lanes, constant_load, constant_set and
// chase_constant: a chain of 34 cycles a load takes 104 where its words lie in more than 2 KB, however many KB that are, and
// a sixteenth of the 70 more where 16 words of each line are read in turn). What comes from L2 or DRAM is not told from that.
#include "gpu/emulator/timing/memory_path.h"

#include <algorithm>
#include <bit>
#include <span>

namespace warpglass::emulator {

namespace {
constexpr std::int64_t lineFetch = 70; // cycles; other devices were not measured
} // namespace

// When the line can be read.
std::int64_t MemoryPath::constantLine(std::int64_t now, std::uint64_t line) {
    // Sets of eight: of lines 256 bytes apart eight find room, and not sixteen (constant_set/step:256).
    constexpr std::uint64_t ways = 8;
    ConstantLine* const set = &m_constants[line % (constantBytes / constantLineBytes / ways) * ways];
    ConstantLine* oldest = set;
    for (ConstantLine& l : std::span(set, ways)) {
        if (l.line == line) {
            l.used = ++m_clock;
            return l.ready;
        }
        if (l.used < oldest->used)
            oldest = &l;
    }
    m_constantFetch = std::max(now, m_constantFetch) + lineFetch;
    *oldest = {line, m_constantFetch, ++m_clock};
    return m_constantFetch;
}

std::int64_t MemoryPath::constant(std::int64_t now, const AccessSummary& access,
                                  const std::array<std::uint64_t, 32>& addresses, LimitSet without) {
    std::array<std::uint64_t, 32> words{};
    std::int64_t distinct = 0;
    for (std::uint32_t m = access.active.bits; m; m &= m - 1) {
        const std::uint64_t word = addresses[std::size_t(std::countr_zero(m))] / 4;
        if (std::find(words.begin(), words.begin() + distinct, word) == words.begin() + distinct)
            words[std::size_t(distinct++)] = word;
    }
    m_passed = 1;
    if (without.has(Limit::Bandwidth))
        return now + m_timing.constant;
    const std::int64_t start = std::max(now, m_constant);
    m_constant = start + m_timing.constantWordCycles * distinct;
    std::int64_t there = start;
    for (std::int64_t k = 0; k < distinct; ++k)
        there = std::max(there, constantLine(start, words[std::size_t(k)] * 4 / constantLineBytes));
    if (without.has(Limit::L1Misses))
        there = start;
    return there + m_timing.constant + m_timing.constantReplay * (distinct - 1);
}

} // namespace warpglass::emulator
