// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs by the driver's calls: kernels, a copy of a box, fills, edges, an event, and a capture.
#include "check_driver.h"

#include <cstring>

// p[i] = p[i] * 2 + by
static const char* const text = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry step(.param .u64 p, .param .u32 by) {
    .reg .b32 %r<5>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [by];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r3, [%rd3];
    shl.b32 %r3, %r3, 1;
    add.s32 %r3, %r3, %r1;
    st.global.u32 [%rd3], %r3;
    ret;
}
)";

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction step;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&step, module, "step"));
    CUdeviceptr p;
    CHECK(cuMemAlloc(&p, 4 * 24));
    unsigned host[24], by = 5;

    CUgraph graph;
    CUgraphNode fill, kernel, copy;
    CHECK(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS threes = {};
    threes.dst = p, threes.value = 3, threes.elementSize = 4, threes.width = 24, threes.height = 1;
    CHECK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &threes, context));
    void* arguments[] = {&p, &by};
    CUDA_KERNEL_NODE_PARAMS launch = {};
    launch.func = step, launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
    launch.blockDimX = 24, launch.blockDimY = launch.blockDimZ = 1, launch.kernelParams = arguments;
    CHECK(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &launch));
    // Of a box of 4 x 3 x 2 words the part at (1, 1, 1) of 2 x 2 x 1, into the host's list.
    CUDA_MEMCPY3D box;
    std::memset(&box, 0, sizeof box);
    box.srcMemoryType = CU_MEMORYTYPE_DEVICE, box.srcDevice = p, box.srcPitch = 16, box.srcHeight = 3;
    box.srcXInBytes = 4, box.srcY = 1, box.srcZ = 1;
    box.dstMemoryType = CU_MEMORYTYPE_HOST, box.dstHost = host, box.dstPitch = 8, box.dstHeight = 2;
    box.WidthInBytes = 8, box.Height = 2, box.Depth = 1;
    CHECK(cuGraphAddMemcpyNode(&copy, graph, &kernel, 1, &box, context));
    CUgraphNodeType type;
    CHECK(cuGraphNodeGetType(copy, &type));
    std::size_t before = 1;
    CUgraphNode which;
#if CUDA_VERSION >= 13000
    CHECK(cuGraphNodeGetDependencies(copy, &which, nullptr, &before));
#else
    CHECK(cuGraphNodeGetDependencies(copy, &which, &before));
#endif
    WANT(type == CU_GRAPH_NODE_TYPE_MEMCPY && before == 1 && which == kernel);
    CUDA_KERNEL_NODE_PARAMS asked;
    CHECK(cuGraphKernelNodeGetParams(kernel, &asked));
    WANT(asked.func == step && asked.blockDimX == 24 && *static_cast<unsigned*>(asked.kernelParams[1]) == 5);
    CUgraphExec run;
    CHECK(cuGraphInstantiate(&run, graph, 0));
    std::memset(host, 0, sizeof host);
    CHECK(cuGraphLaunch(run, nullptr));
    CHECK(cuCtxSynchronize());
    for (unsigned i = 0; i < 24; ++i)
        WANT(host[i] == (i < 4 ? 11u : 0u)); // 3 * 2 + 5
    by = 1000;
    CHECK(cuGraphExecKernelNodeSetParams(run, kernel, &launch));
    CHECK(cuGraphLaunch(run, nullptr));
    CHECK(cuCtxSynchronize());
    WANT(host[0] == 1006);

    // The same by capture: twice step on what is there, then all of it to the host.
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    by = 1;
    CHECK(cuLaunchKernel(step, 1, 1, 1, 24, 1, 1, 0, stream, arguments, nullptr));
    by = 2;
    CHECK(cuLaunchKernel(step, 1, 1, 1, 24, 1, 1, 0, stream, arguments, nullptr));
    CHECK(cuMemcpyDtoHAsync(host, p, sizeof host, stream));
    CUgraph captured;
    CHECK(cuStreamEndCapture(stream, &captured));
    std::size_t nodes = 0;
    CHECK(cuGraphGetNodes(captured, nullptr, &nodes));
    WANT(nodes == 3 && host[0] == 1006);
    CUgraphExec again;
    CHECK(cuGraphInstantiate(&again, captured, 0));
    CHECK(cuGraphLaunch(again, stream));
    CHECK(cuStreamSynchronize(stream));
    for (unsigned value : host)
        WANT(value == (1006 * 2 + 1) * 2 + 2);
    CHECK(cuGraphExecDestroy(again));
    CHECK(cuGraphExecDestroy(run));
    CHECK(cuGraphDestroy(captured));
    CHECK(cuGraphDestroy(graph));
    std::printf("passed\n");
    return 0;
}
