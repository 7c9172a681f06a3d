// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/device_buffer.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/driver.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace warpglass::cuda {

Result<DeviceBuffer> DeviceBuffer::allocate(std::size_t bytes) {
    DeviceBuffer memory;
    // A buffer of no bytes still has an address of its own.
    const cudaError_t code = cudaMalloc(&memory.m_data, std::max<std::size_t>(bytes, 16));
    if (code == cudaErrorMemoryAllocation)
        return Error{say::NotEnoughGpuMemory(bytes), "", 0, 0, say::SmallerSize};
    if (code != cudaSuccess)
        return errorOf(code, say::GpuMemoryNotTaken);
    memory.m_bytes = bytes;
    if (const cudaError_t zeroed = cudaMemset(memory.m_data, 0, bytes); bytes > 0 && zeroed != cudaSuccess)
        return errorOf(zeroed, say::GpuMemoryNotCleared);
    return memory;
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

DeviceBuffer::~DeviceBuffer() {
    if (m_data)
        cudaFree(m_data);
}

Result<void> DeviceBuffer::write(std::span<const std::byte> bytes) {
    if (bytes.empty())
        return {};
    const cudaError_t code = cudaMemcpy(m_data, bytes.data(), std::min(bytes.size(), m_bytes), cudaMemcpyHostToDevice);
    return code == cudaSuccess ? Result<void>() : Result<void>(errorOf(code, say::NotCopiedTo));
}

Result<void> DeviceBuffer::copyFrom(const DeviceBuffer& other) {
    if (m_bytes == 0)
        return {};
    const cudaError_t code = cudaMemcpy(m_data, other.m_data, m_bytes, cudaMemcpyDeviceToDevice);
    return code == cudaSuccess ? Result<void>() : Result<void>(errorOf(code, say::NotCopiedOn));
}

Result<void> DeviceBuffer::clear() {
    if (m_bytes == 0)
        return {};
    const cudaError_t code = cudaMemset(m_data, 0, m_bytes);
    return code == cudaSuccess ? Result<void>() : Result<void>(errorOf(code, say::GpuMemoryNotCleared));
}

Result<void> DeviceBuffer::read(std::span<std::byte> bytes) const {
    if (bytes.empty())
        return {};
    const cudaError_t code = cudaMemcpy(bytes.data(), m_data, std::min(bytes.size(), m_bytes), cudaMemcpyDeviceToHost);
    return code == cudaSuccess ? Result<void>() : Result<void>(errorOf(code, say::NotCopiedFrom));
}

} // namespace warpglass::cuda
