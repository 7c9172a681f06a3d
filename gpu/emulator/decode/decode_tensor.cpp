// SPDX-License-Identifier: GPL-3.0-or-later
// tcgen05: the instructions on tensor memory.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/tcgen05/tensor_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::emulator {

using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

namespace {

TensorShape shapeOf(const ptx::Instruction& i) {
    return i.has(Modifier::L16x64b)     ? TensorShape::L16x64b
           : i.has(Modifier::L16x128b)  ? TensorShape::L16x128b
           : i.has(Modifier::L16x256b)  ? TensorShape::L16x256b
           : i.has(Modifier::L16x32bx2) ? TensorShape::L16x32bx2
                                        : TensorShape::L32x32b;
}

std::uint32_t timesOf(const ptx::Instruction& i) {
    constexpr Modifier words[] = {Modifier::X1,  Modifier::X2,  Modifier::X4,  Modifier::X8,
                                  Modifier::X16, Modifier::X32, Modifier::X64, Modifier::X128};
    for (std::uint32_t k = 0; k < std::size(words); ++k)
        if (i.has(words[k]))
            return 1u << k;
    return 0;
}

} // namespace

// An address of tensor memory: 32 bits in a register or a constant.
bool Decoder::tensorPlace(Decoding& d, std::size_t n, AsyncAddress& a) {
    if (n >= d.i.operands.size() || !asyncAddress(d, d.i.operands[n], CopySpace::Own, a))
        return d.fail(say::TensorAddressExpected);
    return !a.wide || d.fail(say::TensorAddressBits);
}

bool Decoder::tensorMove(Decoding& d, TensorInst& t) {
    const bool loads = t.op == TensorOp::Load;
    const std::size_t address = loads ? 1 : 0, values = loads ? 0 : 1;
    const auto& o = d.i.operands;
    t.shape = shapeOf(d.i);
    t.halves = d.i.has(Modifier::Pack16b) || d.i.has(Modifier::Unpack16b);
    const bool split = t.shape == TensorShape::L16x32bx2;
    const std::size_t reduces = d.i.has(Modifier::Red) ? 1 : 0; // its result stands behind the values
    if (o.size() != (split ? 3u : 2u) + reduces)
        return d.fail(say::OperandCount);
    if (!tensorPlace(d, address + reduces, t.address))
        return false;
    if (reduces) {
        t.greatest = d.is.operation == ptx::Operation::Max;
        t.absolute = d.is.absolute;
        t.nan = d.is.nan;
        t.reducedType = d.is.type();
        if (d.i.has(Modifier::X1) || !write(d, 1, Type::B32, t.reduced))
            return d.fail(say::ReducesTwo);
    }
    const std::size_t number = (loads ? 2 : 1) + reduces, data = loads ? 0 : split ? 2 : values;
    if (split) {
        if (o[number].kind != Operand::Kind::Integer || o[number].integer < 0 ||
            o[number].integer >= TensorMemory::columns)
            return d.fail(say::HalvesConstant);
        t.split = std::uint32_t(o[number].integer);
    }
    const std::uint32_t times = timesOf(d.i), each = t.shape == TensorShape::L16x128b   ? 2
                                                     : t.shape == TensorShape::L16x256b ? 4
                                                                                        : 1;
    const std::vector<Operand> one{o[data]};
    const std::vector<Operand>& all = o[data].kind == Operand::Kind::Vector ? o[data].elements : one;
    if (times == 0 || all.size() != std::size_t(times) * each || all.size() > 128)
        return d.fail(say::NeedsRegisters(times * each, all.size()));
    for (const Operand& v : all) {
        Row row = noRow;
        if (loads) {
            RegisterRow found;
            if (!writeOperand(d, v, Type::None, row, &found))
                return false;
            if (row == noRow)
                row = newRow(4);
            else if (found.bytes() != 4)
                return d.fail(say::RegisterWidth(v.name));
        } else if (!readOperand(d, v, Type::B32, row)) {
            return false;
        }
        t.data.push_back(row);
    }
    return true;
}

bool Decoder::tensorCopyIn(Decoding& d, TensorInst& t) {
    const ptx::Instruction& i = d.i;
    if (i.operands.size() != 2 || !tensorPlace(d, 0, t.address) || !read(d, 1, Type::B64, t.descriptor))
        return d.fail(say::NamesDescriptor);
    t.rows = i.has(Modifier::L4x256b) ? 4 : i.has(Modifier::L64x128b) ? 64 : i.has(Modifier::L32x128b) ? 32 : 128;
    t.bytes = i.has(Modifier::L4x256b) || i.has(Modifier::L128x256b) ? 32 : 16;
    t.fourRows = i.has(Modifier::L4x256b);
    if (t.rows == 128)
        t.quarters = {1, 2, 3, 4};
    else if (t.rows == 32)
        t.quarters = {1, 1, 1, 1};
    else if (t.rows == 64)
        t.quarters = i.has(Modifier::Warpx2_02_13) ? std::array<std::uint8_t, 4>{1, 2, 1, 2}
                                                   : std::array<std::uint8_t, 4>{1, 1, 2, 2};
    if ((t.rows == 64 && !i.has(Modifier::Warpx2_02_13) && !i.has(Modifier::Warpx2_01_23)) ||
        (t.rows == 32 && !i.has(Modifier::Warpx4)))
        return d.fail(say::WhichLanes);
    const bool four = i.has(Modifier::B4x16P64), six = i.has(Modifier::B6x16P32);
    if (i.has(Modifier::B8x16) != (four || six))
        return d.fail(say::TwoFormats);
    t.packed = four ? 4 : six ? 6 : 8;
    return true;
}

bool Decoder::tensorProduct(Decoding& d, TensorInst& t) {
    const ptx::Instruction& i = d.i;
    const auto& o = i.operands;
    d.info.opClass = OpClass::Matrix;
    d.info.isAsync = false;
    const std::pair<Modifier, TensorKind> kinds[] = {
        {Modifier::KindF16, TensorKind::F16},           {Modifier::KindTf32, TensorKind::Tf32},
        {Modifier::KindF8f6f4, TensorKind::F8f6f4},     {Modifier::KindI8, TensorKind::I8},
        {Modifier::KindMxf8f6f4, TensorKind::Mxf8f6f4}, {Modifier::KindMxf4, TensorKind::Mxf4},
        {Modifier::KindMxf4nvf4, TensorKind::Mxf4nvf4}};
    const auto* kind = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return i.has(k.first); });
    if (kind == std::end(kinds))
        return d.fail(say::NamesNoKind);
    t.kind = kind->second;
    t.stationary = i.has(Modifier::Ws);
    const bool scaled = t.kind >= TensorKind::Mxf8f6f4;
    if (scaled != i.has(Modifier::BlockScale))
        return d.fail(say::KindBlockScale);
    t.sparse = i.has(Modifier::Sp);
    if (o.size() < (scaled ? 7u : 5u) + t.sparse || !tensorPlace(d, 0, t.address))
        return d.fail(say::OperandMissing);
    if (o[1].kind == Operand::Kind::Address ? !tensorPlace(d, 1, t.a) : !read(d, 1, Type::B64, t.descriptorA))
        return false;
    std::size_t n = 3;
    if (!read(d, 2, Type::B64, t.descriptorB) || (t.sparse && !tensorPlace(d, n++, t.metadata)) ||
        !read(d, n++, Type::B32, t.instruction))
        return false;
    if (scaled) {
        const bool sixteen = i.has(Modifier::Block16) || i.has(Modifier::ScaleVec4X);
        if (t.kind == TensorKind::Mxf4nvf4 && !sixteen && !i.has(Modifier::Block32) && !i.has(Modifier::ScaleVec2X))
            return d.fail(say::HowManyShare);
        t.scaleBlock = sixteen ? 16 : 32;
        if (!tensorPlace(d, n++, t.scalesA) || !tensorPlace(d, n++, t.scalesB))
            return false;
    } else if (o[n].kind == Operand::Kind::Vector) {
        if (o[n].elements.size() != (t.pair ? 8u : 4u))
            return d.fail(say::LanesNotWritten);
        for (const Operand& word : o[n].elements)
            if (t.skipped.emplace_back(); !readOperand(d, word, Type::B32, t.skipped.back()))
                return false;
        ++n;
    }
    if (!readPredicate(d, n++, t.adds, t.addsNegated))
        return false;
    if (n == o.size())
        return true;
    if (t.stationary)
        return n + 1 == o.size() ? read(d, n, Type::B64, t.zeroColumns) : d.fail(say::TooManyOperands);
    if (scaled || o[n].kind != Operand::Kind::Integer || n + 1 != o.size() || o[n].integer < 0 || o[n].integer > 15)
        return d.fail(say::DividedByPower);
    if (t.kind != TensorKind::F16 && t.kind != TensorKind::Tf32)
        return d.fail(say::OnlyKindsDivide);
    t.shift = std::uint32_t(o[n].integer);
    return true;
}

bool Decoder::tensor(Decoding& d) {
    const ptx::Instruction& i = d.i;
    const std::size_t count = i.operands.size();
    TensorInst t;
    t.pair = i.has(Modifier::CtaGroup2);
    d.info.opClass = OpClass::Async;
    d.info.isAsync = true;
    m_program.usesTensorMemory = true;
    m_program.usesCluster |= t.pair;
    bool ok = true;
    const bool ordersOnly = i.has(Modifier::WaitLd) || i.has(Modifier::WaitSt) || i.has(Modifier::FenceBefore) ||
                            i.has(Modifier::FenceAfter) || i.has(Modifier::RelinquishAllocPermit);
    if (!ordersOnly && !i.has(Modifier::Ld) && !i.has(Modifier::St) && !i.has(Modifier::CtaGroup1) && !t.pair)
        return d.fail(say::NoCtaGroup);
    if (i.has(Modifier::Alloc)) {
        t.op = TensorOp::Alloc;
        ok = count == 2 ? asyncAddress(d, i.operand(0), copySpaces(i).empty() ? CopySpace::Generic : CopySpace::Own,
                                       t.address) &&
                              read(d, 1, Type::B32, t.columns)
                        : d.fail(say::NamesWhereColumns);
    } else if (i.has(Modifier::Dealloc)) {
        t.op = TensorOp::Dealloc;
        ok = count == 2 ? tensorPlace(d, 0, t.address) && read(d, 1, Type::B32, t.columns)
                        : d.fail(say::NamesAddressColumns);
    } else if (i.has(Modifier::Ld) || i.has(Modifier::St)) {
        t.op = i.has(Modifier::Ld) ? TensorOp::Load : TensorOp::Store;
        d.info.isAsync = false;
        ok = tensorMove(d, t);
    } else if (i.has(Modifier::Commit)) {
        t.op = TensorOp::Commit;
        ok = count >= 1 &&
             asyncAddress(d, i.operand(0), copySpaces(i).empty() ? CopySpace::Generic : CopySpace::Cluster, t.address);
        if (ok && i.has(Modifier::MulticastCluster))
            ok = read16(d, 1, t.multicast);
    } else if (i.has(Modifier::Cp)) {
        t.op = TensorOp::Copy;
        ok = tensorCopyIn(d, t);
    } else if (i.has(Modifier::Mma)) {
        t.op = TensorOp::Product;
        ok = tensorProduct(d, t);
    }
    if (!ok)
        return false;
    d.inst.run = tensorHandler(t.op);
    d.inst.async = {std::uint32_t(m_program.tensors.size())};
    m_program.tensors.push_back(std::move(t));
    return true;
}

} // namespace warpglass::emulator
