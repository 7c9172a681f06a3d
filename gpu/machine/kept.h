// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/machine/cubin.h"
#include "gpu/trace/trace.h"

#include <functional>
#include <optional>
#include <set>

namespace warpglass::machine {

// Of what a recording keeps, the cubin that has this function; empty: none has, or it cannot be read.
Bytes bytesWith(const MachineCodes& codes, const std::string& function);
std::optional<Cubin> codeWith(const MachineCodes& codes, const std::string& function);

// A cubin as a recording keeps it, with these kernels alone (compact.h). Error: it is none.
Result<void> keep(MachineCodes& codes, Bytes cubin, const std::set<std::string, std::less<>>& kernels);
// With all kernels of a recording.
Result<void> keepAll(MachineCodes& codes, Bytes cubin, const std::vector<Kernel>& kernels);

// Whether a GPU's samples of a launch, or its counts where there is no sample, were taken of this code: it has their lines of PTX
// at their places. lineAt: the line that it has at a row's place (bytes from its function's beginning), 0: none; of which
// function the place is says the row's own line.
bool wasSampled(const Trace& trace, std::uint32_t launch,
                const std::function<std::uint32_t(std::uint32_t sassOffset, std::uint32_t line)>& lineAt);

} // namespace warpglass::machine
