// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/watchers.h"
#include "gpu/emulator/code/dead_loads.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/async_state.h"
#include "gpu/emulator/watch/global_races.h"
#include "gpu/emulator/watch/hang_watch.h"
#include "gpu/emulator/watch/memory_use.h"
#include "gpu/emulator/watch/touch_sample.h"
#include "gpu/emulator/watch/touch_table.h"
#include "gpu/emulator/watch/variable_watch.h"
#include "gpu/emulator/watch/word_watch.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

bool isOrdered(Exec& x, const Inst& in) { // TouchTable::Use, of an atomic
    using ptx::Operation;
    const Operation o = x.program->info[in.index].is.operation;
    return (in.memory.hasResult && !x.diagnostics->ask(&isUnused, *x.program, in)) || o == Operation::Exch ||
           o == Operation::Cas || o == Operation::Inc || o == Operation::Dec;
}

// Whether a whole warp takes all bytes from the first lane's on, or one element.
bool isOneStretch(const Exec& x, std::uint64_t first) {
    const AccessSummary& s = x.access;
    if (s.active.bits != ~0u || (s.bytesDistinct != 32 * s.bytes && s.bytesDistinct != s.bytes))
        return false;
    const std::uint64_t last = s.bytesDistinct - s.bytes;
    std::uint64_t outside = 0; // below or above: a sign bit, without a branch
    for (const std::uint64_t address : x.address)
        outside |= (address - first) | (last - (address - first));
    return outside >> 63 == 0;
}

// The part of these bytes that lies in a sector, a bit each.
std::uint32_t bytesOfSector(std::uint64_t sector, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t low = std::max(first, sector * 32), high = std::min(last, sector * 32 + 31);
    return (~0u << (low & 31)) & (~0u >> (31 - (high & 31)));
}

void touchSectors(Exec& x, const Inst& in) {
    const AccessSummary& s = x.access;
    const bool atomic = s.kind == AccessKind::Atomic; // few and hot: other blocks are to find all of them taken
    const bool timed = x.block->timed;
    if (s.space != MemorySpace::Global || (x.touchesLeft == 0 && !atomic && !timed))
        return;
    const auto block = std::uint32_t(x.block->index);
    std::uint64_t sector = ~std::uint64_t(0) / 32; // none
    std::uint32_t bytes = 0;                       // of the sector
    TouchTable::Use use;
    if (atomic) {
        use.operation = std::uint32_t(x.program->info[in.index].is.operation);
        use.ordered = isOrdered(x, in);
    }
    const auto tell = [&] {
        if (bytes == 0)
            return;
        (atomic ? use.changes : s.kind == AccessKind::Store ? use.stores : use.loads) = bytes;
        x.touched->use(sector, block, x.block->sm, use, timed);
        if (timed)
            return;
        if (atomic)
            x.touched->wants(sector / 4, x.block->sm);
        else if (s.kind == AccessKind::Store)
            x.touched->writes(sector / 4, x.block->sm);
    };
    const auto touch = [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t at = first / 32; at <= last / 32; ++at) {
            if (at != sector) {
                tell();
                sector = at;
                bytes = 0;
            }
            bytes |= bytesOfSector(at, first, last);
        }
    };
    const std::uint32_t element = s.bytes < 32 ? (1u << s.bytes) - 1 : ~0u;
    if (const std::uint64_t first = x.address[0]; isOneStretch(x, first))
        touch(first, first + s.bytesDistinct - 1);
    else
        eachLane(s.active.bits, [&](int lane) {
            const std::uint64_t address = x.address[std::size_t(lane)], at = address - sector * 32;
            if (at < 32 && at + s.bytes <= 32) // as most of them
                bytes |= element << at;
            else
                touch(address, address + s.bytes - 1);
        });
    tell();
    if (!atomic)
        x.touchesLeft -= std::min<std::uint64_t>(x.touchesLeft, s.sectors);
}

// Until as much has been seen of the block as is wanted.
void showSample(Exec& x) {
    if (x.access.space != MemorySpace::Global)
        return;
    x.sample->see(x.access, x.address, x.block->index);
    x.sampleLeft -= std::min<std::uint64_t>(x.sampleLeft, std::max(1u, x.access.sectors));
    if (x.sampleLeft > 0)
        return;
    x.sample = nullptr;
    x.chooseWatchers();
}

bool fence(Exec& x, const Inst& in) {
    if (x.races && (!in.guard ? x.mask : guardMask(x, in)) != 0) [[unlikely]]
        x.races->fence(x, in);
    return true;
}

} // namespace

void touchByCopy(Exec& x, const PendingCopy& copy) {
    const bool writes = copy.to == MemorySpace::Global, timed = x.block->timed;
    if (!writes && copy.from != MemorySpace::Global)
        return;
    std::uint64_t sector = ~std::uint64_t(0);
    std::uint32_t bytes = 0; // of it: swizzled pieces are of 16 bytes, two side by side in a sector
    const auto tell = [&] {
        if (bytes == 0)
            return;
        TouchTable::Use use;
        use.operation = std::uint32_t(copy.operation);
        (!writes ? use.loads : copy.operation == ptx::Operation::None ? use.stores : use.changes) = bytes;
        x.touched->use(sector, std::uint32_t(x.block->index), x.block->sm, use, timed, x.touchesLeft);
        bytes = 0;
    };
    for (const CopyPiece& p : copy.pieces) {
        if (p.take == 0 || (x.touchesLeft == 0 && !timed))
            continue;
        const std::uint64_t first = writes ? p.to : p.from, last = first + p.take - 1;
        for (std::uint64_t at = first / 32; at <= last / 32; ++at) {
            const std::uint32_t here = bytesOfSector(at, first, last);
            if (at != sector || (bytes & here) != 0) {
                tell();
                sector = at;
            }
            bytes |= here;
        }
        x.touchesLeft -= std::min<std::uint64_t>(x.touchesLeft, last / 32 - first / 32 + 1);
    }
    tell();
}

void tellWatchers(Exec& x, const Inst& in) {
    if (x.touched && x.access.space == MemorySpace::Global)
        touchSectors(x, in);
    if (x.sample)
        showSample(x);
    if (x.races)
        x.races->access(x, in);
    if (x.hang)
        x.hang->access(x, in);
    if (x.use || x.afterLaunches)
        noteUse(x, in);
    if (x.word)
        x.word->access(x, in);
    if (x.variable)
        x.variable->access(x, in);
}

Handler fenceHandler() {
    return &fence;
}

} // namespace warpglass::emulator
