// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/memory_map.h"

namespace warpglass::emulator {

// Atomics on bytes and 16-bit numbers are made of swaps of the aligned word around them, by the compiler's own headers.
// Such a word may reach up to three bytes beyond the memory that the last of them lies in, which a device has there.
// The area in which the word begins; nullptr if there is none, or for other accesses.
inline Area* wordAtEnd(const GlobalMemory& memory, std::uint64_t address, std::uint32_t size) {
    Area* hint = nullptr;
    return size == 4 && address % 4 == 0 ? memory.find(address, 1, hint) : nullptr;
}

} // namespace warpglass::emulator
