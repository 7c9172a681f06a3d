// SPDX-License-Identifier: GPL-3.0-or-later
// Shared memory that may be another block's of the cluster.
#pragma once

#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// For one lane: where a shared address lies; nullptr after it was told to be wrong.
std::byte* sharedBytes(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes, AccessKind kind,
                       Home& home);
// Loads and stores of which some lane means another block; offsets in x.address.
template <bool isStore>
bool clusterAccess(Exec& x, const Inst& in, std::uint32_t m);

} // namespace warpglass::emulator
