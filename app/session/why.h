// SPDX-License-Identifier: GPL-3.0-or-later
// Why a launch takes as long as it does: the timing model asked again, each time without one limit of the machine
// (gpu/device/limit.h). What is saved is what the limit costs; savings overlap, since a warp waits for the slowest of
// several things, and so they do not add up to the whole.
//
// Where a limit belongs to single instructions (coalescing, conflicts, misses, atomics), it is then taken away from one
// source line at a time. For the others a line's share is counted: of the branches that went both ways, of the cycles
// that warps waited at barriers or for memory, of the issue slots.
#pragma once

#include "app/session/session.h"
#include "gpu/metrics/why.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>

namespace warpglass::session {

// Runs the request some thirty times. step(done, runs): before each. timelines: keep the trace of each launch without a
// limit that is worth a word. A fault of the kernel is an Error here, as is a cancelled progress. soFar: is told what is
// known after each limit, in order of what they save.
Result<Why> why(const RunRequest& request, const LaunchPlan& plan, Progress& progress,
                const std::function<void(int, int)>& step, bool timelines = false,
                const std::function<void(Why)>& soFar = {});

// What each limit saves and nothing else: no lines, no pairs, no states of warps, in some fifteen runs.
Result<Why> limitsOf(const RunRequest& request, const LaunchPlan& plan, Progress& progress);

nlohmann::ordered_json whyJson(const Why& why);
std::string whyText(const Why& why);

} // namespace warpglass::session
