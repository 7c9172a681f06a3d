// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of global memory. A request whose lanes follow each other inside one area, by far the most common,
// is one copy; one that all lanes ask of the same address is one load spread over the row; what lies in one area goes
// without further questions; only the rest is looked up a lane at a time, which is also where faults are found.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// For lanes m, whose addresses are in x.address. False: a fault.
template <bool isStore>
bool globalAccess(Exec& x, const Inst& in, std::uint32_t m);
extern template bool globalAccess<false>(Exec&, const Inst&, std::uint32_t);
extern template bool globalAccess<true>(Exec&, const Inst&, std::uint32_t);

Handler globalHandler(bool isStore);

} // namespace warpglass::emulator
