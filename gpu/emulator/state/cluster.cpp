// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/state/exec.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

std::uint32_t ClusterState::missing() const {
    std::uint32_t count = 0;
    for (const Member& m : members) {
        if (!m.home.block) {
            count += m.ended ? 0 : threads;
            continue;
        }
        for (std::uint32_t w = 0; w < m.home.block->warpCount; ++w) {
            const WarpContext& warp = *m.home.block->warps[w];
            count += std::uint32_t((warp.live & ~warp.exited & ~warp.clusterArrived).count());
        }
    }
    return count;
}

std::uint64_t Clusters::size() const {
    return m_launch.cluster.count();
}

std::uint64_t Clusters::clusterOf(std::uint64_t block) const {
    const Dim3 b = m_launch.grid.at(block), c = m_launch.cluster;
    const std::uint64_t nx = m_launch.grid.x / c.x, ny = m_launch.grid.y / c.y;
    return b.x / c.x + nx * (b.y / c.y + ny * std::uint64_t(b.z / c.z));
}

std::uint32_t Clusters::rankOf(std::uint64_t block) const {
    const Dim3 b = m_launch.grid.at(block), c = m_launch.cluster;
    return b.x % c.x + c.x * (b.y % c.y + c.y * (b.z % c.z));
}

std::vector<std::uint64_t> Clusters::blocksOf(std::uint64_t cluster) const {
    const Dim3 g = m_launch.grid, c = m_launch.cluster;
    const std::uint64_t nx = g.x / c.x, ny = g.y / c.y;
    const std::uint64_t x = cluster % nx * c.x, y = cluster / nx % ny * c.y, z = cluster / nx / ny * c.z;
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t k = 0; k < c.count(); ++k) {
        const Dim3 in = c.at(k);
        blocks.push_back(x + in.x + g.x * (y + in.y + g.y * (z + in.z)));
    }
    return blocks;
}

void Clusters::enter(BlockState& block, Recorder* recorder) {
    block.cluster.reset();
    block.clusterRank = 0;
    if (size() <= 1 && !m_launch.program->usesCluster)
        return;
    const std::uint64_t number = clusterOf(block.index);
    if (m_alive.size() > 4096)
        std::erase_if(m_alive, [](const auto& entry) { return entry.second.expired(); });
    block.cluster = m_alive[number].lock();
    if (!block.cluster) {
        block.cluster = std::make_shared<ClusterState>();
        block.cluster->number = number;
        block.cluster->threads = block.threads;
        block.cluster->members.resize(size());
        m_alive[number] = block.cluster;
    }
    block.clusterRank = rankOf(block.index);
    block.cluster->members[block.clusterRank].home = {&block, recorder};
}

void Clusters::leave(BlockState& block) {
    if (!block.cluster)
        return;
    block.cluster->members[block.clusterRank] = {{}, true};
    block.cluster.reset();
}

Home homeOf(Exec& x, std::uint64_t address) {
    const auto named = std::uint32_t(address) >> clusterRankShift;
    if (named == 0 || (!x.block->cluster && named == 1) || named == x.block->clusterRank + 1)
        return {x.block, x.recorder};
    if (!x.block->cluster || named > x.block->cluster->members.size())
        return {};
    return x.block->cluster->members[named - 1].home;
}

std::uint32_t rankOf(const Exec& x, std::uint64_t address) {
    const auto named = std::uint32_t(address) >> clusterRankShift;
    return named == 0 ? x.block->clusterRank : named - 1;
}

std::uint64_t addressAt(const Exec& x, std::uint64_t address, std::uint32_t rank) {
    const std::uint64_t plain = address & ~(std::uint64_t(0xff) << clusterRankShift);
    return rank == x.block->clusterRank ? plain : plain | std::uint64_t(rank + 1) << clusterRankShift;
}

void markWritten(BlockState& block, std::uint32_t offset, std::uint32_t bytes) {
    block.notes.enter(block.epoch);
    const SharedNotes::Range range = block.notes.range(offset, bytes);
    for (std::size_t cell = range.first; cell < range.end; ++cell) {
        WriteNote note = block.notes.written(cell);
        note.when = Noted::Now;
        note.atomic = true;
        block.notes.write(cell, note);
    }
}

void markArrived(BlockState& block, std::uint32_t offset, std::uint32_t bytes) {
    block.notes.enter(block.epoch);
    const SharedNotes::Range range = block.notes.range(offset, bytes);
    for (std::size_t cell = range.first; cell < range.end; ++cell)
        block.notes.write(cell, block.notes.firstOfBlock() | NoteBits::atomic);
}

} // namespace warpglass::emulator
