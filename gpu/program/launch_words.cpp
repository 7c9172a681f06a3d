// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/launch_words.h"

#include "gpu/launch/kernel_text.h"

namespace warpglass::program {

std::vector<AskedWord> askedOf(const LaunchWords& launch, const RunOptions& options) {
    const bool hasSource = launch.sourceName.ends_with(".cu");
    std::vector<AskedWord> words{
        {"file", hasSource ? launch.sourceName : plainName(launch.entry) + ".ptx"},
        {"kernel", launch.entry},
        {"grid", launch.grid.text()},
        {"block", launch.block.text()},
        {"shared", std::to_string(launch.sharedBytes)},
        {"pending-launches", std::to_string(launch.pendingLaunches)},
        {"heap-limit", std::to_string(launch.heapLimit)},
        {"policy", name(options.policy)},
        {"on-fault", name(options.onFault)},
        {"max-instructions", std::to_string(options.instructionLimit ? options.instructionLimit : instructionsOfWarp)},
        {"warm-l2", "on"}}; // the program has just made its data, or l2 says what is left of them
    if (options.l2)
        words.push_back({"l2", options.l2->empty() ? "nothing" : text(*options.l2)});
    if (!launch.device.empty())
        words.push_back({"device", launch.device});
    if (launch.cluster)
        words.push_back({"cluster", launch.cluster->text()});
    if (options.timing)
        words.push_back({"timing", "on"});
    if (options.detail.accesses)
        words.push_back({"accesses", "on"});
    return words;
}

} // namespace warpglass::program
