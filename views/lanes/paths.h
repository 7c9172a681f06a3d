// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp runs between a branch and the place where its lanes meet again: the paths, one after the other, because a
// warp has one instruction stream. Found from the events that follow the branch; nothing is known about the kernel.
#pragma once

#include "views/lanes/branch_model.h"

namespace warpglass {

struct PathSegment {
    Time begin, end;
    LaneMask on;                               // lanes that run
    std::uint32_t event = 0;                   // that begins it
    std::uint32_t ptxLine = 0, sourceLine = 0; // where it begins; 0 = unknown
};

struct Serialised {
    std::uint32_t event = 0;           // the branch
    LaneMask active, taken;            // at the branch
    std::vector<PathSegment> segments; // in order of time
    bool timed =
        false; // false: the recording does not say how long each path took (no Path events); begin and end are 0
    bool reconverged = false;    // the lanes met again (else the warp ended first)
    bool together = false;       // the lanes did not part: one path (one_path.h)
    bool cut = false;            // more segments than are kept
    std::uint64_t lanesUsed = 0; // lanes x time in use ...
    std::uint64_t lanesPaid = 0; // ... of 32 x time. Untimed: lanes of the two paths of 32 each
    Time length() const { return segments.empty() ? Time{} : segments.back().end - segments.front().begin; }
    double share() const { return lanesPaid ? double(lanesUsed) / double(lanesPaid) : 0; }
};
inline constexpr std::size_t mostSegments = 4096;

// `event` is a Branch event of the warp. The sums are over all segments, also those that are cut from the list.
Serialised serialisedPaths(const Trace& trace, std::uint32_t warp, std::uint32_t event);

} // namespace warpglass
