// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries of kernels that a program loads itself, of the driver and, since CUDA 12.8, of the runtime; and what may be
// asked of a loaded kernel.
#include "gpu/virtual/driver/driver.h"

#include <algorithm>

using namespace warpglass::virtual_device;

// Elsewhere in this folder.
extern "C" {
int cuLibraryLoadData(void** library, const void* image, int*, void**, unsigned, int*, void**, unsigned);
int cuLibraryLoadFromFile(void** library, const char* path, int*, void**, unsigned, int*, void**, unsigned);
int cuLibraryUnload(void* library);
int cuLibraryGetKernel(void** kernel, void* library, const char* name);
int cuLibraryGetGlobal(std::uint64_t* address, std::size_t* bytes, void* library, const char* name);
int cuKernelSetAttribute(int attribute, int value, void* kernel, int device);
}

namespace {

// The runtime's first call makes a context; what fails is its last error.
template <class F>
int ofRuntime(F f) {
    const Status ready = call([](Device&) { return success; });
    return ready != success ? ready : done(Status(f()));
}

std::vector<std::string> entriesOf(Device& d, Module& module) {
    std::vector<std::string> names;
    if (d.modules.load(module, d.number) == success)
        for (const auto& function : module.code(d.number).source().functions)
            if (function.isEntry)
                names.push_back(function.name);
    return names;
}

} // namespace

WG_API int cuModuleGetFunctionCount(unsigned* count, void* module) {
    return drive([&](Device& d) {
        if (!count || !module)
            return invalidValue;
        *count = unsigned(entriesOf(d, *static_cast<Module*>(module)).size());
        return success;
    });
}
WG_ALIAS(cuLibraryGetKernelCount, cuModuleGetFunctionCount);
WG_API int cuModuleEnumerateFunctions(void** functions, unsigned count, void* module) {
    return drive([&](Device& d) {
        if (!functions || !module)
            return invalidValue;
        const auto entries = entriesOf(d, *static_cast<Module*>(module));
        for (std::size_t n = 0; n < std::min<std::size_t>(count, entries.size()); ++n) {
            LoadedKernel* kernel = nullptr;
            if (const Status status = d.modules.kernel(*static_cast<Module*>(module), entries[n], kernel, d.number);
                status != success)
                return status;
            functions[n] = kernel;
        }
        return success;
    });
}
WG_ALIAS(cuLibraryEnumerateKernels, cuModuleEnumerateFunctions);

WG_API int cuFuncGetParamInfo(void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    return drive([&](Device& d) {
        if (!d.modules.isKernel(function))
            return invalidHandle;
        const auto& parameters = static_cast<LoadedKernel*>(function)->parameters;
        if (!offset || index >= parameters.size())
            return invalidValue;
        *offset = parameters[index].offset;
        if (bytes)
            *bytes = parameters[index].bytes;
        return success;
    });
}
WG_ALIAS(cuKernelGetParamInfo, cuFuncGetParamInfo);
WG_API int cuKernelGetLibrary(void** library, void* kernel) {
    return drive([&](Device& d) {
        if (!library || !d.modules.isKernel(kernel))
            return library ? invalidHandle : invalidValue;
        *library = static_cast<LoadedKernel*>(kernel)->module;
        return success;
    });
}
WG_API int cuFuncIsLoaded(int* state, void*) {
    *state = 1; // a handle is given for nothing less
    return success;
}
WG_API int cuFuncLoad(void*) {
    return success;
}
WG_API int cuKernelSetCacheConfig(void*, int, int) {
    return success;
}

WG_API int cudaLibraryLoadData(void** library, const void* image, int*, void**, unsigned, int*, void**, unsigned) {
    return ofRuntime([&] { return cuLibraryLoadData(library, image, nullptr, nullptr, 0, nullptr, nullptr, 0); });
}
WG_API int cudaLibraryLoadFromFile(void** library, const char* path, int*, void**, unsigned, int*, void**, unsigned) {
    return ofRuntime([&] { return cuLibraryLoadFromFile(library, path, nullptr, nullptr, 0, nullptr, nullptr, 0); });
}
WG_API int cudaLibraryUnload(void* library) {
    return ofRuntime([&] { return cuLibraryUnload(library); });
}
WG_API int cudaLibraryGetKernel(void** kernel, void* library, const char* name) {
    return ofRuntime([&] { return cuLibraryGetKernel(kernel, library, name); });
}
WG_API int cudaLibraryGetGlobal(std::uint64_t* address, std::size_t* bytes, void* library, const char* name) {
    return ofRuntime([&] { return cuLibraryGetGlobal(address, bytes, library, name); });
}
WG_ALIAS(cudaLibraryGetManaged, cudaLibraryGetGlobal);
WG_API int cudaLibraryGetKernelCount(unsigned* count, void* library) {
    return ofRuntime([&] { return cuModuleGetFunctionCount(count, library); });
}
WG_API int cudaLibraryEnumerateKernels(void** kernels, unsigned count, void* library) {
    return ofRuntime([&] { return cuModuleEnumerateFunctions(kernels, count, library); });
}
WG_API int cudaKernelSetAttributeForDevice(void* kernel, int attribute, int value, int device) {
    return ofRuntime([&] { return cuKernelSetAttribute(attribute, value, kernel, device); });
}
