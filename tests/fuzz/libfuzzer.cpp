// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets.h"

#include <cstddef>
#include <cstdint>

// WARPGLASS_FUZZ_TARGET: which of targets.h this program is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    warpglass::fuzz::WARPGLASS_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
