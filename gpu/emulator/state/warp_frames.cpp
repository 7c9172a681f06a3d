// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp's frames are asked for besides being run: who called, and where a frame's local memory ends.
#include "gpu/emulator/state/exec.h"

#include <algorithm>
#include <cstring>

namespace warpglass::emulator {

std::uint32_t callerOf(const Exec& x) {
    std::uint32_t position = noIndex;
    for (const Frame* f = x.frame; f->parent && x.program->functions[f->function].isForeign; f = f->parent)
        position = f->callPosition;
    return position;
}

std::uint64_t stackBottom(const Exec& x) {
    return x.frame->localBase + (x.program->functions[x.frame->function].localBytes + 15) / 16 * 16;
}

std::uint64_t stackTop(const Exec& x) {
    const Row row = x.program->functions[x.frame->function].stackRow;
    if (row == noRow)
        return stackBottom(x);
    std::uint32_t most = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        std::uint32_t taken = 0;
        std::memcpy(&taken, x.frame->rows.get() + row + 4 * lane, 4);
        most = std::max(most, taken);
    }
    return stackBottom(x) + (most + 15) / 16 * 16;
}

} // namespace warpglass::emulator
