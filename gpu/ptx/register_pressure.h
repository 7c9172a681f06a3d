// SPDX-License-Identifier: GPL-3.0-or-later
// How many registers of a function are live at once: a walk backwards over the control flow graph. Two orders are
// looked at, the one of the text and the one in which ptxas likes to have loads. Values that the machine finds in
// constant memory, or inside an address, count for nothing.
#pragma once

#include "gpu/ptx/module.h"

#include <cstdint>
#include <optional>

namespace warpglass::ptx {

// Most registers that are live at once before an instruction, in words of 32 bits.
struct RegisterPressure {
    std::uint32_t words = 0;      // 64-bit ones count twice, narrow ones once
    std::uint32_t hoisted = 0;    // words, with the loads between two stores or barriers before everything else
    std::uint32_t predicates = 0; // which have registers of their own
    std::uint32_t loopLoads = 0;  // words that the loads of a loop bring each time, of the loop that brings most
    bool calls = false;           // a function that stays a function
};
// nullopt: a branch leads nowhere, or the function is so large that it is not looked through.
std::optional<RegisterPressure> registerPressure(const Function& function);

} // namespace warpglass::ptx
