// SPDX-License-Identifier: GPL-3.0-or-later
// Two devices: memory, variables, streams and faults of their own; peer access and copies between them.
#include "check.h"
#include <cstring>
#include <thread>

__device__ int own = 5;
__managed__ int common = 0;

__global__ void put(int* p, int value) {
    p[threadIdx.x] = value + int(threadIdx.x) + own;
    if (threadIdx.x == 0)
        common += value;
}

__global__ void fetch(int* to, const int* from) {
    to[threadIdx.x] = from[threadIdx.x] + own;
}

int main() {
    int count = 0, current = -1, can = 0, host[32], access = 0;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaGetDevice(&current));
    WANT(count == 2 && current == 0);
    WANT(cudaSetDevice(2) == cudaErrorInvalidDevice);
    (void)cudaGetLastError();
    cudaDeviceProp first, second;
    CHECK(cudaGetDeviceProperties(&first, 0));
    CHECK(cudaGetDeviceProperties(&second, 1));
    WANT(std::strcmp(first.name, second.name) == 0 && first.pciBusID != second.pciBusID);
    WANT(std::memcmp(&first.uuid, &second.uuid, sizeof first.uuid) != 0);
    int bus = 0;
    char text[32];
    CHECK(cudaDeviceGetPCIBusId(text, sizeof text, 1));
    CHECK(cudaDeviceGetByPCIBusId(&bus, text));
    WANT(bus == 1);

    int *a, *b;
    std::size_t free0 = 0, free1 = 0, total = 0;
    CHECK(cudaMalloc(&a, sizeof host));
    CHECK(cudaMemGetInfo(&free0, &total));
    CHECK(cudaSetDevice(1));
    CHECK(cudaMemGetInfo(&free1, &total));
    WANT(free1 > free0); // nothing is taken here yet but what both share
    CHECK(cudaMalloc(&b, sizeof host));
    cudaPointerAttributes where;
    CHECK(cudaPointerGetAttributes(&where, a));
    WANT(where.device == 0 && where.type == cudaMemoryTypeDevice);
    CHECK(cudaPointerGetAttributes(&where, b));
    WANT(where.device == 1);

    // Each device has its own `own`; `common` is one.
    const int hundred = 100;
    CHECK(cudaMemcpyToSymbol(own, &hundred, sizeof hundred));
    put<<<1, 32>>>(b, 1000);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
    put<<<1, 32>>>(a, 2000);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host[3] == 2008 && common == 3000);
    CHECK(cudaMemcpyPeer(a, 0, b, 1, sizeof host));
    CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDefault));
    WANT(host[3] == 1103);
    WANT(cudaMemcpyPeer(a, 0, b, 5, 4) == cudaErrorInvalidDevice);

    // A stream belongs to the device that was current when it was made.
    CHECK(cudaSetDevice(1));
    cudaStream_t there;
    CHECK(cudaStreamCreate(&there));
    CHECK(cudaSetDevice(0));
    fetch<<<1, 32, 0, there>>>(a, a);
    WANT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    CHECK(cudaMemcpyAsync(host, b, sizeof host, cudaMemcpyDeviceToHost, there)); // copies go on any
    CHECK(cudaStreamSynchronize(there));

    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    WANT(can == 1);
    CHECK(cudaDeviceCanAccessPeer(&can, 1, 1));
    WANT(can == 0);
    CHECK(cudaDeviceGetP2PAttribute(&access, cudaDevP2PAttrAccessSupported, 0, 1));
    WANT(access == 1);
    WANT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    WANT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
    (void)cudaGetLastError();
    fetch<<<1, 32>>>(a, b);
    CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host[3] == 1108);
    int* later = nullptr; // what comes afterwards is seen, too
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&later, sizeof host));
    CHECK(cudaMemset(later, 0, sizeof host));
    CHECK(cudaDeviceSynchronize()); // the other device's stream does not wait for that
    CHECK(cudaSetDevice(0));
    fetch<<<1, 32>>>(a, later);
    CHECK(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host[3] == 5);

    // Another thread begins with the first device, whatever this one has.
    CHECK(cudaSetDevice(1));
    int inThread = -1;
    std::thread([&] { CHECK(cudaGetDevice(&inThread)); }).join();
    WANT(inThread == 0);

    // A device that is reset takes its own handles and memory with it, and none of the other's.
    cudaEvent_t here;
    cudaArray_t plane, planeThere;
    cudaExtent extent;
    const auto format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&planeThere, &format, 4, 4));
    CHECK(cudaSetDevice(0));
    CHECK(cudaEventCreate(&here));
    CHECK(cudaMallocArray(&plane, &format, 4, 4));
    CHECK(cudaDeviceReset());
    WANT(cudaEventQuery(here) != cudaSuccess && cudaFree(a) != cudaSuccess);
    WANT(cudaArrayGetInfo(nullptr, &extent, nullptr, plane) != cudaSuccess);
    (void)cudaGetLastError();
    CHECK(cudaSetDevice(1));
    CHECK(cudaStreamQuery(there));
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, planeThere));
    CHECK(cudaMemcpy(host, later, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&a, sizeof host));
    CHECK(cudaDeviceEnablePeerAccess(1, 0));

    // Without access a kernel faults; the other device goes on.
    CHECK(cudaSetDevice(0));
    CHECK(cudaDeviceDisablePeerAccess(1));
    WANT(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
    (void)cudaGetLastError();
    fetch<<<1, 32>>>(a, b);
    WANT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    WANT(cudaMemset(a, 0, 4) == cudaErrorIllegalAddress);
    (void)cudaGetLastError();
    CHECK(cudaSetDevice(1));
    put<<<1, 32, 0, there>>>(b, 1);
    CHECK(cudaStreamSynchronize(there));
    CHECK(cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost));
    WANT(host[3] == 104);
    return passed();
}
