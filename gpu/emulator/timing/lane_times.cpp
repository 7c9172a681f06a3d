// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/lane_times.h"

#include <bit>

namespace warpglass::emulator {

void LaneTimes::begin(TimedWarp& t) const {
    if (!m_apart)
        return;
    if (!t.lanes)
        t.lanes = std::make_unique<WarpLanes>();
    t.lanes->at.fill(t.floor.cycle());
    t.lanes->past.assign(m_registers, {});
    t.lanes->spared = 0;
}

// The cycle of the last instruction of any lane that is left.
std::int64_t LaneTimes::lastOf(const TimedWarp& t) {
    std::int64_t last = 0;
    eachLane((t.warp->live & ~t.warp->exited).bits,
             [&](int lane) { last = std::max(last, t.lanes->at[std::size_t(lane)]); });
    return last;
}

// The part of the warp's lanes that go along now, of those that are left.
double LaneTimes::lanesOn(const TimedWarp& t) {
    const int left = std::popcount((t.warp->live & ~t.warp->exited).bits);
    return left > 0 ? std::min(1.0, double(std::popcount(t.x.mask)) / left) : 1;
}

std::int64_t LaneTimes::spareOf(const TimedWarp& t, Pipe pipe, std::int64_t busy) {
    double& spared = m_schedulers[t.scheduler].sparedOfPipe[std::size_t(pipe)];
    spared += double(busy) * (1 - lanesOn(t));
    const auto whole = std::int64_t(spared);
    spared -= double(whole);
    return whole;
}

std::int64_t LaneTimes::share(const TimedWarp& t, bool others, std::int64_t now, std::int64_t next) {
    constexpr double most = 256; // slots that nobody has wanted so far
    Slots& q = m_schedulers[t.scheduler];
    const double on = lanesOn(t);
    double& spared = t.lanes->spared;
    spared += 1 - on;
    if (on == 1 || (others && spared > 0)) {
        q.spared = std::min(most, q.spared + spared);
        spared = 0;
    }
    if (q.spared >= 1 && others) {
        q.spared -= 1;
        return now;
    }
    if (q.spared <= -1) {
        q.spared += 1;
        return next + 1;
    }
    return next;
}

std::int64_t LaneTimes::ownOf(const TimedWarp& t, std::uint32_t lanes) const {
    if (!m_sides)
        return lastOf(t);
    std::int64_t own = 0;
    eachLane(lanes, [&](int lane) { own = std::max(own, t.lanes->at[std::size_t(lane)]); });
    return own;
}

// The other side of a branch went along with the one that was in time and took no slot of its own; a warp behind a barrier took
// slots that had stood empty since it had come there.
bool LaneTimes::takesSlots(const TimedWarp& t, std::int64_t own, std::int64_t from, std::uint32_t slots,
                           SmResult& result) {
    if (own != lastOf(t)) {
        t.lanes->spared -= lanesOn(t) * slots;
        return true;
    }
    Slots& q = m_schedulers[t.scheduler];
    if (m_slots && from - q.used - t.lanes->emptyBefore < slots)
        return false;
    q.used += slots;
    result.slotsIssued += slots;
    return true;
}

} // namespace warpglass::emulator
