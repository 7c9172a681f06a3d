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

// Halves of a warp take a lock by one lane each and tell the others by a shuffle. Who fails begins anew at the root, and so
// asks at three places before it comes to the same one again.
__device__ unsigned asked(const unsigned* word) {
    unsigned value;
    asm volatile("ld.relaxed.gpu.b32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

__global__ void fromTheRoot(unsigned* root, unsigned* leaf) {
    const unsigned lane = threadIdx.x % 16, half = 0xffffu << (threadIdx.x & 16);
    for (int k = 0; k < 16; ++k) {
        const unsigned more = __shfl_sync(half, threadIdx.x, k, 16);
        for (bool added = false; !added;) {
            const unsigned down = __shfl_sync(half, asked(root + lane), 0, 16);
            __shfl_sync(half, asked(leaf + down + lane), 1, 16);
            unsigned before = 0;
            if (lane == 15)
                before = atomicOr(leaf + down, 1);
            before = __shfl_sync(half, before, 15, 16);
            if (before != 0)
                continue;
            __threadfence();
            if (lane == 1) {
                const unsigned sum = asked(leaf + down + 1) + more;
                asm volatile("st.relaxed.gpu.b32 [%0], %1;" : : "l"(leaf + down + 1), "r"(sum) : "memory");
            }
            __threadfence();
            __syncwarp(half);
            if (lane == 15)
                atomicAnd(leaf + down, 0);
            added = true;
        }
    }
}

// What nobody ever writes, asked at three places of one loop.
__global__ void neverAny(const unsigned* flags) {
    if (threadIdx.x % 2 == 0)
        while ((asked(flags) | asked(flags + 1) | asked(flags + 2)) == 0) {
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

int main(int words, char** word) {
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
    unsigned* tree;
    CHECK(cudaMallocManaged(&tree, 64 * sizeof(unsigned)));
    fromTheRoot<<<2, 96>>>(tree, tree + 32);
    CHECK(cudaDeviceSynchronize());
    WANT(tree[33] == 2 * (95 * 96 / 2) && tree[32] == 0);
    if (words > 1) {
        cells[0] = cells[1] = cells[2] = 0;
        if (word[1][0] == 'a')
            neverAny<<<3, 64>>>(reinterpret_cast<unsigned*>(cells));
        else
            never<<<3, 64>>>(cells);
        WANT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    }
    return passed();
}
