// SPDX-License-Identifier: GPL-3.0-or-later
// Branches, calls, returns, barriers.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/ops/barrier_ops.h"
#include "gpu/emulator/ops/control_ops.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::emulator {

using ptx::Operand;
using ptx::Type;

const ptx::BranchMeets* Decoder::knownMeets(std::uint32_t instruction) const {
    const ptx::Function& f = *m_scope->source;
    const auto found = std::ranges::find_if(m_meets, [&](const ptx::BranchMeets& b) {
        return b.branch == instruction && !b.yields && b.function == f.name;
    });
    return found != m_meets.end() &&
                   std::ranges::all_of(found->places, [&](std::uint32_t place) { return place <= f.body.size(); })
               ? &*found
               : nullptr;
}

bool Decoder::control(Decoding& d, std::uint32_t position) {
    const ptx::Instruction& i = d.i;
    const FunctionCode& f = m_program.functions[m_scope->index];
    using ptx::Opcode;
    const Opcode op = d.is.opcode;
    Inst& in = d.inst;
    const std::uint32_t bodySize = std::uint32_t(m_scope->source->body.size());
    d.info.opClass = OpClass::Control;
    const auto place = [&](std::string_view label) -> std::optional<std::uint32_t> {
        const auto l = m_labels.find(label);
        return l ? std::optional(f.first + *l) : std::nullopt;
    };
    const auto branchTo = [&](std::uint32_t target, std::uint32_t targets) {
        if (const ptx::BranchMeets* known = knownMeets(position - f.first)) {
            const auto outer = std::uint32_t(m_program.meets.size());
            for (const std::uint32_t meets : known->places)
                m_program.meets.push_back(f.first + meets);
            const auto all = std::uint32_t(known->places.size());
            return BranchPart{.target = target,
                              .reconvergence = all > 0 ? m_program.meets.back() : f.end - 1,
                              .targets = targets,
                              .outer = outer,
                              .outers = std::uint16_t(all > 0 ? all - 1 : 0),
                              .meetsAround = all == 0};
        }
        const ptx::Meeting& meeting = m_flow->meetings[m_flow->blockOf[position - f.first]];
        const auto first = [&](std::uint32_t block) { return f.first + m_flow->firstOf(block, bodySize); };
        const auto outer = std::uint32_t(m_program.meets.size());
        if (meeting.behind != ptx::Meeting::nowhere)
            m_program.meets.push_back(first(meeting.behind));
        return BranchPart{.target = target,
                          .reconvergence = first(meeting.block),
                          .targets = targets,
                          .outer = outer,
                          .outers = std::uint16_t(m_program.meets.size() - outer),
                          .meetsAround = meeting.around,
                          .leaving = meeting.leaving};
    };

    if (op == Opcode::Bra) {
        const auto target = i.operands.empty() ? std::nullopt : place(i.operands[0].name);
        if (!target)
            return d.fail(say::ItsLabelElsewhere);
        in.branch = branchTo(*target, 0);
        in.run = branchHandler();
        d.info.isBranch = true;
        d.info.isConditional = i.guarded();
        return true;
    }
    if (op == Opcode::Brx) {
        if (i.operands.size() < 2 || !read(d, 0, Type::U32, in.a))
            return false;
        const ptx::TargetList* list = m_scope->source->findTargets(i.operands[1].name);
        if (!list)
            return d.fail(say::TargetsElsewhere);
        std::vector<std::uint32_t> positions;
        for (const auto& name : list->targets) {
            const auto target = place(name);
            if (!target)
                return d.fail(say::LabelElsewhere(name));
            positions.push_back(*target);
        }
        if (positions.empty())
            return d.fail(say::TargetsEmpty);
        in.branch = branchTo(0, std::uint32_t(m_program.targets.size()));
        m_program.targets.push_back(std::move(positions));
        in.run = indexedBranchHandler();
        d.info.isBranch = d.info.isConditional = true;
        return true;
    }
    if (op == Opcode::Ret || op == Opcode::Exit) {
        // The end of a thread is no branch to the hardware's counter; the return of a function is.
        d.info.isBranch = op == Opcode::Ret && !m_scope->source->isEntry;
        if (op == Opcode::Exit || m_scope->source->isEntry) {
            d.info.isExit = true;
            in.run = exitHandler();
            return true;
        }
        in.branch = branchTo(f.end - 1, 0);
        in.run = branchHandler();
        d.info.isConditional = i.guarded();
        return true;
    }
    if (op == Opcode::Trap || op == Opcode::Brkpt) {
        in.run = trapHandler();
        return true;
    }
    // bar, barrier
    if (d.is.cluster)
        return clusterBarrier(d);
    d.info.opClass = OpClass::Barrier;
    if (d.is.warp) {
        in.run = warpSyncHandler();
        in.barrier.constantMembers = isOneNumber(i.operand(0));
        return read(d, 0, Type::B32, in.a);
    }
    d.info.isBarrier = true;
    const bool red = d.is.reduces;
    const BarrierKind kind = d.is.arrive                              ? BarrierKind::Arrive
                             : !red                                   ? BarrierKind::Sync
                             : d.is.operation == ptx::Operation::Popc ? BarrierKind::RedPopc
                             : d.is.operation == ptx::Operation::And  ? BarrierKind::RedAnd
                                                                      : BarrierKind::RedOr;
    in.barrier = {kind, false};
    std::size_t n = 0;
    if (kind == BarrierKind::Arrive && i.operands.size() != 2)
        return d.fail(say::NamesThreads);
    if (red && !write(d, n++, d.is.type(), in.dst))
        return false;
    in.b = noRow;
    in.a = noRow;
    std::vector<const Operand*> numbers;
    for (; n < i.operands.size(); ++n) {
        const Operand& o = i.operands[n];
        const RegisterRow* r = o.kind == Operand::Kind::Register ? registerOf(o.name) : nullptr;
        if (r && r->type == Type::Pred) {
            in.c = r->row;
            in.barrier.negated = o.negated;
            d.info.reads.push_back(r->row);
        } else
            numbers.push_back(&o);
    }
    if (numbers.empty() || numbers.size() > 2)
        return d.fail(say::OperandMissing);
    if (!readOperand(d, *numbers[0], Type::U32, in.a) ||
        (numbers.size() > 1 && !readOperand(d, *numbers[1], Type::U32, in.b)))
        return false;
    in.run = barrierHandler(kind);
    return true;
}

bool Decoder::stack(Decoding& d) {
    const ptx::Opcode op = d.is.opcode;
    const Type type = d.is.type();
    MemoryPart& part = d.inst.memory;
    d.info.opClass = OpClass::Integer;
    part.rowBytes = std::uint8_t(rowBytes(type));
    part.offset = 8; // the least alignment that alloca promises
    if (op == ptx::Opcode::Stackrestore) {
        d.inst.run = stackRestoreHandler();
        return read(d, 0, type, d.inst.a);
    }
    if (op == ptx::Opcode::Stacksave) {
        d.inst.run = stackSaveHandler();
        return write(d, 0, type, d.inst.dst);
    }
    if (d.i.operands.size() == 3) {
        const Operand& alignment = d.i.operands[2];
        const auto asked = std::uint64_t(alignment.integer);
        if (alignment.kind != Operand::Kind::Integer || asked == 0 || asked > 1u << 23 || (asked & (asked - 1)) != 0)
            return d.fail(say::AlignmentPower23);
        part.offset = std::int64_t(std::max<std::uint64_t>(asked, 8));
    }
    d.inst.run = allocaHandler();
    return write(d, 0, type, d.inst.dst) && read(d, 1, type, d.inst.a);
}

// Whether what a call names is of the kinds and widths that the function, or the call's prototype, is declared with.
bool Decoder::handsOver(Decoding& d, const std::vector<ParamSlot>& given, const std::vector<ptx::Variable>& formal,
                        bool results) {
    if (given.size() != formal.size())
        return d.fail((results ? say::ResultsNamed : say::ArgumentsNamed)(given.size(), formal.size()));
    for (std::size_t k = 0; k < given.size(); ++k) {
        const ptx::Variable& v = formal[k];
        const ParamSlot own = v.space == ptx::StateSpace::Reg
                                  ? slotOf({{}, v.type})
                                  : ParamSlot{{}, std::uint32_t((std::max<std::uint64_t>(v.sizeBytes(), 1) + 3) / 4)};
        if (!given[k].agrees(own))
            return d.fail((results ? say::ResultType : say::ArgumentType)(k + 1, v.name));
    }
    return true;
}

bool Decoder::call(Decoding& d) {
    const ptx::Instruction& i = d.i;
    CallSite site;
    std::size_t n = 0;
    const std::vector<ptx::Variable>* formal = nullptr;  // of the function, or of the prototype of a call by a register
    const std::vector<ptx::Variable>* results = nullptr; // likewise
    if (const std::size_t at = i.operand(0).kind == Operand::Kind::List ? 1 : 0; at < i.operands.size()) {
        if (i.operands[at].kind == Operand::Kind::Register) {
            for (const auto& prototype : m_scope->source->prototypes)
                if (prototype.name == i.operands.back().name)
                    formal = &prototype.params, results = &prototype.returns;
        } else if (const auto f = m_symbols.functions.find(i.operands[at].name); f != m_symbols.functions.end()) {
            formal = &m_module.functions[f->second].params, results = &m_module.functions[f->second].returns;
        }
    }
    const auto slots = [&](const Operand& list, std::vector<ParamSlot>& out) {
        for (const Operand& o : list.elements) {
            if (o.kind == Operand::Kind::Register) {
                const RegisterRow* r = registerOf(o.name);
                if (!r)
                    return d.fail(say::RegisterUndeclared(o.name));
                (&out == &site.results ? d.info.writes : d.info.reads).push_back(r->row);
                out.push_back(slotOf(*r));
                continue;
            }
            if (o.kind == Operand::Kind::Integer || o.kind == Operand::Kind::Float32 ||
                o.kind == Operand::Kind::Float64) {
                RegisterRow r{{}, o.kind == Operand::Kind::Float64 ? Type::F64 : Type::B32};
                if (formal && out.size() < formal->size() && (*formal)[out.size()].type != Type::Pred)
                    r.type = (*formal)[out.size()].type;
                if (!readOperand(d, o, r.type, r.row))
                    return false;
                out.push_back(slotOf(r));
                continue;
            }
            const auto p = m_scope->params.find(o.name);
            if (p == m_scope->params.end())
                return d.fail(say::CallParameterUndeclared(o.name));
            out.push_back(p->second);
        }
        return true;
    };
    d.info.opClass = OpClass::Call;
    if (n < i.operands.size() && i.operands[n].kind == Operand::Kind::List && !slots(i.operands[n++], site.results))
        return false;
    if (n >= i.operands.size())
        return d.fail(say::NamesNoFunction);
    const Operand& callee = i.operands[n++];
    if (n < i.operands.size() && i.operands[n].kind == Operand::Kind::List && !slots(i.operands[n], site.arguments))
        return false;
    if (formal && (!handsOver(d, site.arguments, *formal, false) || !handsOver(d, site.results, *results, true)))
        return false;
    d.inst.call = {std::uint32_t(m_program.calls.size())};
    d.inst.run = callHandler();
    d.info.role = Role::Call;
    if (callee.kind == Operand::Kind::Register) {
        if (!readOperand(d, callee, Type::U64, site.pointer))
            return false;
    } else {
        const auto f = m_symbols.functions.find(callee.name);
        if (f == m_symbols.functions.end())
            return d.fail(say::FunctionUndeclared(callee.name));
        const ptx::Function& target = m_module.functions[f->second];
        if (target.isEntry)
            return d.fail(say::KernelCalled(callee.name));
        if (target.isExtern || (target.body.empty() && builtinHandler(callee.name))) {
            d.inst.run = builtinHandler(callee.name);
            d.info.role = Role::Other;
            for (const auto* list : {&site.arguments, &site.results}) // builtins know numbers alone
                if (std::any_of(list->begin(), list->end(),
                                [](const ParamSlot& s) { return s.kind == ParamSlot::Kind::Predicate; }))
                    return d.fail(say::NoPredicates(callee.name));
            if (!d.inst.run) {
                ++m_undefined;
                return d.fail(say::FunctionUndefined(callee.name));
            }
            if (callee.name.find("LaunchDevice") != std::string::npos) {
                d.info.isLaunch = true;
                m_program.ordered = true;
                m_program.orderReason = "which launches are accepted depends on the order";
            }
            if (callee.name == "malloc" || callee.name == "free" || callee.name.find("cuda") != std::string::npos) {
                m_program.ordered = m_program.allocates = true;
                if (m_program.orderReason.empty())
                    m_program.orderReason = "what malloc and copies do depends on the order";
            }
        } else if (const auto reached = m_program.functionOfModule.find(f->second);
                   reached != m_program.functionOfModule.end())
            site.function = reached->second;
        else
            return d.fail(say::FunctionEmpty(callee.name));
    }
    m_program.calls.push_back(std::move(site));
    return true;
}

} // namespace warpglass::emulator
