// SPDX-License-Identifier: GPL-3.0-or-later
// The device as a whole: which there are, waiting, limits, errors, versions.
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

// Limits that a program may set and ask for: only that of pending launches changes what the emulator does.
struct Limits {
    std::size_t values[8] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0, 0};
};
Limits& limits() {
    static Limits all;
    return all;
}
constexpr int limitPendingLaunches = 4;

} // namespace
} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cudaGetDeviceCount(int* count) {
    *count = 1;
    return success;
}
WG_API int cudaSetDevice(int ordinal) {
    return done(ordinal == 0 ? success : invalidDevice);
}
WG_ALIAS(cudaInitDevice, cudaSetDevice);
WG_API int cudaGetDevice(int* ordinal) {
    *ordinal = 0;
    return success;
}
WG_API int cudaChooseDevice(int* ordinal, const void*) {
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
    if (ordinal != 0)
        return done(invalidDevice);
    std::snprintf(text, std::size_t(length), "0000:01:00.0");
    return success;
}
WG_API int cudaDeviceGetByPCIBusId(int* ordinal, const char* text) {
    *ordinal = 0;
    return done(std::strstr(text, "01:00") ? success : invalidDevice);
}

WG_API int cudaDeviceSynchronize() {
    return ask([](Device& d) { return d.wait(); });
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
        limits().values[limit] = value;
        if (limit == limitPendingLaunches)
            d.pendingLaunchLimit = value;
        return success;
    });
}
WG_API int cudaDeviceGetLimit(std::size_t* value, int limit) {
    return call([&](Device&) {
        if (limit < 0 || limit > 7)
            return invalidValue;
        *value = limits().values[limit];
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

// There is one device, so there are no peers.
WG_API int cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return success;
}
WG_API int cudaDeviceEnablePeerAccess(int, unsigned) {
    return done(invalidDevice);
}
WG_API int cudaDeviceDisablePeerAccess(int) {
    return done(peerAccessNotEnabled);
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
