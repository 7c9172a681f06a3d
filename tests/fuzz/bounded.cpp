// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/bounded.h"

#include "gpu/emulator/emulator.h"
#include "gpu/metrics/metrics.h"
#include "tests/fuzz/targets.h"

#include <cstdlib>
#include <utility>

namespace warpglass::fuzz {

namespace {

// Of all that a launch brings; nothing: more than one input may cost.
bool isSmall(const LaunchPlan& plan) {
    constexpr std::uint64_t mostThreads = 1024, mostBytes = 1 << 20;
    if (plan.grid.count() > mostThreads || plan.block.count() * plan.grid.count() > mostThreads)
        return false;
    std::uint64_t bytes = plan.sharedBytes;
    const auto add = [&](std::uint64_t count, std::uint64_t each) {
        bytes += count > mostBytes ? mostBytes + 1 : count * each;
    };
    for (const auto* arguments : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& argument : *arguments)
            add(argument.count, std::uint64_t(bytesOf(argument.type)));
    for (const TexelArray& array : plan.arrays)
        add(array.bytes(), 1);
    if (plan.kept)
        add(plan.kept->words.size(), 8);
    return bytes <= mostBytes;
}

} // namespace

void bound(session::RunRequest& request) {
    static const int limited = setenv("WARPGLASS_MEMORY", "512M", 1);
    (void)limited;
    request.countRegisters = false; // no other program is started
    request.pendingLaunches = 4;
    request.options.threads = 1;
    request.options.instructionLimit = 400;
    request.options.maxEvents = 20000;
}

session::RunRequest boundedRequest() {
    session::RunRequest request;
    bound(request);
    return request;
}

std::optional<LaunchPlan> boundedPlan(const session::RunRequest& request) {
    auto plan = session::planOf(request);
    if (!plan || !isSmall(*plan))
        return {};
    return std::move(*plan);
}

void runBounded(const session::RunRequest& request) {
    const auto plan = boundedPlan(request);
    if (!plan)
        return;
    Progress progress;
    const auto run = session::runPlan(request, *plan, *makeEmulator(), progress); // here: a fuzzer watches it
    if (!run || !run->trace)
        return;
    if (const auto ok = validate(*run->trace); !ok)
        wrong(("the trace of a run is not sound: " + ok.error().text()).c_str());
    for (std::uint32_t launch = 0; launch < run->trace->launches.size() && launch < 3; ++launch)
        (void)metrics(*run->trace, launch);
}

} // namespace warpglass::fuzz
