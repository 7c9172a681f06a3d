// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/hang.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/async/mbarrier_ops.h"
#include "gpu/emulator/ops/cluster_ops.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/cluster.h"
#include "gpu/emulator/watch/last_writes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace warpglass::emulator {

namespace {

// Lanes that wait at one place for one word are told together. A word of shared memory is another one in each block.
struct Waiting {
    std::uint64_t blocks = 0, lanes = 0, last = ~std::uint64_t(0);
    Said barrier = {}; // of a cluster or in memory: what is missing
};
// Position in the program, space, address, and what is missing at a barrier, in words.
using Place = std::tuple<std::uint32_t, MemorySpace, std::uint64_t, std::string>;

Said missing(const BlockState& block, const WarpContext& warp, const LastPoll& poll) {
    if (poll.space != MemorySpace::Shared)
        return {};
    if (block.cluster && std::any_of(warp.stack.begin(), warp.stack.end(),
                                     [](const StackEntry& e) { return e.state == EntryState::AtCluster; }))
        return clusterBarrierText(block);
    return barrierText(block, poll.address);
}

// Lanes that can run: others have ended, or wait for something else.
std::uint32_t running(const WarpContext& warp) {
    std::uint32_t lanes = 0;
    for (const StackEntry& e : warp.stack)
        if ((e.state == EntryState::Ready && e.children == 0) || e.state == EntryState::AtCluster)
            lanes |= e.mask.bits;
    return lanes & ~warp.exited.bits;
}

std::map<Place, Waiting> waitingLanes(const std::deque<LivingBlock>& blocks) {
    std::map<Place, Waiting> waiting;
    for (const LivingBlock& block : blocks) {
        const BlockState& state = block.runner->block();
        for (std::uint32_t w = 0; w < state.warpCount; ++w) {
            const WarpContext& warp = *state.warps[w];
            if (warp.done || warp.poll.position == noIndex)
                continue;
            const std::uint32_t lanes = running(warp); // of the others it is known where they waited before
            for (const LastPoll& poll : warp.polls) {
                const LaneMask there{poll.lanes.bits & lanes};
                if (there.empty())
                    continue;
                Said barrier = missing(state, warp, poll);
                Waiting& here = waiting[{poll.position, poll.space, poll.address, barrier.text()}];
                here.barrier = std::move(barrier);
                here.blocks += here.last != block.index;
                here.last = block.index;
                here.lanes += std::uint64_t(there.count());
            }
        }
    }
    return waiting;
}

// What became of a thread of the launch.
Message fate(const Program& program, const std::deque<LivingBlock>& blocks, const WriteWatch::Write& write) {
    const auto block =
        std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.index == write.block; });
    const std::uint32_t lane = write.thread % 32;
    if (block == blocks.end())
        return say::WriterBlockEnded;
    const WarpContext& warp = *block->runner->block().warps[write.thread / 32];
    if (warp.done || warp.exited.has(int(lane)))
        return say::WriterEnded;
    for (const StackEntry& e : warp.stack) {
        if (!e.mask.has(int(lane)) || e.state == EntryState::Done || e.children > 0)
            continue;
        if (e.state == EntryState::AtBarrier)
            return say::WriterAtBarrier(placeText(program, e.pc - 1));
        if (warp.poll.position != noIndex && warp.poll.lanes.has(int(lane)))
            return say::WriterWaits(placeText(program, warp.poll.position));
    }
    if (warp.poll.position != noIndex && !warp.poll.lanes.has(int(lane)))
        return say::WriterStands;
    return say::WriterElsewhere;
}

} // namespace

Hang explainHang(const GridRun& run, std::deque<LivingBlock>& blocks, std::uint64_t places) {
    const Program& program = *run.launch.program;
    const std::map<Place, Waiting> waiting = waitingLanes(blocks);
    // What nobody has ever written is told first: other words of the same loop may be what they should.
    const auto lastWrite = [&](const Place& where) {
        return run.options.writes && std::get<MemorySpace>(where) == MemorySpace::Global
                   ? run.options.writes->find(std::get<std::uint64_t>(where))
                   : nullptr;
    };
    std::vector<std::pair<Place, Waiting>> inOrder(waiting.begin(), waiting.end());
    std::stable_partition(inOrder.begin(), inOrder.end(), [&](const auto& w) {
        const auto* last = lastWrite(w.first);
        return last && !*last;
    });
    Hang hang;
    std::vector<Message> who;
    std::size_t told = 0;
    for (const auto& [where, w] : inOrder) {
        const auto& [position, space, address, barrier] = where;
        hang.atBarrier |= !barrier.empty();
        if (space == MemorySpace::Global)
            hang.addresses.push_back(address);
        if (++told > 4)
            continue;
        Message place = say::LanesWait(w.lanes, w.blocks,
                                       !barrier.empty()               ? w.barrier.message()
                                       : space == MemorySpace::Global ? wordText(run.memory, address)
                                                                      : say::ByteOfShared(address),
                                       placeText(program, position));
        const auto* last = lastWrite(where);
        if (last && !*last)
            place = say::NeverWritten(std::move(place));
        else if (last)
            place = say::LastWritten(
                std::move(place), run.launch.grid.at((*last)->block).indexText(),
                run.launch.block.at((*last)->thread).indexText(), (*last)->value, placeText(program, (*last)->position),
                (*last)->launch == run.launch.launch ? fate(program, blocks, **last) : say::WriterEarlier);
        who.push_back(std::move(place));
    }
    if (waiting.size() > 4)
        who.push_back(say::MorePlaces(waiting.size() - 4));
    std::uint64_t ended = 0;
    for (std::uint64_t b = 0; b < run.result.steps.size(); ++b)
        ended += run.result.steps[b] > 0;
    for (const LivingBlock& b : blocks) // the timing model knows how long they took so far
        ended -= run.result.steps[b.index] > 0;
    const std::uint64_t all = run.launch.grid.count(), begun = std::min(all, ended + blocks.size());
    if (hang.atBarrier) {
        hang.sentence = say::LaunchStuck(who);
        return hang;
    }
    hang.sentence =
        say::LoopWaits(who, begun < all ? say::CannotBegin(all - begun, places) : say::NobodyLeft(ended, all));
    return hang;
}

} // namespace warpglass::emulator
