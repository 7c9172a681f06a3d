// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits by looking at memory: a block for another one's plain store, a host for a kernel. None is right by CUDA's rules for
// memory but the host's; all end on a GPU.
#include "check.h"

#include <cstdio>
#include <cstring>

__device__ int flag, data;
__device__ int plainly(const int* from) {
    int value;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}
__global__ void handOver(int* out) {
    if (blockIdx.x == 0) {
        data = 5;
        __threadfence();
        flag = 1;
    } else {
        while (plainly(&flag) == 0)
            ;
        *out = data;
    }
}
__global__ void never(int* out) {
    while (plainly(out) == 0)
        ;
}
__global__ void raise(volatile int* to) {
    to[1] = 7;
    __threadfence_system();
    to[0] = 1;
}

int main(int, char** words) {
    if (std::strcmp(words[1], "block") == 0) {
        int *out, host = 0;
        CHECK(cudaMalloc(&out, 4));
        handOver<<<2, 1>>>(out);
        CHECK(cudaMemcpy(&host, out, 4, cudaMemcpyDeviceToHost));
        std::printf("%d\n", host != 0);
    } else if (std::strcmp(words[1], "never") == 0) {
        int* out;
        CHECK(cudaMalloc(&out, 4));
        CHECK(cudaMemset(out, 0, 4));
        never<<<1, 1>>>(out);
        std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    } else {
        int* pinned;
        CHECK(cudaMallocHost(&pinned, 8));
        volatile int* const seen = pinned;
        seen[0] = seen[1] = 0;
        raise<<<1, 1>>>(seen);
        while (seen[0] == 0)
            ;
        std::printf("%d\n", seen[1]);
        CHECK(cudaDeviceSynchronize());
    }
}
