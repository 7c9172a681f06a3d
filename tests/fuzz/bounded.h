// SPDX-License-Identifier: GPL-3.0-or-later
// A run that ends soon, and what must be true of every one that was made.
#pragma once

#include "app/session/session.h"

namespace warpglass::fuzz {

session::RunRequest boundedRequest(); // a few hundred instructions a warp, one host thread, few launches of its own
void runBounded(const session::RunRequest& request);

} // namespace warpglass::fuzz
