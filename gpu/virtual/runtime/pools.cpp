// SPDX-License-Identifier: GPL-3.0-or-later
// Memory in the order of a stream, and the pools that it comes from. The driver's calls have the same arguments.
#include "gpu/virtual/runtime/call.h"

#include <cstring>

using namespace warpglass::virtual_device;

namespace {

struct Location { // cudaMemLocation
    int type;     // 1: a device
    int number;
};
struct AccessWords { // cudaMemAccessDesc
    Location location;
    int flags; // 0 none, 1 reading, 3 both
};
constexpr int onDevice = 1, readAndWrite = 3;

// In a capture, memory becomes the graph's: there each time it runs.
Status takeOnStream(Device& d, void** pointer, std::size_t bytes, void* handle, void* stream) {
    const Stream* s = d.streams.find(stream);
    const std::shared_ptr<MemoryPool> pool = d.pools.find(handle);
    if (!s || !pool || !pointer)
        return s ? invalidValue : invalidHandle;
    std::uint64_t address = 0;
    if (s->capture && bytes) {
        const GraphAllocation made = d.reserve(*s->capture->graph, bytes);
        if ((address = made.address) != 0)
            d.submit(stream, made);
    } else if (bytes) {
        address = d.allocateFrom(pool, bytes, d.rowOf(*s));
    }
    *pointer = reinterpret_cast<void*>(address);
    return address || !bytes ? success : memoryAllocation;
}

// value of an attribute: three ways to use memory again as int, then 64 bits each.
std::uint64_t* amountOf(MemoryPool& pool, int attribute) {
    std::uint64_t* const amounts[] = {&pool.threshold, &pool.reserved, &pool.reservedHigh, &pool.used, &pool.usedHigh};
    return attribute >= 4 && attribute <= 8 ? amounts[attribute - 4] : nullptr;
}

template <class F>
int onPool(void* handle, F f) {
    return call([&](Device& d) {
        const std::shared_ptr<MemoryPool> pool = d.pools.find(handle);
        return pool ? Status(f(d, *pool)) : invalidValue;
    });
}

} // namespace

WG_API int cudaMallocAsync(void** pointer, std::size_t bytes, void* stream) {
    return call([&](Device& d) {
        const Stream* s = d.streams.find(stream);
        return s ? takeOnStream(d, pointer, bytes, d.pools.current(s->device), stream) : invalidHandle;
    });
}
WG_ALIAS(cudaMallocAsync_ptsz, cudaMallocAsync);
WG_API int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* pool, void* stream) {
    return call([&](Device& d) { return takeOnStream(d, pointer, bytes, pool, stream); });
}
WG_ALIAS(cudaMallocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
WG_ALIAS(cuMemAllocFromPoolAsync, cudaMallocFromPoolAsync);
WG_ALIAS(cuMemAllocFromPoolAsync_ptsz, cudaMallocFromPoolAsync);
WG_API int cuMemAllocAsync(void** pointer, std::size_t bytes, void* stream) {
    return bytes ? cudaMallocAsync(pointer, bytes, stream) : invalidValue;
}
WG_ALIAS(cuMemAllocAsync_ptsz, cuMemAllocAsync);
WG_API int cudaFreeAsync(void* pointer, void* stream) {
    return call([&](Device& d) {
        const Stream* s = d.streams.find(stream);
        if (!s || !pointer)
            return s ? success : invalidHandle;
        const auto address = reinterpret_cast<std::uint64_t>(pointer);
        return s->capture ? d.submit(stream, GraphFree{address}) : d.releaseLater(address, *s);
    });
}
WG_ALIAS(cudaFreeAsync_ptsz, cudaFreeAsync);
WG_ALIAS(cuMemFreeAsync, cudaFreeAsync);
WG_ALIAS(cuMemFreeAsync_ptsz, cudaFreeAsync);

WG_API int cudaDeviceGetDefaultMemPool(void** pool, int ordinal) {
    return call([&](Device& d) {
        if (!pool || !deviceExists(ordinal))
            return pool ? invalidDevice : invalidValue;
        *pool = d.pools.standard(unsigned(ordinal));
        return success;
    });
}
WG_ALIAS(cuDeviceGetDefaultMemPool, cudaDeviceGetDefaultMemPool);
WG_API int cudaDeviceGetMemPool(void** pool, int ordinal) {
    return call([&](Device& d) {
        if (!pool || !deviceExists(ordinal))
            return pool ? invalidDevice : invalidValue;
        *pool = d.pools.current(unsigned(ordinal));
        return success;
    });
}
WG_ALIAS(cuDeviceGetMemPool, cudaDeviceGetMemPool);
WG_API int cudaDeviceSetMemPool(int ordinal, void* handle) {
    return call([&](Device& d) {
        auto pool = d.pools.find(handle);
        if (!deviceExists(ordinal) || !pool || pool->device != unsigned(ordinal))
            return deviceExists(ordinal) ? invalidValue : invalidDevice;
        d.pools.setCurrent(unsigned(ordinal), std::move(pool));
        return success;
    });
}
WG_ALIAS(cuDeviceSetMemPool, cudaDeviceSetMemPool);
WG_API int cudaMemGetDefaultMemPool(void** pool, const Location* where, int) {
    return where && where->type == onDevice ? cudaDeviceGetDefaultMemPool(pool, where->number) : done(notSupported);
}
WG_ALIAS(cuMemGetDefaultMemPool, cudaMemGetDefaultMemPool);
WG_API int cudaMemGetMemPool(void** pool, const Location* where, int) {
    return where && where->type == onDevice ? cudaDeviceGetMemPool(pool, where->number) : done(notSupported);
}
WG_ALIAS(cuMemGetMemPool, cudaMemGetMemPool);
WG_API int cudaMemSetMemPool(const Location* where, int, void* pool) {
    return where && where->type == onDevice ? cudaDeviceSetMemPool(where->number, pool) : done(notSupported);
}
WG_ALIAS(cuMemSetMemPool, cudaMemSetMemPool);

WG_API int cudaMemPoolCreate(void** pool, const CallPoolProperties* words) {
    return call([&](Device& d) {
        if (!pool || !words || words->locationType != onDevice || !deviceExists(words->location))
            return invalidValue;
        if (words->handles) // shared with other processes
            return notSupported;
        *pool = d.pools.make(unsigned(words->location), words->maxBytes);
        return success;
    });
}
WG_ALIAS(cuMemPoolCreate, cudaMemPoolCreate);
WG_API int cudaMemPoolDestroy(void* pool) {
    return call([&](Device& d) { return d.pools.destroy(pool) ? success : invalidValue; });
}
WG_ALIAS(cuMemPoolDestroy, cudaMemPoolDestroy);
WG_API int cudaMemPoolSetAttribute(void* handle, int attribute, void* value) {
    constexpr int threshold = 4, reservedHigh = 6, usedHigh = 8;
    return onPool(handle, [&](Device&, MemoryPool& pool) {
        if (attribute >= 1 && attribute <= 3) {
            std::memcpy(&pool.reuse[std::size_t(attribute - 1)], value, sizeof(int));
            return success;
        }
        std::uint64_t amount = 0;
        std::memcpy(&amount, value, sizeof amount);
        if (attribute == threshold) {
            pool.threshold = amount;
        } else if ((attribute == reservedHigh || attribute == usedHigh) && amount == 0) { // counts anew
            *amountOf(pool, attribute) = *amountOf(pool, attribute - 1);
        } else {
            return invalidValue;
        }
        return success;
    });
}
WG_ALIAS(cuMemPoolSetAttribute, cudaMemPoolSetAttribute);
WG_API int cudaMemPoolGetAttribute(void* handle, int attribute, void* value) {
    return onPool(handle, [&](Device&, MemoryPool& pool) {
        if (attribute >= 1 && attribute <= 3)
            std::memcpy(value, &pool.reuse[std::size_t(attribute - 1)], sizeof(int));
        else if (const std::uint64_t* amount = amountOf(pool, attribute))
            std::memcpy(value, amount, sizeof *amount);
        else
            return invalidValue;
        return success;
    });
}
WG_ALIAS(cuMemPoolGetAttribute, cudaMemPoolGetAttribute);
WG_API int cudaMemPoolTrimTo(void* handle, std::size_t bytes) {
    return onPool(handle, [&](Device&, MemoryPool& pool) {
        pool.keepAtMost(bytes);
        return success;
    });
}
WG_ALIAS(cuMemPoolTrimTo, cudaMemPoolTrimTo);

// Which devices may use what comes from the pool: also what has come from it already.
WG_API int cudaMemPoolSetAccess(void* handle, const AccessWords* list, std::size_t count) {
    return onPool(handle, [&](Device& d, MemoryPool& pool) {
        for (std::size_t n = 0; n < count; ++n)
            if (list[n].location.type != onDevice || !deviceExists(list[n].location.number))
                return invalidDevice;
        for (std::size_t n = 0; n < count; ++n) {
            const auto to = unsigned(list[n].location.number);
            if (to == pool.device) {
                if (list[n].flags != readAndWrite) // its own device has it always
                    return invalidDevice;
                continue;
            }
            const std::uint32_t bit = 1u << to;
            pool.shownTo = list[n].flags ? pool.shownTo | bit : pool.shownTo & ~bit;
            d.pools.eachOf(pool, [&](std::uint64_t address) { d.memory.share(address, pool.shownTo); });
        }
        return success;
    });
}
WG_ALIAS(cuMemPoolSetAccess, cudaMemPoolSetAccess);
WG_API int cudaMemPoolGetAccess(int* flags, void* handle, const Location* where) {
    return onPool(handle, [&](Device&, MemoryPool& pool) {
        if (where->type != onDevice || !deviceExists(where->number))
            return invalidValue;
        const auto to = unsigned(where->number);
        *flags = to == pool.device || (pool.shownTo >> to & 1) ? readAndWrite : 0;
        return success;
    });
}
WG_ALIAS(cuMemPoolGetAccess, cudaMemPoolGetAccess);

// Memory of graphs: what is in use, the most that was, and what graphs hold on to.
WG_API int cudaDeviceGetGraphMemAttribute(int ordinal, int attribute, std::uint64_t* value) {
    return call([&](Device&) {
        if (!deviceExists(ordinal) || attribute < 0 || attribute > 3)
            return deviceExists(ordinal) ? invalidValue : invalidDevice;
        const auto m = machine().devices[unsigned(ordinal)]->graphMemory();
        const std::uint64_t amounts[] = {m.used, m.usedHigh, m.reserved, m.reservedHigh};
        *value = amounts[attribute];
        return success;
    });
}
WG_ALIAS(cuDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute);
WG_API int cudaDeviceSetGraphMemAttribute(int ordinal, int attribute, const std::uint64_t* value) {
    return call([&](Device&) {
        if (!deviceExists(ordinal))
            return invalidDevice;
        if ((attribute != 1 && attribute != 3) || *value != 0) // the highest amounts begin anew
            return invalidValue;
        machine().devices[unsigned(ordinal)]->forgetHigh(attribute == 1);
        return success;
    });
}
WG_ALIAS(cuDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute);
WG_API int cudaDeviceGraphMemTrim(int ordinal) {
    return call([&](Device&) { return deviceExists(ordinal) ? success : invalidDevice; });
}
WG_ALIAS(cuDeviceGraphMemTrim, cudaDeviceGraphMemTrim);
