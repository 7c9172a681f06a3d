// SPDX-License-Identifier: GPL-3.0-or-later
// Where a thread can still come to.
#pragma once

#include "gpu/emulator/code/program.h"

#include <functional>

namespace warpglass::emulator {

// Whether something that holds can be executed behind a position, in its function.
bool reachesWhat(const Program& program, std::uint32_t from, const std::function<bool(std::uint32_t)>& holds);
// From it on, on ways that come to nothing that ends them before.
bool comesTo(const Program& program, std::uint32_t from, const std::function<bool(std::uint32_t)>& holds,
             const std::function<bool(std::uint32_t)>& ends);
bool reaches(const Program& program, std::uint32_t from, std::uint32_t position);

} // namespace warpglass::emulator
