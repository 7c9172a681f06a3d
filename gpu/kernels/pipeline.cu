// SPDX-License-Identifier: GPL-3.0-or-later
// Products on tensor cores whose tiles are fetched by cp.async while others are multiplied.
#include <cuda_fp16.h>

namespace {

const int tile = 64; // rows and columns of C that a block works out
const int deep = 32; // of K at a time

__device__ unsigned sharedAddress(const void* p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

// Eight halves from global to shared memory, while the thread goes on; zeros where there is nothing to fetch.
__device__ void copyEight(__half* to, const __half* from, bool isThere) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(to)), "l"(from),
                 "r"(isThere ? 16 : 0)
                 : "memory");
}

// Four tiles of 8 x 8 halves, a row of them from each lane's address, as mma wants them in registers.
__device__ void loadFragments(unsigned (&to)[4], const __half* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(sharedAddress(row))
                 : "memory");
}
__device__ void loadTurned(unsigned (&to)[4], const __half* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(sharedAddress(row))
                 : "memory");
}

// sum (16 x 8) += a (16 x 16) b (16 x 8), by the whole warp.
__device__ void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Rows in shared memory are eight halves longer than the tile, so that the eight rows of ldmatrix meet all banks.
struct Stage {
    __half a[tile][deep + 8];
    __half b[deep][tile + 8];
};

// C (N x N) = A (N x K) B (K x N), all by rows; rows of A and B are as long as makes 16 bytes whole. Four warps, each with
// 32 x 32 of C. A ring of stages: one is multiplied, the others are on their way.
template <int stages>
__device__ void product(Stage* ring, const __half* A, const __half* B, float* C, int N, int K) {
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    const int row = blockIdx.y * tile, col = blockIdx.x * tile;
    const int pitchA = (K + 7) / 8 * 8, pitchB = (N + 7) / 8 * 8;
    const int steps = (K + deep - 1) / deep;
    const int m0 = warp / 2 * 32, n0 = warp % 2 * 32; // of this warp, in the block's tile

    auto fetch = [&](int step) {
        if (step < steps) {
            Stage& s = ring[step % stages];
            for (int i = thread; i < tile * deep / 8; i += 128) {
                int r = i / (deep / 8), c = i % (deep / 8) * 8, k = step * deep + c;
                bool isThere = row + r < N && k < pitchA;
                copyEight(&s.a[r][c], isThere ? A + (row + r) * pitchA + k : A, isThere);
                r = i / (tile / 8), c = i % (tile / 8) * 8, k = step * deep + r;
                isThere = k < K && col + c < pitchB;
                copyEight(&s.b[r][c], isThere ? B + k * pitchB + col + c : B, isThere);
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory"); // an empty group, too: so that counting them stays right
    };

    float sum[2][4][4] = {};
    for (int step = 0; step < stages - 1; ++step)
        fetch(step);
    for (int step = 0; step < steps; ++step) {
        // All groups but the last stages - 2 have come: that of this step.
        asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
        __syncthreads(); // it is there for all, and nobody reads the stage that is filled next
        fetch(step + stages - 1);
        const Stage& s = ring[step % stages];
        for (int k = 0; k < deep; k += 16) {
            unsigned a[2][4], b[2][4];
            for (int m = 0; m < 2; ++m)
                loadFragments(a[m], &s.a[m0 + m * 16 + lane % 16][k + lane / 16 * 8]);
            for (int n = 0; n < 2; ++n)
                loadTurned(b[n], &s.b[k + lane % 16][n0 + n * 16 + lane / 16 * 8]);
            for (int m = 0; m < 2; ++m)
                for (int n = 0; n < 4; ++n)
                    multiply(sum[m][n], a[m], b[n / 2][n % 2 * 2], b[n / 2][n % 2 * 2 + 1]);
        }
    }
    for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 4; ++n)
            for (int i = 0; i < 4; ++i) {
                int r = row + m0 + m * 16 + lane / 4 + i / 2 * 8;
                int c = col + n0 + n * 8 + lane % 4 * 2 + i % 2;
                if (r < N && c < N) {
                    C[r * N + c] = sum[m][n][i];
                }
            }
}

} // namespace

extern "C" __global__ void __launch_bounds__(128)
    matmul_two_stages(const __half* A, const __half* B, float* C, int N, int K) {
    __shared__ __align__(16) Stage ring[2];
    product<2>(ring, A, B, C, N, K);
}

extern "C" __global__ void __launch_bounds__(128)
    matmul_four_stages(const __half* A, const __half* B, float* C, int N, int K) {
    __shared__ __align__(16) Stage ring[4];
    product<4>(ring, A, B, C, N, K);
}
