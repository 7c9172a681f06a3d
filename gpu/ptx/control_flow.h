// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"
#include "gpu/ptx/module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass::ptx {

// A run of instructions entered only at its first and left only at its last. [first, end) of Function::body.
struct BasicBlock {
    std::uint32_t first = 0, end = 0;
    std::vector<std::uint32_t> successors; // blocks; ControlFlow::exitBlock() for ret, exit, trap
};

// Where lanes that a branch parts meet again (meetings.h).
struct Meeting {
    enum class Side : std::uint8_t { None, Next, Target };

    static constexpr std::uint32_t nowhere = 0xffffffffu;

    std::uint32_t block = 0;
    std::uint32_t behind = nowhere; // block in which those are met who jump over the first, its post-dominator
    bool around = false;       // where the branch around it meets, if there is one: one of its sides leaves the kernel
    Side leaving = Side::None; // jumps over where a branch around it meets, to the post-dominator of both
};

// Where lanes that a branch parts meet, told by who knows (gpu/machine/meets.h): instructions of Function::body, or its size:
// where the function ends. Who jumps over a place is met by the one before. None: nowhere in this function.
struct BranchMeets {
    std::string function;              // its name
    std::uint32_t branch = 0;          // instruction of Function::body
    std::vector<std::uint32_t> places; // the innermost last
    bool yields = false;               // no branch: who comes here lets those go on that wait for it
};

// Control-flow graph of one function with a virtual exit block, index blocks.size().
struct ControlFlow {
    std::vector<BasicBlock> blocks;           // in text order; block 0 is the entry
    std::vector<std::uint32_t> blockOf;       // [instruction] -> block
    std::vector<std::uint32_t> postDominator; // [block] -> immediate post-dominator; exitBlock() if only the exit is.
    // Traps and endless loops are no way to the exit for those who need not take them.
    std::vector<Meeting> meetings; // [block], of the branch at its end

    std::uint32_t exitBlock() const { return std::uint32_t(blocks.size()); }
    // First instruction of the block; body size = function exit.
    std::uint32_t firstOf(std::uint32_t block, std::uint32_t bodySize) const;
};

// A guarded bra or brx ends a block with several successors; bra.uni with one (plus fall-through if guarded); a guarded
// ret/exit falls through and goes to the exit. Calls do not end a block. Error: a branch to an unknown label.
Result<ControlFlow> controlFlow(const Function& function);
Result<ControlFlow> controlFlow(const Function& function, const LabelMap& labels); // of whom has the labels already

} // namespace warpglass::ptx
