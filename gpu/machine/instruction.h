// SPDX-License-Identifier: GPL-3.0-or-later
// One machine instruction of compute capability 7.0 to 12.x: 128 bits, of which this reads what says whether it is executed,
// what it is, where it goes, and what the scheduler is told of it.
//
// Guards, opcodes and targets are held to nvdisasm's answers over 147,104 instructions of our own kernels for five
// architectures (tests/machine). What the control field means: Z. Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking", 2018, 2.1, and R. Huerta et al., "Analyzing Modern NVIDIA GPU cores", MICRO 2025, 4; where its bits
// lie: the encoders of Mesa's nak and CuAssembler. nvdisasm does not show it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpglass::machine {

inline constexpr std::uint64_t instructionBytes = 16;
inline constexpr std::uint8_t noScoreboard = 7, alwaysTrue = 7;

// What the compiler tells the scheduler.
struct Control {
    std::uint8_t stall = 0;             // cycles before the warp's next instruction, 0 to 15
    bool yields = false;                // another warp is preferred next
    std::uint8_t writes = noScoreboard; // scoreboard, 0 to 5, released when the result is written; 7: none
    std::uint8_t reads = noScoreboard;  // and when the operands have been read
    std::uint8_t waits = 0;             // bit i: waits until scoreboard i is released
    std::uint8_t reuse = 0;             // bit i: operand i is kept for the next instruction
};

enum class Flow : std::uint8_t { Next, Branch, Call, Return, Exit, Meet, Join };
// Meet: BSSY, which names where lanes that part come together; Join: BSYNC, where they do.

struct Instruction {
    std::uint16_t opcode = 0;        // 12 bits
    std::uint8_t guard = alwaysTrue; // predicate register that decides lane by lane; 7: always
    bool negated = false;            // the lanes in which it is false
    Control control;
    Flow flow = Flow::Next;
    bool ifApart = false; // a branch that is taken if not all lanes are there, or if they are: BRA.DIV, BRA.CONV
    // Whether what stands behind it may come next.
    bool goesOn() const {
        return guard != alwaysTrue || negated || ifApart || flow == Flow::Next || flow == Flow::Call ||
               flow >= Flow::Meet;
    }
    std::optional<std::uint64_t>
        target; // of a branch, call or BSSY: bytes from the beginning of the function, if it is told
};

// low, high: its 128 bits. at: its own place, in bytes. arch: 90 for sm_90.
Instruction decode(std::uint64_t low, std::uint64_t high, std::uint64_t at, unsigned arch);

// "IMAD" without modifiers; empty where the table does not know the opcode on this architecture.
std::string_view mnemonic(std::uint16_t opcode, unsigned arch);

// "@!P0 BRA 0x1a0": guard, mnemonic and target; an unknown opcode as "?2c7".
std::string plainText(const Instruction& instruction, unsigned arch);

} // namespace warpglass::machine
