// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel asks of CUDA's device runtime besides launches: copies, fills, memory, streams and events, questions
// about the device.
//
// A copy is done at once, which its stream allows, unless the grid has asked for something before it: then it takes its
// place in the order of the launches, since it may copy what they are to write.
#pragma once

#include "gpu/emulator/state/exec.h"

namespace warpglass::emulator {

// Rows of a box of bytes, from one place of global memory to another, or filled with one byte.
struct Transfer {
    std::uint64_t to = 0, toPitch = 0, toSlice = 0;       // bytes from row to row and from slice to slice
    std::uint64_t from = 0, fromPitch = 0, fromSlice = 0; //
    std::uint64_t width = 0, height = 1, depth = 1;       // bytes, rows, slices
    bool fills = false;
    std::uint8_t value = 0;
};
// False, and nothing done, if a row does not lie in one allocation.
bool carryOut(GlobalMemory& memory, const Transfer& transfer);

// malloc and free; 0 if the heap is used up. giveHeap: false after a diagnostic, if no malloc gave the address.
std::uint64_t takeHeap(Exec& x, const Inst& in, int lane, std::uint64_t bytes);
bool giveHeap(Exec& x, const Inst& in, int lane, std::uint64_t address);

// nullptr if the device runtime has no such function, or if it is not known here.
Handler runtimeHandler(std::string_view name);
// "MemcpyAsync" of "__cudaCDP2MemcpyAsync_ptsz"; empty if it is no function of the device runtime.
std::string_view runtimeName(std::string_view name);

} // namespace warpglass::emulator
