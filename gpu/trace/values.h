// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

namespace warpglass {

// That no number is one that no device and no run can have; part of validateOutline() and validate().
Result<void> validateValues(const Trace& trace);
// Within days of the run's beginning: of events and states, which an outline does not look into.
bool isSensible(Time t);

} // namespace warpglass
