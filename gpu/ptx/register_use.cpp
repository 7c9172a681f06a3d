// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/register_use.h"

namespace warpglass::ptx {

bool firstIsResult(const Instruction& i) {
    if (i.operands.empty() || i.operands[0].kind == Operand::Kind::Address)
        return false;
    const Row& is = row(i.opcode);
    switch (is.family) {
    case Family::Call: // call (results), function, (arguments)
        return i.operands[0].kind == Operand::Kind::List;
    case Family::Barrier:
        return i.has(Modifier::Red);
    case Family::Fence:
        return false;
    default:
        break;
    }
    if (i.opcode == Opcode::Cp || i.opcode == Opcode::Sust || i.opcode == Opcode::Sured)
        return false;
    return !is.operands.empty() && std::string_view("dDqv*").find(is.operands[0]) != std::string_view::npos;
}

} // namespace warpglass::ptx
