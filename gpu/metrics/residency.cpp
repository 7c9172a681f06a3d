// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/residency.h"

#include "gpu/device/capability.h"

#include <algorithm>

namespace warpglass {

std::vector<double> residencyOverTime(const Trace& trace, std::uint32_t launch, int columns) {
    if (launch >= trace.launches.size() || columns < 1)
        return {};
    const Launch& l = trace.launches[launch];
    const CapabilityLimits* limits = capabilityLimits(trace.info.ccMajor, trace.info.ccMinor);
    const double length = double((l.end - l.start).value);
    if (!limits || length <= 0 || trace.info.smCount <= 0 || l.blockCount == 0)
        return {};
    // Each block adds its warps to the part of every column that it covers.
    const double slots = double(limits->warpsPerSm) * trace.info.smCount;
    const double warps = double(warpsFor(l.block.count()));
    const double width = length / columns;
    std::vector<double> share(std::size_t(columns), 0.0);
    for (const Block& block : trace.blocksOf(l)) {
        const double from = std::clamp(double((block.start - l.start).value) / width, 0.0, double(columns));
        const double to = std::clamp(double((block.end - l.start).value) / width, 0.0, double(columns));
        for (int c = int(from); c < to; ++c)
            share[std::size_t(c)] += warps / slots * (std::min(to, c + 1.0) - std::max(from, double(c)));
    }
    return share;
}

} // namespace warpglass
