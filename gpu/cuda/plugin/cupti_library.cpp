// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/cupti_library.h"

#include "gpu/cuda/plugin/libraries.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace warpglass::cuda {

void* openCupti() {
    return openLibrary({"libcupti.so.13", "libcupti.so.12", "libcupti.so"});
}

Result<Cupti> loadCupti() {
    void* library = openCupti();
    if (!library)
        return Error{"NVIDIA's profiling library (libcupti) was not found", "", 0, 0,
                     "Install the CUDA toolkit's CUPTI to get counters."};
    Cupti cupti;
#define WARPGLASS_LOAD(name)                                                                                           \
    cupti.name = reinterpret_cast<decltype(cupti.name)>(dlsym(library, #name));                                        \
    if (!cupti.name)                                                                                                   \
        return Error{"NVIDIA's profiling library (libcupti) is too old: it has no " #name, "", 0, 0,                   \
                     "Install CUDA 12.6 or newer to get counters."};
    WARPGLASS_CUPTI_FUNCTIONS(WARPGLASS_LOAD)
#undef WARPGLASS_LOAD
    return cupti;
}

Error errorOf(const Cupti& cupti, CUptiResult code, const char* what) {
    const char* words = nullptr;
    if (cupti.cuptiGetErrorMessage)
        cupti.cuptiGetErrorMessage(code, &words);
    Error error{fmt::format("{}: {} (CUPTI error {})", what, words ? words : "no words for it", int(code))};
    if (code == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        error.remedy = "Load the NVIDIA kernel module with NVreg_RestrictProfilingToAdminUsers=0, or run as an "
                       "administrator.";
    else if (code == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
        error.remedy = "This GPU is a virtual one: its host must let it be profiled (enable_profiling=1).";
    else if (code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || code == CUPTI_ERROR_HARDWARE_BUSY)
        error.remedy = "Another profiler is attached to the GPU: stop it.";
    return error;
}

} // namespace warpglass::cuda
