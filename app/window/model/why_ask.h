// SPDX-License-Identifier: GPL-3.0-or-later
// How a launch that is open, or in a file, is asked what its time is spent on: which request that is, and whether asking
// takes so little that nobody needs to be asked first.
#pragma once

#include "app/window/model/run.h"
#include "gpu/metrics/why.h"

#include <functional>

namespace warpglass {

// The launch as the timing model runs it. Error: it holds nothing that can be run again.
Result<RunRequest> whyRequest(const Run& open);
// Whether the trace is such a run already: its times are the model's.
bool isModelled(const Trace& trace);
// All of some thirty runs are done before a person would press a button for it.
bool isQuicklyAnswered(const Trace& trace);

// Some thirty runs; step(done, runs) before each, and soFar with what is known after each limit. open: what the answer
// must be of, if its times are the model's.
Result<Why> askWhy(const RunRequest& request, const Run& open, Progress& progress,
                   const std::function<void(int, int)>& step, const std::function<void(Why)>& soFar = {});

} // namespace warpglass
