// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/limit.h"

#include <limits>

namespace warpglass {

Result<LimitSet> parseLimits(std::string_view text) {
    LimitSet limits;
    if (text == "all")
        return LimitSet::all();
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const auto limit = parseEnum<Limit>(text.substr(0, comma));
        if (!limit)
            return limit.error();
        limits = limits.with(*limit);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return limits;
}

std::string text(LimitSet limits) {
    std::string words;
    for (const Limit limit : allOf<Limit>)
        if (limits.has(limit))
            words += (words.empty() ? "" : ",") + std::string(name(limit));
    return words;
}

DeviceTiming without(const DeviceTiming& timing, LimitSet limits) {
    constexpr double endless = std::numeric_limits<double>::infinity();
    DeviceTiming t = timing;
    if (limits.has(Limit::Latency)) {
        t.l1 = t.l2 = t.dram = t.shared = t.constant = t.atomicL2 = t.atomicShared = t.alu;
        t.dramLoaded = t.dramMixed = 0;
        t.l2Spread = t.copiedSpread = t.dramSpread = {};
    }
    if (limits.has(Limit::L2Misses))
        t.dram = t.l2;
    if (limits.has(Limit::Bandwidth)) {
        t.loadLinesPerCycle = t.sectorsPerCycle = endless;
        t.storeSectorCycles = t.storePartCycles = t.storeCycles = t.atomicSectorCycles = 0;
        t.l2BytesPerCycle = t.l2RequestsPerNs = t.storeLinesPerNs = t.l2GBs = t.dramGBs = t.partialWritesPerNs =
            t.partFillsPerNs = endless;
        t.atomicLanesPerCycle = endless;
        t.portRequestCycles = t.dramLoaded = t.dramMixed = 0;
    }
    if (limits.has(Limit::Atomics)) {
        t.sameAddressAtomicCycles = t.floatAtomicCycles = 0;
        t.swapRound = t.swapContended = 0;
        for (DeviceTiming::HotLines& h : t.hotSectorsPerNs)
            h.sectors = endless;
        t.fullSumSectorsPerNs = endless;
        t.atomicLanesPerCycle = endless;
    }
    if (limits.has(Limit::Barriers))
        t.barrier = t.barrierArrival = t.barrierCounts = t.barrierReduces = 0;
    if (limits.has(Limit::Issue)) {
        t.interval.fill(0);
        t.issueSlot = 0;
    }
    if (limits.has(Limit::Tensor))
        t.tensorAtOnce = true;
    if (limits.has(Limit::CopyEngine)) {
        t.bulkBytesPerCycle = t.bulkStoreBytesPerCycle = t.networkBytesPerCycle = endless;
        t.bulkStart = t.bulkAsk = 0;
    }
    if (limits.has(Limit::Launch)) {
        t.launchNs = t.blockInterval = t.warpInterval = t.deviceLaunchNs = t.deviceLaunchLatencyNs = 0;
        t.blockStart = t.fetch = t.deviceCall = 0;
    }
    return t;
}

CapabilityLimits without(const CapabilityLimits& capability, LimitSet limits) {
    CapabilityLimits c = capability;
    if (limits.has(Limit::Threads)) {
        c.warpsPerSm = c.blocksPerSm = 4 * capability.warpsPerSm;
        c.barriersPerSm = 0;
    }
    if (limits.has(Limit::Shared))
        c.sharedReserved = 0;
    return c;
}

OccupancyInput without(const OccupancyInput& block, LimitSet limits) {
    OccupancyInput b = block;
    if (limits.has(Limit::Registers))
        b.registers = 0;
    if (limits.has(Limit::Shared))
        b.sharedStatic = b.sharedDynamic = 0;
    return b;
}

} // namespace warpglass
