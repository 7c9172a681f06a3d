// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <optional>

namespace warpglass {

// How many blocks of this launch an SM of the trace's device can hold by the occupancy rules (gpu/device); nothing
// if the compute capability is unknown. Registers that are not known do not limit.
std::optional<std::uint32_t> blocksThatFit(const Trace& trace, std::uint32_t launch);

} // namespace warpglass
