// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/program_memory.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/linked_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpglass::seat {

namespace {

// What the probes, the profiler and the copy that empties the caches want for themselves.
constexpr std::uint64_t roomForOthers = std::uint64_t(3) << 30;

} // namespace

Result<ProgramMemory> ProgramMemory::make(const Seat& seat, const std::vector<Variable>& variables,
                                          std::vector<Variable> constants, std::vector<void*> values, bool keep) {
    ProgramMemory memory;
    memory.m_constants = std::move(constants);
    memory.m_values = std::move(values);
    memory.m_keeps = keep;
    if (!keep)
        return memory;
    CUcontext context = nullptr;
    driver().cuCtxGetCurrent(&context);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all; // address, bytes
    for (const Variable& v : variables)
        all.emplace_back(v.address, v.bytes);
    for (const auto& [address, held] : seat.memory)
        if ((held.kind == program::MemoryKind::Device || held.kind == program::MemoryKind::Managed) &&
            held.context == context && held.bytes > 0)
            all.emplace_back(address, held.bytes);
    std::uint64_t bytes = 0;
    for (const auto& one : all)
        bytes += one.second;
    std::size_t free = 0, total = 0;
    driver().cuMemGetInfo_v2(&free, &total);
    if (bytes + roomForOthers > free)
        return Error{say::NoRoomForCopy(bytes >> 20, free >> 20)};
    for (const auto& [address, size] : all) {
        auto copy = cuda::DeviceBuffer::allocate(size);
        if (!copy)
            return copy.error();
        if (driver().cuMemcpyDtoD_v2(copy->address(), address, size) != CUDA_SUCCESS)
            return Error{say::CopyNotMade};
        memory.m_kept.push_back({address, size, std::move(*copy)});
    }
    return memory;
}

Result<void> ProgramMemory::restore() {
    for (const Kept& k : m_kept)
        if (driver().cuMemcpyDtoD_v2(k.address, k.copy.address(), k.bytes) != CUDA_SUCCESS)
            return Error{say::NotPutBack};
    return driver().cuCtxSynchronize() == CUDA_SUCCESS ? Result<void>() : Error{say::NotPutBack};
}

Result<void> ProgramMemory::setVariables(const cuda::LinkedModule& module) const {
    for (const Variable& c : m_constants)
        if (const auto place = module.global(c.name)) // else the kernel does not use it
            if (driver().cuMemcpyDtoD_v2(place->first, c.address, std::min<std::uint64_t>(c.bytes, place->second)) !=
                CUDA_SUCCESS)
                return Error{say::VariableNotTaken(c.name)};
    return {};
}

} // namespace warpglass::seat
