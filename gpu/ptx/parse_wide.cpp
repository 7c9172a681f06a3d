// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and stores of less than 16 bytes whose register has 128 bits, as ptxas takes them: a load fills 64 bits with zeros
// or with the sign and the rest with zeros, but for s64, of which the rest is the sign (asked of an H100); a store takes the
// lowest bytes. They become accesses of a register of 64 bits, and moves.
#include "gpu/ptx/parser.h"
#include "gpu/ptx/write.h"

#include <utility>

namespace warpglass::ptx {
namespace {

Operand registerNamed(const std::string& name) {
    Operand o;
    o.name = name;
    return o;
}

Operand pairOf(const std::string& low, const std::string& high) {
    Operand o;
    o.kind = Operand::Kind::Vector;
    o.elements = {registerNamed(low), registerNamed(high)};
    return o;
}

// Beside an instruction, under its guard.
Instruction beside(const Instruction& i, Opcode opcode, Modifier type, std::vector<Operand> operands) {
    Instruction made;
    made.guard = i.guard;
    made.guardNegated = i.guardNegated;
    made.opcode = opcode;
    made.modifiers = {type};
    made.operands = std::move(operands);
    made.line = i.line;
    made.column = i.column;
    made.place = i.place;
    made.text = write(made);
    return made;
}

} // namespace

bool Parser::movesPart(const Instruction& i) const {
    const bool isStore = i.opcode == Opcode::St;
    return (isStore || i.opcode == Opcode::Ld || i.opcode == Opcode::Ldu) && i.operands.size() >= 2 &&
           i.operands[isStore].kind == Operand::Kind::Register && !i.has(Modifier::B128) &&
           m_wide.contains(i.operands[isStore].name);
}

void Parser::addPartMove(Function& function, Instruction i) {
    std::string halves[2];
    for (std::string& half : halves) {
        half = flatName("%half$", true);
        m_taken.insert(half);
        function.registers.push_back({half, Type::B64});
    }
    const bool isStore = i.opcode == Opcode::St;
    const Operand wide = std::exchange(i.operands[isStore], registerNamed(halves[0]));
    if (isStore) {
        function.body.push_back(beside(i, Opcode::Mov, Modifier::B128, {pairOf(halves[0], halves[1]), wide}));
        function.body.push_back(std::move(i));
        return;
    }
    Operand last;
    last.kind = Operand::Kind::Integer;
    last.integer = i.has(Modifier::S64) ? 63 : 0;
    const Instruction rest =
        i.has(Modifier::S64)
            ? beside(i, Opcode::Shr, Modifier::S64, {registerNamed(halves[1]), registerNamed(halves[0]), last})
            : beside(i, Opcode::Mov, Modifier::B64, {registerNamed(halves[1]), last});
    const Instruction join = beside(i, Opcode::Mov, Modifier::B128, {wide, pairOf(halves[0], halves[1])});
    function.body.push_back(std::move(i));
    function.body.push_back(rest);
    function.body.push_back(join);
}

} // namespace warpglass::ptx
