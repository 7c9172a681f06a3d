// SPDX-License-Identifier: GPL-3.0-or-later
// A tile's copies by lane, by how its rows lie in memory, how many groups may be under way where a round waits, and ldmatrix
// behind them: lane_tile of h200-micro.csv. nvcc -std=c++20 -O3 -gencode arch=compute_90a,code=sm_90a.
// All data lie in L2; with 132 SMs all copy the same. Rows: case,cycles a round of the first block.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define OK(x)                                                                                                          \
    do {                                                                                                               \
        cudaError_t e_ = (x);                                                                                          \
        if (e_ != cudaSuccess) {                                                                                       \
            printf("%s %s\n", #x, cudaGetErrorString(e_));                                                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
__device__ inline unsigned sharedAddress(const void* p) {
    return unsigned(__cvta_generic_to_shared(p));
}
// How: 0 cp.async.cg with a source size, 1 cp.async.cg without, 2 cp.async.ca, 3 ld.global.cg.v4
// Left: groups that may be under way at the wait; -1: nobody waits. Then: ldmatrix behind the copies so many times.
template <int Pieces, int How, int Left, int Then, int Warps, int Each>
__global__ void __launch_bounds__(32 * Warps)
    tile(const char* a, unsigned pitch, unsigned step, float* out, uint64_t* cycles, int rounds) {
    extern __shared__ __align__(1024) char memory[];
    const unsigned at = sharedAddress(memory);
    constexpr int bytes = Warps * Each * 512;
    unsigned sum = 0;
    __syncthreads();
    const uint64_t t0 = clock64();
#pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        if constexpr (Left >= 0) {
            asm volatile("cp.async.wait_group %0;" ::"n"(Left < 0 ? 0 : Left) : "memory");
            __syncthreads();
        }
        const unsigned to = at + unsigned(k % 4) * bytes;
        const char* from = a + (k % 16) * step;
        uint4 v[Each];
#pragma unroll
        for (int e = 0; e < Each; ++e) {
            const int p = int(threadIdx.x) + e * 32 * Warps, row = p / Pieces, piece = p % Pieces;
            const char* f = from + row * pitch + piece * 16;
            const unsigned t = to + unsigned(row * Pieces * 16 + ((piece ^ (row & (Pieces - 1))) << 4));
            if constexpr (How == 0)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(t), "l"(f),
                             "r"(row < 100000 - int(pitch >> 20) ? 16 : 0)
                             : "memory");
            else if constexpr (How == 1)
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(t), "l"(f) : "memory");
            else if constexpr (How == 2)
                asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(t), "l"(f) : "memory");
            else
                asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(v[e].x), "=r"(v[e].y), "=r"(v[e].z), "=r"(v[e].w)
                             : "l"(f)
                             : "memory");
        }
        if constexpr (How == 3) {
#pragma unroll
            for (int e = 0; e < Each; ++e)
                sum += v[e].x ^ v[e].y ^ v[e].z ^ v[e].w;
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
#pragma unroll
        for (int e = 0; e < Then; ++e) {
            unsigned m[4];
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                         : "r"(at + unsigned((k + 2) % 4) * bytes + (threadIdx.x % 32) * 16 + e * 512)
                         : "memory");
            sum += m[0] ^ m[1] ^ m[2] ^ m[3];
        }
    }
    const uint64_t t1 = clock64();
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    out[blockIdx.x * blockDim.x + threadIdx.x] = float(sum);
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = t1 - t0;
}
char* data;
float* out;
uint64_t* cyc;
template <int Pieces, int How, int Left, int Then, int Warps, int Each>
void one(const char* name) {
    OK(cudaFuncSetAttribute(tile<Pieces, How, Left, Then, Warps, Each>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            4 * Warps * Each * 512));
    for (int sms : {1, 132})
        for (unsigned pitch : {unsigned(Pieces * 16), 2048u, 4096u, 4224u, 8192u}) {
            for (int again = 0; again < 3; ++again) {
                tile<Pieces, How, Left, Then, Warps, Each><<<sms, 32 * Warps, 4 * Warps * Each * 512>>>(
                    data, pitch, pitch == unsigned(Pieces * 16) ? Warps * Each * 512 : Pieces * 16, out, cyc, 256);
                OK(cudaDeviceSynchronize());
            }
            uint64_t c;
            OK(cudaMemcpy(&c, cyc, 8, cudaMemcpyDeviceToHost));
            printf("lane_tile/%s/row:%d/KB:%g/warps:%d/left:%d/then:%d/pitch:%u/sms:%d,%.2f,cycles\n", name,
                   Pieces * 16, Warps * Each * 0.5, Warps, Left, Then, pitch, sms, c / 256.0);
        }
}
template <int Pieces, int How>
void some(const char* name) {
    one<Pieces, How, -1, 0, 4, 8>(name);
    one<Pieces, How, 0, 0, 4, 8>(name);
    one<Pieces, How, 1, 0, 4, 8>(name);
    one<Pieces, How, 2, 0, 4, 8>(name);
    one<Pieces, How, 2, 0, 4, 4>(name);
    one<Pieces, How, 2, 0, 8, 4>(name);
    one<Pieces, How, 1, 8, 4, 8>(name);
    one<Pieces, How, -1, 8, 4, 8>(name);
}
int main() {
    OK(cudaMalloc(&data, 64 << 20));
    OK(cudaMalloc(&out, 4 << 20));
    OK(cudaMalloc(&cyc, 8));
    OK(cudaMemset(data, 0, 64 << 20));
    some<8, 0>("cg_size");
    some<8, 1>("cg");
    some<8, 2>("ca");
    some<4, 1>("cg");
    some<16, 1>("cg");
    one<8, 3, -1, 0, 4, 8>("ld");
    one<4, 3, -1, 0, 4, 8>("ld");
    one<16, 3, -1, 0, 4, 8>("ld");
    return 0;
}
