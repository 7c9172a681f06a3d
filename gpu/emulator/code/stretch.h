// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace warpglass::emulator {

// So many numbers of a memory, from one on.
struct Stretch {
    std::uint64_t begin = 0, bytes = 0;
    bool holds(std::uint64_t at, std::uint64_t length) const {
        return at - begin <= bytes && bytes - (at - begin) >= length;
    }
};

} // namespace warpglass::emulator
