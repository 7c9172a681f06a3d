// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/launch/plan.h"
#include "gpu/ptx/module.h"

#include <span>
#include <string>
#include <vector>

namespace warpglass::session {

// Error: arguments that are too few or too many for the kernel, or that it would take for something else: bytes that are
// not as many, numbers of another kind. specs: as they were typed; line: of the entry in the file, or 0.
Result<void> holdAgainstParameters(const ptx::Function& entry, const std::vector<Argument>& arguments,
                                   std::span<const std::string> specs, const std::string& file, int line);

} // namespace warpglass::session
