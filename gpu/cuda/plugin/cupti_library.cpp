// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/cupti_library.h"
#include "gpu/base/messages/gpu.h"

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
        return Error{say::NoCupti, "", 0, 0, say::InstallCupti};
    Cupti cupti;
#define WARPGLASS_LOAD(name)                                                                                           \
    cupti.name = reinterpret_cast<decltype(cupti.name)>(dlsym(library, #name));                                        \
    if (!cupti.name)                                                                                                   \
        return Error{say::OldCupti(#name), "", 0, 0, say::InstallNewerCuda};
    WARPGLASS_CUPTI_FUNCTIONS(WARPGLASS_LOAD)
#undef WARPGLASS_LOAD
    return cupti;
}

Error errorOf(const Cupti& cupti, CUptiResult code, Message what) {
    const char* words = nullptr;
    if (cupti.cuptiGetErrorMessage)
        cupti.cuptiGetErrorMessage(code, &words);
    Error error{words ? say::CuptiSays(std::move(what), words, std::to_string(int(code)))
                      : say::CuptiSays(std::move(what), say::NoWords, std::to_string(int(code)))};
    if (code == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
        error.remedy = say::ProfilingRestricted;
    else if (code == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
        error.remedy = say::VirtualGpu;
    else if (code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED || code == CUPTI_ERROR_HARDWARE_BUSY)
        error.remedy = say::OtherProfiler;
    return error;
}

} // namespace warpglass::cuda
