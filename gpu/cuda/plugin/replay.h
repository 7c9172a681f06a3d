// SPDX-License-Identifier: GPL-3.0-or-later
// The worker's part of replay_request.h.
#pragma once

#include "gpu/cuda/replay_request.h"

#include <functional>

namespace warpglass::cuda {

// The launch with probes; its trace, with what is known of the kernel with probes, lies in the file then. contents: of
// each area. A kernel that does not end is told to giveUp, which does not return.
Result<ReplayAnswer> replay(const ReplayRequest& request, const std::vector<std::string>& contents,
                            const std::function<void()>& alive, const std::function<void()>& giveUp);

} // namespace warpglass::cuda
