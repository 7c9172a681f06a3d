// SPDX-License-Identifier: GPL-3.0-or-later
// ptxas as a process: what it says of a kernel (its registers above all), and the machine code that it makes.
#pragma once

#include "app/session/child_process.h"
#include "gpu/base/result.h"
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

// More than any kernel of a lesson takes (0.2 s), less than a person waits for.
inline constexpr ChildLimits patience{
    .memoryBytes = std::uint64_t(3) << 29, .fileBytes = std::uint64_t(64) << 20, .cpuSeconds = 4, .wallSeconds = 8};

struct Assembly {
    std::string said;  // all that ptxas -v says
    std::string cubin; // with line tables
};
// What `.target` names: "sm_90a"; empty: nothing.
std::string targetOf(const std::string& ptx);
// arch: "sm_90". entry: that kernel alone, or empty: all of them. Error: ptxas does not assemble the text, in its own words,
// or does not come to its end within the limits; `ended`, if given, says how it came to one.
Result<Assembly> assemble(const std::string& assembler, const std::string& ptx, const std::string& arch,
                          const std::string& entry, const ChildLimits& limits, ChildEnd* ended = nullptr);

// Registers a thread of the module's entry on a device of that compute capability ("90"), by the assembler at that path.
// nullopt where it does not assemble the text: the module wants what a linker would add, or what that device or that
// assembler does not have, or it takes longer, or more memory, than a run should wait for: then `why` is a sentence.
std::optional<std::uint32_t> assembledRegisters(const std::string& assembler, const ptx::Module& module,
                                                const std::string& entry, int capability, std::string* why = nullptr);

// All that ptxas -v says of it, "" where it does not assemble the text. Asked again, it has its answer at hand.
std::string saidByAssembler(const std::string& assembler, const ptx::Module& module, const std::string& entry,
                            int capability, std::string* why = nullptr);
// The cubin of that last answer, where it is of this text, entry and device; else empty: nothing is asked.
std::string lastAssembled(const std::string& ptx, const std::string& entry, int capability);

} // namespace warpglass::session
