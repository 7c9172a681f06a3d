// SPDX-License-Identifier: GPL-3.0-or-later
// Why a word never gets the value that lanes wait for: who wrote it last and what became of them, who has kept what others give
// back, a launch that can't begin, blocks that do not come to the barrier of the grid.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/run/standing.h"
#include "gpu/emulator/run/standing_words.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

namespace warpglass::emulator {

// What became of a thread of the launch.
Message Standing::fate(Group& group, const HangWatch::Use& use) {
    if (use.launch != m_launch.launch)
        return say::WriterEarlier;
    const std::size_t block = numberOf(use.block);
    const std::uint32_t lane = use.thread % 32;
    if (block == m_blocks.size())
        return say::WriterBlockEnded;
    const WarpContext& warp = *m_blocks[block]->warps[use.thread / 32];
    if (warp.done || warp.exited.has(int(lane)))
        return say::WriterEnded;
    for (const StackEntry& e : warp.stack) {
        if (!e.mask.has(int(lane)) || e.state == EntryState::Done || e.children > 0)
            continue;
        const auto on = [&](std::uint32_t position) {
            const auto self = std::size_t(&group - m_groups.data());
            for (const std::size_t g : m_groupsOf[{block, use.thread / 32}])
                if (m_groups[g].position == position && g != self)
                    addOnce(group.on, g);
        };
        if (e.state == EntryState::AtBarrier) {
            on(e.pc - 1);
            return say::WriterAtBarrier(placeText(m_program, e.pc - 1));
        }
        if (warp.poll.position != noIndex && warp.poll.lanes.has(int(lane))) {
            on(warp.poll.position);
            return say::WriterWaits(placeText(m_program, warp.poll.position));
        }
    }
    if (warp.poll.position != noIndex && !warp.poll.lanes.has(int(lane)))
        return say::WriterStands;
    return say::WriterElsewhere;
}

// grid.sync() of cooperative groups counts blocks in the second word of the launch's workspace.
bool Standing::isGridBarrier(const Group& group) const {
    return m_launch.workspace != 0 && group.space == MemorySpace::Global &&
           group.address / 4 == (m_launch.workspace + 4) / 4;
}

void Standing::explainGridBarrier(Group& group) {
    std::map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> came; // by block: times, position
    if (const HangWatch::Word* const word = m_watch ? m_watch->word(globalWord(group.address)) : nullptr)
        for (const auto& [who, changes] : word->changed) {
            auto& own = came[who.first];
            own = {own.first + changes.times, changes.last};
        }
    const auto standsThere = [&](std::size_t block) {
        const auto end = m_groupsOf.lower_bound({block + 1, 0});
        return std::any_of(m_groupsOf.lower_bound({block, 0}), end, [&](const auto& of) {
            return std::any_of(of.second.begin(), of.second.end(), [&](std::size_t g) {
                return m_groups[g].kind == HangKind::Word && isGridBarrier(m_groups[g]);
            });
        });
    };
    const std::uint64_t all = m_launch.grid.count();
    struct Absent { // blocks alike
        std::vector<std::uint64_t> blocks;
        std::uint32_t position = 0;
    };
    enum class Where : std::uint8_t { Ended, NotBegun, Stands };
    std::map<std::tuple<Where, std::size_t, std::uint32_t>, Absent> absent; // where, which group, how often they came
    std::uint64_t come = 0;
    for (std::uint64_t b = 0; b < all; ++b) {
        const std::size_t n = numberOf(b);
        if (n < m_blocks.size() && standsThere(n)) {
            ++come;
            continue;
        }
        const auto own = came.find(b);
        const std::uint32_t times = own == came.end() ? 0 : own->second.first;
        Where where = std::binary_search(m_notBegun.begin(), m_notBegun.end(), b) ? Where::NotBegun : Where::Ended;
        std::size_t which = 0;
        if (n < m_blocks.size()) {
            where = Where::Stands;
            which = m_groups.size();
            const auto first = m_groupsOf.lower_bound({n, 0});
            if (first != m_groupsOf.end() && first->first.first == n)
                which = first->second.front();
        }
        Absent& alike = absent[{where, which, times}];
        alike.blocks.push_back(b);
        alike.position = times > 0 ? own->second.second : 0;
    }
    group.what = say::GridBarrier(come, all);
    group.missing = std::uint32_t(all - come);
    group.expected = std::uint32_t(all);
    for (const auto& [key, alike] : absent) {
        const auto& [where, which, times] = key;
        std::string list;
        for (std::size_t k = 0; k < std::min<std::size_t>(alike.blocks.size(), 4); ++k)
            list += (k > 0 ? ", " : "") + m_launch.grid.at(alike.blocks[k]).indexText();
        list += alike.blocks.size() > 4 ? ", ..." : "";
        Message told = say::BlocksEnded(alike.blocks.size(), list);
        if (where == Where::NotBegun)
            told = say::BlocksNotBegun(alike.blocks.size(), list);
        if (where == Where::Stands) {
            if (which == m_groups.size())
                continue;
            told = say::BlocksStand(alike.blocks.size(), list, place(m_groups[which]));
            if (&m_groups[which] != &group)
                addOnce(group.on, which);
        }
        group.hasEnded = group.hasEnded || where == Where::Ended;
        group.why.push_back(
            times > 0 ? say::CameTimes(std::move(told), times, callerPlace(m_program, alike.position).text) : told);
    }
}

// Threads that have changed the word once and gone, where others change it again behind that, as who takes something and gives
// it back.
void Standing::tellNotGivenBack(Group& group, const HangWatch::Word& word) {
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> pairs; // first, last: threads
    for (const auto& [who, changes] : word.changed)
        if (changes.times > 1 && changes.first != changes.last)
            ++pairs[changes.first][changes.last];
    for (const auto& [first, behind] : pairs) {
        const std::uint32_t last = std::max_element(behind.begin(), behind.end(), [](const auto& a, const auto& b) {
                                       return a.second < b.second;
                                   })->first;
        std::vector<Message> who;
        std::uint64_t count = 0;
        for (const auto& [thread, changes] : word.changed) {
            if (changes.last != first)
                continue;
            ++count;
            if (who.size() < 4)
                who.push_back(say::ThreadOfBlock(m_launch.grid.at(thread.first).indexText(),
                                                 m_launch.block.at(thread.second).indexText()));
        }
        std::uint64_t givenBack = 0;
        for (const auto& [position, threads] : behind)
            givenBack += threads;
        if (count > 0 && count <= givenBack) // else it is those who change it once that do what is usual
            group.why.push_back(
                say::NotGivenBack(count, callerPlace(m_program, first).text, callerPlace(m_program, last).text, who));
    }
}

// What a launch of its own would do that has not begun.
void Standing::tellChildren(Group& group) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> told; // site, function
    for (const ChildLaunch& child : m_children ? *m_children : std::vector<ChildLaunch>()) {
        const std::pair key{child.site, child.moduleFunction};
        const auto& functions = m_program.module->functions;
        if (!child.accepted || child.transfer || child.moduleFunction >= functions.size() ||
            std::find(told.begin(), told.end(), key) != told.end())
            continue;
        told.push_back(key);
        std::uint32_t position = noIndex;
        for (std::uint32_t at = 0; at < m_program.info.size() && position == noIndex; ++at)
            if (m_program.info[at].site == child.site)
                position = at;
        if (position == noIndex)
            continue;
        const std::string name = shortName(functions[child.moduleFunction].name);
        const Message at = callerPlace(m_program, position).text;
        group.why.push_back(child.stream == StreamKind::Tail ? say::ChildOfTail(name, at)
                                                             : say::ChildNotBegun(name, at));
    }
}

// Of a word that nobody has written: whose it would be to do so, where each block, or thread, writes one of its own at the same
// distance from the one before, and what became of that one.
void Standing::tellWhoWouldWrite(Group& group) {
    const Area* const area = m_memory.nearest(group.address);
    for (const auto& [position, all] : m_watch->stores()) {
        std::vector<HangWatch::Store> stores;
        std::copy_if(all.begin(), all.end(), std::back_inserter(stores),
                     [&](const HangWatch::Store& s) { return m_memory.nearest(s.address) == area; });
        if (stores.size() < 2)
            continue;
        std::stable_sort(stores.begin(), stores.end(), [](const auto& a, const auto& b) {
            return std::tie(a.block, a.thread) < std::tie(b.block, b.thread);
        });
        const bool byBlock = stores.front().block != stores.back().block;
        const auto number = [&](const HangWatch::Store& s) { return std::int64_t(byBlock ? s.block : s.thread); };
        const HangWatch::Store& first = stores.front();
        const auto other = std::find_if(stores.begin(), stores.end(), [&](const auto& s) {
            return number(s) != number(first) && s.address != first.address;
        });
        if (other == stores.end())
            continue;
        const std::int64_t apart = std::int64_t(other->address - first.address),
                           between = number(*other) - number(first), far = std::int64_t(group.address - first.address);
        if (apart * between == 0 || far * between % apart != 0)
            continue;
        const std::int64_t who = number(first) + far * between / apart;
        const std::uint64_t end = byBlock ? m_launch.grid.count() : m_launch.block.count();
        const auto fits = std::count_if(stores.begin(), stores.end(), [&](const HangWatch::Store& s) {
            return std::int64_t(s.address - first.address) * between == apart * (number(s) - number(first)) &&
                   (!byBlock || s.thread == first.thread);
        });
        if (who < 0 || std::uint64_t(who) >= end || std::size_t(fits) * 3 < stores.size() * 2)
            continue;
        HangWatch::Use use{m_launch.launch, byBlock ? first.thread : std::uint32_t(who), position,
                           byBlock ? std::uint64_t(who) : first.block, 0};
        const std::string block = m_launch.grid.at(use.block).indexText(),
                          thread = m_launch.block.at(use.thread).indexText();
        const Message at = callerPlace(m_program, position).text;
        const auto own = std::find_if(stores.begin(), stores.end(), [&](const HangWatch::Store& s) {
            return s.block == use.block && s.thread == use.thread;
        });
        const std::size_t before = group.on.size();
        Message became = fate(group, use);
        group.why.push_back(own == stores.end() ? say::WouldWrite(block, thread, at, std::move(became))
                                                : say::WouldWriteButWrote(block, thread, at, std::move(became),
                                                                          wordText(m_memory, own->address)));
        group.leavesOut = group.leavesOut || group.on.size() == before;
        return;
    }
}

// Instructions that change what lies at the very register's address, and to which nobody has come.
void Standing::tellNobodyCame(Group& group) const {
    const Inst& asks = m_program.code[group.position];
    const FunctionCode& function = m_program.functions[m_program.info[group.position].function];
    if (!group.on.empty()) // somebody who stands may come there yet
        return;
    std::set<std::uint32_t> lines; // told, or come to in another turn of an unrolled loop
    for (const auto& [position, stores] : m_watch->stores())
        lines.insert(callerPlace(m_program, position).source.line);
    for (std::uint32_t at = function.first; at < function.end && !asks.memory.noBase; ++at) {
        const InstInfo& info = m_program.info[at];
        const Inst& in = m_program.code[at];
        if (!info.isMemory || info.access == AccessKind::Load || info.space != MemorySpace::Global ||
            in.memory.noBase || in.a != asks.a || in.memory.offset != asks.memory.offset ||
            m_watch->stores().contains(at))
            continue;
        const CallerPlace place = callerPlace(m_program, at);
        if (place.source.line == 0 || lines.insert(place.source.line).second)
            group.why.push_back(say::NobodyCameTo(place.text));
    }
}

// The register that what is found there is compared with; noRow: it is not, or with a number.
Row Standing::comparedWith(const Group& group) const {
    constexpr std::uint32_t few = 8;
    if (m_program.info[group.position].writes.size() != 1)
        return noRow;
    const Row found = m_program.info[group.position].writes.front();
    for (std::uint32_t at = group.position + 1; at < std::min<std::size_t>(group.position + few, m_program.code.size());
         ++at) {
        const InstInfo& info = m_program.info[at];
        const ptx::Instruction* const source = info.source;
        if (info.is.opcode != ptx::Opcode::Setp || !source || source->operands.size() != 3 ||
            std::find(info.reads.begin(), info.reads.end(), found) == info.reads.end())
            continue;
        const auto other = std::find_if(info.reads.begin(), info.reads.end(), [&](Row r) { return r != found; });
        return other == info.reads.end() || info.is.bytes() != 4 ? noRow : *other;
    }
    return noRow;
}

// What is found there is compared with something that is the same for all who ask.
void Standing::tellComparison(Group& group) const {
    const WarpContext& warp = *m_blocks[group.block]->warps[group.warps.front()];
    const Row other = comparedWith(group);
    if (other == noRow || warp.poll.lanes.bits == 0 || warp.poll.position != group.position)
        return;
    for (const StackEntry& e : warp.stack)
        if (e.children == 0 && e.frame && (e.mask.bits & warp.poll.lanes.bits) != 0) {
            std::set<std::int32_t> values;
            eachLane(e.mask.bits & warp.poll.lanes.bits, [&](int lane) {
                std::int32_t value = 0;
                std::memcpy(&value, e.frame->rows.get() + other + 4 * std::size_t(lane), 4);
                values.insert(value);
            });
            if (values.size() == 1)
                group.why.push_back(say::ComparedWith(*values.begin()));
            return;
        }
}

void Standing::explainWord(Group& group) {
    if (isGridBarrier(group))
        return explainGridBarrier(group);
    tellChildren(group);
    const HangWatch::Word* word = m_watch ? m_watch->word(wordOf(group)) : nullptr;
    if (!word)
        return;
    const auto thread = [&](const HangWatch::Use& use) { return m_launch.block.at(use.thread).indexText(); };
    const auto block = [&](const HangWatch::Use& use) { return m_launch.grid.at(use.block).indexText(); };
    group.neverWritten = !word->written;
    if (word->written)
        group.why.push_back(say::WordLastWritten(block(*word->written), thread(*word->written), word->written->value,
                                                 callerPlace(m_program, word->written->position).text,
                                                 fate(group, *word->written)));
    else
        group.why.push_back(say::WordNeverWritten);
    if (!word->written && group.space == MemorySpace::Global)
        tellWhoWouldWrite(group);
    tellLeftUndone(group);
    tellNotBefore(group);
    tellComparison(group);
    tellReadTooLate(group);
    if (group.space == MemorySpace::Global)
        tellNobodyCame(group);
    // Who has found what is there now and went on may hold what the others wait for: a ticket's turn, a lock.
    for (const HangWatch::Use& use : word->seen) {
        const std::size_t at = numberOf(use.block);
        const bool waits = at < m_blocks.size() && std::any_of(m_groups.begin(), m_groups.end(), [&](const Group& g) {
                               const auto& of = m_groupsOf[{at, use.thread / 32}];
                               return g.kind == HangKind::Word && g.address == group.address &&
                                      std::find(of.begin(), of.end(), std::size_t(&g - m_groups.data())) != of.end();
                           });
        const bool wrote = word->written && word->written->block == use.block && word->written->thread == use.thread;
        if (waits || wrote || use.launch != m_launch.launch)
            continue;
        group.why.push_back(
            say::WordSeen(block(use), thread(use), callerPlace(m_program, use.position).text, fate(group, use)));
        break; // one is enough to look at
    }
    tellNotGivenBack(group, *word);
}

} // namespace warpglass::emulator
