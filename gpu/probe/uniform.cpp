// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/uniform.h"

#include "gpu/ptx/control_flow.h"
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

    std::set<std::string> run() {
        auto flow = ptx::controlFlow(m_function);
        if (!flow)
            return {};
        m_flow = std::move(*flow);
        for (std::uint32_t n = 0; n < m_function.body.size(); ++n)
            for (const std::string& name : resultsOf(m_function.body[n]))
                m_makers[name].push_back(n);
        m_parted.assign(m_flow.blocks.size(), false);
        while (look()) {
        }
        std::set<std::string> uniform;
        for (const auto& [name, makers] : m_makers)
            if (valueOf(name) == Value::Uniform)
                uniform.insert(name);
        return uniform;
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

std::set<std::string> uniformRegisters(const ptx::Function& function, bool oneDimensional) {
    return Finder(function, oneDimensional).run();
}

} // namespace warpglass::probe
