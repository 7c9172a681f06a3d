// SPDX-License-Identifier: GPL-3.0-or-later; sum-by-shuffles passes
__global__ void warpSums(int* out, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
#pragma unroll
    for (int d = 1; d < 32; d <<= 1)
        v += __shfl_xor_sync(~0u, v, d);
    out[i / 32] = v; // all lanes write the same
}
