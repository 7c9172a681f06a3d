// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/machine_sight.h"

namespace warpglass {

// The machine code of a kernel, and its operands' texts where NVIDIA's disassembler is there. It may ask ptxas, which takes
// a tenth of a second, and no more than eight.
MachineAnswer askMachine(const TracePtr& trace, std::uint32_t kernel);
// Whether asking tells more than the trace does.
bool isMachineToAsk(const Trace& trace, std::uint32_t kernel);

} // namespace warpglass
