// SPDX-License-Identifier: GPL-3.0-or-later
// Who holds one lock only tries the other one, which somebody else takes the other way round: once, some times, or for ever, and
// then it is a wait: tests/emulator/memory_order_test.cpp. lock_try.ptx is made from this file:
//   nvcc -arch=compute_90 -lineinfo -ptx lock_try.cu   (the path in .file cut down to the name)
__device__ bool isGiven(int* lock) {
    return atomicCAS(lock, 0, 1) == 0;
}
__device__ void leave(int* lock) {
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void triesOnce(int* locks, int* sum) {
    int* const first = locks + blockIdx.x % 2;
    int* const second = locks + 1 - blockIdx.x % 2;
    for (bool done = false; !done;) {
        while (!isGiven(first)) {
        }
        __threadfence();
        if (isGiven(second)) {
            __threadfence();
            *(volatile int*)sum = *(volatile int*)sum + 1;
            leave(second);
            done = true;
        }
        leave(first);
    }
}

extern "C" __global__ void triesSomeTimes(int* locks, int* sum, int tries) {
    int* const first = locks + blockIdx.x % 2;
    int* const second = locks + 1 - blockIdx.x % 2;
    while (!isGiven(first)) {
    }
    __threadfence();
    bool given = false;
    for (int t = 0; t < tries && !given; ++t)
        given = isGiven(second);
    if (given) {
        __threadfence();
        *(volatile int*)sum = *(volatile int*)sum + 1;
        leave(second);
    }
    leave(first);
}

// The same that asks until it is given, with a pause that grows.
extern "C" __global__ void asksAgain(int* locks, int* sum) {
    int* const first = locks + blockIdx.x % 2;
    int* const second = locks + 1 - blockIdx.x % 2;
    while (!isGiven(first)) {
    }
    __threadfence();
    for (unsigned pause = 8; !isGiven(second); pause = pause < 256 ? 2 * pause : 256)
        __nanosleep(pause);
    __threadfence();
    *(volatile int*)sum = *(volatile int*)sum + 1;
    leave(second);
    leave(first);
}
