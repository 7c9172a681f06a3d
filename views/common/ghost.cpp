// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/ghost.h"

namespace warpglass {

bool recordsLaunchOf(const Trace& recorded, const Trace& modelled) {
    const TraceInfo &r = recorded.info, &m = modelled.info;
    if (recorded.launches.empty() || modelled.launches.empty() || r.timeUnit != TimeUnit::Nanoseconds ||
        m.timeUnit != TimeUnit::Nanoseconds || r.timeOrigin != Origin::Measured || m.timeOrigin != Origin::Modelled ||
        r.mode != m.mode)
        return false;
    const Launch &a = recorded.launches.front(), &b = modelled.launches.front();
    return recorded.kernelOf(a).name == modelled.kernelOf(b).name && a.grid == b.grid && a.block == b.block;
}

} // namespace warpglass
