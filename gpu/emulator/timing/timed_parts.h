// SPDX-License-Identifier: GPL-3.0-or-later
// What the SMs of a launch that run in time are made of, for timed_grid.cpp.
#pragma once

#include "gpu/emulator/record/recorder.h"
#include "gpu/emulator/run/block.h"
#include "gpu/emulator/timing/sm.h"

#include <map>
#include <memory>
#include <vector>

namespace warpglass::emulator {

// Blocks of an SM that go on behind the end of its time, and what they have issued since.
struct Cut {
    std::map<const BlockRunner*, std::uint64_t> living; // what each had issued before
    std::uint64_t over = 0;                             // by those that have ended
    std::uint64_t issued() const {
        std::uint64_t sum = over;
        for (const auto& [runner, before] : living)
            sum += runner->issued() - before;
        return sum;
    }
    void end(const BlockRunner& runner) {
        const auto block = living.find(&runner);
        over += runner.issued() - block->second;
        living.erase(block);
    }
};

// What one timed SM needs while it runs.
struct Timing {
    explicit Timing(const SmSetup& s) : setup(s) {}
    SmSetup setup;
    std::map<std::uint64_t, std::unique_ptr<Recorder>> recorders;
    std::unique_ptr<RunningSm> sm; // of those that run together
    std::int64_t reached = 0;      // cycle, by turns
};

// Timed blocks that live in that cycle.
inline double livingOn(const std::vector<std::unique_ptr<Timing>>& all, std::int64_t cycle) {
    std::size_t living = 0;
    for (const auto& timing : all)
        living += timing->sm->living(cycle);
    return double(living);
}

} // namespace warpglass::emulator
