// SPDX-License-Identifier: GPL-3.0-or-later
// The state that handlers work on: one warp being run (Exec), its frames and SIMT stack (Warp), its block (BlockState)
// and the worker's counters. Everything here belongs to one host thread; only global memory is shared.
//
// The seam for the timing model: bring a warp in with resume(), then arrive() and step() once for each instruction.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/lane_mask.h"
#include "gpu/emulator/decode/program.h"
#include "gpu/emulator/memory/memory_map.h"
#include "gpu/emulator/record/access_summary.h"
#include "gpu/launch/backend.h"

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace warpglass::emulator {

struct Exec;
struct BlockState;
class Diagnostics;
class Recorder;
class TouchTable;
struct DeviceState;

struct FrameFree {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t(64)); }
};

// One call of a function by some lanes of a warp.
struct Frame {
    std::unique_ptr<std::byte[], FrameFree> rows;
    std::uint32_t function = 0;
    Frame* parent = nullptr;
    std::uint32_t callPosition = 0; // of the call in the parent
    std::uint32_t localBase = 0;    // bytes of local memory below this frame, a thread
    std::uint32_t depth = 0;
    LaneMask lanes; // still inside
};

enum class EntryState : std::uint8_t { Ready, AtBarrier, AtSync, Done };

// A set of lanes that run together. In the post-dominator stack entries lie above the one that waits for them
// (children > 0); with independent threads they have no parent and join when they meet.
struct StackEntry {
    LaneMask mask;
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = noIndex; // position, in frame's function, where this entry ends
    Frame* frame = nullptr;                // of pc
    Frame* reconvergenceFrame = nullptr;
    std::uint32_t parent = noIndex; // index in Warp::stack
    std::uint32_t children = 0;
    EntryState state = EntryState::Ready;
    std::uint32_t barrier = 0;
    std::uint64_t lastRun = 0; // independent threads: for fairness
};

// A volatile access, to find communication inside a warp without __syncwarp.
struct VolatileStore {
    std::uint64_t address = 0;
    std::uint32_t lane = 0, index = 0;
};

struct Warp { // the running warp; the trace's row is warpglass::Warp
    std::uint32_t number = 0;
    LaneMask live; // lanes that hold a thread
    LaneMask exited;
    std::vector<StackEntry> stack;
    std::uint32_t current = 0;
    std::vector<std::unique_ptr<Frame>> frames; // all ever taken; free ones by function in freeFrames
    std::vector<std::vector<Frame*>> freeFrames;
    Frame* base = nullptr;
    std::vector<std::byte> local;            // local memory: [4-byte word][lane][4]
    std::vector<std::uint32_t> localWritten; // [word] -> lanes
    std::uint32_t carry = 0;                 // condition-code register of add.cc and its kin, a bit a lane
    std::int64_t clock = 0;                  // steps since the block started
    std::uint64_t issued = 0;
    std::uint32_t syncEpoch = 1; // advanced by bar.warp.sync and by barriers
    std::vector<VolatileStore> volatileStores;
    std::array<std::array<std::uint32_t, 32>, 3> tid; // x, y, z
    bool done = false;
};

enum class Stop : std::uint8_t { None, Switch, Slice, Blocked, Done, Fault };

// What one 4-byte word (or byte) of shared memory has seen since the last barrier.
struct SharedCell {
    std::uint32_t writeEpoch = 0, readEpoch = 0;
    std::uint16_t writer = 0, reader = 0; // linear thread in block
    std::uint16_t writeSync = 0;          // low bits of the warp's syncEpoch then
    bool atomic = false;
};

struct Barrier {
    std::uint32_t arrived = 0;   // threads, those of bar.arrive too
    std::uint32_t rounded = 0;   // the same with whole warps counted as 32, for barriers with a count
    std::uint32_t expected = 0;  // 0: all threads of the block that have not exited
    std::uint32_t trueCount = 0; // bar.red
    std::int64_t clock = 0;      // latest arriver
    std::uint32_t index = 0;     // instruction of the last arrival
};

struct MemoryCount {
    std::uint64_t requests = 0, bytesDistinct = 0, bytesRequested = 0, sectors = 0, lines = 0, passes = 0,
                  idealPasses = 0;
    std::uint32_t spaces = 0; // bit s: MemorySpace s was accessed (generic addresses)
};
struct BranchCount {
    std::uint64_t divergent = 0, takenLanes = 0;
};

// Sums over blocks; addition makes the order of blocks irrelevant.
struct Counters {
    std::vector<std::uint64_t> runExecutions, runLanes; // [run]
    std::vector<std::int64_t> executionsFix, lanesFix;  // [position]: guarded lanes, and what a fault cut off
    std::vector<MemoryCount> memory;                    // [position]
    std::vector<BranchCount> branch;                    // [position]
    void reset(const Program& program);
    void add(const Counters& other);
};

struct BlockState {
    std::uint64_t index = 0; // linear
    Dim3 blockIdx{0, 0, 0};
    std::uint32_t launch = 0;
    std::vector<std::byte> shared;
    std::vector<SharedCell> cells;
    std::uint32_t epoch = 1, firstEpoch = 1;
    std::vector<std::unique_ptr<Warp>> warps;
    std::uint32_t warpCount = 0, threads = 0, liveThreads = 0;
    std::array<Barrier, 16> barriers;
    std::uint32_t sm = 0;
    std::int64_t clockBase = 0; // what clocks read when the block starts
    double nsPerCycle = 1;      // for %globaltimer
    std::string output;
};

// What is the same for every block of a launch.
struct LaunchState {
    const Program* program = nullptr;
    std::uint32_t launch = 0; // row
    Dim3 grid, block;
    std::uint32_t sharedBytes = 0; // static + dynamic
    std::uint32_t dynamicShared = 0;
    std::vector<std::byte> params;
    std::uint32_t depth = 0;
};

struct Exec {
    // The running entry, unpacked; pack() writes it back.
    std::byte* rows = nullptr;
    std::uint32_t mask = 0;
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = noIndex;
    Frame* frame = nullptr;
    Frame* reconvergenceFrame = nullptr;

    Warp* warp = nullptr;
    BlockState* block = nullptr;
    const LaunchState* launch = nullptr;
    const Program* program = nullptr;
    GlobalMemory* global = nullptr;
    const std::vector<std::byte>* constants = nullptr;
    Area* hint = nullptr; // last area of global memory
    Counters* counters = nullptr;
    Recorder* recorder = nullptr; // nullptr: no events for this block
    Diagnostics* diagnostics = nullptr;
    DeviceState* device = nullptr;
    Stop stop = Stop::None;
    bool checkMemory = true, independent = false, takenSideFirst = false, computeSeven = true;
    std::uint64_t limit = 0, sliceEnd = 0;

    // Scratch of memory instructions: one address a lane; what the last one did.
    alignas(64) std::array<std::uint64_t, 32> address;
    AccessSummary access;
    TouchTable* touched = nullptr; // timing: sectors that this block touches are told there
    std::uint64_t touchesLeft = 0;

    alignas(64) std::array<std::uint32_t, 32> laneBits; // ~0 for lanes of laneBitsOf
    std::uint32_t laneBitsOf = 0;

    [[gnu::always_inline]] void expand(std::uint32_t m) {
        for (int i = 0; i < 32; ++i)
            laneBits[std::size_t(i)] = 0u - ((m >> i) & 1u);
        laneBitsOf = m;
    }
};

template <class T>
[[gnu::always_inline]] inline T* rowAt(Exec& x, std::uint32_t offset) {
    return reinterpret_cast<T*>(x.rows + offset);
}
[[gnu::always_inline]] inline std::uint32_t predicate(const Exec& x, std::uint32_t row) {
    std::uint32_t p;
    std::memcpy(&p, x.rows + row, 4);
    return p;
}
[[gnu::always_inline]] inline void setPredicate(Exec& x, std::uint32_t row, std::uint32_t lanes, std::uint32_t value) {
    std::uint32_t p;
    std::memcpy(&p, x.rows + row, 4);
    p = (p & ~lanes) | (value & lanes);
    std::memcpy(x.rows + row, &p, 4);
}

// Lanes for which the instruction is carried out. Guarded instructions are counted a lane at a time.
[[gnu::always_inline]] inline std::uint32_t guardMask(const Exec& x, const Inst& in) {
    const std::uint32_t p = predicate(x, in.guard & guardRow);
    return x.mask & (in.guard & guardNegated ? ~p : p);
}
[[gnu::always_inline]] inline std::uint32_t activeMask(Exec& x, const Inst& in) {
    if (in.guard == 0) [[likely]]
        return x.mask;
    const std::uint32_t m = guardMask(x, in);
    x.counters->lanesFix[in.index] += std::popcount(m) - std::popcount(x.mask);
    return m;
}

// warp.cpp: frames, stack, divergence.
void startWarp(Exec& x, Warp& warp);
bool resume(Exec& x, Warp& warp); // makes the warp's next ready entry current; false if none is ready
void pack(Exec& x);               // writes the current entry back
void diverge(Exec& x, std::uint32_t first, std::uint32_t firstPc, std::uint32_t second, std::uint32_t secondPc,
             std::uint32_t reconvergence); // the two sides, in the order they run
// Lanes that have come to their reconvergence point stop waiting for those that stand at a barrier: they may be the
// very threads the barrier waits for. Done only when nothing else can go on. False: there are none.
bool departEarly(Warp& warp);
bool reachReconvergence(Exec& x);             // current entry is at its end: pops; false: nothing ready
void exitLanes(Exec& x, std::uint32_t lanes); // those lanes end
bool meet(Exec& x);                           // independent threads: joins and switches entries at the start of a run
Frame* takeFrame(Exec& x, Warp& warp, std::uint32_t function);
void releaseFrame(Warp& warp, Frame* frame);
void ensureLocal(Warp& warp, std::uint64_t bytes); // a thread

// barrier.cpp
void releaseBarriers(Exec& x); // those that nobody is missing from any more; x.warp may be left as it is

// interpreter.cpp
void runWarp(Exec& x, Warp& warp); // until it blocks, ends, faults or its slice is over

// One instruction for the timing model.
struct StepResult {
    const Inst* inst = nullptr;
    const InstInfo* info = nullptr;
    LaneMask active;
    const AccessSummary* access = nullptr; // of memory instructions
    Stop stop = Stop::None;
};
bool arrive(Exec& x);     // leaves paths that have ended; x.pc is then the next instruction. False: none is ready
StepResult step(Exec& x); // runs the instruction at x.pc, after arrive()

} // namespace warpglass::emulator
