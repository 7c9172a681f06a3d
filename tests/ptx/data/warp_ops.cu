// SPDX-License-Identifier: GPL-3.0-or-later
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void shuffles(int* out, const int* in) {
    int v = in[threadIdx.x];
    v += __shfl_down_sync(0xffffffffu, v, 16);
    v += __shfl_up_sync(0xffffffffu, v, 3);
    v += __shfl_xor_sync(0xffffffffu, v, 5, 16);
    v += __shfl_sync(0xffffffffu, v, threadIdx.x & 7);
    double d = __shfl_down_sync(0xffffffffu, double(v), 1);
    out[threadIdx.x] = v + int(d);
}
__global__ void votes(unsigned* out, int n) {
    const bool p = int(threadIdx.x) < n;
    unsigned v = __ballot_sync(0xffffffffu, p);
    v += __all_sync(0xffffffffu, p) ? 1 : 0;
    v += __any_sync(0xffffffffu, p) ? 2 : 0;
    if (threadIdx.x & 1) v ^= __activemask();
    v += __match_any_sync(0xffffffffu, n + threadIdx.x / 4);
    int pred;
    v += __match_all_sync(0xffffffffu, n, &pred) + pred;
    v += __popc(v) + __ffs(v) + __clz(v) + __brev(v);
    out[threadIdx.x] = v;
}
__global__ void groups(int* out) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int v = threadIdx.x;
    for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0) out[blockIdx.x] = v;
    cg::this_thread_block().sync();
    __syncwarp(0xffff);
}
__global__ void barriers(int* out, int n) {
    const int c = __syncthreads_count(int(threadIdx.x) < n);
    const int a = __syncthreads_and(n > 3), o = __syncthreads_or(n > 7);
    __threadfence(); __threadfence_block(); __threadfence_system();
    out[threadIdx.x] = c + a + o + warpSize;
}
