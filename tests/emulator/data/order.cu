// SPDX-License-Identifier: GPL-3.0-or-later
// A value handed on by a flag, from block 0 to block 1, with and without the steps that PTX's memory model asks for; and a
// lock that lanes of one warp take from each other. nvcc -std=c++17 -arch=compute_90 -lineinfo -ptx order.cu

#define HANDS_ON(name, WRITE, READ)                                                                                            \
    extern "C" __global__ void name(int *data, int *flag, int *out) {                                                          \
        if (blockIdx.x == 0) {                                                                                                 \
            *data = 42;                                                                                                        \
            asm volatile(WRITE ::"l"(flag) : "memory");                                                                        \
        } else {                                                                                                               \
            int seen = 0;                                                                                                      \
            while (seen == 0)                                                                                                  \
                asm volatile(READ : "=r"(seen) : "l"(flag) : "memory");                                                        \
            *out = *data;                                                                                                      \
        }                                                                                                                      \
    }

#define RELEASES "st.release.gpu.global.s32 [%0], 1;"
#define ACQUIRES "ld.acquire.gpu.global.s32 %0, [%1];"
HANDS_ON(releasedAndAcquired, RELEASES, ACQUIRES)
HANDS_ON(notReleased, "st.relaxed.gpu.global.s32 [%0], 1;", ACQUIRES)
HANDS_ON(releasedForItsBlock, "fence.acq_rel.cta; st.relaxed.gpu.global.s32 [%0], 1;", ACQUIRES)
HANDS_ON(plainFlag, "fence.acq_rel.gpu; st.global.s32 [%0], 1;", ACQUIRES)
HANDS_ON(notAcquired, RELEASES, "ld.relaxed.gpu.global.s32 %0, [%1];")
HANDS_ON(acquiredForItsBlock, RELEASES, "ld.relaxed.gpu.global.s32 %0, [%1]; fence.acq_rel.cta;")
HANDS_ON(fencedBehind, RELEASES, "ld.relaxed.gpu.global.s32 %0, [%1]; fence.acq_rel.gpu;")

// Each lane adds its number. unlock: a plain store, as before compute capability 7.0.
extern "C" __global__ void lanesLockPlainly(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *sum += threadIdx.x;
    *lock = 0;
}
extern "C" __global__ void lanesLock(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += threadIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}
// Blocks count without an atomic.
extern "C" __global__ void countsPlainly(int *sum) {
    *sum += 1;
}

// Data and flag are volatile both.
#define HANDS_ON_VOLATILE(name, FENCE)                                                                                         \
    extern "C" __global__ void name(volatile int *data, volatile int *flag, int *out) {                                        \
        if (blockIdx.x == 0) {                                                                                                 \
            *data = 42;                                                                                                        \
            FENCE;                                                                                                             \
            *flag = 1;                                                                                                         \
        } else {                                                                                                               \
            while (*flag == 0) {                                                                                               \
            }                                                                                                                  \
            FENCE;                                                                                                             \
            *out = *data;                                                                                                      \
        }                                                                                                                      \
    }
HANDS_ON_VOLATILE(volatileNotFenced, )
HANDS_ON_VOLATILE(volatileFenced, __threadfence())

// Nodes of a tree, children 2k and 2k + 1, each summed when both of its children are ready: from the last one down, each lane
// every 32nd.
#define SUMS_TREE(name, FENCE)                                                                                                 \
    extern "C" __global__ void name(volatile int *sum, volatile int *ready, int inner) {                                       \
        for (int k = inner - threadIdx.x; k > 0;)                                                                              \
            if (ready[2 * k] && ready[2 * k + 1]) {                                                                            \
                FENCE;                                                                                                         \
                sum[k] = sum[2 * k] + sum[2 * k + 1];                                                                          \
                FENCE;                                                                                                         \
                ready[k] = 1;                                                                                                  \
                k -= 32;                                                                                                       \
            }                                                                                                                  \
    }
SUMS_TREE(sumsTree, )
SUMS_TREE(sumsTreeFenced, __threadfence())
