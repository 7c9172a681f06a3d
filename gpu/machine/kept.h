// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/machine/cubin.h"
#include "gpu/trace/tables.h"

#include <optional>
#include <set>

namespace warpglass::machine {

// Of what a recording keeps, the cubin that has this function; empty: none has, or it cannot be read.
Bytes bytesWith(const MachineCodes& codes, const std::string& function);
std::optional<Cubin> codeWith(const MachineCodes& codes, const std::string& function);

// A cubin as a recording keeps it, with these kernels alone (compact.h). Error: it is none.
Result<void> keep(MachineCodes& codes, Bytes cubin, const std::set<std::string, std::less<>>& kernels);

} // namespace warpglass::machine
