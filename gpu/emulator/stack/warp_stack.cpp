// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/stack/warp_stack.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/stack/waits.h"

#include <algorithm>
#include <new>

namespace warpglass::emulator {

namespace {
void load(Exec& x, std::uint32_t entry) {
    WarpContext& w = *x.warp;
    StackEntry& e = w.stack[entry];
    w.current = entry;
    x.mask = e.mask.bits;
    x.pc = e.pc;
    x.frame = e.frame;
    x.rows = e.frame->rows.get();
    x.reconvergence = e.reconvergence;
    x.reconvergenceFrame = e.reconvergenceFrame;
}

// Entries that are done go, as long as nothing lies above them.
void trim(WarpContext& w) {
    while (!w.stack.empty() && w.stack.back().state == EntryState::Done)
        w.stack.pop_back();
}
} // namespace

namespace {

// The system's zero pages until they are touched: a frame of a megabyte of which little is used costs little.
std::unique_ptr<std::byte[], FrameFree> zeroRows(std::size_t bytes) {
    constexpr std::size_t alignment = 64;
    void* const taken = std::calloc(bytes + alignment, 1);
    if (!taken)
        throw std::bad_alloc();
    const std::size_t behind = reinterpret_cast<std::uintptr_t>(taken) % alignment;
    return {static_cast<std::byte*>(taken) + (alignment - behind) % alignment, FrameFree{taken}};
}

} // namespace

Frame* takeFrame(Exec& x, WarpContext& warp, std::uint32_t function) {
    const FunctionCode& code = x.program->functions[function];
    Frame* f = nullptr;
    bool isNew = false;
    if (warp.freeFrames.size() <= function)
        warp.freeFrames.resize(x.program->functions.size());
    if (!warp.freeFrames[function].empty()) {
        f = warp.freeFrames[function].back();
        warp.freeFrames[function].pop_back();
    } else {
        warp.frames.push_back(std::make_unique<Frame>());
        f = warp.frames.back().get();
        f->function = function;
        isNew = true;
        f->rows = zeroRows(std::max<std::uint32_t>(code.frameBytes, 256));
        for (const ConstantRow& c : code.constants) {
            std::byte* row = f->rows.get() + c.row;
            if (c.bytes == 0) {
                const std::uint32_t lanes = c.bits ? ~0u : 0u;
                std::memcpy(row, &lanes, 4);
                continue;
            }
            for (std::size_t i = 0; i < 32; ++i)
                std::memcpy(row + i * c.bytes, &c.bits, c.bytes);
        }
    }
    if (!isNew)
        std::memset(f->rows.get() + code.zeroFrom, 0, code.zeroTo - code.zeroFrom);
    f->parent = nullptr;
    f->localBase = 0;
    f->handedBelow = 0;
    f->depth = 0;
    f->lanes = {};
    f->ever = {};
    return f;
}

std::uint32_t waitingFor(const WarpContext& warp, std::uint32_t members) {
    std::uint32_t lanes = 0;
    for (const StackEntry& e : warp.stack)
        if (e.state == EntryState::AtWarpSync && e.members == members)
            lanes |= e.mask.bits;
    return lanes;
}

void releaseSyncs(WarpContext& warp) {
    const std::uint32_t present = warp.live.bits & ~warp.exited.bits;
    for (std::size_t i = 0; i < warp.stack.size(); ++i) {
        if (warp.stack[i].state != EntryState::AtWarpSync)
            continue;
        const std::uint32_t members = warp.stack[i].members;
        if (members & present & ~waitingFor(warp, members))
            continue;
        for (StackEntry& e : warp.stack)
            if (e.state == EntryState::AtWarpSync && e.members == members)
                e.state = EntryState::Ready;
        ++warp.syncEpoch;
        warp.volatiles.clear();
    }
}

Frame* sharedFrame(Exec& x, std::uint32_t function, std::uint32_t callPosition, std::uint32_t lanes) {
    for (const StackEntry& e : x.warp->stack) {
        Frame* f = e.frame;
        while (f->depth > x.frame->depth + 1)
            f = f->parent;
        if (!f->lanes.empty() && f->parent == x.frame && f->callPosition == callPosition && f->function == function &&
            f->localBase == stackTop(x) && (f->ever.bits & lanes) == 0)
            return f;
    }
    return nullptr;
}

void releaseFrame(WarpContext& warp, Frame* frame) {
    warp.freeFrames[frame->function].push_back(frame);
}

void startWarp(Exec& x, WarpContext& w) {
    x.warp = &w;
    w.exited = {};
    w.yielded = {};
    w.stack.clear();
    w.volatiles.clear();
    w.poll = {};
    w.polls.clear();
    w.vainTurns = 0;
    w.vain.clear();
    w.waits = {};
    w.waitsInVain = 0;
    w.standsStill = false;
    w.clusterArrived = {};
    w.clock = 0;
    w.issued = 0;
    w.syncEpoch = 1;
    w.meetings.clear();
    w.done = false;
    for (auto& list : w.freeFrames)
        list.clear();
    if (w.frames.empty())
        w.base = takeFrame(x, w, 0);
    else { // frames of the last block: all are free again
        w.freeFrames.resize(x.program->functions.size());
        for (auto& f : w.frames)
            w.freeFrames[f->function].push_back(f.get());
        w.base = takeFrame(x, w, 0);
    }
    w.base->lanes = w.live;
    w.local.forget();
    w.local.reach(x.program->functions[0].localBytes);
    w.stack.push_back(
        {w.live, x.program->functions[0].first, noIndex, w.base, nullptr, noIndex, 0, EntryState::Ready, 0, 0});
    w.current = 0;
}

void pack(Exec& x) {
    StackEntry& e = x.warp->stack[x.warp->current];
    e.mask = {x.mask};
    e.pc = x.pc;
    e.frame = x.frame;
    e.reconvergence = x.reconvergence;
    e.reconvergenceFrame = x.reconvergenceFrame;
}

namespace {

bool waitsForMembers(const StackEntry& e) {
    return e.state == EntryState::AtSync;
}

// Whether lanes that have come to a question where others wait ask the same: no lane names one that names other members.
// Else each side waits for its own; a loop may come to the next question of all while some lanes are still at one of a few.
bool asksTheSame(Exec& x, const StackEntry& waits, const StackEntry& comes) {
    const Inst& in = x.program->code[waits.pc];
    if (!waitsForMembers(waits) || !waits.offers || in.warp.members == noRow || in.warp.constantMembers)
        return true;
    const auto* named = reinterpret_cast<const std::uint32_t*>(waits.frame->rows.get() + in.warp.members);
    const std::uint32_t lanes = waits.mask.bits | comes.mask.bits;
    bool same = true;
    forEachGroup(x, named, lanes,
                 [&](std::uint32_t group, std::uint32_t members) { same &= (members & lanes & ~group) == 0; });
    return same;
}

// The sides of a branch may each have a shuffle of their own: members that all stand at a like one work together, as on
// an H200. False: there are none such.
bool meetApart(Exec& x, WarpContext& w) {
    if (std::none_of(w.stack.begin(), w.stack.end(), [](const StackEntry& e) { return e.with != 0; }))
        w.meetings.clear();
    bool anybody = false;
    for (const StackEntry& first : w.stack) {
        if (!waitsForMembers(first) || !first.offers)
            continue;
        const Handler run = x.program->code[first.pc].run;
        const std::uint32_t members = first.members;
        const auto like = [&](const StackEntry& e) {
            return waitsForMembers(e) && e.offers && e.members == members && x.program->code[e.pc].run == run;
        };
        LaneMask there;
        for (const StackEntry& e : w.stack)
            if (like(e))
                there = there | e.mask;
        if (members & w.live.bits & ~w.exited.bits & ~there.bits)
            continue;
        for (StackEntry& e : w.stack)
            if (like(e)) {
                e.state = EntryState::Ready;
                e.goesAlone = true;
                e.with = there.bits;
                e.meeting = std::uint32_t(w.meetings.size());
            }
        w.meetings.push_back(w.offered);
        anybody = true;
    }
    return anybody;
}

// With the stack nobody is ready any more, and entries wait for members of theirs. They go on together if they stand at
// one place; else those that have reached their reconvergence point may be the ones they wait for. Who still misses
// somebody then goes on alone, which is told. False: nobody waits so.
bool letMembersGo(Exec& x, WarpContext& w) {
    if (std::none_of(w.stack.begin(), w.stack.end(), waitsForMembers))
        return false;
    const auto missing = [&](const StackEntry& e) { return e.members & w.live.bits & ~w.exited.bits & ~e.mask.bits; };
    bool anybody = false;
    for (std::uint32_t i = 0; i < w.stack.size(); ++i) {
        StackEntry& e = w.stack[i];
        if (!waitsForMembers(e))
            continue;
        for (std::uint32_t k = i + 1; k < w.stack.size(); ++k) {
            const StackEntry& other = w.stack[k];
            if (!waitsForMembers(other) || other.pc != e.pc || other.frame != e.frame || other.parent != e.parent ||
                other.reconvergence != e.reconvergence || other.reconvergenceFrame != e.reconvergenceFrame ||
                !asksTheSame(x, e, other))
                continue;
            e.mask = e.mask | other.mask;
            e.members |= other.members;
            finish(w, k);
        }
        if (missing(e) == 0) {
            e.state = EntryState::Ready;
            anybody = true;
        }
    }
    if (anybody || meetApart(x, w) || departEarly(w))
        return true;
    StackEntry& first =
        *std::find_if(w.stack.begin(), w.stack.end(), waitsForMembers); // others may still come to where it goes
    first.state = EntryState::Ready;
    first.goesAlone = true;
    tellMissing(x, x.program->code[first.pc].index, first.members, missing(first));
    return true;
}

} // namespace

bool resume(Exec& x, WarpContext& w) {
    x.warp = &w;
    if (w.stack.size() == 1 && w.stack.front().state == EntryState::Ready) [[likely]] { // nobody diverged
        StackEntry& e = w.stack.front();
        e.mask = e.mask & ~w.exited;
        if (e.reconvergence == noIndex && e.mask.bits != 0) {
            e.lastRun = w.issued;
            load(x, 0);
            return true;
        }
    }
    trim(w);
    if (x.independent) {
        std::uint32_t best = noIndex;
        for (std::uint32_t i = 0; i < w.stack.size(); ++i)
            if (w.stack[i].state == EntryState::Ready &&
                (best == noIndex || w.stack[i].lastRun < w.stack[best].lastRun))
                best = i;
        if (best == noIndex)
            return meetApart(x, w) && resume(x, w);
        w.stack[best].lastRun = w.issued;
        load(x, best);
        return true;
    }
    if (!w.yielded.empty())
        passYielded(w);
    std::uint32_t next = noIndex; // the one on top; of those that take turns, who had none for longest
    std::uint32_t held = noIndex; // of those that have yielded the lowest
    for (std::size_t i = w.stack.size(); i-- > 0 && (next == noIndex || x.apart);) {
        StackEntry& e = w.stack[i];
        if (e.state != EntryState::Ready || e.children > 0)
            continue;
        e.mask = e.mask & ~w.exited;
        if (e.mask.empty()) {
            finish(w, std::uint32_t(i));
            return resume(x, w);
        }
        if (e.pc == e.reconvergence && e.frame == e.reconvergenceFrame) {
            finish(w, std::uint32_t(i));
            return resume(x, w);
        }
        if (e.yielded)
            held = std::uint32_t(i);
        else if (next == noIndex || e.lastRun < w.stack[next].lastRun)
            next = std::uint32_t(i);
    }
    if (next == noIndex && held != noIndex) {
        next = held;
        endYield(w, held);
    }
    if (next == noIndex)
        return letMembersGo(x, w) && resume(x, w);
    w.stack[next].lastRun = w.issued;
    load(x, next);
    return true;
}

bool reachReconvergence(Exec& x) {
    pack(x);
    finish(*x.warp, x.warp->current);
    return resume(x, *x.warp);
}

StackEntry& stand(Exec& x, std::uint32_t m, EntryState state) {
    pack(x);
    WarpContext& warp = *x.warp;
    if (m != x.mask) {
        StackEntry others = warp.stack[warp.current];
        others.mask = {x.mask & ~m};
        if (others.parent != noIndex)
            ++warp.stack[others.parent].children;
        warp.stack.push_back(others);
    }
    StackEntry& e = warp.stack[warp.current];
    e.mask = {m};
    e.state = state;
    x.stop = Stop::Switch;
    return e;
}

void diverge(Exec& x, std::uint32_t first, std::uint32_t firstPc, std::uint32_t second, std::uint32_t secondPc,
             std::uint32_t reconvergence) {
    WarpContext& w = *x.warp;
    if (x.independent) {
        x.pc = firstPc;
        x.mask = first;
        StackEntry other{{second}, secondPc, noIndex, x.frame, nullptr, noIndex, 0, EntryState::Ready, 0, 0};
        other.lastRun = w.issued;
        pack(x);
        w.stack.push_back(other);
        return;
    }
    std::uint32_t parent = w.current;
    Frame* frame = x.frame;
    if (x.reconvergence == reconvergence && x.reconvergenceFrame == frame) {
        // Both sides end where the running entry ends: its own parent waits for them.
        parent = w.stack[w.current].parent;
        pack(x);
        finish(w, w.current);
        trim(w);
    } else {
        x.pc = reconvergence;
        pack(x);
    }
    const auto push = [&](std::uint32_t mask, std::uint32_t pc) {
        if (pc == reconvergence)
            return; // nothing to do on this side
        w.stack.push_back({{mask}, pc, reconvergence, frame, frame, parent, 0, EntryState::Ready, 0, 0});
        if (parent != noIndex)
            ++w.stack[parent].children;
    };
    push(second, secondPc);
    push(first, firstPc);
    resume(x, w);
}

namespace {

// The entry below the running one that waits at this place of the running function; noIndex: there is none.
std::uint32_t waiting(const Exec& x, std::uint32_t pc) {
    const auto& stack = x.warp->stack;
    std::uint32_t below = stack[x.warp->current].parent;
    while (below != noIndex && stack[below].frame == x.frame && stack[below].pc != pc)
        below = stack[below].parent;
    return below != noIndex && stack[below].frame == x.frame ? below : noIndex;
}

// Entries between the running one and that below wait for these lanes no longer.
void leaveBetween(WarpContext& w, std::uint32_t below, std::uint32_t lanes) {
    for (std::uint32_t p = w.stack[w.current].parent; p != below; p = w.stack[p].parent)
        w.stack[p].mask = w.stack[p].mask & ~LaneMask{lanes};
}

} // namespace

void waitBehind(Exec& x, std::uint32_t behind) {
    if (waiting(x, behind) != noIndex)
        return;
    WarpContext& w = *x.warp;
    x.pc = behind;
    pack(x);
    ++w.stack[w.current].children;
    w.stack.push_back({{x.mask}, behind, behind, x.frame, x.frame, w.current, 0, EntryState::Ready, 0, 0});
    load(x, std::uint32_t(w.stack.size() - 1));
}

bool jumpOver(Exec& x, std::uint32_t lanes, std::uint32_t pc, std::uint32_t othersPc, std::uint32_t behind) {
    const std::uint32_t below = waiting(x, behind);
    WarpContext& w = *x.warp;
    if (below == noIndex || w.stack[w.current].parent == below)
        return false;
    x.mask &= ~lanes;
    x.pc = othersPc;
    pack(x);
    leaveBetween(w, below, lanes);
    if (pc != behind) {
        ++w.stack[below].children;
        w.stack.push_back({{lanes}, pc, behind, x.frame, x.frame, below, 0, EntryState::Ready, 0, 0});
    }
    return resume(x, w);
}

bool joinsWaiting(Exec& x) {
    const std::uint32_t below = waiting(x, x.pc);
    WarpContext& w = *x.warp;
    if (below == noIndex)
        return false;
    pack(x);
    leaveBetween(w, below, x.mask);
    finish(w, w.current);
    return true;
}

void exitLanes(Exec& x, std::uint32_t lanes) {
    WarpContext& w = *x.warp;
    w.exited = w.exited | LaneMask{lanes};
    x.mask &= ~lanes;
    x.block->liveThreads -= std::uint32_t(std::popcount(lanes));
    if (x.independent)
        for (StackEntry& e : w.stack) // somebody may wait for a lane that has just gone
            if (e.state == EntryState::AtSync)
                e.state = EntryState::Ready;
    releaseSyncs(w);
}

bool meet(Exec& x) {
    WarpContext& w = *x.warp;
    if (w.stack.size() < 2)
        return true;
    pack(x);
    StackEntry& mine = w.stack[w.current];
    mine.lastRun = w.issued;
    for (std::uint32_t i = 0; i < w.stack.size(); ++i) {
        StackEntry& e = w.stack[i];
        if (i == w.current || e.pc != mine.pc || e.frame != mine.frame ||
            (e.state != EntryState::Ready && e.state != EntryState::AtSync) || !asksTheSame(x, e, mine))
            continue;
        mine.mask = mine.mask | e.mask;
        e.state = EntryState::Done;
        e.mask = {};
    }
    const auto done = [](const StackEntry& e) { return e.state == EntryState::Done; };
    const auto before = std::count_if(w.stack.begin(), w.stack.begin() + w.current, done);
    std::erase_if(w.stack, done);
    w.current -= std::uint32_t(before);
    // Who lags behind runs, unless somebody has waited too long.
    std::uint32_t best = w.current, oldest = w.current;
    for (std::uint32_t i = 0; i < w.stack.size(); ++i) {
        const StackEntry& e = w.stack[i];
        if (e.state != EntryState::Ready)
            continue;
        const StackEntry& b = w.stack[best];
        if (e.frame->depth > b.frame->depth || (e.frame->depth == b.frame->depth && e.pc < b.pc))
            best = i;
        if (e.lastRun < w.stack[oldest].lastRun)
            oldest = i;
    }
    if (w.issued - w.stack[oldest].lastRun > bounds.pathTurn)
        best = oldest;
    load(x, best);
    return true;
}

} // namespace warpglass::emulator
