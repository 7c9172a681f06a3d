// SPDX-License-Identifier: GPL-3.0-or-later
// Of the SIMT stack: who waits for whom no longer.
#pragma once

#include "gpu/emulator/stack/warp_stack.h"

namespace warpglass::emulator {

inline void finish(WarpContext& w, std::uint32_t entry) {
    StackEntry& e = w.stack[entry];
    e.state = EntryState::Done;
    if (e.parent != noIndex)
        --w.stack[e.parent].children;
}
// Lanes that wait for none but such as have yielded go on.
void passYielded(WarpContext& w);
// This entry, which has yielded, is about to go on, with those that have at the same place.
void endYield(WarpContext& w, std::uint32_t entry);

} // namespace warpglass::emulator
