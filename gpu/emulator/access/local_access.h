// SPDX-License-Identifier: GPL-3.0-or-later
// Local memory: a thread's own, offsets from the bottom of its stack in x.address.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

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
