// SPDX-License-Identifier: GPL-3.0-or-later
// ptxas unrolls innermost loops on top of what the compiler before it has done. From the machine code for sm_90 of some
// 300 loops (1 to 40 loads, 0 to 150 other instructions, trips known and unknown, with and without stores):
//   - the way back must hang on a counter that grows by a constant and is itself compared with what stays; not on a sum
//     made of it, not on a step in a register, and not where the file says "nounroll";
//   - by four where the number of rounds is not known, if the body's instructions and accesses are no more than about 50;
//   - where it is known (from a constant to a constant), if they are no more than about 76, until some 220 instructions
//     are reached, but by four at least;
//   - fences, calls, exits and quotients and roots with their slow path forbid it; barriers, atomics, votes and shuffles do
//     not, and sums of loaded values are put behind them, too;
//   - of the loads of the rounds that are unrolled, as many words find registers before the first is waited for as 26 have
//     left by the values that are there all through the loop, pointers and 64-bit numbers as two; 8 at least and 20 at
//     most (58 loops of sums, products and gathers, by one to four addresses, of words, doubles and vectors).
// Code is not copied here. Instead, in the rounds that go along with a later one, what is made of loaded values does not
// hold up the warp, unless a store, an atomic or the way back wants it, or the loop hands it on to an address of its next
// round; counting and the way back are free. What is left of an unknown number of rounds goes one by one.
#include "gpu/emulator/timing/cost_table.h"
#include "gpu/emulator/timing/passes.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

class Loop {
public:
    // last: a branch back to first, behind which lies nothing but straight-line code and barriers.
    Loop(const Program& program, MachineCode& code, std::uint32_t first, std::uint32_t last)
        : m_program(program), m_code(code), m_first(first), m_last(last), m_slow(code.registerCount, false),
          m_needed(code.registerCount, false) {}

    bool isOne() {
        if (isKept(m_program.info[m_last].function))
            return false;
        std::uint32_t size = 0;
        for (std::uint32_t k = m_first; k <= m_last; ++k) {
            const InstInfo& info = m_program.info[k];
            const bool loops = m_code.ops[k].atomic.loops && info.space == MemorySpace::Shared; // by itself
            if (!info.source || (k < m_last && (forbids(info) || loops)))
                return false;
            size += (m_code.ops[k].slots > 0) + isMemory(k);
        }
        bool known = false;
        if (!isCounted(known) || size > (known ? ptxas.largestCountedBody : ptxas.largestBody))
            return false;
        std::uint32_t body = 1;
        for (std::uint32_t k = m_first; k < m_last; ++k)
            body += m_code.ops[k].slots > 0 && !isComparison(k) && !(isCounter(k) && onlyCounts(k));
        m_rounds = known ? std::clamp(ptxas.unrolledBody / body, ptxas.unrolledRounds, ptxas.mostRounds)
                         : ptxas.unrolledRounds;
        m_known = known;
        return true;
    }

    void mark() {
        const bool stores =
            any([&](std::uint32_t k) { return isMemory(k) && m_program.info[k].access != AccessKind::Load; });
        // Where nothing is stored, loads wait for their addresses only where these come from the round before.
        bool chained = stores;
        spread(
            [&](std::uint32_t k) { return isMemory(k) && (m_program.info[k].access != AccessKind::Load || chained); });
        if (!stores && handsOnAddress()) {
            chained = true;
            spread([&](std::uint32_t k) { return isMemory(k); });
        }
        const std::uint32_t room = std::clamp(ptxas.wordsBesideOthers - std::min(ptxas.wordsBesideOthers, live()),
                                              ptxas.fewestWords, ptxas.wordsUnderWay);
        std::uint32_t words = 1; // of the load that brings the most
        for (std::uint32_t k = m_first; k < m_last; ++k)
            if (isLoad(k))
                words = std::max(words, std::uint32_t(m_code.writes(m_code.ops[k]).size()) *
                                            (isWide(m_program.info[k]) ? 2 : 1));
        for (std::uint32_t k = m_first; k <= m_last; ++k) {
            MachineOp& op = m_code.ops[k];
            op.rounds = std::uint8_t(m_rounds);
            op.goesAlong = k == m_last || isComparison(k) || (isCounter(k) && onlyCounts(k));
            const bool keeps = isMemory(k) && (chained || m_program.info[k].access != AccessKind::Load);
            op.defers = !keeps && k < m_last && reads(k, m_slow) && !writes(k, m_needed);
            if (isLoad(k) && m_program.info[k].access == AccessKind::Load)
                op.underWay = std::uint8_t((room + words - 1) / words);
        }
        m_code.ops[m_last].goesRound = true;
        m_code.ops[m_last].roundsKnown = m_known;
    }

private:
    bool isKept(std::uint32_t function) const { // .pragma "nounroll", at the loop's first instruction
        const ptx::Function& source = *m_program.functions[function].source;
        for (std::size_t k = 0; k < source.pragmas.size(); ++k)
            if (source.pragmas[k].find("nounroll") != std::string::npos &&
                &source.body[0] + source.pragmaAt[k] == m_program.info[m_first].source)
                return true;
        return false;
    }

    static bool forbids(const InstInfo& info) {
        const ptx::Type type = info.is.type();
        const bool floats = type == ptx::Type::F32 || type == ptx::Type::F64;
        return info.isAsync || (info.isBarrier && info.is.cluster) || info.opClass == OpClass::Call ||
               info.opClass == OpClass::Control || info.opClass == OpClass::Fence || info.opClass == OpClass::Async ||
               info.opClass == OpClass::Matrix ||
               (info.opClass == OpClass::Special && floats && !info.is.approx && !info.is.full) ||
               info.is.semantics == ptx::Semantics::Acquire || info.is.semantics == ptx::Semantics::Relaxed;
    }

    // The way back depends on a comparison of what grows by a constant each round with what stays. known: both are
    // constants when the loop begins.
    bool isCounted(bool& known) {
        m_compare = onlyWriter(m_code.reads(m_code.ops[m_last]));
        if (m_compare == noIndex || m_program.info[m_compare].is.opcode != ptx::Opcode::Setp)
            return false;
        std::uint32_t counters = 0;
        const auto compared = m_code.reads(m_code.ops[m_compare]);
        for (const std::uint32_t r : compared) {
            const std::uint32_t step = onlyWriter({&r, 1});
            if (step == noIndex) {
                if (isWritten(r))
                    return false;
                continue;
            }
            if (!isCounter(step))
                return false; // by a register, or from another one
            known = compared.size() == 1 && beginsAtConstant(r);
            ++counters;
        }
        return counters == 1;
    }

    bool isCounter(std::uint32_t k) const { // grows by a constant
        const auto reads = m_code.reads(m_code.ops[k]), writes = m_code.writes(m_code.ops[k]);
        return m_program.info[k].is.opcode == ptx::Opcode::Add && m_program.info[k].opClass == OpClass::Integer &&
               reads.size() == 1 && writes.size() == 1 && reads[0] == writes[0];
    }
    // Of a counter: it becomes part of the addresses, and of sums with constants, of the rounds that go along.
    bool onlyCounts(std::uint32_t counter) const {
        const std::uint32_t r = m_code.writes(m_code.ops[counter])[0];
        return !any([&](std::uint32_t k) {
            if (k == counter || isComparison(k))
                return false;
            const auto reads = m_code.reads(m_code.ops[k]);
            const InstInfo& info = m_program.info[k];
            const bool sum =
                info.is.opcode == ptx::Opcode::Add && info.opClass == OpClass::Integer && reads.size() == 1;
            const bool address = isMemory(k) && std::count(reads.begin(), reads.end(), r) == 1 &&
                                 m_program.code[k].a == m_program.info[counter].writes[0];
            return std::find(reads.begin(), reads.end(), r) != reads.end() && !sum && !address;
        });
    }
    bool isComparison(std::uint32_t k) const { // for the way back alone
        return k == m_compare && m_code.writes(m_code.ops[k]).size() == 1;
    }

    bool beginsAtConstant(std::uint32_t r) const {
        bool found = false;
        const FunctionCode& function = m_program.functions[m_program.info[m_last].function];
        for (std::uint32_t k = function.first; k < function.end; ++k) {
            if (k >= m_first && k <= m_last)
                continue;
            for (const std::uint32_t w : m_code.writes(m_code.ops[k])) {
                if (w != r)
                    continue;
                const ptx::Instruction* source = m_program.info[k].source;
                if (found || !source || m_program.info[k].is.opcode != ptx::Opcode::Mov ||
                    source->operands.size() != 2 || source->operands[1].kind != ptx::Operand::Kind::Integer)
                    return false;
                found = true;
            }
        }
        return found;
    }

    // Registers that hold, or are made of, what is loaded; and those that these instructions, or the way back, depend on.
    template <typename F>
    void spread(F wants) {
        for (bool changed = true; changed;) { // round the loop until nothing is new
            changed = false;
            for (std::uint32_t k = m_first; k <= m_last; ++k) {
                const MachineOp& op = m_code.ops[k];
                if (isLoad(k) || reads(k, m_slow))
                    changed |= add(m_slow, m_code.writes(op));
                if (wants(k) || k == m_last || writes(k, m_needed))
                    changed |= add(m_needed, m_code.reads(op));
            }
        }
    }

    // Whether the address of a load comes from what was loaded a round before.
    bool handsOnAddress() const {
        std::vector<bool> wanted(m_code.registerCount, false);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t k = m_first; k < m_last; ++k)
                if (isMemory(k) || writes(k, wanted))
                    changed |= add(wanted, m_code.reads(m_code.ops[k]));
        }
        std::vector<bool> written(m_code.registerCount, false);
        for (std::uint32_t k = m_first; k < m_last; ++k) {
            for (const std::uint32_t r : m_code.reads(m_code.ops[k]))
                if (!written[r] && wanted[r] && m_slow[r] && isWritten(r))
                    return true;
            add(written, m_code.writes(m_code.ops[k]));
        }
        return false;
    }

    bool isWritten(std::uint32_t r) const {
        return any([&](std::uint32_t k) {
            const auto w = m_code.writes(m_code.ops[k]);
            return std::find(w.begin(), w.end(), r) != w.end();
        });
    }

    // The one instruction of the loop that writes the one register; noIndex if there is none, or more than one.
    std::uint32_t onlyWriter(std::span<const std::uint32_t> registers) const {
        std::uint32_t found = noIndex;
        if (registers.size() != 1)
            return noIndex;
        for (std::uint32_t k = m_first; k < m_last; ++k)
            for (const std::uint32_t w : m_code.writes(m_code.ops[k]))
                if (w == registers[0])
                    found = found == noIndex ? k : noIndex - 1;
        return found == noIndex - 1 ? noIndex : found;
    }

    // 32-bit registers of values that are there all through the loop, those that it or what follows reads, but for what the
    // machine reads from constant memory, and counts that nobody asks for in the loop.
    std::uint32_t live() const {
        const FunctionCode& function = m_program.functions[m_program.info[m_last].function];
        std::vector<bool> wanted(m_code.registerCount, false), written(m_code.registerCount, false);
        const auto scan = [&](std::uint32_t from, std::uint32_t end) {
            for (std::uint32_t k = from; k < end; ++k) {
                for (const std::uint32_t r : m_code.reads(m_code.ops[k]))
                    if (!written[r])
                        wanted[r] = true;
                add(written, m_code.writes(m_code.ops[k]));
            }
        };
        scan(m_first, m_last + 1);
        std::uint32_t again = m_first; // of a loop around this one
        for (std::uint32_t k = m_last + 1; k < function.end; ++k)
            if (m_program.info[k].isBranch && m_program.info[k].source && m_program.code[k].branch.target < again)
                again = m_program.code[k].branch.target;
        written.assign(m_code.registerCount, false);
        scan(m_last + 1, function.end);
        scan(again, m_first);
        std::vector<std::uint32_t> words(m_code.registerCount, 0);
        std::vector<bool> constant(m_code.registerCount, true); // read from constant memory, or counted beside the loop
        for (std::uint32_t k = function.first; k <= m_last; ++k) {
            const InstInfo& info = m_program.info[k];
            const auto reads = m_code.reads(m_code.ops[k]);
            const bool moves = info.is.opcode == ptx::Opcode::Cvta || info.is.opcode == ptx::Opcode::Mov;
            const bool known =
                (info.is.opcode == ptx::Opcode::Ld && info.opClass == OpClass::Move) ||
                (moves && std::all_of(reads.begin(), reads.end(), [&](auto r) { return constant[r]; })) ||
                (k >= m_first && isCounter(k) && !wantedInLoop(k));
            const bool wide = isWide64(info.is) || ptx::bitsOf(info.is.type()) == 64 || info.is.wide() ||
                              info.is.opcode == ptx::Opcode::Cvta;
            for (const std::uint32_t r : m_code.writes(m_code.ops[k])) {
                constant[r] = constant[r] && known;
                words[r] = info.is.opcode == ptx::Opcode::Setp ? 0 : std::max(words[r], wide ? 2u : 1u);
            }
        }
        std::uint32_t count = 0;
        for (std::uint32_t r = 0; r < m_code.registerCount; ++r)
            if (wanted[r] && !constant[r])
                count += words[r];
        return count;
    }
    bool wantedInLoop(std::uint32_t counter) const { // by another instruction
        const std::uint32_t r = m_code.writes(m_code.ops[counter])[0];
        return any([&](std::uint32_t k) {
            const auto reads = m_code.reads(m_code.ops[k]);
            return k != counter && std::find(reads.begin(), reads.end(), r) != reads.end();
        });
    }

    bool isMemory(std::uint32_t k) const { return m_program.info[k].isMemory; }
    bool isLoad(std::uint32_t k) const { // or what brings a value as late
        return isMemory(k) && m_program.info[k].access != AccessKind::Store &&
               m_program.info[k].space != MemorySpace::Param;
    }
    static bool isWide(const InstInfo& info) { return ptx::bitsOf(info.is.type()) == 64; }
    template <typename F>
    bool any(F test) const {
        for (std::uint32_t k = m_first; k < m_last; ++k)
            if (test(k))
                return true;
        return false;
    }
    bool reads(std::uint32_t k, const std::vector<bool>& set) const { return meets(m_code.reads(m_code.ops[k]), set); }
    bool writes(std::uint32_t k, const std::vector<bool>& set) const {
        return meets(m_code.writes(m_code.ops[k]), set);
    }
    static bool meets(std::span<const std::uint32_t> registers, const std::vector<bool>& set) {
        return std::any_of(registers.begin(), registers.end(), [&](std::uint32_t r) { return set[r]; });
    }
    static bool add(std::vector<bool>& set, std::span<const std::uint32_t> registers) {
        bool grown = false;
        for (const std::uint32_t r : registers)
            if (!set[r])
                set[r] = grown = true;
        return grown;
    }

    const Program& m_program;
    MachineCode& m_code;
    std::uint32_t m_first, m_last, m_compare = noIndex, m_rounds = 1;
    bool m_known = false;
    std::vector<bool> m_slow, m_needed; // [register], see spread()
};

} // namespace

void unrollLoops(Translation& t) {
    const Program& program = t.program;
    MachineCode& code = t.code;
    std::vector<bool> entered(program.code.size() + 1, false); // by a branch
    const auto isBranch = [&](std::uint32_t k) {
        return program.info[k].isBranch && program.info[k].source && program.info[k].is.opcode == ptx::Opcode::Bra;
    };
    for (std::uint32_t k = 0; k < program.code.size(); ++k)
        if (isBranch(k))
            entered[std::min<std::size_t>(program.code[k].branch.target, program.code.size())] = true;
    for (std::uint32_t last = 1; last < program.code.size(); ++last) {
        if (!isBranch(last) || !program.info[last].source->guarded() || program.code[last].branch.target >= last)
            continue;
        const std::uint32_t first = program.code[last].branch.target;
        bool straight = true;
        for (std::uint32_t k = first; k < last && straight; ++k)
            straight = program.info[k].source && !program.info[k].isBranch && !program.info[k].isExit &&
                       (k == first || !entered[k]);
        if (!straight)
            continue;
        if (Loop loop(program, code, first, last); loop.isOne())
            loop.mark();
    }
}

} // namespace warpglass::emulator
