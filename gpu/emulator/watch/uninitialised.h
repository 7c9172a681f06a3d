// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of global memory that nobody has written to. Areas whose first use is watched know it word by word
// (Area::written); most have no such notes, and those that have are mostly written where they are read. What lies below
// Area::writtenTo needs no look; then a row of words is asked by few wide comparisons, and only where one is missing
// lane after lane is looked at.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <array>

namespace warpglass::emulator {

// Lanes m of an access to this area, whose first use is watched; their addresses are in x.address. A load tells what it
// finds unwritten, a store writes it down.
void watchLoad(Exec& x, const Inst& in, std::uint32_t m, const Area& area, std::uint32_t bytes);
void watchStore(Exec& x, std::uint32_t m, Area& area, std::uint32_t bytes);
// The same for one piece of [address, address + bytes) that lanes m take one behind the other.
inline void watchStoredRow(Area& area, std::uint64_t address, std::uint32_t bytes) {
    if (address + bytes > area.writtenTo)
        area.noteWritten(address, bytes);
}
void watchLoadedRow(Exec& x, const Inst& in, std::uint32_t m, const Area& area, std::uint64_t address,
                    std::uint32_t bytes, std::uint32_t each);
// An atomic. takes: what was there before goes into what is there now, or (hasResult) into a register that is used.
void watchAtomic(Exec& x, const Inst& in, std::uint32_t m, Area& area, std::uint32_t bytes, bool takes);
// Whether any of it was written, or nobody knows.
bool holdsWritten(Exec& x, std::uint64_t address, std::uint64_t bytes);
// What lanes m copy from there, each as many bytes.
void watchCopies(Exec& x, const Inst& in, std::uint32_t m, const std::array<std::uint64_t, 32>& from,
                 std::uint32_t bytes);

} // namespace warpglass::emulator
