// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/residency.h"
#include "gpu/emulator/run/interpreter.h"
#include "gpu/emulator/stack/warp_stack.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

void Scheduler::enter(TimedWarp& t) {
    t.place = std::uint32_t(warps.size());
    warps.push_back(&t);
    wakes.push_back(never);
    tell(t);
}

void Scheduler::leave(TimedWarp& t) {
    warps.erase(warps.begin() + t.place);
    wakes.erase(wakes.begin() + t.place);
    for (std::size_t k = t.place; k < warps.size(); ++k)
        warps[k]->place = std::uint32_t(k);
    std::erase(awake, &t);
    std::erase(told, &t);
    t.told = false;
}

Residency::Residency(const SmSetup& setup, const std::function<std::unique_ptr<BlockRunner>()>& makeRunner,
                     std::size_t together)
    : schedulers(std::size_t(setup.options.timing->schedulers), Scheduler(*setup.options.timing)), m_setup(setup) {
    const std::size_t count = std::min<std::size_t>(
        std::max<std::size_t>(together, setup.options.footprint.residentBlocks / together * together),
        setup.blocks.size());
    for (std::size_t k = 0; k < count; ++k) {
        if (setup.spare && !setup.spare->empty()) {
            places.push_back(std::move(setup.spare->back()));
            setup.spare->pop_back();
            places.back()->busy = false;
            for (const auto& warp : places.back()->warps) { // nothing of what it did on another SM is left
                warp->barrierResult = 0;
                warp->lanes.reset();
                warp->told = false;
            }
            continue;
        }
        auto place = std::make_unique<ResidentBlock>();
        place->runner = makeRunner();
        for (std::uint32_t w = 0; w < place->state().warpCount; ++w) {
            auto warp = std::make_unique<TimedWarp>();
            warp->x = place->runner->exec();
            warp->x.program = &setup.program;
            warp->x.touched = setup.uses;
            warp->warp = place->state().warps[w].get();
            warp->block = place.get();
            warp->registers.resize(setup.code.registerCount);
            place->warps.push_back(std::move(warp));
        }
        places.push_back(std::move(place));
    }
}

void Residency::admit(ResidentBlock& place, std::int64_t at) {
    const DeviceTiming& timing = *m_setup.options.timing;
    const std::uint64_t index = m_setup.blocks[m_nextBlock++];
    const double interval = std::max(m_setup.blockInterval, timing.warpInterval * double(place.state().warpCount));
    m_lastAdmitted = std::max(double(at), m_lastAdmitted + interval);
    place.copied = 0;
    place.start = std::int64_t(m_lastAdmitted) + (m_nextBlock <= places.size() ? 0 : timing.blockStart);
    place.recorder = m_setup.recorderOf(index);
    place.runner->begin(index, place.recorder);
    BlockState& b = place.state();
    b.sm = m_setup.around.sm;
    b.clockBase = place.start;
    b.timed = true;
    place.runner->exec().chooseWatchers();
    b.nsPerCycle = 1 / m_setup.around.cyclesPerNs;
    place.left = b.warpCount;
    place.openings = b.openings;
    place.busy = true;
    place.tries = 0;
    place.row = rows.size();
    TimedBlock row;
    row.index = index;
    row.start = place.start;
    for (std::uint32_t w = 0; w < b.warpCount; ++w) {
        TimedWarp& t = *place.warps[w];
        auto slot = std::uint32_t(std::countr_one(m_taken));
        if (slot < 64) {
            m_taken |= std::uint64_t(1) << slot;
            row.slots |= std::uint64_t(1) << slot;
        } else {
            slot = m_age; // more warps than an SM has places for: Limit::Threads
        }
        t.scheduler = timing.schedulerOf(slot);
        t.slot = slot;
        t.x.recorder = place.recorder;
        t.x.chooseWatchers();
        t.age = m_age++;
        static_cast<WarpTimes&>(t) = {};
        t.lastIssued = -1;
        t.issuesLeft = 0;
        t.blocked = t.done = false;
        std::fill(t.registers.begin(), t.registers.end(), Until{});
        t.floor = {place.start + std::int64_t(double(w) * timing.warpInterval / 2), WarpState::StallNoInstruction};
        t.log = {place.start, place.recorder ? place.recorder->statesOf(w, b.warpCount) : nullptr};
        schedulers[t.scheduler].enter(t);
        resume(t.x, *t.warp);
    }
    rows.push_back(row);
}

bool Residency::retire(TimedWarp& t, std::int64_t at) {
    ResidentBlock& place = *t.block;
    schedulers[t.scheduler].leave(t);
    if (place.recorder)
        place.recorder->end(t.warp->number, t.warp->live, at - place.start);
    if (--place.left > 0)
        return false;
    TimedBlock& row = rows[place.row];
    row.end = at;
    row.complete = true;
    row.issued = place.runner->issued();
    m_taken &= ~row.slots;
    place.busy = false;
    return true;
}

} // namespace warpglass::emulator
