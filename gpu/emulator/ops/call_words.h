// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments and result of a call that a handler answers itself, one lane's.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <algorithm>

namespace warpglass::emulator {

// Where the n-th 32-bit word of a lane's value lies: a register's stand side by side in its lane. No predicate's: the decoder
// refuses those.
inline std::uint32_t* callPlace(Exec& x, const ParamSlot& slot, std::uint32_t n, int lane) {
    const auto at = std::uint32_t(lane);
    return rowAt<std::uint32_t>(x, slot.row) +
           (slot.kind == ParamSlot::Kind::Register ? at * slot.words + n : 32 * n + at);
}
// The n-th 32-bit word of an argument; 0 if it has none.
inline std::uint32_t callWord(Exec& x, const Inst& in, std::size_t argument, std::uint32_t n, int lane) {
    const CallSite& site = x.program->calls[in.call.site];
    if (argument >= site.arguments.size() || n >= site.arguments[argument].words)
        return 0;
    return *callPlace(x, site.arguments[argument], n, lane);
}
inline std::uint64_t callWide(Exec& x, const Inst& in, std::size_t argument, int lane) {
    return callWord(x, in, argument, 0, lane) | std::uint64_t(callWord(x, in, argument, 1, lane)) << 32;
}
inline void callResult(Exec& x, const Inst& in, int lane, std::uint64_t v) {
    const CallSite& site = x.program->calls[in.call.site];
    if (site.results.empty())
        return;
    for (std::uint32_t w = 0; w < std::min(2u, site.results[0].words); ++w)
        *callPlace(x, site.results[0], w, lane) = std::uint32_t(v >> (32 * w));
}

} // namespace warpglass::emulator
