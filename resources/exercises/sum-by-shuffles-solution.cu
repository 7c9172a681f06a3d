// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void warpSums(int* out, const int* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (i % 32 == 0)
        out[i / 32] = sum;
}
