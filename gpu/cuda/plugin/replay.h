// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's part of replay_request.h.
#pragma once

#include "gpu/cuda/replay_request.h"

#include <functional>

namespace warpglass::cuda {

// Why there is no answer, for who may ask again. Place: this process has something else where the program has memory; the
// next one lies elsewhere. Fault: the kernel with probes failed as it ran.
enum class Missed : std::uint8_t { Other, Place, Fault };

// The launch with probes; its trace, with what is known of the kernel with probes, lies in the file then. contents: of
// each area. A kernel that does not end is told to giveUp, which does not return.
Result<ReplayAnswer> replay(const ReplayRequest& request, const std::vector<std::string>& contents,
                            const std::function<void()>& alive, const std::function<void()>& giveUp, Missed& missed);

} // namespace warpglass::cuda
