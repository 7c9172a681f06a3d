// SPDX-License-Identifier: GPL-3.0-or-later
// What memory held when a program made a launch: enough to make the launch again without the program.
#pragma once

#include "gpu/trace/pages.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <vector>

namespace warpglass {

struct KeptMemory {
    std::vector<KeptArea> areas;     // parameters and constants, then pieces in ascending order of address
    LargeTable<std::uint64_t> words; // bytes of the areas, one after the other, each filled up to a whole word
    bool empty() const { return areas.empty(); }
};

} // namespace warpglass
