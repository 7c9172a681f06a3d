// SPDX-License-Identifier: GPL-3.0-or-later
// What single machine instructions do, as far as their names and bits tell, and which others they wait for.
#pragma once

#include "gpu/machine/cubin.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpglass::machine {

bool isSelect(std::string_view mnemonic);
bool isUniform(std::string_view mnemonic); // of the uniform datapath
// What a lane reads or writes for itself: no atomics, matrices or copies.
bool isPlainAccess(std::string_view mnemonic);

// Bytes that a lane reads or writes by a plain load or store; 0: it is none.
std::uint32_t accessBytes(const Function& function, std::size_t index, unsigned arch);

// The instructions whose result an instruction waits for: of each scoreboard in its mask those that set it before, as far
// back as it was waited for last; around a loop, too. Function::code, ascending.
std::vector<std::uint32_t> awaited(const Function& function, std::size_t index);

} // namespace warpglass::machine
