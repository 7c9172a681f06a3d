// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that programs may find but that the virtual device does not have. Each names itself once on standard error
// and returns "not supported", so that a program that looks at errors stops there, and one that does not is not silently
// wrong. They take whatever they are called with.
#include "gpu/virtual/libraries/library.h"
#include "gpu/virtual/runtime/call.h"

#include <cstdio>
#include <mutex>
#include <set>
#include <string_view>

#include <dlfcn.h>

namespace warpglass::virtual_device {

void tellMissing(const char* name) {
    static std::mutex lock;
    static std::set<const char*> told;
    const std::lock_guard guard(lock);
    if (told.insert(name).second)
        std::fprintf(stderr, "warpglass: the program calls %s, which the virtual device does not have\n", name);
}

} // namespace warpglass::virtual_device

using warpglass::virtual_device::tellMissing;

namespace {

int refuse(const char* name) {
    tellMissing(name);
    return warpglass::virtual_device::done(warpglass::virtual_device::notSupported);
}

} // namespace

#define NAME(function)                                                                                                 \
    WG_API int function() {                                                                                            \
        return refuse(#function);                                                                                      \
    }
#include "gpu/virtual/names/driver.inl"
#include "gpu/virtual/names/runtime.inl"
#undef NAME

#define LIBRARY_NAME(function, status)                                                                                 \
    WG_API int function() {                                                                                            \
        tellMissing(#function);                                                                                        \
        return status;                                                                                                 \
    }
#include "gpu/virtual/names/libraries.inl"
#undef LIBRARY_NAME

// By this the static runtime asks for what only NVIDIA's own driver has. It gets the plain answer that there is none.
// NVRTC asks, too, and compiles without it.
WG_API int cuGetExportTable(const void** table, const void*) {
    Dl_info caller{};
    const char* file = dladdr(__builtin_return_address(0), &caller) && caller.dli_fname ? caller.dli_fname : "";
    const std::string_view path(file);
    const std::string_view library = path.substr(path.rfind('/') + 1);
    static std::once_flag once;
    if (!library.starts_with("libnvrtc"))
        std::call_once(once, [&] {
            const bool isLibrary = library.find(".so") != std::string_view::npos;
            std::fprintf(stderr,
                         "warpglass: %.*s carries CUDA's runtime in itself, which runs on NVIDIA's driver only; %s\n",
                         isLibrary ? int(library.size()) : int(sizeof "the program" - 1),
                         isLibrary ? library.data() : "the program",
                         isLibrary ? "what it does on a GPU does not run here" : "build it with nvcc -cudart shared");
        });
    *table = nullptr;
    return warpglass::virtual_device::notFound;
}
WG_API int cudaGetExportTable(const void** table, const void*) {
    *table = nullptr;
    return warpglass::virtual_device::done(warpglass::virtual_device::notSupported);
}
