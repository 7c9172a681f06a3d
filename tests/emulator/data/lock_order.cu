// SPDX-License-Identifier: GPL-3.0-or-later
// Two locks, taken in one order, in two, and in two behind a third: tests/emulator/memory_order_test.cpp. lock_order.ptx is made
// from this file:  nvcc -arch=compute_90 -lineinfo -ptx lock_order.cu   (the path in .file cut down to the name)
__device__ void take(int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ void leave(int* lock) {
    __threadfence();
    atomicExch(lock, 0);
}

// Block 1 takes what block 0 takes, in the order that `turned` says; gate: a third lock, held by both.
extern "C" __global__ void twoLocks(int* locks, int* sum, int turned, int gate) {
    int first = turned && blockIdx.x == 1 ? 1 : 0, second = 1 - first;
    if (gate)
        take(locks + 2);
    take(locks + first);
    take(locks + second);
    *sum += 1;
    leave(locks + second);
    leave(locks + first);
    if (gate)
        leave(locks + 2);
}
