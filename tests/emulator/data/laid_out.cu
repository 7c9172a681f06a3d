// SPDX-License-Identifier: GPL-3.0-or-later
// Rings in shared memory as structs: over bytes that the launch gives, and without a name; if `wrong` says so, the reader forgets to
// give a stage back. laid_out.ptx is made from this file:
//   nvcc -arch=compute_90 -lineinfo -ptx laid_out.cu -o laid_out.ptx   (the path in .file cut down to the name)
#include <cstdint>
#include <cuda_fp16.h>

#define ROWS 2
constexpr int stages = 4, columns = 16 * ROWS;

__device__ __forceinline__ uint32_t at(const void* p) {
    return uint32_t(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void make(uint64_t* b, uint32_t count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(uint64_t* b) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ __forceinline__ void wait(uint64_t* b, uint32_t parity) {
    asm volatile("{ .reg .pred p;\nagain: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra again; }" ::"r"(at(b)),
                 "r"(parity)
                 : "memory");
}

struct Ring {
    uint64_t full[stages], empty[stages];
    alignas(128) __half tile[stages][ROWS * columns];
};

template <class R>
__device__ __forceinline__ float run(R& ring, int tiles, int wrong) {
    if (threadIdx.x == 0)
        for (int k = 0; k < stages; ++k) {
            make(&ring.full[k], 32);
            make(&ring.empty[k], 32);
        }
    __syncthreads();
    float sum = 0;
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int t = 0; t < tiles; ++t) {
            wait(&ring.empty[t % stages], t / stages % 2 ^ 1);
            ring.tile[t % stages][threadIdx.x] = __float2half(float(t));
            arrive(&ring.full[t % stages]);
        }
    } else {
#pragma unroll 1
        for (int t = 0; t < tiles; ++t) {
            wait(&ring.full[t % stages], t / stages % 2);
            sum += __half2float(ring.tile[t % stages][threadIdx.x - 32]);
            if (!wrong || t != 6)
                arrive(&ring.empty[t % stages]);
        }
    }
    return sum;
}

extern "C" {

__global__ void overBytes(float* out, int tiles, int wrong) {
    extern __shared__ __align__(1024) unsigned char bytes[];
    Ring& ring = *reinterpret_cast<Ring*>(bytes);
    out[threadIdx.x] = run(ring, tiles, wrong);
}

__global__ void withoutName(float* out, int tiles, int wrong) {
    __shared__ struct {
        uint64_t full[stages], empty[stages];
        __half tile[stages][ROWS * columns];
    } store;
    out[threadIdx.x] = run(store, tiles, wrong);
}

}
