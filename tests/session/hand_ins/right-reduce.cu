// SPDX-License-Identifier: GPL-3.0-or-later; reduce-with-whole-warps passes
__global__ void blockSum(int* out, const int* in) {
    __shared__ int ofWarp[8];
    int t = threadIdx.x, sum = in[blockIdx.x * blockDim.x + t];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (t % 32 == 0)
        ofWarp[t / 32] = sum;
    __syncthreads();
    if (t == 0) {
        int all = 0;
        for (int w = 0; w < blockDim.x / 32; ++w)
            all += ofWarp[w];
        out[blockIdx.x] = all;
    }
}
