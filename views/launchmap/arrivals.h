// SPDX-License-Identifier: GPL-3.0-or-later
// While a moment plays in which blocks begin, they come one after the other, in the order of their numbers, each from its
// tile of the grid to its place on an SM; all are there before the next moment.
#pragma once

#include "views/common/selection.h"
#include "views/launchmap/launchmap_model.h"

#include <cstddef>
#include <span>
#include <vector>

namespace warpglass {

struct Arrivals {
    std::vector<std::uint32_t> blocks; // that begin in the moment that plays, ascending; empty: none, or it is at rest
    Time at;                           // that moment
    double come = 0;                   // 0 to 1: of the way on which all of them arrive
    std::size_t landed = 0, left = 0;  // how many have arrived, and how many have set out

    bool isToCome(std::uint32_t block, Time start) const {
        return landed < blocks.size() && start == at && block >= blocks[landed];
    }
    std::size_t toCome() const { return blocks.size() - landed; }
    std::span<const std::uint32_t> coming() const { return std::span(blocks).subspan(landed); }
    double wayOf(std::size_t n) const; // of blocks[n]: 0 at its tile, 1 at its place
};

Arrivals arrivalsOf(const LaunchMapModel& model, const Selection& selection);

} // namespace warpglass
