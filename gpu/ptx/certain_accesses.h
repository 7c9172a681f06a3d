// SPDX-License-Identifier: GPL-3.0-or-later
// What one thread of a launch is certain to touch in global memory: as far as that follows from its place and the kernel's
// parameters, without anything that memory holds. Of whoever has a launch's arguments and not its memory.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/ptx/module.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpglass::ptx {

struct CertainAccess {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool writes = false;
    bool strong = false; // by an atomic, or volatile, relaxed, acquiring or releasing (gpu/base/touched.h)
};

// A thread of a launch.
struct ThreadPlace {
    Dim3 grid, block;
    Dim3 index;  // of its block
    Dim3 thread; // of it in the block
};

// In the order in which the thread makes them, if it comes to its end. It is followed to where its way depends on what is not
// known (a value from memory, another lane's, a float), to a call, or for so many instructions, of which those that it took are
// taken. parameters: their bytes, as a launch has them. Addresses of generic accesses may be of shared or local memory.
std::vector<CertainAccess> certainAccesses(const Function& entry, std::span<const std::byte> parameters,
                                           const ThreadPlace& place, std::size_t& instructions);

// Whether a thread of it may learn from memory what others do meanwhile: it has a strong load or an atomic that gives a value, or
// calls what is not looked at.
bool mayListen(const Function& entry);

} // namespace warpglass::ptx
