// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass {

// Machine code that a recording keeps, as a cubin (gpu/machine reads it), made from the kernels' PTX: a function of it has
// the name of Kernel::entry, and its lines of PTX are those of Kernel::ptx. Empty in files of format 9 and older.
struct MachineCode {
    std::uint32_t arch = 0;  // 90: sm_90
    std::string compiler;    // "ptxas V13.0.88"; empty where the code does not say
    std::uint64_t bytes = 0; // the next ones of MachineCodes::bytes
    bool operator==(const MachineCode&) const = default;
};
struct MachineCodes {
    std::vector<MachineCode> all;
    std::vector<std::uint8_t> bytes; // of all, one after the other
    bool operator==(const MachineCodes&) const = default;
};

} // namespace warpglass
