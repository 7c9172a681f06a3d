// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/bounded.h"

#include "gpu/metrics/metrics.h"
#include "tests/fuzz/targets.h"

#include <cstdlib>

namespace warpglass::fuzz {

session::RunRequest boundedRequest() {
    setenv("WARPGLASS_MEMORY", "512M", 1);
    session::RunRequest request;
    request.countRegisters = false; // no other program is started
    request.pendingLaunches = 4;
    request.options.threads = 1;
    request.options.instructionLimit = 400;
    request.options.maxEvents = 20000;
    return request;
}

void runBounded(const session::RunRequest& request) {
    const auto plan = session::planOf(request);
    if (!plan)
        return;
    constexpr std::uint64_t mostThreads = 4096, mostBytes = 1 << 24;
    std::uint64_t bytes = plan->sharedBytes;
    for (const Argument& argument : plan->arguments)
        bytes += argument.count * std::uint64_t(bytesOf(argument.type));
    if (plan->grid.count() > mostThreads || plan->block.count() * plan->grid.count() > mostThreads || bytes > mostBytes)
        return; // sound, and more than one input may cost
    Progress progress;
    const auto run = session::runPlan(request, *plan, progress);
    if (!run || !run->trace)
        return;
    if (const auto ok = validate(*run->trace); !ok)
        wrong(("the trace of a run is not sound: " + ok.error().text()).c_str());
    for (std::uint32_t launch = 0; launch < run->trace->launches.size() && launch < 3; ++launch)
        (void)metrics(*run->trace, launch);
}

} // namespace warpglass::fuzz
