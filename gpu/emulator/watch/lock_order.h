// SPDX-License-Identifier: GPL-3.0-or-later
// Two locks that threads take in opposite orders, or more in a ring: each may come to hold one and wait for the other, in this launch or in
// another. A lock is a word of global memory that a compare-and-swap or an exchange takes from 0 to something else; whoever did
// holds it until the word is 0 again. If somebody else sets it to 0 it is no lock, but something that is handed on. Orders
// that a third lock, held by both, keeps apart are no matter, nor are locks that somebody only tries to take.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpglass::emulator {

class LockOrder {
public:
    void access(Exec& x, const Inst& in); // of x.access in global memory, which was carried out

private:
    using Thread = std::pair<std::uint64_t, std::uint32_t>; // block, thread
    struct Taken {
        Thread by;
        std::vector<std::uint64_t> also; // locks that it held besides
        std::uint32_t position = 0;
    };
    void take(Exec& x, const Inst& in, int lane, std::uint64_t lock);
    bool tellRing(Exec& x, std::uint32_t position, int lane, std::uint64_t held, std::uint64_t lock);
    bool waits(const Program& program, std::uint32_t position); // who takes a lock there, until he has it
    void release(const Thread& by, std::uint64_t lock);

    std::unordered_map<std::uint64_t, Thread> m_holders;
    std::map<Thread, std::vector<std::uint64_t>> m_held;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Taken> m_orders; // held, then taken: who did so first
    std::set<std::uint64_t> m_noLocks;
    std::map<std::uint32_t, bool> m_waits; // by position
    bool m_told = false;
};

} // namespace warpglass::emulator
