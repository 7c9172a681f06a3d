// SPDX-License-Identifier: GPL-3.0-or-later
// Work that a program leaves without order though it touches the same memory, told from the list of what it did on a GPU, where
// nobody sees which bytes a kernel touches: as far as that is certain.
//
// Of a copy or fill of one piece all bytes are certain, of one of rows the first; of a launch what its first and its last thread
// touch (gpu/ptx/certain_accesses.h), which follows from the kernel's PTX and the launch's arguments. What is told is so in every
// run; what is not told may be unordered all the same. Nothing is told of kernels that may learn from memory what others do, and
// what comes before a kernel that touches memory the host sees counts as known to the host, which may have looked.
#pragma once

#include "gpu/program/program.h"

#include <functional>

namespace warpglass::program {

// program: of one process, with its allocations. ptxOf: the PTX in which that kernel is, by its entry; empty: not known.
void tellUnordered(ProgramTrace& program, const std::function<std::string(std::uint32_t kernel)>& ptxOf);

} // namespace warpglass::program
