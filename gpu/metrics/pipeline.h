// SPDX-License-Identifier: GPL-3.0-or-later
// A product of matrices whose tiles come by asynchronous copies, some stages ahead of it: how long it waits for them, and
// how many stages would be enough.
#pragma once

#include "gpu/trace/trace.h"

#include <optional>

namespace warpglass {

struct Pipeline {
    double waits =
        0; // of the time from a warp's first product to its last one, the share for which it waits for copies
    std::uint32_t stages = 0; // parts of shared memory that copies fill in turn
    std::uint32_t rounds = 0; // of a block: tiles that a warp takes one after the other; 0: not known
    std::uint32_t enough = 0; // stages with which nobody would wait, if copies took no longer for it
};
// Of warps whose states are known and that make products; nothing where none waits for copies.
std::optional<Pipeline> pipelineOf(const Trace& trace, std::uint32_t launch = 0);

// Copies are asked for stages - 1 rounds ahead of the product that wants them. A round takes the product's own time and what
// it waits; if it waits, the copies take stages - 1 rounds. More stages leave them more rounds, which are shorter.
std::uint32_t enoughStages(std::uint32_t stages, double waits);
// Of the time, what that many stages would save.
double savedByStages(const Pipeline& pipeline, std::uint32_t stages);

} // namespace warpglass
