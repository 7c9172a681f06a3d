// SPDX-License-Identifier: GPL-3.0-or-later
// Time along x: where a moment stands and which moment stands where, the window one gets by zooming and dragging, and
// the marks of the axis. Pure: views keep one in their layout and tests ask it without a window.
#pragma once

#include "gpu/base/time.h"

#include <QVector>

namespace warpglass {

// Moved, and shortened if need be, so that it lies inside bounds.
TimeRange timesWithin(TimeRange range, TimeRange bounds);

struct TimeAxis {
    TimeRange window; // the times between left and left + width
    double left = 0, width = 1;

    // Times are subtracted as whole numbers before they become doubles: a clock has more digits than a double.
    double x(Time t) const {
        return left + double((t - window.begin).value) * width / double(qMax<std::int64_t>(1, window.length().value));
    }
    Time time(double x) const;    // the one whose unit lies under x
    Time nearest(double x) const; // the one nearest to x

    // Zoomed by factor (below 1: closer) so that the time under x stays under it; never shorter than `least`, never
    // outside bounds.
    TimeRange zoomed(double x, double factor, TimeRange bounds, std::int64_t least = 8) const;
    TimeRange shifted(double pixels, TimeRange bounds) const; // what is shown moves to the right by pixels

    struct Tick {
        double x = 0;
        Time since; // the origin
    };
    struct Ticks {
        QVector<Tick> marks;
        std::int64_t step = 1; // from one to the next: what their labels must tell apart
    };
    // At round times since origin, `apart` pixels or more from one to the next; at least two where the window has them.
    Ticks ticks(Time origin, double apart) const;
};

} // namespace warpglass
