// SPDX-License-Identifier: GPL-3.0-or-later
// Products of square matrices by tensor cores, in the three ways to ask for them, and a warp that does not come together.
// matrix.ptx: nvcc -ptx -O3 -arch=compute_90a
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

// wmma: each of four warps makes 16 x 16 of the block's 32 x 32, from tiles in shared memory. c by rows.
extern "C" __global__ void productByWmma(const half* a, const half* b, float* c, int n) {
    using namespace nvcuda;
    __shared__ alignas(32) half tileA[32][24], tileB[16][40];
    const int warp = threadIdx.x / 32, row = blockIdx.y * 32, column = blockIdx.x * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            tileA[i / 16][i % 16] = a[(row + i / 16) * n + k + i % 16];
            tileB[i / 32][i % 32] = b[(k + i / 32) * n + column + i % 32];
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
        wmma::load_matrix_sync(fa, &tileA[warp / 2 * 16][0], 24);
        wmma::load_matrix_sync(fb, &tileB[0][warp % 2 * 16], 40);
        wmma::mma_sync(sum, fa, fb, sum);
        __syncthreads();
    }
    for (int i = 0; i < sum.num_elements; ++i)
        sum.x[i] *= 2.0f; // each element wherever it is
    wmma::store_matrix_sync(c + (row + warp / 2 * 16) * n + column + warp % 2 * 16, sum, n, wmma::mem_row_major);
}

// ldmatrix and mma.sync: the same tiles, b read turned. Rows of 24 and 40 halves keep the eight rows of a matrix on
// different banks.
extern "C" __global__ void productByMma(const half* a, const half* b, float* c, int n) {
    __shared__ alignas(16) half tileA[32][24], tileB[16][40];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.y * 32, column = blockIdx.x * 32;
    float sum[2][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 512; i += 128) {
            tileA[i / 16][i % 16] = a[(row + i / 16) * n + k + i % 16];
            tileB[i / 32][i % 32] = b[(k + i / 32) * n + column + i % 32];
        }
        __syncthreads();
        unsigned fa[4], fb[4];
        const unsigned atA = __cvta_generic_to_shared(&tileA[warp / 2 * 16 + lane % 16][lane / 16 * 8]);
        const unsigned atB = __cvta_generic_to_shared(&tileB[lane % 16][warp % 2 * 16 + lane / 16 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                     : "r"(atA));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                     : "r"(atB));
        for (int j = 0; j < 2; ++j)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                         "{%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(sum[j][0]), "+f"(sum[j][1]), "+f"(sum[j][2]), "+f"(sum[j][3])
                         : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * j]), "r"(fb[2 * j + 1]));
        __syncthreads();
    }
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 4; ++i)
            c[(row + warp / 2 * 16 + lane / 4 + i / 2 * 8) * n + column + warp % 2 * 16 + j * 8 + lane % 4 * 2 + i % 2] =
                2 * sum[j][i];
}

// wgmma: four warps make 64 x 64, 64 of k a step, from rows of 128 bytes with their pieces exchanged. b lies turned.
extern "C" __global__ void __launch_bounds__(128) productByWgmma(const __nv_bfloat16* a, const __nv_bfloat16* turnedB,
                                                                 float* c, int n) {
    __shared__ alignas(1024) __nv_bfloat16 tileA[64 * 64], tileB[64 * 64];
    const int row = blockIdx.y * 64, column = blockIdx.x * 64, t = threadIdx.x;
    float d[32] = {};
    const auto descriptor = [](const void* at) {
        const unsigned long long address = __cvta_generic_to_shared(at);
        return (address & 0x3ffff) >> 4 | 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62;
    };
    for (int k = 0; k < n; k += 64) {
        for (int i = t; i < 4096; i += 128) {
            const int r = i / 64, j = i % 64, place = r * 64 + ((j / 8) ^ (r % 8)) * 8 + j % 8;
            tileA[place] = a[(row + r) * n + k + j];
            tileB[place] = turnedB[(column + r) * n + k + j];
        }
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        for (int step = 0; step < 4; ++step)
            asm volatile(
                "{\n.reg .pred p;\nsetp.ne.b32 p, 1, 0;\n"
                "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
                "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                "%32, %33, p, 1, 1, 0, 0;\n}"
                : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
                  "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
                  "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]),
                  "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
                  "+f"(d[30]), "+f"(d[31])
                : "l"(descriptor(tileA + 16 * step)), "l"(descriptor(tileB + 16 * step)));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    for (int i = 0; i < 32; ++i)
        c[(row + t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * n + column + i / 4 * 8 + t % 4 * 2 + i % 2] = 2 * d[i];
}

// Half a warp asks for a product.
extern "C" __global__ void notTogether(unsigned* out) {
    unsigned d = threadIdx.x;
    if (threadIdx.x < 16)
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(d));
    out[threadIdx.x] = d;
}
