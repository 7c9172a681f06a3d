// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel does wrong comes back with the next call that waits, and stays. The first argument names the fault, the
// exit status is the number of the error that the runtime gave.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <unistd.h>
#include <csignal>

__global__ void good(int* p) {
    p[threadIdx.x] = int(threadIdx.x);
}
__global__ void wild(int* p) {
    p[threadIdx.x + (1 << 20)] = 1;
}
__global__ void misaligned(char* p) {
    *(int*)(p + 2) = 1;
}
__global__ void asserts(int* p) {
    assert(p[0] == 1);
}
__global__ void traps() {
    asm volatile("trap;");
}
__global__ void endless(volatile int* p) {
    for (int k = 0; p[1] != 7; k += 3)
        p[2] = k;
}

int main(int argc, char** argv) {
    const char* fault = argc > 1 ? argv[1] : "";
    int* p = nullptr;
    cudaMalloc(&p, 32 * sizeof(int));
    good<<<1, 32>>>(p);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    std::printf("before\n");
    std::fflush(stdout);
    if (!std::strcmp(fault, "exit"))
        std::exit(42);
    if (!std::strcmp(fault, "kill"))
        kill(getpid(), SIGKILL);
    if (!std::strcmp(fault, "crash"))
        *p = 1; // the host has nothing at an address of the device
    if (!std::strcmp(fault, "wild"))
        wild<<<1, 32>>>(p);
    if (!std::strcmp(fault, "misaligned"))
        misaligned<<<1, 1>>>((char*)p);
    if (!std::strcmp(fault, "assert"))
        asserts<<<1, 2>>>(p);
    if (!std::strcmp(fault, "trap"))
        traps<<<1, 1>>>();
    if (!std::strcmp(fault, "endless"))
        endless<<<1, 1>>>(p);
    const cudaError_t status = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(status));
    good<<<1, 32>>>(p); // the device stays broken
    return cudaGetLastError() == status && cudaFree(p) == status ? int(status) & 255 : 1;
}
