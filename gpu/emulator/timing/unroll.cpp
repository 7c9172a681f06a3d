// SPDX-License-Identifier: GPL-3.0-or-later
// ptxas unrolls small innermost loops by four, on top of what the compiler before it has done (seen in the machine code
// of loops of up to about 30 instructions for sm_90): the loads of four rounds, or of as many as find registers, are
// under way at once, sums are added up when they have come, and three of four branches back are gone. Code is not
// copied here. Instead, in the rounds that go along with a later one, what only adds up loaded values does not hold up
// the warp, and in three rounds of four the way back is free.
#include "gpu/emulator/timing/machine_code.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t largestBody = 32; // instructions
// ptxas keeps to 32 registers where it can, so that an SM has room for all its warps; about so many are left for values
// that are on their way (16 to 18 loads in a row, then a wait for them, in the machine code of such loops).
constexpr std::uint32_t loadedValues = 16;

class Loop {
public:
    Loop(const Program& program, MachineCode& code, const Piece& piece)
        : m_program(program), m_code(code), m_first(piece.first), m_last(piece.end - 1),
          m_slow(code.registerCount, false), m_needed(code.registerCount, false) {}

    bool isOne() const {
        if (m_last <= m_first || m_last - m_first >= largestBody)
            return false;
        const InstInfo& back = m_program.info[m_last];
        if (!back.isBranch || !back.source || !back.source->guarded() || back.is.opcode != ptx::Opcode::Bra ||
            m_program.code[m_last].branch.target != m_first)
            return false;
        for (std::uint32_t k = m_first; k < m_last; ++k) {
            const InstInfo& info = m_program.info[k];
            if (!info.source || info.isBarrier || info.isAsync || info.opClass == OpClass::Call ||
                info.opClass == OpClass::Control || info.opClass == OpClass::Fence || info.opClass == OpClass::Atomic ||
                info.opClass == OpClass::Async || info.opClass == OpClass::Vote || info.opClass == OpClass::Shuffle ||
                info.opClass == OpClass::Matrix || info.is.semantics == ptx::Semantics::Volatile)
                return false;
        }
        return isCounted();
    }

    void mark() {
        for (bool changed = true; changed;) { // round the loop until nothing is new
            changed = false;
            for (std::uint32_t k = m_first; k <= m_last; ++k) {
                const MachineOp& op = m_code.ops[k];
                if (isLoad(k) || any(m_slow, m_code.reads(op)))
                    changed |= add(m_slow, m_code.writes(op));
                if (isMemory(k) || k == m_last || any(m_needed, m_code.writes(op)))
                    changed |= add(m_needed, m_code.reads(op));
            }
        }
        for (std::uint32_t k = m_first; k < m_last; ++k) {
            MachineOp& op = m_code.ops[k];
            if (!isMemory(k) && any(m_slow, m_code.reads(op)) && !any(m_needed, m_code.writes(op)))
                op.addsUp = roundsTogether();
        }
        m_code.ops[m_last].goesRound = true;
    }

private:
    // The way back depends on a comparison of what grows by a constant each round with what stays.
    bool isCounted() const {
        const std::uint32_t compare = onlyWriter(m_code.reads(m_code.ops[m_last]));
        if (compare == noIndex || m_program.info[compare].is.opcode != ptx::Opcode::Setp)
            return false;
        std::uint32_t counters = 0;
        for (const std::uint32_t r : m_code.reads(m_code.ops[compare])) {
            const std::uint32_t step = onlyWriter({&r, 1});
            if (step == noIndex) {
                if (isWritten(r))
                    return false;
                continue;
            }
            const InstInfo& info = m_program.info[step];
            const auto reads = m_code.reads(m_code.ops[step]);
            if (info.is.opcode != ptx::Opcode::Add || reads.size() != 1 || reads[0] != r)
                return false; // by a register, or from another one
            ++counters;
        }
        return counters == 1;
    }

    bool isWritten(std::uint32_t r) const {
        for (std::uint32_t k = m_first; k < m_last; ++k)
            for (const std::uint32_t w : m_code.writes(m_code.ops[k]))
                if (w == r)
                    return true;
        return false;
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

    bool isMemory(std::uint32_t k) const { return m_program.info[k].isMemory; }
    bool isLoad(std::uint32_t k) const {
        return isMemory(k) && m_program.info[k].access == AccessKind::Load &&
               m_program.info[k].space != MemorySpace::Param;
    }
    // Rounds whose loaded values find registers at once.
    std::uint8_t roundsTogether() const {
        std::uint32_t values = 0; // of one round
        for (std::uint32_t k = m_first; k < m_last; ++k)
            if (isLoad(k))
                values += std::uint32_t(m_code.writes(m_code.ops[k]).size()) * (isWide(m_program.info[k]) ? 2 : 1);
        const std::uint32_t rounds = values > 0 ? loadedValues / values : unrolledRounds;
        return rounds >= unrolledRounds ? unrolledRounds : rounds >= 2 ? 2 : 1;
    }
    static bool isWide(const InstInfo& info) { return ptx::bitsOf(info.is.type()) == 64; }
    static bool any(const std::vector<bool>& set, std::span<const std::uint32_t> registers) {
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
    std::uint32_t m_first, m_last;
    std::vector<bool> m_slow, m_needed; // [register] comes from a load; an address or the way back depends on it
};

} // namespace

void unrollLoops(const Program& program, MachineCode& code) {
    for (const Piece& piece : program.pieces)
        if (piece.end > piece.first)
            if (Loop loop(program, code, piece); loop.isOne())
                loop.mark();
}

} // namespace warpglass::emulator
