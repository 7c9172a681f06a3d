// SPDX-License-Identifier: GPL-3.0-or-later
// What memory held when a program made a launch: enough to make the launch again without the program.
//
// Kept are the kernel's parameters, the variables of its module, and whatever of global memory these lead to: every
// aligned word that could be an address counts as one, as a conservative garbage collector sees it. Memory that no word
// leads to is not kept.
#pragma once

#include "gpu/base/result.h"
#include "gpu/trace/pages.h"
#include "gpu/trace/tables.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpglass {

struct KeptMemory {
    std::vector<KeptArea> areas;     // parameters and constants, then pieces in ascending order of address
    LargeTable<std::uint64_t> words; // bytes of the areas, one after the other, each filled up to a whole word
    bool empty() const { return areas.empty(); }
};

struct MemoryPiece {
    std::uint64_t address = 0, bytes = 0;
};

// The memory that a launch begins with.
class ReachableMemory {
public:
    struct Variable {
        std::string name;
        MemoryPiece piece;                // of global memory
        std::span<const std::byte> bytes; // of constant memory
    };
    virtual ~ReachableMemory() = default;
    virtual std::span<const std::byte> parameters() const = 0;
    virtual std::vector<Variable> constants() = 0; // of the module
    virtual std::vector<Variable> variables() = 0; // of the module, in global memory
    // The piece that a word leads into, or whose end it is: there many a loop stops. Nothing: it is no address.
    virtual std::optional<MemoryPiece> pieceAt(std::uint64_t word) = 0;
    // A piece's contents, which stay there until the memory is kept.
    virtual Result<std::span<const std::byte>> contents(const MemoryPiece& piece) = 0;
    virtual bool isTexture(std::uint64_t word) const = 0;        // whether it is a texture or surface object
    virtual KeptRole roleOf(const MemoryPiece& piece) const = 0; // Memory or Heap
    virtual std::string nameOf(const MemoryPiece& piece) const = 0;
};

struct Keep {
    Keeping keeping = Keeping::Kept;
    KeptMemory memory; // empty unless it is kept
};

// most: bytes. Error: what the memory's contents() says.
Result<Keep> keepMemory(ReachableMemory& memory, std::uint64_t most);

} // namespace warpglass
