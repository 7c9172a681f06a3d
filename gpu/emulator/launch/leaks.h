// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of the device's heap that a program has lost: never freed, and no pointer to it is left in any buffer, variable,
// or other memory that can be reached. What a later kernel could still free is no leak.
#pragma once

#include "gpu/emulator/launch/launch_tree.h"
#include "gpu/emulator/state/memory_map.h"

#include <string>
#include <vector>

namespace warpglass::emulator {

// After the last launch: told with the launch that allocated it, once for each line.
void tellLeaks(GlobalMemory& memory, std::vector<LaunchRecord>& launches);

// Where a whole program ends no kernel comes that could free anything, so what pointers still lead to is lost as well: a
// sentence for each line that allocated.
std::vector<Message> leaksAtTheEnd(GlobalMemory& memory);

} // namespace warpglass::emulator
