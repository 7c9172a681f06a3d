// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/run_grid.h"
#include "gpu/emulator/run/grid_run.h"
#include "gpu/emulator/timing/timed_grid.h"

namespace warpglass::emulator {

GridResult runGrid(const LaunchState& launch, const GridOptions& options, GlobalMemory& memory,
                   const std::vector<std::byte>& constants, DeviceState& device, Progress& progress) {
    GridRun run(launch, options, memory, constants, device, progress);
    const std::uint64_t blocks = launch.grid.count();
    run.result.steps.assign(blocks, 0);
    run.result.recorded.resize(options.chosen.size());
    run.result.counters.reset(*launch.program);
    if (options.timing)
        runTimed(run);
    else
        run.blocks(BlockList{nullptr, blocks}, nullptr, 0, true);
    run.finish();
    return std::move(run.result);
}

} // namespace warpglass::emulator
