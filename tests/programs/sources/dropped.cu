// SPDX-License-Identifier: GPL-3.0-or-later
// What CUDA refuses or drops, and the same as it would have been right.
#include "check.h"

#include <cstdio>
#include <cstring>

__global__ void chat(int n) {
    for (int i = 0; i < n; ++i)
        printf("%d %d\n", int(threadIdx.x), i);
}

static cudaError_t inCallback = cudaSuccess;

int main(int, char** words) {
    const char* const what = words[1];
    const bool right = std::strstr(what, "-right") != nullptr;
    if (std::strncmp(what, "callback", 8) == 0) {
        cudaStream_t s;
        CHECK(cudaStreamCreate(&s));
        CHECK(cudaLaunchHostFunc(
            s, [](void* asks) { inCallback = asks ? cudaDeviceSynchronize() : cudaSuccess; }, right ? nullptr : &s));
        CHECK(cudaStreamSynchronize(s));
        std::printf("%d\n", int(inCallback));
    } else { // 256 threads print 200 times, 16 + 2 * 8 = 32 bytes each time: 1,638,400
        if (right)
            CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
        chat<<<1, 256>>>(200);
        CHECK(cudaDeviceSynchronize());
    }
}
