// SPDX-License-Identifier: GPL-3.0-or-later
// app/window/model: what the window knows without a widget: playback, lessons, selection words, facts about a warp.
//
// Playback moves over the moments of a trace: the distinct times at which anything happens, be it an event of a recorded
// warp, the start or end of a block, recorded or not, or that of a launch. So the first moment is the launch's start, when
// nothing is done yet, and the last one its end. A moment is what a person steps over, so "four events a second" looks
// the same for a trace of forty steps and for one of forty milliseconds.
#pragma once

#include "gpu/base/progress.h"
#include "gpu/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warpglass {

struct Moments {
    std::vector<std::int64_t> times;    // ascending, distinct, in the trace's time unit
    std::vector<std::uint32_t> density; // events in each of equal parts of range; of blocks, where there are none
    TimeRange range;                    // from the first to the last moment; {0,0} if there is none
    std::uint64_t events = 0;           // all recorded events
};

// Moments of a trace; with other, those of both, the other one moved back by shift (unset: so that both start
// together). Runs off the GUI thread; a cancelled progress soon gives none.
Moments momentsOf(const Trace& trace, const Trace* other, Progress& progress, int densityParts = 2048,
                  std::optional<Time> shift = {});

// The index of the last moment at or before t; 0 if t is earlier or there are none.
std::size_t momentAt(const Moments& moments, Time t);
// The time of a moment; the last one beyond the end, time 0 if there is none.
Time timeOf(const Moments& moments, std::size_t index);

struct LoopRange {
    std::size_t first = 0, last = 0; // indices of moments, both played
    bool operator==(const LoopRange&) const = default;
};

struct Playback {
    double position = 0; // index of a moment, fractions are time on the way to the next
    double speed = 4;    // moments a second
    int direction = 1;   // 1 forward, -1 backward
    bool playing = false;
    std::optional<LoopRange> loop;
};

// Lets `seconds` pass. Stops (playing = false) at the end in the playing direction; a loop starts again instead.
void advance(Playback& playback, std::size_t momentCount, double seconds);
// The same between any two positions, as along a score (views/common/playing.h).
void advance(Playback& playback, double first, double last, double seconds);
// A score is played no faster than this many beats a second: nobody sees more.
double fastestOf(double length);
// One moment on (+1) or back (-1): stops playing, stays inside the loop and the trace.
void step(Playback& playback, std::size_t momentCount, int by);

// The speed slider: position 0 to 1 is one moment a second up to the whole run in four seconds, on a logarithmic scale.
double speedAt(double slider, std::size_t momentCount);
double sliderOf(double speed, std::size_t momentCount);

// The next (+1) or previous (-1) event of a warp after or before t; nothing if there is none.
std::optional<Time> neighbourEvent(const Trace& trace, const Warp& warp, Time t, int direction);
// The same for all recorded warps of a block.
std::optional<Time> neighbourEvent(const Trace& trace, const Block& block, Time t, int direction);

} // namespace warpglass
