// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/memory/chosen_away.h"
#include "gpu/emulator/run/diagnostics.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t furthestChoice = 64; // instructions behind the load

// A choice leaves the value where the predicate in this row is so.
struct Leaving {
    std::uint32_t row = 0;
    bool negated = false;
};

// The way from a load through straight code.
class WayOfValue {
public:
    WayOfValue(const Program& program, const Inst& load) : m_program(program) {
        if (load.memory.elements == 1) {
            m_of = {load.dst};
        } else {
            const auto& rows = program.vectors[load.memory.vector];
            m_of.assign(rows.begin(), rows.begin() + load.memory.elements);
            std::erase(m_of, noIndex);
        }
    }

    struct Step {
        bool plain = false; // reads and writes registers only, and can be run ahead
        bool used = false;  // the value goes where no choice can take it back
        std::optional<Leaving> leaves;
    };
    Step step(const Inst& in) {
        const InstInfo& info = m_program.info[in.index];
        Step s;
        s.plain = isPlain(in, info);
        const bool reads = readsAny(info, m_of), isUnknown = !s.plain || readsAny(info, m_unknown);
        s.used = reads && !s.plain;
        if (reads)
            s.leaves = leaving(in, info);
        if (reads && !s.leaves)
            m_of.insert(m_of.end(), info.writes.begin(), info.writes.end());
        if (isUnknown)
            m_unknown.insert(m_unknown.end(), info.writes.begin(), info.writes.end());
        return s;
    }
    // Whether nobody outside of (first, last] looks at it.
    bool isGone(std::uint32_t first, std::uint32_t last) const {
        const FunctionCode& function = m_program.functions[m_program.info[first].function];
        for (std::uint32_t at = function.first; at < function.end; ++at)
            if ((at <= first || at > last) && readsAny(m_program.info[at], m_of))
                return false;
        return true;
    }

private:
    using RowList = std::vector<std::uint32_t>;

    static bool isIn(const RowList& rows, std::uint32_t row) {
        return std::find(rows.begin(), rows.end(), row) != rows.end();
    }
    static bool readsAny(const InstInfo& info, const RowList& rows) {
        return std::any_of(info.reads.begin(), info.reads.end(), [&](std::uint32_t row) { return isIn(rows, row); });
    }
    static bool isPlain(const Inst& in, const InstInfo& info) {
        if (in.guard != 0 || info.isMemory)
            return false;
        switch (info.is.opcode) {
        case ptx::Opcode::Add:
        case ptx::Opcode::Sub:
        case ptx::Opcode::Mul:
        case ptx::Opcode::Mad:
        case ptx::Opcode::Fma:
        case ptx::Opcode::Min:
        case ptx::Opcode::Max:
        case ptx::Opcode::Neg:
        case ptx::Opcode::Abs:
        case ptx::Opcode::And:
        case ptx::Opcode::Or:
        case ptx::Opcode::Xor:
        case ptx::Opcode::Not:
        case ptx::Opcode::Shl:
        case ptx::Opcode::Shr:
        case ptx::Opcode::Cvt:
        case ptx::Opcode::Setp:
        case ptx::Opcode::Selp:
            return true;
        case ptx::Opcode::Mov:
            return !info.reads.empty(); // no special register
        default:
            return false;
        }
    }
    // What another predicate alone decides where it is false, or true.
    static std::optional<Leaving> joined(ptx::Operation operation, std::uint32_t row, bool negated) {
        if (operation == ptx::Operation::And)
            return Leaving{row, !negated};
        if (operation == ptx::Operation::Or)
            return Leaving{row, negated};
        return std::nullopt;
    }
    std::optional<Leaving> leaving(const Inst& in, const InstInfo& info) const {
        const bool a = isIn(m_of, in.a), b = isIn(m_of, in.b);
        std::optional<Leaving> by;
        if (info.is.opcode == ptx::Opcode::Selp && a != b && !isIn(m_of, in.c))
            by = Leaving{in.c, a != in.compare.negated};
        else if (info.is.opcode == ptx::Opcode::Setp && in.compare.second == noIndex && !isIn(m_of, in.c))
            by = joined(info.is.operation, in.c, in.compare.negated);
        else if (info.is.type() == ptx::Type::Pred && a != b && info.is.opcode == ptx::Opcode::And)
            by = joined(ptx::Operation::And, a ? in.b : in.a, false);
        else if (info.is.type() == ptx::Type::Pred && a != b && info.is.opcode == ptx::Opcode::Or)
            by = joined(ptx::Operation::Or, a ? in.b : in.a, false);
        return by && !isIn(m_unknown, by->row) ? by : std::nullopt;
    }

    const Program& m_program;
    RowList m_of;      // made of the loaded value
    RowList m_unknown; // not known when what lies between is run ahead
};

} // namespace

std::uint32_t choicesEnd(const Program& program, const Inst& load) {
    const std::uint32_t first = load.index + 1,
                        end = std::min(program.pieces[load.piece].end, first + furthestChoice);
    WayOfValue way(program, load);
    bool chosen = false;
    for (std::uint32_t at = first; at < end; ++at) {
        const WayOfValue::Step step = way.step(program.code[at]);
        if (step.used)
            return 0;
        chosen |= step.leaves.has_value();
        if (step.leaves && way.isGone(load.index, at))
            return at + 1;
    }
    return 0;
}

std::uint32_t chosenAway(Exec& x, const Inst& load) {
    const Program& program = *x.program;
    const std::uint32_t end = x.diagnostics->endOfChoices(program, load);
    if (end == 0)
        return 0;
    const std::vector<std::byte> before(x.rows,
                                        x.rows + program.functions[program.info[load.index].function].frameBytes);
    WayOfValue way(program, load);
    std::uint32_t lanes = ~0u;
    for (std::uint32_t at = load.index + 1; at < end; ++at) {
        const Inst& in = program.code[at];
        const WayOfValue::Step step = way.step(in);
        if (step.leaves)
            lanes &= predicate(x, step.leaves->row) ^ (step.leaves->negated ? ~0u : 0u);
        if (step.plain)
            in.run(x, in);
    }
    std::memcpy(x.rows, before.data(), before.size());
    return lanes;
}

} // namespace warpglass::emulator
