// SPDX-License-Identifier: GPL-3.0-or-later
// Two neighbouring blocks of a launch whose accesses of global memory are looked at while they run, for what counts do not
// tell: how often a block asks for the same again, what it shares with the next one, how its words lie in L1's banks and
// in DRAM's pages, how many atomics meet in one sector.
#pragma once

#include "gpu/emulator/state/access_summary.h"
#include "gpu/emulator/watch/touch_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace warpglass::emulator {

// What it shows of a kernel.
struct Reuse {
    double read = 1;     // of the sectors that a block asks for, those that it had not had
    double fresh = 1;    // of those, what the block before had not had either
    double ofBlock = 0;  // sectors that a block reads
    double pass = 1;     // cycles of a load, for its words in L1's banks
    double partly = 0;   // of the sectors that are written, those of which only a part is
    double dram = 1;     // sectors that DRAM moves for one that is wanted, in its time for those side by side
    double hottest = 0;  // atomics at the sector where most meet, for each of the block's requests
    double hotLines = 0; // lines that atomics of all blocks want; 0: each block's own
};

class TouchSample {
public:
    static constexpr std::uint64_t sectorsOfBlock = 16384;
    explicit TouchSample(std::uint64_t blocks) : m_first((blocks - 1) / 2), m_end(std::min(blocks, m_first + 2)) {}
    bool covers(std::uint64_t block) const { return block >= m_first && block < m_end; }
    // An access of a block that it covers. Any thread.
    void see(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses, std::uint64_t block);
    Reuse reuse(double pageShare) const; // DeviceTiming::dramPageShare

private:
    struct Meeting { // of atomics in a sector
        std::uint64_t atomics = 0;
        std::array<bool, 2> of{}; // the two blocks
    };
    void meet(const AccessSummary& access, const std::array<std::uint64_t, 32>& addresses, std::uint64_t block);
    std::uint64_t m_first, m_end;
    std::mutex m_mutex;
    struct Sector {
        std::array<bool, 2> of{};
        std::uint32_t written = 0; // bytes, a bit each
    };
    std::unordered_map<std::uint64_t, Sector> m_sectors;
    std::unordered_map<std::uint64_t, Meeting> m_meetings;
    std::uint64_t m_loads = 0, m_loaded = 0, m_passes = 0, m_atomics = 0; // m_loaded: sectors
};

} // namespace warpglass::emulator
