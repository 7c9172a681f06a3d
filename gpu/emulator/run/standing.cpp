// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/standing.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/code/reach.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/run/standing_words.h"
#include "gpu/emulator/state/cluster.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

// Of lanes that stand alike: nobody reads more, and each may wait for a word of its own.
constexpr std::size_t mostGroups = 1024;

} // namespace

Message Standing::sharedWordText(std::uint32_t at) const {
    if (const auto name = m_names.at(at, 4))
        return say::AddressWithin(plain(*name), say::ByteOfShared(at));
    const Message name = at % 4 == 0 ? sharedObjectAt(m_program, at, 4) : say::AtByte(at);
    return name.id == say::AtByte.id ? say::ByteOfShared(at) : say::AddressWithin(name, say::ByteOfShared(at));
}

Standing::Standing(const LaunchState& launch, const GlobalMemory& memory, std::vector<const BlockState*> blocks,
                   const HangWatch* watch, std::vector<std::uint64_t> notBegun,
                   const std::vector<ChildLaunch>* children)
    : m_launch(launch), m_program(*launch.program), m_memory(memory), m_blocks(std::move(blocks)), m_watch(watch),
      m_notBegun(std::move(notBegun)), m_children(children), m_names(launch) {
    if (!m_blocks.empty()) // blocks are laid out alike
        m_names.look(*m_blocks.front());
    for (std::size_t b = 0; b < m_blocks.size(); ++b)
        for (std::uint32_t w = 0; w < m_blocks[b]->warpCount; ++w)
            if (!m_blocks[b]->warps[w]->done)
                look(b, w);
    for (Group& group : m_groups)
        explain(group);
    order();
    for (const Group& group : m_groups)
        take(group);
}

const BlockState* Standing::homeOf(const BlockState& block, std::uint64_t address) const {
    const std::uint64_t rank = address >> clusterRankShift & 0xff;
    if (rank == 0 || !block.cluster || rank > block.cluster->members.size())
        return &block;
    return block.cluster->members[rank - 1].home.block;
}

std::size_t Standing::numberOf(std::uint64_t index) const {
    return std::size_t(
        std::find_if(m_blocks.begin(), m_blocks.end(), [index](const BlockState* b) { return b->index == index; }) -
        m_blocks.begin());
}

Message Standing::place(const Group& group) const {
    return callerPlace(m_program, group.position, group.call).text;
}

// The places in the stack at which a warp's lanes stand.
void Standing::look(std::size_t block, std::uint32_t number) {
    const WarpContext& warp = *m_blocks[block]->warps[number];
    for (const StackEntry& e : warp.stack) {
        const std::uint32_t lanes = e.mask.bits & ~warp.exited.bits;
        if (lanes == 0 || e.children > 0 || e.state == EntryState::Done)
            continue;
        Group group;
        for (const Frame* f = e.frame; f && f->parent; f = f->parent)
            group.call = f->callPosition;
        group.position = e.pc - 1;
        switch (e.state) {
        case EntryState::AtBarrier:
            group.kind = HangKind::Barrier;
            group.address = e.barrier;
            break;
        case EntryState::AtCluster:
            group.kind = HangKind::Cluster;
            break;
        case EntryState::AtSync:
            group.position = e.pc;
            [[fallthrough]];
        case EntryState::AtWarpSync:
            group.kind = HangKind::Lanes;
            group.members = e.members;
            break;
        case EntryState::AtGroup:
            group.kind = HangKind::Warpgroup;
            break;
        case EntryState::Ready:
        case EntryState::Done:
            for (const LastPoll& poll : warp.polls) {
                const std::uint32_t asking = poll.lanes.bits & lanes;
                if (asking == 0)
                    continue;
                group.position = poll.position;
                group.space = poll.space;
                group.address = poll.address;
                const BlockState* home = homeOf(*m_blocks[block], poll.address);
                group.kind = poll.space == MemorySpace::Shared && home && home->async &&
                                     home->async->barriers.count(sharedOffset(poll.address))
                                 ? HangKind::Mbarrier
                                 : HangKind::Word;
                add(group, block, number, asking);
            }
            continue;
        }
        add(group, block, number, lanes);
    }
}

void Standing::add(Group group, std::size_t block, std::uint32_t warp, std::uint32_t lanes) {
    tell(group, *m_blocks[block]);
    const Key key{group.kind, group.position, group.call, group.space, group.address, group.what.text()};
    const auto known = m_byKey.find(key);
    if (known == m_byKey.end() && m_groups.size() == mostGroups)
        return;
    const auto [at, isNew] = m_byKey.try_emplace(key, m_groups.size());
    if (isNew) {
        group.block = block;
        m_groups.push_back(std::move(group));
    }
    Group& own = m_groups[at->second];
    own.lanes += std::uint64_t(std::popcount(lanes));
    own.blocks += own.last != block;
    own.last = block;
    if (own.block == block && (own.warps.empty() || own.warps.back() != warp))
        own.warps.push_back(warp);
    addOnce(m_groupsOf[{block, warp}], at->second);
}

void Standing::tell(Group& group, const BlockState& block) const {
    switch (group.kind) {
    case HangKind::Barrier: {
        const Barrier& b = block.barriers[group.address];
        group.expected = b.expected ? b.expected : block.liveThreads;
        const std::uint32_t come = b.expected ? b.rounded : b.arrived;
        group.missing = group.expected - std::min(come, group.expected);
        group.what = say::ComeToBarrier(group.address, come, group.expected);
        break;
    }
    case HangKind::Mbarrier: {
        const BlockState* home = homeOf(block, group.address);
        const std::uint32_t at = sharedOffset(group.address);
        const Mbarrier b = barrierAt(*home, at);
        group.bytes = std::uint64_t(std::max(b.bytes, 0));
        group.missing = b.pending;
        group.expected = b.expected;
        group.phase = home->async->barriers.at(at).phase;
        group.what = say::WaitsInPhase(group.phase, nameOfMbarrier({home->index, at}),
                                       group.bytes == 0    ? say::ArrivalsMissing(b.pending, b.expected)
                                       : group.missing > 0 ? say::BothMissing(b.pending, b.expected, group.bytes)
                                                           : say::BytesMissing(group.bytes));
        break;
    }
    case HangKind::Word:
        group.what = group.space == MemorySpace::Global ? wordText(m_memory, group.address)
                                                        : sharedWordText(sharedOffset(group.address));
        break;
    case HangKind::Cluster:
        group.missing = block.cluster->missing();
        group.expected = std::uint32_t(block.cluster->members.size()) * block.cluster->threads;
        group.what = say::ClusterBarrier(group.missing, group.expected);
        break;
    case HangKind::Lanes:
        group.what = say::OthersOfWarp;
        break;
    case HangKind::Warpgroup:
        group.what = say::OthersOfGroup;
        break;
    }
}

// Roots first, then who waits for them, and so on; what nobody has ever written before other words of the same loop.
void Standing::order() {
    const std::size_t count = m_groups.size();
    std::vector<std::size_t> rank(count, count), list;
    for (std::size_t g = 0; g < count; ++g)
        if (m_groups[g].on.empty()) {
            m_groups[g].isRoot = true;
            rank[g] = 0;
            list.push_back(g);
        }
    std::stable_partition(list.begin(), list.end(),
                          [&](std::size_t g) { return m_groups[g].neverWritten || m_groups[g].leavesOut; });
    for (std::size_t k = 0; k < list.size(); ++k)
        for (std::size_t g = 0; g < count; ++g)
            if (rank[g] == count &&
                std::find(m_groups[g].on.begin(), m_groups[g].on.end(), list[k]) != m_groups[g].on.end()) {
                rank[g] = rank[list[k]] + 1;
                list.push_back(g);
            }
    // Of a ring those first for what somebody has left out, then those to which some have come and others not, or can't since
    // they have ended: what nobody comes to follows from that.
    const auto stage = [&](std::size_t g) {
        const Group& group = m_groups[g];
        const bool halfDone = group.hasEnded || group.kind == HangKind::Lanes || group.kind == HangKind::Warpgroup ||
                              group.bytes > 0 || (group.missing > 0 && group.missing < group.expected);
        return group.leavesOut ? 0 : halfDone ? 1 : 2;
    };
    for (const int now : {0, 1, 2})
        for (std::size_t g = 0; g < count; ++g)
            if (rank[g] == count && stage(g) == now)
                list.push_back(g);
    // What holds up the others may itself be held up by them, and be what somebody has left out.
    std::stable_partition(list.begin(), list.end(),
                          [&](std::size_t g) { return m_groups[g].leavesOut && !m_groups[g].neverWritten; });
    std::vector<std::size_t> place(count);
    std::vector<Group> sorted;
    for (std::size_t k = 0; k < count; ++k) {
        place[list[k]] = k;
        sorted.push_back(std::move(m_groups[list[k]]));
    }
    for (Group& group : sorted)
        for (std::size_t& on : group.on)
            on = place[on];
    m_groups = std::move(sorted);
}

// Beside those who wait for each other, others may stand at a barrier to which one of them would come next.
bool Standing::nobodyBegan() const {
    const auto began = std::count_if(m_groups.begin(), m_groups.end(), [](const Group& g) { return !g.neverBegan; });
    const auto meets = std::count_if(m_groups.begin(), m_groups.end(),
                                     [](const Group& g) { return !g.neverBegan && g.kind == HangKind::Barrier; });
    return began == 0 || (began == meets && std::ptrdiff_t(m_groups.size()) >= meets + 2);
}

std::size_t Standing::fills() const {
    const auto asks = [&](std::uint32_t at) {
        const InstInfo& info = m_program.info[at];
        return info.isAsync && info.source && info.source->text.find("cp.async.bulk") != std::string::npos;
    };
    std::size_t found = noIndex;
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        if (m_groups[g].kind == HangKind::Mbarrier && reachesWhat(m_program, m_groups[g].position, asks)) {
            if (found != noIndex)
                return noIndex;
            found = g;
        }
    return found;
}

Message Standing::warpsAt(std::size_t wait) const {
    const Group& group = m_groups[wait];
    return say::WarpsStand(group.warps.size(), numberRanges(group.warps), place(group));
}

void Standing::take(const Group& group) {
    HangWait wait;
    wait.kind = group.kind;
    wait.isRoot = group.isRoot;
    wait.block = std::uint32_t(m_blocks[group.block]->index);
    wait.blocks = group.blocks;
    wait.lanes = group.lanes;
    wait.warps = numberRanges(group.warps);
    const ptx::Instruction* const source = m_program.info[group.position].source;
    wait.ptxLine = source ? std::uint32_t(source->line) : 0;
    wait.source = callerPlace(m_program, group.position, group.call).source;
    wait.space = group.space;
    wait.address = group.address;
    wait.phase = group.phase;
    wait.arrivalsMissing = group.missing;
    wait.arrivalsExpected = group.expected;
    wait.bytesMissing = group.bytes;
    wait.what = group.what;
    if (!group.why.empty())
        wait.why = joined(group.why);
    for (const std::size_t on : group.on)
        wait.on.push_back(std::uint32_t(on));
    m_waits.push_back(std::move(wait));
}

// With why it never comes, as far as that is known.
Message Standing::withWhy(const Group& group, Message text) {
    return group.why.empty() ? text : say::WhyNever(std::move(text), joined(group.why));
}
Message Standing::sentence(std::size_t wait) const {
    const Group& group = m_groups[wait];
    if (group.blocks == 1 && m_launch.grid.count() > 1)
        return withWhy(group, say::LanesOfBlock(group.lanes, m_blocks[group.block]->blockIdx.indexText(), group.what,
                                                place(group)));
    return withWhy(group, say::LanesWait(group.lanes, group.blocks, group.what, place(group)));
}
Message Standing::sentenceOfBlock(std::size_t wait) const {
    const Group& group = m_groups[wait];
    return withWhy(group, say::WarpsWaitAt(group.warps.size(), numberRanges(group.warps), group.what, place(group)));
}

} // namespace warpglass::emulator
