// SPDX-License-Identifier: GPL-3.0-or-later
// The driver's interface alone: PTX text as a module, both ways to pass arguments, a global, copies of rows, fills.
#include "check_driver.h"

#include <cstring>

// out[i] = in[i] * by + offset
static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 offset = 100;
.visible .entry multiply(.param .u64 out, .param .u64 in, .param .u32 by) {
    .reg .b32 %r<5>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [in];
    ld.param.u32 %r1, [by];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd2, %rd3;
    add.s64 %rd5, %rd1, %rd3;
    ld.global.u32 %r3, [%rd4];
    ld.global.u32 %r4, [offset];
    mad.lo.s32 %r3, %r3, %r1, %r4;
    st.global.u32 [%rd5], %r3;
    ret;
}
)";

int main() {
    constexpr unsigned n = 64;
    CHECK(cuInit(0));
    CUdevice device;
    CUcontext context;
    CHECK(cuDeviceGet(&device, 0));
    int warp = 0;
    CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CUmodule module;
    CUfunction function;
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&function, module, "multiply"));
    if (warp != 32 || cuModuleGetFunction(&function, module, "divide") != CUDA_ERROR_NOT_FOUND)
        return 1;
    CHECK(cuModuleGetFunction(&function, module, "multiply"));
    CUdeviceptr offset, in, out;
    std::size_t bytes = 0;
    CHECK(cuModuleGetGlobal(&offset, &bytes, module, "offset"));
    const unsigned thousand = 1000;
    CHECK(cuMemcpyHtoD(offset, &thousand, sizeof thousand));
    CHECK(cuMemAlloc(&in, n * 4));
    CHECK(cuMemAlloc(&out, n * 4));
    CHECK(cuMemsetD32(in, 7, n));
    unsigned by = 3, host[n];
    void* arguments[] = {&out, &in, &by};
    CHECK(cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(host, out, sizeof host));
    for (unsigned value : host)
        if (value != 1021)
            return std::printf("%u, not 1021\n", value), 1;
    struct {
        CUdeviceptr out, in;
        unsigned by;
    } packed{in, out, 2}; // the other way round
    std::size_t size = 20;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, nullptr, nullptr, extra));
    CUDA_MEMCPY2D rows;
    std::memset(&rows, 0, sizeof rows);
    rows.srcMemoryType = CU_MEMORYTYPE_DEVICE, rows.srcDevice = in, rows.srcPitch = 16;
    rows.dstMemoryType = CU_MEMORYTYPE_HOST, rows.dstHost = host, rows.dstPitch = 8;
    rows.WidthInBytes = 8, rows.Height = 16;
    std::memset(host, 0, sizeof host);
    CHECK(cuMemcpy2D(&rows));
    for (unsigned i = 0; i < n; ++i)
        if (host[i] != (i < 32 ? 3042u : 0u))
            return std::printf("host[%u] is %u\n", i, host[i]), 1;
    const char* name = nullptr;
    CHECK(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name));
    if (std::strcmp(name, "CUDA_ERROR_INVALID_VALUE") != 0 || cuMemAlloc(&in, 0) != CUDA_ERROR_INVALID_VALUE)
        return 1;
    CHECK(cuMemFree(out));
    CHECK(cuModuleUnload(module));
    std::printf("passed\n");
    return 0;
}
