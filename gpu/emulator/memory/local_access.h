// SPDX-License-Identifier: GPL-3.0-or-later
// Local memory: a thread's own, offsets from the bottom of its stack in x.address. It is laid out as the hardware does,
// word w of lane l at w * 128 + l * 4, so that lanes at the same variable make one full line.
#pragma once

#include "gpu/emulator/run/exec.h"

namespace warpglass::emulator {

// Where byte `offset` of a lane's local memory lies in Warp::local.
constexpr std::uint64_t localAt(std::uint64_t offset, int lane) {
    return (offset & ~std::uint64_t(3)) * 32 + std::uint64_t(lane) * 4 + (offset & 3);
}

// Bytes of a thread's local memory up to the end of the running function's, with what alloca has taken.
std::uint64_t localLimit(const Exec& x);

template <bool isStore>
bool localAccess(Exec& x, const Inst& in, std::uint32_t m); // False: a fault
extern template bool localAccess<false>(Exec&, const Inst&, std::uint32_t);
extern template bool localAccess<true>(Exec&, const Inst&, std::uint32_t);

Handler localHandler(bool isStore);
Handler localDirectHandler(bool isStore); // ld.local / st.local [name + offset]
Handler localAddressHandler();            // dst = address of a .local variable, in its window or a generic one

} // namespace warpglass::emulator
