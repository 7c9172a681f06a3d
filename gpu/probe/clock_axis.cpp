// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/clock_axis.h"

#include "gpu/probe/streams.h"

#include <algorithm>
#include <cmath>

namespace warpglass::probe {

namespace {

// The first block's start becomes 0: pairs of warps are read a little after their block began.
void shiftToFirstStart(std::map<std::uint32_t, SmClock>& lines, std::span<const std::byte> blocks) {
    std::optional<double> first;
    for (std::uint64_t b = 0; b < rowCount<BlockRow>(blocks); ++b) {
        const auto r = rowAt<BlockRow>(blocks, b);
        const auto line = r.sm == 0 ? lines.end() : lines.find(r.sm - 1);
        if (line == lines.end())
            continue;
        const double at = (double(r.start) - line->second.offset) / line->second.cyclesPerNs;
        first = first ? std::min(*first, at) : at;
    }
    if (first)
        for (auto& [sm, line] : lines)
            line.offset += line.cyclesPerNs * *first;
}

} // namespace

ClockAxis clockAxis(const RawRecords& raw, const RecordOptions& options) {
    ClockAxis axis{.aligned = options.alignClocks, .lines = {}};
    if (!axis.aligned)
        return axis;
    std::map<std::uint32_t, std::vector<ClockPair>> pairs;
    for (const ClockPair& p : options.pairs)
        pairs[p.sm].push_back(p);
    std::uint64_t zero = ~std::uint64_t(0);
    const std::span<const std::byte> warps = raw.buffer[ProbeMemory::Warps];
    for (std::uint64_t w = 0; w < rowCount<WarpRow>(warps); ++w) {
        const auto r = rowAt<WarpRow>(warps, w);
        if (r.live == 0)
            continue;
        pairs[r.sm].push_back({r.sm, r.startClock, r.startTimer});
        zero = std::min(zero, r.startTimer);
        if (r.endTimer != 0)
            pairs[r.sm].push_back({r.sm, r.endClock, r.endTimer});
    }
    if (pairs.empty())
        return axis;
    if (zero == ~std::uint64_t(0))
        zero = pairs.begin()->second.front().timer;
    // SMs seen only for a moment get the slope that the others have.
    std::vector<double> slopes;
    for (const auto& [sm, list] : pairs) {
        const SmClock line = alignClock(sm, list, zero, 0);
        if (line.cyclesPerNs > 0)
            slopes.push_back(line.cyclesPerNs);
    }
    std::sort(slopes.begin(), slopes.end());
    const double slope = !slopes.empty()          ? slopes[slopes.size() / 2]
                         : options.smClockMHz > 0 ? options.smClockMHz / 1000
                                                  : 1;
    for (const auto& [sm, list] : pairs)
        axis.lines[sm] = alignClock(sm, list, zero, slope);
    shiftToFirstStart(axis.lines, raw.buffer[ProbeMemory::Blocks]);
    return axis;
}

std::int64_t ClockAxis::residual() const {
    double worst = 0;
    for (const auto& [sm, line] : lines)
        worst = std::max(worst, line.residualNs);
    return std::int64_t(std::ceil(worst));
}

std::optional<Time> ClockAxis::at(std::uint32_t sm, std::uint64_t clock) const {
    if (!aligned)
        return Time{std::int64_t(clock)};
    const auto line = lines.find(sm);
    if (line == lines.end())
        return std::nullopt;
    // Whole cycles first: a clock has more digits than a double.
    const double offset = line->second.offset;
    const auto whole = std::int64_t(std::floor(offset));
    return Time{
        std::llround((double(std::int64_t(clock) - whole) - (offset - double(whole))) / line->second.cyclesPerNs)};
}

} // namespace warpglass::probe
