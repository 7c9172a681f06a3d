// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/machine_code.h"

#include "gpu/emulator/timing/cost_table.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

// A body of so many machine instructions, without branch, barrier or call, is predicated rather than jumped over.
constexpr std::uint32_t predicatedBody = 12;
constexpr std::uint32_t arrayInRegisters = 32; // bytes

bool hasConstant(const ptx::Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(),
                       [](const ptx::Operand& o) { return o.kind == ptx::Operand::Kind::Integer; });
}

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

class Translator {
public:
    Translator(const Program& program, const DeviceTiming& timing) : m_program(program), m_timing(timing) {
        const auto& options = program.module->targetOptions;
        m_debug = std::find(options.begin(), options.end(), "debug") != options.end();
    }

    MachineCode run() {
        m_code.ops.resize(m_program.code.size());
        std::uint32_t base = 0;
        for (const FunctionCode& f : m_program.functions) {
            m_base.push_back(base);
            base += f.frameBytes / 128 + 1;
        }
        m_code.registerCount = base;
        m_uses.resize(base);
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k) {
            const InstInfo& info = m_program.info[k];
            MachineOp& op = m_code.ops[k];
            op.line = info.source ? std::uint32_t(info.source->line) : 0;
            op.firstRead = std::uint32_t(m_code.registers.size());
            const bool late = !m_debug && info.source && info.opClass == OpClass::Memory &&
                              info.access == AccessKind::Store && info.space == MemorySpace::Shared &&
                              !info.genericSpace;
            const Inst& inst = m_program.code[k];
            const bool adds = info.source && info.is.opcode == ptx::Opcode::Wgmma; // to sums that stay in the unit
            for (const bool data : {false, true}) {
                for (const Row row : info.reads)
                    if (data == ((late && row != inst.a && row != inst.guard.row()) ||
                                 (adds && std::find(info.writes.begin(), info.writes.end(), row) != info.writes.end())))
                        m_code.registers.push_back(number(info, row));
                (data ? op.endRead : op.endAwaited) = std::uint32_t(m_code.registers.size());
            }
            op.firstWrite = op.endRead;
            for (const Row row : info.writes)
                m_code.registers.push_back(number(info, row));
            op.endWrite = std::uint32_t(m_code.registers.size());
            for (const std::uint32_t r : m_code.reads(op))
                m_uses[r].push_back(k);
        }
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k)
            cost(k);
        if (m_debug)
            unoptimised();
        combineAtomics();
        if (!m_debug) {
            keepInRegisters();
            joinLoads(m_program, m_code);
            for (std::uint32_t k = 0; k < m_program.code.size(); ++k)
                fuse(k);
            for (std::uint32_t k = 0; k < m_program.code.size(); ++k)
                predicate(k);
            unrollLoops(m_program, m_code);
        }
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k)
            m_code.ops[k].traits = traits(k);
        return std::move(m_code);
    }

private:
    // ptxas does not optimise debug code: it gives each instruction of PTX a sequence of its own (counted in the machine
    // code of 67 kernels for sm_90, to 5 %), stalls 15 cycles after each of its instructions, whatever it is, and lets
    // the next one wait for all that is under way.
    void unoptimised() {
        std::uint32_t slots = 0;
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k) {
            MachineOp& op = m_code.ops[k];
            if (m_program.info[k].source) {
                op.slots = unoptimisedSlots(m_program.info[k], op.slots);
                op.gap = unoptimisedStall;
                op.alone = true;
            }
            slots += op.slots;
            op.fetch = 1 + slots / 8;
        }
        m_code.fetches = 2 + slots / 8;
    }

    // An array of a few words of local memory becomes registers: each access compares its index with every word's and
    // moves, by predicate. What that costs was fitted to the reduction of large arguments of sin and cos (function_sinf_large).
    void keepInRegisters() {
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k) {
            const InstInfo& info = m_program.info[k];
            const std::uint32_t bytes = m_program.functions[info.function].localBytes;
            if (info.opClass != OpClass::Memory || info.space != MemorySpace::Local || info.genericSpace ||
                bytes == 0 || bytes > arrayInRegisters)
                continue;
            MachineOp& op = m_code.ops[k];
            op.pipe = Pipe::Alu;
            op.slots = std::uint8_t((bytes + 3) / 4);
            op.latency = m_timing.alu;
            op.wait = WarpState::StallWait;
        }
    }

    // What depends on the lane: special registers that do, anything loaded or shuffled, what is made of those, and what
    // branches that they decide have left: a count of turns, say, where lanes leave the loop one by one.
    std::vector<bool> dependsOnLane() const {
        std::vector<bool> varies(m_code.registerCount, false);
        std::vector<std::uint32_t> writers(m_code.registerCount, 0), lastRead(m_code.registerCount, 0);
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k) {
            for (const std::uint32_t r : m_code.writes(m_code.ops[k]))
                ++writers[r];
            for (const std::uint32_t r : m_code.reads(m_code.ops[k]))
                lastRead[r] = k;
        }
        for (bool changed = true; changed;) {
            changed = false;
            const auto mark = [&](std::uint32_t r) {
                changed |= !varies[r];
                varies[r] = true;
            };
            for (std::uint32_t k = 0; k < m_program.code.size(); ++k) {
                const InstInfo& info = m_program.info[k];
                const MachineOp& op = m_code.ops[k];
                if (!info.source)
                    continue;
                bool source = info.opClass == OpClass::Shuffle || info.opClass == OpClass::Atomic ||
                              info.opClass == OpClass::Call ||
                              (info.opClass == OpClass::Memory && info.space != MemorySpace::Param) ||
                              (readsSpecial(*info.source) && !readsConstantRegister(*info.source) &&
                               info.source->text.find("%ctaid") == std::string::npos);
                for (const std::uint32_t r : m_code.reads(op))
                    source = source || varies[r];
                if (!source)
                    continue;
                for (const std::uint32_t r : m_code.writes(op))
                    mark(r);
                if (!info.isBranch || info.isExit || info.is.opcode != ptx::Opcode::Bra)
                    continue;
                const auto [first, end] = std::minmax(k, m_program.code[k].branch.target);
                for (std::uint32_t inside = first; inside < end; ++inside)
                    for (const std::uint32_t r : m_code.writes(m_code.ops[inside]))
                        if (writers[r] > 1 && lastRead[r] >= end)
                            mark(r);
            }
        }
        return varies;
    }

    void combineAtomics() {
        const std::vector<bool> varies = dependsOnLane();
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k) {
            const InstInfo& info = m_program.info[k];
            if (info.opClass != OpClass::Atomic || !info.source)
                continue;
            const Row row = m_program.code[k].a;
            const bool atOne = row == noRow || !varies[number(info, row)];
            bool values = false;
            for (const std::uint32_t r : m_code.reads(m_code.ops[k]))
                values = values || (varies[r] && (row == noRow || r != number(info, row)));
            const ptx::Type type = info.is.type();
            const bool floats = ptx::isFloat(type) || ptx::isHalf(type);
            const bool swap = info.is.operation == ptx::Operation::Exch || info.is.operation == ptx::Operation::Cas;
            m_code.ops[k].atomic = {atOne && isCombined(info, m_program.code[k].memory.hasResult, values), floats,
                                    !swap && (floats || info.is.bytes() != 4)};
        }
    }

    // As ptxas makes machine code for sm_90: lanes that are counted and multiplied, or reduced by redux.sync.
    static bool isCombined(const InstInfo& info, bool result, bool valuesDiffer) {
        using ptx::Operation;
        const Operation op = info.is.operation;
        if (ptx::isFloat(info.is.type()) || ptx::isHalf(info.is.type()) || info.is.elements > 1)
            return false;
        const bool word = info.is.bytes() == 4;
        if (op == Operation::Add)
            return !valuesDiffer || (word && !result);
        return word && !result &&
               (op == Operation::And || op == Operation::Or || op == Operation::Xor || op == Operation::Min ||
                op == Operation::Max);
    }

    std::uint32_t number(const InstInfo& info, Row row) const {
        const std::uint32_t end = m_program.functions[info.function].frameBytes;
        return m_base[info.function] + (end - row.bytesBefore(end)) / 128;
    }

    void set(MachineOp& op, const Cost& cost) {
        op.pipe = cost.pipe;
        op.latency = std::uint16_t(cost.latency);
        op.slots = std::uint8_t(cost.slots);
        op.gap = std::uint8_t(cost.gap);
        op.special = std::uint8_t(cost.special);
        if (cost.pipe == Pipe::Xu || cost.pipe == Pipe::Mio)
            op.wait = WarpState::StallShortScoreboard;
    }

    void cost(std::uint32_t k) {
        const InstInfo& info = m_program.info[k];
        MachineOp& op = m_code.ops[k];
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
            asynchronous(op, m_program.asyncs[m_program.code[k].async.site].op);
        } else if (info.opClass == OpClass::Matrix) {
            matrix(op, info);
        } else if (info.is.opcode == ptx::Opcode::Mov && readsSpecial(*info.source)) {
            specialRegister(op, *info.source);
        } else {
            set(op, costOf(info, m_debug, m_timing));
            op.products = orderOf(*info.source);
            if (info.opClass == OpClass::Call)
                library(op, info);
            op.branch =
                info.opClass == OpClass::Call || (info.opClass == OpClass::Control && info.isBranch && !info.isExit);
        }
    }

    // What the runtime does for the warp, which waits for it.
    void library(MachineOp& op, const InstInfo& info) {
        const bool prints = info.source->text.find("vprintf") != std::string::npos;
        if (!prints && !info.isLaunch)
            return;
        op.latency = prints ? m_timing.print : m_timing.deviceCall;
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
            set(op, {.pipe = Pipe::None, .latency = m_timing.alu});
            break;
        default: // mbarriers lie in shared memory, and the unit for bulk copies is asked the same way
            set(op, {.pipe = Pipe::Mio});
            break;
        }
    }

    void memory(MachineOp& op, const InstInfo& info) {
        if (info.space == MemorySpace::Param) {
            set(op, {.latency = m_debug ? std::uint32_t(m_timing.constant) : 0u, .slots = m_debug ? 1u : 0u});
            return;
        }
        const bool shared = info.space == MemorySpace::Shared && !info.genericSpace;
        set(op, {.pipe = shared ? Pipe::Mio : Pipe::Lsu});
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
        const double there = form->sparse ? 0.5 : 1; // products with what is not there are not made
        const double made = there * form->operationsOfThread() * 16;
        const double cycles = made / (bits == 64 ? m_timing.tensorDoubles : m_timing.tensorProducts * 16.0 / bits);
        op.wait = WarpState::StallShortScoreboard;
        if (form->kind == ptx::MatrixForm::Kind::AsyncProduct) {
            constexpr double fromRegisters = 13, throughShared = 9; // a's way: cycles of it at the least, more of it
            const double lines = form->k * bits / 8 / 128.0;
            const bool registers = info.source->operands[1].kind == ptx::Operand::Kind::Vector;
            const double tiles = registers ? fromRegisters : there * form->m * lines + form->n * lines;
            op.products = asksForProduct;
            op.busy = std::uint16_t(std::max(cycles, tiles));
            set(op, {.pipe = Pipe::Tensor,
                     .latency = std::uint32_t(cycles + m_timing.tensorGroup + (registers ? 0 : throughShared))});
            return;
        }
        if (bits == 64) { // no product of doubles takes less than one of 16 x 8 x 4
            op.busy = std::uint16_t(std::max(16.0 * 8 * 4 / m_timing.tensorDoubles, cycles));
            set(op, {.pipe = Pipe::Tensor, .latency = std::uint32_t(18 + cycles)});
            return;
        }
        // wmma is made of products of 16 x 8, with tf32 of these by halves of k.
        const double pieces = form->wmma ? form->m * form->n / 128.0 : 1;
        const bool halves = form->wmma && bits == 32;
        const double begins = pieces * (form->sparse || halves ? 2 : 1) * m_timing.tensorBegin;
        op.busy = std::uint16_t(std::max(1.0, begins + cycles));
        const std::uint32_t steps = halves ? 1 : std::uint32_t((there * form->k * bits + 127) / 128);
        const std::uint32_t latency = (halves ? 2 : 1) * (m_timing.tensor + m_timing.tensorStep * steps);
        set(op, {.pipe = Pipe::Tensor, .latency = std::max<std::uint32_t>(latency, op.busy)});
    }

    // What orders a warpgroup's products.
    static std::uint8_t orderOf(const ptx::Instruction& i) {
        if (i.opcode != ptx::Opcode::Wgmma || i.has(ptx::Modifier::MmaAsync))
            return 0;
        return i.has(ptx::Modifier::CommitGroup) ? groupsProducts
               : i.has(ptx::Modifier::WaitGroup)
                   ? std::uint8_t(waitsForProducts + std::min<std::int64_t>(i.operands[0].integer, 7))
                   : 0;
    }

    void specialRegister(MachineOp& op, const ptx::Instruction& i) {
        if (i.operands.back().kind == ptx::Operand::Kind::Special && i.operands.back().name.starts_with("%clock"))
            set(op, {.pipe = Pipe::None, .latency = m_timing.alu});
        else if (readsConstantRegister(i))
            set(op, {.slots = m_debug ? 1u : 0u});
        else
            set(op, {.pipe = Pipe::Xu, .latency = m_timing.specialRegister});
    }

    std::uint8_t traits(std::uint32_t k) const {
        const InstInfo& info = m_program.info[k];
        unsigned bits = 0;
        const auto put = [&](Trait t, bool on) { bits |= unsigned(on) << unsigned(t); };
        put(Trait::Conditional, info.isConditional);
        put(Trait::AfterStores,
            m_code.ops[k].branch || info.isBarrier || info.isExit || info.opClass == OpClass::Fence ||
                info.opClass == OpClass::Vote || info.opClass == OpClass::Shuffle ||
                (info.isMemory && info.space == MemorySpace::Shared && info.access != AccessKind::Store));
        put(Trait::Asynchronous, info.opClass == OpClass::Async);
        put(Trait::WaitsForCopies, info.isAsync);
        put(Trait::Exit, info.isExit);
        put(Trait::Barrier, info.isBarrier);
        put(Trait::Fence, info.opClass == OpClass::Fence);
        put(Trait::Shuffle, info.opClass == OpClass::Shuffle);
        return std::uint8_t(bits);
    }

    bool gone(std::uint32_t k) const { return m_code.ops[k].slots == 0; }

    // All users of what k writes satisfy the test, and there is at least one.
    template <typename F>
    bool onlyFeeds(std::uint32_t k, F test) const {
        const auto writes = m_code.writes(m_code.ops[k]);
        if (writes.size() != 1 || m_uses[writes[0]].empty() || m_program.info[k].source->guarded())
            return false;
        return std::all_of(m_uses[writes[0]].begin(), m_uses[writes[0]].end(),
                           [&](std::uint32_t user) { return m_program.info[user].source && user != k && test(user); });
    }

    void fuse(std::uint32_t k) {
        const InstInfo& info = m_program.info[k];
        MachineOp& op = m_code.ops[k];
        if (!info.source || info.opClass != OpClass::Integer || op.slots == 0)
            return;
        const ptx::Instruction& i = *info.source;
        using ptx::Opcode;
        const Opcode opcode = info.is.opcode;
        const bool wide64 = isWide64(info.is);
        const auto opcodeAt = [&](std::uint32_t at) { return m_program.info[at].is.opcode; };
        const auto adds = [&](std::uint32_t user) {
            return opcodeAt(user) == Opcode::Add || opcodeAt(user) == Opcode::Sub || opcodeAt(user) == Opcode::Mad;
        };
        const auto accesses = [&](std::uint32_t user) {
            return m_program.info[user].isMemory && m_program.info[user].opClass != OpClass::Call;
        };
        const auto goesOn = [&](std::uint32_t user) { // the logic, in one more operation that alone reads it
            const Opcode u = opcodeAt(user);
            return (u == Opcode::And || u == Opcode::Or || u == Opcode::Xor) &&
                   m_uses[m_code.writes(m_code.ops[k])[0]].size() == 1 && user > k;
        };
        const bool product = opcode == Opcode::Mul && (info.is.wide() || (info.is.half == ptx::Half::Low && !wide64));
        const bool logic = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor;
        if ((product || (opcode == Opcode::Shl && hasConstant(i))) && onlyFeeds(k, adds)) {
            op.slots = 0;
            op.latency = 0;
            for (const std::uint32_t user : m_uses[m_code.writes(op)[0]]) { // IMAD.WIDE, LEA
                MachineOp& add = m_code.ops[user];
                if (add.slots == 2)
                    add.slots = 1;
                if (opcode == Opcode::Mul)
                    add.pipe = Pipe::Imad;
            }
        } else if ((opcode == Opcode::Add && wide64 && hasConstant(i) && onlyFeeds(k, accesses)) ||
                   ((logic || opcode == Opcode::Not) && !wide64 && onlyFeeds(k, goesOn))) { // [R+n], LOP3
            op.slots = 0;
            op.latency = 0;
        }
    }

    void predicate(std::uint32_t k) {
        const InstInfo& info = m_program.info[k];
        MachineOp& op = m_code.ops[k];
        if (!info.isBranch || !info.source || !info.source->guarded() || info.is.opcode != ptx::Opcode::Bra)
            return;
        const auto target = m_program.code[k].branch.target;
        if (target <= k)
            return;
        if (m_program.info[target].isExit && !m_program.info[target].source) // falls off the end
            op.branch = false;
        if (m_program.info[target].isExit)
            op.branch = false;
        std::uint32_t slots = 0;
        for (std::uint32_t n = k + 1; n < target; ++n) {
            const InstInfo& inner = m_program.info[n];
            const bool leads = n > k + 1 && m_program.code[n].piece != m_program.code[n - 1].piece;
            if (leads || inner.opClass == OpClass::Control || inner.opClass == OpClass::Call || inner.isBarrier ||
                inner.opClass == OpClass::Fence || inner.opClass == OpClass::Shuffle)
                return;
            slots += m_code.ops[n].slots;
        }
        if (slots > predicatedBody)
            return;
        op.predicated = true;
        op.branch = false;
        op.slots = 0;
    }

    const Program& m_program;
    const DeviceTiming& m_timing;
    MachineCode m_code;
    std::vector<std::uint32_t> m_base;              // [function] number of its first register
    std::vector<std::vector<std::uint32_t>> m_uses; // [register] positions that read it
    bool m_debug = false;
};

} // namespace

MachineCode machineCode(const Program& program, const DeviceTiming& timing) {
    return Translator(program, timing).run();
}

} // namespace warpglass::emulator
