// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that wait for others of their own warp: right from compute capability 7.0 on, where each thread goes on in the end.
#include "check.h"

// A cell is set when its left neighbour's is.
__global__ void settles(volatile int* cell) {
    const int t = threadIdx.x;
    bool waits;
    do {
        waits = false;
        if (cell[t] == 0) {
            if (t == 0 || cell[t - 1] != 0)
                cell[t] = 1;
            else
                waits = true;
        }
    } while (waits);
}

// Every thread takes the same lock, waits for it in a loop of its own, and adds one.
__global__ void locked(int* lock, volatile int* sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum = *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// The same in shared memory, and all meet at a barrier afterwards: one after the other, which is no fault.
__global__ void lockedInBlock(int* out) {
    __shared__ int lock;
    __shared__ volatile int sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    sum = sum + 1;
    __threadfence_block();
    atomicExch(&lock, 0);
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

// The one side of a branch waits for what the other one writes, whichever is run first.
__global__ void sides(volatile int* flags, int* out) {
    if (threadIdx.x % 2 == 0) {
        while (flags[threadIdx.x] == 0) {
        }
        out[threadIdx.x] = flags[threadIdx.x] + 1;
    } else {
        flags[threadIdx.x - 1] = threadIdx.x;
        while (flags[threadIdx.x] == 0) {
            if (flags[threadIdx.x - 1] != 0)
                flags[threadIdx.x] = 1;
        }
        out[threadIdx.x] = 0;
    }
}

// Nobody ever writes what all wait for.
__global__ void never(volatile int* flag) {
    if (threadIdx.x % 2 == 0)
        while (flag[0] == 0) {
        }
    else
        while (flag[1] == 0) {
        }
}

int main(int words, char**) {
    int *cells, *lock, *sum, *flags, *out;
    CHECK(cudaMallocManaged(&cells, 32 * sizeof(int)));
    CHECK(cudaMallocManaged(&lock, sizeof(int)));
    CHECK(cudaMallocManaged(&sum, sizeof(int)));
    CHECK(cudaMallocManaged(&flags, 64 * sizeof(int)));
    CHECK(cudaMallocManaged(&out, 64 * sizeof(int)));
    settles<<<1, 32>>>(cells);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 32; ++t)
        WANT(cells[t] == 1);
    locked<<<5, 96>>>(lock, sum);
    CHECK(cudaDeviceSynchronize());
    WANT(*sum == 5 * 96 && *lock == 0);
    lockedInBlock<<<2, 96>>>(out);
    CHECK(cudaDeviceSynchronize());
    WANT(out[0] == 96 && out[1] == 96);
    sides<<<1, 64>>>(flags, out);
    CHECK(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t += 2)
        WANT(out[t] == t + 2 && out[t + 1] == 0);
    if (words > 1) {
        cells[0] = cells[1] = 0;
        never<<<3, 64>>>(cells);
        WANT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    }
    return passed();
}
