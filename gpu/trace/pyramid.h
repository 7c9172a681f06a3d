// SPDX-License-Identifier: GPL-3.0-or-later
// The foot of the timeline's pyramid: what a picture needs where a pixel covers more events than it could show.
//
// The events of a warp are summed up sixteen at a time: when they began and ended, how long the warp waited at a
// barrier, which lanes were on in some and in all of them. The rows of the state table are summed in the same way, by
// state. No node crosses a warp, so that the same nodes serve whatever rows a picture is made of (warp slots of the
// hardware, or warps of a block); the levels above are built when the rows are known. The file stores the nodes beside
// the events, at a tenth of their bytes, so that a first picture needs no event at all. A trace that was just recorded
// has none: whoever draws it builds them.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/trace/trace.h"

#include <array>

namespace warpglass {

inline constexpr std::uint64_t pyramidFoot = 16; // events or states a node

// Up to 16 events of one warp. An event lasts until the warp's next, the last one until the warp ends, so that a node
// ends where the next one begins.
struct EventNode {
    Time begin, end;
    Time waiting;      // of that, between BarrierArrive and the event after it
    LaneMask any, all; // lanes active in some, in all of the events
    bool operator==(const EventNode&) const = default;
};

// Up to 16 rows of the state table of one warp; in SM cycles.
struct StateNode {
    Time begin, end;
    std::array<std::uint32_t, std::size_t(WarpState::Count_)> cycles{}; // by state; at most 2^32 - 1 is told
    bool operator==(const StateNode&) const = default;
};

// Warp after warp as in the warp table; within a warp in time order.
struct Pyramid {
    LargeTable<EventNode> events;
    LargeTable<StateNode> states;
};

constexpr std::uint64_t nodesFor(std::uint64_t items) {
    return (items + pyramidFoot - 1) / pyramidFoot;
}
// For each warp, and one beyond: where its nodes begin.
std::vector<std::uint64_t> firstEventNodes(const Trace& trace);
std::vector<std::uint64_t> firstStateNodes(const Trace& trace);

// Null if cancelled.
std::shared_ptr<const Pyramid> buildPyramid(const Trace& trace, Progress& progress);

// Whether a pyramid out of a file can be one of this trace; reads all of the pyramid and nothing of the events.
Result<void> validate(const Pyramid& pyramid, const Trace& trace);

} // namespace warpglass
