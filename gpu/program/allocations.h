// SPDX-License-Identifier: GPL-3.0-or-later
// Which allocation an address lay in at a time. A program that allocates in a loop has as many allocations as launches,
// mostly at the same few addresses; a listing of its launches asks for each of their pointers.
//
// Allocations stand by process and address, then by birth, under a binary tree whose nodes tell how far their allocations reach and
// when they lived: whole branches are passed over that end before the address, or lived at another time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpglass::program {

struct Allocation;

// An address means something to its process alone.
struct PlaceInMemory {
    std::uint32_t process = 0;
    std::uint64_t address = 0;
    bool operator==(const PlaceInMemory&) const = default;
    bool operator<(const PlaceInMemory& other) const {
        return process != other.process ? process < other.process : address < other.address;
    }
};

class AllocationIndex {
public:
    AllocationIndex() = default;
    explicit AllocationIndex(std::span<const Allocation> allocations);
    // The row of the first-born allocation that held the address when the operation ran; noIndex if none did.
    // allocations: those that the index was made of.
    std::uint32_t find(std::span<const Allocation> allocations, PlaceInMemory place, std::uint32_t operation) const;
    std::size_t size() const { return m_rows.size(); }

private:
    struct Node {
        PlaceInMemory end;                   // the highest place behind one of them
        std::uint32_t born = ~0u, freed = 0; // the first birth, the last end
    };
    std::vector<std::uint32_t> m_rows; // by place, then birth
    std::vector<Node> m_nodes;         // a heap: children of n at 2n and 2n + 1; leaves in the last m_leaves
    std::size_t m_leaves = 0;
};

} // namespace warpglass::program
