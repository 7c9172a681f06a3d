// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "gpu/base/quantity.h"
#include "gpu/device/occupancy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>

namespace warpglass::record {

namespace {

using nlohmann::ordered_json;

struct OccupancyCommand {
    std::string capability = "9.0", device, sharedLimit = "default";
    OccupancyInput input;
    bool json = false;
};

Result<const CapabilityLimits*> limitsOf(const OccupancyCommand& command) {
    if (!command.device.empty()) {
        if (const DeviceSpec* device = findDevice(command.device))
            return &device->limits();
        return Error{.message = fmt::format("there is no device \"{}\"", command.device),
                     .file = "--device",
                     .remedy = "warpglass-record devices lists them."};
    }
    int major = 0, minor = 0;
    const char* end = command.capability.data() + command.capability.size();
    const auto first = std::from_chars(command.capability.data(), end, major);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == '.') {
        const auto second = std::from_chars(first.ptr + 1, end, minor);
        if (second.ec == std::errc{} && second.ptr == end)
            if (const CapabilityLimits* limits = capabilityLimits(major, minor))
                return limits;
    }
    std::string known;
    for (const CapabilityLimits& limits : allCapabilities())
        known += fmt::format("{}{}.{}", known.empty() ? "" : ", ", limits.major, limits.minor);
    return Error{.message = fmt::format("the limits of compute capability {} are not known", command.capability),
                 .file = "--cc",
                 .remedy = fmt::format("Known are {}.", known)};
}

ordered_json limitJson(std::uint32_t limit) {
    return limit == unlimited ? ordered_json() : ordered_json(limit);
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

int run(const OccupancyCommand& command) {
    const auto limits = limitsOf(command);
    if (!limits)
        return report(limits.error(), badInput);
    OccupancyInput input = command.input;
    const auto sharedLimit = parseEnum<SharedLimit>(command.sharedLimit, "--shared-limit");
    if (!sharedLimit)
        return report(sharedLimit.error(), badInput);
    input.sharedLimit = *sharedLimit;
    if (input.threads == 0)
        return report(
            Error{.message = "a block of 0 threads cannot run", .file = "--threads", .remedy = "Give at least 1."},
            badInput);
    const Occupancy o = occupancy(**limits, input);
    if (command.json) {
        const ordered_json object{{"blocks_per_sm", o.blocksPerSm},
                                  {"active_warps", o.activeWarps},
                                  {"max_warps", o.maxWarps},
                                  {"occupancy_pct", o.percent},
                                  {"limits",
                                   {{"warps", limitJson(o.limitWarps)},
                                    {"registers", limitJson(o.limitRegisters)},
                                    {"shared", limitJson(o.limitShared)},
                                    {"blocks", limitJson(o.limitBlocks)},
                                    {"barriers", limitJson(o.limitBarriers)}}},
                                  {"limited_by", o.limitedBy},
                                  {"registers_per_block", o.registersPerBlock},
                                  {"shared_per_block", o.sharedPerBlock}};
        return print(object.dump(2) + "\n");
    }
    std::string text =
        fmt::format("compute capability {}.{}: {} an SM, {} of {} warps, {:.4g} %\n", (*limits)->major,
                    (*limits)->minor, quantity(o.blocksPerSm, "block"), o.activeWarps, o.maxWarps, o.percent);
    const std::pair<const char*, std::uint32_t> rows[] = {{"warps", o.limitWarps},
                                                          {"registers", o.limitRegisters},
                                                          {"shared memory", o.limitShared},
                                                          {"blocks", o.limitBlocks},
                                                          {"barriers", o.limitBarriers}};
    for (const auto& [what, limit] : rows)
        text += fmt::format("  {:<14} {}\n", what, limit == unlimited ? "no limit" : quantity(limit, "block"));
    text += fmt::format("limited by {}\n", joined(o.limitedBy));
    return print(text);
}

} // namespace

void addOccupancy(const Command& app, Action& action) {
    auto command = std::make_shared<OccupancyCommand>();
    const Command sub =
        app.command("occupancy", "How many blocks of a kernel fit on an SM, and what stops the next one");
    const auto capability = sub.option("--cc", &command->capability, "compute capability: 9.0").showDefault();
    sub.option("--device", &command->device, "a device instead of a compute capability").excludes(capability);
    sub.option("--threads", &command->input.threads, "threads of a block").showDefault();
    sub.option("--registers", &command->input.registers, "registers of a thread; 0 = no limit").showDefault();
    sub.option("--shared", &command->input.sharedStatic, "bytes of static shared memory a block").showDefault();
    sub.option("--dynamic-shared", &command->input.sharedDynamic, "bytes of dynamic shared memory a block")
        .showDefault();
    sub.option("--shared-limit", &command->sharedLimit, "default (48 KB a block) or optin").showDefault();
    sub.option("--carveout", &command->input.carveoutPercent,
               "percent of the SM's memory for shared memory; -1 = all of it")
        .inRange(-1, 100)
        .showDefault();
    sub.option("--barriers", &command->input.barriers, "named barriers a block").showDefault();
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
