// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <optional>
#include <string>

namespace warpglass {

// The first place where two traces differ, "table blocks, row 5, column sm: 3 and 4"; nothing if they are equal.
// TraceInfo::when is not compared.
std::optional<std::string> firstDifference(const Trace& a, const Trace& b);

} // namespace warpglass
