// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products by tensor cores, whose tiles are fetched while others are multiplied. matrix_test.cpp launches them.
// own_matrix_80.ptx and own_matrix_90a.ptx are made from this file:
//   nvcc -arch=compute_80 -O3 -lineinfo -ptx own_matrix.cu -o own_matrix_80.ptx
// and likewise for 90a (the paths in .file cut down to the names). matrixByWarpgroup is only in the latter.
#include <cuda_fp16.h>

namespace {

__device__ unsigned sharedAddress(const void* p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

} // namespace

extern "C" {

// c = a b, all row after row: 64 x 64 elements a block of four warps, 32 of k at a time, three tiles under way. cp.async
// fetches, ldmatrix takes fragments, mma.sync multiplies; rows are longer than the tile, so that ldmatrix meets all banks.
__global__ void __launch_bounds__(128) matrixPipeline(const __half* a, const __half* b, float* c, int n, int k) {
    __shared__ __align__(16) __half ta[3][64][40], tb[3][32][72];
    const int t = threadIdx.x, lane = t % 32, row = blockIdx.y * 64, col = blockIdx.x * 64;
    const int m0 = t / 64 * 32, n0 = t / 32 % 2 * 32; // of this warp
    const auto copy = [](void* to, const void* from) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(to)), "l"(from) : "memory");
    };
    const auto fetch = [&](int tile) {
        if (tile * 32 < k)
            for (int p = t; p < 256; p += 128) {
                copy(&ta[tile % 3][p / 4][p % 4 * 8], a + (row + p / 4) * k + tile * 32 + p % 4 * 8);
                copy(&tb[tile % 3][p / 8][p % 8 * 8], b + (tile * 32 + p / 8) * n + col + p % 8 * 8);
            }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    float sum[2][4][4] = {};
    fetch(0);
    fetch(1);
    for (int tile = 0; tile * 32 < k; ++tile) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads(); // the tile is there for all, and nobody reads the one that is overwritten now
        fetch(tile + 2);
        for (int k0 = 0; k0 < 32; k0 += 16) {
            unsigned fa[2][4], fb[2][4];
            for (int m = 0; m < 2; ++m)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(fa[m][0]), "=r"(fa[m][1]), "=r"(fa[m][2]), "=r"(fa[m][3])
                             : "r"(sharedAddress(&ta[tile % 3][m0 + m * 16 + lane % 16][k0 + lane / 16 * 8]))
                             : "memory");
            for (int h = 0; h < 2; ++h)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(fb[h][0]), "=r"(fb[h][1]), "=r"(fb[h][2]), "=r"(fb[h][3])
                             : "r"(sharedAddress(&tb[tile % 3][k0 + lane % 16][n0 + h * 16 + lane / 16 * 8]))
                             : "memory");
            for (int m = 0; m < 2; ++m)
                for (int e = 0; e < 4; ++e) {
                    float* const s = sum[m][e];
                    asm volatile(
                        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                        "{%8, %9}, {%0, %1, %2, %3};"
                        : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                        : "r"(fa[m][0]), "r"(fa[m][1]), "r"(fa[m][2]), "r"(fa[m][3]), "r"(fb[e / 2][e % 2 * 2]),
                          "r"(fb[e / 2][e % 2 * 2 + 1]));
                }
        }
    }
    for (int m = 0; m < 2; ++m)
        for (int e = 0; e < 4; ++e)
            for (int i = 0; i < 4; ++i)
                c[(row + m0 + m * 16 + lane / 4 + i / 2 * 8) * n + col + n0 + e * 8 + lane % 4 * 2 + i % 2] =
                    sum[m][e][i];
}
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

namespace {

struct alignas(64) TensorMap {
    unsigned long long words[16];
};

__device__ void waitFor(unsigned barrier, unsigned parity) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

__device__ void fetchBox(unsigned to, const TensorMap& map, int x, int y, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                 "%3}], [%4];" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(barrier)
                 : "memory");
}

// Rows of 128 bytes, swizzled over 128: eight rows are 1024 bytes (PTX ISA, "Matrix Descriptor").
__device__ unsigned long long descriptor(unsigned address) {
    return (unsigned long long)((address & 0x3ffff) >> 4) | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

} // namespace

extern "C" {

// c = a b^T, both row after row along k: 64 x 64 elements a block, 64 of k at a time, two boxes of each under way. The
// fifth warp asks for boxes as soon as their place is free, the first four multiply what has come.
__global__ void __launch_bounds__(160) matrixByWarpgroup(const __grid_constant__ TensorMap a,
                                                         const __grid_constant__ TensorMap b, float* c, int n, int k) {
    __shared__ __align__(1024) __half ta[2][64 * 64], tb[2][64 * 64];
    __shared__ __align__(8) unsigned long long full[2], empty[2];
    const int t = threadIdx.x, row = blockIdx.y * 64, col = blockIdx.x * 64, tiles = k / 64;
    if (t == 0) {
        for (int s = 0; s < 2; ++s) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&full[s])) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(sharedAddress(&empty[s])) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (t >= 128) {
        if (t == 128)
            for (int tile = 0; tile < tiles; ++tile) {
                const int s = tile % 2;
                const unsigned barrier = sharedAddress(&full[s]);
                if (tile >= 2)
                    waitFor(sharedAddress(&empty[s]), (tile / 2 - 1) % 2);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" ::"r"(barrier) : "memory");
                fetchBox(sharedAddress(ta[s]), a, tile * 64, row, barrier);
                fetchBox(sharedAddress(tb[s]), b, tile * 64, col, barrier);
            }
        return;
    }
    float d[32] = {};
    for (int tile = 0; tile < tiles; ++tile) {
        const int s = tile % 2;
        waitFor(sharedAddress(&full[s]), tile / 2 % 2);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int part = 0; part < 4; ++part) // 16 of k are 32 bytes
            asm volatile("{\n"
                         ".reg .pred adds;\n"
                         "setp.ne.b32 adds, %34, 0;\n"
                         "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, "
                         "%10, %11, %12, "
                         "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "
                         "%31}, %32, %33, "
                         "adds, 1, 1, 0, 0;\n"
                         "}"
                         : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
                           "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
                           "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
                           "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
                           "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                         : "l"(descriptor(sharedAddress(ta[s]) + part * 32)),
                           "l"(descriptor(sharedAddress(tb[s]) + part * 32)), "r"(tile + part)
                         : "memory");
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(&empty[s])) : "memory");
    }
    const int lane = t % 32;
    for (int i = 0; i < 32; ++i)
        c[(row + t / 32 * 16 + lane / 4 + i / 2 % 2 * 8) * n + col + i / 4 * 8 + lane % 4 * 2 + i % 2] = d[i];
}
}

#endif
