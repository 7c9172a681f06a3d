// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom where a launch, or a block, can never go on: lanes that stand alike, for what, who would have to act,
// and where those stand. From the state in which all stand, and from what a HangWatch has seen on the way there, if there is
// one.
#pragma once

#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/shared_names.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/watch/hang_watch.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warpglass::emulator {

class Standing {
public:
    // blocks: all that live and can't go on, in order. They and the watch (nullptr: none) outlive it. notBegun: linear, blocks
    // that have not begun. children: launches that threads of the grid have made and that have not begun.
    Standing(const LaunchState& launch, const GlobalMemory& memory, std::vector<const BlockState*> blocks,
             const HangWatch* watch, std::vector<std::uint64_t> notBegun = {},
             const std::vector<ChildLaunch>* children = nullptr);

    // Those whose own wait nobody of the others holds up come first; among equals the order of the program.
    const std::vector<HangWait>& waits() const { return m_waits; }
    // A wait in words: "64 lanes of 2 blocks wait for ... at line 3: ...".
    Message sentence(std::size_t wait) const;
    // "warps 0-2 wait for barrier 1 at line 4: ...": of one block.
    Message sentenceOfBlock(std::size_t wait) const;
    bool isRing() const { return !m_waits.empty() && !m_waits.front().isRoot; } // they wait for each other
    bool nobodyBegan() const; // each for the first phase of an mbarrier, at which nobody has ever arrived
    // Of such a ring: the only wait behind which copies are asked for, so that it is the one to let its lanes pass at first;
    // noIndex: there is none, or several.
    std::size_t fills() const;
    Message warpsAt(std::size_t wait) const; // "1 warp (8) waits at line 3"
    std::uint32_t position(std::size_t wait) const { return m_groups[wait].position; }

private:
    struct Group { // of lanes that stand alike
        HangKind kind = HangKind::Barrier;
        std::uint32_t position = 0, call = noIndex; // call: in the kernel itself, of a helper that is not inlined
        MemorySpace space = MemorySpace::Shared;
        std::uint64_t address = 0; // or the barrier's number
        std::uint32_t members = 0; // HangKind::Lanes: lanes that are waited for
        std::size_t block = 0;     // the first, in m_blocks
        std::vector<std::uint32_t> warps;
        std::uint64_t blocks = 0, lanes = 0;
        std::size_t last = ~std::size_t(0); // block that was counted last
        Said what;
        std::vector<Message> why;
        std::vector<std::size_t> on;
        std::uint32_t phase = 0, missing = 0, expected = 0;
        std::uint64_t bytes = 0;
        bool isRoot = false, neverWritten = false, neverBegan = false; // neverBegan: nobody has come to its first phase
        bool leavesOut = false; // somebody has gone on without what is waited for
        bool hasEnded = false;  // somebody who would have to act
    };
    using Key = std::tuple<HangKind, std::uint32_t, std::uint32_t, MemorySpace, std::uint64_t, std::string>;

    void look(std::size_t block, std::uint32_t warp);
    void add(Group group, std::size_t block, std::uint32_t warp, std::uint32_t lanes);
    void tell(Group& group, const BlockState& block) const; // for what
    void explain(Group& group);                             // why it never comes
    void explainBarrier(Group& group);
    bool tellWhoCame(Group& group, const std::vector<std::uint32_t>& absent);
    void explainMbarrier(Group& group); // standing_mbarrier.cpp, with what it asks
    const HangWatch::Pass* passedInVain(std::size_t block, std::uint32_t warp, const HangWatch::Arrivals& usual,
                                        const HangWatch::Arrivals* own) const;
    bool waitsAt(std::size_t block, std::uint32_t warp, std::span<const HangWatch::Behind> behind) const;
    bool arrivesAnywhere(const HangWatch::WarpKey& warp) const;
    bool tellWhoLeftOut(Group& group, const HangWatch::Story& story);
    void tellRanAhead(Group& group, const BlockState& home, const HangWatch::Story& story);
    bool tellOwnTurn(Group& group, const BlockState& home);
    void tellFirstTries(Group& group, const HangWatch::Story& story);
    void tellBytes(Group& group, const BlockState& home, const HangWatch::Story& story);
    void tellWhichOne(Group& group, const BlockState& home, const HangWatch::Story& story);
    std::vector<std::uint32_t> stillToCome(const Group& group, std::uint32_t arrival,
                                           const HangWatch::Story& story) const;
    Message nameOfMbarrier(const HangWatch::BarrierKey& key) const;
    void explainWord(Group& group);
    void tellNotGivenBack(Group& group, const HangWatch::Word& word);
    void tellWhoWouldWrite(Group& group);
    void tellComparison(Group& group) const;
    Row comparedWith(const Group& group) const;
    // standing_rounds.cpp: what those do else who change the word.
    Rounds::Word wordOf(const Group& group) const;
    Message wordName(const Rounds::Word& word) const;
    struct Undone;
    bool hasEnded(const Rounds::Thread& thread) const;
    std::vector<Rounds::Line> standsAt(const Rounds::Thread& thread) const;
    Undone undoneBehind(const Rounds::OfWord& word, const Rounds::Line& line) const;
    std::optional<Message> branchPast(const Undone& undone, const Rounds::Line& change) const;
    void tellLeftUndone(Group& group);
    void tellNotBefore(Group& group);
    void tellReadTooLate(Group& group) const;
    void tellNoWayToBarrier(Group& group) const;
    void tellNobodyCame(Group& group) const;
    bool tellArrivedAtOwn(Group& group, const BlockState& home);
    void tellChildren(Group& group) const;
    bool isGridBarrier(const Group& group) const;
    void explainGridBarrier(Group& group);
    Message sharedWordText(std::uint32_t at) const;
    void explainCluster(Group& group);
    void explainLanes(Group& group);
    // Those warps of a block that would have to act: whether they have ended, or where they stand.
    void tellWarps(Group& group, std::size_t block, const std::vector<std::uint32_t>& warps);
    void tellThreads(Group& group, std::size_t block, std::uint32_t warp, std::uint32_t lanes);
    Message fate(Group& group, const HangWatch::Use& use);
    Message place(const Group& group) const;
    static Message withWhy(const Group& group, Message text);
    const BlockState* homeOf(const BlockState& block, std::uint64_t address) const;
    std::size_t numberOf(std::uint64_t block) const; // in m_blocks; as many as there are: it does not live
    void order();
    void take(const Group& group);

    const LaunchState& m_launch;
    const Program& m_program;
    const GlobalMemory& m_memory;
    std::vector<const BlockState*> m_blocks;
    const HangWatch* m_watch;
    std::vector<std::uint64_t> m_notBegun;
    const std::vector<ChildLaunch>* m_children;
    SharedNames m_names;
    std::vector<Group> m_groups;
    std::map<Key, std::size_t> m_byKey;
    std::map<std::pair<std::size_t, std::uint32_t>, std::vector<std::size_t>> m_groupsOf; // by block and warp
    std::vector<HangWait> m_waits;                                                        // of m_groups, in their order
};

} // namespace warpglass::emulator
