// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of kernels of which the second does without a limit that costs the first one time, both measured on an H200, and
// what the model predicted of it: resources/model/pairs.csv, which docs/model.md's table and this list share.
#pragma once

#include "gpu/device/limit.h"

#include <span>
#include <string>
#include <vector>

namespace warpglass {

struct LimitPair {
    Limit limit = Limit::Divergence;
    std::string first, second; // as given to `warpglass-record run`
    double measured = 0;       // the second takes so much less of the first one's time on an H200, 0 to 1
    double predicted = 0;      // the first without the limit takes so much less on the model
};
std::span<const LimitPair> limitPairs();
std::vector<LimitPair> limitPairs(Limit limit);

} // namespace warpglass
