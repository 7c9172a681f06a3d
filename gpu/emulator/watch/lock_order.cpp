// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/lock_order.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/code_ways.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::size_t mostOrders = 1 << 16;

std::uint64_t laneOf(const Exec& x, Row row, std::size_t bytes, int lane) {
    std::uint64_t value = 0;
    std::memcpy(&value, x.rows + row + bytes * std::size_t(lane), bytes);
    return value;
}

// What lies behind an instruction with nothing done to memory on the way.
struct Behind {
    std::map<std::uint32_t, std::vector<std::uint32_t>>
        before;                   // [position] where one comes from; those that do something, too
    std::set<std::uint32_t> seen; // those that do nothing
    bool known = true;            // false: it is too long to be looked at, or leads nobody knows where
};
Behind behind(const Program& program, std::uint32_t position) {
    constexpr std::size_t mostSteps = 1024;
    Behind b;
    std::vector<std::uint32_t> open{position};
    while (!open.empty() && b.known) {
        const std::uint32_t from = open.back();
        open.pop_back();
        const NextOnes next = nextOnes(program, from);
        b.known = next.known && b.seen.size() < mostSteps;
        for (const std::uint32_t at : next.at) {
            if (at == noIndex)
                continue;
            b.before[at].push_back(from);
            const InstInfo& info = program.info[at];
            const bool changes = info.isMemory && info.access != AccessKind::Load && info.space != MemorySpace::Local;
            if (at != position && !changes && info.is.opcode != ptx::Opcode::Call && b.seen.insert(at).second)
                open.push_back(at);
        }
    }
    return b;
}

// Positions from which code comes back to the instruction, and itself.
std::set<std::uint32_t> roundOf(const Behind& b, std::uint32_t position) {
    std::set<std::uint32_t> round;
    const auto first = b.before.find(position);
    for (std::vector<std::uint32_t> open = first == b.before.end() ? std::vector<std::uint32_t>() : first->second;
         !open.empty();) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if ((at == position || b.seen.contains(at)) && round.insert(at).second)
            if (const auto more = b.before.find(at); more != b.before.end())
                open.insert(open.end(), more->second.begin(), more->second.end());
    }
    return round;
}

// Whether the round is left by what was found in the lock alone: who counts his tries gives up.
bool isLeftByLockAlone(const Program& program, std::uint32_t position, const std::set<std::uint32_t>& round) {
    std::set<Row> found(program.info[position].writes.begin(), program.info[position].writes.end()), made;
    for (const std::uint32_t at : round)
        made.insert(program.info[at].writes.begin(), program.info[at].writes.end());
    const auto isFound = [&](const InstInfo& info) {
        return std::any_of(info.reads.begin(), info.reads.end(), [&](Row r) { return found.contains(r); }) &&
               std::none_of(info.reads.begin(), info.reads.end(),
                            [&](Row r) { return made.contains(r) && !found.contains(r); });
    };
    for (int turn = 0; turn < 2; ++turn)
        for (const std::uint32_t at : round)
            if (const InstInfo& info = program.info[at]; at != position && isFound(info))
                found.insert(info.writes.begin(), info.writes.end());
    return std::none_of(round.begin(), round.end(), [&](std::uint32_t at) {
        const NextOnes next = nextOnes(program, at);
        const bool leaves = std::any_of(next.at.begin(), next.at.end(),
                                        [&](std::uint32_t to) { return to != noIndex && !round.contains(to); });
        return leaves && !isFound(program.info[at]);
    });
}

bool sameAddress(const Program& program, std::uint32_t a, std::uint32_t b) {
    const Inst &x = program.code[a], &y = program.code[b];
    return program.info[a].is.opcode == program.info[b].is.opcode && x.a == y.a && x.memory.noBase == y.memory.noBase &&
           x.memory.offset == y.memory.offset;
}

// Whether whoever is not given the lock there asks until he is. Who only tries goes on without it, at once or after some
// tries, and lets go of what he holds. Of a loop the first turn may stand before it.
bool asksUntilGiven(const Program& program, std::uint32_t position) {
    const Behind b = behind(program, position);
    if (!b.known)
        return true;
    if (const auto round = roundOf(b, position); !round.empty())
        return isLeftByLockAlone(program, position, round);
    return std::any_of(b.before.begin(), b.before.end(), [&](const auto& reached) {
        const std::uint32_t at = reached.first;
        if (at == position || !sameAddress(program, at, position))
            return false;
        const Behind again = behind(program, at);
        const auto round = roundOf(again, at);
        return !again.known || (!round.empty() && isLeftByLockAlone(program, at, round));
    });
}

} // namespace

bool LockOrder::waits(const Program& program, std::uint32_t position) {
    const auto [known, isNew] = m_waits.try_emplace(position, false);
    if (isNew)
        known->second = asksUntilGiven(program, position);
    return known->second;
}

void LockOrder::access(Exec& x, const Inst& in) {
    using ptx::Operation;
    const InstInfo& info = x.program->info[in.index];
    const std::size_t bytes = in.memory.bytes;
    if (m_told || (bytes != 4 && bytes != 8) || in.memory.elements != 1 || x.access.kind == AccessKind::Load)
        return;
    const Operation how = x.access.kind == AccessKind::Atomic ? info.is.operation : Operation::None;
    const bool takes =
        (how == Operation::Cas || how == Operation::Exch) && in.memory.hasResult && in.dst != in.b && in.dst != in.c;
    if (!takes && m_holders.empty())
        return;
    eachLane(x.access.active.bits, [&](int lane) {
        const std::uint64_t lock = x.address[std::size_t(lane)];
        const Thread me{x.block->index, x.warp->number * 32 + std::uint32_t(lane)};
        if (takes) {
            const std::uint64_t before = laneOf(x, in.dst, bytes, lane), b = laneOf(x, in.b, bytes, lane),
                                after = how == Operation::Exch ? b : laneOf(x, in.c, bytes, lane);
            if (before == 0 && after != 0 && (how == Operation::Exch || b == 0))
                return take(x, in, lane, lock);
        }
        if (!m_holders.contains(lock))
            return;
        const auto there = x.global->find(lock, bytes, x.hint);
        std::uint64_t now = 1;
        if (there)
            now = 0, std::memcpy(&now, there.bytes(), bytes);
        if (now == 0)
            release(me, lock);
    });
}

void LockOrder::take(Exec& x, const Inst& in, int lane, std::uint64_t lock) {
    const Thread me{x.block->index, x.warp->number * 32 + std::uint32_t(lane)};
    m_holders[lock] = me;
    std::vector<std::uint64_t>& held = m_held[me];
    const bool mayHang = waits(*x.program, in.index);
    for (const std::uint64_t other : held) {
        if (!mayHang)
            break;
        if (m_noLocks.contains(other) || m_noLocks.contains(lock) || m_orders.size() >= mostOrders)
            continue;
        const bool isNew = m_orders.try_emplace({other, lock}, Taken{me, held, in.index}).second;
        const auto turned = m_orders.find({lock, other});
        if (isNew && turned == m_orders.end() && tellRing(x, in.index, lane, other, lock)) {
            m_told = true;
            break;
        }
        if (turned == m_orders.end() || turned->second.by == me)
            continue;
        const std::vector<std::uint64_t>& also = turned->second.also;
        if (std::any_of(held.begin(), held.end(), [&](std::uint64_t gate) {
                return gate != other && std::find(also.begin(), also.end(), gate) != also.end();
            }))
            continue;
        m_told = true; // once a launch: whoever mends it looks at all
        x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, lock,
                           say::LocksInTwoOrders(wordText(*x.global, lock), wordText(*x.global, other),
                                                 placeText(*x.program, turned->second.position)));
        break;
    }
    held.push_back(lock);
}

// From the lock on to what is held, each order by another thread, none of which holds a lock that another one of them holds.
bool LockOrder::tellRing(Exec& x, std::uint32_t position, int lane, std::uint64_t held, std::uint64_t lock) {
    constexpr std::size_t mostLocks = 8, mostSteps = 4096;
    using Order = std::map<std::pair<std::uint64_t, std::uint64_t>, Taken>::const_iterator;
    std::vector<Order> way{m_orders.find({held, lock})};
    std::size_t steps = 0;
    const auto fits = [&](Order next) {
        return std::none_of(way.begin(), way.end(), [&](Order o) {
            return o->second.by == next->second.by || o->first.second == next->first.second ||
                   std::any_of(o->second.also.begin(), o->second.also.end(), [&](std::uint64_t gate) {
                       const auto& also = next->second.also;
                       return std::find(also.begin(), also.end(), gate) != also.end();
                   });
        });
    };
    const auto search = [&](const auto& self) -> bool {
        const std::uint64_t from = way.back()->first.second;
        if (from == held)
            return true;
        for (auto o = m_orders.lower_bound({from, 0});
             o != m_orders.end() && o->first.first == from && way.size() < mostLocks && ++steps < mostSteps; ++o)
            if (!m_noLocks.contains(o->first.second) && fits(o)) {
                way.push_back(o);
                if (self(self))
                    return true;
                way.pop_back();
            }
        return false;
    };
    if (!search(search))
        return false;
    std::vector<Message> taken;
    taken.reserve(way.size());
    for (const Order o : way)
        taken.push_back(
            say::LockTakenAt(wordText(*x.global, o->first.second), placeText(*x.program, o->second.position)));
    x.diagnostics->add(x, DiagnosticKind::Other, position, lane, lock, say::LocksInARing(taken));
    return true;
}

void LockOrder::release(const Thread& by, std::uint64_t lock) {
    const Thread holder = m_holders[lock];
    if (holder != by)
        m_noLocks.insert(lock);
    m_holders.erase(lock);
    const auto held = m_held.find(holder);
    if (held == m_held.end())
        return;
    std::erase(held->second, lock);
    if (held->second.empty())
        m_held.erase(held);
}

} // namespace warpglass::emulator
