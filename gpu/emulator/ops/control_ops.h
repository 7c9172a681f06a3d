// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that decide what runs next: branches, calls, returns, exits, traps.
#pragma once

#include "gpu/emulator/run/exec.h"

#include <string_view>

namespace warpglass::emulator {

// Inst::branch. Guarded or not.
Handler branchHandler();
Handler indexedBranchHandler(); // a = index row
// Inst::call. Copies arguments and results between parameter rows.
Handler callHandler();
Handler functionEndHandler();
Handler exitHandler(); // exit, and ret of an entry
Handler trapHandler();

// A function that the runtime library provides: vprintf, malloc, ...; nullptr if unknown.
Handler builtinHandler(std::string_view name);

} // namespace warpglass::emulator
