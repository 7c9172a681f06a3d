// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/metrics/metrics.h"

#include <nlohmann/json_fwd.hpp>

namespace warpglass {

// {NAME: {"value", "unit", "origin", "nsight"}} in the order of the definitions; "value" is null with a "why" where the
// metric is undefined. If a name comes twice (a hardware counter and the exact count), the first is the value and the
// other stands beside it under its own origin: "counted": 25.02.
nlohmann::ordered_json metricsJson(std::span<const Metric> metrics);

} // namespace warpglass
