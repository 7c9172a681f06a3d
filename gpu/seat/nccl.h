// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of NCCL: each is taken down, and the kernels and copies that it asks the driver for are its work. The library's
// functions come here as the driver's do: this library has functions of the same names, and dlsym answers with them.
#pragma once

#include "gpu/seat/nvrtc.h"

#include <cstdint>
#include <span>

namespace warpglass::seat {

// What stands for a function of NCCL's that the program looks up by dlsym; nullptr: the library's own.
void* insteadOfNccl(void* library, const char* name, Lookup lookup);

// Rows of the calls that this thread's NCCL is carrying out now.
struct CollectiveUnderWay {
    std::uint32_t row = 0, stream = 0;
};
std::span<const CollectiveUnderWay> collectivesUnderWay();

} // namespace warpglass::seat
