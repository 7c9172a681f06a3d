// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/ptx/module.h"

#include <cstdint>
#include <vector>

namespace warpglass::ptx {

// A run of instructions entered only at its first and left only at its last. [first, end) of Function::body.
struct BasicBlock {
    std::uint32_t first = 0, end = 0;
    std::vector<std::uint32_t> successors; // blocks; ControlFlow::exitBlock() for ret, exit, trap
};

struct Meeting {
    std::uint32_t block = 0; // its post-dominator, but for early exits (meetings.h)
    bool around = false;
};

// Control-flow graph of one function with a virtual exit block, index blocks.size().
struct ControlFlow {
    std::vector<BasicBlock> blocks;           // in text order; block 0 is the entry
    std::vector<std::uint32_t> blockOf;       // [instruction] -> block
    std::vector<std::uint32_t> postDominator; // [block] -> immediate post-dominator; exitBlock() if only the exit is.
    // Traps and endless loops are no way to the exit for those who need not take them.
    std::vector<Meeting> meetings; // [block] -> where lanes that a branch at its end parts meet again

    std::uint32_t exitBlock() const { return std::uint32_t(blocks.size()); }
    // First instruction of the reconvergence point of a branch at this instruction; body size = function exit.
    std::uint32_t reconvergence(std::uint32_t instruction, std::uint32_t bodySize) const;
    // Whether it meets where the branch around it does, if there is one: at least one of its sides leaves the kernel.
    bool meetsAround(std::uint32_t instruction) const;
};

// A guarded bra or brx ends a block with several successors; bra.uni with one (plus fall-through if guarded); a guarded
// ret/exit falls through and goes to the exit. Calls do not end a block. Error: a branch to an unknown label.
Result<ControlFlow> controlFlow(const Function& function);

} // namespace warpglass::ptx
