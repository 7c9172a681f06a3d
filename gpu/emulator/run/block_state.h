// SPDX-License-Identifier: GPL-3.0-or-later
// One block while it runs: its shared memory, its warps, its barriers. Belongs to one host thread.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/emulator/async/async_state.h"
#include "gpu/emulator/run/barrier.h"
#include "gpu/emulator/run/warp.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace warpglass::emulator {

// What one 4-byte word (or byte) of shared memory has seen since the last barrier.
struct SharedCell {
    std::uint32_t writeEpoch = 0, readEpoch = 0;
    std::uint32_t writtenAt = 0, readAt = 0; // positions in the program
    std::uint16_t writer = 0, reader = 0;    // linear thread in block
    std::uint16_t writeSync = 0;             // low bits of the warp's syncEpoch then
    bool atomic = false;
    bool strong = false; // written by a volatile, relaxed or releasing store, as flags are
};

struct ClusterState;

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
    std::unique_ptr<AsyncState> async;     // nullptr until the block asks for something asynchronous
    std::shared_ptr<ClusterState> cluster; // nullptr: a cluster of its own
    std::uint32_t clusterRank = 0;
    bool timed = false; // its instructions are issued by the timing model
};

} // namespace warpglass::emulator
