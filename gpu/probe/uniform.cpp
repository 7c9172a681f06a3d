// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/uniform.h"

#include "gpu/base/lane_mask.h"
#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/describe.h"
#include "gpu/ptx/register_use.h"

#include <algorithm>
#include <map>

namespace warpglass::probe {

namespace {

using ptx::Family;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

enum class Value : std::uint8_t {
    Uniform,
    Thread,
    Lane
}; // Thread: %tid.x, of which the lowest five bits tell lanes apart

class Finder {
public:
    Finder(const ptx::Function& f, bool oneDimensional) : m_function(f), m_oneDimensional(oneDimensional) {}

    UniformCode run() {
        auto flow = ptx::controlFlow(m_function);
        UniformCode result;
        result.alone.assign(m_function.body.size(), false);
        if (!flow)
            return result;
        m_flow = std::move(*flow);
        for (std::uint32_t n = 0; n < m_function.body.size(); ++n)
            for (const std::string& name : resultsOf(m_function.body[n]))
                m_makers[name].push_back(n);
        m_parted.assign(m_flow.blocks.size(), false);
        while (look()) {
        }
        for (const auto& [name, makers] : m_makers)
            if (valueOf(name) == Value::Uniform)
                result.registers.insert(name);
        findAlone(result.alone);
        return result;
    }

private:
    // Whatever an instruction that is not known well may write counts as its result.
    static std::vector<std::string> resultsOf(const Instruction& i) {
        std::vector<std::string> names;
        const auto add = [&](const auto& self, const Operand& o) -> void {
            if (o.kind == Operand::Kind::Register)
                names.push_back(o.name);
            for (const Operand& e : o.elements)
                self(self, e);
        };
        if (!i.operands.empty() && (ptx::firstIsResult(i) || i.operands[0].kind == Operand::Kind::Pair))
            add(add, i.operands[0]);
        else if (const Family family = ptx::row(i.opcode).family; family == Family::Call || family == Family::Async ||
                                                                  family == Family::Matrix ||
                                                                  i.opcode == Opcode::Unknown)
            for (const Operand& o : i.operands)
                add(add, o);
        return names;
    }

    Value valueOf(const std::string& name) const {
        const auto known = m_values.find(name);
        return known == m_values.end() ? Value::Uniform : known->second; // until something speaks against it
    }

    Value valueOf(const Operand& o) const {
        switch (o.kind) {
        case Operand::Kind::Register:
            return valueOf(o.name);
        case Operand::Kind::Special:
            if (o.name == "%tid" && o.component == 0 && m_oneDimensional)
                return Value::Thread;
            return o.name == "%ctaid" || o.name == "%nctaid" || o.name == "%ntid" || o.name == "WARP_SZ"
                       ? Value::Uniform
                       : Value::Lane;
        case Operand::Kind::Integer:
        case Operand::Kind::Float32:
        case Operand::Kind::Float64:
        case Operand::Kind::Symbol:
            return Value::Uniform;
        case Operand::Kind::Address:
            return o.baseIsRegister ? valueOf(o.name) : Value::Uniform;
        default:
            return Value::Lane;
        }
    }

    // Of the kernel: what a call gives back, or a function gets, is another's affair.
    bool isParameter(const Instruction& i) const {
        return m_function.isEntry && i.opcode == Opcode::Ld && i.has(Modifier::Param) && i.operands.size() == 2 &&
               std::any_of(m_function.params.begin(), m_function.params.end(),
                           [&](const ptx::Variable& v) { return v.name == i.operands[1].name; });
    }

    Value madeBy(const Instruction& i) const {
        const Family family = ptx::row(i.opcode).family;
        const bool plain = family == Family::Arithmetic || family == Family::Compare || family == Family::Select ||
                           family == Family::Move || family == Family::Convert || family == Family::Address ||
                           family == Family::Predicate;
        const bool parameter = isParameter(i);
        // What all lanes are given by one of them.
        const bool all = i.operands.size() > 2 && i.operands.back().kind == Operand::Kind::Integer &&
                         std::uint32_t(i.operands.back().integer) == 0xffffffffu && !i.guarded();
        if (all && i.opcode == Opcode::Shfl && i.operands.size() == 5 &&
            ptx::describe(i).shuffle == ptx::ShuffleMode::Idx && i.operands[3].kind == Operand::Kind::Integer &&
            i.operands[3].integer == lanesPerWarp - 1 && valueOf(i.operands[2]) == Value::Uniform)
            return Value::Uniform;
        if ((!plain && !parameter) || i.operands.size() < 2)
            return Value::Lane;
        Value worst = i.guarded() ? valueOf(i.guard) : Value::Uniform;
        if (worst != Value::Uniform)
            return Value::Lane;
        for (std::size_t k = 1; k < i.operands.size(); ++k)
            worst = std::max(worst, valueOf(i.operands[k]));
        if (worst != Value::Thread)
            return worst;
        // Of the thread's number: without the bits that tell lanes apart it is the warp's.
        const Operand& last = i.operands.back();
        const auto constant = std::uint64_t(last.integer);
        const bool first = i.operands.size() == 3 && valueOf(i.operands[1]) == Value::Thread &&
                           last.kind == Operand::Kind::Integer && last.integer >= 0;
        if (i.opcode == Opcode::Mov)
            return Value::Thread;
        if (first && i.opcode == Opcode::Shr && constant >= 5)
            return Value::Uniform;
        if (first && i.opcode == Opcode::And && constant % 32 == 0)
            return Value::Uniform;
        if (first && i.opcode == Opcode::Setp) {
            if ((i.has(Modifier::Lt) || i.has(Modifier::Ge)) && constant % 32 == 0)
                return Value::Uniform;
            if ((i.has(Modifier::Gt) || i.has(Modifier::Le)) && constant % 32 == 31)
                return Value::Uniform;
        }
        return Value::Lane;
    }

    // Blocks between a jump that lanes may make differently and where they meet again.
    bool part() {
        bool changed = false;
        for (std::uint32_t b = 0; b < m_flow.blocks.size(); ++b) {
            const ptx::BasicBlock& block = m_flow.blocks[b];
            const Instruction& last = m_function.body[block.end - 1];
            const bool parts = (last.guarded() && valueOf(last.guard) != Value::Uniform) || last.opcode == Opcode::Brx;
            if (block.successors.size() < 2 || !parts || m_parting.contains(b))
                continue;
            m_parting.insert(b);
            changed = true;
            std::vector<std::uint32_t> open = block.successors;
            std::set<std::uint32_t> seen;
            while (!open.empty()) {
                const std::uint32_t at = open.back();
                open.pop_back();
                if (at == m_flow.postDominator[b] || at >= m_flow.blocks.size() || !seen.insert(at).second)
                    continue;
                m_parted[at] = true;
                open.insert(open.end(), m_flow.blocks[at].successors.begin(), m_flow.blocks[at].successors.end());
            }
        }
        return changed;
    }

    const Instruction* makerOf(const std::string& name) const {
        const auto known = m_makers.find(name);
        return known == m_makers.end() || known->second.size() != 1 ? nullptr : &m_function.body[known->second.front()];
    }

    // Another number in each lane of a warp.
    bool isOfLane(const Operand& o) const {
        if (o.kind == Operand::Kind::Special)
            return o.name == "%laneid" || (o.name == "%tid" && o.component == 0 && m_oneDimensional);
        const Instruction* maker = o.kind == Operand::Kind::Register ? makerOf(o.name) : nullptr;
        if (!maker || maker->guarded() || maker->operands.size() < 2 || !isOfLane(maker->operands[1]))
            return false;
        if (maker->opcode == Opcode::Mov)
            return true;
        const Operand& last = maker->operands.back();
        return maker->operands.size() == 3 && last.kind == Operand::Kind::Integer &&
               (maker->opcode == Opcode::Add || maker->opcode == Opcode::Sub ||
                (maker->opcode == Opcode::And && (last.integer & 31) == 31));
    }

    // Of which of its values (true, false) at most one lane has it.
    struct Single {
        bool whenTrue = false, whenFalse = false;
    };
    Single singleOf(const std::string& name, int depth = 0) const {
        const Instruction* maker = makerOf(name);
        if (!maker || maker->guarded() || depth > 8)
            return {};
        const auto of = [&](std::size_t n) {
            return n < maker->operands.size() && maker->operands[n].kind == Operand::Kind::Register
                       ? singleOf(maker->operands[n].name, depth + 1)
                       : Single{};
        };
        if (maker->opcode == Opcode::Elect)
            return {.whenTrue = true};
        if (maker->opcode == Opcode::And)
            return {.whenTrue = of(1).whenTrue || of(2).whenTrue};
        if (maker->opcode == Opcode::Or)
            return {.whenFalse = of(1).whenFalse || of(2).whenFalse};
        if (maker->opcode == Opcode::Not)
            return {of(1).whenFalse, of(1).whenTrue};
        if (maker->opcode != Opcode::Setp || maker->operands.size() < 3 ||
            maker->operands[0].kind != Operand::Kind::Register || maker->operands[2].kind != Operand::Kind::Integer)
            return {};
        const bool plain = maker->operands.size() == 3, equal = maker->has(Modifier::Eq),
                   other = maker->has(Modifier::Ne);
        const bool lane = isOfLane(maker->operands[1]);
        if (equal && lane && (plain || maker->has(Modifier::And)))
            return {.whenTrue = true};
        if (other && lane && (plain || maker->has(Modifier::Or)))
            return {.whenFalse = true};
        if (plain && maker->operands[2].integer == 0 && isFlag(maker->operands[1], depth + 1))
            return {.whenTrue = other, .whenFalse = equal};
        return {};
    }

    // 0, or set to something else by a predicate that one lane has.
    bool isFlag(const Operand& o, int depth) const {
        const auto known = o.kind == Operand::Kind::Register ? m_makers.find(o.name) : m_makers.end();
        if (known == m_makers.end())
            return false;
        if (const Instruction* only = makerOf(o.name))
            return only->opcode == Opcode::Mov && !only->guarded() && isFlag(only->operands[1], depth);
        return std::all_of(known->second.begin(), known->second.end(), [&](std::uint32_t n) {
            const Instruction& i = m_function.body[n];
            const bool zero = i.opcode == Opcode::Mov && i.operands.size() == 2 &&
                              i.operands[1].kind == Operand::Kind::Integer && i.operands[1].integer == 0;
            return zero ||
                   (i.guarded() && !i.guardNegated && i.opcode == Opcode::Mov && singleOf(i.guard, depth + 1).whenTrue);
        });
    }

    // Blocks that cannot be reached but by a jump, or by passing one by, that one lane of a warp makes.
    void findAlone(std::vector<bool>& alone) const {
        const ptx::LabelMap labels(m_function);
        for (std::uint32_t b = 0; b < m_flow.blocks.size(); ++b) {
            const Instruction& last = m_function.body[m_flow.blocks[b].end - 1];
            if (last.opcode != Opcode::Bra || !last.guarded() || last.operands.empty())
                continue;
            Single single = singleOf(last.guard);
            if (last.guardNegated)
                std::swap(single.whenTrue, single.whenFalse);
            const auto target = labels.find(last.operands.front().name);
            if (single.whenTrue && target && *target < m_function.body.size())
                without(b, m_flow.blockOf[*target], alone);
            if (single.whenFalse && b + 1 < m_flow.blocks.size())
                without(b, b + 1, alone);
        }
    }

    void without(std::uint32_t from, std::uint32_t to, std::vector<bool>& alone) const {
        std::vector<bool> reached(m_flow.blocks.size(), false);
        std::vector<std::uint32_t> open = {0};
        reached[0] = true;
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            for (const std::uint32_t next : m_flow.blocks[at].successors)
                if (next < m_flow.blocks.size() && !(at == from && next == to) && !reached[next]) {
                    reached[next] = true;
                    open.push_back(next);
                }
        }
        for (std::uint32_t b = 0; b < m_flow.blocks.size(); ++b)
            for (std::uint32_t n = m_flow.blocks[b].first; n < m_flow.blocks[b].end && !reached[b]; ++n)
                alone[n] = true;
    }

    bool look() {
        bool changed = part();
        for (const auto& [name, makers] : m_makers) {
            Value value = Value::Uniform;
            for (const std::uint32_t n : makers) {
                value = std::max(value, madeBy(m_function.body[n]));
                if (makers.size() > 1 && (m_parted[m_flow.blockOf[n]] || value == Value::Thread))
                    value = Value::Lane;
            }
            Value& known = m_values.try_emplace(name, Value::Uniform).first->second;
            changed |= value > known;
            known = std::max(known, value);
        }
        return changed;
    }

    const ptx::Function& m_function;
    bool m_oneDimensional;
    ptx::ControlFlow m_flow;
    std::map<std::string, std::vector<std::uint32_t>> m_makers; // [register] instructions
    std::map<std::string, Value> m_values;
    std::vector<bool> m_parted;        // [block]
    std::set<std::uint32_t> m_parting; // blocks at whose end lanes part
};

} // namespace

UniformCode uniformCode(const ptx::Function& function, bool oneDimensional) {
    return Finder(function, oneDimensional).run();
}

} // namespace warpglass::probe
