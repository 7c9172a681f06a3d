// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the lessons about barriers and locks: what goes wrong without them, and with them in the wrong place.
// barriers.ptx is made of it: nvcc -ptx -O3 -lineinfo -arch=compute_75.

// Each thread writes its number and reads its neighbour's: across the warps' border nothing says that it was written yet.
extern "C" __global__ void shiftWithoutBarrier(int* out) {
    __shared__ int cell[64];
    int tid = threadIdx.x;
    cell[tid] = tid;
    out[tid] = cell[(tid + 1) % 64];
}

extern "C" __global__ void shiftWithBarrier(int* out) {
    __shared__ int cell[64];
    int tid = threadIdx.x;
    cell[tid] = tid;
    __syncthreads();
    out[tid] = cell[(tid + 1) % 64];
}

// Warp 0 waits at a barrier for a warp that goes to another one, and neither of them is ever complete.
extern "C" __global__ void crossedBarriers(int* out) {
    int tid = threadIdx.x;
    if (tid < 32) {
        asm volatile("barrier.sync 1, 64;");
        asm volatile("barrier.sync 2, 64;");
    } else {
        asm volatile("barrier.sync 2, 64;");
        asm volatile("barrier.sync 1, 64;");
    }
    out[tid] = tid;
}

// 64 threads add 1 to one number, each in three steps: read, add, write.
extern "C" __global__ void countWithoutAtomic(int* counter) {
    counter[0] = counter[0] + 1;
}

extern "C" __global__ void countWithAtomic(int* counter) {
    atomicAdd(counter, 1);
}

// Each thread takes the lock, adds, and gives the lock back. Lanes of one warp wait for each other.
extern "C" __global__ void spinLock(int* lock, volatile int* counter) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    counter[0] = counter[0] + 1;
    atomicExch(lock, 0);
}

// The same without waiting inside the loop: who has the lock gives it back before the next round.
extern "C" __global__ void spinLockInRounds(int* lock, volatile int* counter) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            counter[0] = counter[0] + 1;
            atomicExch(lock, 0);
            done = true;
        }
    }
}
