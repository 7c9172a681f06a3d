// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the ready warps a scheduler issues from.
//   lrr  loose round robin: the one that was issued longest ago (never: first), the lowest age first among equals
//   gto  greedy then oldest: the last one again if it is ready, else the oldest
//   gty  greedy then youngest: the last one again if it is ready, else the youngest
// The default is the one whose blocks live as long as an H200's do. Blocks of reduceNeighbored, 512 threads, from the
// shortest lived twentieth to the longest: 3,156 to 3,532 ns on the card, 3,160 to 3,280 under gto, 2,827 to 3,061 under
// lrr, 2,193 to 6,429 under gty, although microbenchmarks of Hopper-era parts found the youngest preferred.
#pragma once

#include "gpu/base/enum_words.h"

#include <cstdint>
#include <span>

namespace warpglass {

enum class SchedulingPolicy : std::uint8_t { Lrr, Gto, Gty };
template <>
inline constexpr auto enumWords<SchedulingPolicy> = EnumWords("scheduling policy", {"lrr", "gto", "gty"});
inline constexpr SchedulingPolicy defaultPolicy = SchedulingPolicy::Gto;

struct Candidate {
    std::uint32_t warp = 0;       // the caller's own number
    std::uint64_t age = 0;        // the lower, the longer the warp has been resident; no two alike
    std::int64_t lastIssued = -1; // cycle; -1 = never
};

// Whether the scheduler rather issues from a than from b. last: Candidate::warp of the warp it issued last, or ~0u.
constexpr bool goesBefore(SchedulingPolicy policy, const Candidate& a, const Candidate& b, std::uint32_t last) {
    if (policy == SchedulingPolicy::Lrr)
        return a.lastIssued != b.lastIssued ? a.lastIssued < b.lastIssued : a.age < b.age;
    if (a.warp == last || b.warp == last)
        return a.warp == last;
    return policy == SchedulingPolicy::Gto ? a.age < b.age : a.age > b.age;
}

// Position in ready of the one that it issues from; -1 if there is none.
constexpr int pick(SchedulingPolicy policy, std::span<const Candidate> ready, std::uint32_t last) {
    int best = -1;
    for (std::size_t k = 0; k < ready.size(); ++k)
        if (best < 0 || goesBefore(policy, ready[k], ready[std::size_t(best)], last))
            best = int(k);
    return best;
}

} // namespace warpglass
