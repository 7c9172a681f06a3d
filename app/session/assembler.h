// SPDX-License-Identifier: GPL-3.0-or-later
// ptxas as a process, asked one thing: how many registers a thread of a kernel has.
#pragma once

#include "gpu/ptx/module.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpglass::session {

std::string findAssembler(); // where nvcc is looked for; empty if there is none

// What ptxas says in the line of the entry's function; nullopt if it says nothing of it.
std::optional<std::uint32_t> registersOfEntry(const std::string& said, const std::string& entry);

// More than that (of all that the entry reaches) takes ptxas seconds and gigabytes: who shows a run does without its answer.
inline constexpr std::size_t mostAssembled = 16384; // instructions

// Registers a thread of the module's entry on a device of that compute capability ("90"), by the assembler at that path.
// nullopt where it does not assemble the text: the module wants what a linker would add, or what that device or that
// assembler does not have, or it takes longer, or more memory, than a run should wait for: then `why` is a sentence.
std::optional<std::uint32_t> assembledRegisters(const std::string& assembler, const ptx::Module& module,
                                                const std::string& entry, int capability, std::string* why = nullptr);

// All that ptxas -v says of it, "" where it does not assemble the text. Asked again, it has its answer at hand.
std::string saidByAssembler(const std::string& assembler, const ptx::Module& module, const std::string& entry,
                            int capability, std::string* why = nullptr);

} // namespace warpglass::session
