// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/access/access_shape.h"
#include "gpu/emulator/lanes/summarise.h"

#include <algorithm>

namespace warpglass::emulator {

void AccessShapes::note(Exec& x, const Inst& in, AccessShape& s, bool shared) {
    if (s.shared)
        x.block->notes.bringReads();                    // by distances that are about to go
    constexpr std::int64_t far = std::int64_t(1) << 40; // wild ones are no shape
    const AccessSummary& a = x.access;
    const std::uint32_t m = a.active.bits;
    const std::uint64_t first = x.address[std::size_t(std::countr_zero(m))];
    std::int64_t lowest = 0, highest = 0;
    std::uint64_t bits = 0;
    s.distance.fill(0);
    eachLane(m, [&](int lane) {
        const std::uint64_t d = x.address[std::size_t(lane)] - first;
        s.distance[std::size_t(lane)] = d;
        bits |= d;
        lowest = std::min(lowest, std::int64_t(d));
        highest = std::max(highest, std::int64_t(d));
    });
    s.lanes = lowest < -far || highest > far || (a.bytes & (a.bytes - 1)) != 0 ? 0 : m;
    s.bytes = a.bytes;
    s.phase = phaseOf(first, shared);
    s.index = in.index;
    s.shared = shared;
    s.lowest = std::uint64_t(lowest);
    s.span = std::uint64_t(highest - lowest) + a.bytes;
    s.bits = bits;
    s.bytesDistinct = a.bytesDistinct;
    s.sectors = a.sectors;
    s.lines = a.lines;
    s.passes = a.passes;
    s.idealPasses = a.idealPasses;
    s.turns = a.turns;
    s.count = {};
    s.count.add(a);
    s.isColumn = shared && s.lanes == ~0u && (a.bytes == 4 || a.bytes == 8 || a.bytes == 16) &&
                 (bits & (a.bytes - 1)) == 0 && s.span <= x.block->shared.size() &&
                 x.block->shared.size() <= WrittenPlaces::mostBytes;
    if (s.isColumn)
        for (std::size_t lane = 0; lane < 32; ++lane)
            s.above[lane] = std::uint32_t(s.distance[lane] - s.lowest);
    s.written.clear();
}

void accountScattered(Exec& x, const Inst& in) {
    const bool shared = x.access.space == MemorySpace::Shared;
    shared ? summariseBanks(x.access, x.address) : summariseSectors(x.access, x.address);
    if (x.access.kind == AccessKind::Atomic)
        x.access.turns = mostAtOneWord(x.access.active.bits, x.address);
    x.shapes->keep(x, in, shared);
}

} // namespace warpglass::emulator
