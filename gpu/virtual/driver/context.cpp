// SPDX-License-Identifier: GPL-3.0-or-later
// Devices and contexts of the driver.
#include "gpu/virtual/driver/driver.h"

#include <cstdio>
#include <cstring>

using namespace warpglass::virtual_device;

extern "C" int cudaDeviceSetLimit(int limit, std::size_t value);
extern "C" int cudaDeviceEnablePeerAccess(int peer, unsigned flags);
extern "C" int cudaDeviceDisablePeerAccess(int peer);
extern "C" int cudaDeviceGetLimit(std::size_t* value, int limit);

WG_API int cuInit(unsigned) {
    return success;
}
WG_API int cuDriverGetVersion(int* version) {
    *version = 13000;
    return success;
}
WG_API int cuDeviceGet(int* result, int ordinal) {
    *result = ordinal;
    return deviceExists(ordinal) ? success : invalidDevice;
}
WG_API int cuDeviceGetCount(int* count) {
    *count = int(machine().devices.size());
    return success;
}
WG_API int cuDeviceGetName(char* name, int length, int ordinal) {
    std::snprintf(name, std::size_t(length), "%s", machine().spec.name.c_str());
    return deviceExists(ordinal) ? success : invalidDevice;
}
WG_API int cuDeviceGetUuid(char* uuid, int ordinal) {
    std::memcpy(uuid, deviceName(ordinal).data(), 16);
    return deviceExists(ordinal) ? success : invalidDevice;
}
WG_ALIAS(cuDeviceGetUuid_v2, cuDeviceGetUuid);
WG_API int cuDeviceTotalMem_v2(std::size_t* bytes, int ordinal) {
    *bytes = machine().memory.capacity();
    return deviceExists(ordinal) ? success : invalidDevice;
}
WG_ALIAS(cuDeviceTotalMem, cuDeviceTotalMem_v2);
WG_API int cuDeviceGetAttribute(int* value, int attribute, int ordinal) {
    if (!deviceExists(ordinal))
        return invalidDevice;
    *value = attributeOf(device(), attribute, ordinal);
    return success;
}
WG_API int cuDeviceComputeCapability(int* major, int* minor, int ordinal) {
    *major = machine().spec.ccMajor, *minor = machine().spec.ccMinor;
    return deviceExists(ordinal) ? success : invalidDevice;
}

WG_API int cuDevicePrimaryCtxRetain(void** result, int ordinal) {
    if (!deviceExists(ordinal))
        return invalidDevice;
    *result = primaryContext(unsigned(ordinal));
    return success;
}
WG_API int cuDevicePrimaryCtxRelease_v2(int ordinal) {
    return deviceExists(ordinal) ? success : invalidDevice;
}
WG_ALIAS(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2);
WG_API int cuDevicePrimaryCtxReset_v2(int ordinal) {
    if (!deviceExists(ordinal))
        return invalidDevice;
    const std::lock_guard lock(machine().lock);
    machine().devices[unsigned(ordinal)]->reset();
    return success;
}
WG_ALIAS(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2);
WG_API int cuDevicePrimaryCtxGetState(int ordinal, unsigned* flags, int* active) {
    if (!deviceExists(ordinal))
        return invalidDevice;
    *flags = primaryContext(unsigned(ordinal))->flags;
    *active = 1;
    return success;
}
WG_API int cuDevicePrimaryCtxSetFlags_v2(int ordinal, unsigned flags) {
    if (!deviceExists(ordinal))
        return invalidDevice;
    primaryContext(unsigned(ordinal))->flags = flags;
    return success;
}
WG_ALIAS(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2);

WG_API int cuCtxCreate_v2(void** result, unsigned flags, int ordinal) {
    if (!deviceExists(ordinal))
        return invalidDevice;
    Context* made = makeContext(unsigned(ordinal), flags);
    *result = made;
    return contextStack().push(made) ? success : invalidValue;
}
WG_ALIAS(cuCtxCreate, cuCtxCreate_v2);
WG_API int cuCtxCreate_v4(void** result, void*, unsigned flags, int ordinal) {
    return cuCtxCreate_v2(result, flags, ordinal);
}
WG_API int cuCtxCreate_v3(void** result, void*, int, unsigned flags, int ordinal) {
    return cuCtxCreate_v2(result, flags, ordinal);
}
WG_API int cuCtxDestroy_v2(void* handle) {
    Context* context = contextAt(handle);
    if (!context)
        return invalidContext;
    const std::lock_guard lock(machine().lock);
    machine().devices[context->device]->flush();
    return destroyContext(context) ? success : invalidContext;
}
WG_ALIAS(cuCtxDestroy, cuCtxDestroy_v2);
WG_API int cuCtxPushCurrent_v2(void* handle) {
    Context* context = contextAt(handle);
    if (!context)
        return invalidContext;
    return contextStack().push(context) ? success : invalidValue;
}
WG_ALIAS(cuCtxPushCurrent, cuCtxPushCurrent_v2);
WG_API int cuCtxPopCurrent_v2(void** handle) {
    if (contextStack().empty())
        return invalidContext;
    if (handle)
        *handle = contextStack().back();
    contextStack().pop();
    return success;
}
WG_ALIAS(cuCtxPopCurrent, cuCtxPopCurrent_v2);
WG_API int cuCtxSetCurrent(void* handle) {
    Context* context = contextAt(handle);
    if (handle && !context)
        return invalidContext;
    if (context)
        contextStack().put(context);
    else if (!contextStack().empty())
        contextStack().pop();
    return success;
}
WG_API int cuCtxGetCurrent(void** handle) {
    *handle = contextStack().empty() ? nullptr : contextStack().back();
    return success;
}
WG_API int cuCtxGetDevice(int* ordinal) {
    *ordinal = int(currentDevice());
    return contextStack().empty() ? invalidContext : success;
}
WG_API int cuCtxGetDevice_v2(int* ordinal, void* handle) {
    const Context* context = handle ? contextAt(handle) : contextStack().empty() ? nullptr : contextStack().back();
    *ordinal = context ? int(context->device) : 0;
    return context ? success : invalidContext;
}
WG_API int cuCtxGetId(void* handle, unsigned long long* id) {
    const Context* context = handle ? contextAt(handle) : contextStack().empty() ? nullptr : contextStack().back();
    *id = reinterpret_cast<unsigned long long>(context);
    return context ? success : invalidContext;
}
// Into the memory of the device of another context.
WG_API int cuCtxEnablePeerAccess(void* peer, unsigned flags) {
    const Context* context = contextAt(peer);
    return context ? cudaDeviceEnablePeerAccess(int(context->device), flags) : invalidContext;
}
WG_API int cuCtxDisablePeerAccess(void* peer) {
    const Context* context = contextAt(peer);
    return context ? cudaDeviceDisablePeerAccess(int(context->device)) : invalidContext;
}
WG_API int cuCtxGetFlags(unsigned* flags) {
    *flags = contextStack().empty() ? 0 : contextStack().back()->flags;
    return contextStack().empty() ? invalidContext : success;
}
WG_API int cuCtxGetApiVersion(void*, unsigned* version) {
    *version = 13000;
    return success;
}
WG_API int cuCtxSynchronize() {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return d.wait(d.defaultRow());
}
WG_API int cuCtxSynchronize_v2(void* handle) {
    const Context* context = handle ? contextAt(handle) : contextStack().empty() ? nullptr : contextStack().back();
    if (!context)
        return invalidContext;
    Device& d = *machine().devices[context->device];
    const std::lock_guard lock(d.lock);
    return d.wait(d.defaultRow());
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
