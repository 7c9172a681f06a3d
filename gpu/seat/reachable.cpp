// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/reachable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpglass::seat {

Reachable::Reachable(const Seat& seat, const Kernel& kernel, const std::vector<void*>& values,
                     const std::vector<ProgramMemory::Variable>& variables,
                     const std::vector<ProgramMemory::Variable>& constants)
    : m_variables(variables), m_constants(constants), m_parameters(kernel.parameterBytes()) {
    for (const auto& [address, held] : seat.memory)
        m_pieces[address] = held.bytes;
    for (const auto& v : variables)
        m_pieces[v.address] = v.bytes;
    for (std::size_t n = 0; n < values.size(); ++n)
        std::memcpy(m_parameters.data() + kernel.parameters[n].offset, values[n], kernel.parameters[n].bytes);
}

std::vector<ReachableMemory::Variable> Reachable::constants() {
    std::vector<Variable> all;
    for (const auto& c : m_constants)
        if (const auto bytes =
                contents({c.address, c.bytes})) // of one that the driver does not read, the first value holds
            all.push_back({c.name, {}, *bytes});
    return all;
}

std::vector<ReachableMemory::Variable> Reachable::variables() {
    std::vector<Variable> all;
    for (const auto& v : m_variables)
        all.push_back({v.name, {v.address, v.bytes}, {}});
    return all;
}

std::optional<MemoryPiece> Reachable::pieceAt(std::uint64_t word) {
    auto piece = m_pieces.upper_bound(word);
    if (piece == m_pieces.begin())
        return std::nullopt;
    --piece;
    if (word - piece->first > piece->second)
        return std::nullopt;
    return MemoryPiece{piece->first, piece->second};
}

Result<std::span<const std::byte>> Reachable::contents(const MemoryPiece& piece) {
    const auto [copy, isNew] = m_copies.try_emplace(piece.address);
    if (isNew) {
        copy->second.resize(piece.bytes);
        // One address space: memory of the host's that the GPU sees is copied in the same way.
        if (driver().cuMemcpyDtoH_v2(copy->second.data(), piece.address, piece.bytes) != CUDA_SUCCESS)
            return Error{fmt::format("the memory at 0x{:x} cannot be read", piece.address)};
    }
    return std::span<const std::byte>(copy->second);
}

std::string Reachable::nameOf(const MemoryPiece& piece) const {
    return fmt::format("memory at 0x{:x}", piece.address);
}

bool usesTextures(const ptx::Module& module) {
    using ptx::Opcode;
    for (const ptx::Function& f : module.functions)
        for (const ptx::Instruction& i : f.body)
            switch (i.opcode) {
            case Opcode::Tex:
            case Opcode::Tld4:
            case Opcode::Txq:
            case Opcode::Suld:
            case Opcode::Sust:
            case Opcode::Sured:
            case Opcode::Suq:
                return true;
            default:
                break;
            }
    return false;
}

} // namespace warpglass::seat
