// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/lock_order.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::size_t mostOrders = 1 << 16;

std::uint64_t laneOf(const Exec& x, Row row, std::size_t bytes, int lane) {
    std::uint64_t value = 0;
    std::memcpy(&value, x.rows + row + bytes * std::size_t(lane), bytes);
    return value;
}

} // namespace

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
    for (const std::uint64_t other : held) {
        if (m_noLocks.contains(other) || m_noLocks.contains(lock) || m_orders.size() >= mostOrders)
            continue;
        m_orders.try_emplace({other, lock}, Taken{me, held, in.index});
        const auto turned = m_orders.find({lock, other});
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
