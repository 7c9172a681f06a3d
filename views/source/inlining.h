// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines of the kernel's own source a PTX instruction belongs to.
//
// A function that is inlined leaves each of its instructions with two homes: the line of its body, and the line that
// called it (and that one's caller, if it was inlined itself). The compiler writes them as a chain behind .loc; here
// they are read again from the kernel's PTX, since the trace keeps the two ends alone. What lies in other files
// (headers) is left out: only the kernel's own file is shown.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <vector>

namespace warpglass {

// Lines of Kernel::source, the innermost first, each once; empty where the compiler named none.
using InlineChain = std::vector<std::uint32_t>;

// [PTX line], as many as the text has lines and one; where the text cannot be read, what the trace says of each line.
std::vector<InlineChain> inlineChains(const Kernel& kernel);

} // namespace warpglass
