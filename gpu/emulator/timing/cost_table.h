// SPDX-License-Identifier: GPL-3.0-or-later
// What one instruction of PTX costs by itself, as a table: the pipe it keeps busy, how long its result takes, the issue
// slots it becomes. Loads, atomics and special registers depend on more than their words; machine_code.cpp has those.
#pragma once

#include "gpu/device/device_timing.h"
#include "gpu/emulator/code/program.h"

namespace warpglass::emulator {

struct Cost {
    Pipe pipe = Pipe::Alu;
    std::uint32_t latency = 0;
    std::uint32_t slots = 1;
    std::uint32_t gap = 1;     // cycles between two of its slots
    std::uint32_t special = 0; // of its slots, how many are on Pipe::Xu
};

// debug: the module is compiled with -G, which keeps what ptxas would rename away.
Cost costOf(const InstInfo& info, bool debug, const DeviceTiming& timing);

// Machine instructions that ptxas makes of it with -G. otherwise: what costOf says.
std::uint8_t unoptimisedSlots(const InstInfo& info, std::uint8_t otherwise);

bool isWide64(const ptx::Description& is); // works on 64-bit whole numbers: two machine instructions

} // namespace warpglass::emulator
