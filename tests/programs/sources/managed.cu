// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that host and device both use: managed, pinned, registered, and managed variables.
#include "check.h"
#include <vector>

__managed__ int total = 5;
__managed__ int table[32];

__global__ void fill(int* p, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += value;
    if (i < 32)
        table[i] = 2 * i;
    if (i == 0)
        total += n;
}

int main() {
    const int n = 256;
    int* managed;
    CHECK(cudaMallocManaged(&managed, n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        managed[i] = i;
    CHECK(cudaMemPrefetchAsync(managed, n * sizeof(int), cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, nullptr));
    fill<<<1, n>>>(managed, n, 1000);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
        WANT(managed[i] == 1000 + i);
    WANT(total == 5 + n && table[31] == 62);
    total = 0;
    int *pinned, *mapped;
    CHECK(cudaHostAlloc(&pinned, n * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < n; ++i)
        pinned[i] = -i;
    CHECK(cudaHostGetDevicePointer(&mapped, pinned, 0));
    fill<<<1, n>>>(mapped, n, 7);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i)
        WANT(pinned[i] == 7 - i);
    WANT(total == n);
    std::vector<int> own(1 << 20, 3);
    CHECK(cudaHostRegister(own.data(), own.size() * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&mapped, own.data(), 0));
    fill<<<1, n>>>(mapped + 100, n, 4);
    CHECK(cudaDeviceSynchronize());
    WANT(own[99] == 3 && own[100] == 7 && own[355] == 7 && own[356] == 3);
    CHECK(cudaHostUnregister(own.data()));
    static int still[1024]; // which lies elsewhere than what is allocated
    CHECK(cudaHostRegister(still, sizeof still, cudaHostRegisterMapped));
    fill<<<1, n>>>(still + 10, n, 5);
    CHECK(cudaDeviceSynchronize());
    WANT(still[9] == 0 && still[10] == 5 && still[10 + n - 1] == 5 && still[10 + n] == 0);
    CHECK(cudaHostUnregister(still));
    cudaPointerAttributes about;
    CHECK(cudaPointerGetAttributes(&about, managed + 3));
    WANT(about.type == cudaMemoryTypeManaged && about.devicePointer == managed + 3);
    CHECK(cudaPointerGetAttributes(&about, own.data()));
    WANT(about.type == cudaMemoryTypeUnregistered);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    return passed();
}
