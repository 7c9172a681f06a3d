// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_traces.h"

#include "gpu/device/device.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

std::optional<LanesOn> lanesOnShares(const Trace& trace, std::uint32_t launch) {
    if (launch >= trace.launches.size())
        return std::nullopt;
    LanesOn result;
    double known = 0, unknown = 0;
    for (const Block& block : trace.blocksOf(trace.launches[launch]))
        for (const Warp& warp : trace.warpsOf(block)) {
            LaneMask on = warp.liveLanes, exited = LaneMask::none();
            bool seen = true;
            Time since = warp.start;
            const auto spend = [&](Time until) {
                const double length = double((until - since).value);
                if (length > 0 && !on.empty()) {
                    (seen ? known : unknown) += length;
                    if (seen)
                        result.percent[std::size_t(on.count())] += length;
                }
                since = std::max(since, until);
            };
            for (std::uint32_t n = 0; n < warp.eventCount; ++n) {
                const Event event = trace.event(warp, n);
                if (event.kind == EventKind::Access || event.kind == EventKind::Shuffle ||
                    event.kind == EventKind::Launch)
                    continue; // may be guarded, and then name fewer lanes than are on
                spend(event.time);
                if (event.kind == EventKind::Exit) {
                    exited = event.taken; // all that have left
                    on = on & ~event.active;
                } else {
                    on = event.active;
                }
                on = on & ~exited;
                const LaneMask taken = event.taken & event.active;
                const bool parts = event.kind == EventKind::Branch && !taken.empty() && taken != event.active;
                seen = trace.info.recordedPaths || !parts;
            }
            spend(warp.end);
        }
    if (known + unknown <= 0)
        return std::nullopt;
    for (double& amount : result.percent)
        amount *= known > 0 ? 100 / known : 0;
    result.unknownPercent = 100 * unknown / (known + unknown);
    return result;
}

std::vector<double> residencyShares(const Trace& trace, std::uint32_t launch, int columns) {
    if (launch >= trace.launches.size() || columns < 1 || trace.info.timeUnit != TimeUnit::Nanoseconds)
        return {};
    const Launch& l = trace.launches[launch];
    const CapabilityLimits* limits = capabilityLimits(trace.info.ccMajor, trace.info.ccMinor);
    const double length = double((l.end - l.start).value);
    if (!limits || length <= 0 || trace.info.smCount <= 0 || l.blockCount == 0)
        return {};
    const double places = double(limits->warpsPerSm) * trace.info.smCount;
    const double warps = double(warpsFor(l.block.count()));
    const double width = length / columns;
    std::vector<double> share(std::size_t(columns), 0.0);
    for (const Block& block : trace.blocksOf(l)) {
        const double from = std::clamp(double((block.start - l.start).value), 0.0, length);
        const double to = std::clamp(double((block.end - l.start).value), 0.0, length);
        for (int c = int(from / width); c < columns && c * width < to; ++c)
            share[c] += std::max(0.0, std::min(to, (c + 1) * width) - std::max(from, c * width)) * warps /
                        (width * places) * 100;
    }
    return share;
}

} // namespace warpglass
