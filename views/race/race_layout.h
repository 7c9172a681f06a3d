// SPDX-License-Identifier: GPL-3.0-or-later
// Where the race's parts lie, from sizes alone: two tracks one above the other, a ruler of time below them, the result at
// the foot.
#pragma once

#include "views/common/time_axis.h"

#include <QRectF>

#include <array>

namespace warpglass {

struct RaceTrack {
    QRectF heading; // who runs
    QRectF field;   // time to the right, work done upward
};

struct RaceLayout {
    QRectF title, question, ruler, result, note;
    std::array<RaceTrack, 2> tracks;
    TimeAxis axis; // times since the start, the same for both

    double height(int track, double share) const { // y of a share of the work
        const QRectF& f = tracks[std::size_t(track)].field;
        return f.bottom() - share * f.height();
    }
};

// longest: of the two runs. line: height of a line of body text.
RaceLayout raceLayout(const QRectF& area, double line, Time longest, bool noted); // noted: with a line below

} // namespace warpglass
