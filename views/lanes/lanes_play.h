// SPDX-License-Identifier: GPL-3.0-or-later
// How the divergence view plays. A beat is a step, an execution of the branch: first its lanes decide, from lane 0 down;
// then, where they part, its paths are walked one after the other, as far along as they are drawn. Steps before it are
// whole, steps after it do not exist yet. A step lasts as many beats as there are things to see in it: its lanes, and
// each of its paths.
#pragma once

#include "views/common/playing.h"
#include "views/lanes/paths.h"
#include "views/lanes/scene.h"

namespace warpglass {

struct LanesPlay {
    bool playing = false;
    int lanes = lanesPerWarp; // of the present column that have decided
    double paths = 1;         // share of its paths' width that has been walked
    bool whole() const { return lanes == lanesPerWarp && paths >= 1; }
};

// way: how far the present column has come (Motion); paths: of that column, null if it has none.
LanesPlay lanesPlay(double way, const Serialised* paths);
// withPaths: a divergent step's paths are drawn, too.
std::vector<Beat> lanesBeats(const LanesScene& scene, bool withPaths);

} // namespace warpglass
