// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/time_axis.h"

#include "views/common/ticks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

TimeRange timesWithin(TimeRange range, TimeRange bounds) {
    const std::int64_t length = std::min(range.length().value, bounds.length().value);
    const std::int64_t begin = std::clamp(range.begin.value, bounds.begin.value, bounds.end.value - length);
    return {{begin}, {begin + length}};
}

Time TimeAxis::time(double x) const {
    return window.begin + Time{std::int64_t(std::floor((x - left) / width * double(window.length().value)))};
}

Time TimeAxis::nearest(double x) const {
    return window.begin + Time{std::llround((x - left) / width * double(window.length().value))};
}

TimeRange TimeAxis::zoomed(double x, double factor, TimeRange bounds, std::int64_t least) const {
    const double share = std::clamp((x - left) / width, 0.0, 1.0), shown = double(window.length().value);
    const double length =
        std::clamp(shown * factor, double(least), double(std::max<std::int64_t>(least, bounds.length().value)));
    const Time begin = window.begin + Time{std::llround(share * (shown - length))};
    return timesWithin({begin, begin + Time{std::llround(length)}}, bounds);
}

TimeRange TimeAxis::shifted(double pixels, TimeRange bounds) const {
    const Time by{std::llround(-pixels / width * double(window.length().value))};
    return timesWithin({window.begin + by, window.end + by}, bounds);
}

TimeAxis::Ticks TimeAxis::ticks(Time origin, double apart) const {
    const QVector<std::int64_t> times = axisTicks((window.begin - origin).value, (window.end - origin).value,
                                                  std::max(2, int(width / std::max(1.0, apart))));
    Ticks ticks;
    ticks.step = times.size() > 1 ? times[1] - times[0] : 1;
    for (const std::int64_t since : times)
        ticks.marks.append(Tick{x(origin + Time{since}), {since}});
    return ticks;
}

} // namespace warpglass
