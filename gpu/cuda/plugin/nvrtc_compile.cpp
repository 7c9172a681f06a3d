// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/nvrtc_compile.h"

#include "gpu/cuda/plugin/libraries.h"

#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nvrtc.h>
#include <regex>
#include <vector>

namespace warpglass::cuda {

namespace {

struct Nvrtc {
    decltype(&nvrtcCreateProgram) create = nullptr;
    decltype(&nvrtcCompileProgram) compile = nullptr;
    decltype(&nvrtcGetPTXSize) ptxSize = nullptr;
    decltype(&nvrtcGetPTX) ptx = nullptr;
    decltype(&nvrtcGetProgramLogSize) logSize = nullptr;
    decltype(&nvrtcGetProgramLog) log = nullptr;
    decltype(&nvrtcDestroyProgram) destroy = nullptr;
};

template <typename F>
bool find(void* library, const char* symbol, F& function) {
    function = reinterpret_cast<F>(dlsym(library, symbol));
    return function != nullptr;
}

Result<Nvrtc> loadNvrtc() {
    void* library = openLibrary({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
    Nvrtc n;
    if (!library || !find(library, "nvrtcCreateProgram", n.create) ||
        !find(library, "nvrtcCompileProgram", n.compile) || !find(library, "nvrtcGetPTXSize", n.ptxSize) ||
        !find(library, "nvrtcGetPTX", n.ptx) || !find(library, "nvrtcGetProgramLogSize", n.logSize) ||
        !find(library, "nvrtcGetProgramLog", n.log) || !find(library, "nvrtcDestroyProgram", n.destroy))
        return Error{"CUDA source cannot be compiled here: NVIDIA's run-time compiler (libnvrtc) was not found", "", 0,
                     0, "Install the CUDA toolkit, or compile the file with nvcc -ptx and open the PTX."};
    return n;
}

// Host headers that kernels' files include out of habit; what they need of them is built in.
constexpr const char* emptyHeaders[] = {
    "cstdio", "stdio.h", "stdlib.h", "cstdlib", "cuda_runtime.h", "cuda.h", "device_launch_parameters.h",
    "math.h", "cmath",   "string.h", "iostream"};

// The compiler's first error, "file(12): error: ...", with its place.
Error firstError(const std::string& log, const std::string& name) {
    std::smatch match;
    static const std::regex place(R"(\((\d+)\): (?:catastrophic )?error(?: #\d+-D)?: ([^\n]+))");
    if (std::regex_search(log, match, place))
        return {match[2], name, std::atoi(match[1].str().c_str())};
    return {log.empty() ? "the compiler gave no reason" : log.substr(0, 400), name};
}

} // namespace

Result<std::string> nvrtcCompile(const std::string& source, const std::string& name, CompileMode mode) {
    const auto loaded = loadNvrtc();
    if (!loaded)
        return loaded.error();
    const Nvrtc& nvrtc = *loaded;

    const std::vector<const char*> texts(std::size(emptyHeaders), "");
    nvrtcProgram program = nullptr;
    if (nvrtc.create(&program, source.c_str(), name.c_str(), int(texts.size()), texts.data(), emptyHeaders) !=
        NVRTC_SUCCESS)
        return Error{"the compiler could not be started", name};
    std::vector<const char*> options{"--gpu-architecture=compute_75", "--std=c++17", "--relocatable-device-code=true"};
    options.push_back(mode == CompileMode::AsWritten ? "--device-debug" : "--generate-line-info");
    const nvrtcResult compiled = nvrtc.compile(program, int(options.size()), options.data());

    Result<std::string> result = std::string();
    std::size_t size = 0;
    if (compiled != NVRTC_SUCCESS) {
        nvrtc.logSize(program, &size);
        std::string log(size, '\0');
        nvrtc.log(program, log.data());
        result = firstError(log.c_str(), name);
    } else {
        nvrtc.ptxSize(program, &size);
        std::string ptx(size, '\0');
        nvrtc.ptx(program, ptx.data());
        while (!ptx.empty() && ptx.back() == '\0')
            ptx.pop_back();
        result = std::move(ptx);
    }
    nvrtc.destroy(&program);
    return result;
}

} // namespace warpglass::cuda
