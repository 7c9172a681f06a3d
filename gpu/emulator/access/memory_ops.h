// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores by the state space that the instruction names. Every access is resolved against the memory map, so a
// wild one is always found; checks that only inform (first use, races) can be switched off.
//
// global_access, shared_access and local_access do the work of their spaces; this file serves constants and entry
// parameters, which are read only, and generic addresses: lanes are sorted by the window that their address lies in and
// each group goes to the space of its window.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// a = address row, dst = data row (of several elements: Program::vectors); Inst::memory.
Handler loadHandler(AddressSpace space, bool polls = false); // polls: others may write what is asked for
Handler storeHandler(AddressSpace space);
MoveBy moveBy(const Program& program, const Inst& in); // once all else of the instruction is known

} // namespace warpglass::emulator
