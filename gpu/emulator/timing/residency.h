// SPDX-License-Identifier: GPL-3.0-or-later
// What is resident on a timed SM: places for blocks, the warps of the blocks that have one, and the schedulers that
// issue them. A block takes a place as soon as one is free; each of its warps takes the lowest free warp slot, and with
// it the scheduler of that slot. What a warp then does is the SM's affair (sm.cpp).
#pragma once

#include "gpu/emulator/timing/sm.h"
#include "gpu/emulator/timing/state_log.h"
#include "gpu/emulator/timing/until.h"
#include "gpu/emulator/timing/warp_lanes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace warpglass::emulator {

struct ResidentBlock;

// What a scheduler looks at every cycle, in one line of the host's cache.
struct WarpLine {
    Until ready{0, WarpState::StallNoInstruction}; // for the next issue; never: blocked or done
    std::int64_t lastIssued = -1;
    OpenState log;
    std::uint32_t age = 0;
    std::uint32_t nextLine = 0;      // PTX line of the next issue
    std::uint32_t waitLine = 0;      // of the instruction whose operands `ready` waits for
    std::uint32_t issuesLeft = 0;    // of op, the next one too
    Pipe pipe = Pipe::None;          // of the next issue
    std::uint16_t barrierResult = 0; // cycles that what the barrier reduces takes longer
    bool blocked = false, done = true;
    bool told = false; // its scheduler is to look at it anew
};

// What is otherwise for each block, in whose warp's place another has been, in its own time.
struct WarpTimes {
    // Of an unrolled loop: the round, of those that are made one; the loads of these so far, when the last of them have
    // come, and when the first was issued.
    std::uint32_t round = 0, loads = 0;
    std::int64_t firstLoad = 0;
    std::array<std::int64_t, ptxas.wordsUnderWay> loaded{};
    std::uint32_t unwanted = 0,
                  endUnwanted = 0; // code behind a predicate that no lane wants; it is issued all the same
    std::int64_t stored = 0;       // its last store has left the SM
    // It asks an mbarrier in vain: where, which phase, and until when it stands, if nobody wakes it.
    std::uint32_t triesAt = noIndex;
    bool triesOdd = false;
    std::int64_t triesUntil = 0;
    // When a warpgroup's products will be there: those that are in no group, and those of the last groups, the newest first.
    std::int64_t products = 0;
    std::array<std::int64_t, 8> productGroups{};
    Until data;                 // what it has stored to shared memory is there to be stored
    std::uint32_t dataLine = 0; // by the store of that line
};

struct alignas(64) TimedWarp : WarpLine, WarpTimes {
    const MachineOp* op = nullptr;
    WarpContext* warp = nullptr;
    ResidentBlock* block = nullptr;
    std::uint32_t scheduler = 0;
    std::uint32_t slot = 0;                        // of the SM: where its local memory lies
    std::uint32_t place = 0;                       // in Scheduler::warps
    Until floor{0, WarpState::StallNoInstruction}; // nothing of this warp before that: branch, barrier, fence
    std::vector<Until> registers;                  // [MachineCode register] when it has its value
    std::unique_ptr<WarpLanes> lanes;              // where they go apart (lane_times.h)
    Exec x;
};

struct ResidentBlock { // a place, and the block that has it
    std::unique_ptr<BlockRunner> runner;
    std::vector<std::unique_ptr<TimedWarp>> warps;
    Recorder* recorder = nullptr;
    std::uint32_t left = 0; // warps that have not ended
    std::uint32_t openings = 0;
    std::uint32_t tries = 0; // warps that may ask an mbarrier in vain
    std::size_t row = 0;     // of Residency::rows
    std::int64_t start = 0;
    std::uint64_t copied = 0; // touches of sectors by the bulk copies that it has asked for, piece by piece
    bool busy = false;
    BlockState& state() { return runner->block(); }
};

// A warp is looked at when something about it is new, when what it waits for has come, and while it could be issued; not in
// every cycle.
struct Scheduler {
    explicit Scheduler(const DeviceTiming& timing) : queues(timing.accessQueue) {}
    std::int64_t& portOf(Pipe pipe) { return pipe == Pipe::Mio ? mioPort : lsuPort; }
    AccessQueues queues;
    std::int64_t lsuPort = 0, mioPort = 0;                      // cycle from which an access passes to the memory unit
    std::vector<TimedWarp*> warps;                              // the oldest first
    std::array<std::int64_t, std::size_t(Pipe::Count_)> free{}; // cycle from which each pipe takes another
    std::int64_t next = 0;                                      // cycle in which there may be something to do
    std::vector<TimedWarp*> awake;                              // ready but for their pipe, the oldest first
    std::vector<TimedWarp*> told;                               // to be looked at anew
    std::vector<std::int64_t> wakes; // [warp] when what it waits for has come; never: awake, or nobody knows
    std::int64_t nextWake = 0;       // none comes before
    std::int64_t passedOver = -1;    // this cycle is not looked at, unless something new comes up in the one before
    std::uint32_t last = ~0u;        // age of the warp that was issued last

    void enter(TimedWarp& t);
    void leave(TimedWarp& t);
    void tell(TimedWarp& t) {
        if (!t.told)
            told.push_back(&t);
        t.told = true;
    }
    void waitsUntil(const TimedWarp& t, std::int64_t cycle) {
        wakes[t.place] = cycle;
        nextWake = std::min(nextWake, cycle);
    }
    void wakeUp(TimedWarp& t) { // few are awake at a time
        std::size_t at = awake.size();
        awake.push_back(&t);
        for (; at > 0 && awake[at - 1]->age > t.age; --at)
            awake[at] = awake[at - 1];
        awake[at] = &t;
    }
    void wakeUp(std::int64_t now) { // all whose time has come
        std::int64_t left = never;
        for (std::size_t k = 0; k < wakes.size(); ++k) {
            if (wakes[k] > now) {
                left = std::min(left, wakes[k]);
                continue;
            }
            wakes[k] = never;
            wakeUp(*warps[k]);
        }
        nextWake = left;
    }
    void sleep(std::size_t k) { // of awake
        for (; k + 1 < awake.size(); ++k)
            awake[k] = awake[k + 1];
        awake.pop_back();
    }
};

class Residency {
public:
    // together: blocks that live here together, of a cluster that has no SMs of its own.
    Residency(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
              std::size_t together);

    // The next block takes the place; its warps stand at their beginning. There must be one.
    void admit(ResidentBlock& place, std::int64_t at);
    ResidentBlock* freePlace() const {
        const auto free = std::find_if(places.begin(), places.end(), [](const auto& place) { return !place->busy; });
        return free == places.end() ? nullptr : free->get();
    }
    bool moreBlocks() const { return m_nextBlock < m_setup.blocks.size(); }
    // The warp has ended and leaves its scheduler. True: it was the last of its block, whose row is complete and whose
    // place and slots are free.
    bool retire(TimedWarp& warp, std::int64_t at);

    std::vector<std::unique_ptr<ResidentBlock>> places;
    std::vector<Scheduler> schedulers;
    std::vector<TimedBlock> rows; // of every block that was admitted

private:
    const SmSetup& m_setup;
    std::size_t m_nextBlock = 0;
    double m_lastAdmitted = -1e9;
    std::uint64_t m_taken = 0; // warp slots, a bit each
    std::uint32_t m_age = 0;
};

} // namespace warpglass::emulator
