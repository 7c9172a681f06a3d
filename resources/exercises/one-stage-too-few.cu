// SPDX-License-Identifier: GPL-3.0-or-later
// A block goes through its tiles of 256 numbers and adds to each element the mean of its neighbours. The next tile is
// fetched by cp.async while this one is worked on.
#include <cuda_pipeline.h>

const int tile = 256;
const int stages = 2;

__device__ void fetch(int (*ring)[tile], const int* in, int step, int steps) {
    if (step < steps && threadIdx.x < tile / 4) {
        int t = blockIdx.x * steps + step;
        __pipeline_memcpy_async(&ring[step % stages][threadIdx.x * 4], in + t * tile + threadIdx.x * 4, 16);
    }
    __pipeline_commit();
}

extern "C" __global__ void smoothTiles(int* out, const int* in, int steps) {
    __shared__ __align__(16) int ring[stages][tile];
    for (int step = 0; step < stages - 1; ++step) {
        fetch(ring, in, step, steps);
    }
    for (int step = 0; step < steps; ++step) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        fetch(ring, in, step + stages - 1, steps);
        const int* now = ring[step % stages];
        int i = threadIdx.x;
        int left = now[i > 0 ? i - 1 : 0], right = now[i < tile - 1 ? i + 1 : tile - 1];
        out[(blockIdx.x * steps + step) * tile + i] = now[i] + (left + right) / 2;
    }
}
