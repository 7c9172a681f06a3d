// SPDX-License-Identifier: GPL-3.0-or-later
// What each instruction does with numbers that have twins.
#include "gpu/emulator/code/register_rows.h"
#include "gpu/emulator/watch/twin_places.h"
#include "gpu/emulator/watch/twin_watch.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace warpglass::emulator {

using ptx::Opcode;
using ptx::Type;

namespace {

bool hasTwin(Type type) {
    return ptx::isFloat(type) || ptx::isHalf(type) || type == Type::TF32 || type == Type::F32x2;
}
// Whether a register of this type may hold a number, or two, or half of one.
bool mayHold(Type type) {
    return hasTwin(type) || type == Type::B16 || type == Type::B32 || type == Type::B64;
}
// That there is no room for a fraction beside it: added to a number, it rounds that to a whole one.
bool leavesNoFraction(Type type, std::uint64_t bits) {
    if (type == Type::F32) {
        const float v = std::fabs(std::bit_cast<float>(std::uint32_t(bits)));
        return v >= 0x1p23f && v < 0x1p24f;
    }
    const double v = std::fabs(std::bit_cast<double>(bits));
    return type == Type::F64 && v >= 0x1p52 && v < 0x1p53;
}
bool isOperation(const ptx::Description& is) {
    switch (is.opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Mad:
    case Opcode::Fma:
    case Opcode::Div:
    case Opcode::Rcp:
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
    case Opcode::Sin:
    case Opcode::Cos:
    case Opcode::Ex2:
    case Opcode::Lg2:
    case Opcode::Tanh:
    case Opcode::Abs:
    case Opcode::Neg:
    case Opcode::Copysign:
        return !is.oob;
    case Opcode::Min:
    case Opcode::Max:
        return !is.xorsign && !is.absolute;
    default:
        return false;
    }
}

// What is known of a function's rows.
struct Rows {
    std::unordered_map<std::uint32_t, std::uint32_t> widths;    // bytes a lane, if not 4
    std::unordered_map<std::uint32_t, std::uint64_t> constants; // what a row holds throughout
    std::uint32_t width(Row row) const {
        const auto found = widths.find(byteOf(row));
        return found == widths.end() ? 4 : found->second;
    }
};
Rows rowsOf(const Program& program, const FunctionCode& code) {
    Rows rows;
    FrameLayout frame;
    for (const auto& [name, row] : layoutRegisters(*code.source, frame))
        rows.widths[byteOf(row.row)] = row.type == Type::Pred ? 0 : row.bytes();
    for (const ConstantRow& c : code.constants)
        if (c.bytes != 0)
            rows.constants[byteOf(c.row)] = c.bits;
    std::unordered_map<std::uint32_t, std::uint32_t> writers;
    for (std::uint32_t at = code.first; at < code.end; ++at)
        for (const Row row : program.info[at].writes)
            ++writers[byteOf(row)];
    const auto numbers = rows.constants;
    for (std::uint32_t at = code.first; at < code.end; ++at) {
        const Inst& in = program.code[at];
        const InstInfo& info = program.info[at];
        if (!info.source || info.is.opcode != Opcode::Mov || in.guard || info.writes.size() != 1)
            continue;
        if (const auto c = numbers.find(byteOf(in.a)); c != numbers.end() && writers[byteOf(in.dst)] == 1)
            rows.constants[byteOf(in.dst)] = c->second;
    }
    return rows;
}

// Halves that a permutation of bytes puts where they are whole: from which operand's byte on, of the lower and the upper half.
std::array<int, 2> permuted(std::uint64_t selector) {
    std::array<int, 2> from{-1, -1};
    for (int half = 0; half < 2; ++half) {
        const int low = int(selector >> (8 * half) & 15), high = int(selector >> (8 * half + 4) & 15);
        if (low < 8 && low % 2 == 0 && high == low + 1)
            from[std::size_t(half)] = low;
    }
    return from;
}

} // namespace

void TwinWatch::mark(Code& code, Program& program) const {
    code.steps.resize(program.code.size());
    for (const FunctionCode& function : program.functions) {
        const Rows rows = rowsOf(program, function);
        std::set<std::uint32_t> holders; // rows that may have twins
        for (std::uint32_t at = function.first; at < function.end; ++at) {
            const Inst& in = program.code[at];
            const InstInfo& info = program.info[at];
            const ptx::Description& is = info.is;
            Step& s = code.steps[at];
            const ptx::Family family = ptx::row(is.opcode).family;
            if (!info.source || family == ptx::Family::Call || family == ptx::Family::Branch ||
                family == ptx::Family::End || info.isBarrier)
                continue;
            const auto part = [&](Row row, std::uint8_t byte = 0) {
                return Part{byteOf(row), std::uint8_t(rows.width(row)), byte};
            };
            const auto constantAt = [&](std::size_t n) {
                const ptx::Operand& o = info.source->operands[n];
                return o.kind == ptx::Operand::Kind::Integer ? std::optional(std::uint64_t(o.integer)) : std::nullopt;
            };
            const auto moveWords = [&](Row to, Row from, std::uint32_t bytes) {
                for (std::uint32_t byte = 0; byte < bytes && to != noRow; byte += 4)
                    s.moves.push_back({part(to, std::uint8_t(byte)), part(from, std::uint8_t(byte)), 4});
            };
            const std::uint32_t bytes = std::max(4u, is.bytes());
            const std::size_t operands = info.source->operands.size();
            const std::array<Row, 3> from{in.a, in.b, in.c};
            if (family == ptx::Family::Arithmetic && hasTwin(is.type()) && isOperation(is)) {
                s.does = Does::Computes;
                s.result = {in.dst, is.firstType()};
                const bool mixed = is.typeCount == 2 && is.firstType() != is.type();
                for (std::size_t k = 0; k + 1 < operands && k < 3; ++k)
                    s.sources.push_back({from[k], mixed && k + 2 == operands ? is.firstType() : is.type()});
                const bool adds = is.opcode == Opcode::Add || is.opcode == Opcode::Sub,
                           fuses = is.opcode == Opcode::Fma || is.opcode == Opcode::Mad;
                for (std::size_t k = fuses ? 2 : 0; (adds || fuses) && k < s.sources.size(); ++k)
                    if (const auto c = rows.constants.find(byteOf(from[k])); c != rows.constants.end())
                        s.isWhole = s.isWhole || leavesNoFraction(is.type(), c->second);
            } else if (family == ptx::Family::Convert && hasTwin(is.type()) && hasTwin(is.firstType()) && !is.packs &&
                       is.typeCount == 2) {
                s.does = Does::Computes;
                s.result = {in.dst, is.firstType()};
                s.narrows = numbersIn(is.firstType()) == 2 && numbersIn(is.type()) == 1;
                s.isWhole = is.integral;
                s.sources.push_back({in.a, is.type()});
                if (s.narrows)
                    s.sources.push_back({in.b, is.type()});
            } else if (family == ptx::Family::Convert && hasTwin(is.type()) && numbersIn(is.type()) == 1 && !is.packs) {
                s.does = Does::RoundsToWhole;
                s.sources.push_back({in.a, is.type()});
            } else if (family == ptx::Family::Compare && hasTwin(is.type())) {
                s.does = Does::Compares;
                s.sources = {{in.a, is.type()}, {in.b, is.type()}};
            } else if (is.opcode == Opcode::Selp && mayHold(is.type())) {
                s.does = Does::Chooses;
                moveWords(in.dst, in.a, bytes);
                moveWords(in.dst, in.b, bytes);
            } else if (is.opcode == Opcode::Shfl) {
                s.does = Does::Shuffles;
                if (in.dst == noRow)
                    continue;
                moveWords(in.dst, in.a, 4);
            } else if (info.role == Role::ParamLoad || info.role == Role::ParamStore) {
                s.does = Does::Moves;
                const bool loads = info.role == Role::ParamLoad;
                const Row* const data = in.memory.elements == 1 ? &in.dst : program.vectors[in.memory.vector].data();
                for (std::uint32_t e = 0; e < in.memory.elements; ++e)
                    for (std::uint32_t byte = 0; byte < in.memory.bytes && data[e] != noRow; byte += 4) {
                        const std::uint64_t at2 = std::uint64_t(in.memory.offset) + e * in.memory.bytes + byte;
                        const Part own{byteOf(data[e]), in.memory.rowBytes, std::uint8_t(byte)},
                            word{byteOf(in.a) + std::uint32_t(at2 / 4 * 128), 4, std::uint8_t(at2 % 4)};
                        if (in.memory.bytes >= 4 || (in.memory.bytes == 2 && at2 % 2 == 0))
                            s.moves.push_back({loads ? own : word, loads ? word : own,
                                               std::uint8_t(std::min<std::uint32_t>(in.memory.bytes, 4))});
                        if (!loads)
                            s.writes.push_back({byteOf(in.a) + std::uint32_t(at2 / 4 * 128), 4, 0});
                    }
            } else if (info.isMemory && (family == ptx::Family::Load || family == ptx::Family::Store) &&
                       !info.byRounds && (in.memory.bytes == 2 || in.memory.bytes == 4 || in.memory.bytes == 8)) {
                s.does = Does::Accesses;
            } else if (family == ptx::Family::Atomic && is.operation == ptx::Operation::Add && hasTwin(is.type()) &&
                       is.type() != Type::F64 && in.memory.elements == 1 && info.isMemory) {
                s.does = Does::Adds;
                s.result = {in.b, is.type()};
                s.sources = {s.result, s.result};
            } else if (is.opcode == Opcode::Mov && mayHold(is.type()) && bytes <= 8 && operands == 2) {
                s.does = Does::Moves;
                const ptx::Operand &to = info.source->operands[0], &of = info.source->operands[1];
                const bool packs = of.kind == ptx::Operand::Kind::Vector;
                if (is.elements > 1) {
                    for (std::size_t e = 0; e < is.elements && packs; ++e)
                        moveWords(program.vectors[in.memory.vector][e], program.vectors[in.memory.site][e], bytes);
                } else if (packs || to.kind == ptx::Operand::Kind::Vector) {
                    const std::uint8_t each = in.memory.bytes;
                    for (std::size_t e = 0; e < in.memory.elements && (each == 2 || each == 4); ++e) {
                        const Row piece = program.vectors[in.memory.vector][e];
                        const auto byte = std::uint8_t(e * each);
                        if (piece != noRow)
                            s.moves.push_back(packs ? Move{part(in.dst, byte), part(piece), each}
                                                    : Move{part(piece), part(in.a, byte), each});
                    }
                } else if (of.kind == ptx::Operand::Kind::Register) {
                    moveWords(in.dst, in.a, bytes);
                }
            } else if (is.opcode == Opcode::Shl && is.bytes() == 4 && constantAt(2) == 16) {
                s.does = Does::Moves;
                s.moves.push_back({part(in.dst, 2), part(in.a), 2});
            } else if (is.opcode == Opcode::Shr && is.bytes() == 4 && constantAt(2) == 16) {
                s.does = Does::Moves;
                s.moves.push_back({part(in.dst), part(in.a, 2), 2});
            } else if (is.opcode == Opcode::And && is.type() == Type::B32 &&
                       (constantAt(2) == 0xffff || std::uint32_t(constantAt(2).value_or(0)) == 0xffff0000u)) {
                const std::uint8_t byte = constantAt(2) == 0xffff ? 0 : 2;
                s.does = Does::Moves;
                s.moves.push_back({part(in.dst, byte), part(in.a, byte), 2});
            } else if (is.opcode == Opcode::Prmt && operands == 4 && constantAt(3)) {
                s.does = Does::Moves;
                const std::array<int, 2> halves = permuted(*constantAt(3));
                for (std::size_t half = 0; half < 2; ++half)
                    if (const int byte = halves[half]; byte >= 0)
                        s.moves.push_back({part(in.dst, std::uint8_t(2 * half)),
                                           part(byte < 4 ? in.a : in.b, std::uint8_t(byte % 4)), 2});
            } else if (is.opcode == Opcode::Cvt && is.typeCount == 2 && !hasTwin(is.firstType()) &&
                       std::min(ptx::bytesOf(is.firstType()), ptx::bytesOf(is.type())) == 2) {
                s.does = Does::Moves;
                s.moves.push_back({part(in.dst), part(in.a), 2});
            }
            if (s.does == Does::Computes && rows.width(s.result.row) != (ptx::bytesOf(s.result.type) == 8 ? 8u : 4u))
                s = {};
            for (const FloatRow& source : s.sources)
                if (s.does != Does::Adds && rows.widths.contains(byteOf(source.row)) &&
                    rows.width(source.row) != (ptx::bytesOf(source.type) == 8 ? 8u : 4u)) {
                    s = {};
                    break;
                }
            for (const Row row : info.writes)
                if (const std::uint32_t width = rows.width(row); width > 0 && row != noRow)
                    s.writes.push_back({byteOf(row), std::uint8_t(width), 0});
            if (s.does != Does::Nothing)
                for (const Part& written : s.writes)
                    holders.insert(written.row);
        }
        for (std::uint32_t at = function.first; at < function.end; ++at) {
            Step& s = code.steps[at];
            if (s.does == Does::Nothing &&
                std::ranges::any_of(s.writes, [&](const Part& p) { return holders.contains(p.row); }))
                s.does = Does::Moves; // none: the twins of what it writes are gone
            if (s.does != Does::Nothing)
                s.run = std::exchange(program.code[at].run, twinHandler(program.info[at]));
        }
    }
}

} // namespace warpglass::emulator
