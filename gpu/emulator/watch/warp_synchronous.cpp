// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/warp_synchronous.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/record/diagnostics.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

void checkVolatileGlobal(Exec& x, const Inst& in, std::uint32_t lanes, bool isStore) {
    if (!x.computeSeven)
        return;
    VolatileTalk& talk = x.warp->volatiles;
    if (isStore) {
        const std::uint32_t executed = lanes;
        if (talk.stores.size() > bounds.volatileStores) // no warp-synchronous tail: a polling loop
            talk.clear();
        ++talk.stored;
        for (; lanes; lanes &= lanes - 1) {
            const int lane = std::countr_zero(lanes);
            talk.stores[x.address[std::size_t(lane)]] = {std::uint32_t(lane), in.index, executed, talk.stored};
        }
        return;
    }
    if (talk.empty())
        return;
    const bool isAsked = x.program->info[in.index].isAsked;
    if (!isAsked && x.diagnostics->repeated(x, DiagnosticKind::MissingSyncwarp, in.index))
        return;
    const std::uint32_t active = lanes;
    for (; lanes; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const auto s = talk.stores.find(x.address[std::size_t(lane)]);
        if (s == talk.stores.end() || s->second.lane == std::uint32_t(lane))
            continue;
        const VolatileStore& store = s->second;
        std::uint32_t& asked = talk.asked[std::uint32_t(lane) * 32 + store.lane];
        // A word that decides a branch is a flag, which is looked at until it has been raised: any order will do. Who has asked for
        // one that the same lane stored then or later runs in no lock-step, but is handed what was stored before it, and that
        // needs fences, which is another matter (global_races.h).
        if (isAsked)
            asked = std::max(asked, store.number);
        // What was stored further down comes from an earlier turn of a loop. If reader and writer have not gone through it
        // side by side, the reader looks again and again until it sees something.
        if (asked >= store.number ||
            (store.position > in.index && !((store.executed >> lane & 1u) && (active >> store.lane & 1u))))
            continue;
        x.diagnostics->add(x, DiagnosticKind::MissingSyncwarp, in.index, lane, s->first,
                           say::NoSyncwarpVolatile(store.lane));
        return;
    }
}

} // namespace warpglass::emulator
