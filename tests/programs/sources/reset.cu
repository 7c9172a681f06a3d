// SPDX-License-Identifier: GPL-3.0-or-later
// What cudaDeviceReset leaves: no memory nor handle of the program's, variables as they were at first, and a device that works.
#include "check.h"

#include <vector>

__device__ int counter = 7;
__constant__ int factor = 3;

__global__ void count(int* out) {
    out[threadIdx.x] = factor * counter;
    if (threadIdx.x == 0)
        counter += 1;
}

int use(int* memory) {
    count<<<1, 1>>>(memory);
    int got = 0;
    CHECK(cudaMemcpy(&got, memory, sizeof got, cudaMemcpyDeviceToHost));
    return got;
}

__global__ void look(cudaTextureObject_t texture, float* out) {
    *out = tex2D<float>(texture, 0, 0);
}

bool refused(cudaError_t status) {
    (void)cudaGetLastError();
    return status != cudaSuccess;
}

// What a handle named before is not there any more. (Of a program that goes on with such handles CUDA promises nothing.)
void handlesName() {
    std::size_t before = 0, after = 0, all = 0;
    CHECK(cudaMemGetInfo(&before, &all));
    cudaStream_t stream, capturing;
    cudaEvent_t event;
    cudaGraph_t graph, graphWithMemory, captured;
    cudaGraphExec_t executable, executableWithMemory;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphCreate(&graphWithMemory, 0));
    cudaMemAllocNodeParams words = {};
    words.poolProps.allocType = cudaMemAllocationTypePinned;
    words.poolProps.location = {cudaMemLocationTypeDevice, 0};
    words.bytesize = 1 << 20;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddMemAllocNode(&node, graphWithMemory, nullptr, 0, &words)); // and is not given back
    CHECK(cudaGraphInstantiate(&executableWithMemory, graphWithMemory, 0));
    CHECK(cudaGraphLaunch(executableWithMemory, stream));
    CHECK(cudaStreamCreate(&capturing));
    CHECK(cudaStreamBeginCapture(capturing, cudaStreamCaptureModeRelaxed));
    cudaMemPoolProps of = {};
    of.allocType = cudaMemAllocationTypePinned, of.location = words.poolProps.location;
    cudaMemPool_t pool, current;
    CHECK(cudaMemPoolCreate(&pool, &of));
    CHECK(cudaDeviceSetMemPool(0, pool));

    const auto format = cudaCreateChannelDesc<float>();
    cudaArray_t array, level;
    cudaMipmappedArray_t mipmap;
    CHECK(cudaMallocArray(&array, &format, 64, 64, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(64, 64, 0), 3, 0));
    CHECK(cudaGetMipmappedArrayLevel(&level, mipmap, 1));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    CHECK(cudaCreateSurfaceObject(&surface, &resource));

    CHECK(cudaDeviceReset());
    CHECK(cudaMemGetInfo(&after, &all));
    WANT(after + (64 << 20) >= before); // a driver may keep some for later
    WANT(refused(cudaStreamQuery(stream)) && refused(cudaStreamDestroy(stream)));
    WANT(refused(cudaEventQuery(event)) && refused(cudaEventRecord(event, nullptr)));
    WANT(refused(cudaGraphLaunch(executable, nullptr)) && refused(cudaGraphDestroy(graph)));
    WANT(refused(cudaGraphLaunch(executableWithMemory, nullptr)));
    WANT(refused(cudaStreamEndCapture(capturing, &captured)));
    WANT(refused(cudaMemPoolDestroy(pool)));
    CHECK(cudaDeviceGetMemPool(&current, 0));
    WANT(current != pool);
    cudaExtent extent;
    WANT(refused(cudaArrayGetInfo(nullptr, &extent, nullptr, array)));
    WANT(refused(cudaArrayGetInfo(nullptr, &extent, nullptr, level)));
    WANT(refused(cudaGetMipmappedArrayLevel(&level, mipmap, 0)));
    WANT(refused(cudaGetTextureObjectResourceDesc(&resource, texture)));

    // All of it can be made anew.
    float *out, got = 0;
    CHECK(cudaMalloc(&out, sizeof got));
    CHECK(cudaMallocArray(&array, &format, 64, 64));
    const float first = 2.5f;
    CHECK(cudaMemcpy2DToArray(array, 0, 0, &first, 4, 4, 1, cudaMemcpyHostToDevice));
    resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    look<<<1, 1, 0, stream>>>(texture, out);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    WANT(got == first);
}

int main() {
    handlesName();
    CHECK(cudaDeviceReset());
    std::size_t before = 0, during = 0, after = 0, all = 0;
    CHECK(cudaMemGetInfo(&before, &all));
    int *memory, *shared, *pinned, *ordered;
    CHECK(cudaMalloc(&memory, 1 << 20));
    CHECK(cudaMallocManaged(&shared, 1 << 20));
    CHECK(cudaMallocHost(&pinned, 1 << 20));
    CHECK(cudaMallocAsync(&ordered, 1 << 20, nullptr));
    CHECK(cudaMemGetInfo(&during, &all));
    WANT(before - during >= 3 << 20); // pinned memory is the host's
    WANT(use(memory) == 21);
    WANT(use(memory) == 24);
    const int ten = 10;
    CHECK(cudaMemcpyToSymbol(factor, &ten, sizeof ten));
    WANT(use(memory) == 90);

    CHECK(cudaDeviceReset());
    CHECK(cudaMemGetInfo(&after, &all));
    WANT(after == before);
    WANT(cudaFree(memory) == cudaErrorInvalidValue);
    WANT(cudaGetLastError() == cudaErrorInvalidValue);

    CHECK(cudaMalloc(&memory, 1 << 20));
    WANT(use(memory) == 21);
    CHECK(cudaFree(memory));
    CHECK(cudaDeviceReset());
    return passed();
}
