// SPDX-License-Identifier: GPL-3.0-or-later
// Level-of-detail tables: what a timeline draws when a pixel covers more than it could show.
//
// A lane of the timeline is one hardware warp slot of one SM; the warps that lived there lie one after the other in it.
// The events of a lane, in that order, are summed up sixteen at a time, those sums sixteen at a time, and so on up to
// one node for the whole lane; the same is done with the rows of the state table. A picture then takes, for each pixel,
// the few nodes of the level whose width is about a pixel, so its cost follows the pixels and not the events. About one
// node for every fifteen events. Who may call it: views; the file stores it so that a first picture needs no events at
// all.
#pragma once

#include "gpu/trace/trace.h"

#include <array>
#include <span>

namespace warpglass {

inline constexpr std::uint64_t lodFanOut = 16;

// A run of events of one lane. An event lasts until its warp's next event, the last one until its warp ends.
struct LodNode {
    Time begin, end;
    std::uint32_t count = 0; // events, saturating
    LaneMask any;            // lanes active in some of them
    LaneMask all;            // lanes active in all of them
    bool operator==(const LodNode&) const = default;
};

// A run of rows of the state table of one lane.
struct LodStates {
    Time begin, end; // cycles
    std::array<std::uint64_t, std::size_t(WarpState::Count_)> cycles{};
    bool operator==(const LodStates&) const = default;
};

struct LodLane {
    std::uint16_t sm = 0, slot = 0;
    std::uint8_t scheduler = 0;
    std::uint32_t firstWarp = 0, warps = 0; // rows of Lod::warps
    std::uint64_t events = 0, states = 0;   // how many lie under this lane
    std::uint64_t firstNode = 0;            // into Lod::nodes
    std::uint64_t firstStateNode = 0;       // into Lod::stateNodes
    bool operator==(const LodLane&) const = default;
};

struct Lod {
    std::vector<LodLane> lanes;       // ascending (sm, slot)
    std::vector<std::uint32_t> warps; // rows of the warp table, lane after lane, by start
    std::vector<LodNode> nodes;       // lane after lane, level after level, from fine to coarse
    std::vector<LodStates> stateNodes;

    // The nodes of one level: level 0 sums up 16 events a node, level 1 256, ... Empty above the top.
    std::span<const LodNode> level(const LodLane& lane, int level) const;
    std::span<const LodStates> stateLevel(const LodLane& lane, int level) const;
    bool operator==(const Lod&) const = default;
};

// How many levels n items have: 0 for none, 1 for up to 16, 2 for up to 256, ...
int lodLevels(std::uint64_t items);

Lod buildLod(const Trace& trace);

} // namespace warpglass
