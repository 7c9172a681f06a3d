// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/session.h"
#include "gpu/base/progress.h"
#include "gpu/metrics/claims.h"

#include <functional>
#include <string>
#include <vector>

namespace warpglass::session {

// The claims that are built into the program (resources/claims.json).
Result<std::vector<Claim>> shippedClaims();

// The launch that {"kernel": ..., "size": ..., "block": ...} of a claim's "how" stands for, on the emulated device it
// names (an H200 if it names none).
RunRequest claimLaunch(const nlohmann::json& words);

struct CheckOptions {
    std::string document; // "D4": only its claims; empty = all
    bool timing = false;  // also run the timing model for claims about time, which takes longer
    bool gpu = false;     // measure on this machine's GPU what the shipped values were measured on an H200 for
    int threads = 0;      // host threads of the emulator; 0 = all
};

// Measures every claim again, each launch once, and judges it. claims must outlive the result. finished is called after
// each.
std::vector<CheckedClaim> checkClaims(const std::vector<Claim>& claims, const CheckOptions& options, Progress& progress,
                                      const std::function<void(const CheckedClaim&)>& finished = {});

} // namespace warpglass::session
