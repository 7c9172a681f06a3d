// SPDX-License-Identifier: GPL-3.0-or-later
// Constant memory: lanes' distinct words come one after the other, out of a first cache of 2 KB; a line of 64 bytes that is not
// there is fetched from the next one. Measured on an H200 (h200-micro.csv, constant_lanes, constant_load, constant_set and
// chase_constant: a chain of 34 cycles a load takes 104 where its words lie in more than 2 KB, however many KB that are, and
// a sixteenth of the 70 more where 16 words of each line are read in turn). What comes from L2 or DRAM is not told from that.
#pragma once

#include "gpu/emulator/timing/wanted_lines.h"

namespace warpglass::emulator {

class ConstantCache {
public:
    explicit ConstantCache(const DeviceTiming& timing) : m_timing(timing) {}
    // Returns when an access has its words. misses: as the cache has it, or everything is there.
    std::int64_t load(std::int64_t now, const AccessSummary& access, const LaneAddresses& addresses, bool misses);

private:
    std::int64_t lineReady(std::int64_t now, std::uint64_t line);
    struct Line {
        std::uint64_t line = ~std::uint64_t(0);
        std::int64_t ready = 0;
        std::uint64_t used = 0;
    };
    const DeviceTiming& m_timing;
    std::array<Line, DeviceTiming::constantBytes / DeviceTiming::constantLineBytes> m_lines{};
    std::uint64_t m_clock = 0;
    std::int64_t m_free = 0, m_fetch = 0; // cycles: of the unit, and from which another line can be fetched
};

} // namespace warpglass::emulator
