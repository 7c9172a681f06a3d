// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of one cluster: they live together, see each other's shared memory, and have a barrier of their own.
//
// An address of shared memory is an offset, and above it, in bits 24 and up, whose memory is meant: 0 is the block's own,
// rank + 1 that of a block of its cluster. What a program calls its own variables therefore keeps the offsets that it
// has without clusters, and only what mapa gives out looks different.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/emulator/code/inst.h"
#include "gpu/emulator/state/block_state.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace warpglass::emulator {

class Recorder;
struct LaunchState;

// Whose shared memory, or barrier, is meant.
struct Home {
    BlockState* block = nullptr;
    Recorder* recorder = nullptr;
};

struct ClusterState {
    std::uint64_t number = 0;  // in the grid
    std::uint32_t threads = 0; // of a block
    struct Member {
        Home home; // block is nullptr before it begins and after it has ended
        bool ended = false;
    };
    std::vector<Member> members; // [rank]
    // With the timing model, of the SMs' clock: the last arrival at the barrier so far, and when those go on that it has let go.
    std::int64_t arrived = 0, opens = 0;
    std::uint32_t missing() const; // threads that have not come to the cluster's barrier and not ended
};

// The clusters of a launch that are alive.
class Clusters {
public:
    explicit Clusters(const LaunchState& launch) : m_launch(launch) {}
    void enter(BlockState& block, Recorder* recorder); // a block that begins
    static void leave(BlockState& block);              // that has ended
    std::uint64_t size() const;                        // blocks of one
    std::uint64_t clusterOf(std::uint64_t block) const;
    std::uint32_t rankOf(std::uint64_t block) const;                  // in its cluster
    std::vector<std::uint64_t> blocksOf(std::uint64_t cluster) const; // by rank

private:
    const LaunchState& m_launch;
    std::map<std::uint64_t, std::weak_ptr<ClusterState>> m_alive;
};

inline constexpr std::uint32_t clusterRankShift = 24;
constexpr std::uint32_t sharedOffset(std::uint64_t address) {
    return std::uint32_t(address) & ((1u << clusterRankShift) - 1);
}
// The block that a shared address means; nullptr if there is no such block, or none any more.
Home homeOf(Exec& x, std::uint64_t address);
std::uint32_t rankOf(const Exec& x, std::uint64_t address);
std::uint64_t addressAt(const Exec& x, std::uint64_t address, std::uint32_t rank); // the same place in another block
// Cells of a block's shared memory: seen as written by what orders itself (an atomic, a copy), so that no race is told.
void markWritten(BlockState& block, std::uint32_t offset, std::uint32_t bytes);
// The same by the asynchronous proxy, which needs no fence to see it.
void markArrived(BlockState& block, std::uint32_t offset, std::uint32_t bytes);

} // namespace warpglass::emulator
