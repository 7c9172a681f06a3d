// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/warp_synchronous.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/record/diagnostics.h"

#include <bit>

namespace warpglass::emulator {

void checkVolatileGlobal(Exec& x, const Inst& in, std::uint32_t lanes, bool isStore) {
    if (!x.computeSeven)
        return;
    auto& stores = x.warp->volatileStores;
    if (isStore) {
        const std::uint32_t executed = lanes;
        if (stores.size() > bounds.volatileStores) // no warp-synchronous tail: a polling loop
            stores.clear();
        for (; lanes; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            stores[x.address[std::size_t(lane)]] = {std::uint32_t(lane), in.index, executed};
        }
        return;
    }
    if (stores.empty() || x.diagnostics->repeated(x, DiagnosticKind::MissingSyncwarp, in.index))
        return;
    const std::uint32_t active = lanes;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const auto s = stores.find(x.address[std::size_t(lane)]);
        if (s == stores.end() || s->second.lane == std::uint32_t(lane))
            continue;
        // What was stored further down comes from an earlier turn of a loop. If reader and writer have not gone through it
        // side by side, the reader looks again and again until it sees something, and any order will do.
        const VolatileStore& store = s->second;
        if (store.position > in.index && !((store.executed >> lane & 1u) && (active >> store.lane & 1u)))
            continue;
        x.diagnostics->add(x, DiagnosticKind::MissingSyncwarp, in.index, lane, s->first,
                           say::NoSyncwarpVolatile(s->second.lane));
        return;
    }
}

} // namespace warpglass::emulator
