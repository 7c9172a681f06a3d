// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions in which the lanes of a warp look at each other.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/ops/warp_ops.h"

namespace warpglass::emulator {

using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

// Whether the compiler knows the operand's value: a number, or a register that nothing but that number is ever put into.
bool Decoder::isOneNumber(const Operand& o) {
    if (o.kind == Operand::Kind::Integer)
        return true;
    if (o.kind != Operand::Kind::Register)
        return false;
    if (!m_scope->numbers) {
        auto& numbers = m_scope->numbers.emplace();
        const auto putsNumber = [](const ptx::Instruction& i) {
            return i.opcode == Opcode::Mov && !i.guarded() && i.operands.size() == 2 &&
                   i.operands[0].kind == Operand::Kind::Register && i.operands[1].kind == Operand::Kind::Integer;
        };
        const std::vector<ptx::Instruction>& body = m_scope->source->body;
        for (const ptx::Instruction& i : body)
            if (putsNumber(i)) {
                const std::int64_t value = i.operands[1].integer;
                const auto [known, isNew] = numbers.try_emplace(i.operands[0].name, FunctionScope::Number{value});
                known->second.only &= known->second.value == value;
            }
        const auto writtenToo = [&](const Operand& to) {
            if (const auto known = numbers.find(to.name); known != numbers.end())
                known->second.only = false;
        };
        for (const ptx::Instruction& i : body) {
            // bar and barrier read their first operand.
            if (i.operands.empty() || i.opcode == Opcode::Bar || i.opcode == Opcode::Barrier || putsNumber(i))
                continue;
            writtenToo(i.operands[0]);
            for (const Operand& element : i.operands[0].elements)
                writtenToo(element);
        }
    }
    const auto found = m_scope->numbers->find(o.name);
    return found != m_scope->numbers->end() && found->second.only;
}

bool Decoder::warpWide(Decoding& d) {
    const ptx::Instruction& i = d.i;
    Inst& in = d.inst;
    in.warp = {};
    d.info.opClass = OpClass::Vote;
    const std::size_t last = i.operands.size() - 1; // the member mask of what is .sync
    if ((d.is.opcode == Opcode::Shfl || d.is.opcode == Opcode::Vote) &&
        d.is.sync != (i.operands.size() == (d.is.opcode == Opcode::Shfl ? 5u : 3u)))
        return d.fail(d.is.sync ? say::MaskMissing : say::MaskWithSync);
    in.warp.constantMembers = d.is.sync && isOneNumber(i.operands[last]);
    switch (d.is.opcode) {
    case Opcode::Activemask:
        in.run = activeMaskHandler();
        return write(d, 0, Type::B32, in.dst);
    case Opcode::Shfl: {
        d.info.opClass = OpClass::Shuffle;
        d.info.isShuffle = true;
        in.run = shuffleHandler(d.is.shuffle);
        return pairOrOne(d, Type::B32, in.dst, in.warp.second) &&
               (!d.is.sync || read(d, 4, Type::B32, in.warp.members)) && read(d, 1, Type::B32, in.a) &&
               read(d, 2, Type::B32, in.b) && read(d, 3, Type::B32, in.c);
    }
    case Opcode::Elect:
        in.run = electHandler();
        if (i.operands[0].kind != Operand::Kind::Pair)
            return d.fail(say::ResultForm);
        return pairOrOne(d, Type::B32, in.dst, in.warp.second) && read(d, 1, Type::B32, in.warp.members);
    default:
        break;
    }
    if (d.is.sync && !read(d, last, Type::B32, in.warp.members))
        return false;
    switch (d.is.opcode) {
    case Opcode::Vote: {
        bool negated = false;
        in.run = voteHandler(d.is.vote);
        if (!write(d, 0, d.is.type(), in.dst) || !readPredicate(d, 1, in.a, negated))
            return false;
        in.warp.negated = negated;
        return true;
    }
    case Opcode::Match: {
        const bool wide = d.is.bytes() == 8;
        in.run = matchHandler(d.is.all, wide);
        if (!d.is.all && i.operands[0].kind == Operand::Kind::Pair)
            return d.fail(say::OnlyMatchAll);
        return pairOrOne(d, Type::B32, in.dst, in.warp.second) && read(d, 1, wide ? Type::B64 : Type::B32, in.a);
    }
    case Opcode::Redux:
        in.warp.absolute = d.is.absolute;
        in.warp.nan = d.is.nan;
        in.run = d.is.type() == Type::F32 ? reduxFloatHandler(d.is.operation)
                                          : reduxHandler(d.is.operation, d.is.type() == Type::S32);
        return write(d, 0, Type::B32, in.dst) && read(d, 1, d.is.type() == Type::F32 ? Type::F32 : Type::B32, in.a);
    default:
        return d.fail(say::NotKnownToEmulator);
    }
}

} // namespace warpglass::emulator
