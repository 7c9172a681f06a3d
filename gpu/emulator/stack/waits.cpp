// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/stack/waits.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

// Lanes of those that entry i waits for.
LaneMask inside(const WarpContext& w, std::size_t i) {
    LaneMask lanes;
    for (std::size_t k = i + 1; k < w.stack.size(); ++k)
        if (w.stack[k].state != EntryState::Done)
            lanes = lanes | w.stack[k].mask;
    return lanes & w.stack[i].mask;
}

bool waits(const StackEntry& e) {
    return e.state == EntryState::Ready && e.children > 0;
}

// Of the lanes that an entry waits for, those that have come go on; false: none has.
bool departFrom(WarpContext& w, std::size_t i) {
    if (!waits(w.stack[i]))
        return false;
    const LaneMask arrived = w.stack[i].mask & ~inside(w, i) & ~w.exited;
    if (arrived.empty())
        return false;
    w.stack[i].mask = w.stack[i].mask & ~arrived;
    StackEntry e = w.stack[i];
    e.mask = arrived;
    e.children = 0;
    if (e.parent != noIndex)
        ++w.stack[e.parent].children;
    w.stack.push_back(e);
    return true;
}

// The entries that wait for this one, the nearest first.
std::vector<std::uint32_t> around(const WarpContext& w, std::uint32_t entry) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t p = w.stack[entry].parent; p != noIndex; p = w.stack[p].parent)
        all.push_back(p);
    return all;
}

// Lanes of another entry at the same place come to this one.
void join(WarpContext& w, std::uint32_t entry, std::uint32_t other) {
    const LaneMask lanes = w.stack[other].mask;
    const std::vector<std::uint32_t> own = around(w, entry);
    std::uint32_t both = w.stack[other].parent; // waits for either
    for (; both != noIndex && std::ranges::find(own, both) == own.end(); both = w.stack[both].parent)
        w.stack[both].mask = w.stack[both].mask & ~lanes;
    for (const std::uint32_t p : own) {
        if (p == both)
            break;
        w.stack[p].mask = w.stack[p].mask | lanes;
    }
    w.stack[entry].mask = w.stack[entry].mask | lanes;
    finish(w, other);
}

} // namespace

bool departEarly(WarpContext& w) {
    for (std::size_t i = w.stack.size(); i-- > 0;)
        if (departFrom(w, i))
            return true;
    return false;
}

void passYielded(WarpContext& w) {
    for (std::size_t i = w.stack.size(); i-- > 0;)
        if (waits(w.stack[i]) && (inside(w, i) & ~w.yielded & ~w.exited).empty())
            departFrom(w, i);
}

void endYield(WarpContext& w, std::uint32_t entry) {
    const StackEntry& e = w.stack[entry];
    for (std::uint32_t k = 0; k < w.stack.size(); ++k)
        if (const StackEntry& o = w.stack[k];
            k != entry && o.state == EntryState::Ready && o.yielded && o.pc == e.pc && o.frame == e.frame)
            join(w, entry, k);
    w.yielded = w.yielded & ~e.mask;
}

bool letOthersGo(Exec& x) {
    WarpContext& w = *x.warp;
    pack(x);
    StackEntry& e = w.stack[w.current];
    const bool begins = !e.yielded && e.parent != noIndex;
    e.yielded = begins;
    if (!begins)
        return false;
    w.yielded = w.yielded | e.mask;
    return resume(x, w);
}

} // namespace warpglass::emulator
