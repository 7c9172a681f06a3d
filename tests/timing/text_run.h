// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a text of programs/operation_text.h in time, as the programs beside it do on the card.
#pragma once

#include "gpu/emulator/emulator.h"

#include "tests/timing/micro.h"
#include "tests/timing/programs/operation_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpglass::testing {

// What its blocks have written: the clock at which each warp began and ended, [block][32 warps][2]. Empty: it did not run, which
// is a failure. plan: grid, block, cluster and shared memory; where: bytes of the global memory that it has.
inline std::vector<std::uint64_t> clocksOf(const Text& text, LaunchPlan plan, std::uint64_t where, bool warmL2) {
    plan.kernelName = plan.entry = "k";
    plan.ptx = ptxOf(text);
    Argument map;
    map.name = "map";
    map.type = ElementType::U8;
    map.scalar.resize(128);
    plan.arguments = {microBuffer("out", 32 * 16 * plan.grid.count()), microBuffer("where", where), map};
    RunOptions options;
    options.timing = true;
    options.warmL2 = warmL2;
    options.device = "h200";
    options.detail.kind = Detail::Kind::None;
    options.checkMemory = false;
    Progress progress;
    const auto run = makeEmulator()->run(plan, options, progress);
    if (!run || run->fault) {
        ADD_FAILURE() << (run ? run->fault->text() : run.error().text());
        return {};
    }
    std::vector<std::uint64_t> clocks(run->buffers.at(0).size() / 8);
    std::memcpy(clocks.data(), run->buffers.at(0).data(), clocks.size() * 8);
    return clocks;
}

// Cycles of a block, from the first of its warps' beginning to the last one's end.
inline double cyclesOfBlock(const std::vector<std::uint64_t>& clocks, std::size_t block, std::size_t warps) {
    std::uint64_t from = ~0ull, until = 0;
    for (std::size_t w = 0; w < warps; ++w) {
        from = std::min(from, clocks[block * 64 + 2 * w]);
        until = std::max(until, clocks[block * 64 + 2 * w + 1]);
    }
    return double(until - from);
}

} // namespace warpglass::testing
