// SPDX-License-Identifier: GPL-3.0-or-later
// Which step is missing, by what those do else who change the word that others wait for: where somebody went past it, what was not
// done on the way to it, who read too late what to wait for; and who can't come to a barrier from where it stands.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/code/reach.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/run/standing.h"
#include "gpu/emulator/state/cluster.h"

#include <algorithm>
#include <set>

namespace warpglass::emulator {

struct Standing::Undone { // behind a line
    Rounds::Line line;
    std::uint64_t times = 0;
    std::map<Rounds::Thread, std::uint64_t> by;
    bool again = false; // they came to it once more
    void add(const Rounds::Thread& thread, std::uint64_t more) {
        times += more;
        by[thread] += more;
    }
};

namespace {

constexpr std::size_t toldThreads = 4;

// How often those who change the word come to a line from one change to the next, if that is so mostly; 0: it is not.
std::uint32_t usualTimes(const Rounds::Changes& changes, const Rounds::Line& line) {
    const auto at = changes.behind.find(line);
    if (at == changes.behind.end())
        return 0;
    for (const auto& [times, threads] : at->second) {
        std::uint64_t rounds = 0;
        for (const auto& [thread, own] : threads)
            rounds += own;
        if (rounds * 3 >= changes.times * 2)
            return times;
    }
    return 0;
}

} // namespace

Rounds::Word Standing::wordOf(const Group& group) const {
    return group.space == MemorySpace::Global ? globalWord(group.address)
                                              : sharedWord(m_blocks[group.block]->index, sharedOffset(group.address));
}

Message Standing::wordName(const Rounds::Word& word) const {
    return word == globalWord(word.second) ? wordText(m_memory, word.second)
                                           : sharedWordText(std::uint32_t(word.second));
}

bool Standing::hasEnded(const Rounds::Thread& thread) const {
    const auto& [launch, block, number] = thread;
    const std::size_t at = numberOf(block);
    if (launch != m_launch.launch || at == m_blocks.size())
        return true;
    const WarpContext& warp = *m_blocks[at]->warps[number / 32];
    return warp.done || warp.exited.has(int(number % 32));
}

// Lines at which it asks in vain.
std::vector<Rounds::Line> Standing::standsAt(const Rounds::Thread& thread) const {
    std::vector<Rounds::Line> lines;
    if (hasEnded(thread))
        return lines;
    const auto& [launch, block, number] = thread;
    const WarpContext& warp = *m_blocks[numberOf(block)]->warps[number / 32];
    const int lane = int(number % 32);
    std::uint32_t call = noIndex;
    for (const StackEntry& e : warp.stack)
        if (e.mask.has(lane) && e.children == 0)
            for (const Frame* f = e.frame; f && f->parent; f = f->parent)
                call = f->callPosition;
    for (const LastPoll& poll : warp.polls)
        if (poll.lanes.has(lane))
            lines.push_back(Rounds::lineAt(m_program, poll.position, call));
    return lines;
}

// Of all threads: how often they came to that line, and not to where the word was last changed.
Standing::Undone Standing::undoneBehind(const Rounds::OfWord& word, const Rounds::Line& line) const {
    const Rounds::Changes& changes = word.changes.at(*word.lastAt);
    const std::uint32_t usual = usualTimes(changes, line);
    Undone undone;
    undone.line = line;
    if (usual == 0)
        return undone;
    for (const auto& [times, threads] : changes.behind.at(line))
        for (const auto& [thread, rounds] : threads)
            if (times > usual) {
                undone.add(thread, (times - usual) * rounds);
                undone.again = true;
            }
    // Since their last change: who has left the loop may have come there once more to find that it is over, as all have.
    const auto since = [&](const Rounds::OfWord::Since& own) {
        const auto at = own.came.find(line);
        return at == own.came.end() ? 0 : at->second;
    };
    const auto changed = [&](const Rounds::Thread& thread) {
        return std::any_of(changes.behind.begin(), changes.behind.end(), [&](const auto& at) {
            return std::any_of(at.second.begin(), at.second.end(),
                               [&](const auto& threads) { return threads.second.contains(thread); });
        });
    };
    std::uint32_t least = usual;
    std::size_t left = 0;
    for (const auto& [thread, own] : word.since)
        if (hasEnded(thread) && changed(thread)) {
            least = std::min(least, since(own));
            ++left;
        }
    for (const auto& [thread, own] : word.since) {
        const std::vector<Rounds::Line> stands = standsAt(thread);
        const std::uint32_t times = since(own), most = left > 1 && hasEnded(thread) ? least : usual;
        if (times <= most || (stands.size() > 1 && std::find(stands.begin(), stands.end(), line) != stands.end()))
            continue; // it asks for several words by turns
        undone.add(thread, times - most);
        undone.again = undone.again || times > usual;
    }
    return undone;
}

// The one branch that leads from that line past the change: back to the line, or out of the loop.
std::optional<Message> Standing::branchPast(const Undone& undone, const Rounds::Line& change) const {
    const auto& from = m_watch->rounds().placesAt(undone.line);
    const auto& to = m_watch->rounds().placesAt(change);
    if (from.empty() || to.empty())
        return std::nullopt;
    const std::uint32_t function = m_program.info[to.front().position].function;
    const auto isOf = [&](const std::vector<Rounds::Place>& places, std::uint32_t at) {
        return std::any_of(places.begin(), places.end(), [&](const auto& p) { return p.position == at; });
    };
    const auto isFrom = [&](std::uint32_t at) { return isOf(from, at); };
    const auto isTo = [&](std::uint32_t at) { return isOf(to, at); };
    for (const std::vector<Rounds::Place>* const places : {&from, &to})
        for (const Rounds::Place& place : *places)
            if (m_program.info[place.position].function != function)
                return std::nullopt;
    std::map<Rounds::Line, std::uint32_t> found; // position
    const FunctionCode& code = m_program.functions[function];
    for (std::uint32_t at = code.first; at + 1 < code.end; ++at) {
        const Inst& in = m_program.code[at];
        if (m_program.info[at].is.opcode != ptx::Opcode::Bra || !in.guard)
            continue;
        const bool jumps = comesTo(m_program, in.branch.target, isTo, isFrom),
                   goesOn = comesTo(m_program, at + 1, isTo, isFrom);
        const std::uint32_t past = jumps ? at + 1 : in.branch.target;
        const Rounds::Line line = Rounds::lineAt(m_program, at, noIndex);
        if (jumps != goesOn && line != undone.line && comesTo(m_program, past, isFrom, isTo) == undone.again &&
            std::any_of(from.begin(), from.end(), [&](const Rounds::Place& place) {
                return comesTo(
                    m_program, place.position + 1, [at](std::uint32_t p) { return p == at; },
                    [&](std::uint32_t p) { return isTo(p) || isFrom(p); });
            }))
            found.emplace(line, at);
    }
    if (found.size() != 1)
        return std::nullopt;
    return callerPlace(m_program, found.begin()->second).text;
}

// Who has come to where the word is changed mostly, and went on without that.
void Standing::tellLeftUndone(Group& group) {
    const Rounds::OfWord* const word = m_watch->rounds().word(wordOf(group));
    if (!word || !word->lastAt || word->changes.at(*word->lastAt).times < 2)
        return;
    const Rounds::Changes& changes = word->changes.at(*word->lastAt);
    const auto position = [&](const Rounds::Line& line) { return m_watch->rounds().placesAt(line).front(); };
    const std::uint32_t change = position(*word->lastAt).position;
    Undone most;
    for (const auto& [line, times] : changes.behind) {
        if (line == *word->lastAt)
            continue;
        Undone undone = undoneBehind(*word, line);
        // Of several the one to which they came last.
        const auto rank = [&](const Undone& u) {
            const std::uint32_t at = position(u.line).position;
            return std::tuple(u.times, at < change, at);
        };
        if (undone.times > 0 && (most.times == 0 || rank(undone) > rank(most)))
            most = std::move(undone);
    }
    if (most.times == 0)
        return;
    std::vector<Message> who;
    for (const auto& [thread, times] : most.by)
        if (who.size() < toldThreads && std::get<0>(thread) == m_launch.launch)
            who.push_back(say::ThreadOfBlock(m_launch.grid.at(std::get<1>(thread)).indexText(),
                                             m_launch.block.at(std::get<2>(thread)).indexText()));
    const auto text = [&](const Rounds::Line& line) {
        return callerPlace(m_program, position(line).position, position(line).call).text;
    };
    if (who.empty())
        return;
    const auto branch = branchPast(most, *word->lastAt);
    group.why.push_back(branch ? say::LeftUndonePast(most.times, text(most.line), text(*word->lastAt), who, *branch)
                               : say::LeftUndone(most.times, text(most.line), text(*word->lastAt), who));
    group.leavesOut = true;
}

// What was always changed on the way to the word's change, and not the last time: a counter that is set back.
void Standing::tellNotBefore(Group& group) {
    const Rounds::OfWord* const word = m_watch->rounds().word(wordOf(group));
    if (!word || !word->lastAt || word->changes.at(*word->lastAt).times < 2)
        return;
    const Rounds::Changes& changes = word->changes.at(*word->lastAt);
    const auto& [launch, block, thread] = changes.lastBy;
    for (const auto& [line, other] : changes.before)
        if (!changes.last.contains({line, other}) && line != *word->lastAt && launch == m_launch.launch) {
            const Rounds::Place place = m_watch->rounds().placesAt(line).front();
            group.why.push_back(say::NotBefore(m_launch.grid.at(block).indexText(),
                                               m_launch.block.at(thread).indexText(), wordName(other),
                                               callerPlace(m_program, place.position, place.call).text));
            group.leavesOut = true;
            return;
        }
}

// Who waits until the word is another one than it was, and read that only when it had become so already: what it had done before
// was counted by who changed it.
void Standing::tellReadTooLate(Group& group) const {
    const Rounds::OfWord* const word = m_watch->rounds().word(wordOf(group));
    const Row other = comparedWith(group);
    if (!word || !word->lastAt || other == noRow)
        return;
    const Rounds::Changes& changes = word->changes.at(*word->lastAt);
    for (const auto& [thread, load] : word->loaded) {
        const auto& [launch, block, number] = thread;
        if (launch != m_launch.launch || block != m_blocks[group.block]->index ||
            std::find(group.warps.begin(), group.warps.end(), number / 32) == group.warps.end())
            continue;
        const std::vector<Row>& writes = m_program.info[load.position].writes;
        if (load.position == group.position || std::find(writes.begin(), writes.end(), other) == writes.end())
            continue;
        for (const auto& [line, counted] : changes.last)
            if (const auto did = m_watch->rounds().changed(thread, counted); did && did->when < word->lastWhen) {
                group.why.push_back(
                    say::ReadTooLate(callerPlace(m_program, load.position).text, wordName(counted),
                                     callerPlace(m_program, did->place.position, did->place.call).text));
                return;
            }
    }
}

// Who stands where no way leads to it: a barrier of the block that not all of its threads come to.
void Standing::tellNoWayToBarrier(Group& group) const {
    const auto mayMeet = [&](std::uint32_t at) {
        const InstInfo& info = m_program.info[at];
        if (info.is.opcode == ptx::Opcode::Call)
            return true;
        if (!info.isBarrier || !info.source)
            return false;
        const auto& operands = info.source->operands;
        return operands.empty() || operands.front().kind != ptx::Operand::Kind::Integer ||
               std::uint64_t(operands.front().integer) == group.address;
    };
    for (const std::size_t on : group.on) {
        const Group& other = m_groups[on];
        if (other.call == noIndex && other.block == group.block && !reachesWhat(m_program, other.position, mayMeet)) {
            group.why.push_back(say::NoWayToBarrier(place(other), group.address, group.expected));
            group.leavesOut = true;
        }
    }
}

} // namespace warpglass::emulator
