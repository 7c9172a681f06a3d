// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/discarded_loads.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/ptx/instruction_set.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t stepsAhead = 2048, stepsOfBlock = 1u << 16; // a microsecond each at most

// What is known of a row in the lane that is run ahead.
enum class Doubt : std::uint8_t {
    None,    // its value
    Unknown, // nothing: it comes from where the way ahead does not look
    Loaded,  // that it is made of what was loaded
};

class WayAhead {
public:
    WayAhead(Exec& x, int lane) : m_x(x), m_lane(lane), m_mask(x.mask), m_carry(x.warp->carry) { x.mask = 1u << lane; }
    WayAhead(const WayAhead&) = delete;
    WayAhead& operator=(const WayAhead&) = delete;
    ~WayAhead() {
        for (auto saved = m_saved.rbegin(); saved != m_saved.rend(); ++saved) // they overlap: the first is the oldest
            std::memcpy(m_x.rows + saved->row, m_before.data() + saved->at, saved->bytes);
        m_x.mask = m_mask;
        m_x.warp->carry = m_carry;
    }

    // position: of the load in the code as it runs.
    bool throwsAway(const Inst& load, std::uint32_t position) {
        for (const Row row : dataRows(load))
            put(row, Doubt::Loaded);
        std::uint32_t at = position + 1;
        Diagnostics::Ahead& spent = m_x.diagnostics->ahead;
        for (std::uint32_t steps = 0; steps < stepsAhead && spent.steps < stepsOfBlock; ++steps, ++spent.steps) {
            const Next next = step(at);
            if (next.used)
                return false;
            if (!next.at || next.look)
                if (const bool gone = isGone(next.at.value_or(at)); gone || !next.at)
                    return gone;
            at = *next.at;
        }
        spent.tooFar.push_back(load.index);
        return false;
    }

private:
    struct Next {
        std::optional<std::uint32_t> at; // nothing: the way is not known from here on
        bool used = false;               // the value has come where no choice can take it back
        bool look = false;               // a good place to ask whether it is gone
    };
    struct Saved {
        Row row;
        std::uint32_t bytes = 0;
        std::size_t at = 0; // in m_before
    };

    std::vector<Row> dataRows(const Inst& in) const {
        if (in.memory.elements == 1)
            return {in.dst};
        const auto& rows = m_x.program->vectors[in.memory.vector];
        return {rows.begin(), rows.begin() + in.memory.elements};
    }

    Doubt doubt(Row row) const {
        const auto at = std::find_if(m_doubts.begin(), m_doubts.end(), [&](const auto& d) { return d.first == row; });
        return at == m_doubts.end() ? Doubt::None : at->second;
    }
    void put(Row row, Doubt doubt) {
        std::erase_if(m_doubts, [&](const auto& d) { return d.first == row; });
        if (row != noRow && doubt != Doubt::None)
            m_doubts.emplace_back(row, doubt);
    }
    Doubt worst(const std::vector<Row>& rows) const {
        Doubt all = Doubt::None;
        for (const Row row : rows)
            all = std::max(all, doubt(row));
        return all;
    }
    bool holds(Row row, bool negated = false) const { return ((predicate(m_x, row) >> m_lane & 1u) != 0) != negated; }
    void save(Row row) {
        const FunctionCode& function = m_x.program->functions[m_x.frame->function];
        const std::uint32_t bytes = std::min(512u, row.bytesBefore(function.frameBytes)); // no row is wider
        if (bytes == 0 || std::any_of(m_saved.begin(), m_saved.end(), [&](const Saved& s) { return s.row == row; }))
            return;
        m_saved.push_back({row, bytes, m_before.size()});
        m_before.insert(m_before.end(), m_x.rows + row, m_x.rows + row + bytes);
    }

    static bool isPlain(const InstInfo& info) {
        if (info.isMemory || !info.source)
            return false;
        switch (ptx::row(info.is.opcode).family) {
        case ptx::Family::Arithmetic:
        case ptx::Family::Predicate:
        case ptx::Family::Compare:
        case ptx::Family::Select:
        case ptx::Family::Convert:
            return true;
        case ptx::Family::Move:
            return info.source->operands.size() == 2 && info.source->operands[1].kind != ptx::Operand::Kind::Special;
        default:
            return false;
        }
    }
    // A division by zero is told when the lane comes to it, and not here.
    bool tellsOfZero(const Inst& in, const InstInfo& info) const {
        const bool divides = info.is.opcode == ptx::Opcode::Div || info.is.opcode == ptx::Opcode::Rem;
        const auto lane = std::size_t(m_lane);
        return divides && (ptx::bytesOf(info.is.type()) == 8 ? rowAt<const std::uint64_t>(m_x, in.b)[lane]
                                                             : rowAt<const std::uint32_t>(m_x, in.b)[lane]) == 0;
    }
    // Of what an instruction makes of registers. One operand may decide without the other.
    Doubt madeOf(const Inst& in, const InstInfo& info) const {
        const ptx::Opcode opcode = info.is.opcode;
        if (opcode == ptx::Opcode::Selp && doubt(in.c) == Doubt::None)
            return doubt(holds(in.c, in.compare.negated) ? in.a : in.b);
        const auto decides = [&](Row row, ptx::Operation operation, bool negated) {
            return doubt(row) == Doubt::None && ((operation == ptx::Operation::And && !holds(row, negated)) ||
                                                 (operation == ptx::Operation::Or && holds(row, negated)));
        };
        if (opcode == ptx::Opcode::Setp && info.is.operation != ptx::Operation::None &&
            decides(in.c, info.is.operation, in.compare.negated))
            return Doubt::None;
        const bool isAnd = opcode == ptx::Opcode::And, isOr = opcode == ptx::Opcode::Or;
        if (info.is.type() == ptx::Type::Pred && (isAnd || isOr)) {
            const ptx::Operation operation = isAnd ? ptx::Operation::And : ptx::Operation::Or;
            if (decides(in.a, operation, false) || decides(in.b, operation, false))
                return Doubt::None;
        }
        return worst(info.reads);
    }

    // What runs may be in another order than what is known of it (timing/schedule_code.cpp): Inst::index leads there.
    const Inst& instruction(std::uint32_t position) const { return m_x.program->code[position]; }
    const InstInfo& known(std::uint32_t position) const { return m_x.program->info[instruction(position).index]; }

    Next step(std::uint32_t at) {
        const Inst& in = instruction(at);
        const InstInfo& info = known(at);
        if (in.guard) {
            const Row row = in.guard.row();
            const Doubt guard = doubt(row);
            if (guard == Doubt::Loaded)
                return {.used = true};
            if (guard == Doubt::Unknown)
                return {};
            if (!holds(row, in.guard.negated()))
                return {at + 1};
        }
        if (info.is.opcode == ptx::Opcode::Bra)
            return {in.branch.target};
        if (info.isExit || !info.source)
            return {};
        const Doubt made = madeOf(in, info);
        if (isPlain(info)) {
            const bool runs = made == Doubt::None && !tellsOfZero(in, info);
            for (const Row row : info.writes) {
                save(row);
                put(row, runs ? Doubt::None : std::max(made, Doubt::Unknown));
            }
            Inst plain = in;
            plain.guard = {}; // it is not to be counted
            if (const auto& finite = m_x.program->finite; !finite.empty() && finite[at].run)
                plain.run = finite[at].run; // nor told of
            if (runs)
                plain.run(m_x, plain);
            return {at + 1};
        }
        if (worst(info.reads) == Doubt::Loaded)
            return {.used = true};
        if (info.opClass == OpClass::Control || info.opClass == OpClass::Call)
            return {};
        const bool loads = info.is.opcode == ptx::Opcode::Ld && info.space == MemorySpace::Shared;
        for (const Row row : info.writes)
            put(row, Doubt::Unknown);
        if (loads && !info.genericSpace && !m_sharedChanges && take(in))
            return {at + 1};
        // Whatever else it is, others may come in between, or it stores there itself.
        const ptx::Family family = ptx::row(info.is.opcode).family;
        const bool quiet = family == ptx::Family::Load || family == ptx::Family::Move ||
                           family == ptx::Family::Address || family == ptx::Family::Hint;
        m_sharedChanges |= !quiet;
        return {.at = at + 1, .look = !quiet};
    }

    // A load of the block's own shared memory. False: its values are not known.
    bool take(const Inst& in) {
        const MemoryPart& part = in.memory;
        std::uint64_t address = std::uint64_t(part.offset);
        if (!part.noBase) {
            if (doubt(in.a) != Doubt::None)
                return false;
            const auto lane = std::size_t(m_lane);
            address += part.wideAddress ? rowAt<const std::uint64_t>(m_x, in.a)[lane]
                                        : rowAt<const std::uint32_t>(m_x, in.a)[lane];
        }
        const auto at = std::uint32_t(address);
        const std::uint32_t size = std::uint32_t(part.bytes) * part.elements;
        const std::byte* const from = m_x.block->shared.find(at, size);
        SharedNotes& notes = m_x.block->notes;
        if (!from || part.rowBytes > 8)
            return false;
        const SharedNotes::Range cells = notes.range(at, size);
        for (std::size_t cell = cells.first; cell < cells.end; ++cell)
            if (notes.written(cell).when == Noted::Never)
                return false; // it is asked when it comes to it
        std::size_t element = 0;
        for (const Row row : dataRows(in)) {
            std::uint64_t value = 0;
            std::memcpy(&value, from + element++ * part.bytes, part.bytes);
            if (const int shift = 64 - 8 * part.bytes; part.isSigned)
                value = std::uint64_t(std::int64_t(value << shift) >> shift);
            if (row != noRow) {
                save(row);
                std::memcpy(m_x.rows + row + std::size_t(m_lane) * part.rowBytes, &value, part.rowBytes);
                put(row, Doubt::None);
            }
        }
        return true;
    }

    // Whether nothing that is made of the value is read from here on before it is written.
    bool isGone(std::uint32_t from) const {
        return std::none_of(m_doubts.begin(), m_doubts.end(),
                            [&](const auto& d) { return d.second == Doubt::Loaded && isRead(d.first, from); });
    }
    bool isRead(Row row, std::uint32_t from) const {
        const Program& program = *m_x.program;
        const FunctionCode& function = program.functions[m_x.frame->function];
        std::vector<bool> seen(function.end - function.first);
        std::vector<std::uint32_t> open{from};
        const auto names = [row](const std::vector<Row>& rows) {
            return std::find(rows.begin(), rows.end(), row) != rows.end();
        };
        while (!open.empty()) {
            std::uint32_t at = open.back();
            open.pop_back();
            for (; at < function.end && !seen[at - function.first]; ++at) {
                seen[at - function.first] = true;
                const Inst& in = instruction(at);
                const InstInfo& info = known(at);
                if (names(info.reads) || info.opClass == OpClass::Call)
                    return true; // what a call reads stands elsewhere
                if (!info.source && m_x.frame->function != 0)
                    return true; // it may be a result
                const bool always = !in.guard;
                if (always && names(info.writes))
                    break;
                if (info.is.opcode == ptx::Opcode::Bra)
                    open.push_back(in.branch.target);
                else if (info.is.opcode == ptx::Opcode::Brx)
                    for (const std::uint32_t target : program.targets[in.branch.targets])
                        open.push_back(target);
                else if (info.is.opcode != ptx::Opcode::Ret && info.is.opcode != ptx::Opcode::Exit)
                    continue;
                else if (m_x.frame->function != 0)
                    return true;
                if (always)
                    break;
            }
        }
        return false;
    }

    Exec& m_x;
    int m_lane;
    std::uint32_t m_mask, m_carry;
    std::vector<std::pair<Row, Doubt>> m_doubts; // by row; others have none
    std::vector<Saved> m_saved;
    std::vector<std::byte> m_before;
    bool m_sharedChanges = false;
};

} // namespace

bool throwsAway(Exec& x, const Inst& load, int lane) {
    const auto& tooFar = x.diagnostics->ahead.tooFar;
    const std::vector<Inst>& code = x.program->code;
    const auto position = std::size_t(&load - code.data()); // load.index is where it stood before it was moved
    if (position >= code.size() ||
        x.program->info[load.index].is.opcode != ptx::Opcode::Ld || // pieces of matrices go on to other registers
        std::find(tooFar.begin(), tooFar.end(), load.index) != tooFar.end())
        return false;
    return WayAhead(x, lane).throwsAway(load, std::uint32_t(position));
}

} // namespace warpglass::emulator
