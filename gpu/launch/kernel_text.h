// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace says of a kernel before it has run: its name, its texts, and which source line each line of PTX came
// from. The same for every backend.
#pragma once

#include "gpu/launch/plan.h"
#include "gpu/ptx/module.h"

namespace warpglass {

// "_Z9mapKernelIfEvPT_" -> "void mapKernel<float>(float*)"; empty for what is not mangled.
std::string demangled(const std::string& name);
// "_Z9mapKernelIfEvPT_" -> "mapKernel<float>": without result and parameters. What is not mangled stays as it is.
std::string plainName(const std::string& mangled);
// For a line of a list: what stands between the outermost < and > of a plain name longer than `most` bytes becomes "…".
std::string shortName(const std::string& plain, std::size_t most = 60);

// The place as a row of the trace has it: file is an index into Kernel::files. Line 0 where the file is not listed.
SourcePlace sourcePlace(const ptx::Module& module, const ptx::Place& place);

// Name, entry, source, PTX and files of an entry of the plan's module; everything else is for the caller to add. The
// kernel that the host launches has the plan's name.
Kernel kernelText(const ptx::Module& module, const std::string& entry, const LaunchPlan& plan, bool isHosts);

// Kernel::lines of these instructions, ascending. A line that was inlined from another file is linked with the line of
// the kernel's own file that it ended up in.
std::vector<LineLink> lineLinks(const ptx::Module& module, const Kernel& kernel,
                                const std::vector<const ptx::Instruction*>& instructions);

} // namespace warpglass
