// SPDX-License-Identifier: GPL-3.0-or-later
// Where an axis gets its marks, and how numbers and times are written beside them. Pure functions.
#pragma once

#include "gpu/trace/trace.h"

#include <QString>
#include <QVector>

namespace warpglass {

// Multiples of 1, 2 or 5 times a power of ten inside [begin, end], at most `most` of them and never closer than 1.
QVector<std::int64_t> axisTicks(std::int64_t begin, std::int64_t end, int most);

// "1,284": grouped by thousands, the same in every language of the program.
QString numberText(std::int64_t value);
QString numberText(std::uint64_t value);
// "62.4": `digits` after the point; trailing zeros are kept so that columns line up.
QString decimalText(double value, int digits = 1);
// "62.4 %"
QString percentText(double percent, int digits = 1);

// A moment or a length in words: "12.418 µs", "850 ns", "1,284 steps". `step` is the smallest difference that is worth
// showing (for axis labels: the distance of two ticks).
QString timeText(Time time, TimeUnit unit, std::int64_t step = 1);

// A moment on the one clock of transport, rulers and tool tips: since the trace's first launch began.
QString momentText(const Trace& trace, Time time);

// The cycle that begins first in this nanosecond since the start, as the scheduler's picture counts them.
std::int64_t firstCycle(const TraceInfo& info, std::int64_t nanoseconds);

// Where in a shape: "(3, 1)" of two dimensions, "(3, 0)" beside it, "(3)" of one.
QString indexText(const Dim3& index, const Dim3& shape);
QString blockIndexText(const Trace& trace, const Block& block);

// A share whose first digit is seen however small it is: "0.2 %", not "0 %".
QString shareText(double percent);

} // namespace warpglass
