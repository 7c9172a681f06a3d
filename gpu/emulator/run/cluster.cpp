// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/cluster.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/memory/fault_report.h"
#include "gpu/emulator/memory/global_races.h"
#include "gpu/emulator/memory/lane_elements.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/run/diagnostics.h"
#include "gpu/emulator/run/interpreter.h"

#include <fmt/format.h>

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
            const Warp& warp = *m.home.block->warps[w];
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

std::byte* sharedBytes(Exec& x, const Inst& in, int lane, std::uint64_t address, std::uint32_t bytes, AccessKind kind,
                       Home& home) {
    home = homeOf(x, address);
    const std::uint64_t at = sharedOffset(address);
    if (!home.block) {
        const std::uint32_t rank = rankOf(x, address);
        const std::size_t blocks = x.block->cluster ? x.block->cluster->members.size() : 1;
        const bool ended = rank < blocks && x.block->cluster && x.block->cluster->members[rank].ended;
        // Where faults are passed over, one for each place is enough.
        if (ended && x.reportFaults && x.diagnostics->repeated(x, DiagnosticKind::OutOfBounds, in.index))
            return nullptr;
        x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, address,
                           rank >= blocks ? say::ClusterOutside(rank, blocks)
                           : ended        ? say::ClusterEnded(rank)
                                          : say::ClusterNotBegun(rank),
                           !(ended && x.reportFaults));
        return nullptr;
    }
    std::byte* const found = home.block->shared.find(at, bytes);
    if (!found)
        faultAccess(x, in, lane, at, bytes, MemorySpace::Shared, home.block->shared.size(), kind);
    return found;
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

template <bool isStore>
bool clusterAccess(Exec& x, const Inst& in, std::uint32_t m) {
    const std::uint32_t size = std::uint32_t(in.memory.bytes) * in.memory.elements;
    beginAccess(x, m, size, MemorySpace::Shared, isStore ? AccessKind::Store : AccessKind::Load);
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t address = x.address[std::size_t(lane)];
        Home home;
        std::byte* at = sharedBytes(x, in, lane, address, size, x.access.kind, home);
        if (!at && passedOver(x)) {
            if (!isStore)
                readZero(x, in, lane);
            continue;
        }
        if (!at)
            return false;
        if (address % size != 0)
            return faultMisaligned(x, in, lane, sharedOffset(address), size);
        if (isStore) {
            storeElements(x, in, lane, at);
            markWritten(*home.block, sharedOffset(address), size);
        } else {
            loadElements(x, in, lane, at);
        }
    }
    summariseBanks(x.access, x.address);
    countAccess(x, in);
    return true;
}
template bool clusterAccess<false>(Exec&, const Inst&, std::uint32_t);
template bool clusterAccess<true>(Exec&, const Inst&, std::uint32_t);

namespace {

void openCluster(Exec& x, ClusterState& cluster) {
    std::int64_t latest = 0; // on the SM's clock
    for (const auto& member : cluster.members)
        if (const BlockState* b = member.home.block)
            for (std::uint32_t w = 0; w < b->warpCount; ++w)
                for (const StackEntry& e : b->warps[w]->stack)
                    if (e.state == EntryState::AtCluster)
                        latest = std::max(latest, b->clockBase + b->warps[w]->clock);
    latest = std::max(latest, x.block->clockBase + x.warp->clock);
    if (x.races) {
        std::vector<std::uint64_t> blocks;
        for (const auto& member : cluster.members)
            if (member.home.block)
                blocks.push_back(member.home.block->index);
        x.races->meet(blocks);
    }
    for (const auto& member : cluster.members) {
        BlockState* b = member.home.block;
        if (!b)
            continue;
        ++b->epoch;
        ++b->openings;
        for (std::uint32_t w = 0; w < b->warpCount; ++w) {
            Warp& warp = *b->warps[w];
            warp.clusterArrived = {};
            for (StackEntry& e : warp.stack) {
                if (e.state != EntryState::AtCluster)
                    continue;
                e.state = EntryState::Ready;
                warp.clock = std::max(warp.clock, latest - b->clockBase);
                ++warp.syncEpoch;
                if (member.home.recorder)
                    member.home.recorder->event(warp, EventKind::BarrierLeave, x.program->info[e.pc - 1].site, e.mask,
                                                {}, warp.clock);
            }
        }
    }
}

bool clusterArrive(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.pc = in.index + 1;
    if (m == 0 || !x.block->cluster)
        return true;
    if (x.recorder)
        x.recorder->event(*x.warp, EventKind::BarrierArrive, x.program->info[in.index].site, {m}, {},
                          x.warp->clock - 1);
    if (const std::uint32_t twice = x.warp->clusterArrived.bits & m) {
        x.diagnostics->add(x, DiagnosticKind::Deadlock, in.index, std::countr_zero(twice), 0, say::ClusterTwice, true);
        return false;
    }
    x.warp->clusterArrived = x.warp->clusterArrived | LaneMask{m};
    pack(x);
    releaseCluster(x);
    return true;
}

bool clusterWait(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.pc = in.index + 1;
    if (m == 0 || !x.block->cluster)
        return true;
    if (x.recorder)
        x.recorder->event(*x.warp, EventKind::BarrierArrive, x.program->info[in.index].site, {m}, {},
                          x.warp->clock - 1);
    if ((x.warp->clusterArrived.bits & m) == 0) { // it has opened since these lanes came
        if (x.recorder)
            x.recorder->event(*x.warp, EventKind::BarrierLeave, x.program->info[in.index].site, {m}, {},
                              x.warp->clock - 1);
        return true;
    }
    stand(x, m, EntryState::AtCluster);
    keepPoll(*x.warp, {in.index, {m}, 0, MemorySpace::Shared});
    return false;
}

} // namespace

void releaseCluster(Exec& x) {
    if (x.block->cluster && x.block->cluster->missing() == 0)
        openCluster(x, *x.block->cluster);
}

Said clusterBarrierText(const BlockState& block) {
    const std::uint32_t missing = block.cluster->missing();
    const std::size_t all = block.cluster->members.size() * block.cluster->threads;
    return say::ClusterBarrier(missing, all);
}

Handler clusterArriveHandler() {
    return &clusterArrive;
}
Handler clusterWaitHandler() {
    return &clusterWait;
}

} // namespace warpglass::emulator
