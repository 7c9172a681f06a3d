// SPDX-License-Identifier: GPL-3.0-or-later
// One element of a reduction in memory: of red.async and of the reducing copies.
#pragma once

#include "gpu/ptx/describe.h"

#include <cstddef>

namespace warpglass::emulator {

// *at = *at OP *value; unaligned is fine. False: there is no such operation on this type.
bool reduceElement(std::byte* at, const std::byte* value, ptx::Operation op, ptx::Type type);

} // namespace warpglass::emulator
