// SPDX-License-Identifier: GPL-3.0-or-later
// A run that ends soon, and what must be true of every one that was made.
#pragma once

#include "app/session/session.h"

#include <optional>

namespace warpglass::fuzz {

// A few hundred instructions a warp, one host thread, few launches of its own, no other program.
session::RunRequest boundedRequest();
void bound(session::RunRequest& request); // the same for one that somebody else has made
// What it comes to. Nothing: it is refused, or it is sound and more than one input may cost.
std::optional<LaunchPlan> boundedPlan(const session::RunRequest& request);
void runBounded(const session::RunRequest& request);

} // namespace warpglass::fuzz
