// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpglass::cuda {

// Bytes on the device, freed when this goes.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    // Zeroed. Error: how much was asked for and that there is not so much.
    static Result<DeviceBuffer> allocate(std::size_t bytes);
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
    ~DeviceBuffer();

    Result<void> write(std::span<const std::byte> bytes); // from the first byte on
    Result<void> copyFrom(const DeviceBuffer& other);     // as many bytes as this holds
    Result<void> clear();                                 // zeros everywhere
    Result<void> read(std::span<std::byte> bytes) const;  // from the first byte on
    std::uint64_t address() const { return std::uint64_t(reinterpret_cast<std::uintptr_t>(m_data)); }
    std::size_t bytes() const { return m_bytes; }

private:
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace warpglass::cuda
