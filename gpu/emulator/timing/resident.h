// SPDX-License-Identifier: GPL-3.0-or-later
// What is resident on a timed SM: its warps, the blocks they belong to, the schedulers that issue them.
#pragma once

#include "gpu/emulator/timing/sm.h"

#include <limits>

namespace warpglass::emulator {

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 4;

struct Score { // of one register of one warp
    std::int64_t ready = 0;
    WarpState wait = WarpState::StallWait;
};

struct Slot;

struct alignas(64) TimedWarp {
    // What a scheduler looks at every cycle, in one line of the host's cache.
    std::int64_t readyAt = 0; // of the next issue; never: blocked or done
    std::int64_t lastIssued = -1;
    std::uint64_t age = 0;
    std::int64_t since = 0; // of state
    WarpState state = WarpState::StallNoInstruction;
    WarpState reason = WarpState::StallNoInstruction; // until readyAt
    Pipe pipe = Pipe::None;                           // of the next slot
    bool blocked = false, done = true;
    std::uint32_t line = 0, nextLine = 0; // PTX lines: of state, of the next issue
    std::uint32_t slotsLeft = 0;          // of op, the one to be issued next too
    const MachineOp* op = nullptr;

    std::vector<StateRow>* states = nullptr;
    Warp* warp = nullptr;
    Slot* slot = nullptr;
    std::uint32_t hardwareSlot = 0;
    std::uint32_t padding = 0; // slots of predicated instructions that no lane wants
    std::int64_t floor = 0;    // nothing of this warp before that: branch, barrier, fence
    std::int64_t stored = 0;   // its last store has left the SM
    WarpState floorReason = WarpState::StallNoInstruction;
    std::vector<Score> scores;
    Exec x;
};

struct Slot { // for one resident block
    std::unique_ptr<BlockRunner> runner;
    std::vector<std::unique_ptr<TimedWarp>> warps;
    Recorder* recorder = nullptr;
    std::uint32_t left = 0, epoch = 0;
    std::size_t row = 0; // of SmResult::blocks
    std::int64_t start = 0;
    bool busy = false;
};

struct Scheduler {
    std::vector<TimedWarp*> warps;
    std::array<std::int64_t, std::size_t(Pipe::Count_)> free{};
    std::int64_t next = 0;
};

} // namespace warpglass::emulator
