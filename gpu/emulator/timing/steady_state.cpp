// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/timed_grid.h"

#include <algorithm>

namespace warpglass::emulator {

// From what completed between the first wave and the end, or, if there was only one wave, from all.
void steadyState(TimedGrid& timed, std::uint32_t residentBlocks, double restart) {
    double between = 0, duration = 0, work = 0, blocks = 0; // cycles between completions, times places
    for (const SmResult& r : timed.results) {
        std::vector<const TimedBlock*> complete;
        for (const TimedBlock& b : r.blocks)
            if (b.complete)
                complete.push_back(&b);
        std::sort(complete.begin(), complete.end(),
                  [](const TimedBlock* a, const TimedBlock* b) { return a->end < b->end; });
        if (complete.size() < 2 * std::size_t(residentBlocks))
            continue;
        between += double(complete.back()->end - complete[residentBlocks - 1]->end) * residentBlocks;
        for (std::size_t k = residentBlocks; k < complete.size(); ++k) {
            duration += double(complete[k]->end - complete[k]->start);
            work += double(complete[k]->issued);
            blocks += 1;
        }
    }
    if (work > 0) {
        timed.cyclesPerInstruction = duration / work;
        timed.pause = std::max(0.0, (between - duration) / blocks);
        return;
    }
    for (const SmResult& r : timed.results) { // places were taken until the budget was used up, whoever made headway
        for (const TimedBlock& b : r.blocks)
            duration += double(std::max<std::int64_t>(0, std::min(b.end, r.cycles) - b.start));
        work += double(r.issued);
    }
    timed.cyclesPerInstruction = work > 0 ? duration / work : 1;
    timed.pause = restart;
}

} // namespace warpglass::emulator
