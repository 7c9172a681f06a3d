// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's memory holds (gpu/trace/kept_memory.h), taken before the launch and put back in another process.
#pragma once

#include "gpu/base/result.h"
#include "gpu/emulator/launch/launch_memory.h"
#include "gpu/trace/kept_memory.h"

namespace warpglass::emulator {

Keep keepMemory(const ptx::Module& module, LaunchMemory& image, std::uint64_t most); // bytes
// An image of the module with that memory, each piece at its old address. Error: no launch of this module began so.
Result<std::unique_ptr<LaunchMemory>> launchMemoryOf(const ptx::Module& module, const KeptMemory& kept);
// Puts what is kept of an image back into it, where all of its areas still are.
void putBack(const KeptMemory& kept, LaunchMemory& image);
// Of the kernels' malloc, what launches before had not given back (heap_rooms.h).
std::uint64_t heapRoomOf(const KeptMemory& kept);

} // namespace warpglass::emulator
