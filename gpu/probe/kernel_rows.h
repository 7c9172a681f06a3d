// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/probe/probe.h"

namespace warpglass::probe {

// What a Trace says of a kernel before it has run: text, files, lines, branches of the clean PTX.
Kernel kernelRow(const ptx::Module& module, const std::string& entry, const LaunchPlan& plan);

} // namespace warpglass::probe
