// SPDX-License-Identifier: GPL-3.0-or-later
// apart.ptx: nvcc -ptx -O3 -arch=compute_75
// Lanes that come to one shuffle or vote by different ways, and some that never come.
extern "C" __global__ void mayReturn(int* out, int limit) { // nobody returns, but the sides of the branch do not know
    int v = threadIdx.x;
    if (threadIdx.x & 1) {
        if (out[threadIdx.x] > limit)
            return;
        v = v * 3 + out[5];
    } else
        v = v + 7;
    v += __shfl_xor_sync(~0u, v, 1);
    const unsigned odd = __ballot_sync(~0u, v & 8);
    out[threadIdx.x] = v;
    out[32 + threadIdx.x] = odd;
}
extern "C" __global__ void otherWay(int* out) { // half of the members go to the next shuffle
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_down_sync(~0u, v, 1) * 3;
    else
        v = out[v] + 5;
    v += __shfl_xor_sync(~0u, v, 16);
    out[threadIdx.x] = v;
}
extern "C" __global__ void someEnd(int* out, int n) { // those that leave the loop end, and are waited for no more
    int s = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        s += __shfl_down_sync(~0u, i, 1);
    out[threadIdx.x] = s;
}
extern "C" __global__ void eachItsOwn(int* out) { // the sides of the branch have a shuffle and a vote each
    int v = threadIdx.x;
    unsigned big;
    if (threadIdx.x & 1) {
        v = __shfl_xor_sync(~0u, v + 100, 1);
        big = __ballot_sync(~0u, v < 210);
        out[threadIdx.x] = v;
    } else {
        v = __shfl_xor_sync(~0u, v + 200, 1);
        big = __ballot_sync(~0u, v < 110);
        out[threadIdx.x] = -v;
    }
    out[32 + threadIdx.x] = big;
}
