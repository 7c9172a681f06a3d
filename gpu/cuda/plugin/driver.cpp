// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/driver.h"
#include "gpu/base/messages/gpu.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace warpglass::cuda {

namespace {

// Without the version that cuda.h's macros append: the runtime finds the version itself.
std::string plainName(std::string name) {
    for (const char* suffix : {"_v2", "_v3", "_v4"})
        if (name.size() > 3 && name.compare(name.size() - 3, 3, suffix) == 0)
            return name.substr(0, name.size() - 3);
    return name;
}

} // namespace

#define WARPGLASS_TEXT2(x) #x
#define WARPGLASS_TEXT(x) WARPGLASS_TEXT2(x)

Result<Driver> loadDriver() {
    int devices = 0;
    const cudaError_t found = cudaGetDeviceCount(&devices);
    if (found == cudaErrorInsufficientDriver) {
        int version = 0;
        cudaDriverGetVersion(&version);
        if (version == 0)
            return Error{say::NoDriver, "", 0, 0, say::UseEmulator};
        return Error{say::DriverTooOld(fmt::format("{}.{}", version / 1000, version % 1000 / 10),
                                       fmt::format("{}.{}", CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10)),
                     "", 0, 0, say::UpdateDriver};
    }
    if (found == cudaErrorNoDevice || (found == cudaSuccess && devices == 0))
        return Error{say::NoGpu, "", 0, 0, say::UseEmulator};
    if (found != cudaSuccess)
        return errorOf(found, say::DriverSilent);

    Driver driver;
#define WARPGLASS_LOAD_ALWAYS(function) WARPGLASS_LOAD(function, true)
#define WARPGLASS_LOAD_PERHAPS(function) WARPGLASS_LOAD(function, false)
#define WARPGLASS_LOAD(function, needed)                                                                               \
    {                                                                                                                  \
        const std::string symbol = plainName(WARPGLASS_TEXT(function));                                                \
        void* address = nullptr;                                                                                       \
        cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;                                   \
        const cudaError_t code =                                                                                       \
            cudaGetDriverEntryPointByVersion(symbol.c_str(), &address, CUDA_VERSION, cudaEnableDefault, &status);      \
        if (needed && (code != cudaSuccess || status != cudaDriverEntryPointSuccess || !address))                      \
            return Error{say::NoDriverFunction(symbol), "", 0, 0, say::UpdateDriver};                                  \
        driver.function = reinterpret_cast<decltype(driver.function)>(address);                                        \
    }
    WARPGLASS_DRIVER_FUNCTIONS(WARPGLASS_LOAD_ALWAYS)
    WARPGLASS_REFERENCE_FUNCTIONS(WARPGLASS_LOAD_PERHAPS)
#undef WARPGLASS_LOAD_ALWAYS
#undef WARPGLASS_LOAD_PERHAPS
#undef WARPGLASS_LOAD
    if (const CUresult code = driver.cuInit(0); code != CUDA_SUCCESS)
        return errorOf(driver, code, say::DriverNotStarted);
    return driver;
}

Error errorOf(const Driver& driver, CUresult code, Message what) {
    const char* words = nullptr;
    if (driver.cuGetErrorString)
        driver.cuGetErrorString(code, &words);
    const std::string number = std::to_string(int(code));
    return {words ? say::DriverSays(std::move(what), words, number)
                  : say::DriverSays(std::move(what), say::NoWords, number)};
}

Error errorOf(cudaError_t code, Message what) {
    return {say::DriverSays(std::move(what), cudaGetErrorString(code), std::to_string(int(code)))};
}

std::uint32_t attributeOf(const Driver& driver, CUfunction function, CUfunction_attribute which) {
    int value = 0;
    driver.cuFuncGetAttribute(&value, which, function);
    return std::uint32_t(std::max(value, 0));
}

} // namespace warpglass::cuda
