// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>

namespace warpglass {

// 64 warp slots on 4 SMs; warps of about 2,000 events each, one after the other: branches that halve the mask,
// accesses, barrier pairs. A fixed seed: every run draws the same trace.
inline TracePtr synthetic(std::uint64_t events) {
    constexpr int slotsPerSm = 16;
    auto trace = std::make_shared<Trace>();
    trace->info.deviceName = "synthetic";
    trace->info.ccMajor = 9;
    trace->info.smCount = 4;
    trace->info.timeUnit = TimeUnit::Nanoseconds;
    trace->info.smClockMHz = 1980;
    trace->kernels.push_back({.name = "synthetic"});
    const EventKind kinds[] = {EventKind::Entry,        EventKind::Branch, EventKind::BarrierArrive,
                               EventKind::BarrierLeave, EventKind::Access, EventKind::Exit};
    const SiteKind sites[] = {SiteKind::Entry,   SiteKind::Branch, SiteKind::Barrier,
                              SiteKind::Barrier, SiteKind::Access, SiteKind::Exit};
    for (SiteKind kind : sites)
        trace->sites.push_back({.kind = kind, .ptxLine = 1});
    std::mt19937 random(20251121);
    const std::uint32_t eventsPerWarp = 2000;
    const auto warps = std::uint32_t(std::max<std::uint64_t>(64, events / eventsPerWarp));
    std::int64_t clocks[4] = {0, 0, 0, 0};
    trace->events.reserve(events);
    const std::uint32_t blocks = warps / slotsPerSm;
    for (std::uint32_t b = 0; b < blocks; ++b) {
        const int sm = int(b % 4);
        Block block{.launch = 0,
                    .index = b,
                    .start = {clocks[sm]},
                    .firstWarp = std::uint32_t(trace->warps.size()),
                    .warpCount = slotsPerSm,
                    .sm = std::uint16_t(sm)};
        std::int64_t end = block.start.value;
        for (int w = 0; w < slotsPerSm; ++w) {
            Warp warp{.block = b,
                      .warpInBlock = std::uint16_t(w),
                      .slot = std::uint16_t(w),
                      .scheduler = std::uint8_t(w % 4),
                      .liveLanes = LaneMask::all(),
                      .start = block.start,
                      .firstEvent = trace->events.size(),
                      .eventCount = eventsPerWarp};
            std::int64_t offset = 0;
            for (std::uint32_t e = 0; e < eventsPerWarp; ++e) {
                int k = e == 0 ? 0 : e + 1 == eventsPerWarp ? 5 : 1 + int(random() % 4);
                // Masks as reductions make them: every second, fourth, ... lane; half a warp; all.
                const std::uint32_t masks[] = {0xffffffffu, 0x55555555u, 0x11111111u,
                                               0x01010101u, 0x0000ffffu, 0x00000001u};
                const LaneMask active = k == 1 ? LaneMask{masks[random() % 6]} : LaneMask::all();
                trace->events.push(offset, std::uint32_t(k), kinds[k], active,
                                   {k == 1 ? active.bits & masks[random() % 6] : 0u});
                offset += 8 + random() % (k == 2 ? 900 : 120);
            }
            warp.end = warp.start + Time{offset};
            end = std::max(end, warp.end.value);
            trace->warps.push_back(warp);
        }
        block.end = {end};
        clocks[sm] = end + 500;
        trace->blocks.push_back(block);
    }
    Launch launch{.kernel = 0,
                  .grid = {blocks, 1, 1},
                  .block = {slotsPerSm * 32, 1, 1},
                  .start = {0},
                  .end = {*std::max_element(clocks, clocks + 4)},
                  .blockCount = blocks};
    trace->launches.push_back(launch);
    return trace;
}

} // namespace warpglass
