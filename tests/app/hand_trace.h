// SPDX-License-Identifier: GPL-3.0-or-later
// A trace small enough to know by heart: one block of two warps.
//
//   warp 0: starts at 10, branch at 12 (all lanes, the 16 even ones jump), exits at 20
//   warp 1: starts at 11, branch at 12 (all lanes, none jumps),            exits at 18
// The distinct times are 10, 11, 12, 18 and 20: five moments, six events.
#pragma once

#include "gpu/trace/trace.h"

#include <memory>
#include <string>
#include <vector>

inline warpglass::TracePtr handTrace() {
    using namespace warpglass;
    auto trace = std::make_shared<Trace>();
    trace->info.deviceName = "NVIDIA H200";
    trace->info.recordedPaths = true;
    Kernel kernel;
    kernel.name = "mathKernel1";
    kernel.entry = "mathKernel1";
    kernel.source = "first\nif (tid % 2 == 0)\nthird\n";
    kernel.sourceName = "hand.cu";
    kernel.files = {"hand.cu"};
    kernel.ptx = "one\n@%p1 bra $L;\nret;\n";
    kernel.lines = {{2, {0, 2, 1}, 2}};
    trace->kernels.push_back(kernel);
    for (SiteKind kind : {SiteKind::Entry, SiteKind::Branch, SiteKind::Exit}) {
        Site site;
        site.kind = kind;
        site.ptxLine = kind == SiteKind::Entry ? 1 : kind == SiteKind::Branch ? 2 : 3;
        site.text = kind == SiteKind::Branch ? "@%p1 bra $L;" : "";
        trace->sites.push_back(site);
    }
    Launch launch;
    launch.block = {64, 1, 1};
    launch.start = {10};
    launch.end = {20};
    launch.blockCount = 1;
    trace->launches.push_back(launch);
    Block block;
    block.start = {10};
    block.end = {20};
    block.warpCount = 2;
    block.sm = 7;
    trace->blocks.push_back(block);
    const auto warp = [&](std::uint16_t number, std::int64_t start, std::int64_t branch, std::int64_t end,
                          LaneMask taken) {
        Warp w;
        w.warpInBlock = number;
        w.slot = number;
        w.scheduler = std::uint8_t(number);
        w.liveLanes = LaneMask::all();
        w.start = {start};
        w.end = {end};
        w.firstEvent = trace->events.size();
        w.eventCount = 3;
        trace->events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
        trace->events.push(branch - start, 1, EventKind::Branch, LaneMask::all(), taken);
        trace->events.push(end - start, 2, EventKind::Exit, LaneMask::all(), LaneMask::all());
        trace->warps.push_back(w);
    };
    warp(0, 10, 12, 20, {0x55555555});
    warp(1, 11, 12, 18, {0});
    return trace;
}

// Blocks of so many recorded warps each (0: not recorded), numbered one after the other; every warp starts at 10,
// branches at 12 with all its lanes, and exits at 20. Both ways: the row of the warp whose even lanes jump.
inline warpglass::TracePtr blocksOf(const std::string& kernel, const std::vector<std::uint32_t>& warps,
                                    std::uint32_t bothWays = warpglass::noIndex) {
    using namespace warpglass;
    auto trace = std::make_shared<Trace>(*handTrace());
    trace->kernels.front().name = kernel;
    trace->events = {};
    trace->warps.clear();
    trace->blocks.clear();
    for (std::uint32_t n = 0; n < warps.size(); ++n) {
        Block block;
        block.index = n;
        block.start = {10};
        block.end = {20};
        block.firstWarp = std::uint32_t(trace->warps.size());
        block.warpCount = std::uint16_t(warps[n]);
        for (std::uint32_t w = 0; w < warps[n]; ++w) {
            Warp warp;
            warp.block = n;
            warp.warpInBlock = std::uint16_t(w);
            warp.liveLanes = LaneMask::all();
            warp.start = {10};
            warp.end = {20};
            warp.firstEvent = trace->events.size();
            warp.eventCount = 3;
            const LaneMask taken{trace->warps.size() == bothWays ? 0x55555555u : 0u};
            trace->events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
            trace->events.push(2, 1, EventKind::Branch, LaneMask::all(), taken);
            trace->events.push(10, 2, EventKind::Exit, LaneMask::all(), LaneMask::all());
            trace->warps.push_back(warp);
        }
        trace->blocks.push_back(block);
    }
    trace->launches.front().blockCount = std::uint32_t(warps.size());
    return trace;
}
