// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that a program maps to addresses of its choice: ranges of addresses without memory, pieces of memory without an
// address, and which piece lies where in which range. A piece is a file in memory, so that two places that show it have
// the same bytes, and so that another process can open it. The host's side of a range is one range, too: what lies side
// by side for a kernel lies so for copies.
#pragma once

#include "gpu/virtual/core/memory.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace warpglass::virtual_device {

class Mappings {
public:
    static constexpr std::uint64_t granularity = 2 << 20;

    explicit Mappings(DeviceMemory& memory, unsigned devices) : m_memory(memory), m_devices(devices) {}
    ~Mappings();

    struct Piece {
        std::uint64_t bytes = 0;
        unsigned device = 0;
        int file = -1;
        unsigned handles = 1, places = 0; // it goes when nobody has a handle and nothing shows it
    };

    // 0: there is no room.
    std::uint64_t reserve(std::uint64_t bytes, std::uint64_t alignment, unsigned device);
    bool free(std::uint64_t address, std::uint64_t bytes); // false: it is no range, or memory lies in it

    Piece* create(std::uint64_t bytes, unsigned device); // nullptr: there is not so much
    Piece* open(int file, unsigned device);              // of another process, or one's own
    bool release(Piece* piece);                          // false: there is no handle of it
    bool isPiece(const Piece* piece) const { return m_pieces.count(piece) > 0; }

    // False: the range is not free, or not one range's, or the piece is smaller.
    bool map(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset, Piece* piece);
    bool unmap(std::uint64_t address, std::uint64_t bytes); // whole mappings, side by side
    // devices: a bit each. False: not all of it is mapped.
    bool setAccess(std::uint64_t address, std::uint64_t bytes, std::uint32_t devices, std::uint32_t with);
    std::optional<std::uint32_t> access(std::uint64_t address) const; // nullopt: nothing is mapped there
    Piece* pieceAt(std::uint64_t address);                            // with one handle more; nullptr

private:
    struct Mapping {
        std::uint64_t bytes = 0;
        Piece* piece = nullptr;
        std::uint32_t access = 0;
    };
    struct Range {
        std::uint64_t bytes = 0, asked = 0;
        unsigned device = 0;
        std::byte* data = nullptr;
        std::map<std::uint64_t, Mapping> mappings;     // [address]
        std::vector<std::vector<std::uint64_t>> shown; // [device] -> where areas of its memory begin
    };
    std::map<std::uint64_t, Range>::iterator rangeOf(std::uint64_t address, std::uint64_t bytes);
    // The mappings that fill a part of a range; empty if they do not.
    static std::vector<std::map<std::uint64_t, Mapping>::iterator> filling(Range& range, std::uint64_t address,
                                                                           std::uint64_t bytes);
    void show(std::uint64_t address, Range& range);
    Piece* keep(int file, std::uint64_t bytes, unsigned device);
    void drop(Piece* piece);
    DeviceMemory& m_memory;
    const unsigned m_devices;
    std::map<std::uint64_t, Range> m_ranges; // [address]
    std::map<const Piece*, std::unique_ptr<Piece>> m_pieces;
};

} // namespace warpglass::virtual_device
