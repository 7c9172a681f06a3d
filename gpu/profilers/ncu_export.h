// SPDX-License-Identifier: GPL-3.0-or-later
// A recording's numbers in the shape of Nsight Compute's raw page, so that what reads those reads these: a row for the
// host's launch, a column for each metric that has Nsight Compute's name and a value.
#pragma once

#include "gpu/trace/trace.h"

#include <string>

namespace warpglass::profilers {

// Values in the units of its names; "Host Name" says whence a row is: "warpglass (counted and modelled)".
std::string ncuCsv(const Trace& trace);

} // namespace warpglass::profilers
