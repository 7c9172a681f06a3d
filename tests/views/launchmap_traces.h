// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-made traces for the launch map's tests: small ones whose answers are worked out on paper, and large ones filled
// by a block scheduler of a few lines that gives each free place the next block.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace warpglass::test {

struct PlacedBlock {
    std::int64_t start, end;
    std::uint16_t sm;
};

// One launch whose blocks are exactly these, in order of blockIdx; compute capability 0.0, so that no rule of occupancy
// interferes.
std::shared_ptr<Trace> traceOf(const std::vector<PlacedBlock>& blocks, Dim3 grid, Dim3 block, int smCount);

struct Schedule {
    Dim3 grid{8}, block{32};
    int smCount = 4, blocksPerSm = 2;
    std::int64_t duration = 1000, spread = 0; // a block lasts duration + (its number * 7919) % (spread + 1)
    TimeUnit unit = TimeUnit::Nanoseconds;
    Origin origin = Origin::Measured;
};
std::shared_ptr<Trace> scheduled(const Schedule& schedule);

// Gives a block its warps, with one divergent branch each: at a quarter of its time only the lanes of `taken` are on,
// at half of it all are again, at the end all exit.
void addDetail(Trace& trace, std::uint32_t block, LaneMask taken);

} // namespace warpglass::test
