// SPDX-License-Identifier: GPL-3.0-or-later
// Coalescing: which 128-byte lines, 32-byte sectors and words of them the lanes of one access want.
#pragma once

#include "gpu/emulator/state/access_summary.h"
#include "gpu/emulator/timing/memory_units.h"

namespace warpglass::emulator {

using LaneAddresses = std::array<std::uint64_t, 32>;

class WantedLines {
public:
    WantedLines() { m_parts.reserve(64); }
    void take(const AccessSummary& access, const LaneAddresses& addresses);
    const std::vector<LinePart>& parts() const { return m_parts; } // of the access at hand
    std::uint32_t sectors() const {
        std::uint32_t sectors = 0;
        for (const LinePart& p : m_parts)
            sectors += std::uint32_t(std::popcount(p.sectors));
        return sectors;
    }
    // The most words of one bank of L1 that it asks for. A word's bank is its place in its line.
    std::uint32_t bankWords() const;
    // The bytes of a line that it touches.
    using Bytes = std::array<std::uint64_t, 2>; // a bit each
    static Bytes bytesOf(std::uint64_t line, const AccessSummary& access, const LaneAddresses& addresses);

private:
    std::vector<LinePart> m_parts;
};

} // namespace warpglass::emulator
