// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes at a generic address for one lane, outside of loads and stores: what printf and launches read. Uncounted and
// unchecked.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// False if the address is nowhere.
bool readGeneric(Exec& x, int lane, std::uint64_t address, void* to, std::uint32_t bytes);
bool writeGeneric(Exec& x, int lane, std::uint64_t address, const void* from, std::uint32_t bytes);

} // namespace warpglass::emulator
