// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code that a program brings along for its kernels: what nvcc put into it, or what a compiler made while it ran.
#pragma once

#include "gpu/ptx/module.h"
#include "gpu/trace/machine_codes.h"

#include <cstdint>
#include <string>

namespace warpglass::machine {

// image: as cuModuleLoadData takes it, in this process: a wrapper, a container, PTX text or a cubin. The cubin in it that has the
// kernel, made for a device of that capability (90) or an older one of its generation, the newest; empty: there is none.
std::string ownCubin(const void* image, std::uint32_t capability, const std::string& kernel);

// As a recording of the kernel keeps it, whose PTX has it as that function (nullptr: has no such). Empty where the code names no lines of PTX, or those of
// another text (of one of several files that were joined): it could be laid beside nothing.
MachineCodes ownCode(const std::string& cubin, const ptx::Function* kernel);

// Of a kernel whose PTX nobody has. Empty: the cubin does not have it.
MachineCodes codeAlone(const std::string& cubin, const std::string& kernel);

} // namespace warpglass::machine
