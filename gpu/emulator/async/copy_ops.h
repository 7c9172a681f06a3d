// SPDX-License-Identifier: GPL-3.0-or-later
// cp.async and its kin, st.async and red.async, and addresses in a cluster. Inst::async.
#pragma once

#include "gpu/emulator/async/copies.h"

namespace warpglass::emulator {

Handler copyHandler(AsyncOp op);    // nullptr: none of copies
Handler addressHandler(AsyncOp op); // mapa, getctarank

// For one lane: whether bytes of global memory are there; tells if not.
bool checkGlobal(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint64_t bytes, AccessKind kind);
// A bulk copy's operand in shared memory, as an address of the cluster; checked.
bool bulkShared(Exec& x, const Inst& in, int lane, const AsyncAddress& a, std::uint32_t bytes, std::uint32_t alignment,
                AccessKind kind, std::uint64_t& address, Home& home);
// The copy goes to the blocks of the mask (or to the one that `to` means), each with the same pieces and its own barrier.
bool deliver(Exec& x, const Inst& in, int lane, const AsyncInst& a, std::uint64_t to, std::uint32_t bytes,
             PendingCopy copy);

} // namespace warpglass::emulator
