// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that hang, each by one wrong step. hangs.ptx is made from this file:
//   nvcc -arch=compute_90 -lineinfo -ptx hangs.cu -o hangs.ptx   (the path in .file cut down to the name)
#include <cstdint>

__device__ __forceinline__ uint32_t at(const void* p) {
    return uint32_t(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void make(uint64_t* b, uint32_t count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(uint64_t* b) {
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at(b)) : "memory");
}
__device__ __forceinline__ void announce(uint64_t* b, uint32_t bytes) {
    asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], %1; }" ::"r"(at(b)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait(uint64_t* b, uint32_t parity) {
    asm volatile("{ .reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again; }" ::"r"(at(b)),
                 "r"(parity)
                 : "memory");
}
__device__ __forceinline__ void copy(void* to, const void* from, uint32_t bytes, uint64_t* b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
                 "l"(from), "r"(bytes), "r"(at(b))
                 : "memory");
}

extern "C" {

// Warp 4 fills a ring of two slots of 512 bytes, warps 0 to 3 take them out; all counts are the launch's to get wrong.
__global__ void ring(const float* in, float* out, int tiles, int ofWarps2And3, int count, int bytes) {
    __shared__ alignas(128) float slot[2][128];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int k = 0; k < 2; ++k) {
            make(&full[k], 1);
            make(&empty[k], count);
        }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128)
            for (int t = 0; t < tiles; ++t) {
                wait(&empty[t % 2], t / 2 % 2 ^ 1);
                announce(&full[t % 2], bytes);
                copy(slot[t % 2], in + t * 128, 512, &full[t % 2]);
            }
    } else {
        float sum = 0;
        for (int t = 0; t < (threadIdx.x < 64 ? tiles : ofWarps2And3); ++t) {
            wait(&full[t % 2], t / 2 % 2);
            sum += slot[t % 2][threadIdx.x];
            arrive(&empty[t % 2]);
        }
        out[threadIdx.x] = sum;
    }
}

// Rounds of a barrier that thread 7 leaves.
__global__ void leaves(float* out, int rounds) {
    __shared__ uint64_t bar;
    if (threadIdx.x == 0)
        make(&bar, blockDim.x);
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        if (threadIdx.x == 7 && r == 2)
            break;
        arrive(&bar);
        wait(&bar, r % 2);
    }
    out[threadIdx.x] = 1;
}

__global__ void twoCounts(float* out) {
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    else if (threadIdx.x < 128)
        asm volatile("bar.sync 1, 96;" ::: "memory");
    out[threadIdx.x] = 1;
}

// The compiler takes the word before the loop.
__global__ void asksOnce(int* flag, int* out) {
    if (blockIdx.x == 1) {
        *flag = 1;
        return;
    }
    while (*flag == 0)
        ;
    out[threadIdx.x] = 1;
}

// Who has ticket 2 takes its turn and then waits for what nobody writes.
__global__ void tickets(unsigned* next, unsigned* serving, int* out) {
    if (threadIdx.x == 0) {
        const unsigned own = atomicAdd(next, 1);
        while (atomicAdd(serving, 0) != own)
            ;
        if (own == 2)
            while (atomicAdd(out + 1, 0) == 0)
                ;
        ++*out;
        atomicAdd(serving, 1);
    }
}

}
