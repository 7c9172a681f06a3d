// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"

#include <string_view>

namespace warpglass {

// The value of an arithmetic expression: + - * /, parentheses, numbers (2, 1.5, 4e9), ceil(x), floor(x), min(a,b),
// max(a,b), and a ^ b for powers (right to left, above *). The error says at which character it stopped.
Result<double> evaluateExpression(std::string_view text);

} // namespace warpglass
