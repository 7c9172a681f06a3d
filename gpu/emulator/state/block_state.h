// SPDX-License-Identifier: GPL-3.0-or-later
// One block while it runs: its shared memory, its warps, its barriers. Belongs to one host thread.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/emulator/shadow/shadow_memory.h"
#include "gpu/emulator/state/addressed.h"
#include "gpu/emulator/state/async_state.h"
#include "gpu/emulator/state/barrier.h"
#include "gpu/emulator/state/warp.h"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace warpglass::emulator {

struct ClusterState;
struct TensorMemory;

struct BlockState {
    std::uint64_t index = 0; // linear
    Dim3 blockIdx{0, 0, 0};
    std::uint32_t launch = 0;
    AddressedBytes shared;
    SharedNotes notes; // without cells where memory is not checked
    std::uint32_t epoch = 1;
    std::vector<std::unique_ptr<WarpContext>> warps;
    std::uint32_t warpCount = 0, threads = 0, liveThreads = 0;
    std::array<Barrier, 16> barriers;
    std::uint32_t openings = 0; // how often warps that stood still were let go
    std::uint32_t sm = 0;
    std::int64_t clockBase = 0; // what clocks read when the block starts
    double nsPerCycle = 1;      // for %globaltimer
    std::string output;
    std::unique_ptr<AsyncState> async;     // nullptr until the block asks for something asynchronous
    std::shared_ptr<TensorMemory> tensor;  // nullptr until the block asks for tensor memory
    std::shared_ptr<ClusterState> cluster; // nullptr: a cluster of its own
    std::uint32_t clusterRank = 0;
    bool timed = false; // its instructions are issued by the timing model
};

inline AsyncState& asyncOf(BlockState& block) {
    if (!block.async) {
        block.async = std::make_unique<AsyncState>();
        block.async->warps.resize(block.warpCount);
    }
    return *block.async;
}

} // namespace warpglass::emulator
