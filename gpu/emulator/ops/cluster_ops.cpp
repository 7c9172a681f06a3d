// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/cluster_ops.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/watch/global_races.h"
#include "gpu/emulator/watch/spin_loops.h"
#include "gpu/emulator/watch/stages.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

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
        meetForStages(*b);
        ++b->openings;
        for (std::uint32_t w = 0; w < b->warpCount; ++w) {
            WarpContext& warp = *b->warps[w];
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

void note(Exec& x, const Inst& in, EventKind what, std::uint32_t m) {
    if (x.recorder)
        x.recorder->event(*x.warp, what, x.program->info[in.index].site, {m}, {}, x.warp->clock - 1);
}
// The lanes that come to the cluster's barrier; none in a cluster of its own.
std::uint32_t come(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    x.pc = in.index + 1;
    if (m == 0 || !x.block->cluster)
        return 0;
    note(x, in, EventKind::BarrierArrive, m);
    return m;
}

bool clusterArrive(Exec& x, const Inst& in) {
    const std::uint32_t m = come(x, in);
    if (m == 0)
        return true;
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
    const std::uint32_t m = come(x, in);
    if (m == 0)
        return true;
    if ((x.warp->clusterArrived.bits & m) == 0) { // it has opened since these lanes came
        note(x, in, EventKind::BarrierLeave, m);
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

Handler clusterArriveHandler() {
    return &clusterArrive;
}
Handler clusterWaitHandler() {
    return &clusterWait;
}

} // namespace warpglass::emulator
