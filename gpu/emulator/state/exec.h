// SPDX-License-Identifier: GPL-3.0-or-later
// The state that handlers work on: one warp being run (Exec), its block (BlockState), its launch and the worker's
// counters. Everything here belongs to one host thread; only global memory is shared.
#pragma once

#include "gpu/emulator/code/program.h"
#include "gpu/emulator/state/access_summary.h"
#include "gpu/emulator/state/block_state.h"
#include "gpu/emulator/state/counters.h"
#include "gpu/emulator/state/memory_map.h"
#include "gpu/launch/backend.h"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace warpglass::emulator {

class AccessShapes;
struct AddressPasses;
class Diagnostics;
class RaceWatch;
class Recorder;
class TextureMemory;
class OwnSums;
class TouchTable;
class TouchSample;
class HangWatch;
class MemoryUse;
struct UsePage;
class UseAfterLaunches;
class WordWatch;
class VariableWatch;
class TwinWatch;
struct DeviceState;

enum class Stop : std::uint8_t { None, Switch, Slice, Blocked, Done, Fault };

// What is the same for every block of a launch.
struct LaunchState {
    const Program* program = nullptr;
    std::uint32_t launch = 0; // row
    Dim3 grid, block;
    std::uint32_t sharedBytes = 0; // static + dynamic
    std::uint32_t dynamicShared = 0;
    Dim3 cluster; // blocks of one; 1 if the kernel names none
    AddressedBytes params;
    std::uint32_t depth = 0;
    const LaunchPlan* plan = nullptr; // what was asked for, with the kernels' source where it is known
    const TextureMemory* textures = nullptr;
    std::uint64_t workspace = 0; // address of the launch's own notes, zero at first; of cooperative launches
};

// From where each lane of a shuffle takes its value.
struct ShufflePlan {
    std::uint32_t key = 0;     // mode, distance, segment; 0 = none
    std::uint32_t running = 0; // the lanes that take part
    std::uint32_t inRange = 0; // [lane]
    std::uint32_t absent = 0;  // [lane] whose source is in range and does not take part
    std::array<std::uint32_t, 32> source{};
};

struct Exec {
    // The running entry, unpacked; pack() writes it back.
    std::byte* rows = nullptr;
    std::uint32_t mask = 0;
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = noIndex;
    Frame* frame = nullptr;
    Frame* reconvergenceFrame = nullptr;

    WarpContext* warp = nullptr;
    BlockState* block = nullptr;
    const LaunchState* launch = nullptr;
    const Program* program = nullptr;
    GlobalMemory* global = nullptr;
    Addressed constants;  // for accesses that load
    Area* hint = nullptr; // last area of global memory
    Counters* counters = nullptr;
    Recorder* recorder = nullptr; // nullptr: no events for this block
    Diagnostics* diagnostics = nullptr;
    DeviceState* device = nullptr;
    Stop stop = Stop::None;
    bool checkMemory = true, checkFirstUse = true; // the latter of global memory
    bool independent = false, takenSideFirst = false, computeSeven = true;
    bool apart = false;      // with the stack: lanes that hold each other up have been seen, and now take turns
    bool concurrent = false; // other host threads run blocks of this grid now
    OwnSums* ownSums = nullptr;
    // By a store's position: since how many times it has changed memory, about; 0: it did not the last time.
    std::array<std::uint8_t, 64> otherValues{};
    std::uint64_t limit = 0, sliceEnd = 0;
    Polls polls; // of this slice

    // Scratch of memory instructions: one address a lane; what the last one did.
    alignas(64) std::array<std::uint64_t, 32> address;
    AccessSummary access;
    // Of the last access to shared memory: how its lanes lie, and where, if all of them do in the block's own. If `lanesAbove`
    // is there, their addresses are not in x.address but so far above the lowest one, which lies at lanesLowest.
    Lanes lanesLie = Lanes::Scattered;
    Reach lanesReach;
    const std::uint32_t* lanesAbove = nullptr;
    const std::byte* lanesLowest = nullptr;
    // Who is told of every access; memory handlers ask only whether there is anybody, or anybody else who asks for the
    // addresses and counts of single ones. Chosen as a block begins, or when one of them comes or goes.
    bool watched = false, observed = false;
    void chooseWatchers() {
        watched = touched || sample || races || hang || word || variable || afterLaunches;
        observed = watched || use || recorder || reportFaults || block->timed;
    }
    TouchTable* touched = nullptr; // timing: sectors that this block touches
    std::uint64_t touchesLeft = 0;
    TouchSample* sample = nullptr; // the same for an estimate; as long as there is something left
    std::uint64_t sampleLeft = 0;
    RaceWatch* races = nullptr;
    HangWatch* hang = nullptr;
    WordWatch* word = nullptr;
    VariableWatch* variable = nullptr;
    TwinWatch* twin = nullptr;                 // asked by instructions that it has marked
    MemoryUse* use = nullptr;                  // which bytes of global memory the launch touches, if asked
    UseAfterLaunches* afterLaunches = nullptr; // and, of a grid that launches others, what it touches behind that
    static constexpr std::size_t recentPages = 8;
    std::array<UsePage*, recentPages> recentUse{}; // of use, found last
    // What rows of an instruction have touched in a stretch, one row behind the other; not yet in use.
    struct OpenUse {
        std::uint32_t position = noIndex;
        bool reads = false, strong = false;
        std::uint64_t begin = 0, end = 0;
    };
    std::array<OpenUse, 8> openUse; // by position
    bool reportFaults = false;      // a lane whose access is wild or misaligned goes on without it

    std::array<ShufflePlan, 16> shuffles; // by a hash of their key

    alignas(64) std::array<std::uint32_t, 32> laneBits; // ~0 for lanes of laneBitsOf
    std::uint32_t laneBitsOf = 0;
    AccessShapes* shapes = nullptr;        // of scattered accesses
    const AddressPasses* passes = nullptr; // over addresses

    [[gnu::always_inline]] void expand(std::uint32_t m) {
        for (int i = 0; i < 32; ++i)
            laneBits[std::size_t(i)] = 0u - ((m >> i) & 1u);
        laneBitsOf = m;
    }
};

// Position of the call that led from a function that is not foreign into the running one; noIndex if that is not foreign.
std::uint32_t callerOf(const Exec& x);

// The running frame's local memory: where it begins, and behind what any of its lanes has taken (alloca).
std::uint64_t stackBottom(const Exec& x);
std::uint64_t stackTop(const Exec& x);

template <class T>
[[gnu::always_inline]] inline T* rowAt(Exec& x, Row row) {
    return reinterpret_cast<T*>(x.rows + row);
}
[[gnu::always_inline]] inline std::uint32_t predicate(const Exec& x, Row row) {
    std::uint32_t p;
    std::memcpy(&p, x.rows + row, 4);
    return p;
}
[[gnu::always_inline]] inline void setPredicate(Exec& x, Row row, std::uint32_t lanes, std::uint32_t value) {
    std::uint32_t p;
    std::memcpy(&p, x.rows + row, 4);
    p = (p & ~lanes) | (value & lanes);
    std::memcpy(x.rows + row, &p, 4);
}

// An access that faults is told, and the warp goes on behind it.
inline bool passedOver(const Exec& x) {
    return x.reportFaults && x.stop == Stop::None;
}

// f(lane) for each lane of m, the lowest first.
template <class F>
void eachLane(std::uint32_t m, F f) {
    for (; m; m &= m - 1)
        f(std::countr_zero(m));
}

// d[i] = f(i) for the lanes of m. Two loops without a branch, for the compiler to make vector code of: nearly always all
// lanes run.
template <class T, class F>
[[gnu::always_inline]] inline void storeLanes(Exec& x, std::uint32_t m, T* __restrict d, F f) {
    if (m == ~0u) [[likely]] {
#pragma GCC ivdep
        for (int i = 0; i < 32; ++i)
            d[i] = T(f(i));
        return;
    }
    if (x.laneBitsOf != m)
        x.expand(m);
    const std::uint32_t* bits = x.laneBits.data();
#pragma GCC ivdep
    for (int i = 0; i < 32; ++i) {
        const auto k = T(std::int64_t(std::int32_t(bits[i])));
        d[i] = (T(f(i)) & k) | (d[i] & ~k);
    }
}

// Whether all lanes of m hold the same value.
template <class T>
[[gnu::always_inline]] inline bool sameInAll(Exec& x, std::uint32_t m, const T* row) {
    const T first = row[std::countr_zero(m)];
    T differs = 0;
    if (m == ~0u) [[likely]] {
        for (int i = 0; i < 32; ++i)
            differs |= row[i] ^ first;
        return differs == 0;
    }
    if (x.laneBitsOf != m)
        x.expand(m);
    for (int i = 0; i < 32; ++i)
        differs |= (row[i] ^ first) & T(std::int64_t(std::int32_t(x.laneBits[std::size_t(i)])));
    return differs == 0;
}

// The lanes of m that name the same member mask, group by group: f(lanes, members). Lanes of one instruction may name
// different masks, as the tiles of a warp do.
template <class F>
void forEachGroup(Exec& x, const std::uint32_t* named, std::uint32_t m, F f) {
    if (m && sameInAll(x, m, named)) [[likely]] {
        f(m, named[std::countr_zero(m)]);
        return;
    }
    while (m) {
        const std::uint32_t members = named[std::countr_zero(m)];
        std::uint32_t group = 0;
        for (std::uint32_t rest = m; rest; rest &= rest - 1)
            group |= std::uint32_t(named[std::countr_zero(rest)] == members) << std::countr_zero(rest);
        f(group, members);
        m &= ~group;
    }
}

// Rows of what a memory instruction moves, an element each.
inline const Row* dataRows(const Exec& x, const Inst& in) {
    return in.memory.elements == 1 ? &in.dst : x.program->vectors[in.memory.vector].data();
}

// Lanes for which the instruction is carried out. Guarded instructions are counted a lane at a time.
[[gnu::always_inline]] inline std::uint32_t guardMask(const Exec& x, const Inst& in) {
    const std::uint32_t p = predicate(x, in.guard.row());
    return x.mask & (in.guard.negated() ? ~p : p);
}
[[gnu::always_inline]] inline std::uint32_t activeMask(Exec& x, const Inst& in) {
    if (!in.guard) [[likely]]
        return x.mask;
    const std::uint32_t m = guardMask(x, in);
    x.counters->lanesFix[in.index] += std::popcount(m) - std::popcount(x.mask);
    return m;
}

} // namespace warpglass::emulator
