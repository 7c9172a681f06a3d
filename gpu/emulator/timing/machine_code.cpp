// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/machine_code.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace warpglass::emulator {

namespace {

// A body of so many machine instructions, without branch, barrier or call, is predicated rather than jumped over.
constexpr std::uint32_t predicatedBody = 12;

struct Shape { // of one instruction, by its text
    std::string_view op;
    bool wide64 = false, pred = false, floating = false, fp64 = false, half = false;
};

bool isFloat(std::string_view type) {
    return type == "f32" || type == "f64" || type == "f16" || type == "f16x2" || type == "bf16" || type == "bf16x2";
}

Shape shapeOf(const ptx::Instruction& i) {
    Shape s;
    s.op = i.opcode;
    for (const std::string& m : i.modifiers) {
        s.wide64 |= m == "s64" || m == "u64" || m == "b64";
        s.pred |= m == "pred";
        s.floating |= isFloat(m);
        s.fp64 |= m == "f64";
        s.half |= m == "f16" || m == "f16x2" || m == "bf16" || m == "bf16x2";
    }
    return s;
}

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
            for (const std::uint32_t row : info.reads)
                m_code.registers.push_back(number(info, row));
            op.endRead = op.firstWrite = std::uint32_t(m_code.registers.size());
            for (const std::uint32_t row : info.writes)
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
            for (std::uint32_t k = 0; k < m_program.code.size(); ++k)
                fuse(k);
            for (std::uint32_t k = 0; k < m_program.code.size(); ++k)
                predicate(k);
        }
        return std::move(m_code);
    }

private:
    // ptxas does not optimise debug code: every result and operand goes through moves of its own (measured: 191 machine
    // instructions for 64 of PTX), and a conditional branch is three instructions. The code is long, so that fetching
    // it for the first time counts.
    void unoptimised() {
        std::uint32_t slots = 0;
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k) {
            const InstInfo& info = m_program.info[k];
            MachineOp& op = m_code.ops[k];
            if (info.source) {
                const Shape s = shapeOf(*info.source);
                const bool store = info.isMemory && info.access == AccessKind::Store;
                if ((info.isBranch && info.isConditional) || store)
                    op.slots = 4;
                else if (!m_code.writes(op).empty() && info.source->opcode != "setp" && !s.pred)
                    op.slots = std::uint8_t(op.slots + (s.wide64 ? 3 : 2));
                op.gap = std::max<std::uint8_t>(op.gap, 2);
            }
            slots += op.slots;
            op.fetch = 1 + slots / 8;
        }
        m_code.fetches = 2 + slots / 8;
    }

    // What depends on the lane: special registers that do, anything loaded or shuffled, and what is made of those.
    void combineAtomics() {
        std::vector<bool> varies(m_code.registerCount, false);
        for (bool changed = true; changed;) {
            changed = false;
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
                for (const std::uint32_t r : m_code.writes(op))
                    if (source && !varies[r])
                        varies[r] = changed = true;
            }
        }
        for (std::uint32_t k = 0; k < m_program.code.size(); ++k)
            if (m_program.info[k].opClass == OpClass::Atomic && m_program.info[k].source &&
                !m_program.info[k].source->has("cas") && !m_program.info[k].source->has("exch")) {
                m_code.ops[k].combined = true;
                for (const std::uint32_t r : m_code.reads(m_code.ops[k]))
                    if (varies[r])
                        m_code.ops[k].combined = false;
            }
    }

    std::uint32_t number(const InstInfo& info, std::uint32_t row) const {
        return m_base[info.function] + std::min(row, m_program.functions[info.function].frameBytes) / 128;
    }

    void set(MachineOp& op, Pipe pipe, std::uint32_t latency, std::uint32_t slots = 1, std::uint32_t gap = 1) {
        op.pipe = pipe;
        op.latency = std::uint16_t(latency);
        op.slots = std::uint8_t(slots);
        op.gap = std::uint8_t(gap);
        if (pipe == Pipe::Xu || pipe == Pipe::Mio)
            op.wait = WarpState::StallShortScoreboard;
    }

    void cost(std::uint32_t k) {
        const InstInfo& info = m_program.info[k];
        MachineOp& op = m_code.ops[k];
        if (!info.source) { // end of a function
            set(op, Pipe::None, 0, info.isExit ? 1 : 1);
            op.branch = !info.isExit;
            return;
        }
        const ptx::Instruction& i = *info.source;
        const Shape s = shapeOf(i);
        const std::uint32_t alu = m_timing.alu, pair = s.wide64 ? 2 : 1;
        switch (info.opClass) {
        case OpClass::Control:
            set(op, Pipe::None, 0);
            op.branch = info.isBranch && !info.isExit;
            return;
        case OpClass::Barrier:
            set(op, Pipe::None, 0);
            return;
        case OpClass::Call:
            set(op, Pipe::None, m_timing.call, 2, 2);
            op.branch = true;
            return;
        case OpClass::Fence:
            set(op, Pipe::None, 0, i.opcode == "membar" || i.opcode == "fence" || i.opcode == "nanosleep" ? 1 : 0);
            return;
        case OpClass::Memory:
            memory(op, info, i);
            return;
        case OpClass::Atomic:
            set(op, info.space == MemorySpace::Shared ? Pipe::Mio : Pipe::Lsu, 0);
            op.wait =
                info.space == MemorySpace::Shared ? WarpState::StallShortScoreboard : WarpState::StallLongScoreboard;
            return;
        case OpClass::Shuffle:
            set(op, Pipe::Mio, m_timing.shuffle);
            return;
        case OpClass::Vote:
            set(op, Pipe::Alu, m_timing.vote, i.opcode == "match" ? 4 : 1, 4);
            return;
        case OpClass::Move:
            move(op, i, s);
            return;
        case OpClass::Convert:
            convert(op, i, s);
            return;
        case OpClass::Special:
            if (!s.floating) {
                division(op, i, s);
                return;
            }
            special(op, i, s);
            return;
        case OpClass::Float64:
            set(op, Pipe::Fp64, m_timing.fp64);
            if (i.opcode == "div" || i.opcode == "rcp" || i.opcode == "sqrt")
                set(op, Pipe::Fp64, m_timing.fp64, 18, m_timing.fp64);
            return;
        case OpClass::Float32:
            if (i.opcode == "setp" || i.opcode == "set" || i.opcode == "min" || i.opcode == "max")
                set(op, Pipe::Alu, alu);
            else if (i.opcode == "div" || i.opcode == "rcp" || i.opcode == "sqrt")
                special(op, i, s);
            else
                set(op, Pipe::Fma, alu, i.opcode == "abs" || i.opcode == "neg" ? 0 : 1);
            return;
        case OpClass::Half:
            set(op, Pipe::Half, alu + 1u);
            return;
        case OpClass::Integer:
        case OpClass::Other:
            break;
        }
        if (s.pred && i.opcode != "setp") {
            set(op, Pipe::Alu, 0, m_debug ? 1 : 0);
            return;
        }
        if (i.opcode == "mul" || i.opcode == "mad") {
            const std::uint32_t parts = i.has("wide") ? 1 : s.wide64 ? 4 : i.has("hi") ? 2 : 1;
            set(op, Pipe::Imad, alu, parts, 2);
        } else if (i.opcode == "popc" || i.opcode == "clz" || i.opcode == "bfind" || i.opcode == "brev") {
            set(op, Pipe::Xu, m_timing.special, pair);
        } else if (i.opcode == "sad" || i.opcode == "mul24" || i.opcode == "mad24" || i.opcode == "dp4a") {
            set(op, Pipe::Imad, alu, 2, 2);
        } else if (i.opcode == "bfe" || i.opcode == "bfi") {
            set(op, Pipe::Alu, alu, 2, alu);
        } else {
            set(op, i.opcode == "add" || i.opcode == "sub" ? Pipe::Add : Pipe::Alu, alu, pair, 2);
        }
    }

    // A reciprocal as fp32, its conversion, and corrections by whole numbers; by a constant: a multiplication.
    void division(MachineOp& op, const ptx::Instruction& i, const Shape& s) {
        const bool constant = i.operands.size() > 2 && i.operands[2].kind == ptx::Operand::Kind::Integer;
        const std::uint32_t alu = m_timing.alu, sign = i.has("s32") || i.has("s64") ? 4 : 0;
        if (constant) {
            set(op, Pipe::Imad, alu, s.wide64 ? 12 : 4, alu);
            return;
        }
        set(op, Pipe::Alu, alu, s.wide64 ? 70 : 19 + sign, alu + 3u);
        op.special = s.wide64 ? 6 : 3;
    }

    void memory(MachineOp& op, const InstInfo& info, const ptx::Instruction& i) {
        if (info.space == MemorySpace::Param) {
            set(op, Pipe::Alu, 0, m_debug ? 1 : 0);
            return;
        }
        const bool shared = info.space == MemorySpace::Shared && !info.genericSpace;
        set(op, shared ? Pipe::Mio : Pipe::Lsu, 0);
        op.wait = shared || info.space == MemorySpace::Constant ? WarpState::StallShortScoreboard
                                                                : WarpState::StallLongScoreboard;
        for (const char* m : {"volatile", "cg", "cv", "relaxed", "acquire", "mmio"})
            op.strong |= i.has(m) && info.space != MemorySpace::Shared;
    }

    void move(MachineOp& op, const ptx::Instruction& i, const Shape& s) {
        if (readsSpecial(i)) {
            if (readsConstantRegister(i))
                set(op, Pipe::Alu, 0, m_debug ? 1 : 0);
            else
                set(op, Pipe::Xu, m_timing.specialRegister);
            if (!i.operands.empty() && i.operands.back().kind == ptx::Operand::Kind::Special &&
                i.operands.back().name.starts_with("%clock"))
                set(op, Pipe::None, m_timing.alu, 1);
            return;
        }
        if (i.opcode == "selp")
            set(op, Pipe::Alu, m_timing.alu, s.wide64 ? 2 : 1, 2);
        else
            set(op, Pipe::Alu, m_debug ? m_timing.alu : 0u, m_debug ? (s.wide64 ? 2 : 1) : 0, 2);
    }

    void convert(MachineOp& op, const ptx::Instruction& i, const Shape& s) {
        if (s.floating)
            set(op, Pipe::Xu, m_timing.convert);
        else if (i.has("u64") || i.has("s64") || i.has("u32") || i.has("s32"))
            set(op, Pipe::Alu, m_debug ? m_timing.alu : 0u, m_debug ? 1 : 0);
        else
            set(op, Pipe::Alu, m_timing.alu);
    }

    void special(MachineOp& op, const ptx::Instruction& i, const Shape& s) {
        const bool exact = !i.has("approx");
        if (s.fp64)
            set(op, Pipe::Fp64, m_timing.fp64, exact ? 18 : 4, m_timing.fp64);
        else if (i.opcode == "div")
            set(op, Pipe::Xu, m_timing.special, exact && !i.has("full") ? 9 : 3, 6);
        else if (exact && (i.opcode == "sqrt" || i.opcode == "rcp"))
            set(op, Pipe::Xu, m_timing.special, 8, 6);
        else
            set(op, Pipe::Xu, m_timing.special);
    }

    bool gone(std::uint32_t k) const { return m_code.ops[k].slots == 0; }

    // All users of what k writes satisfy the test, and there is at least one.
    template <typename F>
    bool onlyFeeds(std::uint32_t k, F test) const {
        const auto writes = m_code.writes(m_code.ops[k]);
        if (writes.size() != 1 || m_uses[writes[0]].empty() || m_program.info[k].source->guarded())
            return false;
        return std::all_of(m_uses[writes[0]].begin(), m_uses[writes[0]].end(), [&](std::uint32_t user) {
            return m_program.info[user].source && user != k && test(user, *m_program.info[user].source);
        });
    }

    void fuse(std::uint32_t k) {
        const InstInfo& info = m_program.info[k];
        MachineOp& op = m_code.ops[k];
        if (!info.source || info.opClass != OpClass::Integer || op.slots == 0)
            return;
        const ptx::Instruction& i = *info.source;
        const Shape s = shapeOf(i);
        const auto adds = [](std::uint32_t, const ptx::Instruction& user) {
            return user.opcode == "add" || user.opcode == "sub" || user.opcode == "mad";
        };
        if (((i.opcode == "mul" && (i.has("lo") || i.has("wide")) && !(s.wide64 && i.has("lo"))) ||
             (i.opcode == "shl" && hasConstant(i))) &&
            onlyFeeds(k, adds)) {
            op.slots = 0;
            op.latency = 0;
            for (const std::uint32_t user : m_uses[m_code.writes(op)[0]]) { // IMAD.WIDE, LEA
                MachineOp& add = m_code.ops[user];
                if (add.slots == 2)
                    add.slots = 1;
                if (i.opcode == "mul")
                    add.pipe = Pipe::Imad;
            }
        } else if (i.opcode == "add" && s.wide64 && hasConstant(i) &&
                   onlyFeeds(k, [&](std::uint32_t user, const ptx::Instruction&) {
                       return m_program.info[user].isMemory && m_program.info[user].opClass != OpClass::Call;
                   })) {
            op.slots = 0;
            op.latency = 0;
        } else if ((i.opcode == "and" || i.opcode == "or" || i.opcode == "xor" || i.opcode == "not") && !s.wide64 &&
                   onlyFeeds(k, [&](std::uint32_t user, const ptx::Instruction& u) {
                       return (u.opcode == "and" || u.opcode == "or" || u.opcode == "xor") &&
                              m_uses[m_code.writes(m_code.ops[k])[0]].size() == 1 && user > k;
                   })) {
            op.slots = 0;
            op.latency = 0;
        }
    }

    void predicate(std::uint32_t k) {
        const InstInfo& info = m_program.info[k];
        MachineOp& op = m_code.ops[k];
        if (!info.isBranch || !info.source || !info.source->guarded() || info.source->opcode != "bra")
            return;
        const auto target = std::uint32_t(m_program.code[k].imm);
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
        op.skipped = std::uint16_t(slots);
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
