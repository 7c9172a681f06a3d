// SPDX-License-Identifier: GPL-3.0-or-later
// How PTX becomes machine code as far as time is concerned: passes one after the other, each over all of the code.
#pragma once

#include "gpu/emulator/timing/machine_code.h"

#include <span>
#include <string_view>
#include <vector>

namespace warpglass::emulator {

// What passes work on.
struct Translation {
    Translation(const Program& of, const DeviceTiming& on);
    const Program& program;
    const DeviceTiming& timing;
    bool debug = false; // compiled with -G
    MachineCode code;
    std::vector<std::uint32_t> firstOf;            // [function] number of its first register
    std::vector<std::vector<std::uint32_t>> users; // [register] positions that read it in PTX
    std::uint32_t number(const InstInfo& info, Row row) const;
};

// In their order:
void nameRegisters(Translation& t);    // reads, writes and lines; users
void takeCosts(Translation& t);        // pipe, slots, gap, latency: of each instruction by itself
void leaveAsWritten(Translation& t);   // of code that ptxas does not optimise; where its lines of code begin
void shareReciprocals(Translation& t); // of one divisor (pass_quotients.cpp)
void combineAtomics(Translation& t);   // which a warp makes as one
void keepInRegisters(Translation& t);  // small arrays of local memory
void joinLoads(Translation& t);        // of shared memory (join_loads.cpp)
void fuse(Translation& t);             // into additions, addresses, other logic
void predicate(Translation& t);        // short branches
void unrollLoops(Translation& t);      // unroll.cpp
void setTraits(Translation& t);        // of what is left
void schedule(Translation& t);         // MachineCode::order (schedule_code.cpp)
void issueAtOnce(Translation& t);      // where slots take no time

struct Pass {
    enum class Of : std::uint8_t { Any, Optimised, Debug };
    std::string_view name;
    Of of;
    void (*run)(Translation&);
    bool isFor(const Translation& t) const { return of == Of::Any || (of == Of::Debug) == t.debug; }
};
std::span<const Pass> passes();

// What several of them ask of an instruction.
bool readsSpecial(const ptx::Instruction& i);          // a special register
bool readsConstantRegister(const ptx::Instruction& i); // one that lies in constant memory: sizes of grid and block

} // namespace warpglass::emulator
