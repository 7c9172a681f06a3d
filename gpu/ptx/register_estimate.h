// SPDX-License-Identifier: GPL-3.0-or-later
// How many registers a thread of a kernel will have, where no assembler is at hand to say so.
//
// PTX has as many registers as the compiler likes; ptxas maps them to those of the machine. The least it can do with is
// the most that are live at once, which a walk over the control flow graph finds; what it takes is more where it moves
// loads up to wait for them together, and less where a value lies in constant memory or in a uniform register anyway.
// Both are put in by a rule that was fitted to ptxas's own counts (CUDA 13.0, compute capability 9.0) over kernels of the
// documents; tests/ptx/register_estimate_test.cpp compares it with others that had no part in it.
#pragma once

#include "gpu/ptx/module.h"

#include <cstdint>
#include <optional>

namespace warpglass::ptx {

// Registers a thread of the entry, functions that it calls included, as ptxas would hand them out: within .maxnreg and
// within what .maxntid and .minnctapersm leave. nullopt: as above, or there is no such entry.
std::optional<std::uint32_t> estimateRegisters(const Module& module, std::string_view entry);

} // namespace warpglass::ptx
