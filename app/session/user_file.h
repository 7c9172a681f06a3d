// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/session.h"

namespace warpglass::session {

// A path that ends in .ptx or .cu.
bool isUserFile(const std::string& kernel);

// The plan of a kernel that a user brings: PTX as it is, CUDA source through the compiler. The arguments are held
// against the entry's parameters, one by one. staticShared: bytes of static shared memory, as the PTX declares them.
Result<LaunchPlan> planOfFile(const RunRequest& request, std::uint32_t& staticShared);

} // namespace warpglass::session
