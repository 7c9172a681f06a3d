// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/extract.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

namespace warpglass::ptx {

namespace {

constexpr const char* addressRegister = "%wg_variable";

template <class F>
void eachName(const Operand& o, F& f) {
    if (o.kind == Operand::Kind::Symbol || (o.kind == Operand::Kind::Address && !o.baseIsRegister))
        f(o.name);
    for (const Operand& e : o.elements)
        eachName(e, f);
}

template <class F>
void eachName(const Function& function, F f) {
    for (const Instruction& i : function.body)
        for (const Operand& o : i.operands)
            eachName(o, f);
    for (const TargetList& list : function.targetLists)
        for (const std::string& target : list.targets)
            f(target);
    for (const Variable& v : function.locals)
        for (const auto& address : v.initialAddresses)
            f(address.symbol);
}

// One function, its names turned into addresses.
class Binder {
public:
    Binder(Function& function, const Addresses& addresses) : m_function(function), m_addresses(addresses) {
        for (const auto* list : {&function.params, &function.returns, &function.locals})
            for (const Variable& v : *list)
                if (v.space != StateSpace::Global)
                    m_hidden.insert(v.name);
    }

    void bind() {
        for (Instruction& i : m_function.body) {
            for (Operand& o : i.operands)
                bind(o);
            // An address is taken over as it is: in .global a generic address is the same number.
            if (i.opcode == Opcode::Cvta && i.operands.size() == 2 && i.operands[1].kind == Operand::Kind::Integer) {
                i.opcode = Opcode::Mov;
                i.modifiers = {Modifier::U64};
            }
        }
        std::erase_if(m_function.locals, [this](const Variable& v) {
            return v.space == StateSpace::Global && m_addresses.count(v.name) > 0;
        });
        loadRegisters();
    }

private:
    const std::uint64_t* addressOf(const std::string& name) const {
        const auto found = m_addresses.find(name);
        return found == m_addresses.end() || m_hidden.count(name) ? nullptr : &found->second;
    }

    void bind(Operand& o) {
        for (Operand& e : o.elements)
            bind(e);
        const bool address = o.kind == Operand::Kind::Address && !o.baseIsRegister && !o.name.empty();
        if (o.kind != Operand::Kind::Symbol && !address)
            return;
        const std::uint64_t* at = addressOf(o.name);
        if (!at)
            return;
        if (address) { // an absolute address of an instruction has 32 bits: it must stand in a register
            o.name = registerFor(*at);
            o.baseIsRegister = true;
        } else {
            o.kind = Operand::Kind::Integer;
            o.integer = std::int64_t(*at) + o.integer;
            o.name.clear();
        }
    }

    std::string registerFor(std::uint64_t address) {
        const auto [found, isNew] =
            m_registers.try_emplace(address, addressRegister + std::to_string(m_registers.size()));
        return found->second;
    }

    void loadRegisters() {
        if (m_registers.empty())
            return;
        std::vector<Instruction> loads;
        for (const auto& [address, name] : m_registers) {
            m_function.registers.push_back({name, Type::B64});
            Instruction& i = loads.emplace_back();
            i.opcode = Opcode::Mov;
            i.modifiers = {Modifier::U64};
            i.operands.resize(2);
            i.operands[0].name = name;
            i.operands[1].kind = Operand::Kind::Integer;
            i.operands[1].integer = std::int64_t(address);
            i.line = m_function.bodyLine;
            i.text = "mov.u64 " + name + ", " + std::to_string(address) + ";";
        }
        const auto count = std::uint32_t(loads.size());
        m_function.body.insert(m_function.body.begin(), loads.begin(), loads.end());
        for (Label& l : m_function.labels)
            l.instruction += count;
        for (std::uint32_t& at : m_function.pragmaAt)
            if (at != noPlace)
                at += count;
    }

    Function& m_function;
    const Addresses& m_addresses;
    std::set<std::string> m_hidden; // names that mean something else here
    std::map<std::uint64_t, std::string> m_registers;
};

void bindInitial(Variable& v, const Addresses& addresses) {
    std::erase_if(v.initialAddresses, [&](const Variable::SymbolAddress& a) {
        const auto found = addresses.find(a.symbol);
        if (found == addresses.end())
            return false;
        const std::uint64_t value = found->second + std::uint64_t(a.addend);
        if (v.initial.size() < a.offset + sizeof value)
            v.initial.resize(a.offset + sizeof value);
        std::memcpy(v.initial.data() + a.offset, &value, sizeof value);
        return true;
    });
}

} // namespace

Module extract(const Module& module, std::string_view entry) {
    if (!module.findFunction(entry))
        return module;
    std::map<std::string_view, const Function*> functions;
    std::map<std::string_view, const Variable*> variables;
    for (const Function& f : module.functions)
        functions[f.name] = &f;
    for (const Variable& v : module.variables)
        variables[v.name] = &v;
    std::set<std::string_view> needed{entry};
    for (std::vector<std::string_view> open{entry}; !open.empty();) {
        const std::string_view name = open.back();
        open.pop_back();
        const auto want = [&](const std::string& other) {
            if (const auto f = functions.find(other); f != functions.end() && needed.insert(f->first).second)
                open.push_back(f->first);
            else if (const auto v = variables.find(other); v != variables.end() && needed.insert(v->first).second)
                open.push_back(v->first);
        };
        if (const auto f = functions.find(name); f != functions.end())
            eachName(*f->second, want);
        else
            for (const auto& address : variables[name]->initialAddresses)
                want(address.symbol);
    }
    Module part = module;
    std::erase_if(part.functions, [&](const Function& f) { return needed.find(f.name) == needed.end(); });
    // What stands for dynamic shared memory stays: by the most aligned of a module ptxas fills up each kernel's static part.
    std::erase_if(part.variables, [&](const Variable& v) {
        return needed.count(v.name) == 0 && !(v.isExtern && v.space == StateSpace::Shared);
    });
    return part;
}

void bindVariables(Module& module, const Addresses& addresses) {
    for (Function& f : module.functions)
        Binder(f, addresses).bind();
    std::erase_if(module.variables,
                  [&](const Variable& v) { return v.space == StateSpace::Global && addresses.count(v.name) > 0; });
    for (Variable& v : module.variables)
        bindInitial(v, addresses);
}

} // namespace warpglass::ptx
