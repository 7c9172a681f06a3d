// SPDX-License-Identifier: GPL-3.0-or-later
// Memory in stream order: the device's pool and one of the program's own, what they count, and graphs' memory.
#include "check.h"

__global__ void fill(int* p, int value) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static unsigned long long amount(cudaMemPool_t pool, cudaMemPoolAttr which) {
    unsigned long long value = ~0ull;
    CHECK(cudaMemPoolGetAttribute(pool, which, &value));
    return value;
}

int main() {
    constexpr std::size_t kilo = 1024;
    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    WANT(supported == 1);
    cudaMemPool_t standard, current, own;
    CHECK(cudaDeviceGetDefaultMemPool(&standard, 0));
    CHECK(cudaDeviceGetMemPool(&current, 0));
    WANT(standard == current);
    cudaMemPoolProps words = {};
    words.allocType = cudaMemAllocationTypePinned;
    words.location.type = cudaMemLocationTypeDevice;
    words.location.id = 0;
    CHECK(cudaMemPoolCreate(&own, &words));
    WANT(own != standard);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));

    int *a, *b, *c, host[256];
    CHECK(cudaMallocAsync(&a, 256 * kilo, stream)); // of the standard pool
    CHECK(cudaMallocFromPoolAsync(&b, 64 * kilo, own, stream));
    CHECK(cudaDeviceSetMemPool(0, own));
    CHECK(cudaMallocAsync(&c, kilo, stream)); // now of the other one
    CHECK(cudaDeviceGetMemPool(&current, 0));
    WANT(current == own);
    WANT(amount(standard, cudaMemPoolAttrUsedMemCurrent) == 256 * kilo);
    WANT(amount(own, cudaMemPoolAttrUsedMemCurrent) == 65 * kilo);
    WANT(amount(own, cudaMemPoolAttrReservedMemCurrent) >= 65 * kilo);
    fill<<<1, 256, 0, stream>>>(c, 17);
    CHECK(cudaMemcpyAsync(host, c, kilo, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(b, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(host[255] == 17);
    WANT(amount(own, cudaMemPoolAttrUsedMemCurrent) == kilo);
    WANT(amount(own, cudaMemPoolAttrUsedMemHigh) == 65 * kilo);
    unsigned long long zero = 0;
    CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &zero));
    WANT(amount(own, cudaMemPoolAttrUsedMemHigh) == kilo);

    // With a threshold a pool keeps what was given back, until it is trimmed.
    unsigned long long threshold = 1 << 20;
    CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
    WANT(amount(own, cudaMemPoolAttrReleaseThreshold) == threshold);
    CHECK(cudaMallocAsync(&b, 512 * kilo, stream));
    CHECK(cudaFreeAsync(b, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(amount(own, cudaMemPoolAttrReservedMemCurrent) >= 513 * kilo);
    CHECK(cudaMemPoolTrimTo(own, 0));
    WANT(amount(own, cudaMemPoolAttrReservedMemCurrent) == 32 << 20); // which it has at once
    int reuse = -1;
    CHECK(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
    WANT(reuse == 1);
    CHECK(cudaFreeAsync(a, stream));
    CHECK(cudaFree(c)); // either way will do
    CHECK(cudaDeviceSynchronize());
    WANT(amount(standard, cudaMemPoolAttrUsedMemCurrent) == 0);
    WANT(amount(own, cudaMemPoolAttrUsedMemCurrent) == 0);
    CHECK(cudaMemPoolDestroy(own));
    WANT(cudaMemPoolDestroy(standard) != cudaSuccess);
    CHECK(cudaDeviceGetMemPool(&current, 0));
    WANT(current == standard);
    (void)cudaGetLastError();

    // A node takes memory at an address that is known before it runs; the host gives back what the graph does not.
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemAllocNodeParams taken = {};
    taken.poolProps = words, taken.bytesize = 4 * kilo;
    cudaGraphNode_t take, kernel;
    CHECK(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &taken));
    int* p = static_cast<int*>(taken.dptr);
    int value = 23;
    void* arguments[] = {&p, &value};
    cudaKernelNodeParams launch = {};
    launch.func = (void*)fill, launch.gridDim = dim3(4), launch.blockDim = dim3(256), launch.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &take, 1, &launch));
    cudaGraphExec_t run;
    CHECK(cudaGraphInstantiate(&run, graph, 0));
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaMemcpyAsync(host, p + 768, kilo, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    WANT(host[0] == 23 && host[255] == 23);
    unsigned long long used = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    WANT(used == 4 * kilo);
    WANT(cudaGraphLaunch(run, stream) == cudaErrorInvalidValue); // it has not been given back
    (void)cudaGetLastError();
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    WANT(used == 0);
    CHECK(cudaGraphLaunch(run, stream));
    CHECK(cudaFreeAsync(p, stream));
    CHECK(cudaGraphExecDestroy(run));
    CHECK(cudaGraphDestroy(graph));
    return passed();
}
