// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/arrivals.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr double shareOfArrivals = 0.75; // of a moment's way; then all are seen together
constexpr double flight = 0.3;           // of the arrivals' way: that of one block

} // namespace

double Arrivals::wayOf(std::size_t n) const {
    const double leaves = double(n) * (1 - flight) / double(blocks.size());
    return std::clamp((come - leaves) / flight, 0.0, 1.0);
}

Arrivals arrivalsOf(const LaunchMapModel& model, const Selection& selection) {
    Arrivals a;
    a.at = selection.time;
    const Motion& motion = selection.motion;
    if (!motion.playing || motion.way >= 1)
        return a;
    a.blocks = model.beginningAt(selection.time);
    if (a.blocks.empty())
        return a;
    a.come = std::min(1.0, motion.way / shareOfArrivals);
    // The n-th leaves at n (1 - flight) / count and is there a flight later.
    const auto before = [&](double come) {
        const double n = std::floor(come / (1 - flight) * double(a.blocks.size()) + 1e-9);
        return come < 0 ? std::size_t(0) : std::size_t(std::min(double(a.blocks.size()), n + 1));
    };
    a.landed = before(a.come - flight);
    a.left = before(a.come);
    return a;
}

} // namespace warpglass
