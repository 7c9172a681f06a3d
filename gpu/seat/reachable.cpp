// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/reachable.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/ptx/instruction_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

namespace warpglass::seat {

Reachable::Reachable(const Seat& seat, const LoadedKernel& kernel, const std::vector<void*>& values,
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
    auto copy = m_copies.find(piece.address);
    if (copy == m_copies.end()) {
        std::vector<std::byte> bytes(piece.bytes);
        // One address space: memory of the host's that the GPU sees is copied in the same way.
        if (driver().cuMemcpyDtoH_v2(bytes.data(), piece.address, piece.bytes) != CUDA_SUCCESS)
            return Error{say::MemoryNotRead(fmt::format("0x{:x}", piece.address))};
        copy = m_copies.emplace(piece.address, std::move(bytes)).first;
    }
    return std::span<const std::byte>(copy->second);
}

std::string Reachable::nameOf(const MemoryPiece& piece) const {
    return fmt::format("memory at 0x{:x}", piece.address);
}

bool Reachable::namesUnknownMemory() {
    int pageable = 0;
    CUdevice device = 0;
    if (driver().cuCtxGetDevice(&device) == CUDA_SUCCESS)
        driver().cuDeviceGetAttribute(&pageable, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, device);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> mapped; // from, to
    std::ifstream maps(pageable ? "/proc/self/maps" : "/dev/null");
    for (std::string line; std::getline(maps, line);) {
        std::uint64_t from = 0, to = 0;
        char access[5] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, access) == 3 && access[1] == 'w')
            mapped.emplace_back(from, to);
    }
    for (std::size_t at = 0; at + 8 <= m_parameters.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, m_parameters.data() + at, 8);
        if (word < 4096 || pieceAt(word))
            continue;
        CUmemorytype type{};
        if (driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, word) == CUDA_SUCCESS)
            return true;
        if (std::any_of(mapped.begin(), mapped.end(),
                        [&](const auto& range) { return word >= range.first && word < range.second; }))
            return true;
    }
    return false;
}

bool usesTextures(const ptx::Module& module) {
    const auto asks = [](const ptx::Instruction& i) {
        const ptx::Family family = ptx::row(i.opcode).family;
        return family == ptx::Family::Texture || family == ptx::Family::Surface;
    };
    return std::any_of(module.functions.begin(), module.functions.end(),
                       [&](const ptx::Function& f) { return std::any_of(f.body.begin(), f.body.end(), asks); });
}

} // namespace warpglass::seat
