// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/named_places.h"

#include "gpu/ptx/parse.h"

#include <algorithm>
#include <optional>

namespace warpglass::probe {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

NamedPlaces::NamedPlaces(const Kernel& kernel, std::span<const std::string> parameters) {
    const Result<ptx::Module> module = ptx::parse(kernel.ptx, kernel.name);
    const ptx::Function* const entry = module ? module->findFunction(kernel.entry) : nullptr;
    if (!entry)
        return;
    const auto keep = [&](const std::vector<ptx::Variable>& variables) {
        for (const ptx::Variable& v : variables)
            if (v.space == ptx::StateSpace::Shared)
                m_bytes[v.name] = v.sizeBytes();
    };
    keep(module->variables);
    keep(entry->locals);
    for (std::size_t n = 0; n < std::min(entry->params.size(), parameters.size()); ++n)
        m_parameters[entry->params[n].name] = parameters[n];

    std::map<std::string, int> written; // [register] so many times
    for (const Instruction& i : entry->body)
        if (!i.operands.empty() && i.operands[0].kind == Operand::Kind::Register)
            ++written[i.operands[0].name];
    std::map<std::string, Place> held; // [register]
    const auto of = [&](const Operand& o) -> std::optional<Place> {
        if (o.kind == Operand::Kind::Symbol ||
            (o.kind == Operand::Kind::Address && !o.baseIsRegister && !o.name.empty()))
            return Place{o.name, o.integer};
        const auto known = held.find(o.name);
        if (known == held.end() || (o.kind != Operand::Kind::Register && o.kind != Operand::Kind::Address))
            return std::nullopt;
        Place place = known->second;
        place.offset += o.kind == Operand::Kind::Address ? o.integer : 0;
        return place;
    };
    for (const Instruction& i : entry->body) {
        const auto line = std::uint32_t(i.line);
        const bool reads = i.opcode == Opcode::Ld || i.opcode == Opcode::Atom;
        if (i.opcode == Opcode::Mbarrier && i.has(ptx::Modifier::Init) && !i.operands.empty()) {
            if (const auto place = of(i.operands[0]); place && place->isKnown)
                m_makes[line] = *place;
        } else if (reads && !i.has(ptx::Modifier::Param) && i.operands.size() > 1) {
            if (const auto place = of(i.operands[1]))
                m_reads[line] = *place;
        }
        if (i.operands.size() < 2 || i.operands[0].kind != Operand::Kind::Register || written[i.operands[0].name] != 1)
            continue;
        std::optional<Place> place;
        switch (i.opcode) {
        case Opcode::Mov:
        case Opcode::Cvta:
        case Opcode::Cvt:
            place = of(i.operands[1]);
            break;
        case Opcode::Ld:
            if (i.has(ptx::Modifier::Param))
                place = of(i.operands[1]);
            break;
        case Opcode::Add:
        case Opcode::Mad: { // of one address and something else
            const std::size_t last = i.operands.size() - 1;
            const std::size_t first = i.opcode == Opcode::Mad ? last : 1;
            for (std::size_t n = first; n <= last; ++n)
                if (const auto one = of(i.operands[n])) {
                    if (place) {
                        place.reset();
                        break;
                    }
                    place = one;
                }
            const Operand& other = i.operands[last];
            if (place && i.opcode == Opcode::Add && other.kind == Operand::Kind::Integer)
                place->offset += other.integer;
            else if (place)
                place->isKnown = false;
            break;
        }
        default:
            break;
        }
        if (place)
            held[i.operands[0].name] = *place;
    }
}

void NamedPlaces::made(std::uint32_t ptxLine, std::uint32_t address) {
    m_mbarriers.insert(address);
    const auto make = m_makes.find(ptxLine);
    if (make != m_makes.end() && m_bytes.contains(make->second.symbol))
        m_bases[make->second.symbol].insert(std::int64_t(address) - make->second.offset);
}

void NamedPlaces::lay(const std::string& source, const std::string& headers, std::uint64_t sharedBytes) {
    for (const auto& [symbol, bases] : m_bases)
        if (bases.size() == 1 && *bases.begin() >= 0) // else a register held more than one address
            m_objects.push_back({cuda_text::nameOfVariable(symbol), std::uint64_t(*bases.begin()), m_bytes.at(symbol)});
    m_members = cuda_text::SharedMembers(source, headers, m_objects, sharedBytes);
}

std::optional<std::string> NamedPlaces::mbarrierAt(std::uint32_t address) const {
    constexpr std::uint64_t bytes = 8;
    if (auto member = m_members.at(address, bytes))
        return member;
    for (const cuda_text::SharedObject& o : m_objects) {
        if (address < o.begin || address - o.begin >= o.bytes || o.bytes % bytes != 0 ||
            (address - o.begin) % bytes != 0 || !m_mbarriers.contains(std::uint32_t(o.begin)))
            continue;
        return o.bytes == bytes ? o.name : o.name + "[" + std::to_string((address - o.begin) / bytes) + "]";
    }
    return std::nullopt;
}

std::optional<std::string> NamedPlaces::readAt(std::uint32_t ptxLine) const {
    const auto read = m_reads.find(ptxLine);
    if (read == m_reads.end())
        return std::nullopt;
    const auto parameter = m_parameters.find(read->second.symbol);
    if (parameter != m_parameters.end())
        return parameter->second;
    return read->second.symbol.find("_param_") == std::string::npos
               ? std::optional(cuda_text::nameOfVariable(read->second.symbol))
               : std::nullopt;
}

} // namespace warpglass::probe
