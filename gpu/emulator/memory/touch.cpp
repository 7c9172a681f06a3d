// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/touch.h"
#include "gpu/emulator/memory/global_races.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/memory/write_watch.h"
#include "gpu/emulator/timing/touch_sample.h"
#include "gpu/emulator/timing/touch_table.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

void touchSectors(Exec& x) {
    const AccessSummary& s = x.access;
    const bool atomic = s.kind == AccessKind::Atomic; // few and hot: other blocks are to find all of them taken
    if (s.space != MemorySpace::Global || (x.touchesLeft == 0 && !atomic))
        return;
    std::uint64_t last = ~std::uint64_t(0);
    const bool writes = s.kind == AccessKind::Store;
    eachLane(s.active.bits, [&](int lane) {
        const std::uint64_t address = x.address[std::size_t(lane)];
        for (std::uint64_t sector = address / 32; sector <= (address + s.bytes - 1) / 32; ++sector) {
            std::uint32_t written = 0;
            if (writes)
                for (std::uint64_t b = std::max(address, sector * 32);
                     b < std::min(address + s.bytes, sector * 32 + 32); ++b)
                    written |= 1u << (b & 31);
            else if (sector == last)
                continue;
            last = sector;
            x.touched->add(sector, std::uint32_t(x.block->index), written);
            if (atomic)
                x.touched->wants(sector / 4, x.block->sm);
            else if (writes)
                x.touched->writes(sector / 4, x.block->sm);
        }
    });
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
    x.watched = x.touched || x.races || x.writes;
}

bool fence(Exec& x, const Inst& in) {
    if (x.races && (in.guard == 0 ? x.mask : guardMask(x, in)) != 0) [[unlikely]]
        x.races->fence(x, in);
    return true;
}

} // namespace

void tellWatchers(Exec& x, const Inst& in) {
    if (x.touched)
        touchSectors(x);
    if (x.sample)
        showSample(x);
    if (x.races)
        x.races->access(x, in);
    if (x.writes)
        x.writes->access(x, in);
}

Handler fenceHandler() {
    return &fence;
}

} // namespace warpglass::emulator
