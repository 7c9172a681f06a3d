// SPDX-License-Identifier: GPL-3.0-or-later
// PTX seen as the machine code that ptxas makes of it, as far as time is concerned. PTX is no machine code: some of its
// instructions cost nothing there, some many. What is modelled:
//   - parameters come from constant memory, cvta and moves are renamed away: no issue slot;
//   - a multiplication or shift that only feeds additions becomes part of them (IMAD, LEA); an address computed by
//     adding a constant becomes part of the access; logic on predicates becomes part of the comparison;
//   - 64-bit integer work takes two 32-bit instructions, more for multiplication;
//   - loads of shared memory that lie side by side become one;
//   - division, remainder, square root and their kin are sequences;
//   - a forward branch over a few plain instructions becomes a predicate on them: no branch, but its slots are spent
//     even when no lane wants them;
//   - a branch to the end of the kernel is a predicated exit.
// Modules compiled with -G (".target ..., debug") are not optimised by ptxas either: one instruction after the other, each
// with many moves around it. The first fetch of each line of their long code is modelled where cold code is asked for
// (else it is part of the launch's overhead as measured).
// Not modelled: unrolling by ptxas of loops with branches in them; registers it runs out of, dual counting of address registers.
#pragma once

#include "gpu/device/device_timing.h"
#include "gpu/emulator/code/program.h"
#include "gpu/emulator/timing/atomic_units.h"
#include "gpu/emulator/timing/ptxas.h"

#include <span>

namespace warpglass::emulator {

// What a timed SM asks of an instruction each time that it is issued: said once, beside what it costs.
enum class Trait : std::uint8_t {
    Conditional, // a branch with a predicate
    AfterStores, // ptxas leaves the stores to shared memory that come first before it
    Asynchronous,
    WaitsForCopies, // who waits for groups of copies is issued when they have come
    Exit,
    Barrier,
    Fence,
    Shuffle,
    ClusterArrive,
    ClusterWait,
};

struct MachineOp {
    Pipe pipe = Pipe::Alu;
    std::uint8_t slots = 1;                // issue slots; 0: the instruction is gone
    std::uint8_t gap = 1;                  // cycles between two of its slots
    std::uint8_t special = 0;              // of its slots, how many are on Pipe::Xu
    std::uint16_t latency = 4;             // cycles from its last slot until its result can be used; memory: not used
    std::uint16_t busy = 0;                // cycles that it keeps its pipe; 0: as long as any instruction there
    std::uint16_t ahead = 0;               // cycles that lie before its first slot: slots that are no limit
    WarpState wait = WarpState::StallWait; // what a warp that needs the result is said to do
    AtomicKind atomic;                     // combined: at an address that is the same for all lanes by its making
    bool strong = false;                   // a load that L1 does not serve, an atomic with a result
    bool branch = false;                   // the warp's next instruction must be fetched anew
    bool alone = false;                    // the warp's next instruction waits until this one is through
    bool predicated = false; // a branch that became a predicate: what it jumps over is issued, wanted or not
    // Of a loop that ptxas unrolls (unroll.cpp):
    std::uint8_t rounds = 0;   // that it makes one of; 0: of no such loop
    std::uint8_t underWay = 0; // of a load: how many of its kind find registers
    bool defers = false;       // in all of these rounds but the last, its operands are not waited for
    bool goesAlong = false;    // in all but the last, it is gone
    bool goesRound = false;    // the branch back to the loop's beginning
    bool roundsKnown = false;  // of that: a constant number of rounds, of which none goes by itself
    // Of a load that goes for others as well (join_loads.cpp): bytes a lane, and where the first of them lies from its own
    // address on. 0: for itself alone.
    std::uint8_t joinedBytes = 0;
    std::int8_t joinedFrom = 0;
    // Of a warpgroup's products: 1 asks for one, 2 makes a group of those asked for, 3 + n waits for all groups but n.
    std::uint8_t products = 0;
    // A product whose tiles lie in shared memory waits in the unit's queue; one that is sent registers keeps its warp till then.
    bool queued = false;
    std::uint32_t line = 0;  // of the PTX text
    std::uint32_t fetch = 0; // which 128-byte line of code it lies in, counted from 1; 0: not modelled
    std::uint32_t firstRead = 0, endRead = 0, firstWrite = 0, endWrite = 0; // of MachineCode::registers
    std::uint32_t endAwaited = 0;        // reads from here to endRead are waited for by what follows, see awaited()
    std::uint16_t traits = 0;            // a bit each
    FenceKind fence = FenceKind::Count_; // that it is, or that comes before it; Count_: none
    bool is(Trait t) const { return traits >> unsigned(t) & 1; }
};

struct MachineCode {
    std::vector<MachineOp> ops;           // [position]
    std::vector<std::uint32_t> registers; // numbers of rows, 0 <= number < registerCount
    std::uint32_t fetches = 0;            // lines of code, where fetching them is modelled
    std::uint32_t registerCount = 0;      // of all functions together
    std::vector<std::uint32_t> order;     // [place] the position that comes there
    std::span<const std::uint32_t> reads(const MachineOp& op) const {
        return {registers.data() + op.firstRead, op.endRead - op.firstRead};
    }
    // ptxas puts a store to shared memory behind the loads that follow it, up to the next barrier or branch. Code is not
    // moved for that; instead a store does not wait for what it stores: the barrier or branch does.
    std::span<const std::uint32_t> awaited(const MachineOp& op) const {
        return {registers.data() + op.firstRead, op.endAwaited - op.firstRead};
    }
    std::span<const std::uint32_t> stored(const MachineOp& op) const {
        return {registers.data() + op.endAwaited, op.endRead - op.endAwaited};
    }
    std::span<const std::uint32_t> writes(const MachineOp& op) const {
        return {registers.data() + op.firstWrite, op.endWrite - op.firstWrite};
    }
};

MachineCode machineCode(const Program& program, const DeviceTiming& timing); // all passes (passes.h)

// The program with its instructions in the order in which ptxas would put them. Only code is changed; Inst::index still
// names the original position, by which info and counters are kept.
Program inOrder(const Program& program, const MachineCode& code);

inline constexpr std::uint8_t asksForProduct = 1, groupsProducts = 2, waitsForProducts = 3;

} // namespace warpglass::emulator
