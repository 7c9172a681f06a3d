// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of a machine that cost a kernel time, one by one, as the timing model can take them away: what a launch
// would take on a machine that is like the device in all but that. Results and counts never change, only time.
//
//   divergence  both sides of a branch cost as one: the lanes of a warp go their ways at once, and a lane that is off
//               leaves its part of the issue slot and of the pipe to others
//   coalescing  of a line or sector, only the bytes that were asked for move
//   conflicts   any lanes reach any words of shared memory in one pass; lanes at one word of an atomic still queue
//   l1-misses   every load of global or local memory hits L1
//   l2-misses   what goes to L2 is there: nothing waits for DRAM
//   bandwidth   lines, sectors and atomics move as fast as they are asked for
//   latency     what was loaded can be used as soon as the result of an addition
//   atomics     lanes, warps and SMs at one address do not queue
//   barriers    who arrives at a barrier goes on at once. The others still run first, since results must stay right;
//               what the early ones do meanwhile takes issue slots that would have stood empty
//   issue       schedulers issue all that is ready, and no pipe is busy
//   tensor      products of matrices take a slot, and are there as soon as the result of an addition
//   copy-engine bulk and tensor copies, and bytes on their way to another SM, move as fast as they are asked for
//   registers   never stop a block from being resident
//   shared      the same of shared memory
//   threads     the same of the numbers of warps, blocks and barriers, up to four times the SM's warps
//   tail        blocks are spread over places and SMs without a remainder, and SMs go on as they do while they are full
//   launch      launches, block starts and first fetches of code cost nothing
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/device/device_timing.h"
#include "gpu/device/footprint.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace warpglass {

enum class Limit : std::uint8_t {
    Divergence,
    Coalescing,
    Conflicts,
    L1Misses,
    L2Misses,
    Bandwidth,
    Latency,
    Atomics,
    Barriers,
    Issue,
    Tensor,
    CopyEngine,
    Registers,
    Shared,
    Threads,
    Tail,
    Launch
};
template <>
inline constexpr auto enumWords<Limit> = EnumWords("limit",
                                                   {"divergence", "coalescing", "conflicts", "l1-misses", "l2-misses",
                                                    "bandwidth", "latency", "atomics", "barriers", "issue", "tensor",
                                                    "copy-engine", "registers", "shared", "threads", "tail", "launch"});

struct LimitSet {
    std::uint32_t bits = 0;
    constexpr bool has(Limit limit) const { return bits >> unsigned(limit) & 1; }
    constexpr bool empty() const { return bits == 0; }
    constexpr LimitSet with(Limit limit) const { return {bits | 1u << unsigned(limit)}; }
    static constexpr LimitSet all() { return {(1u << enumWords<Limit>.words.size()) - 1}; }
    constexpr bool operator==(const LimitSet&) const = default;
};

// "divergence,conflicts", "all"; "" is none.
Result<LimitSet> parseLimits(std::string_view text);
std::string text(LimitSet limits); // "divergence,conflicts"; "" for none

// What the device costs without them, as far as that is a matter of its figures.
DeviceTiming without(const DeviceTiming& timing, LimitSet limits);
// How blocks fill an SM without them.
CapabilityLimits without(const CapabilityLimits& capability, LimitSet limits);
OccupancyInput without(const OccupancyInput& block, LimitSet limits);

} // namespace warpglass
