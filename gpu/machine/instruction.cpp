// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/instruction.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpglass::machine {

namespace {

// An opcode and what nvdisasm calls it from this architecture on, up to the opcode's next row.
struct Opcode {
    std::uint16_t bits, since;
    std::string_view name;
};
constexpr Opcode opcodes[] = {
#define OPCODE(bits, since, name) {bits, since, #name},
#include "gpu/machine/opcodes.inl"
#undef OPCODE
};

// Bits first to first + count of the 128.
std::uint64_t field(std::uint64_t low, std::uint64_t high, unsigned first, unsigned count) {
    std::uint64_t value = first >= 64 ? high >> (first - 64) : low >> first;
    if (first < 64 && first + count > 64)
        value |= high << (64 - first);
    return count == 64 ? value : value & ((std::uint64_t(1) << count) - 1);
}

std::int64_t extended(std::uint64_t value, unsigned bits) {
    const std::uint64_t sign = std::uint64_t(1) << (bits - 1);
    return std::int64_t((value ^ sign) - sign);
}

constexpr std::uint16_t bra = 0x947, braUniform = 0x547, callRelative = 0x944, bssy = 0x945, bsync = 0x941,
                        exitCode = 0x94d, warpsync = 0x348, warpsyncAll = 0x948, syncsUniform = 0x5b2;
constexpr unsigned hopper = 90;

// In instructions' distance from the next one, in steps of four bytes: 48 bits, and on sm_90 and later eight more below.
std::uint64_t branchTarget(std::uint64_t low, std::uint64_t high, std::uint64_t at, unsigned arch) {
    std::int64_t steps = extended(field(low, high, 34, 48), 48);
    if (arch >= hopper)
        steps = steps * 256 + std::int64_t(field(low, high, 16, 8));
    return at + instructionBytes + std::uint64_t(steps) * 4;
}

// Of arithmetic, the upper three of the twelve bits say where the operands lie, in registers or constants, and the others what is
// done (Mesa's nak, encode_alu): what was seen in one form is the same in another. Of the table's own rows, each left out once,
// 131 are found so again, 5 are told apart by nobody, and none is found wrongly; 50 have one form.
std::string_view inAnotherForm(std::uint16_t opcode, unsigned arch) {
    constexpr std::uint16_t done = 0x1ff, arithmetic = 0x140;
    if ((opcode & done) >= arithmetic)
        return {};
    std::string_view found;
    for (const Opcode& row : opcodes)
        if ((row.bits & done) == (opcode & done) && row.since <= arch) {
            if (!found.empty() && row.name != found)
                return {};
            found = row.name;
        }
    return found;
}

} // namespace

std::string_view mnemonic(std::uint16_t opcode, unsigned arch) {
    const auto after = std::upper_bound(
        std::begin(opcodes), std::end(opcodes), std::pair(opcode, arch),
        [](const auto& asked, const Opcode& row) { return asked < std::pair(row.bits, unsigned(row.since)); });
    if (after != std::begin(opcodes) && std::prev(after)->bits == opcode)
        return std::prev(after)->name;
    // Seen on later architectures alone: names seldom change.
    return after != std::end(opcodes) && after->bits == opcode ? after->name : inAnotherForm(opcode, arch);
}

Instruction decode(std::uint64_t low, std::uint64_t high, std::uint64_t at, unsigned arch) {
    Instruction in;
    in.opcode = std::uint16_t(field(low, high, 0, 12));
    in.guard = std::uint8_t(field(low, high, 12, 3));
    in.negated = field(low, high, 15, 1) != 0;
    in.control = {.stall = std::uint8_t(field(low, high, 105, 4)),
                  .yields = field(low, high, 109, 1) == 0, // the bit says that it does not
                  .writes = std::uint8_t(field(low, high, 110, 3)),
                  .reads = std::uint8_t(field(low, high, 113, 3)),
                  .waits = std::uint8_t(field(low, high, 116, 6)),
                  .reuse = std::uint8_t(field(low, high, 122, 4))};
    // Of WARPSYNC only what gathers lanes for a function elsewhere has a target.
    const bool collective = arch >= hopper && field(low, high, 16, 8) != 0 &&
                            (in.opcode == warpsyncAll || (in.opcode == warpsync && field(low, high, 86, 1) != 0));
    if (in.opcode == bra || in.opcode == braUniform || collective) {
        in.flow = Flow::Branch;
        in.target = branchTarget(low, high, at, arch);
        in.ifApart = !collective && field(low, high, 33, 1) != 0; // bits 32 and 33: none, .U, .DIV, .CONV
    } else if (in.opcode == callRelative) {
        in.flow = Flow::Call;
        in.target = branchTarget(low, high, at, arch);
    } else if (in.opcode == bssy) {
        in.flow = Flow::Meet;
        in.target = at + instructionBytes + std::uint64_t(extended(field(low, high, 32, 32), 32));
    } else if (in.opcode == bsync) {
        in.flow = Flow::Join;
    } else if (in.opcode == exitCode) {
        in.flow = Flow::Exit;
    } else {
        const std::string_view name = mnemonic(in.opcode, arch);
        in.flow = name == "BRX" || name == "JMP" || name == "JMX" ? Flow::Branch
                  : name == "CALL"                                ? Flow::Call
                  : name == "RET"                                 ? Flow::Return
                                                                  : Flow::Next;
    }
    return in;
}

std::string plainText(const Instruction& in, unsigned arch) {
    std::string text;
    const std::string_view name = mnemonic(in.opcode, arch);
    // The uniform datapath has predicates of its own.
    const bool uniform = name.starts_with('U') || name == "LDCU" || in.opcode == syncsUniform;
    if (in.guard != alwaysTrue || in.negated)
        text = fmt::format("@{}{}{} ", in.negated ? "!" : "", uniform ? "UP" : "P",
                           in.guard == alwaysTrue ? "T" : std::to_string(in.guard));
    text += name.empty() ? fmt::format("?{:03x}", in.opcode) : std::string(name);
    if (in.target)
        text += fmt::format(" {:#x}", *in.target);
    return text;
}

} // namespace warpglass::machine
