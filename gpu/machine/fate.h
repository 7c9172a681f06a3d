// SPDX-License-Identifier: GPL-3.0-or-later
// What became of each line of PTX in machine code, and of each decision: read off the line table, opcodes, guards and
// targets. What is said is what the code shows; where the table gives an instruction to another line of PTX than the one
// that asked for it (ptxas does so when it moves code), this follows the table.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/base/message.h"
#include "gpu/machine/cubin.h"
#include "gpu/ptx/module.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass::machine {

enum class LineFate : std::uint8_t {
    Kept,       // machine instructions of its own
    Copied,     // the same several times: an unrolled loop, or several paths
    Predicated, // executed by the lanes of a guard that the PTX does not have
    Hoisted,    // out of the loop that it stands in
    Merged,     // another line's instruction does it, too: a product in a sum, an address in an access
    Joined,     // with a neighbouring access into a wider one
    Gone,
};
struct PtxFate {
    std::uint32_t line = 0; // of PTX, 1-based
    LineFate fate = LineFate::Kept;
    std::vector<std::uint32_t> code; // its machine instructions: Function::code, ascending
    std::uint32_t into = 0;          // Merged, Joined: the PTX line that has the instruction
    std::uint32_t copies = 1;        // Copied
    bool inLoop = false;             // Copied: it is a loop that was unrolled
    std::uint32_t bytes = 0;         // Joined: of the access, a lane
    std::uint32_t spills = 0;        // of `code`: loads and stores of local memory that the PTX does not ask for
};

enum class BranchFate : std::uint8_t {
    Left,       // a branch
    Uniform,    // a branch of the uniform datapath: whole warps
    Select,     // both values are there, and each lane keeps one
    Predicated, // guards
    Exit,       // a guarded EXIT
    Unrolled,   // of a loop
    Gone,
};
struct Decision {
    std::uint32_t line = 0; // of PTX: a conditional branch, or a selp
    BranchFate fate = BranchFate::Gone;
    std::uint32_t asked = 0;         // the PTX line that compares: the predicate's last writer before it; else `line`
    bool isLoop = false;             // it jumps up
    std::vector<std::uint32_t> code; // the selects, the guarded ones, or the branches
    // Left: where the lanes that it parts meet: behind the BSYNC of the BSSY before it, in bytes from the function's
    // beginning, and the PTX line there (0: none). No place: no BSSY names one.
    std::optional<std::uint64_t> meets;
    std::uint32_t meetsLine = 0;
};

struct Fates {
    std::vector<PtxFate> lines;        // of the PTX function, ascending
    std::vector<Decision> decisions;   // ascending
    std::vector<std::uint32_t> spills; // of all lines: Function::code, ascending
};

// Empty where the function has no table of PTX lines, or the text no such function.
// within: a PTX function whose code lies in that of another, which calls it; empty: the function itself.
Fates fatesOf(const Function& function, unsigned arch, const ptx::Module& module, const std::string& within = {});

// One sentence.
Message wordsOf(const PtxFate& fate, const Function& function, unsigned arch);
// place: where the lanes meet, in words; it says what is, as the end of a sentence about the decision.
Message wordsOf(const Decision& decision, const Message& place);
// The whole sentence, without its line.
Message wordsHere(const Decision& decision, const Message& words);
// And with the line of the source, or of PTX where that is 0.
Message wordsAt(const Decision& decision, std::uint32_t sourceLine, const Message& words);
// Of a line that has some; nullopt: it has none.
std::optional<Message> spillWords(const PtxFate& fate);

} // namespace warpglass::machine

namespace warpglass {
template <>
inline constexpr auto enumWords<machine::LineFate> =
    EnumWords("fate of a line", {"kept", "copied", "predicated", "hoisted", "merged", "joined", "gone"});
template <>
inline constexpr auto enumWords<machine::BranchFate> =
    EnumWords("fate of a decision", {"left", "uniform", "select", "predicated", "exit", "unrolled", "gone"});
} // namespace warpglass
