// SPDX-License-Identifier: GPL-3.0-or-later
// Registers of a product of matrices (wgmma) that are used before its wait: until then nobody knows what they hold. Found in
// the code, once: along each way from a product to its wgmma.wait_group, moves hand the registers on, and whatever else uses
// them is marked, and told when it runs.
#pragma once

#include "gpu/emulator/code/program.h"

namespace warpglass::emulator {

void markRegistersUnderWay(Program& program);

} // namespace warpglass::emulator
