// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/source_lines.h"

namespace warpglass::ptx {

std::vector<Place> sourceChain(const Module& module, const Instruction& instruction) {
    std::vector<Place> chain;
    // A place is always younger than the one it was inlined at, so a damaged chain cannot run in a circle.
    std::uint32_t at = instruction.place;
    while (at < module.places.size()) {
        chain.push_back(module.places[at]);
        const std::uint32_t next = module.places[at].inlinedAt;
        if (next >= at)
            break;
        at = next;
    }
    return chain;
}

} // namespace warpglass::ptx
