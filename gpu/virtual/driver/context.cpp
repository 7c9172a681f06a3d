// SPDX-License-Identifier: GPL-3.0-or-later
// Devices and contexts of the driver.
#include "gpu/virtual/driver/driver.h"

#include <cstdio>
#include <cstring>

using namespace warpglass::virtual_device;

extern "C" int cudaDeviceSetLimit(int limit, std::size_t value);
extern "C" int cudaDeviceGetLimit(std::size_t* value, int limit);

namespace {

void* const context = reinterpret_cast<void*>(0x10); // the one there is

// Contexts of this thread, the current one last.
std::vector<void*>& stack() {
    thread_local std::vector<void*> contexts;
    return contexts;
}

} // namespace

WG_API int cuInit(unsigned) {
    return success;
}
WG_API int cuDriverGetVersion(int* version) {
    *version = 13000;
    return success;
}
WG_API int cuDeviceGet(int* result, int ordinal) {
    *result = 0;
    return ordinal == 0 ? success : invalidDevice;
}
WG_API int cuDeviceGetCount(int* count) {
    *count = 1;
    return success;
}
WG_API int cuDeviceGetName(char* name, int length, int) {
    std::snprintf(name, std::size_t(length), "%s", device().spec.name.c_str());
    return success;
}
WG_API int cuDeviceGetUuid(char* uuid, int) {
    std::memcpy(uuid, "warpglass-device", 16);
    return success;
}
WG_ALIAS(cuDeviceGetUuid_v2, cuDeviceGetUuid);
WG_API int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = device().memory.capacity();
    return success;
}
WG_ALIAS(cuDeviceTotalMem, cuDeviceTotalMem_v2);
WG_API int cuDeviceGetAttribute(int* value, int attribute, int ordinal) {
    if (ordinal != 0)
        return invalidDevice;
    *value = attributeOf(device(), attribute);
    return success;
}
WG_API int cuDeviceComputeCapability(int* major, int* minor, int) {
    *major = device().spec.ccMajor, *minor = device().spec.ccMinor;
    return success;
}
WG_API int cuDeviceGetPCIBusId(char* text, int length, int) {
    std::snprintf(text, std::size_t(length), "0000:01:00.0");
    return success;
}
WG_API int cuDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return success;
}

WG_API int cuDevicePrimaryCtxRetain(void** result, int ordinal) {
    *result = context;
    return ordinal == 0 ? success : invalidDevice;
}
WG_API int cuDevicePrimaryCtxRelease_v2(int) {
    return success;
}
WG_ALIAS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
WG_API int cuDevicePrimaryCtxReset_v2(int) {
    device().reset();
    return success;
}
WG_ALIAS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);
WG_API int cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) {
    *flags = 0, *active = 1;
    return success;
}
WG_API int cuDevicePrimaryCtxSetFlags_v2(int, unsigned) {
    return success;
}
WG_ALIAS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);

WG_API int cuCtxCreate_v2(void** result, unsigned, int ordinal) {
    if (ordinal != 0)
        return invalidDevice;
    stack().push_back(*result = context);
    return success;
}
WG_ALIAS(cuCtxCreate, cuCtxCreate_v2);
WG_API int cuCtxCreate_v4(void** result, void*, unsigned flags, int ordinal) {
    return cuCtxCreate_v2(result, flags, ordinal);
}
WG_API int cuCtxCreate_v3(void** result, void*, int, unsigned flags, int ordinal) {
    return cuCtxCreate_v2(result, flags, ordinal);
}
WG_API int cuCtxDestroy_v2(void*) {
    device().flush();
    if (!stack().empty())
        stack().pop_back();
    return success;
}
WG_ALIAS(cuCtxDestroy, cuCtxDestroy_v2);
WG_API int cuCtxPushCurrent_v2(void* c) {
    stack().push_back(c);
    return success;
}
WG_ALIAS(cuCtxPushCurrent, cuCtxPushCurrent_v2);
WG_API int cuCtxPopCurrent_v2(void** c) {
    if (stack().empty())
        return invalidContext;
    if (c)
        *c = stack().back();
    stack().pop_back();
    return success;
}
WG_ALIAS(cuCtxPopCurrent, cuCtxPopCurrent_v2);
WG_API int cuCtxSetCurrent(void* c) {
    if (!stack().empty())
        stack().pop_back();
    if (c)
        stack().push_back(c);
    return success;
}
WG_API int cuCtxGetCurrent(void** c) {
    *c = stack().empty() ? nullptr : stack().back();
    return success;
}
WG_API int cuCtxGetDevice(int* ordinal) {
    *ordinal = 0;
    return stack().empty() ? invalidContext : success;
}
WG_API int cuCtxGetFlags(unsigned* flags) {
    *flags = 0;
    return success;
}
WG_API int cuCtxGetApiVersion(void*, unsigned* version) {
    *version = 13000;
    return success;
}
WG_API int cuCtxSynchronize() {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return d.wait();
}
WG_API int cuCtxSetLimit(int limit, std::size_t value) {
    return cudaDeviceSetLimit(limit, value);
}
WG_API int cuCtxGetLimit(std::size_t* value, int limit) {
    return cudaDeviceGetLimit(value, limit);
}
WG_API int cuCtxSetCacheConfig(int) {
    return success;
}
WG_API int cuCtxGetCacheConfig(int* config) {
    *config = 0;
    return success;
}
WG_API int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0, *greatest = -5;
    return success;
}
WG_API int cuProfilerStart() {
    return success;
}
WG_API int cuProfilerStop() {
    return success;
}

WG_API int cuGetErrorString(int status, const char** text) {
    *text = driverErrorName(status) ? errorText(status) : nullptr;
    return *text ? success : invalidValue;
}
WG_API int cuGetErrorName(int status, const char** text) {
    *text = driverErrorName(status);
    return *text ? success : invalidValue;
}
