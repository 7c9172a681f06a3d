// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores and atomics. Every access is resolved against the memory map, so a wild one is always found; checks
// that only inform (first use, races) can be switched off.
#pragma once

#include "gpu/emulator/run/exec.h"

namespace warpglass::emulator {

enum class AddressSpace : std::uint8_t { Global, Shared, Local, Const, EntryParam, Generic };

// Inst: a = address row (flagWideAddress, flagNoBase), imm = offset, dst = data row (or extra = Program::vectors when
// vector > 1), bytes, rowBytes, flags.
Handler loadHandler(AddressSpace space);
Handler storeHandler(AddressSpace space);
Handler localAddressHandler(); // dst = address of a .local variable at imm, in the window of aux (0 local, 1 generic)

enum class AtomicOp : std::uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor, Exch, Cas };
// dst = old value (flagHasResult), b, c = operands. type: u32 s32 u64 s64 b32 b64 f32 f64. nullptr: no such form.
Handler atomicHandler(AtomicOp op, ptx::Type type);

Handler entryParamHandler();              // ld.param [name + imm] of an entry: one value for all lanes
Handler localDirectHandler(bool isStore); // ld.local / st.local [name + imm]

// Parameters of a call kept in rows: word imm / 4 of the slot at row a. Sub-word forms included.
Handler paramLoadHandler();
Handler paramStoreHandler();

// Reads bytes at a generic address for one lane; false if it is nowhere. For printf and launches.
bool readGeneric(Exec& x, int lane, std::uint64_t address, void* to, std::uint32_t bytes);
bool writeGeneric(Exec& x, int lane, std::uint64_t address, const void* from, std::uint32_t bytes);

} // namespace warpglass::emulator
