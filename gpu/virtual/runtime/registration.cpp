// SPDX-License-Identifier: GPL-3.0-or-later
// What nvcc's stubs call before main: the device code of the program and the host addresses that stand for its kernels
// and variables. Nothing is loaded yet; an error comes with the first use.
#include "gpu/virtual/runtime/call.h"

#include <atomic>

namespace warpglass::virtual_device {
std::atomic<int>& loadedRuntime() {
    static std::atomic<int> major{13};
    return major;
}

namespace {
Module* moduleOf(void** handle) {
    return reinterpret_cast<Module*>(handle);
}
} // namespace

int runtimeMajor() {
    return loadedRuntime();
}
} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API void warpglassVirtualRuntime(int major) {
    loadedRuntime() = major; // libraries under the runtime's names say which of them the program has loaded
}

WG_API void** __cudaRegisterFatBinary(void* image) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    return reinterpret_cast<void**>(d.modules.add(image));
}

WG_API void __cudaRegisterFatBinaryEnd(void**) {}

WG_API void __cudaUnregisterFatBinary(void** handle) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    d.endWithoutWaiting();
    d.modules.remove(moduleOf(handle));
}

WG_API void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, void*, void*, void*,
                                   void*, int*) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    d.modules.registerKernel(host, moduleOf(handle), name);
}

WG_API void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    d.modules.registerVariable(host, moduleOf(handle), name);
}

WG_API void __cudaRegisterHostVar(void** handle, const char* name, char* host, std::size_t) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    d.modules.registerVariable(host, moduleOf(handle), name);
}

WG_API void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, std::size_t bytes, int,
                                     int) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    moduleOf(handle)->managed.push_back({host, name, bytes});
    d.modules.registerVariable(host, moduleOf(handle), name);
}

WG_API char __cudaInitModule(void**) {
    Device& d = device();
    const std::lock_guard lock(d.lock);
    d.modules.loadManaged();
    return 1;
}
