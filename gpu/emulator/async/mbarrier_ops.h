// SPDX-License-Identifier: GPL-3.0-or-later
// mbarrier.* and what belongs to it: barriers in shared memory (PTX ISA, "mbarrier").
#pragma once

#include "gpu/emulator/async/copies.h"

#include <string>

namespace warpglass::emulator {

Handler mbarrierHandler(AsyncOp op); // nullptr: none of mbarrier's
Handler arriveAfterCopiesHandler();  // cp.async.mbarrier.arrive

// The mbarrier that a lane means; false after it was told that there is none.
struct BarrierUse {
    Home home;
    std::uint32_t at = 0; // byte of its shared memory
    Mbarrier now;
};
bool useBarrier(Exec& x, const Inst& in, const AsyncAddress& address, int lane, BarrierUse& use, bool anew = false);

} // namespace warpglass::emulator
