// SPDX-License-Identifier: GPL-3.0-or-later
// Launches behind a kernel's fault, by the driver's calls and by graphs: of the first graph good, wild, good and a child
// of one good, the middle one fails; the driver then refuses a launch in each of its forms, and the graph. Of eleven
// launches nine are not run.
#include "check_driver.h"

#include <cstring>

// p[tid + by] = tid
static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry put(.param .u64 p, .param .u32 by) {
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [by];
    mov.u32 %r2, %tid.x;
    add.u32 %r3, %r1, %r2;
    mul.wide.u32 %rd2, %r3, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
)";

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction put;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&put, module, "put"));
    CUdeviceptr p;
    CHECK(cuMemAlloc(&p, 4 * 32));

    unsigned inside = 0, far = 1 << 20;
    void *good[] = {&p, &inside}, *wild[] = {&p, &far};
    const auto node = [&](CUgraph graph, const CUgraphNode* before, void** arguments) {
        CUDA_KERNEL_NODE_PARAMS launch = {};
        launch.func = put, launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
        launch.blockDimX = 32, launch.blockDimY = launch.blockDimZ = 1, launch.kernelParams = arguments;
        CUgraphNode made;
        CHECK(cuGraphAddKernelNode(&made, graph, before, before ? 1 : 0, &launch));
        return made;
    };
    CUgraph graph, child;
    CUgraphExec executable;
    CHECK(cuGraphCreate(&child, 0));
    node(child, nullptr, good);
    CHECK(cuGraphCreate(&graph, 0));
    CUgraphNode last = node(graph, nullptr, good);
    last = node(graph, &last, wild);
    last = node(graph, &last, good);
    CUgraphNode inner;
    CHECK(cuGraphAddChildGraphNode(&inner, graph, &last, 1, child));
    CHECK(cuGraphInstantiate(&executable, graph, 0));
    CHECK(cuGraphLaunch(executable, nullptr));

    WANT(cuLaunchKernel(put, 1, 1, 1, 32, 1, 1, 0, nullptr, good, nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
    WANT(cuLaunchCooperativeKernel(put, 1, 1, 1, 32, 1, 1, 0, nullptr, good) == CUDA_ERROR_ILLEGAL_ADDRESS);
    CUlaunchConfig config = {};
    config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 32;
    WANT(cuLaunchKernelEx(&config, put, good, nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
    WANT(cuGraphLaunch(executable, nullptr) == CUDA_ERROR_ILLEGAL_ADDRESS);
    WANT(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    return passed();
}
