// SPDX-License-Identifier: GPL-3.0-or-later
// The program's memory as a launch can come to it, for who makes the launch again without the GPU.
#pragma once

#include "gpu/seat/program_memory.h"
#include "gpu/seat/seat.h"
#include "gpu/trace/kept_memory.h"

namespace warpglass::seat {

class Reachable : public ReachableMemory {
public:
    // values: of the kernel's parameters, in their order. Nothing else of the program may run meanwhile.
    Reachable(const Seat& seat, const LoadedKernel& kernel, const std::vector<void*>& values,
              const std::vector<ProgramMemory::Variable>& variables,
              const std::vector<ProgramMemory::Variable>& constants);

    std::span<const std::byte> parameters() const override { return m_parameters; }
    std::vector<Variable> constants() override;
    std::vector<Variable> variables() override;
    std::optional<MemoryPiece> pieceAt(std::uint64_t word) override;
    Result<std::span<const std::byte>> contents(const MemoryPiece& piece) override;
    bool isTexture(std::uint64_t) const override { return false; } // the driver's handles look like any number
    KeptRole roleOf(const MemoryPiece&) const override { return KeptRole::Memory; }
    std::string nameOf(const MemoryPiece& piece) const override;
    // A parameter's word is a place that a GPU sees, though the program was not seen to ask for it: of the driver in another
    // way, or of the host's own memory where the GPU sees all of that.
    bool namesUnknownMemory();

private:
    const std::vector<ProgramMemory::Variable>&m_variables, &m_constants;
    std::map<std::uint64_t, std::uint64_t> m_pieces; // [address] bytes
    std::vector<std::byte> m_parameters;
    std::map<std::uint64_t, std::vector<std::byte>> m_copies; // [address of a piece]
};

// Whether its code asks for textures or surfaces.
bool usesTextures(const ptx::Module& module);

} // namespace warpglass::seat
