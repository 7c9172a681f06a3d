// SPDX-License-Identifier: GPL-3.0-or-later
// Contexts of two devices by the driver's calls: the stack of a thread, memory and globals by context, peers.
#include "check_driver.h"

// out[0] += 1
static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 out) {
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    ld.u32 %r1, [%rd1];
    add.s32 %r1, %r1, 1;
    st.u32 [%rd1], %r1;
    ret;
}
)";

int main() {
    int devices = 0;
    CUdevice device[2], which = -1;
    CUcontext context[2], current = nullptr;
    CHECK(cuInit(0));
    CHECK(cuDeviceGetCount(&devices));
    WANT(devices == 2 && cuDeviceGet(&which, 2) == CUDA_ERROR_INVALID_DEVICE);
    WANT(cuCtxGetDevice(&which) == CUDA_ERROR_INVALID_CONTEXT); // there is none yet
    CUdeviceptr p[2];
    CUmodule module[2];
    CUfunction count[2];
    for (int k = 0; k < 2; ++k) {
        CHECK(cuDeviceGet(&device[k], k));
#if CUDA_VERSION >= 13000
        CHECK(cuCtxCreate(&context[k], nullptr, 0, device[k]));
#else
        CHECK(cuCtxCreate(&context[k], 0, device[k]));
#endif
        CHECK(cuMemAlloc(&p[k], 64));
        CHECK(cuMemsetD32(p[k], unsigned(10 * k), 16));
        CHECK(cuModuleLoadData(&module[k], text));
        CHECK(cuModuleGetFunction(&count[k], module[k], "count"));
    }
    CHECK(cuCtxGetCurrent(&current));
    CHECK(cuCtxGetDevice(&which));
    WANT(current == context[1] && which == 1);
    CHECK(cuCtxPopCurrent(&current));
    WANT(current == context[1]);
    CHECK(cuCtxGetDevice(&which));
    WANT(which == 0); // the one below
    CHECK(cuCtxPushCurrent(context[1]));
    void* arguments[] = {&p[1]};
    CHECK(cuLaunchKernel(count[1], 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuCtxSetCurrent(context[0]));
    arguments[0] = &p[0];
    CHECK(cuLaunchKernel(count[0], 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyPeer(p[0] + 4, context[0], p[1], context[1], 4));
    unsigned host[2] = {};
    CHECK(cuMemcpyDtoH(host, p[0], sizeof host));
    WANT(host[0] == 1 && host[1] == 11);
    int can = 0;
    CHECK(cuDeviceCanAccessPeer(&can, device[0], device[1]));
    WANT(can == 1);
    CHECK(cuCtxEnablePeerAccess(context[1], 0));
    WANT(cuCtxEnablePeerAccess(context[1], 0) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    arguments[0] = &p[1]; // the first device counts in the memory of the second
    CHECK(cuLaunchKernel(count[0], 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(host, p[1], 4));
    WANT(host[0] == 12);
    int ordinal = -1;
    CHECK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p[1]));
    WANT(ordinal == 1);
    CUcontext primary, again;
    CHECK(cuDevicePrimaryCtxRetain(&primary, device[1]));
    CHECK(cuDevicePrimaryCtxRetain(&again, device[1]));
    WANT(primary == again && primary != context[1]);
    CHECK(cuDevicePrimaryCtxRelease(device[1]));
    CHECK(cuDevicePrimaryCtxRelease(device[1]));
    CHECK(cuCtxDestroy(context[0]));
    WANT(cuCtxSetCurrent(context[0]) == CUDA_ERROR_INVALID_CONTEXT);
    std::printf("passed\n");
    return 0;
}
