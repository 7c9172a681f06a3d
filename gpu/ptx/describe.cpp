// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/describe.h"

#include "gpu/ptx/module.h"

#include <algorithm>

namespace warpglass::ptx {
namespace {

void take(Description& d, Modifier m) {
    const auto rounding = [&](Rounding r, bool integral = false) {
        d.rounds = true;
        d.rounding = r;
        d.integral = integral;
    };
    const auto compare = [&](Compare c) {
        d.compares = true;
        d.compare = c;
    };
    if (const Type type = typeOf(m); type != Type::None) {
        if (d.typeCount < d.types.size())
            d.types[d.typeCount++] = type;
        return;
    }
    using M = Modifier;
    switch (m) {
    case M::Global:
        d.space = StateSpace::Global;
        break;
    case M::SharedCluster:
        d.cluster = true;
        [[fallthrough]];
    case M::Shared:
    case M::SharedCta:
        d.space = StateSpace::Shared;
        break;
    case M::Local:
        d.space = StateSpace::Local;
        break;
    case M::Const:
        d.space = StateSpace::Const;
        break;
    case M::ParamEntry:
        d.entryParam = true;
        [[fallthrough]];
    case M::Param:
    case M::ParamFunc:
        d.space = StateSpace::Param;
        break;

    case M::Rn:
        rounding(Rounding::Nearest);
        break;
    case M::Rz:
        rounding(Rounding::Zero);
        break;
    case M::Rm:
        rounding(Rounding::Down);
        break;
    case M::Rp:
        rounding(Rounding::Up);
        break;
    case M::Rna:
        rounding(Rounding::NearestAway);
        break;
    case M::Rs:
        rounding(Rounding::Stochastic);
        break;
    case M::Rni:
        rounding(Rounding::Nearest, true);
        break;
    case M::Rzi:
        rounding(Rounding::Zero, true);
        break;
    case M::Rmi:
        rounding(Rounding::Down, true);
        break;
    case M::Rpi:
        rounding(Rounding::Up, true);
        break;

    case M::Ftz:
        d.ftz = true;
        break;
    case M::Sat:
        d.sat = true;
        break;
    case M::Satfinite:
        d.satfinite = true;
        break;
    case M::Relu:
        d.relu = true;
        break;
    case M::Oob:
        d.oob = true;
        break;
    case M::NaN:
        d.nan = true;
        break;
    case M::Xorsign:
        d.xorsign = true;
        break;
    case M::Abs:
        d.absolute = true;
        break;
    case M::Approx:
        d.approx = true;
        break;
    case M::Full:
        d.full = true;
        break;
    case M::Pack:
        d.packs = true;
        break;
    case M::Cc:
        d.carryOut = true;
        break;
    case M::Noftz:
        d.noftz = true;
        break;
    case M::Shiftamt:
        d.shiftAmount = true;
        break;
    case M::Wide:
        d.half = Half::Wide;
        break;
    case M::Lo:
        if (d.family == Family::Compare)
            compare(Compare::Lo);
        break;
    case M::Hi:
        if (d.family == Family::Compare)
            compare(Compare::Hi);
        else
            d.half = Half::High;
        break;

    case M::Eq:
        compare(Compare::Eq);
        break;
    case M::Ne:
        compare(Compare::Ne);
        break;
    case M::Lt:
        compare(Compare::Lt);
        break;
    case M::Le:
        compare(Compare::Le);
        break;
    case M::Gt:
        compare(Compare::Gt);
        break;
    case M::Ge:
        compare(Compare::Ge);
        break;
    case M::Ls:
        compare(Compare::Ls);
        break;
    case M::Hs:
        compare(Compare::Hs);
        break;
    case M::Equ:
        compare(Compare::Equ);
        break;
    case M::Neu:
        compare(Compare::Neu);
        break;
    case M::Ltu:
        compare(Compare::Ltu);
        break;
    case M::Leu:
        compare(Compare::Leu);
        break;
    case M::Gtu:
        compare(Compare::Gtu);
        break;
    case M::Geu:
        compare(Compare::Geu);
        break;
    case M::Num:
        compare(Compare::Num);
        break;
    case M::Unordered:
        compare(Compare::Nan);
        break;

    case M::Add:
        d.operation = Operation::Add;
        break;
    case M::Min:
        d.operation = Operation::Min;
        break;
    case M::Max:
        d.operation = Operation::Max;
        break;
    case M::Inc:
        d.operation = Operation::Inc;
        break;
    case M::Dec:
        d.operation = Operation::Dec;
        break;
    case M::And:
        d.operation = Operation::And;
        break;
    case M::Or:
        d.operation = Operation::Or;
        break;
    case M::Xor:
        d.operation = Operation::Xor;
        break;
    case M::Exch:
        d.operation = Operation::Exch;
        break;
    case M::Cas:
        d.operation = Operation::Cas;
        break;
    case M::Popc:
        d.operation = Operation::Popc;
        break;

    case M::Up:
        d.shuffle = ShuffleMode::Up;
        break;
    case M::Down:
        d.shuffle = ShuffleMode::Down;
        break;
    case M::Bfly:
        d.shuffle = ShuffleMode::Bfly;
        break;
    case M::Idx:
        d.shuffle = ShuffleMode::Idx;
        break;
    case M::All:
        d.vote = VoteMode::All;
        d.all = true;
        break;
    case M::Any:
        d.vote = VoteMode::Any;
        break;
    case M::Uni:
        d.vote = VoteMode::Uni;
        break;
    case M::Ballot:
        d.vote = VoteMode::Ballot;
        break;
    case M::R:
        d.right = true;
        break;
    case M::Clamp:
        d.clamp = true;
        break;
    case M::Wrap:
        d.wrap = true;
        break;
    case M::F4e:
    case M::B4e:
    case M::Rc8:
    case M::Ecl:
    case M::Ecr:
    case M::Rc16:
    case M::Finite:
    case M::Infinite:
    case M::Number:
    case M::Notanumber:
    case M::Normal:
    case M::Subnormal:
        d.mode = m;
        break;
    case M::To:
        d.toSpace = true;
        break;

    case M::V2:
        d.elements = 2;
        break;
    case M::V4:
        d.elements = 4;
        break;
    case M::V8:
        d.elements = 8;
        break;
    case M::Ca:
        d.cache = CacheOperator::Ca;
        break;
    case M::Cg:
        d.cache = CacheOperator::Cg;
        break;
    case M::Cs:
        d.cache = CacheOperator::Cs;
        break;
    case M::Lu:
        d.cache = CacheOperator::Lu;
        break;
    case M::Cv:
        d.cache = CacheOperator::Cv;
        break;
    case M::Wb:
        d.cache = CacheOperator::Wb;
        break;
    case M::Wt:
        d.cache = CacheOperator::Wt;
        break;
    case M::Nc:
        d.cache = CacheOperator::Nc;
        break;
    case M::Relaxed:
        d.semantics = Semantics::Relaxed;
        break;
    case M::Acquire:
        d.semantics = Semantics::Acquire;
        break;
    case M::Release:
        d.semantics = Semantics::Release;
        break;
    case M::AcqRel:
        d.semantics = Semantics::AcquireRelease;
        break;
    case M::Sc:
        d.semantics = Semantics::Sequential;
        break;
    case M::Volatile:
        d.semantics = Semantics::Volatile;
        break;
    case M::Mmio:
        d.semantics = Semantics::Mmio;
        break;
    case M::Cta:
        d.scope = Scope::Cta;
        break;
    case M::Cluster:
        d.scope = Scope::Cluster;
        d.cluster |= d.family == Family::Barrier;
        break;
    case M::Gpu:
    case M::Gl:
        d.scope = Scope::Gpu;
        break;
    case M::Sys:
        d.scope = Scope::System;
        break;

    case M::Sync:
        d.sync = true;
        break;
    case M::Aligned:
        d.aligned = true;
        break;
    case M::Arrive:
        d.arrive = true;
        break;
    case M::Red:
        d.reduces = true;
        break;
    case M::Warp:
        d.warp = true;
        break;
    default: // a hint, or a word of an instruction that reads it itself
        break;
    }
}

Description begin(Opcode opcode) {
    Description d;
    d.opcode = opcode;
    d.family = row(opcode).family;
    d.access = d.family == Family::Load     ? Access::Load
               : d.family == Family::Store  ? Access::Store
               : d.family == Family::Atomic ? Access::Atomic
                                            : Access::None;
    return d;
}

// multimem is a load, a store or a reduction, as its first word says.
void giveFamily(Description& d, bool loads, bool stores) {
    d.family = loads ? Family::Load : stores ? Family::Store : Family::Atomic;
    d.access = loads ? Access::Load : stores ? Access::Store : Access::Atomic;
}

} // namespace

Description describe(const Instruction& i) {
    Description d = begin(i.opcode);
    for (const Modifier m : i.modifiers)
        take(d, m);
    if (i.opcode == Opcode::Multimem)
        giveFamily(d, i.has(Modifier::LdReduce), i.has(Modifier::St));
    return d;
}

Description describe(std::string_view text) {
    std::size_t end = std::min(text.find('.'), text.size());
    Description d = begin(parseOpcode(text.substr(0, end)));
    while (end < text.size()) {
        text.remove_prefix(end + 1);
        end = std::min(text.find('.'), text.size());
        const Modifier m = parseModifier(text.substr(0, end));
        take(d, m);
        if (d.opcode == Opcode::Multimem && (m == Modifier::LdReduce || m == Modifier::St || m == Modifier::Red))
            giveFamily(d, m == Modifier::LdReduce, m == Modifier::St);
    }
    return d;
}

} // namespace warpglass::ptx
