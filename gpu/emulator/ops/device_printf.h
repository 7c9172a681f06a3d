// SPDX-License-Identifier: GPL-3.0-or-later
// printf of a kernel. The host does the formatting, as it does for a real GPU; the arguments lie in the thread's local
// memory, each by its natural alignment, promoted as C promotes them.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <string>

namespace warpglass::emulator {

struct Printed {
    std::string text;
    std::uint64_t arguments = 0; // how many were read: what printf answers on a GPU
    std::string refused;         // a conversion that CUDA's printf does not have ("%ls"); it is printed as it stands
};
// Of one thread: both are generic addresses.
Printed printArguments(Exec& x, int lane, std::uint64_t format, std::uint64_t arguments);

std::string readText(Exec& x, int lane, std::uint64_t address); // up to its zero

} // namespace warpglass::emulator
