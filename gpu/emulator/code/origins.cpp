// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/origins.h"

#include <algorithm>
#include <string>

namespace warpglass::emulator {

namespace {

using ptx::Opcode;
using ptx::Operand;

// What a register's value was made of: nothing yet found, a number (or what nobody knows of), an object (its index), or
// several.
constexpr std::uint32_t unseen = ~0u, number = ~0u - 1, several = ~0u - 2;
constexpr bool isObject(std::uint32_t origin) {
    return origin < several;
}

// Of a register that has one of these.
std::uint32_t either(std::uint32_t a, std::uint32_t b) {
    return a == b || b == unseen ? a : a == unseen ? b : several;
}
// Of a sum: a variable's address and a distance from it.
std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    if (a == unseen || b == unseen) // as if it were a number: it may become one
        return isObject(a) || a == several ? a : isObject(b) || b == several ? b : unseen;
    return a == number ? b : b == number ? a : several;
}
std::uint32_t difference(std::uint32_t a, std::uint32_t b) {
    if (isObject(b))
        return a == b ? number : a == unseen ? unseen : several;
    return b == several ? several : sum(a, b);
}
// Of what is no address any more: nobody is to take it for one of another variable.
std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
    return isObject(a) || isObject(b) || a == several || b == several ? several : either(a, b);
}

class Reading {
public:
    using Named = std::unordered_map<std::string_view, std::uint32_t>;
    Reading(const Program& program, const FunctionCode& function, const Named& named,
            const std::vector<std::uint32_t>& locals)
        : m_program(program), m_named(named) {
        for (const std::uint32_t k : locals)
            m_locals[program.objects[k].source->name] = k;
        // Each register's readers: what they make of it is asked again when more of it is known.
        for (std::uint32_t at = function.first; at < function.end; ++at)
            if (const ptx::Instruction* const i = program.info[at].source; i && makes(at))
                for (std::size_t n = 1; n < i->operands.size(); ++n)
                    eachName(i->operands[n], [&](std::string_view name) { m_readers[name].push_back(at); });
        std::vector<std::uint32_t> open;
        for (std::uint32_t at = function.end; at-- > function.first;)
            if (makes(at))
                open.push_back(at);
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            const std::uint32_t made = madeBy(at);
            eachName(m_program.info[at].source->operand(0), [&](std::string_view name) {
                std::uint32_t& known = m_known.try_emplace(name, unseen).first->second;
                const std::uint32_t now = either(known, made);
                if (now == known)
                    return;
                known = now;
                if (const auto readers = m_readers.find(name); readers != m_readers.end())
                    open.insert(open.end(), readers->second.begin(), readers->second.end());
            });
        }
    }

    std::uint32_t of(const InstInfo& info) const {
        for (const Operand& o : info.source->operands)
            if (o.kind == Operand::Kind::Address) {
                const std::uint32_t origin = o.baseIsRegister ? known(o.name) : objectNamed(o.name);
                return isObject(origin) ? origin : noIndex;
            }
        return noIndex;
    }

private:
    template <class F>
    static void eachName(const Operand& o, F f) {
        if (o.kind == Operand::Kind::Register)
            f(std::string_view(o.name));
        for (const Operand& e : o.elements)
            eachName(e, f);
    }
    bool makes(std::uint32_t at) const {
        const InstInfo& info = m_program.info[at];
        return info.source && !info.source->operands.empty() && info.access != AccessKind::Store && !info.isBranch;
    }
    std::uint32_t objectNamed(const std::string& name) const {
        const auto own = m_locals.find(name);
        if (own != m_locals.end())
            return own->second;
        const auto at = m_named.find(name);
        return at == m_named.end() ? number : at->second;
    }
    std::uint32_t known(std::string_view name) const {
        const auto at = m_known.find(name);
        return at == m_known.end() ? unseen : at->second;
    }
    std::uint32_t of(const Operand& o) const {
        if (o.kind == Operand::Kind::Register)
            return known(o.name);
        return o.kind == Operand::Kind::Symbol ? objectNamed(o.name) : number;
    }
    std::uint32_t madeBy(std::uint32_t at) const {
        const InstInfo& info = m_program.info[at];
        const std::vector<Operand>& o = info.source->operands;
        if (info.isMemory || info.opClass == OpClass::Call || info.role != Role::Other) // what came from elsewhere
            return info.role == Role::LocalAddress && o.size() > 1 ? of(o[1]) : number;
        const bool plain = std::all_of(o.begin(), o.end(), [](const Operand& e) { return e.elements.empty(); });
        if (plain && o.size() == 2)
            switch (info.is.opcode) {
            case Opcode::Mov:
            case Opcode::Cvt:
            case Opcode::Cvta:
                return of(o[1]);
            default:
                break;
            }
        if (plain && o.size() >= 3)
            switch (info.is.opcode) {
            case Opcode::Add:
            case Opcode::Or:
            case Opcode::Xor:
            case Opcode::And:
                return sum(of(o[1]), of(o[2]));
            case Opcode::Sub:
                return difference(of(o[1]), of(o[2]));
            case Opcode::Selp:
            case Opcode::Min:
            case Opcode::Max:
                return either(of(o[1]), of(o[2]));
            case Opcode::Mad:
                return o.size() == 4 ? sum(mixed(of(o[1]), of(o[2])), of(o[3])) : several;
            default:
                break;
            }
        std::uint32_t all = number;
        for (std::size_t n = 1; n < o.size(); ++n) {
            all = mixed(all, o[n].kind == Operand::Kind::Symbol ? objectNamed(o[n].name) : number);
            eachName(o[n], [&](std::string_view name) {
                if (const std::uint32_t origin = known(name); origin != unseen)
                    all = mixed(all, origin);
            });
        }
        return all;
    }

    const Program& m_program;
    const Named& m_named;
    Named m_locals, m_known;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> m_readers;
};

} // namespace

Origins::Origins(const Program& program) : m_program(program), m_locals(program.functions.size()) {
    for (std::uint32_t k = 0; k < program.objects.size(); ++k)
        if (const DeclaredObject& o = program.objects[k]; o.function == noIndex)
            m_named[o.source->name] = k;
        else
            m_locals[o.function].push_back(k);
}

std::size_t Origins::count(ptx::StateSpace space) const {
    return std::size_t(std::count_if(m_named.begin(), m_named.end(), [&](const auto& named) {
        return m_program.objects[named.second].space == space;
    }));
}

std::vector<std::uint32_t> Origins::of(std::uint32_t function) const {
    const FunctionCode& code = m_program.functions[function];
    std::vector<std::uint32_t> all(code.end - code.first, noIndex);
    const Reading reading(m_program, code, m_named, m_locals[function]);
    for (std::uint32_t at = code.first; at < code.end; ++at)
        if (m_program.info[at].source && m_program.info[at].isMemory)
            all[at - code.first] = reading.of(m_program.info[at]);
    return all;
}

} // namespace warpglass::emulator
