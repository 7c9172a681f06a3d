// SPDX-License-Identifier: GPL-3.0-or-later
// Which meetings of lanes are under way at each machine instruction: those that a BSSY has begun and no BSYNC or BREAK ended.
#pragma once

#include "gpu/machine/cubin.h"

#include <cstdint>
#include <vector>

namespace warpglass::machine {

struct OpenMeetings {
    std::vector<std::vector<std::uint32_t>>
        open;                          // [instruction] on all ways to it: BSSY, in the order they were executed
    std::vector<bool> reached;         // [instruction] some way leads to it
    std::vector<std::uint32_t> tables; // instructions that indexed branches may go to
};
// Of the function's instructions but what fills up its end.
OpenMeetings openMeetings(const Function& function);

} // namespace warpglass::machine
