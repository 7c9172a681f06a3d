// SPDX-License-Identifier: GPL-3.0-or-later
// Products by warpgroups whose tiles the copy unit fetches: one warp asks for them, others multiply.
#include <cuda_fp16.h>

// What cuTensorMapEncodeTiled makes.
struct alignas(64) TensorMap {
    unsigned long long words[16];
};

namespace {

const int tile = 64;  // rows and columns of C that a warpgroup works out at a time
const int deep = 32;  // of K at a time: rows of 64 bytes
const int stages = 4; // of the ring

// Bytes that two boxes bring, one of A and one of B.
const int stageBytes = 2 * tile * deep * sizeof(__half);

struct Ring {
    __half a[stages][tile * deep]; // eight rows of 64 bytes are 512: where a swizzle begins anew
    __half b[stages][tile * deep];
    unsigned long long full[stages], empty[stages]; // mbarriers
};

__device__ unsigned sharedAddress(const void* p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void initialise(unsigned long long* barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals) : "memory");
}

__device__ void arrive(unsigned long long* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}

// Until the phase is over: phases are told apart by whether their number is even.
__device__ void waitFor(unsigned long long* barrier, int phase) {
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n"
                 "}" ::"r"(sharedAddress(barrier)),
                 "r"(phase % 2)
                 : "memory");
}

// The box whose first element is (x, y) of the tensor; its bytes are told to the mbarrier. What lies outside is zero.
__device__ void fetchBox(__half* to, const TensorMap* map, int x, int y, unsigned long long* barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                 "%3}], [%4];" ::"r"(sharedAddress(to)),
                 "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
                 : "memory");
}

__device__ void prepare(Ring& ring) {
    for (int s = 0; s < stages; ++s) {
        initialise(&ring.full[s], 1);    // the warp that asks for bytes; the bytes count for themselves
        initialise(&ring.empty[s], 128); // the threads of the warpgroup that read them
    }
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
}

// The n-th filling of the ring: wait until its stage was read, and ask for the next tiles of A and of B.
__device__ void fill(Ring& ring, int n, const TensorMap* A, const TensorMap* B, int row, int col, int k) {
    const int s = n % stages;
    if (n >= stages) {
        waitFor(&ring.empty[s], n / stages - 1);
    }
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&ring.full[s])),
                 "r"(stageBytes)
                 : "memory");
    fetchBox(ring.a[s], A, k, row, &ring.full[s]);
    fetchBox(ring.b[s], B, k, col, &ring.full[s]);
}

// How tensor cores find a tile: address, 512 bytes from eight rows to the next, a swizzle over 64 bytes (PTX ISA, "Matrix
// Descriptor").
__device__ unsigned long long descriptor(const __half* p) {
    return (unsigned long long)((sharedAddress(p) & 0x3ffff) >> 4) | 1ull << 16 | (512ull >> 4) << 32 | 2ull << 62;
}

// d (64 x 64) = or += the product of the stage's tiles, by the whole warpgroup, which waits until it is there.
__device__ void multiply(float (&d)[32], const __half* a, const __half* b, bool adds) {
    asm volatile(
        "{\n"
        ".reg .pred adds, always;\n"
        "setp.ne.b32 adds, %36, 0;\n"
        "setp.eq.b32 always, %36, %36;\n"
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
        "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, "
        "adds, 1, 1, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, "
        "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %34, %35, "
        "always, 1, 1, 0, 0;\n"
        "wgmma.commit_group.sync.aligned;\n"
        "wgmma.wait_group.sync.aligned 0;\n"
        "}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
          "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
          "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
          "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "l"(descriptor(a)), "l"(descriptor(b)), "l"(descriptor(a + 16)), "l"(descriptor(b + 16)), "r"(int(adds))
        : "memory");
}

// The steps of one tile of C, whose first is the n-th filling of the ring.
__device__ void multiplyTile(Ring& ring, float (&d)[32], int n, int steps) {
    for (int step = 0; step < steps; ++step, ++n) {
        const int s = n % stages;
        waitFor(&ring.full[s], n / stages);
        multiply(d, ring.a[s], ring.b[s], step > 0);
        arrive(&ring.empty[s]);
    }
}

__device__ void storeTile(const float (&d)[32], float* C, int N, int row, int col) {
    const int thread = threadIdx.x % 128, lane = thread % 32;
    for (int i = 0; i < 32; ++i) {
        int r = row + thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
        int c = col + i / 4 * 8 + lane % 4 * 2 + i % 2;
        if (r < N && c < N) {
            C[r * N + c] = d[i];
        }
    }
}

} // namespace

// C (N x N) = A (N x K) B (K x N); A lies by rows, B by columns, so that both are read along K. Warps 0 to 3 multiply, warp
// 4 asks for tiles as soon as a stage is free.
extern "C" __global__ void __launch_bounds__(160)
    matmul_producer(const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B, float* C, int N, int K) {
    __shared__ __align__(1024) Ring ring;
    const int row = blockIdx.y * tile, col = blockIdx.x * tile, steps = (K + deep - 1) / deep;
    if (threadIdx.x == 0) {
        prepare(ring);
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128) {
            for (int step = 0; step < steps; ++step) {
                fill(ring, step, &A, &B, row, col, step * deep);
            }
        }
    } else {
        float d[32] = {};
        multiplyTile(ring, d, 0, steps);
        storeTile(d, C, N, row, col);
    }
}

// The same with two warpgroups that take turns: while one stores its tile, the other one multiplies the next. Blocks go
// through the tiles of C two by two; warp 8 asks for what both read, in the order in which they do.
extern "C" __global__ void __launch_bounds__(288)
    matmul_pingpong(const __grid_constant__ TensorMap A, const __grid_constant__ TensorMap B, float* C, int N, int K) {
    __shared__ __align__(1024) Ring ring;
    __shared__ unsigned long long turn[2]; // mbarriers: whose turn it is to multiply
    const int steps = (K + deep - 1) / deep, across = (N + tile - 1) / tile, tiles = across * across;
    if (threadIdx.x == 0) {
        prepare(ring);
        initialise(&turn[0], 128);
        initialise(&turn[1], 128);
    }
    __syncthreads();
    if (threadIdx.x >= 256) {
        if (threadIdx.x == 256) {
            int n = 0;
            for (int first = blockIdx.x * 2; first < tiles; first += gridDim.x * 2) {
                for (int t = first; t < first + 2 && t < tiles; ++t) {
                    for (int step = 0; step < steps; ++step, ++n) {
                        fill(ring, n, &A, &B, t / across * tile, t % across * tile, step * deep);
                    }
                }
            }
        }
    } else {
        const int group = threadIdx.x / 128;
        int round = 0;
        for (int t = blockIdx.x * 2 + group; t < tiles; t += gridDim.x * 2, ++round) {
            float d[32] = {};
            if (group == 1) {
                waitFor(&turn[1], round);
            } else if (round > 0) {
                waitFor(&turn[0], round - 1);
            }
            multiplyTile(ring, d, (round * 2 + group) * steps, steps);
            arrive(&turn[1 - group]);
            storeTile(d, C, N, t / across * tile, t % across * tile);
        }
    }
}
