// SPDX-License-Identifier: GPL-3.0-or-later
// What blocks of a cluster do to each other: addresses, stores, barriers, and launches that are taken back.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/ops/cluster_ops.h"
#include "gpu/emulator/state/cluster.h"

namespace warpglass::emulator {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

bool Decoder::remoteStore(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    const bool reduces = d.is.opcode == Opcode::Red;
    a.op = reduces ? AsyncOp::ReduceRemote : AsyncOp::StoreRemote;
    a.operation = reduces ? d.is.operation : ptx::Operation::None;
    a.type = d.is.type();
    a.valueBytes = std::uint8_t(ptx::bytesOf(a.type));
    if (i.operands.size() != 3 || !asyncAddress(d, i.operand(0), CopySpace::Cluster, a.to) ||
        !asyncAddress(d, i.operand(2), CopySpace::Cluster, a.barrier))
        return d.fail(say::NamesToMbarrier);
    const std::vector<Operand> one{i.operand(1)};
    const std::vector<Operand>& values = i.operand(1).kind == Operand::Kind::Vector ? i.operand(1).elements : one;
    if (values.size() != d.is.elements || values.size() * a.valueBytes > 16)
        return d.fail(say::DataElements);
    for (const Operand& v : values) {
        a.values.emplace_back();
        if (!readOperand(d, v, a.type, a.values.back()))
            return false;
    }
    return true;
}

bool Decoder::launchControl(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    if (i.has(Modifier::TryCancel)) {
        a.op = AsyncOp::TryCancel;
        a.byBarrier = true;
        a.multicastsToAll = i.has(Modifier::MulticastClusterAll);
        const CopySpace space = i.has(Modifier::SharedCta) ? CopySpace::Own : CopySpace::Generic;
        return i.operands.size() == 2
                   ? asyncAddress(d, i.operand(0), space, a.to) && asyncAddress(d, i.operand(1), space, a.barrier)
                   : d.fail(say::NamesAnswer);
    }
    a.op = AsyncOp::QueryCancel;
    d.info.isAsync = false;
    d.info.opClass = OpClass::Integer;
    Row answer;
    if (i.operands.size() != 2 || !read(d, 1, Type::B128, answer))
        return d.fail(say::NamesTryCancel);
    if (i.has(Modifier::IsCanceled))
        return write(d, 0, Type::Pred, a.dst);
    const std::vector<Operand> one{i.operand(0)};
    for (const Operand& o : i.operand(0).kind == Operand::Kind::Vector ? i.operand(0).elements : one) {
        a.values.emplace_back(noRow);
        if (o.kind != Operand::Kind::Sink && !writeOperand(d, o, Type::B32, a.values.back()))
            return false;
    }
    return true;
}

bool Decoder::clusterAddress(Decoding& d, AsyncInst& a) {
    const ptx::Instruction& i = d.i;
    const CopySpace space = i.has(Modifier::SharedCluster) ? CopySpace::Cluster : CopySpace::Generic;
    d.info.opClass = OpClass::Integer;
    d.info.isAsync = false;
    a.op = d.is.opcode == Opcode::Mapa ? AsyncOp::MapAddress : AsyncOp::RankOf;
    a.dstIs64 = a.op == AsyncOp::MapAddress && d.is.type() == Type::U64;
    return write(d, 0, a.dstIs64 ? Type::U64 : Type::U32, a.dst) && asyncAddress(d, i.operand(1), space, a.from) &&
           (a.op == AsyncOp::RankOf || read(d, 2, Type::U32, a.count));
}

// barrier.cluster.arrive and .wait.
bool Decoder::clusterBarrier(Decoding& d) {
    d.info.opClass = OpClass::Barrier;
    d.info.isBarrier = true;
    m_program.usesCluster = true;
    d.inst.run = d.is.arrive ? clusterArriveHandler() : clusterWaitHandler();
    return true;
}

} // namespace warpglass::emulator
