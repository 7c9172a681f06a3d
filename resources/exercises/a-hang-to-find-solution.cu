// SPDX-License-Identifier: GPL-3.0-or-later
// A block of five warps goes through tiles of 128 numbers. Warp 4 asks for them, warps 0 to 3 double them: two slots lie
// between, each with an mbarrier that says full and one that says empty.
const int tile = 128;
const int slots = 2;

__device__ unsigned sharedAddress(const void* p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ void initialise(unsigned long long* barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals) : "memory");
}

__device__ void arrive(unsigned long long* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory");
}

// One arrival, and as many bytes as the copy brings.
__device__ void copyTile(int* to, const int* from, unsigned long long* full) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(full)), "r"(tile * 4)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     sharedAddress(to)),
                 "l"(from), "r"(tile * 4), "r"(sharedAddress(full))
                 : "memory");
}

// Until the phase of that number is over.
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

extern "C" __global__ void doubleTiles(int* out, const int* in, int tiles) {
    __shared__ __align__(128) int ring[slots][tile];
    __shared__ unsigned long long full[slots], empty[slots];
    if (threadIdx.x == 0) {
        for (int s = 0; s < slots; ++s) {
            initialise(&full[s], 1);
            initialise(&empty[s], 128);
        }
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    const int first = blockIdx.x * tiles;
    if (threadIdx.x == 128) {
        for (int t = 0; t < tiles; ++t) {
            if (t >= slots) {
                waitFor(&empty[t % slots], t / slots - 1);
            }
            copyTile(ring[t % slots], in + (first + t) * tile, &full[t % slots]);
        }
    } else if (threadIdx.x < 128) {
        for (int t = 0; t < tiles; ++t) {
            waitFor(&full[t % slots], t / slots);
            out[(first + t) * tile + threadIdx.x] = 2 * ring[t % slots][threadIdx.x];
            arrive(&empty[t % slots]);
        }
    }
}
