// SPDX-License-Identifier: GPL-3.0-or-later
// Why what lanes wait for never comes, and which of the others would have to go on first.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/run/standing.h"
#include "gpu/emulator/run/standing_words.h"
#include "gpu/emulator/state/cluster.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

std::string lanesText(std::uint32_t lanes) {
    std::vector<std::uint32_t> numbers;
    eachLane(lanes, [&](int lane) { numbers.push_back(std::uint32_t(lane)); });
    return numberRanges(numbers);
}

} // namespace

void Standing::explain(Group& group) {
    switch (group.kind) {
    case HangKind::Barrier:
        return explainBarrier(group);
    case HangKind::Mbarrier:
        return explainMbarrier(group);
    case HangKind::Word:
        return explainWord(group);
    case HangKind::Cluster:
        return explainCluster(group);
    case HangKind::Lanes:
        return explainLanes(group);
    case HangKind::Warpgroup: {
        const std::uint32_t first = group.warps.front() / 4 * 4;
        std::vector<std::uint32_t> others;
        for (std::uint32_t w = first; w < std::min(first + 4, m_blocks[group.block]->warpCount); ++w)
            if (std::find(group.warps.begin(), group.warps.end(), w) == group.warps.end())
                others.push_back(w);
        return tellWarps(group, group.block, others);
    }
    }
}

void Standing::tellWarps(Group& group, std::size_t block, const std::vector<std::uint32_t>& warps) {
    if (block >= m_blocks.size() || warps.empty())
        return;
    const BlockState& state = *m_blocks[block];
    const auto self = std::size_t(&group - m_groups.data());
    std::vector<std::uint32_t> ended, elsewhere;
    std::map<std::size_t, std::vector<std::uint32_t>> standing; // by group
    for (const std::uint32_t w : warps) {
        if (state.warps[w]->done) {
            ended.push_back(w);
            continue;
        }
        const auto at = m_groupsOf.find({block, w});
        bool stands = false;
        for (const std::size_t g : at == m_groupsOf.end() ? std::vector<std::size_t>() : at->second)
            if (g != self) {
                standing[g].push_back(w);
                stands = true;
            }
        if (!stands)
            elsewhere.push_back(w);
    }
    group.hasEnded = group.hasEnded || !ended.empty();
    const bool own = block == group.block;
    const std::string index = state.blockIdx.indexText();
    if (!ended.empty())
        group.why.push_back(own ? say::WarpsEnded(ended.size(), numberRanges(ended))
                                : say::WarpsEndedOf(ended.size(), numberRanges(ended), index));
    for (const auto& [g, who] : standing) {
        group.why.push_back(own ? say::WarpsStand(who.size(), numberRanges(who), place(m_groups[g]))
                                : say::WarpsStandOf(who.size(), numberRanges(who), index, place(m_groups[g])));
        addOnce(group.on, g);
    }
    if (!elsewhere.empty() && ended.empty() && standing.empty())
        group.why.push_back(say::WarpsElsewhere(elsewhere.size(), numberRanges(elsewhere)));
}

// The same of some threads of a warp whose other lanes have come.
void Standing::tellThreads(Group& group, std::size_t block, std::uint32_t number, std::uint32_t lanes) {
    if (block >= m_blocks.size())
        return;
    const WarpContext& warp = *m_blocks[block]->warps[number];
    const auto threads = [&](std::uint32_t some) {
        std::vector<std::uint32_t> numbers;
        eachLane(some, [&](int lane) { numbers.push_back(number * 32 + std::uint32_t(lane)); });
        return numberRanges(numbers);
    };
    const auto self = std::size_t(&group - m_groups.data());
    if (const std::uint32_t ended = lanes & warp.exited.bits) {
        group.why.push_back(say::ThreadsEnded(std::popcount(ended), threads(ended)));
        lanes &= ~ended;
    }
    for (const StackEntry& e : warp.stack) {
        const std::uint32_t here = e.children == 0 ? e.mask.bits & lanes : 0;
        for (const std::size_t g : here ? m_groupsOf[{block, number}] : std::vector<std::size_t>())
            if (g != self && (m_groups[g].position == e.pc - 1 || m_groups[g].position == warp.poll.position) &&
                (lanes & here) != 0) {
                group.why.push_back(say::ThreadsStand(std::popcount(here), threads(here), place(m_groups[g])));
                addOnce(group.on, g);
                lanes &= ~here;
            }
    }
    for (std::size_t k = warp.stack.size(); lanes && k-- > 0;) { // behind a branch or a loop, until the others come
        const StackEntry& e = warp.stack[k];
        const std::uint32_t here = e.mask.bits & lanes;
        if (here == 0 || e.children == 0 || e.pc >= m_program.code.size())
            continue;
        group.why.push_back(say::ThreadsLeft(std::popcount(here), threads(here), placeText(m_program, e.pc)));
        lanes &= ~here;
    }
    if (lanes)
        group.why.push_back(say::ThreadsElsewhere(std::popcount(lanes), threads(lanes)));
}

void Standing::explainBarrier(Group& group) {
    const BlockState& block = *m_blocks[group.block];
    std::vector<std::uint32_t> others;
    for (std::uint32_t w = 0; w < block.warpCount; ++w) {
        const WarpContext& warp = *block.warps[w];
        const bool isThere = std::any_of(warp.stack.begin(), warp.stack.end(), [&](const StackEntry& e) {
            return e.state == EntryState::AtBarrier && e.barrier == group.address;
        });
        if (!isThere && (!warp.done || block.barriers[group.address].expected != 0))
            others.push_back(w);
        else if (isThere) // lanes of it may stand elsewhere
            for (const std::size_t g : m_groupsOf[{group.block, w}])
                if (m_groups[g].kind != HangKind::Barrier || m_groups[g].address != group.address)
                    others.push_back(w);
    }
    if (!tellWhoCame(group, others))
        tellWarps(group, group.block, others);
    tellNoWayToBarrier(group);
    if (others.empty() && block.liveThreads < group.expected)
        group.why.push_back(say::OnlyThreads(block.liveThreads));
}

// Of those who are not there: who has come in earlier rounds, or to which other barrier. False: nobody watched them.
bool Standing::tellWhoCame(Group& group, const std::vector<std::uint32_t>& absent) {
    if (!m_watch)
        return false;
    const BlockState& block = *m_blocks[group.block];
    const auto& came = m_watch->cameTo(block.index);
    const auto lastAt = [&](std::uint32_t number, std::uint32_t warp) -> const HangWatch::Came* {
        const auto at = came.find(number);
        const auto of =
            at == came.end() ? std::map<std::uint32_t, HangWatch::Came>::const_iterator() : at->second.find(warp);
        return at == came.end() || of == at->second.end() ? nullptr : &of->second;
    };
    // By where they last came to this one, or, of those who never did, to another one.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> here; // position, times
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> elsewhere;
    std::vector<std::uint32_t> nowhere, partly;
    for (const std::uint32_t w : absent) {
        if (std::find(group.warps.begin(), group.warps.end(), w) != group.warps.end()) {
            partly.push_back(w); // some of its threads have come
            continue;
        }
        if (const HangWatch::Came* last = lastAt(std::uint32_t(group.address), w)) {
            here[{last->position, last->times}].push_back(w);
            continue;
        }
        bool isKnown = false;
        for (const auto& [number, warps] : came)
            if (const HangWatch::Came* last = number == 0 ? nullptr : lastAt(number, w); last && !isKnown) {
                elsewhere[{number, last->position}].push_back(w); // barrier 0 is everybody's
                isKnown = true;
            }
        if (!isKnown)
            nowhere.push_back(w);
    }
    if (here.empty() && elsewhere.empty() && partly.empty())
        return false;
    std::vector<Message> why;
    for (const auto& [last, warps] : here) {
        group.why.clear();
        const Message at = callerPlace(m_program, last.first).text;
        const HangWatch::Came& own = *lastAt(std::uint32_t(group.address), warps.front());
        // Another barrier to which they have come more often since than between the two times before.
        for (const auto& [other, since] : own.since)
            if (const auto usually = own.usually.find(other);
                last.second > 1 && usually != own.usually.end() && since.times > usually->second.times) {
                group.leavesOut = true;
                group.why.push_back(say::MeetingLeftOut(warps.size(), numberRanges(warps), last.second, at, other,
                                                        since.times, callerPlace(m_program, since.position).text,
                                                        usually->second.times));
                break;
            }
        const bool isTold = !group.why.empty();
        if (isTold)
            why.push_back(group.why.front());
        group.why.clear();
        tellWarps(group, group.block, warps);
        if (!group.why.empty())
            why.push_back(isTold ? joined(group.why) : say::CameTimes(joined(group.why), last.second, at));
    }
    for (const std::uint32_t w : partly) {
        std::uint32_t come = 0;
        for (const StackEntry& e : block.warps[w]->stack)
            if (e.state == EntryState::AtBarrier && e.barrier == group.address)
                come |= e.mask.bits;
        group.why.clear();
        tellThreads(group, group.block, w, block.warps[w]->live.bits & ~block.warps[w]->exited.bits & ~come);
        why.insert(why.end(), group.why.begin(), group.why.end());
    }
    for (const auto& [where, warps] : elsewhere) {
        group.why.clear();
        tellWarps(group, group.block, warps);
        if (here.empty() && !group.why.empty())
            why.push_back(
                say::CameElsewhere(joined(group.why), where.first, callerPlace(m_program, where.second).text));
    }
    group.why.clear();
    if (here.empty())
        tellWarps(group, group.block, nowhere);
    group.why.insert(group.why.begin(), why.begin(), why.end());
    return true;
}

void Standing::explainCluster(Group& group) {
    const ClusterState& cluster = *m_blocks[group.block]->cluster;
    for (const ClusterState::Member& member : cluster.members) {
        if (!member.home.block)
            continue;
        std::vector<std::uint32_t> others;
        for (std::uint32_t w = 0; w < member.home.block->warpCount; ++w) {
            const WarpContext& warp = *member.home.block->warps[w];
            if (!warp.done && (warp.live.bits & ~warp.exited.bits & ~warp.clusterArrived.bits) != 0)
                others.push_back(w);
        }
        tellWarps(group, numberOf(member.home.block->index), others);
    }
}

void Standing::explainLanes(Group& group) {
    const WarpContext& warp = *m_blocks[group.block]->warps[group.warps.front()];
    if (const std::uint32_t ended = group.members & warp.exited.bits)
        group.why.push_back(say::LanesEnded(std::popcount(ended), lanesText(ended)));
    for (const StackEntry& e : warp.stack) {
        const std::uint32_t lanes = e.mask.bits & ~warp.exited.bits & group.members;
        if (lanes == 0 || e.children > 0 || e.state == EntryState::Done || e.pc - 1 == group.position ||
            e.pc == group.position)
            continue;
        group.why.push_back(say::LanesStand(std::popcount(lanes), lanesText(lanes), placeText(m_program, e.pc - 1)));
        for (const std::size_t g : m_groupsOf[{group.block, group.warps.front()}])
            if (m_groups[g].position == e.pc - 1)
                addOnce(group.on, g);
    }
}

} // namespace warpglass::emulator
