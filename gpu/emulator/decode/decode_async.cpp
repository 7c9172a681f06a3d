// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous copies, mbarriers and tensor maps.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/async/copy_ops.h"
#include "gpu/emulator/async/lane_copies.h"
#include "gpu/emulator/async/mbarrier_ops.h"
#include "gpu/emulator/async/tensor_map.h"
#include "gpu/emulator/decode/decoder.h"

#include <fmt/format.h>

namespace warpglass::emulator {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

namespace {

bool fitsSpace(CopySpace wanted, ptx::StateSpace found) {
    return wanted == CopySpace::Generic ||
           found == (wanted == CopySpace::Global ? ptx::StateSpace::Global : ptx::StateSpace::Shared);
}

std::size_t dimensionsOf(const ptx::Instruction& i) {
    constexpr Modifier words[] = {Modifier::Dim1, Modifier::Dim2, Modifier::Dim3, Modifier::Dim4, Modifier::Dim5};
    for (std::size_t k = 0; k < std::size(words); ++k)
        if (i.has(words[k]))
            return k + 1;
    return 0;
}

} // namespace

bool Decoder::asyncAddress(Decoding& d, const Operand& o, CopySpace space, AsyncAddress& a) {
    a.space = space;
    if (o.kind == Operand::Kind::Register || o.kind == Operand::Kind::Symbol || o.kind == Operand::Kind::Integer) {
        Operand address = o; // mapa takes its address bare
        address.kind = Operand::Kind::Address;
        address.baseIsRegister = o.kind == Operand::Kind::Register;
        return asyncAddress(d, address, space, a);
    }
    if (o.kind != Operand::Kind::Address)
        return d.fail(say::AddressExpected);
    a.offset = o.integer;
    if (o.baseIsRegister) {
        const RegisterRow* r = registerOf(o.name);
        if (!r || r->type == Type::Pred)
            return d.fail(say::RegisterUndeclared(o.name));
        // Where ptxas takes 32 bits without a space, they are an address of shared memory.
        const bool narrow = r->bytes() != 8 && space == CopySpace::Generic && m_module.addressSize == 64;
        if (narrow && d.is.opcode != Opcode::Mbarrier && d.is.opcode != Opcode::Tensormap &&
            !d.i.has(Modifier::Tensor) && d.is.family != ptx::Family::Cluster)
            a.space = CopySpace::Own;
        else if (r->bytes() != 8 && m_module.addressSize == 64 && d.is.family != ptx::Family::Cluster &&
                 (space == CopySpace::Global || space == CopySpace::Generic))
            return d.fail(say::AddressBits);
        a.row = r->row;
        a.wide = r->bytes() == 8;
        a.ofEvenBlock = space == CopySpace::Cluster &&
                        (d.is.opcode == Opcode::Mbarrier || d.i.has(Modifier::CtaGroup2)) && clearsOddBlock(o.name, 0);
        d.info.reads.push_back(r->row);
        return true;
    }
    if (o.name.empty())
        return true;
    const auto s = symbol(o.name);
    if (!s)
        return d.fail(say::Undeclared(o.name));
    const bool ofCluster = d.is.family == ptx::Family::Cluster; // mapa and getctarank know no other memory
    if (!fitsSpace(space, s->space) || (ofCluster && s->space != ptx::StateSpace::Shared))
        return d.fail(say::OtherMemory(o.name));
    a.offset = offsetFrom(space == CopySpace::Generic ? genericAddress(*s) : s->address, a.offset);
    return true;
}

// Whether the register comes of an address in which the lowest bit of the block's number was cleared, perhaps with other low
// bits of the address, and to which something was added.
bool Decoder::clearsOddBlock(const std::string& name, int depth) {
    if (!m_scope->makers) {
        auto& makers = m_scope->makers.emplace();
        for (const ptx::Instruction& i : m_scope->source->body)
            if ((i.opcode == Opcode::And || i.opcode == Opcode::Add || i.opcode == Opcode::Mov) && !i.operands.empty())
                makers[i.operands[0].name] = &i;
    }
    const auto maker = m_scope->makers->find(name);
    if (maker == m_scope->makers->end() || depth > 8)
        return false;
    const auto& operands = maker->second->operands;
    for (std::size_t k = 1; k < operands.size(); ++k) {
        constexpr std::uint32_t numbers = 0xff000000u, even = 0xfe000000u;
        if (maker->second->opcode == Opcode::And && operands[k].kind == Operand::Kind::Integer &&
            (std::uint32_t(operands[k].integer) & numbers) == even)
            return true;
    }
    for (std::size_t k = 1; k < operands.size(); ++k)
        if (operands[k].kind == Operand::Kind::Register && clearsOddBlock(operands[k].name, depth + 1))
            return true;
    return false;
}

// The spaces that a copy names, in order: where to, where from.
std::vector<CopySpace> Decoder::copySpaces(const ptx::Instruction& i) {
    std::vector<CopySpace> spaces;
    for (const Modifier m : i.modifiers)
        if (m == Modifier::Global)
            spaces.push_back(CopySpace::Global);
        else if (m == Modifier::Shared || m == Modifier::SharedCta)
            spaces.push_back(CopySpace::Own);
        else if (m == Modifier::SharedCluster)
            spaces.push_back(CopySpace::Cluster);
    return spaces;
}

bool Decoder::async(Decoding& d) {
    AsyncInst a;
    d.info.opClass = OpClass::Async;
    d.info.isAsync = true;
    bool ok = false;
    switch (d.is.opcode) {
    case Opcode::Mbarrier:
        ok = mbarrier(d, a);
        break;
    case Opcode::Cp:
        ok = d.i.has(Modifier::Tensor) ? tensorCopy(d, a) : d.i.has(Modifier::Bulk) ? bulkCopy(d, a) : laneCopy(d, a);
        break;
    case Opcode::St:
    case Opcode::Red:
        ok = d.i.has(Modifier::Bulk) ? bulkZeros(d, a) : remoteStore(d, a);
        break;
    case Opcode::Tensormap:
        ok = tensorMapChange(d, a);
        break;
    case Opcode::Clusterlaunchcontrol:
        ok = launchControl(d, a);
        break;
    case Opcode::Mapa:
    case Opcode::Getctarank:
        ok = clusterAddress(d, a);
        break;
    case Opcode::Createpolicy: // hints about caches: any value will do
        d.info.isAsync = false;
        d.info.opClass = OpClass::Move;
        d.inst.a = constant(0, 8);
        d.inst.run = aluHandler({AluOp::Mov, Type::B64, Type::B64, 8, 8});
        return write(d, 0, Type::B64, d.inst.dst);
    default:
        return d.fail(say::NotKnownToEmulator);
    }
    if (!ok)
        return false;
    if (!d.inst.run)
        d.inst.run = mbarrierHandler(a.op);
    if (!d.inst.run)
        d.inst.run = copyHandler(a.op);
    if (!d.inst.run)
        d.inst.run = laneCopyHandler(a.op);
    if (!d.inst.run)
        d.inst.run = tensorHandler(a.op);
    if (!d.inst.run)
        d.inst.run = addressHandler(a.op);
    d.inst.async = {std::uint32_t(m_program.asyncs.size())};
    m_program.asyncs.push_back(std::move(a));
    return true;
}

bool Decoder::mbarrier(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    const std::size_t n = i.operands.size();
    const std::vector<CopySpace> spaces = copySpaces(i);
    const CopySpace space = spaces.empty() ? CopySpace::Generic : spaces[0];
    const auto state = [&](std::size_t k) { return read(d, k, Type::B64, a.count); };
    const auto number = [&](std::size_t k, Row& row) { return k >= n || read(d, k, Type::U32, row); };
    if (i.has(Modifier::PendingCount)) {
        a.op = AsyncOp::PendingCount;
        return write(d, 0, Type::U32, a.dst) && state(1);
    }
    if (i.has(Modifier::TestWait) || i.has(Modifier::TryWait)) {
        a.op = i.has(Modifier::TestWait) ? AsyncOp::TestWait : AsyncOp::TryWait;
        a.parity = i.has(Modifier::Parity);
        const RegisterRow* p = n > 0 ? registerOf(i.operand(0).name) : nullptr;
        if (n < 3 || !p || p->type != Type::Pred)
            return d.fail(say::NeedsPhase);
        return write(d, 0, Type::Pred, a.dst) && asyncAddress(d, i.operand(1), space, a.barrier) &&
               (a.parity ? read(d, 2, Type::U32, a.count) : state(2));
    }
    if (i.has(Modifier::Arrive) || i.has(Modifier::ArriveDrop)) {
        a.op = i.has(Modifier::ArriveDrop) ? AsyncOp::ArriveDrop : AsyncOp::Arrive;
        a.noComplete = i.has(Modifier::NoComplete);
        const bool result = n > 0 && i.operand(0).kind != Operand::Kind::Address;
        if (result && !writeOperand(d, i.operand(0), Type::B64, a.dst))
            return false;
        if (space == CopySpace::Cluster && a.dst != noRow)
            return d.fail(say::RemoteArrival);
        const std::size_t at = result;
        if (at >= n || !asyncAddress(d, i.operand(at), space, a.barrier))
            return d.fail(say::AddressExpected);
        if (a.noComplete && at + 1 >= n)
            return d.fail(say::NeedsCount);
        if (i.has(Modifier::ExpectTx) && at + 1 >= n)
            return d.fail(say::NeedsBytes);
        if (at + 2 < n)
            return d.fail(say::TooManyOperands);
        return number(at + 1, i.has(Modifier::ExpectTx) ? a.bytes : a.count);
    }
    if (n < 1 || !asyncAddress(d, i.operand(0), space, a.barrier))
        return d.fail(say::AddressExpected);
    if (i.has(Modifier::Init)) {
        a.op = AsyncOp::Init;
        return n == 2 ? number(1, a.count) : d.fail(say::NeedsCount);
    }
    if (i.has(Modifier::Inval)) {
        a.op = AsyncOp::Inval;
        return true;
    }
    a.op = i.has(Modifier::ExpectTx) ? AsyncOp::ExpectBytes : AsyncOp::CompleteBytes;
    return n == 2 ? number(1, a.bytes) : d.fail(say::NeedsBytes);
}

// cp.async without .bulk.
bool Decoder::laneCopy(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    if (i.has(Modifier::CommitGroup)) {
        a.op = AsyncOp::CommitLanes;
        return true;
    }
    if (i.has(Modifier::WaitAll) || i.has(Modifier::WaitGroup))
        return waitGroup(d, a, AsyncOp::WaitLanes);
    const std::vector<CopySpace> spaces = copySpaces(i);
    if (i.has(Modifier::Mbarrier)) {
        a.op = AsyncOp::ArriveAfterLanes;
        a.noIncrement = i.has(Modifier::Noinc);
        d.inst.run = arriveAfterCopiesHandler();
        return asyncAddress(d, i.operand(0), spaces.empty() ? CopySpace::Generic : spaces[0], a.barrier);
    }
    a.op = AsyncOp::CopyLanes;
    d.info.isMemory = true;
    d.info.space = MemorySpace::Global;
    d.info.access = AccessKind::Load;
    if (i.operands.size() < 3 || i.operand(2).kind != Operand::Kind::Integer)
        return d.fail(say::BytesConstant);
    const std::int64_t bytes = i.operand(2).integer;
    if (bytes != 16 && (i.has(Modifier::Cg) || (bytes != 4 && bytes != 8)))
        return d.fail(i.has(Modifier::Cg) ? say::CgBytes : say::CaBytes);
    a.valueBytes = std::uint8_t(bytes);
    if (!asyncAddress(d, i.operand(0), CopySpace::Own, a.to) ||
        !asyncAddress(d, i.operand(1), CopySpace::Global, a.from))
        return false;
    // What may follow: the bytes to read, or a predicate that asks for zeros; then a cache policy.
    const std::size_t last = i.operands.size() - (i.has(Modifier::L2CacheHint) ? 1 : 0);
    if (last < 3 || last > 4)
        return d.fail(say::OperandCount);
    if (Row policy; last < i.operands.size() && !read(d, last, Type::B64, policy))
        return false;
    if (last < 4)
        return true;
    const RegisterRow* r = i.operand(3).kind == Operand::Kind::Register ? registerOf(i.operand(3).name) : nullptr;
    if (r && r->type == Type::Pred)
        return readPredicate(d, 3, a.ignore, a.ignoreNegated);
    if (i.operand(3).kind == Operand::Kind::Integer && (i.operand(3).integer < 0 || i.operand(3).integer > bytes))
        return d.fail(say::ReadsNoMore);
    if (i.operand(3).kind == Operand::Kind::Integer && i.operand(3).integer == bytes)
        return true; // all of them, as CUDA's own functions say
    return read(d, 3, Type::U32, a.sourceBytes);
}

bool Decoder::waitGroup(Decoding& d, AsyncInst& a, AsyncOp op) {
    a.op = op;
    a.halt = d.i.has(Modifier::WaitAll);
    a.readOnly = d.i.has(Modifier::Read);
    if (a.halt)
        return true;
    if (d.i.operands.size() != 1 || d.i.operand(0).kind != Operand::Kind::Integer || d.i.operand(0).integer < 0)
        return d.fail(say::GroupsConstant);
    a.keep = std::uint32_t(d.i.operand(0).integer);
    return true;
}

bool Decoder::bulkCopy(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    if (i.has(Modifier::CommitGroup)) {
        a.op = AsyncOp::CommitBulk;
        return true;
    }
    if (i.has(Modifier::WaitGroup))
        return waitGroup(d, a, AsyncOp::WaitBulk);
    if (i.has(Modifier::Prefetch)) {
        a.op = AsyncOp::Prefetch;
        return asyncAddress(d, i.operand(0), CopySpace::Global, a.from);
    }
    a.op = AsyncOp::CopyBulk;
    const std::vector<CopySpace> spaces = copySpaces(i);
    a.byBarrier = i.has(Modifier::MbarrierCompleteTxBytes);
    if (spaces.size() != 2 || i.operands.size() < (a.byBarrier ? 4u : 3u))
        return d.fail(say::NamesFromTo);
    if (spaces[0] == CopySpace::Global && a.byBarrier)
        return d.fail(say::TellsBulkGroup);
    m_program.readsByProxy |= spaces[1] != CopySpace::Global;
    a.operation = d.is.operation;
    a.type = d.is.type();
    orderFloats(a);
    std::size_t n = 0;
    if (!asyncAddress(d, i.operand(n++), spaces[0], a.to) || !asyncAddress(d, i.operand(n++), spaces[1], a.from) ||
        !read(d, n++, Type::U32, a.bytes))
        return false;
    if (a.byBarrier && !asyncAddress(d, i.operand(n++), CopySpace::Cluster, a.barrier))
        return false;
    if (i.has(Modifier::MulticastCluster) && !read16(d, n++, a.multicast))
        return false;
    n += i.has(Modifier::L2CacheHint);
    if (i.operands.size() != n + i.has(Modifier::CpMask))
        return d.fail(say::OperandCount);
    return !i.has(Modifier::CpMask) || read16(d, n, a.byteMask);
}

// A mask of 16 bits in whatever register it comes.
bool Decoder::read16(Decoding& d, std::size_t n, Row& row) {
    return read(d, n, Type::B16, row);
}

// What sums of floats come to depends on who comes first.
void Decoder::orderFloats(const AsyncInst& a) {
    if (a.operation != ptx::Operation::None && (ptx::isFloat(a.type) || ptx::isHalf(a.type)) && !m_program.ordered) {
        m_program.ordered = true;
        m_program.orderReason = "floats are added by asynchronous copies, and their sum depends on the order";
    }
}

bool Decoder::tensorCopy(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    a.op = AsyncOp::CopyTensor;
    a.byBarrier = i.has(Modifier::MbarrierCompleteTxBytes);
    a.prefetches = i.has(Modifier::Prefetch);
    a.ofPair = i.has(Modifier::CtaGroup2);
    a.fourRows = i.has(Modifier::TileGather4) || i.has(Modifier::TileScatter4);
    const bool wide = i.has(Modifier::Im2colW) || i.has(Modifier::Im2colW128);
    if (wide)
        a.im2col = i.has(Modifier::Im2colW) ? Im2col::Along::Width : Im2col::Along::Width128;
    else if (i.has(Modifier::Im2col) || i.has(Modifier::Im2colNoOffs))
        a.im2col = Im2col::Along::All;
    a.operation = d.is.operation;
    if (a.operation != ptx::Operation::None && !m_program.ordered) {
        m_program.ordered = true;
        m_program.orderReason = "tensors are added by asynchronous copies, and sums of floats depend on the order";
    }
    const std::vector<CopySpace> spaces = copySpaces(i);
    const auto map = [&](const Operand& o, AsyncAddress& at) {
        if (o.elements.size() != 1 || o.elements[0].kind != Operand::Kind::Vector)
            return d.fail(say::NamesMapCoordinates);
        Operand plain = o;
        plain.elements.clear();
        for (const Operand& c : o.elements[0].elements) {
            a.values.emplace_back();
            if (!readOperand(d, c, Type::B32, a.values.back()))
                return false;
        }
        if (a.fourRows ? a.values.size() != 5 : a.values.size() != dimensionsOf(i))
            return d.fail(a.fourRows ? say::NamesFourRows : say::CoordinateCount);
        return asyncAddress(d, plain, CopySpace::Generic, at);
    };
    const std::size_t hint = i.has(Modifier::L2CacheHint);
    const auto counts = [&](std::size_t count) {
        Row policy;
        return i.operands.size() == count + hint ? !hint || read(d, count, Type::B64, policy)
                                                 : d.fail(say::OperandCount);
    };
    if (a.prefetches)
        return map(i.operand(0), a.from) && counts(i.has(Modifier::Im2col) || wide ? 2 : 1);
    if (i.operands.size() < (a.byBarrier ? 3u : 2u))
        return d.fail(say::OperandMissing);
    m_program.readsByProxy |= !a.byBarrier;
    if (!a.byBarrier)
        return map(i.operand(0), a.to) && asyncAddress(d, i.operand(1), CopySpace::Own, a.from) && counts(2);
    if (!asyncAddress(d, i.operand(0), spaces.empty() ? CopySpace::Cluster : spaces[0], a.to) ||
        !map(i.operand(1), a.from) || !asyncAddress(d, i.operand(2), CopySpace::Cluster, a.barrier))
        return false;
    std::size_t next = 3;
    if (i.has(Modifier::Im2col) || wide) {
        if (i.operands.size() <= next ||
            i.operand(next).elements.size() != (wide ? 2 : std::max<std::size_t>(a.values.size(), 2) - 2))
            return d.fail(wide ? say::NamesHalo : say::NamesOffsets);
        for (const Operand& o : i.operand(next).elements)
            if (a.offsets.emplace_back(); !readOperand(d, o, Type::B16, a.offsets.back()))
                return false;
        ++next;
    }
    const bool multicasts = i.has(Modifier::MulticastCluster);
    return counts(next + multicasts) && (!multicasts || read16(d, next, a.multicast));
}

// st.bulk: the only value that it stores is 0.
bool Decoder::bulkZeros(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    a.op = AsyncOp::ZeroShared;
    d.info.isAsync = false;
    if (i.operands.size() != 3 || i.operand(2).kind != Operand::Kind::Integer || i.operand(2).integer != 0)
        return d.fail(say::NamesZero);
    return asyncAddress(d, i.operand(0), i.has(Modifier::SharedCta) ? CopySpace::Own : CopySpace::Generic, a.to) &&
           read(d, 1, Type::U64, a.bytes);
}

bool Decoder::tensorMapChange(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    if (i.has(Modifier::CpFenceproxy)) {
        a.op = AsyncOp::CopyMap;
        return i.operands.size() == 3 && asyncAddress(d, i.operand(0), CopySpace::Global, a.to) &&
               asyncAddress(d, i.operand(1), CopySpace::Own, a.from);
    }
    a.op = AsyncOp::ReplaceField;
    for (const Modifier m :
         {Modifier::GlobalAddress, Modifier::Rank, Modifier::BoxDim, Modifier::GlobalDim, Modifier::GlobalStride,
          Modifier::ElementStride, Modifier::Elemtype, Modifier::InterleaveLayout, Modifier::SwizzleMode,
          Modifier::SwizzleAtomicity, Modifier::FillMode})
        if (i.has(m))
            a.field = std::uint32_t(m);
    const std::vector<CopySpace> spaces = copySpaces(i);
    std::size_t n = 0;
    if (i.operands.size() < 2 ||
        !asyncAddress(d, i.operand(n++), spaces.empty() ? CopySpace::Generic : spaces[0], a.to))
        return d.fail(say::NamesMapValue);
    const bool ofDimension = i.has(Modifier::BoxDim) || i.has(Modifier::GlobalDim) || i.has(Modifier::GlobalStride) ||
                             i.has(Modifier::ElementStride);
    if (i.operands.size() != (ofDimension ? 3u : 2u))
        return d.fail(ofDimension ? say::NamesMapDimension : say::NamesMapValue);
    if (ofDimension) {
        if (i.operand(n).kind != Operand::Kind::Integer)
            return d.fail(say::DimensionConstant);
        a.ordinal = std::uint32_t(i.operand(n++).integer);
    }
    a.values.emplace_back();
    a.valueBytes = std::uint8_t(d.is.type() == Type::B64 ? 8 : 4);
    return read(d, n, d.is.type(), a.values.back());
}

} // namespace warpglass::emulator
