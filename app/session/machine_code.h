// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of a file: of a cubin as it lies there, of a program those that nvcc put into it, of PTX, CUDA source and
// recordings what ptxas makes of them. It is read and shown; nothing executes it.
#pragma once

#include "app/session/compile.h"
#include "gpu/machine/cubin.h"
#include "gpu/trace/trace.h"

#include <map>

namespace warpglass::session {

struct MachineCode {
    machine::Cubin cubin;
    std::string bytes;          // that it was read from
    std::string origin;         // "made by ptxas from PTX", or what the file is
    std::string ptx;            // whose lines the code's tables name; empty where nobody knows it
    machine::Disassembly texts; // empty without NVIDIA's disassembler
    TracePtr counted;           // the recording, where it keeps this code and what a GPU counted of it; else null

    // Of an instruction of a function; null: nobody counted it.
    const MachineCount* countOf(const machine::Function& function, std::uint64_t offset) const;
};

// Whether a function of a cubin is the one that somebody asked for: by its name there, as the source has it, or without its
// template's arguments and parameters. Nothing asked for is every function.
bool isNamed(const std::string& function, const std::string& asked);

// arch: "sm_90"; what PTX is assembled for, and which of a program's codes is taken; empty: what the text is for, at least
// sm_90, or the newest. kernel: what the code of a program must have; empty: anything. Errors: the file cannot be read, holds
// no machine code, or there is no ptxas to make it; ptxas's own errors.
Result<MachineCode> machineCodeOf(const std::filesystem::path& file, const CompileOptions& options,
                                  const std::string& arch, const std::string& kernel = {});
// Of a recording, read from that file: the code of its first kernel, which it keeps or its PTX becomes.
Result<MachineCode> machineCodeOf(const std::filesystem::path& file, const TracePtr& recording,
                                  const std::string& arch);

// Where ptxas and nvcc are looked for, and on PATH; empty if there is none.
std::string findDisassembler();
// What `nvdisasm -c` printed, with or without registers' life ranges (-lrm).
machine::Disassembly readDisassembly(const std::string& printed);
machine::Disassembly textsOf(const machine::Cubin& cubin, const std::string& bytes);

} // namespace warpglass::session
