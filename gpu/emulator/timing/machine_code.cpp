// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/machine_code.h"
#include "gpu/emulator/timing/passes.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace warpglass::emulator {

namespace {

std::uint16_t traitsOf(const Translation& t, std::uint32_t k) {
    const InstInfo& info = t.program.info[k];
    unsigned bits = 0;
    const auto put = [&](Trait trait, bool on) { bits |= unsigned(on) << unsigned(trait); };
    put(Trait::Conditional, info.isConditional);
    put(Trait::AfterStores,
        t.code.ops[k].branch || info.isBarrier || info.isExit || info.opClass == OpClass::Fence ||
            info.opClass == OpClass::Vote || info.opClass == OpClass::Shuffle ||
            (info.isMemory && info.space == MemorySpace::Shared && info.access != AccessKind::Store));
    put(Trait::Asynchronous, info.opClass == OpClass::Async);
    put(Trait::WaitsForCopies, info.isAsync && info.is.opcode != ptx::Opcode::Tcgen05);
    put(Trait::Exit, info.isExit);
    put(Trait::Barrier, info.isBarrier && !info.is.cluster);
    put(Trait::Fence, info.opClass == OpClass::Fence);
    put(Trait::Shuffle, info.opClass == OpClass::Shuffle);
    put(Trait::ClusterArrive, info.isBarrier && info.is.cluster && info.is.arrive);
    put(Trait::ClusterWait, info.isBarrier && info.is.cluster && !info.is.arrive);
    return std::uint16_t(bits);
}

} // namespace

bool readsSpecial(const ptx::Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(), [](const ptx::Operand& o) {
        return o.kind == ptx::Operand::Kind::Special && o.name != "WARP_SZ";
    });
}

bool readsConstantRegister(const ptx::Instruction& i) { // sizes of grid and block lie in constant memory
    return std::any_of(i.operands.begin(), i.operands.end(), [](const ptx::Operand& o) {
        return o.kind == ptx::Operand::Kind::Special && (o.name == "%ntid" || o.name == "%nctaid");
    });
}

Translation::Translation(const Program& of, const DeviceTiming& on) : program(of), timing(on) {
    const auto& options = program.module->targetOptions;
    debug = std::find(options.begin(), options.end(), "debug") != options.end();
}

std::uint32_t Translation::number(const InstInfo& info, Row row) const {
    const std::uint32_t end = program.functions[info.function].frameBytes;
    return firstOf[info.function] + (end - row.bytesBefore(end)) / 128;
}

void nameRegisters(Translation& t) {
    t.code.ops.resize(t.program.code.size());
    t.code.order.resize(t.program.code.size());
    std::iota(t.code.order.begin(), t.code.order.end(), 0u);
    std::uint32_t base = 0;
    for (const FunctionCode& f : t.program.functions) {
        t.firstOf.push_back(base);
        base += f.frameBytes / 128 + 1;
    }
    t.code.registerCount = base;
    t.users.resize(base);
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k) {
        const InstInfo& info = t.program.info[k];
        MachineOp& op = t.code.ops[k];
        op.line = info.source ? std::uint32_t(info.source->line) : 0;
        op.firstRead = std::uint32_t(t.code.registers.size());
        const bool late = !t.debug && info.source && info.opClass == OpClass::Memory &&
                          info.access == AccessKind::Store && info.space == MemorySpace::Shared && !info.genericSpace;
        const Inst& inst = t.program.code[k];
        const bool adds = info.source && info.is.opcode == ptx::Opcode::Wgmma; // to sums that stay in the unit
        for (const bool data : {false, true}) {
            for (const Row row : info.reads)
                if (data == ((late && row != inst.a && row != inst.guard.row()) ||
                             (adds && std::find(info.writes.begin(), info.writes.end(), row) != info.writes.end())))
                    t.code.registers.push_back(t.number(info, row));
            (data ? op.endRead : op.endAwaited) = std::uint32_t(t.code.registers.size());
        }
        op.firstWrite = op.endRead;
        for (const Row row : info.writes)
            t.code.registers.push_back(t.number(info, row));
        op.endWrite = std::uint32_t(t.code.registers.size());
        for (const std::uint32_t r : t.code.reads(op))
            t.users[r].push_back(k);
    }
}

void setTraits(Translation& t) {
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k)
        t.code.ops[k].traits = traitsOf(t, k);
}

// Where a slot takes its scheduler no time, an instruction of several takes one; what depends on each other in it takes its
// time still.
void issueAtOnce(Translation& t) {
    if (t.timing.issueSlot > 0)
        return;
    for (MachineOp& op : t.code.ops) {
        if (op.slots == 0)
            continue;
        op.ahead = std::uint16_t((op.slots - 1) * op.gap);
        op.special = op.special >= op.slots;
        op.slots = 1;
    }
}

std::span<const Pass> passes() {
    using enum Pass::Of;
    static constexpr std::array<Pass, 13> all = {{
        {"registers", Any, nameRegisters},
        {"cost", Any, takeCosts},
        {"as-written", Debug, leaveAsWritten},
        {"reciprocals", Optimised, shareReciprocals},
        {"atomics", Any, combineAtomics},
        {"arrays", Optimised, keepInRegisters},
        {"join", Optimised, joinLoads},
        {"fuse", Optimised, fuse},
        {"predicate", Optimised, predicate},
        {"unroll", Optimised, unrollLoops},
        {"traits", Any, setTraits},
        {"schedule", Optimised, schedule},
        {"at-once", Any, issueAtOnce},
    }};
    return all;
}

MachineCode machineCode(const Program& program, const DeviceTiming& timing) {
    Translation t(program, timing);
    for (const Pass& pass : passes())
        if (pass.isFor(t))
            pass.run(t);
    return std::move(t.code);
}

Program inOrder(const Program& program, const MachineCode& code) {
    Program result = program;
    for (std::size_t k = 0; k < code.order.size(); ++k)
        result.code[k] = program.code[code.order[k]];
    return result;
}

} // namespace warpglass::emulator
