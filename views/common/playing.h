// SPDX-License-Identifier: GPL-3.0-or-later
// What a picture has to play: its beats. A trace has more moments than anybody can follow, and most of them change
// nothing in what is looked at; so a picture says at which times something happens in it, and how long each of them
// should last beside the others. A score is these beats laid end to end, and whoever plays walks along it at so many
// beats a second.
#pragma once

#include "views/common/selection.h"

#include <vector>

namespace warpglass {

struct Beat {
    Time time;
    double weight = 1; // how long it lasts; of the usual beat
    bool operator==(const Beat&) const = default;
};

struct Score {
    std::vector<Beat> beats;    // ascending times
    std::vector<double> begins; // [beat]: where it begins, in usual beats
    double length = 0;
    bool empty() const { return beats.empty(); }
};

// The beats inside the range, with its ends where no beat stands there: what plays begins with nothing done and ends with
// everything done. The last moment lasts no longer than its beat says; an end that was added, not at all.
Score scoreOf(std::vector<Beat> beats, TimeRange range);

struct ScorePoint {
    Time time;
    Motion motion;
};
// At a place of the score, which is not empty; at its end everything is at rest. still: every beat is shown done at once.
ScorePoint pointAt(const Score& score, double position, bool still = false);
// Where the last beat at or before this time begins.
double positionAt(const Score& score, Time time);

// Distinct times in order as beats, evenly thinned out to at most so many, the first and the last among them.
std::vector<Beat> beatsOf(std::vector<Time> times, std::size_t most);
// Beats that part a range evenly, for what grows with time.
std::vector<Beat> evenBeats(TimeRange range, int parts);

} // namespace warpglass
