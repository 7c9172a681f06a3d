// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/state_log.h"

#include <numeric>

namespace warpglass::emulator {

std::uint64_t StateLog::resident() const {
    return std::accumulate(cycles.begin(), cycles.end(), std::uint64_t(0));
}

void StateLog::write(OpenState& warp, std::int64_t at) {
    warp.rows->push_back({{warp.since}, {at}, warp.state, warp.line});
}

} // namespace warpglass::emulator
