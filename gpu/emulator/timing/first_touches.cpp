// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/first_touches.h"
#include "gpu/emulator/run/grid_run.h"

#include <algorithm>
#include <cmath>

namespace warpglass::emulator {

namespace {

std::uint64_t storedSectors(const GridRun& run) { // by blocks that have run
    std::uint64_t stored = 0;
    const Counters& counters = run.result.counters;
    for (std::size_t k = 0; k < counters.memory.size(); ++k) {
        const InstInfo& info = run.launch.program->info[k];
        if (info.access != AccessKind::Store)
            continue;
        stored += info.space == MemorySpace::Global ? counters.memory[k].sectors : 0;
        for (const SplitCount& s : counters.split[k])
            stored += s.space == MemorySpace::Global ? s.count.sectors : 0;
    }
    return stored;
}

} // namespace

// Of global memory, with all that the kernel may allocate. A table for more than that takes longer to clear than a small
// launch to run.
std::uint64_t sectorsThereAre(GridRun& run) {
    std::uint64_t sectors = run.launch.program->allocates ? run.device.heapLimit / 32 : 0;
    for (const auto& area : run.memory.areas())
        sectors += area->bytes / 32 + 2;
    return sectors;
}

// What L2 has when the launch begins: what is said of it, or, where it is only said to be warm, what is left of all
// memory, touched at one pace.
std::vector<L2Piece> whatL2Had(GridRun& run) {
    if (!run.options.warmL2)
        return {};
    if (run.options.asked.l2)
        return *run.options.asked.l2;
    std::vector<L2Range> all;
    for (const auto& area : run.memory.areas())
        all.push_back({area->base, area->base + area->bytes});
    L2Contents contents(run.options.device.l2Bytes);
    contents.touch(std::move(all));
    return contents.pieces();
}

// Written lines stay in L2 as long as there is room, and what is read takes room as well: when the kernel ends, half
// of L2 holds what it has touched last. How much is touched in all is known from the blocks that have run.
double dramStores(const GridRun& run, const TouchTable& table, std::uint64_t ran) {
    const std::uint64_t stored = storedSectors(run);
    if (ran == 0 || stored == 0)
        return 0;
    const std::uint64_t sectors = std::max(stored, table.sectors());
    const double bytes = 32.0 * double(sectors) / double(ran) * double(run.launch.grid.count());
    return std::clamp(1 - double(run.options.device.l2Bytes) / 2 / bytes, 0.0, 1.0);
}

// L2 keeps some sectors as they are, of which a part is written; of more, it fetches the rest. Measured with words at
// random addresses: none of 4 MB, most of 16 MB.
double partFills(const GridRun& run, const TouchTable& table, std::uint64_t ran) {
    const double kept = run.options.timing->partsKept;
    const TouchTable::Written written = table.written();
    if (ran == 0 || written.partly == 0)
        return 0;
    // As many sectors as random ones would have to be for so many stores to find so few; then those of all blocks.
    const double stores = double(std::max(storedSectors(run), written.all)), found = double(written.all);
    double most = found;
    for (double step = found; step > 1; step /= 2)
        while (most < 1e3 * found && (most + step) * -std::expm1(-stores / (most + step)) < found)
            most += step;
    const double all = most * -std::expm1(-stores / most * double(run.launch.grid.count()) / double(ran));
    const double partly = double(written.partly) / found;
    return partly * std::max(0.0, 1 - kept / (partly * all));
}

} // namespace warpglass::emulator
