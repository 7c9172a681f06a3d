// SPDX-License-Identifier: GPL-3.0-or-later
// Why a phase of an mbarrier never ends: who arrived in earlier phases and not in this one, who has gone on without arriving, a
// count that does not fit, bytes that nobody copies or that were told to another mbarrier, and who hands what to itself.
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/async/copies.h"
#include "gpu/emulator/code/reach.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/object_text.h"
#include "gpu/emulator/run/standing.h"
#include "gpu/emulator/run/standing_words.h"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace warpglass::emulator {

namespace {

using Warps = std::vector<std::uint32_t>;

bool holds(const Warps& warps, std::uint32_t warp) {
    return std::find(warps.begin(), warps.end(), warp) != warps.end();
}

// The phase that the warps of its block have to wait for next: behind the last one that one of them passed.
std::uint32_t dueFor(const HangWatch::Story& story, const Warps& warps) {
    std::uint32_t due = 0;
    for (const std::uint32_t w : warps)
        if (const auto waits = story.waits.find(w); waits != story.waits.end() && waits->second.passed.when > 0)
            due = std::max(due, waits->second.passed.phase + 1);
    return due;
}

// Whether copies that tell an mbarrier bring more than was announced, those under way with them.
bool bringsTooMuch(const BlockState& home, std::uint32_t barrier) {
    std::int64_t missing = barrierAt(home, barrier).bytes;
    for (const PendingCopy& copy : home.async->pending)
        missing -= copy.barrier == barrier ? std::int64_t(copy.reported) : 0;
    return missing < 0;
}

} // namespace

// Whether it waits where it made one of these passes, whichever mbarrier it is now: in the same line, since loops are unrolled,
// unless passes before it were made there, too, as where the line is that of a helper (-G).
bool Standing::waitsAt(std::size_t block, std::uint32_t warp, std::span<const HangWatch::Behind> behind) const {
    const auto at = m_groupsOf.find({block, warp});
    const auto lineOf = [&](std::uint32_t position, std::uint32_t call) {
        return callerPlace(m_program, position, call).source.line;
    };
    const std::uint32_t line = lineOf(behind.back().pass.position, noIndex);
    const bool tells = line != 0 && std::none_of(behind.begin(), behind.end() - 1, [&](const HangWatch::Behind& b) {
                           return lineOf(b.pass.position, noIndex) == line;
                       });
    return at != m_groupsOf.end() && std::any_of(at->second.begin(), at->second.end(), [&](std::size_t g) {
               return m_groups[g].position == behind.back().pass.position ||
                      (tells && lineOf(m_groups[g].position, m_groups[g].call) == line);
           });
}

// Of a warp that has arrived there, or does what those do: the pass behind which an arrival was due, if it made none. The
// last of those that usually come before it, or an earlier one where the warp does not stand at what follows that.
const HangWatch::Pass* Standing::passedInVain(std::size_t block, std::uint32_t warp, const HangWatch::Arrivals& usual,
                                              const HangWatch::Arrivals* own) const {
    if (block >= m_blocks.size())
        return nullptr;
    // It waits for something else by now, or has ended.
    const auto at = m_groupsOf.find({block, warp});
    const bool waitsOn =
        at != m_groupsOf.end() && std::any_of(at->second.begin(), at->second.end(),
                                              [&](std::size_t g) { return m_groups[g].kind == HangKind::Mbarrier; });
    if (!waitsOn && !m_blocks[block]->warps[warp]->done)
        return nullptr;
    for (std::size_t k = usual.behind.size(); k-- > 0;) {
        const HangWatch::Behind& behind = usual.behind[k];
        const HangWatch::Story* const from = m_watch->story(behind.pass.barrier);
        if (!from || behind.pass.barrier.first != m_blocks[block]->index)
            return nullptr;
        if (const auto waits = from->waits.find(warp); waits != from->waits.end() && waits->second.passed.when > 0 &&
                                                       (!own || waits->second.passed.when > own->when)) {
            std::uint32_t before = 0;
            for (const HangWatch::Behind& b : own ? own->behind : std::vector<HangWatch::Behind>())
                if (b.pass.barrier == behind.pass.barrier)
                    before = b.passesBefore;
            if (waits->second.passes - before >= behind.passesEach)
                return &waits->second.passed;
        }
        if (waitsAt(block, warp, std::span(usual.behind).first(k + 1)))
            return nullptr; // it is on its way to the arrival
    }
    return nullptr;
}

// Who never does passes waits for others alone, as warps of a group of which one warp's lane gives a stage back.
bool Standing::arrivesAnywhere(const HangWatch::WarpKey& warp) const {
    return std::any_of(m_watch->stories().begin(), m_watch->stories().end(),
                       [&](const auto& story) { return story.second.arrived.contains(warp); });
}

// Those who have gone on without the arrival that they, or others, have always made behind that wait.
bool Standing::tellWhoLeftOut(Group& group, const HangWatch::Story& story) {
    struct Left {
        std::size_t block = 0;
        const HangWatch::Pass* pass = nullptr;
        std::uint32_t usually = 0; // position
        Warps warps;
    };
    std::vector<Left> all;
    const auto add = [&](std::size_t block, std::uint32_t warp, const HangWatch::Pass* pass, std::uint32_t usually) {
        if (!pass)
            return;
        for (Left& left : all)
            if (left.block == block && left.pass->barrier == pass->barrier && left.pass->phase == pass->phase) {
                if (!holds(left.warps, warp))
                    left.warps.push_back(warp);
                return;
            }
        all.push_back({block, pass, usually, {warp}});
    };
    for (const auto& [arriver, usual] : story.arrived) {
        const std::size_t block = numberOf(arriver.first);
        if (usual.phase != group.phase)
            add(block, arriver.second, passedInVain(block, arriver.second, usual, &usual), usual.position);
        if (block >= m_blocks.size())
            continue;
        for (std::uint32_t w = 0; w < m_blocks[block]->warpCount; ++w)
            if (!story.arrived.contains({arriver.first, w}) && arrivesAnywhere({arriver.first, w}) &&
                !story.waits.contains(w)) // who waits there is no arriver
                add(block, w, passedInVain(block, w, usual, nullptr), usual.position);
    }
    for (const Left& left : all) {
        group.why.push_back(say::LeftOut(
            left.warps.size(), numberRanges(left.warps), left.pass->phase, nameOfMbarrier(left.pass->barrier),
            callerPlace(m_program, left.pass->position).text, callerPlace(m_program, left.usually).text));
        tellWarps(group, left.block, left.warps);
    }
    group.leavesOut = !all.empty();
    return group.leavesOut;
}

// More arrivals came than the phases that somebody waits for have room for: since the count is too small, or since some have come
// again and again. Then it matters which other barrier these have passed as if it were not there.
void Standing::tellRanAhead(Group& group, const BlockState& home, const HangWatch::Story& story) {
    const bool isOwnBlock = &home == m_blocks[group.block];
    const std::uint32_t due = isOwnBlock ? dueFor(story, group.warps) : 0;
    std::uint32_t rounds = 0, each = 0, most = 0;
    std::map<HangWatch::WarpKey, std::uint32_t> since;
    for (const auto& [phase, arrivals] : story.lately)
        for (const auto& [arriver, times] : arrivals)
            if (phase >= due)
                most = std::max(most, since[arriver] += times);
    Warps again;
    // By where they came from and how often: not all arrive each time.
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>, Warps> byTurns;
    for (const auto& [arriver, a] : story.arrived)
        byTurns[{arriver.first, a.turns, a.position}].push_back(arriver.second);
    for (const auto& [arriver, times] : since)
        if (times == most && arriver.first == home.index)
            again.push_back(arriver.second);
    for (const auto& [arriver, a] : story.arrived) {
        rounds = std::max(rounds, a.turns);
        each += a.lanes;
    }
    const Message made = story.position == noIndex ? say::EndOfFunction : callerPlace(m_program, story.position).text;
    if (isOwnBlock && most > 1 && !again.empty())
        group.why.push_back(
            say::CameAgain(group.phase - due, again.size(), numberRanges(again), most,
                           callerPlace(m_program, story.arrived.at({home.index, again.front()}).position).text));
    else if (byTurns.size() < 2)
        group.why.push_back(say::RanAhead(story.count, made, each, group.phase, rounds));
    else {
        group.why.push_back(say::RanAheadBy(story.count, made, group.phase));
        for (const auto& [who, warps] : byTurns)
            group.why.push_back(say::ArrivedTimes(warps.size(), numberRanges(warps),
                                                  m_launch.grid.at(std::get<0>(who)).indexText(), std::get<1>(who),
                                                  callerPlace(m_program, std::get<2>(who)).text));
    }
    for (const auto& [key, other] : m_watch->stories()) {
        if (key.first != home.index || &other == &story)
            continue;
        Warps early;
        std::uint32_t at = 0;
        for (const auto& [warp, waits] : other.waits)
            if (waits.isEarly && story.arrived.contains({home.index, warp})) {
                early.push_back(warp);
                at = waits.earlyAt;
            }
        if (!early.empty())
            group.why.push_back(say::PassedEarly(early.size(), numberRanges(early), nameOfMbarrier(key),
                                                 callerPlace(m_program, at).text));
    }
}

// Mbarriers of the same variable that those alone wait for who arrive there.
bool Standing::tellOwnTurn(Group& group, const BlockState& home) {
    const DeclaredObject* const own = sharedDeclared(m_program, sharedOffset(group.address));
    bool any = false;
    for (const auto& [key, story] : m_watch->stories()) {
        if (!own || key.first != home.index || sharedDeclared(m_program, key.second) != own || story.arrived.empty())
            continue;
        Warps arrive;
        for (const auto& [arriver, a] : story.arrived)
            if (arriver.first == home.index)
                arrive.push_back(arriver.second);
        const bool alone = std::all_of(story.waits.begin(), story.waits.end(),
                                       [&](const auto& waits) { return holds(arrive, waits.first); });
        if (!alone || story.waits.empty() || arrive.size() != story.arrived.size())
            continue;
        group.why.push_back(say::OwnTurn(arrive.size(), numberRanges(arrive), nameOfMbarrier(key),
                                         callerPlace(m_program, story.arrived.begin()->second.position).text));
        tellWarps(group, group.block, arrive);
        any = true;
    }
    return any;
}

// Blocks of the cluster that arrived at their own mbarrier of that place, where others arrive, too.
bool Standing::tellArrivedAtOwn(Group& group, const BlockState& home) {
    bool any = false;
    for (const auto& [key, story] : m_watch->stories()) {
        const std::size_t block = numberOf(key.first);
        if (key.second != sharedOffset(group.address) || key.first == home.index || block >= m_blocks.size() ||
            m_blocks[block]->cluster != home.cluster || !home.cluster)
            continue;
        Warps own;
        bool others = false;
        std::uint32_t position = 0;
        for (const auto& [arriver, a] : story.arrived) {
            others |= arriver.first != key.first;
            if (arriver.first == key.first) {
                own.push_back(arriver.second);
                position = a.position;
            }
        }
        if (own.empty() || !others)
            continue;
        group.why.push_back(say::ArrivedAtOwn(own.size(), numberRanges(own), m_launch.grid.at(key.first).indexText(),
                                              callerPlace(m_program, position).text));
        any = true;
    }
    return any;
}

// Some came for a first wait while no phase was over and passed; others asked for the same when one was, and are held.
void Standing::tellFirstTries(Group& group, const HangWatch::Story& story) {
    Warps early, late;
    for (const auto& [warp, waits] : story.waits) {
        if (waits.isEarly)
            early.push_back(warp);
        else if (waits.passed.when == 0 && waits.firstPhase && *waits.firstPhase > 0 && holds(group.warps, warp))
            late.push_back(warp);
    }
    if (!early.empty() && !late.empty())
        group.why.push_back(say::FirstTries(late.size(), numberRanges(late),
                                            *story.waits.at(late.front()).firstPhase - 1, early.size(),
                                            numberRanges(early)));
}

void Standing::tellBytes(Group& group, const BlockState& home, const HangWatch::Story& story) {
    if (group.bytes > 0 && story.announcedAt != noIndex && story.phase == group.phase) {
        group.why.push_back(say::BytesNeverCome(story.announced, callerPlace(m_program, story.announcedAt).text,
                                                story.announced - std::min(story.announced, group.bytes)));
        for (const HangWatch::Elsewhere& e : story.elsewhere) {
            const std::size_t block = numberOf(e.told.first);
            if (block < m_blocks.size() && bringsTooMuch(*m_blocks[block], e.told.second))
                group.why.push_back(
                    say::ToldElsewhere(e.bytes, callerPlace(m_program, e.position).text, nameOfMbarrier(e.told)));
        }
    }
    // Before all have arrived they may be announced yet.
    if (const std::int32_t bytes = barrierAt(home, sharedOffset(group.address)).bytes; bytes < 0 && group.missing == 0)
        group.why.push_back(say::BytesTooMany(std::uint32_t(-bytes)));
}

void Standing::explainMbarrier(Group& group) {
    const BlockState* home = homeOf(*m_blocks[group.block], group.address);
    const HangWatch::Story* story = m_watch && home ? m_watch->story(*home, sharedOffset(group.address)) : nullptr;
    if (!story)
        return;
    std::uint32_t rounds = 0, each = 0, ofPhase = 0, at = noIndex;
    std::optional<std::uint32_t> lastPhase;       // in which those that are missing came last,
    bool isOnePhase = true;                       // all of them
    std::map<std::uint64_t, Warps> missing, come; // by block: warps that came before alone, or now
    for (const auto& [arriver, a] : story->arrived) {
        rounds = std::max(rounds, a.turns);
        each += a.lanes;
        if (a.phase == group.phase) {
            ofPhase += a.ofPhase;
            come[arriver.first].push_back(arriver.second);
            if (const std::uint32_t absent = a.ever.bits & ~a.now.bits) {
                std::vector<Message> before = std::exchange(group.why, {});
                tellThreads(group, numberOf(arriver.first), arriver.second, absent);
                if (!group.why.empty())
                    before.push_back(say::NotWithTheOthers(joined(group.why), callerPlace(m_program, a.position).text));
                group.why = std::move(before);
            }
            continue;
        }
        missing[arriver.first].push_back(arriver.second);
        at = a.position;
        isOnePhase &= !lastPhase || *lastPhase == a.phase;
        lastPhase = a.phase;
    }
    const bool isOwnBlock = home == m_blocks[group.block];
    const Message made = story->position == noIndex ? say::EndOfFunction : callerPlace(m_program, story->position).text;
    const bool ranAhead =
        story->count < each && (isOwnBlock ? group.phase > dueFor(*story, group.warps) : group.phase > rounds);
    bool toldMade = true;
    if (ranAhead) {
        tellRanAhead(group, *home, *story);
    } else if (group.missing > 0 && tellWhoLeftOut(group, *story)) {
        at = noIndex;
        toldMade = false;
    } else if (group.missing > 0 && !missing.empty()) {
        toldMade = false;
        bool ended = true; // all of them, having done their part: then those are to come who can still come there
        for (const auto& [block, warps] : missing) {
            tellWarps(group, numberOf(block), warps);
            const std::size_t n = numberOf(block);
            ended &= n < m_blocks.size() && std::all_of(warps.begin(), warps.end(),
                                                        [&](std::uint32_t w) { return m_blocks[n]->warps[w]->done; });
        }
        if (ended)
            tellWarps(group, group.block, stillToCome(group, at, *story));
    } else if (group.missing > 0 && ofPhase > 0 && group.why.empty()) {
        // Who stands elsewhere and has never come may be to come yet; else the count is the fault.
        Warps others;
        const Warps& own = come[m_blocks[group.block]->index];
        for (std::uint32_t w = 0; w < m_blocks[group.block]->warpCount; ++w)
            if (!m_blocks[group.block]->warps[w]->done && !holds(own, w) && !holds(group.warps, w))
                others.push_back(w);
        group.why.push_back(others.empty() ? say::CountTooLarge(story->count, made, ofPhase)
                                           : say::SoFar(story->count, made, ofPhase));
        tellWarps(group, group.block, others);
        at = noIndex;
    } else if (group.missing > 0 && ofPhase == 0) {
        group.why.push_back(say::NobodyArrives(story->count, made));
        group.neverBegan = group.phase == 0;
        if (!tellArrivedAtOwn(group, *home) && !tellOwnTurn(group, *home))
            for (std::size_t g = 0; g < m_groups.size(); ++g) // any of the others may be to do so
                if (&m_groups[g] != &group && m_groups[g].block == group.block)
                    addOnce(group.on, g);
    } else {
        toldMade = false;
    }
    if (at != noIndex && !group.why.empty() && !ranAhead)
        group.why = {lastPhase && isOnePhase
                         ? say::ArrivedInPhase(joined(group.why), *lastPhase, callerPlace(m_program, at).text)
                         : say::ArrivedBefore(joined(group.why), callerPlace(m_program, at).text)};
    // Copies that tell the mbarrier, in the form that is neutral, cannot end a phase.
    for (const auto& [arriver, a] : story->arrived) {
        const ptx::Instruction* const source = m_program.info[a.position].source;
        if (group.missing > 0 && source && source->opcode == ptx::Opcode::Cp && !source->has(ptx::Modifier::Noinc)) {
            group.why = {say::RaisedAndArrived(callerPlace(m_program, a.position).text)};
            break;
        }
    }
    tellFirstTries(group, *story);
    tellBytes(group, *home, *story);
    if (!toldMade && story->position != noIndex &&
        !isNamedMbarrier(m_names, m_program, *home, sharedOffset(group.address)))
        tellWhichOne(group, *home, *story);
}

// Warps of the block that stand, have never arrived there, and can still come to where others have.
std::vector<std::uint32_t> Standing::stillToCome(const Group& group, std::uint32_t arrival,
                                                 const HangWatch::Story& story) const {
    Warps warps;
    const BlockState& block = *m_blocks[group.block];
    for (std::uint32_t w = 0; w < block.warpCount; ++w) {
        const auto at = m_groupsOf.find({group.block, w});
        if (holds(group.warps, w) || story.arrived.contains({block.index, w}) || at == m_groupsOf.end())
            continue;
        if (std::any_of(at->second.begin(), at->second.end(),
                        [&](std::size_t g) { return reaches(m_program, m_groups[g].position, arrival); }))
            warps.push_back(w);
    }
    return warps;
}

// An mbarrier without a name of its own: which it is of those that are made at the same place.
void Standing::tellWhichOne(Group& group, const BlockState& home, const HangWatch::Story& story) {
    const Message made = callerPlace(m_program, story.position).text;
    const auto lines = [&](std::uint32_t position) {
        const CallerPlace place = callerPlace(m_program, position);
        const std::string text =
            Said(place.text).text(); // without the PTX line, which differs from turn to turn of a loop
        return text.substr(0, text.rfind(" (PTX"));
    };
    std::uint32_t number = 0, all = 0;
    for (const auto& [key, other] : m_watch->stories())
        if (key.first == home.index && other.position != noIndex && lines(other.position) == lines(story.position)) {
            number += key.second < sharedOffset(group.address) ? 1 : 0;
            ++all;
        }
    group.why.push_back(all > 1 ? say::MadeAmong(number, all, made) : say::MadeAt(made));
}

Message Standing::nameOfMbarrier(const HangWatch::BarrierKey& key) const {
    const std::size_t block = numberOf(key.first);
    return mbarrierName(m_names, m_program, *m_blocks[block < m_blocks.size() ? block : 0], key.second);
}

} // namespace warpglass::emulator
