// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace warpglass::emulator {

// The sectors that one SM has had; grows as needed.
class SectorSet {
public:
    bool contains(std::uint64_t sector) const {
        for (std::uint64_t at = hash(sector);; ++at) {
            const std::uint64_t key = m_keys[at & m_mask];
            if (key == 0 || key == sector + 1)
                return key != 0;
        }
    }
    std::uint64_t size() const { return m_count; }
    void add(std::uint64_t sector) {
        if (2 * m_count > m_mask)
            grow();
        for (std::uint64_t at = hash(sector);; ++at) {
            std::uint64_t& key = m_keys[at & m_mask];
            if (key == sector + 1)
                return;
            if (key == 0) {
                key = sector + 1;
                ++m_count;
                return;
            }
        }
    }
    template <typename F>
    void each(F f) const {
        for (const std::uint64_t key : m_keys)
            if (key != 0)
                f(key - 1);
    }

private:
    std::uint64_t hash(std::uint64_t sector) const { return sector * 0x9e3779b97f4a7c15ull >> 20; }
    void grow() {
        std::vector<std::uint64_t> old(2 * m_keys.size(), 0);
        old.swap(m_keys);
        m_mask = m_keys.size() - 1;
        m_count = 0;
        for (const std::uint64_t key : old)
            if (key != 0)
                add(key - 1);
    }
    std::vector<std::uint64_t> m_keys = std::vector<std::uint64_t>(1024, 0);
    std::uint64_t m_mask = 1023, m_count = 0;
};

} // namespace warpglass::emulator
