// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/occupancy_model.h"

#include "gpu/trace/register_origin.h"
#include "views/occupancy/occupancy_text.h"

#include <algorithm>

namespace warpglass {

const Setting<QString> capabilitySetting{"cc"};

Choice<SharedLimit> sharedLimitChoice() {
    return {"limit",
            OccupancyText::tr("shared memory"),
            {{SharedLimit::Default, "default", OccupancyText::tr("48 KB a block")},
             {SharedLimit::OptIn, "optin", OccupancyText::tr("opted in to more")}}};
}

OccupancyQuestion occupancyQuestion(const Trace* trace, std::uint32_t launch, const Options& options) {
    OccupancyQuestion question;
    question.limits = capabilityLimits(9, 0);
    question.input.threads = 256;
    question.input.registers = 32;
    if (trace && launch < trace->launches.size()) {
        const Launch& open = trace->launches[launch];
        const Kernel& kernel = trace->kernelOf(open);
        question.input.threads = std::uint32_t(open.block.count());
        question.input.registers = kernel.registers;
        question.input.sharedStatic = kernel.sharedBytes;
        question.input.sharedDynamic = open.sharedBytes;
        if (const CapabilityLimits* known = capabilityLimits(trace->info.ccMajor, trace->info.ccMinor))
            question.limits = known;
        question.fromLaunch = true;
        question.registersEstimated = registersEstimated(*trace, launch);
    }
    const QStringList cc = capabilitySetting.of(options).split(QLatin1Char('.'));
    if (cc.size() == 2)
        if (const CapabilityLimits* known = capabilityLimits(cc[0].toInt(), cc[1].toInt())) {
            question.fromLaunch = question.fromLaunch && known == question.limits;
            question.limits = known;
        }
    const auto take = [&](const Setting<uint>& setting, std::uint32_t& value, std::uint32_t least, std::uint32_t most) {
        if (options.value(QLatin1String(setting.key)).toString().isEmpty())
            return;
        value = std::clamp(setting.of(options), least, most);
        question.fromLaunch = false;
    };
    OccupancyInput& input = question.input;
    std::uint32_t shared = unlimited;
    take(threadsSetting, input.threads, 1, 1024);
    take(registersSetting, input.registers, 0, 255);
    question.registersEstimated =
        question.registersEstimated && options.value(QLatin1String(registersSetting.key)).toString().isEmpty();
    take(sharedSetting, shared, 0, question.limits->sharedPerSm);
    if (shared != unlimited) {
        input.sharedStatic = 0;
        input.sharedDynamic = shared;
    }
    input.sharedLimit = sharedLimitChoice().of(options);
    return question;
}

std::vector<Container> containers(const CapabilityLimits& limits, const OccupancyInput& input,
                                  const Occupancy& result) {
    const auto isLimit = [&](const char* name) {
        return std::find(result.limitedBy.begin(), result.limitedBy.end(), name) != result.limitedBy.end();
    };
    const double warps = warpsFor(input.threads);
    std::vector<Container> list = {
        {Container::Resource::Warps, double(limits.warpsPerSm), warps, result.limitWarps, isLimit("warps")},
        {Container::Resource::Registers, double(limits.registersPerSm), double(result.registersPerBlock),
         result.limitRegisters, isLimit("registers")},
        {Container::Resource::Shared, double(limits.sharedPerSm), double(result.sharedPerBlock), result.limitShared,
         isLimit("shared_memory")},
        {Container::Resource::Blocks, double(limits.blocksPerSm), 1, result.limitBlocks, isLimit("blocks")},
    };
    if (limits.barriersPerSm != 0)
        list.push_back({Container::Resource::Barriers, double(limits.barriersPerSm), double(input.barriers),
                        result.limitBarriers, isLimit("barriers")});
    return list;
}

std::uint32_t valueOf(const OccupancyInput& input, Axis axis) {
    switch (axis) {
    case Axis::Threads:
        return input.threads;
    case Axis::Registers:
        return input.registers;
    case Axis::Shared:
        return input.sharedStatic + input.sharedDynamic;
    }
    return 0;
}

std::vector<CurvePoint> occupancyCurve(const CapabilityLimits& limits, OccupancyInput input, Axis axis) {
    std::vector<CurvePoint> curve;
    const auto add = [&](std::uint32_t x) { curve.push_back({x, occupancy(limits, input).percent}); };
    switch (axis) {
    case Axis::Threads:
        for (input.threads = 32; input.threads <= limits.threadsPerBlock; input.threads += 32)
            add(input.threads);
        break;
    case Axis::Registers:
        for (input.registers = 1; input.registers <= 255; ++input.registers)
            add(input.registers);
        break;
    case Axis::Shared: {
        const std::uint32_t most = input.sharedLimit == SharedLimit::OptIn && limits.sharedPerBlockOptIn
                                       ? limits.sharedPerBlockOptIn
                                       : 48 * 1024;
        input.sharedStatic = 0;
        for (std::uint32_t bytes = 0; bytes <= most; bytes += 1024) {
            input.sharedDynamic = bytes;
            add(bytes);
        }
        break;
    }
    }
    return curve;
}

NaiveOccupancy naiveOccupancy(const CapabilityLimits& limits, const OccupancyInput& input) {
    NaiveOccupancy naive;
    const std::uint32_t warps = warpsFor(input.threads);
    if (warps == 0) // a launch of no threads, which was dropped
        return naive;
    const std::uint32_t shared = input.sharedStatic + input.sharedDynamic;
    naive.byThreads = limits.warpsPerSm / warps * warps;
    naive.byRegisters = input.registers == 0 ? unlimited : limits.registersPerSm / (input.registers * 32);
    naive.byShared = shared == 0 ? unlimited : limits.sharedPerSm / shared * warps;
    naive.byBlocks = limits.blocksPerSm * warps;
    naive.warps = std::min({naive.byThreads, naive.byRegisters, naive.byShared, naive.byBlocks, limits.warpsPerSm});
    naive.percent = 100.0 * naive.warps / limits.warpsPerSm;
    return naive;
}

} // namespace warpglass
