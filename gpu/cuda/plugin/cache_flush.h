// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda/plugin/device_buffer.h"
#include "gpu/cuda/plugin/linked_module.h"

#include <functional>

namespace warpglass::cuda {

// Its kernel, which is no launch of the user's and must not be timed as one.
inline constexpr const char* cacheFlushKernel = "wgp_read_all";

// Empties the L2 cache of everything else, as Nsight Compute does before each launch: reads memory of twice its size.
// Reading, not writing: lines that had to be written back would slow down the kernel that comes next (by 14 % where it
// is bound by memory, measured on an H200).
class CacheFlush {
public:
    // driver and alive must outlive this.
    static Result<CacheFlush> make(const Driver& driver, const std::function<void()>& alive);
    Result<void> flush() const;

private:
    CacheFlush(const Driver& driver, LinkedModule module, CUfunction function, DeviceBuffer memory,
               const std::function<void()>& alive)
        : m_driver(driver), m_module(std::move(module)), m_function(function), m_memory(std::move(memory)),
          m_alive(alive) {}
    const Driver& m_driver;
    LinkedModule m_module;
    CUfunction m_function;
    DeviceBuffer m_memory;
    const std::function<void()>& m_alive;
};

} // namespace warpglass::cuda
