// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments and result of a call that a handler answers itself, one lane's.
#pragma once

#include "gpu/emulator/run/exec.h"

#include <algorithm>

namespace warpglass::emulator {

// The n-th 32-bit word of an argument; 0 if it has none.
inline std::uint32_t callWord(Exec& x, const Inst& in, std::size_t argument, std::uint32_t n, int lane) {
    const CallSite& site = x.program->calls[in.call.site];
    if (argument >= site.arguments.size() || n >= site.arguments[argument].words)
        return 0;
    return rowAt<const std::uint32_t>(x, site.arguments[argument].row + n * 128)[lane];
}
inline std::uint64_t callWide(Exec& x, const Inst& in, std::size_t argument, int lane) {
    return callWord(x, in, argument, 0, lane) | std::uint64_t(callWord(x, in, argument, 1, lane)) << 32;
}
inline void callResult(Exec& x, const Inst& in, int lane, std::uint64_t v) {
    const CallSite& site = x.program->calls[in.call.site];
    if (site.results.empty())
        return;
    for (std::uint32_t w = 0; w < std::min(2u, site.results[0].words); ++w)
        rowAt<std::uint32_t>(x, site.results[0].row + w * 128)[lane] = std::uint32_t(v >> (32 * w));
}

} // namespace warpglass::emulator
