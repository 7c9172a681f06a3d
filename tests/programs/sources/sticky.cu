// SPDX-License-Identifier: GPL-3.0-or-later
// How errors are told: of a call, of a thread, and of a kernel, after which everything else answers the same.
#include "check.h"
#include <cstring>
#include <thread>

__global__ void write(int* p) {
    *p = 1;
}

int main() {
    // A refused call is told by itself and by the last error, until somebody asks for that.
    int* p = nullptr;
    WANT(cudaMalloc(&p, std::size_t(1) << 60) == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&p, 64)); // a call that succeeds clears nothing
    WANT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
    WANT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
    WANT(cudaGetLastError() == cudaErrorMemoryAllocation);
    WANT(cudaGetLastError() == cudaSuccess);
    // The later of two is kept.
    (void)cudaMemcpy(p, p, 4, static_cast<cudaMemcpyKind>(77));
    WANT(cudaSetDevice(-1) == cudaErrorInvalidDevice);
    WANT(cudaGetLastError() == cudaErrorInvalidDevice);
    // "Not ready" is an answer, no error; here nothing is ever unready.
    cudaEvent_t event;
    CHECK(cudaEventCreate(&event));
    WANT(cudaEventQuery(event) == cudaSuccess && cudaGetLastError() == cudaSuccess);
    // Each thread has its own.
    WANT(cudaFree(reinterpret_cast<void*>(0x10)) == cudaErrorInvalidValue);
    std::thread([] { WANT(cudaGetLastError() == cudaSuccess); }).join();
    WANT(cudaGetLastError() == cudaErrorInvalidValue);
    WANT(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    WANT(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    float milliseconds = 0;
    cudaEvent_t never;
    CHECK(cudaEventCreateWithFlags(&never, cudaEventDisableTiming));
    WANT(cudaEventElapsedTime(&milliseconds, event, never) == cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
    write<<<1, 1>>>(p);
    CHECK(cudaDeviceSynchronize());
    int value = 0;
    CHECK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
    WANT(value == 1);

    // A fault comes when the host waits, and stays: for other calls, for other threads, and however often it is asked for.
    write<<<1, 1>>>(reinterpret_cast<int*>(16));
    WANT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    WANT(cudaGetLastError() == cudaErrorIllegalAddress);
    WANT(cudaMalloc(&p, 64) == cudaErrorIllegalAddress);
    WANT(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
    std::thread([] { WANT(cudaDeviceSynchronize() == cudaErrorIllegalAddress); }).join();
    write<<<1, 1>>>(p);
    WANT(cudaGetLastError() == cudaErrorIllegalAddress);
    WANT(cudaEventRecord(event) == cudaErrorIllegalAddress);
    return passed();
}
