// SPDX-License-Identifier: GPL-3.0-or-later
// One warp: its frames, its stack of paths (stack/warp_stack.h), and what checks remember of it.
#pragma once

#include "gpu/base/lane_mask.h"
#include "gpu/emulator/state/local_memory.h"
#include "gpu/emulator/state/polls.h"
#include "gpu/trace/tables.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

struct FrameFree {
    void* taken = nullptr; // where the memory begins that the rows lie in
    void operator()(std::byte*) const { std::free(taken); }
};

// One call of a function by some lanes of a warp. Lanes that come to the same call of the same frame at another time share it.
struct Frame {
    std::unique_ptr<std::byte[], FrameFree> rows;
    std::uint32_t function = 0;
    Frame* parent = nullptr;
    std::uint32_t callPosition = 0; // of the call in the parent
    std::uint32_t localBase = 0;    // bytes of local memory below this frame, a thread
    std::uint64_t handedBelow = 0;  // likewise, bytes that its callers hand over on the stack
    std::uint64_t stackBytes = 0;   // with those of its callers, as StackRoom has it
    std::uint32_t depth = 0;
    LaneMask lanes; // still inside
    LaneMask ever;  // that have come; of the others its registers are as they were when it was taken
};

enum class EntryState : std::uint8_t {
    Ready,
    AtBarrier,  // until barrier `barrier` opens; pc is behind it
    AtSync,     // until the other members have come to pc, too
    AtWarpSync, // until the lanes of `members` stand at some bar.warp.sync; pc is behind it
    AtCluster,  // until the barrier of the cluster opens; pc is behind it
    AtGroup,    // until the other warps of the warpgroup stand so, too; pc is behind it
    Done
};

// A set of lanes that run together. In the post-dominator stack entries lie above the one that waits for them
// (children > 0); with independent threads they have no parent and join when they meet.
struct StackEntry {
    LaneMask mask;
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = noIndex; // position, in frame's function, where this entry ends
    Frame* frame = nullptr;                // of pc
    Frame* reconvergenceFrame = nullptr;
    std::uint32_t parent = noIndex; // index in WarpContext::stack
    std::uint32_t children = 0;
    EntryState state = EntryState::Ready;
    std::uint32_t barrier = 0;
    std::uint32_t members = 0; // AtSync, AtWarpSync: the mask that its lanes named
    std::uint64_t lastRun = 0; // independent threads: for fairness
    bool goesAlone = false;    // it has waited at pc long enough
    bool yielded = false;      // at pc it has let the others go first
    bool offers = false;       // AtSync: its lanes' values are in WarpContext::offered
    std::uint32_t with = 0;    // lanes that take part from another place; 0: none
    std::uint32_t meeting = 0; // with: which of WarpContext::meetings
};

// Volatile accesses of a warp since its lanes last synchronised, to find communication without __syncwarp.
struct VolatileStore {
    std::uint32_t lane = 0;
    std::uint32_t position = 0; // of the instruction
    std::uint32_t executed = 0; // lanes that stored with it
    std::uint32_t number = 0;   // of the warp's
};
struct VolatileTalk {
    std::unordered_map<std::uint64_t, VolatileStore> stores; // [address]
    std::unordered_map<std::uint32_t, std::uint32_t> asked;  // [reader * 32 + writer] the last store a branch asked for
    std::uint32_t stored = 0;
    bool empty() const { return stores.empty(); }
    void clear() {
        stores.clear();
        asked.clear();
    }
};

struct WarpContext { // of a warp that runs
    std::uint32_t number = 0;
    LaneMask live; // lanes that hold a thread
    LaneMask exited;
    LaneMask yielded; // nobody waits for them until the others have had their turn
    std::vector<StackEntry> stack;
    std::uint32_t current = 0;
    std::array<std::uint64_t, 32> offered{};             // what lanes that wait for members of theirs bring along
    std::vector<std::array<std::uint64_t, 32>> meetings; // the same as it was when they met, until all have looked
    std::vector<std::unique_ptr<Frame>> frames;          // all ever taken; free ones by function in freeFrames
    std::vector<std::vector<Frame*>> freeFrames;
    Frame* base = nullptr;
    std::uint64_t kept = 0; // bytes of frames that are counted (keep())
    LocalMemory local;
    std::uint32_t carry = 0; // condition-code register of add.cc and its kin, a bit a lane
    std::int64_t clock = 0;  // steps since the block started
    std::uint64_t issued = 0;
    std::uint32_t syncEpoch = 1; // advanced by bar.warp.sync and by barriers
    VolatileTalk volatiles;
    LastPoll poll;
    std::vector<LastPoll> polls;          // of all its lanes: several where they ask for several words, or take turns
    std::vector<VainTurn> vain;           // the last one; where lanes take turns, of each path
    std::uint32_t vainTurns = 0;          // how many there were in a row with the same registers
    std::array<std::uint64_t, 8> waits{}; // registers and place of its last waits at an mbarrier, in vain
    std::uint32_t nextWait = 0;           // of waits, to be replaced
    LaneMask clusterArrived;              // lanes that have come to the cluster's barrier
    std::array<std::array<std::uint32_t, 32>, 3> tid; // x, y, z
    bool done = false;
    bool standsStill = false;      // at the last look at its registers, waiting, they were what they had been
    std::uint32_t waitsInVain = 0; // at mbarriers; in timed blocks nobody counts them
};

} // namespace warpglass::emulator
