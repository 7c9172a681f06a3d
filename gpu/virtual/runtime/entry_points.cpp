// SPDX-License-Identifier: GPL-3.0-or-later
// Driver functions by their names: what programs ask for that call the driver without linking with it.
#include "gpu/virtual/runtime/call.h"

#include <dlfcn.h>

namespace {
constexpr int found = 0, missing = 1; // cudaDriverEntryPointQueryResult, CUdriverProcAddressQueryResult
// In this library alone: the program may have its own functions of such names.
void* lookUp(const char* name) {
    static void* const self = [] {
        Dl_info info{};
        return dladdr(reinterpret_cast<void*>(&lookUp), &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                                                               : nullptr;
    }();
    const std::string plain = name;
    if (!self)
        return nullptr;
    // The newest form that this library has.
    for (const char* suffix : {"_v3", "_v2", ""})
        if (void* function = dlsym(self, (plain + suffix).c_str()))
            return function;
    return nullptr;
}
} // namespace

using namespace warpglass::virtual_device;

WG_API int cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long, int* result) {
    *function = lookUp(name);
    if (result)
        *result = *function ? found : missing;
    return success;
}
WG_ALIAS(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);
WG_API int cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned, unsigned long long flags,
                                            int* result) {
    return cudaGetDriverEntryPoint(name, function, flags, result);
}
WG_ALIAS(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
WG_API int cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t, int* result) {
    *function = lookUp(name);
    if (result)
        *result = *function ? found : missing;
    return *function ? success : notFound;
}
WG_API int cuGetProcAddress(const char* name, void** function, int, std::uint64_t) {
    *function = lookUp(name);
    return *function ? success : notFound;
}
