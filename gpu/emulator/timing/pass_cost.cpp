// SPDX-License-Identifier: GPL-3.0-or-later
// What each instruction costs by itself: cost_table.h, and what depends on more than its words.
#include "gpu/emulator/timing/cost_table.h"
#include "gpu/emulator/timing/passes.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

class Costs {
public:
    explicit Costs(Translation& translation) : t(translation) {
        const DeviceSpec* const device = findDevice(t.timing.key);
        m_unitsWithoutShortFloats = device && device->ccMajor == 9;
    }

    void of(std::uint32_t k) {
        const InstInfo& info = t.program.info[k];
        MachineOp& op = t.code.ops[k];
        if (info.source)
            op.fence = fenceOf(info);
        if (!info.source) { // end of a function
            set(op, {.pipe = Pipe::None});
            op.branch = !info.isExit;
        } else if (info.opClass == OpClass::Memory) {
            memory(op, info);
        } else if (info.opClass == OpClass::Atomic) {
            const bool shared = info.space == MemorySpace::Shared;
            set(op, {.pipe = shared ? Pipe::Mio : Pipe::Lsu});
            op.wait = shared ? WarpState::StallShortScoreboard : WarpState::StallLongScoreboard;
        } else if (info.opClass == OpClass::Async) {
            asynchronous(op, info.is.opcode == ptx::Opcode::Tcgen05 // which stand in another table
                                 ? AsyncOp::Prefetch
                                 : t.program.asyncs[t.program.code[k].async.site].op);
        } else if (info.opClass == OpClass::Matrix) {
            matrix(op, info);
            madeOfHalves(op, k);
        } else if (info.is.opcode == ptx::Opcode::Mov && readsSpecial(*info.source)) {
            specialRegister(op, *info.source);
        } else {
            set(op, costOf(info, t.debug, t.timing));
            op.products = orderOf(*info.source);
            if (info.opClass == OpClass::Call)
                library(op, info);
            op.branch =
                info.opClass == OpClass::Call || (info.opClass == OpClass::Control && info.isBranch && !info.isExit);
        }
    }

private:
    void set(MachineOp& op, const Cost& cost) {
        op.pipe = cost.pipe;
        op.latency = std::uint16_t(cost.latency);
        op.slots = std::uint8_t(cost.slots);
        op.gap = std::uint8_t(cost.gap);
        op.special = std::uint8_t(cost.special);
        if (cost.pipe == Pipe::Xu || cost.pipe == Pipe::Mio)
            op.wait = WarpState::StallShortScoreboard;
    }

    // An arrival that others of the cluster are to see what was done before orders all of the device's memory first.
    static FenceKind fenceOf(const InstInfo& info) {
        using ptx::Modifier;
        using ptx::Scope;
        const ptx::Instruction& i = *info.source;
        switch (info.is.opcode) {
        case ptx::Opcode::Setmaxnreg:
            return FenceKind::Registers;
        case ptx::Opcode::Nanosleep:
            return FenceKind::Sleep;
        case ptx::Opcode::Barrier:
            return info.is.cluster && info.is.arrive && info.is.semantics != ptx::Semantics::Relaxed
                       ? FenceKind::Device
                       : FenceKind::Count_;
        case ptx::Opcode::Mbarrier:
            return info.is.scope == Scope::Cluster && info.is.semantics == ptx::Semantics::Release ? FenceKind::Device
                                                                                                   : FenceKind::Count_;
        case ptx::Opcode::Membar:
        case ptx::Opcode::Fence:
            break;
        default:
            return FenceKind::Count_;
        }
        if (i.has(Modifier::MbarrierInit))
            return FenceKind::Barrier;
        if (i.has(Modifier::Proxy))
            return i.has(Modifier::SharedCta) || i.has(Modifier::SharedCluster) ? FenceKind::ProxyShared
                                                                                : FenceKind::Proxy;
        return info.is.scope == Scope::Cta      ? FenceKind::Block
               : info.is.scope == Scope::System ? FenceKind::System
                                                : FenceKind::Device;
    }

    // What the runtime does for the warp, which waits for it.
    void library(MachineOp& op, const InstInfo& info) {
        const bool prints = info.source->text.find("vprintf") != std::string::npos;
        if (!prints && !info.isLaunch)
            return;
        op.latency = prints ? t.timing.print : t.timing.deviceCall;
        op.alone = true;
        op.wait = WarpState::StallSleeping;
    }

    void asynchronous(MachineOp& op, AsyncOp what) {
        switch (what) {
        case AsyncOp::CopyLanes:
            set(op, {.pipe = Pipe::Lsu});
            break;
        case AsyncOp::CommitLanes:
        case AsyncOp::CommitBulk:
        case AsyncOp::WaitLanes:
        case AsyncOp::WaitBulk:
        case AsyncOp::PendingCount:
            set(op, {.pipe = Pipe::None, .latency = t.timing.alu});
            break;
        default: // mbarriers lie in shared memory, and the unit for bulk copies is asked the same way
            set(op, {.pipe = Pipe::Mio});
            break;
        }
    }

    void memory(MachineOp& op, const InstInfo& info) {
        if (info.space == MemorySpace::Param) {
            set(op, {.latency = t.debug ? std::uint32_t(t.timing.constant) : 0u, .slots = t.debug ? 1u : 0u});
            return;
        }
        const bool shared = info.space == MemorySpace::Shared && !info.genericSpace;
        set(op, {.pipe = shared ? Pipe::Mio : Pipe::Lsu});
        // A fragment of bf16 or tf32 comes by a load for each register, each of which leaves its warp 4 cycles later (LD in machine
        // code of wmma.load for sm_90, by generic addresses; fragments of f16 and of 8 bits are one LDSM).
        const ptx::Type type = info.is.type();
        if (info.is.opcode == ptx::Opcode::Wmma && info.access == AccessKind::Load &&
            (type == ptx::Type::BF16 || type == ptx::Type::TF32)) {
            op.slots = std::uint8_t(std::max<std::size_t>(1, info.writes.size()));
            op.gap = 4;
        }
        op.wait = shared || info.space == MemorySpace::Constant ? WarpState::StallShortScoreboard
                                                                : WarpState::StallLongScoreboard;
        using ptx::CacheOperator;
        using ptx::Semantics;
        const Semantics s = info.is.semantics;
        op.strong = info.space != MemorySpace::Shared &&
                    (s == Semantics::Volatile || s == Semantics::Relaxed || s == Semantics::Acquire ||
                     s == Semantics::Mmio || info.is.cache == CacheOperator::Cg || info.is.cache == CacheOperator::Cv);
    }

    // Products of a warp over products a cycle. A warpgroup's take their time from the tiles, too, that all four units are
    // sent together: 128 bytes a cycle of shared memory (wgmma/*/stream of tests/timing/h200-micro.csv).
    void matrix(MachineOp& op, const InstInfo& info) {
        const auto form = ptx::matrixForm(info.source->opcode, info.source->modifiers);
        if (!form)
            return;
        const std::uint32_t bits = ptx::bitsOf(form->a);
        if (t.timing.tensorAtOnce) {
            op.busy = 1;
            op.products = form->kind == ptx::MatrixForm::Kind::AsyncProduct ? asksForProduct : op.products;
            set(op, {.pipe = Pipe::Tensor, .latency = t.timing.alu});
            return;
        }
        const double there = form->sparse ? 0.5 : 1; // products with what is not there are not made
        const double made = there * form->operationsOfThread() * 16;
        const double cycles = made / (bits == 64 ? t.timing.tensorDoubles : t.timing.tensorProducts * 16.0 / bits);
        op.wait = WarpState::StallShortScoreboard;
        if (form->kind == ptx::MatrixForm::Kind::AsyncProduct) {
            const double lines = form->k * bits / 1024.0; // of 128 bytes
            const bool registers = info.source->operand(1).kind == ptx::Operand::Kind::Vector;
            const double tiles = registers ? t.timing.tensorFromRegisters : there * form->m * lines + form->n * lines;
            op.products = asksForProduct;
            op.queued = !registers;
            op.busy = std::uint16_t(std::max(cycles, tiles));
            set(op, {.pipe = Pipe::Tensor,
                     .latency = std::uint32_t(cycles + t.timing.tensorGroup +
                                              (registers ? 0 : t.timing.tensorThroughShared))});
            return;
        }
        if (bits == 64) { // no product of doubles takes less than one of 16 x 8 x 4
            op.busy = std::uint16_t(std::max(double(t.timing.tensorDoublesLeast) / t.timing.tensorDoubles, cycles));
            set(op, {.pipe = Pipe::Tensor, .latency = std::uint32_t(t.timing.tensorDoubleLatency + cycles)});
            return;
        }
        if (bits == 4) { // made of others
            const DeviceTiming::MadeProduct& others = t.timing.tensorFourBits[form->k > 32];
            op.busy = others.busy;
            set(op, {.pipe = Pipe::Tensor, .latency = others.latency});
            return;
        }
        // wmma is made of products of 16 x 8, with tf32 of these by halves of k.
        const double pieces = form->wmma ? form->m * form->n / 128.0 : 1;
        const bool halves = form->wmma && bits == 32;
        const double begins = pieces * (form->sparse || halves ? 2 : 1) * t.timing.tensorBegin;
        op.busy = std::uint16_t(std::max(1.0, begins + cycles));
        const std::uint32_t steps = halves ? 1 : std::uint32_t((there * form->k * bits + 127) / 128);
        const std::uint32_t latency = (halves ? 2 : 1) * (t.timing.tensor + t.timing.tensorStep * steps);
        set(op, {.pipe = Pipe::Tensor, .latency = std::max<std::uint32_t>(latency, op.busy)});
    }

    // Units of compute capability 9.0 make no products of a warp of 8-bit floats. ptxas turns each register into two of halves,
    // once for all products that read it, makes products of those one behind the other, and adds (as counted in machine code
    // of CUDA 13.0 for sm_90a).
    void madeOfHalves(MachineOp& op, std::uint32_t k) {
        const auto& code = t.program.matrices[t.program.code[k].memory.site];
        const ptx::MatrixForm& form = code.form;
        if (!isOfShortFloats(form) || !m_unitsWithoutShortFloats || t.timing.tensorAtOnce)
            return;
        std::uint32_t turned = 0;
        for (const auto* fragment : {&code.a, &code.b})
            for (const Row row : *fragment) {
                const auto& users = t.users[t.number(t.program.info[k], row)];
                turned += *std::find_if(users.begin(), users.end(), [&](std::uint32_t user) {
                    return t.program.info[user].opClass == OpClass::Matrix;
                }) == k;
            }
        const std::uint32_t products = std::max(1u, form.k / 16), each = form.m * form.n * 16 / t.timing.tensorProducts;
        // Each slot keeps the unit for a cycle, so that it is kept for as long as the products take.
        op.busy = 1;
        op.slots = std::uint8_t(
            std::max<std::size_t>(products * (t.timing.tensorBegin + each), products + 2 * turned + code.c.size()));
        op.latency = std::uint16_t(products * (t.timing.tensor + 2 * t.timing.tensorStep) + t.timing.alu);
    }
    static bool isOfShortFloats(const ptx::MatrixForm& form) {
        return form.kind == ptx::MatrixForm::Kind::Product && !form.sparse && form.scale == ptx::Type::None &&
               (form.a == ptx::Type::E4M3 || form.a == ptx::Type::E5M2);
    }

    // What orders a warpgroup's products.
    static std::uint8_t orderOf(const ptx::Instruction& i) {
        if (i.opcode != ptx::Opcode::Wgmma || i.has(ptx::Modifier::MmaAsync))
            return 0;
        return i.has(ptx::Modifier::CommitGroup) ? groupsProducts
               : i.has(ptx::Modifier::WaitGroup)
                   ? std::uint8_t(waitsForProducts + std::min<std::int64_t>(i.operand(0).integer, 7))
                   : 0;
    }

    void specialRegister(MachineOp& op, const ptx::Instruction& i) {
        if (const ptx::Operand& from = i.operand(1);
            from.kind == ptx::Operand::Kind::Special && from.name.starts_with("%clock"))
            set(op, {.pipe = Pipe::None, .latency = t.timing.alu});
        else if (readsConstantRegister(i))
            set(op, {.slots = t.debug ? 1u : 0u});
        else
            set(op, {.pipe = Pipe::Xu, .latency = t.timing.specialRegister});
    }

    Translation& t;
    bool m_unitsWithoutShortFloats = false;
};

} // namespace

void takeCosts(Translation& t) {
    Costs costs(t);
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k)
        costs.of(k);
}

// ptxas does not optimise debug code: it gives each instruction of PTX a sequence of its own (counted in the machine
// code of 67 kernels for sm_90, to 5 %), stalls 15 cycles after each of its instructions, whatever it is, and lets
// the next one wait for all that is under way.
void leaveAsWritten(Translation& t) {
    std::uint32_t slots = 0;
    for (std::uint32_t k = 0; k < t.program.code.size(); ++k) {
        MachineOp& op = t.code.ops[k];
        if (t.program.info[k].source) {
            op.slots = unoptimisedSlots(t.program.info[k], op.slots);
            op.gap = std::uint8_t(t.timing.unoptimisedStall);
            op.alone = true;
        }
        slots += op.slots;
        op.fetch = 1 + slots / 8;
    }
    t.code.fetches = 2 + slots / 8;
}

} // namespace warpglass::emulator
