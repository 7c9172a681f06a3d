// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/touch.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/timing/touch_table.h"

namespace warpglass::emulator {

void touchSectors(Exec& x) {
    const AccessSummary& s = x.access;
    if (s.space != MemorySpace::Global || x.touchesLeft == 0)
        return;
    std::uint64_t last = ~std::uint64_t(0);
    eachLane(s.active.bits, [&](int lane) {
        const std::uint64_t address = x.address[std::size_t(lane)];
        for (std::uint64_t sector = address / 32; sector <= (address + s.bytes - 1) / 32; ++sector) {
            if (sector == last)
                continue;
            last = sector;
            x.touched->add(sector, std::uint32_t(x.block->index));
        }
    });
    x.touchesLeft -= std::min<std::uint64_t>(x.touchesLeft, s.sectors);
}

} // namespace warpglass::emulator
