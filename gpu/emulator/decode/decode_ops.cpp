// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic, comparison, conversion, moves: which handler an instruction gets.
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/ops/scalar_ops.h"
#include "gpu/emulator/ops/warp_ops.h"

#include <algorithm>
#include <fmt/format.h>

#include <bit>
#include <optional>

namespace warpglass::emulator {

using ptx::Operand;
using ptx::Type;

namespace {

bool isFloat(Type t) {
    return t == Type::F32 || t == Type::F64;
}
bool isHalf(Type t) {
    return t == Type::F16 || t == Type::F16x2 || t == Type::BF16 || t == Type::BF16x2;
}

Round roundOf(const ptx::Instruction& i, Round otherwise) {
    for (const auto& m : i.modifiers) {
        if (m == "rn" || m == "rni")
            return Round::Nearest;
        if (m == "rz" || m == "rzi")
            return Round::Zero;
        if (m == "rm" || m == "rmi")
            return Round::Down;
        if (m == "rp" || m == "rpi")
            return Round::Up;
    }
    return otherwise;
}

OpClass classOf(Type t) {
    return t == Type::F32   ? OpClass::Float32
           : t == Type::F64 ? OpClass::Float64
           : isHalf(t)      ? OpClass::Half
                            : OpClass::Integer;
}

std::optional<AluOp> bitwise(const std::string& op) {
    if (op == "and")
        return AluOp::And;
    if (op == "or")
        return AluOp::Or;
    if (op == "xor")
        return AluOp::Xor;
    if (op == "not")
        return AluOp::Not;
    return std::nullopt;
}

std::optional<FloatOp> floatOnly(const std::string& op) {
    static constexpr std::pair<std::string_view, FloatOp> table[] = {
        {"rcp", FloatOp::Rcp}, {"sqrt", FloatOp::Sqrt}, {"rsqrt", FloatOp::Rsqrt}, {"sin", FloatOp::Sin},
        {"cos", FloatOp::Cos}, {"ex2", FloatOp::Ex2},   {"lg2", FloatOp::Lg2},     {"tanh", FloatOp::Tanh}};
    for (const auto& [name, f] : table)
        if (name == op)
            return f;
    return std::nullopt;
}

std::optional<HalfOp> halfOf(const std::string& op) {
    static constexpr std::pair<std::string_view, HalfOp> table[] = {
        {"add", HalfOp::Add}, {"sub", HalfOp::Sub}, {"mul", HalfOp::Mul}, {"fma", HalfOp::Fma}, {"min", HalfOp::Min},
        {"max", HalfOp::Max}, {"neg", HalfOp::Neg}, {"abs", HalfOp::Abs}, {"ex2", HalfOp::Ex2}, {"tanh", HalfOp::Tanh}};
    for (const auto& [name, h] : table)
        if (name == op)
            return h;
    return std::nullopt;
}

std::optional<Compare> compareOf(const std::string& m) {
    static constexpr std::pair<std::string_view, Compare> table[] = {
        {"eq", Compare::Eq},   {"ne", Compare::Ne},   {"lt", Compare::Lt},   {"le", Compare::Le},
        {"gt", Compare::Gt},   {"ge", Compare::Ge},   {"lo", Compare::Lo},   {"ls", Compare::Ls},
        {"hi", Compare::Hi},   {"hs", Compare::Hs},   {"equ", Compare::Equ}, {"neu", Compare::Neu},
        {"ltu", Compare::Ltu}, {"leu", Compare::Leu}, {"gtu", Compare::Gtu}, {"geu", Compare::Geu},
        {"num", Compare::Num}, {"nan", Compare::Nan}};
    for (const auto& [name, c] : table)
        if (name == m)
            return c;
    return std::nullopt;
}

Type unsignedOf(Type t) {
    switch (ptx::bytesOf(t)) {
    case 1:
        return Type::U8;
    case 2:
        return Type::U16;
    case 8:
        return Type::U64;
    default:
        return Type::U32;
    }
}

} // namespace

bool Decoder::arithmetic(Decoding& d) {
    const ptx::Instruction& i = d.i;
    const auto types = typesOf(i);
    const std::string& op = i.opcode;
    if (types.empty())
        return d.fail("it has no type");
    const Type type = types.back();
    d.info.opClass = classOf(types.front());
    const bool ftz = i.has("ftz"), sat = i.has("sat");
    const Round round = roundOf(i, Round::Nearest);

    // Predicates.
    if (const auto b = bitwise(op); b && type == Type::Pred) {
        bool na = false, nb = false;
        if (!write(d, 0, d.inst.dst) || !readPredicate(d, 1, d.inst.a, na))
            return false;
        if (op != "not" && !readPredicate(d, 2, d.inst.b, nb))
            return false;
        if (na || nb)
            return d.fail("a negated predicate operand");
        d.inst.run = aluHandler({*b == AluOp::And   ? AluOp::PredAnd
                                 : *b == AluOp::Or  ? AluOp::PredOr
                                 : *b == AluOp::Xor ? AluOp::PredXor
                                                    : AluOp::PredNot});
        return true;
    }
    // Carries and bit tricks first: they share opcodes with plain arithmetic.
    if (Handler h = bitHandler(i, op == "slct" || op == "dp4a" || op == "dp2a" ? types.front() : type, d.inst)) {
        const Type operand = op == "slct"              ? (ptx::bytesOf(types.front()) == 8 ? Type::B64 : Type::B32)
                             : isFloat(type)           ? type
                             : ptx::bytesOf(type) == 8 ? Type::B64
                                                       : Type::B32;
        const std::size_t n = i.operands.size();
        if (!write(d, 0, d.inst.dst) || !read(d, 1, operand, d.inst.a))
            return false;
        const bool countsB = op == "bfe" || op == "szext" || op == "bmsk" || op == "fns" || op == "shf" ||
                             op == "prmt" || op == "lop3" || op == "dp4a" || op == "dp2a";
        if (n > 2 && !read(d, 2, countsB ? Type::B32 : operand, d.inst.b))
            return false;
        if (op == "lop3") {
            if (i.operands.size() != 5 || i.operands[4].kind != Operand::Kind::Integer)
                return d.fail("its table is not a constant");
            d.inst.imm = i.operands[4].integer;
        }
        const bool countsC = op == "bfe" || op == "bfi" || op == "shf" || op == "prmt" || op == "lop3" || op == "fns" ||
                             op == "dp4a" || op == "dp2a";
        if (n > 3 && !read(d, 3, countsC ? Type::B32 : op == "slct" ? types.back() : operand, d.inst.c))
            return false;
        if (op == "bfi" && !read(d, 4, Type::B32, d.inst.extra))
            return false;
        d.inst.run = h;
        return true;
    }
    if (isHalf(type)) {
        const auto h = halfOf(op);
        if (!h || ftz || sat)
            return d.fail("not known for 16-bit floats");
        const bool two = ptx::bytesOf(type) == 4;
        const Type operand = two ? Type::B32 : Type::B16;
        if (!write(d, 0, d.inst.dst) || !read(d, 1, operand, d.inst.a))
            return false;
        d.inst.b = d.inst.c = d.inst.a;
        if ((i.operands.size() > 2 && !read(d, 2, operand, d.inst.b)) ||
            (i.operands.size() > 3 && !read(d, 3, operand, d.inst.c)))
            return false;
        d.inst.aux = packHalf(*h, type);
        d.inst.run = halfHandler(*h);
        return true;
    }

    const auto operands = [&](Type a, Type b, Type c) {
        const std::size_t n = i.operands.size();
        if (!write(d, 0, d.inst.dst) || !read(d, 1, a, d.inst.a))
            return false;
        d.inst.b = d.inst.c = d.inst.a;
        return (n < 3 || read(d, 2, b, d.inst.b)) && (n < 4 || read(d, 3, c, d.inst.c));
    };
    const auto scalarFloat = [&](FloatOp f) {
        const FloatKey key{f, type == Type::F64, ftz, sat, round};
        d.inst.aux = packFloat(key);
        d.inst.run = floatHandler(key);
        return operands(type, type, type);
    };
    if (const auto f = floatOnly(op)) {
        if (!isFloat(type))
            return d.fail("not known for this type");
        d.info.opClass = OpClass::Special;
        return scalarFloat(*f);
    }
    if (op == "copysign")
        return isFloat(type) ? scalarFloat(FloatOp::Copysign) : d.fail("not known for this type");
    if (op == "div" || op == "rem") {
        d.info.opClass = OpClass::Special;
        if (isFloat(type))
            return op == "div" ? scalarFloat(FloatOp::Div) : d.fail("not known for this type");
        // In code compiled for debugging ptxas leaves every signed 32-bit division, by a constant too, to a routine of
        // its own and branches to it: the hardware counts one more branch for each, and all lanes take it together.
        const auto& options = m_module.targetOptions;
        if (type == Type::S32 && std::find(options.begin(), options.end(), "debug") != options.end())
            d.info.isBranch = true;
        d.inst.run = divideHandler(type, op == "rem");
        return d.inst.run ? operands(type, type, type) : d.fail("not known for this type");
    }
    if (isFloat(type) && round != Round::Nearest) {
        if (op == "add" || op == "sub" || op == "mul" || op == "fma" || op == "mad")
            return scalarFloat(op == "add"   ? FloatOp::Add
                               : op == "sub" ? FloatOp::Sub
                               : op == "mul" ? FloatOp::Mul
                                             : FloatOp::Fma);
        return d.fail("this rounding is not known");
    }

    AluKey key;
    key.type = type;
    key.ftz = ftz;
    key.sat = sat;
    Type a = type, b = type, c = type;
    const bool wide = i.has("wide"), hi = i.has("hi");
    if (op == "add")
        key.op = AluOp::Add;
    else if (op == "sub")
        key.op = AluOp::Sub;
    else if (op == "mul") {
        key.op = wide ? AluOp::MulWide : hi ? AluOp::MulHi : AluOp::MulLo;
    } else if (op == "mad" && !isFloat(type)) {
        key.op = wide ? AluOp::MadWide : hi ? AluOp::MadHi : AluOp::MadLo;
        if (wide)
            c = ptx::bytesOf(type) == 2 ? Type::B32 : Type::B64;
    } else if (op == "fma" || op == "mad")
        key.op = AluOp::Fma;
    else if (op == "min")
        key.op = AluOp::Min;
    else if (op == "max")
        key.op = AluOp::Max;
    else if (op == "abs")
        key.op = AluOp::Abs;
    else if (op == "neg")
        key.op = AluOp::Neg;
    else if (op == "shl" || op == "shr") {
        key.op = op == "shl" ? AluOp::Shl : AluOp::Shr;
        b = Type::U32;
    } else if (const auto bits = bitwise(op))
        key.op = *bits;
    else
        return d.fail("the emulator does not know it");
    if (i.has("NaN") || i.has("xorsign"))
        return d.fail("this form of min or max is not known");
    d.inst.run = aluHandler(key);
    if (!d.inst.run)
        return d.fail("not known for this type");
    return operands(a, b, c);
}

bool Decoder::convertOp(Decoding& d) {
    const ptx::Instruction& i = d.i;
    d.info.opClass = OpClass::Convert;
    const auto types = typesOf(i);
    if (types.size() != 2)
        return d.fail("it needs two types");
    const Type to = types[0], from = types[1];
    RegisterRow dst;
    if (!write(d, 0, d.inst.dst, &dst))
        return false;
    if (i.operands.size() < 2)
        return d.fail("an operand is missing");
    const Operand& o = i.operands[1];
    std::uint32_t srcBytes = ptx::bytesOf(from) == 8 ? 8 : 4;
    if (o.kind == Operand::Kind::Register) {
        const RegisterRow* r = registerOf(o.name);
        if (!r || r->type == Type::Pred)
            return d.fail(fmt::format("register {} is not declared", o.name));
        d.inst.a = r->row;
        d.info.reads.push_back(r->row);
        srcBytes = r->bytes();
    } else if (!readOperand(d, o, from, d.inst.a))
        return false;
    if (ptx::bytesOf(from) > int(srcBytes) || ptx::bytesOf(to) > int(dst.bytes()))
        return d.fail("a register is too narrow for its type");

    const bool integral = i.has("rni") || i.has("rzi") || i.has("rmi") || i.has("rpi");
    AluKey key{AluOp::Cvt, to, from, dst.bytes(), srcBytes, Compare::Eq, i.has("ftz"), i.has("sat")};
    const bool simple =
        !(isFloat(from) && integral) && roundOf(i, Round::Nearest) == Round::Nearest && !isHalf(to) && !isHalf(from);
    if (simple)
        d.inst.run = aluHandler(key);
    if (!d.inst.run) {
        if (to == Type::F16x2 || to == Type::BF16x2 || from == Type::F16x2 || from == Type::BF16x2 ||
            i.operands.size() > 2)
            return d.fail("not known for packed halves");
        const Round standard = isFloat(to) || isHalf(to) ? Round::Nearest : Round::Zero;
        ConvertKey k{to, from, roundOf(i, standard), integral, key.ftz, key.sat, srcBytes == 8, dst.bytes() == 8};
        d.inst.aux = packConvert(k);
        d.inst.run = convertHandler();
    }
    return true;
}

bool Decoder::compareOp(Decoding& d) {
    const ptx::Instruction& i = d.i;
    const auto types = typesOf(i);
    if (types.empty() || i.modifiers.empty())
        return d.fail("it has no type");
    const auto compare = compareOf(i.modifiers.front());
    if (!compare)
        return d.fail("its comparison is not known");
    const Type type = types.back();
    d.info.opClass = classOf(type);
    AluKey key;
    key.op = AluOp::Setp;
    key.type = type;
    key.compare = *compare;
    key.ftz = i.has("ftz");
    d.inst.extra = noIndex;
    if (i.opcode == "set")
        return d.fail("the emulator does not know it");
    std::size_t at = 0;
    if (i.operands.empty())
        return d.fail("an operand is missing");
    if (i.operands[0].kind == Operand::Kind::Pair) {
        if (!writeOperand(d, i.operands[0].elements[0], d.inst.dst) ||
            !writeOperand(d, i.operands[0].elements[1], d.inst.extra))
            return false;
    } else if (!write(d, 0, d.inst.dst))
        return false;
    at = 1;
    if (i.has("and") || i.has("or") || i.has("xor")) {
        key.op = AluOp::SetpBool;
        d.inst.aux = i.has("and") ? 0 : i.has("or") ? 1 : 2;
        bool negated = false;
        if (!readPredicate(d, at + 2, d.inst.c, negated))
            return false;
        d.inst.flags = negated;
    }
    if (type == Type::F16 || type == Type::BF16) {
        if (key.op == AluOp::SetpBool)
            return d.fail("not known for 16-bit floats");
        d.inst.run = halfCompareHandler();
        d.inst.aux = std::uint32_t(*compare);
        d.inst.flags = type == Type::BF16 ? 2 : 0;
        return read(d, at, Type::B16, d.inst.a) && read(d, at + 1, Type::B16, d.inst.b);
    }
    if (*compare >= Compare::Lo && *compare <= Compare::Hs)
        key.type = unsignedOf(type);
    d.inst.run = aluHandler(key);
    if (!d.inst.run)
        return d.fail("not known for this type");
    return read(d, at, type, d.inst.a) && read(d, at + 1, type, d.inst.b);
}

bool Decoder::move(Decoding& d) {
    const ptx::Instruction& i = d.i;
    d.info.opClass = OpClass::Move;
    const auto types = typesOf(i);
    if (i.operands.size() < 2)
        return d.fail("an operand is missing");
    const Operand &to = i.operands[0], &from = i.operands[1];

    if (i.opcode == "selp") {
        bool negated = false;
        RegisterRow dst;
        const Type type = types.empty() ? Type::B32 : types.back();
        if (!write(d, 0, d.inst.dst, &dst) || !read(d, 1, type, d.inst.a) || !read(d, 2, type, d.inst.b) ||
            !readPredicate(d, 3, d.inst.c, negated))
            return false;
        d.inst.flags = negated;
        d.inst.run = aluHandler({AluOp::Selp, type, type, dst.bytes()});
        return true;
    }
    if (i.opcode == "cvta") {
        // Between an address in a window and a generic one: add or take away the window.
        const bool toSpace = i.has("to");
        const std::uint64_t base = i.has("shared")  ? sharedWindow
                                   : i.has("local") ? localWindow
                                   : i.has("const") ? constWindow
                                   : i.has("param") ? paramWindow
                                                    : 0;
        if (types.empty() || ptx::bytesOf(types.back()) != 8)
            return d.fail("32-bit addresses are not known");
        if (!write(d, 0, d.inst.dst))
            return false;
        if (from.kind == Operand::Kind::Symbol) {
            if (const auto l = m_scope->locals.find(from.name); l != m_scope->locals.end()) {
                d.inst.imm = std::int64_t(l->second) + from.integer;
                d.inst.aux = 1;
                d.inst.rowBytes = 8;
                d.inst.run = localAddressHandler();
                return true;
            }
        }
        if (!read(d, 1, Type::U64, d.inst.a))
            return false;
        if (base == 0) {
            d.inst.run = aluHandler({AluOp::Mov, Type::B64, Type::B64, 8, 8});
            return true;
        }
        d.inst.b = constant(toSpace ? 0 - base : base, 8);
        d.inst.run = aluHandler({AluOp::Add, Type::U64});
        return true;
    }
    if (types.empty())
        return d.fail("it has no type");
    const Type type = types.back();
    if (type == Type::Pred) {
        bool negated = false;
        if (!write(d, 0, d.inst.dst) || !readPredicate(d, 1, d.inst.a, negated))
            return false;
        d.inst.run = aluHandler({negated ? AluOp::PredNot : AluOp::MovPred});
        return true;
    }
    const std::uint32_t bytes = ptx::bytesOf(type) == 8 ? 8 : 4;
    if (to.kind == Operand::Kind::Vector || from.kind == Operand::Kind::Vector) {
        const bool packs = from.kind == Operand::Kind::Vector;
        const Operand& v = packs ? from : to;
        const int part = ptx::bytesOf(type) / int(v.elements.size());
        if (!vectorRows(d, v, !packs, part == 8 ? Type::B64 : Type::B32))
            return false;
        d.inst.bytes = std::uint8_t(part);
        d.inst.rowBytes = std::uint8_t(bytes);
        d.inst.run = packs ? packHandler() : unpackHandler();
        return packs ? write(d, 0, d.inst.dst) : read(d, 1, type, d.inst.a);
    }
    RegisterRow dst;
    if (!write(d, 0, d.inst.dst, &dst))
        return false;
    if (dst.bytes() != bytes)
        return d.fail("the destination has the wrong width");
    if (from.kind == Operand::Kind::Special && from.name != "WARP_SZ") {
        Special s;
        if (!parseSpecial(from.name, from.component, s))
            return d.fail(fmt::format("special register {} is not known", from.name));
        d.inst.aux = std::uint32_t(s);
        d.inst.rowBytes = std::uint8_t(bytes);
        d.inst.run = specialHandler();
        m_program.readsSmId |= s == Special::SmId;
        m_program.usesReservedShared |= s == Special::ReservedSmem;
        return true;
    }
    if (from.kind == Operand::Kind::Symbol) {
        if (const auto l = m_scope->locals.find(from.name); l != m_scope->locals.end()) {
            d.inst.imm = std::int64_t(l->second) + from.integer;
            d.inst.rowBytes = std::uint8_t(bytes);
            d.inst.run = localAddressHandler();
            return true;
        }
    }
    if (!read(d, 1, type, d.inst.a))
        return false;
    d.inst.run = aluHandler({AluOp::Mov, type, type, bytes, bytes});
    return true;
}

bool Decoder::warpWide(Decoding& d) {
    const ptx::Instruction& i = d.i;
    const std::string& op = i.opcode;
    const auto types = typesOf(i);
    if (op == "activemask") {
        d.info.opClass = OpClass::Vote;
        d.inst.run = activeMaskHandler();
        return write(d, 0, d.inst.dst);
    }
    if (op == "isspacep") { // is a generic address in that window?
        d.info.opClass = OpClass::Integer;
        d.inst.aux = std::uint32_t(i.has("shared")  ? Window::Shared
                                   : i.has("local") ? Window::Local
                                   : i.has("const") ? Window::Const
                                   : i.has("param") ? Window::Param
                                                    : Window::Global);
        d.inst.run = spaceTestHandler();
        return write(d, 0, d.inst.dst) && read(d, 1, Type::U64, d.inst.a);
    }
    const bool sync = i.has("sync");
    const std::size_t last = i.operands.empty() ? 0 : i.operands.size() - 1;
    if (op == "shfl") {
        d.info.opClass = OpClass::Shuffle;
        d.info.isShuffle = true;
        d.inst.extra = noIndex;
        d.inst.imm = -1;
        if (i.operands.size() < 4)
            return d.fail("an operand is missing");
        if (i.operands[0].kind == Operand::Kind::Pair) {
            if (!writeOperand(d, i.operands[0].elements[0], d.inst.dst) ||
                !writeOperand(d, i.operands[0].elements[1], d.inst.extra))
                return false;
        } else if (!write(d, 0, d.inst.dst))
            return false;
        const ShuffleMode mode = i.has("up")     ? ShuffleMode::Up
                                 : i.has("down") ? ShuffleMode::Down
                                 : i.has("bfly") ? ShuffleMode::Bfly
                                                 : ShuffleMode::Idx;
        d.inst.run = shuffleHandler(mode);
        std::uint32_t members = 0;
        if (sync && !read(d, 4, Type::B32, members))
            return false;
        if (sync)
            d.inst.imm = members;
        return read(d, 1, Type::B32, d.inst.a) && read(d, 2, Type::B32, d.inst.b) && read(d, 3, Type::B32, d.inst.c);
    }
    d.info.opClass = OpClass::Vote;
    d.inst.b = noIndex;
    if (sync && op != "elect" && !read(d, last, Type::B32, d.inst.b))
        return false;
    if (op == "vote") {
        bool negated = false;
        const VoteMode mode = i.has("ballot") ? VoteMode::Ballot
                              : i.has("all")  ? VoteMode::All
                              : i.has("any")  ? VoteMode::Any
                                              : VoteMode::Uni;
        d.inst.run = voteHandler(mode);
        if (!write(d, 0, d.inst.dst) || !readPredicate(d, 1, d.inst.a, negated))
            return false;
        d.inst.flags = negated;
        return true;
    }
    if (op == "match") {
        const bool wide = !types.empty() && ptx::bytesOf(types.back()) == 8;
        d.inst.extra = noIndex;
        d.inst.run = matchHandler(i.has("all"), wide);
        if (i.operands[0].kind == Operand::Kind::Pair) {
            if (!writeOperand(d, i.operands[0].elements[0], d.inst.dst) ||
                !writeOperand(d, i.operands[0].elements[1], d.inst.extra))
                return false;
        } else if (!write(d, 0, d.inst.dst))
            return false;
        return read(d, 1, wide ? Type::B64 : Type::B32, d.inst.a);
    }
    if (op == "redux") {
        const bool isSigned = !types.empty() && types.back() == Type::S32;
        const ReduxOp r = i.has("add")   ? ReduxOp::Add
                          : i.has("min") ? ReduxOp::Min
                          : i.has("max") ? ReduxOp::Max
                          : i.has("and") ? ReduxOp::And
                          : i.has("or")  ? ReduxOp::Or
                                         : ReduxOp::Xor;
        if (!types.empty() && types.back() == Type::F32)
            return d.fail("not known for this type");
        d.inst.run = reduxHandler(r, isSigned);
        return write(d, 0, d.inst.dst) && read(d, 1, Type::B32, d.inst.a);
    }
    if (op == "elect") {
        d.inst.run = electHandler();
        if (i.operands.empty() || i.operands[0].kind != Operand::Kind::Pair)
            return d.fail("its result has an unexpected form");
        return writeOperand(d, i.operands[0].elements[0], d.inst.dst) &&
               writeOperand(d, i.operands[0].elements[1], d.inst.extra) && read(d, 1, Type::B32, d.inst.b);
    }
    return d.fail("the emulator does not know it");
}

} // namespace warpglass::emulator
