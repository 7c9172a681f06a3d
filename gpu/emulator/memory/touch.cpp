// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/touch.h"
#include "gpu/emulator/memory/global_races.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/memory/passed_on.h"
#include "gpu/emulator/memory/write_watch.h"
#include "gpu/emulator/run/diagnostics.h"
#include "gpu/emulator/timing/touch_table.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

// What an access does to each byte that it touches.
TouchTable::Use useOf(Exec& x, const Inst& in, std::uint32_t bytes) {
    const AccessKind kind = x.access.kind;
    TouchTable::Use use;
    if (kind != AccessKind::Atomic) {
        (kind == AccessKind::Store ? use.stores : use.loads) = bytes;
        return use;
    }
    using ptx::Operation;
    const Operation o = x.program->info[in.index].is.operation;
    use.changes = bytes;
    use.operation = std::uint32_t(o);
    use.ordered = (in.memory.hasResult && !x.diagnostics->ask(&isUnused, *x.program, in)) || o == Operation::Exch ||
                  o == Operation::Cas || o == Operation::Inc || o == Operation::Dec;
    return use;
}

void touchSectors(Exec& x, const Inst& in) {
    const AccessSummary& s = x.access;
    const bool atomic = s.kind == AccessKind::Atomic; // few and hot: other blocks are to find all of them taken
    const bool timed = x.block->timed;
    if (s.space != MemorySpace::Global || (x.touchesLeft == 0 && !atomic && !timed))
        return;
    const auto block = std::uint32_t(x.block->index);
    std::uint64_t sector = ~std::uint64_t(0);
    std::uint32_t bytes = 0; // of the sector
    const auto tell = [&] {
        if (bytes == 0)
            return;
        x.touched->use(sector, block, useOf(x, in, bytes), timed);
        if (timed)
            return;
        if (atomic)
            x.touched->wants(sector / 4, x.block->sm);
        else if (s.kind == AccessKind::Store)
            x.touched->writes(sector / 4, x.block->sm);
    };
    eachLane(s.active.bits, [&](int lane) {
        const std::uint64_t first = x.address[std::size_t(lane)], last = first + s.bytes - 1;
        for (std::uint64_t at = first / 32; at <= last / 32; ++at) {
            if (at != sector) {
                tell();
                sector = at;
                bytes = 0;
            }
            const std::uint64_t low = std::max(first, at * 32), high = std::min(last, at * 32 + 31);
            bytes |= (~0u << (low & 31)) & (~0u >> (31 - (high & 31)));
        }
    });
    tell();
    if (!atomic)
        x.touchesLeft -= std::min<std::uint64_t>(x.touchesLeft, s.sectors);
}

bool fence(Exec& x, const Inst& in) {
    if (x.races && (in.guard == 0 ? x.mask : guardMask(x, in)) != 0) [[unlikely]]
        x.races->fence(x, in);
    return true;
}

} // namespace

void tellWatchers(Exec& x, const Inst& in) {
    if (x.touched)
        touchSectors(x, in);
    if (x.races)
        x.races->access(x, in);
    if (x.writes)
        x.writes->access(x, in);
}

Handler fenceHandler() {
    return &fence;
}

} // namespace warpglass::emulator
