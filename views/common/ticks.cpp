// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpglass {

namespace {

struct TicksText {
    Q_DECLARE_TR_FUNCTIONS(Ticks)
};

} // namespace

QVector<std::int64_t> axisTicks(std::int64_t begin, std::int64_t end, int most) {
    QVector<std::int64_t> ticks;
    if (end < begin || most < 1)
        return ticks;
    // Unsigned, so that the whole range of 64 bits has a length.
    const std::uint64_t length = std::uint64_t(end) - std::uint64_t(begin);
    std::uint64_t step = 1;
    for (std::uint64_t decade = 1;; decade *= 10) {
        bool found = false;
        for (const std::uint64_t factor : {1u, 2u, 5u}) {
            step = decade * factor;
            if (length / step + 1 <= std::uint64_t(most)) {
                found = true;
                break;
            }
        }
        if (found || decade > std::numeric_limits<std::uint64_t>::max() / 100)
            break;
    }
    const auto s = std::int64_t(step);
    std::int64_t first = begin / s * s;
    if (first < begin)
        first += s;
    for (std::int64_t t = first; t <= end; t += s) {
        ticks.push_back(t);
        if (t > std::numeric_limits<std::int64_t>::max() - s)
            break;
    }
    return ticks;
}

QString numberText(std::int64_t value) {
    return QLocale(QLocale::English).toString(qlonglong(value));
}
QString numberText(std::uint64_t value) {
    return QLocale(QLocale::English).toString(qulonglong(value));
}
QString decimalText(double value, int digits) {
    return QLocale(QLocale::English).toString(value, 'f', digits);
}
QString percentText(double percent, int digits) {
    return decimalText(percent, digits) + QStringLiteral(" %");
}

QString timeText(Time time, TimeUnit unit, std::int64_t step) {
    if (unit == TimeUnit::Steps && time.value == 1)
        return TicksText::tr("1 step");
    if (unit == TimeUnit::Steps)
        return TicksText::tr("%1 steps").arg(numberText(time.value));
    const std::int64_t size = time.value < 0 ? -time.value : time.value;
    if (size < 10'000 && step < 1'000)
        return numberText(time.value) + QStringLiteral(" ns");
    const bool milli = size >= 10'000'000 || step >= 1'000'000; // the first ticks are written as those behind them
    const double divisor = milli ? 1e6 : 1e3;
    int digits = 0; // as many as two neighbouring ticks need to differ
    for (double s = double(qMax<std::int64_t>(1, step)) / divisor; s < 0.999 && digits < 3; s *= 10)
        ++digits;
    return decimalText(double(time.value) / divisor, digits) + (milli ? QStringLiteral(" ms") : QStringLiteral(" µs"));
}

std::int64_t firstCycle(const TraceInfo& info, std::int64_t nanoseconds) {
    // Times are cycles rounded to whole nanoseconds: from half a nanosecond before on.
    return std::max<std::int64_t>(0,
                                  std::int64_t(std::ceil((double(nanoseconds) - 0.5) * info.smClockMHz / 1000 - 1e-6)));
}

QString shareText(double percent) {
    if (percent > 0 && percent < 0.05)
        return TicksText::tr("less than 0.1 %");
    return percentText(percent, percent > 0 && percent < 9.95 ? 1 : 0);
}

QString momentText(const Trace& trace, Time time) {
    return timeText(time - trace.range().begin, trace.info.timeUnit);
}

QString indexText(const Dim3& index, const Dim3& shape) {
    QString text = QString::number(index.x);
    if (shape.y > 1 || shape.z > 1)
        text += QStringLiteral(", %1").arg(index.y);
    if (shape.z > 1)
        text += QStringLiteral(", %1").arg(index.z);
    return QLatin1Char('(') + text + QLatin1Char(')');
}

QString blockIndexText(const Trace& trace, const Block& block) {
    return indexText(trace.blockIndex(block), trace.launches[block.launch].grid);
}

} // namespace warpglass
