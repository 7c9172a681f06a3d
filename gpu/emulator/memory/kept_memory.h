// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch's memory holds, taken before the launch and put back in another process: parameters, constants and
// variables of the module, and whatever of global memory they lead to.
//
// Every aligned word that could be an address counts as one, as a conservative garbage collector sees it; memory that no
// word leads to is not kept.
#pragma once

#include "gpu/base/result.h"
#include "gpu/emulator/memory/image.h"
#include "gpu/trace/kept_memory.h"

namespace warpglass::emulator {

// Error: it is more than `most` bytes, or textures belong to it, which are not kept.
Result<KeptMemory> keepMemory(const ptx::Module& module, Image& image, std::uint64_t most);
// An image of the module with that memory, each piece at its old address. Error: no launch of this module began so.
Result<std::unique_ptr<Image>> imageOf(const ptx::Module& module, const KeptMemory& kept);
// Bytes of the kernels' malloc that launches before had not given back.
std::uint64_t heapBytesOf(const KeptMemory& kept);

} // namespace warpglass::emulator
