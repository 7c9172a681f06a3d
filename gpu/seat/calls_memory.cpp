// SPDX-License-Identifier: GPL-3.0-or-later
// Allocations, copies and fills.
#include "gpu/base/messages/gpu.h"
#include "gpu/program/pace.h"
#include "gpu/seat/seat.h"

using namespace warpglass::seat;
using warpglass::program::Direction;
using warpglass::program::inStreamsOrder;
using warpglass::program::MemoryKind;
namespace say = warpglass::say;

namespace {

std::uint64_t number(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

template <class F, class Address>
CUresult allocate(F carryOut, const Address* address, std::uint64_t bytes, MemoryKind kind, std::uint64_t order = 0,
                  CUstream stream = nullptr, bool perThread = false) {
    Seat& s = seat();
    Operation o;
    o.from = order;
    o.kind = OperationKind::Allocate;
    o.memory = kind;
    o.bytes = bytes;
    o.called = s.recorder.now();
    const CUresult result = s.passed(carryOut);
    o.returned = s.recorder.now();
    o.error = std::uint32_t(result);
    const std::lock_guard guard(s.lock);
    if (result == CUDA_SUCCESS) {
        o.to = std::uint64_t(*address);
        Held held{bytes, kind};
        const Inside inside;
        driver().cuCtxGetCurrent(&held.context);
        s.memory[o.to] = held;
    }
    s.add(o, stream, perThread);
    return result;
}

template <class F>
CUresult release(F carryOut, std::uint64_t address, std::uint64_t order = 0, CUstream stream = nullptr,
                 bool perThread = false) {
    Operation o;
    o.from = order;
    o.kind = OperationKind::Free;
    o.to = address;
    {
        const std::lock_guard guard(seat().lock);
        seat().memory.erase(address);
    }
    return observed(o, stream, perThread, carryOut);
}

// From now on others may read and write memory of the program's while one of its launches runs.
template <class F>
CUresult share(F carryOut, const warpglass::MessageForm<0>& why) {
    const CUresult result = carryOut();
    const std::lock_guard guard(seat().lock);
    if (result == CUDA_SUCCESS && seat().shared.empty())
        seat().shared = why;
    return result;
}
constexpr auto peers = say::PeersUse;
constexpr auto processes = say::ProcessesUse;
constexpr auto graphics = say::GraphicsUse;

template <class F>
CUresult giveAccess(F carryOut, const CUmemAccessDesc* access, std::size_t count) {
    CUdevice own = 0;
    {
        const Inside inside;
        driver().cuCtxGetDevice(&own);
    }
    for (std::size_t k = 0; access && k < count; ++k)
        if (access[k].location.type == CU_MEM_LOCATION_TYPE_DEVICE && access[k].location.id != own)
            return share(carryOut, peers);
    return carryOut();
}

// Memory of another process: a launch comes to it as to the program's own.
template <class F>
CUresult opened(F carryOut, const CUdeviceptr* address) {
    const CUresult result = share(carryOut, processes);
    if (result != CUDA_SUCCESS)
        return result;
    const std::lock_guard guard(seat().lock);
    const Inside inside;
    CUdeviceptr base = 0;
    std::size_t bytes = 0;
    Held held;
    driver().cuCtxGetCurrent(&held.context);
    if (driver().cuMemGetAddressRange_v2(&base, &bytes, *address) == CUDA_SUCCESS) {
        held.bytes = base + bytes - *address;
        seat().memory[*address] = held;
    }
    return result;
}

// Whether a call returns once its copy is done.
enum class Returns : std::uint8_t { AtOnce, Done };

template <class F>
CUresult copy(F carryOut, std::uint64_t to, std::uint64_t from, std::uint64_t bytes, Direction direction,
              CUstream stream, bool perThread, Returns returns, std::uint64_t rowBytes = 0) {
    Operation o;
    o.kind = OperationKind::Copy;
    o.to = to;
    o.from = from;
    o.bytes = bytes;
    o.rowBytes = rowBytes < bytes ? rowBytes : 0;
    o.direction = direction;
    if (direction == Direction::None) {
        const std::lock_guard guard(seat().lock);
        o.direction = directionOf(seat().isDevice(from), seat().isDevice(to));
    }
    if (returns == Returns::Done && o.direction != Direction::DeviceToDevice)
        o.memory = warpglass::program::waitedFor;
    const Expected expected{Expected::Kind::Copy, bytes};
    return observed(o, stream, perThread, carryOut, bytes ? &expected : nullptr);
}

// A side of a copy of rows: where it begins, and where it lies.
struct Side {
    std::uint64_t address = 0;
    bool device = false;
};
template <class Copy>
Side fromOf(const Copy& c) {
    return c.srcMemoryType == CU_MEMORYTYPE_HOST ? Side{number(c.srcHost), false}
           : c.srcMemoryType == CU_MEMORYTYPE_ARRAY
               ? Side{number(c.srcArray), true}
               : Side{c.srcDevice, c.srcMemoryType == CU_MEMORYTYPE_DEVICE || seat().isDevice(c.srcDevice)};
}
template <class Copy>
Side toOf(const Copy& c) {
    return c.dstMemoryType == CU_MEMORYTYPE_HOST ? Side{number(c.dstHost), false}
           : c.dstMemoryType == CU_MEMORYTYPE_ARRAY
               ? Side{number(c.dstArray), true}
               : Side{c.dstDevice, c.dstMemoryType == CU_MEMORYTYPE_DEVICE || seat().isDevice(c.dstDevice)};
}
template <class F>
CUresult copyRows(F carryOut, const CUDA_MEMCPY2D* c, CUstream stream, bool perThread, Returns returns) {
    if (!c)
        return carryOut();
    const Side from = fromOf(*c), to = toOf(*c);
    return copy(carryOut, to.address, from.address, c->WidthInBytes * c->Height, directionOf(from.device, to.device),
                stream, perThread, returns, c->WidthInBytes);
}
template <class F>
CUresult copySlices(F carryOut, const CUDA_MEMCPY3D* c, CUstream stream, bool perThread, Returns returns) {
    if (!c)
        return carryOut();
    const Side from = fromOf(*c), to = toOf(*c);
    return copy(carryOut, to.address, from.address, c->WidthInBytes * c->Height * c->Depth,
                directionOf(from.device, to.device), stream, perThread, returns, c->WidthInBytes);
}

template <class F>
CUresult fill(F carryOut, std::uint64_t to, std::uint64_t bytes, CUstream stream, bool perThread,
              std::uint64_t rowBytes = 0) {
    Operation o;
    o.kind = OperationKind::Fill;
    o.to = to;
    o.bytes = bytes;
    o.rowBytes = rowBytes < bytes ? rowBytes : 0;
    const Expected expected{Expected::Kind::Fill, bytes};
    return observed(o, stream, perThread, carryOut, bytes ? &expected : nullptr);
}

} // namespace

WG_SEAT_CALL(cuMemAlloc_v2, (CUdeviceptr * p, std::size_t n), (p, n),
             return allocate(carryOut, p, n, MemoryKind::Device);)
WG_SEAT_CALL(
    cuMemAllocPitch_v2, (CUdeviceptr * p, std::size_t* pitch, std::size_t width, std::size_t height, unsigned e),
    (p, pitch, width, height, e), std::uint64_t bytes = 0;
    const auto withPitch =
        [&] {
            const CUresult result = carryOut();
            bytes = result == CUDA_SUCCESS ? *pitch * height : 0;
            return result;
        };
    const CUresult result = allocate(withPitch, p, width* height, MemoryKind::Device); if (result == CUDA_SUCCESS) {
        const std::lock_guard guard(seat().lock);
        seat().memory[*p].bytes = bytes;
    } return result;)
WG_SEAT_CALL(cuMemAllocManaged, (CUdeviceptr * p, std::size_t n, unsigned flags), (p, n, flags),
             return allocate(carryOut, p, n, MemoryKind::Managed);)
WG_SEAT_CALL(cuMemFree_v2, (CUdeviceptr p), (p), return release(carryOut, p);)
WG_SEAT_CALL(cuMemAllocHost_v2, (void** p, std::size_t n), (p, n),
             return allocate(carryOut, reinterpret_cast<std::uint64_t*>(p), n, MemoryKind::Host);)
WG_SEAT_CALL(cuMemHostAlloc, (void** p, std::size_t n, unsigned flags), (p, n, flags),
             return allocate(carryOut, reinterpret_cast<std::uint64_t*>(p), n, MemoryKind::Host);)
WG_SEAT_CALL(cuMemFreeHost, (void* p), (p), return release(carryOut, number(p));)
WG_SEAT_CALL(cuMemHostRegister_v2, (void* p, std::size_t n, unsigned flags), (p, n, flags),
             const std::uint64_t at = number(p);
             return allocate(carryOut, &at, n, MemoryKind::Registered);)
WG_SEAT_CALL(cuMemHostUnregister, (void* p), (p), return release(carryOut, number(p));)
WG_SEAT_CALL_PTSZ(cuMemAllocAsync, (CUdeviceptr * p, std::size_t n, CUstream stream), (p, n, stream),
                  if (seat().isCaptured(stream, perThread)) return carryOut();
                  return allocate(carryOut, p, n, MemoryKind::Device, inStreamsOrder, stream, perThread);)
WG_SEAT_CALL_PTSZ(cuMemAllocFromPoolAsync, (CUdeviceptr * p, std::size_t n, CUmemoryPool pool, CUstream stream),
                  (p, n, pool, stream), if (seat().isCaptured(stream, perThread)) return carryOut();
                  return allocate(carryOut, p, n, MemoryKind::Device, inStreamsOrder, stream, perThread);)
WG_SEAT_CALL_PTSZ(cuMemFreeAsync, (CUdeviceptr p, CUstream stream), (p, stream),
                  return release(carryOut, p, inStreamsOrder, stream, perThread);)
WG_SEAT_CALL(cuMemMap,
             (CUdeviceptr p, std::size_t n, std::size_t offset, CUmemGenericAllocationHandle handle,
              unsigned long long flags),
             (p, n, offset, handle, flags), return allocate(carryOut, &p, n, MemoryKind::Device);)
WG_SEAT_CALL(cuMemUnmap, (CUdeviceptr p, std::size_t n), (p, n), return release(carryOut, p);)

WG_SEAT_CALL(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags), (peer, flags), return share(carryOut, peers);)
WG_SEAT_CALL(cuMemSetAccess, (CUdeviceptr p, std::size_t n, const CUmemAccessDesc* access, std::size_t count),
             (p, n, access, count), return giveAccess(carryOut, access, count);)
WG_SEAT_CALL(cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc* access, std::size_t count),
             (pool, access, count), return giveAccess(carryOut, access, count);)
WG_SEAT_CALL(cuIpcGetMemHandle, (CUipcMemHandle * handle, CUdeviceptr p), (handle, p),
             return share(carryOut, processes);)
WG_SEAT_CALL(cuIpcOpenMemHandle_v2, (CUdeviceptr * p, CUipcMemHandle handle, unsigned flags), (p, handle, flags),
             return opened(carryOut, p);)
WG_SEAT_ONE(cuIpcOpenMemHandle_v2, cuIpcOpenMemHandle, false, (CUdeviceptr * p, CUipcMemHandle handle, unsigned flags),
            (p, handle, flags), return opened(carryOut, p);) // as the runtime asks for it
WG_SEAT_CALL(cuIpcCloseMemHandle, (CUdeviceptr p), (p), {
    const std::lock_guard guard(seat().lock);
    seat().memory.erase(p);
} return carryOut();)
WG_SEAT_CALL(cuMemExportToShareableHandle,
             (void* handle, CUmemGenericAllocationHandle memory, CUmemAllocationHandleType type,
              unsigned long long flags),
             (handle, memory, type, flags), return share(carryOut, processes);)
WG_SEAT_CALL(cuMemImportFromShareableHandle,
             (CUmemGenericAllocationHandle * memory, void* handle, CUmemAllocationHandleType type),
             (memory, handle, type), return share(carryOut, processes);)
WG_SEAT_CALL(cuMemPoolExportPointer, (CUmemPoolPtrExportData * data, CUdeviceptr p), (data, p),
             return share(carryOut, processes);)
WG_SEAT_CALL(cuMemPoolImportPointer, (CUdeviceptr * p, CUmemoryPool pool, CUmemPoolPtrExportData* data),
             (p, pool, data), return opened(carryOut, p);)
WG_SEAT_CALL(cuImportExternalMemory, (CUexternalMemory * memory, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* from),
             (memory, from), return share(carryOut, graphics);)
WG_SEAT_CALL_PTSZ(cuGraphicsMapResources, (unsigned count, CUgraphicsResource* resources, CUstream stream),
                  (count, resources, stream), return share(carryOut, graphics);)

WG_SEAT_CALL_PTDS(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, std::size_t n), (to, from, n),
                  return copy(carryOut, to, from, n, Direction::None, nullptr, perThread, Returns::Done);)
WG_SEAT_CALL_PTDS(cuMemcpyHtoD_v2, (CUdeviceptr to, const void* from, std::size_t n), (to, from, n),
                  return copy(carryOut, to, number(from), n, Direction::HostToDevice, nullptr, perThread,
                              Returns::Done);)
WG_SEAT_CALL_PTDS(cuMemcpyDtoH_v2, (void* to, CUdeviceptr from, std::size_t n), (to, from, n),
                  return copy(carryOut, number(to), from, n, Direction::DeviceToHost, nullptr, perThread,
                              Returns::Done);)
WG_SEAT_CALL_PTDS(cuMemcpyDtoD_v2, (CUdeviceptr to, CUdeviceptr from, std::size_t n), (to, from, n),
                  return copy(carryOut, to, from, n, Direction::DeviceToDevice, nullptr, perThread, Returns::Done);)
WG_SEAT_CALL_PTDS(cuMemcpyPeer, (CUdeviceptr to, CUcontext a, CUdeviceptr from, CUcontext b, std::size_t n),
                  (to, a, from, b, n),
                  return copy(carryOut, to, from, n, Direction::DeviceToDevice, nullptr, perThread, Returns::Done);)
WG_SEAT_CALL_PTDS(cuMemcpy2D_v2, (const CUDA_MEMCPY2D* c), (c),
                  return copyRows(carryOut, c, nullptr, perThread, Returns::Done);)
WG_SEAT_CALL_PTDS(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D* c), (c),
                  return copyRows(carryOut, c, nullptr, perThread, Returns::Done);)
WG_SEAT_CALL_PTDS(cuMemcpy3D_v2, (const CUDA_MEMCPY3D* c), (c),
                  return copySlices(carryOut, c, nullptr, perThread, Returns::Done);)
WG_SEAT_CALL_PTSZ(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, std::size_t n, CUstream stream),
                  (to, from, n, stream),
                  return copy(carryOut, to, from, n, Direction::None, stream, perThread, Returns::AtOnce);)
WG_SEAT_CALL_PTSZ(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, std::size_t n, CUstream stream),
                  (to, from, n, stream),
                  return copy(carryOut, to, number(from), n, Direction::HostToDevice, stream, perThread,
                              Returns::AtOnce);)
WG_SEAT_CALL_PTSZ(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, std::size_t n, CUstream stream),
                  (to, from, n, stream),
                  return copy(carryOut, number(to), from, n, Direction::DeviceToHost, stream, perThread,
                              Returns::AtOnce);)
WG_SEAT_CALL_PTSZ(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, std::size_t n, CUstream stream),
                  (to, from, n, stream),
                  return copy(carryOut, to, from, n, Direction::DeviceToDevice, stream, perThread, Returns::AtOnce);)
WG_SEAT_CALL_PTSZ(cuMemcpyPeerAsync,
                  (CUdeviceptr to, CUcontext a, CUdeviceptr from, CUcontext b, std::size_t n, CUstream stream),
                  (to, a, from, b, n, stream),
                  return copy(carryOut, to, from, n, Direction::DeviceToDevice, stream, perThread, Returns::AtOnce);)
WG_SEAT_CALL_PTSZ(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D* c, CUstream stream), (c, stream),
                  return copyRows(carryOut, c, stream, perThread, Returns::AtOnce);)
WG_SEAT_CALL_PTSZ(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D* c, CUstream stream), (c, stream),
                  return copySlices(carryOut, c, stream, perThread, Returns::AtOnce);)

#define WG_SEAT_FILL(width, type)                                                                                      \
    WG_SEAT_CALL_PTDS(cuMemsetD##width##_v2, (CUdeviceptr to, type value, std::size_t n), (to, value, n),              \
                      return fill(carryOut, to, n * sizeof(type), nullptr, perThread);)                                \
    WG_SEAT_CALL_PTSZ(cuMemsetD##width##Async, (CUdeviceptr to, type value, std::size_t n, CUstream stream),           \
                      (to, value, n, stream), return fill(carryOut, to, n * sizeof(type), stream, perThread);)         \
    WG_SEAT_CALL_PTDS(                                                                                                 \
        cuMemsetD2D##width##_v2,                                                                                       \
        (CUdeviceptr to, std::size_t pitch, type value, std::size_t columns, std::size_t rows),                        \
        (to, pitch, value, columns, rows),                                                                             \
        return fill(carryOut, to, columns * rows * sizeof(type), nullptr, perThread, columns * sizeof(type));)         \
    WG_SEAT_CALL_PTSZ(                                                                                                 \
        cuMemsetD2D##width##Async,                                                                                     \
        (CUdeviceptr to, std::size_t pitch, type value, std::size_t columns, std::size_t rows, CUstream stream),       \
        (to, pitch, value, columns, rows, stream),                                                                     \
        return fill(carryOut, to, columns * rows * sizeof(type), stream, perThread, columns * sizeof(type));)
WG_SEAT_FILL(8, unsigned char)
WG_SEAT_FILL(16, unsigned short)
WG_SEAT_FILL(32, unsigned)
