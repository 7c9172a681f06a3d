// SPDX-License-Identifier: GPL-3.0-or-later
// A program that compiles its kernel as it runs, by NVRTC. Without NVRTC it says so and ends with 77.
#include "check_driver.h"

#include <string>
#include <vector>

#include <dlfcn.h>

int main() {
    void* nvrtc = nullptr;
    for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
        nvrtc = nvrtc ? nvrtc : dlopen(name, RTLD_NOW);
    if (!nvrtc) {
        std::printf("there is no NVRTC\n");
        return 77;
    }
    struct Program;
    const auto create = (int (*)(Program**, const char*, const char*, int, const char* const*,
                                 const char* const*))dlsym(nvrtc, "nvrtcCreateProgram");
    const auto compile = (int (*)(Program*, int, const char* const*))dlsym(nvrtc, "nvrtcCompileProgram");
    const auto size = (int (*)(Program*, std::size_t*))dlsym(nvrtc, "nvrtcGetPTXSize");
    const auto text = (int (*)(Program*, char*))dlsym(nvrtc, "nvrtcGetPTX");
    Program* program = nullptr;
    std::size_t bytes = 0;
    const char* options[] = {"--gpu-architecture=compute_75", "-DFACTOR=3"};
    WANT(create(&program, "extern \"C\" __global__ void times(int* p) { p[threadIdx.x] *= FACTOR; }", "times.cu", 0,
                nullptr, nullptr) == 0);
    WANT(compile(program, 2, options) == 0 && size(program, &bytes) == 0);
    std::vector<char> ptx(bytes);
    WANT(text(program, ptx.data()) == 0);

    CHECK(cuInit(0));
    CUdevice device;
    CUcontext context;
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CUmodule module;
    CUfunction times;
    CHECK(cuModuleLoadData(&module, ptx.data()));
    CHECK(cuModuleGetFunction(&times, module, "times"));
    std::vector<int> values(32, 7);
    CUdeviceptr memory;
    CHECK(cuMemAlloc(&memory, 128));
    CHECK(cuMemcpyHtoD(memory, values.data(), 128));
    void* arguments[] = {&memory};
    CHECK(cuLaunchKernel(times, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(values.data(), memory, 128));
    WANT(values[0] == 21 && values[31] == 21);
    return passed();
}
