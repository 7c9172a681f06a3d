// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/lanes_play.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr std::size_t mostParts = 8; // of a loop that parts again and again, many pass in a beat
constexpr int columnsWalked = 256;   // their paths are counted; later ones count as two paths
constexpr double usualParts = 2;

double partsOf(const Serialised* paths) {
    return paths ? double(std::min(mostParts, paths->segments.size())) : 0;
}

} // namespace

LanesPlay lanesPlay(double way, const Serialised* paths) {
    const double come = way * (1 + partsOf(paths)); // beats
    LanesPlay play{true};
    play.lanes = std::clamp(int(std::ceil(come * lanesPerWarp - 1e-9)), 0, lanesPerWarp);
    if (paths)
        play.paths = way >= 1 ? 1 : std::clamp((come - 1) / std::max(1.0, partsOf(paths)), 0.0, 1.0);
    return play;
}

std::vector<Beat> lanesBeats(const LanesScene& scene, bool withPaths) {
    std::vector<Beat> beats;
    for (int i = 0; i < scene.count(); ++i) {
        Beat beat{scene.column(i).time};
        if (withPaths && !scene.request.wholeBlock && scene.splitOf(i).diverges()) {
            if (i < columnsWalked) {
                const Serialised paths =
                    serialisedPaths(*scene.request.trace, scene.warp.warp, scene.columns[std::size_t(i)]);
                beat.weight += partsOf(&paths);
            } else {
                beat.weight += usualParts;
            }
        }
        if (!beats.empty() && beats.back().time == beat.time)
            beats.back() = beat; // the last of them is the present one
        else
            beats.push_back(beat);
    }
    return beats;
}

} // namespace warpglass
