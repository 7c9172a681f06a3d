// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/pools.h"

#include <algorithm>

namespace warpglass::virtual_device {

// A pool takes memory from the device by so much at once, and gives it back so (asked of an H100).
constexpr std::uint64_t step = 32 << 20;
constexpr std::uint64_t stepsFor(std::uint64_t bytes) {
    return (bytes + step - 1) / step * step;
}

void MemoryPool::keepAtMost(std::uint64_t bytes) {
    reserved = std::max(stepsFor(used), std::min(reserved, bytes / step * step));
}

MemoryPools::MemoryPools(unsigned devices) {
    for (unsigned n = 0; n < devices; ++n) {
        auto pool = std::make_shared<MemoryPool>();
        pool->device = n;
        pool->standard = true;
        m_pools[pool.get()] = pool;
        m_standard.push_back(pool);
    }
    m_current = m_standard;
}

std::shared_ptr<MemoryPool> MemoryPools::find(void* handle) const {
    const auto found = m_pools.find(handle);
    return found == m_pools.end() ? nullptr : found->second;
}

void* MemoryPools::make(unsigned device, std::uint64_t limit) {
    auto pool = std::make_shared<MemoryPool>();
    pool->device = device;
    pool->limit = limit;
    void* handle = pool.get();
    m_pools[handle] = std::move(pool);
    return handle;
}

bool MemoryPools::destroy(void* handle) {
    const std::shared_ptr<MemoryPool> pool = find(handle);
    if (!pool || pool->standard)
        return false;
    for (unsigned n = 0; n < m_current.size(); ++n)
        if (m_current[n] == pool)
            m_current[n] = m_standard[n];
    m_pools.erase(handle);
    return true;
}

void MemoryPools::took(const std::shared_ptr<MemoryPool>& pool, std::uint64_t address, std::uint64_t bytes) {
    m_pieces[address] = {pool, bytes};
    pool->used += bytes;
    pool->reserved = std::max(pool->reserved, stepsFor(pool->used));
    pool->usedHigh = std::max(pool->usedHigh, pool->used);
    pool->reservedHigh = std::max(pool->reservedHigh, pool->reserved);
}

void MemoryPools::gave(std::uint64_t address) {
    const auto found = m_pieces.find(address);
    if (found == m_pieces.end())
        return;
    found->second.pool->used -= found->second.bytes;
    m_pieces.erase(found);
}

void MemoryPools::reset(unsigned device) {
    std::erase_if(m_pools, [&](const auto& pool) { return pool.second->device == device && !pool.second->standard; });
    MemoryPool& own = *m_standard[device];
    own = {.device = device, .standard = true, .used = own.used, .reserved = stepsFor(own.used)};
    m_current[device] = m_standard[device];
}

void MemoryPools::wait(unsigned device) {
    for (const auto& [handle, pool] : m_pools)
        if (pool->device == device)
            pool->keepAtMost(pool->threshold);
}

} // namespace warpglass::virtual_device
