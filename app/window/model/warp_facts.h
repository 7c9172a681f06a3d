// SPDX-License-Identifier: GPL-3.0-or-later
// What can be said in one panel about the selected warp at the current time, each number with its origin.
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/selection.h"

#include <QString>
#include <QVector>

namespace warpglass {

struct Fact {
    QString label, value;
    Origin origin = Origin::Counted;
    QString note; // beside the origin: "± 32 ns"
};

enum class LaneNow : std::uint8_t { NoThread, NotStarted, On, Off, Exited };

struct WarpFacts {
    bool valid = false;
    QString title;          // "Warp 0 of block 2"
    QString place;          // "SM 124 · slot 5 · scheduler 1"
    QString happens;        // the source line or what the event is
    QString lanes;          // "4 of 32 lanes enter"
    bool divergent = false; // the event sends lanes both ways
    std::array<LaneNow, lanesPerWarp> lane{};
    bool loop = false; // the branch jumps back
    LaneMask marked;   // lanes that enter at the branch (gpu/metrics/branch_sides.h), access, arrive, ...
    QVector<Fact> facts;
};

WarpFacts warpFacts(const Trace& trace, const Selection& selection);

// The launch as a whole, for when no warp is selected: shape, blocks, check, and its metrics.
QVector<Fact> launchFacts(const Trace& trace, std::uint32_t launch);

} // namespace warpglass
