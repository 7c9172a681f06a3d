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

} // namespace warpglass
