// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/pointer_calls.h"
#include "gpu/probe/body.h"
#include "gpu/probe/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warpglass::probe {

using ptx::Function;
using ptx::Operand;
using ptx::Variable;

namespace {

constexpr std::size_t mostTargets = 32; // three instructions each

void namesIn(const Operand& o, std::set<std::string>& names) {
    if (o.kind == Operand::Kind::Symbol)
        names.insert(o.name);
    for (const Operand& element : o.elements)
        namesIn(element, names);
}

bool alike(const std::vector<Variable>& a, const std::vector<Variable>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Variable& x, const Variable& y) { return x.sizeBytes() == y.sizeBytes(); });
}

// The widest word in which a variable's bytes can be moved.
std::uint64_t wordOf(const Variable& v) {
    const std::uint64_t natural = std::uint64_t(std::max(1, ptx::bytesOf(v.type)));
    std::uint64_t word = std::min<std::uint64_t>(8, std::max<std::uint64_t>(natural, std::uint64_t(v.alignment)));
    while (v.sizeBytes() % word != 0)
        word /= 2;
    return word;
}

// A bridge hands parameters on in memory; registers cannot be compared with what a prototype says.
bool inMemory(const std::vector<Variable>& parameters) {
    return std::none_of(parameters.begin(), parameters.end(),
                        [](const Variable& v) { return v.space == ptx::StateSpace::Reg; });
}

class Bridge {
public:
    explicit Bridge(const Function& f) : m_f(f) {
        m_out.name = f.name + bridgeSuffix;
        m_out.returns = f.returns;
        m_out.params = f.params;
        m_out.line = f.line;
        m_out.bodyLine = f.bodyLine;
        m_out.endLine = f.endLine;
        for (const char* name : {"idx", "b", "t", "x", "y", "z"})
            m_out.registers.push_back({fmt::format("%wgp_{}", name), ptx::Type::B32});
        for (const char* name : {"a", "word"})
            m_out.registers.push_back({fmt::format("%wgp_{}", name), ptx::Type::B64});
        m_out.registers.push_back({"%wgp_small", ptx::Type::B16});
    }

    Function make() {
        findStream();
        std::vector<std::string> arguments, results;
        for (std::size_t k = 0; k < m_f.params.size(); ++k)
            arguments.push_back(local(fmt::format("wgp_in{}", k), m_f.params[k]));
        for (std::size_t k = 0; k < m_f.params.size(); ++k)
            move(m_f.params[k], m_f.params[k].name, arguments[k]);
        Variable index;
        index.type = ptx::Type::B32;
        arguments.push_back(local("wgp_stream", index));
        line(fmt::format("st.param.b32 [{}], %wgp_idx", arguments.back()));
        for (std::size_t k = 0; k < m_f.returns.size(); ++k)
            results.push_back(local(fmt::format("wgp_out{}", k), m_f.returns[k]));
        line(results.empty() ? fmt::format("call {}{}, ({})", m_f.name, copySuffix, fmt::join(arguments, ", "))
                             : fmt::format("call ({}), {}{}, ({})", fmt::join(results, ", "), m_f.name, copySuffix,
                                           fmt::join(arguments, ", ")));
        for (std::size_t k = 0; k < m_f.returns.size(); ++k)
            move(m_f.returns[k], results[k], m_f.returns[k].name);
        line("ret");
        return std::move(m_out);
    }

private:
    void line(std::string text) {
        ptx::Instruction i;
        i.otherOpcode = std::move(text);
        m_out.body.push_back(std::move(i));
    }

    std::string local(std::string name, const Variable& like) {
        Variable v = like;
        v.space = ptx::StateSpace::Param;
        v.name = name;
        v.attributes.clear();
        m_out.locals.push_back(std::move(v));
        return name;
    }

    // Bytes of a parameter from one to the other, word by word.
    void move(const Variable& v, const std::string& from, const std::string& to) {
        const std::uint64_t word = wordOf(v);
        const char* type = word == 8 ? "b64" : word == 4 ? "b32" : word == 2 ? "b16" : "b8";
        const char* reg = word == 8 ? "%wgp_word" : word == 4 ? "%wgp_x" : "%wgp_small";
        for (std::uint64_t at = 0; at < v.sizeBytes(); at += word) {
            line(fmt::format("ld.param.{} {}, [{}+{}]", type, reg, from, at));
            line(fmt::format("st.param.{} [{}+{}], {}", type, to, at, reg));
        }
    }

    // into = x + extent.x * (y + extent.y * z)
    void linear(const char* index, const char* extent, const char* into) {
        line(fmt::format("mov.u32 {}, %{}.z", into, index));
        line(fmt::format("mov.u32 %wgp_x, %{}.y", extent));
        line(fmt::format("mov.u32 %wgp_y, %{}.y", index));
        line(fmt::format("mad.lo.u32 {0}, {0}, %wgp_x, %wgp_y", into));
        line(fmt::format("mov.u32 %wgp_x, %{}.x", extent));
        line(fmt::format("mov.u32 %wgp_y, %{}.x", index));
        line(fmt::format("mad.lo.u32 {0}, {0}, %wgp_x, %wgp_y", into));
    }

    // As at the start of a probed entry: the block's slot, its warps, this lane.
    void findStream() {
        linear("ctaid", "nctaid", "%wgp_b");
        linear("tid", "ntid", "%wgp_t");
        line(fmt::format("ld.const.u64 %wgp_a, [{}+{}]", controlSymbol, offsetof(Control, slots)));
        line("mad.wide.u32 %wgp_a, %wgp_b, 4, %wgp_a");
        line("ld.global.u32 %wgp_z, [%wgp_a]");
        line(fmt::format("ld.const.u32 %wgp_x, [{}+{}]", controlSymbol, offsetof(Control, hostWarps)));
        line("shr.u32 %wgp_y, %wgp_t, 5");
        line("mad.lo.u32 %wgp_idx, %wgp_z, %wgp_x, %wgp_y");
        line("shl.b32 %wgp_idx, %wgp_idx, 5");
        line("and.b32 %wgp_t, %wgp_t, 31");
        line("or.b32 %wgp_idx, %wgp_idx, %wgp_t");
    }

    const Function& m_f;
    Function m_out;
};

} // namespace

std::vector<const Function*> addressTaken(const ptx::Module& module) {
    std::set<std::string> names;
    for (const Variable& v : module.variables)
        for (const Variable::SymbolAddress& address : v.initialAddresses)
            names.insert(address.symbol);
    for (const Function& f : module.functions)
        for (const ptx::Instruction& i : f.body)
            if (i.opcode != ptx::Opcode::Call)
                for (const Operand& o : i.operands)
                    namesIn(o, names);
    std::vector<const Function*> found;
    for (const Function& f : module.functions)
        if (!f.isEntry && f.bodyLine != 0 && names.contains(f.name) && inMemory(f.params) && inMemory(f.returns))
            found.push_back(&f);
    return found;
}

std::vector<const Function*> possibleTargets(const Function& caller, const ptx::Instruction& call,
                                             const std::vector<const Function*>& candidates) {
    std::vector<const Function*> found;
    if (call.operands.empty())
        return found;
    const std::string& how = call.operands.back().name; // a prototype or a list of targets
    const ptx::TargetList* list = caller.findTargets(how);
    const auto prototype =
        std::find_if(caller.prototypes.begin(), caller.prototypes.end(), [&](const auto& p) { return p.name == how; });
    for (const Function* f : candidates) {
        const bool named =
            list && std::find(list->targets.begin(), list->targets.end(), f->name) != list->targets.end();
        const bool fits = prototype != caller.prototypes.end() && alike(prototype->params, f->params) &&
                          alike(prototype->returns, f->returns);
        if (named || fits)
            found.push_back(f);
    }
    if (found.size() > mostTargets)
        found.clear();
    return found;
}

Function bridge(const Function& f) {
    return Bridge(f).make();
}

} // namespace warpglass::probe
