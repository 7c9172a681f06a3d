// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that nothing can end: no instruction of them reads memory, a barrier, a clock or another lane, and what decides whether
// they go on is computed from values that no turn changes. Mostly a flag that the compiler has loaded once, before the loop,
// since nothing told it that another thread may write there.
#pragma once

#include "gpu/emulator/code/program.h"

#include <optional>

namespace warpglass::emulator {

struct DeafLoop {
    std::uint32_t load = noIndex; // position of the load that decides, before the loop; noIndex: there is none
};

// The innermost loop around a position, if it is one.
std::optional<DeafLoop> deafLoop(const Program& program, std::uint32_t position);

} // namespace warpglass::emulator
