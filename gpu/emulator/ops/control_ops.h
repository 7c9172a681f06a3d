// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that decide what runs next: branches, calls, returns, exits, barriers, traps.
#pragma once

#include "gpu/emulator/run/exec.h"

#include <string_view>

namespace warpglass::emulator {

// imm = target position, reconvergence. Guarded or not.
Handler branchHandler();
Handler indexedBranchHandler(); // a = index row, extra = Program::targets
// extra = Program::calls. Copies arguments and results between parameter rows.
Handler callHandler();
Handler functionEndHandler();
Handler exitHandler(); // exit, and ret of an entry
Handler trapHandler();

// a = barrier number row (noIndex: imm), b = thread count row (noIndex: all).
enum class BarrierKind : std::uint8_t { Sync, Arrive, RedPopc, RedAnd, RedOr };
Handler barrierHandler(BarrierKind kind); // aux = kind; reductions: dst, c = predicate, flags & 1: negated
Handler warpSyncHandler();                // a = member mask row

// Independent threads: makes the running entry wait until the lanes of members have come here too. False: it waits.
bool gather(Exec& x, const Inst& in, std::uint32_t members);

// A function that the runtime library provides: vprintf, malloc, ...; nullptr if unknown.
Handler builtinHandler(std::string_view name);

} // namespace warpglass::emulator
