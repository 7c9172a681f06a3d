// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/machine: what ptxas and the driver's compiler make: machine code, read and shown, never executed.
//
// A cubin is an ELF file: a section .text.NAME a function, .nv.info with registers and stack, .nv.shared.NAME, line
// tables. Layouts were read off files that ptxas 12 and 13 had made; NVIDIA documents the tools that print them ("CUDA
// Binary Utilities"), not the bytes.
#pragma once

#include "gpu/machine/instruction.h"
#include "gpu/machine/line_table.h"

#include <map>
#include <optional>

namespace warpglass::machine {

struct Function {
    std::string name;
    bool entry = false;                             // a kernel
    std::optional<std::uint32_t> registers;         // a thread
    std::optional<std::uint32_t> stackBytes;        // a thread, in local memory: arrays and spills
    std::uint32_t sharedBytes = 0;                  // a block, known when it was compiled
    std::uint32_t barriers = 0;                     // named barriers
    std::vector<Instruction> code;                  // instructionBytes each, from its beginning
    std::vector<std::array<std::uint64_t, 2>> bits; // and their 128 bits, lower ones first
    LineTable source, ptx;                          // empty without -lineinfo
    std::map<std::uint64_t, std::string> inner;     // functions that it calls and that lie in it, by their place

    // Without what fills up the end: a branch to itself, and NOP.
    std::size_t withoutFilling() const;
    // Where code of the compiler's own begins, of a division or a square root, which the function calls: behind its end, and
    // no row of a line table begins there. code.size(): there is none.
    std::size_t helpers() const;
};
struct Cubin {
    unsigned arch = 0;    // 90: sm_90
    std::string compiler; // "ptxas V13.0.88"; empty where it does not say
    std::vector<Function> functions;
    std::vector<std::string> ptx; // lines of the PTX text that it was made from, without comments, where it is there
};

// What NVIDIA's disassembler says of an instruction, by function and place.
struct Disassembled {
    std::string text;
    std::uint32_t live = 0; // registers of a thread that hold a value there; 0: it does not say
    bool operator==(const Disassembled&) const = default;
};
using Disassembly = std::map<std::string, std::map<std::uint64_t, Disassembled>>;
// Of the function's instruction; null: it says nothing.
const Disassembled* saidOf(const Disassembly& texts, const std::string& function, std::size_t instruction);

// Error: the bytes are no machine code, cut short, or of an architecture before 7.0, whose instructions lie otherwise.
Result<Cubin> readCubin(Bytes bytes);

// What .nv.info says of a thread of each function, by its name; the code is not read.
struct FunctionFacts {
    std::optional<std::uint32_t> registers, stackBytes;
};
// Error: as readCubin().
Result<std::map<std::string, FunctionFacts>> readFacts(Bytes bytes);

// Instructions by mnemonic; "?" are those that the table does not know.
std::map<std::string, std::size_t> countByMnemonic(const Function& function, unsigned arch);

} // namespace warpglass::machine
