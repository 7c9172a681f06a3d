// SPDX-License-Identifier: GPL-3.0-or-later
// The device as a whole: which there are, waiting, limits, errors, versions.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/runtime/call.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace warpglass::virtual_device {

Status& lastError() {
    thread_local Status last = success;
    return last;
}

namespace {

constexpr int driverVersion = 13000;

bool exists(int ordinal) {
    return ordinal >= 0 && unsigned(ordinal) < machine().devices.size();
}

Status connectPeer(Device& d, int peer, bool on) {
    if (!exists(peer) || unsigned(peer) == d.number)
        return invalidDevice;
    if (on)
        return d.memory.connect(d.number, unsigned(peer)) ? success : peerAccessAlreadyEnabled;
    return d.memory.disconnect(d.number, unsigned(peer)) ? success : peerAccessNotEnabled;
}

} // namespace

bool deviceExists(int ordinal) {
    return exists(ordinal);
}
} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cudaGetDeviceCount(int* count) {
    *count = int(machine().devices.size());
    return success;
}
WG_API int cudaSetDevice(int ordinal) {
    if (!exists(ordinal))
        return done(invalidDevice);
    setCurrentDevice(unsigned(ordinal));
    return success;
}
WG_API int cudaInitDevice(int ordinal, unsigned, unsigned) {
    return done(exists(ordinal) ? success : invalidDevice);
}
WG_API int cudaGetDevice(int* ordinal) {
    *ordinal = int(currentDevice());
    return success;
}
WG_API int cudaChooseDevice(int* ordinal, const void*) { // all are of one kind
    *ordinal = 0;
    return success;
}
WG_API int cudaSetValidDevices(int*, int) {
    return success;
}
WG_API int cudaSetDeviceFlags(unsigned) {
    return success;
}
WG_API int cudaGetDeviceFlags(unsigned* flags) {
    *flags = 0;
    return success;
}
WG_API int cudaDeviceGetPCIBusId(char* text, int length, int ordinal) {
    if (!exists(ordinal))
        return done(invalidDevice);
    std::snprintf(text, std::size_t(length), "0000:%02x:00.0", ordinal + 1);
    return success;
}
WG_ALIAS(cuDeviceGetPCIBusId, cudaDeviceGetPCIBusId);
WG_API int cudaDeviceGetByPCIBusId(int* ordinal, const char* text) {
    unsigned domain = 0, bus = 0, slot = 0;
    const bool read = std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) == 3 ||
                      (domain = 0, std::sscanf(text, "%x:%x", &bus, &slot) == 2);
    if (!read || domain || slot || !exists(int(bus) - 1))
        return done(invalidDevice);
    *ordinal = int(bus) - 1;
    return success;
}
WG_ALIAS(cuDeviceGetByPCIBusId, cudaDeviceGetByPCIBusId);

WG_API int cudaDeviceSynchronize() {
    return ask([](Device& d) { return d.wait(d.defaultRow()); });
}
WG_ALIAS(cudaThreadSynchronize, cudaDeviceSynchronize);
WG_API int cudaDeviceReset() {
    return ask([](Device& d) {
        d.reset();
        return success;
    });
}
WG_ALIAS(cudaThreadExit, cudaDeviceReset);

WG_API int cudaDeviceSetLimit(int limit, std::size_t value) {
    return call([&](Device& d) {
        if (limit < 0 || limit > 7)
            return invalidValue;
        if (limit == 2 && d.heapUsed()) { // it is laid out already
            d.tellMistake(warpglass::say::HeapLimitLate, false);
            return invalidValue;
        }
        constexpr std::size_t mostStack = 523264, stackUnit = 16; // as an H200 was seen to have it
        if (limit == 0 && value > mostStack) {
            d.tellMistake(warpglass::say::StackLimit(value, mostStack), false);
            return invalidValue;
        }
        d.limits[unsigned(limit)] = limit == 0 ? (value + stackUnit - 1) / stackUnit * stackUnit : value;
        return success;
    });
}
WG_API int cudaDeviceGetLimit(std::size_t* value, int limit) {
    return call([&](Device& d) {
        if (limit < 0 || limit > 7)
            return invalidValue;
        *value = d.limits[unsigned(limit)];
        return success;
    });
}

// How caches and shared memory are split: the emulator has no such choice.
WG_API int cudaDeviceSetCacheConfig(int) {
    return success;
}
WG_API int cudaDeviceGetCacheConfig(int* config) {
    *config = 0;
    return success;
}
WG_API int cudaDeviceSetSharedMemConfig(int) {
    return success;
}
WG_API int cudaDeviceGetSharedMemConfig(int* config) {
    *config = 1; // banks of four bytes
    return success;
}
WG_API int cudaProfilerStart() {
    return success;
}
WG_API int cudaProfilerStop() {
    return success;
}

// Each device can be let into the memory of each other one.
WG_API int cudaDeviceCanAccessPeer(int* can, int ordinal, int peer) {
    if (!can || !exists(ordinal) || !exists(peer))
        return done(can ? invalidDevice : invalidValue);
    *can = ordinal != peer;
    return success;
}
WG_ALIAS(cuDeviceCanAccessPeer, cudaDeviceCanAccessPeer);
WG_API int cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    return call([&](Device& d) { return flags ? invalidValue : connectPeer(d, peer, true); });
}
WG_API int cudaDeviceDisablePeerAccess(int peer) {
    return call([&](Device& d) { return connectPeer(d, peer, false); });
}
WG_API int cudaDeviceGetP2PAttribute(int* value, int attribute, int ordinal, int peer) {
    constexpr int rank = 1, access = 2, atomics = 3, arrays = 4;
    if (!value || attribute < rank || attribute > arrays)
        return done(invalidValue);
    if (!exists(ordinal) || !exists(peer) || ordinal == peer)
        return done(invalidDevice);
    *value = attribute == access || attribute == atomics || attribute == arrays;
    return success;
}
WG_API int cuDeviceGetP2PAttribute(int* value, int attribute, int ordinal, int peer) {
    return cudaDeviceGetP2PAttribute(value, attribute, ordinal, peer);
}

WG_API int cudaDriverGetVersion(int* version) {
    *version = driverVersion;
    return success;
}
WG_API int cudaRuntimeGetVersion(int* version) {
    *version = runtimeMajor() * 1000;
    return success;
}

WG_API int cudaGetLastError() {
    return std::exchange(lastError(), success);
}
WG_API int cudaPeekAtLastError() {
    return lastError();
}
WG_API const char* cudaGetErrorName(int status) {
    return errorName(status);
}
WG_API const char* cudaGetErrorString(int status) {
    return errorText(status);
}
