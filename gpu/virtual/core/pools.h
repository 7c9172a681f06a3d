// SPDX-License-Identifier: GPL-3.0-or-later
// Pools that memory in stream order comes from: how much of each is in use, and how much it holds on to. Memory itself is
// taken and given back at once; a pool keeps count as a device would, whose pool lets go at the next wait of what is above
// its threshold.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace warpglass::virtual_device {

struct MemoryPool {
    unsigned device = 0;
    bool standard = false;             // the device's own, which cannot be destroyed
    std::array<int, 3> reuse{1, 1, 1}; // ways to use memory again, as the program set them
    std::uint64_t threshold = 0;       // bytes that a wait leaves to it
    std::uint64_t limit = 0;           // bytes that it may have; 0: as many as there are
    std::uint64_t used = 0, reserved = 0, usedHigh = 0, reservedHigh = 0;
    std::uint32_t shownTo = 0; // bits of the devices that may use its memory besides its own

    void keepAtMost(std::uint64_t bytes); // of what is not in use
};

class MemoryPools {
public:
    explicit MemoryPools(unsigned devices);
    std::shared_ptr<MemoryPool> find(void* handle) const; // null if the handle is none
    void* make(unsigned device, std::uint64_t limit);
    bool destroy(void* handle); // what was taken from it stays until it is given back
    void* standard(unsigned device) const { return m_standard[device].get(); }
    void* current(unsigned device) const { return m_current[device].get(); }
    void setCurrent(unsigned device, std::shared_ptr<MemoryPool> pool) { m_current[device] = std::move(pool); }

    void took(const std::shared_ptr<MemoryPool>& pool, std::uint64_t address, std::uint64_t bytes);
    void gave(std::uint64_t address); // of any memory
    void wait(unsigned device);
    void reset(unsigned device); // it has its own alone, as at first
    template <class F>
    void eachOf(const MemoryPool& pool, F f) const { // addresses in use
        for (const auto& [address, piece] : m_pieces)
            if (piece.pool.get() == &pool)
                f(address);
    }

private:
    struct Piece {
        std::shared_ptr<MemoryPool> pool;
        std::uint64_t bytes = 0;
    };
    std::vector<std::shared_ptr<MemoryPool>> m_standard, m_current; // [device]
    std::map<void*, std::shared_ptr<MemoryPool>> m_pools;
    std::map<std::uint64_t, Piece> m_pieces; // [address]
};

} // namespace warpglass::virtual_device
