// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/state_log.h"

namespace warpglass::emulator {

void StateLog::close(OpenState& warp, std::int64_t at) {
    if (at <= warp.since)
        return;
    cycles[std::size_t(warp.state)] += std::uint64_t(at - warp.since);
    resident += std::uint64_t(at - warp.since);
    if (warp.rows)
        warp.rows->push_back({{warp.since}, {at}, warp.state, warp.line});
    warp.since = at;
}

} // namespace warpglass::emulator
