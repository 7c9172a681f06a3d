// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters. Those of an entry are the same for all lanes and lie in LaunchState::params; those of a call are kept in
// rows of the frame, one 32-bit word of all lanes a row.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

Handler entryParamHandler(); // ld.param [name + offset] of an entry: one value for all lanes

// Of a call: word offset / 4 of the slot at row a. Sub-word forms included.
Handler paramLoadHandler();
Handler paramStoreHandler();

} // namespace warpglass::emulator
