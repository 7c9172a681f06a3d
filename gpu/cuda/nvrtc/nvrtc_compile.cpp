// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/nvrtc/nvrtc_compile.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/libraries.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <regex>
#include <vector>

namespace warpglass::cuda {

namespace {

// NVRTC's interface as its documentation gives it ("NVRTC", 3. User Interface): no header of CUDA's is needed to build
// this. A result of 0 is success; a program is known by its address alone.
using Program = void*;
constexpr int success = 0;
struct Nvrtc {
    int (*create)(Program*, const char* source, const char* name, int headers, const char* const* texts,
                  const char* const* names) = nullptr;
    int (*compile)(Program, int options, const char* const*) = nullptr;
    int (*ptxSize)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*logSize)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*destroy)(Program*) = nullptr;
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
        return Error{say::NoNvrtc, "", 0, 0, say::InstallNvrtc};
    return n;
}

// Host headers that kernels' files include out of habit; what they need of them is built in.
constexpr const char* emptyHeaders[] = {
    "cstdio", "stdio.h", "stdlib.h", "cstdlib", "cuda_runtime.h", "cuda.h", "device_launch_parameters.h",
    "math.h", "cmath",   "string.h", "iostream"};

// The compiler's errors, "file(12): error: ...": the first with its place, the others below it.
Error errorsIn(const std::string& log, const std::string& name) {
    static const std::regex place(R"((?:^|\n)([^\n]+)\((\d+)\): (?:catastrophic )?error(?: #\d+-D)?: ([^\n]+))");
    constexpr std::size_t mostQuoted = 10;
    Error error{log.empty() ? "the compiler gave no reason" : log.substr(0, 400), name};
    std::size_t count = 0;
    for (std::sregex_iterator it(log.begin(), log.end(), place), end; it != end && count < mostQuoted; ++it, ++count) {
        const std::smatch& m = *it;
        if (count == 0)
            error = {m[3].str(), m[1].str(), std::atoi(m[2].str().c_str())};
        else
            error.message = error.message + fmt::format("\n{}:{}: {}", m[1].str(), m[2].str(), m[3].str());
    }
    return error;
}

} // namespace

Result<std::string> nvrtcCompile(const std::string& source, const std::string& name, CompileMode mode,
                                 const std::string& arch, const std::vector<std::string>& further) {
    const auto loaded = loadNvrtc();
    if (!loaded)
        return loaded.error();
    const Nvrtc& nvrtc = *loaded;

    const std::vector<const char*> texts(std::size(emptyHeaders), "");
    Program program = nullptr;
    if (nvrtc.create(&program, source.c_str(), name.c_str(), int(texts.size()), texts.data(), emptyHeaders) != success)
        return Error{say::CompilerNotStarted, name};
    const std::string architecture = "--gpu-architecture=" + (arch.empty() ? "compute_75" : arch);
    std::vector<const char*> options{architecture.c_str(), "--relocatable-device-code=true"};
    options.push_back(mode == CompileMode::AsWritten ? "--device-debug" : "--generate-line-info");
    if (std::none_of(further.begin(), further.end(), [](const std::string& o) { return o.find("-std") < 2; }))
        options.push_back("--std=c++17");
    for (const std::string& option : further)
        options.push_back(option.c_str());
    const int compiled = nvrtc.compile(program, int(options.size()), options.data());

    Result<std::string> result = std::string();
    std::size_t size = 0;
    if (compiled != success) {
        nvrtc.logSize(program, &size);
        std::string log(size, '\0');
        nvrtc.log(program, log.data());
        result = errorsIn(log.substr(0, log.find('\0')), name);
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
