// SPDX-License-Identifier: GPL-3.0-or-later
// As much of NVIDIA's machine code as is needed to say what probing changed: how many instructions and conditional
// branches a kernel has in a cubin. Instructions are 16 bytes since compute capability 7.0; opcode in bits 0 to 11,
// guard predicate in bits 12 to 14 (7: always) and its negation in bit 15, a branch's second predicate in bits 87 to
// 89, as `nvdisasm -hex` shows for sm_75 to sm_90.
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace warpglass::cuda {

struct CubinCounts {
    std::uint32_t instructions = 0;        // without the padding after the last one
    std::uint32_t conditionalBranches = 0; // BRA and BRX whose guard can be false
    std::uint32_t barriers = 0;            // BAR
};

// Looks at the section .text.ENTRY of a cubin (an ELF file). Error: no such section, or no ELF file.
Result<CubinCounts> countCubin(std::span<const std::byte> cubin, std::string_view entry);

} // namespace warpglass::cuda
