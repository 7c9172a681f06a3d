// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that decide what runs next: branches, calls, returns, exits, traps.
#pragma once

#include "gpu/emulator/state/exec.h"

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

// Local memory that alloca takes behind a function's variables (stack_ops.cpp). Inst::memory: rowBytes of dst and a,
// offset is the alignment of alloca.
inline constexpr std::uint64_t mostStack = 512 * 1024; // bytes of a thread
Handler allocaHandler();                               // dst = address, a = bytes
Handler stackSaveHandler();                            // dst = address
Handler stackRestoreHandler();                         // a = address

// A function that the runtime library provides: vprintf, malloc, ...; nullptr if unknown.
Handler builtinHandler(std::string_view name);

} // namespace warpglass::emulator
