// SPDX-License-Identifier: GPL-3.0-or-later
// One SM in time: its schedulers issue from the warps that are resident, cycle by cycle; what an instruction does is
// done by the functional core in the cycle in which it is issued, so that clocks read by a kernel are the model's.
//
// Cycles in which nothing can change are stepped over. In every cycle each resident warp is in exactly one state.
//
// Blocks that wait for blocks of other SMs need those SMs at the same time: a RunningSm is therefore moved on cycle by
// cycle by whoever holds it, and the SM whose next cycle is the earliest goes first (timed_grid.cpp).
#pragma once

#include "gpu/device/limit.h"
#include "gpu/emulator/run/block.h"
#include "gpu/emulator/run/sm_result.h"
#include "gpu/emulator/timing/machine_code.h"
#include "gpu/emulator/timing/memory_path.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace warpglass::emulator {

struct ResidentBlock;

struct SmSetup {
    const LaunchState& launch;
    const GridOptions& options;
    const Program& program; // the launch's, in another order (inOrder)
    const MachineCode& code;
    MemoryPath::Surroundings around = {};
    const std::vector<LimitSet>* at = nullptr; // [position] limits that one instruction does not know
    double blockInterval = 0;                  // cycles between two blocks that this SM is given
    bool shareSectors = false;                 // tell around.touched what this SM has fetched: others follow
    TouchTable* uses = nullptr;                // told what its blocks do to global memory
    std::uint64_t budget = 0;                  // PTX warp-instructions; 0 = no end
    std::vector<std::uint64_t> blocks = {};    // in the order in which the SM gets them
    std::function<Recorder*(std::uint64_t)> recorderOf = {}; // nullptr for blocks without events
    // A block whose time is over waits for another one, or, by turns, is not through: it is run, from where it stands, with
    // the others that follow.
    struct PutAside {
        std::size_t row = 0;                          // of SmResult::blocks
        std::int64_t cut = 0;                         // its steps so far
        double cyclesPerStep = 1, cyclesPerIssue = 1; // its own; of the SM for any block's warp-instruction
    };
    std::function<void(std::unique_ptr<BlockRunner>, const PutAside&)> putAside = {};
    bool byTurns = false; // with blocks of other SMs
    // A block has ended: its output and diagnostics.
    std::function<void(std::uint64_t, std::string, std::vector<Diagnostic>)> leave = {};
    // Places of earlier SMs of this launch, each with a runner and warps, which take long to make: those that an SM needs
    // are taken from here, and come back when it is through. What their runners have counted stays in them.
    std::vector<std::unique_ptr<ResidentBlock>>* spare = nullptr;
};

class RunningSm {
public:
    virtual ~RunningSm() = default;
    virtual std::int64_t next() const = 0;    // the cycle in which there is something to do; `never` if there is none
    virtual bool advance() = 0;               // does that cycle; false: nothing more is done in time
    virtual std::uint64_t issued() const = 0; // PTX warp-instructions so far
    virtual std::size_t living(std::int64_t cycle) const = 0; // blocks that have begun by then, and not ended
    virtual bool faulted() const = 0;
    virtual bool endless() const = 0; // a warp has run so long that the functional core is to tell
    // What is left is brought to its end without time, unless the launch has failed elsewhere.
    virtual SmResult finish(Counters& counters, bool failedElsewhere) = 0;
};

// makeRunner: a runner for one resident block.
std::unique_ptr<RunningSm> startSm(const SmSetup& setup,
                                   const std::function<std::unique_ptr<BlockRunner>()>& makeRunner, Progress& progress);
// SMs that have a block each of every cluster: these begin on all of them in the same cycle, as soon as each has a place.
std::vector<std::unique_ptr<RunningSm>> startGroup(std::span<const SmSetup* const> setups,
                                                   const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
                                                   Progress& progress);
// From its first cycle to its last.
SmResult runSm(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
               Counters& counters, Progress& progress);

} // namespace warpglass::emulator
